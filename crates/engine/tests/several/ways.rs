//! All impacts that Moreau's rule allows contacts that are struck together, against every choice of what each contact does and of the friction
//! directions that carry something: a vertex of the impulses of each motion is one of them (Carathéodory).

use crate::body::laws;
use mechan_contact::contact::Laws;
use mechan_contact::contact::Restitution;
use mechan_engine::impact::{Group, JointImpacts};
use mechan_num::Tol;
use mechan_num::random::Stream;
use nalgebra::{DMatrix, DVector};

/// A struck mechanism of unit mass matrix: contact rows N and T by pairs, velocity, friction and restitution of each contact.
struct Struck {
    H: DMatrix<f64>,
    v: DVector<f64>,
    mu: Vec<f64>,
    e: Vec<f64>,
}

/// What a contact does afterwards.
#[derive(Clone, Copy, PartialEq)]
enum Continuation {
    Free,
    Stick,
    Slip(f64),
}

/// Distance to the border of a law below which brute force does not decide.
const CLOSE: f64 = 1e-6;

impl Struck {
    fn random(random: &mut Stream, contacts: usize, coordinates: usize, friction: f64) -> Self {
        let mut within = |bound: f64| random.within(-bound, bound);
        let H = DMatrix::from_fn(2 * contacts, coordinates, |_, _| within(1.0));
        let v = DVector::from_fn(coordinates, |_, _| within(1.0));
        let mu = (0..contacts).map(|_| friction * within(1.0).abs()).collect();
        let same = within(1.0).abs();
        let e = (0..contacts).map(|_| if same < 0.3 { 0.0 } else { within(1.0).abs() }).collect();
        Self { H, v, mu, e }
    }

    fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// Velocities against which the rule presses: those after the impact plus e times those of approach.
    fn shift(&self) -> DVector<f64> {
        let before = &self.H * &self.v;
        DVector::from_fn(before.len(), |i, _| {
            if i.is_multiple_of(2) { self.e[i / 2] * before[i].min(0.0) } else { 0.0 }
        })
    }

    fn found(&self) -> JointImpacts {
        let D = &self.H * self.H.transpose();
        let D: Vec<f64> = D.transpose().iter().copied().collect();
        let laws: Vec<Laws> = (0..self.contacts())
            .map(|i| Laws { restitution: Restitution::Newton(self.e[i]), ..laws(self.mu[i]) })
            .collect();
        let before = &self.H * &self.v;
        (Group { D: &D, laws: &laws.iter().collect::<Vec<_>>(), before: before.as_slice() })
            .impacts()
            .unwrap()
    }

    /// Velocities of the contacts after every impact; none if one is too close to a border to tell, or motions are not isolated.
    fn brute(&self) -> Option<Vec<DVector<f64>>> {
        let mut found: Vec<DVector<f64>> = Vec::new();
        for number in 0..4_usize.pow(self.contacts() as u32) {
            let way = |i: usize| match number / 4_usize.pow(i as u32) % 4 {
                0 => Continuation::Free,
                1 => Continuation::Stick,
                2 => Continuation::Slip(1.0),
                _ => Continuation::Slip(-1.0),
            };
            let word: Vec<Continuation> = (0..self.contacts()).map(way).collect();
            let rays = self.rays(&word);
            for chosen in 0..1_usize << rays.len() {
                let some: Vec<_> =
                    (0..rays.len()).filter(|k| chosen >> k & 1 == 1).map(|k| &rays[k]).collect();
                if some.len() > self.v.len() {
                    continue;
                }
                if let Some(after) = self.solve(&word, &some)?
                    && found.iter().all(|other| (other - &after).amax() > CLOSE)
                {
                    found.push(after);
                }
            }
        }
        Some(found)
    }

    /// The edges of the friction cones that a word permits, as impulses on the coordinates.
    fn rays(&self, word: &[Continuation]) -> Vec<DVector<f64>> {
        // with infinite friction along the surface, and upwards
        let (up, along) = (|i: usize| self.H.row(2 * i), |i: usize| self.H.row(2 * i + 1));
        let ray = |i: usize, s: f64| match self.mu[i].is_infinite() {
            true => (along(i) * s).transpose(),
            false => (up(i) + along(i) * (s * self.mu[i])).transpose(),
        };
        let of = |(i, way): (usize, &Continuation)| match way {
            Continuation::Free => vec![],
            Continuation::Stick if self.mu[i].is_infinite() => {
                vec![up(i).transpose(), ray(i, 1.0), ray(i, -1.0)]
            }
            Continuation::Stick => vec![ray(i, 1.0), ray(i, -1.0)],
            Continuation::Slip(s) => vec![ray(i, -s)],
        };
        word.iter().enumerate().flat_map(of).collect()
    }

