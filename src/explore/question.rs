//! What the page asks, as JSON.

use crate::plot::{Grip, Window};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::{Error, Map, Value};

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
#[derive(Clone, Debug)]
pub enum Question {
    /// Names, units, states and ranges.
    About {},
    /// A state: its numbers, its picture, why.
    State {
        /// Where.
        at: Situation,
        /// How much.
        depth: Depth,
        /// What its picture shows; all if absent.
        window: Option<Window>,
        /// Names of further pictures.
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
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut said = Said(serde_json::from_str(text)?);
        let name: String = said.need("ask")?;
        let question = said.question(&name)?;
        match said.0.keys().next() {
            Some(other) => Err(Error::custom(format!("`{name}` says nothing of `{other}`"))),
            None => Ok(question),
        }
    }
}

/// What a question says. Derived code would read each kind of value anew for each question, 25 KB of the module.
struct Said(Map<String, Value>);

impl Said {
    fn need<T: DeserializeOwned>(&mut self, key: &str) -> Result<T, Error> {
        let value = self.0.remove(key);
        value.map_or_else(|| Err(Error::custom(format!("`{key}` is missing"))), serde_json::from_value)
    }

    fn given<T: DeserializeOwned + Default>(&mut self, key: &str) -> Result<T, Error> {
        self.0.remove(key).map_or_else(|| Ok(T::default()), serde_json::from_value)
    }

    #[rustfmt::skip]
    fn question(&mut self, name: &str) -> Result<Question, Error> {
        Ok(match name {
            "about" => Question::About {},
            "state" => Question::State {
                at: self.need("at")?, depth: self.given("depth")?, window: self.given("window")?, panels: self.given("panels")?,
            },
            "grip" => Question::Grip { at: self.need("at")?, window: self.need("window")?, place: self.need("place")? },
            "drag" => Question::Drag {
                at: self.need("at")?, window: self.need("window")?, grip: self.need("grip")?, place: self.need("place")?,
                lift: self.given("lift")?,
            },
            "keep" => Question::Keep { at: self.need("at")?, name: self.need("name")?, value: self.need("value")? },
            "map" => Question::Map { at: self.need("at")?, x: self.need("x")?, y: self.need("y")?, count: self.need("count")? },
            "motion" => Question::Motion {
                at: self.need("at")?, t_end: self.need("t_end")?, samples: self.need("samples")?, depth: self.need("depth")?,
            },
            "outline" => Question::Outline { at: self.need("at")?, window: self.need("window")?, rows: self.need("rows")? },
            "plot" => Question::Plot {
                at: self.need("at")?, t_end: self.need("t_end")?, samples: self.need("samples")?, plot: self.need("plot")?,
            },
            "yaml" => Question::Yaml { at: self.need("at")? },
            "check" => Question::Check { text: self.need("text")? },
            "adopt" => Question::Adopt { text: self.need("text")? },
            _ => return Err(Error::custom(format!("there is no question `{name}`"))),
        })
    }
}
