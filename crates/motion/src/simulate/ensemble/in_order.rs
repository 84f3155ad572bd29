//! Work on all cores with results in order: the same rows whoever did them.

use crate::num::halt::Flag;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Jobs that a worker takes at once: enough that nobody waits for the counter, few enough that the last ones end together.
const AT_ONCE: u64 = 8;

/// How long a worker keeps results before it hands them over: to be woken for less costs more than the work.
const KEPT: Duration = Duration::from_millis(20);

/// Parcels that may wait for their turn, for each worker.
const WAITING: usize = 64;

/// Does the jobs of a range on so many threads, on the caller's own if that is one, and hands their results over in order. `worker` makes what one thread works with.
/// Where `deliver` fails, no further jobs are begun.
///
/// # Errors
/// What `deliver` says.
pub fn in_order<W, T: Send, E>(
    threads: usize,
    jobs: Range<u64>,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) -> T + Sync,
    mut deliver: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    if threads <= 1 {
        let mut own = worker();
        return jobs.map(|job| work(&mut own, job)).try_for_each(deliver);
    }
    let (next, flag) = (AtomicU64::new(jobs.start), Flag::heard());
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(WAITING * threads);
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| flag.hears(|| toil(&next, jobs.end, (&worker, &work), sender)));
        }
        drop(sender);
        let delivered = hand_over(&receiver, jobs.start, &mut deliver);
        // who finds nobody listening stops
        drop(receiver);
        delivered
    })
}

/// A batch of results with the number of its first job.
type Batch<T> = (u64, Vec<T>);

/// What a worker hands over at once.
type Parcel<T> = Vec<Batch<T>>;

fn toil<W, T>(
    next: &AtomicU64,
    end: u64,
    (worker, work): (&impl Fn() -> W, &impl Fn(&mut W, u64) -> T),
    sender: SyncSender<Parcel<T>>,
) {
    let (mut own, mut parcel, mut sent) = (worker(), Vec::new(), Instant::now());
    loop {
        let first = next.fetch_add(AT_ONCE, Ordering::Relaxed);
        if first >= end {
            // nobody listens where a delivery failed
            drop(sender.send(parcel));
            return;
        }
        parcel.push((first, (first..end.min(first + AT_ONCE)).map(|job| work(&mut own, job)).collect()));
        if sent.elapsed() >= KEPT {
            if sender.send(std::mem::take(&mut parcel)).is_err() {
                return;
            }
            sent = Instant::now();
        }
    }
}

fn hand_over<T, E>(
    receiver: &Receiver<Parcel<T>>,
    mut due: u64,
    deliver: &mut impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    for parcel in receiver {
        early.extend(parcel);
        while let Some(batch) = early.remove(&due) {
            due += batch.len() as u64;
            batch.into_iter().try_for_each(&mut *deliver)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::in_order;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn results_come_in_order_from_any_number_of_threads() {
        for threads in [0, 1, 2, 7] {
            let mut seen = Vec::new();
            let work = |_: &mut (), job: u64| {
                // the first jobs take longest
                std::thread::sleep(std::time::Duration::from_micros(200 / (job + 1)));
                job * job
            };
            let done: Result<(), ()> = in_order(
                threads,
                3..250,
                || (),
                work,
                |x| {
                    seen.push(x);
                    Ok(())
                },
            );
            assert!(done.is_ok());
            assert_eq!(seen, (3..250).map(|job| job * job).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn nothing_is_begun_after_a_failure() {
        let begun = AtomicU64::new(0);
        let work = |_: &mut (), job: u64| {
            begun.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(std::time::Duration::from_micros(20));
            job
        };
        let found = in_order(2, 0..1_000_000, || (), work, |job| if job < 100 { Ok(()) } else { Err(job) });
        assert_eq!(found, Err(100));
        assert!(begun.load(Ordering::Relaxed) < 10_000, "{}", begun.load(Ordering::Relaxed));
    }
}
