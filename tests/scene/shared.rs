//! Scenes from text.

use mechan::diag::{Diagnostic, Source};
use mechan::format::scene::{Scene, read_scene};
use mechan::pipeline::{Failure, LoadedScene, load_scene_bytes};
use mechan::scene::{Options, Record, Simulation};

/// A scene in the plane or in space with these lines beside the heading.
pub(crate) fn text(space: &str, lines: &str) -> String {
    format!("scene: 1\nname: test\nspace: {space}\n{lines}")
}

pub(crate) fn scene(space: &str, lines: &str) -> Scene {
    read_scene(&Source::new("test.yaml", text(space, lines))).unwrap_or_else(|e| panic!("{e:?}")).scene
}

/// Its faults, those of placing its bodies included.
pub(crate) fn faults(text: &str) -> Vec<Diagnostic> {
    match read_scene(&Source::new("test.yaml", text)) {
        Err(faults) => faults,
        Ok(checked) => Simulation::new(&checked.scene, &Options::default()).map(drop).unwrap_err(),
    }
}

/// A scene of the plane or of space with mechanisms, whose model files stand in `tests/scene/mechanisms`.
pub(crate) fn load(space: &str, lines: &str) -> Result<LoadedScene, Failure> {
    let name = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scene/mechanisms/test.yaml");
    load_scene_bytes(name, text(space, lines).into_bytes())
}

/// The same in motion, at the same tolerance as [`simulation`].
pub(crate) fn linked(space: &str, lines: &str) -> Simulation {
    let loaded = load(space, lines).unwrap_or_else(|e| panic!("{}", e.message()));
    moving(&loaded)
}

pub(crate) fn moving(loaded: &LoadedScene) -> Simulation {
    let mechanisms = loaded.ready().unwrap_or_else(|e| panic!("{}", e.message()));
    let options = Options { tolerance: Some(1e-10), ..Options::default() };
    Simulation::with(&loaded.scene, &mechanisms, &options).unwrap_or_else(|e| panic!("{e:?}"))
}

/// At a tolerance far below what is compared.
pub(crate) fn simulation(scene: &Scene) -> Simulation {
    let options = Options { tolerance: Some(1e-10), ..Options::default() };
    Simulation::new(scene, &options).unwrap_or_else(|e| panic!("{e:?}"))
}

pub(crate) fn run(simulation: &mut Simulation, steps: u64) -> Vec<Record> {
    (0..steps).map(|_| simulation.advance().unwrap()).collect()
}

/// A record without its time, all of it comparable to the last bit.
pub(crate) fn row(record: &Record) -> (u64, usize, usize, &'static str, [u64; 5], usize) {
    let Record { residual, energy_kinetic, energy_potential, penetration, t, .. } = record;
    let numbers = [*residual, *energy_kinetic, *energy_potential, *penetration, *t].map(f64::to_bits);
    (record.step, record.contacts, record.iterations, record.solver, numbers, record.warm)
}
