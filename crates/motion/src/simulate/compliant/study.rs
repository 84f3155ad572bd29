//! The limit ε → 0 of what follows a state, for several compliances and starts: whether it is the same for all that were tried,
//! "uniformly resolvable" in the words of [CV16, Question 3], or depends on what rigid bodies do not have.

use super::fast::divide;
use super::{Compliant, CompliantError, Motion, Options, Preload, Scene};
use crate::contact::{Compliance, Laws};
use crate::contact::{Planar, Slip};
use crate::model::{Block, Singular};
use crate::num::{Number, Tol};
use crate::simulate::Beginning;
use crate::simulate::trajectory::Status;
use serde::{Deserialize, Serialize};

/// What a study tries.
#[derive(Clone, Copy)]
pub struct Trials<'a> {
    /// ε, at least two, falling.
    pub eps: &'a [f64],
    /// Stiffness and damping of each contact, by the factors of those of its laws.
    pub factors: &'a [Vec<[f64; 2]>],
    /// Starts of closed contacts.
    pub starts: &'a [Vec<Preload>],
}

/// What follows a state, by compliance and start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// Every series of ε.
    pub series: Vec<Series>,
    /// Every outcome, once, in order of the series.
    pub outcomes: Vec<String>,
    /// Whether all series have the same outcome and it is decided.
    pub uniformly_resolvable: bool,
}

/// Runs that differ in ε alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// (k, d) of each contact.
    pub compliance: Vec<Compliance>,
    /// Starts of closed contacts that are not (0, 0).
    pub starts: Vec<Preload>,
    /// What follows as ε falls: `iwc` or `impact` (with the contact's name in brackets where there are several), or what the
    /// contacts then do, their words joined by commas; `undecided` if that has no limit in the runs.
    pub outcome: String,
    /// The runs.
    pub runs: Vec<SeriesRun>,
}

/// A run of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesRun {
    /// ε.
    pub eps: f64,
    /// How the run ended.
    pub status: Status,
    /// What the contacts do in the first phase that is not fast.
    pub mode: String,
    /// Largest λ_N of each contact in the fast phases before it.
    pub peaks: Vec<Number>,
    /// Steps that the run took.
    pub steps: usize,
}

/// λ_N ~ ε^e: 0 in a mode, −1 in an impact. What lies below is an impact.
const IMPULSIVE: f64 = -0.5;

impl Compliant {
    /// What follows a state as ε → 0.
    ///
    /// # Errors
    /// As [`Compliant::run`].
    ///
    /// # Panics
    /// As [`Compliant::run`], and if the factors are not those of the contacts.
    pub fn study(
        &self,
        begin: &Beginning<'_>,
        options: &Options<'_>,
        trials: &Trials<'_>,
    ) -> Result<Study, CompliantError> {
        let (mut series, names) = (Vec::new(), self.impacts(begin));
        for factors in trials.factors {
            let laws = scaled(begin.laws, factors)?;
            for starts in trials.starts {
                let begin = Beginning { laws: &laws, ..*begin };
                let mut runs = Vec::new();
                for &eps in trials.eps {
                    let motion = self.run(&begin, &Options { eps, preload: starts, ..*options })?;
                    runs.push(summary(&motion, eps, options.end - begin.state.t));
                }
                let outcome = outcome(&runs, &names);
                let compliance = laws.iter().map(|laws| laws.compliance).collect();
                series.push(Series { compliance, starts: starts.clone(), outcome, runs });
            }
        }
        let mut outcomes: Vec<String> = Vec::new();
        for one in &series {
            if !outcomes.contains(&one.outcome) {
                outcomes.push(one.outcome.clone());
            }
        }
        let decided = outcomes.iter().all(|outcome| outcome != UNDECIDED);
        Ok(Study { uniformly_resolvable: decided && outcomes.len() == 1, series, outcomes })
    }

    /// What an impulse of each contact is called: an impact if it approaches.
    fn impacts(&self, begin: &Beginning<'_>) -> Vec<String> {
        let mut values = self.kernel.values();
        self.kernel.set_parameters(&begin.state.parameters, &mut values);
        // a state that cannot be evaluated fails in every run
        let (state, names) = (begin.state, &begin.names.contacts);
        let known = self.kernel.solve_at(state.t, &state.q, &state.v, &mut values).is_ok();
        let rates = self.kernel.block(&values, Block::GapVelocity);
        let slips = self.kernel.block(&values, Block::Slip);
        let speed = |contact: usize| slips[contact * slips.len() / names.len()].abs();
        let word = |contact: usize| {
            let approaches = known && rates[contact] < -Tol::default().rest * speed(contact);
            let word = if approaches { "impact" } else { "iwc" };
            if names.len() > 1 { format!("{word}({})", names[contact]) } else { word.to_string() }
        };
        (0..names.len()).map(word).collect()
    }

    /// Starts that show what an indeterminate state of one planar contact can do: at rest on the surface; twice as deep as the
    /// saddle of its slip; as deep as stick needs, if it is at rest.
    ///
    /// # Errors
    /// [`Singular`] if M cannot be factored.
    pub fn telling_starts(&self, begin: &Beginning<'_>) -> Result<Vec<Vec<Preload>>, Singular> {
        let mut starts = vec![Vec::new()];
        let (Some(scene), &[contact]) = (self.scene(begin)?, begin.closed) else { return Ok(starts) };
        let Scene { planar, friction, compliance, slip } = scene;
        let at = |Y: f64| vec![Preload { contact, Y, V: 0.0 }];
        if let Some(slip) = slip {
            let saddle = divide(&planar, friction, slip, compliance).map(|line| line.equilibrium);
            starts.extend(saddle.map(|Y| at(2.0 * Y)));
        } else {
            let (N, _) = planar.stick_force();
            starts.extend((N > 0.0).then(|| at(-N / compliance.stiffness)));
        }
        Ok(starts)
    }

