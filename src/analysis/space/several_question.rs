//! Several closed contacts of a state in space, in the shape of the report.

use super::outcome::{
    ForceRangeOutcome, RestBy, SeveralOutcome, SpaceAcceleration, SpaceMode, SpaceProspect, SpaceRestOutcome,
    SpaceWord,
};
use super::question::Place;
use super::several::{Answer, Decided, ForceRange, Rest, RestProof, System, Ways, answer};
use super::situation::Stands;
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::planar::{Condition, Consistency, ForceOutcome, Hold, Laws, Stability, Verdict};
use crate::analysis::several::Possible;
use crate::analysis::state::StateInput;
use crate::analysis::still::Whole;
use crate::contact::Scaled;
use crate::model::Block;
use crate::num::{Number, dense};
use std::borrow::Cow;

impl Place<'_> {
    /// The state of several closed contacts, or of none among several.
    pub(super) fn several(&self) -> (SpaceProspect, Vec<String>) {
        let closed = self.input.closed;
        let stands: Vec<Stands> = closed.iter().map(|&c| self.stands(c)).collect();
        if stands.contains(&Stands::Approaching) {
            return self.collision(&stands);
        }
        let refused = |why: String| {
            let warning = format!("what can happen next at several contacts is not analysed: {why}");
            (SpaceProspect { verdict: Some(Verdict::Undecided), ..SpaceProspect::default() }, vec![warning])
        };
        let system = self.system(&stands);
        if let Some(why) = system.too_much() {
            return refused(why);
        }
        let found = answer(&system, &self.input.tol);
        let mut prospect = self.told(&system, &found);
        let striking = self.striking(&system, &stands);
        let begins = striking.list.iter().filter(|iwc| iwc.possible == Possible::Yes);
        prospect.resolved.extend(begins.map(|iwc| format!("iwc({})", iwc.contacts[0]).into()));
        (prospect.impact, prospect.impacts_without_collision) = (striking.impact, striking.list);
        (prospect, warnings(&found).into_iter().chain(striking.warnings).collect())
    }

    /// The closed contacts as one system.
    fn system(&self, stands: &[Stands]) -> System {
        let (closed, sizes) = (self.input.closed, self.input.sizes);
        let rows: Vec<usize> = closed.iter().flat_map(|&c| 3 * c..3 * c + 3).collect();
        let D = |i: usize, j: usize| self.kernel.delassus(self.values, i, j);
        let free = self.kernel.block(self.values, Block::FreeContactAcceleration);
        let size = |row: usize| sizes.block(Block::FreeContactAcceleration).get(row).map_or(0.0, |x| x.size);
        System {
            D: rows.iter().map(|&i| rows.iter().map(|&j| D(i, j)).collect()).collect(),
            free: rows.iter().map(|&row| free[row]).collect(),
            sizes: rows.iter().map(|&row| size(row).max(free[row].abs())).collect(),
            mu: closed.iter().map(|&c| self.input.laws[c].friction.mu()).collect(),
            ways: closed.iter().map(|&c| ways(&self.input.laws[c])).collect(),
            along: stands.iter().map(|stands| stands.direction()).collect(),
            assumed: vec![false; stands.len()],
            parting: stands.iter().map(|stands| *stands == Stands::Apart).collect(),
        }
    }

    fn told(&self, system: &System, found: &Answer) -> SpaceProspect {
        let names: Vec<&str> =
            self.input.closed.iter().map(|&c| self.input.names.contacts[c].as_str()).collect();
        let stable = found.modes.iter().filter(|mode| mode.stability != Stability::Unstable);
        let mut resolved: Vec<Cow<'static, str>> = Vec::new();
        for mode in stable {
            let words = match mode.solved.word.is_empty() {
                true => "free".to_string(),
                false => words(&mode.solved.word),
            };
            if !resolved.iter().any(|other| *other == words) {
                resolved.push(words.into());
            }
        }
        let named = |word: &Vec<SpaceWord>| ByName::new(names.iter().copied(), word.iter().copied());
        SpaceProspect {
            modes: found.modes.iter().map(|mode| self.mode(&names, system, mode)).collect(),
            verdict: Some(found.verdict()),
            resolved,
            several: Some(SeveralOutcome {
                modes_examined: found.examined,
                modes_pruned: found.pruned,
                boxes: found.boxes,
                partial_decisions: found.nodes,
                undecided: found.undecided.iter().map(named).collect(),
                only_rest: match found.rest.as_ref().and_then(|rest| rest.proof.as_ref()) {
                    Some(RestProof::NormalForces(forces)) => {
                        let normal = forces.iter().step_by(3).map(|&x| Number(x));
                        Some(ByName::new(names.iter().copied(), normal))
                    }
                    Some(RestProof::Refutation | RestProof::Enumeration) | None => None,
                },
                rest: found
                    .rest
                    .as_ref()
                    .filter(|_| self.is_of_all(system, found))
                    .map(|rest| rest_outcome(rest, found)),
            }),
            ..SpaceProspect::default()
        }
    }

    /// Whether the mechanism rests where its contacts do, or nothing is known to hold them.
    fn is_of_all(&self, system: &System, found: &Answer) -> bool {
        let StateInput { state, sizes, closed, tol, .. } = self.input;
        let whole = Whole { kernel: self.kernel, values: self.values, state, sizes, closed, tol };
        let sticks = |mode: &&Decided| mode.solved.word.iter().all(|word| *word == SpaceWord::Stick);
        whole.is_still()
            && found.modes.iter().find(sticks).is_none_or(|mode| {
                let forces = mode.solved.forces.iter().enumerate();
                let scaled = |(row, &value)| Scaled { value, scale: force_size(system, mode, row) };
                // forces of a program are as good as its solver
                whole.is_balanced(&forces.map(scaled).collect::<Vec<_>>(), tol.solved)
            })
    }

    fn mode(&self, names: &[&str], system: &System, mode: &Decided) -> SpaceMode {
        let solved = &mode.solved;
        let force_size = |row: usize| force_size(system, mode, row);
        let force = |row: usize| Quantity::of_size(solved.forces[row], force_size(row), &self.input.tol);
        let acceleration = |row: usize| {
            let driven: f64 = system.D[row].iter().zip(&solved.forces).map(|(d, x)| (d * x).abs()).sum();
            Quantity::of_size(solved.accelerations[row], system.sizes[row] + driven, &self.input.tol)
        };
        let each = 0..names.len();
        let directions =
            each.clone().filter_map(|i| Some((names[i].to_string(), solved.directions[i]?.into())));
        SpaceMode {
            mode: ByName::new(names.iter().copied(), solved.word.iter().copied()),
            direction: ByName(directions.collect()),
            consistent: true,
            marginal: solved.consistency == Consistency::Marginal,
            normal_stability: Some(mode.stability),
            tangential_stability: None,
            forces: ByName::new(
                names.iter().copied(),
                each.clone().map(|i| ForceOutcome {
                    normal: force(3 * i),
                    tangential: vec![force(3 * i + 1), force(3 * i + 2)],
                }),
            ),
            accelerations: ByName::new(
                names.iter().copied(),
                each.map(|i| SpaceAcceleration {
                    u: [acceleration(3 * i + 1), acceleration(3 * i + 2)],
                    v: acceleration(3 * i),
                }),
            ),
            hyperstatic: mode.ranges.as_ref().map(|ranges| bounds(names, ranges)).unwrap_or_default(),
            reason: reason(names, mode),
        }
    }
}

