//! Random tapes over random boxes: nothing is shown that a point contradicts, by enclosures or by slopes.

use crate::models;
use crate::oracle::{Oracle, Random};
use mechan_check::{Certificate, Walk};
use serde_json::{Value, json};

const TAPES: usize = 3000;
const POINTS: usize = 60;
const UNARY: [&str; 10] = ["neg", "sin", "cos", "tan", "sqrt", "exp", "ln", "atan", "abs", "signum"];
const BINARY: [&str; 8] = ["add", "sub", "mul", "div", "min", "where", "mul", "add"];

/// Two inputs, two constants, some nodes of which later ones take recent values, and the difference of the last one and a third constant.
fn tape(random: &mut Random) -> Value {
    let mut tape = models::rod("1");
    let mut end = || random.below(49) as i64 - 24;
    let range = |a: i64, width: i64| json!([format!("{a}/8"), format!("{}/8", a + 1 + width.abs() / 3)]);
    tape["inputs"] =
        json!([{"name": "x", "range": range(end(), end())}, {"name": "y", "range": range(end(), end())}]);
    tape["constants"] = json!([format!("{}/8", end()), "2", "0"]);
    let nodes = (0..2 + random.below(9)).map(|i| {
        let last = 3 + i;
        let mut operand = || if i > 0 && random.below(2) == 0 { last + 1 } else { random.below(4) };
        let (a, b) = (operand(), operand());
        let operand = |v: usize, random: &mut Random| if v > 4 { 5 + random.below(v - 4) } else { v };
        let (a, b) = (operand(a, random), operand(b, random));
        if random.below(2) == 0 {
            json!([UNARY[random.below(UNARY.len())], a])
        } else {
            json!([BINARY[random.below(BINARY.len())], a, b])
        }
    });
    let mut nodes: Vec<Value> = nodes.collect();
    nodes.push(json!(["sub", 4 + nodes.len(), 4]));
    tape["claimed"] = json!({"positive": 4 + nodes.len()});
    tape["assumed"] = tape["claimed"].clone();
    tape["nodes"] = json!(nodes);
    tape
}

/// The least and the greatest last value at points of the box, none if it is not defined at some.
fn extremes(tape: &Value, random: &mut Random) -> Option<(f64, f64)> {
    let oracle = Oracle::new(tape);
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for i in 0..POINTS {
        // faces are where extremes often are
        let u = [random.unit(), random.unit()];
        let u = if i % 3 == 0 { u.map(f64::round) } else { u };
        let value = *oracle.values(&oracle.place(&u), &oracle.constants(random)).last()?;
        if value.is_nan() || value.abs() > 1e6 {
            return None;
        }
        (least, greatest) = (least.min(value), greatest.max(value));
    }
    Some((least, greatest))
}

/// Which marks show that the last value is above a constant, or nowhere above it.
fn shown(tape: &Value, constant: f64, marks: [char; 2]) -> bool {
    let mut tape = tape.clone();
    tape["constants"][2] = json!(format!("{constant:.12}"));
    let certificate = Certificate::read(&tape.to_string()).unwrap();
    let mut walk = Walk::new(&certificate);
    let shown = marks.map(|mark| walk.shows(mark));
    assert!(!shown[0] || shown[1], "what enclosures show, slopes do: {tape}");
    shown[1]
}

#[test]
fn nothing_is_shown_that_a_point_contradicts() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let (mut defined, mut least_shown, mut greatest_shown) = (0, 0, 0);
    for _ in 0..TAPES {
        let tape = tape(&mut random);
        let Some((least, greatest)) = extremes(&tape, &mut random) else {
            // a point is not defined, or may be far: the sign is never shown for all of a box with the former
            continue;
        };
        defined += 1;
        let margin = 1e-9 * (1.0 + least.abs().max(greatest.abs()));
        assert!(!shown(&tape, least + margin, ['.', ':']), "{tape} {least}");
        assert!(!shown(&tape, greatest - margin, ['-', '=']), "{tape} {greatest}");
        let more = 1e-3 + 0.01 * (greatest - least);
        least_shown += usize::from(shown(&tape, least - more, ['.', ':']));
        greatest_shown += usize::from(shown(&tape, greatest + more, ['-', '=']));
    }
    assert!(defined > TAPES / 3, "{defined}");
    // near the extremes, most are shown: faces and slopes work on all operations
    assert!(
        least_shown > defined / 2 && greatest_shown > defined / 2,
        "{defined} {least_shown} {greatest_shown}"
    );
}
