//! URDF: links with their inertia, and joints that each carry one link.

use super::inertia::{Inertial, Solid};
use super::pose::{List, Matrix, Pose, Vector, matrix, norm, of_rpy, scaled, tidied};
use super::robot::{FixedPose, Joint, Link, Motion, Note, Robot, Shape, WORLD};
use super::tree;
use super::xml::Element;
use crate::diag::Diagnostic;

/// Standard gravity, which URDF does not mention.
const GRAVITY: f64 = 9.81;

/// A joint with what it joins.
pub(super) struct Edge<'a> {
    pub(super) element: Element<'a>,
    pub(super) parent: &'a str,
    pub(super) child: &'a str,
    place: FixedPose,
    /// None if it is fixed.
    joint: Option<Joint>,
}

/// Reads `<robot>`.
pub(super) fn read(root: Element<'_>, faults: &mut Vec<Diagnostic>) -> Robot {
    let mut omitted = Vec::new();
    if let Some(macro_) = root
        .0
        .descendants()
        .find(|n| n.is_element() && n.tag_name().namespace().is_some_and(|s| s.contains("xacro")))
    {
        let fault = Diagnostic::error("M502", "the text is a macro file of xacro, not yet a robot");
        faults.push(
            fault
                .with_span(Element(macro_).span())
                .with_hint("expand it: `xacro robot.urdf.xacro > robot.urdf`"),
        );
    }
    let links: Vec<(&str, Element<'_>)> =
        root.all("link").filter_map(|e| Some((e.required("name", faults)?, e))).collect();
    let edges: Vec<Edge<'_>> = root.all("joint").filter_map(|e| edge(e, faults)).collect();
    others(root, &mut omitted);
    let order = tree::order(root, &links, &edges, faults);
    let mut robot = Robot {
        name: root.word("name").unwrap_or("robot").to_string(),
        gravity: [0.0, 0.0, -GRAVITY],
        links: vec![Link::world()],
        omitted,
        states: vec![],
    };
    for step in order {
        let (name, element) = links[step.link];
        let place = step.joint.map_or(FixedPose::of_pose(Pose::HERE), |j| edges[j].place.clone());
        let mut link =
            Link::new(name.to_string(), element.span(), step.parent.map_or(WORLD, |p| p + 1), place);
        link.joints = step.joint.and_then(|j| edges[j].joint.clone()).into_iter().collect();
        link.inertial = element.child("inertial").and_then(|e| inertial(e, name, faults));
        link.shapes =
            element.all("collision").filter_map(|e| shape(e, name, &mut robot.omitted, faults)).collect();
        robot.links.push(link);
    }
    robot
}

/// What a robot may have beside links and joints.
fn others(root: Element<'_>, omitted: &mut Vec<Note>) {
    for element in root.children().filter(|e| !matches!(e.tag(), "link" | "joint" | "material")) {
        let name = element.word("name").or(element.word("reference")).unwrap_or_default().to_string();
        omitted.push(Note { span: element.span(), kind: format!("<{}>", element.tag()), name });
    }
}

/// The `<origin>` of an element.
fn origin(element: Element<'_>, faults: &mut Vec<Diagnostic>) -> (Vector, List) {
    let Some(origin) = element.child("origin") else { return ([0.0; 3], vec![]) };
    let xyz = origin.exactly("xyz", faults).unwrap_or_default();
    (xyz, of_rpy(origin.exactly("rpy", faults).unwrap_or_default()))
}

fn edge<'a>(e: Element<'a>, faults: &mut Vec<Diagnostic>) -> Option<Edge<'a>> {
    let name = e.required("name", faults);
    let kind = e.required("type", faults);
    let mut end = |tag: &'static str| {
        let found = e.child(tag).and_then(|c| c.required("link", faults));
        if found.is_none() && e.child(tag).is_none() {
            faults.push(Diagnostic::error("M503", format!("<joint> has no <{tag}>")).with_span(e.span()));
        }
        found
    };
    let (parent, child) = (end("parent"), end("child"));
    let (xyz, rpy) = origin(e, faults);
    let (name, kind, parent, child) = (name?, kind?, parent?, child?);
    let motion = motion(e, name, kind, faults)?;
    let joint = motion.map(|motion| joint(e, name, kind, motion, faults));
    Some(Edge { element: e, parent, child, place: FixedPose::of_list(xyz, rpy), joint })
}

/// How the joint moves its link; `Some(None)` if not at all.
fn motion(e: Element<'_>, name: &str, kind: &str, faults: &mut Vec<Diagnostic>) -> Option<Option<Motion>> {
    let hinge = |axis| Motion::Hinge { axis, anchor: [0.0; 3] };
    match kind {
        "fixed" => Some(None),
        "floating" => Some(Some(Motion::Free)),
        "revolute" | "continuous" => axis(e, name, faults).map(|a| Some(hinge(a))),
        "prismatic" => axis(e, name, faults).map(|axis| Some(Motion::Slide { axis })),
        other => {
            let fault = Diagnostic::error(
                "M505",
                format!("joint `{name}` is of the type `{other}`, which is not read"),
            );
            faults.push(
                fault.with_span(e.span_of("type")).with_hint(
                    "revolute, continuous, prismatic, floating and fixed are; a planar joint is two prismatic and a continuous one",
                ),
            );
            None
        }
    }
}

