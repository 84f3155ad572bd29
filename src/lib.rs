//! mechan turns a YAML description of a mechanism into its equations of motion and says what rigid-body
//! mechanics with Coulomb friction can and cannot predict about it.
//!
//! A mechanism is loaded ([`load`]), gets its equations ([`Loaded::derive`]) and is asked ([`Derived`]); answers are typed
//! values that can be stored as JSON and read back:
//!
//! ```
//! use mechan::{AnalyzeOptions, Answer, Deriver, SolveOptions, Verdict, solve_step};
//!
//! // a model file has its equations; see `Deriver` for a mechanism in YAML
//! let pencil = mechan::load("examples/falling_pencil.model.json")?.derive(&Deriver::nobody())?;
//! let analysis = pencil.analyze(&AnalyzeOptions::of_state("inconsistent"))?;
//! let prospect = &analysis.states[0].outcome().ok_or("no such state")?.prospect;
//! assert_eq!(prospect.verdict, Some(Verdict::Inconsistent));
//! assert_eq!(prospect.resolved, ["iwc"]); // impact without collision
//!
//! let step = pencil.next_step("inconsistent", 1e-3)?;
//! assert_eq!(solve_step(step, &SolveOptions::default())?.outcome().status, Answer::Solved);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Who derives
//!
//! Lagrange's equations are derived by Symbolica, which without a licence runs once per machine. The caller chooses:
//! [`Deriver::this_process`] (feature `derive`), [`Deriver::program`] (any build: an installed `mechan` is asked, in a process
//! of its own), or [`Deriver::nobody`] (model files, made by `mechan derive --format model` or [`Derived::model_file`]).
//! [`Deriver::with_cache`] keeps what was derived.
//!
#![cfg_attr(feature = "derive", doc = "```")]
#![cfg_attr(not(feature = "derive"), doc = "```no_run")]
//! use mechan::{Deriver, Failure};
//!
//! let rod = mechan::load("mechanisms/painleve_rod.yaml")?.derive(&Deriver::this_process())?;
//! assert_eq!(rod.model().layout().coordinates, 3);
//! # Ok::<(), Failure>(())
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `derive` | derivation in this process, and `mechan __derive` |
//! | `machine-code` | machine code for equations; else they are interpreted, to the same bits |
//! | `cache` | derived models kept on disk |
//! | `cli` | the command line |
//! | `schemes` | motions by time steps, with compliant contacts and by event capturing; else from event to event alone |
//! | `program` | `cli`, `cache`, `machine-code`, `import`, `explore` and `schemes` |
//! | `explore` | the explorer's page, written and served; its engine needs no feature |
//! | `import` | robot descriptions (URDF, MJCF) as mechanism files |
//! | `png` | pictures as PNG; SVG needs no feature |
//! | `parquet` | data files as Parquet; CSV and JSON need no feature |
//!
//! All but the last two are on by default. The core (`default-features = false`) has none of them and builds for
//! `wasm32-unknown-unknown` too.
//!
//! # Rooms
//!
//! The modules are the stages of one pipeline, in this order; imports go only back up the list:
//! [`num`] and [`linear`] carry the rest; [`expression`] and [`format`](mod@format) read a mechanism, `import` makes one of a robot description,
//! [`derive`](mod@derive) makes of it a [`model`] of [`tape`]s; [`contact`] has the laws of one contact, [`coulomb`] the problem of many with its solvers,
//! [`enumerate`] all its solutions, [`existence`] its proofs, [`answer`] what follows from the three; [`predict`] says what closed contacts can do
//! next, [`impact`](mod@impact) and [`equilibrium`](mod@equilibrium) what collisions and rest are like; [`stepping`] makes the contact
//! problem of a mechanism, [`scene`] of many bodies, [`analysis`] asks about its states, [`prove`](mod@prove) about all of them,
//! [`simulate`](mod@simulate) follows its motions: all these stand in crates of their own. [`report`] renders, [`plot`] draws,
//! [`pipeline`] joins the stages, [`explore`] is a page on which mechanisms are touched, and `cli` is the program.

pub use mechan_contact::{answer, contact, coulomb, enumerate, existence, linear};
pub use mechan_engine::{equilibrium, impact, predict};
#[cfg(feature = "import")]
pub use mechan_import as import;
pub use mechan_language::{diag, expression};
pub use mechan_mechanism::{derive, format, model, rederive};
pub use mechan_motion::{analysis, scene, simulate, stepping};
pub use mechan_num as num;
pub use mechan_prove as prove;
pub use mechan_tape as tape;

pub mod report;

pub mod plot;

pub mod pipeline;

pub mod explore;

#[cfg(feature = "cli")]
pub mod cli;

pub use analysis::{
    Analysis, ByName, ModeOutcome, Number, Prospect, Quantity, StateAnswer, StateFailure, StateOutcome,
};
pub use answer::Answer;
pub use coulomb::solver::SolverName;
pub use coulomb::{Budget, Problem, Request, Session};
pub use model::{Block, Cache, Kernel, Model, ModelFile, Output, State};
pub use pipeline::{
    AnalyzeOptions, Derivation, Derived, Deriver, Extent, Failure, FileFault, Loaded, Origin, Proofs,
    SimulateOptions, SolveOptions, Solved, StepOptions, Timing, Underived, Usage, load, load_bytes, simulate,
    solve_problem, solve_step,
};
pub use predict::{ModeName, Verdict};
pub use report::SolutionOutcome;
pub use scene::Simulation;
pub use simulate::trajectory::{Event, EventKind, Status, Trajectory};
pub use stepping::{Step, StepModel};

/// The Rust of the book.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Book;
