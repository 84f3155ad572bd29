//! Rigid bodies: the wheel that comes to roll, conservation laws and time reversal of free flight, mirror images, the plane
//! embedded in space.

use super::{Mover, asked, assert_near, assert_sound, at, column, events, kinds, last, times};
use mechan::pipeline::{Scheme, SimulateOptions};
use mechan::simulate::trajectory::{EventDetail, EventKind::*, Status, Trajectory};

/// u̇ = −3μg for the disc: rolling begins at u/(3μg).
#[test]
fn a_wheel_slips_until_it_rolls() {
    let wheel = Mover::kept("wheel_on_ground");
    let (mu, g, R) = (0.4, 9.81, 0.3);
    for (state, slip, after) in [("locked", 1.0f64, 2.0 / 3.0), ("spinning", 10.0 * R, -1.0)] {
        let trajectory = wheel.run(state, &[], 2.0);
        assert_sound(&trajectory);
        assert_eq!(kinds(&trajectory), [Stick, End]);
        assert_near(times(&trajectory, Stick)[0], slip / (3.0 * mu * g), 1e-12);
        assert_near(last(&trajectory, "x")[1], after, 1e-12);
        assert_near(last(&trajectory, "theta")[1], -after / R, 1e-11);
    }
}

/// The rod in space, thrown: momentum, energy and the angular momentum about the vertical, I ψ̇ cos²θ, stay.
#[test]
fn free_flight_keeps_what_it_must_keep() {
    let rod = Mover::kept("rod_3d");
    let thrown = ["z=50", "dot(x)=1", "dot(y)=-2", "dot(z)=3", "dot(psi)=2", "dot(theta)=1.5"];
    let trajectory = rod.run("sticking", &thrown, 5.0);
    assert_sound(&trajectory);
    assert_eq!(kinds(&trajectory), [End]);
    let get = |name: &str| column(&trajectory, name);
    let momentum = |i: usize| get("dot(psi)")[i] * get("theta")[i].cos().powi(2);
    for i in [0, 50, 100, 150, 199] {
        let t = get("t")[i];
        assert_near(get("dot(x)")[i], 1.0, 1e-12);
        assert_near(get("z")[i], 50.0 + 3.0 * t - 0.5 * t * t, 1e-11);
        assert_near(momentum(i), momentum(0), 1e-8);
    }
    assert_near(trajectory.energy.last.0 / trajectory.energy.initial.0, 1.0, 1e-10);
}

/// Overrides that begin where a motion ended, with its velocities times `sign`.
fn continued(trajectory: &Trajectory, coordinates: &[&str], sign: f64) -> Vec<String> {
    let one = |name: &&str| {
        let [q, v] = last(trajectory, name);
        [format!("{name}={q:e}"), format!("dot({name})={:e}", sign * v)]
    };
    coordinates.iter().flat_map(one).collect()
}

#[test]
fn free_flight_runs_back_the_way_it_came() {
    let cases: [(&str, &str, &[&str], &[&str]); 2] = [
        (
            "rod_3d",
            "sticking",
            &["x", "y", "z", "psi", "theta"],
            &["z=50", "dot(psi)=2", "dot(theta)=1.5", "dot(x)=1"],
        ),
        ("pendulum_on_slider", "sliding", &["x", "y", "theta"], &["y=90", "dot(theta)=7", "dot(x)=-1"]),
    ];
    for (name, state, coordinates, thrown) in cases {
        let mover = Mover::kept(name);
        let there = mover.run(state, thrown, 3.0);
        let back = continued(&there, coordinates, -1.0);
        let back = mover.run(state, &back.iter().map(String::as_str).collect::<Vec<_>>(), 3.0);
        let start = |name: &str| column(&there, name)[0];
        for name in coordinates {
            let [q, v] = last(&back, name);
            assert_near(q, start(name), 1e-8);
            assert_near(v, -start(&format!("dot({name})")), 1e-8);
        }
    }
}

/// Times and numbers of the pencil that falls to the right are those of the one that falls to the left.
#[test]
fn mirror_images_move_as_mirror_images() {
    let pencil = Mover::kept("falling_pencil");
    for (set, mirrored, end) in [
        (["dot(theta)=1e-3", "mu=0.2"], ["dot(theta)=-1e-3", "mu=0.2"], 4.0),
        (["dot(x)=1", "theta=0.4"], ["dot(x)=-1", "theta=-0.4"], 3.0),
    ] {
        let (left, right) = (pencil.run("balanced", &set, end), pencil.run("balanced", &mirrored, end));
        assert_sound(&left);
        assert_eq!(kinds(&left), kinds(&right));
        for (one, other) in left.events.iter().zip(&right.events) {
            assert_near(one.t.0, other.t.0, 1e-12);
            for (name, sign) in [("x", -1.0), ("y", 1.0), ("theta", -1.0)] {
                let (one, other) = (at(one, name), at(other, name));
                (0..2).for_each(|i| assert_near(one[i], sign * other[i], 1e-11));
            }
        }
    }
}

