//! Writer of FCLIB's HDF5, stored as Siconos can read it: W by rows, M and H entry by entry. Numbers keep their bits.

use hdf5_pure::{FileBuilder, FinishedGroup, FormatError, GroupBuilder, LibVer};

use super::super::fault::FclibError;
use crate::coulomb::error::ProblemError;
use crate::coulomb::problem::{Form, Global, Local, Problem};
use crate::linear::Sparse;

/// The bytes of an HDF5 file with `problem` in it, which libraries of HDF5 from 1.8 on read.
pub(in crate::coulomb::file) fn write(problem: &Problem) -> Result<Vec<u8>, ProblemError> {
    let mut file = FileBuilder::new();
    file.with_libver_bounds(LibVer::Earliest, LibVer::V18);
    let group = match problem.form() {
        Form::Local(form) => local(file.create_group("fclib_local"), problem, form)?,
        Form::Global(form) => global(file.create_group("fclib_global"), problem, form)?,
    };
    file.add_group(group);
    file.finish().map_err(|e| ProblemError::Io { message: format!("cannot be written as HDF5: {e}") })
}

fn local(mut group: GroupBuilder, problem: &Problem, form: &Local) -> Result<FinishedGroup, ProblemError> {
    header(&mut group, problem)?;
    by_rows(&mut group, "W", &form.W.to_sparse())?;
    vectors(&mut group, &[("q", &form.q), ("mu", problem.mu())]);
    Ok(group.finish())
}

fn global(mut group: GroupBuilder, problem: &Problem, form: &Global) -> Result<FinishedGroup, ProblemError> {
    header(&mut group, problem)?;
    one_by_one(&mut group, "M", &form.M)?;
    one_by_one(&mut group, "H", &form.Ht)?;
    let f: Vec<f64> = form.f.iter().map(|x| -x).collect();
    vectors(&mut group, &[("f", &f), ("w", &form.w), ("mu", problem.mu())]);
    Ok(group.finish())
}

/// Dimension and title.
fn header(group: &mut GroupBuilder, problem: &Problem) -> Result<(), ProblemError> {
    integers(group, "", "spacedim", &[problem.dim()])?;
    let mut info = group.create_group("info");
    for (name, text) in
        [("title", problem.name()), ("description", "written by mechan"), ("math_info", "unknown")]
    {
        string(&mut info, name, text)
            .map_err(|e| ProblemError::Io { message: format!("cannot be written as HDF5: {name}: {e}") })?;
    }
    group.add_group(info.finish());
    Ok(())
}

/// A text with the zero byte that C expects at its end.
fn string(group: &mut GroupBuilder, name: &str, text: &str) -> Result<(), FormatError> {
    let width = u32::try_from(text.len() + 1).unwrap_or(u32::MAX);
    group.create_dataset(name).with_strings_sized(&[text], width)?.with_shape(&[]);
    Ok(())
}

fn vectors(problem: &mut GroupBuilder, list: &[(&str, &[f64])]) {
    let mut group = problem.create_group("vectors");
    for (name, numbers) in list {
        group.create_dataset(name).with_f64_data(numbers);
    }
    problem.add_group(group.finish());
}

/// Compressed rows.
fn by_rows(problem: &mut GroupBuilder, name: &str, a: &Sparse) -> Result<(), ProblemError> {
    let transposed = a.transpose();
    let (begin, cols) = transposed.pattern();
    matrix(problem, name, a, (-2, begin, cols, transposed.values()))
}

/// Entries with their rows in `i` and columns in `p`, as Siconos writes them.
fn one_by_one(problem: &mut GroupBuilder, name: &str, a: &Sparse) -> Result<(), ProblemError> {
    let cols: Vec<usize> = a.coordinates().map(|(_, col, _)| col).collect();
    let nz = i32::try_from(a.nnz()).map_err(|_| wide(name, "nz"))?;
    matrix(problem, name, a, (nz, &cols, a.pattern().1, a.values()))
}

/// The group of a matrix: its shape, and the lists `nz`, `p`, `i`, `x`.
fn matrix(
    problem: &mut GroupBuilder,
    name: &str,
    a: &Sparse,
    (nz, p, i, x): (i32, &[usize], &[usize], &[f64]),
) -> Result<(), ProblemError> {
    let mut group = problem.create_group(name);
    integers(&mut group, name, "nzmax", &[x.len()])?;
    integers(&mut group, name, "m", &[a.nrows()])?;
    integers(&mut group, name, "n", &[a.ncols()])?;
    group.create_dataset("nz").with_i32_data(&[nz]);
    integers(&mut group, name, "p", p)?;
    integers(&mut group, name, "i", i)?;
    group.create_dataset("x").with_f64_data(x);
    problem.add_group(group.finish());
    Ok(())
}

fn integers(group: &mut GroupBuilder, matrix: &str, name: &str, list: &[usize]) -> Result<(), ProblemError> {
    let list: Result<Vec<i32>, _> = list.iter().map(|&x| i32::try_from(x)).collect();
    group.create_dataset(name).with_i32_data(&list.map_err(|_| wide(matrix, name))?);
    Ok(())
}

fn wide(matrix: &str, name: &str) -> FclibError {
    FclibError::Wide { path: format!("{matrix}/{name}") }
}
