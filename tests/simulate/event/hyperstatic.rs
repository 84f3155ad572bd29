//! Motions whose forces are not unique: a block on two and three feet on an incline, a tripod and a table in space, against closed
//! forms and against time stepping.

use super::{Mover, asked, assert_near, assert_sound, column, kinds, last, times};
use mechan::pipeline::{Scheme, SimulateOptions, futures};
use mechan::simulate::event::Hyperstatic;
use mechan::simulate::trajectory::EventKind::{End, LiftOff, NotUnique, Slip, Stick};
use mechan::simulate::trajectory::{EventDetail, PhaseForces, Status, Trajectory};
use mechan::stepping::SchemeName;

/// m = 1, g = 10, feet at ±w, w = 1/2, H = 0.4 below the centre, I = 0.2.
const W: f64 = 0.5;
const H: f64 = 0.4;
const INERTIA: f64 = 0.2;
const G: f64 = 10.0;

fn two() -> Mover {
    Mover::of("tests/simulate/models/block_on_feet.json")
}

fn three() -> Mover {
    Mover::of("tests/simulate/models/block_on_three_feet.json")
}

/// Whether the forces of each phase are unique.
fn unique(trajectory: &Trajectory) -> Vec<bool> {
    trajectory.phases.iter().map(|phase| phase.forces != Some(PhaseForces::NotUnique)).collect()
}

#[test]
fn a_block_on_two_feet_slides_down_comes_to_rest_and_stays() {
    let motion = two().run("sliding", &["chi=0.3", "mu_a=0.5", "mu_b=0.7"], 3.0);
    assert_sound(&motion);
    // N of the two feet while it slides, by force and moment balance about the centre: N_a + N_b = g cos χ,
    // (N_b − N_a) w = H (μ_a N_a + μ_b N_b)
    let (load, [a, b]) = (G * 0.3_f64.cos(), [0.5, 0.7]);
    let share = (W - H * b) / (2.0 * W + H * (a - b));
    let braked = load * (a * share + b * (1.0 - share)) - G * 0.3_f64.sin();
    let [x, v] = last(&motion, "x");
    for stick in times(&motion, Stick) {
        assert_near(stick, 2.0 / braked, 1e-10);
    }
    assert_near(x, 2.0 / braked, 1e-10);
    assert_near(v, 0.0, 1e-12);
    assert_eq!(unique(&motion), [true, false]);
    // at rest: λ_T in equal parts, and λ_N by the moments
    let end = |name: &str| *column(&motion, name).last().unwrap();
    assert_near(end("a.T"), end("b.T"), 1e-12);
    assert_near(end("a.T") + end("b.T"), -G * 0.3_f64.sin(), 1e-12);
    assert_near((end("b.N") - end("a.N")) * W, H * G * 0.3_f64.sin(), 1e-12);
}

#[test]
fn the_motion_is_the_limit_of_moreaus_steps() {
    let block = two();
    let set = ["chi=0.3", "mu_a=0.4", "mu_b=0.7"];
    let exact = last(&block.run("sliding", &set, 2.0), "x")[0];
    let miss = |h: f64| {
        let options = SimulateOptions {
            scheme: Scheme::Stepped(SchemeName::Moreau),
            step: Some(h),
            ..asked("sliding", &set, 2.0)
        };
        (last(&block.try_run(&options).unwrap(), "x")[0] - exact).abs()
    };
    let misses = [1e-2, 1e-3, 1e-4].map(miss);
    assert!(misses[1] < 0.2 * misses[0] && misses[2] < 0.2 * misses[1], "{misses:?}");
    assert!(misses[2] < 3e-4, "{misses:?}");
}

