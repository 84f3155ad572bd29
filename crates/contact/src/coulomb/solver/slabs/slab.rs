//! One slab: its contacts with all that a sweep needs of them, and the forces of the slabs beside it as they were last.

use super::layers::Layers;
use super::{Forces, Places};
use crate::coulomb::backward::larger;
use crate::coulomb::cone::natural_map;
use crate::coulomb::solver::Task;
use crate::coulomb::solver::gauss_seidel::projected_step;
use crate::coulomb::solver::one_contact::Contact;
use crate::linear::{largest_diagonal, mul_add};

/// A slab of contacts.
#[derive(Debug, Default)]
pub(super) struct Slab<const D: usize, const DD: usize> {
    contacts: Vec<Contact<D, DD>>,
    ratio: Vec<f64>,
    /// Steps for the slip of a contact, at most.
    steps: usize,
    mu: Vec<f64>,
    q: Vec<[f64; D]>,
    own: Vec<[f64; DD]>,
    /// The blocks beside the diagonal by rows; columns are places in `r`.
    start: Vec<u32>,
    columns: Vec<u32>,
    blocks: Vec<[f64; DD]>,
    /// Its forces, followed by those beside it.
    r: Vec<[f64; D]>,
    /// Whose they are: the slab before or after, and the place there.
    beside: Vec<(bool, u32)>,
    /// As in momentum.
    last: Vec<[f64; D]>,
    begin: Vec<[f64; D]>,
    weight: Vec<f64>,
    best: Vec<[f64; D]>,
}

