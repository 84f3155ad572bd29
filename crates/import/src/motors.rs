//! Motors that hold a robot at home: a spring with a damper at each joint that moves by itself, as strong as its inertia and the
//! weight that it carries ask for.

use super::chain::Chain;
use super::inertia::Inertial;
use super::names::Names;
use super::pose::{Pose, Vector, apply, minus, norm, scaled, sum};
use super::robot::{Joint, Motion, Robot};
use super::touch::Contact;

/// The least frequency at which what a joint carries swings, in 1/s.
const FREQUENCY: f64 = 3.0;
/// By how much a hinge gives way at most under the weight that it carries, in rad.
const SAG: f64 = 0.1;
/// Damping, as a share of that without oscillations.
const DAMPING: f64 = 0.3;

/// A spring with a damper at a coordinate.
#[derive(Clone, Debug)]
pub(super) struct Motor {
    pub(super) coordinate: usize,
    /// Names of the parameters: stiffness and damping.
    pub(super) names: [String; 2],
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    pub(super) limit: Option<f64>,
    /// Its value without force.
    pub(super) target: f64,
    /// What its numbers are made of.
    pub(super) about: String,
}

/// What is asked of the motors of a robot at home.
pub(super) struct Home<'a> {
    pub(super) robot: &'a Robot,
    pub(super) chain: &'a Chain,
    pub(super) contacts: &'a [Contact],
    /// Values of all coordinates.
    pub(super) values: &'a [f64],
    /// Where the links are then.
    pub(super) poses: &'a [Pose],
}

impl Home<'_> {
    /// A motor for each hinge and slide that has a coordinate: those that hold it at home, or the servos of the description.
    pub(super) fn motors(&self, hold: bool, names: &mut Names) -> Vec<Motor> {
        let all = 0..self.chain.coordinates.len();
        all.filter_map(|k| if hold { self.holder(k, names) } else { self.servo(k, names) }).collect()
    }

    fn joint(&self, k: usize) -> &Joint {
        let coordinate = &self.chain.coordinates[k];
        &self.robot.links[coordinate.link].joints[coordinate.joint]
    }

    fn names(&self, k: usize, names: &mut Names) -> [String; 2] {
        ["k", "d"].map(|letter| names.unique(&format!("{letter}_{}", self.chain.coordinates[k].name)))
    }

    fn servo(&self, k: usize, names: &mut Names) -> Option<Motor> {
        let joint = self.joint(k);
        let servo = joint.servo.as_ref().filter(|_| is_simple(joint.motion))?;
        Some(Motor {
            coordinate: k,
            names: self.names(k, names),
            stiffness: servo.stiffness,
            damping: servo.damping,
            limit: servo.limit,
            target: servo.target,
            about: format!("the actuator {}", servo.name),
        })
    }

    fn holder(&self, k: usize, names: &mut Names) -> Option<Motor> {
        let joint = self.joint(k);
        let (inertia, weight) = self.burden(self.chain.coordinates[k].link, joint)?;
        let units =
            if matches!(joint.motion, Motion::Hinge { .. }) { ["kg m^2", "N m"] } else { ["kg", "N"] };
        let without = if joint.effort == Some(0.0) { "; its effort is given as 0: no limit" } else { "" };
        let name = &self.chain.coordinates[k].name;
        let about =
            format!("{name} moves {inertia:.3} {} and carries {weight:.3} {}{without}", units[0], units[1]);
        let frequency = std::f64::consts::TAU * FREQUENCY;
        let stiffness = rounded((inertia * frequency * frequency).max(match joint.motion {
            Motion::Hinge { .. } => weight / SAG,
            _ => 0.0,
        }));
        Some(Motor {
            coordinate: k,
            names: self.names(k, names),
            stiffness,
            damping: rounded(2.0 * DAMPING * (stiffness * inertia).sqrt()),
            limit: joint.effort.filter(|&effort| effort > 0.0),
            target: self.values[k],
            about,
        })
    }

    /// The inertia that a joint moves, and the force of the weight on it: of the links that hang on it, and, where some of these stand on
    /// the ground, of their share of the rest of the robot.
    fn burden(&self, link: usize, joint: &Joint) -> Option<(f64, f64)> {
        let pose = &self.poses[link];
        let (mass, carried) = (self.mass(), self.carried(link));
        let feet: Vec<Vector> = self.feet(link).collect();
        let share = (mass - carried.mass).max(0.0) * feet.len() as f64 / self.contacts.len().max(1) as f64;
        let gravity = norm(self.robot.gravity);
        match joint.motion {
            Motion::Hinge { axis, anchor } => {
                let (axis, anchor) = (apply(&pose.rotation, axis), pose.point(anchor));
                let lever = |point: Vector| from_line(point, anchor, axis);
                let reach = feet.iter().map(|&foot| lever(foot)).fold(0.0, f64::max);
                let own = carried.about_line(anchor, axis) + joint.armature;
                let weight = gravity * (carried.mass * lever(carried.centre) + share * reach);
                Some((own + share * reach * reach, weight))
            }
            Motion::Slide { .. } => {
                let moved = carried.mass + share;
                Some((moved + joint.armature, gravity * moved))
            }
            Motion::Ball { .. } | Motion::Free => None,
        }
    }

    /// What hangs on a link, and itself, in the axes of the world.
    fn carried(&self, link: usize) -> Inertial {
        let nothing = Inertial { mass: 0.0, centre: [0.0; 3], inertia: [[0.0; 3]; 3] };
        let within = (link..self.robot.links.len()).filter(|&l| self.hangs_on(l, link));
        let all =
            within.filter_map(|l| self.robot.links[l].inertial.map(|own| own.seen_from(&self.poses[l])));
        all.fold(nothing, |sum, own| sum.with(&own))
    }

    fn mass(&self) -> f64 {
        self.robot.links.iter().skip(1).filter_map(|link| link.inertial).map(|own| own.mass).sum()
    }

    /// The contacts of links that hang on a link.
    fn feet(&self, link: usize) -> impl Iterator<Item = Vector> {
        let below = self.contacts.iter().filter(move |contact| self.hangs_on(contact.link, link));
        below.map(|contact| self.poses[contact.link].point(contact.at))
    }

    fn hangs_on(&self, link: usize, other: usize) -> bool {
        let mut at = link;
        while at > other {
            at = self.robot.links[at].parent;
        }
        at == other
    }
}

fn is_simple(motion: Motion) -> bool {
    matches!(motion, Motion::Hinge { .. } | Motion::Slide { .. })
}

/// The distance of a point from a line.
fn from_line(point: Vector, on_line: Vector, direction: Vector) -> f64 {
    let apart = minus(point, on_line);
    let along: f64 = apart.iter().zip(&direction).map(|(a, d)| a * d).sum();
    norm(sum(apart, scaled(direction, -along)))
}

/// To two digits: no more is meant.
fn rounded(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap_or(x)
}
