//! Frames in motion, composed link by link: where each is follows from where its parent is, and so do its velocity and
//! its acceleration. Nothing is written out in coordinates, so that a chain costs what its joints cost.
//!
//! With the parent's origin o', axes R', angular velocity ω', and as seen from it the link's origin r and its turns by the
//! angles α_k about the axes e_k:
//!
//! ```text
//! d = R' r,  o = o' + d        ȯ = ȯ' + ḋ,  ḋ = ω' × d + R' ṙ        ö = ö' + dḋ/dt at v̇ = 0
//! ω_k = ω_{k−1} + a_k α̇_k     a_k = R_{k−1} e_k,  ȧ_k = ω_{k−1} × a_k
//! ```
//!
//! What a variable of a link does to all that the link carries is a twist: an axis through the link's origin, and a shift
//! of it. A point p that is carried moves by ∂p/∂q_i = shift_i + axis_i × (p − o), summed over the links below it.

use super::algebra::{Algebra, Variable};
use super::function::Operation;
use super::joint::{Step, steps};
use super::motion::spin_cross;
use super::quaternion::Quaternion;
use super::slopes::{by_rates, local_slopes, merged, moving};
use super::terms::{minus, plus, scale};
use crate::derive::error::DeriveError;
use crate::format::{Carrier, Mechanism, Placed, Pose, Rotation, Space};
use symbolica::atom::Atom;

/// What one variable of a link does to all that the link carries.
pub(super) struct Twist {
    /// A coordinate, or the time.
    pub(super) variable: Variable,
    /// Angular velocity per unit rate: one component in the plane, three in space.
    pub(super) axis: Vec<Atom>,
    /// Velocity of the link's origin per unit rate.
    pub(super) shift: Vec<Atom>,
}

/// A frame in motion, in inertial components.
pub(super) struct Frame {
    /// The frame it hangs on; none: the inertial one.
    pub(super) parent: Option<usize>,
    /// From the parent's origin to its own.
    pub(super) offset: Vec<Atom>,
    /// What its own variables do.
    pub(super) twists: Vec<Twist>,
    /// In space, the way from the parent.
    pub(super) steps: Vec<Step>,
    pub(super) origin: Vec<Atom>,
    pub(super) velocity: Vec<Atom>,
    /// At v̇ = 0, as all accelerations here.
    pub(super) acceleration: Vec<Atom>,
    /// Its axes as columns.
    pub(super) axes: Vec<Vec<Atom>>,
    pub(super) spin: Vec<Atom>,
    pub(super) spin_rate: Vec<Atom>,
    /// In the plane, the angle of its axes.
    angle: Atom,
}

/// All frames of a mechanism, and those of its bodies that are composed as frames are.
pub(super) struct Frames {
    space: Space,
    /// Parents before their children.
    pub(super) all: Vec<Frame>,
    /// The place of each frame of the file.
    named: Vec<usize>,
    /// The place of each body; none of one that stands in the inertial frame.
    pub(super) bodies: Vec<Option<usize>>,
}

/// A point that is carried.
struct Carried {
    offset: Vec<Atom>,
    origin: Vec<Atom>,
    velocity: Vec<Atom>,
    acceleration: Vec<Atom>,
    /// What its own variables do, by variable.
    shifts: Vec<(Variable, Vec<Atom>)>,
}

impl Frames {
    /// Composes the frames, and the bodies of which `is_composed` says that they are composed as frames are.
    pub(super) fn new(
        algebra: &mut Algebra,
        mechanism: &Mechanism,
        is_composed: impl Fn(usize) -> bool,
    ) -> Result<Self, DeriveError> {
        let mut frames =
            Frames { space: mechanism.space, all: Vec::new(), named: Vec::new(), bodies: Vec::new() };
        let mut places: Vec<Option<usize>> = vec![None; mechanism.frames.len()];
        for i in 0..places.len() {
            let place = frames.take(algebra, mechanism, i, &mut places)?;
            frames.named.push(place);
        }
        for (i, body) in mechanism.bodies.iter().enumerate() {
            let place = if is_composed(i) {
                let parent = body.pose.parent.and_then(|i| places[i]);
                Some(frames.link(algebra, parent, &body.pose, &body.name)?)
            } else {
                None
            };
            frames.bodies.push(place);
        }
        Ok(frames)
    }

