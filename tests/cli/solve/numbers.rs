//! The printed numbers against the numbers of the file: u, v and the residual computed again from their definition.

use super::*;

/// y ← y + A x or Aᵀ x, for a matrix as it stands in a file.
fn add(a: &Value, transposed: bool, x: &[f64], y: &mut [f64]) {
    let list = |key: &str| a[key].as_array().unwrap().clone();
    for ((i, j), value) in list("rows").iter().zip(list("cols")).zip(list("vals")) {
        let (i, j) = (i.as_u64().unwrap() as usize, j.as_u64().unwrap() as usize);
        let (to, from) = if transposed { (j, i) } else { (i, j) };
        y[to] += value.as_f64().unwrap() * x[from];
    }
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// sqrt(Σ ‖rᵢ − P(rᵢ − uᵢ − μ‖u_T‖ e_N)‖²), P the projection on the cone ‖r_T‖ ≤ μ r_N.
fn defect(dim: usize, mu: &[f64], u: &[f64], r: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (c, &mu) in mu.iter().enumerate() {
        let (u, r) = (&u[c * dim..(c + 1) * dim], &r[c * dim..(c + 1) * dim]);
        let mut x: Vec<f64> = r.iter().zip(u).map(|(r, u)| r - u).collect();
        x[0] -= mu * norm(&u[1..]);
        let t = norm(&x[1..]);
        let (normal, tangential) = if mu * t <= -x[0] {
            (0.0, 0.0)
        } else if t <= mu * x[0] {
            (x[0], t)
        } else {
            let n = (x[0] + mu * t) / (1.0 + mu * mu);
            (n, mu * n)
        };
        sum += (r[0] - normal).powi(2);
        let scale = if t > 0.0 { tangential / t } else { 0.0 };
        sum += r[1..].iter().zip(&x[1..]).map(|(r, x)| (r - scale * x).powi(2)).sum::<f64>();
    }
    sum.sqrt()
}

/// The relative residual of (v, r) and the u that belongs to them.
fn judge(file: &Value, v: &[f64], r: &[f64]) -> (f64, Vec<f64>) {
    let dim = file["dim"].as_u64().unwrap() as usize;
    let (mu, q) = (floats(&file["mu"]), floats(&file["q"]));
    if file["kind"] == "local" {
        let mut u = q.clone();
        add(&file["W"], false, r, &mut u);
        let scale = norm(&q).max(norm(r)).max(norm(&u));
        return (defect(dim, &mu, &u, r) / scale, u);
    }
    let mut u = floats(&file["b"]);
    add(&file["H"], true, v, &mut u);
    let (mut force, mut momentum) = (vec![0.0; q.len()], vec![0.0; q.len()]);
    add(&file["H"], false, r, &mut force);
    add(&file["M"], false, v, &mut momentum);
    let rest: Vec<f64> = (0..q.len()).map(|i| momentum[i] - force[i] - q[i]).collect();
    let dynamics = norm(&rest) / norm(&q).max(norm(&momentum)).max(norm(&force));
    (dynamics + defect(dim, &mu, &u, r) / norm(&u).max(norm(r)), u)
}

fn is_consistent(path: &str) {
    let solution = mechan(&["solve", path, "--format", "json"]).ends(0).json();
    let file = problem(path);
    let (v, r, u) = (floats(&solution["v"]), floats(&solution["r"]), floats(&solution["u"]));
    let (residual, again) = judge(&file, &v, &r);
    let printed = solution["residual"].as_f64().unwrap();
    // both are sums of rounded numbers of the size of the data
    assert!((residual - printed).abs() <= 1e-13 + 1e-3 * printed, "{path}: {residual} {printed}");
    assert!(printed <= 1e-8, "{path}: {printed}");
    let scale = norm(&u).max(norm(&r));
    for (x, y) in u.iter().zip(&again) {
        assert!((x - y).abs() <= 1e-12 * scale, "{path}: {x} {y}");
    }
    assert_eq!(solution["contacts"].as_array().unwrap().len(), floats(&file["mu"]).len());
}

#[test]
fn of_problems_in_local_form() {
    let folder = "tests/incremental/problems";
    for name in
        ["Rover1039", "FrictionContactProblem00031", "FC2D_SliderCrankLagrangian00000", "FC3D_Example1"]
    {
        is_consistent(&format!("{folder}/{name}.json"));
    }
    is_consistent(SPACE);
}

#[test]
fn of_problems_in_global_form() {
    for name in ["GFC3D_Example0", "GFC3D_OneContact"] {
        is_consistent(&format!("tests/incremental/problems/{name}.json"));
    }
    is_consistent(TWO);
    is_consistent(FAMILY);
}

#[test]
fn of_all_solutions() {
    for path in [TWO, FAMILY, "tests/incremental/problems/FC2D_SliderCrankLagrangian00000.json"] {
        let solution = mechan(&["solve", path, "--all", "--format", "json"]).ends(0).json();
        assert_eq!(solution["complete"], true);
        for one in solution["solutions"].as_array().unwrap() {
            let (v, r, u) = (floats(&one["v"]), floats(&one["r"]), floats(&one["u"]));
            let (residual, again) = judge(&problem(path), &v, &r);
            // exact rationals, rounded once
            assert!(residual <= 1e-13, "{path}: {residual}");
            assert!(u.iter().zip(&again).all(|(x, y)| (x - y).abs() <= 1e-12), "{u:?} {again:?}");
        }
    }
}

#[test]
fn contacts_without_friction_that_separate_have_no_force() {
    let mut file = problem(TWO);
    (file["mu"], file["b"]) = (json!([0.0]), json!([2.0, 0.0]));
    file["H"] = json!({ "nrows": 1, "ncols": 2, "nnz": 0, "rows": [], "cols": [], "vals": [] });
    let solution = json_of(&file, &[]);
    assert_eq!(solution["status"], "solved");
    assert_eq!((&solution["u"], &solution["r"]), (&json!([2.0, 0.0]), &json!([0.0, 0.0])));
    assert_eq!(solution["residual"], 0.0);
}
