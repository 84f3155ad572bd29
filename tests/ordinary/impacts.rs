//! Impacts against their laws: the jump of the velocities, Routh's construction for one contact in the plane, Moreau's rule for
//! several, what no law may break.

use super::equations::{Equations, dot};
use super::retrace::{Fault, fault};
use super::scales::Scales;
use mechan::contact::Restitution;
use mechan::simulate::trajectory::{Event, EventDetail, EventKind, ImpactDetail, Pair};
use nalgebra::{DMatrix, DVector};

/// What of velocities and impulses is too little to be seen, relative to those of the motion.
const SEEN: f64 = 1e-7;
/// An approach below this share of the motion's speeds is rounding.
const ROUNDING: f64 = 1e-12;

/// Impacts of one instant that the engine took together.
pub(crate) struct Together<'e> {
    pub(crate) events: &'e [Event],
    /// Whether the last of a series, after which the contact stays closed.
    pub(crate) last: bool,
    /// Of each, whether it ends a hop that cannot be seen.
    pub(crate) hops: &'e [bool],
}

pub(crate) fn detail(event: &Event) -> &ImpactDetail {
    let EventDetail::Impact(detail) = &event.detail else { panic!("{event:?}") };
    detail
}

fn pair(pair: Pair) -> [f64; 2] {
    match pair {
        Pair::One(x) => [x.0, 0.0],
        Pair::Two([x, y]) => [x.0, y.0],
    }
}

fn contact_of(equations: &Equations, event: &Event) -> usize {
    let name = event.contact.as_ref().expect("an impact has a contact");
    equations.contacts.iter().position(|c| c == name).expect("a contact")
}

