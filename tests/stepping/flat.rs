//! A rod that lies flat on a shaken floor.

use crate::{Asked, assert_near, last};
use mechan::simulate::trajectory::Status;
use mechan::stepping::SchemeName;

/// A rod lies on a floor that is shaken with less than gravity: it stays on it, and friction under the weight that the floor makes ends its slip, after which
/// nothing along the floor is left but rounding.
#[test]
fn what_lies_flat_on_a_shaken_floor_stays_there_by_every_scheme() {
    let (amplitude, frequency, mu, g): (f64, f64, f64, f64) = (0.05, 12.0, 0.3, 10.0);
    let slip = |t: f64| 0.5 - mu * (g * t + amplitude * frequency * ((frequency * t).cos() - 1.0));
    let stop = (0..60).fold((0.0, 1.0), |(low, high), _| {
        let middle = 0.5 * (low + high);
        if slip(middle) > 0.0 { (middle, high) } else { (low, middle) }
    });
    let t = stop.0;
    let way =
        0.5 * t - mu * (g * t * t / 2.0 + amplitude * (frequency * t).sin() - amplitude * frequency * t);
    let set = ["A=0.05", "w=12", "y=0", "dot(y)=0.6", "dot(x)=0.5"];
    for scheme in SchemeName::ALL {
        let asked = Asked {
            file: "tests/ordinary/models/corner.json",
            state: "start",
            set: &set,
            scheme,
            step: 1e-3,
            t_end: 2.0,
            theta: 0.5,
        };
        let motion = asked.run();
        assert_eq!(motion.status, Status::End, "{scheme:?}: {:?}", motion.reason);
        assert_near(last(&motion, "x"), 10.0 + way, 2e-3, &format!("{scheme:?}: x"));
        let floor = amplitude * (frequency * last(&motion, "t")).sin();
        assert_near(last(&motion, "y"), floor, 2e-3, &format!("{scheme:?}: y"));
        assert_near(last(&motion, "theta"), 0.0, 1e-9, &format!("{scheme:?}: theta"));
    }
}
