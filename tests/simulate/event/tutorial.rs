//! The crutch of `docs/tutorial.md`: its file and its numbers.

use super::{Mover, assert_near, assert_sound, events, jam_of, kinds};
use mechan::pipeline::AnalyzeOptions;
use mechan::simulate::trajectory::{EventDetail, EventKind::*};

fn tutorial() -> String {
    std::fs::read_to_string("docs/tutorial.md").unwrap()
}

#[test]
fn the_file_of_the_tutorial_is_the_one_that_is_kept() {
    let text = tutorial();
    let yaml = text.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let kept = std::fs::read_to_string("benches/models/crutch.json").unwrap();
    let file: serde_json::Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(file["mechanism"], yaml);
}

/// The numbers by the centre of both masses: distance d from the tip, I about it, α = (m + M) d²/I.
#[test]
fn the_crutch_of_the_tutorial_jams() {
    let crutch = Mover::kept("crutch");
    let trajectory = crutch.run("sliding", &[], 0.08);
    assert_sound(&trajectory);
    assert_eq!(kinds(&trajectory), [Jam, Iwc, LiftOff, End]);
    let (m, M, l, g, mu) = (1.0f64, 4.0, 0.6, 9.81, 0.9);
    let d = (m * l + M * 2.0 * l) / (m + M);
    let inertia = m * l * l / 3.0 + m * (d - l).powi(2) + M * (2.0 * l - d).powi(2);
    let alpha = (m + M) * d * d / inertia;
    let tangent = 0.5 * (mu * alpha - f64::sqrt(mu * mu * alpha * alpha - 4.0 * (1.0 + alpha)));
    let theta = tangent.atan();
    let [found, rate] = super::at(events(&trajectory, Jam)[0], "theta");
    assert_near(found, theta, 1e-9);
    assert_near(rate, (g / (d * theta.sin())).sqrt(), 1e-8);
    let (t, detail) = jam_of(&trajectory);
    assert_eq!((format!("{t:.7}").as_str(), detail.class.as_ref()), ("0.0548991", "G1"));
    // α₁ = −α(sin 2θ + μ cos 2θ)θ̇, β = 2αθ̇ sin θ(cos θ − μ sin θ): their ratio has no units
    let alpha1 = -((2.0 * theta).sin() + mu * (2.0 * theta).cos());
    let beta = 2.0 * theta.sin() * (theta.cos() - mu * theta.sin());
    assert_near(detail.force_exponent_theory.0, beta / alpha1 - 1.0, 1e-9);
    assert_near(detail.force_exponent.0, beta / alpha1 - 1.0, 0.01);
    let EventDetail::Impact(iwc) = &events(&trajectory, Iwc)[0].detail else { panic!() };
    let text = tutorial();
    for shown in
        [format!("u {:.6} to 0", detail_slip(iwc)), format!("theory {:.6}", detail.force_exponent_theory.0)]
    {
        assert!(text.contains(&shown), "{shown}");
    }
    // 2√(1 + α)/α
    let analysis = crutch.derived().analyze(&AnalyzeOptions::default()).unwrap();
    let printed = serde_json::to_string(&analysis).unwrap();
    assert!(
        format!("{:.6}", 2.0 * (1.0 + alpha).sqrt() / alpha) == "0.547186" && printed.contains("0.54718")
    );
}

fn detail_slip(impact: &mechan::simulate::trajectory::ImpactDetail) -> f64 {
    match impact.pre.u {
        mechan::simulate::trajectory::Pair::One(u) => u.0,
        mechan::simulate::trajectory::Pair::Two(_) => f64::NAN,
    }
}

#[test]
fn below_the_friction_of_jam_the_crutch_slides_on() {
    let trajectory = Mover::kept("crutch").run("sliding", &["mu=0.6"], 0.08);
    assert_eq!(kinds(&trajectory), [End]);
}