    /// The velocities of a word with impulses along some rays: v⁺ − Σ y g = v⁻ and what the word holds; none (outside) if that is on a
    /// border, none (inside) if it is no solution.
    fn solve(&self, word: &[Continuation], some: &[&DVector<f64>]) -> Option<Option<DVector<f64>>> {
        let (n, shift) = (self.v.len(), self.shift());
        let held: Vec<usize> = word
            .iter()
            .enumerate()
            .flat_map(|(i, way)| match way {
                Continuation::Free => vec![],
                Continuation::Stick => vec![2 * i, 2 * i + 1],
                Continuation::Slip(_) => vec![2 * i],
            })
            .collect();
        let mut A = DMatrix::zeros(n + held.len(), n + some.len());
        let mut b = DVector::zeros(n + held.len());
        for j in 0..n {
            A[(j, j)] = 1.0;
            b[j] = self.v[j];
            some.iter().enumerate().for_each(|(k, ray)| A[(j, n + k)] = -ray[j]);
        }
        for (k, &row) in held.iter().enumerate() {
            (0..n).for_each(|j| A[(n + k, j)] = self.H[(row, j)]);
            b[n + k] = -shift[row];
        }
        let Some((x, least)) = eliminated(A, b) else { return Some(None) };
        // a solution that is not sharp
        if least < 1e-4 {
            return None;
        }
        let after = &self.H * x.rows(0, n);
        let opens = word.iter().enumerate().filter_map(|(i, way)| match way {
            Continuation::Free => Some(after[2 * i] + shift[2 * i]),
            Continuation::Stick => None,
            Continuation::Slip(s) => Some(s * after[2 * i + 1]),
        });
        let conditions: Vec<f64> = opens.chain(x.rows(n, some.len()).iter().copied()).collect();
        if conditions.iter().any(|x| *x < -CLOSE) {
            return Some(None);
        }
        conditions.iter().all(|x| *x > CLOSE).then_some(Some(after))
    }
}

/// The one solution of equations of which some may follow from others, and the least pivot over the largest; none if there is no solution, or
/// more than one.
fn eliminated(mut A: DMatrix<f64>, mut b: DVector<f64>) -> Option<(DVector<f64>, f64)> {
    let (rows, columns) = A.shape();
    let mut order: Vec<usize> = (0..columns).collect();
    let (mut most, mut least) = (0.0_f64, f64::INFINITY);
    if rows < columns {
        return None;
    }
    for k in 0..columns {
        let entry = |i: usize, j: usize| (A[(i, j)].abs(), i, j);
        let best = (k..rows).flat_map(|i| (k..columns).map(move |j| (i, j))).map(|(i, j)| entry(i, j));
        let (pivot, i, j) = best.max_by(|x, y| x.0.total_cmp(&y.0))?;
        (most, least) = (most.max(pivot), least.min(pivot));
        if pivot < 1e-9 * most {
            return None;
        }
        A.swap_rows(k, i);
        b.swap_rows(k, i);
        A.swap_columns(k, j);
        order.swap(k, j);
        for i in k + 1..rows {
            let factor = A[(i, k)] / A[(k, k)];
            (k..columns).for_each(|j| A[(i, j)] -= factor * A[(k, j)]);
            b[i] -= factor * b[k];
        }
    }
    let mut x = DVector::zeros(columns);
    for k in (0..columns).rev() {
        let known: f64 = (k + 1..columns).map(|j| A[(k, j)] * x[order[j]]).sum();
        x[order[k]] = (b[k] - known) / A[(k, k)];
    }
    let size = 1.0 + x.amax();
    (columns..rows).all(|i| b[i].abs() < 1e-9 * size).then_some((x, least / most))
}

/// Thousands of impacts at two contacts and at three of one body or of loose bodies: every solution is found once, and nothing else; where
/// the list is said to be whole and empty there is none; without restitution or without friction none gains energy.
#[test]
fn every_impact_that_moreaus_rule_allows_is_found() {
    let mut random = Stream(20_260_705);
    let (mut told, mut several, mut none) = (0, 0, 0);
    for case in 0..2000 {
        let (contacts, coordinates) = [(2, 3), (2, 4), (3, 3), (2, 2), (2, 3), (3, 6)][case % 6];
        if contacts == 3 && case % 4 > 1 {
            continue;
        }
        let friction = if case < 1600 { [0.0, 0.6, 2.0, 4.0][case % 4] } else { f64::INFINITY };
        let struck = Struck::random(&mut random, contacts, coordinates, friction);
        let listed = struck.found();
        for impact in &listed.found {
            let before = &struck.H * &struck.v;
            if struck.e.iter().all(|e| *e == 0.0) {
                assert!(!impact.gains_energy(before.as_slice(), &Tol::default()), "{case}: {impact:?}");
            }
            let shares: f64 = (0..contacts).map(|i| impact.share(before.as_slice(), 2 * i..2 * i + 2)).sum();
            assert!((shares - impact.energy_loss).abs() < 1e-9 * (1.0 + impact.energy_loss.abs()));
        }
        let Some(expected) = struck.brute() else { continue };
        if !listed.complete {
            continue;
        }
        told += 1;
        several += usize::from(expected.len() > 1);
        none += usize::from(expected.is_empty());
        let near = |after: &DVector<f64>| {
            let apart =
                |impact: &[f64]| after.iter().zip(impact).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            listed.found.iter().filter(|impact| apart(&impact.after) < 1e-5 * (1.0 + after.amax())).count()
        };
        assert!(
            expected.len() == listed.found.len() && expected.iter().all(|after| near(after) == 1),
            "{case}: {:?} {:?}",
            expected.iter().map(|x| x.as_slice().to_vec()).collect::<Vec<_>>(),
            listed.found
        );
    }
    assert!(told > 1000 && several > 20 && none > 40, "{told} {several} {none}");
}
