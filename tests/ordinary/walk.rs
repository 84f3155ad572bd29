//! A whole motion, followed again from event to event.

use super::equations::{Doing, Equations, least};
use super::impacts::{Together, detail};
use super::retrace::{Fault, Retrace, SEEN, Span, fault};
use super::scales::Scales;
use mechan::model::State;
use mechan::simulate::trajectory::{Event, EventKind, Status, Trajectory};
use nalgebra::{DMatrix, DVector};

/// How far a retraced state may be from the motion's own, relative to sizes: its integration is good to 1e-9 in a span.
const MISSED: f64 = 1e-6;
/// Gap rates of contacts that stay closed, relative to the motion's speeds: a hop of 1e-9 of the size.
const HOP: f64 = 1e-4;
/// Heights that cannot be seen, relative to the size, and to where the mechanism is: there it is the rounding of what gaps are made of.
const RISEN: f64 = 1e-9;
const AWAY: f64 = 1e-11;
/// Error of a retraced span, relative to sizes: what it makes of the end is how far that may be off, with a reserve.
const BLUR: f64 = 1e-9;
const RESERVE: f64 = 10.0;
const SENSITIVE: f64 = 1e-4;

pub(crate) struct Walk<'w> {
    trajectory: &'w Trajectory,
    pub(crate) equations: &'w mut Equations,
    scales: &'w Scales,
    pub(crate) faults: Vec<Fault>,
    /// How far the retraced state may be off where that is more than usual, and the rates, relative to speeds, that were taken from it
    /// at the begin of its span.
    blur: Vec<f64>,
    taken: f64,
}

impl<'w> Walk<'w> {
    /// A motion, whose faults are added to those that are known.
    pub(crate) fn new(
        trajectory: &'w Trajectory,
        (equations, scales): (&'w mut Equations, &'w Scales),
        faults: Vec<Fault>,
    ) -> Self {
        Self { trajectory, equations, scales, faults, blur: Vec::new(), taken: 0.0 }
    }

    /// Follows the motion; the state in which it ends.
    pub(crate) fn go(&mut self, start: &State) -> (f64, Vec<f64>) {
        let mut y: Vec<f64> = start.q.iter().chain(&start.v).copied().collect();
        let mut t = start.t;
        for range in self.instants() {
            let at = self.trajectory.events[range.start].t.0;
            if at > t
                && let Some(doing) = self.doing(0.5 * (t + at))
            {
                let span = Span { t: [t, at], doing: &doing };
                y = self.held(&span, y);
                if self.is_onset(&span, &y) {
                    (t, y) = (at, self.instant(range, None));
                    continue;
                }
                y = self.retraced(&span, &y, &self.trajectory.events[range.start]);
            }
            (t, y) = (at, self.instant(range, Some(y)));
        }
        (t, y)
    }

    /// Judges the events alone: momentum and energy before and after each impact, and its law.
    pub(crate) fn only_events(&mut self) {
        for range in self.instants() {
            self.instant(range, None);
        }
    }

    /// The events of each instant.
    fn instants(&self) -> Vec<std::ops::Range<usize>> {
        let mut from = 0;
        let at_once = |e: &[Event]| {
            from += e.len();
            from - e.len()..from
        };
        self.trajectory.events.chunk_by(|a, b| a.t.0.to_bits() == b.t.0.to_bits()).map(at_once).collect()
    }

    /// The end of a span, and how far it may be off where it is not what the motion has.
    fn retraced(&mut self, span: &Span<'_>, y: &[f64], event: &Event) -> Vec<f64> {
        let scales = self.scales;
        let mut follow = |y: &[f64], faults: &mut Vec<Fault>| {
            Retrace { equations: &mut *self.equations, scales, faults }.follow(span, y)
        };
        let mut found = Vec::new();
        let end = follow(y, &mut found);
        let near =
            |(i, q): (usize, &(String, mechan::Number))| (q.1.0 - end[i]).abs() <= MISSED * scales.sizes[i];
        // what is taken at once here has gone in hops there, with the friction of each
        let passed = (span.t[1] - span.t[0]) * scales.speed / scales.length;
        let n = end.len() / 2;
        self.blur = (0..end.len()).map(|i| self.taken * if i < n { passed } else { 1.0 }).collect();
        if !event.q.0.iter().enumerate().all(near) {
            // what is sensitive comes apart by as much as its start is moved
            let moved: Vec<f64> = y
                .iter()
                .zip(&scales.sizes)
                .enumerate()
                .map(|(i, (y, size))| y + if i % 2 == 0 { BLUR } else { -BLUR } * size)
                .collect();
            let other = follow(&moved, &mut Vec::new());
            let apart = |i: usize| RESERVE * (other[i] - end[i]).abs() / scales.sizes[i];
            self.blur.iter_mut().enumerate().for_each(|(i, blur)| *blur = blur.max(apart(i)));
            // two motions from one state say nothing of each other once they are apart
            if (0..end.len()).any(|i| apart(i) > SENSITIVE) {
                found.clear();
            }
        }
        self.faults.extend(found);
        end
    }

