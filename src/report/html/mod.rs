//! A report as one self-contained HTML page: no outside resources, light and dark, for phones and paper, what is long folded.

mod formulas;
mod words;

pub(crate) use words::parts as symbol;

use super::document::{Block, Cell, Depth, Document, Equations, Figure, Matrix, Section, Table, Tone};
use super::number::significant;
use std::collections::BTreeSet;
use words::{attribute, escape, typeset};

const STYLE: &str = include_str!("style.css");

/// Renders a report as a page without outside resources.
pub fn render_html(document: &Document) -> String {
    let title = document.blocks.iter().find_map(|block| match block {
        Block::Heading(1, text) => Some(escape(text)),
        _ => None,
    });
    let mut page = Page::default();
    let body = page.render(document);
    let contents = page.contents();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{contents}<main>\n{body}</main>\n</body>\n</html>\n",
        title.unwrap_or_default()
    )
}

/// Renders a report as a part of somebody else's page, a cell of a notebook for one: the style reaches no further than the part.
pub fn render_html_part(document: &Document) -> String {
    let body = Page::default().render(document);
    format!(
        "<div class=\"mechan\">\n<style>\n.mechan{{{}}}\n</style>\n<main>\n{body}</main>\n</div>\n",
        part_style()
    )
}

/// The style with what belongs to the whole page moved to the part's own element, to be nested in a rule of that.
fn part_style() -> String {
    ["html", "body", ":root"]
        .iter()
        .fold(STYLE.to_string(), |style, page| style.replace(&format!("{page}{{"), "&{"))
}

/// What is known of a page while it is written.
#[derive(Default)]
struct Page {
    /// Places that the table of contents names: id and title.
    places: Vec<(String, String)>,
    /// Ids that are taken.
    ids: BTreeSet<String>,
}

impl Page {
    fn render(&mut self, document: &Document) -> String {
        document.blocks.iter().map(|block| self.block(block)).collect()
    }

    fn block(&mut self, block: &Block) -> String {
        match block {
            Block::Heading(level, text) => self.heading(*level, text),
            Block::Quote(text) => format!("<p>{}</p>\n", escape(text)),
            Block::Paragraph(text) => format!("<p>{}</p>\n", typeset(text)),
            Block::Fields(fields) => render_fields(fields),
            Block::Matrices(matrices) => {
                let matrices: String = matrices.iter().map(render_matrix).collect();
                format!("<div class=\"row\">{matrices}</div>\n")
            }
            Block::Table(table) => self.table(table),
            Block::Warning(text) => format!("<p class=\"warning\">{}</p>\n", typeset(text)),
            Block::Note(text) => format!("<p class=\"note\">{}</p>\n", typeset(text)),
            Block::Verdict { tone, word, rest } => {
                format!("<p>{} {}</p>\n", badge(*tone, word), typeset(rest.trim_start_matches([':', ' '])))
            }
            Block::Pictures(figures) => render_figures(figures),
            Block::Equations(equations) => render_equations(equations),
            Block::Section(section) => self.section(section),
        }
    }

    fn heading(&mut self, level: u8, text: &str) -> String {
        if level == 1 {
            return format!("<h1>{}</h1>\n", escape(text));
        }
        let id = self.id(text);
        if level == 2 {
            self.places.push((id.clone(), text.to_string()));
        }
        format!("<h{level} id=\"{id}\">{}</h{level}>\n", typeset(text))
    }

    /// A section under its heading; one that only a full report shows is folded.
    fn section(&mut self, section: &Section) -> String {
        let class = if section.name.is_empty() { "state" } else { section.name };
        if section.title.is_empty() {
            return format!("<div class=\"{class}\">\n{}</div>\n", self.render(&section.content));
        }
        if section.depth == Depth::Full {
            let content = self.render(&section.content);
            let title = typeset(&section.title);
            return format!("<details class=\"{class}\">\n<summary>{title}</summary>\n{content}</details>\n");
        }
        let heading = self.heading(section.level, &section.title);
        format!("<section class=\"{class}\">\n{heading}{}</section>\n", self.render(&section.content))
    }

    /// A table that scrolls inside itself; cells with the title of a place become links to it.
    fn table(&mut self, table: &Table) -> String {
        let header: String = table.header.iter().map(|h| format!("<th>{}</th>", typeset(h))).collect();
        let cell = |cell: &Cell| match cell {
            Cell::Text(text) => format!("<td>{}</td>", typeset(text)),
            Cell::Link(title, text) => format!("<td><a href=\"#{}\">{}</a></td>", slug(title), escape(text)),
            Cell::Number(x) => format!("<td class=\"n\">{}</td>", typeset(&significant(*x))),
            Cell::Verdict(tone, word) => format!("<td>{}</td>", badge(*tone, word)),
            Cell::Picture(svg) => format!("<td class=\"thumbnail\">{}</td>", inline(svg)),
        };
        let row = |cells: &Vec<Cell>| format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>());
        let rows: String = table.rows.iter().map(row).collect();
        format!(
            "<div class=\"scroll\"><table>\n<thead><tr>{header}</tr></thead>\n<tbody>{rows}</tbody></table></div>\n"
        )
    }

    /// An id for a title that no other place has.
    fn id(&mut self, title: &str) -> String {
        let base = slug(title);
        let mut id = base.clone();
        let mut count = 1;
        while !self.ids.insert(id.clone()) {
            count += 1;
            id = format!("{base}-{count}");
        }
        id
    }

    /// The table of contents, where there is more than one place to go to.
    fn contents(&self) -> String {
        if self.places.len() < 2 {
            return String::new();
        }
        let entry =
            |(id, title): &(String, String)| format!("<li><a href=\"#{id}\">{}</a></li>\n", escape(title));
        let entries: String = self.places.iter().map(entry).collect();
        format!(
            "<nav aria-label=\"Contents\"><details open><summary>Contents</summary><ul>\n{entries}</ul></details></nav>\n"
        )
    }
}

