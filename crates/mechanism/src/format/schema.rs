//! The JSON Schema of the format (draft 2020-12), for editors: shapes, key names and words about them. It accepts
//! every file that the reader accepts. What needs names, numbers or the dimension of space (which name is defined,
//! whether a state lies on its contact, whether a vector has two or three components) is left to the reader.

use crate::expression::RESERVED;
use serde_json::{Map, Value, json};

/// The JSON Schema of the mechanism format, version 1.
pub fn schema() -> Value {
    let mut whole = object(&["mechan", "name", "space", "coordinates"], top_level());
    whole["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    whole["title"] = json!("mechan mechanism, version 1");
    whole["anyOf"] = json!([
        {"required": ["bodies"], "properties": {"bodies": {"type": "object", "minProperties": 1}}},
        {"required": ["energy"], "properties": {"energy": {"type": "object", "allOf": [keys(&["kinetic"], &[])]}}}
    ]);
    whole["$defs"] = definitions();
    whole
}

pub(super) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

/// The same with a description.
pub(super) fn described(mut schema: Value, words: &str) -> Value {
    schema["description"] = json!(words);
    schema
}

/// A value that may be left empty: a key without a value counts as absent.
pub(super) fn optional(schema: Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

/// A map with these keys only; all but the required ones may be left empty.
pub(super) fn object(required: &[&str], properties: Value) -> Value {
    let Value::Object(properties) = properties else { return Value::Bool(false) };
    let each = |(key, schema): (String, Value)| {
        let schema = if required.contains(&key.as_str()) { schema } else { optional(schema) };
        (key, schema)
    };
    let properties: Map<String, Value> = properties.into_iter().map(each).collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
}

/// That some keys have values and others have none.
fn keys(given: &[&str], absent: &[&str]) -> Value {
    let given_values = given.iter().map(|k| ((*k).to_owned(), json!({"not": {"type": "null"}})));
    let absent_values = absent.iter().map(|k| ((*k).to_owned(), json!({"type": "null"})));
    let properties: Map<String, Value> = given_values.chain(absent_values).collect();
    json!({"required": given, "properties": properties})
}

/// A map from names of one kind to things.
pub(super) fn named(names: &str, item: Value, words: &str) -> Value {
    json!({"type": "object", "propertyNames": reference(names), "additionalProperties": item, "description": words})
}

pub(super) fn list(item: Value) -> Value {
    json!({"type": "array", "items": item})
}

pub(super) fn list_of(length: usize, item: Value) -> Value {
    json!({"type": "array", "items": item, "minItems": length, "maxItems": length})
}

pub(super) fn expression() -> Value {
    reference("expression")
}

pub(super) fn vector() -> Value {
    reference("vector")
}

pub(super) fn label() -> Value {
    reference("label")
}

pub(super) fn text() -> Value {
    reference("text")
}

fn unit() -> Value {
    json!({
        "type": ["string", "integer"],
        "pattern": "^[A-Za-z0-9 */.^()µμ·°²³+-]+$",
        "description": "a product of powers of m kg g t s min h rad deg N J W Pa Hz with prefixes, such as kg m^2/s^2; 1 for pure numbers"
    })
}

fn top_level() -> Value {
    json!({
        "mechan": {"enum": [1, "1"], "description": "version of the format"},
        "name": described(label(), "identifier, also the default name of outputs"),
        "title": described(text(), "one line, shown in reports"),
        "description": described(text(), "a paragraph, shown in reports"),
        "references": described(list(text()), "where the mechanism comes from, shown in reports"),
        "space": {"enum": ["plane", "space"], "description": "plane: vectors [x, y]; space: vectors [x, y, z]"},
        "parameters": named("name", parameter(), "numbers or expressions in earlier parameters"),
        "coordinates": coordinates(),
        "gravity": described(vector(), "in parameters; default zero"),
        "definitions": named("name", expression(), "named expressions; each may use the earlier ones; dot(name) is the rate"),
        "frames": named("label", optional(reference("frame")), "places and axes that move with the coordinates"),
        "points": named("label", reference("place"), "points with names, which stand wherever a point does, and in position() and velocity()"),
        "bodies": named("label", reference("body"), "rigid bodies"),
        "energy": energy(),
        "forces": described(list(reference("force")), "applied forces"),
        "constraints": described(list(reference("constraint")), "bilateral constraints"),
        "contacts": named("label", reference("contact"), "unilateral frictional contacts"),
        "states": named("label", optional(reference("state")), "named states; without any there is `origin`, all zero"),
        "domain": domain(),
        "claims": {
            "type": "array", "items": {"type": "string", "minLength": 1},
            "description": "claims about all states of the domain, for `mechan prove`"
        }
    })
}

pub(super) fn definitions() -> Value {
    json!({
        "name": {
            "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_]*$", "not": {"enum": RESERVED},
            "description": "a name that expressions may use"
        },
        "label": {
            "anyOf": [{"type": "string", "pattern": "^[A-Za-z0-9_-]+$"}, {"type": ["integer", "boolean"]}],
            "description": "a name that no expression uses"
        },
        "text": {"type": ["string", "number", "boolean"]},
        "expression": {
            "type": ["number", "string"],
            "description": "a number or an expression: + - * / ^, sin cos tan asin acos atan atan2 sinh cosh tanh sqrt exp log abs sign min max if, dot(x), position(P, x), velocity(P, x), omega(BODY), pi, t"
        },
        "vector": {"type": "array", "items": expression(), "minItems": 2, "maxItems": 3},
        "place": placed("at", "inertial components, or those in a frame or on a body"),
        "point": {"anyOf": [reference("place"), {"type": "string", "description": "the name of one of the points"}]},
        "direction": placed("vector", "inertial components, or those in the axes of a frame or body"),
        "frame": frame(),
        "body": body(),
        "rotation": rotation(),
        "force": force(),
        "constraint": constraint(),
        "plane": plane(),
        "round": round(),
        "contact": contact(),
        "state": state()
    })
}

pub(super) fn parameter() -> Value {
    let full = object(&["value"], json!({"value": expression(), "unit": unit(), "description": text()}));
    json!({"anyOf": [expression(), full]})
}

fn coordinates() -> Value {
    let name = reference("name");
    let full = object(&["name"], json!({"name": name, "unit": unit(), "description": text()}));
    json!({
        "type": "array",
        "minItems": 1,
        "description": "the generalised coordinates q, in this order everywhere",
        "items": {"anyOf": [name, full]}
    })
}

fn energy() -> Value {
    let kinetic = described(expression(), "quadratic in dot()");
    let energy = object(&[], json!({"kinetic": kinetic, "potential": expression()}));
    described(energy, "energies added to those of the bodies")
}

fn body() -> Value {
    let triple = list_of(3, expression());
    let inertia = json!({
        "description": "about the centre of mass; plane: a scalar; space: [Ixx, Iyy, Izz] or a 3x3 list, in the body frame; default 0",
        "anyOf": [expression(), triple, list_of(3, triple)]
    });
    let properties = json!({
        "mass": expression(),
        "inertia": inertia,
        "position": described(vector(), "centre of mass in the inertial frame"),
        "rotation": reference("rotation"),
        "frame": described(label(), "the frame that it moves with, whose axes it has; in place of position and rotation"),
        "centre": described(vector(), "centre of mass in that frame; default its origin"),
        "shape": shape()
    });
    let mut body = object(&["mass"], properties);
    body["oneOf"] =
        json!([keys(&["position"], &["frame", "centre"]), keys(&["frame"], &["position", "rotation"])]);
    body
}

/// A point or a vector by its components, or in a frame or on a body.
fn placed(key: &str, words: &str) -> Value {
    let mut properties = json!({"frame": label(), "body": label()});
    properties[key] = vector();
    let mut carried = object(&[key], properties);
    carried["oneOf"] = json!([keys(&["frame"], &["body"]), keys(&["body"], &["frame"])]);
    json!({"anyOf": [vector(), carried], "description": words})
}

fn frame() -> Value {
    let properties = json!({
        "parent": described(label(), "the frame that it is seen in; default the inertial one"),
        "origin": described(vector(), "in the parent's components; default its origin"),
        "rotation": reference("rotation")
    });
    object(&[], properties)
}

fn shape() -> Value {
    let kinds = ["segment", "polyline", "polygon", "disc", "ball", "box"];
    let points = |least: usize| json!({"type": "array", "items": vector(), "minItems": least});
    let properties = json!({
        "segment": list_of(2, vector()),
        "polyline": points(2),
        "polygon": points(3),
        "disc": described(expression(), "its radius"),
        "ball": described(expression(), "its radius"),
        "box": described(vector(), "its sizes along the body's axes")
    });
    let mut shape = object(&[], properties);
    let alternative = |kind: &&str| {
        let others: Vec<&str> = kinds.iter().copied().filter(|k| k != kind).collect();
        keys(&[kind], &others)
    };
    shape["oneOf"] = kinds.iter().map(alternative).collect();
    described(shape, "for pictures and scenes: in the body's axes about its centre of mass")
}

fn rotation() -> Value {
    let elementary =
        object(&["axis", "angle"], json!({"axis": {"enum": ["x", "y", "z"]}, "angle": expression()}));
    let quaternion = object(&["quaternion"], json!({"quaternion": list_of(4, expression())}));
    json!({
        "description": "plane: counter-clockwise angle; space: elementary rotations applied in order (intrinsic), or a quaternion of any length, real part first",
        "anyOf": [expression(), list(elementary), quaternion]
    })
}

fn force() -> Value {
    let kinds: [(&[&str], &[&str]); 5] = [
        (&["point", "force"], &[]),
        (&["body", "torque"], &[]),
        (&["coordinate", "value"], &[]),
        (&["spring"], &["stiffness", "length", "damping", "limit"]),
        (&["torsion"], &["stiffness", "angle", "damping", "limit"]),
    ];
    let torque = json!({
        "anyOf": [expression(), reference("direction")],
        "description": "plane: a scalar; space: a vector"
    });
    let properties = json!({
        "point": described(reference("point"), "where the force acts"),
        "force": reference("direction"),
        "body": label(),
        "torque": torque,
        "coordinate": reference("name"),
        "value": expression(),
        "spring": described(list_of(2, reference("point")), "its ends"),
        "torsion": described(expression(), "the angle that it acts against"),
        "stiffness": described(expression(), ">= 0; default 0"),
        "length": described(expression(), "of the spring without force; default 0"),
        "angle": described(expression(), "of the torsion spring without torque; default 0"),
        "damping": described(expression(), ">= 0; default 0"),
        "limit": described(expression(), ">= 0; the largest force of spring and damper together: a motor; default none")
    });
    let mut force = object(&[], properties);
    let all: Vec<&str> = kinds.iter().flat_map(|(given, free)| given.iter().chain(*free)).copied().collect();
    let alternative = |(given, free): &(&[&str], &[&str])| {
        let absent =
            all.iter().copied().filter(|k| !given.contains(k) && !free.contains(k)).collect::<Vec<_>>();
        keys(given, &absent)
    };
    force["oneOf"] = kinds.iter().map(alternative).collect();
    force
}

fn constraint() -> Value {
    let value = described(expression(), "phi(q, t), zero on the constraint");
    let points =
        described(list_of(2, reference("point")), "two points that are one: an equation for each component");
    let mut constraint = object(&["name"], json!({"name": label(), "value": value, "coincident": points}));
    constraint["oneOf"] = json!([keys(&["value"], &["coincident"]), keys(&["coincident"], &["value"])]);
    constraint
}

fn plane() -> Value {
    let properties = json!({
        "point": reference("point"),
        "normal": described(reference("direction"), "away from the obstacle, of any length"),
        "body": described(label(), "the body that carries the surface, which is given in inertial components"),
        "frame": described(label(), "the frame in whose components the surface is given, and with which it moves"),
        "velocity": described(reference("direction"), "of the material of the surface, such as a conveyor belt")
    });
    let mut plane = object(&["point", "normal"], properties);
    plane["not"] = keys(&["body", "frame"], &[]);
    plane
}

fn round() -> Value {
    let properties = json!({
        "body": described(label(), "the body it turns with"),
        "centre": described(reference("point"), "in place of the body's centre of mass"),
        "radius": expression()
    });
    let mut round = object(&["radius"], properties);
    round["anyOf"] = json!([keys(&["body"], &[]), keys(&["centre"], &[])]);
    described(round, "a disc in the plane, a ball in space")
}

fn rim() -> Value {
    let properties = json!({
        "body": described(label(), "the body whose edge it is"),
        "centre": described(reference("point"), "in place of the body's centre of mass"),
        "radius": expression(),
        "axis": {"enum": ["x", "y", "z"], "description": "of the body, across the disc"}
    });
    described(object(&["body", "radius", "axis"], properties), "in space, the edge of a flat disc")
}

fn ellipsoid() -> Value {
    let properties = json!({
        "body": described(label(), "the body in whose axes it lies"),
        "centre": described(reference("point"), "in place of the body's centre of mass"),
        "radii": described(list_of(3, expression()), "along the body's axes")
    });
    described(object(&["body", "radii"], properties), "in space, an ellipsoid")
}

fn contact() -> Value {
    let slip = |words: &str| json!({"anyOf": [expression(), list_of(2, expression())], "description": words});
    let surface = json!({
        "description": "a line or plane, or the disc or ball of another body",
        "anyOf": [reference("plane"), object(&["disc"], json!({"disc": reference("round")}))]
    });
    let properties = json!({
        "point": described(reference("point"), "the material point"),
        "disc": reference("round"),
        "rim": rim(),
        "ellipsoid": ellipsoid(),
        "surface": surface,
        "tangents": described(list_of(2, reference("direction")), "in space, in place of the default ones"),
        "gap": described(expression(), "g(q, t) >= 0"),
        "slip": slip("its time derivative is the tangential velocity; in space two"),
        "slip_velocity": slip("the tangential velocity, linear in dot(); in space two"),
        "friction": described(expression(), "Coulomb coefficient, >= 0"),
        "restitution": restitution(),
        "active": described(expression(), "the contact can close only while this is positive; may use dot(); default: always"),
        "bilateral": {"enum": [true, false, "true", "false"], "description": "held closed by a normal force of either sign"},
        "compliance": compliance()
    });
    let mut contact = object(&["friction"], properties);
    const ON_A_SURFACE: [&str; 4] = ["point", "disc", "rim", "ellipsoid"];
    let on_a_surface = |key: &&str| {
        let others = ON_A_SURFACE.into_iter().filter(|other| other != key);
        let mut form =
            keys(&[key, "surface"], &[others.collect(), vec!["gap", "slip", "slip_velocity"]].concat());
        if *key != "disc" {
            form["properties"]["surface"] = reference("plane");
        }
        form
    };
    let mut forms: Vec<Value> = ON_A_SURFACE.iter().map(on_a_surface).collect();
    for (slip, other) in [("slip", "slip_velocity"), ("slip_velocity", "slip")] {
        forms.push(keys(&["gap", slip], &[&ON_A_SURFACE[..], &["surface", "tangents", other]].concat()));
    }
    contact["oneOf"] = forms.into();
    contact
}

fn restitution() -> Value {
    let value = described(expression(), "in [0, 1]");
    let tangential = described(expression(), "in [0, 1], for time-stepping; default 0");
    let law = json!({"enum": ["newton", "poisson", "energetic"]});
    object(&[], json!({"law": law, "value": value, "tangential": tangential}))
}

fn compliance() -> Value {
    let along = described(expression(), "along the surface, > 0; default: none");
    let properties =
        json!({"stiffness": expression(), "damping": expression(), "tangential_stiffness": along});
    let compliance = object(&[], properties);
    described(compliance, "lambda_N = max(0, -(k y + d dot(y))) for y <= 0, in scaled variables")
}

fn state() -> Value {
    let values = |words: &str| named("name", expression(), words);
    let properties = json!({
        "description": text(),
        "t": expression(),
        "q": values("coordinates; those not given are 0"),
        "v": values("velocities; those not given are 0"),
        "closed": described(list(label()), "closed contacts; default: those whose gap is zero"),
        "solve": solve(),
        "parameters": values("in place of the defaults, for this state only")
    });
    object(&[], properties)
}

fn solve() -> Value {
    let equations =
        described(list(expression()), "what is zero, beside the gaps of closed contacts and the constraints");
    let unknowns = described(list(text()), "coordinates x and velocities dot(x)");
    let own = object(&["unknowns", "equations"], json!({"unknowns": unknowns, "equations": equations}));
    let coordinates = described(
        list(label()),
        "coordinates that closed contacts and constraints determine, with their velocities",
    );
    json!({"anyOf": [coordinates, own]})
}

fn domain() -> Value {
    json!({
        "type": "object",
        "description": "ranges of coordinates, velocities (dot(x)) or parameters, used by maps and searches",
        "propertyNames": {"pattern": "^([A-Za-z][A-Za-z0-9_]*|\\s*dot\\(\\s*[A-Za-z][A-Za-z0-9_]*\\s*\\)\\s*)$"},
        "additionalProperties": list_of(2, expression())
    })
}