/// A force k t along the ground, so low that the block slips: where no forces are left inside both cones, which for different
/// friction is long after those of the least sum of squares have left one.
#[test]
fn slip_sets_in_where_no_forces_inside_the_cones_are_left() {
    for ([a, b], f) in [([0.5, 0.5], 0.1), ([0.3, 0.7], 0.0), ([0.8, 0.3], -0.2)] {
        let set = [format!("mu_a={a}"), format!("mu_b={b}"), format!("f={f}"), "k=1".to_string()];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let motion = two().run("resting", &set, 8.0);
        assert_sound(&motion);
        // F = μ_a N_a + μ_b N_b with N = g/2 ∓ F r
        let r = (H + f) / (2.0 * W);
        let force = 0.5 * (a + b) * G / (1.0 + r * (a - b));
        for slip in times(&motion, Slip) {
            assert_near(slip, force, 1e-9);
        }
        assert_eq!(kinds(&motion), [Slip, Slip, End]);
        assert_eq!(unique(&motion), [false, true]);
        // what is shown lies in the cones all the while
        for (foot, mu) in [("a", a), ("b", b)] {
            let forces =
                column(&motion, &format!("{foot}.N")).into_iter().zip(column(&motion, &format!("{foot}.T")));
            let rest = forces.zip(column(&motion, "t")).filter(|(_, t)| *t < force - 1e-6);
            for ((normal, tangential), t) in rest {
                assert!(tangential.abs() <= mu * normal * (1.0 + 1e-9), "{foot} {t} {normal} {tangential}");
            }
        }
        // R = μ_a N_a + μ_b N_b with N = g/2 ∓ (F f + R H)/(2 w): F − R grows from zero
        let growth = 1.0 - (b - a) * f / (2.0 * W) / (1.0 - (b - a) * H / (2.0 * W));
        let after = 8.0 - force;
        assert_near(last(&motion, "x")[0], growth * after.powi(3) / 6.0, 1e-7);
    }
}

/// So high that it tips over the front foot: at F (H + f) = m g w, and from there as a pendulum on it.
#[test]
fn a_block_that_is_pushed_high_tips_and_turns_about_its_front_foot() {
    let (f, after) = (0.5, 0.4);
    let tips = G * W / (H + f);
    let motion = two().run("resting", &["f=0.5", "k=1", "mu_a=0.9", "mu_b=0.9"], tips + after);
    assert_sound(&motion);
    assert_near(times(&motion, LiftOff)[0], tips, 1e-9);
    assert_eq!(kinds(&motion), [LiftOff, End]);
    // (I + r²) θ̈ = w' of the moments about the foot, by RK4
    let inertia = INERTIA + W * W + H * H;
    let moment = |t: f64, theta: f64| {
        let (s, c) = theta.sin_cos();
        // the foot is w ahead and H below the centre, θ counter-clockwise
        let arm = W * c + H * s;
        let height = (H + f) * c - W * s;
        (G * arm - (tips + t) * height) / inertia
    };
    let (mut theta, mut omega, steps) = (0.0, 0.0, 20_000);
    let h = after / f64::from(steps);
    for i in 0..steps {
        let t = h * f64::from(i);
        let rate = |t: f64, [theta, omega]: [f64; 2]| [omega, moment(t, theta)];
        let ahead = |k: [f64; 2], h: f64| [theta + h * k[0], omega + h * k[1]];
        let k1 = rate(t, [theta, omega]);
        let k2 = rate(t + 0.5 * h, ahead(k1, 0.5 * h));
        let k3 = rate(t + 0.5 * h, ahead(k2, 0.5 * h));
        let k4 = rate(t + h, ahead(k3, h));
        theta += h / 6.0 * (k1[0] + 2.0 * k2[0] + 2.0 * k3[0] + k4[0]);
        omega += h / 6.0 * (k1[1] + 2.0 * k2[1] + 2.0 * k3[1] + k4[1]);
    }
    let [found, rate] = last(&motion, "theta");
    assert_near(found, theta, 1e-8);
    assert_near(rate, omega, 1e-8);
}

#[test]
fn three_feet_with_one_friction_slide_in_one_way_and_with_two_in_many() {
    let one = three().run("sliding", &["chi=0.3"], 2.0);
    assert_sound(&one);
    let braked = G * (0.5 * 0.3_f64.cos() - 0.3_f64.sin());
    assert_near(times(&one, Stick)[0], 2.0 / braked, 1e-10);
    assert_eq!(unique(&one), [false, false]);
    let stop = SimulateOptions { hyperstatic: Hyperstatic::Stop, ..asked("sliding", &["mu_c=0.6"], 2.0) };
    let many = three().try_run(&stop).unwrap();
    assert_eq!(many.status, Status::Indeterminate);
    assert!(many.reason.as_ref().unwrap().contains("depend on forces"), "{:?}", many.reason);
    // the motions at the ends of the range can be followed: only the outer feet carry, or all of it on the middle one and a foot
    let options =
        SimulateOptions { futures: vec!["slip+,slip+,free".into()], ..asked("sliding", &["mu_c=0.6"], 0.3) };
    let followed = three().try_run(&options).unwrap();
    assert_near(last(&followed, "x")[1], 2.0 - 0.3 * 0.5 * G, 1e-9);
}