impl<const D: usize, const DD: usize> Slab<D, DD> {
    /// Becomes slab `number` of a problem.
    pub(super) fn set(
        &mut self,
        number: usize,
        layers: &Layers,
        (task, steps): (&Task<'_>, usize),
        forces: &Forces<'_>,
    ) {
        self.steps = steps;
        let (W, blocks) = (&task.local.W, task.local.W.chunks::<DD>());
        let contacts = layers.of(number);
        let own = contacts.iter().map(|i| &blocks[W.diagonal(*i as usize)]);
        refill(&mut self.own, own.clone().copied());
        refill(&mut self.mu, contacts.iter().map(|i| task.mu[*i as usize]));
        refill(&mut self.contacts, own.clone().zip(&self.mu).map(|(own, mu)| Contact::new(own, *mu)));
        refill(&mut self.ratio, contacts.iter().map(|_| 0.0));
        refill(&mut self.weight, own.map(largest_diagonal::<D, DD>));
        let gather = |to: &mut Vec<[f64; D]>, from: &[f64]| {
            let from = from.as_chunks::<D>().0;
            refill(to, contacts.iter().map(|i| from[*i as usize]));
        };
        gather(&mut self.q, &task.local.q);
        gather(&mut self.r, forces.r);
        gather(&mut self.last, forces.last);
        gather(&mut self.begin, forces.begin);
        gather(&mut self.best, forces.best);
        self.set_rows(number, layers, task);
    }

    fn set_rows(&mut self, number: usize, layers: &Layers, task: &Task<'_>) {
        let (W, blocks) = (&task.local.W, task.local.W.chunks::<DD>());
        let Self { start, columns, blocks: kept, r, beside, .. } = self;
        let contacts = layers.of(number);
        beside.clear();
        for &i in contacts {
            for k in W.row(i as usize) {
                let (slab, at) = layers.place(W.column(k));
                if slab != number {
                    beside.push((slab > number, at));
                }
            }
        }
        beside.sort_unstable();
        beside.dedup();
        r.resize(contacts.len() + beside.len(), [0.0; D]);
        start.clear();
        start.push(0);
        columns.clear();
        kept.clear();
        for &i in contacts {
            for k in W.row(i as usize).filter(|k| *k != W.diagonal(i as usize)) {
                let (slab, at) = layers.place(W.column(k));
                let column = match slab == number {
                    true => Some(at),
                    false => {
                        beside.binary_search(&(slab > number, at)).ok().map(|at| (contacts.len() + at) as u32)
                    }
                };
                columns.extend(column);
                kept.push(blocks[k]);
            }
            start.push(kept.len() as u32);
        }
    }

    /// Its forces, to the places in the problem.
    pub(super) fn bring(&self, contacts: &[u32], places: &mut Places<'_>) {
        let put = |from: &[[f64; D]], to: &mut [f64]| {
            let to = to.as_chunks_mut::<D>().0;
            contacts.iter().zip(from).for_each(|(i, x)| to[*i as usize] = *x);
        };
        put(&self.r, places.r);
        put(&self.last, places.last);
        put(&self.begin, places.begin);
        put(&self.best, places.best);
    }

    /// Takes the forces of the slabs before and after as they are now.
    pub(super) fn look_beside(&mut self, before: Option<&Self>, after: Option<&Self>) {
        let contacts = self.mu.len();
        for ((after_it, at), r) in self.beside.iter().zip(&mut self.r[contacts..]) {
            if let Some(other) = if *after_it { after } else { before } {
                *r = other.r[*at as usize];
            }
        }
    }

    /// q_i + Σ_{j ≠ i} W_ij r_j.
    #[inline]
    fn others(&self, i: usize) -> [f64; D] {
        let range = self.start[i] as usize..self.start[i + 1] as usize;
        let mut sum = self.q[i];
        for (block, column) in self.blocks[range.clone()].iter().zip(&self.columns[range]) {
            mul_add::<D, DD>(block, &self.r[*column as usize], &mut sum);
        }
        sum
    }

    /// One sweep over its contacts, and (r − y)·(r − last) and ‖r − y‖² of them, as in momentum.
    pub(super) fn sweep(&mut self) -> [f64; 2] {
        for i in 0..self.mu.len() {
            let q = self.others(i);
            self.r[i] = match self.contacts[i].solve_within(&q, &mut self.ratio[i], self.steps) {
                Some(new) => new,
                None => projected_step(&self.own[i], &q, &self.r[i], self.mu[i]),
            };
        }
        let mut sums = [0.0; 2];
        for (((r, last), begin), weight) in self.r.iter().zip(&self.last).zip(&self.begin).zip(&self.weight) {
            let (mut product, mut square) = (0.0, 0.0);
            for a in 0..D {
                product += (r[a] - begin[a]) * (r[a] - last[a]);
                square += (r[a] - begin[a]) * (r[a] - begin[a]);
            }
            sums[0] += weight * product;
            sums[1] += weight * square;
        }
        sums
    }

    /// Its part of the squares of the defect of Coulomb's law, of q, r and u.
    pub(super) fn squares(&self) -> [f64; 4] {
        let mut sums = [0.0; 4];
        for i in 0..self.mu.len() {
            let mut u = self.others(i);
            mul_add::<D, DD>(&self.own[i], &self.r[i], &mut u);
            let defect = natural_map(&u, &self.r[i], self.mu[i]);
            for (sum, x) in sums.iter_mut().zip([&defect, &self.q[i], &self.r[i], &u]) {
                *sum = larger(*sum, *sum + x.iter().map(|x| x * x).sum::<f64>());
            }
        }
        sums
    }

    /// To the beginning of the next sweep; the present forces are the best if `keep`.
    pub(super) fn advance(&mut self, beta: f64, keep: bool) {
        let contacts = self.mu.len();
        if keep {
            self.best.copy_from_slice(&self.r[..contacts]);
        }
        let points = self.r.iter_mut().zip(&mut self.last).zip(&mut self.begin);
        for ((r, last), begin) in points {
            for a in 0..D {
                let end = r[a];
                r[a] += beta * (end - last[a]);
                last[a] = end;
            }
            *begin = *r;
        }
    }
}

fn refill<T>(to: &mut Vec<T>, from: impl Iterator<Item = T>) {
    to.clear();
    to.extend(from);
}
