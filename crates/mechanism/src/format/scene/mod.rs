//! The scene format: YAML text to a validated [`Scene`] of many bodies, all of it as numbers but motions of surfaces, which are
//! expressions of t. Everything wrong with a file is found before anything is refused.

mod bodies;
mod data;
mod laws;
mod mechanisms;
mod places;
mod read;
mod schema;
mod surfaces;
mod values;

pub use data::{
    BodyShape, Group, Law, Matter, MechanismUse, Overlapping, PairLaw, Placement, Scene, Setting, Sizes,
    StepPlan, Surface, SurfaceMotion, SurfaceShape,
};
pub use read::{CheckedScene, read_scene};
pub use schema::scene_schema;

/// A commented scene to start from.
pub fn scene_starter(name: &str) -> String {
    include_str!("starter.yaml").replace("NAME", name)
}
