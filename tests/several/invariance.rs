//! What must not matter: the order of contacts, the direction of tangents, units.

use crate::body::{Random, Spot, contacts, problem};
use mechan::analysis::planar::{Consistency, Verdict};
use mechan::analysis::several::{Choice, Going};
use mechan::contact::{Mode, Slip};
use mechan::num::Tol;

type Answer = (Verdict, Vec<Vec<Mode>>);

fn answer(D: &[f64], c: &[f64], each: &[(f64, Going)]) -> Answer {
    let decision = contacts(each, D, c).decide(&Tol::default());
    let yes = decision.words.iter().filter(|word| word.consistency == Consistency::Yes);
    let mut words: Vec<Vec<Mode>> =
        yes.map(|word| word.word.iter().map(|choice: &Choice| choice.mode()).collect()).collect();
    words.sort();
    (decision.verdict, words)
}

fn random_body(random: &mut Random, n: usize) -> (Vec<f64>, Vec<f64>, Vec<(f64, Going)>) {
    let spots: Vec<Spot> = (0..n)
        .map(|_| Spot {
            at: [random.within(-1.0, 1.0), random.within(-1.0, 1.0)],
            normal: random.within(0.0, 6.3),
            mu: random.within(0.0, 1.5),
            going: match (random.next() * 4.0) as u8 {
                0 => Going::Sliding(Slip::Pos),
                1 => Going::Sliding(Slip::Neg),
                _ => Going::Resting,
            },
        })
        .collect();
    let load = [random.within(-1.0, 1.0), random.within(-1.0, 1.0), random.within(-1.0, 1.0)];
    let (D, c) = problem(&spots, 0.7, load);
    (D, c, spots.iter().map(|s| (s.mu, s.going)).collect())
}

fn mirrored(going: Going) -> Going {
    match going {
        Going::Sliding(slip) => Going::Sliding(slip.opposite()),
        other => other,
    }
}

#[test]
fn order_tangents_and_units_do_not_matter() {
    let mut random = Random(11);
    for case in 0..60 {
        let n = 2 + case % 4;
        let (D, c, each) = random_body(&mut random, n);
        let m = 2 * n;
        let (verdict, words) = answer(&D, &c, &each);
        // the last contact first
        let place = |row: usize| (row + m - 2) % m;
        let D_turned: Vec<f64> = (0..m * m).map(|k| D[place(k / m) * m + place(k % m)]).collect();
        let c_turned: Vec<f64> = (0..m).map(|i| c[place(i)]).collect();
        let each_turned: Vec<_> = (0..n).map(|i| each[(i + n - 1) % n]).collect();
        let (turned, mut turned_words) = answer(&D_turned, &c_turned, &each_turned);
        turned_words.iter_mut().for_each(|word| word.rotate_left(1));
        turned_words.sort();
        assert_eq!((turned, turned_words), (verdict, words.clone()), "case {case}");
        // tangents the other way
        let sign = |row: usize| if row % 2 == 1 { -1.0 } else { 1.0 };
        let D_mirror: Vec<f64> = (0..m * m).map(|k| sign(k / m) * sign(k % m) * D[k]).collect();
        let c_mirror: Vec<f64> = (0..m).map(|i| sign(i) * c[i]).collect();
        let each_mirror: Vec<_> = each.iter().map(|&(mu, going)| (mu, mirrored(going))).collect();
        let (mirror, mut mirror_words) = answer(&D_mirror, &c_mirror, &each_mirror);
        let flip = |mode: &mut Mode| {
            *mode = match *mode {
                Mode::SlipPos => Mode::SlipNeg,
                Mode::SlipNeg => Mode::SlipPos,
                other => other,
            }
        };
        mirror_words.iter_mut().for_each(|word| word.iter_mut().for_each(flip));
        mirror_words.sort();
        assert_eq!((mirror, mirror_words), (verdict, words.clone()), "case {case}");
        // micrometres and tonnes
        let scaled: Vec<f64> = D.iter().map(|x| 1e-9 * x).collect();
        let fast: Vec<f64> = c.iter().map(|x| 1e6 * x).collect();
        assert_eq!(answer(&scaled, &fast, &each), (verdict, words), "case {case}");
    }
}