/// Three feet that slide with three frictions, on planes of any slope: the motions at the ends of the range are followed to the end of the time, each
/// braked by the feet that carry, however its own rounding moves the foot that does not; that there are others between is said.
#[test]
fn three_feet_with_different_friction_are_followed_at_both_ends_of_the_range() {
    let mut random = crate::Numbers(75);
    let block = three();
    for _ in 0..12 {
        let mut within = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random.next());
        let (chi, outer, middle) = (within(-0.5, 0.5), within(0.2, 0.5), within(0.5, 0.6));
        let set = [
            format!("chi={chi}"),
            format!("mu_a={outer}"),
            format!("mu_b={outer}"),
            format!("mu_c={middle}"),
        ];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let options = SimulateOptions { hyperstatic: Hyperstatic::Stop, ..asked("sliding", &set, 0.1) };
        let tree = futures(block.loaded(), block.derived().model(), &options, 4).unwrap();
        assert!(!tree.complete, "there are motions between");
        assert!(tree.nodes[0].trajectory.warnings.iter().any(|warning| warning.contains("lie others")));
        let (load, pull) = (G * chi.cos(), G * chi.sin());
        // the outer feet alone; the middle one and the foot in front, which carry what the moment asks for
        let both = load * outer;
        let carried = |front: f64| front * load * (middle * H) / (W - H * (outer - middle));
        let front = carried(1.0);
        let one = middle * (load - front) + outer * front;
        let mut found: Vec<f64> = Vec::new();
        for node in &tree.nodes[1..] {
            assert_eq!(
                node.trajectory.status,
                Status::End,
                "{chi} {outer} {middle}: {:?}",
                node.trajectory.reason
            );
            found.push(10.0 * (2.0 - last(&node.trajectory, "x")[1]) + pull);
        }
        found.sort_by(f64::total_cmp);
        assert_eq!(found.len(), 2);
        assert_near(found[0], both, 1e-8);
        assert_near(found[1], one, 1e-8);
    }
}

#[test]
fn three_feet_are_held_as_long_as_the_whole_friction_holds() {
    let motion = three().run("resting", &["k=1", "mu_c=0.9"], 8.0);
    // at slip the two outer feet carry what the moments ask for and the middle one the rest, at most all of it: λ_c ≤ g − F H/w,
    // so that F = 0.9 (g − F H/w) + 0.5 F H/w
    let force = 0.9 * G / (1.0 + 0.4 * H / W);
    assert_sound(&motion);
    assert_near(times(&motion, Slip)[0], force, 1e-8);
    // from there the accelerations depend on how the three share the load: with equal stiffness the middle one carries a third
    let (drag, after) = (G * (2.0 * 0.5 + 0.9) / 3.0, 8.0 - force);
    let way = 0.5 * (force - drag) * after.powi(2) + after.powi(3) / 6.0;
    assert_near(last(&motion, "x")[0], way, 1e-7);
    assert_eq!(kinds(&motion), [Slip, Slip, Slip, NotUnique, End]);
}

#[test]
fn a_tripod_and_a_table_stand_on_a_slope_below_the_angle_of_friction() {
    for name in ["tripod", "table"] {
        let stands = Mover::of(&format!("tests/space/models/{name}.json"));
        let held = stands.run("standing", &["chi=0.46"], 2.0);
        assert_sound(&held);
        assert!(last(&held, "x")[0].abs() < 1e-14 && unique(&held) == [false], "{name}");
        // the angle of friction is atan(0.5) = 0.4636: beyond it all feet slide down together, by ½ (sin χ − μ cos χ) t² with g = 1
        let beyond = stands.run("standing", &["chi=0.6"], 2.0);
        assert_sound(&beyond);
        let way = 2.0 * (0.6_f64.sin() - 0.5 * 0.6_f64.cos());
        assert!((last(&beyond, "x")[0] - way).abs() < 1e-8 * way, "{name} {:?}", last(&beyond, "x"));
    }
}

/// The same three feet with forces that equal springs have, N = k (z + φ x): the middle foot carries a third of the load, whatever the moment; with
/// springs of its own what follows from theirs. From there the block is braked by the mean of the frictions, until it stops.
#[test]
fn three_feet_with_different_friction_slide_by_the_stiffness_of_their_contacts() {
    let (outer, middle, load) = (0.5, 0.6, G);
    let motion = three().run("sliding", &["mu_c=0.6"], 2.0);
    assert_sound(&motion);
    assert_eq!(motion.phases[0].forces, Some(PhaseForces::ByStiffness));
    let column = |name: &str| column(&motion, name)[0];
    assert_near(column("c.N"), load / 3.0, 1e-10);
    // (N_b - N_a) w = H sum of mu N
    let drag = load * (2.0 * outer + middle) / 3.0;
    assert_near((column("b.N") - column("a.N")) * W, H * drag, 1e-10);
    for stick in times(&motion, Stick) {
        assert_near(stick, 2.0 / drag, 1e-10);
    }
    let event = motion.events.iter().find(|event| event.kind == NotUnique).unwrap();
    let EventDetail::NotUnique { rule, spread } = &event.detail else { panic!("{:?}", event.detail) };
    assert_eq!((event.t.0, rule.as_ref()), (0.0, "equal stiffness"));
    // from all on the outer feet to nothing on the foot behind
    let front = middle * H / (W - H * (outer - middle));
    let other = middle * (1.0 - front) + outer * front;
    assert_near(spread.0, (other - outer) / other, 1e-9);
    let total = motion.hyperstatic.unwrap();
    assert_near(total.time.0, 2.0 / drag, 1e-10);
    assert_near(total.spread.0, spread.0, 1e-9);
}

