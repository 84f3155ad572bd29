//! Data to page: ranges, linear scales, and ticks at round numbers with labels that stay short.

/// A range of data, the lower end first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl Range {
    /// The finite values' range, with room around a constant; none without one.
    pub(super) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        Self::ends(values).map(Self::opened)
    }

    /// The least and the greatest of the finite values.
    pub(super) fn ends(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let finite = values.into_iter().filter(|x| x.is_finite());
        // a quarter of the largest number, so that widths stay finite
        let bound = f64::MAX / 4.0;
        let ends = finite.fold(None, |ends: Option<(f64, f64)>, x| {
            let x = x.clamp(-bound, bound);
            Some(ends.map_or((x, x), |(lo, hi)| (lo.min(x), hi.max(x))))
        });
        ends.map(|(lo, hi)| Self { lo, hi })
    }

    pub(super) fn width(self) -> f64 {
        self.hi - self.lo
    }

    pub(super) fn size(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    pub(super) fn centre(self) -> f64 {
        self.lo / 2.0 + self.hi / 2.0
    }

    /// Wider by a share at each end.
    pub(super) fn padded(self, share: f64) -> Self {
        let by = self.width() * share;
        Self { lo: self.lo - by, hi: self.hi + by }
    }

    /// The same centre with another width.
    pub(super) fn of_width(self, width: f64) -> Self {
        Self { lo: self.centre() - width / 2.0, hi: self.centre() + width / 2.0 }
    }

    /// A constant has room around it.
    pub(super) fn opened(self) -> Self {
        let size = self.size();
        if self.width() > size * f64::EPSILON * 64.0 && self.width() > f64::MIN_POSITIVE * 1024.0 {
            return self;
        }
        let by = if size > f64::MIN_POSITIVE * 1024.0 { size / 2.0 } else { 1.0 };
        Self { lo: self.centre() - by, hi: self.centre() + by }
    }
}

/// A linear map from data to page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) data: Range,
    /// Where the ends of the range are on the page.
    pub(super) page: [f64; 2],
}

impl Scale {
    /// The place on the page; far outside it stays a number that a reader of SVG can hold.
    pub(super) fn at(&self, x: f64) -> f64 {
        let share = (x - self.data.lo) / self.data.width();
        let [from, to] = self.page;
        from + share.clamp(-FAR, FAR) * (to - from)
    }
}

/// A number with three digits, as it stands beside a mark.
pub(super) fn short(x: f64) -> String {
    if !x.is_finite() || x.abs() <= 0.0 {
        return if x.is_nan() {
            "?".to_owned()
        } else if x.abs() <= 0.0 {
            "0".to_owned()
        } else {
            "∞".to_owned()
        };
    }
    let power = x.abs().log10().floor() as i32;
    let text = if (-3..5).contains(&power) {
        let text = format!("{:.*}", (2 - power).max(0) as usize, x);
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        let unit = 10_f64.powi(power);
        let mantissa = format!("{:.2}", x / unit);
        format!("{}·10^{{{power}}}", mantissa.trim_end_matches('0').trim_end_matches('.'))
    };
    text.replace('-', "−")
}

/// How many times its length a line may leave its scale.
const FAR: f64 = 100.0;

/// Ticks with their labels, and what the labels leave out: a power of ten, an offset.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    pub(super) at: Vec<f64>,
    pub(super) labels: Vec<String>,
    pub(super) note: Option<String>,
}

/// Labels beyond these powers of ten leave it out.
const PLAIN_POWERS: std::ops::Range<i32> = -3..5;

/// Where ticks are so close that labels would have more digits than this, they leave out an offset.
const DIGITS: i32 = 5;

impl Ticks {
    /// Some `count` ticks.
    pub(super) fn new(range: Range, count: usize) -> Self {
        let step = round_step(range.width() / count.max(1) as f64);
        let offset = offset(range, step);
        let first = ((range.lo - offset) / step).ceil();
        let last = ((range.hi - offset) / step).floor();
        let number = if (last - first).is_finite() { (last - first).max(0.0) as usize } else { 0 };
        let multiples: Vec<f64> = (0..=number.min(10 * count)).map(|k| (first + k as f64) * step).collect();
        let largest = multiples.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let power = if largest > 0.0 { largest.log10().floor() as i32 } else { 0 };
        let power = if PLAIN_POWERS.contains(&power) { 0 } else { power };
        let unit = 10_f64.powi(power);
        let decimals = (-(step / unit).log10().floor()).max(0.0) as usize;
        let label = |x: &f64| format!("{:.decimals$}", x / unit).replace('-', "−");
        let labels = multiples.iter().map(label).map(|l| if is_zero(&l) { "0".to_owned() } else { l });
        Self {
            labels: labels.collect(),
            at: multiples.iter().map(|x| x + offset).collect(),
            note: note(power, offset),
        }
    }
}