/// The rod in space that slips along its heading is the rod in the plane, reversal and stick included, until it is upright, where
/// its coordinates in space are singular.
#[test]
fn the_plane_is_a_plane_in_space() {
    let (plane, space) = (Mover::kept("painleve_rod"), Mover::kept("rod_3d"));
    let set = ["mu=0.5", "theta=pi/3"];
    let flat = plane.run("inconsistent", &set, 3.49);
    let deep = space.run("inconsistent", &set, 3.49);
    assert_sound(&flat);
    assert_sound(&deep);
    let ([one], [other]) = (&times(&flat, Stick)[..], &times(&deep, Stick)[..]) else {
        panic!("{:?}", kinds(&deep))
    };
    assert_near(*one, *other, 2e-9);
    for (one, other) in [("x", "x"), ("y", "z"), ("theta", "theta")] {
        let (one, other) = (last(&flat, one), last(&deep, other));
        (0..2).for_each(|i| assert_near(one[i], other[i], 1e-8));
    }
    assert!(last(&deep, "y").iter().chain(&last(&deep, "psi")).all(|x| x.abs() < 1e-12));
}

/// A leaning rod that is let go slips along its heading: in every heading, also that where directions begin to be counted, and
/// as in the plane.
#[test]
fn slip_sets_in_along_every_heading() {
    let set = ["mu=0.1", "theta=0.8"];
    let flat = Mover::kept("painleve_rod").run("upright", &set, 0.3);
    assert_sound(&flat);
    assert!(last(&flat, "x")[1].abs() > 0.01, "{:?}", last(&flat, "x"));
    let space = Mover::kept("rod_3d");
    for heading in ["0", "pi/2", "pi", "-pi/2", "pi/180", "1e-12", "-1e-12", "-1"] {
        let deep = space.run("sticking", &[&set[..], &[&format!("psi={heading}")]].concat(), 0.3);
        assert_sound(&deep);
        assert_eq!(kinds(&deep), kinds(&flat), "{heading}");
        for (one, other) in [("y", "z"), ("theta", "theta")] {
            let (one, other) = (last(&flat, one), last(&deep, other));
            (0..2).for_each(|i| assert_near(one[i], other[i], 1e-8));
        }
    }
}

/// A pendulum on a trolley that keeps its speed V: the position of the mass is linear in t, so that T does not read it, and yet the
/// motor works: V times the horizontal momentum that it gives, which gravity cannot.
#[test]
fn a_body_moved_at_a_given_speed_takes_its_energy_from_somewhere() {
    let pendulum = Mover::of("tests/simulate/models/moved_pendulum.json");
    let (m, l, V) = (2.0, 0.5, 3.0);
    for (scheme, eps) in [(Scheme::Event, vec![]), (Scheme::Compliant, vec![1e-3])] {
        let options = SimulateOptions { scheme, eps, ..asked("swinging", &["d=1"], 1.3) };
        let trajectory = pendulum.try_run(&options).unwrap();
        assert_sound(&trajectory);
        let [theta, rate] = last(&trajectory, "theta");
        let given = V * m * l * theta.cos() * rate;
        assert_near(trajectory.energy.work.0, given, 1e-7);
        assert!(given.abs() > 1.0, "{given}");
        // in the frame of the trolley it is a pendulum
        let kept = 0.5 * m * l * l * rate * rate - m * 9.81 * l * theta.cos();
        assert_near(kept, -m * 9.81 * l * 1.0_f64.cos(), 1e-7);
    }
}

/// The same with a floor that it strikes and slides on: what the trolley works closes the books.
#[test]
fn a_body_moved_at_a_given_speed_slides_on_the_floor() {
    let pendulum = Mover::of("tests/simulate/models/moved_pendulum.json");
    let trajectory = pendulum.run("swinging", &["d=0.45"], 1.3);
    assert!(kinds(&trajectory).contains(&Impact), "{:?}", kinds(&trajectory));
    assert_sound(&trajectory);
}

