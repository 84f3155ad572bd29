//! Certificates before the checker.

use super::{answer, ask, library};
use mechan::pipeline::ProvedClaim;

/// That a claim's certificate establishes its answer.
pub(super) fn passes(claim: &ProvedClaim) {
    let certificate = claim.certificate.as_ref();
    let certificate = certificate.unwrap_or_else(|why| panic!("{}: no certificate: {why}", claim.claim));
    let text = serde_json::to_string(certificate).unwrap();
    if let Err(fault) = mechan_check::check(&text) {
        panic!("{} ({}): {fault}", claim.claim, claim.answer());
    }
}

/// An answer that was not found is not established.
#[test]
fn another_answer_is_rejected() {
    let rod = library("falling_pencil");
    for (mu, others) in [("1.3", ["refuted", "vacuous"]), ("1.4", ["proven", "vacuous"])] {
        let found = answer(&rod, &ask("no-paradox(tip)", &["theta=0:pi/2", &format!("mu=0:{mu}")]));
        let certificate = found.certificate.unwrap();
        for other in others {
            let mut changed = certificate.clone();
            changed["answer"] = other.into();
            assert!(mechan_check::check(&changed.to_string()).is_err(), "{mu}: {other}");
        }
    }
}

/// A tree of another claim: the certificate of 1.3 with the range of 1.4.
#[test]
fn a_larger_box_is_rejected() {
    let found = answer(&library("falling_pencil"), &ask("no-paradox(tip)", &["theta=0:pi/2", "mu=0:1.3"]));
    let text = serde_json::to_string(&found.certificate.unwrap()).unwrap();
    assert!(text.contains("\"13/10\""));
    assert!(mechan_check::check(&text.replace("\"13/10\"", "\"7/5\"")).is_err());
}

/// A run that goes on from the certificate of one with fewer parts ends as one that had them all: as the statement is, in its other form, and with
/// equations; nothing is gone on from that is another's.
#[test]
fn runs_go_on_from_certificates() {
    let cases = [
        ("falling_pencil", None, "no-paradox(tip)", vec!["theta=0:pi/2", "mu=0:1.333"], 20),
        (
            "double_pendulum_wall",
            Some("striking"),
            "b(wall) < 0",
            vec!["theta_1=0.53:0.6", "theta_2=-0.4:0.5"],
            3,
        ),
        (
            "frictional_impact_oscillator",
            None,
            "no-paradox(tip)",
            vec!["theta=pi/18:pi/2", "mu=0:0.6", "m1=0.095:0.105"],
            8,
        ),
    ];
    let (mut last, mut restated) = (None, 0);
    for (name, state, claim, boxes, few) in cases {
        let mechanism = library(name);
        let mut options = ask(claim, &boxes);
        options.state = state.map(String::from);
        let whole = answer(&mechanism, &options);
        let all = options.budget.parts;
        options.budget.parts = few;
        let begun = answer(&mechanism, &options);
        assert_eq!(begun.answer(), "undecided", "{name} {claim}");
        options.budget.parts = all;
        options.resume = begun.certificate.ok();
        let same = options.resume.as_ref().and_then(|certificate| certificate["same"].as_array());
        restated += usize::from(same.is_some_and(|same| !same.is_empty()));
        let ended = answer(&mechanism, &options);
        assert_eq!((ended.answer(), ended.resumed), (whole.answer(), true), "{name} {claim}");
        if let Some(other) = last.replace(options.resume.clone()) {
            options.resume = other;
            let fault = mechanism.prove(&options).unwrap_err().to_string();
            assert!(fault.contains("another claim"), "{fault}");
        }
    }
    assert!(restated > 0);
}

/// What is no tree, or one of deeper halvings than there are, is nothing to go on from, and a leaf that does not hold is found out.
#[test]
fn nothing_is_believed_of_a_certificate_that_is_gone_on_from() {
    let rod = library("falling_pencil");
    let mut options = ask("no-paradox(tip)", &["theta=0:pi/2", "mu=0:1.4"]);
    options.budget = mechan::prove::Budget { parts: 20, restated: false, ..options.budget };
    let certificate =
        answer(&rod, &ask("no-paradox(tip)", &["theta=0:pi/2", "mu=0:1.3"])).certificate.unwrap();
    let with = |tree: &str, range: &str| {
        let mut changed = certificate.clone();
        changed["tree"] = tree.into();
        serde_json::from_str(&changed.to_string().replace("13/10", range)).unwrap()
    };
    for tree in ["", "0", "0.", "0..?", "Z..", "z", "\u{1F980}", &"0".repeat(60)] {
        options.resume = Some(with(tree, "7/5"));
        assert!(rod.prove(&options).is_err(), "{tree:?}");
    }
    options.resume = Some(with("0..", "7/5"));
    let found = rod.prove(&options);
    let answers: Vec<&str> = found.iter().flatten().map(ProvedClaim::answer).collect();
    assert_eq!(answers, ["undecided"], "{found:?}");
}
