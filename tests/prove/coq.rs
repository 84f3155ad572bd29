//! Proofs before Coq's kernel, where Coq with coq-interval is installed.

use super::{answer, ask, library, texts};
use mechan::pipeline::{ProveOptions, ProvedClaim};
use std::process::Command;

/// Whether `coqc` accepts a text, and what it prints; none without Coq.
fn accepted(text: &str) -> Option<(bool, String)> {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        let output = Command::new("coqc").arg(&file).current_dir(folder.path()).output().ok()?;
        let said = [output.stdout, output.stderr].concat();
        Some((output.status.success(), String::from_utf8_lossy(&said).into_owned()))
    };
    let (there, _) = run("there.v", "From Interval Require Import Tactic.\n")?;
    there.then(|| run("claim.v", text)).flatten()
}

fn passes(claim: &ProvedClaim) {
    let text = claim.coq("falling_pencil").unwrap();
    let Some((accepted, said)) = accepted(&text) else {
        eprintln!("not proven anew: Coq with coq-interval is not installed");
        return;
    };
    assert!(accepted, "{}: {said}\n{text}", claim.claim);
    // integers, no floats
    assert!(said.contains("Axioms:") && !said.contains("Float"), "{said}");
}

/// No paradox of the rod up to 1.3: signs, halved by the tactic and by us.
#[test]
fn the_rods_friction() {
    passes(&answer(&library("falling_pencil"), &ask("no-paradox(tip)", &["theta=0:pi/2", "mu=0:1.2"])));
}

/// The same with five per cent on mass and length.
#[test]
fn the_rods_friction_with_tolerances() {
    let boxes = ["theta=0:pi/2", "mu=0:1.3", "m=0.95:1.05", "l=0.95:1.05"];
    passes(&answer(&library("falling_pencil"), &ask("no-paradox(tip)", &boxes)));
}

/// Assumptions and alternatives.
#[test]
fn assumptions_and_alternatives() {
    let rod = library("falling_pencil");
    let given =
        ProveOptions { given: texts(&["mu < 1"]), ..ask("no-paradox(tip)", &["theta=0:pi/2", "mu=0:2"]) };
    passes(&answer(&rod, &given));
    let vacuous =
        ProveOptions { given: texts(&["mu > 3"]), ..ask("no-paradox(tip)", &["theta=0:1", "mu=0:2"]) };
    passes(&answer(&rod, &vacuous));
    let either = ProveOptions {
        state: Some("slipping".to_string()),
        ..ask("verdict(consistent)", &["theta=0.2:0.3", "mu=0:0.1", "dot(theta)=0:0.1", "dot(x)=0.5:1"])
    };
    passes(&answer(&rod, &either));
}

/// Equations that hold nowhere in a part.
#[test]
fn equations_that_cannot_hold() {
    let found = answer(&library("pushed_chalk"), &ask("no-paradox(tip)", &["theta=1:1.2", "mu=0:1"]));
    assert_eq!(found.answer(), "vacuous");
    passes(&found);
}

/// Bounds that are attained, by forms that show their signs: 4/3 of the rod in the plane and in space, of any box, and 2 √(r + r²) of any inertia.
#[test]
fn bounds_that_are_attained() {
    passes(&answer(&library("falling_pencil"), &ask("p_plus >= 0", &["theta=0:pi/2", "mu=0:4/3"])));
    let any = "critical-friction(tip) >= 2*sqrt(I + I^2)";
    passes(&answer(&library("falling_pencil"), &ask(any, &["theta=-pi:pi", "I=1/1000:1000"])));
    let space = ["theta=-pi:pi", "psi=-pi:pi", "m=1/10:10", "l=1/10:10"];
    passes(&answer(&library("rod_3d"), &ask("critical-friction(tip) >= 4/3", &space)));
    passes(&answer(&library("box_on_incline"), &ask("p_plus >= 0", &["theta=-pi/2:pi/2", "mu=0:4/3"])));
    let masses = ["theta=-pi:pi", "m1=1/1000:10", "m2=1/1000:10", "l=1/10:10"];
    let claim = "critical-friction(tip) >= 2*sqrt(m1/m2 + (m1/m2)^2)";
    passes(&answer(&library("frictional_impact_oscillator"), &ask(claim, &masses)));
}

/// What is refuted has no proof.
#[test]
fn only_what_holds_has_a_proof() {
    let found = answer(&library("falling_pencil"), &ask("no-paradox(tip)", &["theta=0:pi/2", "mu=0:2"]));
    assert!(found.coq("falling_pencil").unwrap_err().to_string().contains("proven"));
}
