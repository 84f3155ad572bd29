//! What closed contacts in the plane can do next, over sets of states: for each combination of modes the forces by Cramer's rule,
//! their signs, and the accelerations that it asks for   [CV16 Table 1, (11), (12)].
#![allow(non_snake_case)]

use super::balance::Balance;
use super::terms::{Beyond, Stand, Terms};
use crate::model::Output;
use crate::predict::{Mode, combinations};
use crate::prove::Formula;
use crate::tape::Value;

/// Contacts up to which combinations are stated: with more, one body has more closed directions than motions.
const MOST: usize = 2;

/// The unknown forces of a combination, each with its share in the forces N and T of its contact.
struct Forces {
    columns: Vec<(usize, [Value; 2])>,
    /// Rows of the contacts that have no acceleration.
    held: Vec<usize>,
}

impl Terms<'_> {
    /// What is assumed, and that these combinations and no others are possible; contacts in the order of `contacts`.
    pub(super) fn modes(
        &mut self,
        contacts: &[usize],
        stand: &Stand,
        wanted: &[Vec<&str>],
    ) -> Result<(Vec<Formula>, Formula), Beyond> {
        let (assumed, patterns) = self.patterns(contacts, stand)?;
        let (mut parts, mut known) = (Vec::new(), Vec::new());
        for Pattern { mut otherwise, possible } in patterns {
            let mut all = Vec::new();
            // those that differ in sides of contacts that are held from both have one name
            let mut listed: Vec<Vec<Formula>> = vec![Vec::new(); wanted.len()];
            for (modes, follows) in &possible {
                match wanted.iter().position(|wanted| are_called(modes, wanted)) {
                    Some(place) => listed[place].push(follows.happens.clone()),
                    None => all.push(follows.cannot.clone()),
                }
            }
            all.extend(listed.into_iter().filter(|ways| !ways.is_empty()).map(any));
            // a slip against the way in which a contact goes is not among what can follow
            if wanted.iter().any(|wanted| !possible.iter().any(|(modes, _)| are_called(modes, wanted))) {
                all.push(Formula::Any(Vec::new()));
            }
            otherwise.push(Formula::All(all));
            parts.push(Formula::Any(otherwise));
            known.extend(possible.into_iter().map(|(modes, _)| modes));
        }
        if wanted.iter().any(|wanted| !known.iter().any(|modes| are_called(modes, wanted))) {
            return Err(
                "no state that is meant has such a mode: one word per closed contact, joined by commas: \
                        free, slip+, slip- or, at rest, stick; combinations are joined by semicolons",
            );
        }
        Ok((assumed, Formula::All(parts)))
    }

    /// What is assumed, that contacts slip which do not rest, and what can follow in each choice of their directions.
    pub(super) fn patterns(
        &mut self,
        contacts: &[usize],
        stand: &Stand,
    ) -> Result<(Vec<Formula>, Vec<Pattern>), Beyond> {
        self.stateable(contacts)?;
        let resting: Vec<bool> = contacts.iter().map(|&c| self.rests(c, stand)).collect();
        let slipping: Vec<usize> = (0..contacts.len()).filter(|&i| !resting[i]).collect();
        let assumed = slipping.iter().map(|&i| self.slips(contacts[i])).collect();
        let mut found = Vec::new();
        for choice in 0..1_usize << slipping.len() {
            let sign = |i: usize| {
                let place = slipping.iter().position(|&slips| slips == i);
                place.map(|place| if choice >> place & 1 == 0 { 1.0 } else { -1.0 })
            };
            let otherwise = slipping.iter().filter_map(|&i| Some((contacts[i], sign(i)?)));
            let otherwise = otherwise.map(|(contact, sign)| self.slips_against(contact, sign)).collect();
            let options: Vec<Vec<Mode>> =
                (0..contacts.len()).map(|i| self.options(contacts[i], sign(i))).collect();
            let follows =
                |modes: Vec<Mode>| Ok((modes.clone(), self.follows(contacts, &resting, &modes, stand)?));
            let possible = combinations(&options).map(follows).collect::<Result<_, Beyond>>()?;
            found.push(Pattern { otherwise, possible });
        }
        Ok((assumed, found))
    }

    /// All that leave rest are impossible.
    pub(super) fn nothing_moves(&mut self, contacts: &[usize], stand: &Stand) -> Result<Formula, Beyond> {
        self.stateable(contacts)?;
        if contacts.iter().any(|&c| self.is_smooth(c) && !self.is_rail(c)) {
            return Err("of contacts without friction it is not known");
        }
        let options: Vec<Vec<Mode>> = contacts.iter().map(|&c| self.options(c, None)).collect();
        let resting = vec![true; contacts.len()];
        let mut all = Vec::new();
        for modes in combinations(&options) {
            if self.stays(contacts, &modes) {
                continue;
            }
            all.push(self.follows(contacts, &resting, &modes, stand)?.cannot);
        }
        Ok(Formula::All(all))
    }

    fn stateable(&self, contacts: &[usize]) -> Result<(), Beyond> {
        self.planar()?;
        if contacts.is_empty() {
            return Err("no contact is closed");
        }
        let few = contacts.iter().filter(|&&c| !self.is_rail(c)).count() <= MOST;
        let beyond = "combinations of modes are stated of one or two closed contacts, beside those without friction that are held from both sides";
        few.then_some(()).ok_or(beyond)
    }

    /// Whether a contact neither slips nor is carried along, velocities being zero. Where that hangs on parameters that are held at zero, as of a
    /// support that could move, it is assumed from then on.
    pub(super) fn rests(&mut self, contact: usize, stand: &Stand) -> bool {
        let carried =
            [Output::GapRate, Output::SlipRate].map(|output| self.quantities.output(output)[contact]);
        stand.still && self.vanish_at(&carried, stand)
    }

    /// Whether nothing begins to move; rails are left to themselves.
    fn stays(&self, contacts: &[usize], modes: &[Mode]) -> bool {
        self.without_rails(contacts, modes).iter().all(|(_, mode)| matches!(mode, Mode::Stick { .. }))
    }

    pub(super) fn is_smooth(&mut self, contact: usize) -> bool {
        let mu = self.friction(contact);
        self.quantities.builder().as_constant(mu) == Some(0.0)
    }

    /// What a contact can do that slips with this sign, or is at rest.
    fn options(&mut self, contact: usize, slip: Option<f64>) -> Vec<Mode> {
        let mut pushed = match slip {
            Some(sign) => vec![Mode::slip(sign)],
            None if self.is_smooth(contact) => vec![Mode::SOME_SLIP],
            None => vec![Mode::slip(1.0), Mode::slip(-1.0), Mode::STICK],
        };
        if self.is_rail(contact) {
            return pushed;
        }
        if !self.is_clamp(contact) {
            pushed.insert(0, Mode::Free);
            return pushed;
        }
        let pulled: Vec<Mode> = pushed.iter().map(|mode| mode.pulled()).collect();
        [pushed, pulled].concat()
    }

    /// That a contact does not slip with this sign.
    fn slips_against(&mut self, contact: usize, sign: f64) -> Formula {
        let u = self.slip(contact)[0];
        let against = if sign > 0.0 { self.quantities.builder().neg(u) } else { u };
        Formula::NonNegative(self.atom(against))
    }

    fn follows(
        &mut self,
        contacts: &[usize],
        resting: &[bool],
        modes: &[Mode],
        stand: &Stand,
    ) -> Result<Follows, Beyond> {
        let forces = self.forces(contacts, modes);
        let (motions, stays) = (self.motions(), self.stays(contacts, modes));
        let one = self.quantities.builder().constant(1.0);
        if forces.held.len() >= motions
            && !stays
            && resting.iter().all(|&rests| rests)
            && self.is_scleronomic(stand)
        {
            return Ok(Follows {
                happens: Formula::Any(Vec::new()),
                cannot: self.nothing_is_free(contacts, &forces.held, stand)?,
                determinant: one,
                slips: Vec::new(),
            });
        }
        if forces.held.len() > motions {
            // where nothing can move, rest follows if the forces are in balance, and only then
            if !stays {
                return Err("its contacts close more directions than it has motions");
            }
            let Balance { holds, fails, .. } = self.balance(contacts, stand)?;
            return Ok(Follows { happens: holds, cannot: fails, determinant: one, slips: Vec::new() });
        }
        let entry = |terms: &mut Self, row: usize, (contact, [n, t]): (usize, [Value; 2])| {
            let first = terms.row(contact);
            let (D, B) = (terms.quantities.mobility(row, first), terms.quantities.mobility(row, first + 1));
            let builder = terms.quantities.builder();
            let (normal, tangential) = (builder.mul(D, n), builder.mul(B, t));
            builder.add(normal, tangential)
        };
        let rows = |terms: &mut Self, row: usize| -> Vec<Value> {
            forces.columns.iter().map(|&column| entry(terms, row, column)).collect()
        };
        let A: Vec<Vec<Value>> = forces.held.iter().map(|&row| rows(self, row)).collect();
        let free = self.quantities.free_accelerations();
        let b: Vec<Value> = forces.held.iter().map(|&row| self.quantities.builder().neg(free[row])).collect();
        let solved = self.solved(&A, &b);
        let mut signs = self.in_cones(contacts, modes, &solved.unknowns);
        let acceleration = |terms: &mut Self, row: usize| {
            let across = rows(terms, row);
            let builder = terms.quantities.builder();
            let own = builder.mul(free[row], solved.determinant);
            let pushed = builder.dot(&across, &solved.unknowns);
            builder.add(own, pushed)
        };
        for (row, sign) in self.rises(contacts, resting, modes) {
            let rise = acceleration(self, row);
            signs.push(if sign > 0.0 { rise } else { self.quantities.builder().neg(rise) });
        }
        let slips = self.without_rails(contacts, modes).into_iter();
        let slips = slips.map(|(contact, _)| acceleration(self, self.row(contact) + 1)).collect();
        let happens = self.with_sign_of(solved.determinant, &signs);
        let cannot = self.of_both_signs(solved.determinant, &signs);
        Ok(Follows { happens, cannot, determinant: solved.determinant, slips })
    }

    /// That rows which have no acceleration leave a mechanism at rest none: no gap opens then, and no slip sets in.
    fn nothing_is_free(
        &mut self,
        contacts: &[usize],
        held: &[usize],
        stand: &Stand,
    ) -> Result<Formula, Beyond> {
        if held.len() > self.motions() {
            return Ok(self.balance(contacts, stand)?.determined);
        }
        let D: Vec<Vec<Value>> =
            held.iter().map(|&i| held.iter().map(|&j| self.quantities.mobility(i, j)).collect()).collect();
        let gram = self.determinant(&D);
        Ok(self.positive(gram))
    }

    /// Whether neither contacts nor constraints know time. Where that hangs on parameters that are held at zero, it is assumed from then on.
    fn is_scleronomic(&mut self, stand: &Stand) -> bool {
        let carried = [Output::GapRate, Output::SlipRate, Output::ConstraintRate];
        let rates: Vec<Value> =
            carried.into_iter().flat_map(|output| self.quantities.output(output)).collect();
        self.vanish_at(&rates, stand)
    }

    /// Contacts whose forces are unknowns of a combination: those of rails follow.
    fn without_rails(&self, contacts: &[usize], modes: &[Mode]) -> Vec<(usize, Mode)> {
        let all = contacts.iter().copied().zip(modes.iter().copied());
        all.filter(|&(contact, _)| !self.is_rail(contact)).collect()
    }

    /// The unknowns of a combination: λ_N of what slips, with λ_T = −μ λ_N û, both forces of what sticks.
    fn forces(&mut self, contacts: &[usize], modes: &[Mode]) -> Forces {
        let mut found = Forces { columns: Vec::new(), held: Vec::new() };
        for (contact, mode) in self.without_rails(contacts, modes) {
            let row = self.row(contact);
            let mu = self.friction(contact);
            let builder = self.quantities.builder();
            let (one, zero) = (builder.constant(1.0), builder.constant(0.0));
            match mode {
                Mode::Free => {}
                Mode::Slip { along, side } => {
                    let against = builder.constant(-along[0] * side);
                    let T = builder.mul(mu, against);
                    found.columns.push((contact, [one, T]));
                    found.held.push(row);
                }
                Mode::Stick { .. } => {
                    found.columns.extend([(contact, [one, zero]), (contact, [zero, one])]);
                    found.held.extend([row, row + 1]);
                }
            }
        }
        found
    }

    /// What is positive where forces are inside their cones, times the determinant.
    fn in_cones(&mut self, contacts: &[usize], modes: &[Mode], unknowns: &[Value]) -> Vec<Value> {
        let mut found = Vec::new();
        let mut left = unknowns.iter().copied();
        for (contact, mode) in self.without_rails(contacts, modes) {
            match mode {
                Mode::Free => {}
                Mode::Slip { side, .. } => {
                    let N = left.next();
                    let builder = self.quantities.builder();
                    found.extend(N.map(|N| if side < 0.0 { builder.neg(N) } else { N }));
                }
                Mode::Stick { side } => {
                    let (Some(N), Some(T)) = (left.next(), left.next()) else { continue };
                    let mu = self.friction(contact);
                    let builder = self.quantities.builder();
                    let N = if side < 0.0 { builder.neg(N) } else { N };
                    let reach = builder.mul(mu, N);
                    found.extend([builder.sub(reach, T), builder.add(reach, T)]);
                }
            }
        }
        found
    }

    /// Rows with the signs of their accelerations: a gap that opens, a slip that sets in.
    fn rises(&self, contacts: &[usize], resting: &[bool], modes: &[Mode]) -> Vec<(usize, f64)> {
        let rise = |((&contact, &mode), &rests): ((&usize, &Mode), &bool)| match mode {
            Mode::Free => Some((self.row(contact), 1.0)),
            Mode::Slip { along, .. } if rests && along[0].abs() > 0.0 => {
                Some((self.row(contact) + 1, along[0]))
            }
            Mode::Slip { .. } | Mode::Stick { .. } => None,
        };
        contacts.iter().zip(modes).zip(resting).filter_map(rise).collect()
    }
}

/// What can follow where contacts slip as one choice of their directions has it.
pub(super) struct Pattern {
    /// That one of them does not.
    pub(super) otherwise: Vec<Formula>,
    pub(super) possible: Vec<(Vec<Mode>, Follows)>,
}

/// That a combination is consistent, and that it is not: neither on the border of its laws.
pub(super) struct Follows {
    pub(super) happens: Formula,
    pub(super) cannot: Formula,
    /// The accelerations of slips, times a determinant.
    pub(super) slips: Vec<Value>,
    pub(super) determinant: Value,
}

/// One of some formulas, without more words where it is the only one.
pub(super) fn any(mut ways: Vec<Formula>) -> Formula {
    if ways.len() == 1 { ways.remove(0) } else { Formula::Any(ways) }
}

fn are_called(modes: &[Mode], wanted: &[&str]) -> bool {
    modes.len() == wanted.len() && modes.iter().zip(wanted).all(|(mode, name)| mode.name(1).name() == *name)
}
