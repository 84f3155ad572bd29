//! Files to start from.

/// A kind of mechanism that there is a commented file to start from of; each passes [`super::read`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starter {
    /// A rod on the ground, by positions in the inertial frame.
    Rod,
    /// An arm in frames that pushes a block.
    Arm,
    /// A walker with knees.
    Walker,
    /// A linkage closed by a joint.
    Linkage,
    /// A body in space with an arm.
    Space,
}

impl Starter {
    /// Every kind.
    pub const ALL: [Starter; 5] =
        [Starter::Rod, Starter::Arm, Starter::Walker, Starter::Linkage, Starter::Space];

    /// The file for a mechanism of this name.
    pub fn text(self, name: &str) -> String {
        let text = match self {
            Starter::Rod => include_str!("starters/rod.yaml"),
            Starter::Arm => include_str!("starters/arm.yaml"),
            Starter::Walker => include_str!("starters/walker.yaml"),
            Starter::Linkage => include_str!("starters/linkage.yaml"),
            Starter::Space => include_str!("starters/space.yaml"),
        };
        text.replace("NAME", name)
    }
}

/// The simplest file to start from.
pub fn starter(name: &str) -> String {
    Starter::Rod.text(name)
}
