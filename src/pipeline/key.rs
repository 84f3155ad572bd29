//! What a derivation depends on: the canonical form of a mechanism, without names of states, values of
//! parameters, contact laws, words for the reader and places in the file.

use crate::format::{Mechanism, Space};
use crate::model::{CacheKey, Layout, Model};
use serde_json::Value;

/// Parts of a mechanism that its equations of motion do not depend on.
const WORDS: [&str; 6] = ["name", "title", "description", "references", "domain", "claims"];

/// Numbers that they do not depend on in the plane; in space the first state decides the tangents' axes.
const NUMBERS: [&str; 1] = ["states"];

/// Parts of a contact, parameter or coordinate that the equations of motion do not depend on.
const LAWS_AND_WORDS: [&str; 7] =
    ["friction", "restitution", "active", "compliance", "unit", "description", "bilateral"];

/// The part of a body that they do not depend on.
const LOOKS: [&str; 1] = ["shape"];

/// The key under which the equations of a mechanism are cached.
///
/// # Errors
/// If the mechanism cannot be written as JSON, which no validated mechanism does.
pub(super) fn cache_key(mechanism: &Mechanism) -> Result<CacheKey, serde_json::Error> {
    Ok(CacheKey::new(&canonical(mechanism)?.to_string()))
}

/// Whether two mechanisms have the same equations of motion, so that the model of one is that of the other.
pub fn has_same_equations(one: &Mechanism, other: &Mechanism) -> bool {
    let decisive = |mechanism: &Mechanism| {
        let mut value = canonical(mechanism)?;
        if let Some(states) = value.get_mut("states").and_then(Value::as_array_mut) {
            // in space the first one decides
            states.truncate(1);
        }
        Ok::<_, serde_json::Error>(value)
    };
    match (decisive(one), decisive(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// What the equations of a mechanism depend on.
fn canonical(mechanism: &Mechanism) -> Result<Value, serde_json::Error> {
    let mut value = serde_json::to_value(mechanism)?;
    if let Value::Object(top) = &mut value {
        WORDS.iter().for_each(|key| drop(top.remove(*key)));
        if mechanism.space == Space::Plane {
            NUMBERS.iter().for_each(|key| drop(top.remove(*key)));
            strip(top.get_mut("parameters"), &["value"]);
        }
        strip(top.get_mut("parameters"), &LAWS_AND_WORDS);
        strip(top.get_mut("coordinates"), &LAWS_AND_WORDS);
        strip(top.get_mut("contacts"), &LAWS_AND_WORDS);
        strip(top.get_mut("bodies"), &LOOKS);
    }
    forget_spans(&mut value);
    Ok(value)
}

fn strip(list: Option<&mut Value>, keys: &[&str]) {
    let entries = list.and_then(Value::as_array_mut).into_iter().flatten();
    for entry in entries.filter_map(Value::as_object_mut) {
        keys.iter().for_each(|key| drop(entry.remove(*key)));
    }
}

pub(super) fn forget_spans(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("span");
            map.values_mut().for_each(forget_spans);
        }
        Value::Array(list) => list.iter_mut().for_each(forget_spans),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a model has the sizes of this mechanism's.
pub(super) fn is_model_of(mechanism: &Mechanism, model: &Model) -> bool {
    let expected = Layout {
        coordinates: mechanism.coordinates.len(),
        parameters: mechanism.parameters.len(),
        constraints: mechanism.constraints.len(),
        contacts: mechanism.contacts.len(),
        tangents: mechanism.space.tangents(),
    };
    *model.layout() == expected
}

#[cfg(test)]
mod tests {
    use super::cache_key;
    use crate::diag::Source;
    use crate::format::{read, starter};

    fn key(from: &str, to: &str) -> String {
        let text = starter("rod").replace(from, to);
        assert!(from == to || text != starter("rod"), "`{from}` must occur");
        format!("{:?}", cache_key(&read(&Source::new("rod", &text)).unwrap().mechanism).unwrap())
    }

    #[test]
    fn looks_and_laws_do_not_change_the_key_and_geometry_does() {
        let plain = key("", "");
        for (from, to) in [
            ("shape: {segment: [[-l, 0], [l, 0]]}", ""),
            ("shape: {segment: [[-l, 0], [l, 0]]}", "shape: {disc: l}"),
            ("friction: mu\n", "friction: mu\n    active: dot(x)\n"),
            ("value: 0}", "value: 0, tangential: 1}"),
            ("friction: mu\n", "friction: mu\n    compliance: {tangential_stiffness: 2}\n"),
        ] {
            assert_eq!(key(from, to), plain, "{to}");
        }
        assert_ne!(key("normal: [0, 1]", "normal: [0, 2]"), plain);
    }
}
