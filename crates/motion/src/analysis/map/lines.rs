//! Pieces of boundaries joined end to end.

use super::Point;
use super::cell::Class;
use super::outcome::{Boundary, Level};
use super::square::Segment;
use crate::num::Number;
use std::collections::BTreeMap;

/// What a boundary is of.
type Kind = ([Class; 2], bool);

/// A point as a key: ends that meet are the same number for number.
fn key([x, y]: Point) -> [u64; 2] {
    // 0 and −0 are one place
    [x + 0.0, y + 0.0].map(f64::to_bits)
}

/// The boundaries of some pieces, in an order that does not depend on theirs.
pub fn boundaries(quantity: &str, levels: &[f64], segments: &[Segment]) -> Vec<Boundary> {
    let mut kinds: BTreeMap<Kind, Vec<[Point; 2]>> = BTreeMap::new();
    for segment in segments.iter().filter(|segment| key(segment.ends[0]) != key(segment.ends[1])) {
        kinds.entry((segment.sides, segment.jumps)).or_default().push(segment.ends);
    }
    let told = |(kind, pieces): (Kind, Vec<[Point; 2]>)| Boundary {
        quantity: quantity.to_string(),
        level: level(kind, levels),
        lines: joined(&pieces)
            .into_iter()
            .map(|line| line.into_iter().map(|p| p.map(Number)).collect())
            .collect(),
    };
    kinds.into_iter().map(told).collect()
}

fn level((sides, jumps): Kind, levels: &[f64]) -> Level {
    let word = |class: Class| match class {
        Class::Word(word) => Some(word),
        Class::Undefined | Class::Above(_) => None,
    };
    match sides {
        [Class::Above(low), Class::Above(_)] if !jumps => {
            levels.get(low).map_or(Level::Edge, |level| Level::Number(Number(*level)))
        }
        [_, Class::Word(_)] | [Class::Word(_), _] => Level::Words(sides.map(word)),
        _ => Level::Edge,
    }
}

/// Lines from end to end, then closed ones.
fn joined(pieces: &[[Point; 2]]) -> Vec<Vec<Point>> {
    let mut at: BTreeMap<[u64; 2], Vec<usize>> = BTreeMap::new();
    for (i, ends) in pieces.iter().enumerate() {
        ends.iter().for_each(|end| at.entry(key(*end)).or_default().push(i));
    }
    let mut used = vec![false; pieces.len()];
    let mut found = Vec::new();
    let free = |used: &[bool], point: Point| at[&key(point)].iter().copied().find(|&i| !used[i]);
    for ends_only in [true, false] {
        for start in pieces.iter().flatten() {
            if ends_only && at[&key(*start)].len() == 2 {
                continue;
            }
            while let Some(first) = free(&used, *start) {
                let (mut line, mut next) = (vec![*start], Some(first));
                while let Some(i) = next {
                    used[i] = true;
                    let [a, b] = pieces[i];
                    let here = if line.last().is_some_and(|last| key(*last) == key(a)) { b } else { a };
                    line.push(here);
                    // three boundaries that meet end there
                    next = if at[&key(here)].len() == 2 { free(&used, here) } else { None };
                }
                found.push(line);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn pieces_become_lines_and_loops() {
        let pieces = [
            [[1.0, 0.0], [2.0, 0.0]],
            [[0.0, 0.0], [1.0, 0.0]],
            [[5.0, 0.0], [6.0, 0.0]],
            [[6.0, 0.0], [6.0, 1.0]],
            [[6.0, 1.0], [5.0, 0.0]],
        ];
        let found = joined(&pieces);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], [[2.0, 0.0], [1.0, 0.0], [0.0, 0.0]]);
        assert!(found[1].len() == 4 && super::key(found[1][0]) == super::key(found[1][3]));
    }
}
