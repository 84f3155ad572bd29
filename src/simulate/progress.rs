//! How far the motion of a thread is, for those who watch it.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    static WATCHED: RefCell<Option<Arc<AtomicU64>>> = const { RefCell::new(None) };
}

/// Follows a motion whose time `watch` has, as the bits of a number, after every step.
pub fn watched<T>(watch: &Arc<AtomicU64>, follow: impl FnOnce() -> T) -> T {
    struct Before(Option<Arc<AtomicU64>>);
    impl Drop for Before {
        fn drop(&mut self) {
            WATCHED.set(self.0.take());
        }
    }
    let _before = Before(WATCHED.replace(Some(Arc::clone(watch))));
    follow()
}

/// The motion of this thread has come to a time.
pub(super) fn reach(t: f64) {
    WATCHED.with_borrow(|watch| {
        if let Some(watch) = watch {
            watch.store(t.to_bits(), Ordering::Relaxed);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{reach, watched};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn only_who_watches_is_told() {
        let watch = Arc::new(AtomicU64::new(0));
        reach(1.0);
        watched(&watch, || reach(2.5));
        reach(3.0);
        assert_eq!(watch.load(Ordering::Relaxed), 2.5_f64.to_bits());
    }
}
