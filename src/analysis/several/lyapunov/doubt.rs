//! Why nothing is said about stability.

/// What forbids a statement about the motions near an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// A contact that slips while the other one is open has p ≤ 0: impacts without collision are possible.
    Paradox { contact: usize },
    /// A sign on which the motion of a contact depends is zero.
    Border { contact: usize },
    /// A sign on which the motion of both depends while they slide is zero, or stamping neither grows nor decays there.
    SlidingBorder,
    /// While both slide, more than one mode is consistent.
    SeveralModes,
    /// While both slide, no mode is consistent.
    NoMode,
    /// While both slide, the only consistent mode is unstable under every compliance.
    Compliance,
    /// No impulse satisfies the impact law of both contacts.
    NoImpact,
    /// A motion that both contacts leave behind without return.
    Leaves,
    /// Too many phases between two impacts with both contacts closed.
    Long,
    /// Bounds of the growth that do not meet.
    Gap,
}
