//! ε → 0 at states of every cell of the survey's Table 3: the outcomes of all starts and compliances are the table's.

use super::linear::Linear;
use super::{Subject, laws};
use mechan::simulate::compliant::{Compliant, Options, Preload, Study, Trials, factor_grid};

const EPS: [f64; 3] = [1e-5, 1e-6, 1e-7];

fn study(subject: &Subject, end: f64, starts: Option<&[Vec<Preload>]>) -> Study {
    let factors = factor_grid(subject.closed.len(), &[0.1, 1.0, 10.0], &[0.2, 1.0, 5.0]);
    subject.ask(|compliant: &Compliant, question| {
        let telling = compliant.telling_starts(question).unwrap();
        let trials = Trials { eps: &EPS, factors: &factors, starts: starts.unwrap_or(&telling) };
        compliant.study(question, &Options::new(EPS[0], end), &trials).unwrap()
    })
}

/// The rod at an angle with μ = 1.6, under forces at its centre.
fn rod(theta: f64, motion: (f64, f64, f64), forces: [f64; 3]) -> Subject {
    let mut rod = Subject::rod(theta, motion, laws(1.6, 1.0, 0.5));
    rod.state.parameters[7..].copy_from_slice(&forces);
    rod
}

/// The mirror image: slip to the other side with the rod leaning the other way.
fn mirrored(theta: f64, (u, v, omega): (f64, f64, f64), [x, y, turn]: [f64; 3]) -> Subject {
    let pi = std::f64::consts::PI;
    rod(pi - theta, (-u, v, -omega), [-x, y, -turn])
}

#[test]
fn outcomes_are_those_of_table_3() {
    let (weight, lift) = ([0.0; 3], [0.0, 1.5, 0.0]);
    let slip = (1.0, 0.0, 0.0);
    let rest = (0.0, 0.0, 0.0);
    #[rustfmt::skip]
    let cases: [(&str, Subject, &[&str]); 11] = [
        ("I(i)",            rod(0.3, slip, lift),                         &["free"]),
        ("I(iii)",          rod(1.0, (1.0, 0.0, 2.0), weight),            &["free", "iwc"]),
        ("I(iv)",           rod(0.3, slip, weight),                       &["slip+"]),
        ("I(vi)",           rod(1.0, slip, weight),                       &["iwc"]),
        ("III(iv)",         mirrored(0.3, slip, weight),                  &["slip-"]),
        ("III(ii)",         mirrored(1.0, (1.0, 0.0, 2.0), weight),       &["free", "iwc"]),
        ("III(v)",          mirrored(1.0, slip, weight),                  &["iwc"]),
        ("III(iii)",        rod(1.0, (-1.0, 0.0, 2.0), weight),           &["free"]),
        ("II(iv) stick",    rod(0.3, rest, weight),                       &["stick"]),
        ("II(iii) F alone", rod(1.0, rest, lift),                         &["free"]),
        ("II(iii) F and T", rod(2f64.atan(), rest, [8.0, 1.1, 0.0]),      &["free", "stick"]),
    ];
    for (cell, subject, expected) in cases {
        let study = study(&subject, 0.05, None);
        assert_eq!(study.outcomes, expected, "{cell}: {study:#?}");
        assert_eq!(study.uniformly_resolvable, expected.len() == 1, "{cell}");
    }
}

#[test]
fn an_approach_is_an_impact() {
    let study = study(&rod(0.3, (1.0, -1.0, 0.0), [0.0; 3]), 0.05, None);
    assert_eq!((study.outcomes.join(" "), study.uniformly_resolvable), ("impact".to_string(), true));
}

#[test]
fn two_feet_at_rest_stick_whatever_their_compliance() {
    let foot = |side: f64| vec![vec![0.0, 1.0, side], vec![1.0, 0.0, 0.2]];
    let block = Linear {
        masses: vec![1.0, 1.0, 0.5],
        stiffness: vec![0.0; 3],
        forces: vec![1.0, -10.0, 0.0],
        contacts: vec![foot(-0.5), foot(0.5)],
    };
    let subject = block.subject(&[0.0; 3], &[0.0; 3], laws(0.3, 1.0, 1.0), &[0, 1]);
    let study = study(&subject, 0.1, None);
    assert_eq!(study.outcomes, ["stick, stick"], "{study:#?}");
    assert_eq!(study.series.len(), 9);
}

#[test]
fn one_eps_or_failed_runs_decide_nothing() {
    let subject = rod(0.3, (1.0, 0.0, 0.0), [0.0; 3]);
    let factors = factor_grid(1, &[], &[1.0]);
    let outcome = |eps: &[f64], options: &Options<'_>| {
        subject.ask(|compliant: &Compliant, question| {
            let trials = Trials { eps, factors: &factors, starts: &[Vec::new()] };
            compliant.study(question, options, &trials).unwrap()
        })
    };
    let options = Options::new(1e-4, 0.05);
    assert_eq!(outcome(&[1e-4], &options).outcomes, ["undecided"]);
    assert_eq!(outcome(&[1e-4, 1e-5], &Options { steps: 3, ..options }).outcomes, ["undecided"]);
    assert!(outcome(&[1e-4, 1e-5], &options).uniformly_resolvable);
}
