//! The motions that may follow a state, as a tree.

use super::{EventKind, Trajectory};
use crate::analysis::this_schema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Version of the shape.
pub const FUTURES_SCHEMA: &str = "mechan.futures/1";

/// The tree of motions from a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Futures {
    /// [`FUTURES_SCHEMA`].
    #[serde(deserialize_with = "of_this_version")]
    pub schema: Cow<'static, str>,
    /// Name of the mechanism.
    pub mechanism: String,
    /// Whether every fork was followed, and every motion to an end that is known.
    pub complete: bool,
    /// The root first, parents before their children.
    pub nodes: Vec<FutureNode>,
}

/// A motion up to its end or to the next fork.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FutureNode {
    /// Its place in the list.
    pub id: usize,
    /// The motion at whose end it begins.
    pub parent: Option<usize>,
    /// What happened there.
    pub event: Option<EventKind>,
    /// The mode or impact that it takes there.
    pub choice: Option<String>,
    /// Why it ended.
    pub reason: String,
    /// The motion.
    pub trajectory: Trajectory,
}

fn of_this_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, str>, D::Error> {
    this_schema(FUTURES_SCHEMA, deserializer)
}
