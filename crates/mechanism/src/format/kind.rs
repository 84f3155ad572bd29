//! What kind of file a text is meant to be, for who was given another one.

use super::yaml::{self, Value};
use crate::diag::Source;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A mechanism.
    Mechanism,
    /// A scene of many bodies.
    Scene,
    /// An incremental problem in numbers.
    Problem,
    /// A robot description, URDF or MJCF.
    Robot,
}

impl Kind {
    /// What a text is meant to be, by its first words, or by the keys `mechan`, `scene` and `format`; none if nothing says so.
    pub fn of(source: &Source) -> Option<Self> {
        let text = source.text.trim_start();
        if text.starts_with('<') {
            return ["<robot", "<mujoco"].iter().any(|word| text.contains(word)).then_some(Self::Robot);
        }
        let root = yaml::read(source, &mut Vec::new())?;
        let Value::Map(entries) = &root.value else { return None };
        let value = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value.value);
        let is_problem =
            |value: &Value| matches!(value, Value::Scalar(word) if word.text.starts_with("fcp-"));
        if value("mechan").is_some() {
            Some(Self::Mechanism)
        } else if value("scene").is_some() {
            Some(Self::Scene)
        } else {
            value("format").is_some_and(is_problem).then_some(Self::Problem)
        }
    }
}
