//! Printed equations group by group, as Markdown and HTML set them.

/// A group of equations: what it belongs to, and the lines of one `align*` environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Formulas {
    pub(super) title: String,
    /// The lines between the beginning and the end of the environment.
    pub(super) body: String,
}

/// The environments of a page of LaTeX; a comment before one is its title.
pub(super) fn formulas(latex: &str) -> Vec<Formulas> {
    let (mut groups, mut title, mut body): (Vec<Formulas>, String, Option<String>) =
        (Vec::new(), String::new(), None);
    for line in latex.lines() {
        match (line.trim(), &mut body) {
            (r"\begin{align*}", _) => body = Some(String::new()),
            (r"\end{align*}", Some(lines)) => {
                groups.push(Formulas { title: std::mem::take(&mut title), body: std::mem::take(lines) });
                body = None;
            }
            (line, Some(lines)) => {
                lines.push_str(line);
                lines.push('\n');
            }
            (line, None) => {
                if let Some(words) = line.strip_prefix('%') {
                    title = words.trim().to_string();
                }
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::{Formulas, formulas};

    #[test]
    fn environments_have_the_titles_before_them() {
        let latex = "% rod\n\\begin{align*}\nM &= 1 \\\\\nh &= 2\n\\end{align*}\n\n% contact tip\n\\begin{align*}\nA &= 3\n\\end{align*}\n";
        let group = |title: &str, body: &str| Formulas { title: title.into(), body: body.into() };
        assert_eq!(
            formulas(latex),
            [group("rod", "M &= 1 \\\\\nh &= 2\n"), group("contact tip", "A &= 3\n")]
        );
        assert!(formulas("no environment").is_empty());
    }
}
