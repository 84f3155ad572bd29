//! What is found about a claim, as it is told and stored.

use super::ProveOptions;
use super::ask::Question;
use crate::plot::{Picture, open_parts};
use crate::prove::{CoqFault, Exact, Proof, Statement, Subject, Verdict, certificate, coq, number_or_range};
use serde_json::{Map, Value, json};

/// The schema of answers.
pub const PROOF_SCHEMA: &str = "mechan.proof/1";

/// Why an answer has no certificate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoCertificate {
    /// An operation that certificates do not know.
    #[error("the equations have {0}, which certificates do not know")]
    Operation(&'static str),
    /// The search had an answer, and the checker did not accept it: nothing is claimed.
    #[error("the search found it {answer}, and the checker does not accept that: {why}")]
    Rejected {
        /// What was found.
        answer: &'static str,
        /// What the checker says.
        why: String,
    },
    /// The checker ended early.
    #[error("the checker ended early")]
    Ended,
}

/// Nothing is believed because the search said so: what the checker rejects is undecided.
pub(super) fn checked(
    proof: Proof,
    certificate: Result<Value, &'static str>,
) -> (Proof, Result<Value, NoCertificate>) {
    let certificate = match certificate {
        Ok(certificate) => certificate,
        Err(operation) => return (proof, Err(NoCertificate::Operation(operation))),
    };
    match mechan_check::check(&certificate.to_string()) {
        Ok(_) => (proof, Ok(certificate)),
        Err(fault) => {
            let (answer, why) = (word(&proof.verdict), fault.to_string());
            let open = Proof { verdict: Verdict::Undecided, open: 1.0, tree: "?".to_string(), ..proof };
            (open, Err(NoCertificate::Rejected { answer, why }))
        }
    }
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Proven => "proven",
        Verdict::Refuted(_) => "refuted",
        Verdict::Undecided => "undecided",
        Verdict::Vacuous => "vacuous",
    }
}

/// A claim with its answer.
#[derive(Clone, Debug)]
pub struct ProvedClaim {
    /// The claim as it was given.
    pub claim: String,
    /// What was assumed.
    pub given: Vec<String>,
    /// The ranges, those on which the claim does not depend among them.
    pub ranges: Vec<(String, Exact, Exact)>,
    /// Inputs that vary as far as gaps and constraints allow.
    pub open: Vec<String>,
    /// What gaps and constraints determine, and does not matter otherwise.
    pub follows: Vec<String>,
    /// What follows its text in the state or in `--set`, with that text.
    pub texts: Vec<(String, String)>,
    /// What the claim depends on and was held.
    pub held: Vec<(String, Exact)>,
    /// Contacts that are closed.
    pub closed: Vec<String>,
    /// What else is meant.
    pub meant: Option<&'static str>,
    /// What was looked for, in words, where that is enough for the claim and not necessary: so it can be proven and never refuted.
    pub sufficient: Option<&'static str>,
    /// Names of the inputs that vary, in the order of a witness.
    pub varying: Vec<String>,
    /// Whether it is assumed that no mass, inertia or friction is negative, since some are in the box.
    pub physical: bool,
    /// Whether the run went on from an earlier one.
    pub resumed: bool,
    /// Equations that a second derivation from the file could not be compared in, in words.
    pub uncompared: Vec<&'static str>,
    statement: Statement,
    /// Names of its inputs.
    names: Vec<String>,
    /// The answer.
    pub proof: Proof,
    /// Its certificate, which the checker accepts, or why there is none.
    pub certificate: Result<Value, NoCertificate>,
}

impl ProvedClaim {
    pub(super) fn new(mechanism: &str, question: Question, proof: Proof, options: &ProveOptions) -> Self {
        let subject = question.subject(mechanism, &options.given);
        let written = certificate(&subject, &question.statement, &proof);
        let (proof, certificate) = checked(proof, written);
        let Question { statement, names, held, .. } = &question;
        ProvedClaim {
            claim: question.claim.to_string(),
            given: options.given.clone(),
            held: held.iter().filter_map(|&i| question.value(i)).collect(),
            varying: statement.varying().iter().map(|&i| names[i].clone()).collect(),
            open: question.open.iter().map(|&i| names[i].clone()).collect(),
            ranges: question.ranges,
            follows: question.follows,
            texts: question.texts,
            closed: question.closed,
            meant: question.meant,
            sufficient: question.sufficient,
            physical: question.physical,
            resumed: question.resumed,
            uncompared: Vec::new(),
            statement: question.statement,
            names: question.names,
            proof,
            certificate,
        }
    }