    /// Composes a frame after its parent.
    fn take(
        &mut self,
        algebra: &mut Algebra,
        mechanism: &Mechanism,
        i: usize,
        places: &mut [Option<usize>],
    ) -> Result<usize, DeriveError> {
        if let Some(place) = places[i] {
            return Ok(place);
        }
        let frame = &mechanism.frames[i];
        let parent = match frame.pose.parent {
            Some(parent) => Some(self.take(algebra, mechanism, parent, places)?),
            None => None,
        };
        let place = self.link(algebra, parent, &frame.pose, &frame.name)?;
        places[i] = Some(place);
        Ok(place)
    }

    /// The place of what carries something.
    fn place_of(&self, carrier: Carrier) -> Result<usize, DeriveError> {
        let place = match carrier {
            Carrier::Frame(i) => self.place(i),
            Carrier::Body(i) => self.bodies.get(i).copied().flatten(),
        };
        place.ok_or_else(|| DeriveError::Shape { what: "the list of frames".into() })
    }

    /// The frame of a carrier.
    pub(super) fn carrier(&self, carrier: Carrier) -> Result<&Frame, DeriveError> {
        Ok(&self.all[self.place_of(carrier)?])
    }

    /// The inertial components of a point.
    pub(super) fn position(&self, algebra: &mut Algebra, placed: &Placed) -> Result<Vec<Atom>, DeriveError> {
        let components = algebra.atoms(&placed.components);
        match placed.carrier {
            None => Ok(components),
            Some(carrier) => Ok(self.point(algebra, Some(self.place_of(carrier)?), components)),
        }
    }

    /// The inertial components of a vector.
    pub(super) fn direction(&self, algebra: &mut Algebra, placed: &Placed) -> Result<Vec<Atom>, DeriveError> {
        let components = algebra.atoms(&placed.components);
        self.seen(placed, components)
    }

    /// The inertial components of a vector that has these where it is given.
    pub(super) fn seen(&self, placed: &Placed, components: Vec<Atom>) -> Result<Vec<Atom>, DeriveError> {
        match placed.carrier {
            None => Ok(components),
            Some(carrier) => Ok(self.turned(self.carrier(carrier)?, &components)),
        }
    }

    /// The place among all frames that a frame of the file has.
    pub(super) fn place(&self, frame: usize) -> Option<usize> {
        self.named.get(frame).copied()
    }

    /// The inertial components of a vector given in a frame.
    pub(super) fn turned(&self, frame: &Frame, components: &[Atom]) -> Vec<Atom> {
        let zero = vec![Atom::num(0); self.space.dimension()];
        frame.axes.iter().zip(components).fold(zero, |sum, (axis, x)| plus(&sum, &scale(x, axis)))
    }

    /// A point given by its components in the frame at a place.
    pub(super) fn point(
        &self,
        algebra: &mut Algebra,
        place: Option<usize>,
        components: Vec<Atom>,
    ) -> Vec<Atom> {
        self.carried(algebra, place, components).origin
    }

    /// Everything that moves what the frame at a place carries, from the frame down, with the origins that the axes go
    /// through.
    pub(super) fn twists(&self, place: Option<usize>) -> impl Iterator<Item = (&Twist, &[Atom])> {
        let frames = std::iter::successors(place, |&p| self.all[p].parent).map(|p| &self.all[p]);
        frames.flat_map(|frame| frame.twists.iter().map(|twist| (twist, frame.origin.as_slice())))
    }

    /// ∂p/∂x by component, for a point p that the frame at a place carries.
    fn slopes(&self, place: Option<usize>, p: &[Atom]) -> Vec<(Variable, Vec<Atom>)> {
        let moves = |(twist, origin): (&Twist, &[Atom])| {
            let swept = spin_cross(&twist.axis, &minus(p, origin));
            (twist.variable, plus(&twist.shift, &swept))
        };
        merged(self.twists(place).map(moves).collect())
    }

    /// ∂u/∂x by component, for a vector u that turns with the frame at a place.
    fn turns(&self, place: Option<usize>, u: &[Atom]) -> Vec<(Variable, Vec<Atom>)> {
        merged(self.twists(place).map(|(twist, _)| (twist.variable, spin_cross(&twist.axis, u))).collect())
    }

