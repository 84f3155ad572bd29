//! The inner program to the last digits: semismooth Newton steps on its natural map `r − P(r − ρ ũ)`,
//! ũ = W r + q + μ s e_N with s held, P the projection on the friction cone.
//!
//! Where P is smooth it maps onto a face of the cone. With y = r − ρ ũ a step solves, contact by contact, in an
//! orthonormal basis of the face: ũ = 0 along the face, r = 0 across it, and, on Coulomb's cone in space, across the
//! generator in the direction t of the rim `ũ_t + r_t (1 − κ)/(κ ρ) = 0`, κ = μ P_N / ‖y_T‖. These are the active
//! constraints of an active-set method; interior points find them, but end at half the digits. W is used as it is, be it
//! symmetric or not. Where W is singular, the faces alone do not determine r: the steps solve proximal problems, with
//! α (r − c) added to ũ and c the last force, and α falls as long as that helps.

use crate::coulomb::pyramid::{Cones, Side, half_angle};
use crate::coulomb::solver::Task;
use crate::coulomb::solver::newton::Prox;
use crate::coulomb::tolerance::METHODS;
use crate::coulomb::{cone, pyramid};
use crate::linear::largest_diagonal;
use crate::linear::reduced::{Linear, Maps};
use crate::num::Tol;
use crate::num::dense::norm;

/// Newton's method in the plane or in space.
pub(super) enum Polish<'a> {
    Plane(Newton<'a, 2, 4>),
    Space(Newton<'a, 3, 9>),
}

/// Proximal problems of one polish.
const ROUNDS: usize = 10;
/// Newton steps of one proximal problem.
const STEPS: usize = 12;
/// α relative to the largest diagonal entry of W: at first, the least, and its change after a failure and a success.
const ALPHA: f64 = METHODS.polish[0];
const LEAST: f64 = METHODS.polish[1];
const GROW: f64 = 100.0;
const FALL: f64 = 0.1;
/// A proximal problem counts as solved when its defect has fallen by this factor.
const REDUCTION: f64 = METHODS.polish_reduction;
/// A round that leaves more than this share of the defect is the last.
const STALLED: f64 = 0.7;
/// The shortest step of the line search.
const SHORTEST: f64 = 0.05;

impl<'a> Polish<'a> {
    pub(super) fn new(task: &Task<'a>, cones: Cones) -> Self {
        match task.local.W.block_size() {
            2 => Self::Plane(Newton::new(task, cones)),
            _ => Self::Space(Newton::new(task, cones)),
        }
    }

    /// Improves r for the sliding speeds s; ‖r − P(r − ρ ũ)‖ / ‖r‖ afterwards.
    pub(super) fn improve(&mut self, s: &[f64], r: &mut Vec<f64>) -> f64 {
        match self {
            Self::Plane(newton) => newton.improve(s, r),
            Self::Space(newton) => newton.improve(s, r),
        }
    }
}

pub(super) struct Newton<'a, const D: usize, const DD: usize> {
    task: Task<'a>,
    cones: Cones,
    linear: Linear<D, DD>,
    /// Step length ρ of each contact.
    rho: Vec<f64>,
    /// The largest diagonal entry of W.
    scale: f64,
    maps: Vec<Maps<D>>,
    x: Vec<[f64; D]>,
    /// q + μ s e_N.
    lifted: Vec<f64>,
    u: Vec<f64>,
}

impl<'a, const D: usize, const DD: usize> Newton<'a, D, DD> {
    fn new(task: &Task<'a>, cones: Cones) -> Self {
        let n = task.local.q.len();
        let (W, blocks) = (&task.local.W, task.local.W.chunks::<DD>());
        let own = |i: usize| largest_diagonal::<D, DD>(&blocks[W.diagonal(i)]);
        let scale = (0..n / D).map(own).fold(f64::MIN_POSITIVE, f64::max);
        // Contacts between bodies that are too heavy to move have a vanishing W_ii: they get the step of the others.
        let step =
            |i: usize| if own(i) > Tol::default().singular * scale { 1.0 / own(i) } else { 1.0 / scale };
        Self {
            task: *task,
            cones,
            linear: Linear::new(&task.local.W),
            rho: (0..n / D).map(step).collect(),
            scale,
            maps: vec![Maps::NONE; n / D],
            x: vec![[0.0; D]; n / D],
            lifted: vec![0.0; n],
            u: vec![0.0; n],
        }
    }

    fn improve(&mut self, s: &[f64], r: &mut Vec<f64>) -> f64 {
        self.lifted.copy_from_slice(&self.task.local.q);
        let normal = self.lifted.iter_mut().step_by(D).zip(self.task.mu).zip(s);
        normal.for_each(|((q, mu), s)| *q += mu * s);
        let mut defect = self.linearise(r, None);
        let mut alpha = ALPHA;
        for _ in 0..ROUNDS {
            if defect <= Tol::default().polished || alpha > 1.0 {
                break;
            }
            let next = self.proximal(alpha * self.scale, r);
            let found = self.linearise(&next, None);
            if found >= defect {
                alpha *= GROW;
                continue;
            }
            let stalled = found > STALLED * defect;
            (defect, *r) = (found, next);
            if stalled {
                break;
            }
            alpha = (FALL * alpha).max(LEAST);
        }
        defect
    }

