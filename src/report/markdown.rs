//! A report as Markdown (GitHub flavour): tables as tables, matrices as code, equations as mathematics.

use super::document::{Block, Cell, Document, Section, Table};
use super::formulas::formulas;
use super::text::render_text;

/// Renders a report as Markdown.
pub fn render_markdown(document: &Document) -> String {
    let blocks: Vec<String> = document.blocks.iter().map(render_block).filter(|b| !b.is_empty()).collect();
    blocks.join("\n")
}

fn render_block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => format!("{} {}\n", "#".repeat(usize::from(*level)), escape(text)),
        Block::Paragraph(text) | Block::Quote(text) => format!("{}\n", escape(text)),
        Block::Fields(fields) => fields
            .iter()
            .map(|(label, value, remark)| {
                let remark = if remark.is_empty() { String::new() } else { format!(" ({})", escape(remark)) };
                format!("- {}: {}{remark}\n", escape(label), escape(value))
            })
            .collect(),
        Block::Matrices(_) => {
            let text = render_text(&Document { blocks: vec![block.clone()] });
            format!("```text\n{text}```\n")
        }
        Block::Table(table) => render_table(&table.without_pictures()),
        Block::Warning(text) => format!("> **Warning:** {}\n", escape(text)),
        Block::Note(text) => format!("*{}*\n", escape(text)),
        Block::Verdict { word, rest, .. } => format!("Verdict: **{}**{}\n", escape(word), escape(rest)),
        Block::Pictures(_) => String::new(),
        Block::Equations(equations) => formulas(&equations.latex)
            .iter()
            .map(|group| {
                format!(
                    "{}\n\n```math\n\\begin{{aligned}}\n{}\\end{{aligned}}\n```\n",
                    escape(&group.title),
                    group.body
                )
            })
            .collect::<Vec<_>>()
            .join("\n"),
        Block::Section(section) => render_section(section),
    }
}

fn render_section(section: &Section) -> String {
    let content = render_markdown(&section.content);
    let heading = Block::Heading(section.level, section.title.clone());
    match (content.is_empty(), section.title.is_empty()) {
        (true, _) | (_, true) => content,
        (false, false) => render_block(&heading) + "\n" + content.as_str(),
    }
}

fn render_table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let header = line(table.header.iter().map(|h| escape(h)).collect());
    let rule = line((0..table.header.len()).map(|j| rule(table, j)).collect());
    let rows: String = table.rows.iter().map(|r| line(r.iter().map(cell).collect())).collect();
    header + rule.as_str() + rows.as_str()
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Verdict(_, word) => format!("**{}**", escape(word)),
        other => escape(&other.words()),
    }
}

fn rule(table: &Table, column: usize) -> String {
    let number = table.rows.iter().any(|r| matches!(r.get(column), Some(Cell::Number(_))));
    if number { "---:".to_string() } else { "---".to_string() }
}

/// Protects what Markdown would take as markup.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('*', "\\*")
        .replace('_', "\\_")
        .replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_align_numbers_right_and_escape_bars() {
        let table = Table {
            header: vec!["mode".into(), "N".into()],
            rows: vec![vec![Cell::Text("a|b".into()), Cell::Number(1.5)]],
        };
        assert_eq!(render_table(&table), "| mode | N |\n| --- | ---: |\n| a\\|b | 1.5 |\n");
    }
}
