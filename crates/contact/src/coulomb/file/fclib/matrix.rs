//! Matrices of FCLIB: lists `p`, `i`, `x` of three kinds of storage, told by `nz`.
//!
//! Compressed columns (`nz` = −1) and rows (−2) have where each begins in `p` and the other index in `i`. Entry by entry
//! (`nz` ≥ 0), `i` has the rows and `p` the columns, as in CSparse: so do Siconos, which writes the files of the collection,
//! and their other readers, while a comment in FCLIB's header has it the other way round. Entries at one place add up.

use std::ops::Range;

use super::super::fault::FclibError;
use super::super::json::agree;
use super::container::Folder;
use crate::coulomb::error::ProblemError;
use crate::linear::Sparse;

/// The entries of a matrix, one by one.
#[derive(Default)]
struct Entries {
    rows: Vec<usize>,
    cols: Vec<usize>,
    vals: Vec<f64>,
}

/// Which index a compressed matrix is compressed along.
#[derive(Clone, Copy)]
enum Along {
    Columns,
    Rows,
}

/// Reads the matrix whose lists stand in `folder`; its shape is compared with what the vectors ask for before anything is
/// reserved.
pub(super) fn read(
    name: &'static str,
    folder: &Folder<'_>,
    shape: [(&str, usize); 2],
) -> Result<Sparse, ProblemError> {
    agree(&folder.path("m"), folder.size("m")?, shape[0])?;
    agree(&folder.path("n"), folder.size("n")?, shape[1])?;
    let shape = (shape[0].1, shape[1].1);
    let entries = match folder.integer("nz")? {
        -1 => compressed(folder, shape, Along::Columns)?,
        -2 => compressed(folder, shape, Along::Rows)?,
        nz => match usize::try_from(nz) {
            Ok(nz) => one_by_one(folder, shape, nz)?,
            Err(_) => return Err(FclibError::Storage { path: folder.path("nz"), found: nz }.into()),
        },
    };
    let Entries { rows, cols, vals } = entries.added_up();
    Ok(Sparse::from_coordinates(name, shape, &rows, &cols, &vals)?)
}

fn one_by_one(folder: &Folder<'_>, shape: (usize, usize), nz: usize) -> Result<Entries, ProblemError> {
    let (rows, cols) = (folder.integers("i")?, folder.integers("p")?);
    let mut vals = folder.numbers("x")?;
    long_enough(folder, "i", rows.len(), nz)?;
    long_enough(folder, "p", cols.len(), nz)?;
    long_enough(folder, "x", vals.len(), nz)?;
    vals.truncate(nz);
    let rows = indices(folder, "i", &rows[..nz], shape.0)?;
    Ok(Entries { rows, cols: indices(folder, "p", &cols[..nz], shape.1)?, vals })
}

fn compressed(folder: &Folder<'_>, shape: (usize, usize), along: Along) -> Result<Entries, ProblemError> {
    let (lines, bound) = match along {
        Along::Columns => (shape.1, shape.0),
        Along::Rows => (shape.0, shape.1),
    };
    let (begin, across, mut vals) = (folder.integers("p")?, folder.integers("i")?, folder.numbers("x")?);
    agree(
        &format!("the length of {}", folder.path("p")),
        begin.len(),
        ("its columns or rows and 1", lines + 1),
    )?;
    let ranges = ranges(folder, &begin)?;
    let count = ranges.last().map_or(0, |range| range.end);
    long_enough(folder, "i", across.len(), count)?;
    long_enough(folder, "x", vals.len(), count)?;
    vals.truncate(count);
    let across = indices(folder, "i", &across[..count], bound)?;
    let lines = ranges.into_iter().enumerate().flat_map(|(line, range)| range.map(move |_| line)).collect();
    Ok(match along {
        Along::Columns => Entries { rows: across, cols: lines, vals },
        Along::Rows => Entries { rows: lines, cols: across, vals },
    })
}

/// Which entries belong to each column or row.
fn ranges(folder: &Folder<'_>, begin: &[i64]) -> Result<Vec<Range<usize>>, FclibError> {
    let fault = |entry: usize| FclibError::Beginnings { path: folder.path("p"), entry, found: begin[entry] };
    if begin.first().is_some_and(|first| *first != 0) {
        return Err(fault(0));
    }
    let range = |(line, pair): (usize, &[i64])| {
        let ends = (usize::try_from(pair[0]), usize::try_from(pair[1]));
        match ends {
            (Ok(from), Ok(to)) if from <= to => Ok(from..to),
            _ => Err(fault(line + 1)),
        }
    };
    begin.windows(2).enumerate().map(range).collect()
}

fn long_enough(folder: &Folder<'_>, name: &str, found: usize, least: usize) -> Result<(), FclibError> {
    if found >= least { Ok(()) } else { Err(FclibError::Short { path: folder.path(name), found, least }) }
}

fn indices(folder: &Folder<'_>, name: &str, list: &[i64], bound: usize) -> Result<Vec<usize>, FclibError> {
    let index = |(entry, found): (usize, &i64)| {
        let outside = || FclibError::Index { path: folder.path(name), entry, found: *found, bound };
        usize::try_from(*found).ok().filter(|index| *index < bound).ok_or_else(outside)
    };
    list.iter().enumerate().map(index).collect()
}

impl Entries {
    /// The same matrix with one entry a place, in the order of columns.
    fn added_up(self) -> Self {
        let mut order: Vec<usize> = (0..self.vals.len()).collect();
        order.sort_by_key(|&k| (self.cols[k], self.rows[k]));
        let mut out = Self::default();
        for k in order {
            let (row, col, value) = (self.rows[k], self.cols[k], self.vals[k]);
            match out.vals.last_mut() {
                Some(last) if (out.rows.last(), out.cols.last()) == (Some(&row), Some(&col)) => {
                    *last += value
                }
                _ => {
                    out.rows.push(row);
                    out.cols.push(col);
                    out.vals.push(value);
                }
            }
        }
        out
    }
}
