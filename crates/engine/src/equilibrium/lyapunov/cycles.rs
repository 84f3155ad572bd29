//! The cycle of a graph with the largest mean, by iteration over policies: each node keeps one edge, and changes it while that raises the
//! mean of the cycle that it leads to, or its distance to it.

/// Edges of a graph by node: end and weight.
pub(super) type Edges = Vec<Vec<(usize, f64)>>;

/// Rounds of the iteration; some ten are usual.
const ROUNDS: usize = 500;
/// Gain below which an edge is not changed: rounding of sums of logarithms.
const LEAST: f64 = 4096.0 * f64::EPSILON;

/// A cycle and its mean weight.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cycle {
    pub(super) mean: f64,
    pub(super) nodes: Vec<usize>,
}

/// The cycle with the largest mean weight, if there is one.
pub(super) fn largest_mean(edges: &Edges) -> Option<Cycle> {
    let alive = endless(edges);
    let mut policy: Vec<Option<(usize, f64)>> = edges
        .iter()
        .enumerate()
        .map(|(v, out)| {
            let kept = out.iter().filter(|(w, _)| alive[v] && alive[*w]);
            kept.copied().max_by(|a, b| a.1.total_cmp(&b.1))
        })
        .collect();
    for _ in 0..ROUNDS {
        let valued = values(&policy);
        if !improve(edges, &alive, &valued, &mut policy) {
            break;
        }
    }
    let valued = values(&policy);
    let best = (0..edges.len())
        .filter(|&v| policy[v].is_some())
        .max_by(|&a, &b| valued[a].0.total_cmp(&valued[b].0).then(b.cmp(&a)))?;
    Some(Cycle { mean: valued[best].0, nodes: cycle_from(&policy, best) })
}

/// Nodes from which walks need not end.
fn endless(edges: &Edges) -> Vec<bool> {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    let mut left: Vec<usize> = edges.iter().map(Vec::len).collect();
    edges.iter().enumerate().for_each(|(v, out)| out.iter().for_each(|(w, _)| into[*w].push(v)));
    let mut alive = vec![true; edges.len()];
    let mut dead: Vec<usize> = (0..edges.len()).filter(|&v| left[v] == 0).collect();
    while let Some(w) = dead.pop() {
        alive[w] = false;
        for &v in &into[w] {
            left[v] -= 1;
            if left[v] == 0 {
                dead.push(v);
            }
        }
    }
    alive
}

/// A cycle that a policy leads to.
fn cycle_from(policy: &[Option<(usize, f64)>], start: usize) -> Vec<usize> {
    let next = |v: usize| policy[v].map_or(v, |(w, _)| w);
    let inside = (0..policy.len()).fold(start, |v, _| next(v));
    let mut nodes = vec![inside];
    let mut v = next(inside);
    while v != inside {
        nodes.push(v);
        v = next(v);
    }
    nodes
}

/// Mean of the cycle that each node leads to, and its weight on the way beyond that mean.
fn values(policy: &[Option<(usize, f64)>]) -> Vec<(f64, f64)> {
    let mut found: Vec<Option<(f64, f64)>> = vec![None; policy.len()];
    let mut seen = vec![usize::MAX; policy.len()];
    for start in 0..policy.len() {
        let mut way = Vec::new();
        let mut v = start;
        while found[v].is_none() && seen[v] != start {
            let Some((w, _)) = policy[v] else { break };
            seen[v] = start;
            way.push(v);
            v = w;
        }
        if found[v].is_none() {
            let from = way.iter().position(|&x| x == v);
            let mean = from.map_or(f64::NEG_INFINITY, |from| {
                let weights = way[from..].iter().filter_map(|&x| policy[x]).map(|(_, weight)| weight);
                weights.sum::<f64>() / (way.len() - from) as f64
            });
            found[v] = Some((mean, 0.0));
        }
        for &x in way.iter().rev().filter(|&&x| x != v) {
            found[x] =
                policy[x].and_then(|(w, weight)| found[w].map(|(mean, ahead)| (mean, weight - mean + ahead)));
        }
    }
    found.into_iter().map(|value| value.unwrap_or((f64::NEG_INFINITY, 0.0))).collect()
}

fn improve(
    edges: &Edges,
    alive: &[bool],
    valued: &[(f64, f64)],
    policy: &mut [Option<(usize, f64)>],
) -> bool {
    let mut changed = false;
    for (v, out) in edges.iter().enumerate().filter(|(v, _)| alive[*v]) {
        for &(w, weight) in out.iter().filter(|(w, _)| alive[*w]) {
            let Some((kept, own)) = policy[v] else { continue };
            let (mean, ahead) = valued[w];
            let (now, far) = (valued[kept].0, own - valued[kept].0 + valued[kept].1);
            if mean > now + LEAST || ((mean - now).abs() <= LEAST && weight - mean + ahead > far + LEAST) {
                policy[v] = Some((w, weight));
                changed = true;
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::largest_mean;

    #[test]
    fn the_better_of_two_cycles_is_found_and_dead_ends_do_not_count() {
        let edges = vec![vec![(1, 1.0), (3, 9.0)], vec![(0, 2.0), (2, 0.0)], vec![(2, 1.4)], Vec::new()];
        let found = largest_mean(&edges).unwrap();
        assert!((found.mean - 1.5).abs() < 1e-12, "{found:?}");
        assert_eq!(found.nodes.len(), 2);
        assert!(largest_mean(&vec![vec![(1, 5.0)], Vec::new()]).is_none());
    }
}