/// A title as part of an address.
fn slug(title: &str) -> String {
    let letters = title.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    letters.collect::<String>().split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

fn badge(tone: Tone, word: &str) -> String {
    let class = match tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Several => "several",
        Tone::Jam => "jam",
        Tone::Open => "open",
    };
    format!("<span class=\"badge {class}\">{}</span>", escape(word))
}

fn render_fields(fields: &[(String, String, String)]) -> String {
    let row = |(label, value, remark): &(String, String, String)| {
        format!(
            "<tr><th>{}</th><td>{}</td><td class=\"remark\">{}</td></tr>\n",
            typeset(label),
            typeset(value),
            typeset(remark)
        )
    };
    let rows: String = fields.iter().map(row).collect();
    format!("<div class=\"scroll\"><table class=\"fields\">\n{rows}</table></div>\n")
}

/// A matrix between brackets.
fn render_matrix(matrix: &Matrix) -> String {
    let cell = |x: &f64| format!("<td class=\"n\">{}</td>", significant(*x).replace('-', "−"));
    let row = |cells: &Vec<f64>| format!("<tr>{}</tr>", cells.iter().map(cell).collect::<String>());
    let rows: String = matrix.rows.iter().map(row).collect();
    let name = words::name(&matrix.name);
    format!("<div class=\"matrix\"><span>{name} =</span><table>{rows}</table></div>")
}

/// Pictures side by side; one alone stands beside the text.
fn render_figures(figures: &[Figure]) -> String {
    let figure = |figure: &Figure| {
        let caption = &figure.caption;
        format!(
            "<figure role=\"img\" aria-label=\"{}\">{}<figcaption>{}</figcaption></figure>\n",
            attribute(caption),
            inline(&figure.svg),
            typeset(caption)
        )
    };
    let class = if figures.len() == 1 { "figures alone" } else { "figures" };
    format!("<div class=\"{class}\">\n{}</div>\n", figures.iter().map(figure).collect::<String>())
}

/// A picture as part of a page: without the declaration of a file.
fn inline(svg: &str) -> &str {
    svg.find("<svg").map_or(svg, |start| &svg[start..]).trim_end()
}

fn render_equations(equations: &Equations) -> String {
    let groups = formulas::groups(&equations.latex);
    if groups.is_empty() {
        return format!("<pre>{}</pre>\n", escape(&equations.text));
    }
    format!("<div class=\"scroll\">{groups}</div>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_a_file_cannot_become_markup() {
        let mut document = Document::new();
        document.heading(1, "<script>");
        document.heading(2, "<script>\"");
        document.paragraph("<script> lambda_N");
        document.warning("<script>");
        document.fields(vec![("<script>".into(), "<script>".into(), "<script>".into())]);
        document.matrices(vec![Matrix { name: "<script>".into(), rows: vec![vec![1.0]] }]);
        document.table(Table {
            header: vec!["<script>".into()],
            rows: vec![
                vec![Cell::Text("<script>".into())],
                vec![Cell::Verdict(Tone::Good, "<script>".into())],
                vec![Cell::Link("<script>".into(), "<script>".into())],
            ],
        });
        let equations = Equations { text: "<script>".into(), latex: "<script>".into() };
        document.blocks.push(Block::Equations(equations));
        let caption = "\"<script>".to_string();
        document.blocks.push(Block::Pictures(vec![Figure { caption, svg: "<svg></svg>".into() }]));
        let page = render_html(&document);
        assert!(!page.contains("<script>") && !page.contains("\"\""), "{page}");
    }

    #[test]
    fn the_style_of_a_part_says_nothing_of_the_page_around_it() {
        let mut document = Document::new();
        document.heading(1, "rod");
        let part = render_html_part(&document);
        assert!(part.starts_with("<div class=\"mechan\">") && part.contains("<h1>rod</h1>"), "{part}");
        assert!(part.contains(".mechan{&{--ink:"), "{part}");
        for outside in [":root", "html{", "body{", "<html", "<body", "<nav"] {
            assert!(!part.contains(outside), "{outside}: {part}");
        }
        // every brace of the nested style is closed
        let count = |brace: char| part.matches(brace).count();
        assert_eq!(count('{'), count('}'));
    }

    #[test]
    fn places_of_the_same_name_are_told_apart_and_listed() {
        let mut document = Document::new();
        document.heading(1, "rod");
        document.heading(2, "State a_b");
        document.heading(2, "State a b");
        let page = render_html(&document);
        for wanted in ["<h2 id=\"state-a-b\">", "<h2 id=\"state-a-b-2\">", "href=\"#state-a-b-2\""] {
            assert!(page.contains(wanted), "{wanted}: {page}");
        }
    }
}
