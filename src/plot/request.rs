//! What a user asks for: `theta,tip.N`, `phase:theta`, `motion`, `animation`, `tree`, `portrait`, each with a file after `=` if wanted.

use super::fault::PlotFault;
use std::path::PathBuf;
use std::str::FromStr;

/// Which picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plot {
    /// Columns over time.
    TimeSeries(Vec<String>),
    /// The phase portrait of a coordinate.
    Phase(String),
    /// The mechanism along its motion.
    Motion,
    /// The same as an animation.
    Animation,
    /// The tree of futures.
    Tree,
    /// The fast dynamics of a compliant contact.
    Portrait,
}

/// A picture with the file it goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotRequest {
    /// Which picture.
    pub plot: Plot,
    /// The file, if it is named.
    pub file: Option<PathBuf>,
}

impl FromStr for PlotRequest {
    type Err = PlotFault;

    fn from_str(text: &str) -> Result<Self, PlotFault> {
        let (name, file) = named_file(text)?;
        Ok(Self { plot: name.parse()?, file })
    }
}

/// A name, and the file after `=`.
fn parted(text: &str) -> (&str, Option<PathBuf>) {
    match text.split_once('=') {
        Some((name, file)) => (name.trim(), Some(file.trim().into())),
        None => (text.trim(), None),
    }
}

/// A name, and the file after `=`, which has to be named there.
pub(super) fn named_file(text: &str) -> Result<(&str, Option<PathBuf>), PlotFault> {
    match parted(text) {
        (_, Some(file)) if file.as_os_str().is_empty() => Err(PlotFault::Unnamed),
        parts => Ok(parts),
    }
}

impl FromStr for Plot {
    type Err = PlotFault;

    fn from_str(name: &str) -> Result<Self, PlotFault> {
        match name {
            "motion" => return Ok(Self::Motion),
            "animation" => return Ok(Self::Animation),
            "tree" => return Ok(Self::Tree),
            "portrait" => return Ok(Self::Portrait),
            _ => {}
        }
        if let Some(coordinate) = name.strip_prefix("phase:") {
            let coordinate = coordinate.trim();
            return if coordinate.is_empty() {
                Err(PlotFault::Unnamed)
            } else {
                Ok(Self::Phase(coordinate.to_owned()))
            };
        }
        let columns: Vec<String> = name.split(',').map(|c| c.trim().to_owned()).collect();
        if columns.iter().any(String::is_empty) {
            Err(PlotFault::Unnamed)
        } else {
            Ok(Self::TimeSeries(columns))
        }
    }
}

/// Which picture of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatePlot {
    /// The mechanism.
    State,
    /// Where the state lies among verdicts, over friction and something else.
    Map,
    /// The plane of free accelerations.
    Plane,
    /// The path of an impact.
    Impulse,
    /// Slip near p = b = 0.
    Jam,
    /// The fast dynamics of a compliant contact.
    Portrait,
    /// The vectors of two sliding contacts.
    Vectors,
    /// p over the directions of slip in space.
    Gain,
    /// The forces that hold an equilibrium on several contacts.
    Forces,
    /// The return map of its small motions.
    Returns,
}

impl StatePlot {
    /// All, in the order in which a report shows them.
    pub const ALL: [Self; 10] = [
        Self::State,
        Self::Map,
        Self::Plane,
        Self::Impulse,
        Self::Jam,
        Self::Portrait,
        Self::Vectors,
        Self::Gain,
        Self::Forces,
        Self::Returns,
    ];

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Map => "map",
            Self::Plane => "plane",
            Self::Impulse => "impulse",
            Self::Jam => "jam",
            Self::Portrait => "portrait",
            Self::Vectors => "vectors",
            Self::Gain => "gain",
            Self::Forces => "forces",
            Self::Returns => "returns",
        }
    }

    /// The states that have it.
    pub fn needs(self) -> &'static str {
        match self {
            Self::State => "a mechanism whose bodies or contacts have a place, near enough to be drawn",
            Self::Map => {
                "a state that rests or slips on one unilateral contact of the plane, whose friction is a parameter, with a verdict that changes over the domain"
            }
            Self::Plane | Self::Portrait => {
                "a state that rests or slips on one unilateral contact of the plane"
            }
            Self::Impulse => {
                "one contact of the plane that approaches, or slips where an impact without collision can start"
            }
            Self::Jam => "a slip on one contact of the plane",
            Self::Vectors => "two contacts of the plane that both slide",
            Self::Gain => "a closed contact in space with friction",
            Self::Forces | Self::Returns => "an equilibrium on several contacts for which it is known",
        }
    }
}

/// A picture of a state with the file it goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePlotRequest {
    /// Which picture.
    pub plot: StatePlot,
    /// The file, if it is named.
    pub file: Option<PathBuf>,
}

impl FromStr for StatePlotRequest {
    type Err = PlotFault;

    fn from_str(text: &str) -> Result<Self, PlotFault> {
        let (name, file) = parted(text);
        let known = StatePlot::ALL.map(StatePlot::name);
        let named = StatePlot::ALL.into_iter().find(|plot| plot.name() == name);
        let unknown = || match name.split_once(':') {
            Some((plot, file)) if known.contains(&plot) => {
                PlotFault::Colon { plot: plot.to_owned(), file: file.to_owned() }
            }
            _ => PlotFault::unknown("picture of a state", name, known),
        };
        let plot = named.ok_or_else(unknown)?;
        match file {
            Some(file) if file.as_os_str().is_empty() => Err(PlotFault::NoFile),
            file => Ok(Self { plot, file }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Plot, PlotFault, PlotRequest, StatePlotRequest};

    #[test]
    fn names_with_and_without_files() {
        let columns = |list: &[&str]| Plot::TimeSeries(list.iter().map(|c| (*c).to_owned()).collect());
        let cases: [(&str, Plot, Option<&str>); 7] = [
            ("theta, tip.N", columns(&["theta", "tip.N"]), None),
            ("dot(x)=a.svg", columns(&["dot(x)"]), Some("a.svg")),
            ("phase:theta", Plot::Phase("theta".to_owned()), None),
            ("phase: x =b=c.png", Plot::Phase("x".to_owned()), Some("b=c.png")),
            ("motion", Plot::Motion, None),
            ("tree=t.svg", Plot::Tree, Some("t.svg")),
            ("portrait", Plot::Portrait, None),
        ];
        for (text, plot, file) in cases {
            assert_eq!(text.parse(), Ok(PlotRequest { plot, file: file.map(Into::into) }), "{text}");
        }
        let fault = "state:a.svg".parse::<StatePlotRequest>().unwrap_err();
        assert_eq!(fault.to_string(), "`state:a.svg`: the file follows `=`, as in `state=a.svg`");
        for text in ["", "=a.svg", "x,,y", "phase:", "x=", ","] {
            assert_eq!(text.parse::<PlotRequest>(), Err(PlotFault::Unnamed), "{text}");
        }
    }
}