impl Together<'_> {
    /// Velocities before from those after, and what is wrong with the impacts. The equations stand at the place.
    pub(crate) fn judge(
        &self,
        equations: &Equations,
        scales: &Scales,
        after: &[f64],
    ) -> (Vec<f64>, Vec<Fault>) {
        let n = equations.n();
        let mobility = equations.mobility();
        let mut push = vec![0.0; n];
        for event in self.events {
            let (c, impulse) = (contact_of(equations, event), &detail(event).impulse);
            let T = pair(impulse.tangential);
            for i in 0..n {
                push[i] += equations.normal(c)[i] * impulse.normal.0;
                (0..equations.layout.tangents).for_each(|k| push[i] += equations.tangent(c, k)[i] * T[k]);
            }
        }
        let before: Vec<f64> =
            (0..n).map(|i| after[i] - (0..n).map(|j| mobility[(i, j)] * push[j]).sum::<f64>()).collect();
        let mut faults = Vec::new();
        for (event, &hop) in self.events.iter().zip(self.hops) {
            let c = contact_of(equations, event);
            self.judge_one((event, c, hop), equations, scales, (&before, after), &mut faults);
        }
        let energy = |v: &[f64]| {
            let M = equations.mass_matrix();
            0.5 * (0..n).map(|i| v[i] * (0..n).map(|j| M[(i, j)] * v[j]).sum::<f64>()).sum::<f64>()
        };
        // a surface that moves does work in an impact: in its frame what counts is Σ impulse · mean velocity
        let work: f64 = self.events.iter().map(|event| work_at(equations, event)).sum();
        let loss: f64 = self.events.iter().map(|event| detail(event).energy_loss.0).sum();
        let size = energy(&before).max(energy(after));
        if (work + loss).abs() > SEEN * size.max(loss.abs()) {
            faults.push(fault(
                "energy of an impact",
                format!("loss {loss:.6e}, work of the impulses {work:.6e}"),
            ));
        }
        if self.events.iter().all(|e| !["newton", "moreau"].contains(&&*detail(e).law)) && work > SEEN * size
        {
            faults.push(fault("an impact gains energy", format!("{work:.3e} of {size:.3e}")));
        }
        (before, faults)
    }

    fn judge_one(
        &self,
        (event, c, hop): (&Event, usize, bool),
        equations: &Equations,
        scales: &Scales,
        (before, after): (&[f64], &[f64]),
        faults: &mut Vec<Fault>,
    ) {
        let detail = detail(event);
        let (name, d, t) = (&equations.contacts[c], equations.layout.tangents, event.t.0);
        let gap = equations.gap(c);
        if gap.abs() > 1e-8 * scales.length {
            faults.push(fault(
                "an impact in the air",
                format!("{name}: gap {:.3e} at t = {t}", gap / scales.length),
            ));
        }
        for (what, rates, v) in [("before", &detail.pre, before), ("after", &detail.post, after)] {
            let mut miss = (equations.rate_at(c, v) - rates.v.0).abs();
            (0..d).for_each(|k| miss = miss.max((equations.slip_at(c, k, v) - pair(rates.u)[k]).abs()));
            if miss > SEEN * scales.speed {
                let text = format!(
                    "{name}: rates {what} the impact miss theirs by {:.1e} at t = {t}",
                    miss / scales.speed
                );
                faults.push(fault("rates of an impact", text));
            }
        }
        let approach = detail.pre.v.0;
        if event.kind == EventKind::Impact && detail.law != "moreau" && approach > -ROUNDING * scales.speed {
            faults.push(fault(
                "an impact of rounding",
                format!("{name} approaches at {approach:.1e} at t = {t}"),
            ));
        }
        let law = match &*detail.law {
            "moreau" => self.by_moreau((event, c, hop), equations, scales),
            _ if event.kind == EventKind::Iwc => None,
            _ if d == 1 => self.by_routh((event, c), equations, scales),
            _ => in_space(equations.friction[c], equations.laws[c], detail, self.last, scales),
        };
        if let Some(text) = law {
            faults.push(fault("law of an impact", format!("{name} at t = {t}: {text}")));
        }
    }

    fn by_moreau(
        &self,
        (event, c, hop): (&Event, usize, bool),
        equations: &Equations,
        scales: &Scales,
    ) -> Option<String> {
        let detail = detail(event);
        let (mu, e) = (equations.friction[c], equations.laws[c].coefficient());
        let (N, T, u) = (detail.impulse.normal.0, pair(detail.impulse.tangential), pair(detail.post.u));
        let (T, u, opposed) = (T[0].hypot(T[1]), u[0].hypot(u[1]), T[0] * u[0] + T[1] * u[1]);
        let largest = self.events.iter().map(|e| self::detail(e).impulse.normal.0).fold(0.0, f64::max);
        let (impulse, speed) = (SEEN * largest, SEEN * scales.speed);
        let broken = |e: f64| {
            let parting = detail.post.v.0 + e * detail.pre.v.0;
            let broken = [
                (N < -impulse, "pulls"),
                (parting < -speed, "v+ + e v- < 0"),
                (N > impulse && parting > speed, "N and v+ + e v- > 0"),
                (T > mu * N + impulse, "outside of the cone"),
                (
                    u > speed && opposed > -(mu * N - impulse) * u && mu * N > 2.0 * impulse,
                    "friction does not oppose slip",
                ),
            ];
            broken.into_iter().find(|(is, _)| *is).map(|(_, text)| format!("Moreau's rule: {text}"))
        };
        // what parts need give nothing back, nor need what comes from a hop that cannot be seen
        broken(e).filter(|_| !(hop || detail.pre.v.0 > 0.0) || broken(0.0).is_some())
    }

    fn by_routh(
        &self,
        (event, c): (&Event, usize),
        equations: &Equations,
        scales: &Scales,
    ) -> Option<String> {
        let detail = detail(event);
        let mobility = equations.mobility();
        let product = |a: &[f64], b: &[f64]| -> f64 {
            (0..a.len()).map(|i| a[i] * dot(mobility.row(i).transpose().as_slice(), b)).sum()
        };
        let (w_n, w_t) = (equations.normal(c), equations.tangent(c, 0));
        let [a, b, m] = [product(w_t, w_t), product(w_t, w_n), product(w_n, w_n)];
        let contact = Contact { a, b, c: m, mu: equations.friction[c] };
        let pre = [pair(detail.pre.u)[0], detail.pre.v.0];
        let laws = [equations.laws[c], Restitution::Poisson(0.0)];
        let allowed = if self.last { &laws[..] } else { &laws[..1] };
        let post = [pair(detail.post.u)[0], detail.post.v.0];
        let mut tried = String::new();
        for law in allowed {
            let [u, v] = contact.impact(*law, pre)?;
            let miss = (u - post[0]).abs().max((v - post[1]).abs());
            if miss <= SEEN * scales.speed.min(100.0 * (pre[0].abs() + pre[1].abs())) + 1e-13 * scales.speed {
                return None;
            }
            tried += &format!("{law:?} from {pre:?} gives {:?}, not {post:?}; ", [u, v]);
        }
        Some(tried)
    }
}

