//! Stability in the sense of Lyapunov on two contacts: against time-stepping, closed forms, and a search that follows single motions.

use crate::body::{Spot, of_body, problem};
use crate::steps::Steps;
use mechan_engine::equilibrium::{Lyapunov, LyapunovReason, LyapunovVerdict};
use mechan_engine::predict::{Contacts, Motion};
use mechan_num::Tol;
use mechan_num::random::Stream;
use std::f64::consts::{FRAC_PI_2, PI};

fn feet(at: [[f64; 2]; 2], normals: [f64; 2], mu: [f64; 2]) -> [Spot; 2] {
    [0, 1].map(|i| Spot { at: at[i], normal: normals[i], mu: mu[i], motion: Motion::Resting })
}

/// The body of Fig. 16 on its slope, with the friction of the upper leg.
fn tumbling(mu: f64) -> [Spot; 2] {
    feet([[0.25, -1.0], [0.6, -1.0]], [FRAC_PI_2; 2], [mu, 1.0])
}

fn slope(chi: f64) -> [f64; 3] {
    [chi.sin(), -chi.cos(), 0.0]
}

/// The verdict of a body; none if it has no equilibrium that sticks.
fn verdict(body: &Contacts) -> Option<Lyapunov> {
    let tol = Tol::default();
    let prediction = body.predict(&tol);
    let rest = body.resting_forces(&prediction.decision, &tol)?;
    Some(body.lyapunov((&prediction.decision, &prediction.stability), &rest, &tol))
}

/// The time-stepping of a body from given contact velocities.
fn steps(spots: &[Spot; 2], inertia: f64, load: [f64; 3], w: &[f64]) -> Steps {
    let (D, c) = problem(spots, inertia, load);
    Steps::new(&D, &c, [spots[0].mu, spots[1].mu], w)
}

/// Steps of the first period of an orbit, and the largest deviation from it at its end, relative to the velocity.
fn deviation(spots: &[Spot; 2], inertia: f64, load: [f64; 3], found: &Lyapunov) -> f64 {
    let orbit = found.orbit.as_ref().unwrap();
    let (count, mut motion) = (8000, steps(spots, inertia, load, &orbit.start));
    let h = 1.0 / f64::from(count);
    // the last impact is at time one, up to some steps
    (0..count - 20).for_each(|_| motion.step(h));
    let ahead: Vec<f64> = (0..4).map(|i| orbit.growth * orbit.start[i]).collect();
    let rates: Vec<f64> = {
        let before = motion.w.clone();
        motion.step(h);
        (0..4).map(|i| (motion.w[i] - before[i]) / h).collect()
    };
    let size = ahead.iter().map(|x| x.abs()).fold(0.0, f64::max);
    (0..4).map(|i| (motion.w[i] + 19.0 * h * rates[i] - ahead[i]).abs() / size).fold(0.0, f64::max)
}

#[test]
fn the_body_of_figure_16_tumbles_and_a_rougher_one_does_not() {
    let load = slope(PI / 9.0);
    let found = verdict(&of_body(&tumbling(0.3), 1.0, load)).unwrap();
    assert_eq!((found.verdict, &found.reason), (LyapunovVerdict::Unstable, &LyapunovReason::Grows));
    let orbit = found.orbit.as_ref().unwrap();
    assert_eq!((orbit.returns, orbit.phases.len()), (2, 2));
    assert!(deviation(&tumbling(0.3), 1.0, load, &found) < 5e-3);
    let found = verdict(&of_body(&tumbling(0.5), 1.0, load)).unwrap();
    assert_eq!((found.verdict, &found.reason), (LyapunovVerdict::Stable, &LyapunovReason::Decays));
    assert!(deviation(&tumbling(0.5), 1.0, load, &found) < 5e-3);
}

/// A slender block rocks from edge to edge: the angular velocity after a strike is (I + m(h² − b²))/(I + m(h² + b²)) of that before, and a
/// roll is symmetric in time.
#[test]
fn a_rocking_block_loses_what_angular_momentum_says() {
    let (b, h): (f64, f64) = (0.2, 0.5);
    let inertia = (b * b + h * h) / 3.0;
    let spots = feet([[-b, -h], [b, -h]], [FRAC_PI_2; 2], [0.8, 0.8]);
    let found = verdict(&of_body(&spots, inertia, [0.0, -1.0, 0.0])).unwrap();
    assert_eq!(found.verdict, LyapunovVerdict::Stable);
    let expected = (inertia + h * h - b * b) / (inertia + h * h + b * b);
    let [low, high] = found.growth.unwrap();
    assert!((low - expected).abs() < 1e-9 && high >= low && high < low * 1.001, "{low} {high} {expected}");
}

