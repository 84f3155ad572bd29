//! What a compliant motion leaves behind: events, phases, rows, energy, drift.

use super::Options;
use super::field::{APPLIED, Field, GAP_RATE, SLIP_RATE};
use super::guard::Guard;
use super::places::Places;
use super::run::Ending;
use crate::analysis::ByName;
use crate::model::{Block, Output};
use crate::simulate::Beginning;
use crate::simulate::integrate::Radau;
use crate::simulate::smooth::{ContactMotion, SmoothError};
use crate::simulate::trajectory::{
    Deepest, Drift, Effort, EnergyBalance, Event, EventDetail, EventKind, PhaseSpan, Rows, SampleTimes,
    TRAJECTORY_SCHEMA, Trajectory,
};
use std::borrow::Cow;

/// The blocks that a record, and what it records, read.
pub(super) const NEEDED: [Block; 20] = [
    Block::Model(Output::MassMatrix),
    Block::Model(Output::Inertial),
    Block::Model(Output::Potential),
    Block::Model(Output::Gap),
    GAP_RATE,
    SLIP_RATE,
    APPLIED,
    Block::Model(Output::Constraint),
    Block::Model(Output::ConstraintRate),
    Block::Model(Output::KineticEnergy),
    Block::Model(Output::PotentialEnergy),
    Block::GapVelocity,
    Block::Slip,
    Block::ConstraintVelocity,
    Block::Delassus,
    Block::FreeContactAcceleration,
    Block::FreeAcceleration,
    Block::Response,
    Block::FreeReaction,
    Block::ReactionResponse,
];

pub(super) struct Record<'a> {
    begin: &'a Beginning<'a>,
    events: Vec<Event>,
    phases: Vec<PhaseSpan>,
    /// Largest λ_N of each contact in each phase, and in the current one.
    peaks: Vec<Vec<f64>>,
    peak: Vec<f64>,
    words: Vec<&'static str>,
    rows: Rows,
    row: Vec<f64>,
    point: Vec<f64>,
    times: SampleTimes<'a>,
    sampled: usize,
    /// T + V and what springs hold, at the start.
    initial: [f64; 2],
    /// Works of applied forces, friction and normal forces.
    works: [f64; 3],
    drift: Drift,
    deepest: Deepest,
}

impl<'a> Record<'a> {
    pub(super) fn new(field: &Field<'_>, begin: &'a Beginning<'a>, options: &'a Options<'a>) -> Self {
        let width = begin.columns.len();
        let equal = SampleTimes::Equal { count: options.samples, span: [begin.state.t, options.end] };
        let times = options.times.map_or(equal, SampleTimes::Given);
        let contacts = field.places.m;
        Self {
            begin,
            events: Vec::new(),
            phases: Vec::new(),
            peaks: Vec::new(),
            peak: vec![0.0; contacts],
            words: Vec::with_capacity(contacts),
            rows: Rows::with_capacity(width, times.len() + 1),
            row: vec![0.0; width],
            point: vec![0.0; field.places.len()],
            times,
            sampled: 0,
            initial: [0.0; 2],
            works: [0.0; 3],
            drift: Drift::default(),
            deepest: Deepest::default(),
        }
    }

    /// Number of events so far.
    pub(super) fn events(&self) -> usize {
        self.events.len()
    }

    pub(super) fn begin(&mut self, field: &mut Field<'_>, z: &[f64]) -> Result<(), SmoothError> {
        field.evaluate(0.0, z)?;
        self.initial = [energy(field), stored(field, z)];
        Ok(())
    }

