//! Scenes: from a file to a run, its rows, its checkpoints and its pictures.

mod checkpoint;
mod fault;
mod granular;
mod load;
mod mechanisms;
mod run;
mod tables;

pub use checkpoint::{CHECKPOINT_SCHEMA, Checkpoint};
pub use fault::SceneFault;
pub use granular::run_granular;
pub use load::{LoadedScene, is_scene_file, load_scene, load_scene_bytes};
pub use run::{
    CheckpointOption, Export, RUN_SCHEMA, RunFile, RunOptions, RunOutcome, RunRow, SceneRun, run_columns,
    side_of,
};
pub use tables::TableOptions;
