//! The memory of a small search that is over, for the next one: a problem of a few contacts is solved in less time than its
//! vectors take to allocate. What was learnt of the problem, the orders of elimination, does not stay.

use super::forms::Forms;
use super::rounds::Search;
use crate::coulomb::backward::Terms;
use crate::coulomb::problem::Problem;

/// Contacts, and coordinates of a global problem, up to which the memory is worth keeping.
const SMALL: usize = 64;
const COORDINATES: usize = 1024;

/// Memory of solves that have nothing else in common, as [`solve_again`](crate::answer::solve_again) takes it.
#[derive(Clone, Debug, Default)]
pub struct SolveMemory {
    search: Option<Box<Search>>,
    forms: Forms,
    /// Those of contacts whose forces do not meet.
    pub(super) terms: Terms,
}

impl SolveMemory {
    /// The memory that lies ready, or new one.
    pub(super) fn take(&mut self) -> (Forms, Box<Search>) {
        (std::mem::take(&mut self.forms), self.search.take().unwrap_or_default())
    }

    /// Keeps the memory of a search on a problem, if that is little.
    pub(super) fn put(&mut self, mut forms: Forms, mut search: Box<Search>, problem: &Problem) {
        if problem.contacts() <= SMALL {
            search.run.workspace.forget_orders();
            self.search = Some(search);
            if problem.dof() <= COORDINATES {
                forms.forget_orders();
                self.forms = forms;
            }
        }
    }
}
