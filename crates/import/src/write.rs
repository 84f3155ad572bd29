//! The robot as a mechanism file (FORMAT: frames, bodies in frames), with a comment for everything that a reader should know.

use super::chain::{Chain, Frame, Rotation};
use super::inertia::Inertial;
use super::motors::Motor;
use super::pose::is_zero;
use super::robot::{Joint, Link, Motion, Robot};
use super::text::{angle, comment, inertia, linear, number, vector};
use super::touch::Contact;
use crate::diag::Source;
use std::fmt::Write as _;

/// All that is written.
pub(super) struct Page<'a> {
    pub(super) source: &'a Source,
    pub(super) kind: &'static str,
    pub(super) name: String,
    pub(super) robot: &'a Robot,
    pub(super) chain: &'a Chain,
    pub(super) contacts: &'a [Contact],
    /// Names of the contacts in the file.
    pub(super) contact_names: Vec<String>,
    pub(super) friction: f64,
    pub(super) limits: bool,
    /// Whether motors hold the joints at home.
    pub(super) hold: bool,
    /// What pulls the joints.
    pub(super) motors: Vec<Motor>,
    /// Names and values of all coordinates.
    pub(super) states: Vec<(String, Vec<f64>)>,
    /// Whether some friction is that of the whole ground.
    pub(super) common_friction: bool,
}