/// The unit vector along the `<axis>`, x without one.
fn axis(e: Element<'_>, name: &str, faults: &mut Vec<Diagnostic>) -> Option<Vector> {
    let Some(element) = e.child("axis") else { return Some([1.0, 0.0, 0.0]) };
    let axis: Vector = element.exactly("xyz", faults)?;
    let length = norm(axis);
    if length == 0.0 {
        let fault = Diagnostic::error("M504", format!("the axis of joint `{name}` is zero"));
        faults.push(fault.with_span(element.span()));
        return None;
    }
    Some(tidied(scaled(axis, 1.0 / length)))
}

fn joint(e: Element<'_>, name: &str, kind: &str, motion: Motion, faults: &mut Vec<Diagnostic>) -> Joint {
    let mut joint = Joint::new(name.to_string(), e.span(), motion);
    if let Some(limit) = e.child("limit") {
        let mut of = |attribute: &str| limit.number(attribute, faults);
        let range = (of("lower").unwrap_or(0.0), of("upper").unwrap_or(0.0));
        joint.effort = of("effort");
        joint.notes.extend(of("velocity").map(|x| format!("velocity <= {x}")));
        joint.limits = (kind != "continuous").then_some(range);
    }
    if let Some(dynamics) = e.child("dynamics") {
        joint.damping = dynamics.number("damping", faults).unwrap_or(0.0);
        joint.friction = dynamics.number("friction", faults).unwrap_or(0.0);
    }
    if let Some(mimic) = e.child("mimic") {
        let factor = mimic.number("multiplier", faults).unwrap_or(1.0);
        let offset = mimic.number("offset", faults).unwrap_or(0.0);
        joint.mimic = mimic.required("joint", faults).map(|of| (of.to_string(), factor, offset));
    }
    let omitted = ["calibration", "safety_controller"].into_iter().filter(|tag| e.child(tag).is_some());
    joint.notes.extend(omitted.map(|tag| format!("<{tag}>")));
    joint
}

fn inertial(e: Element<'_>, link: &str, faults: &mut Vec<Diagnostic>) -> Option<Inertial> {
    let (centre, rpy) = origin(e, faults);
    let mass = e.child("mass").map(|m| m.number("value", faults).unwrap_or(0.0));
    let Some(mass) = mass else {
        let message = format!("the <inertial> of link `{link}` has no <mass>");
        faults.push(Diagnostic::error("M503", message).with_span(e.span()));
        return None;
    };
    let inertia = e.child("inertia").map_or([[0.0; 3]; 3], |i| inertia(i, faults));
    let own = Inertial { mass, centre: [0.0; 3], inertia };
    let turned = own.seen_from(&Pose { origin: [0.0; 3], rotation: matrix(&rpy) });
    let inertia = if rpy.is_empty() { own.inertia } else { turned.inertia };
    Some(Inertial { mass, centre, inertia })
}

fn inertia(e: Element<'_>, faults: &mut Vec<Diagnostic>) -> Matrix {
    let mut of = |attribute: &str| e.number(attribute, faults).unwrap_or(0.0);
    let (xx, xy, xz) = (of("ixx"), of("ixy"), of("ixz"));
    let (yy, yz, zz) = (of("iyy"), of("iyz"), of("izz"));
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

fn shape(e: Element<'_>, link: &str, omitted: &mut Vec<Note>, faults: &mut Vec<Diagnostic>) -> Option<Shape> {
    let (xyz, rpy) = origin(e, faults);
    let geometry = e.child("geometry")?.children().next()?;
    let mut half = |attribute: &str| geometry.number(attribute, faults).unwrap_or(0.0) / 2.0;
    let solid = match geometry.tag() {
        "sphere" => Solid::Sphere { radius: 2.0 * half("radius") },
        "cylinder" => Solid::Cylinder { radius: 2.0 * half("radius"), half: half("length") },
        "capsule" => Solid::Capsule { radius: 2.0 * half("radius"), half: half("length") },
        "box" => Solid::Box { half: scaled(geometry.exactly("size", faults).unwrap_or_default(), 0.5) },
        tag => {
            let (kind, name) = (format!("{tag} geometry, not looked at"), link.to_string());
            omitted.push(Note { span: geometry.span(), kind, name });
            Solid::Mesh
        }
    };
    let pose = Pose { origin: xyz, rotation: matrix(&rpy) };
    Some(Shape { of: link.to_string(), pose, solid, friction: None })
}
