//! Where a slip ends: the last of it passes at once, unless other slips die with it.

use super::mechanics::Mechanics;
use super::modes::acceleration;
use super::run::Run;
use crate::predict::Mode;

/// Share of the slip that ends by which slips may differ from what their rates say of them.
const BENT: f64 = 0.125;

impl Run<'_> {
    /// What is left of a slip in space passes: |u| falls by −û·u̇, the state by the rates in the middle of that time, and so does the energy. The
    /// contacts whose slips have ended then: others die with it, and what is left of theirs is what rates do not say. None, and nothing passes, if
    /// slips are not then what the rates at its begin say, or if a gap has closed: it has to become slower still; nothing passes either where one that
    /// turns away is slow enough to be at rest, with all that die with it.
    pub(super) fn come_to_rest(&mut self, contact: usize) -> Option<Vec<usize>> {
        let (n, mechanics) = (self.phases.n(), &self.phases.mechanics);
        let speed = mechanics.slip_speed(contact);
        let left = speed / -mechanics.slip_speed_rate(contact);
        if !(left > 0.0 && left.is_finite()) {
            return Some(vec![contact]);
        }
        let slipping = |c: &usize| matches!(self.phases.doing[*c], Mode::Slip { .. });
        let slipping = (0..self.phases.doing.len()).filter(slipping);
        let expected: Vec<_> = slipping.map(|c| (c, slip_after(c, left, mechanics))).collect();
        let dies = |c: &usize| *c != contact && mechanics.dies_within(*c, left);
        let with_it: Vec<usize> = expected.iter().map(|(c, _)| *c).filter(dies).collect();
        let open = |c: &usize| self.phases.doing[*c] == Mode::Free && mechanics.gap(*c) > 0.0;
        let open: Vec<usize> = (0..self.phases.doing.len()).filter(open).collect();
        let phases = &mut self.phases;
        let (t, works, begin) = (phases.t, phases.works, phases.y.clone());
        for part in [0.5, 1.0] {
            let (v, vdot) = (phases.v().to_vec(), phases.mechanics.work.acceleration().to_vec());
            if part > 0.5 {
                let [work, friction] = phases.mechanics.powers(&v, 1.0);
                phases.works[0] += left * work;
                phases.works[1] += left * friction;
            }
            for i in 0..n {
                phases.y[i] = begin[i] + part * left * v[i];
                phases.y[n + i] = begin[n + i] + part * left * vdot[i];
            }
            phases.t = (t + part * left).min(phases.time_end());
            // a state that cannot be evaluated is met by what follows
            if phases.solve().is_err() {
                return Some(vec![contact]);
            }
        }
        let mechanics = &self.phases.mechanics;
        let off = |(c, slip): &(usize, Vec<f64>)| {
            mechanics.slip(*c).iter().zip(slip).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let bent = expected.iter().any(|slip| off(slip) > BENT * speed);
        let slowest = speed <= 2.0 * mechanics.turning_speed(contact);
        let closed = open.iter().any(|&c| mechanics.gap(c) < 0.0);
        if slowest || !closed && !bent {
            let ended = |c: &usize| mechanics.slip_speed(*c) <= BENT * speed;
            self.record.prolong([t, self.phases.t]);
            return Some(with_it.into_iter().filter(ended).chain([contact]).collect());
        }
        let phases = &mut self.phases;
        (phases.t, phases.works, phases.y) = (t, works, begin);
        let unknown = self.phases.solve().is_err();
        let mechanics = &self.phases.mechanics;
        let at_rest = |c: usize| mechanics.slip_speed(c) <= 2.0 * mechanics.slow[c];
        let undisturbed = !closed && with_it.iter().all(|&c| at_rest(c));
        self.dying[contact] |= !undisturbed;
        // what turns away as it ends is at rest where it counts as that, with all that die with it
        if undisturbed && at_rest(contact) {
            return Some(with_it.into_iter().chain([contact]).collect());
        }
        // a state that cannot be evaluated is met by what follows
        unknown.then(|| vec![contact])
    }

    /// The slips of contacts are zero to the last digit.
    pub(super) fn end_slips(&mut self, contacts: &[usize]) {
        let (n, phases) = (self.phases.n(), &mut self.phases);
        let mut doing = phases.doing.clone();
        for &contact in contacts.iter().filter(|c| !self.begin.laws[**c].friction.is_zero()) {
            doing[contact] = Mode::STICK;
        }
        if doing == phases.doing {
            return;
        }
        phases.keeper.keep(&doing, &phases.mechanics);
        phases.keeper.stop(&mut phases.y[n..2 * n], &phases.mechanics);
    }
}

/// The slip of a contact after a short time, by its rates.
fn slip_after(contact: usize, time: f64, mechanics: &Mechanics<'_>) -> Vec<f64> {
    let (row, slip) = (mechanics.row(contact), mechanics.slip(contact));
    let after = |(k, u): (usize, &f64)| u + time * acceleration(row + 1 + k, mechanics);
    slip.iter().enumerate().map(after).collect()
}
