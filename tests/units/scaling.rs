//! Lengths, masses and times of every shipped mechanism by factors of a million, one by one and together: the same words,
//! and the numbers times what their dimension says.

use super::dimensions::{
    ACCELERATION, Dim, ENERGY, FORCE, IMPULSE, LENGTH, MOBILITY, ONE, SPEED, TIME, coordinate, has_unit_mass,
    parameter,
};
use super::library::{Derived, numbers, texts};
use mechan::num::Tol;
use mechan::pipeline::AnalyzeOptions;
use serde_json::Value;

/// Relative to the number, or to the unit of its dimension, in which the shipped mechanisms are of order one. Scaled inputs
/// are rounded; amplified by what cancels, as p near the singular point, a few hundred roundings.
const TOLERANCE: f64 = 1e-8;

/// The same for the solution of the next step, which a solver finds to a residual of 1e-8 and a problem amplifies.
const SOLUTION: f64 = 1e-6;

/// Shares of p below which friction makes the contact singular but for the rounding of the state.
const SINGULAR: f64 = 1e-12;

/// Factors of mass, length and time.
type Factors = [f64; 3];

const UNITS: [Factors; 9] = [
    [1e-6, 1.0, 1.0],
    [1e6, 1.0, 1.0],
    [1.0, 1e-6, 1.0],
    [1.0, 1e6, 1.0],
    [1.0, 1.0, 1e-6],
    [1.0, 1.0, 1e6],
    [1e-6, 1e-6, 1e-6],
    [1e6, 1e6, 1e6],
    [1e6, 1e-6, 1e-6],
];

fn factor(dim: Dim, units: Factors) -> f64 {
    units[0].powi(dim.0) * units[1].powi(dim.1) * units[2].powi(dim.2)
}

/// The leaves of a value with their paths.
fn leaves(path: &mut Vec<String>, value: &Value, found: &mut Vec<(Vec<String>, Value)>) {
    let entries: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), v)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect(),
        _ => return found.push((path.clone(), value.clone())),
    };
    for (key, value) in entries {
        path.push(key);
        leaves(path, value, found);
        path.pop();
    }
}

/// Numbers that have their solver's own scale, sentences that contain numbers, and what a compliance decides whose
/// stiffness and damping are not scaled along.
fn is_skipped(path: &[&str]) -> bool {
    let keys = [
        // how many modes had to be looked at: rounding may turn another branch
        "modes_examined",
        "modes_pruned",
        "reason",
        "warnings",
        "normal_eigenvalues",
        "flips_at",
        "portrait",
        "residual",
        "solver",
        "margin",
        "margin_bound",
        "certificate",
        // the bound of a search, and points between borders that rounding moves
        "growth_bound",
        "map",
    ];
    path.iter().any(|key| keys.contains(key))
}

struct Dimensions<'a> {
    mechanism: &'a str,
    coordinates: Vec<String>,
}

