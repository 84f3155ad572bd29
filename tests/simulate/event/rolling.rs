//! Contact points that move over their bodies: Euler's disk, a rattleback, an egg that rises, a stone that rights itself.

use super::{Mover, asked, assert_near, assert_sound, column, times};
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::{EventKind, Status, Trajectory};
use nalgebra::{Matrix3, SVector, Vector3, Vector6};
use ode_solvers::{Dop853, System};

fn shipped(name: &str) -> Mover {
    Mover::of(&format!("src/pipeline/models/{name}.json"))
}

/// dot(psi)² = 4 g/(R sin θ) of a thin disc whose centre stands still.
fn precession(theta: f64) -> f64 {
    (4.0 * 9.81 / (0.05 * theta.sin())).sqrt()
}

#[test]
fn a_disk_in_steady_motion_keeps_its_lean_and_its_centre() {
    let disk = shipped("euler_disk").run("steady", &[], 2.0);
    assert_sound(&disk);
    let rate = precession(0.3);
    for theta in column(&disk, "theta") {
        assert_near(theta, 0.3, 1e-8);
    }
    for name in ["x", "y"] {
        column(&disk, name).into_iter().for_each(|x| assert_near(x, 0.0, 1e-8 * 0.05));
    }
    for (t, psi) in column(&disk, "t").into_iter().zip(column(&disk, "psi")) {
        assert_near(psi, 0.5 + rate * t, 1e-8 * (1.0 + rate * t));
    }
    // it carries its weight and needs no friction
    column(&disk, "rim.N").into_iter().for_each(|n| assert_near(n, 9.81, 1e-6));
}

/// With the power −c φ̇² and the energy 3/2 m g R sin θ of the steady motion: cos θ = cos θ₀ exp(k t), k = 8 c/(3 m R²). So θ² is 2 k (t_f − t) at
/// the end, and θ falls with the exponent ½. The resistance also makes the centre move, the less the flatter the disc, and the disc nods.
#[test]
fn a_disk_with_viscous_resistance_rings_down_with_the_exponent_of_a_half() {
    let disk = shipped("euler_disk");
    for (start, c, off, bound) in
        [(0.1_f64, 4e-6, 0.03, 0.015), (0.05, 1e-6, 0.01, 0.005), (0.02, 2e-7, 0.005, 0.002)]
    {
        let k = 8.0 * c / (3.0 * 0.05_f64.powi(2));
        let end = -start.cos().ln() / k;
        let set = [format!("c={c:e}"), format!("theta={start}")];
        let motion = disk.run("spinning_down", &[&set[0], &set[1]], 0.9 * end);
        assert_sound(&motion);
        let (t, theta) = (column(&motion, "t"), column(&motion, "theta"));
        for (t, theta) in t.iter().zip(&theta) {
            let expected = (start.cos() * (k * t).exp()).acos();
            assert_near(*theta, expected, off * expected);
        }
        // between a half of the time and nine tenths of it
        let half = t.iter().position(|t| *t >= 0.5 * end).unwrap();
        let left = |i: usize| 1.0 - t[i] / end;
        let exponent = (theta[t.len() - 1] / theta[half]).ln() / (left(t.len() - 1) / left(half)).ln();
        assert_near(exponent, 0.5, bound);
    }
}

/// A rolling ellipsoid by its own equations: the vertical γ and the angular velocity ω in the body's axes. With r from the centre of mass to the
/// contact, no slip v = r × ω, γ' = γ × ω and I ω' + ω × I ω = r × F, F = m (v' + ω × v + g γ).
#[derive(Clone, Copy)]
struct Rolling {
    inertia: Matrix3<f64>,
    radii: Vector3<f64>,
    height: f64,
    mass: f64,
}

impl Rolling {
    fn arm(&self, vertical: &Vector3<f64>) -> Vector3<f64> {
        let image = self.radii.component_mul(&self.radii).component_mul(vertical);
        Vector3::new(0.0, 0.0, self.height) - image / image.dot(vertical).sqrt()
    }

    fn arm_rate(&self, vertical: &Vector3<f64>, rate: &Vector3<f64>) -> Vector3<f64> {
        let squares = self.radii.component_mul(&self.radii);
        let (image, moved) = (squares.component_mul(vertical), squares.component_mul(rate));
        let size = image.dot(vertical).sqrt();
        image * (moved.dot(vertical) / size.powi(3)) - moved / size
    }
}

