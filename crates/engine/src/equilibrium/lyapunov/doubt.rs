//! Why nothing is said about stability.

/// What forbids a statement about the motions near an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// A contact that slips while the other one is open has p ≤ 0: impacts without collision are possible.
    Paradox {
        /// That contact.
        contact: usize,
    },
    /// A sign on which the motion of a contact depends is zero.
    Border {
        /// That contact.
        contact: usize,
    },
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

impl Doubt {
    /// In words, given the names of the contacts.
    pub fn words(&self, name: impl Fn(usize) -> String) -> String {
        match self {
            Self::Paradox { contact } => format!(
                "{} can slip with p <= 0 while the other contact is open: impacts without collision are possible",
                name(*contact)
            ),
            Self::Border { contact } => format!(
                "a sign that decides the motion of {} while the other contact is open is zero",
                name(*contact)
            ),
            Self::SlidingBorder => "a sign that decides the motion while both contacts slide is zero".into(),
            Self::SeveralModes => "while both contacts slide, several modes are consistent".into(),
            Self::NoMode => "while both contacts slide, no mode is consistent".into(),
            Self::Compliance => {
                "while both contacts slide, the only consistent mode is unstable under every compliance"
                    .into()
            }
            Self::NoImpact => "no impulses were found that satisfy the law of an impact".into(),
            Self::Leaves => "a motion does not come back to both contacts".into(),
            Self::Long => "too many phases between two impacts with both contacts closed".into(),
            Self::Gap => "the bounds of the growth lie on both sides of one".into(),
        }
    }
}
