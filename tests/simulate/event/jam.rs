//! Jam and what bounds it: the wedge of the rod by its linear equation, the exponent of the force, the pendulum on a slider, reverse
//! chatter, the crossing in space.

use super::{Mover, asked, assert_near, assert_sound, column, events, jam_of, kinds};
use mechan::pipeline::{Scheme, SimulateOptions};
use mechan::simulate::trajectory::{EventDetail, EventKind::*, Status, Trajectory};

const MU: f64 = 1.6;

/// The angle of the G-spot that attracts: tan θ = (3μ − √(9μ² − 16))/2.
fn spot() -> f64 {
    (0.5 * (3.0 * MU - (9.0 * MU * MU - 16.0).sqrt())).atan()
}

/// The rod that slips at an angle with the tip on the floor.
fn slide(rod: &Mover, theta: f64, omega: f64, slip: f64) -> Trajectory {
    let (s, c) = theta.sin_cos();
    let set = [
        format!("mu={MU}"),
        format!("theta={theta:e}"),
        format!("dot(theta)={omega:e}"),
        format!("dot(y)={:e}", omega * c),
        format!("dot(x)={:e}", slip + omega * s),
    ];
    rod.run("slipping", &set.each_ref().map(String::as_str), 1.0)
}

/// The rate at which the boundary of the wedge passes an angle: p y' = 6(c − μs)(ys − 1), y = θ̇², is singular at the spot, where
/// y s = 1 and the regular solution has a slope. It is left along that slope, and followed in ln(t* − t) by Runge and Kutta.
fn boundary(theta: f64) -> f64 {
    let end = spot();
    let p = |t: f64| 1.0 + 3.0 * t.cos() * (t.cos() - MU * t.sin());
    let drive = |t: f64| 6.0 * (t.cos() - MU * t.sin());
    let slope_p = -3.0 * ((2.0 * end).sin() + MU * (2.0 * end).cos());
    let y_end = 1.0 / end.sin();
    // with y = y* + k (t − t*): p' k = drive (k s + y c)
    let k = drive(end) * y_end * end.cos() / (slope_p - drive(end) * end.sin());
    let near = 1e-6f64;
    // s = ln(t* − t)
    let rate = |s: f64, y: f64| {
        let t = end - s.exp();
        -s.exp() * drive(t) * (y * t.sin() - 1.0) / p(t)
    };
    let (steps, mut s, mut y) = (20_000, near.ln(), y_end - near * k);
    let h = ((end - theta).ln() - s) / f64::from(steps);
    for _ in 0..steps {
        let a = rate(s, y);
        let b = rate(s + 0.5 * h, y + 0.5 * h * a);
        let c = rate(s + 0.5 * h, y + 0.5 * h * b);
        let d = rate(s + h, y + h * c);
        y += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        s += h;
    }
    y.sqrt()
}

#[test]
fn below_its_boundary_the_wedge_jams_and_above_it_lifts_off() {
    let rod = Mover::kept("painleve_rod");
    for theta in [0.8, 0.75, 0.7] {
        let bound = boundary(theta);
        let inside = slide(&rod, theta, bound - 1e-6, 3.0);
        assert_sound(&inside);
        assert_eq!(kinds(&inside)[..2], [Jam, Iwc], "θ = {theta}, {bound}");
        // however near the boundary
        for above in [1e-6, 1e-5, 1e-4, 4e-4, 8e-4, 2e-3, 4e-3, 1e-2, 1.5e-2, 2e-2] {
            let outside = slide(&rod, theta, bound + above, 3.0);
            assert_sound(&outside);
            assert_eq!(kinds(&outside)[0], LiftOff, "θ = {theta}, {bound} + {above}");
        }
    }
}

/// α₁ = −3(sin 2θ + μ cos 2θ)θ̇, β = 6θ̇ sin θ (cos θ − μ sin θ), θ̇² = 1/sin θ; λ ~ (t* − t)^(β/α₁ − 1).
#[test]
fn the_force_grows_with_the_exponent_of_the_theory() {
    let rod = Mover::kept("painleve_rod");
    let theta = spot();
    let omega = 1.0 / theta.sin().sqrt();
    let alpha1 = -3.0 * ((2.0 * theta).sin() + MU * (2.0 * theta).cos()) * omega;
    let beta = 6.0 * omega * theta.sin() * (theta.cos() - MU * theta.sin());
    let exponent = beta / alpha1 - 1.0;
    for (start, rate, slip) in
        [(0.8, 0.6, 3.0), (0.8, 0.9, 3.0), (0.8, 1.0, 5.0), (0.7, 0.9, 3.0), (0.75, 0.8, 4.0)]
    {
        let trajectory = slide(&rod, start, rate, slip);
        let (_, detail) = jam_of(&trajectory);
        assert_eq!(detail.class, "G1");
        assert_near(detail.force_exponent_theory.0, exponent, 1e-9);
        assert_near(detail.force_exponent.0, exponent, 0.01);
        let jam = events(&trajectory, Jam)[0];
        assert_near(super::at(jam, "theta")[0], theta, 1e-9);
        assert_near(super::at(jam, "theta")[1], omega, 1e-9);
    }
}

