//! Bad input is refused, with what is wrong and where.

use crate::models;
use mechan_check::{Fault, MOST_BYTES, check};
use serde_json::{Value, json};

fn small() -> Value {
    let mut small = models::rod("1.3");
    small["tree"] = json!("?");
    small["answer"] = json!("undecided");
    small
}

fn fault_with(path: &[&str], value: Value) -> Fault {
    let mut certificate = small();
    let place = path.iter().fold(&mut certificate, |value, key| match key.parse::<usize>() {
        Ok(i) => &mut value[i],
        Err(_) => &mut value[*key],
    });
    *place = value;
    check(&certificate.to_string()).unwrap_err()
}

#[test]
fn every_truncation_is_refused() {
    let text = small().to_string();
    check(&text).unwrap();
    for n in 0..text.len() {
        assert!(matches!(check(&text[..n]), Err(Fault::Json(_))), "{n}");
    }
}

#[test]
fn keys_are_those_of_the_format() {
    let certificate = small();
    for key in certificate.as_object().unwrap().keys() {
        let mut without = certificate.clone();
        without.as_object_mut().unwrap().remove(key);
        let missing = format!("missing field `{key}`");
        assert!(
            matches!(check(&without.to_string()), Err(Fault::Json(why)) if why.contains(&missing)),
            "{key}"
        );
        let twice = certificate.to_string().replacen('{', &format!("{{\"{key}\": {},", certificate[key]), 1);
        assert!(matches!(check(&twice), Err(Fault::Json(why)) if why.contains("duplicate field")), "{key}");
    }
    let fault = fault_with(&["more"], json!(1)).to_string();
    assert!(fault.contains("unknown field `more`"), "{fault}");
    let values: Vec<_> = certificate.as_object().unwrap().values().collect();
    assert!(matches!(check(&json!(values).to_string()), Err(Fault::Json(_))));
    assert!(matches!(check(&json!([certificate["schema"]]).to_string()), Err(Fault::Json(_))));
    for schema in [json!("mechan.certificate/2"), json!("mechan.certificate/1 "), json!("")] {
        let fault = fault_with(&["schema"], schema).to_string();
        assert!(fault.contains("expected `mechan.certificate/1`"), "{fault}");
    }
}

#[test]
fn what_has_another_form_is_refused() {
    let wrong: [(&[&str], Value); 33] = [
        (&["answer"], json!("true")),
        (&["answer"], json!(null)),
        (&["mechanism"], json!("\u{1b}[2J")),
        (&["given", "0"], json!("a\nb")),
        (&["closed"], json!([1])),
        (&["inputs"], json!({})),
        (&["inputs", "0"], json!({"name": "x"})),
        (&["inputs", "0"], json!({"name": "x", "range": ["0", "1"], "value": "1"})),
        (&["inputs", "0"], json!({"name": "x", "range": ["0", "1", "2"]})),
        (&["inputs", "0"], json!({"name": "x", "range": ["1", "0"]})),
        (&["inputs", "0"], json!({"name": "x", "range": ["pi", "3.14"]})),
        (&["inputs", "0"], json!({"name": "x", "value": 0.5})),
        (&["inputs", "0"], json!({"name": 3, "value": "0.5"})),
        (&["constants", "0"], json!(1)),
        (&["constants", "0"], json!(["2", "1"])),
        (&["constants", "0"], json!("1e999999")),
        (&["nodes", "0"], json!(["sinh", 0])),
        (&["nodes", "0"], json!(["sin", 0, 0])),
        (&["nodes", "0"], json!(["add", 0])),
        (&["nodes", "0"], json!([])),
        (&["nodes", "0"], json!(["sin", 5])),
        (&["nodes", "0"], json!(["sin", 13])),
        (&["nodes", "0"], json!(["sin", -1])),
        (&["nodes", "0"], json!(["sin", 0.0])),
        (&["nodes", "0"], json!(["sin", 4_294_967_296u64])),
        (&["zero"], json!([14])),
        (&["claimed"], json!({"positive": 14})),
        (&["claimed"], json!({"not": 3})),
        (&["claimed"], json!({"all": 3})),
        (&["claimed"], json!({"positive": 3, "nonnegative": 3})),
        (&["claimed"], json!({})),
        (&["witness"], json!([["2", "1"], "1"])),
        (&["tree"], json!(["?"])),
    ];
    for (path, value) in wrong {
        let fault = fault_with(path, value.clone());
        assert!(matches!(fault, Fault::Form { .. } | Fault::Json(_)), "{path:?} {value}: {fault}");
    }
    let nodes = fault_with(&["nodes", "3"], json!(["mul", 4, 8]));
    assert_eq!(nodes.to_string(), "nodes[3]: expected the number of an earlier value");
}

#[test]
fn trees_are_whole() {
    for tree in ["", "0", "0?", "0??0", "??", "2???", "Z??", "a??", "0?x", "0? ?", "É"] {
        assert!(matches!(fault_with(&["tree"], json!(tree)), Fault::Tree { .. }), "{tree}");
    }
    // a side is halved 62 times at most
    let deep = |n: usize| format!("{}{}", "0".repeat(n), "?".repeat(n + 1));
    assert!(matches!(fault_with(&["tree"], json!(deep(63))), Fault::Tree { at: 63, .. }));
    let mut certificate = small();
    certificate["tree"] = json!(deep(62));
    assert!(check(&certificate.to_string()).is_ok());
    // and a box has 4000 splits above it at most
    assert!(matches!(fault_with(&["tree"], json!("01".repeat(1 << 20))), Fault::Tree { at: 125, .. }));
}

#[test]
fn nesting_is_bounded() {
    let nested = |n: usize| {
        let formula = format!("{}{{\"positive\":3}}{}", "{\"all\":[".repeat(n), "]}".repeat(n));
        let text = small().to_string().replace("{\"positive\":13}", &formula);
        check(&text)
    };
    assert!(nested(62).is_ok());
    assert!(matches!(nested(63), Err(Fault::Json(_))));
    assert!(matches!(nested(1_000_000), Err(Fault::Json(_))));
    assert!(matches!(check(&"[".repeat(10_000_000)), Err(Fault::Json(_))));
}

#[test]
fn inputs_that_vary_are_at_most_thirty_six() {
    let inputs = |n: usize| json!(vec![json!({"name": "x", "range": ["0", "1"]}); n]);
    let mut many = small();
    many["inputs"] = inputs(36);
    many["tree"] = json!("Z??");
    assert!(check(&many.to_string()).is_ok());
    many["inputs"] = inputs(37);
    assert!(matches!(check(&many.to_string()), Err(Fault::Form { .. })));
}

#[test]
fn a_huge_text_is_not_read() {
    let huge = " ".repeat(MOST_BYTES + 1);
    assert_eq!(check(&huge), Err(Fault::Large { bytes: MOST_BYTES + 1 }));
}