    /// Forces and misses at an evaluated point.
    pub(super) fn look(&mut self, field: &Field<'_>, z: &[f64]) {
        let (places, of) = (field.places, |block: Block| field.kernel.block(&field.now.values, block));
        for contact in 0..places.m {
            let force = field.now.forces[places.rows(contact).start];
            self.peak[contact] = self.peak[contact].max(force.abs());
            if field.regime.motions[contact] != ContactMotion::Free {
                let gap = of(Block::Model(Output::Gap))[contact] - z[places.y(contact)];
                self.drift.include(gap, of(Block::GapVelocity)[contact] - z[places.ydot(contact)]);
                let slips = &of(Block::Slip)[contact * places.d..];
                let misses = z[places.slip(contact)].iter().zip(slips).map(|(u, slip)| slip - u);
                misses.for_each(|miss| self.drift.include(0.0, miss));
            }
        }
        of(Block::Model(Output::Constraint)).iter().for_each(|miss| self.drift.include(*miss, 0.0));
        of(Block::ConstraintVelocity).iter().for_each(|miss| self.drift.include(0.0, *miss));
    }

    /// Takes the gaps at a point of a step that is taken into account.
    pub(super) fn reach(&mut self, places: Places, z: &[f64], t: f64) {
        for contact in 0..places.m {
            self.deepest.include(self.begin, contact, (z[places.y(contact)], t));
        }
    }

    /// Works over a step from their mean powers.
    pub(super) fn add(&mut self, h: f64, powers: [f64; 3]) {
        self.works.iter_mut().zip(powers).for_each(|(work, power)| *work += h * power);
    }

    /// A new phase.
    pub(super) fn phase(&mut self, field: &Field<'_>, t: f64) {
        self.close(t);
        self.words.clear();
        let word = |motion: &ContactMotion| motion.mode().name(field.places.d).name();
        self.words.extend(field.regime.motions.iter().map(word));
        let names = self.begin.names.contacts.iter().map(String::as_str);
        let mode = ByName::new(names, self.words.iter().map(|word| Cow::Borrowed(*word)));
        self.phases.push(PhaseSpan { t0: t.into(), t1: t.into(), mode, forces: None });
        self.peaks.push(Vec::new());
        self.peak.fill(0.0);
    }

    /// Ends the last phase; one without duration never was.
    fn close(&mut self, t: f64) {
        let Some(last) = self.phases.last_mut() else { return };
        if last.t0.0 < t {
            last.t1 = t.into();
            if let Some(peaks) = self.peaks.last_mut() {
                peaks.clone_from(&self.peak);
            }
        } else {
            self.phases.pop();
            self.peaks.pop();
        }
    }

    pub(super) fn event(
        &mut self,
        field: &Field<'_>,
        t: f64,
        kind: EventKind,
        contact: Option<usize>,
        z: &[f64],
    ) {
        let n = field.places.n;
        let at = (t, &z[..n], &z[n..2 * n]);
        self.events.push(Event::at(self.begin.names, at, (kind, contact), EventDetail::None {}));
    }

    /// The events that a change of motions is.
    pub(super) fn changes(
        &mut self,
        field: &Field<'_>,
        t: f64,
        (fired, before): (&[Guard], &[ContactMotion]),
        z: &[f64],
    ) {
        for (contact, (&before, &after)) in before.iter().zip(&field.regime.motions).enumerate() {
            // a slip in space turns without an event, one in the plane only where it ends, be it with that of another foot
            let ended = field.places.d == 1 || fired.contains(&Guard::Rest(contact));
            let kind = EventKind::of_change(before.mode(), after.mode());
            if let Some(kind) = kind.filter(|kind| *kind != EventKind::Reversal || ended) {
                self.event(field, t, kind, Some(contact), z);
            }
        }
    }

    /// The rows at the sample times within the computed step.
    pub(super) fn sample(&mut self, field: &mut Field<'_>, radau: &Radau) -> Result<(), SmoothError> {
        let (from, h) = (field.origin + radau.time(), radau.length());
        loop {
            let Some(at) = self.times.get(self.sampled).filter(|&at| at <= from + h) else {
                return Ok(());
            };
            let theta = ((at - from) / h).clamp(0.0, 1.0);
            let mut point = std::mem::take(&mut self.point);
            radau.dense(theta, &mut point);
            let evaluated = field.evaluate(radau.time() + theta * h, &point);
            if evaluated.is_ok() {
                field.choose_forces();
                self.row(field, at, &point);
                self.rows.push(&self.row);
            }
            self.point = point;
            evaluated?;
            self.sampled += 1;
        }
    }

