//! Tables of bodies and contacts, the same of scenes and of mechanisms: their columns and rows.

use crate::report::{DataCell, DataColumn};

/// What a table has a row for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Where a body is and how it moves: place, angle or quaternion, velocity, angular velocity.
    Bodies,
    /// What a contact carries: place, normal, force along the normal and the tangents, slip along these.
    Contacts,
}

impl Subject {
    /// The columns in the plane or in space.
    pub(super) fn columns(self, dim: usize) -> Vec<DataColumn> {
        let (names, numbers): (&[&str], &[&str]) = match (self, dim) {
            (Self::Bodies, 2) => (&["body"], &["x", "y", "angle", "vx", "vy", "omega"]),
            (Self::Bodies, _) => {
                (&["body"], &["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"])
            }
            (Self::Contacts, 2) => (&["body_a", "body_b"], &["x", "y", "nx", "ny", "N", "T1", "slip1"]),
            (Self::Contacts, _) => {
                (&["body_a", "body_b"], &["x", "y", "z", "nx", "ny", "nz", "N", "T1", "T2", "slip1", "slip2"])
            }
        };
        let head = [DataColumn::integer("step"), DataColumn::real("t")].into_iter();
        let named = names.iter().map(|name| DataColumn::text(*name));
        head.chain(named).chain(numbers.iter().map(|name| DataColumn::real(*name))).collect()
    }
}

/// A row: the step and its time, names of bodies, where there is one, and numbers.
pub(super) fn row(
    (step, t): (u64, f64),
    names: impl IntoIterator<Item = Option<String>>,
    numbers: Vec<f64>,
) -> Vec<DataCell> {
    let head = [DataCell::Integer(step as i64), DataCell::Real(t)].into_iter();
    let names = names.into_iter().map(|name| name.map_or(DataCell::Empty, DataCell::Text));
    head.chain(names).chain(numbers.into_iter().map(DataCell::Real)).collect()
}
