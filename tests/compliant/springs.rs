//! Tangential springs, contacts that hold both ways, contacts that are not active: against closed forms and a return map by hand.

use super::linear::Linear;
use super::{Subject, column, laws};
use mechan::contact::{Hold, Laws};
use mechan::simulate::compliant::{Motion, Options, Preload};
use mechan::simulate::trajectory::{EventKind, Status};
use mechan::stepping::PointFunction;

const EPS: f64 = 1e-2;

fn sprung(mu: f64, k_T: f64) -> Laws {
    let rigid = laws(mu, 1.0, 1.0);
    Laws { compliance: rigid.compliance.with_tangential(k_T).unwrap(), ..rigid }
}

/// A point of mass 1 on a line or plane, forces along it; gravity 10.
fn point(along: &[f64]) -> Linear {
    let d = along.len();
    let row = |i: usize| (0..=d).map(|j| f64::from(u8::from(i == j))).collect::<Vec<_>>();
    let mut rows = vec![row(d)];
    rows.extend((0..d).map(row));
    let mut forces = along.to_vec();
    forces.push(-10.0);
    Linear { masses: vec![1.0; d + 1], stiffness: vec![0.0; d + 1], forces, contacts: vec![rows] }
}

/// A subject whose normal spring holds the weight from the start.
fn loaded(along: &[f64], v: &[f64], laws: Laws) -> Subject {
    point(along).subject(&vec![0.0; v.len()], v, laws, &[0])
}

fn run(subject: &Subject, samples: usize, end: f64) -> Motion {
    let preload = [Preload { contact: 0, Y: -10.0, V: 0.0 }];
    let motion = subject.run(&Options { samples, preload: &preload, ..Options::new(EPS, end) });
    assert_eq!(motion.trajectory.status, Status::End, "{:?}", motion.trajectory.reason);
    let energy = motion.trajectory.energy;
    assert!(energy.defect.0.abs() < 1e-8, "{energy:?}");
    motion
}

fn times(motion: &Motion, kind: EventKind) -> Vec<f64> {
    motion.trajectory.events.iter().filter(|e| e.kind == kind).map(|e| e.t.0).collect()
}

/// u₀ cos ωt with ω = √k_T/ε, as long as √k_T u₀/ε < μN.
#[test]
fn a_spring_within_its_cone_vibrates_without_loss() {
    let omega = 2.0_f64.sqrt() / EPS;
    let motion = run(&loaded(&[0.0], &[0.03, 0.0], sprung(0.5, 2.0)), 301, 0.5);
    assert_eq!(motion.trajectory.phases.len(), 1);
    let (t, u, T) = (
        column(&motion.trajectory, "t"),
        column(&motion.trajectory, "c0.slip"),
        column(&motion.trajectory, "c0.T"),
    );
    for k in 0..t.len() {
        let (sin, cos) = (omega * t[k]).sin_cos();
        assert!((u[k] - 0.03 * cos).abs() < 1e-6, "{k} {} {}", u[k], 0.03 * cos);
        assert!((T[k] + 0.03 * omega * sin).abs() < 1e-4, "{k} {}", T[k]);
    }
    assert!(motion.trajectory.energy.friction.0.abs() < 1e-12);
}

/// Under a constant N the end slips as fast as the point, which stops at u₀/(μg): the spring then swings from cone to cone.
#[test]
fn a_slip_ends_with_a_stretched_spring() {
    let motion = run(&loaded(&[0.0], &[1.0, 0.0], sprung(0.5, 2.0)), 301, 0.3);
    // until the spring is as long as μN, ω t₁ = asin(μN/(√k_T u₀/ε))
    let omega = 2.0_f64.sqrt() / EPS;
    let reached = 5.0 / omega;
    let begun = reached.asin() / omega;
    let speed = (1.0 - reached * reached).sqrt();
    let (slips, stops) = (times(&motion, EventKind::Slip), times(&motion, EventKind::Stick));
    assert!((slips[0] - begun).abs() < 1e-8, "{slips:?} {begun}");
    assert!((stops[0] - (begun + speed / 5.0)).abs() < 1e-8, "{stops:?}");
    let (t, T) = (column(&motion.trajectory, "t"), column(&motion.trajectory, "c0.T"));
    for k in 0..t.len() {
        let swing = -5.0 * (omega * (t[k] - stops[0])).cos();
        let expected = if t[k] < stops[0] { continue } else { swing };
        assert!((T[k] - expected).abs() < 1e-3, "{k} {} {expected} {stops:?} {slips:?}", T[k]);
    }
    // half of u₁² less what the spring holds was lost
    let held = 0.5 * 25.0 * EPS * EPS / 2.0;
    let friction = motion.trajectory.energy.friction.0;
    assert!((friction + 0.5 - held).abs() < 1e-7, "{friction}");
}

