//! One report in every form: text short and usual, Markdown, and a page without pictures, which have tests of their own.

use super::snapshots::settings;
use mechan::pipeline::{AnalyzeOptions, Deriver, load};
use mechan::report::{
    Choice, Depth, Equations, Illustrations, analysis_document, illustrated_document, render_html,
    render_markdown, render_text,
};

fn analysis() -> mechan::analysis::Analysis {
    let rod = load("painleve_rod").expect("a mechanism of the library");
    let rod = rod.derive(&Deriver::nobody()).expect("it travels with its model");
    let states = ["inconsistent", "upright"].map(String::from).to_vec();
    rod.analyze(&AnalyzeOptions { states, ..AnalyzeOptions::default() }).expect("an analysis")
}

#[test]
fn renderings() {
    let whole = analysis_document(&analysis());
    let usual = whole.chosen(&Choice::UpTo(Depth::Usual)).0;
    let equations = Equations {
        text: "M = [m]".to_string(),
        latex: "% painleve_rod\n\\begin{align*}\nV &= m g y\n\\end{align*}\n".to_string(),
    };
    let shown = Illustrations { equations: Some(equations), ..Illustrations::default() };
    let page = illustrated_document(&analysis(), &shown);
    settings().bind(|| {
        insta::assert_snapshot!("rendered_brief", render_text(&whole.chosen(&Choice::UpTo(Depth::Brief)).0));
        insta::assert_snapshot!("rendered_usual", render_text(&usual));
        insta::assert_snapshot!("rendered_markdown", render_markdown(&page));
        let html = render_html(&page);
        let (head, body) = html.split_at(html.find("<body>").expect("a page has a body"));
        insta::assert_snapshot!("rendered_page_head", head);
        insta::assert_snapshot!("rendered_page_body", body);
    });
}

/// Every section that there is can be asked for, and the list of `--section` knows no other.
#[test]
fn sections_are_those_of_the_list() {
    use mechan::report::{Block, Document, SECTIONS};
    fn names(document: &Document, found: &mut Vec<&'static str>) {
        for block in &document.blocks {
            if let Block::Section(section) = block {
                found.push(section.name);
                names(&section.content, found);
            }
        }
    }
    let mut found = Vec::new();
    names(&analysis_document(&analysis()), &mut found);
    for name in found.iter().filter(|name| !name.is_empty()) {
        assert!(SECTIONS.iter().any(|(known, _)| known == name), "{name}");
    }
    assert!(
        ["overview", "why", "modes", "rest", "step"].iter().all(|name| found.contains(name)),
        "{found:?}"
    );
}
