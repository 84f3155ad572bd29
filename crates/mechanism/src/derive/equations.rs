//! The equations of a mechanism for people: simplified, as strings; what would fill pages is written through named
//! subexpressions instead.

use serde::{Deserialize, Serialize};

/// How equations are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wording {
    /// What would fill pages through named subexpressions.
    #[default]
    Short,
    /// Everything in coordinates, velocities and parameters.
    Expanded,
}

/// One expression in both notations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// In the expression language of the format.
    pub text: String,
    /// In LaTeX.
    pub latex: String,
}

/// A subexpression with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// Its name.
    pub name: Printed,
    /// What it stands for.
    pub value: Printed,
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
    /// Subexpressions that long entries are written with, each before its use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<Definition>,
}
