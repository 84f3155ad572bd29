//! The rows of contacts by the coordinates that move them: of contact i and coordinate k the D entries of H at once, by contacts
//! and by coordinates. Where M is diagonal `W_ij = Σ_k h_ik h_jkᵀ / M_kk`.

use super::Columns;
use crate::linear::Sparse;
use std::ops::Range;

/// H by contacts, and by coordinates.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved {
    contacts: Part,
    coordinates: Part,
    /// The next entry of every coordinate.
    next: Vec<u32>,
}

/// Entries of D numbers each, and where those of each contact or coordinate begin.
#[derive(Clone, Debug, Default)]
struct Part {
    start: Vec<u32>,
    /// The coordinate, or the contact, in ascending order.
    other: Vec<u32>,
    values: Vec<f64>,
}

impl Moved {
    /// Becomes that of the rows Hᵀ.
    pub(super) fn set<const D: usize>(&mut self, Ht: &Sparse) {
        self.contacts.set::<D>(Ht);
        let Self { contacts, coordinates, next } = self;
        let entries = contacts.other.len();
        coordinates.start.clear();
        coordinates.start.resize(Ht.nrows() + 1, 0);
        contacts.other.iter().for_each(|&k| coordinates.start[k as usize + 1] += 1);
        (0..Ht.nrows()).for_each(|k| coordinates.start[k + 1] += coordinates.start[k]);
        next.clear();
        next.extend_from_slice(&coordinates.start[..Ht.nrows()]);
        coordinates.other.resize(entries, 0);
        coordinates.values.resize(entries * D, 0.0);
        let values = coordinates.values.as_chunks_mut::<D>().0;
        for (i, ends) in contacts.start.windows(2).enumerate() {
            for (&k, h) in contacts.entries::<D>(ends[0]..ends[1]) {
                let at = &mut next[k as usize];
                coordinates.other[*at as usize] = i as u32;
                values[*at as usize] = *h;
                *at += 1;
            }
        }
    }

    /// The columns of H M⁻¹ Hᵀ from the diagonal down, where M has these diagonal entries alone.
    pub(super) fn multiply<const D: usize, const DD: usize>(
        &mut self,
        diagonal: impl Fn(usize) -> f64,
        columns: &mut Columns,
    ) {
        let Self { contacts, coordinates, next } = self;
        next.clear();
        next.extend_from_slice(&coordinates.start[..coordinates.start.len() - 1]);
        columns.clear(D, contacts.start.len() - 1);
        for (j, ends) in contacts.start.windows(2).enumerate() {
            columns.touch(j);
            for (&k, h) in contacts.entries::<D>(ends[0]..ends[1]) {
                let (k, own) = (k as usize, diagonal(k as usize));
                let share = h.map(|h| h / own);
                for (&i, h) in coordinates.entries::<D>(next[k]..coordinates.start[k + 1]) {
                    columns.add_block::<D, DD>(i as usize, h, &share);
                }
                // the entry of j itself, which the columns after it do not want
                next[k] += 1;
            }
            columns.end(D, j, true);
        }
    }
}

impl Part {
    /// Entries with the coordinate or contact of each.
    fn entries<const D: usize>(&self, range: Range<u32>) -> impl Iterator<Item = (&u32, &[f64; D])> {
        let range = range.start as usize..range.end as usize;
        self.other[range.clone()].iter().zip(&self.values.as_chunks::<D>().0[range])
    }

    /// By contacts: the columns of each are merged.
    fn set<const D: usize>(&mut self, Ht: &Sparse) {
        self.start.clear();
        self.start.push(0);
        self.other.clear();
        self.values.clear();
        for i in 0..Ht.ncols() / D {
            Ht.merged::<D>(i, |k, h| {
                self.other.push(k as u32);
                self.values.extend_from_slice(&h);
            });
            self.start.push(self.other.len() as u32);
        }
    }
}
