//! `mechan prove`: claims about all states of a box.
//!
//! A claim becomes a [`Statement`] about the derived equations: what it names varies over its range, coordinates that gaps and
//! constraints determine follow, parameters that are computed from others do too, the rest is held and said.

mod ask;
mod chatter;
mod claim;
mod document;
mod exact;
mod fault;
mod outcome;
mod terms;

pub use document::proof_document;
pub use fault::ProveFault;
pub use outcome::{NoCertificate, PROOF_SCHEMA, ProvedClaim, proof_json};

use super::{Failure, Loaded};
use crate::model::Model;
use crate::prove::{Budget, Subject, certificate, prove};
use ask::Question;

/// What is to be proven.
#[derive(Clone, Debug, Default)]
pub struct ProveOptions {
    /// The state whose numbers hold what does not vary; without one only parameters are held, at the first state's values.
    pub state: Option<String>,
    /// `name=expr` overrides.
    pub set: Vec<String>,
    /// Claims; those of the file if empty.
    pub claims: Vec<String>,
    /// Comparisons that are assumed.
    pub given: Vec<String>,
    /// `name=LO:HI`; the file's `domain` if empty.
    pub boxes: Vec<String>,
    /// How far to search.
    pub budget: Budget,
}

/// The answers, one per claim.
///
/// # Errors
/// [`Failure`] if a claim or a box makes no sense here.
pub fn prove_claims(
    loaded: &Loaded,
    model: &Model,
    options: &ProveOptions,
    mut begun: impl FnMut(&str),
) -> Result<Vec<ProvedClaim>, Failure> {
    let claims = if options.claims.is_empty() { &loaded.mechanism.claims } else { &options.claims };
    if claims.is_empty() {
        return Err(super::Usage::from(ProveFault::NoClaim).into());
    }
    let questions: Vec<Question<'_>> =
        claims.iter().map(|claim| Question::new(loaded, model, options, claim)).collect::<Result<_, _>>()?;
    let answer = |question: Question<'_>| {
        begun(question.claim);
        let statement = &question.statement;
        let proof = prove(statement, &options.budget);
        let subject = Subject {
            mechanism: &loaded.mechanism.name,
            claim: question.claim,
            given: &options.given,
            closed: &question.closed,
            names: &question.names,
        };
        let certificate = certificate(&subject, statement, &proof);
        ProvedClaim::new(question, proof, certificate, options)
    };
    Ok(questions.into_iter().map(answer).collect())
}
