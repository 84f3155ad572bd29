//! The rod in space by Newton's and Euler's laws, with vectors, and in the closed forms of the plane of its heading.
//!
//! With e the unit vector from the centre of mass to the tip and I = m l²/3 about every transverse axis, an impulse f
//! at the tip turns the rod at (l e × f)/I, which has no part along e, so that the tip's velocity changes by
//! f/m + ((l e × f)/I) × l e = ((1/m + l²/I) 1 − (l²/I) e eᵀ) f = ((4·1 − 3 e eᵀ)/m) f.
//! Without contact ė turns uniformly about the centre, ë = −|ė|² e.

use super::states::{Said, Source, states};
use serde_json::Value;

const CLOSE: f64 = 1e-12;

type Vector = [f64; 3];

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// N, T1, T2 of the plane z = 0.
const AXES: [Vector; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// A state of the rod.
struct Rod {
    m: f64,
    l: f64,
    g: f64,
    psi: f64,
    theta: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Rod {
    fn of(said: &Said) -> Self {
        let parameter = |name: &str| said.numbers["parameters"][name].as_f64().unwrap();
        let (m, l, g) = (parameter("m"), parameter("l"), parameter("g"));
        assert!((parameter("I") - m * l * l / 3.0).abs() < CLOSE);
        let (q, v) = (said.at.q.clone(), said.at.v.clone());
        Self { m, l, g, psi: q[3], theta: q[4], q, v }
    }

    /// I, transverse.
    fn inertia(&self) -> f64 {
        self.m * self.l * self.l / 3.0
    }

    fn e(&self) -> Vector {
        let ((sp, cp), (st, ct)) = (self.psi.sin_cos(), self.theta.sin_cos());
        [cp * ct, sp * ct, -st]
    }

    /// ω × e with ω = ψ̇ e_z + θ̇ (−sin ψ, cos ψ, 0).
    fn swing(&self) -> Vector {
        let (s, c) = self.psi.sin_cos();
        cross([-self.v[4] * s, self.v[4] * c, self.v[3]], self.e())
    }

    /// The change of the tip's velocity along `a` by a unit impulse along `b`, by Newton and Euler.
    fn mobility(&self, a: Vector, b: Vector) -> f64 {
        let arm = self.e().map(|x| self.l * x);
        let turned = cross(arm, b).map(|x| x / self.inertia());
        dot(a, b) / self.m + dot(a, cross(turned, arm))
    }

    /// The tip's acceleration in free flight along `a`.
    fn flight(&self, a: Vector) -> f64 {
        let swing = self.swing();
        -self.g * a[2] - self.l * dot(swing, swing) * dot(a, self.e())
    }

    /// The tip's velocity.
    fn speed(&self, a: Vector) -> f64 {
        dot(a, [self.v[0], self.v[1], self.v[2]]) + self.l * dot(a, self.swing())
    }
}

fn near(place: &str, found: &Value, expected: &[f64]) {
    let numbers = |x: &Value| -> Vec<f64> {
        let list = x.as_array().cloned().unwrap_or_else(|| vec![x.clone()]);
        list.iter()
            .flat_map(|x| x.as_array().cloned().unwrap_or_else(|| vec![x.clone()]))
            .map(|x| x.as_f64().unwrap())
            .collect()
    };
    let found = numbers(found);
    assert_eq!(found.len(), expected.len(), "{place}");
    let same = found.iter().zip(expected).all(|(x, y)| (x - y).abs() <= CLOSE * y.abs().max(1.0));
    assert!(same, "{place}: {found:?} instead of {expected:?}");
}

/// Newton and Euler, with the numbers of the contact as projections on N, T1, T2.
fn by_vectors(place: &str, rod: &Rod, tip: &Value) {
    let [n, x, y] = AXES;
    let w = |a, b| rod.mobility(a, b);
    near(&format!("{place} A"), &tip["A"], &[w(x, x), w(x, y), w(y, x), w(y, y)]);
    near(&format!("{place} B"), &tip["B"], &[w(x, n), w(y, n)]);
    near(&format!("{place} C"), &tip["C"], &[w(n, n)]);
    near(&format!("{place} a"), &tip["a"], &[rod.flight(x), rod.flight(y)]);
    near(&format!("{place} b"), &tip["b"], &[rod.flight(n)]);
    near(&format!("{place} gap"), &tip["gap"], &[rod.q[2] - rod.l * rod.theta.sin()]);
    near(&format!("{place} gap_rate"), &tip["gap_rate"], &[rod.speed(n)]);
    near(&format!("{place} slip"), &tip["slip"], &[rod.speed(x), rod.speed(y)]);
}

/// The closed forms, turned from the heading to the axes, and what friction makes of them.
fn by_formulas(place: &str, rod: &Rod, tip: &Value) -> f64 {
    let (m, (s, c)) = (rod.m, rod.theta.sin_cos());
    let (heading_y, heading_x) = rod.psi.sin_cos();
    let (along, across) = ((1.0 + 3.0 * s * s) / m, 4.0 / m);
    let mixed = (along - across) * heading_x * heading_y;
    let A = [
        along * heading_x.powi(2) + across * heading_y.powi(2),
        mixed,
        mixed,
        along * heading_y.powi(2) + across * heading_x.powi(2),
    ];
    near(&format!("{place} closed A"), &tip["A"], &A);
    near(&format!("{place} closed B"), &tip["B"], &[heading_x, heading_y].map(|x| 3.0 * s * c * x / m));
    near(&format!("{place} closed C"), &tip["C"], &[(1.0 + 3.0 * c * c) / m]);
    let turning = rod.l * (rod.v[4].powi(2) + rod.v[3].powi(2) * c * c);
    near(&format!("{place} closed a"), &tip["a"], &[heading_x, heading_y].map(|x| -turning * c * x));
    near(&format!("{place} closed b"), &tip["b"], &[turning * s - rod.g]);
    let mu = tip["friction"].as_f64().unwrap();
    let (slip, least) = ([0, 1].map(|k| rod.speed(AXES[k + 1])), (1.0 + 3.0 * c * c) / (3.0 * s * c));
    if slip[0].hypot(slip[1]) > CLOSE {
        // φ − ψ: the slip's direction from the heading
        let offset = slip[1].atan2(slip[0]) - rod.psi;
        let p = (1.0 + 3.0 * c * c - 3.0 * mu * s * c * offset.cos()) / m;
        near(&format!("{place} p"), &tip["p_slip"], &[p]);
    } else {
        assert!(tip["p_slip"].is_null(), "{place}: p without slip");
    }
    least
}

/// M and h: translation, and ½ I (θ̇² + ψ̇² cos²θ).
fn by_lagrange(place: &str, rod: &Rod, model: &Value) {
    let (m, inertia, (s, c)) = (rod.m, rod.inertia(), rod.theta.sin_cos());
    let diagonal = [m, m, m, inertia * c * c, inertia];
    let M: Vec<f64> = (0..25).map(|k| if k % 6 == 0 { diagonal[k / 6] } else { 0.0 }).collect();
    near(&format!("{place} M"), &model["M"], &M);
    let (psi, theta) = (rod.v[3], rod.v[4]);
    let h = [0.0, 0.0, m * rod.g, -2.0 * inertia * s * c * psi * theta, inertia * s * c * psi * psi];
    near(&format!("{place} h"), &model["h"], &h);
    let energy = 0.5 * diagonal.iter().zip(&rod.v).map(|(d, v)| d * v * v).sum::<f64>();
    near(&format!("{place} kinetic"), &model["kinetic_energy"], &[energy]);
    near(&format!("{place} potential"), &model["potential_energy"], &[m * rod.g * rod.q[2]]);
}

fn check(source: Source) {
    let (_, states) = states("rod_3d", source);
    assert!(states.len() >= 7);
    for said in &states {
        let rod = Rod::of(said);
        let model = said.numbers.get("model").unwrap_or(&said.numbers);
        let tip = &said.numbers["contacts"]["tip"];
        by_lagrange(&said.name, &rod, model);
        by_vectors(&said.name, &rod, tip);
        let least = by_formulas(&said.name, &rod, tip);
        if source != Source::Reference {
            near(&format!("{} mu_min", said.name), &tip["mu_min"], &[least]);
        }
    }
}

#[test]
fn references_of_the_rod_in_space_obey_newton_and_euler() {
    check(Source::Reference);
}

#[test]
#[cfg_attr(not(feature = "derive"), ignore = "needs models that a deriving run has kept")]
fn reports_of_the_rod_in_space_obey_newton_and_euler() {
    check(Source::Report);
}

/// The slip direction of `crossing` is the one at which p vanishes, and no friction makes p vanish across the heading.
#[test]
fn p_vanishes_where_the_rod_crosses_into_the_paradox() {
    let (_, states) = states("rod_3d", Source::Reference);
    let tip = |name: &str| &states.iter().find(|s| s.name == name).unwrap().numbers["contacts"]["tip"];
    near("crossing", &tip("crossing")["p_slip"], &[0.0]);
    near("across", &tip("across")["p_slip"], &[tip("across")["C"].as_f64().unwrap()]);
}
