//! Dimensions of what the shipped mechanisms are given by, and of everything that a report says about a state.

/// Exponents of mass, length and time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dim(pub(crate) i32, pub(crate) i32, pub(crate) i32);

pub(crate) const ONE: Dim = Dim(0, 0, 0);
pub(crate) const MASS: Dim = Dim(1, 0, 0);
pub(crate) const LENGTH: Dim = Dim(0, 1, 0);
pub(crate) const TIME: Dim = Dim(0, 0, 1);
pub(crate) const SPEED: Dim = Dim(0, 1, -1);
pub(crate) const ACCELERATION: Dim = Dim(0, 1, -2);
pub(crate) const FORCE: Dim = Dim(1, 1, -2);
pub(crate) const IMPULSE: Dim = Dim(1, 1, -1);
pub(crate) const ENERGY: Dim = Dim(1, 2, -2);
pub(crate) const MOBILITY: Dim = Dim(-1, 0, 0);
const INERTIA: Dim = Dim(1, 2, 0);
const STIFFNESS: Dim = Dim(1, 0, -2);
const DAMPING: Dim = Dim(1, 0, -1);

impl Dim {
    pub(crate) fn times(self, o: Dim) -> Dim {
        Dim(self.0 + o.0, self.1 + o.1, self.2 + o.2)
    }

    pub(crate) fn over(self, o: Dim) -> Dim {
        Dim(self.0 - o.0, self.1 - o.1, self.2 - o.2)
    }
}

