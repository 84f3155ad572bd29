//! What must not matter: the order of contacts, the direction of tangents, units.

use crate::body::{BACK, FORTH, Spot, contacts, names, problem};
use mechan_engine::predict::{Consistency, ModeName, Motion, Possible, Verdict};
use mechan_num::Tol;
use mechan_num::random::Stream;

type Answer = (Verdict, Vec<Vec<ModeName>>);

fn answer(D: &[f64], c: &[f64], each: &[(f64, Motion)]) -> Answer {
    let decision = contacts(each, D, c).decide(&Tol::default());
    let yes = decision.modes.iter().filter(|word| word.consistency == Consistency::Yes);
    let mut words: Vec<Vec<ModeName>> = yes.map(names).collect();
    words.sort();
    (decision.verdict, words)
}

fn random_body(random: &mut Stream, n: usize) -> (Vec<f64>, Vec<f64>, Vec<(f64, Motion)>) {
    let spots: Vec<Spot> = (0..n)
        .map(|_| Spot {
            at: [random.within(-1.0, 1.0), random.within(-1.0, 1.0)],
            normal: random.within(0.0, 6.3),
            mu: random.within(0.0, 1.5),
            motion: match (random.draw() * 4.0) as u8 {
                0 => FORTH,
                1 => BACK,
                _ => Motion::Resting,
            },
        })
        .collect();
    let load = [random.within(-1.0, 1.0), random.within(-1.0, 1.0), random.within(-1.0, 1.0)];
    let (D, c) = problem(&spots, 0.7, load);
    (D, c, spots.iter().map(|s| (s.mu, s.motion)).collect())
}

fn mirrored(motion: Motion) -> Motion {
    match motion {
        Motion::Slipping([u, _]) => Motion::Slipping([-u, 0.0]),
        other => other,
    }
}

#[test]
fn order_tangents_and_units_do_not_matter() {
    let mut random = Stream(11);
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
        let each_mirror: Vec<_> = each.iter().map(|&(mu, motion)| (mu, mirrored(motion))).collect();
        let (mirror, mut mirror_words) = answer(&D_mirror, &c_mirror, &each_mirror);
        let flip = |mode: &mut ModeName| {
            *mode = match *mode {
                ModeName::SLIP_POS => ModeName::SLIP_NEG,
                ModeName::SLIP_NEG => ModeName::SLIP_POS,
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

/// The impacts without collision that can start, by their contacts.
fn jumps(D: &[f64], c: &[f64], each: &[(f64, Motion)]) -> Vec<(Vec<usize>, Possible)> {
    let found = contacts(each, D, c).impacts_without_collision(&Tol::default());
    found.found.into_iter().map(|iwc| (iwc.contacts, iwc.possible)).collect()
}

/// A point that can move along a line only is pressed in for good: A C = B², and stick gives nothing of the gap rate back.
#[test]
fn a_point_on_a_line_has_no_impact_without_collision() {
    let slip = [(2.0, Motion::Slipping([1.0, 0.0]))];
    for (B, C) in [(1.0, 1.0), (0.7, 0.3), (2.0, 3.0)] {
        let at = |off: f64| jumps(&[C, B, B, B * B / C * (1.0 + off)], &[-1.0, 0.0], &slip);
        assert_eq!(at(1e-3), [(vec![0], Possible::Yes)]);
        assert!(at(0.0).is_empty());
    }
}

/// Two bodies that do not touch: what can start at the contacts of one, together with what can at those of the other, can start at all of them;
/// and so it is where only slips feel each other.
#[test]
fn contacts_that_feel_nothing_do_not_hinder_an_impact_without_collision() {
    let (mut random, mut seen) = (Stream(12), 0);
    for case in 0..400 {
        let mut body = |n: usize| {
            let (D, c, mut each) = random_body(&mut random, n);
            each.iter_mut().for_each(|(mu, _)| *mu *= 2.0);
            (D, c, each)
        };
        let ((D, c, each), (other_D, other_c, other)) = (body(1 + case % 2), body(1 + case / 2 % 2));
        let (m, k) = (c.len(), c.len() + other_c.len());
        let mut joint = vec![0.0; k * k];
        (0..m * m).for_each(|e| joint[e / m * k + e % m] = D[e]);
        let l = other_c.len();
        (0..l * l).for_each(|e| joint[(m + e / l) * k + m + e % l] = other_D[e]);
        // a spring of slips alone
        if case % 3 == 0 {
            (joint[k + m + 1], joint[(m + 1) * k + 1]) = (0.1, 0.1);
        }
        let (all_c, all) = ([&c[..], &other_c].concat(), [&each[..], &other].concat());
        let mut expected = jumps(&D, &c, &each);
        let moved = jumps(&other_D, &other_c, &other);
        expected.extend(
            moved
                .into_iter()
                .map(|(places, possible)| (places.iter().map(|i| i + m / 2).collect(), possible)),
        );
        let mut found = jumps(&joint, &all_c, &all);
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        found.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(found, expected, "{case}");
        seen += usize::from(!found.is_empty());
    }
    assert!(seen > 20, "{seen}");
}
