//! Printed equations as a page: text with aligned matrices, LaTeX, JSON.

use super::equations::{Equations, Printed, PrintedContact};

/// The `schema` of the JSON form.
const SCHEMA: &str = "mechan.equations/1";

/// Definitions in one LaTeX environment, which is not broken over pages.
const ON_A_PAGE: usize = 25;

/// A matrix whose rows would be longer, in characters, is written entry by entry.
const WIDEST_ROW: usize = 160;

/// Longer lines of text are broken before a sign, if they have one.
const WIDEST_LINE: usize = 120;

/// A line in pieces that fit a page: broken before a + or − outside parentheses, and inside them only where there is no other;
/// rows of matrices stay as they are.
fn broken(line: &str) -> String {
    if line.len() <= WIDEST_LINE || line.contains('[') {
        return line.to_string();
    }
    let indent = " ".repeat(line.len() - line.trim_start().len() + 4);
    let (mut page, mut rest) = (String::new(), line.to_string());
    while rest.chars().count() > WIDEST_LINE {
        let Some(at) = place_to_break(&rest) else { break };
        page += rest[..at].trim_end();
        page.push('\n');
        rest = indent.clone() + rest[at..].trim_start();
    }
    page + rest.as_str()
}

/// The last sign of the fewest parentheses within the width of a line, beyond its first third.
fn place_to_break(line: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut best: Option<(usize, usize)> = None;
    for (count, (at, letter)) in line.char_indices().enumerate().take(WIDEST_LINE + 1) {
        let is_sign =
            || matches!(letter, '+' | '-') && line[..at].ends_with(' ') && line[at + 1..].starts_with(' ');
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if count > WIDEST_LINE / 3 && is_sign() && best.is_none_or(|(least, _)| depth <= least) => {
                best = Some((depth, at));
            }
            _ => {}
        }
    }
    best.map(|(_, at)| at)
}

fn text(p: &Printed) -> &str {
    &p.text
}

fn latex(p: &Printed) -> &str {
    &p.latex
}

impl Equations {
    /// Plain text.
    pub fn to_text(&self) -> String {
        let names: Vec<&str> = self.coordinates.iter().map(text).collect();
        let mut page = format!(
            "{}\n\nq = ({})\nM dot(dot(q)) + h = W_N^T lambda_N + W_T^T lambda_T\n",
            self.mechanism,
            names.join(", ")
        );
        page += matrix("M", &self.mass_matrix).as_str();
        for (name, vector) in self.vectors() {
            page += column(name, vector).as_str();
        }
        page += format!("\nT = {}\nV = {}\n", self.kinetic_energy.text, self.potential_energy.text).as_str();
        for (name, parts) in &self.constraints {
            page += format!("\nconstraint {name}\n").as_str();
            for (label, part) in constraint_labels(&self.coordinates).iter().zip(parts) {
                page += format!("  {label} = {}\n", part.text).as_str();
            }
        }
        for contact in &self.contacts {
            page += contact.to_text().as_str();
        }
        if !self.definitions.is_empty() {
            page += "\nwith\n";
        }
        for d in &self.definitions {
            page += format!("  {} = {}\n", d.name.text, d.value.text).as_str();
        }
        page.lines().map(|line| broken(line) + "\n").collect()
    }

    /// LaTeX: one `align` environment after another.
    pub fn to_latex(&self) -> String {
        let mut lines = latex_matrix("M", &self.mass_matrix);
        for (name, vector) in self.vectors() {
            let rows: Vec<Vec<Printed>> = vector.iter().map(|p| vec![p.clone()]).collect();
            lines.extend(latex_matrix(name, &rows));
        }
        lines.push(format!("T &= {}", self.kinetic_energy.latex));
        lines.push(format!("V &= {}", self.potential_energy.latex));
        let mut page = format!("% {}\n", self.mechanism);
        page.extend(lines.chunks(ON_A_PAGE).map(align));
        for (name, parts) in &self.constraints {
            let labels = ["\\varphi", "\\partial\\varphi/\\partial t", "\\ddot\\varphi - J\\dot v"];
            let (value, rest) = (parts.first(), parts.len().saturating_sub(2));
            let picked = value.into_iter().chain(&parts[rest..]);
            let lines: Vec<String> =
                labels.iter().zip(picked).map(|(l, p)| format!("{l} &= {}", p.latex)).collect();
            page += format!("% constraint {name}\n{}", align(&lines)).as_str();
        }
        for contact in &self.contacts {
            page += contact.to_latex().as_str();
        }
        for some in self.definitions.chunks(ON_A_PAGE) {
            let lines: Vec<String> =
                some.iter().map(|d| format!("{} &= {}", d.name.latex, d.value.latex)).collect();
            page += format!("% with\n{}", align(&lines)).as_str();
        }
        page
    }

