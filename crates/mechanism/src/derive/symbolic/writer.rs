//! A system's equations as strings. An expression that would fill pages, or whose simplification would take long, is
//! written through named subexpressions of the tape; A, B, C, a, b and p± of that kind by their formula.

use super::adjugate::{adjugate_form, determinant};
use super::contact::ContactEquations;
use super::label::NamedTape;
use super::named::NamedWriter;
use super::print::{Notation, Printer, latex_name};
use super::simplify::Simplifier;
use super::system::System;
use super::terms::Terms;
use crate::derive::equations::{Definition, Equations, Printed, PrintedContact, Wording};
use crate::derive::error::DeriveError;
use crate::expression::Expr;
use crate::format::Mechanism;
use crate::model::{Layout, Output};
use std::cell::{Cell, RefCell};
use symbolica::atom::{Atom, AtomView};

/// Larger M are not inverted in print.
const INVERTED: usize = 3;
/// Expressions of more terms, were they multiplied out, are not simplified.
const WIDEST: u64 = 1000;
/// Longer expressions, in characters, are written through named subexpressions.
const LONGEST: usize = 2000;

/// Writes the equations of one system.
pub(super) struct Writer<'a> {
    system: &'a System,
    layout: Layout,
    simplifier: Simplifier<'a>,
    text: Printer<'a>,
    latex: Printer<'a>,
    named: RefCell<NamedWriter>,
    limits: Limits,
    /// Whether something could not be written out that was to be.
    too_long: Cell<bool>,
}

/// What is written out.
#[derive(Clone, Copy)]
struct Limits {
    /// Expressions of more terms, were they multiplied out, are not simplified.
    widest: u64,
    /// Longer expressions, in characters, are written through named subexpressions.
    longest: usize,
    /// Whether named subexpressions may stand for what is too long.
    names: bool,
}

impl Limits {
    fn of(wording: Wording, is_written_out: bool) -> Self {
        match wording {
            // frames that are kept have their names on the tape only
            Wording::Short if !is_written_out => Limits { widest: 0, longest: 0, names: true },
            Wording::Short => Limits { widest: WIDEST, longest: LONGEST, names: true },
            Wording::Expanded => Limits { widest: 10 * WIDEST, longest: usize::MAX, names: false },
        }
    }
}

/// A place among the tape's outputs.
#[derive(Clone, Copy)]
struct Slot(Output, usize);

impl<'a> Writer<'a> {
    pub(super) fn new(
        system: &'a System,
        named: &NamedTape,
        wording: Wording,
        mechanism: &'a Mechanism,
    ) -> Self {
        Writer {
            system,
            layout: system.layout,
            limits: Limits::of(wording, system.is_written_out()),
            too_long: Cell::new(false),
            simplifier: Simplifier::new(&system.algebra, mechanism),
            text: Printer::new(&system.algebra, mechanism, Notation::Text),
            latex: Printer::new(&system.algebra, mechanism, Notation::Latex),
            named: RefCell::new(NamedWriter::new(named, mechanism)),
        }
    }

    pub(super) fn equations(&self, mechanism: &Mechanism) -> Result<Equations, DeriveError> {
        let equations = self.written_equations(mechanism);
        if self.too_long.get() {
            return Err(DeriveError::Unreadable { what: "an entry has thousands of terms" });
        }
        Ok(equations)
    }

    fn written_equations(&self, mechanism: &Mechanism) -> Equations {
        let dynamics = &self.system.dynamics;
        let n = self.layout.coordinates;
        let bias: Vec<Terms> = (0..n).map(|i| dynamics.bias(i)).collect();
        let name = |name: &str| Printed { text: name.to_string(), latex: latex_name(name) };
        let mass = self.mass();
        let contacts = mechanism.contacts.iter().zip(&self.system.contacts).enumerate();
        let contacts = contacts.map(|(k, (c, e))| self.contact(k, &c.name, &c.friction, &mass, e)).collect();
        Equations {
            mechanism: mechanism.name.clone(),
            coordinates: mechanism.coordinates.iter().map(|c| name(&c.name)).collect(),
            parameters: mechanism.parameters.iter().map(|p| name(&p.name)).collect(),
            mass_matrix: self.printed_mass(&mass),
            bias: self.sums(&bias, Output::Bias),
            inertial: self.sums(&dynamics.inertial, Output::Inertial),
            potential: self.sums(&dynamics.potential, Output::Potential),
            applied: self.sums(&dynamics.applied, Output::Applied),
            kinetic_energy: self.sum(&dynamics.kinetic_energy, Slot(Output::KineticEnergy, 0)),
            potential_energy: self.sum(&dynamics.potential_energy, Slot(Output::PotentialEnergy, 0)),
            constraints: self.constraints(mechanism),
            contacts,
            definitions: self.definitions(mechanism),
        }
    }

