//! What a description says, before it is written as a mechanism: a tree of links, each placed in its parent by a constant pose
//! and moved there by its joints in order. URDF and MJCF are read into it; link 0 is the world.

use super::inertia::{Inertial, Solid};
use super::pose::{Matrix, Pose, Vector};
use crate::diag::Span;

/// A robot as described.
#[derive(Clone, Debug)]
pub(super) struct Robot {
    pub(super) name: String,
    pub(super) gravity: Vector,
    /// Parents before children; the first is the world, which is its own parent.
    pub(super) links: Vec<Link>,
    /// What is not carried over.
    pub(super) omitted: Vec<Note>,
    /// Named configurations.
    pub(super) states: Vec<Configuration>,
}

/// Something that is not carried over, with its place in the description.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Note {
    pub(super) span: Span,
    /// What it is; those of a kind are listed together.
    pub(super) kind: String,
    /// Which one, or nothing.
    pub(super) name: String,
}

/// A rigid part.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) parent: usize,
    /// Its place in the parent where all its joints are at their reference.
    pub(super) place: FixedPose,
    /// Empty: fixed to the parent.
    pub(super) joints: Vec<Joint>,
    pub(super) inertial: Option<Inertial>,
    /// Where it can touch.
    pub(super) shapes: Vec<Shape>,
    /// Links that are fixed to it, with their places in it.
    pub(super) merged: Vec<(String, Pose)>,
}

/// A constant place; the angles as written, where they were.
#[derive(Clone, Debug)]
pub(super) struct FixedPose {
    pub(super) pose: Pose,
    pub(super) list: Vec<(usize, f64)>,
}

impl FixedPose {
    pub(super) fn of_pose(pose: Pose) -> FixedPose {
        let pose = pose.tidied();
        FixedPose { list: super::pose::list(&pose.rotation), pose }
    }

    pub(super) fn of_list(origin: Vector, list: Vec<(usize, f64)>) -> FixedPose {
        let rotation: Matrix = super::pose::matrix(&list);
        FixedPose { pose: Pose { origin, rotation }, list }
    }
}

/// One degree of freedom, or three or six.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) motion: Motion,
    /// The value at which it does not move the link.
    pub(super) reference: f64,
    pub(super) limits: Option<(f64, f64)>,
    pub(super) damping: f64,
    /// Coulomb friction in the joint, which a mechanism has only at contacts.
    pub(super) friction: f64,
    /// Stiffness and the value without force.
    pub(super) spring: Option<(f64, f64)>,
    /// The largest force or torque of its drive.
    pub(super) effort: Option<f64>,
    /// What holds it at a value.
    pub(super) servo: Option<Servo>,
    /// Where a free link is at home.
    pub(super) rest: Pose,
    /// Inertia of what turns with it alone.
    pub(super) armature: f64,
    /// The joint that it follows, factor and offset.
    pub(super) mimic: Option<(String, f64, f64)>,
    /// What is not carried over.
    pub(super) notes: Vec<String>,
}

/// A spring with a damper that pulls a joint to a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Servo {
    /// Of the actuator.
    pub(super) name: String,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    pub(super) limit: Option<f64>,
    pub(super) target: f64,
}

/// How a joint moves its link, in the link's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Motion {
    /// About a line through a point of the link.
    Hinge { axis: Vector, anchor: Vector },
    /// Along a direction.
    Slide { axis: Vector },
    /// About a point of the link.
    Ball { anchor: Vector },
    /// Everywhere.
    Free,
}

impl Joint {
    pub(super) fn new(name: String, span: Span, motion: Motion) -> Joint {
        Joint {
            name,
            span,
            motion,
            reference: 0.0,
            limits: None,
            damping: 0.0,
            friction: 0.0,
            spring: None,
            effort: None,
            servo: None,
            rest: Pose::HERE,
            armature: 0.0,
            mimic: None,
            notes: vec![],
        }
    }
}

/// Geometry of a link.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The link that it belongs to in the description.
    pub(super) of: String,
    pub(super) pose: Pose,
    pub(super) solid: Solid,
    pub(super) friction: Option<f64>,
}

/// Values of joints.
#[derive(Clone, Debug)]
pub(super) struct Configuration {
    pub(super) name: String,
    /// One list per joint, by name: one number, four of a ball, seven of a free joint.
    pub(super) values: Vec<(String, Vec<f64>)>,
}

pub(super) const WORLD: usize = 0;

impl Link {
    /// The world.
    pub(super) fn world() -> Link {
        Link::new("world".to_string(), Span::default(), WORLD, FixedPose::of_pose(Pose::HERE))
    }

    pub(super) fn new(name: String, span: Span, parent: usize, place: FixedPose) -> Link {
        Link { name, span, parent, place, joints: vec![], inertial: None, shapes: vec![], merged: vec![] }
    }

    fn add(&mut self, inertial: &Inertial) {
        self.inertial = Some(self.inertial.map_or(*inertial, |own| own.with(inertial)));
    }
}

impl Robot {
    /// The same with every link that is fixed to another one made part of it.
    pub(super) fn merged(self) -> Robot {
        let mut kept: Vec<Link> = Vec::new();
        // of every link: the kept one that it became part of, and its place there
        let mut host: Vec<(usize, Pose)> = Vec::new();
        for (i, mut link) in self.links.into_iter().enumerate() {
            let (parent, at) = if i == WORLD { (WORLD, Pose::HERE) } else { host[link.parent] };
            if i != WORLD && link.joints.is_empty() {
                let pose = at.then(&link.place.pose).tidied();
                kept[parent].absorb(link, &pose);
                host.push((parent, pose));
                continue;
            }
            if at != Pose::HERE {
                link.place = FixedPose::of_pose(at.then(&link.place.pose));
            }
            link.parent = parent;
            host.push((kept.len(), Pose::HERE));
            kept.push(link);
        }
        Robot { links: kept, ..self }
    }
}

impl Link {
    fn absorb(&mut self, part: Link, pose: &Pose) {
        if let Some(inertial) = &part.inertial {
            self.add(&inertial.seen_from(pose));
        }
        for shape in part.shapes {
            self.shapes.push(Shape { pose: pose.then(&shape.pose).tidied(), ..shape });
        }
        self.merged.push((part.name, *pose));
        self.merged.extend(part.merged.into_iter().map(|(name, inner)| (name, pose.then(&inner))));
    }
}
