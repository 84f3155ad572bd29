//! Values from a CSV file: the column of a name, each row one run.

use std::path::Path;

/// The numbers of the column that has a name in its first line.
///
/// # Errors
/// What is wrong with the file, in words.
pub(super) fn samples(file: &Path, name: &str) -> Result<Vec<f64>, String> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    let cells = |line: &str| -> Vec<String> {
        line.split(',').map(|cell| cell.trim().trim_matches('"').trim().to_string()).collect()
    };
    let mut lines =
        text.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header = lines.next().map(|(_, line)| cells(line)).unwrap_or_default();
    let Some(column) = header.iter().position(|own| own == name) else {
        let known = header.join(", ");
        return Err(format!("{} has no column `{name}`; its first line is `{known}`", file.display()));
    };
    let number = |(k, line): (usize, &str)| {
        let found = cells(line).get(column).cloned().unwrap_or_default();
        let number = found.parse::<f64>().ok().filter(|x| x.is_finite());
        number.ok_or_else(|| {
            format!(
                "line {} of {} has `{found}` as `{name}`, expected a finite number",
                k + 1,
                file.display()
            )
        })
    };
    let all = lines.map(number).collect::<Result<Vec<f64>, String>>()?;
    if all.is_empty() { Err(format!("{} has no row", file.display())) } else { Ok(all) }
}
