//! Joints that the user wants held: they become part of the place of their link, as do joints that follow them.

use super::options::matches;
use super::pose::{Pose, align, apply, inverse, matrix, minus, scaled};
use super::robot::{FixedPose, Joint, Motion, Robot};
use crate::diag::Diagnostic;
use std::collections::BTreeMap;

/// Holds joints at values; a pattern that means no joint is a fault.
pub(super) fn hold(robot: &mut Robot, fixed: &[(String, f64)], faults: &mut Vec<Diagnostic>) {
    let mut values: BTreeMap<String, f64> = BTreeMap::new();
    for (pattern, value) in fixed {
        let names: Vec<String> = robot
            .links
            .iter()
            .flat_map(|l| &l.joints)
            .map(|j| j.name.clone())
            .filter(|n| matches(pattern, n))
            .collect();
        if names.is_empty() {
            faults.push(super::home::no_joint(robot, pattern));
        }
        values.extend(names.into_iter().map(|n| (n, *value)));
    }
    if values.is_empty() {
        return;
    }
    follow(robot, &mut values);
    for link in &mut robot.links {
        let held: Vec<usize> =
            (0..link.joints.len()).filter(|&j| values.contains_key(&link.joints[j].name)).collect();
        for &j in held.iter().rev() {
            let value = values[&link.joints[j].name];
            // only the last joint's motion can be put behind the others'; those before a moving one must not move the link
            let movement = movement(&link.joints[j], value);
            let alone = link.joints.len() == 1;
            match movement {
                Some(movement) if movement == Pose::HERE => {}
                Some(movement) if alone => link.place = FixedPose::of_pose(link.place.pose.then(&movement)),
                _ => {
                    let name = &link.joints[j].name;
                    let message = format!(
                        "joint `{name}` cannot be held at {value}: it shares its link with others, or is no hinge or slide"
                    );
                    faults.push(Diagnostic::error("M511", message).with_span(link.joints[j].span));
                }
            }
            link.joints.remove(j);
        }
    }
}

/// What follows a held joint is held too.
fn follow(robot: &Robot, values: &mut BTreeMap<String, f64>) {
    loop {
        let before = values.len();
        for joint in robot.links.iter().flat_map(|l| &l.joints) {
            let Some((of, factor, offset)) = &joint.mimic else { continue };
            if let Some(value) = values.get(of).copied() {
                values.entry(joint.name.clone()).or_insert(factor * value + offset);
            }
        }
        if values.len() == before {
            return;
        }
    }
}

/// How a joint at a value moves its link from the place where it does not; none for those of several degrees of freedom.
fn movement(joint: &Joint, value: f64) -> Option<Pose> {
    let by = value - joint.reference;
    if by == 0.0 {
        return Some(Pose::HERE);
    }
    match joint.motion {
        Motion::Slide { axis } => Some(Pose::at(scaled(axis, by))),
        Motion::Hinge { axis, anchor } => {
            let (k, sign, to) = align(axis);
            let rotation = matrix(&[to.clone(), vec![(k, sign * by)], inverse(&to)].concat());
            Some(Pose { origin: minus(anchor, apply(&rotation, anchor)), rotation })
        }
        Motion::Ball { .. } | Motion::Free => None,
    }
}
