//! SVG text, element by element. x is to the right and y down; a point that is not finite lifts the pen. Names of elements begin with
//! a digest of the picture, so that many pictures may stand in one page.

use super::Picture;
use super::formula::{Piece, Script, pieces, seen};
use super::style::{Colour, text_width};
use std::fmt::Write;

/// How something is painted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    fill: Option<Colour>,
    stroke: Option<(Colour, f64)>,
    dash: Option<&'static str>,
    opacity: Option<f64>,
}

impl Look {
    pub(super) fn line(colour: Colour, weight: f64) -> Self {
        Self { stroke: Some((colour, weight)), ..Self::default() }
    }

    pub(super) fn filled(colour: Colour) -> Self {
        Self { fill: Some(colour), ..Self::default() }
    }

    pub(super) fn with_fill(self, colour: Colour) -> Self {
        Self { fill: Some(colour), ..self }
    }

    pub(super) fn dashed(self, dash: &'static str) -> Self {
        Self { dash: Some(dash), ..self }
    }

    pub(super) fn at_opacity(self, opacity: f64) -> Self {
        Self { opacity: Some(opacity), ..self }
    }

    fn attributes(&self) -> String {
        let mut text = match self.fill {
            Some(colour) => format!(" fill=\"{colour}\""),
            None => " fill=\"none\"".to_owned(),
        };
        if let Some((colour, weight)) = self.stroke {
            text += &format!(" stroke=\"{colour}\" stroke-width=\"{}\"", number(weight));
        }
        if let Some(dash) = self.dash {
            text += &format!(" stroke-dasharray=\"{dash}\"");
        }
        if let Some(opacity) = self.opacity {
            text += &format!(" opacity=\"{}\"", number(opacity));
        }
        text
    }
}

/// Where a text is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A word or a line of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'t> {
    pub(super) words: &'t str,
    pub(super) at: [f64; 2],
    pub(super) anchor: Anchor,
    pub(super) size: f64,
    pub(super) colour: Colour,
}

/// A picture in the making.
pub(super) struct Canvas {
    size: [f64; 2],
    title: String,
    body: String,
    clips: usize,
}

impl Canvas {
    pub(super) fn new(size: [f64; 2], title: impl Into<String>) -> Self {
        Self { size, title: title.into(), body: String::new(), clips: 0 }
    }

