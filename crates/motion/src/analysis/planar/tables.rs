//! Tables 1 to 3 of \[CV16\], regenerated: representative contacts are analysed by the code that analyses mechanisms,
//! and what it answers is collected cell by cell. Nothing here knows what the tables should say.

use super::representative::{Representative, representatives};
use crate::analysis::contact_status::ContactStatus;
use crate::contact::{Cell, Column, Friction, Mode, Planar, Row, Scaled, Sign};
use crate::num::Tol;
use crate::predict::{Consistency, Outcome, Signs};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A table of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: Cow<'static, str>,
    /// Column heads; the first is that of the row names.
    pub head: Vec<String>,
    /// Rows, each starting with its name.
    pub rows: Vec<Vec<String>>,
}

/// Which modes follow from the signs in a cell, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// What can happen; empty for a paradox.
    pub outcomes: Vec<Outcome>,
    /// The condition on σ+ and σ− that selects it, if the cell has several.
    pub condition: Option<Cow<'static, str>>,
}

/// Table 1: kinematic admissibility, equalities and consistency conditions of each mode.
pub fn mode_table() -> Table {
    Table {
        title: "Table 1: contact modes".into(),
        head: ["mode", "admissible", "equalities", "consistent if"].map(String::from).to_vec(),
        rows: Mode::ALL.into_iter().map(mode_row).collect(),
    }
}

/// Table 2: consistent modes by the signs of b, p+, p− (rows) and u (columns).
pub fn consistency_table() -> Table {
    sign_table("Table 2: consistent modes", |signs, column| {
        signs.modes(column, Consistency::Yes).iter().map(Outcome::from).collect()
    })
}

/// Table 3: what can follow after normal stability and impact without collision.
pub fn resolution_table() -> Table {
    sign_table("Table 3: modes after normal stability and impact without collision", |signs, column| {
        signs.resolved(column).collect()
    })
}

/// The alternatives of one cell, as `answer` gives them over all representatives.
pub fn alternatives(cell: Cell, answer: impl Fn(&Signs, Column) -> Vec<Outcome>) -> Vec<Alternative> {
    let mut found: BTreeMap<Vec<Outcome>, Vec<[Sign; 2]>> = BTreeMap::new();
    for signs in all_signs().filter(|signs| signs.cell(cell.column) == Some(cell)) {
        found.entry(answer(&signs, cell.column)).or_default().push(signs.sigma);
    }
    if found.len() == 1 {
        return found.into_keys().map(|outcomes| Alternative { outcomes, condition: None }).collect();
    }
    let cases: Vec<(Vec<Outcome>, Vec<[Sign; 2]>)> = found.into_iter().collect();
    let condition = |i: usize| {
        let others = || cases.iter().enumerate().filter(move |&(j, _)| j != i).flat_map(|(_, case)| &case.1);
        SIGMA_CONDITIONS.iter().find(|(_, holds)| cases[i].1.iter().all(holds) && !others().any(holds))
    };
    let name = |i: usize| condition(i).map(|&(name, _)| name.into());
    cases
        .iter()
        .enumerate()
        .map(|(i, case)| Alternative { outcomes: case.0.clone(), condition: name(i) })
        .collect()
}

