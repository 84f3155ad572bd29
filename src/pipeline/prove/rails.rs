//! Contacts that are held closed from both sides beside those that a claim is about.
//!
//! Without friction they are rails: whatever their force is, it has the direction of the normal, and follows as that of a constraint does. With
//! D and c of all contacts, and H the rows of the rails, p, a and b of the others are those of D − D·H D_HH⁻¹ D_H· and c − D·H D_HH⁻¹ c_H. With friction
//! |λ_N| rubs, whose side is not known beforehand: then each side is a case of its own.

use super::terms::{Beyond, Stand, Terms};
use crate::expression::Expr;
use crate::format::Mechanism;
use crate::model::Model;
use crate::prove::Formula;
use crate::tape::{Builder, Value};

impl<'m> Terms<'m> {
    /// Of a mechanism with a model that computes some inputs, some of which are held at zero.
    pub(super) fn new(
        mechanism: &'m Mechanism,
        model: &Model,
        computed: &[(usize, Expr)],
        zeros: &[usize],
    ) -> Self {
        let mut bare = Self::on_rails(mechanism, model, computed, Vec::new());
        let mut is_smooth = |c: &usize| {
            let mu = bare.friction(*c);
            mechanism.contacts[*c].bilateral && vanish(bare.quantities.builder(), &[mu], zeros)
        };
        let rails: Vec<usize> = (0..mechanism.contacts.len()).filter(&mut is_smooth).collect();
        if rails.is_empty() {
            return bare;
        }
        let mut terms = Self::on_rails(mechanism, model, computed, rails.clone());
        for rail in rails {
            let mu = terms.friction(rail);
            terms.suppose_zero(mu);
        }
        terms
    }

    /// Whether values are zero with what is held at zero; if so, they are taken to be from now on.
    pub(super) fn vanish_at(&mut self, values: &[Value], stand: &Stand) -> bool {
        let vanish = vanish(self.quantities.builder(), values, &stand.zeros);
        values.iter().filter(|_| vanish).for_each(|&value| self.suppose_zero(value));
        vanish
    }

    /// From now on a value is taken to be zero.
    fn suppose_zero(&mut self, value: Value) {
        let builder = self.quantities.builder();
        if builder.as_constant(value) != Some(0.0) {
            let against = builder.neg(value);
            let both = [value, against].map(|value| Formula::NonNegative(self.atom(value)));
            self.supposed.extend(both);
        }
    }

    pub(super) fn is_rail(&self, contact: usize) -> bool {
        self.rails.contains(&contact)
    }

    /// Whether a contact is held from both sides and has friction.
    pub(super) fn is_clamp(&self, contact: usize) -> bool {
        self.mechanism.contacts[contact].bilateral && !self.is_rail(contact)
    }

    /// The only contact that is no rail.
    pub(super) fn only(&self) -> Option<usize> {
        let mut others = (0..self.mechanism.contacts.len()).filter(|&c| !self.is_rail(c));
        others.next().filter(|_| others.next().is_none())
    }

    /// Directions in which the mechanism can move, closed contacts other than rails apart.
    pub(super) fn motions(&self) -> usize {
        let layout = self.quantities.layout();
        layout.coordinates.saturating_sub(layout.constraints + self.rails.len())
    }

    /// That p, a and b of a contact are numbers of its own.
    pub(super) fn alone(&self, contact: usize) -> Result<(), Beyond> {
        if self.is_rail(contact) {
            return Err(
                "this contact has no friction and is held from both sides: its force follows from the others, and nothing hangs on its sign",
            );
        }
        let mut others = (0..self.mechanism.contacts.len()).filter(|&c| c != contact);
        if others.any(|c| self.is_clamp(c)) {
            return Err(
                "a contact with friction that is held closed from both sides acts beside it: p hangs on the side on which that one presses. Ask for \
                 verdict(..) or modes(..), which look at each side, or hold its friction at 0",
            );
        }
        Ok(())
    }

    /// That impacts of a contact are its own.
    pub(super) fn strikes_alone(&self) -> Result<(), Beyond> {
        if self.mechanism.contacts.iter().any(|contact| contact.bilateral) {
            return Err(
                "impacts where contacts are held closed from both sides follow Moreau's rule, of which nothing is stated: write what holds \
                 them under `constraints`",
            );
        }
        Ok(())
    }

    /// The sides on which contacts can press: of each one that pushes only, and of clamps both.
    pub(super) fn sides(&self, contacts: &[usize]) -> Vec<Vec<f64>> {
        contacts.iter().fold(vec![Vec::new()], |found, &contact| {
            let both: &[f64] = if self.is_clamp(contact) { &[1.0, -1.0] } else { &[1.0] };
            let with = |side: &f64| found.iter().map(|all| [&all[..], &[*side]].concat()).collect::<Vec<_>>();
            both.iter().flat_map(with).collect()
        })
    }
}

/// Whether values are zero, whatever else is, where some inputs are.
fn vanish(builder: &Builder, values: &[Value], zeros: &[usize]) -> bool {
    let tape = builder.clone().finish(values);
    let mut other = Builder::new(tape.inputs());
    let input = |i: usize| if zeros.contains(&i) { other.constant(0.0) } else { other.input(i) };
    let inputs: Vec<Value> = (0..tape.inputs()).map(input).collect();
    let found = other.append(&tape, &inputs);
    found.into_iter().all(|value| other.as_constant(value) == Some(0.0))
}
