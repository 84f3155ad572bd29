//! Certificates by hand, whose trees are grown here: a box whose middle is not shown is halved along one input after the other.

use mechan_check::{Certificate, Walk};
use serde_json::{Value, json};

/// A certificate without a tree: inputs, constants, nodes, equations, assumptions and claim.
fn certificate(name: &str, statement: Value) -> Value {
    let mut all = json!({
        "schema": "mechan.certificate/1", "mechanism": name, "claim": "claim", "given": [], "closed": [],
        "answer": "proven", "zero": [], "assumed": {"all": []}, "tree": "?", "witness": null,
    });
    for (key, value) in statement.as_object().unwrap() {
        all[key] = value.clone();
    }
    all
}

fn range(name: &str, lo: &str, hi: &str) -> Value {
    json!({"name": name, "range": [lo, hi]})
}

/// The certificate with the tree that its boxes need, of at most so many splits above a leaf.
pub(crate) fn grown(mut certificate: Value, deepest: usize) -> Value {
    let read = Certificate::read(&certificate.to_string()).unwrap();
    let inputs = certificate["inputs"].as_array().unwrap();
    let varying = inputs.iter().filter(|input| input.get("range").is_some()).count();
    let (mut walk, mut tree) = (Walk::new(&read), String::new());
    loop {
        let depth = walk.depth();
        let mark = ['.', '-', ':', '='].into_iter().find(|&mark| walk.shows(mark));
        if let (None, true) = (mark, depth < deepest) {
            tree += &(depth % varying).to_string();
            walk.split(depth % varying).unwrap();
            continue;
        }
        tree.push(mark.unwrap_or('?'));
        if !walk.advance() {
            break;
        }
    }
    certificate["tree"] = json!(tree);
    certificate
}

/// p = 1 + 3 cos²θ − 3 μ sin θ cos θ > 0 of a slender rod whose tip slides, which is so for all θ if μ < 4/3.
pub(crate) fn rod(most: &str) -> Value {
    certificate(
        "slender_rod",
        json!({
            "claim": "no-paradox(tip)", "given": [format!("mu <= {most}")], "closed": ["tip"],
            "inputs": [range("theta", "0", "pi/2"), range("mu", "0", most), {"name": "length", "value": "2"}],
            "constants": ["1", "3"],
            // 0 θ, 1 μ, 2 length, 3 1, 4 3
            "nodes": [
                ["sin", 0], ["cos", 0], ["mul", 6, 6], ["mul", 4, 7], ["add", 3, 8], ["mul", 5, 6], ["mul", 1, 10],
                ["mul", 4, 11], ["sub", 9, 12],
            ],
            "claimed": {"positive": 13},
        }),
    )
}

pub(crate) fn refuted_rod() -> Value {
    let mut rod = rod("2");
    rod["answer"] = json!("refuted");
    rod["tree"] = Value::Null;
    rod["witness"] = json!(["11/10", "1.5"]);
    rod
}

/// p/(sin² θ + cos² θ) ≥ 0 where μ ≤ 4/3, a bound that is attained: with the share u of μ, p = (1 − u)(1 + 3 cos² θ) + u (2 cos θ − sin θ)².
pub(crate) fn attained_rod() -> Value {
    certificate(
        "attained_rod",
        json!({
            "inputs": [range("theta", "0", "pi/2"), range("mu", "0", "4/3"), {"name": "share of mu", "share": 1}],
            "constants": ["1", "3", "2"],
            // 0 θ, 1 μ, 2 u, 3 1, 4 3, 5 2
            "nodes": [
                ["sin", 0], ["cos", 0], ["mul", 7, 7], ["mul", 4, 8], ["add", 3, 9], ["mul", 6, 7], ["mul", 1, 11],
                ["mul", 4, 12], ["sub", 10, 13], ["mul", 6, 6], ["add", 8, 15], ["div", 14, 16],
                ["mul", 5, 7], ["sub", 18, 6], ["mul", 19, 19], ["mul", 2, 20], ["sub", 3, 2], ["mul", 22, 10],
                ["add", 21, 23],
            ],
            "same": [[16, 3], [17, 24]], "claimed": {"nonnegative": 17}, "tree": ".",
        }),
    )
}

/// p > 0 fails at μ = 4/3, where tan θ = 2.
pub(crate) fn refuted_attained_rod() -> Value {
    let mut rod = attained_rod();
    rod["claimed"] = json!({"positive": 17});
    rod["answer"] = json!("refuted");
    rod["tree"] = Value::Null;
    rod["witness"] = json!([["1.107", "1.1072"], "4/3"]);
    rod["roots"] = json!([19]);
    rod
}

/// On the circle x² + y² = 1, x + y < 3/2.
pub(crate) fn circle() -> Value {
    certificate(
        "circle",
        json!({
            "inputs": [range("x", "-2", "2"), range("y", "-2", "2")],
            "constants": ["1", "3/2"],
            "nodes": [
                ["mul", 0, 0], ["mul", 1, 1], ["add", 4, 5], ["sub", 6, 2], ["add", 0, 1], ["sub", 3, 8],
            ],
            "zero": [7], "claimed": {"positive": 9},
        }),
    )
}