    /// Whether slip in space begins, in a direction that velocities do not tell.
    fn is_onset(&mut self, span: &Span<'_>, y: &[f64]) -> bool {
        self.equations.at(span.t[0], y);
        let slow = |c: usize| self.equations.slip(c).iter().all(|u| u.abs() <= HOP * self.scales.speed);
        span.doing.iter().enumerate().any(|(c, doing)| *doing == Doing::Slides && slow(c))
    }

    /// What the contacts do at a time.
    fn doing(&self, t: f64) -> Option<Vec<Doing>> {
        let span = self.trajectory.phases.iter().find(|span| span.t0.0 <= t && t <= span.t1.0)?;
        Some(span.mode.0.iter().map(|(_, word)| Doing::of(word)).collect())
    }

    /// The state without the rates of contacts that are closed from here on, where these are too little for a hop to be seen, or are
    /// what is left of infinitely many impacts.
    fn held(&mut self, span: &Span<'_>, mut y: Vec<f64>) -> Vec<f64> {
        let n = self.equations.n();
        self.equations.at(span.t[0], &y);
        let mut rows: Vec<(Vec<f64>, f64)> = Vec::new();
        for (c, doing) in span.doing.iter().enumerate().filter(|(_, doing)| **doing != Doing::Free) {
            rows.push((self.equations.normal(c).to_vec(), self.equations.rate(c)));
            let tangents = if *doing == Doing::Stick { self.equations.layout.tangents } else { 0 };
            rows.extend(
                (0..tangents).map(|k| (self.equations.tangent(c, k).to_vec(), self.equations.slip(c)[k])),
            );
        }
        for k in 0..self.equations.layout.constraints * usize::from(!rows.is_empty()) {
            let J = self.equations.block(mechan::Output::ConstraintJacobian);
            rows.push((J[k * n..(k + 1) * n].to_vec(), 0.0));
        }
        let most = rows.iter().fold(0.0, |m: f64, row| m.max(row.1.abs())) / self.scales.speed;
        self.taken = most;
        if most == 0.0 {
            return y;
        }
        if most > HOP {
            let text = format!("{most:.1e} of the speed at t = {}", span.t[0]);
            self.faults.push(fault("a closed contact has a rate", text));
        }
        let R = DMatrix::from_fn(rows.len(), n, |i, j| rows[i].0[j]);
        let wrong = DVector::from_fn(rows.len(), |i, _| rows[i].1);
        let M = self.equations.mass_matrix().cholesky().expect("a mass matrix");
        let caused = M.solve(&R.transpose());
        let (pull, ..) = least(&R * &caused, &wrong, 0.0);
        let change = caused * pull;
        (0..n).for_each(|i| y[n + i] -= change[i]);
        y
    }

