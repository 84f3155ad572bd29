//! What the reports say of every shipped mechanism, by another route: Lagrange's equations and contact kinematics from
//! the positions written in the file, evaluated as numbers and differenced, and a dense elimination for what follows
//! from them. Also done for the reference numbers of `tests/models`, which need no derivation.

use super::finite::{self, At};
use super::linear::{columns, solved};
use super::states::{Source, entries, named, states};
use mechan::format::{Mechanism, Space};
use serde_json::Value;

/// Differences of order eight over steps of 4e-3 are good to about 1e-11 of what is differenced, twice nested to about
/// 1e-8; what is solved from them loses the condition of M.
const CLOSE: f64 = 1e-7;

/// The fastest of velocities for which steps of 4e-3 are short.
const FAST: f64 = 64.0;

/// A slip that counts as rest: the velocities of the states are written to full precision.
const REST: f64 = 1e-9;

/// A state by differences.
struct Route<'m> {
    mechanism: &'m Mechanism,
    at: At,
    /// Per contact the inertial axis of the default tangents, chosen in the first state.
    axes: Vec<usize>,
    mass: Vec<Vec<f64>>,
    constraints: Vec<(Vec<f64>, f64)>,
    bias: Vec<f64>,
}

impl<'m> Route<'m> {
    fn new(mechanism: &'m Mechanism, at: At, first: &At) -> Self {
        let axes = (0..mechanism.contacts.len()).map(|c| finite::default_axis(mechanism, first, c)).collect();
        let constraint = |c: usize| {
            let (_, jacobian, _, drift) = finite::constraint(mechanism, &at, c);
            (jacobian, drift)
        };
        let constraints = (0..mechanism.constraints.len()).map(constraint).collect();
        let bias = (0..at.q.len()).map(|i| finite::bias(mechanism, &at, i)).collect();
        Self { mechanism, mass: finite::mass_matrix(mechanism, &at), axes, constraints, bias, at }
    }

    fn tangents(&self) -> usize {
        self.mechanism.space.tangents()
    }

    /// q'' of M q'' = f + Jᵀ λ with J q'' = target.
    fn acceleration(&self, f: &[f64], target: impl Fn(usize) -> f64) -> Vec<f64> {
        let (n, k) = (f.len(), self.constraints.len());
        let mut matrix = vec![vec![0.0; n + k]; n + k];
        for (i, row) in self.mass.iter().enumerate() {
            matrix[i][..n].copy_from_slice(row);
            for (j, (jacobian, _)) in self.constraints.iter().enumerate() {
                (matrix[i][n + j], matrix[n + j][i]) = (-jacobian[i], jacobian[i]);
            }
        }
        let right = f.iter().copied().chain((0..k).map(target)).collect();
        solved(matrix, right)[..n].to_vec()
    }

    fn free(&self) -> Vec<f64> {
        let force: Vec<f64> = self.bias.iter().map(|h| -h).collect();
        self.acceleration(&force, |c| -self.constraints[c].1)
    }

    /// Rows N, T (T1, T2) of a contact.
    fn rows(&self, contact: usize) -> Vec<Vec<f64>> {
        let n = 0..self.at.q.len();
        let normal =
            n.clone().map(|i| finite::normal_jacobian(self.mechanism, &self.at, contact, i)).collect();
        let tangents: Vec<Vec<f64>> = n
            .map(|i| finite::tangent_jacobian(self.mechanism, &self.at, contact, self.axes[contact], i))
            .collect();
        std::iter::once(normal).chain(columns(&tangents)).collect()
    }

    /// W M⁻¹ Wᵀ of rows, within the constraints.
    fn delassus(&self, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let columns: Vec<Vec<f64>> = rows.iter().map(|row| self.acceleration(row, |_| 0.0)).collect();
        rows.iter().map(|row| columns.iter().map(|x| dot(row, x)).collect()).collect()
    }

    /// b and a: accelerations of gap and slip without contact forces.
    fn drifts(&self, contact: usize, rows: &[Vec<f64>]) -> (f64, Vec<f64>) {
        let (m, free) = (self.mechanism, self.free());
        let a = (0..self.tangents()).map(|k| {
            dot(&rows[k + 1], &free) + finite::tangent_drift(m, &self.at, contact, self.axes[contact], k)
        });
        (dot(&rows[0], &free) + finite::normal_drift(m, &self.at, contact), a.collect())
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// What was compared and what differs.
#[derive(Default)]
struct Verdict {
    compared: usize,
    faults: Vec<String>,
}

impl Verdict {
    /// Compares numbers, an array or an array of arrays, relative to the largest or to one.
    fn compare(&mut self, place: &str, found: &Value, expected: &[f64]) {
        let found = flat(found);
        let scale = expected.iter().fold(1.0_f64, |s, x| s.max(x.abs()));
        let same = found.len() == expected.len()
            && found.iter().zip(expected).all(|(x, y)| (x - y).abs() <= CLOSE * scale);
        if !same {
            self.faults.push(format!("{place}: {found:?} instead of {expected:?}"));
        }
        self.compared += expected.len();
    }
}

/// The numbers of a value in order; "inf" and other words become NaN.
fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(flat).collect(),
        x => vec![x.as_f64().unwrap_or(f64::NAN)],
    }
}

/// M, h, energies, free acceleration.
fn check_model(route: &Route<'_>, place: &str, state: &Value, verdict: &mut Verdict) {
    let (m, at) = (route.mechanism, &route.at);
    let model = state.get("model").unwrap_or(state);
    let mut compare = |key: &str, expected: &[f64]| {
        verdict.compare(&format!("{place} {key}"), &model[key], expected);
    };
    compare("M", &route.mass.concat());
    compare("h", &route.bias);
    compare("kinetic_energy", &[finite::kinetic(m, at)]);
    compare("potential_energy", &[finite::potential(m, at)]);
    compare("free_acceleration", &route.free());
    let jacobian: Vec<f64> = route.constraints.iter().flat_map(|(row, _)| row.clone()).collect();
    if !jacobian.is_empty() {
        compare("constraint_jacobian", &jacobian);
    }
    check_power(route, place, model, verdict);
}

