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
