//! The memory of a small search that is over, for the next one: a problem of a few contacts is solved in less time than its
//! vectors take to allocate. What was learnt of the problem, the orders of elimination, does not stay.

use super::rounds::Search;
use crate::coulomb::backward::Terms;

/// Contacts up to which the memory is worth keeping.
const SMALL: usize = 64;

/// Memory of solves that have nothing else in common, as [`solve_again`](crate::answer::solve_again) takes it.
#[derive(Debug, Default)]
pub struct Spare {
    search: Option<Box<Search>>,
    /// Those of contacts whose forces do not meet.
    pub(super) terms: Terms,
}

impl Spare {
    /// The memory that lies ready, or new one.
    pub(super) fn take(&mut self) -> Box<Search> {
        self.search.take().unwrap_or_default()
    }

    /// Keeps the memory of a search on a problem with so many contacts, if that is little.
    pub(super) fn put(&mut self, mut search: Box<Search>, contacts: usize) {
        if contacts <= SMALL {
            search.run.workspace.forget_orders();
            self.search = Some(search);
        }
    }
}
