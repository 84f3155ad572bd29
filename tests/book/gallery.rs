//! The gallery: every shipped mechanism with a picture and the answer at the state of the picture; and, outside the book, with its equations
//! and the answers at all of its states. Both pages are what this makes; `MECHAN_GALLERY=write cargo test --test book gallery` writes them.

use mechan::analysis::{Analysis, StateOutcome};
use mechan::derive::{Equations, Wording};
use mechan::model::Model;
use mechan::pipeline::{
    AnalyzeOptions, Deriver, LIBRARY, Loaded, Topic, analyze, derive_equations, derive_model, load_shipped,
    state_pictures,
};
use mechan::plot::StatePlot;
use mechan::predict::Verdict;
use mechan::report::{Choice, analysis_document, render_markdown};
use std::fmt::Write;
use std::path::Path;

/// Longer formulas are left to `mechan derive`.
const LONGEST: usize = 500;

/// The page of the book, and the one beside this file.
const PAGES: [&str; 2] = ["docs/gallery.md", "tests/book/library.md"];

const GALLERY: &str = "# Gallery

The mechanisms that travel with the program, each with the answer at the state of its picture, which is the one that has most to tell.
A picture shows friction cones (amber), contact forces (brown), slip (blue) and gravity (grey).

`mechan analyze NAME --brief` has a line for each state, `mechan derive NAME` the equations, and
`mechan analyze NAME --format html --output NAME.html` makes a page of both. In the repository `tests/book/library.md` has them of all
mechanisms. Which numbers are chosen, and why, is in [the mechanism library](mechanisms.md).
";

const LIBRARY_PAGE: &str = "# The shipped mechanisms

Of each mechanism M and h, where they fit a line or two, and a line for each of its states, as `mechan derive NAME` and
`mechan analyze NAME --brief` have them. `tests/book/gallery.rs` writes this page.
";

/// A shipped mechanism with everything that is shown of it.
struct Exhibit {
    loaded: Loaded,
    analysis: Analysis,
    model: Model,
    equations: Equations,
}

impl Exhibit {
    fn of(shipped: &mechan::pipeline::Shipped) -> Self {
        let loaded = load_shipped(shipped).expect("it travels with the program");
        let deriver = Deriver::program(env!("CARGO_BIN_EXE_mechan"));
        let model = derive_model(&loaded, &deriver).expect("a model");
        let equations = derive_equations(&loaded, &deriver, Wording::Short).expect("equations");
        let analysis = analyze(&loaded, &model, &AnalyzeOptions::default()).expect("an analysis");
        Self { loaded, analysis, model, equations }
    }

    /// The state with most to tell: one without exactly one motion, or else the first.
    fn state(&self) -> Option<&StateOutcome> {
        let odd = |state: &&StateOutcome| state.prospect.verdict != Some(Verdict::Consistent);
        let drawn = |state: &&StateOutcome| self.picture(state).is_some();
        let states = || self.analysis.outcomes().filter(drawn);
        states().filter(|state| !state.closed.is_empty()).find(odd).or_else(|| states().next())
    }

    fn picture(&self, state: &StateOutcome) -> Option<String> {
        let pictures = state_pictures((&self.loaded, &self.model), (&self.analysis, &[]), state);
        let mechanism = pictures.into_iter().find(|drawn| drawn.plot == StatePlot::State)?;
        Some(mechanism.picture.svg().to_owned())
    }

    /// M and h, where they fit a page; rows end so that Markdown leaves them alone.
    fn formulas(&self) -> Option<String> {
        let Equations { mass_matrix, bias, definitions, .. } = &self.equations;
        let row = |entries: &Vec<mechan::derive::Printed>| {
            entries.iter().map(|entry| entry.latex.as_str()).collect::<Vec<_>>().join(" & ")
        };
        let rows: Vec<String> = mass_matrix.iter().map(row).collect();
        let column: Vec<&str> = bias.iter().map(|entry| entry.latex.as_str()).collect();
        let matrix = |rows: &str| format!("\\begin{{pmatrix}} {rows} \\end{{pmatrix}}");
        let (m, h) = (matrix(&rows.join(" \\cr ")), matrix(&column.join(" \\cr ")));
        let text = format!("$$M = {m}, \\qquad h = {h}$$");
        // a bar ends a cell of a table
        let text = text.replace(r"\left|", r"\left\lvert ").replace(r"\right|", r"\right\rvert ");
        (definitions.is_empty() && text.len() <= LONGEST).then_some(text)
    }

