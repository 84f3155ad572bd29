//! Heaps with known answers, at sizes where the answer cannot be looked up.

use mechan::incremental::existence::{Conclusion, Margin, assess};

use crate::heaps::{Sides, ball_lattice, brick_wall};

#[test]
fn a_free_wall_can_always_expand() {
    let existence = assess(&brick_wall(6, 5, 0.6, Sides::Free));
    assert!(existence.no_wedging.holds());
    assert_eq!(existence.margin, Margin::Unbounded);
    assert_eq!(existence.conclusion(), Conclusion::Stable);
}

#[test]
fn a_wall_between_fixed_abutments_is_wedged_but_has_a_solution() {
    let existence = assess(&brick_wall(6, 5, 0.6, Sides::Walls(0.0)));
    assert!(existence.no_wedging.fails());
    assert!(existence.strong.fails());
    assert!(existence.weak.holds());
    assert_eq!(existence.conclusion(), Conclusion::Exists);
}

#[test]
fn a_squeezed_wall_must_be_penetrated() {
    let existence = assess(&brick_wall(6, 5, 0.6, Sides::Walls(-0.25)));
    assert!(existence.non_penetration.fails());
    assert!(existence.klarbring_pang.fails());
    assert_eq!(existence.conclusion(), Conclusion::Impossible);
}

#[test]
fn a_wall_whose_abutments_retreat_has_a_margin() {
    let existence = assess(&brick_wall(6, 5, 0.6, Sides::Walls(0.25)));
    assert!(existence.strong.holds());
    assert!(existence.no_wedging.fails());
}

#[test]
fn balls_in_space_behave_like_bricks() {
    assert!(assess(&ball_lattice(3, 0.5, Sides::Free)).no_wedging.holds());
    let held = assess(&ball_lattice(3, 0.5, Sides::Walls(0.0)));
    assert!(held.no_wedging.fails() && held.strong.fails() && held.weak.holds());
    let squeezed = assess(&ball_lattice(3, 0.5, Sides::Walls(-1.0)));
    assert_eq!(squeezed.conclusion(), Conclusion::Impossible);
    assert!(assess(&ball_lattice(3, 0.5, Sides::Walls(1.0))).strong.holds());
}
