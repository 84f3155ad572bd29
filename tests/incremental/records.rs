//! Records of searches that were tampered with: a record is accepted only if it proves what it says.

use mechan::coulomb::Problem;
use mechan::enumerate::Mode;
use mechan::enumerate::proof::{Branch, Combination, Gap, Proof, SolutionSet};
use mechan::enumerate::{Enumeration, Limits, enumerate};
use mechan::num::Dyadic;
use num_rational::BigRational;

use crate::eliminate::{Is, feasible};
use crate::stream::Stream;
use crate::words::Whole;

fn samples(seed: u64, count: usize) -> Vec<(Whole, Problem, Enumeration)> {
    let mut stream = Stream::new(seed);
    let sample = |_| {
        let whole = Whole::random(&mut stream);
        let problem = whole.problem();
        let all = enumerate(&problem, Limits::default()).unwrap();
        (whole, problem, all)
    };
    (0..count).map(sample).collect()
}

/// All trees with one branch replaced, by every `change` of it.
fn trees(root: &Branch, change: &dyn Fn(&Branch) -> Vec<Branch>) -> Vec<Branch> {
    let mut out = change(root);
    if let Branch::Split { contact, children } = root {
        for (k, (choice, child)) in children.iter().enumerate() {
            for other in trees(child, change) {
                let mut children = children.clone();
                children[k] = (*choice, other);
                out.push(Branch::Split { contact: *contact, children });
            }
        }
    }
    out
}

/// Changes after which nothing is proven, whatever the numbers are.
fn broken(branch: &Branch) -> Vec<Branch> {
    let negated = |y: &Combination| -> Combination { y.iter().map(|(k, y)| (*k, -y)).collect() };
    match branch {
        Branch::Split { contact, children } => {
            let mut out: Vec<Branch> = (0..children.len())
                .map(|k| {
                    let mut fewer = children.clone();
                    fewer.remove(k);
                    Branch::Split { contact: *contact, children: fewer }
                })
                .collect();
            out.push(Branch::Split { contact: contact + 9, children: children.clone() });
            out.push(Branch::Split { contact: *contact, children: vec![(Mode::Stick, branch.clone())] });
            out.push(Branch::Cut);
            out
        }
        Branch::Refuted(y) => {
            let beyond = y.iter().map(|(k, y)| (k + 99, y.clone())).collect();
            [negated(y), Vec::new(), beyond].into_iter().map(Branch::Refuted).chain([Branch::Cut]).collect()
        }
        Branch::Border { contact, bounds } => {
            let mut out = vec![Branch::Cut, Branch::Border { contact: *contact, bounds: Vec::new() }];
            out.push(Branch::Border { contact: contact + 9, bounds: bounds.clone() });
            out.push(Branch::Border { contact: *contact, bounds: bounds.iter().map(negated).collect() });
            out
        }
        Branch::Word(Some(set)) => {
            vec![Branch::Word(None), Branch::Word(Some(set + 99)), Branch::Refuted(Vec::new()), Branch::Cut]
        }
        Branch::Word(None) => vec![Branch::Word(Some(99)), Branch::Cut],
        Branch::Cut => Vec::new(),
    }
}

#[test]
fn a_record_with_a_branch_dropped_or_denied_proves_nothing() {
    let mut rejected = 0;
    for (_, problem, all) in samples(3, 300) {
        assert_eq!(all.proof.check(&problem, &all.families), Ok(()));
        for root in trees(&all.proof.root, &broken) {
            let changed = Proof { root, sets: all.proof.sets.clone() };
            assert!(changed.check(&problem, &all.families).is_err(), "{problem:?} {changed:?}");
            rejected += 1;
        }
    }
    assert!(rejected > 5000, "{rejected}");
}

/// The multipliers of one leaf, one number at a time: negated, moved to the next row, dropped, enlarged.
fn nudged(branch: &Branch) -> Vec<Branch> {
    let Branch::Refuted(y) = branch else { return Vec::new() };
    let of_entry = |k: usize| {
        let with = |entry: Option<(usize, Dyadic)>| {
            let mut changed = y.clone();
            match entry {
                Some(entry) => changed[k] = entry,
                None => drop(changed.remove(k)),
            }
            Branch::Refuted(changed)
        };
        let (row, x) = &y[k];
        let more = [x + &x.scaled(-3), x.scaled(20), x.scaled(-20), -x].map(|x| Some((*row, x)));
        more.into_iter().chain([Some((row + 1, x.clone())), None]).map(with).collect::<Vec<_>>()
    };
    (0..y.len()).flat_map(of_entry).collect()
}

/// y·u ≥ 0 by the modes, a·r ≤ 0 by the modes and c < 0, in fractions and with r along the edges of the cones.
fn refutes(whole: &Whole, y: &Combination, chosen: &[Option<Mode>]) -> bool {
    let n = whole.q.len();
    if y.windows(2).any(|pair| pair[0].0 >= pair[1].0) || y.iter().any(|(k, _)| *k >= n) {
        return false;
    }
    let (zero, real) = (BigRational::from_integer(0.into()), |x: i128| BigRational::from_integer(x.into()));
    let mut full = vec![zero.clone(); n];
    y.iter().for_each(|(k, y)| full[*k] = y.to_rational());
    let along =
        |column: &dyn Fn(usize) -> i128| (0..n).map(|k| &full[k] * real(column(k))).sum::<BigRational>();
    let contact = |i: usize| {
        let (N, T) = (&full[2 * i], &full[2 * i + 1]);
        let (a, b) =
            (along(&|k| 2 * whole.W[k][2 * i]), along(&|k| whole.twice_mu[i] * whole.W[k][2 * i + 1]));
        let (up, down) = (&a + &b <= zero, &a - &b <= zero);
        match chosen[i] {
            None => *N >= zero && *T == zero && up && down,
            Some(Mode::TakeOff) => *N >= zero && *T == zero,
            Some(Mode::Stick) => up && down,
            Some(Mode::SlipPos) => *T >= zero && down,
            Some(Mode::SlipNeg) => *T <= zero && up,
            Some(Mode::Slide) => *T == zero && up,
        }
    };
    (0..n / 2).all(contact) && along(&|k| whole.q[k]) < zero
}

