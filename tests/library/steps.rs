//! The next time step of every state of the library against brute force: M, h and W are taken from the analysis as
//! numbers, W and q are formed with another inverse, and for planar states every combination of contact modes is
//! solved here by floating-point elimination.

use super::{analysis, mechanisms};
use nalgebra::{DMatrix, DVector};
use serde_json::Value;

/// Relative to the largest velocity or impulse of a solution.
const TOLERANCE: f64 = 1e-7;

fn vector(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows: Vec<Vec<f64>> = value.as_array().expect("rows").iter().map(vector).collect();
    DMatrix::from_fn(rows.len(), rows.first().map_or(0, Vec::len), |i, j| rows[i][j])
}

/// One step [AC11 (4.18)] in local form, with the friction coefficients and names of the closed contacts.
struct Local {
    W: DMatrix<f64>,
    q: DVector<f64>,
    mu: Vec<f64>,
    dim: usize,
}

impl Local {
    /// u₊ = W_c r + u + h·(c₀ − drift), where c₀ − drift = −W M⁻¹h: with the LU inverse of M.
    fn of(state: &Value, h: f64) -> Option<Self> {
        if state["model"].get("constraint_jacobian").is_some() {
            return None;
        }
        let closed: Vec<&str> = state["closed"].as_array()?.iter().filter_map(Value::as_str).collect();
        let (mut rows, mut mu, mut now) = (Vec::new(), Vec::new(), Vec::new());
        for name in &closed {
            let contact = &state["contacts"][*name];
            rows.push(vector(&contact["W_N"]));
            rows.extend(contact["W_T"].as_array()?.iter().map(vector));
            mu.push(contact["friction"].as_f64()?);
            now.push(contact["gap_rate"].as_f64()?);
            now.extend(vector(&contact["slip"]));
        }
        let n = state["q"].as_object()?.len();
        let H = DMatrix::from_fn(rows.len(), n, |i, j| rows[i][j]);
        let inverse = matrix(&state["model"]["M"]).lu().try_inverse()?;
        let bias = DVector::from_vec(vector(&state["model"]["h"]));
        let q = DVector::from_vec(now) - &H * &inverse * bias * h;
        Some(Self { W: &H * inverse * H.transpose(), q, dim: rows.len() / closed.len().max(1), mu })
    }

    fn velocity(&self, r: &DVector<f64>) -> DVector<f64> {
        &self.W * r + &self.q
    }

    /// The worst violation of Coulomb's law, of velocities by velocities and of impulses by impulses.
    fn violation(&self, u: &DVector<f64>, r: &DVector<f64>) -> f64 {
        let (speed, force) = (u.amax().max(self.q.amax()), r.amax().max(f64::MIN_POSITIVE));
        let mut worst: f64 = 0.0;
        for (i, mu) in self.mu.iter().enumerate() {
            let at = i * self.dim;
            let (u, r) = (u.rows(at, self.dim), r.rows(at, self.dim));
            let (u_T, r_T) = (u.rows(1, self.dim - 1), r.rows(1, self.dim - 1));
            worst = worst.max(-u[0] / speed).max(-r[0] / force).max((r_T.norm() - mu * r[0]) / force);
            worst = worst.max((u[0] / speed).min(r[0] / force));
            if u_T.norm() > TOLERANCE * speed {
                let opposed = r_T + u_T * (mu * r[0] / u_T.norm());
                worst = worst.max(opposed.norm() / force);
            }
        }
        worst
    }

    /// The solutions of all combinations of take-off, stick and the two slips, by brute force, and whether one of the
    /// combinations is singular up to rounding, so that rounding decides about its solutions.
    fn brute_force(&self) -> (Vec<DVector<f64>>, bool) {
        let (nc, mut found, mut singular) = (self.mu.len(), Vec::<DVector<f64>>::new(), false);
        if nc == 0 {
            return (vec![DVector::zeros(0)], false);
        }
        for word in 0..4_usize.pow(nc as u32) {
            let mode = |i: usize| word / 4_usize.pow(i as u32) % 4;
            let (mut A, mut b) = (DMatrix::zeros(2 * nc, 2 * nc), DVector::zeros(2 * nc));
            for i in 0..nc {
                let (n, t) = (2 * i, 2 * i + 1);
                match mode(i) {
                    0 => {
                        A[(n, n)] = 1.0;
                        A[(t, t)] = 1.0;
                    }
                    1 => self.motionless(&mut A, &mut b, &[n, t]),
                    slip => {
                        self.motionless(&mut A, &mut b, &[n]);
                        A[(t, t)] = 1.0;
                        A[(t, n)] = if slip == 2 { self.mu[i] } else { -self.mu[i] };
                    }
                }
            }
            let factors = A.lu();
            let pivots = factors.u().diagonal().abs();
            if pivots.min() <= 1e-10 * pivots.max() {
                singular = true;
                continue;
            }
            let Some(r) = factors.solve(&b) else { continue };
            let u = self.velocity(&r);
            let directed = (0..nc).all(|i| match mode(i) {
                2 => u[2 * i + 1] >= -TOLERANCE * self.q.amax(),
                3 => u[2 * i + 1] <= TOLERANCE * self.q.amax(),
                _ => true,
            });
            let new = found.iter().all(|other| (other - &r).amax() > TOLERANCE * r.amax());
            if r.iter().all(|x| x.is_finite()) && directed && self.violation(&u, &r) < TOLERANCE && new {
                found.push(r);
            }
        }
        (found, singular)
    }