/// The same by small steps and a return to the cone: x ← x + u Δt, cut to |x| = ε²μN/k_T.
fn by_return(along: [f64; 2], mut u: [f64; 2], (mu, k_T): (f64, f64), end: f64) -> ([f64; 2], [f64; 2]) {
    let (steps, mut x) = (4_000_000, [0.0; 2]);
    let dt = end / f64::from(steps);
    let longest = EPS * EPS * mu * 10.0 / k_T;
    for _ in 0..steps {
        for k in 0..2 {
            u[k] += dt * (along[k] - k_T * x[k] / EPS / EPS);
            x[k] += dt * u[k];
        }
        let size = x[0].hypot(x[1]);
        if size > longest {
            x = x.map(|x| x * longest / size);
        }
    }
    (u, x.map(|x| -k_T * x / EPS / EPS))
}

#[test]
fn a_spring_in_space_turns_as_by_small_steps() {
    let (along, u, end) = ([0.0, 2.0], [1.0, 0.0], 0.3);
    let motion = run(&loaded(&along, &[u[0], u[1], 0.0], sprung(0.4, 3.0)), 3, end);
    let (speed, force) = by_return(along, u, (0.4, 3.0), end);
    let last = motion.trajectory.rows.last().unwrap();
    let of = |name: &str| last[motion.trajectory.columns.iter().position(|column| column == name).unwrap()].0;
    for (name, expected) in
        [("c0.slip1", speed[0]), ("c0.slip2", speed[1]), ("c0.T1", force[0]), ("c0.T2", force[1])]
    {
        assert!(
            (of(name) - expected).abs() < 2e-5 * expected.abs().max(0.1),
            "{name} {} {expected}",
            of(name)
        );
    }
    assert!(speed[1] > 0.05, "{speed:?}");
}

/// A line in space is the line in the plane, whatever its direction.
#[test]
fn a_spring_along_a_line_in_space_is_that_of_the_plane() {
    let plane = run(&loaded(&[0.0], &[0.5, 0.0], sprung(0.5, 2.0)), 41, 0.2);
    let (s, c) = 0.6_f64.sin_cos();
    let space = run(&loaded(&[0.0, 0.0], &[0.5 * c, 0.5 * s, 0.0], sprung(0.5, 2.0)), 41, 0.2);
    let stop = [&plane, &space].map(|motion| times(motion, EventKind::Stick)[0]);
    assert!((stop[0] - stop[1]).abs() < 1e-8, "{stop:?}");
    let [one, two] = ["c0.T1", "c0.T2"].map(|name| column(&space.trajectory, name));
    let T = column(&plane.trajectory, "c0.T");
    for k in 0..T.len() {
        let (along, across) = (c * one[k] + s * two[k], c * two[k] - s * one[k]);
        assert!((along - T[k]).abs() < 1e-4 && across.abs() < 1e-4, "{k} {along} {} {across}", T[k]);
    }
}

/// With a stiff spring an impact is that with true stick.
#[test]
fn a_stiff_spring_sticks() {
    let end = |laws: Laws| {
        let ball = point(&[0.0]).subject(&[0.0, 0.2], &[0.3, 0.0], laws, &[]);
        let motion = ball.run(&Options { samples: 3, ..Options::new(1e-4, 0.3) });
        assert_eq!(motion.trajectory.status, Status::End);
        assert!(motion.trajectory.energy.defect.0.abs() < 1e-8, "{:?}", motion.trajectory.energy);
        let last = motion.trajectory.rows.last().unwrap();
        [last[3].0, last[4].0]
    };
    let (held, stiff) = (end(laws(0.05, 1.0, 0.6)), end(Laws { ..with(laws(0.05, 1.0, 0.6), 1e4) }));
    assert!((held[0] - stiff[0]).abs() < 1e-3 && (held[1] - stiff[1]).abs() < 1e-9, "{held:?} {stiff:?}");
}

