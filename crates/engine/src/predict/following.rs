//! What follows a state: the motions that the contact laws allow and that last if contacts give a little, and impacts without collision.
//! Reports tell it, motions take it, futures branch on it.

use super::contacts::{Contacts, Motion};
use super::decide::Decision;
use super::impact_without_collision::{ImpactWithoutCollision, Possible};
use super::judge::Judgement;
use super::mode::{Mode, words};
use super::verdict::Consistency;
use crate::contact::Restitution;
use crate::num::{InOrder, Tol};
use std::borrow::Cow;

/// A way to go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Continuation {
    /// A smooth motion: what each contact does.
    Motion(Vec<Mode>),
    /// An impact without collision at a contact, in which no other takes part.
    Impact(usize),
}

/// A way to go on with its name: the words of the modes, `iwc`, of several contacts `iwc(NAME)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Follower {
    /// Its place among the combinations that were decided; impacts come last.
    place: usize,
    /// As it is told and asked for.
    pub name: String,
    /// What it is.
    pub way: Continuation,
    /// Of a motion whose accelerations depend on forces that are not unique, which are then those of the contacts' stiffnesses: by how much, as
    /// [`Judgement::spread`] has it.
    pub spread: Option<f64>,
}

/// Everything that can follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Following {
    /// The ways to go on.
    pub ways: Vec<Follower>,
    /// Why there is none, or what forbids a statement.
    pub reason: String,
    /// Whether rounding or the reach of the theory forbids a statement.
    pub undecided: bool,
    /// Modes whose accelerations depend on forces that are not unique, those of the contacts' stiffnesses not being among them.
    pub undetermined: Vec<String>,
    /// Motions of single choices of such forces, of modes that are among the ways with those of the contacts' stiffnesses.
    pub choices: Vec<Follower>,
    /// Modes that satisfy the contact laws and that the contacts' compliance makes unstable.
    pub unstable: Vec<Follower>,
    /// What else may happen, and is not among the ways.
    pub left_out: Option<String>,
}

impl Following {
    /// The names of the ways to go on.
    pub fn names(&self) -> Vec<Cow<'static, str>> {
        let mut ways: Vec<&Follower> = self.ways.iter().collect();
        ways.put_in_order_of(|follower| follower.place);
        let mut names: Vec<Cow<'static, str>> = ways.iter().map(|way| way.name.clone().into()).collect();
        // slips that differ by their directions have one name
        names.dedup();
        names
    }

    /// What forbids a statement, if anything does.
    pub fn doubt(&self) -> Option<String> {
        self.undecided.then(|| format!("what follows is not decided: {}", self.reason))
    }

    /// Whether nothing can follow.
    pub fn is_inconsistent(&self) -> bool {
        self.ways.is_empty() && self.undetermined.is_empty() && !self.undecided
    }

    /// Adds a motion of another choice of the forces of one at a place, at a distance from it.
    fn add_choice(&mut self, (place, distance): (usize, f64), choice: Follower) {
        self.widen(place, distance);
        self.choices.push(choice);
    }

    /// Accelerations may be at a distance from those of the motion at a place.
    fn widen(&mut self, place: usize, distance: f64) {
        for way in self.ways.iter_mut().filter(|way| way.place == place) {
            way.spread = Some(way.spread.map_or(distance, |spread| spread.max(distance)));
        }
    }
}