    /// A row of the columns at an evaluated point.
    pub(super) fn row(&mut self, field: &Field<'_>, t: f64, z: &[f64]) -> &[f64] {
        let places = field.places;
        self.row.clear();
        self.row.push(t);
        self.row.extend_from_slice(&z[..2 * places.n]);
        for contact in 0..places.m {
            let force = &field.now.forces[places.rows(contact)];
            self.row.push(z[places.y(contact)]);
            self.row.extend_from_slice(&z[places.slip(contact)]);
            self.row.extend_from_slice(force);
        }
        let width = self.begin.columns.len();
        let held = self.row.len();
        self.row.resize(width, 0.0);
        field.kernel.reactions_under(&field.now.values, &field.now.forces, &mut self.row[held..]);
        &self.row
    }

    pub(super) fn finish(
        mut self,
        field: &mut Field<'_>,
        t: f64,
        z: &[f64],
        (status, reason): Ending,
        steps: usize,
    ) -> (Trajectory, Vec<Vec<f64>>) {
        let now = field.origin + t;
        self.close(now);
        let mut last = f64::NAN;
        if field.evaluate(t, z).is_ok() {
            let springs = stored(field, z);
            last = energy(field) + springs;
            // what springs hold at the end is theirs no longer lost
            self.works[2] += springs - self.initial[1];
            let reached = self.rows.last().map(|row| row[0].0);
            if self.times.has_end(self.sampled) && reached.is_none_or(|reached| reached < now) {
                field.choose_forces();
                self.row(field, now, z);
                self.rows.push(&self.row);
            }
        }
        let [work, friction, impacts] = self.works;
        let initial = self.initial[0] + self.initial[1];
        let trajectory = Trajectory {
            schema: Cow::Borrowed(TRAJECTORY_SCHEMA),
            mechanism: self.begin.mechanism.to_string(),
            state: self.begin.name.to_string(),
            scheme: "compliant".to_string(),
            status,
            reason,
            events: self.events,
            phases: self.phases,
            columns: self.begin.columns.clone(),
            rows: self.rows,
            energy: EnergyBalance::new([initial, last], work, friction, impacts),
            drift: self.drift,
            penetration: self.deepest.named(self.begin.names),
            hyperstatic: None,
            work: Effort { steps, evaluations: field.evaluations, ..Effort::default() },
            warnings: Vec::new(),
        };
        (trajectory, self.peaks)
    }
}

fn energy(field: &Field<'_>) -> f64 {
    let of = |output: Output| field.kernel.block(&field.now.values, output)[0];
    of(Output::KineticEnergy) + of(Output::PotentialEnergy)
}

/// ½ k y²/ε² + ½ k_T x²/ε² of the pressed contacts.
fn stored(field: &Field<'_>, z: &[f64]) -> f64 {
    let (places, regime) = (field.places, &field.regime);
    let half = |stiffness: f64, x: f64| 0.5 * stiffness * (x / regime.eps) * (x / regime.eps);
    let spring = |(contact, motion): (usize, &ContactMotion)| match motion {
        ContactMotion::Free => 0.0,
        ContactMotion::Sticks | ContactMotion::Slips { .. } | ContactMotion::Turns { .. } => {
            let normal = half(regime.laws[contact].compliance.stiffness, z[places.y(contact)]);
            let along = z[places.stretch(contact)].iter();
            normal + regime.spring(contact).map_or(0.0, |k_T| along.map(|&x| half(k_T, x)).sum())
        }
    };
    field.regime.motions.iter().enumerate().map(spring).sum()
}
