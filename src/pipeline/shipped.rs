//! The mechanisms that travel with the program, each with its derived equations.

use super::{Failure, Usage, load_shipped, state_names};
use crate::diag::nearest;
use crate::model::{ModelFile, ModelFileError};
use crate::report::{LibraryLine, LibraryOutcome};

/// A mechanism of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// Its name, which is that of its file, too.
    pub name: &'static str,
    /// What it is about.
    pub topic: Topic,
    /// Its model file.
    pub model: &'static str,
}

/// What a mechanism of the library is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// One sliding contact with friction that the theory may fail at.
    Paradox,
    /// One contact, in impacts, oscillations or rolling.
    OneContact,
    /// Bodies on several contacts.
    SeveralContacts,
    /// Passive walkers.
    Walking,
    /// Contacts whose surfaces are moved.
    MovedSurfaces,
    /// Bodies in space.
    Space,
}

impl Topic {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Topic::Paradox => "Painlevé's paradox at one contact",
            Topic::OneContact => "Impacts, oscillations and rolling at one contact",
            Topic::SeveralContacts => "Several contacts",
            Topic::Walking => "Walking",
            Topic::MovedSurfaces => "Surfaces that are moved",
            Topic::Space => "In space",
        }
    }
}

macro_rules! library {
    ($($topic:ident: $($name:literal)+;)+) => {
        &[$($(Shipped {
            name: $name,
            topic: Topic::$topic,
            model: include_str!(concat!("models/", $name, ".json")),
        },)+)+]
    };
}

/// All mechanisms of the library, topic by topic.
pub const LIBRARY: &[Shipped] = library! {
    Paradox: "falling_pencil" "painleve_rod" "painleve_klein" "box_on_incline" "pendulum_on_slider" "pushed_chalk"
        "two_link_manipulator" "frictional_impact_oscillator";
    OneContact: "bouncing_ball" "linear_oscillator" "double_pendulum_wall" "wheel_on_ground" "swinging_bar";
    SeveralContacts: "two_point_body" "overhang_block" "slope_body" "tumbling_body" "square_on_ground" "woodpecker" "ladder" "three_finger_grasp"
        "brick_stack" "standing_biped";
    Walking: "rimless_wheel" "compass_biped";
    MovedSurfaces: "crushed_ball" "rectangle_on_circles" "shovel";
    Space: "rod_3d" "vibrating_plate" "euler_disk" "rattleback" "rising_egg" "roly_poly";
};

/// The mechanism of the library that a name means: its own, or that of its file.
pub fn shipped(name: &str) -> Option<&'static Shipped> {
    LIBRARY.iter().find(|shipped| shipped.name == without_ending(name))
}

/// A name without the ending of a mechanism's file.
fn without_ending(name: &str) -> &str {
    name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")).unwrap_or(name)
}

/// The same, or what there is instead.
///
/// # Errors
/// [`Usage::Unshipped`] with the name that may have been meant.
pub fn shipped_or_else(name: &str) -> Result<&'static Shipped, Usage> {
    shipped(name).ok_or_else(|| Usage::Unshipped { name: name.to_string(), nearest: nearest_shipped(name) })
}

/// The name of the library that may have been meant.
pub(super) fn nearest_shipped(name: &str) -> Option<&'static str> {
    nearest(without_ending(name), LIBRARY.iter().map(|shipped| shipped.name))
}

impl Shipped {
    /// The mechanism file, word for word.
    ///
    /// # Errors
    /// None for what is shipped; [`ModelFileError`] is that of any model file.
    pub fn text(&self) -> Result<String, ModelFileError> {
        ModelFile::read(self.model).map(|file| file.mechanism)
    }

    /// Its file under another name, to be changed.
    ///
    /// # Errors
    /// As [`Shipped::text`].
    pub fn text_as(&self, name: &str) -> Result<String, ModelFileError> {
        let (own, new) = (format!("name: {}", self.name), format!("name: {name}"));
        let line = |line: &str| if line == own { new.clone() } else { line.to_string() };
        self.text().map(|text| text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n")
    }

    /// What diagnostics call it.
    pub(super) fn source_name(&self) -> String {
        format!("{}.yaml of mechan's library", self.name)
    }
}

/// The library in one line for each mechanism.
///
/// # Errors
/// None for what is shipped; [`Failure`] is that of any model file.
pub fn library() -> Result<LibraryOutcome, Failure> {
    let mechanisms = LIBRARY.iter().map(line).collect::<Result<_, _>>()?;
    Ok(LibraryOutcome { schema: "mechan.library/1".into(), mechanisms })
}

fn line(shipped: &Shipped) -> Result<LibraryLine, Failure> {
    let loaded = load_shipped(shipped)?;
    Ok(LibraryLine {
        name: shipped.name.to_string(),
        topic: shipped.topic.words().into(),
        title: loaded.mechanism.title.clone().unwrap_or_default(),
        space: loaded.mechanism.space.word().into(),
        states: state_names(&loaded).into_iter().map(String::from).collect(),
    })
}
