//! What a picture shows of a state, said from its numbers.

use super::Subject;
use super::one_contact::OneContact;
use crate::analysis::planar::{Fate, JamKind, Sector};
use crate::format::Geometry;
use crate::num::Tol;
use crate::pipeline::map::Around;
use crate::plot::StatePlot;
use crate::predict::Verdict;
use crate::report::significant;

impl Subject<'_> {
    pub(super) fn caption(&self, plot: StatePlot) -> String {
        let one = self.one_contact();
        match plot {
            StatePlot::State => self.mechanism_caption(),
            StatePlot::Map => String::new(),
            StatePlot::Plane => one.as_ref().map(plane).unwrap_or_default(),
            StatePlot::Impulse => one.as_ref().and_then(impulse).unwrap_or_default(),
            StatePlot::Jam => one.as_ref().and_then(jam).unwrap_or_default(),
            StatePlot::Portrait => "Fast dynamics of the contact with its compliance: depth Y = y/ε² against rate V = ẏ/ε (Fig. 12 of the \
                survey). A full circle is a stable equilibrium, an empty one an unstable one."
                .to_owned(),
            StatePlot::Vectors => self.vectors_caption(),
            StatePlot::Gain => self.gain_caption(),
            StatePlot::Forces => "What of each friction cone (amber) the forces fill that hold the equilibrium (green).".to_owned(),
            StatePlot::Returns => {
                "Where small motions return: the angle after a return over that before, and the factor of their speed below."
                    .to_owned()
            }
        }
    }

    /// The closed contacts, and whose forces are drawn.
    fn mechanism_caption(&self) -> String {
        let state = self.state;
        let mode = state
            .prospect
            .first_consistent()
            .map(|mode| mode.mode.0.iter().map(|(_, mode)| mode.name()).collect::<Vec<_>>().join(", "));
        let placed = |name: &String| {
            let contact = self.loaded.mechanism.contacts.iter().find(|c| c.name == *name);
            contact.is_some_and(|c| !matches!(c.geometry, Geometry::Direct { .. }))
        };
        let cones = state.closed.iter().all(placed);
        let closed = match &state.closed[..] {
            [] => "No contact is closed.".to_owned(),
            [one] if cones => format!("Contact {one} is closed; its friction cone is amber."),
            [one] => format!(
                "Contact {one} is closed; its gap and slip are given as expressions, without a place, so that it is not drawn."
            ),
            several if cones => {
                format!("Contacts {} are closed; their friction cones are amber.", several.join(", "))
            }
            several => {
                let nowhere: Vec<&str> =
                    several.iter().filter(|name| !placed(name)).map(String::as_str).collect();
                let those = if nowhere.len() == 1 { "its" } else { "their" };
                format!(
                    "Contacts {} are closed; not drawn: {}, as {those} gap and slip are given as expressions, without a place.",
                    several.join(", "),
                    nowhere.join(", ")
                )
            }
        };
        match mode {
            Some(mode)
                if cones && !state.closed.is_empty() && mode.split(", ").any(|word| word != "free") =>
            {
                format!("{closed} The forces are those of {mode}.")
            }
            _ => closed,
        }
    }

    fn vectors_caption(&self) -> String {
        let class = self.state.prospect.two_contacts.as_ref();
        let class = class.and_then(|two| two.subclass.as_ref().or(two.class.as_ref()));
        let class =
            class.map_or("on a border of its classes".to_owned(), |class| format!("of class {class}"));
        format!(
            "Two sliding contacts {class}: the columns p₁, p₂ of P and the load −b as directions; in each sector for −b its \
             number and the consistent modes, S a slip and F a lift-off (Fig. 14 of the survey)."
        )
    }

    fn gain_caption(&self) -> String {
        let Some((name, gain)) = self.gain() else { return String::new() };
        let [x, y] = gain.coupling;
        let least = gain.own - gain.mu * x.hypot(y);
        let rest = match gain.forbidden[..] {
            [] => "no direction of slip is paradoxical".to_owned(),
            _ => {
                let width: f64 = gain.forbidden.iter().map(|[from, to]| (to - from).to_degrees()).sum();
                format!(
                    "p < 0 over {} degrees of directions of slip (red)",
                    significant((width * 10.0).round() / 10.0)
                )
            }
        };
        format!(
            "p(φ) of contact {name} over the direction of slip: {rest}; the least p is {}.",
            number(least)
        )
    }
}

