//! Pages of Markdown: their text, fenced blocks, headings.

use std::path::{Path, PathBuf};

/// A page, by its path from the package root.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A fenced block: the word after the fence, and the lines within.
#[derive(Debug)]
pub(crate) struct Block<'t> {
    pub(crate) language: &'t str,
    pub(crate) lines: Vec<&'t str>,
}

impl Page {
    pub(crate) fn of(path: &str) -> Self {
        Self::read(Path::new(path))
    }

    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Self { path: path.to_owned(), text }
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut open = false;
        for line in self.text.lines() {
            match (line.strip_prefix("```"), open) {
                (Some(language), false) => blocks.push(Block { language, lines: Vec::new() }),
                (None, true) => blocks.last_mut().unwrap().lines.push(line),
                (Some(_), true) | (None, false) => {}
            }
            open ^= line.starts_with("```");
        }
        assert!(!open, "{}: a fence is not closed", self.name());
        blocks
    }

    /// The text without its fenced blocks; their lines are empty, so that numbers of lines stay.
    pub(crate) fn prose(&self) -> Vec<&str> {
        let mut open = false;
        let outside = |line| {
            let fence = str::starts_with(line, "```");
            open ^= fence;
            if open || fence { "" } else { line }
        };
        self.text.lines().map(outside).collect()
    }

    /// Whole mechanisms of the page, by name.
    pub(crate) fn mechanisms(&self) -> Vec<(String, String)> {
        let yaml = self.blocks().into_iter().filter(|block| block.language == "yaml");
        let whole = yaml.filter(|block| block.lines.contains(&"mechan: 1"));
        whole
            .map(|block| {
                let name = block.lines.iter().find_map(|line| line.strip_prefix("name: "));
                (name.expect("a mechanism has a name").to_owned(), block.lines.join("\n") + "\n")
            })
            .collect()
    }
}

/// All pages below `docs`, in the order of their paths.
pub(crate) fn book() -> Vec<Page> {
    let mut paths = Vec::new();
    collect(Path::new("docs"), &mut paths);
    paths.sort();
    paths.iter().map(|path| Page::read(path)).collect()
}

/// Pages outside the book that are checked as it is: the README, and records beside what they are about.
const BESIDE: [&str; 7] = [
    "README.md",
    "benches/README.md",
    "crates/check/FORMAT.md",
    "crates/contact/RECORD.md",
    "tests/book/library.md",
    "tests/paper/errata.md",
    "theorems/README.md",
];

/// The book, and the pages beside it.
pub(crate) fn all() -> Vec<Page> {
    let mut pages = book();
    pages.extend(BESIDE.map(Page::of));
    pages
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
}
