//! Whether the robot's numbers can be those of bodies, and every joint moves something that has mass.

use super::inertia::{Inertial, defects};
use super::robot::{Joint, Link, Motion, Robot};
use crate::diag::{Diagnostic, nearest};
use crate::num::Tol;
use std::collections::BTreeMap;

/// Finds what is wrong with the links as they are described, before fixed ones are merged.
pub(super) fn described(robot: &Robot, faults: &mut Vec<Diagnostic>) {
    for link in &robot.links {
        let Some(Inertial { mass, inertia, .. }) = &link.inertial else { continue };
        let entries = inertia.as_flattened();
        if *mass < 0.0 {
            let message = format!("the mass of link `{}` is {mass}, expected a number >= 0", link.name);
            faults.push(Diagnostic::error("M509", message).with_span(link.span));
        } else if entries.iter().any(|x| *x != 0.0) {
            body(link, inertia, faults);
        }
    }
    follow(robot, faults);
}

/// Principal inertias are not negative, and none is larger than the other two together, which no distribution of mass has.
fn body(link: &Link, inertia: &super::pose::Matrix, faults: &mut Vec<Diagnostic>) {
    let (least, excess) = defects(inertia);
    let tolerance = Tol::default().import_inertia;
    let reason = if least < -tolerance {
        "it has a negative principal value".to_string()
    } else if excess > tolerance {
        format!("its largest principal value exceeds the sum of the other two by {:.1}%", 100.0 * excess)
    } else {
        return;
    };
    let message = format!("the inertia of link `{}` is that of no body: {reason}", link.name);
    faults.push(Diagnostic::warning("M510", message).with_span(link.span));
}

/// Joints that follow others: those exist, turn or slide themselves, and do not follow in a circle.
fn follow(robot: &Robot, faults: &mut Vec<Diagnostic>) {
    let joints: BTreeMap<&str, &Joint> =
        robot.links.iter().flat_map(|l| &l.joints).map(|j| (j.name.as_str(), j)).collect();
    for (name, joint) in &joints {
        let Some((of, ..)) = &joint.mimic else { continue };
        let mut at = of.as_str();
        let mut seen = vec![*name];
        loop {
            let Some(next) = joints.get(at) else {
                let known = nearest(at, joints.keys().copied()).map(|n| format!("did you mean `{n}`?"));
                let hint = known.unwrap_or("a joint that is fixed has no value to follow".to_string());
                let message = format!("joint `{name}` follows `{at}`, which is no joint that moves");
                faults.push(Diagnostic::error("M506", message).with_span(joint.span).with_hint(hint));
                break;
            };
            if seen.contains(&at) {
                let message = format!("joints follow each other in a circle: {}, {at}", seen.join(", "));
                faults.push(Diagnostic::error("M507", message).with_span(joint.span));
                break;
            }
            seen.push(at);
            match &next.mimic {
                Some((of, ..)) => at = of,
                None => break,
            }
        }
    }
}

/// Every joint of the merged tree moves something with mass; reports those that do not.
pub(super) fn moved(robot: &Robot, faults: &mut Vec<Diagnostic>) {
    let nothing = Inertial { mass: 0.0, centre: [0.0; 3], inertia: [[0.0; 3]; 3] };
    // of every link with all that hangs on it, in its axes, joints at their reference
    let mut carried: Vec<Inertial> = robot.links.iter().map(|l| l.inertial.unwrap_or(nothing)).collect();
    let mut below: Vec<Vec<String>> = robot.links.iter().map(|l| vec![l.name.clone()]).collect();
    for (l, link) in robot.links.iter().enumerate().skip(1).rev() {
        for joint in &link.joints {
            if let Some(fault) = idle(joint, &carried[l], &below[l]) {
                faults.push(fault);
            }
        }
        let seen = carried[l].seen_from(&link.place.pose);
        carried[link.parent] = carried[link.parent].with(&seen);
        let names = std::mem::take(&mut below[l]);
        below[link.parent].extend(names);
    }
}

/// What is wrong with a joint that has to move this.
fn idle(joint: &Joint, carried: &Inertial, below: &[String]) -> Option<Diagnostic> {
    let needs_mass = !matches!(joint.motion, Motion::Hinge { .. } | Motion::Ball { .. });
    let moment = match joint.motion {
        Motion::Hinge { axis, anchor } => carried.about_line(anchor, axis),
        Motion::Ball { anchor } => carried.about(anchor).as_flattened().iter().map(|x| x.abs()).sum(),
        Motion::Slide { .. } | Motion::Free => 0.0,
    };
    let idle = joint.armature == 0.0 && if needs_mass { carried.mass == 0.0 } else { moment == 0.0 };
    if !idle || joint.mimic.is_some() {
        return None;
    }
    let links = below.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    let message = if carried.is_nothing() {
        format!("joint `{}` moves {links} without mass or inertia", joint.name)
    } else {
        format!("joint `{}` turns {links} without inertia about its axis", joint.name)
    };
    let hint = format!("give one of them an <inertial>, or hold the joint: --fix {}", joint.name);
    Some(Diagnostic::error("M508", message).with_span(joint.span).with_hint(hint))
}
