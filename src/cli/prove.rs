//! `mechan prove`: claims about all states of a box, with certificates.

use super::form::{Format, ReportForm, Written};
use super::interrupt::heard;
use super::output::{Terminal, write_result};
use super::{Answer, derive::model_of};
use crate::pipeline::{
    Failure, ProveOptions, ProvedClaim, Usage, illustrate_claims, load, proof_document, proof_json,
    prove_claims, read_certificate,
};
use crate::plot::PlotFault;
use crate::prove::{Budget, Verdict};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Mechanism file (YAML) or model file (JSON); `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// What is claimed of all states: no-paradox(CONTACT), `p(CONTACT) > 0`, `b(CONTACT) < 0`, stable(CONTACT), verdict(WORD),
    /// no-reverse-chatter(CONTACT), or a comparison; repeatable [default: `claims` of the file]
    #[arg(long, value_name = "CLAIM", allow_hyphen_values = true)]
    claim: Vec<String>,
    /// What is assumed: a comparison; repeatable
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    given: Vec<String>,
    /// A range of a coordinate, `dot(x)` or a parameter; repeatable [default: `domain` of the file]
    #[arg(long = "box", value_name = "NAME=LO:HI", allow_hyphen_values = true)]
    boxes: Vec<String>,
    /// The state at whose values everything else is held [default: parameters alone, of the first]
    #[arg(long, value_name = "NAME")]
    state: Option<String>,
    /// Override a parameter, a coordinate or `dot(x)`; repeatable
    #[arg(long, value_name = "NAME=EXPR")]
    set: Vec<String>,
    /// Parts of the box after which a claim stays undecided
    #[arg(long = "boxes", value_name = "N", default_value_t = Budget::default().parts)]
    parts: usize,
    /// Threads; the answer is the same on any number [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Write the certificate of the only claim, which `mechan-check` reads
    #[arg(long, value_name = "PATH")]
    certificate: Option<PathBuf>,
    /// Draw where the only claim is open, or fails (.svg or .png)
    #[arg(long, value_name = "PATH")]
    plot: Option<PathBuf>,
    /// Go on from the certificate of an earlier run of the only claim that was interrupted, or had too few parts
    #[arg(long, value_name = "PATH")]
    resume: Option<PathBuf>,
    /// Exit with 1 if a claim is refuted or vacuous
    #[arg(long, value_enum, value_name = "ANSWER")]
    require: Option<Required>,
    /// Form of the report, or a proof for Coq of the only claim [default: that of the ending of --output, or text]
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// Write the report to a file
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// The forms of every report, and Coq.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Report(Format),
    Coq,
}

impl ValueEnum for Form {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Report(Format::Text),
            Self::Report(Format::Markdown),
            Self::Report(Format::Html),
            Self::Report(Format::Json),
            Self::Coq,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Report(format) => format.to_possible_value(),
            Self::Coq => {
                Some(PossibleValue::new("coq").help("A theorem with its proof, for `coqc` with coq-interval"))
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Required {
    Proven,
}

/// Exit status 3 if a claim stays undecided.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let form = form(arguments);
    form.iter().try_for_each(|form| form.check(Written::Json))?;
    let loaded = load(&arguments.file)?;
    terminal.loaded(&loaded);
    let model = model_of(&loaded, terminal)?;
    let options = options(arguments)?;
    let claims = heard(|| {
        prove_claims(&loaded, &model, &options, |claim| terminal.progress(&format!("proving {claim}")))
    })?;
    arguments.certificate.iter().try_for_each(|path| write_certificate(&claims, path))?;
    let name = &loaded.mechanism.name;
    arguments.plot.iter().try_for_each(|path| draw(name, &claims, path))?;
    match form {
        Some(form) => form.write(
            || {
                proof_document(name, &claims)
                    .with_pictures(form.pictures(|| illustrate_claims(name, &claims)))
            },
            || serde_json::to_string_pretty(&proof_json(name, &claims)),
        )?,
        None => write_coq(name, &claims, arguments.output.as_deref())?,
    }
    Ok(status(arguments, &claims))
}

fn status(arguments: &Arguments, claims: &[ProvedClaim]) -> u8 {
    let any = |wanted: fn(&Verdict) -> bool| claims.iter().any(|claim| wanted(&claim.proof.verdict));
    let fails = |verdict: &Verdict| matches!(verdict, Verdict::Refuted(_) | Verdict::Vacuous);
    match arguments.require {
        Some(Required::Proven) if any(fails) => 1,
        _ if any(|verdict| *verdict == Verdict::Undecided) => 3,
        _ => 0,
    }
}

fn options(arguments: &Arguments) -> Result<ProveOptions, Failure> {
    let usual = Budget::default();
    let resume = arguments.resume.as_ref().map(|path| read_certificate(&path.display().to_string()));
    Ok(ProveOptions {
        state: arguments.state.clone(),
        set: arguments.set.clone(),
        claims: arguments.claim.clone(),
        given: arguments.given.clone(),
        boxes: arguments.boxes.clone(),
        budget: Budget {
            parts: arguments.parts,
            threads: arguments.threads.map_or(usual.threads, NonZeroUsize::get),
            ..usual
        },
        resume: resume.transpose()?,
    })
}

/// The form of the report; none for Coq.
fn form(arguments: &Arguments) -> Option<ReportForm> {
    let format = match arguments.format {
        None => None,
        Some(Form::Report(format)) => Some(format),
        Some(Form::Coq) => return None,
    };
    Some(ReportForm::new(format, arguments.output.clone()))
}

/// The only claim, for what is written about one.
fn only<'c>(claims: &'c [ProvedClaim], option: &'static str) -> Result<&'c ProvedClaim, Failure> {
    match claims {
        [claim] => Ok(claim),
        _ => Err(Usage::SeveralClaims { option, claims: claims.len() }.into()),
    }
}

fn write_coq(mechanism: &str, claims: &[ProvedClaim], path: Option<&Path>) -> Result<(), Failure> {
    let claim = only(claims, "--format coq")?;
    let text = claim.coq(mechanism).map_err(|fault| Usage::NoCoq { claim: claim.claim.clone(), fault })?;
    write_result(&text, path)
}

fn draw(mechanism: &str, claims: &[ProvedClaim], path: &Path) -> Result<(), Failure> {
    let claim = only(claims, "--plot")?;
    let picture = claim.picture(mechanism).ok_or(Usage::Plot(PlotFault::NothingVaries))?;
    Ok(picture.write(path)?)
}

fn write_certificate(claims: &[ProvedClaim], path: &Path) -> Result<(), Failure> {
    let claim = only(claims, "--certificate")?;
    match &claim.certificate {
        Ok(certificate) => {
            let text = serde_json::to_string(certificate).map_err(Failure::unprintable("the certificate"))?;
            write_result(&(text + "\n"), Some(path))
        }
        Err(why) => Err(Usage::NoCertificate(why.clone()).into()),
    }
}