    /// A point with the components r in the frame at a place.
    fn carried(&self, algebra: &mut Algebra, place: Option<usize>, r: Vec<Atom>) -> Carried {
        let Some(parent) = place.map(|p| &self.all[p]) else { return standing(algebra, r) };
        let r_rate: Vec<Atom> = r.iter().map(|x| algebra.rate_of(x)).collect();
        let own: Vec<(Variable, Vec<Atom>)> = local_slopes(algebra, &r)
            .into_iter()
            .map(|(variable, slope)| (variable, self.turned(parent, &slope)))
            .collect();
        let arm = self.turned(parent, &r);
        let swept = plus(&spin_cross(&parent.spin, &arm), &self.turned(parent, &r_rate));
        let turns = merged([self.turns(place, &arm), own.clone()].concat());
        let offset = moving(algebra, &arm, &turns, &swept);
        // the same velocity, of the offset under its name
        let swept = plus(&spin_cross(&parent.spin, &offset), &self.turned(parent, &r_rate));
        let swept_rate: Vec<Atom> = swept.iter().map(|x| algebra.rate_of(x)).collect();
        let swept = moving(algebra, &swept, &by_rates(&turns), &swept_rate);
        let acceleration = moving(algebra, &plus(&parent.acceleration, &swept_rate), &[], &[]);
        let place_now = plus(&parent.origin, &offset);
        let slopes = merged([self.slopes(place, &place_now), own.clone()].concat());
        let velocity = moving(algebra, &plus(&parent.velocity, &swept), &by_rates(&slopes), &acceleration);
        let origin = moving(algebra, &place_now, &slopes, &velocity);
        Carried { offset, origin, velocity, acceleration, shifts: own }
    }

    /// Adds a link to the frame at a place.
    fn link(
        &mut self,
        algebra: &mut Algebra,
        parent: Option<usize>,
        pose: &Pose,
        name: &str,
    ) -> Result<usize, DeriveError> {
        let r = algebra.atoms(&pose.origin);
        if r.len() != self.space.dimension() {
            return Err(DeriveError::Shape { what: format!("the position of `{name}`") });
        }
        let carried = self.carried(algebra, parent, r);
        let none = vec![Atom::num(0); spins(self.space)];
        let shifted = |(variable, shift)| Twist { variable, axis: none.clone(), shift };
        let before = parent.map(|p| &self.all[p]);
        let steps = match self.space {
            Space::Plane => Vec::new(),
            Space::Space => steps(algebra, pose),
        };
        let frame = Frame {
            parent,
            steps,
            twists: carried.shifts.into_iter().map(shifted).collect(),
            offset: carried.offset,
            origin: carried.origin,
            velocity: carried.velocity,
            acceleration: carried.acceleration,
            axes: before.map_or_else(|| units(self.space), |f| f.axes.clone()),
            spin: before.map_or_else(|| none.clone(), |f| f.spin.clone()),
            spin_rate: before.map_or_else(|| none.clone(), |f| f.spin_rate.clone()),
            angle: before.map_or_else(|| Atom::num(0), |f| f.angle.clone()),
        };
        let place = self.all.len();
        self.all.push(frame);
        match (&pose.rotation, self.space) {
            (Rotation::Angle(angle), Space::Plane) => {
                let angle = algebra.atom(angle);
                self.turn_in_plane(algebra, place, &angle);
            }
            (Rotation::Sequence(sequence), Space::Space) => {
                for turn in sequence {
                    let angle = algebra.atom(&turn.angle);
                    self.turn_about(algebra, place, turn.axis, &angle);
                }
            }
            (Rotation::Quaternion(parts), Space::Space) => {
                let quaternion = Quaternion::new(algebra.atoms(parts.as_slice()));
                self.turn_by(algebra, place, &quaternion);
            }
            (Rotation::Angle(_), Space::Space)
            | (Rotation::Sequence(_) | Rotation::Quaternion(_), Space::Plane) => {
                return Err(DeriveError::Shape { what: format!("the rotation of `{name}`") });
            }
        }
        Ok(place)
    }

    /// Angles of the plane add up.
    fn turn_in_plane(&mut self, algebra: &mut Algebra, place: usize, angle: &Atom) {
        let whole = &self.all[place].angle + angle;
        let spin = vec![algebra.rate_of(&whole)];
        let spin_rate = vec![algebra.rate_of(&spin[0])];
        let sin = algebra.apply(Operation::Sin, vec![whole.clone()]);
        let cos = algebra.apply(Operation::Cos, vec![whole.clone()]);
        self.twist(algebra, place, &[(vec![Atom::num(1)], angle.clone())]);
        let frame = &mut self.all[place];
        frame.axes = vec![vec![cos.clone(), sin.clone()], vec![-sin, cos]];
        (frame.angle, frame.spin, frame.spin_rate) = (whole, spin, spin_rate);
    }