/// Random bodies on two walls: periodic directions return as time-stepping does.
#[test]
fn periodic_directions_are_those_of_time_stepping() {
    let (mut random, mut compared) = (Stream(11), 0);
    while compared < 8 {
        let (spots, inertia, load) = any_body(&mut random);
        let Some(found) = verdict(&of_body(&spots, inertia, load)) else { continue };
        let Some(orbit) = found.orbit.as_ref() else { continue };
        // far from grazing, which steps resolve badly
        if orbit.growth < 0.3 || orbit.phases.iter().any(|phase| phase.duration < 0.05) {
            continue;
        }
        let off = deviation(&spots, inertia, load, &found);
        assert!(off < 2e-2, "{off}: {spots:?} {inertia} {load:?} {orbit:?}");
        compared += 1;
    }
}

fn any_body(random: &mut Stream) -> ([Spot; 2], f64, [f64; 3]) {
    let at = [
        [random.within(-1.5, 1.0), random.within(-1.5, -0.3)],
        [random.within(-0.5, 1.5), random.within(-1.5, -0.3)],
    ];
    let normals = [0, 1].map(|_| FRAC_PI_2 + random.within(-0.9, 0.9));
    let mu = [0, 1].map(|_| random.within(0.05, 1.2));
    (feet(at, normals, mu), random.within(0.1, 1.5), [random.within(-0.5, 0.5), -1.0, 0.0])
}

/// Where the map says stable, random motions by time-stepping come to rest, or nearly.
#[test]
fn random_motions_near_stable_equilibria_lose_their_speed() {
    let (mut random, mut compared) = (Stream(5), 0);
    while compared < 6 {
        let (spots, inertia, load) = any_body(&mut random);
        let body = of_body(&spots, inertia, load);
        let Some(found) = verdict(&body) else { continue };
        if found.verdict != LyapunovVerdict::Stable || found.growth.is_some_and(|[_, high]| high > 0.8) {
            continue;
        }
        compared += 1;
        let (D, _) = problem(&spots, inertia, load);
        for _ in 0..4 {
            let x: Vec<f64> = (0..4).map(|_| random.within(-1.0, 1.0)).collect();
            let w: Vec<f64> = (0..4).map(|i| (0..4).map(|j| D[4 * i + j] * x[j]).sum()).collect();
            let mut motion = steps(&spots, inertia, load, &w);
            let start = motion.speed();
            let mut largest = 0.0_f64;
            for _ in 0..4000 {
                motion.step(start * 0.02);
                let speed = motion.speed();
                largest = largest.max(speed);
                if speed < 0.05 * start {
                    break;
                }
            }
            assert!(motion.speed() < 0.1 * start, "{} of {start}: {found:?}", motion.speed());
            assert!(largest < 20.0 * start);
        }
    }
}

/// The search follows single motions with the general contact modes; it knows nothing of the map.
#[test]
fn the_search_finds_what_the_map_says() {
    let tol = Tol::default();
    let load = slope(PI / 9.0);
    let grows = of_body(&tumbling(0.3), 1.0, load).chatter_search(&tol);
    assert!(grows.grew > 0 && grows.start.is_some(), "{grows:?}");
    let decays = of_body(&tumbling(0.5), 1.0, load).chatter_search(&tol);
    assert_eq!(decays.grew, 0, "{decays:?}");
    assert!(decays.settled > decays.tried / 2, "{decays:?}");
}

#[test]
fn three_feet_are_searched() {
    let tol = Tol::default();
    let spots =
        [-0.8, 0.1, 0.9].map(|x| Spot { at: [x, -0.5], normal: FRAC_PI_2, mu: 0.7, motion: Motion::Resting });
    let body = of_body(&spots, 0.4, [0.05, -1.0, 0.0]);
    assert_eq!(verdict(&body).unwrap().reason, LyapunovReason::Contacts);
    let found = body.chatter_search(&tol);
    assert_eq!((found.grew, found.tried), (0, 32), "{found:?}");
    assert!(found.settled > 16, "{found:?}");
}

