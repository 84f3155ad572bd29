//! A report as plain text for a terminal, at most 100 columns where words can be wrapped; in colour where it is wanted.

use super::document::{Block, Cell, Document, Matrix, Section, Table, Tone};
use super::number::significant;
use crate::diag::Color;

const WIDTH: usize = 100;

/// The narrowest column into which words are wrapped.
const NARROWEST: usize = 24;

/// Renders a report as plain text.
pub fn render_text(document: &Document) -> String {
    render_text_in(document, Color::Plain)
}

/// Renders a report as text, verdicts and headings in colour if wanted.
pub fn render_text_in(document: &Document, color: Color) -> String {
    let blocks = document.blocks.iter().map(|block| render_block(block, color));
    blocks.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

fn render_block(block: &Block, color: Color) -> String {
    match block {
        Block::Heading(level, text) => heading(*level, text, color),
        Block::Paragraph(text) | Block::Quote(text) => wrap(text, "  ", "  "),
        Block::Fields(fields) => render_fields(fields),
        Block::Matrices(matrices) => render_matrices(matrices),
        Block::Table(table) => render_table(&table.without_pictures(), color),
        Block::Warning(text) => {
            wrap(text, &format!("  {} ", color.paint(WARNING, "warning:")), "           ")
        }
        Block::Note(text) => {
            wrap(text, "  ", "  ").lines().map(|line| color.paint(FAINT, line) + "\n").collect()
        }
        Block::Verdict { tone, word, rest } => {
            let sentence = wrap(&format!("Verdict: {word}{rest}"), "  ", "  ");
            sentence.replacen(word.as_str(), &color.paint(style(*tone), word), 1)
        }
        Block::Pictures(_) => String::new(),
        Block::Equations(equations) => {
            equations.text.lines().map(|line| format!("  {line}").trim_end().to_string() + "\n").collect()
        }
        Block::Section(section) => render_section(section, color),
    }
}

fn render_section(section: &Section, color: Color) -> String {
    let content = render_text_in(&section.content, color);
    match (content.is_empty(), section.title.is_empty()) {
        (true, _) => content,
        (false, true) => content,
        (false, false) => heading(section.level, &section.title, color) + "\n" + content.as_str(),
    }
}

const BOLD: &str = "1";
const FAINT: &str = "2";
const WARNING: &str = "33";

/// The terminal's colour of a verdict: green one motion, red none, yellow several, magenta a jam, grey unknown.
fn style(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "1;32",
        Tone::Bad => "1;31",
        Tone::Several => "1;33",
        Tone::Jam => "1;35",
        Tone::Open => "1;90",
    }
}

fn heading(level: u8, text: &str, color: Color) -> String {
    let bold = color.paint(BOLD, text);
    let underline = match level {
        1 => '=',
        2 => '-',
        _ => return format!("{bold}\n"),
    };
    format!("{bold}\n{}\n", underline.to_string().repeat(text.chars().count()))
}

/// Words in lines of the page's width, under an indent; colour in the first indent takes no room.
fn wrap(text: &str, first: &str, next: &str) -> String {
    let lines = folded(text, WIDTH - next.chars().count());
    let indent = |i: usize| if i == 0 { first } else { next };
    let indented = lines
        .iter()
        .enumerate()
        .map(|(i, line)| format!("{}{line}", indent(i)).trim_end().to_string() + "\n");
    indented.collect()
}

/// Words in lines of a width; a word that is longer stands alone.
fn folded(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            lines.push(String::new());
            used = 0;
        }
        let line = lines.len() - 1;
        if used > 0 {
            lines[line].push(' ');
            used += 1;
        }
        lines[line].push_str(word);
        used += length;
    }
    lines
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

/// A table; where it is wider than the page, its last column of words is wrapped.
fn render_table(table: &Table, color: Color) -> String {
    let width = |j: usize| {
        let cells = table.rows.iter().filter_map(|r| r.get(j)).map(|c| c.words().chars().count());
        cells.chain(table.header.get(j).map(|h| h.chars().count())).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..table.header.len()).map(width).collect();
    let last = widths.len().saturating_sub(1);
    let before: usize = widths[..last].iter().map(|w| w + 2).sum::<usize>() + 2;
    if let Some(width) = widths.last_mut() {
        *width = (*width).min(WIDTH.saturating_sub(before).max(NARROWEST));
    }
    let header: Vec<String> = table.header.iter().zip(&widths).map(|(h, w)| format!("{h:w$}")).collect();
    let rule: Vec<String> = widths.iter().map(|w| "-".repeat(*w)).collect();
    let mut out = format!("  {}\n  {}\n", header.join("  ").trim_end(), rule.join("  "));
    for row in &table.rows {
        let wrapped = match row.get(last) {
            Some(Cell::Text(text)) if text.chars().count() > widths[last] => folded(text, widths[last]),
            _ => Vec::new(),
        };
        let cells = row.iter().zip(&widths).enumerate().map(|(j, (cell, &w))| match wrapped.first() {
            Some(line) if j == last => line.clone(),
            _ => aligned(cell, w, color),
        });
        out.push_str(&format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end()));
        let indent = " ".repeat(before);
        wrapped.iter().skip(1).for_each(|line| out.push_str(&format!("{indent}{line}\n")));
    }
    out
}

fn aligned(cell: &Cell, width: usize, color: Color) -> String {
    match cell {
        Cell::Text(text) | Cell::Link(_, text) => format!("{text:width$}"),
        Cell::Number(x) => format!("{:>width$}", significant(*x)),
        Cell::Verdict(tone, word) => {
            let room = " ".repeat(width.saturating_sub(word.chars().count()));
            color.paint(style(*tone), word) + room.as_str()
        }
        Cell::Picture(_) => " ".repeat(width),
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

    #[test]
    fn a_wide_last_column_is_wrapped_under_itself() {
        let table = Table {
            header: vec!["mode".into(), "why".into()],
            rows: vec![vec![Cell::Text("slip+".into()), Cell::Text("word ".repeat(30).trim().into())]],
        };
        let text = render_table(&table, Color::Plain);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.lines().nth(3).is_some_and(|line| line.starts_with("         word")), "{text}");
    }

    #[test]
    fn colour_adds_escapes_and_nothing_else() {
        let mut document = Document::new();
        document.heading(2, "State");
        let (tone, word, rest) = (Tone::Bad, "inconsistent".to_string(), ": no motion.".to_string());
        document.blocks.push(Block::Verdict { tone, word, rest });
        document.warning("mind this");
        document.table(Table {
            header: vec!["state".into(), "verdict".into(), "what".into()],
            rows: vec![vec![
                Cell::Text("a".into()),
                Cell::Verdict(Tone::Good, "consistent".into()),
                Cell::Text("b".into()),
            ]],
        });
        let colour = render_text_in(&document, Color::Ansi);
        let mut bare = String::new();
        let mut escape = false;
        for c in colour.chars() {
            match (c, escape) {
                ('\u{1b}', _) => escape = true,
                ('m', true) => escape = false,
                (_, true) => {}
                (c, false) => bare.push(c),
            }
        }
        assert_eq!(bare, render_text(&document));
        assert_ne!(colour, bare);
    }
}
