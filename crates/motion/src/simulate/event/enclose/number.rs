//! Numbers that enclose what a motion passes through.

use crate::num::{Ball, Dual, Interval, Real, Strip};
use crate::simulate::trajectory::RowFunction;

/// A number over a box of states, and its rate along the motion.
pub(super) type Moving = Dual<Ball>;

/// A number that encloses.
pub(super) trait Enclosing: Real {
    /// What it encloses.
    fn range(self) -> Interval;
    /// What only contains it all.
    fn unbounded() -> Self;
    /// What is of size one at most, and changes at any rate.
    fn up_to_one() -> Self;
    /// A function of a row.
    fn of_row(function: RowFunction<'_>, row: &[Self]) -> Option<Self>;
    /// √(x² + y²), which may reach zero.
    fn length(x: Self, y: Self) -> Self;
    /// The product, where one of the two is often the same everywhere.
    #[inline]
    fn times(self, o: Self) -> Self {
        self * o
    }
}

/// From 0 to a bound.
fn up_to(most: f64) -> Ball {
    Ball::new(0.5 * most, 0.5 * most)
}

impl Enclosing for Moving {
    #[inline]
    fn range(self) -> Interval {
        self.re.range()
    }

    fn unbounded() -> Self {
        Dual::fixed(Ball::around(Interval::WHOLE))
    }

    fn up_to_one() -> Self {
        Dual::new(Ball::new(0.0, 1.0), Ball::around(Interval::WHOLE))
    }

    fn of_row(function: RowFunction<'_>, row: &[Self]) -> Option<Self> {
        function.moving(row)
    }

    fn length(x: Self, y: Self) -> Self {
        let exact = (x * x + y * y).sqrt();
        if exact.eps.range().is_bounded() {
            return exact;
        }
        let size = |of: fn(Self) -> Ball| of(x).range().magnitude().hypot(of(y).range().magnitude());
        let rate = size(|x| x.eps);
        Dual::new(up_to(size(|x| x.re)), Ball::new(0.0, rate))
    }
}

impl Enclosing for Strip {
    #[inline]
    fn range(self) -> Interval {
        Strip::range(self)
    }

    fn unbounded() -> Self {
        Strip::of([0.0; 6], f64::INFINITY)
    }

    fn up_to_one() -> Self {
        Strip::of_ball(Ball::new(0.0, 1.0))
    }

    fn of_row(function: RowFunction<'_>, row: &[Self]) -> Option<Self> {
        function.along(row)
    }

    #[inline]
    fn times(self, o: Self) -> Self {
        Strip::times(self, o)
    }

    fn length(x: Self, y: Self) -> Self {
        let exact = (x * x + y * y).sqrt();
        let most = || Strip::range(x).magnitude().hypot(Strip::range(y).magnitude());
        if Strip::range(exact).is_bounded() { exact } else { Strip::of_ball(up_to(most())) }
    }
}
