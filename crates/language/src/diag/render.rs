//! Diagnostics as text: the source line with the offending characters marked. Tabs are shown as spaces, other
//! control characters as `�`, and of a long line only the surroundings of the mark.

use super::{Diagnostic, Severity, Source, Span};

/// How many diagnostics [`render_all`] prints before it only counts.
pub const SHOWN: usize = 20;
/// Characters of the source line shown before the mark and after its start.
const BEFORE: usize = 50;
const AFTER: usize = 70;
/// What a tab is shown as.
const TAB: &str = "    ";

/// Whether the text is meant for a terminal that understands ANSI colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// No escape sequences.
    Plain,
    /// ANSI escape sequences.
    Ansi,
}

impl Color {
    /// A text in a style, by the numbers of its escape sequence.
    pub fn paint(self, style: &str, text: &str) -> String {
        match self {
            Color::Plain => text.to_owned(),
            Color::Ansi => format!("\x1b[{style}m{text}\x1b[0m"),
        }
    }
}

/// Renders one diagnostic against its source: message, place, marked line and hint, ending with a line feed.
/// A span that does not fit the source is moved into it.
pub fn render(diagnostic: &Diagnostic, source: &Source, color: Color) -> String {
    let (word, style) = match diagnostic.severity {
        Severity::Error => ("error", "1;31"),
        Severity::Warning => ("warning", "1;33"),
    };
    let head = color.paint(style, &format!("{word}[{}]", diagnostic.code));
    let mut text = format!("{head}: {}\n", color.paint("1", &visible(&diagnostic.message)));
    text += &place(diagnostic, source, color);
    let margin = match diagnostic.span {
        Some(span) => {
            let line = Line::new(source, span);
            text += &line.render(style, color);
            line.number.len()
        }
        None => 1,
    };
    for line in diagnostic.hint.iter().flat_map(|hint| hint.lines().enumerate()) {
        let lead = if line.0 == 0 { "= hint:" } else { "       " };
        text += &format!("{:margin$} {} {}\n", "", color.paint("1;34", lead), visible(line.1));
    }
    text
}

/// Renders all diagnostics in the order of their places, at most [`SHOWN`] of them, separated by empty lines,
/// and says how many more there are.
pub fn render_all(diagnostics: &[Diagnostic], source: &Source, color: Color) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| (d.span, d.code));
    let shown: Vec<String> = sorted.iter().take(SHOWN).map(|d| render(d, source, color)).collect();
    let mut text = shown.join("\n");
    if sorted.len() > SHOWN {
        text += &format!("\n... and {} more\n", sorted.len() - SHOWN);
    }
    text
}

/// "2 errors, 1 warning"; empty without diagnostics.
pub fn summary(diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    [(errors, "error"), (diagnostics.len() - errors, "warning")]
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}{}", if *count == 1 { "" } else { "s" }))
        .collect::<Vec<_>>()
        .join(", ")
}

fn place(diagnostic: &Diagnostic, source: &Source, color: Color) -> String {
    let mut at = visible(&source.name);
    let mut margin = 1;
    if let Some(span) = diagnostic.span {
        let (line, column) = source.line_column(span.start);
        at += &format!(":{line}:{column}");
        margin = line.to_string().len();
    }
    let path =
        if diagnostic.path.is_empty() { String::new() } else { format!("   {}", visible(&diagnostic.path)) };
    format!("{:margin$}{} {at}{path}\n", "", color.paint("1;34", "-->"))
}

/// The part of a source line that is shown, and the place of the mark in it.
struct Line {
    number: String,
    text: String,
    indent: usize,
    marked: usize,
}

