//! The closed forms, by other routes: the printed solution of the ball, and the motion from event to event.

use super::Kept;
use mechan::model::State;
use mechan::simulate::converge::{ReferenceKind, closed_form};

fn state(q: f64, parameters: &[f64]) -> State {
    State { t: 0.0, q: vec![q, 0.0], v: vec![0.0; 2], parameters: parameters.to_vec() }
}

/// [A09 (10)].
fn ball(t: f64) -> [f64; 2] {
    if t < 1.0 {
        return [1.0 - t * t, -2.0 * t];
    }
    if t >= 3.0 {
        return [0.0; 2];
    }
    let n = (0..64).find(|&n| t < 3.0 - 0.5_f64.powi(n)).unwrap();
    let m = 0.5_f64.powi(n);
    let q = -(t - 3.0).powi(2) - 3.0 * m * (t - 1.0) + 2.0 * m * (3.0 - m);
    [q, -2.0 * (t - 3.0) - 3.0 * m]
}

#[test]
fn the_ball_is_that_of_the_paper() {
    let kept = Kept::ball();
    let found = closed_form(kept.derived.model(), &state(1.0, &[-2.0, 0.5]), 0.5, 4.0).unwrap();
    assert_eq!(found.kind, ReferenceKind::Exact);
    assert!(found.jumps().len() > 40 && found.error < 1e-12);
    for (n, jump) in found.jumps().iter().take(40).enumerate() {
        let t = 3.0 - 2.0 * 0.5_f64.powi(n as i32);
        assert!((jump.t - t).abs() < 1e-14, "{n}: {}", jump.t);
        assert!((jump.right.v[0] + 0.5 * jump.left.v[0]).abs() < 1e-14);
    }
    for k in 0..400 {
        // no time of an impact
        let t = 4.0 * (f64::from(k) + 0.3) / 401.0;
        let ([q, v], sample) = (ball(t), found.at(t));
        assert!(
            (sample.q[0] - q).abs() < 1e-14 && (sample.v[0] - v).abs() < 1e-13,
            "{t}: {sample:?} {q} {v}"
        );
    }
}

#[test]
fn the_oscillator_is_that_of_the_event_driven_integrator() {
    let kept = Kept::oscillator();
    let found = closed_form(kept.derived.model(), &state(1.0, &[1.0, 0.2, 1.0, 0.5]), 0.5, 10.0).unwrap();
    let followed = kept.run("event", "stretched", 1.0, 10.0);
    assert_eq!(found.jumps().len(), 3);
    for row in &followed.rows {
        let sample = found.at(row[0].0);
        assert!((sample.q[0] - row[1].0).abs() < 1e-11, "{row:?}");
        assert!((sample.v[0] - row[3].0).abs() < 1e-11, "{row:?}");
    }
}

/// Coordinates that feel each other, or a gap that turns, have none.
#[test]
fn other_mechanisms_have_no_closed_form() {
    let kept = Kept::at("tests/converge/models/double_pendulum_wall.json");
    let state = State {
        t: 0.0,
        q: vec![-0.7; 2],
        v: vec![0.0; 2],
        parameters: vec![1.0, 1.0, 1.0, 1.0, 9.81, 0.5, 0.0, 0.8],
    };
    assert_eq!(closed_form(kept.derived.model(), &state, 0.8, 1.0), None);
}
