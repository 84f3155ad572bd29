//! Squares of one class as few rectangles: runs to the right, and runs upwards of those.

use std::collections::BTreeMap;

/// A rectangle of squares, by the lines of the grid around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile<C> {
    pub(super) class: C,
    pub(super) x: [usize; 2],
    pub(super) y: [usize; 2],
}

/// Rectangles that cover the squares that have a class, each once.
pub(super) fn tiles<C: Copy + Ord>(
    [nx, ny]: [usize; 2],
    class: impl Fn(usize, usize) -> Option<C>,
) -> Vec<Tile<C>> {
    let mut found = Vec::new();
    // runs of the row below, with the row where they begin
    let mut open: BTreeMap<([usize; 2], C), usize> = BTreeMap::new();
    for j in 0..ny {
        let mut row = BTreeMap::new();
        let mut start = 0;
        while start < nx {
            let here = class(start, j);
            let end = (start + 1..nx).find(|&i| class(i, j) != here).unwrap_or(nx);
            if let Some(here) = here {
                let key = ([start, end], here);
                row.insert(key, open.remove(&key).unwrap_or(j));
            }
            start = end;
        }
        found.extend(open.iter().map(|(&(x, class), &from)| Tile { class, x, y: [from, j] }));
        open = row;
    }
    found.extend(open.into_iter().map(|((x, class), from)| Tile { class, x, y: [from, ny] }));
    found
}

#[cfg(test)]
mod tests {
    use super::{Tile, tiles};

    #[test]
    fn tiles_cover_every_square_of_a_class_once() {
        let class = |i: usize, j: usize| match (i * 7 + j * 3) % 5 {
            0 => None,
            k => Some(k / 3),
        };
        let (nx, ny) = (13, 9);
        let found = tiles([nx, ny], class);
        for i in 0..nx {
            for j in 0..ny {
                let inside =
                    |t: &&Tile<usize>| (t.x[0]..t.x[1]).contains(&i) && (t.y[0]..t.y[1]).contains(&j);
                let own: Vec<_> = found.iter().filter(inside).map(|t| t.class).collect();
                assert_eq!(own, class(i, j).into_iter().collect::<Vec<_>>(), "{i} {j}");
            }
        }
        let one = tiles([40, 30], |_, _| Some(1));
        assert_eq!(one, [Tile { class: 1, x: [0, 40], y: [0, 30] }]);
    }
}