    /// One JSON document with the names of everything.
    ///
    /// # Errors
    /// If it cannot be written, which no equations do.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let mut document = serde_json::Map::new();
        document.insert("schema".into(), SCHEMA.into());
        if let serde_json::Value::Object(fields) = serde_json::to_value(self)? {
            document.extend(fields);
        }
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    fn vectors(&self) -> [(&'static str, &[Printed]); 4] {
        [("h", &self.bias), ("B", &self.inertial), ("G", &self.potential), ("F", &self.applied)]
    }
}

impl PrintedContact {
    fn to_text(&self) -> String {
        let row = |r: &[Printed]| format!("[{}]", r.iter().map(text).collect::<Vec<_>>().join(", "));
        let mut page = format!("\ncontact {}\n", self.name);
        let mut line = |label: &str, value: &str| page += format!("  {label} = {value}\n").as_str();
        line("gap", &self.gap.text);
        line("W_N", &row(&self.normal_jacobian));
        line("d gap/dt at q'=0", &self.gap_rate.text);
        line("drift_N", &self.normal_drift.text);
        for (k, w) in self.tangent_jacobian.iter().enumerate() {
            line("W_T", &row(w));
            line("slip at q'=0", &self.slip_rate[k].text);
            line("drift_T", &self.tangent_drift[k].text);
        }
        for (name, value) in &self.planar {
            line(name, &value.text);
        }
        page
    }

