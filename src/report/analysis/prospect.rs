//! What can happen next at contacts in the plane, as sections of a report.

use super::impact::{impact_documents, slip_at};
use super::judged::{self, Judged, add_forces, add_why, reason_table};
use super::overview::tone;
use super::several::{rest_document, several_document};
use super::why::Decisive;
use crate::analysis::planar::{
    Condition, Equilibrium, Fate, ForceOutcome, Jam, JamKind, ModeOutcome, Prospect, Release, StickOutcome,
    StickState,
};
use crate::analysis::{Quantity, StateOutcome, UnitsOutcome};
use crate::contact::Slip;
use crate::num::Tol;
use crate::predict::{Stability, Verdict};
use crate::report::document::{Block, Cell, Depth, Document, Table, Tone};
use crate::report::number::{beside, significant};

/// The sections of a state; none where no contact is closed.
pub(super) fn prospect_document(
    state: &StateOutcome,
    prospect: &Prospect,
    units: Option<&UnitsOutcome>,
) -> Document {
    let mut document = Document::new();
    if prospect.verdict.is_none() && prospect.modes.is_empty() {
        return document;
    }
    document.section("modes", Depth::Usual, "What can happen next", modes_document(state, prospect));
    let ways = [&prospect.impact].into_iter().chain(&prospect.other_impacts);
    let several = !prospect.other_impacts.is_empty();
    // of several ways each is told under its name
    let named =
        ways.zip(prospect.resolved.iter().filter(|_| several).map(Some).chain(std::iter::repeat(None)));
    let poisson = [(&prospect.impact_by_poisson, None)];
    for (impacts, way) in named.chain(poisson) {
        for (name, impact) in &impacts.0 {
            for (title, content) in impact_documents(name, impact, slip_at(state, name)) {
                let way = way.map_or(String::new(), |way| format!(", {way}"));
                document.section("impact", Depth::Usual, format!("{title}{way}"), content);
            }
        }
    }
    if let Some(rest) = &prospect.rest {
        document.section("rest", Depth::Usual, "Equilibrium on several contacts", rest_document(rest, units));
    }
    for (name, jam) in prospect.jam.0.iter().filter(|(_, jam)| jam.says_something(&Tol::default())) {
        document.section("jam", Depth::Usual, format!("Dynamic jam at {name}"), jam_document(jam));
    }
    if let Some(motion) = &prospect.no_slip {
        document.section(
            "motion",
            Depth::Usual,
            "Motion without slip from here",
            stick_document(motion, state.contacts.0.len() > 1),
        );
    }
    if let Some(equilibrium) = &prospect.equilibrium {
        document.section("rest", Depth::Usual, "Equilibrium", equilibrium_document(equilibrium));
    }
    document
}

/// The verdict, why, and the modes one by one.
fn modes_document(state: &StateOutcome, prospect: &Prospect) -> Document {
    let mut document = Document::new();
    document.blocks.push(sentence(prospect));
    if prospect.modes_examined.is_some() {
        document.append(several_document(prospect));
        return document;
    }
    let sentences = Decisive::of(state).map_or(Vec::new(), |decisive| decisive.sentences());
    add_why(&mut document, &sentences);
    if !prospect.modes.is_empty() {
        document.table(reason_table(prospect.modes.iter().map(judged)));
        add_forces(&mut document, mode_table(&prospect.modes));
    }
    document
}

fn judged(mode: &ModeOutcome) -> Judged<'_> {
    Judged {
        word: word(mode),
        consistent: consistent(mode),
        stability: mode.normal_stability,
        reason: &mode.reason,
    }
}