/// κ = m²l²/((M + m)(I + ml²)): p = 0 at tan θ = (κμ − √(κ²μ² − 4(1 − κ)))/(2(1 − κ)), b = 0 at θ̇² = (M + m) g cos χ/(m l sin θ).
#[test]
fn the_pendulum_on_a_slider_jams() {
    let slider = Mover::kept("pendulum_on_slider");
    let trajectory = slider.run("sliding", &["mu=1", "theta=0.6", "dot(theta)=5", "dot(x)=3"], 0.1);
    let kappa: f64 = 1.0 / (1.1 * 1.01);
    let theta = ((kappa - (kappa * kappa - 4.0 * (1.0 - kappa)).sqrt()) / (2.0 * (1.0 - kappa))).atan();
    let rate = (1.1 * 9.81 * (std::f64::consts::PI / 12.0).cos() / (0.5 * theta.sin())).sqrt();
    let (_, detail) = jam_of(&trajectory);
    let [at, turning] = super::at(events(&trajectory, Jam)[0], "theta");
    assert_near(at, theta, 1e-9);
    assert_near(turning, rate, 1e-8);
    assert_eq!(detail.class, "G1");
    assert_near(detail.force_exponent.0, detail.force_exponent_theory.0, 0.01);
}

/// Bounces out of stick grow by e_eff   [CV16 (29)].
#[test]
fn reverse_chatter_grows_by_the_effective_restitution() {
    let rod = Mover::kept("painleve_rod");
    let trajectory = rod.run("reverse_chatter", &["dot(y)=1e-5"], 0.002);
    let rates: Vec<f64> = events(&trajectory, Impact)
        .iter()
        .map(|event| {
            let EventDetail::Impact(detail) = &event.detail else { panic!() };
            detail.post.v.0
        })
        .collect();
    // tan θ = 2: A = 3.4, B = 1.2, C = 1.6; a = 6, b = −1, μ = 1.2, e = 0.8
    let (A, B, C, mu, e) = (3.4, 1.2, 1.6, 1.2, 0.8);
    let (k, p, stick) = (mu * A - B, C - mu * B, (A * C - B * B) / A);
    let v = -1.0 + p * 2.0 * 6.0 / k;
    let gain = f64::sqrt(e * e * (v * v + stick / p * (1.0 - v * v)));
    assert!(rates.len() > 4 && gain > 2.0);
    for pair in rates.windows(2).take(5) {
        assert_near(pair[1] / pair[0], gain, 1e-5 * gain);
    }
}

/// In space the slip turns until p = 0 while b < 0: p ~ √(t* − t), and the force grows like its inverse   [CV16 (59)-(64)].
#[test]
fn the_rod_in_space_crosses_the_boundary_of_the_paradox() {
    let rod = Mover::kept("rod_3d");
    let trajectory = rod.run("oblique", &["mu=1.6"], 0.0648);
    let (crossing, detail) = jam_of(&trajectory);
    assert_eq!((detail.class.as_ref(), kinds(&trajectory)[1]), ("crossing", Iwc));
    assert!(detail.b.0 < -0.1 && detail.p.0.abs() < 1e-4, "{detail:?}");
    assert_near(detail.force_exponent.0, -0.5, 0.01);
    let (t, N) = (column(&trajectory, "t"), column(&trajectory, "tip.N"));
    let before: Vec<usize> = (0..t.len()).filter(|&i| t[i] < crossing).rev().take(2).collect();
    let slope =
        (N[before[1]] / N[before[0]]).ln() / ((crossing - t[before[1]]) / (crossing - t[before[0]])).ln();
    assert_near(slope, -0.5, 0.05);
}

/// What the compliant contact does through the jam tends to the impact without collision that the rigid run takes: in time
/// like ε^(2/3), in the velocity after it like ε^(1/3), the scales of the regularised jam (`docs/studies/beyond_jam.md`).
#[test]
fn compliant_runs_go_through_the_jam_as_the_rigid_one_does() {
    let rod = Mover::kept("painleve_rod");
    let rigid = rod.run("before_jam", &[], 0.1);
    assert_eq!(kinds(&rigid), [Jam, Iwc, LiftOff, End]);
    let jam = events(&rigid, LiftOff)[0];
    let run = |eps: f64| {
        let options =
            SimulateOptions { scheme: Scheme::Compliant, eps: vec![eps], ..asked("before_jam", &[], 0.1) };
        let trajectory = rod.try_run(&options).unwrap();
        let left = *events(&trajectory, LiftOff).last().unwrap();
        [left.t.0 - jam.t.0, super::at(left, "theta")[1] - super::at(jam, "theta")[1]]
    };
    let misses = [1e-4, 1e-5, 1e-6].map(run);
    for pair in misses.windows(2) {
        let factors = [0, 1].map(|i| pair[0][i] / pair[1][i]);
        assert!((3.5..5.5).contains(&factors[0]) && (1.5..2.6).contains(&factors[1]), "{misses:?}");
    }
    assert!(misses[2][0].abs() < 5e-4 && misses[2][1].abs() < 4e-3, "{misses:?}");
}