    fn to_latex(&self) -> String {
        let row = |r: &[Printed]| format!("\\begin{{pmatrix}} {} \\end{{pmatrix}}", cells(r));
        let mut lines = vec![
            format!("g_N &= {}", self.gap.latex),
            format!("W_N &= {}", row(&self.normal_jacobian)),
            format!("\\partial g_N/\\partial t &= {}", self.gap_rate.latex),
            format!("\\ddot g_N - W_N\\dot v &= {}", self.normal_drift.latex),
        ];
        for (k, w) in self.tangent_jacobian.iter().enumerate() {
            lines.push(format!("W_T &= {}", row(w)));
            lines.push(format!("\\gamma_T - W_T v &= {}", self.slip_rate[k].latex));
            lines.push(format!("\\dot\\gamma_T - W_T\\dot v &= {}", self.tangent_drift[k].latex));
        }
        for (name, value) in &self.planar {
            let name = name.replace("p+", "p_+").replace("p-", "p_-");
            lines.push(format!("{name} &= {}", value.latex));
        }
        format!("% contact {}\n{}", self.name, align(&lines))
    }
}

/// The cells of a row; those of a long row stand on lines of their own.
fn cells(row: &[Printed]) -> String {
    let written: Vec<&str> = row.iter().map(latex).collect();
    let long = written.iter().map(|w| w.len()).sum::<usize>() > WIDEST_ROW;
    written.join(if long { " &\n" } else { " & " })
}

fn align(lines: &[String]) -> String {
    let broken: Vec<String> = lines.iter().map(|line| broken_latex(line)).collect();
    format!("\\begin{{align*}}\n{}\n\\end{{align*}}\n", broken.join(" \\\\\n"))
}

/// Longer lines of LaTeX, in characters of the source, are broken before a sign; wider rows of matrices are written entry by
/// entry.
const WIDEST_LATEX: usize = 240;

/// A line of an alignment in pieces: broken before a + or − that stands in no braces and no parentheses.
fn broken_latex(line: &str) -> String {
    if line.len() <= WIDEST_LATEX || line.contains("\\begin") {
        return line.to_string();
    }
    let (mut page, mut depth, mut begin) = (String::new(), 0_i32, 0);
    for (at, letter) in line.char_indices() {
        let rest = &line[at..];
        depth += match letter {
            '{' => 1,
            '}' => -1,
            '\\' if rest.starts_with("\\left(") || rest.starts_with("\\left|") => 1,
            '\\' if rest.starts_with("\\right)") || rest.starts_with("\\right|") => -1,
            _ => 0,
        };
        let is_sign =
            depth == 0 && (rest.starts_with("+ ") || rest.starts_with("- ")) && line[..at].ends_with(' ');
        if is_sign && at - begin > WIDEST_LATEX / 2 {
            page += line[begin..at].trim_end();
            page += " \\\\\n&\\qquad {} ";
            begin = at;
        }
    }
    page + &line[begin..]
}

/// A matrix, or its entries one by one where a row would not fit a page.
fn latex_matrix(name: &str, rows: &[Vec<Printed>]) -> Vec<String> {
    let width = |row: &Vec<Printed>| row.iter().map(|p| p.latex.len()).sum::<usize>();
    if rows.iter().all(|row| width(row) <= WIDEST_LATEX) {
        let rows: Vec<String> = rows.iter().map(|row| cells(row)).collect();
        return vec![format!("{name} &= \\begin{{pmatrix}}\n{}\n\\end{{pmatrix}}", rows.join(" \\\\\n"))];
    }
    let entry = |(i, j): (usize, usize), p: &Printed| match rows[i].len() {
        1 => format!("{name}_{{{}}} &= {}", i + 1, p.latex),
        _ => format!("{name}_{{{},{}}} &= {}", i + 1, j + 1, p.latex),
    };
    let entry = &entry;
    let each = |(i, row)| (row as &Vec<Printed>).iter().enumerate().map(move |(j, p)| entry((i, j), p));
    rows.iter().enumerate().flat_map(each).collect()
}

fn constraint_labels(coordinates: &[Printed]) -> Vec<String> {
    let jacobian = coordinates.iter().map(|c| format!("d phi/d {}", c.text));
    let ends = ["d phi/dt at q'=0".to_string(), "drift".to_string()];
    std::iter::once("phi".to_string()).chain(jacobian).chain(ends).collect()
}

/// A matrix with aligned columns.
fn matrix(name: &str, rows: &[Vec<Printed>]) -> String {
    let width = |j: usize| rows.iter().map(|r| r[j].text.len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    if widths.iter().map(|w| w + 2).sum::<usize>() > WIDEST_ROW {
        return entries(name, rows);
    }
    let mut page = String::from("\n");
    for (i, row) in rows.iter().enumerate() {
        let label = if i == rows.len() / 2 { format!("{name} = ") } else { " ".repeat(name.len() + 3) };
        let cells: Vec<String> = row.iter().zip(&widths).map(|(p, w)| format!("{:<w$}", p.text)).collect();
        page += format!("{label}[ {} ]\n", cells.join("  ")).as_str();
    }
    page
}

/// The entries one by one.
fn entries(name: &str, rows: &[Vec<Printed>]) -> String {
    let mut page = String::from("\n");
    for (i, row) in rows.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            let place = if row.len() == 1 { format!("{}", i + 1) } else { format!("{}, {}", i + 1, j + 1) };
            page += format!("{name}({place}) = {}\n", entry.text).as_str();
        }
    }
    page
}

fn column(name: &str, entries: &[Printed]) -> String {
    let rows: Vec<Vec<Printed>> = entries.iter().map(|p| vec![p.clone()]).collect();
    matrix(name, &rows)
}

#[cfg(test)]
mod tests {
    use super::{WIDEST_LATEX, WIDEST_LINE, broken, broken_latex};

    #[test]
    fn broken_lines_fit_and_say_the_same() {
        let terms = |term: &str| (0..40).map(|i| format!("{i}{term}")).collect::<Vec<_>>();
        let line = format!("  drift = {}", terms("*m*l^2*cos(a + b)*dot(a)").join(" - "));
        let page = broken(&line);
        assert!(page.lines().count() > 8 && page.lines().all(|l| l.chars().count() <= WIDEST_LINE));
        assert_eq!(page.lines().map(str::trim).collect::<Vec<_>>().join(" "), line.trim());
        // inside parentheses only where there is no other way
        let inside = format!("h = -m*l*({})/2", terms("*cos(a + b)").join(" + "));
        assert!(broken(&inside).lines().all(|l| l.chars().count() <= WIDEST_LINE));
        assert_eq!(broken("short - line"), "short - line");

        let line = format!("h &= {}", terms(" m \\left(\\cos a + \\frac{b - c}{2}\\right)").join(" + "));
        let page = broken_latex(&line);
        assert!(page.lines().count() > 5 && page.lines().all(|l| l.len() <= WIDEST_LATEX));
        assert_eq!(page.replace(" \\\\\n&\\qquad {} ", " "), line);
    }
}
