//! Stop expressions end a motion where they fall through zero, by every scheme, whatever their size was before.

use super::event::{Mover, asked, assert_near, last};
use mechan::Trajectory;
use mechan::pipeline::{Scheme, SimulateOptions};
use mechan::simulate::trajectory::{EventKind, Status};

/// The pencil of the given friction that leans by a tenth and falls, by a scheme.
fn falls(scheme: &str, stop: &str) -> Trajectory {
    let scheme: Scheme = scheme.parse().unwrap();
    let (step, eps) = match scheme {
        Scheme::Event => (None, Vec::new()),
        Scheme::Compliant => (None, vec![1e-4]),
        _ => (Some(1e-3), Vec::new()),
    };
    let set = ["mu=0.3", "x=0", "y=0", "theta=0.1", "dot(x)=0", "dot(y)=0", "dot(theta)=0"];
    let asked = asked("balanced", &set, 1.0);
    let options = SimulateOptions { scheme, step, eps, stop: Some(stop.to_string()), ..asked };
    Mover::kept("falling_pencil").try_run(&options).unwrap()
}

const SCHEMES: [&str; 3] = ["event", "compliant", "moreau"];

/// Parts that have been far larger change nothing of where the rest falls through zero.
#[test]
fn a_stop_expression_may_have_been_of_any_size() {
    let exact = falls("event", "0.3 - theta").events.last().unwrap().t.0;
    for large in [
        "exp(60*(0.4 - t))",
        "exp(200*(0.9 - t))*exp(-100)",
        "1e12*(0.3 - t + abs(0.3 - t))",
        "exp(2000*(0.5 - t))",
    ] {
        for scheme in SCHEMES {
            let motion = falls(scheme, &format!("0.3 - theta + {large}"));
            assert_eq!(motion.status, Status::Stopped, "{scheme} {large}");
            let allowed = if scheme == "moreau" { 2e-3 } else { 1e-6 };
            assert_near(motion.events.last().unwrap().t.0, exact, allowed);
        }
    }
}

/// One that is zero or below at first ends nothing until it has been above.
#[test]
fn a_stop_expression_has_to_rise_before_it_falls() {
    for scheme in SCHEMES {
        assert_eq!(falls(scheme, "0.1 - theta").status, Status::End, "{scheme}");
        assert_eq!(falls(scheme, "-1").status, Status::End, "{scheme}");
        let motion = falls(scheme, "(theta - 0.2)*(0.4 - theta)");
        assert_eq!(motion.events.last().unwrap().kind, EventKind::Stop, "{scheme}");
        assert_near(last(&motion, "theta")[0], 0.4, if scheme == "moreau" { 2e-3 } else { 1e-9 });
    }
}

/// A dip below zero that is over within a step of the integrator is not passed by.
#[test]
fn a_short_dip_stops() {
    for scheme in ["event", "compliant"] {
        let motion = falls(scheme, "(theta - 0.3)^2 - 1e-6");
        assert_near(last(&motion, "theta")[0], 0.3 - 1e-3, 1e-9);
    }
}
