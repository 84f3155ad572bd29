//! The systems of the Newton methods, as they are at a solution: contacts that stick have all their unknowns, those that slip one less,
//! the others none; αI is added.

use mechan::answer::solve;
use mechan::coulomb::{Condensed, Form, Problem, Request, Solution, Status, read_file};

use super::granular::{Grains, heap};
use super::linear::BlockMatrix;
use super::linear::reduced::{Alike, ByPatches, Maps, Multifrontal, SparseBlocks, order, reduce};
use super::mass::copied;
use super::packing::Packing;
use super::theirs::{columns, lu};
use super::{Matrix, Times, error, known, shortest};

/// α relative to the largest diagonal entry of W.
const SHIFT: f64 = 1e-6;

pub(crate) fn compare(files: &[String]) {
    for file in files {
        let problem = read_file(std::path::Path::new(file)).unwrap();
        of_problem(problem.name(), &local(&problem));
    }
    for bodies in [100, 400, 1600] {
        let discs = Packing {
            dim: 2,
            bodies,
            radii: [0.5, 1.0],
            width: 0.7 * (bodies as f64).sqrt(),
            walls: true,
            reach: 0.01,
        };
        let spheres = Packing { dim: 3, width: 0.8 * (bodies as f64).cbrt(), ..discs };
        let grains = Grains { friction: [0.3, 0.3], density: [1.0, 1.0], noise: 0.5 };
        of_problem(&format!("{bodies} discs"), &local(&heap(&discs, &grains, 7)));
        of_problem(&format!("{bodies} spheres"), &local(&heap(&spheres, &grains, 7)));
    }
}

fn local(problem: &Problem) -> Problem {
    let (W, q) = match problem.form() {
        Form::Local(local) => (local.W.to_sparse(), local.q.clone()),
        Form::Global(global) => {
            let local = Condensed::new(problem.dim(), global).unwrap().local;
            (local.W.to_sparse(), local.q)
        }
    };
    Problem::local(problem.dim(), problem.mu().to_vec(), &W, q).unwrap()
}

fn of_problem(name: &str, problem: &Problem) {
    if problem.contacts() < 10 {
        return;
    }
    let solution = solve(problem, &Request { tolerance: 1e-4, ..Request::default() }).unwrap();
    match problem.dim() {
        2 => of_solution::<2, 4>(name, problem, &solution),
        _ => of_solution::<3, 9>(name, problem, &solution),
    }
}

fn of_solution<const D: usize, const DD: usize>(name: &str, problem: &Problem, solution: &Solution) {
    let Form::Local(local) = problem.form() else { return };
    let W = BlockMatrix::from_sparse(D, &copied(&local.W.to_sparse()));
    let maps: Vec<Maps<D>> = (0..W.blocks())
        .map(|i| maps(&solution.r.as_chunks::<D>().0[i], problem.mu()[i], solution.statuses[i]))
        .collect();
    let shift = SHIFT * (0..W.blocks()).map(|i| W.block(W.diagonal(i))[0]).fold(0.0, f64::max);
    let entries = entries::<D, DD>(&W, &maps, shift);
    let n: usize = maps.iter().map(|m| m.size).sum();
    let matrix = Matrix { name, unknowns: n, entries: entries.len() };
    let right = right_hand_side(&maps, &entries);
    let (fill, work) = order(W.pattern());
    let ordering = shortest(|| order(W.pattern()));
    println!("# {name}: {} contacts, {:.0} products of blocks", W.blocks(), work);
    matrix.print("ours: rows of blocks", {
        let mut factor = SparseBlocks::<D, DD>::new(fill.clone());
        // what depends on the set of contacts is found when it changes
        let whole = shortest(|| SparseBlocks::<D, DD>::new(fill.clone()).factor(&W, &maps, shift));
        let numbers = shortest(|| factor.factor(&W, &maps, shift));
        let mut x = right.clone();
        let solve = shortest(|| {
            x.clone_from(&right);
            factor.solve(&maps, &mut x);
        });
        Some(Times { order: ordering + whole - numbers, numbers, solve, error: against(&maps, &x) })
    });
    matrix.print("ours: fronts", {
        let mut factor = Multifrontal::<D, DD>::new(&W, fill.clone());
        let whole = shortest(|| Multifrontal::<D, DD>::new(&W, fill.clone()).factor(&W, &maps, shift));
        let numbers = shortest(|| factor.factor(&W, &maps, shift));
        let mut x = right.clone();
        let solve = shortest(|| {
            x.clone_from(&right);
            factor.solve(&maps, &mut x);
        });
        Some(Times { order: ordering + whole - numbers, numbers, solve, error: against(&maps, &x) })
    });
    let patches = || ByPatches::<D, DD>::new(&W, Alike::of(&W));
    if let Some(mut factor) = patches() {
        let whole = shortest(|| patches().is_some_and(|mut p| p.factor(&maps, shift)));
        let numbers = shortest(|| factor.factor(&maps, shift));
        let mut x = right.clone();
        let solve = shortest(|| {
            x.clone_from(&right);
            factor.solve(&maps, &mut x);
        });
        let order = whole - numbers;
        matrix.print("ours: patches", Some(Times { order, numbers, solve, error: against(&maps, &x) }));
    }
    matrix.print("faer: LU", lu(&columns(n, entries.into_iter())));
}

