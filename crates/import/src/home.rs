//! The configuration `home`: every joint at its reference, or as near to it as its limits allow, or where the user wants it; a free
//! robot stands on the ground.

use super::chain::Chain;
use super::options::{ImportOptions, matches};
use super::pose::{Pose, to_quaternion};
use super::robot::{Configuration, Motion, Robot};
use super::touch::{Contact, lowest_gap};
use crate::diag::{Diagnostic, nearest};

/// The values of all coordinates at home, a free robot at its place of rest.
pub(super) fn home(
    robot: &Robot,
    chain: &Chain,
    options: &ImportOptions,
    faults: &mut Vec<Diagnostic>,
) -> Vec<f64> {
    let mut values: Vec<f64> = chain.coordinates.iter().map(|c| c.home).collect();
    for (k, coordinate) in chain.coordinates.iter().enumerate() {
        let joint = &robot.links[coordinate.link].joints[coordinate.joint];
        if joint.motion == Motion::Free {
            let first = chain
                .coordinates
                .iter()
                .position(|c| (c.link, c.joint) == (coordinate.link, coordinate.joint));
            values[k] = at_rest(&joint.rest)[k - first.unwrap_or(k)];
        } else if let Some((lower, upper)) = joint.limits.filter(|(lower, upper)| lower <= upper) {
            values[k] = values[k].clamp(lower, upper);
        }
    }
    for (pattern, value) in &options.home {
        let meant: Vec<usize> = (0..values.len()).filter(|&k| is_meant(robot, chain, k, pattern)).collect();
        if meant.is_empty() {
            faults.push(no_joint(robot, pattern));
        }
        meant.iter().for_each(|&k| values[k] = *value);
    }
    values
}

fn is_meant(robot: &Robot, chain: &Chain, k: usize, pattern: &str) -> bool {
    let coordinate = &chain.coordinates[k];
    let joint = &robot.links[coordinate.link].joints[coordinate.joint];
    let simple = matches!(joint.motion, Motion::Hinge { .. } | Motion::Slide { .. });
    matches(pattern, &coordinate.name) || (simple && matches(pattern, &joint.name))
}

/// That no joint has this name.
pub(super) fn no_joint(robot: &Robot, pattern: &str) -> Diagnostic {
    let names = robot.links.iter().flat_map(|l| &l.joints).map(|j| j.name.as_str());
    let fault = Diagnostic::error("M511", format!("no joint that moves is called `{pattern}`"));
    fault.with_close(nearest(pattern, names))
}

fn at_rest(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], [e0, e1, e2, e3]) = (pose.origin, to_quaternion(&pose.rotation));
    [x, y, z, e0, e1, e2, e3]
}

/// Lowers or lifts a free robot until its lowest contact touches the ground; false if it is not free.
pub(super) fn stand(robot: &Robot, chain: &Chain, contacts: &[Contact], values: &mut [f64]) -> bool {
    let free =
        chain.coordinates.iter().position(|c| robot.links[c.link].joints[c.joint].motion == Motion::Free);
    let (Some(first), Some(gap)) = (free, lowest_gap(chain, contacts, values)) else { return false };
    values[first + 2] -= gap;
    // the difference of two rounded heights: what is left is taken away once more
    let rest = lowest_gap(chain, contacts, values).unwrap_or(0.0);
    values[first + 2] -= rest;
    true
}

/// A named configuration as values of all coordinates; none if it has other numbers than the joints.
pub(super) fn configuration(
    robot: &Robot,
    chain: &Chain,
    state: &Configuration,
) -> Option<(String, Vec<f64>)> {
    let mut values = Vec::with_capacity(chain.coordinates.len());
    let joints = robot.links.iter().flat_map(|l| &l.joints);
    for joint in joints.filter(|j| j.mimic.is_none()) {
        values.extend(&state.values.iter().find(|(name, _)| *name == joint.name)?.1);
    }
    (values.len() == chain.coordinates.len()).then(|| (state.name.clone(), values))
}
