//! A biped that stands, is pushed and rocks, against closed forms and a quadrature of its rolls.

use super::{Mover, assert_near, assert_sound, last};
use mechan::pipeline::AnalyzeOptions;
use mechan::simulate::trajectory::EventKind::Impact;
use serde_json::Value;

const M: f64 = 70.0;
const RHO: f64 = 0.4;
const H: f64 = 1.0;
const W: f64 = 0.15;
const G: f64 = 9.81;

fn biped() -> Mover {
    Mover::of("src/pipeline/models/standing_biped.json")
}

fn rest(state: &str, set: &[&str]) -> Value {
    let set = set.iter().map(ToString::to_string).collect();
    let options = AnalyzeOptions { set, without_next_step: true, ..AnalyzeOptions::of_state(state) };
    let found = serde_json::to_value(biped().derived().analyze(&options).unwrap()).unwrap();
    found["states"][0]["rest"].clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// What is left of the speed when a foot comes down: that of angular momentum about it (Housner 1963).
fn kept() -> f64 {
    (RHO * RHO + H * H - W * W) / (RHO * RHO + H * H + W * W)
}

#[test]
fn it_stands_up_to_what_moments_about_a_foot_and_friction_say() {
    let found = rest("standing", &[]);
    let strong = &found["robustness"]["strong"];
    let tips = M * G * W / H;
    for (k, mode) in [(0, "free,stick"), (1, "stick,free")] {
        assert_near(number(&found["robustness"]["push_along"]["x"][k]), tips, 1e-9 * tips);
        assert_near(number(&strong["push_along"]["x"][k]["at"]), tips, 1e-9 * tips);
        assert_eq!(strong["push_along"]["x"][k]["mode"], mode);
        assert_near(number(&strong["tilt"][k]["at"]), (W / H).atan(), 1e-12);
    }
    // of a smoother floor it slides before it tips
    let smooth = &rest("standing", &["mu=0.1"])["robustness"]["strong"];
    assert_near(number(&smooth["push_along"]["x"][0]["at"]), 0.1 * M * G, 1e-6);
    assert_eq!(smooth["push_along"]["x"][0]["mode"], "slip+,slip+");
    let slope = &rest("on_slope", &[])["robustness"]["strong"]["friction_factor"][0];
    assert_near(number(&slope["at"]), (std::f64::consts::PI / 36.0).tan() / 0.6, 1e-9);
}

#[test]
fn rocking_loses_housners_share_at_every_step_of_a_foot() {
    let found = rest("standing", &[]);
    assert_eq!(found["lyapunov"]["verdict"], "stable");
    assert_near(number(&found["lyapunov"]["growth"]), kept(), 1e-9);
    let motion = biped().run("nudged", &[], 5.0);
    assert_sound(&motion);
    let strikes: Vec<_> = motion.events.iter().filter(|event| event.kind == Impact).collect();
    // the foot that lands takes the impulse; the other one is lifted without any
    let mut rate = 0.3;
    for (i, strike) in strikes.iter().enumerate() {
        rate *= kept();
        assert_near(strike.v.0[2].1.0.abs(), rate, 1e-8);
        assert!(i == 0 || strike.t.0 > strikes[i - 1].t.0 && strike.contact != strikes[i - 1].contact);
    }
    assert!(strikes.len() > 8, "{}", strikes.len());
}

/// (ρ² + l²) φ¨ = g l sin φ from the vertical of the line to the foot, φ starting at −α with tan α = w/h.
fn roll(rate: f64) -> f64 {
    let (l, alpha) = (H.hypot(W), (W / H).atan());
    let acceleration = |phi: f64| G * l * phi.sin() / (RHO * RHO + l * l);
    let (mut phi, mut omega, mut t) = (-alpha, rate, 0.0);
    // to the top of the roll, where the last step is cut by its own rate
    let h = 2e-5 * rate / 0.3;
    while omega > 0.0 {
        let (k1, a1) = (omega, acceleration(phi));
        let (k2, a2) = (omega + 0.5 * h * a1, acceleration(phi + 0.5 * h * k1));
        let (k3, a3) = (omega + 0.5 * h * a2, acceleration(phi + 0.5 * h * k2));
        let (k4, a4) = (omega + h * a3, acceleration(phi + h * k3));
        phi += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        omega += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        t += h;
    }
    2.0 * (t - omega / acceleration(phi))
}

#[test]
fn it_comes_to_rest_when_all_its_rolls_are_over() {
    let motion = biped().run("nudged", &[], 20.0);
    let end = motion.events.iter().rfind(|event| event.kind == Impact).unwrap().t.0;
    let mut total = 0.0;
    let mut rate = 0.3;
    // rolls become alike as they become small: the rest of the sum is geometric
    while rate > 0.01 {
        total += roll(rate);
        rate *= kept();
    }
    let rest = roll(rate) / (1.0 - kept());
    assert_near(end, total + rest, 1e-3);
    assert_near(end, 13.5512, 1e-3);
}

/// ½ (ρ² + l²) ω² = g (l − h) at the least rate that brings the centre of mass over the foot.
#[test]
fn it_falls_where_its_energy_carries_it_over_the_foot() {
    let l = H.hypot(W);
    let least = (2.0 * G * (l - H) / (RHO * RHO + l * l)).sqrt();
    assert_near(least, 0.430838, 1e-6);
    for (share, falls) in [(0.999, false), (1.001, true)] {
        let motion = biped().run("nudged", &[&format!("dot(theta)=-{}", share * least)], 4.0);
        let theta = last(&motion, "theta")[0];
        assert_eq!(theta < -0.5, falls, "{share} {theta}");
        assert!(falls || theta.abs() < (W / H).atan(), "{share} {theta}");
    }
}
