//! A request to end, which long computations look at between their steps. It belongs to the thread that computes, and to those that work
//! for it; it is no part of what is asked, so what was asked to end has no result.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static HEARD: RefCell<Flag> = const { RefCell::new(Flag(None)) };
}

/// What tells a computation to end; by default nothing does.
#[derive(Clone, Debug, Default)]
pub struct Flag(Option<Arc<AtomicBool>>);

impl Flag {
    /// One that its owner may set at any time.
    #[must_use]
    pub fn of(flag: &Arc<AtomicBool>) -> Self {
        Self(Some(Arc::clone(flag)))
    }

    /// That of this thread, for those who work for it.
    #[must_use]
    pub fn heard() -> Self {
        HEARD.with_borrow(Clone::clone)
    }

    /// Whether it was set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Computes in the hearing of this flag.
    pub fn hears<T>(&self, compute: impl FnOnce() -> T) -> T {
        struct Before(Flag);
        impl Drop for Before {
            fn drop(&mut self) {
                HEARD.set(std::mem::take(&mut self.0));
            }
        }
        let _before = Before(HEARD.replace(self.clone()));
        compute()
    }
}

/// Whether the computation of this thread is asked to end.
#[must_use]
pub fn is_wanted() -> bool {
    HEARD.with_borrow(Flag::is_set)
}

#[cfg(test)]
mod tests {
    use super::{Flag, is_wanted};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn only_what_hears_a_flag_is_asked_to_end() {
        let flag = |value| Flag::of(&Arc::new(AtomicBool::new(value)));
        let (flag, other) = (flag(true), flag(false));
        assert!(!is_wanted());
        assert!(flag.hears(is_wanted) && flag.hears(|| Flag::heard().is_set()));
        assert!(!flag.hears(|| other.hears(is_wanted)) && !Flag::default().hears(is_wanted));
        assert!(
            !std::thread::spawn(move || flag.hears(|| std::thread::spawn(is_wanted).join().unwrap()))
                .join()
                .unwrap()
        );
        assert!(!is_wanted());
    }
}
