//! Tables of cases with worked answers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

use mechan::analysis::ContactStatus;
use mechan::contact::{Friction, Planar, Scaled};
use mechan::num::Tol;
use mechan::predict::{Consistency, OneContact, Signs};

const INF: f64 = f64::INFINITY;

/// Name; B, a, b, μ, u of a contact with A = C = 1; strictly consistent modes, verdict, cell, what can follow.
type Case = (&'static str, f64, f64, f64, f64, f64, &'static str, &'static str, &'static str, &'static str);

// Worked by hand:
// μ = 2, B = 0.9: p+ = −0.8, p− = 2.8, k+ = 1.1, k− = 2.9, σ+ = −0.8 a + 1.1 b, σ− = 2.8 a − 2.9 b.
// μ = 0.5, B = 0.3: p+ = 0.85, p− = 1.15, k+ = 0.2, k− = 0.8, σ+ = 0.85 a + 0.2 b, σ− = 1.15 a − 0.8 b.
// B = −0.9 is the mirror image of B = 0.9.
#[rustfmt::skip]
const PLANAR: [Case; 23] = [
    ("lift-off",  0.3,  0.0,  1.0, 0.5,  1.0, "F", "consistent", "I(i)", "free"),
    ("slip",  0.3,  0.0, -1.0, 0.5,  1.0, "P", "consistent", "I(iv)", "slip+"),
    ("slip back",  0.3,  0.0, -1.0, 0.5, -1.0, "N", "consistent", "III(iv)", "slip-"),
    ("stick",  0.3,  0.0, -1.0, 0.5,  0.0, "T", "consistent", "II(iv)", "stick"),
    ("slip starts",  0.3,  1.0, -1.0, 0.5,  0.0, "P", "consistent", "II(iv)", "slip+"),
    ("slip starts back",  0.3, -1.0, -1.0, 0.5,  0.0, "N", "consistent", "II(iv)", "slip-"),
    ("paradox pressed",  0.9,  0.0, -1.0, 2.0,  1.0, "", "inconsistent", "I(vi)", "iwc"),
    ("paradox lifted",  0.9,  0.0,  1.0, 2.0,  1.0, "FP", "indeterminate", "I(iii)", "free iwc"),
    ("dragged",  0.9,  0.0, -1.0, 2.0, -1.0, "N", "consistent", "III(vi)", "slip-"),
    ("stick in the paradox",  0.9,  0.0, -1.0, 2.0,  0.0, "T", "consistent", "II(vi)", "stick"),
    ("only one way out",  0.9, -2.0, -1.0, 2.0,  0.0, "N", "consistent", "II(vi)", "slip-"),
    ("lifted at rest",  0.9,  0.0,  1.0, 2.0,  0.0, "F", "consistent", "II(iii)", "free"),
    ("wedged at rest",  0.9,  2.0,  1.0, 2.0,  0.0, "FPT", "indeterminate", "II(iii)", "free stick"),
    ("mirrored paradox", -0.9,  0.0, -1.0, 2.0, -1.0, "", "inconsistent", "III(v)", "iwc"),
    ("mirrored lift", -0.9,  0.0,  1.0, 2.0, -1.0, "FN", "indeterminate", "III(ii)", "free iwc"),
    ("mirrored wedge", -0.9, -2.0,  1.0, 2.0,  0.0, "FNT", "indeterminate", "II(ii)", "free stick"),
    ("mirrored way out", -0.9,  2.0, -1.0, 2.0,  0.0, "P", "consistent", "II(v)", "slip+"),
    ("weightless",  0.3,  0.0,  0.0, 0.5,  1.0, "", "consistent", "", "free slip+"),
    ("cone edge",  0.0,  0.5, -1.0, 0.5,  0.0, "", "consistent", "II(iv)", "slip+ stick"),
    ("vanishing gain",  0.5,  0.0, -1.0, 2.0,  1.0, "", "marginal", "", ""),
    ("frictionless push",  0.3,  1.0, -1.0, 0.0,  0.0, "P", "consistent", "II(iv)", "slip+"),
    ("unlimited friction holds",  0.9,  1.0, -1.0, INF,  0.0, "T", "consistent", "II(vi)", "stick"),
    ("unlimited friction lets go",  0.9, -2.0, -1.0, INF,  0.0, "N", "consistent", "II(vi)", "slip-"),
];

#[test]
fn planar_contacts_answer_as_worked_by_hand() {
    for (name, B, a, b, mu, u, strict, verdict, cell, resolved) in PLANAR {
        let planar = Planar::new(1.0, B, 1.0, a, b).with_scales(1.0, 1.0);
        let (friction, tol) = (Friction::new(mu).unwrap(), Tol::default());
        let (closed, slip) = (Scaled::exact(0.0), [u, 0.0]);
        let stands = ContactStatus::of(closed, Scaled { value: 0.0, scale: 1.0 }, slip, &tol);
        let column = stands.column().unwrap();
        let found = OneContact::new(&planar, friction, column, &tol);
        let consistent = Signs::of(&planar, friction, &tol).modes(column, Consistency::Yes);
        assert_eq!(consistent.to_string(), strict, "{name}");
        assert_eq!(serde_json::to_value(found.verdict()).unwrap(), verdict, "{name}");
        let place = found.cell().map(|cell| format!("{}({})", cell.column.name(), cell.row.name()));
        assert_eq!(place.unwrap_or_default(), cell, "{name}");
        let follows: Vec<&str> = found.resolved().map(|outcome| outcome.name()).collect();
        assert_eq!(follows.join(" "), resolved, "{name}");
    }
}
