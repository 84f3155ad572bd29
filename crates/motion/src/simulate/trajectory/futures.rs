//! The motions that may follow where the theory allows several, as a tree, in the shape of the machine-readable output.

use super::{EventKind, Trajectory};
use crate::analysis::this_schema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Version of the shape.
pub const FUTURES_SCHEMA: &str = "mechan.futures/1";

/// Every motion from a state, as far as it was followed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Futures {
    /// [`FUTURES_SCHEMA`].
    #[serde(deserialize_with = "of_this_version")]
    pub schema: Cow<'static, str>,
    /// Whether every fork was followed to the end of the time that was asked for.
    pub complete: bool,
    /// The motions, a parent before its children; the first begins at the state.
    pub nodes: Vec<FutureNode>,
}

/// A motion up to its end or to the next fork.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FutureNode {
    /// Its place in [`Futures::nodes`].
    pub id: usize,
    /// The node where whose trajectory ends this one begins; none for the first.
    pub parent: Option<usize>,
    /// What happened there.
    pub event: Option<EventKind>,
    /// The mode or impact that it takes there.
    pub choice: Option<String>,
    /// Why that is possible.
    pub reason: String,
    /// The motion.
    pub trajectory: Trajectory,
}

impl Futures {
    /// A tree of motions.
    pub fn new(complete: bool, nodes: Vec<FutureNode>) -> Self {
        Self { schema: FUTURES_SCHEMA.into(), complete, nodes }
    }

    /// The children of a node, in order.
    pub fn children(&self, id: usize) -> impl Iterator<Item = &FutureNode> {
        self.nodes.iter().filter(move |node| node.parent == Some(id))
    }
}

fn of_this_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, str>, D::Error> {
    this_schema(FUTURES_SCHEMA, deserializer)
}
