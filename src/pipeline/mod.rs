//! From a file to its analysis: load, derive (or take from the cache), resolve the states, analyse. Each stage
//! is a function of this folder, and [`analyze`] reads from top to bottom.

mod ahead;
mod analyze;
mod check;
mod closing;
mod critical;
mod derived;
#[cfg(feature = "import")]
mod describe;
mod failure;
mod finite;
mod flat_rim;
mod given;
mod gravity;
mod illustrate;
mod inputs;
mod key;
mod length;
mod load;
mod map;
mod model;
mod no_slip;
mod parameters;
mod pictures;
mod prove;
mod scene;
mod shipped;
mod simulate;
mod singular;
mod solve;
mod states;
mod step;
mod stepper;
mod surface;
mod tables;
mod units;
mod usage;
mod values;

pub(crate) use analyze::analyze_states;
pub use analyze::{AnalyzeOptions, DEFAULT_STEP, analyze};
pub use check::{check_states, check_unplaced};
pub use derived::Derived;
#[cfg(feature = "import")]
pub use describe::import_robot;
pub use failure::{Failure, FileFault, INTERRUPTED, Underived, status_of, write_json};
pub use given::{Given, read_given};
pub use illustrate::{
    illustrate, illustrate_claims, illustrate_convergence, illustrate_futures, illustrate_map,
    illustrate_motion,
};
pub(crate) use inputs::symbol_name;
pub use key::has_same_equations;
pub use load::{Loaded, Origin, load, load_bytes, load_shipped};
pub use map::{
    MapFault, MapFile, MapOptions, MapProgress, MapReader, MapRow, MapStage, MapStudy, MapWatch,
    OutcomeOptions, QUANTITIES, Recorded, boundary_text, certify_map, check_map_file, check_part_file,
    map_into, merge_maps, part_into, recorded_into, write_map, write_map_part,
};
pub use model::{Derivation, Deriver, derive_equations, derive_model};
pub use parameters::code_parameters;
pub(crate) use pictures::panel;
pub use pictures::{StatePicture, draw_state, state_pictures, thumbnail};
pub use prove::{
    NoCertificate, PROOF_SCHEMA, ProveFault, ProveOptions, ProvedClaim, proof_document, proof_json,
    prove_claims, read_certificate,
};
pub use scene::{
    CHECKPOINT_SCHEMA, Checkpoint, CheckpointOption, Export, LoadedScene, RUN_SCHEMA, RunFile, RunOptions,
    RunOutcome, RunRow, SceneFault, SceneRun, TableOptions, is_scene_file, load_scene, load_scene_bytes,
    run_columns, run_granular, side_of,
};
pub use shipped::{LIBRARY, Shipped, Topic, library, shipped, shipped_or_else};
pub use simulate::{
    ComplianceStudy, ConvergeOptions, CycleFault, CycleOptions, DEFAULT_DEPTH, DEFAULT_SPAN, DEFAULT_WAIT,
    EnsembleFault, EnsembleOptions, EnsembleOutcome, EnsembleStudy, GivenState, Identity, MotionTables,
    PartFault, Parts, Refused, Scheme, SchemeOption, SimulateOptions, Simulation, TableFault, UnknownScheme,
    collect_ensemble, compliance_study, converge, cycle, draw_futures, draw_motion, draw_study, futures,
    simulate, write_ensemble, write_gltf, write_tables,
};
pub use solve::{Extent, Proofs, SolveOptions, Solved, Timing, solve_problem};
pub(crate) use states::state_of;
pub use states::{default_parameters, select_states, state_names};
pub use step::{NamedStep, StepOptions, solve_step, step_problems};
pub use stepper::{Books, GivenFault, Stepper};
pub use units::column_units;
pub use usage::{Positive, Usage};
