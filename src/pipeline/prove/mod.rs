//! `mechan prove`: claims about all states of a box.
//!
//! A claim becomes a [`Statement`] about the derived equations: what it names varies over its range, coordinates that gaps and
//! constraints determine follow, parameters that are computed from others do too, the rest is held and said.

mod ask;
mod balance;
mod carrying;
mod chatter;
mod document;
mod exact;
mod fault;
mod least_friction;
mod linear;
mod modes;
mod multipliers;
mod numbers;
mod outcome;
mod rails;
mod region;
mod regions;
mod sides;
mod terms;
mod verdict;

pub use document::proof_document;
pub use fault::ProveFault;
pub use outcome::{NoCertificate, PROOF_SCHEMA, ProvedClaim, proof_json};
pub(super) use regions::{ENOUGH, Regions, regions};

use super::check::refuse_any;
use super::load::read_bytes;
use super::{Failure, Loaded, Usage};
use crate::diag::Diagnostic;
use crate::model::{Model, Output};
use crate::prove::{Budget, Proof, Verdict, certificate, prove, resume};
use crate::rederive::{Agreement, agreement, words};
use ask::{Question, Setting};

/// What certificates of one statement differ in.
const ANSWER: [&str; 4] = ["answer", "tree", "witness", "roots"];
/// States at most that are looked at for a claim.
const SAMPLES: usize = 60;

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
    /// The certificate of an earlier run, from which the only claim goes on.
    pub resume: Option<serde_json::Value>,
}

/// What a second derivation could not compare, in words, where it finds nothing else than the first.
fn compared(loaded: &Loaded, model: &Model) -> Result<Vec<&'static str>, Failure> {
    let worded = |blocks: Vec<Output>| {
        let mut found: Vec<&'static str> = blocks.into_iter().map(words).collect();
        found.dedup();
        found
    };
    match agreement(&loaded.mechanism, model) {
        Agreement::Agrees => Ok(Vec::new()),
        Agreement::Open(blocks) => Ok(worded(blocks)),
        Agreement::Differs(blocks) => {
            Err(Usage::from(ProveFault::Derivation { blocks: worded(blocks) }).into())
        }
    }
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
    let of_file = options.claims.is_empty();
    let claims = if of_file { loaded.mechanism.claims.len() } else { options.claims.len() };
    if claims == 0 {
        return Err(Usage::from(ProveFault::NoClaim).into());
    }
    if options.resume.is_some() && claims != 1 {
        return Err(useless("it is that of one claim: give this one alone by --claim"));
    }
    let uncompared = compared(loaded, model)?;
    let setting = Setting::new(loaded, model, options)?;
    let questions = if of_file { of_the_file(loaded, &setting)? } else { given(options, &setting)? };
    let answer = |question: Question| {
        begun(&question.claim);
        let name = &loaded.mechanism.name;
        let asked = |budget: &Budget| {
            let (question, proof) = proved(&setting, question.clone(), &Search { name, options, budget });
            let mut claim = ProvedClaim::new(name, question, proof, options);
            claim.uncompared.clone_from(&uncompared);
            claim
        };
        let found = asked(&options.budget);
        // the checker expands identities that the search may have found more cleverly: then it has to do without
        let refused = matches!(found.certificate, Err(NoCertificate::Rejected { .. }));
        if refused && found.proof.restated.is_some() {
            return asked(&Budget { restated: false, ..options.budget });
        }
        found
    };
    let found: Vec<ProvedClaim> = questions.into_iter().map(answer).collect();
    if options.resume.is_some() && !found.iter().any(|claim| claim.resumed) {
        return Err(useless(
            "it is of another claim, box or mechanism, or of another version: nothing of it can be used here",
        ));
    }
    Ok(found)
}

/// The claims that were given.
fn given(options: &ProveOptions, setting: &Setting<'_>) -> Result<Vec<Question>, Usage> {
    let asked: Result<Vec<Vec<Question>>, ProveFault> =
        options.claims.iter().map(|claim| setting.questions(claim)).collect();
    Ok(asked?.concat())
}

/// The claims of the file, or the places of all that cannot be asked.
fn of_the_file(loaded: &Loaded, setting: &Setting<'_>) -> Result<Vec<Question>, Failure> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for claim in &loaded.mechanism.claims {
        match setting.questions(&claim.text) {
            Ok(questions) => found.extend(questions),
            Err(ProveFault::Claim { .. }) => faults.extend(claim.faults.iter().cloned()),
            Err(other) => {
                let fault = Diagnostic::error("M120", other.to_string()).with_span(claim.span);
                faults.push(fault.with_path(claim.path.clone()));
            }
        }
    }
    refuse_any(loaded, faults).map(|()| found)
}

/// A certificate, for [`ProveOptions::resume`].
///
/// # Errors
/// [`Failure`] if there is no such file, or it is no JSON.
pub fn read_certificate(path: &str) -> Result<serde_json::Value, Failure> {
    serde_json::from_slice(&read_bytes(path)?)
        .map_err(|error| useless(format!("{path} is no certificate ({error})")))
}

fn useless(why: impl Into<String>) -> Failure {
    Usage::from(ProveFault::Resume { why: why.into() }).into()
}

/// How an answer is looked for.
struct Search<'s> {
    name: &'s str,
    options: &'s ProveOptions,
    budget: &'s Budget,
}

impl Search<'_> {
    /// Whether an earlier run was gone on from, and the answer.
    fn proof(&self, question: &Question) -> (bool, Proof) {
        let resumed = self.options.resume.as_ref().and_then(|begun| self.resumed(question, begun));
        resumed.map_or_else(|| (false, prove(&question.statement, self.budget)), |proof| (true, proof))
    }

    /// From the certificate of an earlier run, if it has the same equations, formulas and ranges.
    fn resumed(&self, question: &Question, begun: &serde_json::Value) -> Option<Proof> {
        let without_answer = |mut certificate: serde_json::Value| {
            let keys = certificate.as_object_mut();
            keys.into_iter().for_each(|keys| ANSWER.iter().for_each(|key| drop(keys.remove(*key))));
            certificate
        };
        let known = without_answer(begun.clone());
        let subject = question.subject(self.name, &self.options.given);
        let is_of = |proof: &Proof| {
            certificate(&subject, &question.statement, proof).is_ok_and(|own| without_answer(own) == known)
        };
        resume(&question.statement, self.budget, begun["tree"].as_str()?, is_of)
    }
}

/// What is stated is enough for some claims, and not necessary: where it fails at a state, that state is looked at too, and where it
/// still fails, nothing is known.
fn proved(setting: &Setting<'_>, mut question: Question, search: &Search<'_>) -> (Question, Proof) {
    let mut samples = Vec::new();
    loop {
        let (resumed, mut proof) = search.proof(&question);
        question.resumed |= resumed;
        let Verdict::Refuted(found) = &proof.verdict else { return (question, proof) };
        if question.sufficient.is_none() {
            return (question, proof);
        }
        samples.push(question.statement.at(&found.witness));
        let next = setting.question(&question.claim, &samples).ok().filter(|_| samples.len() < SAMPLES);
        match next {
            Some(next) if next.statement != question.statement => {
                question = Question { resumed: question.resumed, ..next };
            }
            _ => {
                let other = setting.refutable(&question.claim);
                let refuted = other.map(|other| (prove(&other.statement, search.budget), other));
                if let Some((found, other)) = refuted.filter(|(found, _)| found.verdict.is_refuted()) {
                    return (other, found);
                }
                proof.verdict = Verdict::Undecided;
                return (question, proof);
            }
        }
    }
}
