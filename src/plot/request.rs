//! What a user asks for: `theta,tip.N`, `phase:theta`, `motion`, `tree`, `portrait`, each with a file after `=` if wanted.

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
        let (name, file) = match text.split_once('=') {
            Some((name, file)) => (name, Some(PathBuf::from(file.trim()))),
            None => (text, None),
        };
        if file.as_ref().is_some_and(|f| f.as_os_str().is_empty()) {
            return Err(PlotFault::Unnamed);
        }
        Ok(Self { plot: name.trim().parse()?, file })
    }
}

impl FromStr for Plot {
    type Err = PlotFault;

    fn from_str(name: &str) -> Result<Self, PlotFault> {
        match name {
            "motion" => return Ok(Self::Motion),
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

/// Which picture of an equilibrium on several contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatePlot {
    /// The forces that hold it.
    Forces,
    /// The return map of small motions.
    Returns,
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
        let (name, file) = match text.split_once('=') {
            Some((name, file)) => (name.trim(), Some(PathBuf::from(file.trim()))),
            None => (text.trim(), None),
        };
        let plot = match name {
            "forces" => StatePlot::Forces,
            "returns" => StatePlot::Returns,
            other => return Err(PlotFault::unknown("picture of a state", other, ["forces", "returns"])),
        };
        match file {
            Some(file) if file.as_os_str().is_empty() => Err(PlotFault::NoFile),
            file => Ok(Self { plot, file }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Plot, PlotFault, PlotRequest};

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
        for text in ["", "=a.svg", "x,,y", "phase:", "x=", ","] {
            assert_eq!(text.parse::<PlotRequest>(), Err(PlotFault::Unnamed), "{text}");
        }
    }
}
