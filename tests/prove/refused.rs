//! Claims that make no sense, and what is said of them.

use super::{ask, library, texts};
use mechan::pipeline::ProveOptions;

fn fault(claim: &str, boxes: &[&str]) -> String {
    library("falling_pencil").prove(&ask(claim, boxes)).unwrap_err().to_string()
}

#[test]
fn claims_that_are_none() {
    let boxes = ["theta=0:1"];
    assert!(fault("", &boxes).contains("expected"));
    assert!(fault("no-paradox", &boxes).contains("no-paradox(CONTACT)"));
    assert!(fault("no-paradox(tpi)", &boxes).contains("did you mean `tip`"));
    assert!(fault("verdict(maybe)", &boxes).contains("verdict("));
    assert!(fault("theta < 1 < 2", &boxes).contains("expected"));
    assert!(fault("theta + 1", &boxes).contains("expected"));
    assert!(fault("b(tip) > -12", &boxes).contains("b(CONTACT) < 0"));
    assert!(fault("1 > p(tip)", &boxes).contains("p(CONTACT) > 0"));
    assert!(fault("critical-friction(tpi)", &boxes).contains("did you mean `tip`"));
    assert!(
        fault("critical-friction(tip) < 2", &boxes)
            .contains("critical-friction(CONTACT) alone or with >= NUMBER")
    );
    assert!(fault("critical-friction(tip)", &["m=1:2"]).contains("theta"));
    let given = ProveOptions { given: texts(&["mu > 0"]), ..ask("critical-friction(tip)", &boxes) };
    assert!(library("falling_pencil").prove(&given).unwrap_err().to_string().contains("bound it"));
    assert!(fault("thet < 1", &boxes).contains("theta"));
    assert!(fault("(theta < 1", &boxes).contains("expected"));
    // what is assumed may be joined as what is claimed
    let both = ProveOptions { given: texts(&["mu > 0.2 and mu < 0.3"]), ..ask("mu^2 < 0.1", &["mu=0:1"]) };
    assert_eq!(library("falling_pencil").prove(&both).unwrap()[0].answer(), "proven");
    let none = ProveOptions { claims: Vec::new(), ..ask("", &boxes) };
    assert!(library("falling_pencil").prove(&none).unwrap_err().to_string().contains("--claim"));
}

#[test]
fn boxes_that_are_none() {
    let claim = "no-paradox(tip)";
    for (range, word) in [
        ("theta", "NAME=LO:HI"),
        ("theta=1", "NAME=LO:HI"),
        ("theta=1:0", "empty"),
        ("theta=0:inf", "finite"),
        ("theta=0:1/0", "finite"),
        ("thet=0:1", "theta"),
        ("theta+1=0:1", "no coordinate"),
        ("theta=0:y", "y"),
    ] {
        let found = fault(claim, &[range]);
        assert!(found.contains(word), "{range}: {found}");
    }
    assert!(fault(claim, &["theta=0:1", "theta=0:2"]).contains("twice"));
}

#[test]
fn what_nothing_fixes_is_asked_for() {
    let found = fault("no-paradox(tip)", &["mu=0:1"]);
    assert!(found.contains("theta") && found.contains("--box"), "{found}");
    // unless a state is given, at whose values it is held
    let options =
        ProveOptions { state: Some("inconsistent".to_string()), ..ask("no-paradox(tip)", &["mu=0:0.1"]) };
    let held = library("falling_pencil").prove(&options).unwrap();
    assert!(held[0].held.iter().any(|(name, _)| name == "theta"));
}

/// What is not known of several contacts, of space, or of bilateral contacts is said.
#[test]
fn claims_beyond_what_is_known() {
    let several = library("brick_stack");
    let found = several.prove(&ask("verdict(consistent)", &["mu=0:1"]));
    assert!(found.unwrap_err().to_string().contains("one or two closed contacts"));
    let space = library("rod_3d").prove(&ask("verdict(consistent)", &["mu=0:1"]));
    assert!(space.unwrap_err().to_string().contains("in the plane only"));
    let given = ProveOptions { given: texts(&["mu"]), ..ask("no-paradox(tip)", &["theta=0:1"]) };
    assert!(library("falling_pencil").prove(&given).unwrap_err().to_string().contains("expected"));
}