/// Whether all leaves with multipliers are proofs by [`refutes`]; other leaves are taken as they are.
fn all_refute(whole: &Whole, branch: &Branch, chosen: &mut Vec<Option<Mode>>) -> bool {
    match branch {
        Branch::Split { contact, children } => children.iter().all(|(choice, child)| {
            chosen[*contact] = Some(*choice);
            let holds = all_refute(whole, child, chosen);
            chosen[*contact] = None;
            holds
        }),
        Branch::Refuted(y) => refutes(whole, y, chosen),
        Branch::Border { .. } | Branch::Word(_) | Branch::Cut => true,
    }
}

#[test]
fn changed_multipliers_are_accepted_exactly_where_they_still_refute() {
    let (mut rejected, mut accepted) = (0, 0);
    for (whole, problem, all) in samples(17, 60) {
        for root in trees(&all.proof.root, &nudged) {
            let holds = all_refute(&whole, &root, &mut vec![None; whole.twice_mu.len()]);
            let changed = Proof { root, sets: all.proof.sets.clone() };
            let verdict = changed.check(&problem, &all.families);
            assert_eq!(verdict.is_ok(), holds, "{problem:?} {changed:?} {verdict:?}");
            (rejected, accepted) = (rejected + usize::from(!holds), accepted + usize::from(holds));
        }
    }
    assert!(rejected > 600 && accepted > 60, "{rejected} {accepted}");
}

/// Changes of one number of a set, or one point or ray more or less.
fn other_sets(set: &SolutionSet) -> Vec<SolutionSet> {
    let mut out = Vec::new();
    let one = BigRational::from_integer(1.into());
    for (list, points) in [(0, &set.points), (1, &set.rays)] {
        let put = |points: Vec<Vec<BigRational>>| match list {
            0 => SolutionSet { points, ..set.clone() },
            _ => SolutionSet { rays: points, ..set.clone() },
        };
        for (p, point) in points.iter().enumerate() {
            let mut fewer = points.clone();
            fewer.remove(p);
            out.push(put(fewer));
            for k in 0..point.len() {
                let changes = [
                    &point[k] + &one,
                    &point[k] - &one,
                    &point[k] + &one / BigRational::from_float(1e15).unwrap(),
                ];
                for x in changes {
                    let mut changed = points.clone();
                    changed[p][k] = x;
                    out.push(put(changed));
                }
            }
        }
    }
    let far = set.points[0].iter().map(|x| x + &one).collect();
    out.push(SolutionSet { points: [&set.points[..], &[far]].concat(), ..set.clone() });
    out
}

#[test]
fn a_list_with_a_number_changed_is_refused() {
    let (mut rejected, mut printed) = (0, 0);
    for (_, problem, all) in samples(29, 300) {
        for k in 0..all.families.len() {
            for set in other_sets(&all.proof.sets[k]) {
                let mut changed = all.proof.as_ref().clone();
                changed.sets[k] = set;
                assert!(changed.check(&problem, &all.families).is_err(), "{problem:?} {changed:?}");
                rejected += 1;
            }
            let family = &all.families[k];
            let (mut wider, mut freer, mut moved, mut other) =
                (family.clone(), family.clone(), family.clone(), family.clone());
            wider.dimension += 1;
            freer.motion_dimension += 1;
            moved.vertices[0].u[0] = moved.vertices[0].u[0].next_up().next_up();
            other.modes.swap(0, family.modes.len() - 1);
            for family in [wider, freer, moved, other].into_iter().filter(|other| other != family) {
                let mut families = all.families.clone();
                families[k] = family;
                assert_eq!(all.proof.check(&problem, &families), Err(Gap::Printed(k)));
                printed += 1;
            }
            // a set kept back
            let mut changed = all.proof.as_ref().clone();
            changed.sets.remove(k);
            let mut families = all.families.clone();
            families.remove(k);
            assert!(changed.check(&problem, &families).is_err());
        }
    }
    assert!(rejected > 3000 && printed > 500, "{rejected} {printed}");
}

/// The record of one problem for another one with the same friction, in which some word has a solution that it does not list.
#[test]
fn a_record_of_another_problem_hides_no_solution() {
    let (mut stream, mut rejected) = (Stream::new(5), 0);
    for (whole, _, all) in samples(31, 200) {
        for _ in 0..10 {
            let mut q = whole.q.clone();
            q[stream.below(whole.q.len())] += stream.below(5) as i128 - 2;
            let mut W = whole.W.clone();
            let (i, j) = (stream.below(q.len()), stream.below(q.len()));
            W[i][j] += stream.below(3) as i128 - 1;
            let other = Whole { W, q, twice_mu: whole.twice_mu.clone() };
            let empty = |word: &Vec<Mode>| !feasible(&other.law(word));
            let accepted = all.proof.check(&other.problem(), &all.families).is_ok();
            if all.families.is_empty() {
                assert!(!accepted || other.words().iter().all(empty), "{:?}", all.proof);
            }
            rejected += usize::from(!accepted);
        }
    }
    assert!(rejected > 300, "{rejected}");
    let never = [(vec![1, 0], Is::Positive), (vec![-1, 0], Is::Positive)];
    assert!(!feasible(&never));
}
