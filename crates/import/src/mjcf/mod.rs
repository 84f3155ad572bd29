//! The common part of MJCF: compiler, default classes, bodies with joints, inertia (given, or of their geoms), geoms as places of
//! contact, key frames as states.

mod defaults;
mod geom;
mod joint;
mod orientation;
mod servo;

use super::inertia::Inertial;
use super::pose::Pose;
use super::robot::{Configuration, FixedPose, Link, Motion, Note, Robot, WORLD};
use super::xml::Element;
use crate::diag::Diagnostic;
use defaults::{Attributes, Classes};
use geom::Geom;
use orientation::{Angles, pose};
use std::collections::BTreeSet;

/// What is known while bodies are read.
struct Reader<'a> {
    classes: Classes<'a>,
    angles: Angles,
    autolimits: bool,
    /// Whether inertias come from geoms: always, never, or where there is no `<inertial>`.
    from_geoms: Option<bool>,
    groups: [f64; 2],
    links: Vec<Link>,
    names: BTreeSet<String>,
    joint_names: BTreeSet<String>,
    omitted: Vec<Note>,
    faults: Vec<Diagnostic>,
}

/// What a link holds.
struct Held {
    link: usize,
    inertial: Option<Inertial>,
    geoms: Vec<Geom>,
}

/// Elements at the top that say nothing about the mechanics.
const SILENT: [&str; 11] = [
    "compiler",
    "option",
    "default",
    "worldbody",
    "asset",
    "visual",
    "statistic",
    "size",
    "custom",
    "keyframe",
    "extension",
];

/// Reads `<mujoco>`.
pub(super) fn read(root: Element<'_>, faults: &mut Vec<Diagnostic>) -> Robot {
    let compiler = root.child("compiler");
    let word = |attribute: &str| compiler.and_then(|c| c.word(attribute));
    let angles = Angles::read(compiler, faults);
    let groups = compiler.and_then(|c| c.exactly::<2>("inertiagrouprange", faults)).unwrap_or([0.0, 5.0]);
    unread(root, compiler, faults);
    let mut reader = Reader {
        classes: Classes::read(root),
        angles,
        autolimits: word("autolimits") != Some("false"),
        from_geoms: word("inertiafromgeom").and_then(|w| w.parse().ok()),
        groups,
        links: vec![Link::world()],
        names: BTreeSet::new(),
        joint_names: BTreeSet::new(),
        omitted: others(root),
        faults: vec![],
    };
    for world in root.all("worldbody") {
        reader.inside(world, WORLD, None, &Pose::HERE);
    }
    reader.servos(root);
    let gravity = gravity(root, faults);
    faults.append(&mut reader.faults);
    scale_to_total(&mut reader.links, compiler.and_then(|c| c.number("settotalmass", faults)));
    let mut robot = Robot {
        name: root.word("model").unwrap_or("model").to_string(),
        gravity,
        links: reader.links,
        omitted: reader.omitted,
        states: vec![],
    };
    robot.states = key_frames(root, &robot, faults);
    robot
}

/// What would change the mechanics and is not read.
fn unread(root: Element<'_>, compiler: Option<Element<'_>>, faults: &mut Vec<Diagnostic>) {
    let known = ["include", "attach", "replicate", "composite", "flexcomp"];
    for node in root.0.descendants().filter(|n| n.is_element() && known.contains(&n.tag_name().name())) {
        let element = Element(node);
        let fault =
            Diagnostic::error("M505", format!("<{}> is not read", element.tag())).with_span(element.span());
        faults.push(fault.with_hint("write the model out in one file: `mujoco.mj_saveLastXML` does it"));
    }
    if let Some(compiler) = compiler.filter(|c| c.word("coordinate") == Some("global")) {
        let fault = Diagnostic::error("M505", "global coordinates are not read");
        faults.push(fault.with_span(compiler.span_of("coordinate")));
    }
    let adjusting = ["boundmass", "boundinertia", "balanceinertia"];
    for (compiler, word) in compiler.into_iter().flat_map(|c| adjusting.map(|w| (c, w))) {
        if compiler.word(word).is_some_and(|w| !matches!(w, "0" | "-1" | "false")) {
            let message = format!(
                "`{word}` of the compiler is not applied: masses and inertias are those that are written"
            );
            faults.push(Diagnostic::warning("M512", message).with_span(compiler.span_of(word)));
        }
    }
    medium(root, faults);
    let linked =
        [("equality", "constraints between bodies and joints"), ("tendon", "tendons with their springs")];
    for (tag, what) in linked {
        if let Some(group) = root.child(tag).filter(|g| g.children().next().is_some()) {
            let message = format!("<{tag}>: {what} are left out");
            let hint =
                "they are listed at the end of the file: add to `constraints` or `forces` what matters";
            faults.push(Diagnostic::warning("M512", message).with_span(group.span()).with_hint(hint));
        }
    }
}