impl System<f64, Vector6<f64>> for Rolling {
    fn system(&self, _: f64, y: &Vector6<f64>, dy: &mut Vector6<f64>) {
        let (vertical, spin): (Vector3<f64>, Vector3<f64>) =
            (y.fixed_rows::<3>(0).into(), y.fixed_rows::<3>(3).into());
        let rate = vertical.cross(&spin);
        let (arm, moved) = (self.arm(&vertical), self.arm_rate(&vertical, &rate));
        let velocity = arm.cross(&spin);
        let push = (moved.cross(&spin) + spin.cross(&velocity) + 9.81 * vertical) * self.mass;
        let moment = arm.cross(&push) - spin.cross(&(self.inertia * spin));
        let about =
            self.inertia + (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * self.mass;
        let turned = about.lu().solve(&moment).unwrap();
        dy.fixed_rows_mut::<3>(0).copy_from(&rate);
        dy.fixed_rows_mut::<3>(3).copy_from(&turned);
    }
}

/// γ and ω of a sample of the rattleback, whose rotation is z(psi) x(alpha) y(beta).
fn vertical_and_spin(motion: &Trajectory, row: usize) -> (Vector3<f64>, Vector3<f64>) {
    let of = |name: &str| column(motion, name)[row];
    let ((sa, ca), (sb, cb)) = (of("alpha").sin_cos(), of("beta").sin_cos());
    let vertical = Vector3::new(-sb * ca, sa, cb * ca);
    // the axis of alpha in the body: Ry(−β) x
    let spin = vertical * of("dot(psi)")
        + Vector3::new(cb, 0.0, sb) * of("dot(alpha)")
        + Vector3::y() * of("dot(beta)");
    (vertical, spin)
}

fn tight(state: &str, t_end: f64) -> SimulateOptions {
    SimulateOptions { rtol: Some(1e-13), atol: Some(1e-15), ..asked(state, &[], t_end) }
}

#[test]
fn a_rattleback_reverses_as_by_its_own_equations() {
    let stone = shipped("rattleback");
    let own = Rolling {
        inertia: Matrix3::new(2e-4, -2e-5, 0.0, -2e-5, 1.6e-3, 0.0, 0.0, 0.0, 1.7e-3),
        radii: Vector3::new(0.2, 0.03, 0.02),
        height: 0.01,
        mass: 1.0,
    };
    for (state, end, reverses) in [("spun", 7.0, true), ("spun_the_other_way", 4.0, false)] {
        let motion = stone.try_run(&tight(state, end)).unwrap();
        assert_sound(&motion);
        let (vertical, spin) = vertical_and_spin(&motion, 0);
        let start = Vector6::new(vertical.x, vertical.y, vertical.z, spin.x, spin.y, spin.z);
        let rows = motion.rows.len();
        let dense = end / (rows - 1) as f64;
        let mut solver = Dop853::new(own, 0.0, end + dense, dense, start, 1e-13, 1e-14);
        solver.integrate().unwrap();
        let times = column(&motion, "t");
        for (t, y) in solver.x_out().iter().zip(solver.y_out()) {
            let Some(row) = times.iter().position(|time| (time - t).abs() < 1e-12) else { continue };
            let (vertical, spin) = vertical_and_spin(&motion, row);
            let (v, w): (Vector3<f64>, Vector3<f64>) =
                (y.fixed_rows::<3>(0).into(), y.fixed_rows::<3>(3).into());
            assert!((vertical - v).norm() < 1e-8, "{state} at {t}: {vertical} {v}");
            assert!((spin - w).norm() < 1e-8 * 5.0, "{state} at {t}: {spin} {w}");
        }
        let (vertical, spin) = vertical_and_spin(&motion, 0);
        let (vertical_then, spin_then) = vertical_and_spin(&motion, rows - 1);
        let (before, after) = (spin.dot(&vertical), spin_then.dot(&vertical_then));
        assert_eq!(before * after < 0.0, reverses, "{state}: {before} {after}");
    }
}

/// The axes of a body with a quaternion, as columns, and its angular velocity in them.
fn turned(motion: &Trajectory, row: usize) -> (Matrix3<f64>, Vector3<f64>) {
    let of = |name: &str| column(motion, name)[row];
    let [w, x, y, z] = ["e0", "e1", "e2", "e3"].map(of);
    let [wd, xd, yd, zd] = ["dot(e0)", "dot(e1)", "dot(e2)", "dot(e3)"].map(of);
    let square = w * w + x * x + y * y + z * z;
    let (e, rate) = (Vector3::new(x, y, z), Vector3::new(xd, yd, zd));
    let rotation = (Matrix3::identity() * (w * w - e.norm_squared())
        + e * e.transpose() * 2.0
        + e.cross_matrix() * (2.0 * w))
        / square;
    (rotation, (rate * w - e * wd - e.cross(&rate)) * (2.0 / square))
}

/// The instant at which it turns back, by an expression of its angular velocity; here by its angles.
#[test]
fn the_reversal_is_found_by_an_angular_velocity() {
    let stop = Some("0 - omega(stone, z)".to_string());
    let motion = shipped("rattleback").try_run(&SimulateOptions { stop, ..tight("spun", 9.0) }).unwrap();
    assert_eq!(motion.status, Status::Stopped, "{:?}", motion.reason);
    let (vertical, spin) = vertical_and_spin(&motion, motion.rows.len() - 1);
    assert_near(spin.dot(&vertical), 0.0, 1e-8);
    assert_near(motion.rows[motion.rows.len() - 1][0].0, 6.62, 0.01);
}

/// A sliding ellipsoid by its own equations, in the body's axes: the vertical γ, the angular velocity ω and the velocity v of the centre. With the
/// slip u = v + ω × r: F = N (γ − μ u/|u|), and N such that γ · u stays zero.
struct Sliding {
    body: Rolling,
    friction: f64,
}

impl Sliding {
    /// ω' and v' under a normal force.
    fn accelerations(&self, y: &SVector<f64, 9>, force: f64) -> (Vector3<f64>, Vector3<f64>) {
        let [vertical, spin, velocity] = three(y);
        let arm = self.body.arm(&vertical);
        let slip = velocity + spin.cross(&arm);
        let pull = (vertical - slip * (self.friction / slip.norm())) * force;
        let moment = arm.cross(&pull) - spin.cross(&(self.body.inertia * spin));
        let turned = self.body.inertia.lu().solve(&moment).unwrap();
        (turned, pull / self.body.mass - vertical * 9.81 - spin.cross(&velocity))
    }

