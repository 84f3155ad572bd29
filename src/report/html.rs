//! A report as one self-contained HTML page.

use super::document::{Block, Cell, Document, Matrix, Table};
use super::number::significant;

const STYLE: &str = "body{font:16px/1.5 Georgia,serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h1,h2,h3{font-weight:600;line-height:1.2}h2{border-bottom:1px solid #ccc;margin-top:2.2rem}\
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem;text-align:left;border-bottom:1px solid #ddd}\
.n{text-align:right;font-variant-numeric:tabular-nums}.fields td{border:0;padding:.1rem .8rem .1rem 0}\
.row{display:flex;flex-wrap:wrap;gap:1.5rem;align-items:center;margin:1rem 0}.matrix{display:flex;align-items:center;gap:.5rem}\
.matrix table{margin:0;border-left:2px solid #222;border-right:2px solid #222}.matrix td{border:0;padding:.1rem .6rem}\
.warning{border-left:4px solid #c60;background:#fff6ea;padding:.4rem .8rem}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.warning{background:#3a2a10}.matrix table{border-color:#ddd}td,th{border-color:#444}}";

/// Renders a report as a page without outside resources.
pub fn render_html(document: &Document) -> String {
    let title = document.blocks.iter().find_map(|b| match b {
        Block::Heading(_, text) => Some(escape(text)),
        _ => None,
    });
    let body: String = document.blocks.iter().map(render_block).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        title.unwrap_or_default()
    )
}

fn render_block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => format!("<h{level}>{}</h{level}>\n", escape(text)),
        Block::Paragraph(text) => format!("<p>{}</p>\n", escape(text)),
        Block::Fields(fields) => render_fields(fields),
        Block::Matrices(matrices) => {
            let matrices: String = matrices.iter().map(render_matrix).collect();
            format!("<div class=\"row\">{matrices}</div>\n")
        }
        Block::Table(table) => render_table(table),
        Block::Warning(text) => format!("<p class=\"warning\">{}</p>\n", escape(text)),
    }
}

fn render_fields(fields: &[(String, String, String)]) -> String {
    let rows: String = fields
        .iter()
        .map(|(l, v, r)| {
            format!("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", escape(l), escape(v), escape(r))
        })
        .collect();
    format!("<table class=\"fields\">\n{rows}</table>\n")
}

fn render_matrix(matrix: &Matrix) -> String {
    let row = |cells: &Vec<f64>| {
        let cells: String =
            cells.iter().map(|&x| format!("<td class=\"n\">{}</td>", significant(x))).collect();
        format!("<tr>{cells}</tr>")
    };
    let rows: String = matrix.rows.iter().map(row).collect();
    format!("<div class=\"matrix\"><span>{} =</span><table>{rows}</table></div>", escape(&matrix.name))
}

fn render_table(table: &Table) -> String {
    let header: String = table.header.iter().map(|h| format!("<th>{}</th>", escape(h))).collect();
    let cell = |cell: &Cell| match cell {
        Cell::Text(text) => format!("<td>{}</td>", escape(text)),
        Cell::Number(x) => format!("<td class=\"n\">{}</td>", significant(*x)),
    };
    let row = |cells: &Vec<Cell>| format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>());
    let rows: String = table.rows.iter().map(row).collect();
    format!("<table>\n<tr>{header}</tr>\n{rows}</table>\n")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_a_file_cannot_become_markup() {
        let mut document = Document::new();
        document.heading(1, "<script>");
        assert!(!render_html(&document).contains("<script>"));
    }
}
