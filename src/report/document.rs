//! What a report says, without how it looks.

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
    /// Labelled values, aligned: (label, value, remark).
    Fields(Vec<(String, String, String)>),
    /// Named matrices, side by side where the medium allows.
    Matrices(Vec<Matrix>),
    /// A table.
    Table(Table),
    /// What the reader should be careful about.
    Warning(String),
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
}

impl Cell {
    /// The words or digits of the cell.
    pub fn words(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(x) => super::significant(*x),
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

    /// Adds all parts of another report.
    pub fn append(&mut self, mut other: Document) {
        self.blocks.append(&mut other.blocks);
    }
}