impl Contacts {
    /// What follows; `ahead` says of modes that hold with an equality whether they hold in the time that follows.
    ///
    /// # Errors
    /// Those of `ahead`.
    pub fn following<E>(
        &self,
        decision: &Decision,
        names: &[&str],
        mut ahead: impl FnMut(&[Mode]) -> Result<bool, E>,
        tol: &Tol,
    ) -> Result<Following, E> {
        let mut found = Following::default();
        let (mut kept, mut undetermined): (Vec<(usize, &Judgement)>, Vec<&Judgement>) = Default::default();
        for (place, judged) in ordered(decision) {
            let holds = match judged.consistency {
                Consistency::Yes if !judged.moving.is_empty() && !judged.by_stiffness => {
                    undetermined.push(judged);
                    continue;
                }
                // of the forces that satisfy the laws those of the stiffnesses are at a border
                Consistency::Yes if judged.by_stiffness && self.laws(judged, tol).0 != Consistency::Yes => {
                    ahead(&judged.modes)?
                }
                Consistency::Yes => true,
                Consistency::No => false,
                Consistency::Marginal if judged.open || !judged.has_forces() => {
                    // what would begin from rest with forces without bound is no motion beside others
                    let begins = (0..self.len()).all(|i| !judged.modes[i].is_closed() || self.rests(i));
                    if judged.open || !begins {
                        found.undecided = true;
                        let name = words(&judged.modes, self.tangents);
                        found.reason = format!("{name}: {}", judged.reason(|i| names[i].to_string()));
                    }
                    false
                }
                Consistency::Marginal => ahead(&judged.modes)?,
            };
            // modes with the same motion are one
            if holds && !kept.iter().any(|(_, other)| other.has_motion_of(judged, tol)) {
                let follower = Follower { spread: judged.spread(), ..self.follower(place, &judged.modes) };
                let chosen = |(_, other): &&(usize, &Judgement)| {
                    judged.is_choice_of(other, tol) && self.is_by_stiffness(other, tol)
                };
                match kept.iter().find(chosen) {
                    Some(&(place, other)) => found.add_choice((place, other.distance(judged)), follower),
                    None => self.add_motion(&mut found, follower, tol),
                }
                kept.push((place, judged));
            }
        }
        self.set_apart(&mut found, &kept, &undetermined, tol);
        if kept.is_empty() && !found.undecided && found.undetermined.is_empty() {
            // at a border the motion of some may be, now, that of others
            let mut border = self.at_border(decision, tol);
            border.put_in_order_of(|modes| rank(modes));
            for modes in border {
                if ahead(&modes)? {
                    self.add_motion(&mut found, self.follower(0, &modes), tol);
                    break;
                }
            }
        }
        match decision.open_reason() {
            Some(reason) if kept.is_empty() && found.ways.is_empty() => {
                (found.undecided, found.reason) = (true, reason)
            }
            reason => found.left_out = reason,
        }
        self.add_impacts(&mut found, names, tol);
        Ok(found)
    }

    /// What modes are whose forces are not those of the stiffnesses: undetermined, or as far as their accelerations are from those of the first that has these.
    fn set_apart(
        &self,
        found: &mut Following,
        kept: &[(usize, &Judgement)],
        undetermined: &[&Judgement],
        tol: &Tol,
    ) {
        // a contact that stays without a force may have a spring that is pressed; other forces that are unique are those of any stiffnesses
        let touches = |judged: &Judgement, i: usize| {
            let stays = judged.modes[i] == Mode::Free && judged.keeps_gap(i, tol);
            stays && self.motion(i) != Motion::Parting
        };
        let unique =
            |judged: &Judgement| judged.ranges.is_none() && !(0..self.len()).any(|i| touches(judged, i));
        let chosen = |(_, judged): &&(usize, &Judgement)| unique(judged) || self.is_by_stiffness(judged, tol);
        match kept.iter().find(chosen) {
            Some((_, chosen)) if !chosen.moving.is_empty() => {}
            Some(&(place, chosen)) => {
                undetermined.iter().for_each(|judged| found.widen(place, chosen.distance(judged)));
            }
            None => {
                let name = |judged: &&Judgement| words(&judged.modes, self.tangents);
                found.undetermined = undetermined.iter().map(name).collect();
            }
        }
    }

    fn follower(&self, place: usize, modes: &[Mode]) -> Follower {
        let name = if modes.is_empty() { "free".to_string() } else { words(modes, self.tangents) };
        Follower { place, name, way: Continuation::Motion(modes.to_vec()), spread: None }
    }