impl Line {
    fn new(source: &Source, span: Span) -> Self {
        let start = source.boundary(span.start);
        let line_start = source.text[..start].rfind('\n').map_or(0, |i| i + 1);
        let head: Vec<char> = source.text[line_start..start].chars().rev().take(BEFORE + 1).collect();
        let rest = source.text[start..].split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let tail: String = rest.chars().take(AFTER).collect();
        let marked = source.boundary(span.end).saturating_sub(start).min(tail.len());
        let cut = |cut: bool| if cut { "…" } else { "" };
        let before: String = head.iter().take(BEFORE).rev().collect();
        let before = format!("{}{}", cut(head.len() > BEFORE), visible(&before));
        let after = format!("{}{}", visible(&tail), cut(tail.len() < rest.len()));
        let marked: String = tail.char_indices().filter(|(i, _)| *i < marked).map(|(_, c)| c).collect();
        Self {
            number: source.line_column(start).0.to_string(),
            indent: before.chars().count(),
            marked: visible(&marked).chars().count().max(1),
            text: before + after.as_str(),
        }
    }

    fn render(&self, style: &str, color: Color) -> String {
        let bar = color.paint("1;34", "|");
        let number = color.paint("1;34", &self.number);
        let mark = color.paint(style, &"^".repeat(self.marked));
        let text = self.text.trim_end();
        let (margin, indent) = (" ".repeat(self.number.len()), " ".repeat(self.indent));
        format!("{margin} {bar}\n{number} {bar} {text}\n{margin} {bar} {indent}{mark}\n")
    }
}

/// Text that a terminal shows as it stands.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => shown += TAB,
            c if c.is_control() => shown.push('\u{fffd}'),
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(source: &Source, found: &str) -> Diagnostic {
        let start = source.text.find(found).unwrap();
        Diagnostic::error("M012", "message").with_span(Span::new(start, start + found.len()))
    }

    #[test]
    fn tabs_multibyte_characters_and_crlf_keep_the_mark_in_place() {
        let source = Source::new("f.yaml", "a: 1\r\n\tüß: wrong # x\r\n");
        let expected =
            "error[M012]: message\n --> f.yaml:2:6\n  |\n2 |     üß: wrong # x\n  |         ^^^^^\n";
        assert_eq!(render(&at(&source, "wrong"), &source, Color::Plain), expected);
    }

    #[test]
    fn of_a_huge_line_only_the_surroundings_are_shown() {
        let source = Source::new("f", format!("{}wrong{}", "a".repeat(5_000_000), "é".repeat(2_500_000)));
        let text = render(&at(&source, "wrong"), &source, Color::Plain);
        assert!(text.len() < 500, "{}", text.len());
        assert!(text.contains("…aaa") && text.contains("éé…") && text.contains("^^^^^"), "{text}");
    }

    #[test]
    fn spans_outside_the_source_do_no_harm() {
        let source = Source::new("f", "é");
        for (start, end) in [(0, 1), (1, 1), (7, 3), (9, 1000), (2, 2)] {
            let d = Diagnostic::error("M012", "m").with_span(Span::new(start, end));
            assert!(render(&d, &source, Color::Plain).contains('^'));
        }
    }

    #[test]
    fn many_diagnostics_are_sorted_by_place_and_capped() {
        let source = Source::new("f", "x\n".repeat(100));
        let all: Vec<_> = (0..57)
            .rev()
            .map(|i| Diagnostic::error("M012", format!("no {i}")).with_span(Span::new(2 * i, 2 * i + 1)))
            .collect();
        let text = render_all(&all, &source, Color::Plain);
        assert!(text.starts_with("error[M012]: no 0\n"), "{text}");
        assert!(text.contains("no 19\n") && !text.contains("no 20\n"), "{text}");
        assert!(text.ends_with("\n... and 37 more\n"), "{text}");
        assert_eq!(summary(&all), "57 errors");
    }

    #[test]
    fn escape_sequences_of_the_input_are_not_passed_on() {
        let source = Source::new("f", "a: \x1b[31mred");
        assert!(!render(&at(&source, "red"), &source, Color::Plain).contains('\x1b'));
    }

    #[test]
    fn colour_changes_no_other_character() {
        let source = Source::new("f", "a: wrong");
        let diagnostic = at(&source, "wrong").with_hint("write 1").with_path("a");
        let mut coloured = render(&diagnostic, &source, Color::Ansi);
        for style in ["1;31", "1;33", "1;34", "1", "0"] {
            coloured = coloured.replace(&format!("\x1b[{style}m"), "");
        }
        assert_eq!(coloured, render(&diagnostic, &source, Color::Plain));
    }
}