    /// Judges the events of an instant; the state after them.
    fn instant(&mut self, range: std::ops::Range<usize>, retraced: Option<Vec<f64>>) -> Vec<f64> {
        let n = self.equations.n();
        let events = &self.trajectory.events[range.clone()];
        let numbers = |event: &Event| -> (Vec<f64>, Vec<f64>) {
            (event.q.0.iter().map(|x| x.1.0).collect(), event.v.0.iter().map(|x| x.1.0).collect())
        };
        let t = events[0].t.0;
        let (q, first) = numbers(&events[0]);
        if let Some(retraced) = &retraced {
            self.compare(t, 0, &retraced[..n], &q, &events[0]);
        }
        // where they are not known those before an impact are what its impulses say
        let mut v = retraced.map(|retraced| retraced[n..].to_vec());
        let mut state: Vec<f64> = q.iter().chain(v.as_ref().unwrap_or(&first)).copied().collect();
        self.equations.at(t, &state);
        let mut i = 0;
        while i < events.len() {
            let after = numbers(&events[i]).1;
            let is_impact = |e: &Event| matches!(e.kind, EventKind::Impact | EventKind::Iwc);
            if !is_impact(&events[i]) {
                if let Some(v) = &v {
                    self.compare(t, n, v, &after, &events[i]);
                }
                (v, i) = (Some(after), i + 1);
                continue;
            }
            let same = |e: &&Event| {
                is_impact(e)
                    && e.kind == events[i].kind
                    && numbers(e).1 == after
                    && detail(e).law == detail(&events[i]).law
            };
            let count = events[i..].iter().take_while(same).count();
            let hops: Vec<bool> = (i..i + count).map(|k| self.ends_a_hop(range.start + k)).collect();
            let last = self.is_last(range.start + i);
            let together = Together { events: &events[i..i + count], last, hops: &hops };
            let (before, faults) = together.judge(self.equations, self.scales, &after);
            self.faults.extend(faults);
            if let Some(v) = &v {
                self.compare(t, n, v, &before, &events[i]);
            }
            (v, i) = (Some(after), i + count);
        }
        state[n..].copy_from_slice(v.as_ref().unwrap_or(&first));
        self.equations.at(t, &state);
        self.approaches(t, &events[events.len() - 1]);
        state
    }

    /// Whether the series of a contact's impacts ends with this one, so that what is left of it is taken as plastic.
    fn is_last(&self, i: usize) -> bool {
        let events = &self.trajectory.events;
        let of_it = |e: &&Event| e.contact == events[i].contact;
        let next = events[i + 1..]
            .iter()
            .filter(of_it)
            .find(|e| matches!(e.kind, EventKind::Impact | EventKind::ChatterEnd));
        let rebounds = detail(&events[i]).post.v.0 > 1e-9 * self.scales.speed;
        !rebounds || next.is_some_and(|e| e.kind == EventKind::ChatterEnd)
    }

    /// Whether a contact has not risen since it was struck last, but for less than can be seen.
    fn ends_a_hop(&self, i: usize) -> bool {
        let events = &self.trajectory.events;
        let before =
            events[..i].iter().rev().find(|e| e.contact == events[i].contact && e.t.0 < events[i].t.0);
        let approach = -detail(&events[i]).pre.v.0;
        let away = events[i].q.0.iter().fold(0.0, |away: f64, q| away.max(q.1.0.abs()));
        let unseen = (RISEN * self.scales.length).max(AWAY * away);
        before.is_some_and(|e| approach * (events[i].t.0 - e.t.0) <= unseen)
    }

    fn compare(&mut self, t: f64, from: usize, retraced: &[f64], found: &[f64], event: &Event) {
        for (i, (a, b)) in retraced.iter().zip(found).enumerate() {
            let miss = (a - b).abs() / self.scales.sizes[from + i];
            let blur = self.blur.get(from + i).copied().unwrap_or_default();
            if miss.is_nan() || miss > blur.max(if from == 0 { MISSED } else { HOP }) {
                let what = if from == 0 { "" } else { "the rate of " };
                let text = format!(
                    "{what}{} at {} {:?}, t = {t}: {b:.9e}, retraced {a:.9e}",
                    self.equations.names[i],
                    event.kind.name(),
                    event.contact
                );
                self.faults.push(fault("not as retraced", text));
                return;
            }
        }
    }

    /// No contact that is closed approaches after all that happens at an instant.
    fn approaches(&mut self, t: f64, event: &Event) {
        if matches!(
            event.kind,
            EventKind::End | EventKind::Inconsistent | EventKind::Indeterminate | EventKind::Stop
        ) || (self.trajectory.status != Status::End
            && self.trajectory.rows.last().is_some_and(|row| row[0].0 <= t))
        {
            return;
        }
        let y: Vec<f64> = event.q.0.iter().chain(&event.v.0).map(|x| x.1.0).collect();
        for c in 0..self.equations.contacts.len() {
            let (gap, rate) = (self.equations.gap(c), self.equations.rate(c));
            let closed = gap.abs() <= 1e-14 * self.scales.length && self.equations.is_active(c, t, &y);
            if closed && rate < -SEEN * self.scales.speed {
                let text = format!(
                    "{} at {:.1e} of the speed at t = {t}",
                    self.equations.contacts[c],
                    rate / self.scales.speed
                );
                self.faults.push(fault("approaches after an event", text));
            }
        }
    }
}
