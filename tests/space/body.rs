//! One rigid body at rest on point feet in space, from its geometry.

use crate::plane::laws;
use mechan::contact::{Friction, Hold, Restitution};
use mechan::num::Tol;
use mechan::predict::{
    ClosedContact, Consistency, Contacts, Decision, Judgement, Mode, ModeName, Motion, Rest, Sized, Verdict,
};

/// Closed contacts in space: D by rows, accelerations without contact forces with their sizes, friction, holds, and directions of slip.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) D: Vec<Vec<f64>>,
    pub(crate) free: Vec<f64>,
    pub(crate) sizes: Vec<f64>,
    pub(crate) mu: Vec<f64>,
    pub(crate) holds: Vec<Hold>,
    pub(crate) along: Vec<Option<[f64; 2]>>,
}

impl System {
    pub(crate) fn contacts(&self) -> Contacts {
        let friction =
            |mu: f64| if mu.is_infinite() { Friction::INFINITE } else { Friction::new(mu).unwrap() };
        let closed = |i: usize| ClosedContact {
            laws: laws(friction(self.mu[i]), Restitution::Poisson(0.0), self.holds[i]),
            motion: self.along[i].map_or(Motion::Resting, Motion::Slipping),
        };
        let D: Vec<f64> = self.D.iter().flatten().copied().collect();
        Contacts::new(
            (0..self.mu.len()).map(closed).collect(),
            Sized { values: &D, sizes: &[] },
            Sized { values: &self.free, sizes: &self.sizes },
        )
    }
}

/// What contacts do, in numbers: names, angles of slip, forces and accelerations of all rows.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) word: Vec<ModeName>,
    pub(crate) directions: Vec<Option<f64>>,
    pub(crate) forces: Vec<f64>,
    pub(crate) consistency: Consistency,
}

impl Seen {
    fn of(judged: &Judgement) -> Self {
        let angle = |mode: &Mode| mode.direction().map(|[c, s]| s.atan2(c));
        Self {
            word: names(&judged.modes),
            directions: judged.modes.iter().map(angle).collect(),
            forces: judged.forces.iter().map(|force| force.value).collect(),
            consistency: judged.consistency,
        }
    }
}

/// All that is decided.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) modes: Vec<Seen>,
    pub(crate) undecided: Vec<Vec<ModeName>>,
    pub(crate) pruned: u64,
    pub(crate) nodes: usize,
    pub(crate) rest: Option<Rest>,
    pub(crate) verdict: Verdict,
}

pub(crate) fn answer(system: &System, tol: &Tol) -> Answer {
    let Decision { modes, verdict, search, open, rest, .. } = system.contacts().decide(tol);
    Answer {
        modes: modes.iter().map(Seen::of).collect(),
        undecided: open.iter().map(|modes| names(modes)).collect(),
        pruned: search.pruned.unwrap(),
        nodes: search.partial,
        rest,
        verdict,
    }
}

pub(crate) fn names(modes: &[Mode]) -> Vec<ModeName> {
    modes.iter().map(|mode| mode.name(2)).collect()
}

/// A foot: where it is from the centre of mass, the normal of its surface, a first tangent, its friction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    pub(crate) at: [f64; 3],
    pub(crate) normal: [f64; 3],
    pub(crate) tangent: [f64; 3],
    pub(crate) mu: f64,
}

impl Foot {
    /// On a floor with the normal z.
    pub(crate) fn on_floor(at: [f64; 3], mu: f64) -> Self {
        Self { at, normal: [0.0, 0.0, 1.0], tangent: [1.0, 0.0, 0.0], mu }
    }
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

/// A body of mass 1 with these principal moments under a force at its centre of mass and a torque.
pub(crate) fn standing(feet: &[Foot], inertia: [f64; 3], force: [f64; 3], torque: [f64; 3]) -> System {
    let rows: Vec<([f64; 3], [f64; 3])> = feet
        .iter()
        .flat_map(|foot| {
            let directions = [foot.normal, foot.tangent, cross(foot.normal, foot.tangent)];
            directions.map(|d| (d, cross(foot.at, d)))
        })
        .collect();
    let turned = |x: [f64; 3]| [0, 1, 2].map(|k| x[k] / inertia[k]);
    let gain = |a: &([f64; 3], [f64; 3]), b: &([f64; 3], [f64; 3])| dot(a.0, b.0) + dot(a.1, turned(b.1));
    let load = |a: &([f64; 3], [f64; 3])| dot(a.0, force) + dot(a.1, turned(torque));
    let size = |a: &([f64; 3], [f64; 3])| {
        let terms = (0..3).map(|k| (a.0[k] * force[k]).abs() + (a.1[k] * turned(torque)[k]).abs());
        terms.sum::<f64>()
    };
    System {
        D: rows.iter().map(|a| rows.iter().map(|b| gain(a, b)).collect()).collect(),
        free: rows.iter().map(load).collect(),
        sizes: rows.iter().map(size).collect(),
        mu: feet.iter().map(|foot| foot.mu).collect(),
        holds: vec![Hold::Unilateral; feet.len()],
        along: vec![None; feet.len()],
    }
}

/// Feet at the corners of a regular polygon, below the centre of mass.
pub(crate) fn stool(feet: usize, radius: f64, height: f64, mu: f64) -> Vec<Foot> {
    let angle = |k: usize| std::f64::consts::TAU * (k as f64 + 0.2) / feet as f64;
    let at = |k: usize| [radius * angle(k).cos(), radius * angle(k).sin(), -height];
    (0..feet).map(|k| Foot::on_floor(at(k), mu)).collect()
}

/// Gravity 1 on a floor inclined by chi, downhill along the direction phi.
pub(crate) fn gravity(chi: f64, phi: f64) -> [f64; 3] {
    [chi.sin() * phi.cos(), chi.sin() * phi.sin(), -chi.cos()]
}
