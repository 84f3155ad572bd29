//! Periodic motions against closed forms: a ball on a shaking table, a mass that sticks to a belt and slips, a pendulum that swings.

use mechan::pipeline::{CycleOptions, Failure, Loaded, SimulateOptions, cycle, load_bytes, simulate};
use mechan::simulate::cycle::Cycle;
use mechan::simulate::trajectory::EventKind;

/// A ball on a table that moves as a sin(ωt): g = 10, a = 0.02, e = 1/2, here with ω = 25; along the table a spring of 30 and a damper of 1.
const BALL: &str = include_str!("models/ball_on_table.json");
/// A mass of 1 on a spring of 4 and a negative damper of 0.3, on a belt that runs with 1/2; μ = 0.3, g = 10.
const BELT: &str = include_str!("models/mass_on_belt.json");
/// The frictional impact oscillator of [LBN02].
const LEINE: &str = include_str!("models/frictional_impact_oscillator.json");

fn found(text: &str, section: &str, set: &[&str]) -> Result<Cycle, Failure> {
    let loaded: Loaded = load_bytes("model", text.as_bytes().to_vec()).unwrap();
    let model = loaded.model.clone().unwrap();
    let motion = SimulateOptions {
        set: set.iter().map(ToString::to_string).collect(),
        t_end: 100.0,
        samples: Some(0),
        ..SimulateOptions::default()
    };
    cycle(&loaded, &model, &CycleOptions { motion, section: section.to_string(), symmetry: None })
}

/// Period 1 at impact phase φ: v = gT/2 before and after against a table of speed u = aω cos φ needs u = v (1 − e)/(1 + e). In (time,
/// velocity after impact) the map has the determinant e² and the trace 1 + e² − (1 + e)² aω² sin φ/g.
fn bounce() -> (f64, [f64; 2]) {
    let (g, a, omega, e) = (10.0, 0.02, 25.0, 0.5);
    let period = std::f64::consts::TAU / omega;
    let cosine = 0.5 * g * period * (1.0 - e) / (1.0 + e) / (a * omega);
    // of the two phases that of the decelerating table attracts
    let sine = (1.0 - cosine * cosine).sqrt();
    let trace = 1.0 + e * e - (1.0 + e) * (1.0 + e) * a * omega * omega * sine / g;
    (period, [trace, e * e])
}

#[test]
fn a_bouncing_ball_has_the_multipliers_of_its_closed_form() {
    let cycle = found(BALL, "cos(omega*t)", &["omega=25", "q=0.037", "dot(q)=-1.03", "x=0.01"]).unwrap();
    let (period, [trace, determinant]) = bounce();
    assert!((cycle.period.0 - period).abs() < 1e-11, "{:?} {period}", cycle.period);
    assert_eq!(cycle.trajectory.events.iter().filter(|e| e.contact.is_some()).count(), 1);
    // along the table the damped oscillator forgets: e^(−cT/2) (cos νT ± i sin νT), in a plane of its own
    let nu = (30.0_f64 - 0.25).sqrt();
    let spring = [2.0 * (-0.5 * period).exp() * (nu * period).cos(), (-period).exp()];
    let all: [f64; 4] = std::array::from_fn(|i| cycle.multipliers[i][0].0);
    let sum: f64 = all.iter().sum();
    assert!((sum - trace - spring[0]).abs() < 1e-7, "{all:?} {trace} {}", spring[0]);
    // each multiplier is a root of one of the two polynomials
    for [re, im] in &cycle.multipliers {
        let off = [[trace, determinant], spring].map(|[trace, determinant]| {
            let (re, im) = (re.0, im.0);
            (re * re - im * im - trace * re + determinant).hypot(2.0 * re * im - trace * im)
        });
        assert!(off[0].min(off[1]) < 1e-6, "{re:?} {im:?} {off:?}");
    }
}

/// The slip from x₁ = (μmg + c v)/k with the speed of the belt v: x' = v again at the first root; then it sticks for the way back.
fn stick_slip() -> (f64, f64) {
    let (k, c, load, v) = (4.0_f64, 0.3, 0.3 * 10.0, 0.5);
    // x'' = c x' − k x + load   about x = load/k
    let (centre, growth) = (load / k, 0.5 * c);
    let nu = (k - growth * growth).sqrt();
    let begin = (load + c * v) / k - centre;
    let at = |t: f64| {
        let (s, co) = (nu * t).sin_cos();
        let b = (v - growth * begin) / nu;
        let x = (growth * t).exp() * (begin * co + b * s);
        let speed = growth * x + (growth * t).exp() * nu * (b * co - begin * s);
        [x, speed]
    };
    // the speed falls below v at once and comes back to it once
    let (mut low, mut high) = (0.5 * std::f64::consts::TAU / nu, std::f64::consts::TAU / nu);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if at(middle)[1] < v { low = middle } else { high = middle }
    }
    let period = low + (begin - at(low)[0]) / v;
    // largest deflection: where the speed vanishes, before
    let (mut rising, mut falling) = (0.0, 0.5 * std::f64::consts::TAU / nu);
    for _ in 0..100 {
        let middle = 0.5 * (rising + falling);
        if at(middle)[1] > 0.0 { rising = middle } else { falling = middle }
    }
    (period, centre + at(rising)[0])
}

