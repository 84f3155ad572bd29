//! Equilibria on two contacts and what small motions near them do: Figs. 7, 15 and 16 of the survey   [CV16 6].

use super::{Mover, asked, assert_near, column, events};
use mechan::analysis::several::{RestOutcome, StandingOutcome};
use mechan::equilibrium::{Condition, LyapunovVerdict};
use mechan::pipeline::{AnalyzeOptions, SimulateOptions};
use mechan::simulate::trajectory::{Event, EventDetail, EventKind, Status, Trajectory};

fn mover(name: &str) -> Mover {
    Mover::of(&format!("tests/simulate/models/{name}.json"))
}

fn rest(mover: &Mover, state: &str, set: &[&str]) -> RestOutcome {
    let set = set.iter().map(ToString::to_string).collect();
    let options = AnalyzeOptions { set, without_next_step: true, ..AnalyzeOptions::of_state(state) };
    let analysis = mover.derived().analyze(&options).unwrap();
    analysis.state(state).unwrap().prospect.rest.clone().unwrap()
}

fn standing(rest: RestOutcome) -> StandingOutcome {
    rest.standing.unwrap()
}

/// Times and gap rates before the impacts of a contact that comes down.
fn strikes(trajectory: &Trajectory, contact: &str) -> Vec<(f64, f64)> {
    let pre = |event: &&Event| match &event.detail {
        EventDetail::Impact(detail)
            if event.contact.as_deref() == Some(contact) && detail.pre.v.0 < -1e-9 =>
        {
            Some((event.t.0, detail.pre.v.0))
        }
        _ => None,
    };
    events(trajectory, EventKind::Impact).iter().filter_map(pre).collect()
}

/// Fig. 16: from the velocity of the divergent direction, some 1e-4 of the body's own, the full equations of motion stamp from leg to leg, every
/// period 1.1161 times as long and as fast as the one before.
#[test]
fn the_tumbling_body_stamps_faster_and_faster() {
    let body = mover("tumbling_body");
    let found = rest(&body, "resting", &[]);
    let (strong, found) = (found.strong, standing(found).lyapunov);
    assert_eq!((strong, found.verdict), (Condition::Holds, LyapunovVerdict::Unstable));
    let orbit = found.orbit.unwrap();
    assert_near(orbit.growth.0, 1.116_111_380_6, 1e-9);
    let modes: Vec<Vec<&str>> =
        orbit.phases.iter().map(|phase| phase.mode.0.iter().map(|(_, mode)| mode.name()).collect()).collect();
    assert_eq!(modes, [["free", "stick"], ["slip+", "free"]]);
    let set: Vec<String> = orbit.start.0.iter().map(|(name, v)| format!("dot({name})={:e}", v.0)).collect();
    let set: Vec<&str> = set.iter().map(String::as_str).collect();
    let trajectory = body.run("resting", &set, 0.08);
    assert_eq!(trajectory.status, Status::End);
    for contact in ["upper", "lower"] {
        let hits = strikes(&trajectory, contact);
        assert!(hits.len() >= 5, "{hits:?}");
        for pair in hits.windows(2) {
            assert_near(pair[1].1 / pair[0].1, orbit.growth.0, 2e-3);
        }
        for three in hits.windows(3) {
            assert_near((three[2].0 - three[1].0) / (three[1].0 - three[0].0), orbit.growth.0, 2e-3);
        }
    }
    let durations: Vec<f64> = orbit.phases.iter().map(|phase| phase.duration.0).collect();
    assert_near(strikes(&trajectory, "upper")[0].0, durations[0], 1e-3 * durations[0]);
    assert_near(durations.iter().sum(), orbit.period.0, 1e-12);
}

/// The same body with a rougher upper leg: from the direction that decays least speeds shrink as the map says, 0.9497 a period.
#[test]
fn a_rougher_leg_lets_the_stamping_die_out() {
    let body = mover("tumbling_body");
    let found = standing(rest(&body, "resting", &["mu1=0.5"])).lyapunov;
    assert_eq!(found.verdict, LyapunovVerdict::Stable);
    let orbit = found.orbit.unwrap();
    let set: Vec<String> = orbit.start.0.iter().map(|(name, v)| format!("dot({name})={:e}", v.0)).collect();
    let set: Vec<&str> = set.iter().map(String::as_str).chain(["mu1=0.5"]).collect();
    let hits = strikes(&body.run("resting", &set, 0.05), "lower");
    assert!(hits.len() >= 5 && orbit.growth.0 < 1.0, "{hits:?}");
    for pair in hits.windows(2) {
        assert_near(pair[1].1 / pair[0].1, orbit.growth.0, 2e-3);
    }
}

/// From the state of the file: three strikes of the lower leg, each harder, then the body falls over its legs.
#[test]
fn the_perturbed_body_falls_over() {
    let trajectory = mover("tumbling_body").run("perturbed", &[], 11.0);
    let hits: Vec<f64> = strikes(&trajectory, "lower").iter().map(|hit| hit.1).collect();
    assert!(hits.len() >= 2 && hits.windows(2).all(|pair| pair[1] < 1.1 * pair[0]), "{hits:?}");
    assert!(*column(&trajectory, "theta").last().unwrap() > 1.0);
}

