//! The JSON Schema of the scene format (draft 2020-12), for editors: shapes, key names and words about them. What needs names,
//! numbers or the dimension of space is left to the reader.

use super::places::PLACES;
use super::surfaces::SIDES;
use crate::format::schema::{
    definitions, described, expression, label, list, list_of, named, object, optional, parameter, reference,
    text, vector,
};
use serde_json::{Value, json};

/// The JSON Schema of the scene format, version 1.
pub fn scene_schema() -> Value {
    let mut whole = object(&["scene", "name", "space", "friction", "step"], top_level());
    whole["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    whole["title"] = json!("mechan scene, version 1");
    whole["oneOf"] = json!([given("steps"), given("duration")]);
    whole["anyOf"] = json!([given("groups"), given("mechanisms")]);
    let common = definitions();
    let mut own = json!({});
    for name in ["name", "label", "text", "expression", "vector"] {
        own[name] = common[name].clone();
    }
    own["sizes"] = sizes();
    own["group"] = group();
    own["surface"] = surface();
    whole["$defs"] = own;
    whole
}

fn given(key: &str) -> Value {
    json!({"required": [key], "properties": {key: {"not": {"type": "null"}}}})
}

/// Exactly one of some keys has a value.
fn one_of(mut whole: Value, keys: &[&str]) -> Value {
    whole["oneOf"] = keys.iter().map(|key| given(key)).collect();
    whole
}

fn top_level() -> Value {
    json!({
        "scene": {"enum": [1, "1"], "description": "version of the format"},
        "name": described(label(), "identifier, also the default name of outputs"),
        "title": described(text(), "one line, shown in reports"),
        "description": described(text(), "a paragraph"),
        "space": {"enum": ["plane", "space"], "description": "plane: discs and boxes, vectors [x, y]; space: spheres and boxes, vectors [x, y, z]"},
        "parameters": named("name", parameter(), "numbers or expressions in earlier parameters"),
        "gravity": described(vector(), "m/s^2; default zero"),
        "seed": described(expression(), "what random sizes and places depend on: a whole number; default 0"),
        "groups": named("label", reference("group"), "bodies of one kind"),
        "mechanisms": named("label", mechanism(), "mechanisms that move among the bodies"),
        "surfaces": named("label", reference("surface"), "what does not move, or as it is told"),
        "friction": described(expression(), "Coulomb's coefficient where no pair says otherwise, >= 0"),
        "restitution": described(expression(), "Newton's coefficient, from 0 to 1; default 0"),
        "pairs": described(list(pair()), "where friction or restitution differ; the last that fits counts"),
        "step": described(expression(), "length of a time step, s"),
        "steps": described(expression(), "number of steps; or `duration`"),
        "duration": described(expression(), "s; or `steps`"),
        "theta": described(expression(), "of Moreau's scheme, from 0 to 1; default 1/2"),
        "solver": described(text(), "one solver instead of the automatic choice"),
        "tolerance": described(expression(), "residual to reach in every step"),
        "overlaps": {"enum": ["take-back", "keep"], "description": "what becomes of overlaps that last; default take-back"}
    })
}

fn sizes() -> Value {
    let normal = object(
        &["mean", "deviation", "range"],
        json!({"mean": expression(), "deviation": expression(), "range": list_of(2, expression())}),
    );
    let distribution = object(&[], json!({"uniform": list_of(2, expression()), "normal": normal}));
    json!({"anyOf": [
        expression(),
        {"type": "array", "items": expression(), "minItems": 1},
        one_of(distribution, &["uniform", "normal"])
    ], "description": "a number, {uniform: [lo, hi]}, {normal: {mean: .., deviation: .., range: [lo, hi]}} or a list that is used in turn"})
}

fn group() -> Value {
    let mut whole = object(
        &["place"],
        json!({
            "sphere": described(reference("sizes"), "radius, m; in space"),
            "disc": described(reference("sizes"), "radius, m; in the plane"),
            "box": described(vector(), "lengths of the edges, m"),
            "scale": described(reference("sizes"), "factors of the edges of boxes"),
            "count": described(expression(), "how many; with `at` the list says it"),
            "density": described(expression(), "kg/m^3, kg/m^2 in the plane"),
            "mass": described(expression(), "kg each"),
            "place": place(),
            "velocity": described(vector(), "at the beginning, m/s"),
            "spin": described(rotation(), "at the beginning, rad/s"),
            "turn": described(rotation(), "of boxes at the beginning, rad: a rotation vector, an angle in the plane")
        }),
    );
    whole["allOf"] = json!([
        {"oneOf": [given("sphere"), given("disc"), given("box")]},
        {"oneOf": [given("density"), given("mass")]}
    ]);
    whole
}

fn mechanism() -> Value {
    object(
        &["file"],
        json!({
            "file": described(text(), "a mechanism or model file, seen from that of the scene, or a name of the library"),
            "state": described(text(), "the state in which it begins; default the first of its file"),
            "set": {
                "type": "object",
                "additionalProperties": expression(),
                "description": "values of parameters, of coordinates (x) and of their rates (dot(x)) at the beginning"
            }
        }),
    )
}

fn rotation() -> Value {
    json!({"anyOf": [expression(), vector()]})
}

fn place() -> Value {
    let grid = object(
        &["from", "to"],
        json!({"from": vector(), "to": vector(), "spacing": expression(), "jitter": expression()}),
    );
    let random = object(&["from", "to"], json!({"from": vector(), "to": vector()}));
    let column =
        object(&["base", "direction"], json!({"base": vector(), "direction": vector(), "gap": expression()}));
    one_of(
        object(&[], json!({"grid": grid, "random": random, "at": list(vector()), "column": column})),
        &PLACES,
    )
}

fn surface() -> Value {
    let plane = object(&["point", "normal"], json!({"point": vector(), "normal": vector()}));
    let sides = list(json!({"enum": SIDES}));
    let inside = object(&["from", "to"], json!({"from": vector(), "to": vector(), "open": sides}));
    let plate = object(&["centre", "edges"], json!({"centre": vector(), "edges": list_of(2, vector())}));
    let line = json!({"type": "array", "items": list_of(2, expression()), "minItems": 2});
    let revolved = object(
        &["origin", "profile"],
        json!({"origin": vector(), "axis": vector(), "profile": described(line.clone(), "points [radius, height]")}),
    );
    let funnel = object(
        &["centre", "radii", "height"],
        json!({"centre": vector(), "axis": vector(), "radii": described(list_of(2, expression()), "below and above"), "height": expression()}),
    );
    let drum = object(
        &["centre", "radius"],
        json!({"centre": vector(), "axis": vector(), "radius": expression(), "length": expression()}),
    );
    let shapes = ["plane", "box", "walls", "plate", "revolved", "funnel", "drum"];
    let whole = object(
        &[],
        json!({
            "plane": described(plane, "everything behind it is solid"),
            "box": described(inside, "the inside of a box, but for its open sides"),
            "walls": described(line, "thin walls from point to point, in the plane"),
            "plate": described(plate, "a thin rectangle, in space"),
            "revolved": described(revolved, "a thin shell of revolution, in space"),
            "funnel": described(funnel, "a cone that is open at both ends; two walls in the plane"),
            "drum": described(drum, "the inside of a cylinder with its ends; of a circle in the plane"),
            "motion": motion()
        }),
    );
    one_of(whole, &shapes)
}

fn motion() -> Value {
    let whole = object(
        &[],
        json!({
            "velocity": described(vector(), "m/s"),
            "displacement": described(vector(), "expressions of t, m"),
            "centre": described(vector(), "a point of the axis of rotation"),
            "axis": described(vector(), "of the rotation, in space"),
            "rate": described(expression(), "rad/s"),
            "angle": described(expression(), "an expression of t, rad")
        }),
    );
    described(whole, "a rigid motion that is prescribed")
}

fn pair() -> Value {
    optional(object(
        &["between"],
        json!({
            "between": described(list_of(2, label()), "names of groups, mechanisms or surfaces"),
            "friction": expression(),
            "restitution": expression()
        }),
    ))
}