/// The parameters of a mechanism with dimensions; all others are numbers. A fixed unit of mass in the equations
/// themselves leaves no freedom to change it.
#[rustfmt::skip]
const PARAMETERS: &[(&str, &[(&str, Dim)])] = &[
    ("bouncing_ball", &[("f", ACCELERATION)]),
    ("box_on_incline", &[("m", MASS), ("w", LENGTH), ("h", LENGTH), ("g", ACCELERATION), ("l", LENGTH), ("I", INERTIA)]),
    ("brick_stack", &[("m", MASS), ("a", LENGTH), ("h", LENGTH), ("I", INERTIA), ("g", ACCELERATION), ("o_1", LENGTH), ("o_2", LENGTH), ("o_3", LENGTH)]),
    ("compass_biped", &[("m_h", MASS), ("m", MASS), ("l", LENGTH), ("c", LENGTH), ("I", INERTIA), ("g", ACCELERATION)]),
    ("crushed_ball", &[("m", MASS), ("R", LENGTH), ("I", INERTIA), ("g", ACCELERATION), ("u_0", SPEED)]),
    ("euler_disk", &[("m", MASS), ("R", LENGTH), ("g", ACCELERATION), ("c", Dim(1, 2, -1))]),
    ("falling_pencil", &[("m", MASS), ("l", LENGTH), ("g", ACCELERATION), ("I", INERTIA)]),
    ("double_pendulum_wall", &[("m1", MASS), ("m2", MASS), ("l1", LENGTH), ("l2", LENGTH), ("g", ACCELERATION), ("d", LENGTH)]),
    ("frictional_impact_oscillator", &[("m1", MASS), ("m2", MASS), ("l", LENGTH), ("g", ACCELERATION), ("k_x", STIFFNESS),
        ("c_x", DAMPING), ("k_theta", ENERGY), ("c_theta", Dim(1, 2, -1)), ("v_belt", SPEED)]),
    ("ladder", &[("m", MASS), ("l", LENGTH), ("I", INERTIA), ("g", ACCELERATION)]),
    ("linear_oscillator", &[("m", MASS), ("c", DAMPING), ("k", STIFFNESS)]),
    ("overhang_block", &[("m", MASS), ("w", LENGTH), ("h", LENGTH), ("I", INERTIA), ("g", ACCELERATION)]),
    ("painleve_klein", &[("m", MASS), ("r", LENGTH), ("I", INERTIA), ("F", FORCE), ("T", ENERGY)]),
    ("painleve_rod", &[("m", MASS), ("l", LENGTH), ("g", ACCELERATION), ("I", INERTIA), ("F_x", FORCE), ("F_y", FORCE), ("T", ENERGY)]),
    ("pendulum_on_slider", &[("M", MASS), ("m", MASS), ("l", LENGTH), ("I", INERTIA), ("g", ACCELERATION)]),
    ("pushed_chalk", &[("m", MASS), ("l", LENGTH), ("I", INERTIA), ("h", LENGTH), ("v_b", SPEED), ("T", ENERGY), ("k", STIFFNESS), ("c", DAMPING)]),
    ("rattleback", &[("m", MASS), ("a", LENGTH), ("b", LENGTH), ("c", LENGTH), ("h", LENGTH), ("A", INERTIA), ("B", INERTIA), ("C", INERTIA),
        ("D", INERTIA), ("g", ACCELERATION)]),
    ("rectangle_on_circles", &[("m", MASS), ("w", LENGTH), ("h", LENGTH), ("I", INERTIA), ("g", ACCELERATION), ("R", LENGTH),
        ("d", LENGTH), ("u_x", SPEED), ("u_y", SPEED)]),
    ("rimless_wheel", &[("m", MASS), ("l", LENGTH), ("g", ACCELERATION), ("I", INERTIA)]),
    ("rising_egg", &[("m", MASS), ("a", LENGTH), ("c", LENGTH), ("g", ACCELERATION), ("spin", Dim(0, 0, -1))]),
    ("rod_3d", &[("m", MASS), ("l", LENGTH), ("g", ACCELERATION), ("I", INERTIA)]),
    ("roly_poly", &[("m", MASS), ("a", LENGTH), ("b", LENGTH), ("c", LENGTH), ("h", LENGTH), ("g", ACCELERATION), ("k", Dim(1, 2, -1))]),
    ("shovel", &[("m", MASS), ("R", LENGTH), ("r", LENGTH), ("g", ACCELERATION), ("u_0", SPEED)]),
    ("slope_body", &[("m", MASS), ("rho", LENGTH), ("g", ACCELERATION), ("h", LENGTH), ("x1", LENGTH), ("x2", LENGTH)]),
    ("square_on_ground", &[("m", MASS), ("s", LENGTH), ("I", INERTIA), ("g", ACCELERATION), ("F", FORCE), ("f", LENGTH)]),
    ("standing_biped", &[("m", MASS), ("rho", LENGTH), ("h", LENGTH), ("w", LENGTH), ("g", ACCELERATION), ("F", FORCE)]),
    ("swinging_bar", &[("m", MASS), ("l", LENGTH), ("g", ACCELERATION), ("u_0", SPEED)]),
    ("three_finger_grasp", &[("m", MASS), ("R", LENGTH), ("I", INERTIA), ("g", ACCELERATION), ("T", ENERGY)]),
    ("tumbling_body", &[("m", MASS), ("rho", LENGTH), ("g", ACCELERATION), ("h", LENGTH), ("x1", LENGTH), ("x2", LENGTH)]),
    ("two_link_manipulator", &[("m1", MASS), ("m2", MASS), ("l1", LENGTH), ("l2", LENGTH), ("H", LENGTH), ("g", ACCELERATION),
        ("tau_1", ENERGY), ("tau_2", ENERGY)]),
    ("two_point_body", &[("m", MASS), ("rho", LENGTH), ("g", ACCELERATION), ("x1", LENGTH), ("y1", LENGTH), ("x2", LENGTH),
        ("y2", LENGTH), ("d1", LENGTH), ("d2", LENGTH), ("v_0", SPEED)]),
    ("vibrating_plate", &[("m", MASS), ("R", LENGTH), ("I", INERTIA), ("g", ACCELERATION), ("a", LENGTH), ("omega", Dim(0, 0, -1)), ("tau", ENERGY)]),
    ("wheel_on_ground", &[("m", MASS), ("R", LENGTH), ("I", INERTIA), ("g", ACCELERATION)]),
    ("woodpecker", &[("r_O", LENGTH), ("r_M", LENGTH), ("h_M", LENGTH), ("l_M", LENGTH), ("l_G", LENGTH), ("h_S", LENGTH), ("l_S", LENGTH),
        ("m_M", MASS), ("m_S", MASS), ("J_M", INERTIA), ("J_S", INERTIA), ("c", ENERGY), ("g", ACCELERATION)]),
];

/// The dimension of a parameter.
pub(crate) fn parameter(mechanism: &str, name: &str) -> Dim {
    let (_, listed) =
        PARAMETERS.iter().find(|(m, _)| *m == mechanism).unwrap_or_else(|| panic!("no {mechanism}"));
    listed.iter().find(|(p, _)| *p == name).map_or(ONE, |(_, dim)| *dim)
}

/// The dimension of a coordinate: angles are named by their Greek letters, parts of quaternions by e.
pub(crate) fn coordinate(name: &str) -> Dim {
    let numbers = ["theta", "psi", "phi", "alpha", "beta", "e0", "e1", "e2", "e3"];
    let angle = numbers.iter().any(|start| name.starts_with(start));
    if angle { ONE } else { LENGTH }
}

/// Whether the equations of a mechanism have a fixed mass.
pub(crate) fn has_unit_mass(mechanism: &str) -> bool {
    mechanism == "bouncing_ball"
}
