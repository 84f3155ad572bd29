//! What the page asks, as JSON.

use crate::plot::{Grip, Window};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where a mechanism is: a state of its file, and what is set in it, as `analyze --state S --set name=value` has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Situation {
    /// The state's name.
    pub state: String,
    /// Parameters, coordinates and `dot(x)` with their values.
    #[serde(default)]
    pub set: Vec<(String, f64)>,
    /// Whether the contacts are closed that touch, whatever the state lists, and nothing is solved for.
    #[serde(default)]
    pub free: bool,
}

/// How much is said of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// What follows the hand: without the next step and motions without slip.
    #[default]
    Quick,
    /// All that `analyze` says of it.
    Full,
}

/// A question; in JSON its name stands under `ask`, among what it says.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Question {
    /// Names, units, states and ranges.
    About {},
    /// A state: its numbers, its picture, why.
    State {
        /// Where.
        at: Situation,
        /// How much.
        #[serde(default)]
        depth: Depth,
        /// What its picture shows; all if absent.
        #[serde(default)]
        window: Option<Window>,
        /// Names of further pictures.
        #[serde(default)]
        panels: Vec<String>,
    },
    /// The body under a place of the picture.
    Grip {
        /// Where.
        at: Situation,
        /// What the picture shows.
        window: Window,
        /// The place.
        place: [f64; 2],
    },
    /// The situation after a body was drawn towards a place of the picture.
    Drag {
        /// Where it was.
        at: Situation,
        /// What the picture shows.
        window: Window,
        /// What is held.
        grip: Grip,
        /// Towards where.
        place: [f64; 2],
        /// Whether contacts may open.
        #[serde(default)]
        lift: bool,
    },
    /// The situation after a number was set, contacts and constraints kept by the least change of the others.
    Keep {
        /// Where it was.
        at: Situation,
        /// What is set.
        name: String,
        /// Its value.
        value: f64,
    },
    /// The verdict over two ranges.
    Map {
        /// Where.
        at: Situation,
        /// To the right: the name and the ends.
        x: (String, f64, f64),
        /// Upwards.
        y: (String, f64, f64),
        /// Values on each axis.
        count: usize,
    },
    /// All motions from a state.
    Motion {
        /// Where.
        at: Situation,
        /// Until when, s.
        t_end: f64,
        /// Samples of each motion.
        samples: usize,
        /// Forks on a way.
        depth: usize,
    },
    /// The bodies at some coordinates as the path of a picture.
    Outline {
        /// Where the parameters are from.
        at: Situation,
        /// What the picture shows.
        window: Window,
        /// Times, each with its coordinates.
        rows: Vec<(f64, Vec<f64>)>,
    },
    /// A picture of a motion: columns over time, or `phase:x`.
    Plot {
        /// Where it begins.
        at: Situation,
        /// Until when, s.
        t_end: f64,
        /// Samples.
        samples: usize,
        /// Which.
        plot: String,
    },
    /// The file with the state added to it.
    Yaml {
        /// Where.
        at: Situation,
    },
    /// What is wrong with a text, and whether the equations are still those of the model.
    Check {
        /// The text.
        text: String,
    },
    /// Goes on with another text whose equations are the same.
    Adopt {
        /// The text.
        text: String,
    },
}

impl Question {
    /// From JSON.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        let mut said: Map<String, Value> = serde_json::from_str(text)?;
        let name = said.remove("ask");
        let name = name.as_ref().and_then(Value::as_str).unwrap_or_default().to_string();
        Self::deserialize(Value::Object(Map::from_iter([(name, Value::Object(said))])))
    }
}