/// Σ impulse · mean relative velocity.
fn work_at(equations: &Equations, event: &Event) -> f64 {
    let _ = equations;
    let detail = detail(event);
    let (T, u0, u1) = (pair(detail.impulse.tangential), pair(detail.pre.u), pair(detail.post.u));
    let tangential: f64 = (0..2).map(|k| 0.5 * T[k] * (u0[k] + u1[k])).sum();
    0.5 * detail.impulse.normal.0 * (detail.pre.v.0 + detail.post.v.0) + tangential
}

fn in_space(mu: f64, law: Restitution, detail: &ImpactDetail, last: bool, scales: &Scales) -> Option<String> {
    let (N, T) = (detail.impulse.normal.0, pair(detail.impulse.tangential));
    let e = if last { 0.0 } else { law.coefficient() };
    let newton = matches!(law, Restitution::Newton(_)) || mu == 0.0;
    let miss = (detail.post.v.0 + e * detail.pre.v.0).abs();
    match () {
        () if N < 0.0 || T[0].hypot(T[1]) > (1.0 + SEEN) * mu * N => Some("outside of the cone".to_string()),
        () if newton && miss > SEEN * scales.speed && (!last || detail.post.v.0 != 0.0) => {
            Some(format!("v+ + e v- = {miss:.3e}"))
        }
        () => None,
    }
}

/// One contact in the plane: A, B, C of its Delassus matrix, and its friction.
struct Contact {
    a: f64,
    b: f64,
    c: f64,
    mu: f64,
}

impl Contact {
    /// Changes of slip and gap rate per unit of normal impulse.
    fn slopes(&self, u: f64) -> [f64; 2] {
        if u == 0.0 && self.b.abs() <= self.mu * self.a {
            // of a point that moves along a line nothing is left: it is wedged
            let gain = 1.0 - self.b * self.b / (self.a * self.c);
            return [0.0, if gain > 1e-9 { gain * self.c } else { 0.0 }];
        }
        let s = if u == 0.0 { self.b.signum() } else { u.signum() };
        [self.b - s * self.mu * self.a, self.c - s * self.mu * self.b]
    }

    /// Slip and gap rate after an impact (Routh 1905): piece by piece along the normal impulse. None where the law says nothing.
    fn impact(&self, law: Restitution, [mut u, mut v]: [f64; 2]) -> Option<[f64; 2]> {
        let (v0, mut compressed, mut worked) = (v, 0.0, 0.0);
        while v < 0.0 {
            let [du, dv] = self.slopes(u);
            let (to_stick, to_rest) = (
                if u * du < 0.0 { -u / du } else { f64::INFINITY },
                if dv > 0.0 { -v / dv } else { f64::INFINITY },
            );
            let dn = to_stick.min(to_rest);
            if !dn.is_finite() {
                return None;
            }
            worked -= dn * (v + 0.5 * dv * dn);
            compressed += dn;
            u = if to_stick <= to_rest { 0.0 } else { u + du * dn };
            v = if to_rest <= to_stick { 0.0 } else { v + dv * dn };
        }
        let mut left = match law {
            Restitution::Newton(e) => -e * v0,
            Restitution::Poisson(e) => e * compressed,
            Restitution::Energetic(e) => e * e * worked,
        };
        for _ in 0..4 {
            let [du, dv] = self.slopes(u);
            let to_stick = if u * du < 0.0 { -u / du } else { f64::INFINITY };
            if dv <= 0.0 {
                return None;
            }
            let to_end = match law {
                Restitution::Newton(_) => (left - v) / dv,
                Restitution::Poisson(_) => left,
                // v n + dv n²/2 = left
                Restitution::Energetic(_) => ((v * v + 2.0 * dv * left).sqrt() - v) / dv,
            };
            let dn = to_stick.min(to_end);
            match law {
                Restitution::Newton(_) => {}
                Restitution::Poisson(_) => left -= dn,
                Restitution::Energetic(_) => left -= dn * (v + 0.5 * dv * dn),
            }
            u = if to_stick <= to_end { 0.0 } else { u + du * dn };
            v += dv * dn;
            if to_end <= to_stick {
                return Some([u, v]);
            }
        }
        None
    }
}