    fn turn_about(&mut self, algebra: &mut Algebra, place: usize, axis: usize, angle: &Atom) {
        let sin = algebra.apply(Operation::Sin, vec![angle.clone()]);
        let cos = algebra.apply(Operation::Cos, vec![angle.clone()]);
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let old = self.all[place].axes.clone();
        let mut axes = old.clone();
        axes[j] = plus(&scale(&cos, &old[j]), &scale(&sin, &old[k]));
        axes[k] = minus(&scale(&cos, &old[k]), &scale(&sin, &old[j]));
        self.turn(algebra, place, &[(old[axis].clone(), angle.clone())], axes);
    }

    fn turn_by(&mut self, algebra: &mut Algebra, place: usize, quaternion: &Quaternion) {
        let seen = |v: &Vec<Atom>| self.turned(&self.all[place], v);
        let axes: Vec<Vec<Atom>> = quaternion.axes().iter().map(seen).collect();
        let pairs: Vec<(Vec<Atom>, Atom)> =
            quaternion.spins().iter().map(seen).zip(quaternion.parts.clone()).collect();
        let kept =
            |(axis, part): (Vec<Atom>, Atom)| (axis.into_iter().map(|x| algebra.kept(x)).collect(), part);
        let pairs: Vec<(Vec<Atom>, Atom)> = pairs.into_iter().map(kept).collect();
        self.turn(algebra, place, &pairs, axes);
    }

    /// Turns a frame of space: Σ axis · d(angle)/dt is what its angular velocity grows by.
    fn turn(
        &mut self,
        algebra: &mut Algebra,
        place: usize,
        pairs: &[(Vec<Atom>, Atom)],
        axes: Vec<Vec<Atom>>,
    ) {
        let mut more = vec![Atom::num(0); 3];
        for (axis, angle) in pairs {
            more = plus(&more, &scale(&algebra.rate_of(angle), axis));
        }
        let more_rate: Vec<Atom> = more.iter().map(|x| algebra.rate_of(x)).collect();
        self.twist(algebra, place, pairs);
        let by_variable =
            merged(self.twists(Some(place)).map(|(t, _)| (t.variable, t.axis.clone())).collect());
        let frame = &self.all[place];
        let spin_rate = moving(algebra, &plus(&frame.spin_rate, &more_rate), &[], &[]);
        let spin = moving(algebra, &plus(&frame.spin, &more), &by_rates(&by_variable), &spin_rate);
        let mut turned = Vec::new();
        for axis in axes {
            let turns = self.turns(Some(place), &axis);
            turned.push(moving(algebra, &axis, &turns, &spin_cross(&spin, &axis)));
        }
        let frame = &mut self.all[place];
        (frame.axes, frame.spin, frame.spin_rate) = (turned, spin, spin_rate);
    }

    /// Adds what the variables of angles do to a frame's twists.
    fn twist(&mut self, algebra: &Algebra, place: usize, pairs: &[(Vec<Atom>, Atom)]) {
        let still = vec![Atom::num(0); self.space.dimension()];
        for (axis, angle) in pairs {
            for (variable, slope) in local_slopes(algebra, std::slice::from_ref(angle)) {
                let axis = scale(&slope[0], axis);
                let twists = &mut self.all[place].twists;
                match twists.iter_mut().find(|t| t.variable == variable) {
                    Some(twist) => twist.axis = plus(&twist.axis, &axis),
                    None => twists.push(Twist { variable, axis, shift: still.clone() }),
                }
            }
        }
    }
}

/// Components of an angular velocity.
fn spins(space: Space) -> usize {
    match space {
        Space::Plane => 1,
        Space::Space => 3,
    }
}

/// The inertial axes as columns.
fn units(space: Space) -> Vec<Vec<Atom>> {
    let n = space.dimension();
    (0..n).map(|k| (0..n).map(|i| Atom::num(i64::from(i == k))).collect()).collect()
}

/// A point of the inertial frame.
fn standing(algebra: &mut Algebra, r: Vec<Atom>) -> Carried {
    let velocity: Vec<Atom> = r.iter().map(|x| algebra.rate_of(x)).collect();
    let acceleration: Vec<Atom> = velocity.iter().map(|x| algebra.rate_of(x)).collect();
    let shifts = local_slopes(algebra, &r);
    let kept = |algebra: &mut Algebra, all: Vec<Atom>| -> Vec<Atom> {
        all.into_iter().map(|x| algebra.kept(x)).collect()
    };
    let origin = kept(algebra, r);
    Carried { offset: origin.clone(), origin, velocity, acceleration, shifts }
}
