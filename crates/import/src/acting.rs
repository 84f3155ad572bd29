//! What acts on a robot in the file: rotors, springs and damping of its joints, contacts with the ground, stops.

use super::linear::Linear;
use super::motors::Motor;
use super::names::Names;
use super::robot::{Joint, Motion};
use super::text::{self, angle, comment, linear, number, vector};
use super::write::Page;
use std::fmt::Write as _;

impl Page<'_> {
    /// Joints that have a value, with the coordinate that it is a multiple of, and the factor.
    fn driven(&self) -> impl Iterator<Item = (&Joint, usize, f64)> {
        let joints = self.robot.links.iter().flat_map(|l| &l.joints);
        joints.filter_map(|joint| {
            let (&coordinate, &factor) = self.chain.values.get(&joint.name)?.terms.iter().next()?;
            Some((joint, coordinate, factor))
        })
    }

    /// Inertia of rotors and springs of joints.
    pub(super) fn energy(&self) -> String {
        let names = self.names();
        let mut kinetic = Vec::new();
        let mut potential = Vec::new();
        for (joint, coordinate, factor) in self.driven() {
            if joint.armature != 0.0 {
                let factor = text::factor(joint.armature * factor * factor);
                kinetic.push(format!("{factor}dot({})^2/2", names[coordinate]));
            }
            if let Some((stiffness, rest)) = joint.spring.filter(|(k, _)| *k != 0.0) {
                let value = self.chain.values[&joint.name].plus(&Linear::constant(-rest));
                let constant = if matches!(joint.motion, Motion::Hinge { .. }) { angle } else { number };
                potential.push(format!(
                    "{}({})^2/2",
                    text::factor(stiffness),
                    linear(&value, &names, constant)
                ));
            }
        }
        let mut out = String::new();
        if !kinetic.is_empty() || !potential.is_empty() {
            out += "energy:\n";
        }
        for (key, terms, what) in
            [("kinetic", kinetic, "rotors of the joints"), ("potential", potential, "springs of the joints")]
        {
            if !terms.is_empty() {
                let _ = writeln!(out, "  {key}:  # {what}\n    {}", terms.join("\n    + "));
            }
        }
        out
    }

    pub(super) fn forces(&self) -> String {
        let names = self.names();
        let damped: Vec<String> = self
            .driven()
            .filter(|(joint, ..)| joint.damping != 0.0)
            .map(|(joint, c, factor)| {
                let damping = text::factor(joint.damping * factor * factor);
                format!("  - {{coordinate: {0}, value: -{damping}dot({0})}}\n", names[c])
            })
            .collect();
        let mut out = match (damped.is_empty(), self.motors.is_empty()) {
            (true, true) => return String::new(),
            (true, false) => "forces:\n".to_string(),
            (false, _) => format!("forces:  # damping of the joints\n{}", damped.concat()),
        };
        if !self.motors.is_empty() {
            out +=
                if self.hold { "  # motors that hold the joints at home\n" } else { "  # position servos\n" };
        }
        for motor in &self.motors {
            let (name, [stiffness, damping]) = (&names[motor.coordinate], &motor.names);
            let limit = motor.limit.map_or(String::new(), |limit| format!(", limit: {}", number(limit)));
            let target = self.value(motor.coordinate, motor.target);
            let _ = writeln!(
                out,
                "  - {{torsion: {name}, stiffness: {stiffness}, angle: {target}, damping: {damping}{limit}}}"
            );
        }
        out
    }

    /// Stiffness and damping of the motors.
    pub(super) fn strengths(&self) -> String {
        let mut out = String::from("  # motors: stiffness and damping of each joint");
        out += if self.hold { ", by what it moves and the weight that it carries\n" } else { "\n" };
        for Motor { names: [k, d], stiffness, damping, about, .. } in &self.motors {
            let _ = writeln!(
                out,
                "  {k}: {}  # {}\n  {d}: {}",
                number(*stiffness),
                comment(about),
                number(*damping)
            );
        }
        out
    }

    pub(super) fn contacts(&self) -> String {
        let names = self.names();
        let mut lines = Vec::new();
        for (contact, name) in self.contacts.iter().zip(&self.contact_names) {
            let frame = self.frame_name(contact.link);
            let at = vector(self.chain.seats[contact.link].point(contact.at));
            let part = match contact.radius {
                Some(r) => format!(
                    "disc: {{body: {frame}, radius: {}, centre: {{frame: {frame}, at: {at}}}}}",
                    number(r)
                ),
                None => format!("point: {{frame: {frame}, at: {at}}}"),
            };
            let mu = contact.friction.map_or("mu".to_string(), number);
            lines.push(format!(
                "  {name}: {{{part}, surface: {{point: [0, 0, 0], normal: [0, 0, 1]}}, friction: {mu}}}\n"
            ));
        }
        if self.limits {
            lines.extend(self.limit_contacts(&names));
        }
        if lines.is_empty() { String::new() } else { format!("contacts:\n{}", lines.concat()) }
    }

    /// Stops have no friction, and what they slip along does not matter; but analysis asks for two directions.
    fn limit_contacts(&self, names: &[String]) -> Vec<String> {
        let mut taken = Names::default();
        self.contact_names.iter().for_each(|n| drop(taken.unique(n)));
        let mut lines = Vec::new();
        for (joint, coordinate, _) in self.driven() {
            let Some((lower, upper)) = joint.limits.filter(|(lower, upper)| lower < upper) else { continue };
            let value = &self.chain.values[&joint.name];
            let above = value.plus(&Linear::constant(-lower));
            let below = value.scaled(-1.0).plus(&Linear::constant(upper));
            let constant = if matches!(joint.motion, Motion::Hinge { .. }) { angle } else { number };
            let slip = self.beside(coordinate, names);
            for (end, gap) in [("lower", above), ("upper", below)] {
                let name = taken.unique(&format!("{}_{end}", joint.name));
                let gap = linear(&gap, names, constant);
                lines.push(format!("  {name}: {{gap: {gap}, slip: [{slip}], friction: 0}}\n"));
            }
        }
        if !lines.is_empty() {
            let note =
                "stops of the joints: without friction any two directions of slip will do, here other joints";
            lines.insert(0, format!("  # {note}\n"));
        }
        lines
    }

    /// The next two coordinates of hinges and slides, or zeros where there are none.
    fn beside(&self, coordinate: usize, names: &[String]) -> String {
        let count = names.len();
        let simple = |c: &usize| {
            let own = &self.chain.coordinates[*c];
            let motion = self.robot.links[own.link].joints[own.joint].motion;
            matches!(motion, Motion::Hinge { .. } | Motion::Slide { .. })
        };
        let others: Vec<&str> = (1..count)
            .map(|k| (coordinate + k) % count)
            .filter(simple)
            .take(2)
            .map(|c| names[c].as_str())
            .collect();
        if others.len() == 2 { others.join(", ") } else { "0, 0".to_string() }
    }
}
