//! A limit of steps or of time on the proofs: what is proven within it is proven, more steps never take a verdict back, and what is
//! asked for no proof has none.

use crate::solvers::Stream;
use mechan::existence::{Conclusion, Examined, Existence, Kinematics, Rows, Verdict, assess};
use mechan::num::halt::Limit;
use std::time::{Duration, Instant};

/// Contacts that share few motions, in whole numbers or in numbers of many digits, whose elimination is dear.
fn random(s: &mut Stream, (dim, contacts, motions): (usize, usize, usize), is_whole: bool) -> Kinematics {
    let mut number = || {
        let x = 3.0 * s.next();
        if is_whole { x.round() } else { x }
    };
    let rows: Vec<Vec<f64>> = (0..dim * contacts).map(|_| (0..motions).map(|_| number()).collect()).collect();
    let w = (0..dim * contacts).map(|_| number()).collect();
    Kinematics { dim, H: Rows::from_dense(&rows, motions), w, mu: vec![0.6; contacts] }
}

fn verdicts(found: &Existence) -> [&Verdict; 5] {
    [&found.strong, &found.weak, &found.klarbring_pang, &found.non_penetration, &found.no_wedging]
}

fn within(steps: usize, problem: &Kinematics) -> Existence {
    Limit { steps: Some(steps), deadline: None }.holds(|| assess(problem)).0
}

#[test]
fn more_steps_never_take_a_verdict_back() {
    let mut s = Stream::new(20);
    let mut cut = 0;
    for k in 0..12 {
        let size = ([2, 3][k % 2], 2 + k % 4, 2 + k % 3);
        let problem = random(&mut s, size, k % 4 < 2);
        let whole = assess(&problem);
        assert_eq!(whole.examined, Examined::Whole);
        for steps in [0, 3, 15, 60, 250, 1_000_000] {
            let found = within(steps, &problem);
            assert_eq!(found, within(steps, &problem), "the same steps, the same answer");
            for (one, all) in verdicts(&found).into_iter().zip(verdicts(&whole)) {
                assert!(
                    matches!(one, Verdict::Undecided(_))
                        || (one.holds(), one.fails()) == (all.holds(), all.fails())
                );
            }
            match found.examined {
                Examined::Whole => assert_eq!(found, whole),
                Examined::CutShort => cut += 1,
                Examined::Not => panic!("it was looked at"),
            }
        }
        let none = within(0, &problem);
        assert!(none.examined == Examined::CutShort && none.conclusion() == Conclusion::Open);
        assert_eq!(within(1_000_000, &problem), whole);
    }
    assert!(cut > 12, "{cut}");
}

#[test]
fn a_deadline_ends_proofs_that_are_dear() {
    let mut s = Stream::new(21);
    for (dim, contacts, motions) in [(3, 30, 6), (3, 20, 9), (2, 40, 6)] {
        let problem = random(&mut s, (dim, contacts, motions), false);
        let begun = Instant::now();
        let deadline = begun.checked_add(Duration::from_millis(200));
        let (found, _) = Limit { deadline, steps: None }.holds(|| assess(&problem));
        // one elimination of an equation is not cut in two
        assert!(begun.elapsed() < Duration::from_secs(5), "{contacts} contacts: {:?}", begun.elapsed());
        assert!(begun.elapsed() < Duration::from_millis(200) || found.examined == Examined::CutShort);
    }
}
