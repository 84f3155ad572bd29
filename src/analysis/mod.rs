//! One question about a state per file; outcomes in the shape of the machine-readable output.
#![allow(non_snake_case)]

mod bilateral;
mod chatter;
mod consistency;
mod contact_rest;
mod equilibrium;
mod impact;
mod jam;
mod least_friction;
mod line;
mod local;
mod modes;
mod next_step;
mod noslip;
mod number;
mod one_contact;
mod outcome;
mod planar;
mod reason;
mod representative;
mod search;
mod situation;
mod size;
mod stability;
mod state;
mod tables;

pub use bilateral::{Bilateral, BilateralMode, bilateral};
pub use chatter::{Chatter, ChatterKind, Sequence, Trigger, chatter, sequence, trigger};
pub use consistency::{Consistency, Outcome, Signs, Verdict};
pub use contact_rest::{RestSizes, contact_equilibrium};
pub use equilibrium::{Condition, Equilibrium, Rest, equilibrium};
pub use impact::{
    Impact, Impulse, Phase, PhaseKind, Velocity, impact, impact_without_collision, kinetic_energy,
};
pub use jam::{Drift, Fate, Jam, JamClass, JamCoefficients, JamKind, Order, Point, jam};
pub use least_friction::LeastFriction;
pub use local::{ContactSizes, ContactView, Local, PlanarModel, Scales};
pub use modes::{Acceleration, Force, ModeReport, Modes, modes};
pub use next_step::{NextStep, StepContact, StepFamily, StepNames, StepSolution, next_step};
pub use noslip::{ConeExit, Release, Separation, Span, StickError, StickMotion, StickState, stick_motion};
pub use number::{Named, Number, Quantity, numbers};
pub use one_contact::{
    AccelerationOutcome, CellOutcome, ForceOutcome, ImpactOutcome, ImpulseOutcome, ModeOutcome, Prospect,
    StickOutcome, VelocityOutcome,
};
pub use outcome::{
    ANALYSIS_SCHEMA, Analysis, ContactOutcome, CriticalFriction, JamFriction, LocalOutcome, ModelOutcome,
    SlipOutcome, StateAnswer, StateFailure, StateOutcome,
};
pub use planar::{Hold, Laws, PlanarAnalysis, PlanarError, planar_analysis};
pub use reason::{Boundary, Reason};
pub use search::{
    ContactFamily, Critical, CriticalOutcome, GlobalLeast, JamPoint, Mobility, Question, SlipDirection,
    SlipFamily, critical_friction, global_least_friction, jam_friction,
};
pub use situation::{Kinematics, Situation};
pub use size::Sizes;
pub use stability::{
    Complex, Compliance, NormalStability, Portrait, Stability, eigenvalues, normal_stability,
};
pub use state::{Names, StateInput, state_outcome};
pub use tables::{Alternative, Table, alternatives, consistency_table, mode_table, resolution_table};