/// Fluids, and parts of the physics that are switched off.
fn medium(root: Element<'_>, faults: &mut Vec<Diagnostic>) {
    let mut left_out = |element: Element<'_>, word: &str, message: String| {
        faults.push(Diagnostic::warning("M512", message).with_span(element.span_of(word)));
    };
    for option in root.all("option") {
        for word in ["density", "viscosity", "wind"] {
            if option.word(word).is_some_and(|w| w.split_whitespace().any(|x| x.parse() != Ok(0.0))) {
                let message = format!("`{word}` of the medium is left out: a mechanism moves in a vacuum");
                left_out(option, word, message);
            }
        }
        for flag in option.all("flag") {
            for word in ["passive", "spring", "damper"] {
                if flag.word(word) == Some("disable") {
                    left_out(
                        flag,
                        word,
                        format!("that `{word}` is disabled is left out: what there is acts"),
                    );
                }
            }
        }
    }
}

/// Gravity, unless it is switched off.
fn gravity(root: Element<'_>, faults: &mut Vec<Diagnostic>) -> [f64; 3] {
    let off = |o: Element<'_>| o.all("flag").any(|f| f.word("gravity") == Some("disable"));
    if root.all("option").any(off) {
        return [0.0; 3];
    }
    root.all("option").find_map(|o| o.exactly("gravity", faults)).unwrap_or([0.0, 0.0, -9.81])
}

/// Scales masses and inertias to a total, if the compiler asks for one.
fn scale_to_total(links: &mut [Link], total: Option<f64>) {
    let sum: f64 = links.iter().skip(1).filter_map(|l| l.inertial).map(|i| i.mass).sum();
    let Some(total) = total.filter(|t| *t > 0.0 && sum > 0.0) else { return };
    for inertial in links.iter_mut().skip(1).filter_map(|l| l.inertial.as_mut()) {
        inertial.mass *= total / sum;
        inertial.inertia = inertial.inertia.map(|row| row.map(|x| x * total / sum));
    }
}

/// Actuators, sensors and the like.
fn others(root: Element<'_>) -> Vec<Note> {
    let mut omitted = Vec::new();
    for group in root.children().filter(|e| !SILENT.contains(&e.tag())) {
        for e in group.children() {
            let name = e.word("name").or(e.word("joint")).unwrap_or_default().to_string();
            omitted.push(Note { span: e.span(), kind: format!("<{}> of <{}>", e.tag(), group.tag()), name });
        }
    }
    omitted
}

impl<'a> Reader<'a> {
    /// What a body, the world or a `<frame>` holds; `at` is where it is in the link.
    fn inside(&mut self, element: Element<'a>, link: usize, class: Option<&'a str>, at: &Pose) {
        let mut held = Held { link, inertial: None, geoms: vec![] };
        self.gather(element, class, at, &mut held);
        if link != WORLD {
            self.finish(element, held);
        }
    }

    fn gather(&mut self, element: Element<'a>, class: Option<&'a str>, at: &Pose, held: &mut Held) {
        let link = held.link;
        for child in element.children() {
            let attributes = match child.tag() {
                "body" | "frame" | "inertial" => Attributes::of_one(child),
                _ => self.classes.of(child, class, &mut self.faults),
            };
            match child.tag() {
                "body" => self.body(child, link, class, at),
                "frame" => {
                    let inner = at.then(&pose(&attributes, &self.angles, &mut self.faults));
                    self.gather(child, child.word("childclass").or(class), &inner, held);
                }
                "inertial" => held.inertial = self.inertial(&attributes).map(|i| i.seen_from(at)),
                "joint" | "freejoint" => self.joint(&attributes, link),
                "geom" => {
                    let body = self.links[link].name.clone();
                    if let Some(mut geom) = geom::read(self, &attributes, &body) {
                        geom.shape.pose = at.then(&geom.shape.pose);
                        geom.inertial = geom.inertial.map(|i| i.seen_from(at));
                        held.geoms.push(geom);
                    }
                }
                "site" | "camera" | "light" => {}
                tag => {
                    let (kind, name) =
                        (format!("<{tag}>"), child.word("name").unwrap_or_default().to_string());
                    self.omitted.push(Note { span: child.span(), kind, name });
                }
            }
        }
    }

    fn body(&mut self, element: Element<'a>, parent: usize, class: Option<&'a str>, at: &Pose) {
        let number = self.links.len();
        let name = element.word("name").map_or(format!("body_{number}"), str::to_string);
        if !self.names.insert(name.clone()) {
            let message = format!("two bodies are called `{name}`");
            self.faults.push(Diagnostic::error("M506", message).with_span(element.span_of("name")));
        }
        let own = pose(&Attributes::of_one(element), &self.angles, &mut self.faults);
        let place = FixedPose::of_pose(at.then(&own));
        self.links.push(Link::new(name, element.span(), parent, place));
        self.inside(element, number, element.word("childclass").or(class), &Pose::HERE);
    }