    /// The definitions of the file, where they are kept, and those that long entries need.
    fn definitions(&self, mechanism: &Mechanism) -> Vec<Definition> {
        let name = |name: &str| Printed { text: name.to_string(), latex: latex_name(name) };
        let algebra = &self.system.algebra;
        let own = mechanism.definitions.names.iter().zip(&algebra.definitions);
        let needed = mechanism.needed_definitions();
        let own = own.zip(needed).filter(|(_, needed)| *needed && self.system.is_written_out());
        let own = own.map(|((own, symbol), _)| Definition {
            name: name(own),
            value: self.written(&self.simplifier.simplify(&algebra.meaning_of(symbol))),
        });
        own.chain(self.named.borrow().definitions()).collect()
    }

    /// The lower triangle of M by rows, simplified; none where an entry is too wide for that.
    fn mass(&self) -> Vec<Option<Atom>> {
        let narrow = |terms: &&Terms| spread_of(terms) <= self.limits.widest;
        let entry = |terms: &Terms| Some(terms).filter(narrow).map(|t| self.simplifier.simplify(&t.atom()));
        self.system.dynamics.mass.iter().map(entry).collect()
    }

    fn printed_mass(&self, mass: &[Option<Atom>]) -> Vec<Vec<Printed>> {
        let printed: Vec<Printed> = mass
            .iter()
            .enumerate()
            .map(|(k, x)| self.short(x.as_ref().map(|x| self.written(x)), Slot(Output::MassMatrix, k)))
            .collect();
        let n = self.layout.coordinates;
        let at = |i: usize, j: usize| printed[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)].clone();
        (0..n).map(|i| (0..n).map(|j| at(i, j)).collect()).collect()
    }

    fn constraints(&self, mechanism: &Mechanism) -> Vec<(String, Vec<Printed>)> {
        let n = self.layout.coordinates;
        let all = mechanism.constraints.iter().zip(&self.system.constraints).enumerate();
        all.map(|(k, (c, e))| {
            let mut parts = vec![self.print(&e.value, Slot(Output::Constraint, k))];
            parts.extend(self.list(&e.jacobian, Slot(Output::ConstraintJacobian, k * n)));
            parts.push(self.print(&e.rate, Slot(Output::ConstraintRate, k)));
            parts.push(self.print(&e.drift, Slot(Output::ConstraintDrift, k)));
            (c.name.clone(), parts)
        })
        .collect()
    }

    fn contact(
        &self,
        k: usize,
        name: &str,
        friction: &Expr,
        mass: &[Option<Atom>],
        equations: &ContactEquations,
    ) -> PrintedContact {
        let (gap, n, d) = (&equations.gap, self.layout.coordinates, self.layout.tangents);
        let slips = || equations.slips.iter().enumerate().map(|(i, s)| (k * d + i, s));
        let at_rest = |x: &Atom| self.system.algebra.at_rest(x);
        PrintedContact {
            name: name.to_string(),
            gap: self.print(&gap.value, Slot(Output::Gap, k)),
            normal_jacobian: self.list(&gap.jacobian, Slot(Output::NormalJacobian, k * n)),
            gap_rate: self.print(&gap.rate, Slot(Output::GapRate, k)),
            normal_drift: self.print(&gap.drift, Slot(Output::NormalDrift, k)),
            tangent_jacobian: slips()
                .map(|(row, s)| self.list(&s.jacobian, Slot(Output::TangentJacobian, row * n)))
                .collect(),
            slip_rate: slips()
                .map(|(row, s)| {
                    self.entry(
                        spread(s.velocity.as_view()),
                        || at_rest(&s.velocity),
                        Slot(Output::SlipRate, row),
                    )
                })
                .collect(),
            tangent_drift: slips()
                .map(|(row, s)| self.print(&s.drift, Slot(Output::TangentDrift, row)))
                .collect(),
            planar: self.planar(friction, mass, equations),
        }
    }

    /// A = cᵀM⁻¹c, B = cᵀM⁻¹d, C = dᵀM⁻¹d, a = ċᵀv − cᵀM⁻¹h, b likewise, p± = C ∓ μB   [CV16 (13)], with c = W_T, d = W_N.
    fn planar(
        &self,
        friction: &Expr,
        mass: &[Option<Atom>],
        equations: &ContactEquations,
    ) -> Vec<(String, Printed)> {
        let n = self.layout.coordinates;
        let [slip] = &equations.slips[..] else { return Vec::new() };
        if n > INVERTED || !self.system.constraints.is_empty() || !self.system.is_written_out() {
            return Vec::new();
        }
        let Some(mu) = self.system.algebra.parametric(friction) else { return Vec::new() };
        let Some(mass) = full(mass, n) else { return formulas() };
        let det = self.simplifier.simplify(&determinant(&mass));
        let h: Vec<Atom> = (0..n).map(|i| self.system.dynamics.bias(i).atom()).collect();
        let ratio = |over: Atom| {
            (spread(over.as_view()) <= WIDEST * WIDEST).then(|| self.simplifier.ratio(&over, &det))
        };
        let (c, d) = (&slip.jacobian, &equations.gap.jacobian);
        let form = |x: &[Atom], y: &[Atom]| ratio(adjugate_form(&mass, x, y));
        let free = |drift: &Atom, w: &[Atom]| ratio(drift * &det - adjugate_form(&mass, w, &h));
        let (big_a, big_b, big_c) = (form(c, c), form(c, d), form(d, d));
        let gain = |sign: i64| {
            let gain = big_c.as_ref()? - big_b.as_ref()? * &mu * Atom::num(sign);
            Some(self.simplifier.ratio(&gain, &Atom::num(1)))
        };
        let (p_pos, p_neg) = (gain(1), gain(-1));
        let (a, b) = (free(&slip.drift, c), free(&equations.gap.drift, d));
        let all = [big_a, big_b, big_c, a, b, p_pos, p_neg];
        let written = |(x, formula): (Option<Atom>, (String, Printed))| {
            let short = x.map(|x| self.written(&x)).filter(|p| p.text.len() <= LONGEST);
            (formula.0, short.unwrap_or(formula.1))
        };
        all.into_iter().zip(formulas()).map(written).collect()
    }

    fn sums(&self, all: &[Terms], output: Output) -> Vec<Printed> {
        all.iter().enumerate().map(|(i, terms)| self.sum(terms, Slot(output, i))).collect()
    }

    fn sum(&self, terms: &Terms, slot: Slot) -> Printed {
        self.entry(spread_of(terms), || terms.atom(), slot)
    }

    fn list(&self, atoms: &[Atom], Slot(output, start): Slot) -> Vec<Printed> {
        atoms.iter().enumerate().map(|(i, a)| self.print(a, Slot(output, start + i))).collect()
    }

    fn print(&self, atom: &Atom, slot: Slot) -> Printed {
        self.entry(spread(atom.as_view()), || atom.clone(), slot)
    }

    /// Simplified, or through named subexpressions if that is too wide or too long.
    fn entry(&self, terms: u64, atom: impl FnOnce() -> Atom, slot: Slot) -> Printed {
        let simplified =
            (terms <= self.limits.widest).then(|| self.written(&self.simplifier.simplify(&atom())));
        self.short(simplified, slot)
    }

    fn short(&self, printed: Option<Printed>, Slot(output, i): Slot) -> Printed {
        let place = self.layout.range(output).start + i;
        if let Some(short) = printed.filter(|p| p.text.len() <= self.limits.longest) {
            return short;
        }
        if !self.limits.names {
            self.too_long.set(true);
        }
        self.named.borrow_mut().output(place)
    }

    fn written(&self, atom: &Atom) -> Printed {
        Printed { text: self.text.print(atom), latex: self.latex.print(atom) }
    }
}