impl Dimensions<'_> {
    fn q(&self, i: &str) -> Dim {
        coordinate(&self.coordinates[i.parse::<usize>().unwrap()])
    }

    /// The dimension of a number of a state's report.
    #[rustfmt::skip]
    fn of(&self, path: &[&str]) -> Option<Dim> {
        let rate = |dim: Dim| dim.over(TIME);
        Some(match *path {
            ["t"] => TIME,
            ["q", c] => coordinate(c),
            ["v", c] => rate(coordinate(c)),
            ["parameters", p] => parameter(self.mechanism, p),
            ["model", "M", i, j] => ENERGY.times(TIME).times(TIME).over(self.q(i)).over(self.q(j)),
            ["model", "h" | "B" | "G" | "F", i] => ENERGY.over(self.q(i)),
            ["model", "kinetic_energy" | "potential_energy"] => ENERGY,
            ["model", "free_acceleration", i] => rate(rate(self.q(i))),
            ["model", "constraint_jacobian", _, j] => LENGTH.over(self.q(j)),
            ["contacts", _, "gap"] => LENGTH,
            ["contacts", _, "gap_rate"] | ["contacts", _, "slip", _] => SPEED,
            ["contacts", _, "friction" | "mu_min"] => ONE,
            ["contacts", _, "W_N", j] | ["contacts", _, "W_T", _, j] => LENGTH.over(self.q(j)),
            ["contacts", _, "a" | "b"] | ["contacts", _, "a", _] => ACCELERATION,
            ["contacts", _, "forbidden", ..] | ["contacts", _, "p_min", "phi"] => ONE,
            ["contacts", _, ..] | ["delassus", ..] | ["two_contacts", "P", ..] => MOBILITY,
            ["two_contacts", "b", _] => ACCELERATION,
            ["modes", _, "forces" | "hyperstatic", ..] | ["rest", "force_corners", ..] => FORCE,
            ["modes", _, "direction", _] | ["rest", "force_rays", ..] => ONE,
            ["rest", "lyapunov", "orbit", "start", c] | ["rest", "lyapunov", "search", "start", c] => rate(coordinate(c)),
            ["rest", "lyapunov", "orbit", "period"] | ["rest", "lyapunov", "orbit", "phases", _, "duration"] => TIME,
            ["rest", "lyapunov", "growth"] | ["rest", "lyapunov", "orbit", "growth"] => ONE,
            ["rest", "lyapunov", "orbit", "returns"] | ["rest", "lyapunov", "search", "tried" | "grew" | "settled" | "seed"] => ONE,
            ["rest", "robustness", "friction_factor" | "push"] | ["rest", "robustness", "least_friction" | "tilt", _] => ONE,
            ["rest", "robustness", "push_along", c, _] | ["rest", "robustness", "strong", "push_along", c, _, "at"] => ENERGY.over(coordinate(c)),
            ["rest", "robustness", "strong", .., "at"] => ONE,
            ["modes", _, "accelerations" | "accelerations_range", ..] => ACCELERATION,
            ["crossing", _, "p"] | ["impact", _, "invariant_directions", _, "p"] => MOBILITY,
            ["crossing", _, "rate"] => MOBILITY.times(MOBILITY).over(TIME),
            ["crossing", _, "time"] => TIME,
            ["crossing", _, "direction" | "distance" | "force_exponent_theory"] => ONE,
            ["impact", _, "invariant_directions", _, "phi"] | ["impact", _, "compressions"] => ONE,
            ["impact", _, "pre" | "post" | "iwc_post", ..] => SPEED,
            ["impact", _, "impulse" | "iwc_impulse", ..] => IMPULSE,
            ["impact", _, "energy_loss"] => ENERGY,
            ["impact", _, "chatter", "time"] => TIME,
            ["impact", _, "chatter", "slip"] => SPEED,
            ["impact", _, "restitution" | "effective_restitution"] | ["impact", _, "chatter", "ratio"] => ONE,
            ["jam", _, "p"] => MOBILITY,
            ["jam", _, "b"] => ACCELERATION,
            ["jam", _, "p_distance" | "b_distance"] => ONE,
            ["jam", _, "coefficients", "alpha1" | "beta"] => MOBILITY.over(TIME),
            ["jam", _, "coefficients", "alpha2"] => ACCELERATION.over(TIME),
            ["jam", _, "slope"] => ACCELERATION.over(MOBILITY),
            ["jam", _, "time"] | ["no_slip", "horizon"] | ["no_slip", _, "state", "t"] => TIME,
            ["no_slip", _, "state", "q", i] => self.q(i),
            ["no_slip", _, "state", "v", i] => rate(self.q(i)),
            ["no_slip", _, "state", "lambda_N" | "lambda_T"] => FORCE,
            ["no_slip", _, "state", "free_gap_acceleration"] => ACCELERATION,
            ["equilibrium", "curvature"] => ONE.over(TIME).over(TIME),
            ["equilibrium", "effective_restitution"] => ONE,
            ["existence", "h"] => TIME,
            ["existence", "solution", "v", c] => rate(coordinate(c)),
            ["existence", .., "u", _] => SPEED,
            ["existence", .., "r", _] => IMPULSE,
            _ => return None,
        })
    }

    /// Where a scaled report says something else.
    fn differences(&self, units: Factors, base: &Value, found: &Value) -> Vec<String> {
        let all = |value: &Value| {
            let mut list = Vec::new();
            leaves(&mut Vec::new(), value, &mut list);
            list.retain(|(path, _)| !is_skipped(&path.iter().map(String::as_str).collect::<Vec<_>>()));
            list
        };
        let (base, found) = (all(base), all(found));
        let (old, new): (Vec<_>, Vec<_>) =
            (base.iter().map(|(path, _)| path).collect(), found.iter().map(|(path, _)| path).collect());
        if old != new {
            let missing = old.iter().zip(&new).find(|(a, b)| a != b);
            return vec![format!("other entries, first {missing:?}")];
        }
        base.iter().zip(&found).filter_map(|((path, x), (_, y))| self.difference(units, path, x, y)).collect()
    }

    fn difference(&self, units: Factors, path: &[String], x: &Value, y: &Value) -> Option<String> {
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        let (Some(a), Some(b), Some(dim)) = (x.as_f64(), y.as_f64(), self.of(&keys)) else {
            return (x != y).then(|| format!("{}: {y} for {x}", path.join(".")));
        };
        let k = factor(dim, units);
        let tolerance = if keys.starts_with(&["existence", "solution"]) { SOLUTION } else { TOLERANCE };
        let near = (b - k * a).abs() <= tolerance * k * a.abs().max(1.0);
        (!near).then(|| format!("{}: {b:e} for {a:e} times {k:e}", path.join(".")))
    }
}

