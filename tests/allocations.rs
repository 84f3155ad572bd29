//! What a loop calls allocates nothing after its first call, interpreted or as machine code.
//!
//! Each piece is counted by itself, on one thread.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

use allocation_counter::measure;
use mechan::analysis::planar::{Point, Verdict, Verdicts};
use mechan::contact::{Friction, Mode};
use mechan::model::{Block, Model, ModelFile, Output};
use mechan::num::Tol;
use mechan::simulate::{ContactMotion, SmoothMotion};
use std::hint::black_box;

const PENCIL: &str = include_str!("../benches/models/falling_pencil.json");
const ROD: &str = include_str!("../benches/models/painleve_rod.json");
const ARM: &str = include_str!("../benches/models/two_link_manipulator.json");

fn model(file: &str) -> Model {
    ModelFile::read(file).unwrap().model
}

/// Allocations of calls after the first.
fn allocations(mut call: impl FnMut()) -> u64 {
    call();
    measure(|| (0..10).for_each(|_| call())).count_total
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(black_box(vec![1.0; 3]))), 10);
}

/// t, q, v, parameters; the pencil's, whose contact is its tip.
struct Case {
    q: [f64; 3],
    v: [f64; 3],
    mu: f64,
    expected: Option<Verdict>,
}

/// m, l, g, I, mu, e.
const PARAMETERS: [f64; 6] = [1.0, 1.0, 9.81, 1.0 / 3.0, 0.9, 0.5];

/// In flight, pressed and lifted in the paradox, at rest, at the edge p+ = 0, inside the floor.
fn cases() -> [Case; 6] {
    let lean = 0.5_f64.atan();
    let lifting = (2.0 * 9.81 / lean.cos()).sqrt();
    let case = |y: f64, theta: f64, u: f64, omega: f64, mu: f64, expected| Case {
        q: [0.0, y, theta],
        v: [u, 0.0, omega],
        mu,
        expected,
    };
    [
        case(0.3, 0.4, 1.0, 0.2, 0.9, Some(Verdict::Consistent)),
        case(0.0, lean, 1.0, 0.0, 1.5, Some(Verdict::Inconsistent)),
        case(0.0, lean, 1.0, lifting, 1.5, Some(Verdict::Indeterminate)),
        case(0.0, 0.2, 0.0, 0.0, 0.9, Some(Verdict::Consistent)),
        case(0.0, lean, 1.0, 0.0, 4.0 / 3.0, Some(Verdict::Marginal)),
        case(-0.1, 0.2, 0.0, 0.0, 0.9, None),
    ]
}

#[test]
fn a_verdict_allocates_nothing() {
    let interpreted = Verdicts::new(&model(PENCIL), 0);
    for verdicts in [interpreted.clone(), interpreted.compiled()] {
        let mut values = verdicts.values(&PARAMETERS);
        for Case { q, v, mu, expected } in cases() {
            let (friction, tol) = (Friction::new(mu).unwrap(), Tol::default());
            let point = Point { t: 0.0, q: &q, v: &v };
            let mut found = None;
            let count = allocations(|| {
                found = verdicts.at(friction, black_box(point), 1.0, &tol, &mut values).unwrap();
            });
            assert_eq!((count, found), (0, expected), "{q:?} {v:?} {mu}");
        }
    }
}

#[test]
fn a_right_hand_side_allocates_nothing_in_any_mode() {
    for file in [PENCIL, ROD, ARM] {
        let model = model(file);
        let (n, parameters) = (model.layout().coordinates, model.layout().parameters);
        let also = [Block::Model(Output::Gap), Block::GapVelocity, Block::Slip];
        let interpreted = SmoothMotion::new(&model, &also);
        for motion in [interpreted.clone(), interpreted.compiled()] {
            let mut work = motion.work(&vec![1.3; parameters]);
            let y: Vec<f64> = (0..2 * n).map(|i| 0.3 + 0.1 * i as f64).collect();
            let (mut rate, friction) = (vec![0.0; 2 * n], Friction::new(0.3).unwrap());
            for mode in Mode::ALL {
                let contacts = [ContactMotion::of(mode, friction)];
                let count = allocations(|| {
                    motion.rate(0.0, black_box(&y), &contacts, &mut rate, &mut work).unwrap();
                });
                assert_eq!(count, 0, "{}", mode.name());
                assert!(rate.iter().all(|x| x.is_finite()));
            }
        }
    }
}
