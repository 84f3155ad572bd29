//! Impacts at several contacts that feel each other, through incremental problems.
//!
//! * Moreau's rule, Newton's law for several contacts: 0 ≤ Λ_N ⊥ v⁺ + e v⁻ ≥ 0 with Coulomb's law on the slip after the impact.
//! * Poisson's: compression ends by the same rule with e = 0 and gives Λ_c; in restitution the normal impulses e Λ_cN act, with
//!   friction inside their cones that opposes the slip after them; what would still approach is stopped by the rule
//!   with e = 0.
//!
//! A contact that is held closed (bilateral) keeps its gap rate at zero by an impulse of either sign, with friction up to μ|Λ_N| against
//! the slip after it. Each side is a unilateral problem with the normal turned; of several that are solved by a point without gap
//! rate, as beyond the friction of a paradox, the one that loses the most energy is taken, which does not depend on how normals
//! are named.
//!
//! Where velocities after the impact in space depend on impulses that are not unique, these are those of the contacts' stiffnesses in the
//! limit of rigidity.
//!
//! Energy follows from the impulses, T⁺ − T⁻ = ½ Λ·(u⁺ + u⁻). Neither law looks at the order of events inside the impact, on
//! which the outcome for real contacts depends.

use crate::answer::{Study, solve};
use crate::contact::{Hold, Laws};
use crate::coulomb::{Outcome, Problem, Request};
use crate::num::{InOrder, Tol};
use crate::predict::Mode;
use std::ops::Range;

/// An impact law for several contacts at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointLaw {
    /// Newton's.
    Moreau,
    /// Poisson's.
    Poisson,
}

impl JointLaw {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moreau => "moreau",
            Self::Poisson => "poisson",
        }
    }
}

/// Contacts that feel each other: D by rows, N and T (T1, T2) of each, and their laws.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// D.
    pub D: &'a [f64],
    /// Laws by contact.
    pub laws: &'a [&'a Laws],
    /// Velocities before the impact.
    pub before: &'a [f64],
}

/// Impulses and what they leave.
#[derive(Clone, Debug, PartialEq)]
pub struct JointImpact {
    /// What each contact does after it, a gap that opens at e times its approach counting as closed; empty where the solvers found it.
    pub modes: Vec<Mode>,
    /// Λ.
    pub impulse: Vec<f64>,
    /// Velocities after the impact.
    pub after: Vec<f64>,
    /// Kinetic energy lost.
    pub energy_loss: f64,
}

/// Impacts from the same velocities, each with other velocities after it.
#[derive(Clone, Debug, PartialEq)]
pub struct JointImpacts {
    /// Those that were found.
    pub found: Vec<JointImpact>,
    /// Whether these are all.
    pub complete: bool,
}

impl JointImpact {
    /// The share of the lost energy that a contact takes, −½ Λ·(u⁻ + u⁺).
    pub fn share(&self, before: &[f64], rows: Range<usize>) -> f64 {
        -work(&before[rows.clone()], &self.after[rows.clone()], &self.impulse[rows])
    }

    /// Whether more kinetic energy is gained than rounding makes: work against impulses times the speeds that they act on.
    pub fn gains_energy(&self, before: &[f64], tol: &Tol) -> bool {
        let speed = before.iter().chain(&self.after).fold(0.0_f64, |size, u| size.max(u.abs()));
        let impulse: f64 = self.impulse.iter().map(|x| x.abs()).sum();
        self.energy_loss < -tol.marginal * impulse * speed
    }
}

impl JointImpacts {
    /// The one that loses the most energy.
    ///
    /// # Errors
    /// That there is none.
    pub fn heaviest(self) -> Result<JointImpact, String> {
        let none = self.nothing();
        let heavier = |a: JointImpact, b: JointImpact| if b.energy_loss > a.energy_loss { b } else { a };
        self.found.into_iter().reduce(heavier).ok_or_else(|| none.to_string())
    }

    /// These where they say anything: one, or that there is none; else others.
    fn or(self, others: impl FnOnce() -> Self) -> Self {
        if self.complete || !self.found.is_empty() { self } else { others() }
    }

    /// What is said where none was found.
    pub fn nothing(&self) -> &'static str {
        if self.complete { NO_IMPULSES } else { NONE_FOUND }
    }
}

