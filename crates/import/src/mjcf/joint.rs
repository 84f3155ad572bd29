//! Joints of MJCF.

use super::Reader;
use super::defaults::Attributes;
use crate::diag::Diagnostic;
use crate::pose::{Vector, norm, scaled, tidied};
use crate::robot::{Joint, Motion};

/// Reads a joint; `name` is used where it has none.
pub(super) fn read(reader: &mut Reader<'_>, of: &Attributes<'_>, name: &str) -> Option<Joint> {
    let element = of.element();
    let kind = if element.tag() == "freejoint" { "free" } else { of.word("type").unwrap_or("hinge") };
    let anchor: Vector = of.exactly("pos", &mut reader.faults).unwrap_or_default();
    let motion = match kind {
        "free" => Motion::Free,
        "ball" => Motion::Ball { anchor },
        "slide" => Motion::Slide { axis: axis(reader, of)? },
        "hinge" => Motion::Hinge { axis: axis(reader, of)?, anchor },
        other => {
            let message = format!("the type of a joint is `{other}`, expected hinge, slide, ball or free");
            reader.faults.push(Diagnostic::error("M505", message).with_span(element.span()));
            return None;
        }
    };
    let mut joint = Joint::new(name.to_string(), element.span(), motion);
    let faults = &mut reader.faults;
    let unit = if kind == "hinge" { reader.angles.unit } else { 1.0 };
    joint.reference = unit * of.number("ref", faults).unwrap_or(0.0);
    joint.damping = of.number("damping", faults).unwrap_or(0.0);
    joint.friction = of.number("frictionloss", faults).unwrap_or(0.0);
    joint.armature = of.number("armature", faults).unwrap_or(0.0);
    let stiffness = of.number("stiffness", faults).unwrap_or(0.0);
    let rest = unit * of.number("springref", faults).unwrap_or(0.0);
    joint.spring = (stiffness != 0.0).then_some((stiffness, rest));
    let range = of.exactly::<2>("range", faults);
    let limited = match of.word("limited") {
        Some("true") => true,
        Some("false") => false,
        _ => reader.autolimits && range.is_some(),
    };
    if let Some([lower, upper]) = range.filter(|_| limited && matches!(kind, "hinge" | "slide")) {
        joint.limits = Some((unit * lower, unit * upper));
    }
    if matches!(kind, "ball" | "free") {
        several(&mut joint, stiffness);
    }
    Some(joint)
}

/// What joints of several degrees of freedom have that a mechanism has not.
fn several(joint: &mut Joint, stiffness: f64) {
    let parts = [("damping", joint.damping), ("stiffness", stiffness), ("armature", joint.armature)];
    joint.notes.extend(parts.iter().filter(|(_, x)| *x != 0.0).map(|(word, x)| format!("{word} {x}")));
    (joint.damping, joint.armature, joint.spring) = (0.0, 0.0, None);
}

fn axis(reader: &mut Reader<'_>, of: &Attributes<'_>) -> Option<Vector> {
    let axis: Vector = of.exactly("axis", &mut reader.faults).unwrap_or([0.0, 0.0, 1.0]);
    let length = norm(axis);
    if length == 0.0 {
        let fault = Diagnostic::error("M504", "the axis of a joint is zero");
        reader.faults.push(fault.with_span(of.element().span_of("axis")));
        return None;
    }
    Some(tidied(scaled(axis, 1.0 / length)))
}
