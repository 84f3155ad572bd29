//! Steps near attitudes that Euler angles do not determine: two billiard balls, of which one rolls through such an attitude of its own.

use crate::{Asked, column, last};
use mechan::simulate::trajectory::{EventKind, Status, Trajectory};
use mechan::stepping::SchemeName;

const BALLS: &str = "tests/stepping/models/two_balls.json";
/// The balls' radius.
const R: f64 = 0.0286;

fn rolled(state: &'static str, scheme: SchemeName, step: f64) -> Trajectory {
    Asked { file: BALLS, state, set: &[], scheme, step, t_end: 0.6, theta: 0.5 }.run()
}

/// The same balls a quarter of a turn about the vertical away, where the rolling ball's angle leads past no such attitude: in the limit the same
/// motion, the steps differing by O(h). The blow itself is known: the distance of the centres is 2 R where the cue ball has come to
/// x = 0.3 − √(4 − 1/4) R.
#[test]
fn a_ball_that_rolls_through_a_pole_of_its_angles_goes_on() {
    let blow = 0.3 - (4.0_f64 - 0.25).sqrt() * R;
    let differ = [1e-3, 1e-4].map(|h| {
        let [through, past] = ["rolling", "across"].map(|state| rolled(state, SchemeName::Moreau, h));
        assert_eq!((through.status, past.status), (Status::End, Status::End), "{h}: {:?}", through.reason);
        // a quarter of a turn takes 0.045 s
        assert!(column(&through, "theta1").iter().any(|theta| *theta > 2.0), "it turned");
        for (t, x) in column(&through, "t").iter().zip(column(&through, "x1")) {
            assert!(*t > blow || (x - t).abs() < 1e-12, "it rolls at 1 m/s: {t} {x}");
        }
        let impact = through.events.iter().find(|event| event.kind == EventKind::Impact).unwrap();
        assert!((impact.t.0 - blow).abs() < 2.0 * h, "{h}: {}", impact.t.0);
        let miss = |ball: usize| {
            let at = |motion: &Trajectory, name: &str| last(motion, &format!("{name}{ball}"));
            let x = at(&through, "x") - at(&past, "y");
            x.hypot(at(&through, "y") + at(&past, "x"))
        };
        miss(1).max(miss(2))
    });
    assert!(differ[0] < 1e-3 && differ[1] < 0.2 * differ[0], "{differ:?}");
}

/// Beside a pole angles turn at a rate that a step has to resolve: what does not says where it is, and what to do; shorter steps do.
#[test]
fn steps_too_long_for_the_distance_from_a_pole_say_so() {
    let motion = rolled("tilted", SchemeName::Moreau, 1e-3);
    assert_eq!(motion.status, Status::Failed);
    let reason = motion.reason.as_ref().unwrap();
    for expected in
        ["at theta1 = 1.5", "phi1 moves the mechanism nearly as psi1 does", "other axes", "shorter --step"]
    {
        assert!(reason.contains(expected), "{reason} without {expected}");
    }
    // cos² θ of the inertia is left, θ being that of the last row
    let left = last(&motion, "theta1").cos().powi(2);
    assert!(reason.contains(&format!("{left:.1e} is left")), "{reason}: {left:e}");
    assert_eq!(rolled("tilted", SchemeName::Moreau, 1e-4).status, Status::End);
}