/// Leaves out of a report what `base` does not determine about stability and the next step: the best point where there is no solution,
/// the forces where a whole set of them solves the step, and solutions where p vanishes, so that rounding decides
/// which there are.
fn determined(base: &Value, mut report: Value) -> Value {
    let undecided =
        |mode: &Value| mode["normal_stability"] == "conditional" || mode["normal_stability"] == "undecided";
    // by compliances, which are not scaled along
    if base["modes"].as_array().into_iter().flatten().any(undecided) {
        report.as_object_mut().unwrap().remove("resolved");
        let modes = report["modes"].as_array_mut().into_iter().flatten();
        modes.for_each(|mode| drop(mode.as_object_mut().unwrap().remove("normal_stability")));
    }
    chosen(base, &mut report);
    let next = &base["existence"];
    let Some(existence) = report["existence"].as_object_mut() else { return report };
    if is_singular(base) {
        ["solution", "solutions", "complete"].iter().for_each(|key| drop(existence.remove(*key)));
    } else if next["solution"]["status"] != "solved" {
        let point = existence["solution"].as_object_mut().unwrap();
        point.retain(|key, _| key == "status");
    } else if next["solutions"].as_array().into_iter().flatten().any(|s| s["dimension"] != 0) {
        let contacts = existence["solution"]["contacts"].as_object_mut().unwrap();
        contacts.values_mut().for_each(|contact| drop(contact.as_object_mut().unwrap().remove("r")));
    }
    report
}

