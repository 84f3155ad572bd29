//! The columns of a trajectory.

use crate::analysis::Names;
use crate::model::Layout;

/// Names of the columns, in their order: `t`, coordinates, `dot(x)` of each, `NAME.gap`, `NAME.slip`, `NAME.N`, `NAME.T` of each
/// contact (in space `NAME.slip1`, ..), `NAME.force` of each constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    names: Vec<String>,
}

impl Columns {
    /// The columns of a mechanism.
    pub fn new(layout: &Layout, names: &Names, constraints: &[String]) -> Self {
        let mut columns = vec!["t".to_string()];
        columns.extend(names.coordinates.iter().cloned());
        columns.extend(names.coordinates.iter().map(|x| format!("dot({x})")));
        for contact in &names.contacts {
            columns.push(format!("{contact}.gap"));
            columns.extend(tangential(contact, "slip", layout.tangents));
            columns.push(format!("{contact}.N"));
            columns.extend(tangential(contact, "T", layout.tangents));
        }
        columns.extend(constraints.iter().map(|name| format!("{name}.force")));
        Self { names: columns }
    }

    /// All of them.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

fn tangential(contact: &str, what: &str, tangents: usize) -> Vec<String> {
    match tangents {
        1 => vec![format!("{contact}.{what}")],
        _ => (1..=tangents).map(|k| format!("{contact}.{what}{k}")).collect(),
    }
}
