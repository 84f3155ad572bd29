//! The plane of free accelerations (a, b) of one contact, Fig. 9 of \[CV16\]: which motions are consistent depends on the direction of (a, b)
//! alone, so that the plane is cut into sectors by b = 0 and, at rest, by the friction cone's edges σ₊ = 0 and σ₋ = 0.

use crate::contact::{Column, Friction, Mode, Planar};
use crate::num::Tol;
use crate::predict::{Consistency, Outcome, Signs, Verdict};
use std::f64::consts::{PI, TAU};

/// Directions of (a, b) with the same answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Sector {
    /// In [0, 2π).
    pub from: f64,
    /// Larger than `from`, by at most 2π.
    pub to: f64,
    /// The consistent modes.
    pub modes: Vec<Mode>,
    /// How many there are.
    pub verdict: Verdict,
    /// What can follow.
    pub resolved: Vec<Outcome>,
}

impl Sector {
    /// Whether a direction lies inside.
    pub fn contains(&self, angle: f64) -> bool {
        (angle - self.from).rem_euclid(TAU) < self.to - self.from
    }
}

/// The sectors for a direction of slip, counter-clockwise; neighbours with the same modes are one.
pub fn sectors(planar: &Planar, friction: Friction, column: Column, tol: &Tol) -> Vec<Sector> {
    let mut bounds = vec![0.0, PI];
    if column == Column::II {
        bounds.extend(cone_lines(planar, friction).into_iter().flat_map(|line| [line, line + PI]));
    }
    let bounds = sorted(bounds, tol);
    let next = |i: usize| bounds.get(i + 1).copied().unwrap_or(bounds[0] + TAU);
    let sector = |i: usize| {
        let (from, to) = (bounds[i], next(i));
        let (b, a) = (0.5 * (from + to)).sin_cos();
        let here = Planar::new(planar.A, planar.B, planar.C, a, b);
        let signs = Signs::of(&here, friction, tol);
        let modes: Vec<Mode> = signs.modes(column, Consistency::Yes).iter().collect();
        Sector { from, to, modes, verdict: signs.verdict(column), resolved: signs.resolved(column).collect() }
    };
    joined((0..bounds.len()).map(sector).collect())
}

/// The cone in which the contact sticks at rest, as its two edges counter-clockwise; none without friction.
pub fn stick_cone(planar: &Planar, friction: Friction, tol: &Tol) -> Option<[f64; 2]> {
    let sticks = |sector: &Sector| sector.modes.contains(&Mode::Stick);
    let all = sectors(planar, friction, Column::II, tol);
    let count = all.len();
    let first = (0..count).find(|&i| sticks(&all[i]) && !sticks(&all[(i + count - 1) % count]))?;
    let run = (0..count).take_while(|k| sticks(&all[(first + k) % count])).count();
    let width: f64 = (0..run).map(|k| &all[(first + k) % count]).map(|s| s.to - s.from).sum();
    Some([all[first].from, all[first].from + width])
}

/// Directions in [0, π) of the lines σ₊ = p₊ a + k₊ b = 0 and σ₋ = p₋ a − k₋ b = 0.
fn cone_lines(planar: &Planar, friction: Friction) -> [f64; 2] {
    let gains = planar.gains(friction);
    let [p, k] = [gains.p, gains.k].map(|pair| pair.map(|x| x.value));
    [(-p[0]).atan2(k[0]), p[1].atan2(k[1])].map(|angle| angle.rem_euclid(PI))
}

/// In order from 0 on, none twice.
fn sorted(bounds: Vec<f64>, tol: &Tol) -> Vec<f64> {
    let mut bounds: Vec<f64> = bounds.into_iter().map(|x| x.rem_euclid(TAU)).collect();
    bounds.sort_by(f64::total_cmp);
    bounds.dedup_by(|next, kept| *next - *kept <= tol.marginal);
    if bounds.last().is_some_and(|last| TAU - last <= tol.marginal) {
        bounds.pop();
    }
    bounds
}