fn with(laws: Laws, k_T: f64) -> Laws {
    Laws { compliance: laws.compliance.with_tangential(k_T).unwrap(), ..laws }
}

/// A guide that holds y + z = 0 against the spring of z: N = k z/2 with z = z₀ cos √(k/2) t changes its sign, and friction
/// takes μ∫|N| from the speed along it.
#[test]
fn a_bilateral_contact_pulls_and_pushes() {
    let k = 50.0;
    let guide = Linear {
        masses: vec![1.0; 3],
        stiffness: vec![0.0, 0.0, k],
        forces: vec![0.0; 3],
        contacts: vec![vec![vec![0.0, 1.0, 1.0], vec![1.0, 0.0, 0.0]]],
    };
    let bilateral = Laws { hold: Hold::Bilateral, ..laws(0.2, 1.0, 1.0) };
    let subject = guide.subject(&[0.0, -0.1, 0.1], &[1.0, 0.0, 0.0], bilateral, &[0]);
    let motion = subject.run(&Options { samples: 101, ..Options::new(1e-6, 1.0) });
    assert_eq!(motion.trajectory.status, Status::End, "{:?}", motion.trajectory.reason);
    assert!(motion.trajectory.energy.defect.0.abs() < 1e-8, "{:?}", motion.trajectory.energy);
    let (u, N) = (column(&motion.trajectory, "c0.slip"), column(&motion.trajectory, "c0.N"));
    // ω = 5: N = 2.5 cos 5t, ∫|cos 5t| dt over 1 s
    let lost = |t: f64| {
        let turns = (5.0 * t / std::f64::consts::PI + 0.5).floor();
        let sign = if turns as i64 % 2 == 0 { 1.0 } else { -1.0 };
        (2.0 * turns + sign * (5.0 * t).sin()) / 5.0
    };
    for i in 1..101 {
        let t = 0.01 * i as f64;
        assert!((N[i] - 2.5 * (5.0 * t).cos()).abs() < 1e-4, "{t} {}", N[i]);
        assert!((u[i] - (1.0 - 0.2 * 2.5 * lost(t))).abs() < 1e-5, "{t} {}", u[i]);
    }
    assert!(motion.trajectory.events.iter().all(|event| event.kind == EventKind::End));
    assert!(motion.peaks.iter().flatten().any(|peak| *peak > 2.4));
}

/// A ball that may bounce until t = 0.25 meets the ground at 0.2, and falls through it after that.
#[test]
fn a_contact_that_is_not_active_lets_through() {
    let ball = point(&[0.0]).subject(&[0.0, 0.2], &[0.0; 2], laws(0.5, 1.0, 0.6), &[]);
    let run = |active: PointFunction<'_>| {
        let motion = ball.run_where(active, &Options::new(1e-6, 0.7));
        assert_eq!(motion.trajectory.status, Status::End);
        (times(&motion, EventKind::Touch), motion.trajectory.rows.last().unwrap()[2].0)
    };
    let (touches, height) = run(&|row: &[f64]| row[0] - 0.25);
    assert!(touches.is_empty() && (height - (0.2 - 5.0 * 0.49)).abs() < 1e-9, "{touches:?} {height}");
    let (touches, height) = run(&|row| 0.25 - row[0]);
    assert!(touches.len() == 1 && height < -0.1, "{touches:?} {height}");
    // thrown up from below it passes, and bounces when it falls
    let below = point(&[0.0]).subject(&[0.0, -0.2], &[0.0, 4.0], laws(0.5, 1.0, 0.6), &[]);
    let motion = below.run_where(&|row: &[f64]| row[0] - 0.3, &Options::new(1e-6, 1.0));
    let touches = times(&motion, EventKind::Touch);
    // up through 0 at 0.0536.., down at (4 + √12)/10
    assert!((touches[0] - (4.0 + 12.0_f64.sqrt()) / 10.0).abs() < 1e-8, "{touches:?}");
}
