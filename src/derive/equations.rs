//! The equations of a mechanism for people: simplified, as strings.

use super::error::DeriveError;
use super::print::{Notation, Printer};
use super::simplify::Simplifier;
use super::system::System;
use super::terms::Terms;
use crate::format::Mechanism;
use serde::{Deserialize, Serialize};
use symbolica::atom::Atom;

/// One expression in both notations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// In the expression language of the format.
    pub text: String,
    /// In LaTeX.
    pub latex: String,
}

/// The equations of one contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedContact {
    /// Its name.
    pub name: String,
    /// g_N.
    pub gap: Printed,
    /// W_N = ∂g_N/∂q.
    pub normal_jacobian: Vec<Printed>,
    /// ∂g_N/∂t.
    pub gap_rate: Printed,
    /// g̈_N − W_N v̇.
    pub normal_drift: Printed,
    /// W_T, one row per tangent.
    pub tangent_jacobian: Vec<Vec<Printed>>,
    /// The slip at v = 0.
    pub slip_rate: Vec<Printed>,
    /// d slip/dt − W_T v̇.
    pub tangent_drift: Vec<Printed>,
    /// A, B, C, a, b, p+, p-, by name; empty in space and where M is not inverted in print.
    pub planar: Vec<(String, Printed)>,
}

/// The equations of motion and the contact kinematics of a mechanism.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Equations {
    /// Name of the mechanism.
    pub mechanism: String,
    /// Names of the coordinates, plain and in LaTeX.
    pub coordinates: Vec<Printed>,
    /// Names of the parameters, plain and in LaTeX.
    pub parameters: Vec<Printed>,
    /// M.
    pub mass_matrix: Vec<Vec<Printed>>,
    /// h = B + G − F.
    pub bias: Vec<Printed>,
    /// B.
    pub inertial: Vec<Printed>,
    /// G.
    pub potential: Vec<Printed>,
    /// F.
    pub applied: Vec<Printed>,
    /// T.
    pub kinetic_energy: Printed,
    /// V.
    pub potential_energy: Printed,
    /// Constraints: name, value, Jacobian, explicit rate and drift, in this order.
    pub constraints: Vec<(String, Vec<Printed>)>,
    /// Contacts in file order.
    pub contacts: Vec<PrintedContact>,
}

/// Larger M are not inverted in print.
const INVERTED: usize = 3;

/// The equations of a mechanism in print.
///
/// Calls Symbolica on this thread, as [`derive`](super::derive) does.
///
/// # Errors
/// As [`derive`](super::derive).
pub fn equations(mechanism: &Mechanism) -> Result<Equations, DeriveError> {
    let system = System::new(mechanism)?;
    let writer = Writer::new(&system, mechanism);
    Ok(writer.equations(mechanism))
}

struct Writer<'a> {
    system: &'a System,
    simplifier: Simplifier<'a>,
    text: Printer<'a>,
    latex: Printer<'a>,
}

impl<'a> Writer<'a> {
    fn new(system: &'a System, mechanism: &'a Mechanism) -> Self {
        Writer {
            system,
            simplifier: Simplifier::new(&system.algebra, mechanism),
            text: Printer::new(&system.algebra, mechanism, Notation::Text),
            latex: Printer::new(&system.algebra, mechanism, Notation::Latex),
        }
    }

    fn equations(&self, mechanism: &Mechanism) -> Equations {
        let dynamics = &self.system.dynamics;
        let bias: Vec<Terms> = (0..self.system.layout.coordinates).map(|i| dynamics.bias(i)).collect();
        let name = |name: &str| Printed { text: name.to_string(), latex: super::print::latex_name(name) };
        let mass = self.mass();
        let contacts = mechanism.contacts.iter().zip(&self.system.contacts);
        Equations {
            mechanism: mechanism.name.clone(),
            coordinates: mechanism.coordinates.iter().map(|c| name(&c.name)).collect(),
            parameters: mechanism.parameters.iter().map(|p| name(&p.name)).collect(),
            mass_matrix: mass.iter().map(|row| row.iter().map(|x| self.written(x)).collect()).collect(),
            bias: self.sums(&bias),
            inertial: self.sums(&dynamics.inertial),
            potential: self.sums(&dynamics.potential),
            applied: self.sums(&dynamics.applied),
            kinetic_energy: self.print(&dynamics.kinetic_energy.atom()),
            potential_energy: self.print(&dynamics.potential_energy.atom()),
            constraints: self.constraints(mechanism),
            contacts: contacts.map(|(c, e)| self.contact(&c.name, &c.friction, &mass, e)).collect(),
        }
    }