/// Rows and columns of a contact that takes off, sticks or slips against its force.
fn maps<const D: usize>(r: &[f64; D], mu: f64, status: Status) -> Maps<D> {
    let mut out = Maps::NONE;
    let tangent = r[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
    out.size = match status {
        Status::TakeOff => 0,
        Status::Stick => D,
        _ if tangent > 0.0 && mu > 0.0 => D - 1,
        _ => 1,
    };
    for k in 0..out.size {
        out.rows[k][k] = 1.0;
        out.columns[k][k] = 1.0;
    }
    if out.size > 0 && out.size < D && tangent > 0.0 {
        (1..D).for_each(|a| out.columns[0][a] = mu * r[a] / tangent);
        if D == 3 {
            let across = [0.0, -r[2] / tangent, r[1] / tangent];
            out.rows[1].copy_from_slice(&across[..D]);
            out.columns[1].copy_from_slice(&across[..D]);
        }
    }
    out
}

/// The reduced matrix by coordinates.
fn entries<const D: usize, const DD: usize>(
    W: &BlockMatrix,
    maps: &[Maps<D>],
    shift: f64,
) -> Vec<(usize, usize, f64)> {
    let mut first = vec![0];
    maps.iter().for_each(|m| first.push(first[first.len() - 1] + m.size));
    let mut out = Vec::new();
    for i in 0..W.blocks() {
        for k in W.row(i) {
            let j = W.column(k);
            let block = reduce::<D, DD>(&W.chunks::<DD>()[k], &maps[i], &maps[j]);
            for a in 0..maps[i].size {
                for b in 0..maps[j].size {
                    let own = if i == j && a == b { shift } else { 0.0 };
                    out.push((first[i] + a, first[j] + b, block[a][b] + own));
                }
            }
        }
    }
    out
}

/// The reduced matrix times the known solution, by contacts.
fn right_hand_side<const D: usize>(maps: &[Maps<D>], entries: &[(usize, usize, f64)]) -> Vec<[f64; D]> {
    let x = known(maps.iter().map(|m| m.size).sum());
    let mut b = vec![0.0; x.len()];
    entries.iter().for_each(|&(i, j, a)| b[i] += a * x[j]);
    let mut rest = b.into_iter();
    let of = |m: &Maps<D>| {
        let mut out = [0.0; D];
        out.iter_mut().take(m.size).for_each(|x| *x = rest.next().unwrap());
        out
    };
    maps.iter().map(of).collect()
}

fn against<const D: usize>(maps: &[Maps<D>], x: &[[f64; D]]) -> f64 {
    let x: Vec<f64> = maps.iter().zip(x).flat_map(|(m, x)| x[..m.size].to_vec()).collect();
    error(&x, &known(x.len()))
}
