//! A request to end, which long computations look at between their steps. It belongs to the thread that computes, and to those that work
//! for it; it is no part of what is asked, so what was asked to end has no result. A [`Limit`] is part of the question: what reaches it
//! answers with what is known by then.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    static HEARD: RefCell<Flag> = const { RefCell::new(Flag(None)) };
    static LEFT: Cell<Limit> = const { Cell::new(Limit::NONE) };
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

/// What a computation of this thread may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// When it ends.
    pub deadline: Option<Instant>,
    /// How many steps it has.
    pub steps: Option<usize>,
}

impl Limit {
    const NONE: Self = Self { deadline: None, steps: None };

    /// Computes within this limit, and within the one that holds already; whether it was reached.
    pub fn holds<T>(self, compute: impl FnOnce() -> T) -> (T, bool) {
        struct Before(Limit);
        impl Drop for Before {
            fn drop(&mut self) {
                LEFT.set(self.0);
            }
        }
        let before = LEFT.get();
        let least = |a: Option<usize>, b: Option<usize>| a.into_iter().chain(b).min();
        let deadline = self.deadline.into_iter().chain(before.deadline).min();
        LEFT.set(Self { deadline, steps: least(self.steps, before.steps) });
        let _before = Before(before);
        let found = compute();
        (found, is_over())
    }
}

/// Whether this thread is asked to end, or its limit is reached.
#[must_use]
pub fn is_over() -> bool {
    let left = LEFT.get();
    is_wanted() || left.steps == Some(0) || left.deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Takes some steps of the limit.
pub fn spend(steps: usize) {
    let left = LEFT.get();
    LEFT.set(Limit { steps: left.steps.map(|left| left.saturating_sub(steps)), ..left });
}

/// What is left: time and steps, where they are limited.
#[must_use]
pub fn left() -> (Option<Duration>, Option<usize>) {
    let Limit { deadline, steps } = LEFT.get();
    (deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())), steps)
}

#[cfg(test)]
mod tests {
    use super::{Flag, Limit, is_over, is_wanted, left, spend};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    #[test]
    fn limits_hold_inside_each_other_and_end_with_what_they_were_for() {
        let steps = |steps| Limit { steps: Some(steps), deadline: None };
        let count = |most: usize| (0..most).take_while(|_| !is_over()).inspect(|_| spend(1)).count();
        assert_eq!((steps(3).holds(|| count(9)), steps(3).holds(|| count(2))), ((3, true), (2, false)));
        assert_eq!(steps(4).holds(|| steps(9).holds(|| count(20)).0).0, 4);
        let late = Limit { deadline: Some(Instant::now()), steps: None };
        assert_eq!(late.holds(|| count(9)), (0, true));
        let soon = Instant::now().checked_add(Duration::from_secs(60));
        let soon = Limit { deadline: soon, steps: None };
        assert!(soon.holds(|| late.holds(is_over).0 && !is_over() && left().0.is_some()) == (true, false));
        assert!(!is_over() && left() == (None, None));
    }

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