/// Takes out forces that a state does not determine: which of them are shown, where the least lie outside the cones, is a corner
/// of a program that rounding chooses. Their ranges stay.
fn chosen(base: &Value, report: &mut Value) {
    let wide = |range: &Value| {
        let [low, high] = [0, 1].map(|i| range[i].as_f64().unwrap_or(0.0));
        high - low > TOLERANCE * high.abs().max(low.abs())
    };
    let modes = base["modes"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(report["modes"].as_array_mut().into_iter().flatten());
    for (base, mode) in modes {
        for (contact, ranges) in base["hyperstatic"].as_object().into_iter().flatten() {
            for part in ["N", "T"].iter().filter(|part| wide(&ranges[**part])) {
                mode["forces"][contact].as_object_mut().map(|forces| forces.remove(*part));
            }
        }
    }
}

fn is_singular(state: &Value) -> bool {
    let vanishes = |contact: &Value| {
        let size = contact["C"].as_f64().unwrap();
        ["p_plus", "p_minus", "p_slip"]
            .iter()
            .any(|p| contact[*p].as_f64().is_some_and(|p| p.abs() < SINGULAR * size))
    };
    let closed = state["closed"].as_array().into_iter().flatten();
    closed.filter_map(|name| state["contacts"].get(name.as_str()?)).any(vanishes)
}

/// What makes a state the same in other units.
fn scaled(mechanism: &str, state: &Value, units: Factors) -> AnalyzeOptions {
    let times = |dim: Dim, x: f64| factor(dim, units) * x;
    let t = format!("t={:e}", times(TIME, state["t"].as_f64().unwrap()));
    let parameters = numbers(&state["parameters"]).into_iter();
    let parameters = parameters.map(|(p, x)| format!("{p}={:e}", times(parameter(mechanism, &p), x)));
    let q = numbers(&state["q"]).into_iter().map(|(c, x)| format!("{c}={:e}", times(coordinate(&c), x)));
    let v = numbers(&state["v"]).into_iter();
    let v = v.map(|(c, x)| format!("dot({c})={:e}", times(coordinate(&c).over(TIME), x)));
    AnalyzeOptions {
        states: vec![state["state"].as_str().unwrap().to_string()],
        set: std::iter::once(t).chain(parameters).chain(q).chain(v).collect(),
        step: Some(times(TIME, 1e-3)),
        tolerances: briefly(),
        ..AnalyzeOptions::default()
    }
}

/// The motion without slip is followed only for a moment.
fn briefly() -> Tol {
    Tol { look_ahead: 1.0, look_ahead_spans: 4, ..Tol::default() }
}

#[test]
fn every_shipped_state_says_the_same_in_other_units() {
    let (mut compared, mut faults) = (0, Vec::new());
    for (name, text) in texts() {
        let derived = Derived::of(&name, &text);
        let coordinates = derived.loaded.mechanism.coordinates.iter().map(|c| c.name.clone()).collect();
        let dimensions = Dimensions { mechanism: &name, coordinates };
        for state in derived.states(&AnalyzeOptions { without_next_step: true, ..AnalyzeOptions::default() })
        {
            // given by numbers, not by expressions, as the scaled ones
            let base = derived.states(&scaled(&name, &state, [1.0; 3])).remove(0);
            for units in UNITS
                .into_iter()
                .filter(|units| (units[0] - 1.0).abs() < f64::EPSILON || !has_unit_mass(&name))
            {
                let found = derived.states(&scaled(&name, &state, units));
                let found = determined(&base, found.into_iter().next().unwrap());
                let differences = dimensions.differences(units, &determined(&base, base.clone()), &found);
                let place = format!("{name} {} times {units:?}", base["state"]);
                faults.extend(differences.into_iter().map(|d| format!("{place}: {d}")));
                compared += 1;
            }
        }
    }
    assert!(compared > 700, "{compared} reports");
    assert!(faults.is_empty(), "{} differences\n{}", faults.len(), faults[..faults.len().min(60)].join("\n"));
}

/// However short the step, the point that the solvers find moves as one of the solutions of the complete list does.
#[test]
fn the_next_step_found_is_a_listed_one_at_any_length() {
    let mut compared = 0;
    for (name, text) in texts() {
        let derived = Derived::of(&name, &text);
        for step in [1e-7, 1e-3, 1e-1] {
            let options =
                AnalyzeOptions { step: Some(step), tolerances: briefly(), ..AnalyzeOptions::default() };
            for state in derived.states(&options) {
                let next = &state["existence"];
                if next["complete"] == true && !is_singular(&state) {
                    assert!(is_listed(next), "{name} {} at {step}: {next}", state["state"]);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 200, "{compared} steps");
}

/// Whether the contacts of the point found have the words of a listed solution; without force a contact is also at the
/// end of a set of forces that stick or slip.
fn is_listed(next: &Value) -> bool {
    let word = |contact: &Value| contact["status"].as_str().unwrap().trim_end_matches(['+', '-']).to_string();
    let (found, listed) = (&next["solution"], next["solutions"].as_array().unwrap());
    let agree = |solution: &Value| {
        let ends = solution["dimension"] != 0;
        let mut contacts = solution["contacts"].as_object().unwrap().iter();
        contacts.all(|(name, contact)| {
            let (here, there) = (word(&found["contacts"][name]), word(contact));
            here == there || ends && here == "take-off" && ["stick", "slip"].contains(&&*there)
        })
    };
    match found["status"].as_str().unwrap() {
        "solved" => listed.iter().any(agree),
        status => status == "no_solution" && listed.is_empty(),
    }
}