/// A table that slides and turns on four feet, so high that they carry very different loads: compliant contacts of equal stiffness 1/eps^2 move it as
/// these forces do, but for what their deflections are worth.
#[test]
fn a_table_that_slides_and_turns_is_the_limit_of_compliant_contacts() {
    let table = Mover::of("tests/space/models/table.json");
    for height in [0.9, 1.9] {
        let set = [format!("H={height}"), "mu=0.4".to_string(), "dot(a)=1.5".to_string()];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let rigid = table.run("sliding", &set, 0.3);
        assert_sound(&rigid);
        assert!(rigid.phases.iter().all(|phase| phase.forces == Some(PhaseForces::ByStiffness)));
        assert!(rigid.hyperstatic.unwrap().spread.0 > 0.05);
        let miss = |eps: f64| {
            let options =
                SimulateOptions { scheme: Scheme::Compliant, eps: vec![eps], ..asked("sliding", &set, 0.3) };
            let soft = table.try_run(&options).unwrap();
            let apart = |name: &str| (last(&soft, name)[0] - last(&rigid, name)[0]).abs();
            ["x", "y", "a"].map(apart).into_iter().fold(0.0, f64::max)
        };
        let misses = [1e-2, 3e-3].map(miss);
        assert!(misses[0] < 1e-4 && misses[1] < 0.15 * misses[0], "{height}: {misses:?}");
    }
}

/// Event capturing follows the same forces: a block that slides, stops, and is pushed on, and a table of whose feet some lose their force on the way.
#[test]
fn event_capturing_takes_the_same_forces() {
    let scheme = Scheme::all().find(|scheme| scheme.word() == "radau-5").unwrap();
    let block = ("tests/simulate/models/block_on_three_feet.json", &["mu_c=0.2", "k=2"][..], 4.0, 1e-9);
    let table = ("tests/space/models/table.json", &["H=1.9", "mu=0.4", "dot(a)=1.5"][..], 0.3, 1e-9);
    for (model, set, t_end, tolerance) in [block, table] {
        let model = Mover::of(model);
        let rigid = model.run("sliding", set, t_end);
        let options = SimulateOptions { scheme, step: Some(t_end / 200.0), ..asked("sliding", set, t_end) };
        let captured = model.try_run(&options).unwrap();
        assert_eq!((captured.status, kinds(&captured)), (Status::End, kinds(&rigid)));
        for name in ["x", "y"] {
            assert_near(last(&captured, name)[0], last(&rigid, name)[0], tolerance);
        }
        let [own, theirs] = [&captured, &rigid].map(|motion| motion.hyperstatic.as_ref().unwrap());
        assert_near(own.time.0, theirs.time.0, 1e-9);
        assert_near(own.spread.0, theirs.spread.0, 1e-9);
        let stopped = model.try_run(&SimulateOptions { hyperstatic: Hyperstatic::Stop, ..options }).unwrap();
        assert_eq!(stopped.status, Status::Indeterminate);
    }
}

/// A low block whose feet sink in by different depths slides up, and back: feet that stop together do not hold each other by what their depths differ.
#[test]
fn compliant_feet_of_one_body_let_each_other_slip() {
    let block = two();
    let set = ["w=0.1", "H=0.05", "I=0.004", "chi=0.4", "mu_a=0.3", "mu_b=0.3", "dot(x)=-2"];
    let rigid = last(&block.run("sliding", &set, 1.5), "x")[0];
    let miss = |eps: f64| {
        let options =
            SimulateOptions { scheme: Scheme::Compliant, eps: vec![eps], ..asked("sliding", &set, 1.5) };
        (last(&block.try_run(&options).unwrap(), "x")[0] - rigid).abs()
    };
    let misses = [1e-2, 1e-3].map(miss);
    assert!(misses[0] < 3e-3 && misses[1] < 0.15 * misses[0], "{misses:?}");
}
