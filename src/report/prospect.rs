//! What can happen next at one contact, as a section of a report; and the survey's tables.

use super::document::{Cell, Document, Table};
use super::number::significant;
use super::several::{rest_document, several_document};
use crate::analysis::planar::{
    Condition, Equilibrium, Fate, ImpactOutcome, Jam, JamKind, ModeOutcome, Prospect, Sequence, Stability,
    StickOutcome, Trigger, VelocityOutcome, Verdict,
};
use crate::analysis::planar::{Release, StickState};
use crate::analysis::{Number, Quantity, planar};
use crate::contact::Slip;
use crate::num::Tol;

/// The section of a state; empty where no single contact decides.
pub(super) fn prospect_document(prospect: &Prospect) -> Document {
    let mut document = Document::new();
    if prospect.verdict.is_none() && prospect.modes.is_empty() {
        return document;
    }
    document.heading(3, "What can happen next");
    document.paragraph(sentence(prospect));
    if prospect.modes_examined.is_some() {
        document.append(several_document(prospect));
    } else if !prospect.modes.is_empty() {
        document.table(mode_table(&prospect.modes));
        prospect
            .modes
            .iter()
            .for_each(|mode| document.paragraph(format!("{}: {}.", word(mode), mode.reason)));
    }
    for (name, impact) in &prospect.impact.0 {
        document.append(impact_document(name, impact));
    }
    for (name, impact) in &prospect.impact_by_poisson.0 {
        document.append(impact_document(name, impact));
    }
    if let Some(rest) = &prospect.rest {
        document.append(rest_document(rest));
    }
    for (name, jam) in prospect.jam.0.iter().filter(|(_, jam)| jam.says_something(&Tol::default())) {
        document.append(jam_document(name, jam));
    }
    if let Some(motion) = &prospect.no_slip {
        document.append(stick_document(motion));
    }
    if let Some(equilibrium) = &prospect.equilibrium {
        document.append(equilibrium_document(equilibrium));
    }
    document
}

/// Distance to the singular point p = b = 0, and the linear system around it.
fn jam_document(name: &str, jam: &Jam) -> Document {
    let mut document = Document::new();
    let field = |label: &str, value: String, remark: &str| (label.to_string(), value, remark.to_string());
    let kind = match jam.kind {
        Some(JamKind::G1) => "G1: attracts, with a normal force that grows without bound",
        Some(JamKind::G2) => "G2: attracts, with a finite normal force",
        None => "attracts no open set of states",
    };
    let fate = match jam.fate {
        Fate::Jams(_) => "reaches the singular point",
        Fate::LiftsOff => "lifts off",
        Fate::SlipsAway => "slips away in contact",
        Fate::Marginal => "lies on a separating line",
        Fate::Degenerate => "is in no class: eigenvalues coincide",
        Fate::NotApplicable => "not a pressed slip with p > 0",
    };
    let c = &jam.coefficients;
    document.heading(3, format!("Dynamic jam at {name}"));
    document.fields(vec![
        field(
            "p",
            significant(shown(jam.p, jam.p_distance)),
            &format!("relative distance to p = 0: {}", significant(shown(jam.p_distance, jam.p_distance))),
        ),
        field(
            "b",
            significant(shown(jam.b, jam.b_distance)),
            &format!("relative distance to b = 0: {}", significant(shown(jam.b_distance, jam.b_distance))),
        ),
        field("alpha_1", significant(c.alpha1), "p' = alpha_1 p; eigenvalue, exact derivatives"),
        field("alpha_2", significant(c.alpha2), "b' = alpha_2 p + beta b"),
        field("beta", significant(c.beta), "eigenvalue, eigenvector (0, 1)"),
        field("K", significant(jam.slope.0), "slope b/p of the eigenvector of alpha_1"),
        field(
            "class",
            jam.panel.map_or("-".to_string(), |p| format!("({p})")),
            "panel of Fig. 13 (letters reconstructed)",
        ),
        field("singular point", kind.to_string(), ""),
        field("this state", fate.to_string(), "in the linear system, meaningful near p = b = 0 only"),
    ]);
    document
}

/// 0 for what is no more than the rounding of its terms.
fn shown(value: f64, distance: f64) -> f64 {
    if distance <= Tol::default().noise { 0.0 } else { value }
}