    /// Newton's method with line search on the proximal problem centred at c.
    fn proximal(&mut self, alpha: f64, c: &[f64]) -> Vec<f64> {
        let prox = Some(Prox { alpha, center: c });
        let mut r = c.to_vec();
        let mut defect = self.linearise(&r, prox);
        let goal = (REDUCTION * defect).max(Tol::default().polished);
        for _ in 0..STEPS {
            if defect <= goal {
                break;
            }
            let Some(target) = self.step(alpha, c) else { break };
            let mut tau = 1.0;
            let (next, found) = loop {
                let next: Vec<f64> = r.iter().zip(&target).map(|(r, t)| r + tau * (t - r)).collect();
                let found = self.linearise(&next, prox);
                if found < defect || tau < SHORTEST {
                    break (next, found);
                }
                tau *= 0.5;
            };
            (r, defect) = (next, found);
        }
        r
    }

    /// The faces on which r lies, and the relative defect, of the program or of a proximal problem.
    fn linearise(&mut self, r: &[f64], prox: Option<Prox<'_>>) -> f64 {
        self.task.local.W.apply(r, &self.lifted, &mut self.u);
        if let Some(Prox { alpha, center }) = prox {
            self.u.iter_mut().zip(r).zip(center).for_each(|((u, r), c)| *u += alpha * (r - c));
        }
        let (r_of, u_of) = (r.as_chunks::<D>().0, self.u.as_chunks::<D>().0);
        let (mut defect, mut moved) = (0.0, 0.0);
        for (i, ((r, u), &rho)) in r_of.iter().zip(u_of).zip(&self.rho).enumerate() {
            let mut y = *r;
            (0..D).for_each(|a| y[a] -= rho * u[a]);
            let (near, map) = face(&y, self.task.mu[i], self.cones, rho);
            defect += (0..D).map(|a| (r[a] - near[a]).powi(2)).sum::<f64>();
            moved += (0..D).map(|a| (rho * u[a]).powi(2)).sum::<f64>();
            self.maps[i] = map;
        }
        let size = norm(r).max(moved.sqrt());
        if size > 0.0 { defect.sqrt() / size } else { 0.0 }
    }

    /// The solution of the linearised problem with W + α, centred at c; none if it is singular.
    fn step(&mut self, alpha: f64, c: &[f64]) -> Option<Vec<f64>> {
        let (c, q) = (c.as_chunks::<D>().0, self.lifted.as_chunks::<D>().0);
        for (i, map) in self.maps.iter().enumerate() {
            for k in 0..map.size {
                self.x[i][k] = alpha * map.row(k, &c[i]) - map.row(k, &q[i]);
            }
        }
        if !self.linear.factor(&self.task.local.W, &self.maps, alpha) {
            return None;
        }
        self.linear.solve(&self.task.local.W, &self.maps, &mut self.x);
        let next: Vec<f64> = self.maps.iter().zip(&self.x).flat_map(|(map, x)| map.force(x)).collect();
        next.iter().all(|x| x.is_finite()).then_some(next)
    }
}

/// The point of the cone nearest to y, and the maps of its face.
fn face<const D: usize>(y: &[f64; D], mu: f64, cones: Cones, rho: f64) -> ([f64; D], Maps<D>) {
    match cones {
        Cones::Faceted(n) if D == 3 && mu > 0.0 => {
            let (near, side) = pyramid::project(&[y[0], y[1], y[2]], mu, n);
            (narrow(near), spanned(&basis(side, mu, n)))
        }
        Cones::Faceted(_) | Cones::SecondOrder => smooth_face(y, mu, rho),
    }
}

fn smooth_face<const D: usize>(y: &[f64; D], mu: f64, rho: f64) -> ([f64; D], Maps<D>) {
    if mu <= 0.0 {
        let near = narrow([y[0].max(0.0), 0.0, 0.0]);
        return (near, if y[0] > 0.0 { spanned(&[[1.0, 0.0, 0.0]]) } else { Maps::NONE });
    }
    let (near, length) = (cone::project(y, mu), cone::tangent_norm(y));
    if length <= mu * y[0] {
        return (near, spanned(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][..D]));
    }
    if near[0] <= 0.0 {
        return (near, Maps::NONE);
    }
    let e = [y[1] / length, if D == 3 { y[2] / length } else { 0.0 }];
    let generator = unit([1.0, mu * e[0], mu * e[1]]);
    if D == 2 {
        return (near, spanned(&[generator]));
    }
    let mut map = spanned(&[generator, [0.0, -e[1], e[0]]]);
    let kappa = mu * near[0] / length;
    map.own[1][1] = (1.0 - kappa) / (kappa * rho);
    (near, map)
}

/// Orthonormal directions of a face of the pyramid.
fn basis(side: Side, mu: f64, n: usize) -> Vec<[f64; 3]> {
    match side {
        Side::Apex => vec![],
        Side::Edge(d) => vec![unit([1.0, mu * d[0], mu * d[1]])],
        Side::Facet(m) => {
            let out = mu * half_angle(n)[0];
            vec![unit([1.0, out * m[0], out * m[1]]), [0.0, -m[1], m[0]]]
        }
        Side::ConvexMethod => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    }
}

fn spanned<const D: usize>(directions: &[[f64; 3]]) -> Maps<D> {
    let mut map = Maps::NONE;
    map.size = directions.len();
    for (k, direction) in directions.iter().enumerate() {
        map.rows[k] = narrow(*direction);
        map.columns[k] = map.rows[k];
    }
    map
}

fn unit(x: [f64; 3]) -> [f64; 3] {
    let length = norm(&x);
    x.map(|x| x / length)
}

/// The first D entries.
fn narrow<const D: usize>(x: [f64; 3]) -> [f64; D] {
    let mut out = [0.0; D];
    out.copy_from_slice(&x[..D]);
    out
}
