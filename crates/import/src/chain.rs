//! The tree of links as frames of the format: each has an origin and a list of rotations in its parent, in coordinates.
//!
//! A hinge through a point a of the link moves it by T(a) R T(-a). The frame's origin is put at a, and what the link holds is
//! shifted by -a; only a second hinge elsewhere, or a slide after a turn, needs a frame in between.

use super::linear::Linear;
use super::names::Names;
use super::pose::{
    IDENTITY, Matrix, Pose, Vector, align, apply, elementary, inverse, is_zero, of_quaternion, product,
    scaled, sum,
};
use super::robot::{Joint, Link, Motion, Robot, WORLD};
use std::collections::BTreeMap;

/// A frame of the format.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) origin: [Linear; 3],
    pub(super) rotation: Rotation,
}

/// How a frame is turned in its parent.
#[derive(Clone, Debug)]
pub(super) enum Rotation {
    List(Vec<(usize, Linear)>),
    /// By the coordinates with these numbers.
    Quaternion([usize; 4]),
}

/// What a link holds is in this frame, shifted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    /// None: the inertial frame.
    pub(super) frame: Option<usize>,
    pub(super) shift: Vector,
}

/// A coordinate and the joint that it is of.
#[derive(Clone, Debug)]
pub(super) struct Coordinate {
    pub(super) name: String,
    pub(super) link: usize,
    pub(super) joint: usize,
    /// Its value at home.
    pub(super) home: f64,
}

/// The links as frames.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) frames: Vec<Frame>,
    pub(super) coordinates: Vec<Coordinate>,
    /// Of every link.
    pub(super) seats: Vec<Seat>,
    /// Of every joint with one degree of freedom its value, by name.
    pub(super) values: BTreeMap<String, Linear>,
}

/// The frames of a robot whose fixed links are merged.
pub(super) fn chain(robot: &Robot, names: &mut Names) -> Chain {
    let mut chain = Chain { frames: vec![], coordinates: vec![], seats: vec![], values: BTreeMap::new() };
    chain.count(robot, names);
    chain.follow(robot);
    let mut frames = Names::default();
    for (i, link) in robot.links.iter().enumerate() {
        let seat = if i == WORLD {
            Seat { frame: None, shift: [0.0; 3] }
        } else {
            chain.place(i, link, &mut frames)
        };
        chain.seats.push(seat);
    }
    chain
}

impl Chain {
    /// Gives the joints coordinates.
    fn count(&mut self, robot: &Robot, names: &mut Names) {
        let joints = || {
            robot
                .links
                .iter()
                .enumerate()
                .flat_map(|(l, link)| link.joints.iter().enumerate().map(move |(j, joint)| (l, j, joint)))
        };
        let alone = joints().filter(|(.., joint)| joint.motion == Motion::Free).count() == 1;
        for (l, j, joint) in joints().filter(|(.., joint)| joint.mimic.is_none()) {
            let prefix = if joint.motion == Motion::Free && alone {
                String::new()
            } else {
                format!("{}_", joint.name)
            };
            let parts: &[&str] = match joint.motion {
                Motion::Hinge { .. } | Motion::Slide { .. } => &[],
                Motion::Ball { .. } => &["e0", "e1", "e2", "e3"],
                Motion::Free => &["x", "y", "z", "e0", "e1", "e2", "e3"],
            };
            if parts.is_empty() {
                self.values.insert(joint.name.clone(), Linear::coordinate(self.coordinates.len()));
                let name = names.unique(&joint.name);
                self.coordinates.push(Coordinate { name, link: l, joint: j, home: joint.reference });
            }
            for part in parts {
                let name = names.unique(&format!("{prefix}{part}"));
                let home = f64::from(u8::from(*part == "e0"));
                self.coordinates.push(Coordinate { name, link: l, joint: j, home });
            }
        }
    }

    /// Values of the joints that follow others; a chain of them is resolved in as many rounds as it is long.
    fn follow(&mut self, robot: &Robot) {
        let joints = robot.links.iter().flat_map(|link| &link.joints);
        let mut open: Vec<&Joint> = joints.filter(|joint| joint.mimic.is_some()).collect();
        while !open.is_empty() {
            let before = open.len();
            open.retain(|joint| match self.followed(joint) {
                Some(value) => self.values.insert(joint.name.clone(), value).is_some(),
                None => true,
            });
            if open.len() == before {
                return;
            }
        }
    }

    /// The value of a joint that follows one whose value is known.
    fn followed(&self, joint: &Joint) -> Option<Linear> {
        let (of, factor, offset) = joint.mimic.as_ref()?;
        Some(self.values.get(of)?.scaled(*factor).plus(&Linear::constant(*offset)))
    }

    /// The frames of a link; its parent has a seat already.
    fn place(&mut self, l: usize, link: &Link, names: &mut Names) -> Seat {
        let seat = self.seats[link.parent];
        let origin = sum(seat.shift, link.place.pose.origin);
        let mut builder = Builder::new(seat.frame, origin, link.place.pose.rotation, &link.place.list);
        for (j, joint) in link.joints.iter().enumerate() {
            match joint.motion {
                Motion::Free | Motion::Ball { .. } => {
                    let numbers: Vec<usize> = (0..self.coordinates.len())
                        .filter(|&c| (self.coordinates[c].link, self.coordinates[c].joint) == (l, j))
                        .collect();
                    builder
                        .free(self, &numbers, joint.motion, |chain| names.unique(&chain_name(link, chain)));
                }
                Motion::Hinge { axis, anchor } => {
                    let value = self.turned(joint);
                    builder.hinge(self, axis, anchor, &value, |chain| names.unique(&chain_name(link, chain)));
                }
                Motion::Slide { axis } => {
                    let value = self.turned(joint);
                    builder.slide(self, axis, &value, |chain| names.unique(&chain_name(link, chain)));
                }
            }
        }
        let name = names.unique(&link.name);
        let shift = builder.shift;
        Seat { frame: Some(builder.finish(self, name)), shift }
    }

