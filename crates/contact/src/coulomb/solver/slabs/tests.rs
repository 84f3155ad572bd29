use super::super::{Accelerated, Options, Solver, Task, Workspace};
use super::{MANY, Slabs};
use crate::coulomb::problem::Local;
use crate::coulomb::residual::local_residual;
use crate::linear::BlockMatrix;
use crate::num::random::uniform;

/// Contacts on a long strip, `wide` of them side by side, each coupled with those around it: diagonally dominant, as it must be to have a
/// solution whatever q is.
fn strip(dim: usize, contacts: usize, wide: usize) -> (Local, Vec<f64>) {
    let near = |i: usize| i.saturating_sub(wide)..=(i + wide).min(contacts - 1);
    let (mut start, mut columns) = (vec![0], Vec::new());
    for i in 0..contacts {
        columns.extend(near(i).map(|j| j as u32));
        start.push(columns.len() as u32);
    }
    let mut W = BlockMatrix::with_pattern(dim, start, columns);
    let coupling = |i: usize, j: usize| ((3 * i.min(j) + 5 * i.max(j)) % 7) as f64 / 7.0 - 0.5;
    for i in 0..contacts {
        for k in W.row(i) {
            let j = W.column(k);
            for (e, x) in W.block_mut(k).iter_mut().enumerate() {
                let diagonal = e % dim == e / dim;
                *x = match (i == j, diagonal) {
                    (true, true) => 1.5 + wide as f64,
                    (false, true) => coupling(i, j),
                    (true, false) => 0.1,
                    (false, false) => 0.0,
                };
            }
        }
    }
    let q = (0..dim * contacts)
        .map(|e| uniform(7, e as u64, "q") - if e % dim == 0 { 0.8 } else { 0.5 })
        .collect();
    (Local { W, q }, (0..contacts).map(|i| (i % 3) as f64 * 0.4).collect())
}

/// Sweeps that stop at their number, and such as reach the tolerance: the same forces to the last bit on any number of threads, and the
/// residual is that of the forces by the measure that is not cut into slabs.
#[test]
fn the_answer_is_the_same_on_any_number_of_threads() {
    for dim in [2, 3] {
        let (local, mu) = strip(dim, MANY + 37, 4);
        let task = Task { local: &local, mu: &mu };
        for (tolerance, iterations) in [(1e-12, 3), (1e-7, 200)] {
            let solve = |threads| {
                let mut r = vec![0.0; local.q.len()];
                let options = Options { threads, ..Options::new(tolerance, iterations) };
                let used = Accelerated::default().solve(&task, &options, &mut Workspace::default(), &mut r);
                (used, r)
            };
            let (used, r) = solve(1);
            let residual = local_residual(&local, &mu, &r, &mut vec![0.0; r.len()]).relative;
            assert!(r.iter().any(|x| *x > 0.0), "no force at all");
            assert_eq!(residual <= tolerance, used < iterations, "{used}: {residual}");
            for threads in [2, 3, 50] {
                let other = solve(threads);
                assert_eq!(other.0, used);
                assert!(
                    other.1.iter().zip(&r).all(|(a, b)| a.to_bits() == b.to_bits()),
                    "{dim} on {threads}"
                );
            }
        }
    }
}

/// The slabs find what contact after contact finds.
#[test]
fn the_answer_is_that_of_one_problem() {
    let (local, mu) = strip(3, MANY, 3);
    let (whole, few) = (Task { local: &local, mu: &mu }, strip(3, MANY - 1, 3));
    let solve = |task: &Task<'_>| {
        let mut r = vec![0.0; task.local.q.len()];
        Accelerated::default().solve(task, &Options::new(1e-10, 400), &mut Workspace::default(), &mut r);
        r
    };
    assert!(Slabs::<3, 9>::default().cut(&whole));
    assert!(!Slabs::<3, 9>::default().cut(&Task { local: &few.0, mu: &few.1 }));
    let (cut, plain) = (solve(&whole), solve(&Task { local: &few.0, mu: &few.1 }));
    let (size, off) = (0..3 * (MANY - 20)).fold((0.0_f64, 0.0_f64), |(size, off), e| {
        (size.max(plain[e].abs()), off.max((cut[e] - plain[e]).abs()))
    });
    assert!(size > 0.01 && off < 1e-6 * size, "{size} {off}");
}

/// Contacts that all meet are not cut, nor is a problem that grows and shrinks left in the slabs of the one before.
#[test]
fn memory_of_another_problem_changes_nothing() {
    let mut workspace = Workspace::default();
    for contacts in [MANY + 500, MANY, MANY + 900] {
        let (local, mu) = strip(2, contacts, 2);
        let task = Task { local: &local, mu: &mu };
        let (mut used, mut fresh) = (vec![0.0; 2 * contacts], vec![0.0; 2 * contacts]);
        let options = Options { threads: 2, ..Options::new(1e-6, 20) };
        Accelerated::default().solve(&task, &options, &mut workspace, &mut used);
        Accelerated::default().solve(&task, &options, &mut Workspace::default(), &mut fresh);
        assert_eq!(used, fresh);
    }
    let (local, mu) = strip(2, MANY, MANY / 3 + 100);
    assert!(!Slabs::<2, 4>::default().cut(&Task { local: &local, mu: &mu }));
}
