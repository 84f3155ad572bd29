//! What is told of a run at its end.

use super::certify::{ProofTotals, StepProof};
use super::simulation::{Fast, Record, Simulation};
use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// All steps were solved.
    End,
    /// All steps were taken, some of them not to the tolerance.
    NotConverged,
    /// It was asked to end.
    Interrupted,
}

impl RunStatus {
    /// The word of the machine-readable output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::NotConverged => "not_converged",
            Self::Interrupted => "interrupted",
        }
    }
}

/// The rows of a run, summed up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    steps: u64,
    contacts: usize,
    most_contacts: usize,
    iterations: usize,
    time_ms: f64,
    penetration: f64,
    residual: f64,
    proofs: Option<ProofTotals>,
    last: Option<Record>,
}

impl Totals {
    /// Of no step yet; `certify`: what is known about the existence of the steps will be told.
    #[must_use]
    pub fn new(certify: bool) -> Self {
        Self { proofs: certify.then(ProofTotals::default), ..Self::default() }
    }

    /// Takes a row.
    pub fn add(&mut self, record: &Record) {
        self.steps += 1;
        self.contacts += record.contacts;
        self.most_contacts = self.most_contacts.max(record.contacts);
        self.iterations += record.iterations;
        self.time_ms += record.time_ms;
        self.penetration = self.penetration.max(record.penetration);
        self.residual = self.residual.max(record.residual);
        self.last = Some(record.clone());
    }

    /// Takes what is known about the existence of a step.
    pub fn prove(&mut self, step: u64, proof: &StepProof) {
        self.proofs.get_or_insert_default().add(step, proof);
    }
}

/// What is told of a run at its end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunSummary {
    /// Name of the scene.
    pub scene: String,
    /// Number of bodies.
    pub bodies: usize,
    /// Length of a step, s.
    pub step: f64,
    /// How it ended.
    pub status: RunStatus,
    /// Steps that were taken, those before a checkpoint included.
    pub steps: u64,
    /// Steps of this run alone.
    pub taken: u64,
    /// Steps that were asked for.
    pub of: u64,
    /// Those that were not solved to the tolerance.
    pub unsolved: u64,
    /// Contacts a step: the mean of this run, the most, and at its end.
    pub contacts: [f64; 3],
    /// Iterations a step.
    pub iterations: f64,
    /// Time a step, ms.
    pub time_ms: f64,
    /// Largest residual.
    pub residual: f64,
    /// The deepest overlap, m.
    pub penetration: f64,
    /// The deepest overlap of the last step, m.
    pub penetration_at_end: f64,
    /// Kinetic and potential energy at the end, J.
    pub energy: [f64; 2],
    /// Why every step has a solution, if that needs no computing.
    pub existence: Option<&'static str>,
    /// The steps of this run by what is known about them, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proofs: Option<ProofTotals>,
    /// The first body that was too fast for the step.
    pub fast: Option<Fast>,
}

impl RunSummary {
    /// Of a run of so many steps with these rows.
    #[must_use]
    pub fn of(simulation: &Simulation, steps: u64, totals: &Totals) -> Self {
        let scene = simulation.scene();
        let status = match (simulation.step() < steps, simulation.unsolved()) {
            (true, _) => RunStatus::Interrupted,
            (false, 0) => RunStatus::End,
            (false, _) => RunStatus::NotConverged,
        };
        let each = totals.steps.max(1) as f64;
        let last = totals.last.as_ref();
        Self {
            scene: scene.name.clone(),
            bodies: simulation.bodies().len(),
            step: scene.course.step,
            status,
            steps: simulation.step(),
            taken: totals.steps,
            of: steps,
            unsolved: simulation.unsolved(),
            contacts: [
                totals.contacts as f64 / each,
                totals.most_contacts as f64,
                last.map_or(0.0, |record| record.contacts as f64),
            ],
            iterations: totals.iterations as f64 / each,
            time_ms: totals.time_ms / each,
            residual: totals.residual,
            penetration: totals.penetration,
            penetration_at_end: last.map_or(0.0, |record| record.penetration),
            energy: simulation.energy(),
            existence: super::reason(scene).map(super::Reason::words),
            proofs: totals.proofs.clone(),
            fast: simulation.fast().cloned(),
        }
    }
}
