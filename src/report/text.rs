//! A report as plain text for a terminal, at most 100 columns where words can be wrapped.

use super::document::{Block, Cell, Document, Matrix, Table};
use super::number::significant;

const WIDTH: usize = 100;

/// Renders a report as plain text.
pub fn render_text(document: &Document) -> String {
    let mut out = String::new();
    for block in &document.blocks {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&render_block(block));
    }
    out
}

fn render_block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => heading(*level, text),
        Block::Paragraph(text) => wrap(text, "  ", "  "),
        Block::Fields(fields) => render_fields(fields),
        Block::Matrices(matrices) => render_matrices(matrices),
        Block::Table(table) => render_table(table),
        Block::Warning(text) => wrap(text, "  warning: ", "           "),
    }
}

fn heading(level: u8, text: &str) -> String {
    let underline = match level {
        1 => '=',
        2 => '-',
        _ => return format!("{text}\n"),
    };
    format!("{text}\n{}\n", underline.to_string().repeat(text.chars().count()))
}

fn wrap(text: &str, first: &str, next: &str) -> String {
    let (mut out, mut line) = (String::new(), first.to_string());
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = next.to_string();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    out + line.trim_end() + "\n"
}

fn render_fields(fields: &[(String, String, String)]) -> String {
    let width = |pick: fn(&(String, String, String)) -> &String| {
        fields.iter().map(|f| pick(f).chars().count()).max().unwrap_or(0)
    };
    let (labels, values) = (width(|f| &f.0), width(|f| &f.1));
    fields
        .iter()
        .map(|(label, value, remark)| {
            format!("  {label:labels$}  {value:values$}  {remark}").trim_end().to_string() + "\n"
        })
        .collect()
}

/// Matrices side by side, as many as fit on a line.
fn render_matrices(matrices: &[Matrix]) -> String {
    let mut out = String::new();
    let mut group: Vec<Vec<String>> = Vec::new();
    let mut used = 0;
    for matrix in matrices {
        let lines = matrix_lines(matrix);
        let width = 4 + lines.first().map_or(0, |l| l.chars().count());
        if !group.is_empty() && used + width > WIDTH {
            out.push_str(&side_by_side(&group));
            group.clear();
            used = 0;
        }
        used += width;
        group.push(lines);
    }
    out + side_by_side(&group).as_str()
}

fn matrix_lines(matrix: &Matrix) -> Vec<String> {
    let cells: Vec<Vec<String>> =
        matrix.rows.iter().map(|r| r.iter().map(|&x| significant(x)).collect()).collect();
    let columns = cells.first().map_or(0, Vec::len);
    let widths: Vec<usize> =
        (0..columns).map(|j| cells.iter().map(|r| r[j].chars().count()).max().unwrap_or(0)).collect();
    let middle = cells.len().saturating_sub(1) / 2;
    let blank = " ".repeat(matrix.name.chars().count() + 3);
    let row = |(i, cells): (usize, &Vec<String>)| {
        let body: Vec<String> = cells.iter().zip(&widths).map(|(c, w)| format!("{c:>w$}")).collect();
        let name = if i == middle { format!("{} = ", matrix.name) } else { blank.clone() };
        format!("{name}[ {} ]", body.join("  "))
    };
    cells.iter().enumerate().map(row).collect()
}

fn side_by_side(group: &[Vec<String>]) -> String {
    let height = group.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = String::new();
    for i in 0..height {
        let mut line = String::new();
        for lines in group {
            let width = lines.first().map_or(0, |l| l.chars().count());
            // shorter matrices are centred beside taller ones
            let offset = (height - lines.len()) / 2;
            let text = i.checked_sub(offset).and_then(|k| lines.get(k)).map_or("", String::as_str);
            line.push_str(&format!("  {text:width$}  "));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn render_table(table: &Table) -> String {
    let width = |j: usize| {
        let cells = table.rows.iter().filter_map(|r| r.get(j)).map(|c| c.words().chars().count());
        cells.chain(table.header.get(j).map(|h| h.chars().count())).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.header.len()).map(width).collect();
    let header: Vec<String> = table.header.iter().zip(&widths).map(|(h, w)| format!("{h:w$}")).collect();
    let rule: Vec<String> = widths.iter().map(|w| "-".repeat(*w)).collect();
    let mut out = format!("  {}\n  {}\n", header.join("  ").trim_end(), rule.join("  "));
    for row in &table.rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(c, &w)| aligned(c, w)).collect();
        out.push_str(&format!("  {}\n", cells.join("  ").trim_end()));
    }
    out
}

fn aligned(cell: &Cell, width: usize) -> String {
    match cell {
        Cell::Text(text) => format!("{text:width$}"),
        Cell::Number(x) => format!("{:>width$}", significant(*x)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_centred_beside_its_matrix() {
        let matrix = |name: &str, rows: Vec<Vec<f64>>| Matrix { name: name.to_string(), rows };
        let text = render_matrices(&[
            matrix("M", vec![vec![1.0, 0.0, 0.0], vec![0.0, 10.0, 0.0], vec![0.0, 0.0, 0.5]]),
            matrix("h", vec![vec![0.25, 2.0]]),
        ]);
        let expected =
            "      [ 1   0    0 ]\n  M = [ 0  10    0 ]    h = [ 0.25  2 ]\n      [ 0   0  0.5 ]\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn long_words_wrap_under_their_indent() {
        let text = wrap(&"word ".repeat(30), "  warning: ", "           ");
        assert!(text.lines().all(|l| l.chars().count() <= WIDTH));
        assert!(text.lines().nth(1).is_some_and(|l| l.starts_with("           word")));
    }
}
