//! The `existence` section of the machine-readable output: verdicts as true, false or null, the margin, what follows,
//! and the certificate of the strongest statement, its numbers exact in text and rounded as numbers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::certificate::{Assumption, Certificate};
use super::refutation::Refutation;
use super::{Conclusion, Examined, Existence, Margin, Verdict};
use crate::num::{Dyadic, Number, ScaledVector};

impl Verdict {
    /// Whether it holds; none if undecided.
    fn decided(&self) -> Option<bool> {
        match self {
            Self::Holds(_) => Some(true),
            Self::Fails(_) => Some(false),
            Self::Undecided(_) => None,
        }
    }
}

impl Conclusion {
    /// The word used in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Stable => "exists-robustly",
            Self::Exists => "exists",
            Self::Impossible => "impossible",
            Self::Open => "open",
        }
    }
}

impl Assumption {
    /// The word used in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Weak => "weak",
            Self::KlarbringPang => "klarbring-pang",
            Self::NonPenetration => "non-penetration",
            Self::NoWedging => "no-wedging",
        }
    }
}

/// What is proven about existence: the `existence` section. The certificate is that of the strongest statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExistenceOutcome {
    /// (4.1); none if undecided, as of the other assumptions.
    pub strong: Option<bool>,
    /// (4.4).
    pub weak: Option<bool>,
    /// (4.6).
    pub klarbring_pang: Option<bool>,
    /// (4.5).
    pub non_penetration: Option<bool>,
    /// (5.1).
    pub no_wedging: Option<bool>,
    /// Program (4.39), from below.
    pub margin: Number,
    /// What it cannot exceed, if a multiplier shows it.
    pub margin_bound: Number,
    /// What follows.
    pub conclusion: Conclusion,
    /// Whether everything was tried for it.
    #[serde(default)]
    pub examined: Examined,
    /// The assumption, whether it holds, and the vectors that prove it: exact in text, rounded as numbers.
    pub certificate: Option<Value>,
}

impl From<&Existence> for ExistenceOutcome {
    fn from(existence: &Existence) -> Self {
        Self {
            strong: existence.strong.decided(),
            weak: existence.weak.decided(),
            klarbring_pang: existence.klarbring_pang.decided(),
            non_penetration: existence.non_penetration.decided(),
            no_wedging: existence.no_wedging.decided(),
            margin: existence.margin.into(),
            margin_bound: existence.margin_bound.into(),
            conclusion: existence.conclusion(),
            examined: existence.examined,
            certificate: existence.strongest().map(|(assumption, verdict)| certificate(assumption, verdict)),
        }
    }
}

impl From<Margin> for Number {
    fn from(margin: Margin) -> Self {
        match margin {
            Margin::Unbounded => Number(f64::INFINITY),
            Margin::Value(s) => Number(s),
        }
    }
}

impl Existence {
    /// The verdict that says most: the strongest assumption that holds, else the weakest that fails.
    #[must_use]
    pub fn strongest(&self) -> Option<(Assumption, &Verdict)> {
        let order = [
            (Assumption::NoWedging, &self.no_wedging),
            (Assumption::Strong, &self.strong),
            (Assumption::Weak, &self.weak),
            (Assumption::KlarbringPang, &self.klarbring_pang),
            (Assumption::NonPenetration, &self.non_penetration),
        ];
        let existence = order.into_iter().take(4).find(|(_, verdict)| verdict.holds());
        existence.or_else(|| order.into_iter().rev().find(|(_, verdict)| verdict.fails()))
    }
}

impl Refutation {
    /// The proof that there is no solution, by its kind.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut entries = Map::new();
        match self {
            Self::Penetration(proof) => entries.extend(parts(proof)),
            Self::NoMode { proof } => {
                entries.insert("kind".into(), json!("no-mode"));
                if let Value::Object(record) = proof.to_json() {
                    entries.extend(record.into_iter().filter(|(key, _)| key != "sets"));
                }
            }
        }
        Value::Object(entries)
    }
}

fn certificate(assumption: Assumption, verdict: &Verdict) -> Value {
    let mut entries = Map::new();
    entries.insert("assumption".into(), json!(assumption.word()));
    entries.insert("holds".into(), json!(verdict.holds()));
    entries.extend(verdict.certificate().map(parts).unwrap_or_default());
    Value::Object(entries)
}

/// The kind of a certificate and its vectors.
fn parts(certificate: &Certificate) -> Map<String, Value> {
    let (kind, vectors): (_, Vec<(&str, Value)>) = match certificate {
        Certificate::Velocity(v) => ("velocity", vec![("v", vector(v))]),
        Certificate::Direction(d) => ("direction", vec![("d", vector(d))]),
        Certificate::Limit { base, direction } => {
            ("limit", vec![("base", vector(base)), ("direction", vector(direction))])
        }
        Certificate::Multiplier(r) => ("multiplier", vec![("r", multiplier(r))]),
        Certificate::Chain { face, separator } => {
            ("chain", vec![("face", multiplier(face)), ("separator", multiplier(separator))])
        }
    };
    let kind = [("kind".to_owned(), json!(kind))];
    kind.into_iter().chain(vectors.into_iter().map(|(name, value)| (name.to_owned(), value))).collect()
}

/// Numbers where they are exact, else numerators and denominator in text.
fn vector(v: &ScaledVector) -> Value {
    let rounded = v.to_f64();
    let exact = ScaledVector::from_f64(&rounded).is_some_and(|again| again == *v);
    match exact {
        true => json!(rounded),
        false => json!({
            "rounded": rounded,
            "numerators": v.numerators.iter().map(Dyadic::to_text).collect::<Vec<_>>(),
            "denominator": v.denominator.to_text(),
        }),
    }
}

/// A multiplier is given up to a positive factor: numbers scaled to a largest entry near one, and exact text.
fn multiplier(r: &[Dyadic]) -> Value {
    let scale = r.iter().map(Dyadic::magnitude).max().unwrap_or(0);
    let rounded: Vec<f64> = r.iter().map(|x| x.scaled(-scale).to_f64()).collect();
    json!({ "rounded": rounded, "exact": r.iter().map(Dyadic::to_text).collect::<Vec<_>>() })
}
