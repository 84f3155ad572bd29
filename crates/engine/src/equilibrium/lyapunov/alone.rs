//! One of the two contacts closed, the other open: accelerations in slip and from rest, and the impact of a contact that comes down
//! alone, without restitution   [CV16 Table 1, section 3.2].

use super::doubt::Doubt;
use super::nearby::{Nearby, Vector, along, dot};

/// What a closed contact does while the other one is open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alone {
    /// It opens at once: its free gap acceleration is positive.
    pub(super) lifts: bool,
    /// Accelerations in slip + and −.
    slips: [Vector; 2],
    /// Acceleration from rest.
    rests: Vector,
    /// The sign of the slip that sets in from rest; 0 if it sticks.
    pub(super) sets_in: f64,
    /// Impulse per unit of closing speed in slip + and −, and in stick or in the slip that is left after a reversal.
    strikes: [Vector; 3],
    /// The slip that is lost per unit of normal impulse, in slip + and −: k+ and k−.
    loses: [f64; 2],
    /// Gap rate per unit normal impulse in slip + and −: p+ and p−.
    gains: [f64; 2],
}

fn side(sign: f64) -> usize {
    usize::from(sign < 0.0)
}

impl Alone {
    /// Of a contact; p+ and p− must be positive and no sign that decides zero.
    pub(super) fn new(nearby: &Nearby, contact: usize, zero: f64) -> Result<Self, Doubt> {
        let (N, T, mu) = (&nearby.N[contact], &nearby.T[contact], nearby.mu[contact]);
        let (B, b) = (dot(N, T), dot(N, &nearby.free));
        let pushes = [1.0, -1.0].map(|sign| nearby.push(contact, sign));
        let (gains, loses) = (pushes.map(|push| dot(N, &push)), [mu - B, mu + B]);
        if gains.iter().any(|p| *p <= zero * (1.0 + mu)) {
            return Err(Doubt::Paradox { contact });
        }
        let slips = [0, 1].map(|k| along(&nearby.free, -b / gains[k], &pushes[k]));
        let starts = slips.map(|slip| dot(T, &slip));
        let size = 1.0 + mu * b.abs() / gains[0].min(gains[1]);
        if b.abs() <= zero || starts.iter().any(|u| u.abs() <= zero * size) {
            return Err(Doubt::Border { contact });
        }
        let determinant = 1.0 - B * B;
        // friction that holds the slip: N and T such that T·z stays
        let holds = along(N, -B, T);
        let sets_in = if starts[0] > 0.0 {
            1.0
        } else if starts[1] < 0.0 {
            -1.0
        } else {
            0.0
        };
        let rests = match sets_in {
            sign if sign > 0.0 => slips[0],
            sign if sign < 0.0 => slips[1],
            _ => held(nearby, contact, determinant),
        };
        let last = if B.abs() <= mu {
            holds.map(|x| x / determinant)
        } else {
            let k = side(B);
            pushes[k].map(|x| x / gains[k])
        };
        let strikes = [pushes[0].map(|x| x / gains[0]), pushes[1].map(|x| x / gains[1]), last];
        Ok(Self { lifts: b > 0.0, slips, rests, sets_in, strikes, loses, gains })
    }

    /// The acceleration in slip.
    pub(super) fn in_slip(&self, sign: f64) -> &Vector {
        &self.slips[side(sign)]
    }

    /// The acceleration from rest.
    pub(super) fn at_rest(&self) -> &Vector {
        &self.rests
    }

    /// The velocity after an impact without restitution at this contact alone: slip, and where it ends on the way stick, or slip the
    /// other way where friction cannot hold it; and whether it ended.
    pub(super) fn struck(&self, nearby: &Nearby, contact: usize, z: &Vector) -> (Vector, bool) {
        let (v, u) = (dot(&nearby.N[contact], z), dot(&nearby.T[contact], z));
        let k = side(u);
        let (whole, until) = (-v / self.gains[k], u.abs() / self.loses[k]);
        if self.loses[k] <= 0.0 || until >= whole {
            return (along(z, -v, &self.strikes[k]), false);
        }
        let middle = along(z, until * self.gains[k], &self.strikes[k]);
        let left = dot(&nearby.N[contact], &middle);
        (along(&middle, -left, &self.strikes[2]), true)
    }
}

/// The acceleration in stick: what is left of the free one across both rows.
fn held(nearby: &Nearby, contact: usize, determinant: f64) -> Vector {
    let (N, T, B) = (&nearby.N[contact], &nearby.T[contact], dot(&nearby.N[contact], &nearby.T[contact]));
    let (b, a) = (dot(N, &nearby.free), dot(T, &nearby.free));
    // [CV16 (21)] with A = C = 1
    let (normal, tangential) = ((B * a - b) / determinant, (B * b - a) / determinant);
    along(&along(&nearby.free, normal, N), tangential, T)
}
