//! Runge-Kutta tableaux as data, in exact numbers: Radau IIA of orders 3 and 5, Lobatto IIIA of orders 2, 4 and 6
//! [HW96 (IV.5)], and explicit ones of orders 2 to 6 for half-explicit steps [HNW93 (II.1), (II.5)].
//!
//! All methods that are not explicit are stiffly accurate: the last row of A has the weights.

/// (p + q √d)/r, d being the tableau's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surd {
    /// Rational part.
    pub p: i64,
    /// Factor of the root.
    pub q: i64,
    /// Denominator.
    pub r: i64,
}

/// A method in exact numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The name in options.
    pub name: &'static str,
    /// Order p of a step's result; its error is of order p + 1.
    pub order: u32,
    /// d, the number under the root.
    pub root: i64,
    /// A by rows; of an explicit method what stands before the diagonal.
    pub matrix: &'static [&'static [Surd]],
    /// b.
    pub weights: &'static [Surd],
    /// c.
    pub nodes: &'static [Surd],
}

/// The same in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct Tableau {
    /// The name in options.
    pub name: &'static str,
    /// Order.
    pub order: u32,
    /// A by rows, as long as there are stages.
    pub matrix: Vec<Vec<f64>>,
    /// b.
    pub weights: Vec<f64>,
    /// c.
    pub nodes: Vec<f64>,
    /// Whether A is strictly lower triangular.
    pub is_explicit: bool,
}

impl Exact {
    /// In floating point.
    pub fn rounded(&self) -> Tableau {
        let root = (self.root as f64).sqrt();
        let number = |x: &Surd| (x.p as f64 + x.q as f64 * root) / x.r as f64;
        let stages = self.weights.len();
        let row = |row: &&[Surd]| {
            let mut full: Vec<f64> = row.iter().map(number).collect();
            full.resize(stages, 0.0);
            full
        };
        Tableau {
            name: self.name,
            order: self.order,
            matrix: self.matrix.iter().map(row).collect(),
            weights: self.weights.iter().map(number).collect(),
            nodes: self.nodes.iter().map(number).collect(),
            is_explicit: self.matrix.iter().enumerate().all(|(i, row)| row.len() <= i),
        }
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TABLEAUX.iter().find(|tableau| tableau.name == name)
    }
}

/// A rational number.
const fn r(p: i64, r: i64) -> Surd {
    Surd { p, q: 0, r }
}

/// A number with a root.
const fn s(p: i64, q: i64, r: i64) -> Surd {
    Surd { p, q, r }
}

const O: Surd = r(0, 1);

/// Every method.
#[rustfmt::skip]
pub const TABLEAUX: &[Exact] = &[
    Exact { name: "radau-3", order: 3, root: 1,
        matrix: &[&[r(5, 12), r(-1, 12)],
                  &[r(3, 4),  r(1, 4)]],
        weights: &[r(3, 4), r(1, 4)],
        nodes: &[r(1, 3), r(1, 1)] },
    Exact { name: "radau-5", order: 5, root: 6,
        matrix: &[&[s(88, -7, 360),     s(296, -169, 1800), s(-2, 3, 225)],
                  &[s(296, 169, 1800),  s(88, 7, 360),      s(-2, -3, 225)],
                  &[s(16, -1, 36),      s(16, 1, 36),       r(1, 9)]],
        weights: &[s(16, -1, 36), s(16, 1, 36), r(1, 9)],
        nodes: &[s(4, -1, 10), s(4, 1, 10), r(1, 1)] },
    Exact { name: "lobatto-2", order: 2, root: 1,
        matrix: &[&[O, O],
                  &[r(1, 2), r(1, 2)]],
        weights: &[r(1, 2), r(1, 2)],
        nodes: &[O, r(1, 1)] },
    Exact { name: "lobatto-4", order: 4, root: 1,
        matrix: &[&[O, O, O],
                  &[r(5, 24), r(1, 3), r(-1, 24)],
                  &[r(1, 6),  r(2, 3), r(1, 6)]],
        weights: &[r(1, 6), r(2, 3), r(1, 6)],
        nodes: &[O, r(1, 2), r(1, 1)] },
    Exact { name: "lobatto-6", order: 6, root: 5,
        matrix: &[&[O, O, O, O],
                  &[s(11, 1, 120),  s(25, -1, 120),  s(25, -13, 120), s(-1, 1, 120)],
                  &[s(11, -1, 120), s(25, 13, 120),  s(25, 1, 120),   s(-1, -1, 120)],
                  &[r(1, 12),       r(5, 12),        r(5, 12),        r(1, 12)]],
        weights: &[r(1, 12), r(5, 12), r(5, 12), r(1, 12)],
        nodes: &[O, s(5, -1, 10), s(5, 1, 10), r(1, 1)] },
    Exact { name: "herk-2", order: 2, root: 1,
        matrix: &[&[], &[r(1, 1)]],
        weights: &[r(1, 2), r(1, 2)],
        nodes: &[O, r(1, 1)] },
    Exact { name: "herk-3", order: 3, root: 1,
        matrix: &[&[], &[r(1, 2)], &[r(-1, 1), r(2, 1)]],
        weights: &[r(1, 6), r(2, 3), r(1, 6)],
        nodes: &[O, r(1, 2), r(1, 1)] },
    Exact { name: "herk-4", order: 4, root: 1,
        matrix: &[&[], &[r(1, 2)], &[O, r(1, 2)], &[O, O, r(1, 1)]],
        weights: &[r(1, 6), r(1, 3), r(1, 3), r(1, 6)],
        nodes: &[O, r(1, 2), r(1, 2), r(1, 1)] },
    // Dormand and Prince
    Exact { name: "herk-5", order: 5, root: 1,
        matrix: &[&[],
                  &[r(1, 5)],
                  &[r(3, 40),       r(9, 40)],
                  &[r(44, 45),      r(-56, 15),      r(32, 9)],
                  &[r(19372, 6561), r(-25360, 2187), r(64448, 6561), r(-212, 729)],
                  &[r(9017, 3168),  r(-355, 33),     r(46732, 5247), r(49, 176),  r(-5103, 18656)]],
        weights: &[r(35, 384), O, r(500, 1113), r(125, 192), r(-2187, 6784), r(11, 84)],
        nodes: &[O, r(1, 5), r(3, 10), r(4, 5), r(8, 9), r(1, 1)] },
    // Butcher
    Exact { name: "herk-6", order: 6, root: 1,
        matrix: &[&[],
                  &[r(1, 3)],
                  &[O,        r(2, 3)],
                  &[r(1, 12), r(1, 3),   r(-1, 12)],
                  &[r(-1, 16), r(9, 8),  r(-3, 16), r(-3, 8)],
                  &[O,        r(9, 8),   r(-3, 8),  r(-3, 4),  r(1, 2)],
                  &[r(9, 44), r(-9, 11), r(63, 44), r(18, 11), O, r(-16, 11)]],
        weights: &[r(11, 120), O, r(27, 40), r(27, 40), r(-4, 15), r(-4, 15), r(11, 120)],
        nodes: &[O, r(1, 3), r(2, 3), r(1, 3), r(1, 2), r(1, 2), r(1, 1)] },
];