/// The motion without slip from here.
fn stick_document(motion: &StickOutcome) -> Document {
    let mut document = Document::new();
    document.heading(3, "Motion without slip from here");
    match &motion.cone_exit {
        Some(exit) => {
            let slip = if exit.slip == Slip::Pos { "slip+" } else { "slip-" };
            document
                .paragraph(format!("The friction cone is left into {slip} at {}.", stick_words(&exit.state)));
        }
        None => document.paragraph(format!(
            "The friction cone is not left within {} s, or before the normal force vanishes.",
            significant(motion.horizon.0)
        )),
    }
    if let Some(separation) = &motion.separation {
        let release = match separation.release {
            Release::Separates => "the released contact opens",
            Release::Paradox => "but the released contact would close again (b < 0): the separation paradox",
            Release::Marginal => "and b vanishes too",
        };
        let place = stick_words(&separation.state);
        document.paragraph(format!(
            "Were friction unlimited, the normal force would vanish at {place}; {release}."
        ));
    }
    document
}

fn stick_words(state: &StickState) -> String {
    let largest = state.q.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let chop = |x: &f64| if x.abs() <= Tol::default().motion * largest { 0.0 } else { *x };
    let q: Vec<String> = state.q.iter().map(|x| significant(chop(x))).collect();
    format!(
        "t = {} later, q = ({}), lambda_N = {}, lambda_T = {}",
        significant(state.t),
        q.join(", "),
        significant(state.lambda_N),
        significant(state.lambda_T)
    )
}

pub(super) fn condition_word(condition: Condition) -> &'static str {
    match condition {
        Condition::Holds => "holds",
        Condition::Fails => "fails",
        Condition::Marginal => "marginal",
        Condition::Unknown => "unknown",
    }
}

/// The three conditions of Lyapunov stability, each with its own verdict.
fn equilibrium_document(equilibrium: &Equilibrium) -> Document {
    let mut document = Document::new();
    let word = |condition: Condition| condition_word(condition).to_string();
    let remark =
        |x: Option<f64>, what: &str| x.map_or(String::new(), |x| format!("{what} {}", significant(x)));
    document.heading(3, "Equilibrium");
    document.fields(vec![
        (
            "potential minimum along stick".to_string(),
            word(equilibrium.potential_minimum),
            remark(equilibrium.curvature.map(|x| x.0), "least curvature per unit of M"),
        ),
        (
            "unambiguous".to_string(),
            word(equilibrium.unambiguous),
            "stick is the only consistent mode".to_string(),
        ),
        (
            "chatter decays".to_string(),
            word(equilibrium.chatter_decays),
            remark(equilibrium.effective_restitution, "effective restitution"),
        ),
        (
            "Lyapunov stable".to_string(),
            word(equilibrium.lyapunov_stable),
            "all three conditions".to_string(),
        ),
    ]);
    document
}

/// A verdict as a clause.
pub(super) fn verdict_words(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Consistent) => "consistent: exactly one motion is possible",
        Some(Verdict::Inconsistent) => {
            "inconsistent: no motion of the rigid mechanism satisfies the contact law"
        }
        Some(Verdict::Indeterminate) => "indeterminate: several motions satisfy the contact law",
        Some(Verdict::Marginal) => "marginal: the state lies on a boundary between different answers",
        Some(Verdict::Undecided) => "undecided: it is not proven which motions there are",
        None => "none: this is not a state of the rigid mechanism",
    }
}

fn sentence(prospect: &Prospect) -> String {
    let verdict = verdict_words(prospect.verdict);
    let cell =
        prospect.table.map(|c| format!(" (cell {}({}) of Tables 2 and 3)", c.column.name(), c.row.name()));
    let follows = match (&prospect.resolved[..], prospect.verdict) {
        ([], Some(Verdict::Inconsistent)) if has_newtons_law(prospect) => {
            "nothing; Newton's restitution law has no impact without collision, as -e times a gap rate of 0 is 0"
                .to_string()
        }
        ([], _) => "nothing".to_string(),
        (words, _) => words.join(" or "),
    };
    format!(
        "Verdict: {verdict}{}. After normal stability and impact without collision: {follows}.",
        cell.unwrap_or_default()
    )
}

fn has_newtons_law(prospect: &Prospect) -> bool {
    prospect.impact.0.iter().any(|(_, impact)| impact.law == "newton")
}

pub(super) fn word(mode: &ModeOutcome) -> String {
    if mode.mode.is_empty() {
        return "free".to_string();
    }
    mode.mode.0.iter().map(|(_, m)| m.name()).collect::<Vec<_>>().join(", ")
}

fn mode_table(modes: &[ModeOutcome]) -> Table {
    let header = ["mode", "consistent", "lambda_N", "lambda_T", "slip acc.", "gap acc.", "normal stability"];
    Table { header: header.map(String::from).to_vec(), rows: modes.iter().map(mode_row).collect() }
}

