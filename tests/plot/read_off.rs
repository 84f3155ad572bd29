//! A picture as a reader sees it: ticks with their labels give the scales, and lines are read off with them.

/// An element's attribute.
pub(crate) fn attribute<'e>(element: &'e str, name: &str) -> Option<&'e str> {
    element.split_once(&format!(" {name}=\""))?.1.split_once('"').map(|(value, _)| value)
}

fn number(text: &str) -> Option<f64> {
    text.replace('−', "-").parse().ok()
}

/// Places on the page of the numbers written there, by how the text is attached.
fn labels(svg: &str, anchor: &str, axis: &str) -> Vec<(f64, f64)> {
    let texts = svg.lines().filter(|l| l.starts_with("<text") && attribute(l, "text-anchor") == Some(anchor));
    let found = texts.filter_map(|l| {
        let words = l.split_once('>')?.1.split_once('<')?.0;
        Some((number(attribute(l, axis)?)?, number(words)?))
    });
    found.collect()
}

/// Data = a + b · page, read off the outermost labels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    a: f64,
    pub(crate) b: f64,
}

impl Read {
    fn of(labels: &[(f64, f64)], shift: f64) -> Self {
        let ((p, x), (q, y)) = (labels[0], labels[labels.len() - 1]);
        let b = (y - x) / (q - p);
        Self { a: x - b * (p - shift), b }
    }

    /// Of the lower axis.
    pub(crate) fn across(svg: &str) -> Self {
        Self::of(&labels(svg, "middle", "x"), 0.0)
    }

    /// Of the axis at the left of panel `k` of `panels`; labels stand 0.35 of their size below their ticks.
    pub(crate) fn up(svg: &str, k: usize) -> Self {
        let all = labels(svg, "end", "y");
        let falls = |w: &&[(f64, f64)]| w[1].0 > w[0].0;
        let starts: Vec<usize> =
            all.windows(2).enumerate().filter(|(_, w)| falls(w)).map(|(i, _)| i + 1).collect();
        let from = if k == 0 { 0 } else { starts[k - 1] };
        let to = starts.get(k).copied().unwrap_or(all.len());
        Self::of(&all[from..to], 8.5 * 0.35)
    }

    pub(crate) fn at(self, page: f64) -> f64 {
        self.a + self.b * page
    }
}

/// The points of the lines with this weight and colour, line by line.
pub(crate) fn lines(svg: &str, colour: &str, weight: &str) -> Vec<Vec<[f64; 2]>> {
    let paths = svg.lines().filter(|l| {
        l.starts_with("<path")
            && attribute(l, "stroke") == Some(colour)
            && attribute(l, "stroke-width") == Some(weight)
    });
    paths.filter_map(|l| attribute(l, "d")).flat_map(points).collect()
}

/// Corners of filled shapes of this colour.
pub(crate) fn shapes(svg: &str, fill: &str) -> Vec<Vec<[f64; 2]>> {
    let paths = svg.lines().filter(|l| l.starts_with("<path") && attribute(l, "fill") == Some(fill));
    paths.filter_map(|l| attribute(l, "d")).flat_map(points).collect()
}

fn points(data: &str) -> Vec<Vec<[f64; 2]>> {
    let run = |text: &str| -> Vec<[f64; 2]> {
        let pairs = text.trim_end_matches('Z').trim_end_matches("h0").split('L');
        pairs
            .map(|pair| {
                let (x, y) = pair.split_once(' ').unwrap();
                [x.parse().unwrap(), y.parse().unwrap()]
            })
            .collect()
    };
    data.split('M').filter(|t| !t.is_empty()).map(run).collect()
}

/// Whether every text is inside the page, as far as its anchor tells.
pub(crate) fn texts_are_on_the_page(svg: &str) -> bool {
    let size = |name: &str| attribute(svg.lines().next().unwrap(), name).and_then(number).unwrap();
    let (width, height) = (size("width"), size("height"));
    svg.lines().filter(|l| l.starts_with("<text")).all(|l| {
        let (x, y) =
            (attribute(l, "x").and_then(number).unwrap(), attribute(l, "y").and_then(number).unwrap());
        (0.0..=width).contains(&x) && (0.0..=height).contains(&y)
    })
}