/// v·(h + F) is the rate of T + V at v' = 0, where neither depends on time explicitly.
fn check_power(route: &Route<'_>, place: &str, model: &Value, verdict: &mut Verdict) {
    let (m, at) = (route.mechanism, &route.at);
    let later = At { t: at.t + 1.0, ..at.clone() };
    let energy = |at: &At| finite::kinetic(m, at) + finite::potential(m, at);
    if (energy(&later) - energy(at)).abs() > 0.0 {
        return;
    }
    let applied: f64 = at.v.iter().enumerate().map(|(i, v)| v * finite::applied(m, at, i)).sum();
    let power = dot(&flat(&model["h"]), &at.v) + applied;
    verdict.compare(&format!("{place} power"), &Value::from(power), &[finite::energy_rate(m, at)]);
}

/// All numbers of one contact.
fn check_contact(route: &Route<'_>, contact: usize, place: &str, found: &Value, verdict: &mut Verdict) {
    let (m, at) = (route.mechanism, &route.at);
    let rows = route.rows(contact);
    let (w, (b, a)) = (route.delassus(&rows), route.drifts(contact, &rows));
    let slip = finite::slip(m, at, contact, route.axes[contact]);
    let mut compare = |key: &str, expected: &[f64]| {
        verdict.compare(&format!("{place} {key}"), &found[key], expected);
    };
    compare("gap", &[finite::gap(m, at, contact)]);
    compare("gap_rate", &[finite::closing(m, at, contact)]);
    compare("slip", &slip);
    compare("W_N", &rows[0]);
    compare("W_T", &rows[1..].concat());
    compare("A", &w[1..].iter().flat_map(|row| row[1..].to_vec()).collect::<Vec<f64>>());
    compare("B", &w[0][1..]);
    compare("C", &[w[0][0]]);
    compare("b", &[b]);
    compare("a", &a);
    check_friction(route, (place, found), &w, &slip, verdict);
}

/// p = C − μ B·t in the direction t of slip, the couplings of both directions in the plane, and μ = C/|B| where p
/// can vanish.
fn check_friction(
    route: &Route<'_>,
    (place, found): (&str, &Value),
    w: &[Vec<f64>],
    slip: &[f64],
    verdict: &mut Verdict,
) {
    let mu = found["friction"].as_f64().unwrap();
    let (c, coupling) = (w[0][0], &w[0][1..]);
    let speed = dot(slip, slip).sqrt();
    let mut compare = |key: &str, expected: f64| {
        verdict.compare(&format!("{place} {key}"), &found[key], &[expected]);
    };
    if speed > REST {
        compare("p_slip", c - mu * dot(coupling, slip) / speed);
    } else {
        assert!(found["p_slip"].is_null(), "{place} p_slip at rest");
    }
    if route.mechanism.space == Space::Plane {
        compare("p_plus", c - mu * coupling[0]);
        compare("p_minus", c + mu * coupling[0]);
        compare("k_plus", mu * w[1][1] - coupling[0]);
        compare("k_minus", mu * w[1][1] + coupling[0]);
    }
    // the references have no mu_min
    if let Some(least) = found.get("mu_min").filter(|x| x.is_number()) {
        let size = dot(coupling, coupling).sqrt();
        verdict.compare(
            &format!("{place} 1/mu_min"),
            &Value::from(1.0 / least.as_f64().unwrap()),
            &[size / c],
        );
    } else if found.get("mu_min").is_some() {
        verdict.compare(&format!("{place} B without mu_min"), &found["B"], &vec![0.0; coupling.len()]);
    }
}

fn check_state(route: &Route<'_>, place: &str, state: &Value, verdict: &mut Verdict) {
    check_model(route, place, state, verdict);
    for (name, found) in entries(&state["contacts"]) {
        let contact = route.mechanism.contacts.iter().position(|c| c.name == name).unwrap();
        check_contact(route, contact, &format!("{place} {name}"), found, verdict);
    }
    let closed = state["closed"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    let contacts = &route.mechanism.contacts;
    let rows: Vec<Vec<f64>> =
        closed.flat_map(|name| route.rows(contacts.iter().position(|c| c.name == name).unwrap())).collect();
    verdict.compare(&format!("{place} delassus"), &state["delassus"], &route.delassus(&rows).concat());
}

fn check(source: Source) {
    let mut verdict = Verdict::default();
    for name in named() {
        let (mechanism, states) = states(&name, source);
        let first = states[0].at.clone();
        for state in states {
            // what turns by a third in a step of the differences is not differenced
            if state.at.v.iter().any(|v| v.abs() > FAST) {
                continue;
            }
            let route = Route::new(&mechanism, state.at, &first);
            check_state(&route, &format!("{name} {}", state.name), &state.numbers, &mut verdict);
        }
    }
    assert!(verdict.compared > 6000, "{} numbers", verdict.compared);
    let count = verdict.faults.len();
    assert!(count == 0, "{count} of {}\n{}", verdict.compared, verdict.faults[..count.min(30)].join("\n"));
}

#[test]
fn references_are_what_differences_of_the_written_positions_give() {
    check(Source::Reference);
}

#[test]
#[cfg_attr(not(feature = "derive"), ignore = "needs models that a deriving run has kept")]
fn reports_are_what_differences_of_the_written_positions_give() {
    check(Source::Report);
}
