//! A motion that repeats itself up to its size, told by its phases in the mechanism's units.

use super::follow::{End, Motions, Phase};
use super::growth::Periodic;
use super::nearby::scaled;
use crate::contact::Mode;
use crate::predict::Contacts;

/// A periodic direction with its phases. All is for a first period of time one: velocities are multiples of it, gaps of its square.
#[derive(Clone, Debug, PartialEq)]
pub struct Orbit {
    /// Factor of the speed in one period.
    pub growth: f64,
    /// Returns in a period.
    pub returns: usize,
    /// Gap rate and slip of both contacts at the start, both gaps being closed.
    pub start: [f64; 4],
    /// The phases of the first period.
    pub phases: Vec<OrbitPhase>,
}

/// A phase of a periodic motion.
#[derive(Clone, Debug, PartialEq)]
pub struct OrbitPhase {
    /// The contact whose impact begins it, if one does.
    pub struck: Option<usize>,
    /// What each contact does; none for an open one.
    pub modes: [Option<Mode>; 2],
    /// Its share of the period.
    pub duration: f64,
}

impl Orbit {
    pub(super) fn new(contacts: &Contacts, motions: &Motions, periodic: &Periodic) -> Self {
        // a motion of speed one has the time `periodic.time` in the particle's units of time, 1/|a₀|
        let speed = contacts.particle_load(&motions.nearby) / periodic.time;
        let mut z = motions.nearby.striking(periodic.rests, periodic.angle);
        let start = contacts.contact_velocity(&motions.nearby, &scaled(speed, &z));
        let (mut rests, mut phases) = (periodic.rests, Vec::new());
        for _ in 0..periodic.returns {
            let path = motions.follow_by_phases(rests, &z);
            let mut struck = None;
            for step in path.steps.iter().flatten() {
                match step.phase {
                    Phase::Struck { hits, .. } => struck = Some(hits),
                    Phase::Lands { contact, .. } => struck = Some(contact),
                    phase => phases.push(OrbitPhase {
                        struck: struck.take(),
                        modes: modes(motions, phase),
                        duration: step.time / periodic.time,
                    }),
                }
            }
            let End::Strikes { rests: next, z: after } = path.end else { break };
            (rests, z) = (next, after);
        }
        Self { growth: periodic.growth.exp(), returns: periodic.returns, start, phases }
    }
}

fn modes(motions: &Motions, phase: Phase) -> [Option<Mode>; 2] {
    let slip = |sign: f64| if sign > 0.0 { Mode::SlipPos } else { Mode::SlipNeg };
    let only = |contact: usize, mode: Mode| [0, 1].map(|i| (i == contact).then_some(mode));
    match phase {
        Phase::Slides { contact, sign } => only(contact, slip(sign)),
        Phase::Sticks { contact } => only(contact, Mode::Stick),
        Phase::Both { way } => motions.nearby.signs(way).map(|sign| Some(slip(sign))),
        Phase::Struck { .. } | Phase::Lands { .. } | Phase::Flies => [None, None],
    }
}