    fn motionless(&self, A: &mut DMatrix<f64>, b: &mut DVector<f64>, rows: &[usize]) {
        for &row in rows {
            A.row_mut(row).copy_from(&self.W.row(row));
            b[row] = -self.q[row];
        }
    }
}

fn impulses(contacts: &Value) -> DVector<f64> {
    DVector::from_vec(
        contacts.as_object().expect("contacts").values().flat_map(|c| vector(&c["r"])).collect(),
    )
}

#[test]
fn the_next_step_of_every_state_is_what_brute_force_finds() {
    let (mut states, mut isolated, mut several, mut none) = (0, 0, 0, 0);
    for file in mechanisms() {
        for state in analysis(&file)["states"].as_array().expect("states") {
            let place = format!("{} {}", file.display(), state["state"]);
            let section = &state["existence"];
            let Some(local) = section["h"].as_f64().and_then(|h| Local::of(state, h)) else { continue };
            states += 1;
            let solution = &section["solution"];
            if solution["status"] == "solved" {
                let r = impulses(&solution["contacts"]);
                let violation = local.violation(&local.velocity(&r), &r);
                assert!(violation < 1e-5, "{place}: violation {violation:e}");
            }
            let Some(all) = section["solutions"].as_array() else { continue };
            assert_eq!(section["complete"], true, "{place}");
            for family in all {
                let r = impulses(&family["contacts"]);
                let violation = local.violation(&local.velocity(&r), &r);
                // a vertex that rounding has pushed far out is checked no better than its size allows
                assert!(violation < TOLERANCE * r.amax().max(1.0), "{place}: violation {violation:e}");
            }
            if all.iter().all(|family| family["dimension"] == 0) {
                let (expected, singular) = local.brute_force();
                none += usize::from(all.is_empty());
                if singular && !all.is_empty() {
                    continue;
                }
                isolated += 1;
                several += usize::from(all.len() > 1);
                assert_eq!(all.len(), expected.len(), "{place}: brute force has {expected:?}");
                for r in expected {
                    let near =
                        |f: &Value| (impulses(&f["contacts"]) - &r).amax() <= 1e-6 * r.amax().max(1e-12);
                    assert!(all.iter().any(near), "{place}: {r}");
                }
            }
        }
    }
    assert!(states > 90 && isolated > 50, "{states} states, {isolated} isolated");
    assert!(several >= 3 && none >= 2, "{several} with several solutions, {none} without");
}

/// The strong assumption by its velocity, the missing one by its multiplier: checked with plain sums.
#[test]
fn certificates_of_the_library_prove_what_they_say() {
    let (mut velocities, mut multipliers) = (0, 0);
    for file in mechanisms() {
        for state in analysis(&file)["states"].as_array().expect("states") {
            let (place, section) = (format!("{} {}", file.display(), state["state"]), &state["existence"]);
            let Some(local) = section["h"].as_f64().and_then(|h| Local::of(state, h)) else { continue };
            let certificate = &section["certificate"];
            let rounded = |v: &Value| vector(v.get("rounded").unwrap_or(v));
            match (
                certificate["kind"].as_str(),
                certificate["assumption"].as_str(),
                certificate["holds"].as_bool(),
            ) {
                (Some("direction"), Some("no-wedging"), Some(true)) if !local.mu.is_empty() => {
                    let d = DVector::from_vec(rounded(&certificate["d"]));
                    let u = jacobian(state) * d;
                    for (i, mu) in local.mu.iter().enumerate() {
                        let (normal, slip) =
                            (u[i * local.dim], u.rows(i * local.dim + 1, local.dim - 1).norm());
                        assert!(normal > mu * slip, "{place}: {normal} against {mu} * {slip}");
                    }
                    velocities += 1;
                }
                (Some("multiplier"), _, Some(false)) => {
                    let r = DVector::from_vec(rounded(&certificate["r"]));
                    let balance = (jacobian(state).transpose() * &r).amax();
                    assert!(balance <= 1e-12 * r.amax(), "{place}: H^T r = {balance:e}");
                    assert!(r.amax() > 0.0, "{place}: no multiplier");
                    multipliers += 1;
                }
                _ => {}
            }
        }
    }
    assert!(velocities > 60 && multipliers >= 2, "{velocities} velocities, {multipliers} multipliers");
}

fn jacobian(state: &Value) -> DMatrix<f64> {
    let mut rows = Vec::new();
    for name in state["closed"].as_array().expect("names") {
        let contact = &state["contacts"][name.as_str().expect("a name")];
        rows.push(vector(&contact["W_N"]));
        rows.extend(contact["W_T"].as_array().expect("rows").iter().map(vector));
    }
    DMatrix::from_fn(rows.len(), rows.first().map_or(0, Vec::len), |i, j| rows[i][j])
}
