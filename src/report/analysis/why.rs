//! Why one contact has its verdict, in sentences made of its numbers; and how far the next verdict is.

use super::impact::{energy_loss, velocity};
use super::modes::word;
use crate::analysis::{
    ContactOutcome, ImpactOutcome, LocalOutcome, ModeOutcome, Prospect, Quantity, StateOutcome,
};
use crate::contact::Column;
use crate::num::Tol;
use crate::predict::{ModeName, Stability, Verdict};
use crate::report::number::significant;

/// The one closed planar contact of a state that decides what follows.
pub(super) struct Decisive<'a> {
    pub(super) name: &'a str,
    contact: &'a ContactOutcome,
    prospect: &'a Prospect,
}

/// What decides while a contact slides: p of that direction, and where friction makes it vanish.
pub(super) struct Gain {
    /// `p+` or `p-`.
    pub(super) name: &'static str,
    pub(super) p: Quantity,
    /// The friction at which it vanishes in this configuration, C/(±B); none if it never does.
    pub(super) least: Option<f64>,
    formula: &'static str,
    /// `slip+` or `slip-`.
    slip: &'static str,
}

impl<'a> Decisive<'a> {
    /// None for several contacts, in space, or where no contact is closed.
    pub(super) fn of(state: &'a StateOutcome) -> Option<Self> {
        let prospect = &state.prospect;
        prospect.plane()?;
        let [name] = &state.closed[..] else { return None };
        let contact = state.contacts.get(name)?;
        (prospect.several.is_none()).then_some(Self { name, contact, prospect })
    }

    /// p of the direction of slip, if the contact slides in a state that Tables 2 and 3 have [CV16].
    pub(super) fn gain(&self) -> Option<Gain> {
        let LocalOutcome::Plane { B, C, p_plus, p_minus, .. } = &self.contact.local else { return None };
        // p± = C ∓ μ B vanishes at μ = ±C/B
        let least = |b: f64| (b > 0.0).then(|| C.value / b);
        match self.prospect.table?.column {
            Column::I => Some(Gain {
                name: "p+",
                p: *p_plus,
                least: least(B.shown),
                formula: "C - mu B",
                slip: "slip+",
            }),
            Column::III => Some(Gain {
                name: "p-",
                p: *p_minus,
                least: least(-B.shown),
                formula: "C + mu B",
                slip: "slip-",
            }),
            Column::II => None,
        }
    }

    /// The sentences; none where the table of modes says all there is.
    pub(super) fn sentences(&self) -> Vec<String> {
        let impact = self.prospect.impact.get(self.name);
        let mut sentences = match (impact.and_then(strikes), self.prospect.table.map(|cell| cell.column)) {
            (Some(text), _) => vec![format!("{} strikes: {text}", self.name)],
            (None, Some(Column::I | Column::III)) => self.sliding(),
            (None, Some(Column::II)) => self.resting(),
            (None, None) => Vec::new(),
        };
        sentences.extend(self.prospect.modes.iter().filter_map(unstable));
        if let Some(post) = impact.and_then(|impact| impact.iwc_post.as_ref()) {
            sentences.push(format!(
                "An impact without collision can start: it leaves {} with {}.",
                self.name,
                velocity(post)
            ));
        }
        sentences
    }

    fn sliding(&self) -> Vec<String> {
        let Some(gain) = self.gain() else { return Vec::new() };
        let (name, slip) = (gain.name, gain.slip);
        let equation = format!("{name} = {} = {}", gain.formula, significant(gain.p.shown));
        let pushes = pushes(gain.p.shown, &equation, "");
        let mut sentences = vec![free(self.contact)];
        sentences.push(format!("At {}, {pushes}{}.", self.name, follows(self.prospect.verdict)));
        sentences.push(match gain.least {
            Some(mu) if gain.p.shown < 0.0 => {
                format!("Below mu = {} {name} is positive in this configuration.", significant(mu))
            }
            Some(mu) if gain.p.shown > 0.0 => {
                format!(
                    "{name} vanishes at mu = {} in this configuration; mu is {}.",
                    significant(mu),
                    significant(self.friction())
                )
            }
            Some(_) => format!("Less friction makes {name} positive."),
            None => format!(
                "No friction makes {name} negative in this configuration: there is no paradox of {slip}."
            ),
        });
        sentences
    }

    /// At rest: the friction that sticking needs.
    fn resting(&self) -> Vec<String> {
        let mut sentences = vec![free(self.contact)];
        if let Some([normal, tangential]) = self.sticking() {
            if normal > 0.0 {
                sentences.push(format!(
                    "Sticking takes lambda_N = {} and lambda_T = {}, which needs mu >= {}; mu is {}.",
                    significant(normal),
                    significant(tangential),
                    significant(tangential.abs() / normal),
                    significant(self.friction())
                ));
            } else {
                sentences.push(format!("Sticking would take lambda_N = {}.", significant(normal)));
            }
        }
        let LocalOutcome::Plane { p_plus, p_minus, .. } = &self.contact.local else { return sentences };
        let negative: Vec<&str> = [("p+", p_plus), ("p-", p_minus)]
            .iter()
            .filter(|(_, p)| p.shown < 0.0)
            .map(|(name, _)| *name)
            .collect();
        if let [name] = negative[..] {
            sentences.push(format!("{name} is negative: slip in that direction is paradoxical here."));
        }
        sentences
    }

