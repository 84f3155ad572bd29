//! The way from a frame to what hangs on it as steps, each as seen from where it begins: a shift, then turns. What is
//! simple about a joint (an offset that does not change, a hinge along an axis) stays so, whatever the attitude is.

use super::algebra::Algebra;
use super::function::Operation;
use super::quaternion::Quaternion;
use super::terms::{plus, scale};
use crate::format::{Pose, Rotation};
use symbolica::atom::Atom;

/// One step.
pub(super) enum Step {
    /// To another origin; the axes stay.
    Shift {
        /// In the axes.
        offset: Vec<Atom>,
        /// Its rate, and the rate of that at v̇ = 0.
        rates: [Vec<Atom>; 2],
        /// ∂offset/∂q_i where it is not zero.
        slopes: Vec<(usize, Vec<Atom>)>,
    },
    /// By an angle about one of the axes.
    Turn {
        axis: usize,
        sin: Atom,
        cos: Atom,
        /// α̇, and its rate at v̇ = 0.
        rates: [Atom; 2],
        /// ∂α/∂q_i where it is not zero.
        slopes: Vec<(usize, Atom)>,
    },
    /// To other axes in any way.
    Axes {
        /// The turned axes as columns.
        axes: Vec<Vec<Atom>>,
        /// In the turned axes: the angular velocity that is added, and its rate at v̇ = 0 as seen from them.
        rates: [Vec<Atom>; 2],
        /// ∂ω/∂v_i where it is not zero, in the turned axes.
        slopes: Vec<(usize, Vec<Atom>)>,
    },
}

impl Step {
    /// Whether it leads nowhere.
    pub(super) fn is_nothing(&self) -> bool {
        match self {
            Step::Shift { offset, .. } => offset.iter().all(Atom::is_zero),
            Step::Turn { .. } | Step::Axes { .. } => false,
        }
    }
}

/// The steps of a pose of space.
pub(super) fn steps(algebra: &mut Algebra, pose: &Pose) -> Vec<Step> {
    let mut steps = vec![shift(algebra, pose)];
    match &pose.rotation {
        Rotation::Angle(_) => {}
        Rotation::Sequence(sequence) => {
            for part in sequence {
                let angle = algebra.atom(&part.angle);
                steps.push(turn(algebra, part.axis, &angle));
            }
        }
        Rotation::Quaternion(parts) => {
            let quaternion = Quaternion::new(algebra.atoms(parts.as_slice()));
            steps.push(turned(algebra, quaternion));
        }
    }
    steps
}

fn shift(algebra: &mut Algebra, pose: &Pose) -> Step {
    let offset = algebra.atoms(&pose.origin);
    let rate = rates(algebra, &offset);
    let rates = [rate.clone(), rates(algebra, &rate)];
    let slopes = slopes(algebra, |i| offset.iter().map(|x| algebra.by_coordinate(x, i)).collect());
    Step::Shift { offset, rates, slopes }
}

fn turn(algebra: &mut Algebra, axis: usize, angle: &Atom) -> Step {
    let sin = algebra.apply(Operation::Sin, vec![angle.clone()]);
    let cos = algebra.apply(Operation::Cos, vec![angle.clone()]);
    let rate = algebra.rate_of(angle);
    let rates = [rate.clone(), algebra.rate_of(&rate)];
    let slopes = slopes(algebra, |i| vec![algebra.by_coordinate(angle, i)]);
    let slopes = slopes.into_iter().map(|(i, mut slope)| (i, slope.swap_remove(0))).collect();
    Step::Turn { axis, sin, cos, rates, slopes }
}

/// ω = Σ a_k ė_k with the axes a_k of its parts; its rate is −ω d|e|²/dt/|e|² + Σ a_k ë_k, as the rest of the a_k's rates
/// cancels.
fn turned(algebra: &mut Algebra, quaternion: Quaternion) -> Step {
    let mut kept = |vectors: Vec<Vec<Atom>>| -> Vec<Vec<Atom>> {
        vectors.into_iter().map(|v| v.into_iter().map(|x| algebra.kept(x)).collect()).collect()
    };
    let (axes, spins) = (kept(quaternion.axes()), kept(quaternion.inner_spins()));
    let rate = rates(algebra, &quaternion.parts);
    let second = rates(algebra, &rate);
    let spin: Vec<Atom> = added(&spins, &rate).into_iter().map(|x| algebra.kept(x)).collect();
    let square = quaternion.square();
    let growth = algebra.kept(-algebra.rate_of(&square) / &square);
    let spin_rate = plus(&scale(&growth, &spin), &added(&spins, &second));
    let parts = &quaternion.parts;
    let slopes = slopes(algebra, |i| {
        let by: Vec<Atom> = parts.iter().map(|x| algebra.by_coordinate(x, i)).collect();
        added(&spins, &by)
    });
    Step::Axes { axes, rates: [spin, spin_rate], slopes }
}

/// Σ x_k v_k.
fn added(vectors: &[Vec<Atom>], x: &[Atom]) -> Vec<Atom> {
    let zero = vec![Atom::num(0); 3];
    vectors.iter().zip(x).fold(zero, |sum, (v, x)| plus(&sum, &scale(x, v)))
}

fn rates(algebra: &Algebra, all: &[Atom]) -> Vec<Atom> {
    all.iter().map(|x| algebra.rate_of(x)).collect()
}

/// What does not vanish for some coordinates.
fn slopes(algebra: &Algebra, by: impl Fn(usize) -> Vec<Atom>) -> Vec<(usize, Vec<Atom>)> {
    let all = (0..algebra.coordinates()).map(|i| (i, by(i)));
    all.filter(|(_, slope)| slope.iter().any(|x| !x.is_zero())).collect()
}
