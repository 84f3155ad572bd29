//! What is said of one contact in the plane alone: dynamic jam, motion without slip, and its equilibrium.

use super::rest::condition_word;
use super::units::field;
use crate::analysis::planar::{Fate, Jam, JamKind, Release, StickOutcome, StickState};
use crate::analysis::{PlaneOutcome, StateOutcome};
use crate::contact::Slip;
use crate::equilibrium::{Condition, Equilibrium};
use crate::num::Tol;
use crate::report::document::{Depth, Document};
use crate::report::number::{beside, significant};

/// The sections of it.
pub(super) fn add_plane(document: &mut Document, state: &StateOutcome, found: &PlaneOutcome) {
    for (name, jam) in found.jam.0.iter().filter(|(_, jam)| jam.says_something(&Tol::default())) {
        document.section("jam", Depth::Usual, format!("Dynamic jam at {name}"), jam_document(jam));
    }
    if let Some(motion) = &found.no_slip {
        let content = stick_document(motion, state.contacts.0.len() > 1);
        document.section("motion", Depth::Usual, "Motion without slip from here", content);
    }
    if let Some(equilibrium) = &found.equilibrium {
        document.section("rest", Depth::Usual, "Equilibrium", equilibrium_document(equilibrium));
    }
}

/// Distance to the singular point p = b = 0, and the linear system around it.
fn jam_document(jam: &Jam) -> Document {
    let mut document = Document::new();
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
            format!("relative distance to p = 0: {}", significant(shown(jam.p_distance, jam.p_distance))),
        ),
        field(
            "b",
            significant(shown(jam.b, jam.b_distance)),
            format!("relative distance to b = 0: {}", significant(shown(jam.b_distance, jam.b_distance))),
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
        field("singular point", kind, ""),
        field("this state", fate, "in the linear system, meaningful near p = b = 0 only"),
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

/// The three conditions of Lyapunov stability, each with its own verdict.
fn equilibrium_document(equilibrium: &Equilibrium) -> Document {
    let mut document = Document::new();
    let remark =
        |x: Option<f64>, what: &str| x.map_or(String::new(), |x| format!("{what} {}", significant(x)));
    document.paragraph(match equilibrium.lyapunov_stable {
        Condition::Holds => "Small disturbances of this equilibrium stay small: it is Lyapunov stable, as all three conditions hold.",
        Condition::Fails => "This equilibrium is not Lyapunov stable: a condition fails.",
        Condition::Marginal | Condition::Unknown => "Whether small disturbances of this equilibrium stay small is not decided.",
    });
    let curvature = remark(equilibrium.curvature.map(|x| x.0), "least curvature per unit of M");
    let restitution = remark(equilibrium.effective_restitution, "effective restitution");
    let condition = |label, condition, remark: &str| field(label, condition_word(condition), remark);
    document.fields(vec![
        condition("potential minimum along stick", equilibrium.potential_minimum, &curvature),
        condition("unambiguous", equilibrium.unambiguous, "stick is the only consistent mode"),
        condition("chatter decays", equilibrium.chatter_decays, &restitution),
        condition("Lyapunov stable", equilibrium.lyapunov_stable, "all three conditions"),
    ]);
    document
}
