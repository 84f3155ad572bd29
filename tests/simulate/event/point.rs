//! A point on a floor, where every motion has a closed form: bounces and their end, slip down an incline, a belt, grazing.

use super::{Mover, asked, assert_near, assert_sound, at, column, events, kinds, last, times};
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::{EventDetail, EventKind::*, Status};

/// q = -(t - 3)^2 - (3/2^n)(t - 3) - 2^(1 - 2n) on [3 - 2^(1 - n), 3 - 2^-n)   [A09 (10)].
#[test]
fn the_bouncing_ball_is_the_exact_solution_of_the_benchmark() {
    let trajectory = Mover::kept("bouncing_ball").run("dropped", &[], 5.0);
    assert_sound(&trajectory);
    for (n, t) in times(&trajectory, Impact).iter().enumerate() {
        assert_near(*t, 3.0 - 2f64.powi(1 - n as i32), 1e-12);
    }
    for (t, q) in column(&trajectory, "t").into_iter().zip(column(&trajectory, "q")) {
        let n = if t < 1.0 { -1.0 } else { (2.0 / (3.0 - t)).log2().floor() };
        let (s, r) = (t - 3.0, 2f64.powf(-n));
        let exact = if t < 3.0 { -s * s - 3.0 * r * s - 2.0 * r * r } else { 0.0 };
        assert_near(q, exact, 1e-9);
    }
}

/// One degree of freedom: a bead on a wire that meets the floor at the angle c. Its compression works against friction one way and its
/// restitution the other, so that the energetic law gives v⁺² = e² v⁻² (C − μB)/(C + μB), C = sin²c, B = sin c cos c.
#[test]
fn a_bead_on_a_wire_bounces_by_the_friction_of_both_ways() {
    let trajectory = Mover::kept("ramp").run("up", &[], 1.8);
    assert_sound(&trajectory);
    let impact = events(&trajectory, Impact)[0];
    let (s, c) = 0.7f64.sin_cos();
    let speed = (4.0 * s).sqrt() * s;
    assert_near(impact.t.0, (1.0 / s).sqrt(), 1e-9);
    let EventDetail::Impact(detail) = &impact.detail else { panic!() };
    assert_near(detail.pre.v.0, -speed, 1e-9);
    let ratio = (s * s - 0.3 * s * c) / (s * s + 0.3 * s * c);
    assert_near(detail.post.v.0, 0.5 * speed * ratio.sqrt(), 1e-9);
    let kinetic = |v: f64| 0.5 * (v / s) * (v / s);
    assert_near(detail.energy_loss.0, kinetic(detail.pre.v.0) - kinetic(detail.post.v.0), 1e-9);
}

/// All flights together: t₁ = 1 and then 2 e^n each, t = (1 + e)/(1 − e).
#[test]
fn infinitely_many_bounces_end_at_the_sum_of_their_series() {
    let ball = Mover::kept("bouncing_ball");
    for (e, most) in [(0.5, 30), (0.9, 100), (0.999, 10_000)] {
        let zeno = (1.0 + e) / (1.0 - e);
        let trajectory = ball.run("dropped", &[&format!("rho={e}")], zeno + 1.0);
        assert_sound(&trajectory);
        let [end] = times(&trajectory, ChatterEnd)[..] else { panic!("{:?}", kinds(&trajectory)) };
        assert_near(end / zeno, 1.0, 1e-9);
        let impacts = events(&trajectory, Impact).len();
        assert!(impacts < most, "{impacts}");
        let EventDetail::Chatter { ratio, .. } = events(&trajectory, ChatterEnd)[0].detail else { panic!() };
        assert_near(ratio.0, e, 1e-9);
        assert!(last(&trajectory, "q").iter().all(|x| x.abs() < 1e-12));
    }
}

/// Uphill slip stops at v²/(2(μ cos χ + sin χ) g); then stick below the friction angle, slip back beyond.
#[test]
fn a_block_on_an_incline_slides_up_and_stays_or_comes_back() {
    let point = Mover::kept("point");
    let (chi, g) = (0.4f64, 9.81);
    let incline = [format!("g_x={}", -g * chi.sin()), format!("g_y={}", -g * chi.cos())];
    for mu in [0.3, 0.5] {
        let mut set: Vec<&str> = incline.iter().map(String::as_str).collect();
        let (mu_is, speed) = (format!("mu={mu}"), "dot(x)=2");
        set.extend([mu_is.as_str(), speed]);
        let trajectory = point.run("on_the_floor", &set, 2.0);
        assert_sound(&trajectory);
        let up = g * (chi.sin() + mu * chi.cos());
        let down = g * (chi.sin() - mu * chi.cos());
        let [x, v] = last(&trajectory, "x");
        let left = 2.0 - 2.0 / up;
        if down > 0.0 {
            assert_near(times(&trajectory, Reversal)[0], 2.0 / up, 1e-12);
            assert_near(x, 2.0 / up - 0.5 * down * left * left, 1e-11);
            assert_near(v, -down * left, 1e-11);
        } else {
            assert_eq!(kinds(&trajectory), [Stick, End]);
            assert_near(times(&trajectory, Stick)[0], 2.0 / up, 1e-12);
            assert_near(x, 2.0 / up, 1e-12);
        }
        assert_near(
            trajectory.energy.friction.0,
            -mu * g * chi.cos() * (2.0 / up + (2.0 / up - x).abs()),
            1e-10,
        );
    }
}

