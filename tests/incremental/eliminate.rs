//! Fourier-Motzkin elimination in whole numbers: whether linear equations and inequalities have a common solution, decided
//! without programs, pivots or rounding. For the few variables of small problems.

/// Σ aⱼ xⱼ + c, last c.
pub(crate) type Line = Vec<i128>;

/// What a line must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Is {
    Zero,
    NotNegative,
    Positive,
}

/// Whether some x obeys all.
pub(crate) fn feasible(rows: &[(Line, Is)]) -> bool {
    let n = rows.first().map_or(1, |(row, _)| row.len()) - 1;
    let mut rows: Vec<(Line, Is)> = rows.iter().cloned().map(|(row, is)| (lowest(row), is)).collect();
    for j in 0..n {
        rows = match rows.iter().position(|(row, is)| *is == Is::Zero && row[j] != 0) {
            Some(p) => {
                let (lead, _) = rows.swap_remove(p);
                rows.iter().map(|(row, is)| (without(row, &lead, j), *is)).collect()
            }
            None => projected(&rows, j),
        };
        rows.sort();
        rows.dedup();
    }
    rows.iter().all(|(row, is)| match is {
        Is::Zero => row[n] == 0,
        Is::NotNegative => row[n] >= 0,
        Is::Positive => row[n] > 0,
    })
}

/// The row with the equation's multiple that removes x_j, times a positive factor.
fn without(row: &Line, lead: &Line, j: usize) -> Line {
    let (a, s) = (lead[j].abs(), lead[j].signum());
    lowest(
        row.iter()
            .zip(lead)
            .map(|(x, l)| a.checked_mul(*x).unwrap() - (s * row[j]).checked_mul(*l).unwrap())
            .collect(),
    )
}

fn projected(rows: &[(Line, Is)], j: usize) -> Vec<(Line, Is)> {
    let side = |sign: i128| rows.iter().filter(move |(row, _)| row[j].signum() == sign);
    let mut out: Vec<(Line, Is)> = side(0).cloned().collect();
    for (low, a) in side(1) {
        for (high, b) in side(-1) {
            let sum = low
                .iter()
                .zip(high)
                .map(|(x, y)| (-high[j]).checked_mul(*x).unwrap() + low[j].checked_mul(*y).unwrap());
            out.push((lowest(sum.collect()), *a.max(b)));
        }
    }
    out
}

fn lowest(mut row: Line) -> Line {
    let gcd = |mut a: i128, mut b: i128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs()
    };
    let common = row.iter().fold(0, |g, x| gcd(g, *x));
    if common > 1 {
        row.iter_mut().for_each(|x| *x /= common);
    }
    row
}

#[test]
fn a_triangle_is_not_empty_and_its_outside_is_not_in_it() {
    // x ≥ 0, y ≥ 0, x + y ≤ 1, and x + y ≥ c.
    let triangle = |c: i128, is: Is| {
        let rows = [vec![1, 0, 0], vec![0, 1, 0], vec![-1, -1, 1]].map(|row| (row, Is::NotNegative));
        feasible(&[&rows[..], &[(vec![1, 1, -c], is)]].concat())
    };
    assert!(triangle(1, Is::NotNegative) && triangle(1, Is::Zero) && triangle(0, Is::Positive));
    assert!(!triangle(1, Is::Positive) && !triangle(2, Is::Zero) && !triangle(2, Is::NotNegative));
}
