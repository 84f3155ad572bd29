//! A search for motions that grow near an equilibrium, where the return map is not one of directions on a circle: more than two contacts,
//! contacts that move independently, impacts that give something back. Small random motions are followed to leading order, M, W and
//! loads being constant, from event to event; one that has grown a hundredfold shows reverse chatter. That none has grown proves nothing.

use crate::contact::{Friction, Laws, Planar};
use crate::impact::{Group, JointLaw, Velocity, impact};
use crate::num::Tol;
use crate::num::random::Stream;
use crate::predict::{self, ClosedContact, Consistency, Contacts, Mode, Sized};

/// Perturbations that are followed.
const TRIED: usize = 32;
/// Where the random numbers begin.
const SEED: u64 = 1;
/// Events up to which each is followed.
const EVENTS: usize = 400;
/// Factor of the size at which a motion counts as growing, and its inverse as coming to rest.
const GROWN: f64 = 100.0;

/// What the search found.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatterSearch {
    /// Perturbations.
    pub tried: usize,
    /// Those that grew a hundredfold.
    pub grew: usize,
    /// Those that came to rest, or lost all but a hundredth.
    pub settled: usize,
    /// Where the random numbers begin.
    pub seed: u64,
    /// Contact velocities of the first that grew, with multipliers x, D x = w; its gaps are closed.
    pub start: Option<Vec<f64>>,
}

/// How a motion ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Grew,
    Settled,
    Open,
}

/// A motion in the units of the contacts, the load being one.
struct Motion<'a> {
    contacts: &'a Contacts,
    gaps: Vec<f64>,
    w: Vec<f64>,
    closed: Vec<bool>,
    random: Stream,
}

impl Contacts {
    /// Follows small perturbations of an equilibrium.
    pub fn chatter_search(&self, tol: &Tol) -> ChatterSearch {
        let mut random = Stream(SEED);
        let mut found = ChatterSearch { tried: TRIED, grew: 0, settled: 0, seed: SEED, start: None };
        for _ in 0..TRIED {
            let x: Vec<f64> = (0..2 * self.len()).map(|_| random.draw() - 0.5).collect();
            let mut motion = Motion::new(self, &x, Stream(random.0));
            match motion.follow(tol) {
                Fate::Grew => {
                    found.grew += 1;
                    found.start.get_or_insert_with(|| (0..x.len()).map(|i| x[i] / self.unit[i]).collect());
                }
                Fate::Settled => found.settled += 1,
                Fate::Open => {}
            }
        }
        found
    }
}

impl<'a> Motion<'a> {
    fn new(contacts: &'a Contacts, x: &[f64], random: Stream) -> Self {
        let m = contacts.len();
        let w = (0..2 * m).map(|i| (0..2 * m).map(|j| contacts.D[(i, j)] * x[j]).sum()).collect();
        Self { contacts, gaps: vec![0.0; m], w, closed: vec![true; m], random }
    }

    /// √gap, being a length over the load, is a speed.
    fn size(&self) -> f64 {
        let speed = self.w.iter().fold(0.0_f64, |size, w| size.max(w.abs()));
        self.gaps.iter().fold(speed, |size, g| size.max(g.max(0.0).sqrt()))
    }

    fn follow(&mut self, tol: &Tol) -> Fate {
        let start = self.size();
        for _ in 0..EVENTS {
            if self.struck(tol).is_none() {
                return Fate::Open;
            }
            let size = self.size();
            if size >= GROWN * start {
                return Fate::Grew;
            }
            if size * GROWN <= start {
                return Fate::Settled;
            }
            let Some(rates) = self.rates(tol) else { return Fate::Open };
            let still = rates.iter().chain(&self.w).all(|x| x.abs() <= tol.closed * size.min(1.0));
            if still && self.closed.iter().all(|closed| *closed) {
                return Fate::Settled;
            }
            match self.next_event(&rates, tol) {
                Some(time) => self.moved(&rates, time, tol),
                // nothing ends this phase: it goes on for ever
                None => return Fate::Grew,
            }
        }
        Fate::Open
    }

    /// The impact of all closed contacts, if one of them approaches.
    fn struck(&mut self, tol: &Tol) -> Option<()> {
        let size = self.size();
        let closed = self.closed_contacts();
        if closed.iter().all(|&i| self.w[2 * i] >= -tol.rest * size) {
            return Some(());
        }
        let laws: Vec<Laws> = closed.iter().map(|&i| self.laws(i)).collect::<Option<_>>()?;
        let impulse = match closed[..] {
            [only] => self.alone(only, &laws[0], tol)?,
            _ => {
                let rows = rows_of(&closed);
                let D: Vec<f64> = rows
                    .iter()
                    .flat_map(|&i| rows.iter().map(move |&j| (i, j)))
                    .map(|(i, j)| self.contacts.D[(i, j)])
                    .collect();
                let before: Vec<f64> = rows.iter().map(|&i| self.w[i]).collect();
                let laws: Vec<&Laws> = laws.iter().collect();
                let group = Group { D: &D, laws: &laws, before: &before };
                rows.into_iter().zip(group.impact(JointLaw::Moreau).ok()?.impulse).collect()
            }
        };
        for i in 0..self.w.len() {
            self.w[i] += impulse.iter().map(|(j, x)| self.contacts.D[(i, *j)] * x).sum::<f64>();
        }
        // what hardly bounces any more stays
        for i in closed {
            let v = self.w[2 * i];
            self.closed[i] = v <= tol.growth * size;
            if self.closed[i] {
                self.w[2 * i] = 0.0;
            }
        }
        Some(())
    }

