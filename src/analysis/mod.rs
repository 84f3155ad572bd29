//! One question about a state per file; outcomes in the shape of the machine-readable output.
#![allow(non_snake_case)]

mod bilateral;
mod chatter;
mod consistency;
mod contact_family;
mod contact_rest;
mod critical;
mod equilibrium;
mod impact;
mod jam;
mod jam_friction;
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
mod situation;
mod stability;
mod state;
mod tables;

pub use bilateral::{Bilateral, BilateralMode, bilateral};
pub use chatter::{Chatter, ChatterKind, Sequence, Trigger, chatter, sequence, trigger};
pub use consistency::{Consistency, Outcome, Signs, Verdict};
pub use contact_family::ContactFamily;
pub use contact_rest::contact_equilibrium;
pub use critical::{DomainView, GlobalLeast, Mobility, global_least_friction};
pub use equilibrium::{Condition, Equilibrium, Rest, equilibrium};
pub use impact::{
    Impact, Impulse, Phase, PhaseKind, Velocity, impact, impact_without_collision, kinetic_energy,
};
pub use jam::{Drift, Fate, Jam, JamClass, JamCoefficients, JamKind, Order, Point, jam};
pub use jam_friction::{JamPoint, SlipFamily, jam_friction};
pub use least_friction::LeastFriction;
pub use local::{ContactView, Local, PlanarModel, Scales};
pub use modes::{Acceleration, Force, ModeReport, Modes, modes};
pub use next_step::{NextStep, StepContact, StepFamily, StepNames, StepSolution, next_step};
pub use noslip::{ConeExit, Release, Separation, Span, StickError, StickMotion, StickState, stick_motion};
pub use number::{Named, Number, numbers};
pub use one_contact::{
    AccelerationOutcome, CellOutcome, ForceOutcome, ImpactOutcome, ImpulseOutcome, ModeOutcome, Prospect,
    StickOutcome, VelocityOutcome,
};
pub use outcome::{
    ANALYSIS_SCHEMA, Analysis, ContactOutcome, CriticalFriction, JamFriction, LocalOutcome, ModelOutcome,
    StateAnswer, StateFailure, StateOutcome,
};
pub use planar::{Hold, Laws, PlanarAnalysis, PlanarError, planar_analysis};
pub use reason::{Boundary, Reason};
pub use situation::{Kinematics, Situation};
pub use stability::{
    Complex, Compliance, NormalStability, Portrait, Stability, eigenvalues, normal_stability,
};
pub use state::{Names, StateInput, state_outcome};
pub use tables::{Alternative, Table, alternatives, consistency_table, mode_table, resolution_table};