/// A consistent mode that leaves an equilibrium makes it unstable  \[OR08\]; an equilibrium on the border of the cone is not judged.
#[test]
fn ambiguous_and_marginal_equilibria() {
    let found = verdict(&of_body(&tumbling(0.2), 1.0, slope(PI / 9.0))).unwrap();
    assert_eq!(found.verdict, LyapunovVerdict::Unstable);
    assert!(matches!(found.reason, LyapunovReason::Ambiguous { .. }));
    let wedge = [(-0.5, -0.2), (0.5, PI + 0.2)].map(|(x, normal)| Spot {
        at: [x, 0.3],
        normal,
        mu: 0.5,
        motion: Motion::Resting,
    });
    let falls = verdict(&of_body(&wedge, 0.1, [0.0, -1.0, 0.0])).unwrap();
    assert_eq!(falls.verdict, LyapunovVerdict::Unstable);
}

/// Lengths, masses and times in other units, and the contacts in the other order.
#[test]
fn the_verdict_has_no_units_and_no_order() {
    let (load, tol) = (slope(PI / 9.0), Tol::default());
    let growth = |body: &Contacts| {
        let found = verdict(body).unwrap();
        (found.verdict, found.orbit.unwrap().growth)
    };
    let base = growth(&of_body(&tumbling(0.3), 1.0, load));
    let long = [0, 1].map(|i| Spot { at: tumbling(0.3)[i].at.map(|x| x * 1e6), ..tumbling(0.3)[i] });
    let [first, second] = tumbling(0.3);
    for body in [
        of_body(&long, 1e12, load),
        of_body(&[second, first], 1.0, load),
        of_body(&tumbling(0.3), 1.0, load.map(|x| x * 1e-9)),
    ] {
        let other = growth(&body);
        assert_eq!(other.0, base.0);
        assert!((other.1 - base.1).abs() < 1e-9, "{other:?} {base:?}");
    }
    let map = of_body(&tumbling(0.3), 1.0, load).return_map(9, &tol).unwrap();
    assert!(map.pieces.len() >= 6 && map.pieces.iter().all(|piece| piece.len() == 9));
}

/// The map over friction of the upper leg and slope: unstable between ambiguity and friction enough.
#[test]
fn regions_of_stability() {
    let word = |mu: f64, chi: f64| match verdict(&of_body(&tumbling(mu), 1.0, slope(chi))) {
        None => "-",
        Some(found) => match (found.verdict, found.reason) {
            (LyapunovVerdict::Stable, _) => "stable",
            (LyapunovVerdict::Unstable, LyapunovReason::Ambiguous { .. }) => "ambiguous",
            (LyapunovVerdict::Unstable, _) => "unstable",
            (LyapunovVerdict::Undecided, _) => "undecided",
        },
    };
    let rows = [0.22, 0.28, 0.34, 0.40, 0.46];
    let found: Vec<Vec<&str>> = rows
        .iter()
        .map(|mu| [14.5_f64, 17.0, 20.0, 23.0, 26.0].map(|chi| word(*mu, chi.to_radians())).to_vec())
        .collect();
    // h mu1 < x1 < h tan chi is ambiguous   [CV16 Fig. 7]; the table of docs/studies/tumbling_body.md
    let expected = [
        ["-", "ambiguous", "ambiguous", "ambiguous", "ambiguous"],
        ["stable", "stable", "unstable", "unstable", "unstable"],
        ["stable", "stable", "stable", "stable", "unstable"],
        ["stable"; 5],
        ["stable"; 5],
    ];
    assert_eq!(found, expected);
    // on the line between stable and unstable that `mechan map` follows
    for (chi, mu) in [(17.0_f64, 0.276_122_9), (20.0, 0.303_059_6), (23.0, 0.330_659_9), (26.0, 0.359_106_4)]
    {
        let sides = [mu - 1e-5, mu + 1e-5].map(|mu| word(mu, chi.to_radians()));
        assert_eq!(sides, ["unstable", "stable"], "{chi} {mu}");
    }
}