    fn add_motion(&self, found: &mut Following, follower: Follower, tol: &Tol) {
        let lasts = match &follower.way {
            Continuation::Motion(modes) => self.may_last(modes, tol),
            Continuation::Impact(_) => true,
        };
        if lasts { &mut found.ways } else { &mut found.unstable }.push(follower);
    }

    /// Adds impacts without collision, and says what is left out and why nothing follows.
    fn add_impacts(&self, found: &mut Following, names: &[&str], tol: &Tol) {
        for impact in self.impacts_without_collision(tol).found {
            self.add_impact(found, &impact, names);
        }
        if !found.ways.is_empty() || found.undecided || !found.undetermined.is_empty() {
            return;
        }
        if let Some(reason) = &found.left_out {
            (found.undecided, found.reason) = (true, reason.clone());
        } else if let [only] = &self.contacts[..]
            && matches!(only.motion, Motion::Slipping(_))
            && matches!(only.laws.restitution, Restitution::Newton(_))
        {
            found.reason = NEWTON.to_string();
        } else if found.unstable.is_empty() {
            found.reason = format!("no mode of {} satisfies the contact laws", names.join(", "));
        } else {
            let words = found.unstable.iter().map(|follower| follower.name.as_str()).collect::<Vec<_>>();
            found.reason = format!(
                "every mode that satisfies the contact laws is unstable with the contacts' compliance ({}), and no impact without collision can start",
                words.join("; ")
            );
        }
    }

    fn add_impact(&self, found: &mut Following, impact: &ImpactWithoutCollision, names: &[&str]) {
        let at = impact.contacts.iter().map(|&i| names[i]).collect::<Vec<_>>().join(" and ");
        found.left_out = match (&impact.contacts[..], impact.possible) {
            (&[i], Possible::Yes) => {
                let stays =
                    |way: &Continuation| matches!(way, Continuation::Motion(modes) if modes[i].is_closed());
                let later = found.ways.iter().any(|follower| stays(&follower.way));
                let name = if self.len() == 1 { "iwc".to_string() } else { format!("iwc({at})") };
                found.ways.push(Follower {
                    place: usize::MAX,
                    name,
                    way: Continuation::Impact(i),
                    spread: None,
                });
                let what = format!("an impact without collision at {at} may begin at any later time as well");
                later.then_some(what).or(found.left_out.take())
            }
            (_, Possible::Yes | Possible::Necessary) => Some(format!(
                "an impact without collision at {at} may take place in which several contacts take part, and what it does depends on compliance"
            )),
            (_, Possible::Marginal) => Some(format!(
                "whether an impact without collision at {at} can start hangs on a number that is zero to rounding"
            )),
        };
    }
}

/// Why there is no impact without collision.
const NEWTON: &str = "p < 0 in slip, and Newton's law says nothing of an impact without collision";

/// What holds or may hold with its place: what has forces that are not unique first, contacts that stick before those that slip and those that
/// lift off.
fn ordered(decision: &Decision) -> Vec<(usize, &Judgement)> {
    let holds = |(_, judged): &(usize, &Judgement)| judged.consistency != Consistency::No;
    let mut found: Vec<(usize, &Judgement)> = decision.modes.iter().enumerate().filter(holds).collect();
    found.put_in_order_of(|(_, judged)| (!judged.by_stiffness, rank(&judged.modes)));
    found
}

/// The place of a combination in that order.
fn rank(modes: &[Mode]) -> Vec<u8> {
    let rank = |mode: &Mode| match mode {
        Mode::Stick { .. } => 0,
        Mode::Slip { along, .. } if along[0] >= 0.0 => 1,
        Mode::Slip { .. } => 2,
        Mode::Free => 3,
    };
    modes.iter().rev().map(rank).collect()
}
