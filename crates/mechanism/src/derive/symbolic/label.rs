//! What a person would give a name to: where frames are, their axes, how they move.

use super::frames::{Frame, Frames};
use super::print::latex_name;
use crate::derive::equations::Printed;
use crate::format::Mechanism;
use crate::model::Layout;
use crate::tape::Tape;
use symbolica::atom::Atom;

/// A tape with the outputs of a model, and after them values that have names.
pub(super) struct NamedTape {
    pub(super) layout: Layout,
    pub(super) tape: Tape,
    /// The first output that has a name.
    pub(super) first: usize,
    pub(super) names: Vec<Printed>,
}

/// Components by name.
const COMPONENTS: [&str; 3] = ["x", "y", "z"];

/// The names of frames' axes, origins and velocities, with their components; of what is composed along a tree.
pub(super) fn labels(frames: &Frames, mechanism: &Mechanism) -> Vec<(Printed, Atom)> {
    let of_frames =
        mechanism.frames.iter().enumerate().filter_map(|(i, f)| Some((f.name.as_str(), frames.place(i)?)));
    let bodies = mechanism.bodies.iter().zip(&frames.bodies);
    let of_bodies = bodies.filter_map(|(body, place)| Some((body.name.as_str(), (*place)?)));
    of_frames.chain(of_bodies).flat_map(|(name, place)| of_frame(name, &frames.all[place])).collect()
}

fn of_frame(name: &str, frame: &Frame) -> Vec<(Printed, Atom)> {
    let plain = name.replace('-', "_");
    let name = |letter: &str, components: &str| Printed {
        text: format!("{letter}_{plain}_{components}"),
        latex: format!("{letter}^{{{}}}_{{{components}}}", latex_name(&plain)),
    };
    let mut found = Vec::new();
    for (axis, letter) in frame.axes.iter().zip(["ex", "ey", "ez"]) {
        let components = axis.iter().zip(COMPONENTS).map(|(x, c)| (name(letter, c), x.clone()));
        found.extend(components);
    }
    let vectors = [("o", &frame.origin), ("v", &frame.velocity), ("a", &frame.acceleration)];
    let turns = [("w", &frame.spin), ("dw", &frame.spin_rate)];
    for (letter, vector) in vectors.into_iter().chain(turns) {
        let only = vector.len() == 1;
        let component = |(x, c): (&Atom, &str)| (name(letter, if only { "z" } else { c }), x.clone());
        found.extend(vector.iter().zip(COMPONENTS).map(component));
    }
    found
}
