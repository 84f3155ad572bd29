//! The second derivation: models of the library agree with their files, and with no other file.

use super::{ask, library};
use mechan::Derived;
use mechan::model::Output;
use mechan::pipeline::{LIBRARY, load_bytes};
use mechan::rederive::{Agreement, agreement};

/// What cannot be compared in all: sines of products.
const OPEN: [&str; 1] = ["vibrating_plate"];

#[test]
fn shipped_models_agree_with_their_files() {
    for shipped in LIBRARY {
        let found = library(shipped.name).agreement();
        let is_open = matches!(found, Agreement::Open(_));
        assert!(
            found == Agreement::Agrees || (is_open && OPEN.contains(&shipped.name)),
            "{}: {found:?}",
            shipped.name
        );
    }
}

/// The equations of a mechanism beside a file that says something else.
pub(super) fn beside(name: &str, from: &str, to: &str) -> (Derived, Agreement) {
    let derived = library(name);
    let text = &derived.loaded().source.text;
    assert!(text.contains(from), "{from} in\n{text}");
    let other = load_bytes(name, text.replacen(from, to, 1).into_bytes()).unwrap();
    let found = agreement(&other.mechanism, derived.model());
    (Derived::new(other, derived.model().clone()).unwrap(), found)
}

#[test]
fn models_of_other_files_are_told_apart() {
    let differs = |found: &Agreement, block: Output| match found {
        Agreement::Differs(blocks) => blocks.contains(&block),
        _ => false,
    };
    for (from, to, block) in [
        ("gravity: [0, -g]", "gravity: [0, g]", Output::Bias),
        ("inertia: I", "inertia: 1.001*I", Output::MassMatrix),
        ("position: [x - l*sin", "position: [x + l*sin", Output::KineticEnergy),
        ("normal: [0, 1]", "normal: [0, -1]", Output::NormalJacobian),
        ("friction: mu", "friction: mu + 1", Output::Applied),
    ] {
        let (_, found) = beside("falling_pencil", from, to);
        // friction is no equation: it is read from the file by whoever asks
        assert_eq!(differs(&found, block), !from.contains("friction"), "{from}: {found:?}");
    }
    let (other, _) = beside("falling_pencil", "gravity: [0, -g]", "gravity: [0, -2*g]");
    let fault = other.prove(&ask("no-paradox(tip)", &["theta=0:pi/2", "mu=0:1"])).unwrap_err().to_string();
    assert!(fault.contains("not those of the file") && fault.contains("forces"), "{fault}");
}
