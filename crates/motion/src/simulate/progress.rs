//! How far the motions of a thread are, for those who watch: the time that one has come to, or how many are done.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::LocalKey;

/// Motions that are done, and how many there are as far as it is known.
pub type Count = [AtomicU64; 2];

thread_local! {
    static WATCHED: Watch<AtomicU64> = const { RefCell::new(None) };
    static COUNTED: Watch<Count> = const { RefCell::new(None) };
}

type Watch<T> = RefCell<Option<Arc<T>>>;

/// Follows a motion whose time `watch` has, as the bits of a number, after every step.
pub fn watched<T>(watch: &Arc<AtomicU64>, follow: impl FnOnce() -> T) -> T {
    under(&WATCHED, watch, follow)
}

/// Follows motions that `count` counts.
pub fn counted<T>(count: &Arc<Count>, follow: impl FnOnce() -> T) -> T {
    under(&COUNTED, count, follow)
}

fn under<W, T>(place: &'static LocalKey<Watch<W>>, watch: &Arc<W>, follow: impl FnOnce() -> T) -> T {
    struct Before<W: 'static>(&'static LocalKey<Watch<W>>, Option<Arc<W>>);
    impl<W> Drop for Before<W> {
        fn drop(&mut self) {
            self.0.set(self.1.take());
        }
    }
    let _before = Before(place, place.replace(Some(Arc::clone(watch))));
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

/// So many more motions are to be followed.
pub fn expect(motions: usize) {
    count(1, motions);
}

/// One of them is done.
pub fn finish() {
    count(0, 1);
}

fn count(place: usize, more: usize) {
    COUNTED.with_borrow(|counted| {
        if let Some(counted) = counted {
            counted[place].fetch_add(more as u64, Ordering::Relaxed);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{Count, counted, expect, finish, reach, watched};
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

    #[test]
    fn motions_are_counted_where_somebody_counts() {
        let count: Arc<Count> = Arc::default();
        expect(5);
        counted(&count, || {
            expect(2);
            finish();
            counted(&Arc::default(), finish);
        });
        finish();
        assert_eq!(count.each_ref().map(|x| x.load(Ordering::Relaxed)), [1, 2]);
    }
}