    /// The forces of sticking, normal and tangential.
    pub(super) fn sticking(&self) -> Option<[f64; 2]> {
        let stick =
            self.prospect.modes.iter().find(|mode| mode.mode.get(self.name) == Some(&ModeName::STICK))?;
        let force = stick.forces.get(self.name)?;
        let (normal, tangential) = (force.normal.shown, force.tangential.first()?.shown);
        let is_noise = tangential.abs() <= Tol::default().noise * normal.abs();
        Some([normal, if is_noise { 0.0 } else { tangential }])
    }

    pub(super) fn friction(&self) -> f64 {
        self.contact.friction.0
    }
}

/// What the free motion does with the gap.
fn free(contact: &ContactOutcome) -> String {
    let (LocalOutcome::Plane { b, .. } | LocalOutcome::Space { b, .. }) = &contact.local;
    let does = match b.shown {
        b if b < 0.0 => "closes",
        b if b > 0.0 => "opens",
        _ => "neither opens nor closes",
    };
    format!("Without contact force the gap {does} (b = {}).", significant(b.shown))
}

/// What a force on a sliding contact does with its gap.
fn pushes(p: f64, equation: &str, place: &str) -> String {
    match p {
        p if p > 0.0 => {
            format!("a force on the sliding contact, friction included, opens it ({equation} > 0{place})")
        }
        p if p < 0.0 => format!(
            "friction pulls the sliding contact into the surface by more than the normal force pushes it out ({equation} < 0{place})"
        ),
        _ => format!(
            "friction on the sliding contact takes all that the normal force pushes ({equation}{place})"
        ),
    }
}

/// What a verdict about a sliding contact means.
fn follows(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Inconsistent) => ": no force keeps it closed, and without one it does not leave",
        Some(Verdict::Indeterminate) => ": it can leave without a force, and slide on under one",
        _ => "",
    }
}

/// The section "why" of a state as its paragraphs, what the reader should be careful about first.
pub(crate) fn why(state: &StateOutcome) -> Vec<String> {
    let mut paragraphs = state.warnings.clone();
    let sentences = sentences(state);
    if !sentences.is_empty() && !state.prospect.is_silent() {
        paragraphs.push(sentences.join(" "));
    }
    paragraphs
}

/// The sentences about one closed contact; none for several.
pub(super) fn sentences(state: &StateOutcome) -> Vec<String> {
    match state.prospect.plane() {
        Some(_) => Decisive::of(state).map_or(Vec::new(), |decisive| decisive.sentences()),
        None => in_space(state),
    }
}

fn in_space(state: &StateOutcome) -> Vec<String> {
    let prospect = &state.prospect;
    let [name] = &state.closed[..] else { return Vec::new() };
    let Some(contact) = state.contacts.get(name) else { return Vec::new() };
    let LocalOutcome::Space { forbidden, p_min, .. } = &contact.local else { return Vec::new() };
    let impact = prospect.impact.get(name);
    let mut sentences = Vec::new();
    if impact.is_none_or(|impact| impact.pre.is_none()) {
        sentences.push(free(contact));
    }
    let p = contact.p_slip.shown;
    if !p.is_nan() && impact.is_none_or(|impact| impact.pre.is_none()) {
        let words = pushes(p, &format!("p = {}", significant(p)), " in the direction of slip");
        sentences.push(format!("At {name}, {words}{}.", follows(prospect.verdict)));
    }
    let (mu, here) = (contact.mu_min.shown, significant(contact.friction.0));
    sentences.push(match forbidden.len() {
        0 if mu.is_nan() => format!("{name} has no direction of slip with p < 0, at any friction."),
        0 => format!(
            "No direction of slip has p < 0 (the least is {}); from mu = {} on some have, and mu is {here}.",
            significant(p_min.value.shown),
            significant(mu)
        ),
        _ => format!(
            "Some directions of slip have p < 0 (the least is {}); below mu = {} none has, and mu is {here}.",
            significant(p_min.value.shown),
            significant(mu)
        ),
    });
    if let Some(post) = impact.and_then(|impact| impact.iwc_post.as_ref()) {
        sentences.push(format!(
            "An impact without collision can start: it leaves {name} with gap rate {}.",
            significant(post.v.shown)
        ));
    }
    sentences
}

/// An impact of a contact that approaches, as a clause.
fn strikes(impact: &ImpactOutcome) -> Option<String> {
    let (pre, post) = (impact.pre.as_ref()?, impact.post.as_ref()?);
    let loss = match energy_loss(impact) {
        loss if loss.is_nan() => String::new(),
        loss if loss < 0.0 => format!("; the kinetic energy grows by {}", significant(-loss)),
        loss => format!("; the kinetic energy falls by {}", significant(loss)),
    };
    Some(format!("from {} to {}{loss}.", velocity(pre), velocity(post)))
}

/// A consistent mode that compliance does not let stand.
fn unstable(mode: &ModeOutcome) -> Option<String> {
    let leaves = mode.consistent && mode.normal_stability == Some(Stability::Unstable);
    leaves.then(|| format!("{} is unstable under compliance: the contact leaves it at once.", word(mode)))
}
