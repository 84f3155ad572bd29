//! The memory of a small search that is over, for the next one of the same thread: a problem of a few contacts is solved in less
//! time than its vectors take to allocate. What was learnt of the problem, the orders of elimination, does not stay.

use super::rounds::Search;
use std::cell::RefCell;

/// Contacts up to which the memory is worth keeping.
const SMALL: usize = 64;

thread_local! {
    static SPARE: RefCell<Option<Box<Search>>> = const { RefCell::new(None) };
}

/// The memory that lies ready, or new one.
pub(super) fn take() -> Box<Search> {
    SPARE.try_with(|spare| spare.borrow_mut().take()).ok().flatten().unwrap_or_default()
}

/// Keeps the memory of a search on a problem with so many contacts, if that is little.
pub(super) fn put(mut search: Box<Search>, contacts: usize) {
    if contacts <= SMALL {
        search.run.workspace.forget_orders();
        // a thread that ends keeps nothing
        let _ = SPARE.try_with(|spare| spare.borrow_mut().replace(search));
    }
}