/// From rest: x = a(1 − cos ωt), a = μg/ω², slipping back on the belt, until it runs as fast; then it rides to x = a, where
/// the spring breaks it off, and x = a + (w/ω) sin ω(t − t₂).
#[test]
fn a_spring_on_a_belt_slips_sticks_and_breaks_off() {
    let point = Mover::kept("point");
    let (mu, k, w) = (0.5, 4.0f64, 0.2);
    let trajectory = point.run("on_the_floor", &["k=4", "w=0.2"], 3.5);
    assert_sound(&trajectory);
    let (omega, a) = (k.sqrt(), mu / k);
    let stick = (w / (a * omega)).asin() / omega;
    let slip = stick + a * (omega * stick).cos() / w;
    assert_eq!(kinds(&trajectory), [Stick, Slip, End]);
    assert_near(times(&trajectory, Stick)[0], stick, 1e-11);
    assert_near(times(&trajectory, Slip)[0], slip, 1e-11);
    for (t, x) in column(&trajectory, "t").into_iter().zip(column(&trajectory, "x")) {
        let exact = match t {
            t if t < stick => a * (1.0 - (omega * t).cos()),
            t if t < slip => a * (1.0 - (omega * stick).cos()) + w * (t - stick),
            t => a + w / omega * (omega * (t - slip)).sin(),
        };
        assert_near(x, exact, 1e-9);
    }
}

/// Oblique impact with Poisson's law and slip throughout: Δu = −μ (1 + e)|v|.
#[test]
fn a_projectile_flies_strikes_and_flies_on() {
    let point = Mover::kept("point");
    let trajectory = point.run("above", &["dot(x)=3", "mu=0.2", "e=0.5"], 3.0);
    let strike = 2f64.sqrt();
    let impact = events(&trajectory, Impact)[0];
    assert_near(impact.t.0, strike, 1e-13);
    let ([x, u], [_, v]) = (at(impact, "x"), at(impact, "y"));
    assert_near(x, 3.0 * strike, 1e-12);
    assert_near(v, 0.5 * strike, 1e-12);
    assert_near(u, 3.0 - 0.2 * 1.5 * strike, 1e-12);
    let EventDetail::Impact(detail) = &impact.detail else { panic!() };
    assert_near(detail.impulse.normal.0, 1.5 * strike, 1e-12);
    let loss = 0.5 * (9.0 + 2.0 - u * u - v * v);
    assert_near(detail.energy_loss.0, loss, 1e-12);
    // the second flight takes √2 as well; it ends at 2√2
    assert_near(times(&trajectory, Impact)[1], 2.0 * strike, 1e-12);
}

/// y = y₀ − t + t²/2 with the weight upwards: lowest at t = 1, height y₀ − 1/2.
#[test]
fn a_gap_that_just_touches_is_met_and_one_that_just_misses_is_not() {
    let point = Mover::kept("point");
    for depth in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10] {
        let run = |height: f64| {
            let set = ["g_y=1", "dot(y)=-1", "e=1", "mu=0", &format!("y={height:e}")].map(String::from);
            point.run("above", &set.each_ref().map(String::as_str), 3.0)
        };
        let misses = run(0.5 + depth);
        assert_eq!(kinds(&misses), [End], "missed by {depth}");
        let hits = run(0.5 - depth);
        assert_eq!(kinds(&hits), [Impact, End], "hit by {depth}");
        // the gap is 2d short of a double root: its time has the square root of the rounding
        assert_near(times(&hits, Impact)[0], 1.0 - (2.0 * depth).sqrt(), 1e-15 / depth.sqrt() + 1e-14);
    }
}

/// With a weight that is all there is, a step spans the whole motion, with both roots of the gap within.
#[test]
fn two_roots_within_a_step_are_two_events() {
    let point = Mover::kept("point");
    let strike = 2f64.sqrt();
    let trajectory = point.run("above", &["e=1", "mu=0"], 100.0);
    assert_sound(&trajectory);
    let found = times(&trajectory, Impact);
    assert_eq!(found.len(), 35);
    for (n, t) in found.iter().enumerate() {
        assert_near(*t, strike * (1 + 2 * n) as f64, 1e-11 * t);
    }
}

#[test]
fn what_happens_at_the_very_start_happens_at_the_start() {
    let point = Mover::kept("point");
    let strikes = point.run("on_the_floor", &["dot(y)=-1"], 1.0);
    assert_eq!((kinds(&strikes)[0], strikes.events[0].t.0), (Impact, 0.0));
    let first = |set: &[&str]| point.run("on_the_floor", set, 1.0).phases[0].mode.0[0].1.to_string();
    assert_eq!(first(&["g_y=1"]), "free");
    assert_eq!(first(&["g_x=0.6"]), "slip+");
    assert_eq!(first(&["g_x=-0.6"]), "slip-");
    assert_eq!(first(&["g_x=0.4"]), "stick");
    // touches the floor as it starts, on its way up and on its way down
    let up = point.run("above", &["y=0", "dot(y)=1", "e=0", "mu=0"], 3.0);
    assert_eq!(kinds(&up), [Impact, End]);
    assert_near(times(&up, Impact)[0], 2.0, 1e-13);
}

/// The spring's motion between two events, to ever smaller tolerances.
#[test]
fn errors_fall_with_the_tolerance() {
    let point = Mover::kept("point");
    let miss = |rtol: f64| {
        let options = SimulateOptions { rtol: Some(rtol), ..asked("above", &["k=9", "x=1", "g_y=0"], 20.0) };
        let trajectory = point.try_run(&options).unwrap();
        assert_eq!(trajectory.status, Status::End);
        (last(&trajectory, "x")[0] - 60f64.cos()).abs()
    };
    let misses = [1e-4, 1e-6, 1e-8, 1e-10].map(miss);
    assert!(misses.windows(2).all(|pair| pair[1] < 0.1 * pair[0]), "{misses:?}");
    assert!(misses[3] < 1e-8, "{misses:?}");
}