type SigmaCondition = (&'static str, fn(&[Sign; 2]) -> bool);

/// Conditions that may tell the alternatives of a cell apart, the simpler ones first.
const SIGMA_CONDITIONS: [SigmaCondition; 5] = [
    ("sigma+ > 0", |sigma| sigma[0] == Sign::Positive),
    ("sigma+ < 0", |sigma| sigma[0] == Sign::Negative),
    ("sigma- > 0", |sigma| sigma[1] == Sign::Positive),
    ("sigma- < 0", |sigma| sigma[1] == Sign::Negative),
    ("sigma+ < 0 < sigma-", |sigma| *sigma == [Sign::Negative, Sign::Positive]),
];

fn all_signs() -> impl Iterator<Item = Signs> {
    let tol = Tol::default();
    representatives().map(move |case| Signs::of(&case.planar, case.friction, &tol))
}

fn sign_table(title: &'static str, answer: impl Fn(&Signs, Column) -> Vec<Outcome>) -> Table {
    let row = |row: Row| {
        let cell = |column| describe(&alternatives(Cell { row, column }, &answer));
        let signs = all_signs().find(|signs| signs.cell(Column::II).is_some_and(|cell| cell.row == row));
        let name = format!("({}) {}", row.name(), signs.map(|signs| sign_words(&signs)).unwrap_or_default());
        std::iter::once(name).chain(Column::ALL.into_iter().map(cell)).collect()
    };
    Table {
        title: title.into(),
        head: ["", "I: u > 0", "II: u = 0", "III: u < 0"].map(String::from).to_vec(),
        rows: Row::ALL.into_iter().map(row).collect(),
    }
}

fn sign_words(signs: &Signs) -> String {
    let word = |name: &str, sign: Sign| match sign {
        Sign::Positive => format!("{name} > 0"),
        Sign::Marginal => format!("{name} = 0"),
        Sign::Negative => format!("{name} < 0"),
    };
    [word("b", signs.b), word("p+", signs.p[0]), word("p-", signs.p[1])].join(", ")
}

fn describe(alternatives: &[Alternative]) -> String {
    let several = alternatives.len() > 1;
    let word = |alternative: &Alternative| {
        let letters: Vec<&str> = alternative.outcomes.iter().map(|&outcome| letter(outcome)).collect();
        match (letters.len(), several) {
            (0, _) => String::from("-"),
            (1, _) | (_, false) => letters.join(" and "),
            (_, true) => format!("({})", letters.join(" and ")),
        }
    };
    let with_condition = |alternative: &Alternative| match &alternative.condition {
        Some(condition) => format!("{} if {condition}", word(alternative)),
        None => word(alternative),
    };
    alternatives.iter().map(with_condition).collect::<Vec<_>>().join(", or ")
}

fn letter(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Free => "F",
        Outcome::SlipPos => "P",
        Outcome::SlipNeg => "N",
        Outcome::Stick => "T",
        Outcome::Iwc => "IWC",
        Outcome::Impact => "impact",
    }
}

fn mode_row(mode: Mode) -> Vec<String> {
    let name = format!("{} ({})", mode.letter(), mode.name());
    vec![name, admissibility(mode), equalities(mode), conditions(mode)]
}

/// The kinematic states, from a short list, in which a mode is admissible.
fn admissibility(mode: Mode) -> String {
    let at = |gap: f64, u: f64, v: f64| {
        ContactStatus::of(Scaled { value: gap, scale: 1.0 }, Scaled::exact(v), [u, 0.0], &Tol::default())
    };
    let states = [
        ("y > 0", at(1.0, 0.0, 0.0)),
        ("y = 0, v > 0", at(0.0, 0.0, 1.0)),
        ("y = v = 0, u > 0", at(0.0, 1.0, 0.0)),
        ("y = v = 0, u = 0", at(0.0, 0.0, 0.0)),
        ("y = v = 0, u < 0", at(0.0, -1.0, 0.0)),
    ];
    let admissible = states.iter().filter(|(_, stands)| is_admissible(mode, *stands));
    admissible.map(|&(name, _)| name).collect::<Vec<_>>().join("; ")
}

fn is_admissible(mode: Mode, stands: ContactStatus) -> bool {
    let planar = Planar::new(1.0, 0.0, 1.0, 0.0, -1.0);
    let signs = Signs::of(&planar, Friction::INFINITE, &Tol::default());
    match stands.column() {
        Some(column) => signs.consistency(mode, column).is_some(),
        None => mode == Mode::Free && stands == ContactStatus::Apart,
    }
}