/// A step's extension misses the fall of a foot's force by more than that force may be off where a mode is decided: the step is taken
/// again, so that what follows does not hang on the accuracy that is asked for.
#[test]
fn a_foot_lifts_off_at_any_accuracy() {
    // the compass biped without `active`, whose swing foot strikes the slope in mid-stride
    let biped = Mover::of("tests/simulate/models/compass_that_scuffs.json");
    for rtol in [1e-8, 3e-9, 1e-9, 3e-10, 1e-10, 3e-11, 1e-11, 3e-12, 1e-12] {
        let options = SimulateOptions { rtol: Some(rtol), ..asked("jammed", &[], 2.0) };
        let trajectory = biped.try_run(&options).unwrap();
        assert_eq!(trajectory.status, Status::End, "{rtol}: {:?}", trajectory.reason);
        let lifts: Vec<f64> =
            trajectory.events.iter().filter(|event| event.kind == LiftOff).map(|event| event.t.0).collect();
        assert!(lifts.len() == 1 && (lifts[0] - 1.4454769).abs() < 2e-7, "{rtol}: {lifts:?}");
    }
}

/// A slider-crank, whose slider runs in a guide with friction, strikes a stop: one degree of freedom, so that every velocity turns into −e times
/// itself, whatever friction there is; the guide's impulse has the friction of its slip after it.
#[test]
fn a_slider_crank_comes_back_from_its_stop() {
    let crank = Mover::of("tests/simulate/models/slider_crank.json");
    let trajectory = crank.run("go", &[], 1.0);
    assert_sound(&trajectory);
    let struck: Vec<_> = events(&trajectory, Impact)
        .into_iter()
        .filter(|event| event.contact.as_deref() == Some("stop"))
        .collect();
    assert_eq!(struck.len(), 2, "{:?}", kinds(&trajectory));
    for hit in struck {
        let EventDetail::Impact(detail) = &hit.detail else { panic!("{hit:?}") };
        assert_near(detail.post.v.0, -0.6 * detail.pre.v.0, 1e-9);
        let [a, rate] = at(hit, "a");
        let [b, turn] = at(hit, "b");
        // r cos a + l cos b = s, r sin a + l sin b = 0
        assert_near(0.1 * a.cos() * rate + 0.3 * b.cos() * turn, 0.0, 1e-9);
        assert_near(-0.1 * a.sin() * rate - 0.3 * b.sin() * turn, at(hit, "s")[1], 1e-9);
    }
}

/// A square slides on both corners and stops after u/(μg), whatever the speed and wherever the last step is cut: both slips, linear and the same,
/// fall through zero at once.
#[test]
fn a_square_on_two_corners_stops_on_time() {
    let square = Mover::of("src/pipeline/models/square_on_ground.json");
    let mut random = 0.5_f64;
    for _ in 0..400 {
        random = (random * 997.0 + 0.1).fract();
        let (u, mu) = (0.05 + random, 0.2 + 0.7 * (random * 31.0).fract());
        let stop = u / mu;
        let speed = [format!("dot(x)={u}"), format!("mu={mu}")];
        let set: Vec<&str> = speed.iter().map(String::as_str).collect();
        let trajectory = square.run("sliding", &set, stop * (1.0 + 0.3 * (random * 77.0).fract()));
        assert_near(trajectory.phases[0].t1.0, stop, 1e-12 * stop);
    }
}

/// A block on another one, pulled by a spring from rest: both set off together, at no acceleration, and the upper one slips when the lower one can
/// no longer follow. m = 2, 1; μ = 0.1, 0.4; k = 20, v = 0.3.
#[test]
fn two_blocks_set_off_together_and_part() {
    let blocks = Mover::of("tests/simulate/models/two_blocks.json");
    let trajectory = blocks.run("go", &[], 8.0);
    assert_sound(&trajectory);
    assert_eq!(kinds(&trajectory), [Slip, Slip, Stick, End]);
    let slips = times(&trajectory, Slip);
    let rate = (20.0_f64 / 3.0).sqrt();
    assert_near(slips[0], 0.4905, 1e-12);
    assert_near(slips[1], 0.4905 + (0.4905 / (0.3 * rate)).asin() / rate, 1e-10);
    assert!(trajectory.work.steps < 200, "{}", trajectory.work.steps);
    // without weight no force but the spring's: it starts from nothing
    let free = blocks.run("go", &["g=0"], 1.0);
    assert_sound(&free);
    assert!(free.work.steps < 200, "{}", free.work.steps);
}