    fn push(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2], look: Look) {
        self.path(&[from, to], look);
    }

    /// Lines from point to point.
    pub(super) fn path(&mut self, points: &[[f64; 2]], look: Look) {
        let data = path_data(points);
        if !data.is_empty() {
            self.push(&format!("<path d=\"{data}\"{}/>", look.attributes()));
        }
    }

    /// A closed outline.
    pub(super) fn polygon(&mut self, points: &[[f64; 2]], look: Look) {
        if points.iter().flatten().all(|x| x.is_finite()) && !points.is_empty() {
            self.push(&format!("<path d=\"{}Z\"{}/>", path_data(points), look.attributes()));
        }
    }

    pub(super) fn circle(&mut self, [x, y]: [f64; 2], radius: f64, look: Look) {
        if [x, y, radius].iter().all(|x| x.is_finite()) {
            let (x, y, radius) = (number(x), number(y), number(radius));
            self.push(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{}/>", look.attributes()));
        }
    }

    /// A rectangle by its corner and its sizes.
    pub(super) fn rectangle(&mut self, corner: [f64; 2], size: [f64; 2], look: Look) {
        let [[x, y], [width, height]] = [corner, size].map(|pair| pair.map(number));
        self.push(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{}/>",
            look.attributes()
        ));
    }

    pub(super) fn text(&mut self, text: Text) {
        self.turned_text(text, 0.0);
    }

    /// Words in ink that begin at a place; how wide they are.
    pub(super) fn say(&mut self, words: &str, at: [f64; 2], size: f64) -> f64 {
        self.text(Text { words, at, anchor: Anchor::Start, size, colour: Colour::INK });
        text_width(words, size)
    }

    /// A text turned about its anchor, in degrees clockwise.
    pub(super) fn turned_text(&mut self, text: Text, degrees: f64) {
        self.written(text, degrees, ("", &escaped(text.words)));
    }

    /// Words with subscripts and superscripts, marked as `λ_N`, `p_{+}`, `v^+`.
    pub(super) fn formula(&mut self, text: Text) {
        self.turned_formula(text, 0.0);
    }

    /// A formula turned about its anchor, in degrees clockwise.
    pub(super) fn turned_formula(&mut self, text: Text, degrees: f64) {
        self.written(text, degrees, ("", &spans(text.words, text.size)));
    }

    /// A formula that stays readable on lines: the paper's colour goes around its letters.
    pub(super) fn label(&mut self, text: Text) {
        let halo = " paint-order=\"stroke\" stroke=\"#fff\" stroke-width=\"2.5\"";
        self.written(text, 0.0, (halo, &spans(text.words, text.size)));
    }

    fn written(&mut self, text: Text, degrees: f64, (look, content): (&str, &str)) {
        let Text { at: [x, y], anchor, size, colour, .. } = text;
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        if !x.is_finite() || !y.is_finite() {
            return;
        }
        let (x, y) = (number(x), number(y));
        let turn = match number(degrees) {
            zero if zero == "0" => String::new(),
            degrees => format!(" transform=\"rotate({degrees} {x} {y})\""),
        };
        self.push(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{colour}\"{look}{turn}>{content}</text>",
            number(size),
        ));
    }

    /// A line with a head at its end, which is no longer than half of it.
    pub(super) fn arrow(&mut self, from: [f64; 2], to: [f64; 2], (colour, weight): (Colour, f64)) {
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        if length <= 0.0 || !length.is_finite() {
            return;
        }
        let along = [0, 1].map(|k| (to[k] - from[k]) / length);
        let head = (2.0 + 3.2 * weight).min(0.5 * length);
        let at = |back: f64, side: f64| {
            [to[0] - back * along[0] - side * along[1], to[1] - back * along[1] + side * along[0]]
        };
        self.line(from, at(0.8 * head, 0.0), Look::line(colour, weight));
        self.polygon(&[to, at(head, 0.36 * head), at(head, -0.36 * head)], Look::filled(colour));
    }

    /// What `draw` draws, cut off at a rectangle.
    pub(super) fn clipped(&mut self, corner: [f64; 2], size: [f64; 2], draw: impl FnOnce(&mut Self)) {
        let [[x, y], [width, height]] = [corner, size].map(|pair| pair.map(number));
        let id = self.clips;
        self.clips += 1;
        self.push(&format!(
            "<clipPath id=\"{NAME}{id}\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/></clipPath>"
        ));
        self.push(&format!("<g clip-path=\"url(#{NAME}{id})\">"));
        draw(self);
        self.push("</g>");
    }

    /// Begins an animation of so many frames that follow each other, the last of which stays for some time before all begin again. Readers who
    /// want no motion see the last one.
    pub(super) fn frames(&mut self, count: usize, step: f64, rest: f64) {
        let cycle = step * count as f64 + rest;
        let shares = [step / cycle, (step + rest) / cycle].map(|share| number(100.0 * share));
        let rule = |class: &str, share: &str| {
            format!(
                "@keyframes {NAME}k{class}{{0%{{visibility:visible}}{share}%,100%{{visibility:hidden}}}}\
                 .{NAME}{class}{{visibility:hidden;animation:{NAME}k{class} {cycle:.3}s step-end infinite}}"
            )
        };
        let still = format!(
            "@media (prefers-reduced-motion:reduce){{.{NAME}f,.{NAME}l{{animation:none}}.{NAME}l{{visibility:visible}}}}"
        );
        self.push(&format!("<style>{}{}{still}</style>", rule("f", &shares[0]), rule("l", &shares[1])));
    }

    /// A frame that is seen from some time on, and whether it is the last.
    pub(super) fn frame(
        &mut self,
        number: usize,
        (from, is_last): (f64, bool),
        draw: impl FnOnce(&mut Self),
    ) {
        let class = if is_last { "l" } else { "f" };
        self.push(&format!(
            "<g class=\"{NAME}{class}\" data-frame=\"{number}\" style=\"animation-delay:{from:.3}s\">"
        ));
        draw(self);
        self.push("</g>");
    }

    /// What `draw` draws, with words that a reader sees who points at it.
    pub(super) fn explained(&mut self, words: &str, draw: impl FnOnce(&mut Self)) {
        self.push(&format!("<g><title>{}</title>", escaped(words)));
        draw(self);
        self.push("</g>");
    }

    pub(super) fn finish(self) -> Picture {
        let [width, height] = self.size.map(|x| number(x.ceil()));
        let mut svg = String::new();
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" stroke-linejoin=\"round\" stroke-linecap=\"round\">"
        );
        let _ = writeln!(svg, "<title>{}</title>", escaped(&self.title));
        let _ = writeln!(
            svg,
            "<rect width=\"{width}\" height=\"{height}\"{}/>",
            Look::filled(Colour::PAPER).attributes()
        );
        let svg = svg + self.body.as_str() + "</svg>\n";
        let name = format!("p{:x}-", digest(&svg));
        Picture { svg: svg.replace(NAME, &name) }
    }
}

/// Stands for the digest of the picture until it is finished; no text has this character.
const NAME: char = '\u{1}';