fn is_zero(label: &str) -> bool {
    label.chars().all(|c| matches!(c, '0' | '.' | '−'))
}

/// 1, 2 or 5 times a power of ten, about as large as `rough`.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let power = if power > 0.0 { power } else { f64::MIN_POSITIVE };
    let mantissa = rough / power;
    let round = match mantissa {
        m if m < 1.5 => 1.0,
        m if m < 3.5 => 2.0,
        m if m < 7.5 => 5.0,
        _ => 10.0,
    };
    round * power
}

/// A round number near the range where the ticks are close together far from zero, else 0.
fn offset(range: Range, step: f64) -> f64 {
    if range.size() / step < 10_f64.powi(DIGITS) {
        return 0.0;
    }
    let coarse = step * 10.0;
    (range.centre() / coarse).round() * coarse
}

fn note(power: i32, offset: f64) -> Option<String> {
    let factor = (power != 0).then(|| format!("×10{}", superscript(power)));
    let shift = (offset.abs() > 0.0).then(|| {
        let sign = if offset > 0.0 { '+' } else { '−' };
        format!("{sign} {}", offset.abs())
    });
    match (factor, shift) {
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => Some(one),
        (Some(factor), Some(shift)) => Some(format!("{factor} {shift}")),
    }
}

pub(super) fn superscript(power: i32) -> String {
    let raised = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    };
    power.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::{Range, Scale, Ticks};

    fn ticks(lo: f64, hi: f64) -> (Vec<String>, Option<String>) {
        let ticks = Ticks::new(Range { lo, hi }, 5);
        (ticks.labels, ticks.note)
    }

    #[test]
    fn ticks_are_round_and_labels_short() {
        let cases: [(f64, f64, &[&str], Option<&str>); 4] = [
            (0.0, 1.0, &["0", "0.2", "0.4", "0.6", "0.8", "1.0"], None),
            (-3.1, 7.2, &["−2", "0", "2", "4", "6"], None),
            (0.0, 4e-7, &["0", "1", "2", "3", "4"], Some("×10⁻⁷")),
            (-3e12, 3e12, &["−3", "−2", "−1", "0", "1", "2", "3"], Some("×10¹²")),
        ];
        for (lo, hi, labels, factor) in cases {
            let (found, note) = ticks(lo, hi);
            assert_eq!((found, note.as_deref()), (labels.iter().map(|l| (*l).to_owned()).collect(), factor));
        }
    }

    /// A label with its note is the number at the tick.
    #[test]
    fn labels_say_where_the_ticks_are() {
        for (lo, hi) in [(0.0, 1.0), (-1e-300, 1e-300), (9.9e8, 1e9), (1e5, 1e5 + 1e-3), (-1e300, 1e300)] {
            let range = Range { lo, hi };
            let found = Ticks::new(range, 5);
            assert!((3..=12).contains(&found.at.len()), "{lo} {hi}: {found:?}");
            let note = found.note.clone().unwrap_or_default();
            let back = |raised: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|c| c == raised).map(|d| d.to_string());
            let (factor, shift) = match note.split_once(' ') {
                _ if note.is_empty() => ("", ""),
                Some((factor, shift)) if factor.starts_with('×') => (factor, shift),
                _ if note.starts_with('×') => (note.as_str(), ""),
                _ => ("", note.as_str()),
            };
            let power: String =
                factor.trim_start_matches("×10").chars().map(|c| back(c).unwrap_or("-".to_owned())).collect();
            let unit: f64 = format!("1e{}", if power.is_empty() { "0" } else { &power }).parse().unwrap();
            let shift: f64 =
                if shift.is_empty() { 0.0 } else { shift.replace(['+', ' '], "").parse().unwrap() };
            for (at, label) in found.at.iter().zip(&found.labels) {
                let said = label.replace('−', "-").parse::<f64>().unwrap() * unit + shift;
                assert!((said - at).abs() <= 1e-9 * range.width(), "{at}: {label} {note}");
            }
        }
    }

    #[test]
    fn constants_and_extremes_have_a_range() {
        assert_eq!(Range::of([2.0, 2.0]), Some(Range { lo: 1.0, hi: 3.0 }));
        assert_eq!(Range::of([0.0]), Some(Range { lo: -1.0, hi: 1.0 }));
        assert_eq!(Range::of([f64::NAN, f64::INFINITY]), None);
        for values in [[5e-324, 0.0], [-f64::MAX, f64::MAX], [1.0, 1.0 + f64::EPSILON]] {
            let data = Range::of(values).unwrap();
            assert!(data.width() > 0.0 && data.width().is_finite());
            let scale = Scale { data, page: [0.0, 100.0] };
            assert!(values.iter().all(|x| scale.at(*x).is_finite()));
            assert!(Ticks::new(data, 5).at.len() < 60);
        }
    }
}
