//! Derivatives of atoms over the functions they are made of, and sin² + cos² = 1.

use super::algebra::{Algebra, Generator, Meaning};
use super::function::Operation;
use std::collections::BTreeSet;
use symbolica::atom::{Atom, AtomCore, AtomView, Symbol};

impl Algebra {
    /// Whether an atom depends on parameters only.
    pub(super) fn is_constant(&self, atom: &Atom) -> bool {
        let time = std::iter::once(&self.time);
        let moving: Vec<Symbol> = time.chain(&self.coordinates).chain(&self.rates).copied().collect();
        moving.iter().all(|&x| self.derivative(atom, x).is_zero())
    }

    /// dE/dx over the functions' arguments.
    pub(super) fn derivative(&self, atom: &Atom, x: Symbol) -> Atom {
        let moved = self.values_in(atom).into_iter().map(|k| &self.generators[k]);
        let moved = moved.filter_map(|g| g.slope(x).map(|slope| (g.symbol, slope)));
        moved.fold(atom.derivative(x), |sum, (w, slope)| sum + atom.derivative(w) * slope)
    }

    /// The functions' values that an atom is made of, in order.
    fn values_in(&self, atom: &Atom) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for_each_variable(atom.as_view(), &mut |symbol| {
            if let Some(Meaning::Generator(k)) = self.meaning(symbol) {
                found.insert(k);
            }
        });
        found
    }

    /// cos² = 1 − sin² in a multiplied-out expression.
    pub(super) fn pythagoras_cos(&self, atom: &Atom) -> Atom {
        self.complemented(atom, Operation::Cos, Operation::Sin)
    }

    /// The expression at v = 0.
    pub(super) fn at_rest(&self, atom: &Atom) -> Atom {
        let zero = |x: Atom, &v: &Symbol| x.replace(Atom::var(v)).with(Atom::num(0));
        self.rates.iter().fold(atom.expand(), zero)
    }

    /// sin² = 1 − cos² in a multiplied-out expression.
    pub(super) fn pythagoras(&self, atom: &Atom) -> Atom {
        self.complemented(atom, Operation::Sin, Operation::Cos)
    }

    /// `from`² = 1 − `to`², from the highest even power down.
    fn complemented(&self, atom: &Atom, from: Operation, to: Operation) -> Atom {
        let mut short = atom.clone();
        for g in self.generators.iter().filter(|g| g.operation == from) {
            let Some(other) = self.known(to, &g.arguments) else { continue };
            let complement = Atom::num(1) - other.pow(2);
            for power in (2..=6).rev() {
                let rest = Atom::var(g.symbol).pow(power % 2) * complement.pow(power / 2);
                short = short.replace(Atom::var(g.symbol).pow(power)).with(rest);
            }
            short = short.expand();
        }
        short
    }

    /// ∂E/∂q_i.
    pub(super) fn by_coordinate(&self, atom: &Atom, i: usize) -> Atom {
        self.derivative(atom, self.coordinates[i])
    }

    /// ∂E/∂v_i.
    pub(super) fn by_rate(&self, atom: &Atom, i: usize) -> Atom {
        self.derivative(atom, self.rates[i])
    }

    /// ∂E/∂t.
    pub(super) fn by_time(&self, atom: &Atom) -> Atom {
        self.derivative(atom, self.time)
    }

    /// (∂E/∂q_0, …).
    pub(super) fn gradient(&self, atom: &Atom) -> Vec<Atom> {
        (0..self.coordinates()).map(|i| self.by_coordinate(atom, i)).collect()
    }

    /// dE/dt at v̇ = 0: Σ ∂E/∂q_i v_i + ∂E/∂t; what has a rate of its own moves by that.
    pub(super) fn rate_of(&self, atom: &Atom) -> Atom {
        let inside = self.values_in(atom);
        let rated = inside.iter().filter_map(|&k| {
            let generator = &self.generators[k];
            generator.rate.as_ref().map(|rate| (k, atom.derivative(generator.symbol) * rate))
        });
        let rated: Vec<(usize, Atom)> = rated.collect();
        let by_itself = rated.iter().fold(Atom::num(0), |sum, (_, rate)| sum + rate);
        let slow: Vec<&Generator> = inside
            .iter()
            .filter(|&&k| !rated.iter().any(|(r, _)| *r == k))
            .map(|&k| &self.generators[k])
            .collect();
        let by = |x: Symbol| {
            let moved = slow.iter().filter_map(|g| g.slope(x).map(|slope| (g.symbol, slope)));
            moved.fold(atom.derivative(x), |sum, (w, slope)| sum + atom.derivative(w) * slope)
        };
        let flow = |sum: Atom, i: usize| sum + by(self.coordinates[i]) * self.rate(i);
        (0..self.coordinates()).fold(by(self.time), flow) + by_itself
    }
}

/// Calls `visit` for every variable of an atom.
fn for_each_variable(view: AtomView<'_>, visit: &mut impl FnMut(Symbol)) {
    match view {
        AtomView::Num(_) | AtomView::Fun(_) => {}
        AtomView::Var(v) => visit(v.get_symbol()),
        AtomView::Pow(p) => {
            let (base, exponent) = p.get_base_exp();
            for_each_variable(base, visit);
            for_each_variable(exponent, visit);
        }
        AtomView::Mul(factors) => factors.iter().for_each(|x| for_each_variable(x, visit)),
        AtomView::Add(terms) => terms.iter().for_each(|x| for_each_variable(x, visit)),
    }
}
