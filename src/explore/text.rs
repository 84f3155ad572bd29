//! The mechanism's file as a text: what is wrong with it while it is written, whether the model still holds, and a state added to it.

use super::engine::{Fault, findings};
use super::question::Situation;
use super::ways::{placed, spec};
use crate::diag::Source;
use crate::format::{Mechanism, read};
use crate::pipeline::{Derived, Failure, Loaded, has_same_equations};
use serde_json::{Value, json};

/// The name of a state that is added.
const STATE: &str = "explored";

/// The longest text that is read.
const LONGEST: usize = 1 << 20;

/// Findings with their places, and whether the equations are still those of the model.
pub(super) fn check(derived: &Derived, text: String) -> Result<Value, Fault> {
    let source = sound(derived, text)?;
    let names = |mechanism: &Mechanism| {
        let parameters = mechanism.parameters.iter().map(|p| p.name.clone());
        parameters.chain(mechanism.coordinates.iter().map(|c| c.name.clone())).collect::<Vec<_>>()
    };
    Ok(match read(&source) {
        Ok(checked) => json!({
            "sound": true,
            "same": has_same_equations(&checked.mechanism, derived.mechanism()),
            "findings": findings(&source, &checked.warnings),
            "names": names(&checked.mechanism),
        }),
        Err(found) => json!({
            "sound": false,
            "same": false,
            "findings": findings(&source, &found),
            "names": names(derived.mechanism()),
        }),
    })
}

fn sound(derived: &Derived, text: String) -> Result<Source, Fault> {
    if text.len() > LONGEST {
        return Err(Fault::Question(format!("the text is longer than {LONGEST} bytes")));
    }
    let name = derived.loaded().source.name.clone();
    let refused = |fault| Failure::Input { source: Source::new(&name, ""), diagnostics: vec![fault] };
    Ok(Source::from_bytes(name.clone(), text.into_bytes()).map_err(refused)?)
}

/// The mechanism of another text with the model of this one.
pub(super) fn adopted(derived: &Derived, text: String) -> Result<Derived, Fault> {
    let source = sound(derived, text)?;
    let checked =
        read(&source).map_err(|diagnostics| Failure::Input { source: source.clone(), diagnostics })?;
    if !has_same_equations(&checked.mechanism, derived.mechanism()) {
        let message = "coordinates, bodies, contacts or forces are others: the equations have to be derived anew, as `mechan explore --serve FILE` does";
        return Err(Fault::Question(message.to_string()));
    }
    let loaded = Loaded {
        source,
        mechanism: checked.mechanism,
        warnings: checked.warnings,
        model: None,
        origin: derived.loaded().origin,
    };
    Ok(Derived::new(loaded, derived.model().clone())?)
}

/// The file with the situation as a state of its own, the last of its states.
pub(super) fn with_state(derived: &Derived, at: &Situation) -> Result<Value, Fault> {
    let mechanism = derived.mechanism();
    let spec = spec(derived, at)?;
    let numbers = placed(derived, at)?;
    let mut free = 1;
    let taken = |name: &str| mechanism.states.iter().any(|spec| spec.name == name);
    let mut name = STATE.to_string();
    while taken(&name) {
        free += 1;
        name = format!("{STATE}_{free}");
    }
    let coordinates: Vec<&str> = mechanism.coordinates.iter().map(|c| c.name.as_str()).collect();
    let parameters: Vec<&str> = mechanism.parameters.iter().map(|p| p.name.as_str()).collect();
    let listed = |names: &[&str], values: &[f64]| {
        let pairs = names.iter().zip(values).map(|(name, value)| format!("{name}: {value:?}"));
        format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
    };
    let mut lines = vec![format!("  {name}:")];
    if numbers.t != 0.0 {
        lines.push(format!("    t: {:?}", numbers.t));
    }
    lines.push(format!("    q: {}", listed(&coordinates, &numbers.q)));
    lines.push(format!("    v: {}", listed(&coordinates, &numbers.v)));
    if let (false, Some(closed)) = (at.free, &spec.closed) {
        let names: Vec<&str> = closed.iter().map(|c| mechanism.contacts[*c].name.as_str()).collect();
        lines.push(format!("    closed: [{}]", names.join(", ")));
    }
    lines.push(format!("    parameters: {}", listed(&parameters, &numbers.parameters)));
    let text = inserted(&derived.loaded().source.text, &lines);
    let source = Source::new(&derived.loaded().source.name, &text);
    match read(&source) {
        Ok(_) => Ok(json!({ "text": text, "state": name })),
        Err(diagnostics) => Err(Failure::Input { source, diagnostics }.into()),
    }
}

/// Lines put at the end of `states:`, which is added where there is none.
fn inserted(text: &str, lines: &[String]) -> String {
    let block = lines.join("\n") + "\n";
    let is_states = |line: &str| line.split('#').next().unwrap_or_default().trim_end() == "states:";
    // the next key of the whole file
    let ends = |line: &str| line.starts_with(|c: char| !c.is_whitespace() && c != '#');
    let (mut within, mut done) = (false, false);
    let mut whole = String::with_capacity(text.len() + block.len());
    for line in text.split_inclusive('\n') {
        if within && !done && ends(line) {
            whole.push_str(&block);
            done = true;
        }
        whole.push_str(line);
        within |= is_states(line);
    }
    if !whole.ends_with('\n') {
        whole.push('\n');
    }
    if !within {
        whole.push_str("states:\n");
    }
    if !done {
        whole.push_str(&block);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::inserted;

    #[test]
    fn a_state_goes_last_and_where_there_are_none() {
        let lines = ["  explored:".to_string(), "    q: {x: 1.0}".to_string()];
        let text = inserted("a: 1\nstates: # ours\n  rest:\n# more\nb: 2\n", &lines);
        assert_eq!(text, "a: 1\nstates: # ours\n  rest:\n# more\n  explored:\n    q: {x: 1.0}\nb: 2\n");
        assert_eq!(inserted("a: 1", &lines), "a: 1\nstates:\n  explored:\n    q: {x: 1.0}\n");
    }
}