/// Fig. 7: a block that hangs by friction may as well fall; its least friction is tan δ. The body on the slope may rest, or slide off on its
/// upper leg.
#[test]
fn two_equilibria_that_may_end_at_once() {
    let wedged = rest(&mover("overhang_block"), "wedged", &[]);
    assert_eq!(wedged.ambiguous_with, ["free,free"]);
    let wedged = standing(wedged);
    assert_eq!(wedged.lyapunov.verdict, LyapunovVerdict::Unstable);
    let robustness = wedged.robustness.unwrap();
    let delta = std::f64::consts::PI / 18.0;
    assert_near(robustness.least_friction.get("left").unwrap().0, delta.tan(), 1e-9);
    assert!(robustness.push.0.is_infinite());
    let slope = mover("slope_body");
    let resting = rest(&slope, "resting", &[]);
    assert!(resting.ambiguous_with.contains(&"slip+,free".to_string()), "{:?}", resting.ambiguous_with);
    let resting = standing(resting);
    assert_eq!(resting.lyapunov.verdict, LyapunovVerdict::Unstable);
    // slip on the upper leg with the lower one off the ground speeds up and lifts it further
    let off = slope.run("sliding_off", &[], 1.0);
    assert!(events(&off, EventKind::Impact).is_empty() && *column(&off, "theta").last().unwrap() > 0.1);
    // gravity may turn until forces are on the edges of both cones, N1 and N2 by moments about the legs
    let [_, counter] = resting.robustness.unwrap().tilt.unwrap();
    let chi = std::f64::consts::PI / 9.0 + counter.0;
    let (n1, n2) = ((0.6 * chi.cos() - chi.sin()) / 0.35, (chi.sin() - 0.25 * chi.cos()) / 0.35);
    let edge = (0.2 * n1 + n2 - chi.sin()).abs().min(n1.abs()).min(n2.abs());
    assert!(edge < 1e-9, "{edge}");
}

fn compliant(mover: &Mover, state: &str, set: &[&str], t_end: f64) -> Trajectory {
    let set: Vec<&str> = ["v_0=0.1"].iter().chain(set).copied().collect();
    let usual = asked(state, &set, t_end);
    let options = SimulateOptions {
        scheme: "compliant".parse().unwrap(),
        eps: vec![1e-5],
        samples: Some(2000),
        ..usual
    };
    mover.try_run(&options).unwrap()
}

/// Fig. 15 A: slip on both is the only consistent mode and cannot last; the first contact lifts off, the second is struck: its force grows
/// with the rate √(−p) in fast time, p its gain in slip, and is an impact as ε → 0.
#[test]
fn the_only_consistent_slip_ends_in_an_impact_without_collision() {
    let trajectory = compliant(&mover("two_point_body"), "unstable_slip", &[], 2e-4);
    let lifts = events(&trajectory, EventKind::LiftOff);
    assert_eq!(lifts[0].contact.as_deref(), Some("first"));
    assert!(lifts[0].t.0 < 1e-5);
    let (t, N) = (column(&trajectory, "t"), column(&trajectory, "second.N"));
    assert!(N.iter().copied().fold(0.0, f64::max) > 1000.0);
    // P22 = −0.283856 (FORMULAS 8): rates of Y'' = −p (Y + Y')
    let p = -0.283_856;
    let rate = 0.5 * (-p + f64::sqrt(p * p - 4.0 * p)) / 1e-5;
    let (a, b) = (t.iter().position(|t| *t > 8e-5).unwrap(), t.iter().position(|t| *t > 9.5e-5).unwrap());
    assert_near((N[b] / N[a]).ln() / (t[b] - t[a]) / rate, 1.0, 0.02);
    // nudged towards the first wall by 1e-6, the other way round
    let nudge = [
        "dot(x)=v_0*(sin(n1)*d2 - d1*sin(n2)) - sin(n2)/10^6",
        "dot(y)=v_0*(d1*cos(n2) - cos(n1)*d2) + cos(n2)/10^6",
    ];
    let nudged = compliant(&mover("two_point_body"), "unstable_slip", &nudge, 2e-4);
    assert_eq!(events(&nudged, EventKind::LiftOff)[0].contact.as_deref(), Some("second"));
    assert!(column(&nudged, "first.N").into_iter().fold(0.0, f64::max) > 1000.0);
}

/// Fig. 15 B: mode coupling without an impact that could end it: the second contact leaves and touches the wall within some ten ε, again and
/// again, while both slide.
#[test]
fn the_second_contact_vibrates_where_nothing_else_is_possible() {
    let trajectory = compliant(&mover("two_point_body"), "micro_sprag_slip", &[], 1.2e-3);
    assert_eq!(trajectory.status, Status::End);
    let lifts: Vec<f64> = events(&trajectory, EventKind::LiftOff)
        .iter()
        .filter(|event| event.contact.as_deref() == Some("second"))
        .map(|event| event.t.0 / 1e-5)
        .collect();
    assert!(lifts.len() >= 12, "{lifts:?}");
    let periods: Vec<f64> = lifts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // longer and longer, but ever more slowly
    let last: Vec<f64> = periods.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(
        periods.iter().all(|x| (5.0..10.0).contains(x)) && *last.last().unwrap() < 0.1 * last[0],
        "{periods:?}"
    );
    let slip = column(&trajectory, "first.slip");
    assert!(slip.iter().all(|u| (u / slip[0] - 1.0).abs() < 0.01));
    assert!(column(&trajectory, "first.N").iter().skip(100).all(|N| *N > 0.0));
}
