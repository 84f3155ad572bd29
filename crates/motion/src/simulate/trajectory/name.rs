//! The columns of a trajectory.

use crate::analysis::Names;
use crate::model::Layout;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Deref;
use std::sync::Arc;

/// Names of the columns, in their order: `t`, coordinates, `dot(x)` of each, `NAME.gap`, `NAME.slip`, `NAME.N`, `NAME.T` of each
/// contact (in space `NAME.slip1`, ..), `NAME.force` of each constraint. All motions of a mechanism share them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    names: Arc<[String]>,
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
        columns.into()
    }
}

impl From<Vec<String>> for Columns {
    fn from(names: Vec<String>) -> Self {
        Self { names: names.into() }
    }
}

impl Deref for Columns {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.names
    }
}

impl Serialize for Columns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Columns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<String>::deserialize(deserializer).map(Self::from)
    }
}

fn tangential(contact: &str, what: &str, tangents: usize) -> Vec<String> {
    match tangents {
        1 => vec![format!("{contact}.{what}")],
        _ => (1..=tangents).map(|k| format!("{contact}.{what}{k}")).collect(),
    }
}