    /// The fast dynamics of the one closed contact of a state in the plane.
    ///
    /// # Errors
    /// [`Singular`] if M cannot be factored.
    pub fn scene(&self, begin: &Beginning<'_>) -> Result<Option<Scene>, Singular> {
        let state = begin.state;
        let &[contact] = begin.closed else { return Ok(None) };
        if self.kernel.layout().tangents != 1 {
            return Ok(None);
        }
        let mut values = self.kernel.values();
        self.kernel.set_parameters(&state.parameters, &mut values);
        self.kernel.solve_at(state.t, &state.q, &state.v, &mut values)?;
        let D = |i: usize, j: usize| self.kernel.delassus(&values, 2 * contact + i, 2 * contact + j);
        let free = &self.kernel.block(&values, Block::FreeContactAcceleration)[2 * contact..];
        let planar = Planar::new(D(1, 1), D(1, 0), D(0, 0), free[1], free[0]);
        let u = self.kernel.block(&values, Block::Slip)[contact];
        let Laws { friction, compliance, .. } = begin.laws[contact];
        let direction = if u > 0.0 { Slip::Pos } else { Slip::Neg };
        let slip = (u.abs() > 0.0).then_some(direction);
        Ok(Some(Scene { planar, friction, compliance, slip }))
    }
}

/// Factors of stiffness and damping: each damping for all contacts, and, of several contacts, each stiffness for all but the last.
pub fn factor_grid(contacts: usize, stiffness: &[f64], damping: &[f64]) -> Vec<Vec<[f64; 2]>> {
    let alone = [1.0];
    let stiffness = if contacts > 1 { stiffness } else { &alone };
    let of = |k: f64, d: f64| {
        (0..contacts).map(|contact| [if contact + 1 < contacts { k } else { 1.0 }, d]).collect::<Vec<_>>()
    };
    stiffness.iter().flat_map(|&k| damping.iter().map(move |&d| of(k, d))).collect()
}

const UNDECIDED: &str = "undecided";

fn scaled(laws: &[Laws], factors: &[[f64; 2]]) -> Result<Vec<Laws>, CompliantError> {
    assert_eq!(laws.len(), factors.len(), "factors of each contact");
    let one = |(contact, (laws, [k, d])): (usize, (&Laws, &[f64; 2]))| {
        let Compliance { stiffness, damping, tangential_stiffness } = laws.compliance;
        let fault = |_| CompliantError::Compliance { contact };
        let compliance = Compliance::new(stiffness * k, damping * d).map_err(fault)?;
        let along = |spring: f64| compliance.with_tangential(spring * k).map_err(fault);
        let compliance = tangential_stiffness.map_or(Ok(compliance), along)?;
        Ok(Laws { compliance, ..*laws })
    };
    laws.iter().zip(factors).enumerate().map(one).collect()
}

/// The first phase that lasts longer than ε^⅓ of the run, and the forces before it: fast ones last ε ln(1/ε).
fn summary(motion: &Motion, eps: f64, duration: f64) -> SeriesRun {
    let phases = &motion.trajectory.phases;
    let long = |(_, phase): &(usize, &crate::simulate::trajectory::PhaseSpan)| {
        phase.t1.0 - phase.t0.0 > eps.cbrt() * duration
    };
    let first = phases.iter().enumerate().find(long);
    let before = first.map_or(phases.len(), |(i, _)| i);
    let contacts = motion.peaks.first().map_or(0, Vec::len);
    let peak = |contact: usize| motion.peaks[..before].iter().map(|peaks| peaks[contact]).fold(0.0, f64::max);
    let words =
        first.map(|(_, phase)| phase.mode.0.iter().map(|(_, word)| word.as_ref()).collect::<Vec<_>>());
    SeriesRun {
        eps,
        status: motion.trajectory.status,
        mode: words.map_or(UNDECIDED.to_string(), |words| words.join(", ")),
        peaks: (0..contacts).map(|contact| Number(peak(contact))).collect(),
        steps: motion.trajectory.work.steps,
    }
}

/// What the runs of a series say about ε → 0: the same for each pair of neighbours, or nothing.
fn outcome(runs: &[SeriesRun], names: &[String]) -> String {
    let mut pairs = runs.windows(2).map(|pair| pair_outcome(&pair[0], &pair[1], names));
    let first = pairs.next().unwrap_or(UNDECIDED.to_string());
    if pairs.all(|other| other == first) { first } else { UNDECIDED.to_string() }
}

fn pair_outcome(one: &SeriesRun, other: &SeriesRun, names: &[String]) -> String {
    let failed = |run: &SeriesRun| !matches!(run.status, Status::End | Status::Stopped);
    if failed(one) || failed(other) || one.eps <= other.eps {
        return UNDECIDED.to_string();
    }
    let exponent =
        |contact: usize| (one.peaks[contact].0 / other.peaks[contact].0).ln() / (one.eps / other.eps).ln();
    let impulsive: Vec<String> = (0..one.peaks.len())
        .filter(|&contact| other.peaks[contact].0 > 0.0 && exponent(contact) < IMPULSIVE)
        .map(|contact| names[contact].clone())
        .collect();
    match (impulsive.is_empty(), one.mode == other.mode) {
        (false, _) => impulsive.join(", "),
        (true, true) => one.mode.clone(),
        (true, false) => UNDECIDED.to_string(),
    }
}
