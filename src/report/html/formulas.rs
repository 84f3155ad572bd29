//! Printed equations as MathML, which browsers set without help.

use super::words::escape;
use crate::report::formulas::formulas;
use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};

/// The groups of a page of LaTeX, each under its title. What cannot be read as LaTeX stands as it is.
pub(super) fn groups(latex: &str) -> String {
    let one = |title: &str, body: &str| {
        // parentheses around matrices are drawn by the style: they grow with the matrix in every font
        let body = body.replace("pmatrix", "matrix");
        let set = mathml(&format!("\\begin{{align*}}\n{body}\\end{{align*}}"));
        format!(
            "<h4>{}</h4>\n{}\n",
            escape(title),
            set.unwrap_or_else(|| format!("<pre>{}</pre>", escape(&body)))
        )
    };
    formulas(latex).iter().map(|group| one(&group.title, &group.body)).collect()
}

fn mathml(latex: &str) -> Option<String> {
    let storage = Storage::new();
    let events = Parser::new(latex, &storage).collect::<Result<Vec<_>, _>>().ok()?;
    let config = RenderConfig { display_mode: DisplayMode::Block, ..RenderConfig::default() };
    let mut html = String::new();
    let events = events.into_iter().map(Ok::<_, std::convert::Infallible>);
    push_mathml(&mut html, events, config).ok()?;
    Some(html)
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn matrices_and_fractions_become_mathml() {
        let html = groups(
            "% rod\n\\begin{align*}\nM &= \\begin{pmatrix}\nm & 0 \\\\\n0 & I\n\\end{pmatrix} \\\\\nT &= \\frac{m \\dot{x}^{2}}{2}\n\\end{align*}\n",
        );
        for wanted in ["<h4>rod</h4>", "<math", "<mtable", "<mfrac>"] {
            assert!(html.contains(wanted), "{wanted}: {html}");
        }
    }

    #[test]
    fn what_is_no_latex_stands_as_it_is() {
        let html = groups("\\begin{align*}\n\\nosuchcommand{<b>}\n\\end{align*}\n");
        assert!(html.contains("<pre>") && !html.contains("<b>"), "{html}");
    }
}