/// M in full, if all its entries are there.
fn full(lower: &[Option<Atom>], n: usize) -> Option<Vec<Vec<Atom>>> {
    let at = |i: usize, j: usize| lower[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)].clone();
    (0..n).map(|i| (0..n).map(|j| at(i, j)).collect()).collect()
}

/// A, B, C, a, b, p+ and p- by their formulas.
fn formulas() -> Vec<(String, Printed)> {
    [
        ("A", "W_T M^-1 W_T^T", "W_T M^{-1} W_T^{\\mathsf T}"),
        ("B", "W_N M^-1 W_T^T", "W_N M^{-1} W_T^{\\mathsf T}"),
        ("C", "W_N M^-1 W_N^T", "W_N M^{-1} W_N^{\\mathsf T}"),
        ("a", "drift_T - W_T M^-1 h", "\\dot\\gamma_T - W_T\\dot v - W_T M^{-1} h"),
        ("b", "drift_N - W_N M^-1 h", "\\ddot g_N - W_N\\dot v - W_N M^{-1} h"),
        ("p+", "C - mu B", "C - \\mu B"),
        ("p-", "C + mu B", "C + \\mu B"),
    ]
    .into_iter()
    .map(|(name, text, latex)| (name.to_string(), Printed { text: text.into(), latex: latex.into() }))
    .collect()
}

/// A bound on the number of terms of a sum of products when it is multiplied out.
fn spread_of(terms: &Terms) -> u64 {
    let term = |t: &super::terms::Term| {
        let factors = [&t.weight, &t.left, &t.right].map(|x| spread(x.as_view()));
        factors.into_iter().fold(1, u64::saturating_mul)
    };
    terms.0.iter().map(term).fold(0, u64::saturating_add)
}

/// A bound on the number of terms when multiplied out.
fn spread(view: AtomView<'_>) -> u64 {
    match view {
        AtomView::Add(terms) => terms.iter().map(spread).fold(0, u64::saturating_add),
        AtomView::Mul(factors) => factors.iter().map(spread).fold(1, u64::saturating_mul),
        AtomView::Pow(p) => {
            let (base, exponent) = p.get_base_exp();
            let power = i64::try_from(exponent).ok().and_then(|n| u32::try_from(n).ok()).unwrap_or(1);
            spread(base).saturating_pow(power)
        }
        AtomView::Num(_) | AtomView::Var(_) | AtomView::Fun(_) => 1,
    }
}
