//! Threads that go through the same program together: its phases are cut into pieces, which whoever is free takes, and nobody goes on
//! before all pieces of a phase are done. What a piece computes depends on its number alone, so that nothing depends on who did it.
//!
//! A phase may be as short as some microseconds: who waits looks again and again, and lets others have the core after a while.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Looks before the core is offered to others: some microseconds.
const LOOKS: usize = 300;

/// The threads that all are to use where nobody says: every core, one where cores cannot be counted.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// What the members share.
#[derive(Debug)]
struct Team {
    members: AtomicUsize,
    /// Members that wait at the end of the phase.
    arrived: AtomicUsize,
    /// Phases that are over.
    phase: AtomicUsize,
    /// The next piece of the phase.
    piece: AtomicUsize,
    /// Somebody will never come.
    broken: AtomicBool,
}

/// One of the threads.
#[derive(Debug)]
pub struct Member<'a> {
    team: &'a Team,
    leads: bool,
}

/// Lets so many threads do the same work, the caller's among them; what that one found.
pub fn together<T>(threads: usize, work: impl Fn(&Member<'_>) -> T + Sync) -> T {
    let team = Team {
        members: AtomicUsize::new(threads.max(1)),
        arrived: AtomicUsize::new(0),
        phase: AtomicUsize::new(0),
        piece: AtomicUsize::new(0),
        broken: AtomicBool::new(false),
    };
    if threads <= 1 {
        return work(&Member { team: &team, leads: true });
    }
    let (team, work) = (&team, &work);
    thread::scope(|scope| {
        for _ in 1..threads {
            let other = move || {
                work(&Member { team, leads: false });
            };
            if thread::Builder::new().spawn_scoped(scope, other).is_err() {
                // no phase has ended yet, since this thread is not there
                team.members.fetch_sub(1, Ordering::AcqRel);
            }
        }
        work(&Member { team, leads: true })
    })
}

impl Member<'_> {
    /// Whether this is the caller's thread.
    pub fn leads(&self) -> bool {
        self.leads
    }

    /// A phase of so many pieces.
    pub fn each(&self, pieces: usize, mut work: impl FnMut(usize)) {
        loop {
            let piece = self.team.piece.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                break;
            }
            work(piece);
        }
        self.wait();
    }

    /// Until everybody is here.
    fn wait(&self) {
        let team = self.team;
        let phase = team.phase.load(Ordering::Acquire);
        if team.arrived.fetch_add(1, Ordering::AcqRel) + 1 == team.members.load(Ordering::Acquire) {
            team.piece.store(0, Ordering::Relaxed);
            team.arrived.store(0, Ordering::Relaxed);
            team.phase.store(phase.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut looks = 0;
        while team.phase.load(Ordering::Acquire) == phase && !team.broken.load(Ordering::Relaxed) {
            looks += 1;
            if looks < LOOKS { std::hint::spin_loop() } else { thread::yield_now() }
        }
    }
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.team.broken.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Every phase sees all of the one before, each piece once, whoever does it.
    #[test]
    fn phases_follow_each_other() {
        for threads in [0, 1, 2, 5] {
            let cells: Vec<_> = (0..23_u64).map(|k| Mutex::new([k, 0])).collect();
            let at = |k: usize| cells[k % 23].lock().map_or(0, |cell| cell[0]);
            let led = together(threads, |member| {
                for _ in 0..200 {
                    member.each(23, |k| {
                        let sum = at(k + 22).wrapping_mul(3).wrapping_add(at(k + 1));
                        cells[k].lock().iter_mut().for_each(|cell| cell[1] = sum);
                    });
                    member.each(23, |k| cells[k].lock().iter_mut().for_each(|cell| cell[0] = cell[1] + 1));
                }
                member.leads()
            });
            let mut expected: Vec<u64> = (0..23).collect();
            for _ in 0..200 {
                let sum = |k: usize| {
                    expected[(k + 22) % 23].wrapping_mul(3).wrapping_add(expected[(k + 1) % 23]) + 1
                };
                expected = (0..23).map(sum).collect();
            }
            assert!(led);
            assert_eq!((0..23).map(at).collect::<Vec<_>>(), expected, "{threads}");
        }
    }

    /// Who panics does not leave the others waiting.
    #[test]
    fn a_panic_ends_the_work() {
        let work = || {
            together(3, |member| {
                (0..10).for_each(|k| member.each(3, |piece| assert!(k < 5 || piece != 1, "as it should")));
            });
        };
        assert!(std::panic::catch_unwind(work).is_err());
    }
}
