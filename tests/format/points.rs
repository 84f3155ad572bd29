//! Which contact points belong to a body, and what names of velocities mean.

use crate::shared::{PLANE, checked, faults};
use mechan::format::Override;

/// A body with a contact at this point, with a rotation or without.
fn body(point: &str, rotation: &str) -> String {
    format!(
        "mechan: 1\nname: body\nspace: plane\nparameters: {{m: 1, J: 0.1, R: 0.3, mu: 0.4}}\ncoordinates: [x, y, th]\n\
         bodies:\n  wheel: {{mass: m, inertia: J, position: [x, y - R*th], rotation: {rotation}}}\n\
         contacts: {{ground: {{point: {point}, surface: {{point: [0, 0], normal: [0, 1]}}, friction: mu}}}}\n"
    )
}

fn codes(text: &str) -> Vec<&'static str> {
    faults(text.as_bytes()).1.iter().map(|found| found.code).collect()
}

#[test]
fn points_that_no_body_carries_are_told() {
    for k in 1..20_u32 {
        let (a, b) = (0.1 * f64::from(k) - 0.7, 0.3 * f64::from(k % 7) - 0.9);
        let beside = format!("[x + {a}, y - R*th + {b}]");
        let material = format!("[x + {a}*cos(th) - {b}*sin(th), y - R*th + {a}*sin(th) + {b}*cos(th)]");
        assert_eq!(codes(&body(&beside, "th")), ["M219"], "{beside}");
        // what does not turn carries the point beside it, and what turns the one that turns with it
        assert!(codes(&body(&beside, "0")).is_empty(), "{beside}");
        assert!(codes(&body(&material, "th")).is_empty(), "{material}");
        assert_eq!(codes(&body(&material, "-th")), ["M219"], "{material}");
        // a place of its own is a peg, and what is given in a body is the body's
        assert!(codes(&body(&format!("[{a}, {b}]"), "th")).is_empty());
        assert!(codes(&body(&format!("{{body: wheel, at: [{a}, {b}]}}"), "th")).is_empty());
    }
    // of energies nobody knows whose they are
    let energy = body("[x, y]", "th") + "energy: {kinetic: m*dot(x)^2/2}\n";
    assert!(codes(&energy).is_empty());
}

#[test]
fn names_of_velocities_lead_to_their_form() {
    let mechanism = checked(PLANE).mechanism;
    for name in ["v.x", "v_x", "vx", "x.v", "xdot", "x_dot", "dx", "d_x", "dot_x", "x'"] {
        let found = Override::parse(&mechanism, &format!("{name}=1")).unwrap_err();
        assert_eq!(
            (found.code, found.hint.as_deref()),
            ("M305", Some("the velocity of `x` is `dot(x)`")),
            "{name}"
        );
        let text = PLANE.replace("{q:", &format!("{{v: {{\"{name}\": 1}}, q:"));
        let (_, all) = faults(text.as_bytes());
        let told = all.iter().any(|d| d.hint.as_ref().is_some_and(|hint| hint.contains("`v: {x: ...}`")));
        assert!(told, "{name}: {all:?}");
    }
    let found = Override::parse(&mechanism, "nu=1").unwrap_err();
    assert!(found.hint.is_some_and(|hint| hint.contains("`mu`")));
}
