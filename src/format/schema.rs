//! The JSON Schema of the format (draft 2020-12), for editors: shapes, key names and words about them. What needs
//! names or numbers (which name is defined, whether a state lies on its contact) is left to the reader.

use serde_json::{Value, json};

/// The JSON Schema of the mechanism format, version 1.
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "mechan mechanism, version 1",
        "type": "object",
        "additionalProperties": false,
        "required": ["mechan", "name", "space", "coordinates"],
        "anyOf": [
            {"required": ["bodies"]},
            {"required": ["energy"], "properties": {"energy": {"required": ["kinetic"]}}}
        ],
        "properties": top_level(),
        "$defs": definitions()
    })
}

fn top_level() -> Value {
    json!({
        "mechan": {"const": 1, "description": "version of the format"},
        "name": {"$ref": "#/$defs/name", "description": "identifier, also the default name of outputs"},
        "title": {"type": "string", "description": "one line, shown in reports"},
        "description": {"type": "string", "description": "a paragraph, shown in reports"},
        "references": {"type": "array", "items": {"type": "string"}},
        "space": {"enum": ["plane", "space"], "description": "plane: vectors [x, y]; space: vectors [x, y, z]"},
        "parameters": parameters(),
        "coordinates": coordinates(),
        "gravity": {"$ref": "#/$defs/vector", "description": "in parameters; default zero"},
        "bodies": named("#/$defs/body", "rigid bodies"),
        "energy": energy(),
        "forces": {"type": "array", "items": {"$ref": "#/$defs/force"}},
        "constraints": {"type": "array", "items": {"$ref": "#/$defs/constraint"}},
        "contacts": named("#/$defs/contact", "unilateral frictional contacts"),
        "states": named("#/$defs/state", "named states"),
        "domain": domain()
    })
}

fn definitions() -> Value {
    json!({
        "name": {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_]*$"},
        "expression": {
            "type": ["number", "string"],
            "description": "a number or an expression: + - * / ^, sin cos tan asin acos atan atan2 sinh cosh tanh sqrt exp log abs, dot(x), pi, t"
        },
        "vector": {"type": "array", "items": {"$ref": "#/$defs/expression"}, "minItems": 2, "maxItems": 3},
        "body": body(),
        "rotation": rotation(),
        "force": force(),
        "constraint": constraint(),
        "surface": surface(),
        "round": round(),
        "contact": contact(),
        "state": state()
    })
}

/// A map from names to things.
fn named(item: &str, description: &str) -> Value {
    json!({
        "type": "object",
        "propertyNames": {"$ref": "#/$defs/name"},
        "additionalProperties": {"$ref": item},
        "description": description
    })
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "propertyNames": {"$ref": "#/$defs/name"},
        "description": "numbers or expressions in earlier parameters",
        "additionalProperties": {"anyOf": [
            {"$ref": "#/$defs/expression"},
            {
                "type": "object",
                "additionalProperties": false,
                "required": ["value"],
                "properties": {
                    "value": {"$ref": "#/$defs/expression"},
                    "unit": {"type": "string"},
                    "description": {"type": "string"}
                }
            }
        ]}
    })
}

fn coordinates() -> Value {
    json!({
        "type": "array",
        "minItems": 1,
        "description": "the generalised coordinates q, in this order everywhere",
        "items": {"anyOf": [
            {"$ref": "#/$defs/name"},
            {
                "type": "object",
                "additionalProperties": false,
                "required": ["name"],
                "properties": {
                    "name": {"$ref": "#/$defs/name"},
                    "unit": {"type": "string"},
                    "description": {"type": "string"}
                }
            }
        ]}
    })
}

fn energy() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "description": "energies added to those of the bodies",
        "properties": {
            "kinetic": {"$ref": "#/$defs/expression", "description": "quadratic in dot()"},
            "potential": {"$ref": "#/$defs/expression"}
        }
    })
}

fn body() -> Value {
    let triple =
        json!({"type": "array", "items": {"$ref": "#/$defs/expression"}, "minItems": 3, "maxItems": 3});
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["mass", "position"],
        "properties": {
            "mass": {"$ref": "#/$defs/expression"},
            "inertia": {
                "description": "about the centre of mass; plane: a scalar; space: [Ixx, Iyy, Izz] or a 3x3 list, in the body frame",
                "anyOf": [
                    {"$ref": "#/$defs/expression"},
                    triple,
                    {"type": "array", "items": triple, "minItems": 3, "maxItems": 3}
                ]
            },
            "position": {"$ref": "#/$defs/vector", "description": "centre of mass in the inertial frame"},
            "rotation": {"$ref": "#/$defs/rotation"}
        }
    })
}

