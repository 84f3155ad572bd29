//! Motions as glTF 2.0 in one binary file, which any viewer of three-dimensional scenes opens: bodies and surfaces as nodes with meshes, and an
//! animation whose keyframes are samples of the motion. Written by hand; the format is that of the Khronos Group's specification 2.0.
//!
//! | file | subject |
//! |---|---|
//! | `mesh` | triangles: boxes, balls, discs, outlines with a thickness, shells |
//! | `outline` | an outline of the plane as triangles |
//! | `film` | who is where when, and what they look like |
//! | `file` | a film as bytes |
//! | `mechanism` | the motion of a mechanism as a film |
//! | `scene` | a run of a scene as a film |
//!
//! Places of nodes are those of the bodies in the axes of the mechanism; one node above all turns these so that gravity points down, which
//! glTF has along −y. Places are linear between keyframes, rotations turn evenly: positions have no jumps, whatever velocities do.

mod file;
mod film;
mod mechanism;
mod mesh;
mod outline;
mod scene;

pub use mechanism::motion_gltf;
pub use scene::SceneFilm;