/// The size of the terms of a force.
fn force_size(system: &System, mode: &Decided, row: usize) -> f64 {
    let own = system.D[row][row];
    let alone = if own > 0.0 { system.sizes[row] / own } else { 0.0 };
    alone + dense::norm(&mode.solved.forces)
}

fn ways(laws: &Laws) -> Ways {
    match laws.hold {
        Hold::Unilateral => Ways::Unilateral,
        Hold::Bilateral => Ways::Bilateral,
    }
}

fn rest_outcome(rest: &Rest, found: &Answer) -> SpaceRestOutcome {
    let others = found.modes.iter().filter(|mode| {
        mode.solved.consistency == Consistency::Yes
            && mode.solved.word.iter().any(|word| *word != SpaceWord::Stick)
    });
    let stays = rest.possible != Some(Consistency::No);
    let mut ambiguous_with: Vec<String> =
        others.filter(|_| stays).map(|mode| words(&mode.solved.word)).collect();
    ambiguous_with.dedup();
    SpaceRestOutcome {
        weak: match rest.possible {
            Some(Consistency::Yes) => Condition::Holds,
            Some(Consistency::Marginal) => Condition::Marginal,
            Some(Consistency::No) => Condition::Fails,
            None => Condition::Unknown,
        },
        strong: match rest.only {
            Some(true) => Condition::Holds,
            Some(false) => Condition::Fails,
            None => Condition::Unknown,
        },
        ambiguous_with,
        by: rest.proof.as_ref().map(|proof| match proof {
            RestProof::NormalForces(_) => RestBy::NormalForces,
            RestProof::Refutation => RestBy::Refutation,
            RestProof::Enumeration => RestBy::Enumeration,
        }),
    }
}

fn words(word: &[SpaceWord]) -> String {
    word.iter().map(|word| word.name()).collect::<Vec<_>>().join(",")
}

fn bounds(names: &[&str], ranges: &[ForceRange]) -> ByName<ForceRangeOutcome> {
    let range = |r: &ForceRange| [Number(r.low), Number(r.high)];
    let each = ranges
        .chunks_exact(3)
        .map(|of| ForceRangeOutcome { normal: range(&of[0]), tangential: [range(&of[1]), range(&of[2])] });
    ByName::new(names.iter().copied(), each)
}

fn reason(names: &[&str], mode: &Decided) -> String {
    if mode.by_solver {
        return "found by the incremental solvers, to their residual".to_string();
    }
    if mode.ranges.is_some() {
        return "forces in the cones hold it; they are not unique".to_string();
    }
    match mode.solved.fault {
        Some((contact, fault)) => format!("to rounding {} {fault}", names[contact]),
        None if names.is_empty() => "no contact force acts".to_string(),
        None => "all contact laws hold".to_string(),
    }
}

fn warnings(found: &Answer) -> Vec<String> {
    let mut out = Vec::new();
    if found.too_many {
        out.push(format!("only {} combinations of modes were examined", found.examined + found.pruned));
    }
    if let Some(spread) = found.spread {
        out.push(format!(
            "one motion is known, and all that are possible slip within {spread:.1e} rad of it; whether it is the only one is not decided"
        ));
    } else if !found.undecided.is_empty() {
        out.push(format!(
            "{} combinations of modes are neither found nor refuted: their forces are not unique, or the boxes were used up",
            found.undecided.len()
        ));
    }
    if let Some(Rest { possible: Some(Consistency::Yes), only: None, .. }) = found.rest {
        out.push("the contacts can stay at rest; whether something else can happen is not decided".into());
    }
    if found.modes.iter().any(|mode| mode.stability == Stability::Undecided) {
        out.push("the normal stability of a mode with several contacts depends on their compliances, and is not decided".into());
    }
    out
}