impl Page<'_> {
    pub(super) fn write(&self) -> String {
        let mut out = self.head();
        out += &self.coordinates();
        let g = self.robot.gravity;
        out += &match g {
            [0.0, 0.0, z] if z < 0.0 => "gravity: [0, 0, -g]\n".to_string(),
            _ => format!("gravity: {}\n", vector(g)),
        };
        out += &self.frames();
        out += &self.bodies();
        out += &self.energy();
        out += &self.forces();
        out += &self.contacts();
        out += &self.states();
        out + self.omitted().as_str()
    }

    fn line(&self, at: usize) -> usize {
        self.source.line_column(at).0
    }

    fn head(&self) -> String {
        let file =
            std::path::Path::new(&self.source.name).file_name().map(|n| n.to_string_lossy().into_owned());
        let file = comment(&file.unwrap_or_default());
        let mut out = format!(
            "# {}, imported from the {} {file}. Lengths in m, angles in rad, masses in kg.\n",
            comment(&self.robot.name),
            self.kind
        );
        out += "# The axes of a link are those of the description, its origin where comments say nothing else too.\n";
        out += &format!("mechan: 1\nname: {}\nspace: space\n", self.name);
        let mut parameters = Vec::new();
        if matches!(self.robot.gravity, [0.0, 0.0, z] if z < 0.0) {
            parameters.push(format!("g: {}", number(-self.robot.gravity[2])));
        }
        if self.common_friction {
            parameters.push(format!("mu: {}", number(self.friction)));
        }
        if self.motors.is_empty() && !parameters.is_empty() {
            let _ = writeln!(out, "parameters: {{{}}}", parameters.join(", "));
        } else if !self.motors.is_empty() {
            out += "parameters:\n";
            parameters.iter().for_each(|parameter| out += &format!("  {parameter}\n"));
            out += &self.strengths();
        }
        out
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.chain.coordinates.iter().map(|c| c.name.clone()).collect()
    }

    fn coordinates(&self) -> String {
        let mut out = String::from("coordinates:\n");
        let mut last = None;
        for coordinate in &self.chain.coordinates {
            let link = &self.robot.links[coordinate.link];
            let joint = &link.joints[coordinate.joint];
            let first = last != Some((coordinate.link, coordinate.joint));
            let what = if first { self.about_joint(link, joint) } else { String::new() };
            last = Some((coordinate.link, coordinate.joint));
            let space = if what.is_empty() { "" } else { "  # " };
            let _ = writeln!(out, "  - {}{space}{}", coordinate.name, comment(&what));
        }
        out
    }

    fn parent(&self, link: &Link) -> &str {
        &self.robot.links[link.parent].name
    }

    /// What a joint does, and what of it is not carried over.
    fn about_joint(&self, link: &Link, joint: &Joint) -> String {
        let (name, parent) = (&link.name, self.parent(link));
        let mut parts = vec![match joint.motion {
            Motion::Hinge { .. } => format!("turns {name} in {parent}"),
            Motion::Slide { .. } => format!("slides {name} in {parent}"),
            Motion::Ball { .. } => format!("the attitude of {name} in {parent}, a unit quaternion"),
            Motion::Free => format!("where {name} is, and its attitude as a unit quaternion"),
        }];
        if let Some((lower, upper)) = joint.limits {
            let limit = if matches!(joint.motion, Motion::Hinge { .. }) { angle } else { number };
            parts.push(format!("from {} to {}", limit(lower), limit(upper)));
        }
        let mut omitted = joint.notes.clone();
        if let Some(effort) = joint.effort.filter(|_| !self.hold) {
            omitted.insert(0, format!("effort <= {effort}"));
        }
        if joint.friction != 0.0 {
            omitted.insert(0, format!("friction {}", number(joint.friction)));
        }
        if !omitted.is_empty() {
            parts.push(format!("left out: {}", omitted.join(", ")));
        }
        parts.join("; ")
    }

    fn frames(&self) -> String {
        let mut out = String::from("frames:\n");
        let names = self.names();
        for (i, frame) in self.chain.frames.iter().enumerate() {
            out += &self.frame(frame, &names);
            let link = self
                .chain
                .seats
                .iter()
                .position(|s| s.frame == Some(i))
                .map(|l| (&self.robot.links[l], self.chain.seats[l].shift));
            let mut notes = Vec::new();
            if let Some((_, shift)) = link.filter(|(_, shift)| !is_zero(*shift)) {
                notes.push(format!("the link's own origin is at {}", vector(shift)));
            }
            for joint in link.iter().flat_map(|(link, _)| &link.joints) {
                if joint.mimic.is_some() {
                    notes.push(format!(
                        "{} = {}",
                        joint.name,
                        linear(&self.chain.values[&joint.name], &names, number)
                    ));
                }
            }
            let _ =
                writeln!(out, "{}{}", if notes.is_empty() { "" } else { "  # " }, comment(&notes.join("; ")));
        }
        out
    }

    fn frame(&self, frame: &Frame, names: &[String]) -> String {
        let mut parts = Vec::new();
        if let Some(parent) = frame.parent {
            parts.push(format!("parent: {}", self.chain.frames[parent].name));
        }
        let origin = [0, 1, 2].map(|k: usize| linear(&frame.origin[k], names, number));
        parts.push(format!("origin: [{}]", origin.join(", ")));
        match &frame.rotation {
            Rotation::List(list) if list.is_empty() => {}
            Rotation::List(list) => {
                let turn = list.iter().map(|(axis, x)| {
                    format!("{{axis: {}, angle: {}}}", ["x", "y", "z"][*axis], linear(x, names, angle))
                });
                parts.push(format!("rotation: [{}]", turn.collect::<Vec<_>>().join(", ")));
            }
            Rotation::Quaternion(numbers) => {
                parts.push(format!(
                    "rotation: {{quaternion: [{}]}}",
                    numbers.map(|k| names[k].as_str()).join(", ")
                ));
            }
        }
        format!("  {}: {{{}}}", frame.name, parts.join(", "))
    }

    /// The frame of a link.
    pub(super) fn frame_name(&self, l: usize) -> &str {
        self.chain.seats[l].frame.map_or("", |f| &self.chain.frames[f].name)
    }

    fn bodies(&self) -> String {
        let mut out = String::from("bodies:\n");
        for (l, link) in self.robot.links.iter().enumerate().skip(1) {
            let round = self.contacts.iter().any(|c| c.link == l && c.radius.is_some());
            let nothing = Inertial { mass: 0.0, centre: [0.0; 3], inertia: [[0.0; 3]; 3] };
            let own = link.inertial.filter(|i| !i.is_nothing()).or(round.then_some(nothing));
            let parts: Vec<&str> = link.merged.iter().map(|(name, _)| name.as_str()).collect();
            let with =
                if parts.is_empty() { String::new() } else { format!("  # with {}", parts.join(", ")) };
            let name = self.frame_name(l);
            match own {
                Some(i) => {
                    let centre = self.chain.seats[l].point(i.centre);
                    let _ = writeln!(
                        out,
                        "  {name}: {{frame: {name}, centre: {}, mass: {}, inertia: {}}}{}",
                        vector(centre),
                        number(i.mass),
                        inertia(&i.inertia),
                        comment(&with)
                    );
                }
                None => {
                    let _ = writeln!(out, "  # {name} has no mass{}", comment(&with.replace("  #", "")));
                }
            }
        }
        out
    }

    fn states(&self) -> String {
        let names = self.names();
        let mut out = String::from("states:\n");
        for (state, values) in &self.states {
            let set: Vec<String> = (0..names.len())
                .filter(|&k| values[k] != 0.0)
                .map(|k| self.set(k, &names[k], values[k]))
                .collect();
            let _ = writeln!(out, "  {state}: {{q: {{{}}}}}", set.join(", "));
        }
        out
    }

    /// A coordinate with its value; stops are at multiples of pi where their digits say so, and so are the hinges that are there.
    fn set(&self, k: usize, name: &str, value: f64) -> String {
        format!("{name}: {}", self.value(k, value))
    }

    pub(super) fn value(&self, k: usize, value: f64) -> String {
        let coordinate = &self.chain.coordinates[k];
        let joint = &self.robot.links[coordinate.link].joints[coordinate.joint];
        let text = angle(value);
        let is_multiple = matches!(joint.motion, Motion::Hinge { .. }) && text.contains("pi");
        if is_multiple { text } else { exact(value) }
    }

    fn omitted(&self) -> String {
        let mut kinds: Vec<(&str, Vec<String>)> = Vec::new();
        for note in &self.robot.omitted {
            let line = self.line(note.span.start);
            let item = if note.name.is_empty() {
                format!("line {line}")
            } else {
                format!("{} (line {line})", note.name)
            };
            match kinds.iter_mut().find(|(kind, _)| *kind == note.kind) {
                Some((_, items)) => items.push(item),
                None => kinds.push((&note.kind, vec![item])),
            }
        }
        let mut out = if kinds.is_empty() { String::new() } else { "# Not carried over:\n".to_string() };
        for (kind, items) in kinds {
            wrap(&mut out, &comment(&format!("{kind}: {}", items.join(", "))));
        }
        out
    }
}

/// Most characters of a line of comments.
const WIDTH: usize = 120;

/// Text as lines of comments.
fn wrap(out: &mut String, text: &str) {
    let mut line = String::from("#  ");
    for word in text.split(' ') {
        if line.chars().count() + word.chars().count() >= WIDTH && line.len() > 5 {
            let _ = writeln!(out, "{line}");
            line = String::from("#    ");
        }
        line += " ";
        line += word;
    }
    let _ = writeln!(out, "{line}");
}

/// All digits: heights of contacts are differences of these.
fn exact(x: f64) -> String {
    let text = format!("{x:?}");
    text.strip_suffix(".0").unwrap_or(&text).to_string()
}