    /// How far a joint is from where it does not move its link.
    fn turned(&self, joint: &Joint) -> Linear {
        let value = self.values.get(&joint.name).cloned().unwrap_or_default();
        value.plus(&Linear::constant(-joint.reference))
    }

    /// Where the frames are at given coordinates.
    pub(super) fn poses(&self, values: &[f64]) -> Vec<Pose> {
        let mut poses: Vec<Pose> = Vec::with_capacity(self.frames.len());
        for frame in &self.frames {
            let rotation = match &frame.rotation {
                Rotation::List(list) => list
                    .iter()
                    .fold(IDENTITY, |r, (axis, angle)| product(&r, &elementary(*axis, angle.at(values)))),
                Rotation::Quaternion(numbers) => of_quaternion(numbers.map(|c| values[c])),
            };
            let own = Pose { origin: [0, 1, 2].map(|k: usize| frame.origin[k].at(values)), rotation };
            poses.push(frame.parent.map_or(own, |p| poses[p].then(&own)));
        }
        poses
    }
}

/// The name of a frame between the joints of a link.
fn chain_name(link: &Link, chain: &Chain) -> String {
    format!("{}_{}", link.name, chain.frames.len())
}

/// A frame that grows joint by joint.
struct Builder {
    parent: Option<usize>,
    origin: [Linear; 3],
    list: Vec<(usize, Linear)>,
    /// The constant rotation so far, while nothing turns.
    fixed: Matrix,
    turns: bool,
    quaternion: Option<[usize; 4]>,
    shift: Vector,
}

impl Builder {
    fn new(parent: Option<usize>, origin: Vector, fixed: Matrix, list: &[(usize, f64)]) -> Self {
        let list = list.iter().map(|&(axis, angle)| (axis, Linear::constant(angle))).collect();
        let origin = origin.map(Linear::constant);
        Builder { parent, origin, list, fixed, turns: false, quaternion: None, shift: [0.0; 3] }
    }

    /// Goes on in a new frame that is where this one is.
    fn close(&mut self, chain: &mut Chain, name: String) {
        let shift = self.shift;
        let done = std::mem::replace(self, Builder::new(None, [0.0; 3], IDENTITY, &[]));
        self.parent = Some(done.finish(chain, name));
        self.shift = shift;
    }

    fn slide(
        &mut self,
        chain: &mut Chain,
        axis: Vector,
        value: &Linear,
        name: impl FnOnce(&Chain) -> String,
    ) {
        if self.turns {
            let name = name(chain);
            self.close(chain, name);
        }
        self.advance(axis, value);
    }

    /// Moves the origin along a direction of the frame.
    fn advance(&mut self, direction: Vector, value: &Linear) {
        let d = super::pose::tidied(apply(&self.fixed, direction));
        for k in 0..3 {
            self.origin[k] = self.origin[k].plus(&value.scaled(d[k]));
        }
    }

    fn hinge(
        &mut self,
        chain: &mut Chain,
        axis: Vector,
        anchor: Vector,
        value: &Linear,
        name: impl FnOnce(&Chain) -> String,
    ) {
        self.pivot(chain, anchor, name);
        let (k, sign, to) = align(axis);
        let constant = |(axis, angle): &(usize, f64)| (*axis, Linear::constant(*angle));
        self.list.extend(to.iter().map(constant));
        self.list.push((k, value.scaled(sign)));
        self.list.extend(inverse(&to).iter().map(constant));
        self.turns = true;
    }

    /// Puts the origin at a point of the link.
    fn pivot(&mut self, chain: &mut Chain, anchor: Vector, name: impl FnOnce(&Chain) -> String) {
        let way = sum(self.shift, anchor);
        if !is_zero(way) {
            if self.turns {
                let name = name(chain);
                self.close(chain, name);
            }
            self.advance(way, &Linear::constant(1.0));
            self.shift = scaled(anchor, -1.0);
        }
    }

    /// By four coordinates, or seven.
    fn free(
        &mut self,
        chain: &mut Chain,
        numbers: &[usize],
        motion: Motion,
        name: impl FnOnce(&Chain) -> String,
    ) {
        let moves = motion == Motion::Free;
        let named = name(chain);
        if let Motion::Ball { anchor } = motion {
            self.pivot(chain, anchor, |_| format!("{named}_at"));
        }
        let placed = moves && self.origin.iter().any(|x| !x.is_zero());
        if placed || !self.list.is_empty() {
            self.close(chain, named);
        }
        if moves {
            (0..3).for_each(|k| self.origin[k] = Linear::coordinate(numbers[k]));
        }
        let last = numbers.len() - 4;
        self.quaternion = Some(std::array::from_fn(|k| numbers[last + k]));
        self.turns = true;
    }

    fn finish(self, chain: &mut Chain, name: String) -> usize {
        let rotation = match self.quaternion {
            Some(numbers) if self.list.is_empty() => Rotation::Quaternion(numbers),
            _ => Rotation::List(self.list),
        };
        chain.frames.push(Frame { name, parent: self.parent, origin: self.origin, rotation });
        chain.frames.len() - 1
    }
}

impl Seat {
    /// A point of the link in the frame.
    pub(super) fn point(&self, x: Vector) -> Vector {
        if is_zero(self.shift) { x } else { sum(x, self.shift) }
    }
}
