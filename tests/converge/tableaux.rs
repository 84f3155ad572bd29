//! Order conditions of every tableau by rooted trees, in exact arithmetic of Q(√d)   [HNW93 (II.2)]:
//! Σ bᵢ Φᵢ(τ) = 1/γ(τ) for each tree of up to p nodes, and not for all of p + 1.

use mechan::simulate::integrate::{Exact, Surd, TABLEAUX};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// p + q √d.
#[derive(Clone, Debug, PartialEq)]
struct Number {
    p: BigRational,
    q: BigRational,
    d: i64,
}

fn whole(x: i64) -> BigRational {
    BigRational::from_integer(BigInt::from(x))
}

impl Number {
    fn of(x: &Surd, d: i64) -> Self {
        Self { p: whole(x.p) / whole(x.r), q: whole(x.q) / whole(x.r), d }
    }

    fn rational(p: BigRational, d: i64) -> Self {
        Self { p, q: BigRational::zero(), d }
    }

    fn plus(&self, other: &Self) -> Self {
        Self { p: &self.p + &other.p, q: &self.q + &other.q, d: self.d }
    }

    fn times(&self, other: &Self) -> Self {
        let p = &self.p * &other.p + &self.q * &other.q * whole(self.d);
        Self { p, q: &self.p * &other.q + &self.q * &other.p, d: self.d }
    }
}

/// A rooted tree by the trees at its root, in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tree(Vec<Tree>);

impl Tree {
    fn nodes(&self) -> usize {
        1 + self.0.iter().map(Self::nodes).sum::<usize>()
    }

    /// γ: the number of nodes times the γ of what hangs at the root.
    fn density(&self) -> BigRational {
        self.0.iter().fold(whole(self.nodes() as i64), |product, tree| product * tree.density())
    }

    /// Φᵢ: the product over what hangs at the root of Σⱼ aᵢⱼ Φⱼ.
    fn stages(&self, matrix: &[Vec<Number>], d: i64) -> Vec<Number> {
        let one = Number::rational(BigRational::one(), d);
        let below: Vec<Vec<Number>> = self.0.iter().map(|tree| tree.stages(matrix, d)).collect();
        matrix
            .iter()
            .map(|row| below.iter().fold(one.clone(), |product, phi| product.times(&sum(row, phi, d))))
            .collect()
    }
}

fn sum(a: &[Number], b: &[Number], d: i64) -> Number {
    let zero = Number::rational(BigRational::zero(), d);
    a.iter().zip(b).fold(zero, |sum, (a, b)| sum.plus(&a.times(b)))
}

/// The trees of n nodes: each is a forest of n − 1 under a root.
fn trees(n: usize) -> Vec<Tree> {
    forests(n - 1, n - 1).into_iter().map(Tree).collect()
}

/// Forests of n nodes in trees of at most `largest`, each once: trees in falling order.
fn forests(n: usize, largest: usize) -> Vec<Vec<Tree>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for size in 1..=largest.min(n) {
        for first in trees(size) {
            for mut rest in forests(n - size, size) {
                if rest.first().is_none_or(|next| *next <= first || next.nodes() < size) {
                    rest.insert(0, first.clone());
                    found.push(rest);
                }
            }
        }
    }
    found
}

struct Method {
    matrix: Vec<Vec<Number>>,
    weights: Vec<Number>,
    nodes: Vec<Number>,
}

fn numbers(exact: &Exact) -> Method {
    let d = exact.root;
    let row = |row: &[Surd]| row.iter().map(|x| Number::of(x, d)).collect::<Vec<_>>();
    let stages = exact.weights.len();
    let zero = Number::rational(BigRational::zero(), d);
    let full = |list: &[Surd]| {
        let mut list = row(list);
        list.resize(stages, zero.clone());
        list
    };
    Method {
        matrix: exact.matrix.iter().map(|row| full(row)).collect(),
        weights: row(exact.weights),
        nodes: row(exact.nodes),
    }
}

#[test]
fn there_are_as_many_rooted_trees_as_known() {
    let counts: Vec<usize> = (1..=7).map(|n| trees(n).len()).collect();
    assert_eq!(counts, [1, 1, 2, 4, 9, 20, 48]);
}

#[test]
fn every_tableau_satisfies_its_order_conditions_exactly_and_no_more() {
    for exact in TABLEAUX {
        let (d, method) = (exact.root, numbers(exact));
        let holds = |tree: &Tree| {
            let value = sum(&method.weights, &tree.stages(&method.matrix, d), d);
            value == Number::rational(tree.density().recip(), d)
        };
        let order = exact.order as usize;
        for tree in (1..=order).flat_map(trees) {
            assert!(holds(&tree), "{}: {tree:?}", exact.name);
        }
        assert!(!trees(order + 1).iter().all(holds), "{} is of higher order", exact.name);
    }
}

#[test]
fn rows_of_a_tableau_sum_to_its_nodes_and_implicit_ones_end_at_their_last_stage() {
    for exact in TABLEAUX {
        let method = numbers(exact);
        let one = Number::rational(BigRational::one(), exact.root);
        let ones = vec![one; method.nodes.len()];
        for (row, node) in method.matrix.iter().zip(&method.nodes) {
            assert_eq!(&sum(row, &ones, exact.root), node, "{}", exact.name);
        }
        if !exact.rounded().is_explicit {
            assert_eq!(method.matrix.last().unwrap(), &method.weights, "{}", exact.name);
        }
    }
}

/// One wrong digit is noticed.
#[test]
fn a_changed_coefficient_is_refused() {
    let (d, mut method) = (1, numbers(Exact::named("herk-6").unwrap()));
    method.matrix[6][3] = Number::of(&Surd { p: 19, q: 0, r: 11 }, d);
    let holds = |tree: &Tree| {
        sum(&method.weights, &tree.stages(&method.matrix, d), d)
            == Number::rational(tree.density().recip(), d)
    };
    assert!(!(1..=6).flat_map(trees).all(|tree| holds(&tree)));
}
