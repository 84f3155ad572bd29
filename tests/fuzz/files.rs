//! Reading: a mutated file is read or refused with codes and places; what is read resolves to numbers, and its
//! expressions survive printing.

use crate::{bases, fuzz};
use mechan::diag::{CODES, Color, Diagnostic, Source, render_all};
use mechan::expression::{Env, Expr, Scope, SourceMap, parse};
use mechan::format::{Mechanism, Override, read};

/// Codes of faults of a file as a whole.
const WHOLE: [&str; 5] = ["M001", "M002", "M003", "M004", "M206"];

#[test]
fn mutated_mechanisms_are_read_or_refused_at_a_place() {
    fuzz(4000, &bases("mechanisms", "yaml"), |text| {
        if let Some((source, mechanism)) = read_or_refused(text) {
            resolves(&source, &mechanism);
            mechanism.for_each_expression(&mut |x| survives_printing(x, &mechanism));
            mechanism.for_each_value(&mut |x| survives_printing(x, &mechanism));
        }
    });
}

#[test]
fn mutated_overrides_are_read_or_refused() {
    let rod = std::fs::read("mechanisms/painleve_rod.yaml").unwrap();
    let (source, mechanism) = read_or_refused(&rod).expect("the rod is good");
    let sets = ["mu=0.9", "theta=pi/6", "dot(x)=1", "t=2", "l=2*m"].map(|s| s.as_bytes().to_vec());
    fuzz(2000, &sets, |text| {
        let Ok(text) = std::str::from_utf8(text) else { return };
        match Override::parse(&mechanism, text) {
            Ok(set) => {
                let resolved = mechanism.resolve(&mechanism.states[0], &[set]);
                resolved.err().iter().for_each(|faults| typed(&source, faults));
            }
            Err(fault) => typed(&Source::new("<set>", text), &[fault]),
        }
    });
}

/// The mechanism of a text, or none if it is refused as it should be.
pub(crate) fn read_or_refused(text: &[u8]) -> Option<(Source, Mechanism)> {
    let source = match Source::from_bytes("case.yaml", text.to_vec()) {
        Ok(source) => source,
        Err(fault) => {
            typed(&Source::new("case.yaml", ""), &[fault]);
            return None;
        }
    };
    match read(&source) {
        Ok(checked) => {
            typed(&source, &checked.warnings);
            Some((source, checked.mechanism))
        }
        Err(faults) => {
            assert!(faults.iter().any(Diagnostic::is_error), "refused without an error");
            typed(&source, &faults);
            None
        }
    }
}

/// Every fault has a code of the list, a message of one line, and a place inside the file or a path.
pub(crate) fn typed(source: &Source, faults: &[Diagnostic]) {
    for fault in faults {
        assert!(CODES.iter().any(|(code, _)| *code == fault.code), "{}", fault.code);
        assert!(!fault.message.is_empty() && !fault.message.contains('\n'), "{fault:?}");
        let inside = fault.span.is_some_and(|s| s.start <= s.end && s.start <= source.text.len());
        assert!(
            inside || !fault.path.is_empty() || WHOLE.contains(&fault.code) || source.name == "<set>",
            "{fault:?}"
        );
    }
    assert!(render_all(faults, source, Color::Plain).len() < 100_000);
}

fn resolves(source: &Source, mechanism: &Mechanism) {
    let parameters = mechanism.default_parameters().expect("a file that is read has finite parameters");
    mechanism.domain_values(&parameters).err().iter().for_each(|faults| typed(source, faults));
    for state in &mechanism.states {
        match mechanism.resolve(state, &[]) {
            Ok(numbers) => {
                let all = numbers.q.iter().chain(&numbers.v).chain(&numbers.parameters).chain([&numbers.t]);
                assert!(all.into_iter().all(|x| x.is_finite()), "{numbers:?}");
            }
            Err(faults) => typed(source, &faults),
        }
    }
}

/// Printed and read again, an expression has the same value, bit by bit.
fn survives_printing(expr: &Expr, mechanism: &Mechanism) {
    let names = mechanism.names();
    let text = expr.display(&names).to_string();
    let Ok(again) = parse(&text, &Scope::velocity(&names, "a value"), &SourceMap::From(0)) else {
        // parentheses that printing adds may exceed the bounds on length and nesting, nothing else
        assert!(text.len() > 10_000 || text.matches('(').count() >= 100, "{text} cannot be read again");
        return;
    };
    let numbers: Vec<f64> =
        (0..names.parameters.len() + names.coordinates.len()).map(|i| 0.3 + 0.7 * i as f64).collect();
    let env = Env { t: 0.9, q: &numbers, v: &numbers, parameters: &numbers, definitions: &[] };
    let (x, y) = (expr.eval(&env), again.eval(&env));
    assert!(x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()), "{text}: {x} and {y}");
}