/// D, and the rates of contacts in the plane.
fn at_contacts(equations: &Equations, closed: &[usize]) -> (DMatrix<f64>, DVector<f64>) {
    let row = |i: usize| match i % 2 {
        0 => DVector::from_row_slice(equations.normal(closed[i / 2])),
        _ => DVector::from_row_slice(equations.tangent(closed[i / 2], 0)),
    };
    let m = 2 * closed.len();
    let H = DMatrix::from_columns(&(0..m).map(row).collect::<Vec<_>>());
    let D = H.transpose() * equations.mobility() * &H;
    let u = DVector::from_fn(m, |i, _| match i % 2 {
        0 => equations.rate(closed[i / 2]),
        _ => equations.slip(closed[i / 2])[0],
    });
    (D, u)
}

/// How many impacts Moreau's rule allows closed contacts one of which approaches, in the plane by solving for every word of free, stick
/// and slip: none where none approaches, no number where words are not regular, or in space of more than a point mass. The equations stand at the place.
pub(crate) fn allowed(equations: &Equations, scales: &Scales, clear: f64) -> Option<Option<usize>> {
    // those that part, too: the others may throw them back
    let closed: Vec<usize> =
        (0..equations.contacts.len()).filter(|&c| equations.gap(c).abs() <= 1e-8 * scales.length).collect();
    if !closed.iter().any(|&c| equations.rate(c) < -1e-7 * scales.speed) {
        return None;
    }
    if equations.layout.tangents > 1 {
        return Some(super::corners::allowed(equations, &closed));
    }
    let (D, u) = at_contacts(equations, &closed);
    let m = u.len();
    let mut found = 0;
    for number in 0..4_usize.pow(closed.len() as u32) {
        let word = |i: usize| number / 4_usize.pow(i as u32) % 4;
        // one equation for each impulse: what it is, or what it does
        let (mut A, mut b) = (DMatrix::identity(m, m), DVector::zeros(m));
        for (i, &c) in closed.iter().enumerate() {
            let [n, t] = [2 * i, 2 * i + 1];
            if word(i) > 0 {
                A.set_row(n, &D.row(n));
                b[n] = -u[n] - equations.laws[c].coefficient() * u[n].min(0.0);
            }
            match word(i) {
                1 => {
                    A.set_row(t, &D.row(t));
                    b[t] = -u[t];
                }
                2 => A[(t, n)] = equations.friction[c],
                3 => A[(t, n)] = -equations.friction[c],
                _ => {}
            }
        }
        let sizes = A.clone().svd(false, false).singular_values;
        if sizes.min() <= 1e-9 * sizes.max() {
            return Some(None);
        }
        let Some(impulse) = A.lu().solve(&b) else { return Some(None) };
        let after = &u + &D * &impulse;
        let (hardest, speed) = (clear * impulse.amax(), clear * scales.speed);
        let holds = closed.iter().enumerate().all(|(i, &c)| {
            let (N, T, w) = (impulse[2 * i], impulse[2 * i + 1], after[2 * i + 1]);
            let mu = equations.friction[c];
            match word(i) {
                0 => after[2 * i] + equations.laws[c].coefficient() * u[2 * i].min(0.0) > speed,
                1 => N > hardest && T.abs() < mu * N - hardest,
                2 => N > hardest && w > speed,
                _ => N > hardest && w < -speed,
            }
        });
        found += usize::from(holds);
    }
    Some(Some(found))
}