#[test]
fn a_mass_that_sticks_to_its_belt_forgets_everything_in_one_period() {
    let cycle = found(BELT, "dot(x)", &[]).unwrap();
    let (period, largest) = stick_slip();
    assert!((cycle.period.0 - period).abs() < 1e-9 * period, "{:?} {period}", cycle.period);
    assert!((cycle.q.0[0].1.0 - largest).abs() < 1e-9 * largest, "{:?} {largest}", cycle.q);
    // the one direction that contact and section leave: sticking maps all of it to one point
    assert_eq!(cycle.multipliers.len(), 1);
    assert!(cycle.multipliers[0][0].0.abs() < 1e-7, "{:?}", cycle.multipliers);
    assert!(cycle.residual.0 < 1e-10);
}

#[test]
fn what_is_no_cycle_says_why() {
    let code = |found: Result<Cycle, Failure>| {
        let failure = found.unwrap_err();
        (failure.exit_status(), failure.to_string())
    };
    // along the table nothing holds the ball, and it moves away at a constant speed
    let free = ["omega=25", "q=0.037", "dot(q)=-1.03", "k=0", "c=0", "dot(x)=0.1"];
    let (status, words) = code(found(BALL, "cos(omega*t)", &free));
    assert_eq!(status, 3);
    assert!(words.contains("a multiplier is 1"), "{words}");
    // with positive damping and without friction it comes to rest
    let (status, words) = code(found(BELT, "x - 5", &["c=-1", "mu=0", "x=0.1"]));
    assert_eq!(status, 3);
    assert!(words.contains("does not return"), "{words}");
    // the ball is highest once in a period, but at the phase of its first flight instead of that of the cycle
    let (status, words) = code(found(BALL, "dot(q)", &["omega=25", "q=0.037", "dot(q)=-0.7"]));
    assert_eq!(status, 3, "{words}");
    let (status, words) = code(found(BELT, "dot(z)", &[]));
    assert_eq!(status, 2);
    assert!(words.contains("--section dot(z)"), "{words}");
}

#[test]
fn without_loss_every_motion_is_a_cycle_with_the_multiplier_one() {
    let cycle = found(BELT, "dot(x)", &["c=0", "mu=0", "x=0.1"]).unwrap();
    assert!((cycle.period.0 - std::f64::consts::PI).abs() < 1e-9, "{:?}", cycle.period);
    assert!((cycle.multipliers[0][0].0 - 1.0).abs() < 1e-7, "{:?}", cycle.multipliers);
}

/// Beyond its critical friction the oscillator hops, and comes slowly to rest in one rhythm.
#[test]
fn the_oscillator_on_its_belt_hops_as_its_long_motion_does() {
    let loaded: Loaded = load_bytes("model", LEINE.as_bytes().to_vec()).unwrap();
    let model = loaded.model.clone().unwrap();
    let motion = SimulateOptions {
        state: Some("inconsistent".to_string()),
        t_end: 80.0,
        samples: Some(0),
        ..SimulateOptions::default()
    };
    let long = simulate(&loaded, &model, &motion).unwrap();
    let asked = CycleOptions { motion, section: "dot(theta)".to_string(), symmetry: None };
    let cycle = cycle(&loaded, &model, &asked).unwrap();
    let impacts = long.events.iter().filter(|event| event.kind == EventKind::Impact);
    let times: Vec<f64> = impacts.map(|event| event.t.0).collect();
    let last = times[times.len() - 1] - times[times.len() - 2];
    assert!((cycle.period.0 - last).abs() < 1e-4 * last, "{:?} {last}", cycle.period);
    // 30 and 60 seconds from the start the intervals differ from the period by less and less, as the largest multiplier has it
    let spread = |from: f64| {
        let near: Vec<f64> =
            times.windows(2).filter(|t| t[0] > from && t[0] < from + 5.0).map(|t| t[1] - t[0]).collect();
        near.iter().map(|each| (each - cycle.period.0).abs()).fold(0.0, f64::max)
    };
    let largest = cycle.multipliers[0][0].0.hypot(cycle.multipliers[0][1].0);
    let decay = (spread(60.0) / spread(30.0)).powf(cycle.period.0 / 30.0);
    assert!((decay - largest).abs() < 2e-3, "{decay} {largest}");
}

/// Half a swing is the image of the other half: a return is half a period, and the section falls at the image where it rises.
#[test]
fn a_symmetry_halves_the_way_to_the_same_cycle() {
    let loaded: Loaded = load_bytes("model", BELT.as_bytes().to_vec()).unwrap();
    let model = loaded.model.clone().unwrap();
    let set = ["c=0", "mu=0", "x=0.1"].map(String::from).to_vec();
    let motion = SimulateOptions { set, t_end: 100.0, samples: Some(0), ..SimulateOptions::default() };
    let asked = |symmetry: &str| CycleOptions {
        motion: motion.clone(),
        section: "dot(x)".to_string(),
        symmetry: Some(symmetry.to_string()),
    };
    let half = cycle(&loaded, &model, &asked("x=-x")).unwrap();
    assert_eq!(half.returns, 2);
    assert!((half.period.0 - std::f64::consts::PI).abs() < 1e-9, "{:?}", half.period);
    assert!((half.q.0[0].1.0 - 0.1).abs() < 1e-9 && (half.multipliers[0][0].0 - 1.0).abs() < 1e-7);
    for (symmetry, words) in
        [("x=2*x", "does not lead back"), ("z=-x", "--symmetry z=-x"), ("mu=0", "velocities follow")]
    {
        let failure = cycle(&loaded, &model, &asked(symmetry)).unwrap_err();
        assert_eq!(failure.exit_status(), 2);
        assert!(failure.to_string().contains(words), "{failure}");
    }
}
