//! What a motion passes through: points, and how the graph runs between them.

/// A point of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities, right limits.
    pub v: Vec<f64>,
    /// Whether the graph goes straight to it from the point before; between the ends of a step of higher order it is not
    /// known.
    pub joined: bool,
    /// Whether it is one of the grid.
    pub on_grid: bool,
}

/// A motion as points in order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Points.
    pub points: Vec<Point>,
    /// Evaluations of the right-hand side.
    pub evaluations: usize,
}
