use super::super::exact::{AtBasis, at_basis};
use super::super::simplex::{Feasible, Found, Most, Program};
use super::NearBasis;
use crate::num::Tol;
use crate::num::bounds::NARROW;
use crate::num::random::Stream;

/// Programs that are asked about; `MECHAN_PROGRAMS` asks for another number.
const PROGRAMS: u64 = 4000;

fn below(s: &mut Stream, count: usize) -> usize {
    (s.draw() * count as f64) as usize
}

/// Rows of some rank, some of them whole numbers, so that bases are degenerate, and some nearly dependent.
fn program(s: &mut Stream) -> Program {
    let (m, n) = (1 + below(s, 5), 1 + below(s, 8));
    let (whole, near) = (below(s, 2) == 0, below(s, 3) == 0);
    let number = |s: &mut Stream| match below(s, 4) {
        0 => 0.0,
        _ if whole => below(s, 7) as f64 - 3.0,
        _ => 2.0 * s.draw() - 1.0,
    };
    let mut rows: Vec<Vec<f64>> = (0..m).map(|_| (0..n).map(|_| number(s)).collect()).collect();
    if near && m > 1 {
        let off = 10.0_f64.powf(-17.0 + 14.0 * s.draw());
        rows[m - 1] = (0..n).map(|j| rows[0][j] + off * (s.draw() - 0.5)).collect();
    }
    let point: Vec<f64> = (0..n).map(|_| number(s).abs()).collect();
    let misses = below(s, 6) == 0;
    for row in &mut rows {
        let right = row.iter().zip(&point).map(|(a, x)| a * x).sum::<f64>();
        row.push(right + if misses { number(s) } else { 0.0 });
    }
    Program::new(&rows)
}

fn compare(found: &Feasible<'_>, program: &Program, objective: &[f64], allowed: usize) -> Option<bool> {
    let exact = at_basis(program.parts().0, objective, found.basic())?;
    let (tol, cost) = (Tol::default(), objective.iter().fold(1.0_f64, |size, c| size.max(c.abs())));
    let (share, gain) = (tol.marginal, 10.0 * tol.relaxed * cost);
    let best = exact.is_best(allowed, share, gain);
    let mut told = !best;
    for steps in [0, NARROW] {
        let Some(near) = NearBasis::of(found, objective, allowed, steps) else { continue };
        let (AtBasis { x, value, prices }, [low, high]) = (&exact, near.value);
        assert!(low <= *value && *value <= high, "{value} is not in {low} to {high}");
        for (row, x) in x.iter().enumerate() {
            let [low, high] = near.within(row);
            assert!(low <= *x && *x <= high, "{x} is not in {low} to {high}");
        }
        assert!(
            prices[..allowed].iter().all(|price| *price <= near.price),
            "{prices:?} above {}",
            near.price
        );
        assert!(best || !near.is_best(share, gain));
        told |= near.is_best(share, gain);
    }
    Some(told)
}

/// The exact numbers lie within the bounds, and mostly these decide, but where all weights are zero.
#[test]
fn the_numbers_without_rounding_lie_within_the_bounds() {
    let asked = std::env::var("MECHAN_PROGRAMS").ok().map_or(PROGRAMS, |text| text.parse().unwrap());
    let (mut s, mut compared, mut decided) = (Stream(23), 0, 0);
    for _ in 0..asked {
        let program = program(&mut s);
        let n = program.parts().1;
        let Found::Feasible(mut found) = program.solve() else { continue };
        for _ in 0..3 {
            let objective: Vec<f64> = (0..n).map(|_| 2.0 * s.draw() - 1.0).collect();
            let ended = found.maximise(&objective);
            let told = compare(&found, &program, &objective, n);
            if let (Most::At(_), Some(told)) = (ended, told) {
                compared += 1;
                decided += u64::from(told);
            }
        }
    }
    assert!(compared > asked / 2 && decided * 100 > compared * 80, "{decided} of {compared}");
}
