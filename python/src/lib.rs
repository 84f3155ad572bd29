//! The Python module `mechan._mechan`: the crate's facade for the package `mechan`, which adds words and types. No physics here.

mod analyze;
mod arrow;
mod evaluate;
mod fault;
mod map;
mod mechanism;
mod model;
mod motion;
mod numbers;
mod patience;
mod plan;
mod problem;
mod prove;
mod scene;
mod stepper;
mod view;

use pyo3::prelude::*;

/// The compiled part of mechan; import `mechan` instead.
#[pymodule]
fn _mechan(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("MODEL_SCHEMA", ::mechan::model::MODEL_SCHEMA)?;
    module.add("QUANTITIES", ::mechan::pipeline::QUANTITIES.to_vec())?;
    module.add("SCHEMES", motion::scheme_names())?;
    module.add("OUTPUTS", plan::output_names())?;
    module.add_class::<mechanism::Mechanism>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<evaluate::Evaluation>()?;
    module.add_class::<problem::Problem>()?;
    module.add_class::<problem::Session>()?;
    module.add_class::<analyze::Report>()?;
    module.add_class::<stepper::Stepper>()?;
    module.add_class::<stepper::Advance>()?;
    module.add_function(wrap_pyfunction!(mechanism::load, module)?)?;
    module.add_function(wrap_pyfunction!(mechanism::load_text, module)?)?;
    module.add_function(wrap_pyfunction!(mechanism::library, module)?)?;
    module.add_function(wrap_pyfunction!(problem::solve, module)?)?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<scene::Ran>()?;
    module.add_function(wrap_pyfunction!(scene::load_scene, module)?)?;
    module.add_function(wrap_pyfunction!(scene::load_scene_text, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::arrow_stream, module)?)?;
    Ok(())
}