    /// `proven`, `refuted`, `undecided` or `vacuous`.
    pub fn answer(&self) -> &'static str {
        word(&self.proof.verdict)
    }

    /// The state at which the claim fails: each name with a number, or the ends of a range in which there is one.
    pub fn counterexample(&self) -> Option<Vec<(&str, &Exact, Option<&Exact>)>> {
        let Verdict::Refuted(found) = &self.proof.verdict else { return None };
        Some(
            self.varying
                .iter()
                .zip(&found.witness)
                .map(|(name, (lo, hi))| (name.as_str(), lo, hi.as_ref()))
                .collect(),
        )
    }

    /// Open parts as numbers: the least and the largest value of each input that varies.
    pub fn left(&self) -> Vec<(&str, f64, f64)> {
        let parts = self.open_parts();
        let span = |(j, (_, [lo, hi])): (usize, &(String, [f64; 2]))| {
            let shares = parts.iter().map(|part| part[j]);
            let (a, b) = shares.fold((1.0_f64, 0.0_f64), |(a, b), [x, y]| (a.min(x), b.max(y)));
            (self.varying[j].as_str(), lo + (hi - lo) * a, lo + (hi - lo) * b)
        };
        if parts.is_empty() { Vec::new() } else { self.sides().iter().enumerate().map(span).collect() }
    }

    fn open_parts(&self) -> Vec<Vec<[f64; 2]>> {
        let is_open = self.proof.verdict == Verdict::Undecided;
        if is_open { self.proof.open_parts(self.varying.len()) } else { Vec::new() }
    }

    /// What varies, with the ends of its range.
    fn sides(&self) -> Vec<(String, [f64; 2])> {
        let ends = self.statement.ranges().into_iter().map(|(lo, hi)| [lo.enclosed().lo, hi.enclosed().hi]);
        self.varying.iter().cloned().zip(ends).collect()
    }

    /// Where it is open, or fails; none where nothing varies.
    pub fn picture(&self, mechanism: &str) -> Option<Picture> {
        let middle = |(_, lo, hi): (&str, &Exact, Option<&Exact>)| {
            0.5 * (lo.enclosed().middle() + hi.unwrap_or(lo).enclosed().middle())
        };
        let fails: Option<Vec<f64>> =
            self.counterexample().map(|found| found.into_iter().map(middle).collect());
        let title = format!("{mechanism}: {}, {}", self.claim, self.answer());
        let sides = self.sides();
        let picture = || open_parts(&title, &sides, &self.open_parts(), fails.as_deref());
        (!sides.is_empty()).then(picture)
    }

    /// The proof as a file for Coq.
    ///
    /// # Errors
    /// [`CoqFault`] where there is none.
    pub fn coq(&self, mechanism: &str) -> Result<String, CoqFault> {
        let Self { claim, given, closed, texts, names, .. } = self;
        coq(&Subject { mechanism, claim, given, closed, texts, names }, &self.statement, &self.proof)
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        let numbers = |list: &[(String, Exact)]| -> Map<String, Value> {
            list.iter().map(|(name, x)| (name.clone(), number_or_range(x, None))).collect()
        };
        let texts: Map<String, Value> =
            self.texts.iter().map(|(name, text)| (name.clone(), json!(text))).collect();
        let ranges: Map<String, Value> =
            self.ranges.iter().map(|(name, lo, hi)| (name.clone(), number_or_range(lo, Some(hi)))).collect();
        let found = self.counterexample().map(|found| -> Map<String, Value> {
            found.into_iter().map(|(name, lo, hi)| (name.to_string(), number_or_range(lo, hi))).collect()
        });
        let left: Map<String, Value> =
            self.left().into_iter().map(|(name, lo, hi)| (name.to_string(), json!([lo, hi]))).collect();
        json!({
            "claim": self.claim,
            "given": self.given,
            "box": ranges,
            "open": self.open,
            "follows": self.follows,
            "expressions": texts,
            "held": numbers(&self.held),
            "closed": self.closed,
            "meant": self.meant,
            "sufficient": self.sufficient.is_some(),
            "physical": self.physical,
            "answer": self.answer(),
            "counterexample": found,
            "undecided_share": self.proof.open,
            "undecided_within": left,
            "boxes": self.proof.parts,
            "inhabited": self.proof.inhabited,
            "not_compared": self.uncompared,
            "certificate": self.certificate.as_ref().ok(),
        })
    }
}

/// The answers of a mechanism as JSON.
pub fn proof_json(mechanism: &str, claims: &[ProvedClaim]) -> Value {
    let claims: Vec<Value> = claims.iter().map(ProvedClaim::to_json).collect();
    json!({"schema": PROOF_SCHEMA, "mechanism": mechanism, "claims": claims})
}
