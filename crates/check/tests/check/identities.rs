//! Values that are the same function: what is seen, and what is not.

use crate::models;
use mechan_check::check;
use serde_json::{Value, json};

/// The attained rod with another value, made by `nodes` from 25 on, that is said to be the same as one of its own.
fn said(own: usize, other: usize, nodes: &[Value]) -> Result<(), String> {
    let mut rod = models::attained_rod();
    rod["nodes"].as_array_mut().unwrap().extend(nodes.iter().cloned());
    rod["same"].as_array_mut().unwrap().push(json!([own, other]));
    check(&rod.to_string()).map(|_| ()).map_err(|fault| fault.to_string())
}

#[test]
fn identities_of_sines_and_fractions_are_seen() {
    // sin 2θ = 2 sin θ cos θ
    let double = [json!(["mul", 5, 0]), json!(["sin", 25]), json!(["mul", 5, 11])];
    assert_eq!(said(26, 27, &double), Ok(()));
    // cos θ = 2 cos² θ/2 − 1
    let half = [
        json!(["div", 0, 5]),
        json!(["cos", 25]),
        json!(["mul", 26, 26]),
        json!(["mul", 5, 27]),
        json!(["sub", 28, 3]),
    ];
    assert_eq!(said(7, 29, &half), Ok(()));
    // 1/μ − 1/(μ + 1) = 1/(μ (μ + 1))
    let fractions = [
        json!(["div", 3, 1]),
        json!(["add", 1, 3]),
        json!(["div", 3, 26]),
        json!(["sub", 25, 27]),
        json!(["mul", 1, 26]),
        json!(["div", 3, 29]),
    ];
    assert_eq!(said(28, 30, &fractions), Ok(()));
    // u = μ/(4/3) = 3 μ/4
    let share = [json!(["mul", 5, 5]), json!(["mul", 4, 1]), json!(["div", 26, 25])];
    assert_eq!(said(2, 27, &share), Ok(()));
}

#[test]
fn what_is_not_the_same_or_not_seen_is_rejected() {
    let seen = "same[2]: expected two values that are seen to be the same";
    let other: [(usize, usize, Vec<Value>); 6] = [
        (6, 7, Vec::new()),
        (0, 6, Vec::new()),
        // true at the ends of the range alone; of θ, whose range has π; with a function that is no quotient; and 0/0
        (2, 25, vec![json!(["mul", 2, 2])]),
        (25, 26, vec![json!(["cos", 1]), json!(["cos", 2])]),
        (25, 1, vec![json!(["abs", 1])]),
        (26, 26, vec![json!(["sub", 0, 0]), json!(["div", 3, 25])]),
    ];
    for (a, b, nodes) in other {
        assert_eq!(said(a, b, &nodes), Err(seen.to_string()), "{a} {b}");
    }
    // a product that is too large to be expanded
    let mut nodes = vec![json!(["add", 0, 1])];
    nodes.extend((0..15).map(|k| json!(["add", 25 + k, if k % 2 == 0 { 6 } else { 7 }])));
    nodes.extend((0..14).map(|k| json!(["mul", 40 + k, 40 + k])));
    assert_eq!(said(54, 54, &nodes), Err(seen.to_string()));
}

/// Neither coefficients nor sums grow without a limit, be there ever so few products of terms.
#[test]
fn what_grows_is_limited() {
    let seen = Err("same[2]: expected two values that are seen to be the same".to_string());
    // 3^(2^60)
    let squares: Vec<_> = (0..60)
        .map(|k| json!(["mul", if k == 0 { 4 } else { 24 + k }, if k == 0 { 4 } else { 24 + k }]))
        .collect();
    assert_eq!(said(84, 84, &squares), seen);
    // 3^(2^14) can be computed
    assert_eq!(said(38, 38, &squares[..14]), Ok(()));
    // μ^(2^32), and μ^(2^40): powers do not come round to 0
    for n in [32, 40] {
        let powers: Vec<_> = (0..n)
            .map(|k| json!(["mul", if k == 0 { 1 } else { 24 + k }, if k == 0 { 1 } else { 24 + k }]))
            .collect();
        assert_eq!(said(24 + n, 3, &powers), seen);
        assert_eq!(said(24 + n, 24 + n, &powers), seen);
        assert_eq!(said(37, 37, &powers[..13]), Ok(()));
    }
    // (θ + μ + sin θ)¹², again and again a little more
    let mut sums = vec![json!(["add", 0, 1]), json!(["add", 25, 6])];
    sums.extend((0..11).map(|k| json!(["mul", 26, 26 + k])));
    assert_eq!(said(37, 37, &sums[..13]), Ok(()));
    sums.extend((0..20_000).map(|k| json!(["add", 3, 37 + k])));
    assert_eq!(said(20_037, 20_037, &sums), seen);
}

#[test]
fn shares_and_roots_are_where_they_belong() {
    let rejected = |change: &dyn Fn(&mut Value), refuted: bool, part: &str| {
        let mut rod = if refuted { models::refuted_attained_rod() } else { models::attained_rod() };
        change(&mut rod);
        let fault = check(&rod.to_string()).unwrap_err().to_string();
        assert!(fault.contains(part), "{fault}");
    };
    rejected(&|rod| rod["inputs"][2]["share"] = json!(0), false, "same[1]");
    rejected(&|rod| rod["inputs"][2]["share"] = json!(2), false, "an earlier");
    rejected(&|rod| rod["inputs"].as_array_mut().unwrap().swap(1, 2), false, "earlier");
    // a share is not halved, nor does a witness give it
    rejected(&|rod| rod["tree"] = json!("2.."), false, "tree, character 1");
    rejected(&|rod| rod["witness"] = json!([["1.107", "1.1072"], "4/3", "1"]), true, "one entry for each");
    // without the other form nothing is shown, and where it divides by what may be 0 neither
    rejected(&|rod| rod["same"] = json!([[16, 3]]), false, "leaf 1");
    rejected(&|rod| rod["same"] = json!([[17, 24]]), false, "leaf 1");
    // no root, another place, another bound
    rejected(&|rod| rod["roots"] = json!([]), true, "claim is not shown to fail");
    rejected(&|rod| rod["roots"] = json!([19, 19]), true, "one pair for each equation and root");
    rejected(&|rod| rod["witness"] = json!([["1.11", "1.12"], "4/3"]), true, "have a solution");
    rejected(
        &|rod| rod["witness"] = json!([["1.107", "1.1072"], "1.3333"]),
        true,
        "claim is not shown to fail",
    );
    rejected(&|rod| rod["roots"] = json!([20]), true, "have a solution");
}
