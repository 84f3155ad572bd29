//! A box that strikes the floor with a whole face while it slides: velocities after the impact depend on impulses that are not unique. They are those
//! of contacts that give a little, in the limit of rigidity, whatever the corners are called.

use crate::body::laws;
use mechan_contact::answer::solve;
use mechan_contact::contact::{Laws, Restitution};
use mechan_contact::coulomb::{Outcome, Problem, Request};
use mechan_engine::impact::{Group, JointLaw};
use mechan_num::random::Stream;
use nalgebra::{DMatrix, DVector};

const E: f64 = 0.3;
const MU: f64 = 0.4;
/// Orders of the corners.
const ORDERS: [[usize; 4]; 3] = [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0]];

/// D and the velocities of the four lower corners of a box of unit mass, by its half sides and its velocity (v, ω).
fn struck([a, b, h]: [f64; 3], v: &DVector<f64>, order: [usize; 4]) -> (DMatrix<f64>, DVector<f64>) {
    let corners = [[-a, -b], [a, -b], [-a, b], [a, b]];
    let rows: Vec<[f64; 6]> = order
        .iter()
        .map(|&corner| corners[corner])
        .flat_map(|[x, y]| {
            let (normal, one) = ([0.0, 0.0, 1.0, y, -x, 0.0], [1.0, 0.0, 0.0, 0.0, -h, -y]);
            [normal, one, [0.0, 1.0, 0.0, h, 0.0, x]]
        })
        .collect();
    let G = DMatrix::from_fn(12, 6, |i, j| rows[i][j]);
    let inertia = [1.0, 1.0, 1.0, (b * b + h * h) / 3.0, (a * a + h * h) / 3.0, (a * a + b * b) / 3.0];
    let inverse = DMatrix::from_diagonal(&DVector::from_iterator(6, inertia.map(f64::recip)));
    (&G * inverse * G.transpose(), G * v)
}

/// The velocities of the corners after the impact, in the order in which they were struck.
fn after(D: &DMatrix<f64>, before: &DVector<f64>) -> Vec<f64> {
    let law = Laws { restitution: Restitution::Newton(E), ..laws(MU) };
    let group = Group { D: D.as_slice(), laws: &[&law; 4], before: before.as_slice() };
    group.impact(JointLaw::Moreau).unwrap().after
}

/// The same where each corner gives by its impulse times `give`: then the impulses are unique.
fn giving(D: &DMatrix<f64>, before: &DVector<f64>, give: f64) -> Option<DVector<f64>> {
    let W: Vec<Vec<f64>> =
        (0..12).map(|i| (0..12).map(|j| D[(i, j)] + if i == j { give } else { 0.0 }).collect()).collect();
    let returned = |(i, u): (usize, &f64)| if i % 3 == 0 { u + E * u.min(0.0) } else { *u };
    let q: Vec<f64> = before.iter().enumerate().map(returned).collect();
    let problem = Problem::from_dense_local(vec![MU; 4], &W, q).unwrap();
    let found = solve(&problem, &Request { tolerance: 1e-12, ..Request::default() }).unwrap();
    (found.outcome == Outcome::Solved).then(|| before + D * DVector::from_vec(found.r))
}

#[test]
fn a_face_that_strikes_while_it_slides_obeys_its_stiffnesses() {
    let mut random = Stream(35);
    let (mut compared, mut dependent) = (0, 0);
    for _ in 0..60 {
        let half = [0.5, random.within(0.3, 0.7), random.within(0.2, 0.8)];
        // turning about an edge that is on the floor, and sliding
        let turn = random.within(0.5, 2.0);
        let v = DVector::from_vec(vec![
            random.within(-1.0, 1.0),
            random.within(-1.0, 1.0),
            -turn * half[0],
            0.0,
            turn,
            random.within(-1.0, 1.0),
        ]);
        let found: Vec<Vec<f64>> = ORDERS
            .iter()
            .map(|&order| {
                let (D, before) = struck(half, &v, order);
                let after = after(&D, &before);
                let of = |corner: usize| order.iter().position(|&c| c == corner).unwrap();
                (0..4).flat_map(|corner| after[3 * of(corner)..3 * of(corner) + 3].to_vec()).collect()
            })
            .collect();
        for other in &found[1..] {
            let off = found[0].iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-9, "{off:e}: {half:?} {v:?}");
        }
        let (D, before) = struck(half, &v, ORDERS[0]);
        let limit = [1e-4, 1e-5].map(|give| giving(&D, &before, give));
        if let [Some(soft), Some(stiff)] = limit {
            let exact = DVector::from_vec(found[0].clone());
            let [far, near] = [soft, stiff].map(|u| (u - &exact).amax());
            assert!(near < 1e-3 && near <= 0.2 * far + 1e-8, "{far:e} {near:e}: {half:?} {v:?}");
            compared += 1;
            dependent += usize::from(far > 1e-6);
        }
    }
    assert!(compared > 50 && dependent > 30, "{compared} {dependent}");
}