    /// The table of one line a state; what rounding leaves of a zero depends on the machine.
    fn verdicts(&self) -> String {
        let (table, _) = analysis_document(&self.analysis).chosen(&Choice::Only(vec!["overview".to_owned()]));
        let text = render_markdown(&table);
        let table: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        without_noise(&table.join("\n"))
    }
}

/// Numbers below 1e-11 as 0.
fn without_noise(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '-');
    let noise = |word: &str| word.contains("e-") && word.parse::<f64>().is_ok_and(|x| x.abs() < 1e-11);
    let words = text.split_inclusive(|c: char| !is_part(c)).map(|piece| {
        let word = piece.trim_end_matches(|c: char| !is_part(c));
        if noise(word) { format!("0{}", &piece[word.len()..]) } else { piece.to_owned() }
    });
    words.collect()
}

/// The pages, and the pictures in them by their names.
fn gallery() -> ([String; 2], Vec<(String, String)>) {
    let (mut gallery, mut library) = (GALLERY.to_owned(), LIBRARY_PAGE.to_owned());
    let mut pictures = Vec::new();
    let mut topic: Option<Topic> = None;
    for shipped in LIBRARY {
        let exhibit = Exhibit::of(shipped);
        let name = shipped.name;
        let title = exhibit.loaded.mechanism.title.as_deref().unwrap_or(name);
        if topic != Some(shipped.topic) {
            write!(gallery, "\n## {}\n", shipped.topic.words()).unwrap();
            write!(library, "\n## {}\n", shipped.topic.words()).unwrap();
            topic = Some(shipped.topic);
        }
        let verdicts = exhibit.verdicts();
        write!(gallery, "\n### {name}\n\n{title}.").unwrap();
        if let Some((state, svg)) = exhibit.state().and_then(|state| Some((state, exhibit.picture(state)?))) {
            let answer = answer_at(&verdicts, &state.state);
            write!(gallery, " {answer}\n\n![{name}](img/gallery/{name}.svg)").unwrap();
            pictures.push((format!("{name}.svg"), svg));
        }
        gallery += "\n";
        let too_long = format!("Its equations are too long for here: `mechan derive {name}`.");
        let formulas = exhibit.formulas().unwrap_or(too_long);
        write!(library, "\n### {name}\n\n{title}.\n\n{formulas}\n\n{verdicts}\n").unwrap();
    }
    ([gallery, library], pictures)
}

/// A row of the table as a sentence.
fn answer_at(verdicts: &str, state: &str) -> String {
    let cells = |row: &str| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
    let mut rows = verdicts.lines().map(cells).filter(|row: &Vec<String>| row[0].replace('\\', "") == state);
    let row = rows.next().expect("each state has its row");
    let more = if row[3].is_empty() { String::new() } else { format!("; {}", row[3]) };
    format!("State `{state}`: {}, {}{more}.", row[1], row[2])
}

#[test]
fn gallery_is_what_the_library_makes() {
    let (pages, pictures) = gallery();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let images = root.join("docs/img/gallery");
    if std::env::var_os("MECHAN_GALLERY").is_some_and(|wish| wish == "write") {
        std::fs::create_dir_all(&images).unwrap();
        for (path, page) in PAGES.iter().zip(&pages) {
            std::fs::write(root.join(path), page).unwrap();
        }
        for (name, svg) in &pictures {
            std::fs::write(images.join(name), svg).unwrap();
        }
    }
    assert!(pictures.len() > 20, "{}", pictures.len());
    for (path, page) in PAGES.iter().zip(&pages) {
        let written = std::fs::read_to_string(root.join(path)).unwrap();
        let differs = page.lines().zip(written.lines()).find(|(made, found)| made != found);
        assert!(*page == written, "{path} is not what the library makes: {differs:?}");
    }
    let mut found: Vec<String> = std::fs::read_dir(&images)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    let mut expected: Vec<String> = pictures.iter().map(|(name, _)| name.clone()).collect();
    expected.sort();
    assert_eq!(found, expected);
    for (name, svg) in &pictures {
        assert!(std::fs::read_to_string(images.join(name)).unwrap() == *svg, "docs/img/gallery/{name}");
    }
}

#[test]
fn noise_is_zero_and_nothing_else_is() {
    let text = "(relative distance 1.3e-18) -2e-12, 1e-5 and 0.5 | -0.2";
    assert_eq!(without_noise(text), "(relative distance 0) 0, 1e-5 and 0.5 | -0.2");
}