    /// M in full, simplified.
    fn mass(&self) -> Vec<Vec<Atom>> {
        let n = self.system.layout.coordinates;
        let entry = |i: usize, j: usize| {
            let (i, j) = (i.max(j), i.min(j));
            self.simplifier.simplify(&self.system.dynamics.mass[i * (i + 1) / 2 + j].atom())
        };
        (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
    }

    fn constraints(&self, mechanism: &Mechanism) -> Vec<(String, Vec<Printed>)> {
        let all = mechanism.constraints.iter().zip(&self.system.constraints);
        all.map(|(c, e)| {
            let atoms = std::iter::once(&e.value).chain(&e.jacobian).chain([&e.rate, &e.drift]);
            (c.name.clone(), atoms.map(|a| self.print(a)).collect())
        })
        .collect()
    }

    fn contact(
        &self,
        name: &str,
        friction: &crate::expression::Expr,
        mass: &[Vec<Atom>],
        equations: &super::contact::ContactEquations,
    ) -> PrintedContact {
        let gap = &equations.gap;
        let slips = &equations.slips;
        let rows = slips.iter().map(|s| self.list(&s.jacobian)).collect();
        let planar = self.planar(friction, mass, equations);
        PrintedContact {
            name: name.to_string(),
            gap: self.print(&gap.value),
            normal_jacobian: self.list(&gap.jacobian),
            gap_rate: self.print(&gap.rate),
            normal_drift: self.print(&gap.drift),
            tangent_jacobian: rows,
            slip_rate: slips.iter().map(|s| self.print(&self.system.algebra.at_rest(&s.velocity))).collect(),
            tangent_drift: slips.iter().map(|s| self.print(&s.drift)).collect(),
            planar,
        }
    }

    /// A = cᵀM⁻¹c, B = cᵀM⁻¹d, C = dᵀM⁻¹d, a = ċᵀv − cᵀM⁻¹h, b likewise, p± = C ∓ μB   [CV16 (13)], with c = W_T, d = W_N.
    fn planar(
        &self,
        friction: &crate::expression::Expr,
        mass: &[Vec<Atom>],
        equations: &super::contact::ContactEquations,
    ) -> Vec<(String, Printed)> {
        let [slip] = &equations.slips[..] else { return Vec::new() };
        if mass.len() > INVERTED || !self.system.constraints.is_empty() {
            return Vec::new();
        }
        let Some(mu) = self.system.algebra.parametric(friction) else { return Vec::new() };
        let det = self.simplifier.simplify(&determinant(mass));
        let h: Vec<Atom> = (0..mass.len()).map(|i| self.system.dynamics.bias(i).atom()).collect();
        let form = |x: &[Atom], y: &[Atom]| self.simplifier.ratio(&adjugate_form(mass, x, y), &det);
        let (c, d) = (&slip.jacobian, &equations.gap.jacobian);
        let (big_a, big_b, big_c) = (form(c, c), form(c, d), form(d, d));
        let free = |drift: &Atom, w: &[Atom]| {
            self.simplifier.ratio(&(drift * &det - adjugate_form(mass, w, &h)), &det)
        };
        let gain =
            |sign: i64| self.simplifier.ratio(&(&big_c - &big_b * &mu * Atom::num(sign)), &Atom::num(1));
        let (a, b) = (free(&slip.drift, c), free(&equations.gap.drift, d));
        let all =
            [("p+", gain(1)), ("p-", gain(-1)), ("A", big_a), ("B", big_b), ("C", big_c), ("a", a), ("b", b)];
        let mut planar: Vec<_> = all.iter().map(|(name, x)| (name.to_string(), self.written(x))).collect();
        planar.rotate_left(2);
        planar
    }

    fn sums(&self, all: &[Terms]) -> Vec<Printed> {
        all.iter().map(|terms| self.print(&terms.atom())).collect()
    }

    fn list(&self, atoms: &[Atom]) -> Vec<Printed> {
        atoms.iter().map(|a| self.print(a)).collect()
    }

    fn print(&self, atom: &Atom) -> Printed {
        self.written(&self.simplifier.simplify(atom))
    }

    fn written(&self, atom: &Atom) -> Printed {
        Printed { text: self.text.print(atom), latex: self.latex.print(atom) }
    }
}

/// The matrix without row i and column j.
fn minor(m: &[Vec<Atom>], i: usize, j: usize) -> Vec<Vec<Atom>> {
    let without =
        |row: &Vec<Atom>| row.iter().enumerate().filter(|(k, _)| *k != j).map(|(_, x)| x.clone()).collect();
    m.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, row)| without(row)).collect()
}

/// By the first row.
fn determinant(m: &[Vec<Atom>]) -> Atom {
    let Some(row) = m.first() else { return Atom::num(1) };
    row.iter().enumerate().filter(|(_, x)| !x.is_zero()).fold(Atom::num(0), |sum, (j, x)| {
        let sign = if j % 2 == 0 { 1 } else { -1 };
        sum + x * determinant(&minor(m, 0, j)) * Atom::num(sign)
    })
}

/// xᵀ adj(m) y.
fn adjugate_form(m: &[Vec<Atom>], x: &[Atom], y: &[Atom]) -> Atom {
    let mut sum = Atom::num(0);
    for (i, xi) in x.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
        for (j, yj) in y.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            let sign = if (i + j) % 2 == 0 { 1 } else { -1 };
            sum += xi * yj * determinant(&minor(m, j, i)) * Atom::num(sign);
        }
    }
    sum
}