/// On the circle, x + y < 5/4 fails.
pub(crate) fn refuted_circle() -> Value {
    let mut circle = circle();
    circle["constants"][1] = json!("1.25");
    circle["answer"] = json!("refuted");
    circle["tree"] = Value::Null;
    circle["witness"] = json!(["0.7", ["0.7", "3*2^-2"]]);
    circle
}

/// Two equations: on the circle and on the line x = 3y, x + y > 0 fails.
pub(crate) fn refuted_line() -> Value {
    certificate(
        "line",
        json!({
            "inputs": [range("x", "-2", "2"), range("y", "-2", "2")],
            "constants": ["1", "3"],
            "nodes": [
                ["mul", 0, 0], ["mul", 1, 1], ["add", 4, 5], ["sub", 6, 2], ["mul", 1, 3], ["sub", 0, 8], ["add", 0, 1],
            ],
            "zero": [9, 7], "claimed": {"positive": 10}, "answer": "refuted", "tree": null,
            "witness": [["-0.96", "-0.94"], ["-0.325", "-0.305"]],
        }),
    )
}

/// A plank on two feet, whose gaps are y ± sin φ: both are closed at φ = 0 alone. By sum and difference, of which slopes alone show the signs.
pub(crate) fn refuted_plank() -> Value {
    certificate(
        "plank",
        json!({
            "inputs": [range("y", "-1", "1"), range("phi", "-pi/4", "pi/4")],
            "constants": ["1/2"],
            "nodes": [["sin", 1], ["add", 0, 3], ["sub", 0, 3], ["add", 4, 5], ["sub", 4, 5], ["sub", 1, 2]],
            "zero": [7, 6], "claimed": {"nonnegative": 8}, "answer": "refuted", "tree": null,
            "witness": [["-0.01", "0.01"], ["-pi/300", "0.01"]],
        }),
    )
}

/// θ ≥ sin θ from 0 on, which slopes alone show, and no box without them.
pub(crate) fn sine() -> Value {
    certificate(
        "sine",
        json!({
            "inputs": [range("theta", "0", "pi/2"), range("x", "-1/10", "0.1")],
            "constants": [["6004799503160661*2^-54", "6004799503160662*2^-54"]],
            "nodes": [
                ["sin", 0], ["sub", 0, 3], ["abs", 1], ["mul", 1, 1], ["sub", 5, 6], ["exp", 1], ["sub", 8, 2],
            ],
            "claimed": {"all": [{"nonnegative": 4}, {"nonnegative": 7}, {"positive": 9}]},
        }),
    )
}

/// Every operation: an assumption that halves the box, and a claim of "any".
pub(crate) fn all_operations() -> Value {
    certificate(
        "all",
        json!({
            "inputs": [range("x", "0.1", "2"), {"name": "k", "value": "1/3"}, range("y", "-1", "pi/3")],
            "constants": ["1", "5/2"],
            // 0 x, 1 k, 2 y, 3 1, 4 5/2
            "nodes": [
                ["sqrt", 0], ["ln", 0], ["exp", 2], ["atan", 6], ["tan", 2], ["abs", 9], ["signum", 0], ["min", 5, 7],
                ["where", 2, 10], ["neg", 8], ["div", 13, 12], ["add", 15, 13], ["mul", 1, 16], ["sub", 4, 17],
                ["cos", 18], ["sin", 18], ["mul", 19, 20], ["sub", 2, 0], ["add", 16, 4],
            ],
            "assumed": {"any": [{"positive": 2}, {"positive": 22}, {"nonnegative": 18}]},
            "claimed": {"any": [{"all": [{"positive": 23}, {"positive": 18}]}, {"positive": 21}]},
        }),
    )
}

/// Nothing satisfies μ > 3/2 cos θ + 1 there.
pub(crate) fn vacuous() -> Value {
    let mut rod = rod("0.7");
    rod["constants"] = json!(["1", "3", "3/2"]);
    rod["nodes"] = json!([["cos", 0], ["mul", 5, 6], ["add", 3, 7], ["sub", 1, 8], ["mul", 0, 9],]);
    rod["answer"] = json!("vacuous");
    rod["assumed"] = json!({"positive": 9});
    rod["claimed"] = json!({"positive": 10});
    rod
}

/// One certificate of every kind, all accepted.
pub(crate) fn all() -> Vec<Value> {
    let mut undecided = grown(rod("1.5"), 8);
    undecided["answer"] = json!("undecided");
    vec![
        grown(rod("1.3"), 30),
        grown(circle(), 30),
        grown(sine(), 30),
        grown(all_operations(), 12),
        grown(vacuous(), 30),
        undecided,
        refuted_rod(),
        attained_rod(),
        refuted_attained_rod(),
        refuted_circle(),
        refuted_line(),
        refuted_plank(),
    ]
}
