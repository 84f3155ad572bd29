//! What a report says, without how it looks: named sections from short to long, and what stands in them.

/// A report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Its parts in reading order.
    pub blocks: Vec<Block>,
}

/// A part of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading; level 1 is the report's own.
    Heading(u8, String),
    /// Running text.
    Paragraph(String),
    /// Running text of somebody else, in which letters are what they are.
    Quote(String),
    /// Labelled values, aligned: (label, value, remark).
    Fields(Vec<(String, String, String)>),
    /// Named matrices, side by side where the medium allows.
    Matrices(Vec<Matrix>),
    /// A table.
    Table(Table),
    /// What the reader should be careful about.
    Warning(String),
    /// What was left out, or how to go on.
    Note(String),
    /// A verdict: what it is like, its word, and how the sentence goes on.
    Verdict {
        /// What it is like.
        tone: Tone,
        /// Its word.
        word: String,
        /// The rest of the sentence, with what stands between.
        rest: String,
    },
    /// Pictures, side by side where the medium allows; a medium of letters leaves them out.
    Pictures(Vec<Figure>),
    /// Equations as text and as LaTeX.
    Equations(Equations),
    /// A named part.
    Section(Section),
}

/// How much of a report is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// The answer in a line a state.
    Brief,
    /// What a reader needs.
    Usual,
    /// Everything.
    Full,
}

/// A part of a report that can be asked for by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Its name, one of [`SECTIONS`](super::SECTIONS); empty: only what is in it can be asked for.
    pub name: &'static str,
    /// From which depth on it is shown.
    pub depth: Depth,
    /// Level of its heading.
    pub level: u8,
    /// Its heading; empty: none.
    pub title: String,
    /// What it says.
    pub content: Document,
}

/// What a verdict is like, for its colour; the word always goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// One motion.
    Good,
    /// None.
    Bad,
    /// Several.
    Several,
    /// Near a jam.
    Jam,
    /// It is not known, or there is nothing to judge.
    Open,
}

/// A picture in a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it shows.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

/// Equations in print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equations {
    /// For a terminal.
    pub text: String,
    /// `align*` environments.
    pub latex: String,
}

/// A matrix with its name; a row vector is a matrix of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Name, such as `M`.
    pub name: String,
    /// Rows of entries.
    pub rows: Vec<Vec<f64>>,
}

/// A table of cells under a header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Column titles.
    pub header: Vec<String>,
    /// Rows of cells.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell: how it is aligned follows from what it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words, aligned left.
    Text(String),
    /// A number, aligned right.
    Number(f64),
    /// A verdict, coloured where the medium has colours.
    Verdict(Tone, String),
    /// Words that lead to the part with this title, where the medium has links.
    Link(String, String),
    /// A small picture as SVG; a medium of letters leaves its column out.
    Picture(String),
}

impl Cell {
    /// The words or digits of the cell.
    pub fn words(&self) -> String {
        match self {
            Cell::Text(text) | Cell::Verdict(_, text) | Cell::Link(_, text) => text.clone(),
            Cell::Number(x) => super::significant(*x),
            Cell::Picture(_) => String::new(),
        }
    }
}

impl Document {
    /// An empty report.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a heading.
    pub fn heading(&mut self, level: u8, text: impl Into<String>) {
        self.blocks.push(Block::Heading(level, text.into()));
    }

    /// Adds running text.
    pub fn paragraph(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds running text of somebody else.
    pub fn quote(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Quote(text.into()));
    }

    /// Adds labelled values.
    pub fn fields(&mut self, fields: Vec<(String, String, String)>) {
        if !fields.is_empty() {
            self.blocks.push(Block::Fields(fields));
        }
    }

    /// Adds matrices.
    pub fn matrices(&mut self, matrices: Vec<Matrix>) {
        if !matrices.is_empty() {
            self.blocks.push(Block::Matrices(matrices));
        }
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    /// Adds a warning.
    pub fn warning(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Warning(text.into()));
    }

    /// Adds a note.
    pub fn note(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Note(text.into()));
    }

    /// Adds a named part with a heading of level 3; nothing if it says nothing.
    pub fn section(&mut self, name: &'static str, depth: Depth, title: impl Into<String>, content: Document) {
        if !content.blocks.is_empty() {
            self.blocks.push(Block::Section(Section { name, depth, level: 3, title: title.into(), content }));
        }
    }

    /// The same with pictures under its first heading.
    #[must_use]
    pub fn with_pictures(mut self, figures: Vec<Figure>) -> Self {
        if !figures.is_empty() {
            let place = self.blocks.len().min(1);
            self.blocks.insert(place, Block::Pictures(figures));
        }
        self
    }

    /// Adds all parts of another report.
    pub fn append(&mut self, mut other: Document) {
        self.blocks.append(&mut other.blocks);
    }
}

impl Table {
    /// The same without columns of pictures, for a medium of letters.
    #[must_use]
    pub fn without_pictures(&self) -> Self {
        let pictured = |j: usize| self.rows.iter().any(|row| matches!(row.get(j), Some(Cell::Picture(_))));
        let kept: Vec<usize> = (0..self.header.len()).filter(|&j| !pictured(j)).collect();
        let row = |row: &Vec<Cell>| kept.iter().filter_map(|&j| row.get(j).cloned()).collect();
        Self {
            header: kept.iter().map(|&j| self.header[j].clone()).collect(),
            rows: self.rows.iter().map(row).collect(),
        }
    }
}