    /// The rate of γ · u under a normal force.
    fn closing(&self, y: &SVector<f64, 9>, force: f64) -> f64 {
        let [vertical, spin, velocity] = three(y);
        let rate = vertical.cross(&spin);
        let arm = self.body.arm(&vertical);
        let (turned, moved) = self.accelerations(y, force);
        let arm_rate = self.body.arm_rate(&vertical, &rate);
        rate.dot(&(velocity + spin.cross(&arm)))
            + vertical.dot(&(moved + turned.cross(&arm) + spin.cross(&arm_rate)))
    }

    fn normal_force(&self, y: &SVector<f64, 9>) -> f64 {
        let free = self.closing(y, 0.0);
        -free / (self.closing(y, 1.0) - free)
    }
}

fn three(y: &SVector<f64, 9>) -> [Vector3<f64>; 3] {
    [0, 3, 6].map(|i| y.fixed_rows::<3>(i).into())
}

impl System<f64, SVector<f64, 9>> for Sliding {
    fn system(&self, _: f64, y: &SVector<f64, 9>, dy: &mut SVector<f64, 9>) {
        let [vertical, spin, _] = three(y);
        let (turned, moved) = self.accelerations(y, self.normal_force(y));
        dy.fixed_rows_mut::<3>(0).copy_from(&vertical.cross(&spin));
        dy.fixed_rows_mut::<3>(3).copy_from(&turned);
        dy.fixed_rows_mut::<3>(6).copy_from(&moved);
    }
}

/// γ, ω and v of a sample of a body with a quaternion.
fn vertical_spin_velocity(motion: &Trajectory, row: usize) -> SVector<f64, 9> {
    let of = |name: &str| column(motion, name)[row];
    let (axes, spin) = turned(motion, row);
    let vertical = axes.transpose() * Vector3::z();
    let velocity = axes.transpose() * Vector3::new(of("dot(x)"), of("dot(y)"), of("dot(z)"));
    SVector::from_iterator(vertical.iter().chain(&spin).chain(&velocity).copied())
}

#[test]
fn an_egg_slides_as_by_its_own_equations_hops_and_stands_up() {
    let egg = shipped("rising_egg");
    let (m, a, c) = (0.06, 0.022_f64, 0.029_f64);
    let across = m * (a * a + c * c) / 5.0;
    let own = Sliding {
        body: Rolling {
            inertia: Matrix3::from_diagonal(&Vector3::new(across, across, 0.4 * m * a * a)),
            radii: Vector3::new(a, a, c),
            height: 0.0,
            mass: m,
        },
        friction: 0.2,
    };
    let motion = egg.try_run(&tight("spun", 2.0)).unwrap();
    assert_sound(&motion);
    let hop = times(&motion, EventKind::LiftOff)[0];
    // its own equations until the force vanishes
    let mut solver = Dop853::new(own, 0.0, 0.74, 0.001, vertical_spin_velocity(&motion, 0), 1e-12, 1e-14);
    solver.integrate().unwrap();
    let at = egg.try_run(&tight("spun", 0.74)).unwrap();
    let (found, expected) = (vertical_spin_velocity(&at, at.rows.len() - 1), *solver.y_out().last().unwrap());
    assert!((found - expected).norm() < 1e-8 * expected.norm(), "{found} {expected}");
    assert!(hop > 0.742 && hop < 0.744, "{hop}");
    // it stands on its end
    let upright = |row: usize| turned(&motion, row).0[(2, 2)].abs();
    assert!(upright(0) < 0.11 && upright(motion.rows.len() - 1) > 0.95, "{}", upright(motion.rows.len() - 1));
}

/// Laid down nearly upside down it comes back, and loses energy all the way.
#[test]
fn a_stone_with_its_weight_below_rights_itself() {
    let motion = shipped("roly_poly").run("laid_down", &[], 25.0);
    assert_sound(&motion);
    let upright = |row: usize| turned(&motion, row).0[(2, 2)];
    assert!(
        upright(0) < -0.98 && upright(motion.rows.len() - 1) > 0.99,
        "{}",
        upright(motion.rows.len() - 1)
    );
}