fn rotation() -> Value {
    json!({
        "description": "plane: counter-clockwise angle; space: elementary rotations applied in order (intrinsic)",
        "anyOf": [
            {"$ref": "#/$defs/expression"},
            {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["axis", "angle"],
                    "properties": {"axis": {"enum": ["x", "y", "z"]}, "angle": {"$ref": "#/$defs/expression"}}
                }
            }
        ]
    })
}

fn force() -> Value {
    let object = |required: [&str; 2], properties: Value| json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties});
    let torque = json!({"anyOf": [{"$ref": "#/$defs/expression"}, {"$ref": "#/$defs/vector"}]});
    json!({"oneOf": [
        object(["point", "force"], json!({"point": {"$ref": "#/$defs/vector"}, "force": {"$ref": "#/$defs/vector"}})),
        object(["body", "torque"], json!({"body": {"$ref": "#/$defs/name"}, "torque": torque})),
        object(["coordinate", "value"], json!({"coordinate": {"$ref": "#/$defs/name"}, "value": {"$ref": "#/$defs/expression"}}))
    ]})
}

fn constraint() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["name", "value"],
        "properties": {
            "name": {"$ref": "#/$defs/name"},
            "value": {"$ref": "#/$defs/expression", "description": "phi(q, t), zero on the constraint"}
        }
    })
}

fn surface() -> Value {
    json!({
        "description": "a line or plane, or the disc or ball of another body",
        "oneOf": [
            {
                "type": "object",
                "additionalProperties": false,
                "required": ["point", "normal"],
                "properties": {
                    "point": {"$ref": "#/$defs/vector"},
                    "normal": {"$ref": "#/$defs/vector", "description": "of any length"},
                    "body": {"$ref": "#/$defs/name", "description": "the body that carries the surface"},
                    "velocity": {"$ref": "#/$defs/vector", "description": "of a conveyor"}
                }
            },
            round_surface("disc"),
            round_surface("ball")
        ]
    })
}

fn round_surface(key: &str) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": [key],
        "properties": {key: {"$ref": "#/$defs/round"}}
    })
}

fn round() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["radius"],
        "anyOf": [{"required": ["body"]}, {"required": ["centre"]}],
        "properties": {
            "body": {"$ref": "#/$defs/name", "description": "the body it turns with"},
            "centre": {"$ref": "#/$defs/vector", "description": "in place of the body's centre of mass"},
            "radius": {"$ref": "#/$defs/expression"}
        }
    })
}

fn contact() -> Value {
    let slip = json!({"anyOf": [{"$ref": "#/$defs/expression"}, {"$ref": "#/$defs/vector"}]});
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["friction"],
        "oneOf": [
            {"required": ["point", "surface"]},
            {"required": ["disc", "surface"]},
            {"required": ["ball", "surface"]},
            {"required": ["gap", "slip"]},
            {"required": ["gap", "slip_velocity"]}
        ],
        "properties": {
            "point": {"$ref": "#/$defs/vector", "description": "the material point"},
            "disc": {"$ref": "#/$defs/round"},
            "ball": {"$ref": "#/$defs/round"},
            "surface": {"$ref": "#/$defs/surface"},
            "tangents": {"type": "array", "items": {"$ref": "#/$defs/vector"}, "minItems": 2, "maxItems": 2},
            "gap": {"$ref": "#/$defs/expression"},
            "slip": slip,
            "slip_velocity": slip,
            "friction": {"$ref": "#/$defs/expression", "description": "Coulomb coefficient, >= 0"},
            "restitution": restitution(),
            "bilateral": {"type": "boolean", "description": "held closed by a normal force of either sign"},
            "compliance": compliance()
        }
    })
}

fn restitution() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "law": {"enum": ["newton", "poisson", "energetic"]},
            "value": {"$ref": "#/$defs/expression", "description": "in [0, 1]"}
        }
    })
}

fn compliance() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "description": "lambda_N = max(0, -(k y + d dot(y))) for y <= 0, in scaled variables",
        "properties": {"stiffness": {"$ref": "#/$defs/expression"}, "damping": {"$ref": "#/$defs/expression"}}
    })
}

fn state() -> Value {
    let values = json!({
        "type": "object",
        "propertyNames": {"$ref": "#/$defs/name"},
        "additionalProperties": {"$ref": "#/$defs/expression"}
    });
    json!({
        "type": ["object", "null"],
        "additionalProperties": false,
        "properties": {
            "description": {"type": "string"},
            "t": {"$ref": "#/$defs/expression"},
            "q": values,
            "v": values,
            "closed": {"type": "array", "items": {"$ref": "#/$defs/name"}},
            "parameters": values
        }
    })
}

fn domain() -> Value {
    json!({
        "type": "object",
        "description": "ranges of coordinates, velocities (dot(x)) or parameters, used by maps and searches",
        "additionalProperties": {
            "type": "array",
            "items": {"$ref": "#/$defs/expression"},
            "minItems": 2,
            "maxItems": 2
        }
    })
}
