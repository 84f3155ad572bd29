//! The samples of a motion as a data file.

use super::data_file::{DataCell, DataColumn, DataFault, DataFile};
use super::whole_file::write_whole;
use crate::simulate::trajectory::Trajectory;
use std::path::Path;

/// Writes the samples to a file whose name ends in `.csv` or `.parquet`, or the whole motion to one in `.json`.
///
/// # Errors
/// [`DataFault`].
pub fn write_trajectory(trajectory: &Trajectory, path: &Path) -> Result<(), DataFault> {
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
        let text = serde_json::to_string(trajectory).map_err(std::io::Error::other);
        let written = text.and_then(|text| write_whole(path, (text + "\n").as_bytes()));
        return written.map_err(|error| DataFault::Unwritable { path: path.to_owned(), error });
    }
    let columns = trajectory.columns.iter().map(DataColumn::real).collect();
    let mut file = DataFile::create(path, columns)?;
    for row in &trajectory.rows {
        let cells: Vec<DataCell> = row.iter().map(|x| DataCell::Real(x.0)).collect();
        file.append(&cells)?;
    }
    file.finish().map(drop)
}