/// Held at its upper end, the chalk has two freedoms: with J = I + ml² cos²θ, A = 1/m + l² sin²θ/J, B = 2l² sin θ cos θ/J,
/// C = 4l² cos²θ/J. The board throws it up by an impact without collision; its hops die by the restitution, and the tip sticks.
#[test]
fn pushed_chalk_hops_and_comes_to_stick() {
    let chalk = Mover::kept("pushed_chalk");
    let trajectory = chalk.run("hopping", &[], 0.02);
    assert_sound(&trajectory);
    let (m, l, mu, e, u) = (0.01, 0.04f64, 0.7, 0.5, 0.2);
    let (s, c) = (5.0 * std::f64::consts::PI / 12.0).sin_cos();
    let J = m * l * l / 3.0 + m * l * l * c * c;
    let (A, B, C) = (1.0 / m + l * l * s * s / J, 2.0 * l * l * s * c / J, 4.0 * l * l * c * c / J);
    let (p, k, stick) = (C - mu * B, mu * A - B, (A * C - B * B) / A);
    assert!(p < 0.0);
    let thrown = e * (p * u / k).abs() * (1.0 + stick / p.abs()).sqrt();
    let EventDetail::Impact(iwc) = &events(&trajectory, Iwc)[0].detail else { panic!() };
    assert_near(iwc.post.v.0, thrown, 1e-12);
    let EventDetail::Chatter { ratio, .. } = events(&trajectory, ChatterEnd)[0].detail else { panic!() };
    assert_near(ratio.0, e, 1e-3);
    assert_eq!(
        kinds(&trajectory).iter().rev().take(3).rev().collect::<Vec<_>>(),
        [&ChatterEnd, &Stick, &End]
    );
}

/// At rest against the running belt above the critical friction: an impact without collision takes the tip along, it lifts off as the
/// springs let go, and comes down again, and again.
#[test]
fn the_frictional_oscillator_hops_along_its_belt() {
    let oscillator = Mover::kept("frictional_impact_oscillator");
    let trajectory = oscillator.run("inconsistent", &[], 2.5);
    assert_sound(&trajectory);
    let found = kinds(&trajectory);
    assert_eq!(found[0], Iwc);
    // perfectly plastic: stick at once, u = v = 0, as Poisson's law with e = 0 has it
    let EventDetail::Impact(iwc) = &events(&trajectory, Iwc)[0].detail else { panic!() };
    assert_near(iwc.post.v.0, 0.0, 1e-12);
    // A = 1/m₁ − m₂ cos²θ/(m₁(m₁ + m₂)), B = m₂ sin θ cos θ/(m₁(m₁ + m₂)); tan²θ = (m₁ + m₂)/m₁ = 11; the impulse is u/(μA − B)
    let (cos2, m1, m2, mu) = (1.0 / 12.0f64, 0.1, 1.0, 0.8);
    let (A, B) =
        (1.0 / m1 - m2 * cos2 / (m1 * (m1 + m2)), m2 * (cos2 * (1.0 - cos2)).sqrt() / (m1 * (m1 + m2)));
    let C = 1.0 / m1 - m2 * (1.0 - cos2) / (m1 * (m1 + m2));
    let slip = 1.0 / (mu * A - B);
    // after the slip ends the gap rate (C − μB)P is brought to zero in stick
    let compress = slip - (C - mu * B) * slip / ((A * C - B * B) / A);
    assert_near(iwc.impulse.normal.0, compress, 1e-12);
    let hops = events(&trajectory, LiftOff).len();
    assert!((20..30).contains(&hops), "{hops}");
    for pair in found[1..].windows(2).take(40) {
        assert!(matches!(pair, [LiftOff, Impact] | [Impact, LiftOff]), "{found:?}");
    }
}

/// A jam on a moving belt: what the belt works in the last instant counts.
#[test]
fn a_jam_on_a_belt_accounts_for_its_work() {
    let oscillator = Mover::of("src/pipeline/models/frictional_impact_oscillator.json");
    let trajectory = oscillator.run("riding_the_belt", &["mu=0.6736181335449973"], 1.3);
    assert_eq!(events(&trajectory, Jam).len(), 2);
    assert_near(trajectory.energy.defect.0, 0.0, 1e-9);
}

/// Forces that were a hundred thousand times what would hold the light plate on the floor, all along, are no jam, whatever else ends the motion.
#[test]
fn a_heavy_block_on_a_light_plate_is_no_jam() {
    let mover = Mover::of("tests/simulate/models/heavy_block.json");
    let trajectory = mover.run("go", &[], 2.0);
    assert_eq!(trajectory.status, Status::Failed);
    let reason = trajectory.reason.unwrap();
    assert!(reason.contains("steps shrink to nothing"), "{reason}");
}
