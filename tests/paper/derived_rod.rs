//! The rod as a derived model (its tape written by hand): the generic route through tape, Cholesky factor and dual
//! or interval numbers gives the published numbers of the classical Painlevé problem.

use crate::rod::Rod;
use mechan::analysis::planar::{Point, RestSizes, contact_equilibrium};
use mechan::analysis::search::{
    ContactFamily, CriticalOutcome, CriticalSearch, SlipDirection, critical_friction, jam_friction,
};
use mechan::analysis::{ContactView, PlanarModel, Sizes};
use mechan::contact::{Friction, Restitution, Slip};
use mechan::equilibrium::Condition;
use mechan::model::{Block, Kernel, Layout, Model, Output};
use mechan::num::{Interval, Magnitude, Real, Tol};
use mechan::tape::{Builder, Unary, Value};
use std::f64::consts::FRAC_PI_2;

const LAYOUT: Layout = Layout { coordinates: 3, parameters: 1, constraints: 0, contacts: 1, tangents: 1 };

/// m = l = g = 1, I = 1/α with the parameter α; q = (x, y, θ).
pub(crate) fn model() -> Model {
    let mut tape = Builder::new(LAYOUT.inputs());
    let (y, theta, omega, alpha) = (tape.input(2), tape.input(3), tape.input(6), tape.input(7));
    let (s, c) = (tape.unary(Unary::Sin, theta), tape.unary(Unary::Cos, theta));
    let (zero, one) = (tape.constant(0.0), tape.constant(1.0));
    let inertia = tape.div(one, alpha);
    let square = tape.mul(omega, omega);
    let (rise, along) = (tape.mul(s, square), tape.mul(c, square));
    let (minus_s, minus_c, minus_along) = (tape.neg(s), tape.neg(c), tape.neg(along));
    let gap = tape.sub(y, s);
    let blocks: Vec<(Output, Vec<Value>)> = vec![
        (Output::MassMatrix, vec![one, zero, one, zero, zero, inertia]),
        (Output::Bias, vec![zero, one, zero]),
        (Output::Gap, vec![gap]),
        (Output::NormalJacobian, vec![zero, one, minus_c]),
        (Output::NormalDrift, vec![rise]),
        (Output::TangentJacobian, vec![one, zero, minus_s]),
        (Output::TangentDrift, vec![minus_along]),
        (Output::Potential, vec![zero, one, zero]),
    ];
    let given = |output: Output| blocks.iter().find(|(o, _)| *o == output).map(|(_, values)| values.clone());
    let outputs: Vec<Value> =
        Output::ALL.iter().flat_map(|&o| given(o).unwrap_or_else(|| vec![zero; LAYOUT.len(o)])).collect();
    Model::new(LAYOUT, tape.finish(&outputs)).unwrap()
}

fn view<'m>(kernel: &'m Kernel, alpha: &'m [f64]) -> ContactView<'m> {
    ContactView { kernel, parameters: alpha, contact: 0 }
}

#[test]
fn derived_model_agrees_with_the_closed_form() {
    let kernel = model().kernel(&ContactView::NEEDED);
    let derived = view(&kernel, &[3.0]);
    for (theta, u, omega) in [(0.3, 1.0, 0.2), (1.1, -0.4, -1.7), (2.0, 0.0, 0.9)] {
        let (q, v) = Rod::UNIFORM.slipping(theta, u, omega);
        let (x, y) = (derived.local(0.0, &q, &v).unwrap(), Rod::UNIFORM.local(0.0, &q, &v).unwrap());
        let pairs = [
            (x.gap, y.gap),
            (x.u, y.u),
            (x.v, y.v),
            (x.A, y.A),
            (x.B, y.B),
            (x.C, y.C),
            (x.a, y.a),
            (x.b, y.b),
        ];
        assert!(pairs.iter().all(|(x, y)| (x - y).abs() < 1e-14), "{pairs:?}");
        let vectors = [(&x.free, &y.free), (&x.tangent, &y.tangent), (&x.normal, &y.normal)];
        for (x, y) in vectors.iter().flat_map(|(x, y)| x.iter().zip(y.iter())) {
            assert!((x - y).abs() < 1e-14);
        }
    }
}

#[test]
fn critical_jam_friction_of_the_derived_rod() {
    // [GB99] 8/(3√3), found by the tool from the equations of motion
    let kernel = model().kernel(&[&ContactView::NEEDED[..], &ContactFamily::NEEDED].concat());
    let family = ContactFamily::new(view(&kernel, &[3.0]), &[0.0, 0.5, 0.7], &[1.0, 0.0, 0.0], 2).unwrap();
    let found = jam_friction(&family, (0.0, FRAC_PI_2), &Tol::default()).unwrap().unwrap();
    assert!((found.mu - 8.0 / (3.0 * 3_f64.sqrt())).abs() < 1e-9, "{found:?}");
    // tan²θ = (1 + α)/3, θ̇ = √(g/(l sin θ)) > 0
    assert!((found.theta.tan().powi(2) - 4.0 / 3.0).abs() < 1e-6 && found.omega > 0.0);
}

