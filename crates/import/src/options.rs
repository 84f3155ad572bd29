//! What a user may ask of an import.

/// How the root of the tree is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// To the world.
    Fixed,
    /// Not at all: it gets a place and an attitude as coordinates.
    Free,
}

/// How a link touches the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroundContact {
    /// With the lowest points of its geometry.
    Point,
    /// With a point of the link's own axes.
    At([f64; 3]),
    /// With the balls of its geometry.
    Ball,
}

/// What a user may ask of an import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// The name of the mechanism, in place of the robot's.
    pub name: Option<String>,
    /// How the root is held, in place of what the description suggests.
    pub base: Option<Base>,
    /// Links that may touch the ground.
    pub contacts: Vec<(String, GroundContact)>,
    /// Whether there is a ground, the plane z = 0. Without `contacts`, the ends of the tree may touch it: their balls, or where they have none their lowest points.
    pub ground: bool,
    /// Friction at the ground, in place of the description's or [`DEFAULT_GROUND_FRICTION`].
    pub friction: Option<f64>,
    /// Whether the limits of joints are contacts.
    pub limits: bool,
    /// Joints that are held at a value; `*` in a name stands for any letters.
    pub fixed: Vec<(String, f64)>,
    /// Whether motors hold the joints at home.
    pub hold: bool,
    /// Values of joints in the state `home`; `*` in a name stands for any letters.
    pub home: Vec<(String, f64)>,
}

/// Friction at the ground where nothing else is said.
pub const DEFAULT_GROUND_FRICTION: f64 = 0.8;

/// Whether a name is meant by a pattern, in which `*` stands for any letters.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(tail) = name.strip_prefix(head) else { return false };
    tail.char_indices().map(|(i, _)| i).chain([tail.len()]).any(|i| matches(rest, &tail[i..]))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_letters() {
        assert!(
            matches("*_calf_joint", "FL_calf_joint") && matches("FL*", "FL") && matches("*a*b*", "xaxbx")
        );
        assert!(!matches("calf", "FL_calf") && !matches("*a*b", "ba") && !matches("a*", ""));
    }
}