fn joined(sectors: Vec<Sector>) -> Vec<Sector> {
    let same = |a: &Sector, b: &Sector| a.modes == b.modes && a.resolved == b.resolved;
    let mut kept: Vec<Sector> = Vec::new();
    for sector in sectors {
        match kept.last_mut() {
            Some(last) if same(last, &sector) => last.to = sector.to,
            _ => kept.push(sector),
        }
    }
    // the first may go on where the last one ends
    if let [first, .., last] = &mut kept[..]
        && same(first, last)
    {
        first.from = last.from;
        first.to += TAU;
        kept.pop();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{Sector, sectors, stick_cone};
    use crate::contact::{Column, Friction, Mode, Planar};
    use crate::num::Tol;
    use crate::predict::{Mode as Does, OneContact, Verdict};
    use std::f64::consts::TAU;

    /// Numbers in (0, 1) that look random.
    fn random() -> impl FnMut() -> f64 {
        let mut x = 0x2545_f491_4f6c_dd1d_u64;
        move || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    /// The sectors say at every point what the analysis of a mechanism's contact says there.
    #[test]
    fn a_sector_has_the_verdict_of_its_points() {
        let (tol, mut next) = (Tol::default(), random());
        let mut seen = [0_usize; 3];
        for _ in 0..4000 {
            let (A, C, share) = (0.2 + next(), 0.2 + next(), 1.98 * next() - 0.99);
            let B = share * (A * C).sqrt();
            let friction = Friction::new(3.0 * next()).unwrap();
            let (a, b) = (2.0 * next() - 1.0, 2.0 * next() - 1.0);
            let planar = Planar::new(A, B, C, a, b);
            for column in Column::ALL {
                let found = OneContact::new(&planar, friction, column, &tol);
                if found.verdict() == Verdict::Marginal {
                    continue;
                }
                let all = sectors(&planar, friction, column, &tol);
                let total: f64 = all.iter().map(|s| s.to - s.from).sum();
                assert!((total - TAU).abs() < 1e-12);
                let here: Vec<&Sector> = all.iter().filter(|s| s.contains(b.atan2(a))).collect();
                let [here] = here[..] else { panic!("{all:?}") };
                assert_eq!(here.verdict, found.verdict(), "{planar:?} {friction:?} {column:?}");
                let all = found.modes();
                let consistent =
                    all.iter().filter(|judged| judged.is_consistent()).map(|judged| judged.modes[0]);
                assert!(consistent.eq(here.modes.iter().map(|mode| Does::from(*mode))));
                assert!(found.resolved().eq(here.resolved.iter().copied()));
                seen[[Verdict::Consistent, Verdict::Inconsistent, Verdict::Indeterminate]
                    .iter()
                    .position(|v| *v == here.verdict)
                    .unwrap()] += 1;
            }
        }
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
    }

    /// A block: p = C, k = μA, and the cone opens downwards by the angle arctan μ to each side.
    #[test]
    fn the_cone_of_a_block_is_that_of_its_friction() {
        let planar = Planar::new(1.0, 0.0, 1.0, 0.3, -1.0);
        let tol = Tol::default();
        let [from, to] = stick_cone(&planar, Friction::new(0.7).unwrap(), &tol).unwrap();
        let down = 0.75 * TAU;
        assert!(
            (from - (down - 0.7_f64.atan())).abs() < 1e-12 && (to - (down + 0.7_f64.atan())).abs() < 1e-12
        );
        assert_eq!(stick_cone(&planar, Friction::new(0.0).unwrap(), &tol), None);
    }

    /// p₊ < 0: the cone reaches into b > 0, where lift-off, slip and stick are consistent   [CV16 Fig. 9, bottom right].
    #[test]
    fn a_paradox_opens_the_cone_into_lift_off() {
        let planar = Planar::new(2.5, 1.5, 2.5, 0.0, -1.0);
        let all = sectors(&planar, Friction::new(2.0).unwrap(), Column::II, &Tol::default());
        let triple = all.iter().find(|s| s.modes.len() == 3).unwrap();
        assert_eq!(triple.modes, [Mode::Free, Mode::SlipPos, Mode::Stick]);
        // σ₊ = −a/2 + 7b/2 < 0
        assert!(triple.from.abs() < 1e-12 && (triple.to - (1.0_f64 / 7.0).atan()).abs() < 1e-12);
    }
}
