//! A mechanism as it is drawn: where its points, bodies and surfaces are, what bodies look like, and the way from space to the page.
//! Everything stands where the q-expressions of the file put it; no equation of motion is needed.

pub(super) mod frame;
pub(super) mod keys;
pub(super) mod place;
pub(super) mod projected;
pub(super) mod scenery;
pub(super) mod shape;
pub(super) mod springs;
pub(super) mod surfaces;
pub(super) mod view;
