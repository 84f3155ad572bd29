//! Reader of FCLIB's HDF5. Guesses and solutions that a file may have are left alone: a solution is searched for.

use super::super::fault::FclibError;
use super::super::json::agree;
use super::super::read::Limits;
use super::container::{Container, Folder};
use super::matrix;
use crate::coulomb::error::ProblemError;
use crate::coulomb::problem::{Global, Problem};

const LOCAL: &str = "fclib_local";
const GLOBAL: &str = "fclib_global";

/// Reads a problem from the bytes of an HDF5 file; its name is the title in the file.
pub(in crate::coulomb::file) fn read(bytes: Vec<u8>, limits: Limits) -> Result<Problem, ProblemError> {
    let container = Container::open(bytes, limits)?;
    let groups = container.groups()?;
    let has = |name: &str| groups.iter().any(|group| group == name);
    let (folder, problem) = match (has(LOCAL), has(GLOBAL)) {
        (true, true) => return Err(FclibError::TwoProblems.into()),
        (true, false) => (LOCAL, local(&container.folder(LOCAL))?),
        (false, true) => (GLOBAL, global(&container.folder(GLOBAL))?),
        (false, false) => return Err(other(groups)),
    };
    let title = container.folder(folder).folder("info").text("title");
    Ok(problem.named(title.unwrap_or_default()))
}

/// A file of something else.
fn other(groups: Vec<String>) -> ProblemError {
    match groups.iter().find(|group| group.starts_with("fclib_") && group.contains("rolling")) {
        Some(path) => FclibError::Beyond { path: path.clone(), what: "rolling friction" }.into(),
        None => FclibError::NoProblem { found: groups }.into(),
    }
}

/// Dimension and friction, of both kinds of problem.
fn contacts(folder: &Folder<'_>) -> Result<(usize, Vec<f64>), ProblemError> {
    let dim = folder.size("spacedim")?;
    if dim != 2 && dim != 3 {
        return Err(ProblemError::Dimension { found: dim });
    }
    Ok((dim, folder.folder("vectors").numbers("mu")?))
}

/// Bilateral constraints have no place in a problem; those without a row are none.
fn only_contacts(folder: &Folder<'_>, constraints: &str) -> Result<(), ProblemError> {
    if folder.groups()?.iter().any(|name| name == constraints) && folder.folder(constraints).size("n")? > 0 {
        let path = folder.path(constraints);
        return Err(FclibError::Beyond { path, what: "bilateral constraints" }.into());
    }
    Ok(())
}

fn local(folder: &Folder<'_>) -> Result<Problem, ProblemError> {
    only_contacts(folder, "R")?;
    let (dim, mu) = contacts(folder)?;
    let rows = ("spacedim times the length of mu", dim * mu.len());
    let q = folder.folder("vectors").numbers("q")?;
    agree(&length_of(folder, "q"), q.len(), rows)?;
    let W = matrix::read("W", &folder.folder("W"), [rows, rows])?;
    Problem::local(dim, mu, &W, q)
}

fn global(folder: &Folder<'_>) -> Result<Problem, ProblemError> {
    only_contacts(folder, "G")?;
    let (dim, mu) = contacts(folder)?;
    let rows = ("spacedim times the length of mu", dim * mu.len());
    let (q, w) = (folder.folder("vectors").numbers("f")?, folder.folder("vectors").numbers("w")?);
    let dof = ("the length of f", q.len());
    agree(&length_of(folder, "w"), w.len(), rows)?;
    let M = matrix::read("M", &folder.folder("M"), [dof, dof])?;
    let Ht = matrix::read("H", &folder.folder("H"), [dof, rows])?;
    let parts = Global { M, Ht, f: q.iter().map(|x| -x).collect(), w };
    Problem::global(dim, mu, parts)
}

fn length_of(folder: &Folder<'_>, vector: &str) -> String {
    format!("the length of {}", folder.folder("vectors").path(vector))
}
