//! The time that a thread has worked, so that other load on the machine does not count.

use std::time::Instant;

/// A moment.
pub(super) struct Clock {
    worked: Option<f64>,
    begun: Instant,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { worked: worked_ms(), begun: Instant::now() }
    }

    /// Milliseconds since then: of work of this thread where the system tells it, else those of the wall.
    pub(super) fn elapsed_ms(&self) -> f64 {
        match (self.worked, worked_ms()) {
            (Some(before), Some(now)) => now - before,
            _ => self.begun.elapsed().as_secs_f64() * 1e3,
        }
    }
}

/// What a thread has worked so far, where Linux tells it; the scheduler counts it when it is called, else only now and then.
fn worked_ms() -> Option<f64> {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1_000_000.0)
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn work_takes_time() {
        let clock = Clock::start();
        let sum: f64 = (0..2_000_000_u32).map(|k| f64::from(std::hint::black_box(k)).sqrt()).sum();
        assert!(sum > 0.0 && clock.elapsed_ms() > 0.0);
    }
}
