//! What takes strong stability from an equilibrium, against the verdict about all modes on both sides of the border.

use crate::body::{Spot, of_body, problem};
use mechan_engine::equilibrium::{Condition, Gravity, Onset, RestingForces, StrongRobustness};
use mechan_engine::predict::{Consistency, Mode, Motion};
use mechan_num::Tol;
use mechan_num::random::Stream;
use std::f64::consts::{FRAC_PI_2, PI};

/// A body on some spots, with its gravity and an additional load.
#[derive(Clone)]
struct Case {
    spots: Vec<Spot>,
    inertia: f64,
    load: [f64; 3],
}

impl Case {
    fn rest(&self) -> Option<RestingForces> {
        let (body, tol) = (of_body(&self.spots, self.inertia, self.load), Tol::default());
        body.resting_forces(&body.decide(&tol), &tol)
    }

    fn is_strong(&self) -> bool {
        self.rest().is_some_and(|rest| rest.strong == Condition::Holds)
    }

    fn pushed(&self, push: [f64; 3], s: f64) -> Self {
        Self { load: [0, 1, 2].map(|k| self.load[k] + s * push[k]), ..self.clone() }
    }

    fn turned(&self, angle: f64) -> Self {
        let ([x, y, torque], (s, c)) = (self.load, angle.sin_cos());
        Self { load: [x * c - y * s, x * s + y * c, torque], ..self.clone() }
    }

    fn with_friction(&self, factor: impl Fn(usize) -> f64) -> Self {
        let spot = |(i, spot): (usize, &Spot)| Spot { mu: spot.mu * factor(i), ..*spot };
        Self { spots: self.spots.iter().enumerate().map(spot).collect(), ..self.clone() }
    }

    fn rows(&self, load: [f64; 3]) -> Vec<f64> {
        problem(&self.spots, self.inertia, load).1
    }

    fn robustness(&self) -> StrongRobustness {
        let pushes: Vec<Vec<f64>> = PUSHES.iter().map(|push| self.rows(*push)).collect();
        let [x, y, _] = self.load;
        let (along, across) = (self.rows(self.load), self.rows([-y, x, 0.0]));
        let gravity = Gravity { along: &along, across: &across };
        let body = of_body(&self.spots, self.inertia, self.load);
        body.strong_robustness(&pushes, Some(gravity), &Tol::default()).unwrap()
    }

    /// Just before the onset nothing has changed; just after it the mode is consistent, or sticking is no more, the two at once being the usual loss.
    fn breaks_at(&self, what: &str, onset: &Onset, changed: &dyn Fn(f64) -> Self) {
        let (before, after) = (changed(1.0 - 1e-5), changed(1.0 + 1e-5));
        assert!(before.is_strong(), "{what} {onset:?} {:?}", self.spots);
        assert!(!after.is_strong(), "{what} {onset:?} {:?}", self.spots);
        let tol = Tol::default();
        let decision = of_body(&after.spots, after.inertia, after.load).decide(&tol);
        let word = decision.modes.iter().find(|judged| judged.modes == onset.modes).unwrap();
        assert!(word.consistency == Consistency::Yes, "{what} {onset:?} {:?} {:?}", word.why, self.spots);
    }
}

const PUSHES: [[f64; 3]; 4] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.3, -0.2, 0.7]];

fn feet(chi: f64, places: &[(f64, f64)]) -> Case {
    let spot = |&(x, mu): &(f64, f64)| Spot { at: [x, -1.0], normal: FRAC_PI_2, mu, motion: Motion::Resting };
    Case { spots: places.iter().map(spot).collect(), inertia: 1.0, load: [chi.sin(), -chi.cos(), 0.0] }
}

/// The body of Fig. 16 of [CV16]: a strong equilibrium; it is ambiguous where h μ₁ < x₁ < h tan χ, with h = 1 and x₁ = 0.25.
#[test]
fn the_tumbling_body_is_ambiguous_below_the_friction_of_the_survey() {
    let found = feet(PI / 9.0, &[(0.25, 0.3), (0.6, 1.0)]).robustness();
    let [below, above] = &found.friction[0];
    let below = below.as_ref().unwrap();
    assert!((below.at * 0.3 - 0.25).abs() < 1e-12, "{below:?}");
    // both slide, the lower leg without force: of the two modes that set in the first one is told
    assert!(matches!(below.modes[..], [Mode::Slip { .. }, Mode::Free]), "{below:?}");
    assert_eq!(*above, None);
}