/// Force and accelerations of a mode at a representative.
struct Solved {
    lambda_N: f64,
    lambda_T: f64,
    mu: f64,
    udot: f64,
    vdot: f64,
}

fn solve(case: &Representative, mode: Mode) -> Solved {
    let (lambda_N, lambda_T) = case.planar.force(case.friction, mode);
    let (udot, vdot) = case.planar.acceleration(lambda_N, lambda_T);
    Solved { lambda_N, lambda_T, mu: case.friction.mu(), udot, vdot }
}

type Predicate = (&'static str, fn(&Solved) -> bool);

/// |x| within rounding of zero, for representatives of size one.
fn vanishes(x: f64) -> bool {
    x.abs() < Tol::default().marginal
}

const EQUALITIES: [Predicate; 6] = [
    ("u' = 0", |x| vanishes(x.udot)),
    ("v' = 0", |x| vanishes(x.vdot)),
    ("lambda_N = 0", |x| vanishes(x.lambda_N)),
    ("lambda_T = 0", |x| vanishes(x.lambda_T)),
    ("lambda_T = -mu lambda_N", |x| !vanishes(x.lambda_N) && vanishes(x.lambda_T + x.mu * x.lambda_N)),
    ("lambda_T = mu lambda_N", |x| !vanishes(x.lambda_N) && vanishes(x.lambda_T - x.mu * x.lambda_N)),
];

const INEQUALITIES: [Predicate; 5] = [
    ("lambda_N > 0", |x| x.lambda_N > 0.0),
    ("|lambda_T| < mu lambda_N", |x| {
        x.lambda_T.abs() < x.mu * x.lambda_N && !vanishes(x.lambda_T.abs() - x.mu * x.lambda_N)
    }),
    ("u' > 0", |x| x.udot > 0.0 && !vanishes(x.udot)),
    ("u' < 0", |x| x.udot < 0.0 && !vanishes(x.udot)),
    ("v' > 0", |x| x.vdot > 0.0 && !vanishes(x.vdot)),
];

/// The equalities that hold at every representative.
fn equalities(mode: Mode) -> String {
    let holds = |(_, holds): &&Predicate| representatives().all(|case| holds(&solve(&case, mode)));
    EQUALITIES.iter().filter(holds).map(|&(name, _)| name).collect::<Vec<_>>().join(", ")
}

/// The inequalities that hold wherever the mode is consistent: away from rest, and further ones at u = 0.
fn conditions(mode: Mode) -> String {
    let moving = match mode {
        Mode::Free | Mode::SlipPos => Column::I,
        Mode::SlipNeg => Column::III,
        Mode::Stick => Column::II,
    };
    let (general, at_rest) = (necessary(mode, moving), necessary(mode, Column::II));
    let further: Vec<&str> = at_rest.iter().filter(|name| !general.contains(name)).copied().collect();
    let suffix =
        if further.is_empty() { String::new() } else { format!("; if u = 0: {}", further.join(", ")) };
    general.join(", ") + suffix.as_str()
}

/// Inequalities true at every representative where the mode is consistent in the column. Together they must also
/// be sufficient, or the answer says that they are not.
fn necessary(mode: Mode, column: Column) -> Vec<&'static str> {
    let tol = Tol::default();
    let is_consistent = |case: &Representative| {
        Signs::of(&case.planar, case.friction, &tol).consistency(mode, column) == Some(Consistency::Yes)
    };
    let always = |(_, holds): &&Predicate| {
        representatives().filter(is_consistent).all(|case| holds(&solve(&case, mode)))
    };
    let necessary: Vec<&Predicate> = INEQUALITIES.iter().filter(always).collect();
    let all = |case: &Representative| necessary.iter().all(|(_, holds)| holds(&solve(case, mode)));
    let sufficient = representatives().all(|case| all(&case) == is_consistent(&case));
    let names = necessary.iter().map(|&&(name, _)| name);
    if sufficient { names.collect() } else { names.chain(["further conditions"]).collect() }
}