    fn alone(&self, contact: usize, laws: &Laws, tol: &Tol) -> Option<Vec<(usize, f64)>> {
        let (N, T) = (2 * contact, 2 * contact + 1);
        let D = &self.contacts.D;
        let planar = Planar::new(D[(T, T)], D[(N, T)], D[(N, N)], 0.0, 0.0);
        let pre = Velocity { u: self.w[T], v: self.w[N] };
        let found = impact(&planar, laws.friction, laws.restitution, pre, tol)?;
        Some(vec![(N, found.impulse.N), (T, found.impulse.T)])
    }

    /// Laws in the units of the rows.
    fn laws(&self, contact: usize) -> Option<Laws> {
        let laws = self.contacts.laws_of(contact);
        let factor = self.contacts.unit[2 * contact + 1] / self.contacts.unit[2 * contact];
        let friction = Friction::new(laws.friction.mu() * factor).ok()?;
        Some(Laws { friction, ..laws })
    }

    fn closed_contacts(&self) -> Vec<usize> {
        (0..self.closed.len()).filter(|&i| self.closed[i]).collect()
    }

    /// Accelerations of all rows in a consistent mode of the closed contacts, one of several by chance; none if there is none.
    fn rates(&mut self, tol: &Tol) -> Option<Vec<f64>> {
        let contacts = self.contacts;
        let c: Vec<f64> = contacts.c.iter().map(|c| c / contacts.load).collect();
        let closed = self.closed_contacts();
        if closed.is_empty() {
            return Some(c);
        }
        let (rows, size) = (rows_of(&closed), self.size());
        let motion = |u: f64| match u {
            u if u.abs() > tol.rest * size => predict::Motion::along(&[u]),
            _ => predict::Motion::Resting,
        };
        let contact =
            |&i: &usize| Some(ClosedContact { laws: self.laws(i)?, motion: motion(self.w[2 * i + 1]) });
        let closed_contacts = closed.iter().map(contact).collect::<Option<Vec<_>>>()?;
        let D: Vec<f64> = rows.iter().flat_map(|&i| rows.iter().map(move |&j| contacts.D[(i, j)])).collect();
        let own: Vec<f64> = rows.iter().map(|&i| c[i]).collect();
        let sizes: Vec<f64> = rows.iter().map(|&i| contacts.sizes[i] / contacts.load).collect();
        let part = Contacts::new(
            closed_contacts,
            Sized { values: &D, sizes: &[] },
            Sized { values: &own, sizes: &sizes },
        );
        let decision = part.decide(tol);
        let possible: Vec<_> = decision
            .modes
            .iter()
            .filter(|judged| judged.consistency == Consistency::Yes && judged.has_forces())
            .collect();
        let chosen = match possible.len() {
            0 => return None,
            1 => possible[0],
            n => possible[((self.random.draw() * n as f64) as usize).min(n - 1)],
        };
        for (&i, mode) in closed.iter().zip(&chosen.modes) {
            self.closed[i] = mode.is_closed();
        }
        let with_forces = |i: usize| {
            rows.iter().zip(&chosen.forces).map(|(&j, x)| contacts.D[(i, j)] * x.value).sum::<f64>()
        };
        let mut rates: Vec<f64> = (0..c.len()).map(|i| c[i] + with_forces(i)).collect();
        for (&i, mode) in closed.iter().zip(&chosen.modes) {
            match mode {
                Mode::Free => {}
                Mode::Slip { .. } => rates[2 * i] = 0.0,
                Mode::Stick { .. } => (rates[2 * i], rates[2 * i + 1], self.w[2 * i + 1]) = (0.0, 0.0, 0.0),
            }
        }
        Some(rates)
    }

    /// The time until a gap closes or a slip ends.
    fn next_event(&self, rates: &[f64], tol: &Tol) -> Option<f64> {
        let size = self.size();
        let of = |i: usize| {
            let (v, a) = (self.w[2 * i], rates[2 * i]);
            if self.closed[i] {
                let (u, rate) = (self.w[2 * i + 1], rates[2 * i + 1]);
                return (u * rate < 0.0 && u.abs() > tol.rest * size).then(|| -u / rate);
            }
            closing(self.gaps[i], v, a)
        };
        (0..self.closed.len()).filter_map(of).min_by(f64::total_cmp)
    }

    fn moved(&mut self, rates: &[f64], time: f64, tol: &Tol) {
        let size = self.size();
        for i in 0..self.closed.len() {
            if !self.closed[i] {
                self.gaps[i] += time * (self.w[2 * i] + 0.5 * time * rates[2 * i]);
            }
        }
        self.w.iter_mut().zip(rates).for_each(|(w, rate)| *w += time * rate);
        for i in 0..self.closed.len() {
            if self.closed[i] {
                self.w[2 * i] = 0.0;
                if self.w[2 * i + 1].abs() <= tol.rest * size {
                    self.w[2 * i + 1] = 0.0;
                }
            } else if self.gaps[i] <= tol.rest * size * size && self.w[2 * i] <= 0.0 {
                (self.gaps[i], self.closed[i]) = (0.0, true);
            }
        }
    }
}

/// The first time at which g + v t + a t²/2 falls through zero.
fn closing(g: f64, v: f64, a: f64) -> Option<f64> {
    let (g, discriminant) = (g.max(0.0), v * v - 2.0 * a * g.max(0.0));
    match () {
        () if discriminant < 0.0 || (g <= 0.0 && v <= 0.0) => None,
        () if a < 0.0 && v > 0.0 => Some((v + discriminant.sqrt()) / -a),
        () if a < 0.0 || v < 0.0 => Some(2.0 * g / (discriminant.sqrt() - v)),
        () => None,
    }
}

fn rows_of(contacts: &[usize]) -> Vec<usize> {
    contacts.iter().flat_map(|&i| [2 * i, 2 * i + 1]).collect()
}
