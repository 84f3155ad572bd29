//! The form of a report and where it goes: the options that every reporting command shares.

use super::output::write_result;
use crate::diag::Color;
use crate::pipeline::{Failure, Usage};
use crate::report::{Document, Figure, render_html, render_markdown, render_text_in};
use clap::{Args, ValueEnum};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(super) struct ReportForm {
    /// Form of the report [default: that of the ending of --output, or text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write the report to a file
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    #[value(alias = "txt")]
    Text,
    #[value(alias = "md")]
    Markdown,
    #[value(alias = "htm")]
    Html,
    Json,
}

/// Endings of data files.
const DATA: [&str; 3] = ["csv", "parquet", "json"];

/// Endings of reports.
const REPORTS: [&str; 4] = ["txt", "md", "html", "htm"];

/// Endings of pictures.
const PICTURES: [&str; 2] = ["svg", "png"];

/// Endings of motions for viewers.
const FILMS: [&str; 1] = ["glb"];

/// What a command writes into files beside reports: everything it finds as JSON, its numbers as tables too, or also its motion as glTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Json,
    Tables,
    Motions,
}

/// Whether a file has one of some endings, in letters of any size.
pub(super) fn ends(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|e| endings.iter().any(|name| e.eq_ignore_ascii_case(name)))
}

impl ReportForm {
    /// Of a command with forms of its own beside these.
    pub(super) fn new(format: Option<Format>, output: Option<PathBuf>) -> Self {
        ReportForm { format, output }
    }

    /// That the file of `--output` is one that can be written, before anything is computed: what its name ends in, or what `--format` says.
    pub(super) fn check(&self, written: Written) -> Result<(), Failure> {
        let (data, films): (&[&'static str], &[&'static str]) = match written {
            Written::Json => (&DATA[2..], &[]),
            Written::Tables => (&DATA, &[]),
            Written::Motions => (&DATA, &FILMS),
        };
        let known = || REPORTS.iter().chain(data).chain(films).copied();
        let Some(path) = self.output.as_deref() else { return Ok(()) };
        let file = || path.display().to_string();
        if ends(path, &PICTURES) {
            return Err(Usage::ReportAsPicture { file: file() }.into());
        }
        // a table is none in another form
        let said = self.format.is_some() && !ends(path, &DATA) && !ends(path, &FILMS);
        if said || path.extension().is_none() || known().any(|ending| ends(path, &[ending])) {
            return Ok(());
        }
        Err(Usage::Ending { file: file(), known: known().collect() }.into())
    }

    /// Writes a report as a document or as JSON; only what is asked for is made.
    pub(super) fn write(
        &self,
        document: impl FnOnce() -> Document,
        json: impl FnOnce() -> serde_json::Result<String>,
    ) -> Result<(), Failure> {
        self.write_in(Color::Plain, document, json)
    }

    /// The same, with text in colour if it goes to a terminal that has it.
    pub(super) fn write_in(
        &self,
        color: Color,
        document: impl FnOnce() -> Document,
        json: impl FnOnce() -> serde_json::Result<String>,
    ) -> Result<(), Failure> {
        let color = if self.output.is_none() { color } else { Color::Plain };
        let text = match self.chosen() {
            Format::Text => render_text_in(&document(), color),
            Format::Markdown => render_markdown(&document()),
            Format::Html => render_html(&document()),
            Format::Json => json().map_err(Failure::unprintable("the report"))? + "\n",
        };
        write_result(&text, self.output.as_deref())
    }

    /// The form that is asked for, or that of the file's ending.
    fn chosen(&self) -> Format {
        let of_ending = |ending: &OsStr| Format::from_str(ending.to_str()?, true).ok();
        let ending = self.output.as_deref().and_then(Path::extension).and_then(of_ending);
        self.format.or(ending).unwrap_or(Format::Text)
    }

    /// Whether it is a page.
    pub(super) fn is_html(&self) -> bool {
        self.chosen() == Format::Html
    }

    /// Whether it has everything that is known, as JSON, whatever documents would show.
    pub(super) fn is_whole(&self) -> bool {
        self.chosen() == Format::Json
    }

    /// What a page shows in pictures; nothing else shows any.
    pub(super) fn pictures(&self, drawn: impl FnOnce() -> Vec<Figure>) -> Vec<Figure> {
        if self.is_html() { drawn() } else { Vec::new() }
    }

    /// Whether it is asked for as JSON, for a program.
    pub(super) fn is_json(&self) -> bool {
        self.format == Some(Format::Json)
    }

    /// The file of `--output`, if it is one of data.
    pub(super) fn data_file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| ends(path, &DATA))
    }

    /// The file of `--output`, if it is a motion for viewers.
    pub(super) fn film(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| ends(path, &FILMS))
    }

    /// The file of `--output`, unless it is that of a report.
    pub(super) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !ends(path, &REPORTS))
    }

    /// Writes a report to standard output, whose data went to a file; nothing where the file has the JSON that was asked for.
    pub(super) fn show(
        &self,
        document: impl FnOnce() -> Document,
        json: impl FnOnce() -> serde_json::Result<String>,
    ) -> Result<(), Failure> {
        if self.is_json() && self.data_file().is_some_and(|path| ends(path, &["json"])) {
            return Ok(());
        }
        ReportForm { format: self.format, output: None }.write(document, json)
    }
}