/// Fowler, Noll and Vo's hash of some text, 32 bits.
fn digest(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// A formula as spans that move up and down.
fn spans(words: &str, size: f64) -> String {
    let mut text = String::new();
    let mut level = 0.0;
    for Piece { script, words } in pieces(words) {
        let (wanted, share) = match script {
            Script::Line => (0.0, 1.0),
            Script::Sub => (0.22 * size, Script::SHARE),
            Script::Super => (-0.38 * size, Script::SHARE),
        };
        let (dy, size) = (number(wanted - level), number(share * size));
        let words = escaped(&seen(words));
        text += &match (script, dy.as_str()) {
            (Script::Line, "0") => words,
            (Script::Line, _) => format!("<tspan dy=\"{dy}\">{words}</tspan>"),
            _ => format!("<tspan dy=\"{dy}\" font-size=\"{size}\">{words}</tspan>"),
        };
        level = wanted;
    }
    text
}

/// Moves and lines; a point alone is a dot.
fn path_data(points: &[[f64; 2]]) -> String {
    let mut data = String::new();
    for run in points.split(|p| !p.iter().all(|x| x.is_finite())) {
        for (i, [x, y]) in run.iter().enumerate() {
            let _ = write!(data, "{}{} {}", if i == 0 { "M" } else { "L" }, number(*x), number(*y));
        }
        if run.len() == 1 {
            data.push_str("h0");
        }
    }
    data
}

/// Two decimals, without zeros that say nothing.
fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "" | "-0" => "0".to_owned(),
        short => short.to_owned(),
    }
}

/// A text as it stands in XML; characters that XML cannot have are replaced.
pub(super) fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\n' | '\t' => text.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => text.push('\u{fffd}'),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Canvas, Look, escaped, number, path_data, spans};
    use crate::plot::style::Colour;

    #[test]
    fn numbers_are_short_and_have_no_negative_zero() {
        let cases = [(1.0, "1"), (-0.001, "0"), (100.0, "100"), (2.5, "2.5"), (-1.255, "-1.25"), (0.0, "0")];
        for (x, expected) in cases {
            assert_eq!(number(x), expected);
        }
    }

    #[test]
    fn a_point_that_is_not_finite_lifts_the_pen_and_a_single_one_is_a_dot() {
        let nan = [f64::NAN, 0.0];
        assert_eq!(path_data(&[[0.0, 1.0], [2.0, 3.0], nan, nan, [4.0, 5.0]]), "M0 1L2 3M4 5h0");
        assert_eq!(path_data(&[nan]), "");
    }

    #[test]
    fn pictures_in_one_page_have_names_of_their_own() {
        let drawn = |title: &str| {
            let mut canvas = Canvas::new([1.0, 1.0], title);
            canvas.clipped([0.0; 2], [1.0; 2], |canvas| canvas.line([0.0; 2], [1.0; 2], Look::default()));
            canvas.clipped([0.0; 2], [2.0; 2], |_| ());
            canvas.finish().svg
        };
        let names = |svg: &str| -> Vec<String> {
            svg.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
        };
        let (one, other) = (drawn("one"), drawn("other"));
        let all = [names(&one), names(&other)].concat();
        assert_eq!(all.len(), 4);
        for (i, name) in all.iter().enumerate() {
            assert!(!all[..i].contains(name) && name.starts_with('p'), "{all:?}");
            assert!([&one, &other][i / 2].contains(&format!("url(#{name})")));
        }
        assert_eq!(one, drawn("one"));
    }

    #[test]
    fn subscripts_go_down_and_the_line_comes_back() {
        assert_eq!(
            spans("λ_N = 2", 10.0),
            "λ<tspan dy=\"2.2\" font-size=\"7.2\">N</tspan><tspan dy=\"-2.2\"> = 2</tspan>"
        );
        assert_eq!(spans("a < b", 10.0), "a &lt; b");
    }

    #[test]
    fn words_cannot_break_the_picture() {
        assert_eq!(escaped("a<b & \"c\"\u{1}\n"), "a&lt;b &amp; &quot;c&quot;\u{fffd} ");
        let mut canvas = Canvas::new([1.0, 1.0], "</svg>");
        canvas.circle([f64::INFINITY, 0.0], 1.0, Look::filled(Colour::INK));
        canvas.polygon(&[[f64::NAN, 0.0], [1.0, 1.0]], Look::filled(Colour::INK));
        let svg = canvas.finish().svg;
        assert!(svg.contains("&lt;/svg&gt;") && !svg.contains("NaN") && !svg.contains("inf"));
        assert!(!svg.contains("circle") && !svg.contains("<path"));
    }
}