#[test]
fn least_friction_of_the_derived_rod() {
    let model = model();
    let inputs = [0.0, 0.0, 0.5, 0.7, 0.0, 0.0, 0.0, 3.0];
    let angle = (3, Interval::new(0.0, FRAC_PI_2));
    let search = |ranges: &[(usize, Interval)]| {
        let question =
            CriticalSearch { model: &model, contact: 0, held: &[], rails: &[], inputs: &inputs, ranges };
        critical_friction(&question, &Tol::default())
    };
    let found = search(&[angle]);
    let at = |slot: usize| found.at.iter().find(|at| at.0 == slot).unwrap().1.unwrap().value;
    assert!(found.complete && (found.mu.unwrap() - 4.0 / 3.0).abs() < 1e-14, "{found:?}");
    // x does not matter, y follows: sin θ = 2/√5
    assert!((at(3) - 2_f64.atan()).abs() < 1e-8 && (at(2) - 2.0 / 5_f64.sqrt()).abs() < 1e-8);
    assert_eq!((found.at.len(), found.slip), (2, Some(SlipDirection::Plane(Slip::Pos))));
    assert!(found.certified_lower <= 4.0 / 3.0 && found.certified_lower > 4.0 / 3.0 - 2e-9);
    // over the inertia too, the least is at the largest α = 8: 2√9/8
    let found = search(&[(3, Interval::new(0.1, FRAC_PI_2)), (7, Interval::new(1.0, 8.0))]);
    assert!(found.complete && (found.mu.unwrap() - 0.75).abs() < 1e-14, "{found:?}");
    // a height below 1/2 keeps the rod flat: θ ≤ π/6, μ = (1 + 3c²)/(3sc) = 2.5019
    let found = search(&[angle, (2, Interval::new(0.0, 0.5))]);
    let expected = (1.0 + 3.0 * 0.75) / (3.0 * 0.5 * 0.75_f64.sqrt());
    assert!(found.complete && (found.mu.unwrap() - expected).abs() < 1e-6, "{found:?}");
    assert!(found.certified_lower <= expected && found.certified_lower > expected - 1e-5);
    // out of reach, and at an angle that the file does not name
    let lifted = search(&[angle, (2, Interval::new(1.1, 2.0))]);
    assert_eq!((lifted.outcome, lifted.certified_lower), (CriticalOutcome::NoContact, f64::INFINITY));
    let open = search(&[(7, Interval::new(1.0, 8.0))]);
    assert_eq!((open.outcome, open.needs.as_slice(), open.mu), (CriticalOutcome::Needs, &[3][..], None));
}

#[test]
fn standing_rod_falls_and_hanging_rod_stays() {
    // V − λ_N g = m g l sin θ along stick: second variation −mgl standing, +mgl hanging from its hooked tip
    let blocks: Vec<Block> =
        [&ContactView::NEEDED[..], &ContactView::EQUILIBRIUM_NEEDED, &Sizes::NEEDED].concat();
    let kernel = model().kernel(&blocks);
    let derived = view(&kernel, &[3.0]);
    let (law, friction) = (Restitution::Poisson(0.5), Friction::new(0.6).unwrap());
    let at = |q: [f64; 3], v: [f64; 3]| {
        let (tol, inputs) = (Tol::default(), [&[0.0][..], &q, &v, &[3.0]].concat());
        let inputs: Vec<Magnitude> = inputs.into_iter().map(Magnitude::from_f64).collect();
        let sizes = Sizes::at(&kernel, &inputs, 1.0);
        let (contact, accelerations) = (sizes.contact(0), sizes.sticking(0));
        let sizes = RestSizes { contact: &contact, accelerations: &accelerations };
        contact_equilibrium(&derived, friction, law, Point { t: 0.0, q: &q, v: &v }, sizes, &tol).unwrap()
    };
    let standing = at([0.0, 1.0, FRAC_PI_2], [0.0; 3]).unwrap();
    // a rod on a pivot at its end: m g l/(I + m l²) = 3/4
    assert!((standing.curvature.unwrap().0 + 0.75).abs() < 1e-12);
    assert_eq!((standing.potential_minimum, standing.lyapunov_stable), (Condition::Fails, Condition::Fails));
    assert_eq!(standing.unambiguous, Condition::Holds);
    let hanging = at([0.0, -1.0, -FRAC_PI_2], [0.0; 3]).unwrap();
    assert!((hanging.curvature.unwrap().0 - 0.75).abs() < 1e-12);
    assert_eq!(hanging.lyapunov_stable, Condition::Holds);
    assert!(at([0.0, 0.5, 0.5], [0.0; 3]).is_none());
    assert!(at([0.0, 1.0, FRAC_PI_2], [0.1, 0.0, 0.0]).is_none());
}
