//! Mechanisms of the plane that are described in space, where no contact point can move across: their twins of the plane are the judges.

use super::{Mover, at, events, kinds};
use mechan::simulate::trajectory::EventKind::Impact;
use mechan::simulate::trajectory::{EventDetail, Pair};

#[test]
fn a_rod_that_cannot_move_across_bounces_as_in_the_plane() {
    let [space, plane] =
        ["of", "in"].map(|word| Mover::of(&format!("tests/simulate/models/rod_{word}_the_plane.json")));
    for mu in [0.0, 0.3, 0.6, 1.0, 3.0] {
        for law in ["e=0", "e=1/2", "e=0.9"] {
            let [one, other] =
                [&space, &plane].map(|mover| mover.run("thrown", &[&format!("mu={mu}"), law], 5.0));
            assert_eq!(one.status, other.status, "{mu} {law}: {:?}", one.reason);
            assert_eq!(kinds(&one), kinds(&other), "{mu} {law}");
            assert!(!events(&one, Impact).is_empty());
            for (x, y) in one.events.iter().zip(&other.events) {
                let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-7, "{mu} {law}: {x} {y} at {:?}", x);
                near(x.t.0, y.t.0);
                for name in ["x", "z", "theta"] {
                    let (x, y) = (at(x, name), at(y, name));
                    near(x[0], y[0]);
                    near(x[1], y[1]);
                }
                // how several share an impulse is not unique
                if let (EventDetail::Impact(x), EventDetail::Impact(y)) = (&x.detail, &y.detail)
                    && x.law == "poisson"
                {
                    near(x.impulse.normal.0, y.impulse.normal.0);
                    near(x.energy_loss.0, y.energy_loss.0);
                    let (Pair::Two([along, across]), Pair::One(own)) =
                        (x.impulse.tangential, y.impulse.tangential)
                    else {
                        panic!()
                    };
                    near(along.0, own.0);
                    near(across.0, 0.0);
                }
            }
        }
    }
}
