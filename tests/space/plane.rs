//! Two contacts of the plane, and the same in space with a mobility of their own across that is coupled with nothing.

use crate::body::System;
use mechan::contact::{Compliance, Friction, Hold, Laws, Restitution};
use mechan::predict::{ClosedContact, Contacts, Motion, Sized};

/// Laws of a contact.
pub(crate) fn laws(friction: Friction, restitution: Restitution, hold: Hold) -> Laws {
    let compliance = Compliance::new(1.0, 1.0).unwrap();
    Laws { friction, restitution, tangential: 0.0, compliance, hold }
}

/// D by rows N, T of each contact, accelerations without contact forces, and what the contacts are and do.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) D: Vec<f64>,
    pub(crate) free: [f64; 4],
    pub(crate) friction: [Friction; 2],
    pub(crate) holds: [Hold; 2],
    /// Whether each slides in the positive direction.
    pub(crate) slides: [bool; 2],
}

/// The row of the plane that a row of space is.
fn place(i: usize) -> Option<usize> {
    [Some(2 * (i / 3)), Some(2 * (i / 3) + 1), None][i % 3]
}

impl Pair {
    pub(crate) fn in_plane(&self) -> Contacts {
        let closed = |i: usize| ClosedContact {
            laws: laws(self.friction[i], Restitution::Poisson(0.0), self.holds[i]),
            motion: if self.slides[i] { Motion::Slipping([1.0, 0.0]) } else { Motion::Resting },
        };
        let sized = |values| Sized { values, sizes: &[] };
        Contacts::new(vec![closed(0), closed(1)], sized(&self.D), sized(&self.free))
    }

    pub(crate) fn in_space(&self) -> System {
        let entry = |i: usize, j: usize| match (place(i), place(j)) {
            (Some(i), Some(j)) => self.D[4 * i + j],
            _ => f64::from(u8::from(i == j)),
        };
        let free: Vec<f64> = (0..6).map(|i| place(i).map_or(0.0, |i| self.free[i])).collect();
        System {
            D: (0..6).map(|i| (0..6).map(|j| entry(i, j)).collect()).collect(),
            sizes: free.iter().map(|x| x.abs()).collect(),
            free,
            mu: self.friction.map(|f| f.mu()).to_vec(),
            holds: self.holds.to_vec(),
            along: self.slides.map(|slides| slides.then_some([1.0, 0.0])).to_vec(),
        }
    }
}