pub(super) fn consistent(mode: &ModeOutcome) -> &'static str {
    match (mode.consistent, mode.marginal) {
        (_, true) => "marginal",
        (true, false) => "yes",
        (false, false) => "no",
    }
}

fn mode_row(mode: &ModeOutcome) -> Vec<Cell> {
    let force = mode.forces.0.first().map(|(_, f)| f);
    let acceleration = mode.accelerations.0.first().map(|(_, a)| a);
    let number = |x: Option<Quantity>| Cell::Number(x.map_or(f64::NAN, |x| x.shown));
    vec![
        Cell::Text(word(mode)),
        Cell::Text(consistent(mode).to_string()),
        number(force.map(|f| f.normal)),
        number(force.and_then(|f| f.tangential.first().copied())),
        number(acceleration.map(|a| a.u)),
        number(acceleration.map(|a| a.v)),
        Cell::Text(mode.normal_stability.map_or("-", Stability::name).to_string()),
    ]
}

fn impact_document(name: &str, impact: &ImpactOutcome) -> Document {
    let mut document = Document::new();
    let law = format!("{} restitution, e = {}", impact.law, significant(impact.restitution.0));
    if let (Some(pre), Some(post)) = (&impact.pre, &impact.post) {
        document.heading(3, format!("Impact at {name}: {law}"));
        document.fields(collision_fields(impact, pre, post));
    }
    if let Some(post) = &impact.iwc_post {
        document.heading(3, format!("Impact without collision at {name}: {law}"));
        document.fields(vec![("after".to_string(), velocity(post), String::new())]);
    }
    if let Some(sequence) = &impact.chatter {
        document.paragraph(sequence_words(sequence));
    }
    if impact.reverse_chatter {
        document.paragraph(reverse_words(impact));
    }
    document
}

fn velocity(v: &VelocityOutcome) -> String {
    format!("slip {}, gap rate {}", significant(v.u.shown), significant(v.v.shown))
}

fn collision_fields(
    impact: &ImpactOutcome,
    pre: &VelocityOutcome,
    post: &VelocityOutcome,
) -> Vec<(String, String, String)> {
    let field = |label: &str, value: String, remark: &str| (label.to_string(), value, remark.to_string());
    let number = |x: Number| significant(x.0);
    let impulse = impact
        .impulse
        .map(|p| format!("N {}, T {}", significant(p.normal.shown), significant(p.tangential.shown)));
    let phases: Vec<&str> = impact.phases.iter().map(|phase| phase.name()).collect();
    vec![
        field("before", velocity(pre), ""),
        field("after", velocity(post), ""),
        field("impulse", impulse.unwrap_or_default(), ""),
        field("phases", phases.join(", then "), ""),
        field("energy loss", number(impact.energy_loss), ""),
        field(
            "region",
            impact.region.map_or("-".to_string(), |r| r.to_string()),
            "of Fig. 10 (reconstructed)",
        ),
        field("effective restitution", number(impact.effective_restitution), "of the whole impact"),
    ]
}

/// A table of the survey.
pub fn survey_table_document(table: &planar::Table) -> Document {
    let mut document = Document::new();
    document.heading(1, table.title.clone());
    let cells = |row: &Vec<String>| row.iter().map(|c| Cell::Text(c.clone())).collect();
    document.table(Table { header: table.head.clone(), rows: table.rows.iter().map(cells).collect() });
    document
}

fn sequence_words(sequence: &Sequence) -> String {
    match sequence {
        Sequence::Zeno { time, slip, ratio } => format!(
            "Chatter: the impacts accumulate after {} s (ratio {}); contact is then established with slip {}.",
            significant(*time),
            significant(*ratio),
            significant(*slip)
        ),
        Sequence::Immediate { slip } => {
            format!("The first impact establishes contact, with slip {}.", significant(*slip))
        }
        Sequence::Persistent { ratio } => {
            format!("The impacts do not die out: ratio {} of successive gap rates.", significant(*ratio))
        }
        Sequence::Unsettled { impacts } => format!("The impacts have not settled after {impacts}."),
    }
}

fn reverse_words(impact: &ImpactOutcome) -> String {
    let trigger = match impact.reverse_chatter_trigger {
        Some(Trigger::Possible) => {
            "it can be triggered when slip turns into stick (necessary conditions hold)"
        }
        Some(Trigger::Marginal) => "whether it can be triggered at stick is marginal",
        Some(Trigger::NoStick | Trigger::Excluded) | None => "no slip ends in stick here to trigger it",
    };
    format!(
        "Reverse chatter: bounces grow by {} per impact; {trigger}.",
        significant(impact.effective_restitution.0)
    )
}