/// Distance to the singular point p = b = 0, and the linear system around it.
fn jam_document(jam: &Jam) -> Document {
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
    document.paragraph(jam_words(jam));
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
        field(
            "alpha_1",
            significant(beside(c.alpha1, [c.beta])),
            "p' = alpha_1 p; eigenvalue, exact derivatives",
        ),
        field("alpha_2", significant(c.alpha2), "b' = alpha_2 p + beta b"),
        field("beta", significant(beside(c.beta, [c.alpha1])), "eigenvalue, eigenvector (0, 1)"),
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

/// What nearness to the singular point means for this state.
fn jam_words(jam: &Jam) -> String {
    let begin = "Near p = b = 0 slip follows a linear system, in which this state";
    match (jam.fate, jam.time) {
        (Fate::Jams(kind), Some(time)) => {
            let force = match kind {
                JamKind::G1 => "while the normal force grows without bound",
                JamKind::G2 => "with a finite normal force",
            };
            format!("{begin} reaches that point after {} s, {force}: dynamic jam.", significant(time))
        }
        (Fate::Jams(_), None) => format!("{begin} reaches that point: dynamic jam."),
        (Fate::LiftsOff, _) => format!("{begin} lifts off before it gets there."),
        (Fate::SlipsAway, _) => format!("{begin} slips away from it in contact."),
        (Fate::Marginal, _) => format!("{begin} lies on a line that separates different ends."),
        (Fate::Degenerate, _) => {
            "Two eigenvalues of the linear system near p = b = 0 coincide: nothing follows.".to_string()
        }
        (Fate::NotApplicable, _) => {
            "The state is near p = b = 0, but no pressed slip with p > 0.".to_string()
        }
    }
}

/// 0 for what is no more than the rounding of its terms.
fn shown(value: f64, distance: f64) -> f64 {
    if distance <= Tol::default().noise { 0.0 } else { value }
}

/// The motion without slip from here.
fn stick_document(motion: &StickOutcome, others: bool) -> Document {
    let mut document = Document::new();
    match (&motion.cone_exit, &motion.strike) {
        (Some(exit), _) => {
            let slip = if exit.slip == Slip::Pos { "slip+" } else { "slip-" };
            document
                .paragraph(format!("The friction cone is left into {slip} at {}.", stick_words(&exit.state)));
        }
        (None, Some(strike)) => document.paragraph(format!(
            "{} strikes at {}; the friction cone is not left before.",
            strike.contact,
            stick_words(&strike.state)
        )),
        (None, None) => document.paragraph(format!(
            "The friction cone is not left within {} s, or before the normal force vanishes{}.",
            significant(motion.horizon.0),
            if others { "; no other contact closes until then" } else { "" }
        )),
    }
    if let (Some(_), Some(strike)) = (&motion.cone_exit, &motion.strike) {
        document.paragraph(format!(
            "Were friction unlimited, {} would strike at {}.",
            strike.contact,
            stick_words(&strike.state)
        ));
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
    // the motion is followed to this share of each number
    let chop = |x: &f64| if x.abs() <= Tol::default().followed * largest { 0.0 } else { *x };
    let forces = state.lambda_N.abs().max(state.lambda_T.abs());
    let force = |x: f64| significant(if x.abs() <= Tol::default().followed * forces { 0.0 } else { x });
    let q: Vec<String> = state.q.iter().map(|x| significant(chop(x))).collect();
    format!(
        "t = {} later, q = ({}), lambda_N = {}, lambda_T = {}",
        significant(state.t),
        q.join(", "),
        force(state.lambda_N),
        force(state.lambda_T)
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
    document.paragraph(match equilibrium.lyapunov_stable {
        Condition::Holds => "Small disturbances of this equilibrium stay small: it is Lyapunov stable, as all three conditions hold.",
        Condition::Fails => "This equilibrium is not Lyapunov stable: a condition fails.",
        Condition::Marginal | Condition::Unknown => "Whether small disturbances of this equilibrium stay small is not decided.",
    });
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
fn verdict_words(verdict: Option<Verdict>) -> &'static str {
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

fn sentence(prospect: &Prospect) -> Block {
    let cell =
        prospect.table.map(|c| format!(" (cell {}({}) of Tables 2 and 3)", c.column.name(), c.row.name()));
    judged::sentence(
        prospect.verdict,
        &prospect.resolved,
        has_newtons_law(prospect),
        &cell.unwrap_or_default(),
    )
}

/// A verdict's word, what it means, and how the sentence ends.
pub(super) fn verdict_block(verdict: Option<Verdict>, end: &str) -> Block {
    let words = verdict_words(verdict);
    let (_, meaning) = words.split_once(':').unwrap_or((words, ""));
    verdict_tail(verdict, &format!(":{meaning}{end}"))
}

/// A verdict's word, and what is said of it.
pub(super) fn verdict_tail(verdict: Option<Verdict>, rest: &str) -> Block {
    let words = verdict_words(verdict);
    let word = words.split_once(':').map_or(words, |(word, _)| word).to_string();
    Block::Verdict { tone: verdict.map_or(Tone::Open, tone), word, rest: rest.to_string() }
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
    judged::consistent(mode.consistent, mode.marginal)
}

/// λ_T of a contact in the plane, 0 where it is the rounding of λ_N.
pub(super) fn tangential(force: &ForceOutcome) -> f64 {
    force.tangential.first().map_or(f64::NAN, |x| beside(x.shown, [force.normal.shown]))
}

fn mode_row(mode: &ModeOutcome) -> Vec<Cell> {
    let force = mode.forces.0.first().map(|(_, f)| f);
    let acceleration = mode.accelerations.0.first().map(|(_, a)| a);
    let number = |x: Option<Quantity>| Cell::Number(x.map_or(f64::NAN, |x| x.shown));
    vec![
        Cell::Text(word(mode)),
        Cell::Text(consistent(mode).to_string()),
        number(force.map(|f| f.normal)),
        Cell::Number(force.map_or(f64::NAN, tangential)),
        number(acceleration.map(|a| a.u)),
        number(acceleration.map(|a| a.v)),
        Cell::Text(mode.normal_stability.map_or("-", Stability::name).to_string()),
    ]
}