/// Friction to both sides of its own: nothing changes before the onset, all does there.
fn friction_onsets(case: &Case, found: &StrongRobustness) -> usize {
    let mut onsets = 0;
    let each = found.friction.iter().enumerate().map(|(i, pair)| (Some(i), pair));
    for (only, pair) in each.chain([(None, &found.friction_factor)]) {
        let changed = |factor: f64| {
            case.with_friction(|i| if only.is_none_or(|only| only == i) { factor } else { 1.0 })
        };
        for (end, onset) in [0.0, 50.0].into_iter().zip(pair) {
            let until = onset.as_ref().map_or(end, |onset| onset.at);
            if let Some(onset) = onset.as_ref() {
                case.breaks_at("friction", onset, &|times| changed(1.0 + (onset.at - 1.0) * times));
                onsets += 1;
            }
            for k in 0..30 {
                let factor = changed(1.0 + (until - 1.0) * 0.9999 * f64::from(k) / 30.0);
                assert!(factor.is_strong(), "{only:?} {onset:?} {k} {:?}", case.spots);
            }
        }
    }
    onsets
}

/// Bodies on two and three feet of slopes, and between walls: every border is one of the verdict about all modes, and no mode becomes consistent before.
#[test]
fn every_onset_is_a_border_of_the_verdict() {
    let (mut random, mut strong, mut onsets, mut early) = (Stream(5), 0, 0, 0);
    while strong < 10 {
        let count = 2 + (random.draw() * 2.0) as usize;
        let spots = (0..count).map(|_| Spot {
            at: [random.within(-1.0, 1.0), random.within(-1.2, -0.8)],
            normal: FRAC_PI_2 + random.within(-0.6, 0.6),
            mu: random.within(0.1, 1.5),
            motion: Motion::Resting,
        });
        let case = Case {
            spots: spots.collect(),
            inertia: random.within(0.1, 1.0),
            load: [random.within(-0.4, 0.4), -1.0, 0.0],
        };
        if !case.is_strong() {
            continue;
        }
        strong += 1;
        let found = case.robustness();
        let weak = of_body(&case.spots, case.inertia, case.load)
            .robustness(&PUSHES.map(|push| case.rows(push)), None, &Tol::default())
            .unwrap();
        for ((push, pair), reach) in PUSHES.iter().zip(&found.pushes).zip(&weak.pushes) {
            for ((sign, onset), reach) in [1.0, -1.0].into_iter().zip(pair).zip(reach) {
                let until = onset.as_ref().map_or(1e3, |onset| onset.at);
                for share in [0.1, 0.3, 0.5, 0.7, 0.9, 0.99] {
                    assert!(
                        case.pushed(*push, sign * share * until.min(*reach)).is_strong(),
                        "{push:?} {onset:?} {:?}",
                        case.spots
                    );
                }
                if let Some(onset) = onset.as_ref().filter(|onset| onset.at <= *reach * (1.0 + 1e-9)) {
                    case.breaks_at("push", onset, &|times| case.pushed(*push, sign * times * onset.at));
                    onsets += 1;
                    early += usize::from(onset.at < 0.999 * reach);
                }
            }
        }
        for (sign, onset) in [-1.0, 1.0].into_iter().zip(found.tilt.as_ref().unwrap()) {
            if let Some(onset) = onset.as_ref() {
                case.breaks_at("turn", onset, &|times| case.turned(sign * times * onset.at));
                onsets += 1;
            }
        }
        onsets += friction_onsets(&case, &found);
    }
    assert!(onsets > 60 && early > 1, "{onsets} {early}");
}

/// In the metric of kinetic energy, |f|² = f_x² + f_y² + τ²/I for mass one: no smaller push does it, and some push that is hardly larger does.
#[test]
fn the_least_push_of_any_direction_is_the_least() {
    for case in
        [feet(PI / 9.0, &[(0.25, 0.3), (0.6, 1.0)]), feet(0.1, &[(-0.5, 0.4), (0.0, 0.3), (0.6, 0.8)])]
    {
        assert!(case.is_strong());
        let found = case.robustness().push.unwrap();
        let size = case.load.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut random = Stream(3);
        let mut broken = f64::INFINITY;
        for _ in 0..1500 {
            let x = [0, 1, 2].map(|_| random.within(-1.0, 1.0));
            let norm = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] / case.inertia).sqrt();
            let push = x.map(|x| size * x / norm);
            assert!(case.pushed(push, found.at * 0.9999).is_strong(), "{found:?} {push:?}");
            if !case.pushed(push, found.at * 1.02).is_strong() {
                broken = broken.min(1.02);
            }
        }
        assert!(broken.is_finite(), "{found:?}");
    }
}
