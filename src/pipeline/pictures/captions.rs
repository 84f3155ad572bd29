//! What a picture shows of a state, said from its numbers.

use super::Subject;
use super::one_contact::OneContact;
use crate::analysis::planar::{Fate, JamKind};
use crate::format::Geometry;
use crate::plot::StatePlot;
use crate::report::significant;

impl Subject<'_> {
    pub(super) fn caption(&self, plot: StatePlot) -> String {
        let one = self.one_contact();
        match plot {
            StatePlot::State => self.mechanism_caption(),
            StatePlot::Plane => one.as_ref().map(plane).unwrap_or_default(),
            StatePlot::Impulse => one.as_ref().and_then(impulse).unwrap_or_default(),
            StatePlot::Jam => one.as_ref().and_then(jam).unwrap_or_default(),
            StatePlot::Portrait => "Fast dynamics of the contact with its compliance: depth Y = y/ε² against rate V = ẏ/ε (Fig. 12 of the \
                survey). A full circle is a stable equilibrium, an empty one an unstable."
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
        let mode = match &state.prospect {
            crate::analysis::Outlook::Plane(plane) => {
                plane.modes.iter().find(|mode| mode.consistent).map(|mode| {
                    mode.mode.0.iter().map(|(_, mode)| mode.name()).collect::<Vec<_>>().join(", ")
                })
            }
            crate::analysis::Outlook::Space(space) => {
                space.modes.iter().find(|mode| mode.consistent).map(|mode| {
                    mode.mode.0.iter().map(|(_, mode)| mode.name()).collect::<Vec<_>>().join(", ")
                })
            }
        };
        let placed = |name: &String| {
            let contact = self.loaded.mechanism.contacts.iter().find(|c| c.name == *name);
            contact.is_some_and(|c| !matches!(c.geometry, Geometry::Direct { .. }))
        };
        let cones = state.closed.iter().all(placed);
        let closed = match &state.closed[..] {
            [] => "No contact is closed.".to_owned(),
            [one] if cones => format!("Contact {one} is closed; its friction cone is amber."),
            [one] => format!("Contact {one} is closed; its file gives it no place, so that it is not drawn."),
            several if cones => {
                format!("Contacts {} are closed; their friction cones are amber.", several.join(", "))
            }
            several => format!(
                "Contacts {} are closed; those whose file gives no place are not drawn.",
                several.join(", ")
            ),
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
        let class = self.state.prospect.plane().and_then(|plane| plane.two_contacts.as_ref());
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
            significant(least)
        )
    }
}

fn plane(one: &OneContact<'_>) -> String {
    let [a, b] = one.free();
    let modes = match one.plane().and_then(|plane| {
        let here = plane.sectors.into_iter().find(|sector| sector.contains(b.atan2(a)))?;
        Some(here.modes.iter().map(|mode| mode.name()).collect::<Vec<_>>())
    }) {
        Some(modes) if modes.is_empty() => "no motion is consistent".to_owned(),
        Some(modes) if modes.len() == 1 => format!("{} is the only consistent motion", modes[0]),
        Some(modes) => format!("{} are consistent", modes.join(", ")),
        None => "nothing is said".to_owned(),
    };
    format!(
        "Contact {} without contact force would accelerate by a = {} along the surface and b = {} away from it: there {modes} \
         (Fig. 9 of the survey).",
        one.name,
        significant(a),
        significant(b)
    )
}

fn impulse(one: &OneContact<'_>) -> Option<String> {
    let impact = one.impact()?;
    let what = if one.approaches() { "The impact" } else { "The impact without collision" };
    let (pre, post) = (impact.pre, impact.post);
    Some(format!(
        "{what} at contact {} (Fig. 10 of the survey): velocities (u, v) go from ({}, {}) to ({}, {}); the impulse stays in the friction cone (amber).",
        one.name,
        significant(pre.u),
        significant(pre.v),
        significant(post.u),
        significant(post.v)
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
        Fate::NotApplicable => "is no pressed slip outside the paradox",
    };
    let time = jam.time.map_or(String::new(), |time| format!(" in about {} s", significant(time)));
    Some(format!(
        "Slip near the singular point p = b = 0 (Fig. 13 of the survey): this state {fate}{time}. Violet: states that the point attracts."
    ))
}
