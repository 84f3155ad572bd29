//! One step of a wall of bricks in the plane under gravity, as an incremental problem.

use super::random::Random;
use mechan::coulomb::{Global, Problem};
use mechan::linear::Sparse;

const GRAVITY: f64 = 9.81;
const STEP: f64 = 1e-3;
/// Size of the random part of every velocity before the step, relative to the one that gravity adds in it.
const NOISE: f64 = 0.5;
/// Half the sides of a brick.
const HALF: [f64; 2] = [1.0, 0.5];

/// A contact: places in the bodies (the lower one may be the ground), and its normal axis.
struct Joint {
    upper: (usize, [f64; 2]),
    lower: Option<(usize, [f64; 2])>,
    normal: usize,
}

/// `courses` of `columns` bricks in running bond, four points under every brick and two beside it.
pub(crate) fn masonry((courses, columns): (usize, usize), friction: [f64; 2], seed: u64) -> Problem {
    let mut random = Random::new(seed);
    let joints = joints(courses, columns);
    let (mut mass, mut f) = (Vec::new(), Vec::new());
    for _ in 0..courses * columns {
        let m = random.factor([0.5, 2.0]);
        let turning = m * (HALF[0] * HALF[0] + HALF[1] * HALF[1]) / 3.0;
        for (k, m) in [m, m, turning].into_iter().enumerate() {
            let before = NOISE * GRAVITY * STEP * random.between([-1.0, 1.0]);
            f.push(-m * (before - if k == 1 { GRAVITY * STEP } else { 0.0 }));
            mass.push(m);
        }
    }
    let mu: Vec<f64> = joints.iter().map(|_| random.between(friction)).collect();
    let places: Vec<usize> = (0..mass.len()).collect();
    let M = Sparse::from_coordinates("M", (mass.len(), mass.len()), &places, &places, &mass).unwrap();
    let w = vec![0.0; 2 * joints.len()];
    Problem::global(2, mu, Global { M, Ht: jacobian(mass.len(), &joints), f, w }).unwrap()
}

fn joints(courses: usize, columns: usize) -> Vec<Joint> {
    let mut joints = Vec::new();
    for course in 0..courses {
        for column in 0..columns {
            let brick = course * columns + column;
            for x in [-0.9, -0.1, 0.1, 0.9] {
                joints.extend(bed(brick, x, course, column, columns));
            }
            for y in [-0.4, 0.4].into_iter().filter(|_| column + 1 < columns) {
                joints.push(Joint {
                    upper: (brick + 1, [-HALF[0], y]),
                    lower: Some((brick, [HALF[0], y])),
                    normal: 0,
                });
            }
        }
    }
    joints
}

/// The point at x of a brick's lower face, if something is below it. Odd courses are shifted by half a brick.
fn bed(brick: usize, x: f64, course: usize, column: usize, columns: usize) -> Option<Joint> {
    let upper = (brick, [x, -HALF[1]]);
    if course == 0 {
        return Some(Joint { upper, lower: None, normal: 1 });
    }
    let shift = |course: usize| if course % 2 == 1 { HALF[0] } else { 0.0 };
    let along = 2.0 * HALF[0] * column as f64 + shift(course) + x - shift(course - 1);
    let below = (along / (2.0 * HALF[0])).round();
    let inside = below >= 0.0 && below < columns as f64;
    inside.then(|| {
        let lower = ((course - 1) * columns + below as usize, [along - 2.0 * HALF[0] * below, HALF[1]]);
        Joint { upper, lower: Some(lower), normal: 1 }
    })
}

fn jacobian(size: usize, joints: &[Joint]) -> Sparse {
    let (mut rows, mut cols, mut vals) = (Vec::new(), Vec::new(), Vec::new());
    for (contact, joint) in joints.iter().enumerate() {
        for (k, axis) in [joint.normal, 1 - joint.normal].into_iter().enumerate() {
            for (sign, (body, arm)) in
                [(1.0, Some(joint.upper)), (-1.0, joint.lower)].iter().filter_map(|(s, b)| Some((*s, (*b)?)))
            {
                // e·(V + Ω e_z × arm)
                let moment = if axis == 0 { -arm[1] } else { arm[0] };
                for (j, x) in [(axis, 1.0), (2, moment)] {
                    rows.push(3 * body + j);
                    cols.push(2 * contact + k);
                    vals.push(sign * x);
                }
            }
        }
    }
    Sparse::from_coordinates("H", (size, 2 * joints.len()), &rows, &cols, &vals).unwrap()
}