    fn joint(&mut self, attributes: &Attributes<'a>, link: usize) {
        let element = attributes.element();
        let count = self.links[link].joints.len();
        let body = &self.links[link].name;
        let fallback =
            if count == 0 { format!("{body}_joint") } else { format!("{body}_joint_{}", count + 1) };
        let name = element.word("name").map_or(fallback, str::to_string);
        if !self.joint_names.insert(name.clone()) {
            let message = format!("two joints are called `{name}`");
            self.faults.push(Diagnostic::error("M506", message).with_span(element.span()));
        }
        let Some(mut joint) = joint::read(self, attributes, &name) else { return };
        let owner = &mut self.links[link];
        if joint.motion == Motion::Free {
            if owner.parent != WORLD || count > 0 {
                let fault =
                    Diagnostic::error("M505", "a free joint has to be the only one of a body of the world");
                self.faults.push(fault.with_span(element.span()));
            }
            // a free body's coordinates are its place in the world, whatever its `pos` was
            joint.rest = std::mem::replace(&mut owner.place, FixedPose::of_pose(Pose::HERE)).pose;
        }
        owner.joints.push(joint);
    }

    fn inertial(&mut self, of: &Attributes<'a>) -> Option<Inertial> {
        let place = pose(of, &self.angles, &mut self.faults);
        let element = of.element();
        element.required("mass", &mut self.faults)?;
        let mass = element.number("mass", &mut self.faults)?;
        let inertia = match element.exactly::<6>("fullinertia", &mut self.faults) {
            Some([xx, yy, zz, xy, xz, yz]) => [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
            None => {
                let [x, y, z] = element.exactly("diaginertia", &mut self.faults).unwrap_or_default();
                [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
            }
        };
        let turned =
            Inertial { mass, centre: [0.0; 3], inertia }.seen_from(&Pose { origin: [0.0; 3], ..place });
        Some(Inertial { centre: place.origin, ..turned })
    }

    /// Gives a body its inertia and the geometry that touches.
    fn finish(&mut self, element: Element<'a>, held: Held) {
        let Held { link, inertial: given, geoms } = held;
        let computed = match self.from_geoms {
            Some(always) => always,
            None => given.is_none(),
        };
        let counted = |g: &&Geom| g.group >= self.groups[0] && g.group <= self.groups[1];
        let mut sum: Option<Inertial> = None;
        for geom in geoms.iter().filter(counted).filter(|_| computed) {
            match geom.inertial {
                Some(part) if part.is_nothing() => {}
                Some(part) => sum = Some(sum.map_or(part, |s: Inertial| s.with(&part))),
                None => {
                    let message = format!(
                        "body `{}` has no <inertial>, and that of its mesh is not known",
                        self.links[link].name
                    );
                    let fault = Diagnostic::error("M503", message).with_span(element.span());
                    self.faults.push(fault.with_hint("write one: `mujoco.mj_saveLastXML` does it"));
                    break;
                }
            }
        }
        let owner = &mut self.links[link];
        owner.inertial = if computed { sum } else { given };
        owner.shapes = geoms.into_iter().filter(|g| g.touches).map(|g| g.shape).collect();
    }
}

/// The key frames as configurations; one that has not the right length is a warning.
fn key_frames(root: Element<'_>, robot: &Robot, faults: &mut Vec<Diagnostic>) -> Vec<Configuration> {
    let mut states = Vec::new();
    let joints: Vec<_> = robot.links.iter().flat_map(|l| &l.joints).collect();
    let size = |motion: Motion| match motion {
        Motion::Hinge { .. } | Motion::Slide { .. } => 1,
        Motion::Ball { .. } => 4,
        Motion::Free => 7,
    };
    let total: usize = joints.iter().map(|j| size(j.motion)).sum();
    for key in root.all("keyframe").flat_map(|k| k.all("key")) {
        let Some(numbers) = key.numbers("qpos", faults) else { continue };
        if numbers.len() != total {
            let message =
                format!("`qpos` of <key> has {} numbers, the model has {total} coordinates", numbers.len());
            faults.push(Diagnostic::warning("M512", message).with_span(key.span_of("qpos")));
            continue;
        }
        let mut rest = numbers.as_slice();
        let mut take = |n: usize| {
            let (head, tail) = rest.split_at(n);
            rest = tail;
            head.to_vec()
        };
        let values = joints.iter().map(|j| (j.name.clone(), take(size(j.motion)))).collect();
        let name = key.word("name").map_or(format!("key_{}", states.len() + 1), super::names::identifier);
        states
            .push(Configuration { name: if name == "home" { "key_home".to_string() } else { name }, values });
    }
    states
}
