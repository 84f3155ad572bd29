//! The `existence` section of the machine-readable output: verdicts as true, false or null, the margin, what follows,
//! and the certificate of the strongest statement, its numbers exact in text and rounded as numbers.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::certificate::{Assumption, Certificate};
use super::refutation::Refutation;
use super::{Conclusion, Existence, Margin, Verdict};
use crate::num::{Dyadic, ScaledVector};

impl Verdict {
    /// true, false, or null for undecided.
    fn to_json(&self) -> Value {
        match self {
            Self::Holds(_) => Value::Bool(true),
            Self::Fails(_) => Value::Bool(false),
            Self::Undecided(_) => Value::Null,
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

impl Margin {
    /// A number, or the string "inf".
    fn to_json(self) -> Value {
        match self {
            Self::Unbounded => json!("inf"),
            Self::Value(s) if s == f64::INFINITY => json!("inf"),
            Self::Value(s) => json!(s),
        }
    }
}

/// The `existence` section.
#[must_use]
pub fn to_json(existence: &Existence) -> Value {
    json!({
        "strong": existence.strong.to_json(),
        "weak": existence.weak.to_json(),
        "klarbring_pang": existence.klarbring_pang.to_json(),
        "non_penetration": existence.non_penetration.to_json(),
        "no_wedging": existence.no_wedging.to_json(),
        "margin": existence.margin.to_json(),
        "margin_bound": existence.margin_bound,
        "conclusion": existence.conclusion().word(),
        "certificate": existence.strongest().map_or(Value::Null, |(assumption, verdict)| certificate(assumption, verdict)),
    })
}

impl Serialize for Existence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        to_json(self).serialize(serializer)
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