/// What varies, and how far the next verdicts are.
pub(super) fn around(around: &Around) -> String {
    let map = &around.map;
    let hatched = match map.missing.count {
        0 => "",
        _ => "; hatched where the contact would not stay closed or another would be passed through",
    };
    let what =
        format!("The verdict over {} and {}, all else as in this state{hatched}.", map.x.name, map.y.name);
    let said: Vec<String> = around
        .changes
        .iter()
        .map(|change| {
            let side = if change.above { "above" } else { "below" };
            let unit =
                change.unit.as_ref().map_or(String::new(), |unit| format!(" {}", unit.replace('-', "−")));
            format!("{} {side} {} = {}{unit}", change.verdict, change.name, number(change.value))
        })
        .collect();
    match &said[..] {
        [] => format!("{what} Along neither does it change from here."),
        [one] => format!("{what} From here it turns {one}."),
        [first @ .., last] => format!("{what} From here it turns {} or {last}.", first.join(", ")),
    }
}

fn plane(one: &OneContact<'_>) -> String {
    let [a, b] = one.free();
    let here =
        one.plane().and_then(|plane| plane.sectors.into_iter().find(|sector| sector.contains(b.atan2(a))));
    let modes = here.map_or(String::new(), |sector| consistent(&sector));
    format!(
        "Contact {} without contact force would accelerate by a = {} along the surface and b = {} away from it: there {modes} \
         (Fig. 9 of the survey).",
        one.name,
        number(a),
        number(b)
    )
}

/// What is consistent in a sector.
fn consistent(sector: &Sector) -> String {
    let names: Vec<&str> = sector.modes.iter().map(|mode| mode.name()).collect();
    match (sector.verdict, &names[..]) {
        (Verdict::Marginal | Verdict::Undecided, _) => {
            "the state lies on a border between answers".to_owned()
        }
        (_, []) => "no motion is consistent".to_owned(),
        (_, [one]) => format!("{one} is the only consistent motion"),
        (_, [first, second]) => format!("{first} and {second} are both consistent"),
        (_, [first @ .., last]) => format!("{} and {last} are all consistent", first.join(", ")),
    }
}

/// A number with a minus that is one.
fn number(x: f64) -> String {
    significant(x).replace('-', "−")
}

fn impulse(one: &OneContact<'_>) -> Option<String> {
    let impact = one.impact()?;
    let what = if one.approaches() { "The impact" } else { "The impact without collision" };
    let (pre, post) = (impact.pre, impact.post);
    Some(format!(
        "{what} at contact {} (Fig. 10 of the survey): velocities (u, v) go from ({}, {}) to ({}, {}); the impulse stays in the friction cone (amber).",
        one.name,
        number(pre.u),
        number(pre.v),
        number(post.u),
        number(post.v)
    ))
}

fn jam(one: &OneContact<'_>) -> Option<String> {
    let jam = one.jam()?;
    let fate = match jam.fate {
        Fate::Jams(JamKind::G1) => "is drawn into dynamic jam with a force that grows without bound (G1)",
        Fate::Jams(JamKind::G2) => "is drawn into dynamic jam with a finite force (G2)",
        Fate::LiftsOff => "lifts off",
        Fate::SlipsAway => "slips on, away from it",
        Fate::Marginal => "lies on the line between two fates",
        Fate::Degenerate => "has no fate that the linear system decides",
        Fate::NotApplicable if jam.p_distance.max(jam.b_distance) <= Tol::default().marginal => {
            "is at the point"
        }
        Fate::NotApplicable if jam.p < 0.0 => "is beyond it, where p < 0",
        Fate::NotApplicable => "is not pressed",
    };
    let time = jam.time.map_or(String::new(), |time| format!(" after a time of about {}", number(time)));
    let basin = if jam.kind.is_some() { " Violet: states that the point attracts." } else { "" };
    Some(format!(
        "Slip near the singular point p = b = 0 (Fig. 13 of the survey): this state {fate}{time}.{basin}"
    ))
}
