//! Expressions for people: multiplied out, sin² + cos² = 1 and the angles between links made use of, factored; the shortest
//! in print wins.

use super::algebra::Algebra;
use super::print::{Notation, Printer};
use crate::format::Mechanism;
use symbolica::atom::{Atom, AtomCore};

/// Sums of more terms are not factored: they would take long and would not be read.
const FACTORED: usize = 60;

/// Simplifies expressions of one mechanism.
pub(super) struct Simplifier<'a> {
    algebra: &'a Algebra,
    printer: Printer<'a>,
}

impl<'a> Simplifier<'a> {
    pub(super) fn new(algebra: &'a Algebra, mechanism: &'a Mechanism) -> Self {
        Simplifier { algebra, printer: Printer::new(algebra, mechanism, Notation::Text) }
    }

    /// The shortest of several equal forms; the plainest of equally short ones.
    pub(super) fn simplify(&self, atom: &Atom) -> Atom {
        let whole = self.algebra.by_differences(&atom.expand());
        if whole.nterms() > FACTORED {
            return self.algebra.pythagoras(&whole);
        }
        let mut forms = vec![self.algebra.pythagoras(&whole), self.algebra.pythagoras_cos(&whole), whole];
        let factored: Vec<Atom> = forms.iter().map(AtomCore::factor).collect();
        forms.extend(factored);
        let length = |form: &Atom| self.printer.print(form).len();
        let shortest = forms.iter().map(length).min();
        forms.into_iter().find(|form| Some(length(form)) == shortest).unwrap_or_else(|| atom.clone())
    }

    /// over/under, each simplified, common factors cancelled.
    pub(super) fn ratio(&self, over: &Atom, under: &Atom) -> Atom {
        let ratio = self.simplify(over) / self.simplify(under);
        let cancelled = ratio.together().cancel();
        let forms = [self.simplify(&cancelled), cancelled.factor(), cancelled, ratio];
        let length = |form: &Atom| self.printer.print(form).len();
        let shortest = forms.iter().map(length).min();
        forms.into_iter().find(|form| Some(length(form)) == shortest).unwrap_or_else(|| over / under)
    }
}