impl Group<'_> {
    /// The impact by a law; of several the one that loses the most energy.
    ///
    /// # Errors
    /// Why no impulses are found.
    pub fn impact(&self, law: JointLaw) -> Result<JointImpact, String> {
        self.refuse()?;
        match law {
            JointLaw::Moreau => self.impacts()?.heaviest(),
            JointLaw::Poisson => Ok(self.left(self.before, self.poisson()?)),
        }
    }

    /// The impacts by Moreau's rule.
    ///
    /// # Errors
    /// What is beyond the rule.
    pub fn impacts(&self) -> Result<JointImpacts, String> {
        self.impacts_that_return(&self.returned())
    }

    /// The impacts by Moreau's rule in which contacts give back these velocities, by rows.
    ///
    /// # Errors
    /// What is beyond the rule.
    pub fn impacts_that_return(&self, returned: &[f64]) -> Result<JointImpacts, String> {
        self.refuse()?;
        Ok(self.stopping(self.before, returned))
    }

    /// e u⁻ of the contacts that approach, of those that are held nothing.
    fn returned(&self) -> Vec<f64> {
        let dim = self.dim();
        let own = |(i, u): (usize, &f64)| match (i % dim, self.laws[i / dim]) {
            (0, laws) if laws.hold == Hold::Unilateral => laws.restitution.coefficient() * u.min(0.0),
            _ => 0.0,
        };
        self.before.iter().enumerate().map(own).collect()
    }

    fn refuse(&self) -> Result<(), String> {
        if self.held().count() > MOST_HELD {
            return Err(format!("an impact meets more than {MOST_HELD} bilateral contacts"));
        }
        Ok(())
    }

    /// The contacts that are held closed.
    fn held(&self) -> impl Iterator<Item = usize> {
        (0..self.laws.len()).filter(|&i| self.laws[i].hold == Hold::Bilateral)
    }

    pub(super) fn dim(&self) -> usize {
        self.before.len() / self.laws.len()
    }

    /// u + D Λ.
    pub(super) fn moved(&self, u: &[f64], impulse: &[f64]) -> Vec<f64> {
        let m = u.len();
        let row = |i: usize| impulse.iter().enumerate().map(|(j, x)| self.D[i * m + j] * x).sum::<f64>();
        (0..m).map(|i| u[i] + row(i)).collect()
    }

    /// What impulses leave of velocities u.
    pub(super) fn left(&self, u: &[f64], impulse: Vec<f64>) -> JointImpact {
        let after = self.moved(u, &impulse);
        JointImpact { modes: Vec::new(), energy_loss: -work(u, &after, &impulse), impulse, after }
    }

    /// The impacts of 0 ≤ Λ_N ⊥ u⁺ + `returned` ≥ 0 under Coulomb's law, of contacts that are held those with u⁺ = 0: in the plane all of them; in space that
    /// of the solvers, and where they find none what a search of all finds or refutes.
    fn stopping(&self, u: &[f64], returned: &[f64]) -> JointImpacts {
        let (pressed, ways) = (|| self.pressed(u, returned), || self.ways(u, returned));
        if self.dim() == 2 { ways().or(pressed) } else { pressed().or(ways) }
    }

    /// The impact that the solvers find; of several sides of what is held the one that loses most.
    fn pressed(&self, u: &[f64], returned: &[f64]) -> JointImpacts {
        let (dim, held) = (self.dim(), self.held().collect::<Vec<_>>());
        let q = sum(u, returned);
        let (mut found, mut refuted): (Vec<JointImpact>, bool) = (Vec::new(), held.is_empty());
        for sides in 0..1_usize << held.len() {
            let turned: Vec<usize> =
                (0..held.len()).filter(|k| sides >> k & 1 == 1).map(|k| held[k] * dim).collect();
            match self.on_a_side(&q, &turned) {
                Ok(impulse) => found.push(self.left(u, impulse)),
                // a proof about one side of what is held is none about the others
                Err(proven) => refuted &= proven,
            }
        }
        let all = found.len();
        found.retain(|impact| self.obeys(impact, u, returned, &Tol::default()));
        // what solvers find and the law does not confirm is no proof that there is nothing
        refuted &= found.len() == all;
        found.put_in_order(|a, b| b.energy_loss.total_cmp(&a.energy_loss));
        found.truncate(1);
        if let Some(impact) = found.first_mut()
            && let Some(chosen) = self.by_stiffness(impact, u, returned)
        {
            *impact = chosen;
        }
        // without friction the velocities after the impact are those of the least energy
        let smooth = self.laws.iter().all(|laws| laws.friction.is_zero());
        let complete = if found.is_empty() { refuted } else { smooth };
        JointImpacts { found, complete }
    }

    /// Impulses of unilateral contacts from u = D Λ + q, where the normals of some rows are turned.
    ///
    /// # Errors
    /// Whether it is proven that there are none.
    fn on_a_side(&self, q: &[f64], turned: &[usize]) -> Result<Vec<f64>, bool> {
        let (mut W, mut q): (Vec<Vec<f64>>, _) =
            (self.D.chunks(q.len()).map(<[f64]>::to_vec).collect(), q.to_vec());
        for &row in turned {
            W[row].iter_mut().for_each(|x| *x = -*x);
            W.iter_mut().for_each(|others| others[row] = -others[row]);
            q[row] = -q[row];
        }
        let friction = self.laws.iter().map(|laws| laws.friction.mu()).collect();
        let problem = Problem::from_dense_local(friction, &W, q).map_err(|_| false)?;
        let mut impulse = solved(&problem, self.held().next().is_none())?;
        turned.iter().for_each(|&row| impulse[row] = -impulse[row]);
        Ok(impulse)
    }

    fn poisson(&self) -> Result<Vec<f64>, String> {
        let inelastic = vec![0.0; self.before.len()];
        let compression = self.stopping(self.before, &inelastic).heaviest()?.impulse;
        let middle = self.moved(self.before, &compression);
        let back = self.restitution(&middle, &compression);
        let after = self.moved(&middle, &back);
        let rest = self.stopping(&after, &inelastic).heaviest()?.impulse;
        Ok((0..rest.len()).map(|i| compression[i] + back[i] + rest[i]).collect())
    }

    /// e Λ_cN, of contacts that are held what keeps their gap rate, with the friction that opposes the slip after it: by projections, one contact after the other.
    fn restitution(&self, u: &[f64], compression: &[f64]) -> Vec<f64> {
        let (m, dim, tol) = (u.len(), self.dim(), Tol::default());
        let mut impulse = vec![0.0; m];
        for (i, laws) in self.laws.iter().enumerate().filter(|(_, laws)| laws.hold == Hold::Unilateral) {
            impulse[i * dim] = laws.restitution.coefficient() * compression[i * dim];
        }
        for _ in 0..SWEEPS {
            let mut change = 0.0_f64;
            for (i, laws) in self.laws.iter().enumerate() {
                if laws.hold == Hold::Bilateral {
                    let step = self.moved(u, &impulse)[i * dim] / self.D[i * dim * m + i * dim];
                    change = change.max(step.abs());
                    impulse[i * dim] -= step;
                }
                let normal = impulse[i * dim].abs();
                let bound = if normal > 0.0 { laws.friction.mu() * normal } else { 0.0 };
                let own = i * dim + 1..(i + 1) * dim;
                let slip = self.moved(u, &impulse)[own.clone()].to_vec();
                let mobility = own.clone().map(|k| self.D[k * m + k]).fold(0.0, f64::max);
                let wanted: Vec<f64> = own
                    .clone()
                    .zip(&slip)
                    .map(|(k, s)| impulse[k] - s / mobility.max(f64::MIN_POSITIVE))
                    .collect();
                let size = crate::num::dense::norm(&wanted);
                let factor = if size > bound { bound / size } else { 1.0 };
                for (k, wanted) in own.zip(wanted) {
                    change = change.max((impulse[k] - factor * wanted).abs());
                    impulse[k] = factor * wanted;
                }
            }
            if change <= tol.polished * impulse.iter().fold(0.0, |size: f64, x| size.max(x.abs())) {
                break;
            }
        }
        impulse
    }
}

