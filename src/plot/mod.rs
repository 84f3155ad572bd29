//! Pictures of outcomes as SVG, and as PNG with the feature `png`, and motions as glTF: columns over time, phase portraits, also of compliant contacts, a
//! mechanism along its motion, trees of futures. Draws what it is given and computes no mechanics.
//!
//! The SVG is written here, element by element: pictures of mechanisms, hatched surfaces and forked motions are no charts, and
//! where a tip or a boundary stands on the page can be tested by numbers. All pictures share one language: `style`.

mod animation;
mod canvas;
mod convergence;
mod curve;
mod decades;
mod fault;
mod forces;
mod formula;
mod gain;
mod gltf;
mod granular;
mod hull;
mod impulse;
mod jam;
mod labels;
mod map;
mod marks;
mod mechanism;
mod modes;
mod motion;
mod open;
mod panel;
mod phase;
mod picture;
mod pile;
mod plane;
mod portrait;
mod request;
mod returns;
mod scale;
mod state;
mod style;
mod tiles;
mod time_series;
mod tree;
mod vectors;
mod wedge;

pub use animation::Animation;
pub use convergence::{ConvergencePlot, convergence};
pub use fault::PlotFault;
pub use forces::{ForceAxes, forces};
pub use gain::{Gain, gain};
pub use gltf::{SceneFilm, motion_gltf};
pub use granular::{GranularPlot, granular_picture};
pub use impulse::{Impulse, impulse};
pub use jam::jam;
pub use map::{map, map_around};
pub use motion::{animated_motion, motion};
pub use open::open_parts;
pub use phase::{phase, phase_in};
pub use picture::{Picture, PictureFault};
pub use pile::{Side, pile};
pub use plane::{Plane, plane};
pub use portrait::portrait;
pub use request::{Plot, PlotRequest, StatePlot, StatePlotRequest};
pub use returns::returns;
pub use state::{Grip, Posture, Window, state, state_within, thumbnail};
pub use time_series::{time_series, time_series_in};
pub use tree::tree;
pub use vectors::vectors;
