//! When samples of a motion are taken.

/// The times of samples, ascending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleTimes<'t> {
    /// So many at equal times, from one end of a span to the other.
    Equal {
        /// Number of them.
        count: usize,
        /// Begin and end of the motion.
        span: [f64; 2],
    },
    /// At these times and no others.
    Given(&'t [f64]),
}

impl SampleTimes<'_> {
    /// Number of them.
    pub fn len(&self) -> usize {
        match self {
            Self::Equal { count, .. } => *count,
            Self::Given(times) => times.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    pub fn get(&self, k: usize) -> Option<f64> {
        match *self {
            Self::Equal { count, span: [start, end] } => {
                (k < count).then(|| start + (end - start) * (k as f64 / (count.max(2) - 1) as f64))
            }
            Self::Given(times) => times.get(k).copied(),
        }
    }

    /// Whether the state in which a motion ends before its time is a sample, after so many.
    pub fn has_end(&self, taken: usize) -> bool {
        matches!(self, Self::Equal { count, .. } if taken < *count)
    }
}

#[cfg(test)]
mod tests {
    use super::SampleTimes;

    #[test]
    fn equal_times_have_both_ends() {
        let times = SampleTimes::Equal { count: 5, span: [1.0, 3.0] };
        let all: Vec<f64> = (0..).map_while(|k| times.get(k)).collect();
        assert_eq!(all, [1.0, 1.5, 2.0, 2.5, 3.0]);
        assert_eq!((times.len(), times.has_end(4), times.has_end(5)), (5, true, false));
        let one = SampleTimes::Equal { count: 1, span: [1.0, 3.0] };
        assert_eq!((one.get(0), one.get(1), one.is_empty()), (Some(1.0), None, false));
    }

    #[test]
    fn given_times_are_those_alone() {
        let times = SampleTimes::Given(&[0.25, 2.0]);
        assert_eq!((times.get(1), times.get(2), times.has_end(1)), (Some(2.0), None, false));
    }
}