/// The impulses that the solvers find; where there are none, whether that is proven is asked only if a proof would say something.
///
/// # Errors
/// Whether it is proven that there are none.
fn solved(problem: &Problem, provable: bool) -> Result<Vec<f64>, bool> {
    let request = |tolerance: f64| Request { tolerance, ..Request::default() };
    let asked = |tolerance: f64| solve(problem, &request(tolerance)).map_err(|_| false);
    let mut found = asked(Tol::default().struck)?;
    if found.outcome != Outcome::Solved {
        found = asked(Tol::default().solved)?;
    }
    if found.outcome == Outcome::Solved {
        return Ok(found.r);
    }
    Err(provable && Study::of(problem, found, None).refutation.is_some())
}

pub(super) fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// ½ Λ·(u⁻ + u⁺).
fn work(before: &[f64], after: &[f64], impulse: &[f64]) -> f64 {
    impulse.iter().enumerate().map(|(i, x)| 0.5 * x * (before[i] + after[i])).sum()
}

/// Proven.
const NO_IMPULSES: &str = "no impulses satisfy the impact law of the contacts together";

/// Not proven.
const NONE_FOUND: &str = "no impulses were found that satisfy the impact law of the contacts together; that there are none is not proven";

/// Bilateral contacts whose sides are tried.
const MOST_HELD: usize = 8;

/// Sweeps of the projections in restitution.
const SWEEPS: usize = 10_000;
