//! Table 4 of \[CV16\], regenerated: for a representative of each of the 144 subclasses two sliding contacts with its P and b are
//! decided by the code that decides mechanisms. Nothing here knows what the table should say.

use crate::analysis::planar::Table;
use crate::contact::Compliance;
use crate::num::Tol;
use crate::predict::{
    Consistency, Contacts, Mode, Possible, Stability, representatives, stability_of_response, with_response,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One class: the subclasses in which each mode is consistent, impacts without collision and stability.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// Both lift off.
    #[serde(rename = "FF")]
    pub free: Vec<usize>,
    /// Both slip.
    #[serde(rename = "SS")]
    pub both: Vec<usize>,
    /// The first slips, the second lifts off.
    #[serde(rename = "SF")]
    pub first: Vec<usize>,
    /// The other way round.
    #[serde(rename = "FS")]
    pub second: Vec<usize>,
    /// Impacts without collision: `always` where the conditions hold in every subclass, for both contacts at once the
    /// necessary ones.
    pub impact_without_collision: ClassImpacts,
    /// Normal stability.
    pub stability: ClassStability,
}

/// Which impacts without collision can start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassImpacts {
    /// At the first contact.
    #[serde(rename = "IF")]
    pub first: Cow<'static, str>,
    /// At the second.
    #[serde(rename = "FI")]
    pub second: Cow<'static, str>,
    /// At both: necessary conditions.
    #[serde(rename = "II")]
    pub both: Cow<'static, str>,
}

/// Normal stability of the modes with a pressed contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassStability {
    /// The first slips.
    #[serde(rename = "SF")]
    pub first: Stability,
    /// The second slips.
    #[serde(rename = "FS")]
    pub second: Stability,
    /// Both slip.
    #[serde(rename = "SS")]
    pub both: Stability,
}

impl Default for ClassStability {
    fn default() -> Self {
        Self { first: Stability::Undecided, second: Stability::Undecided, both: Stability::Undecided }
    }
}

/// Table 4 in its machine-readable form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwoContactTable {
    /// `mechan.table/1`.
    pub schema: Cow<'static, str>,
    /// 4.
    pub table: u8,
    /// By i₁ and i₂.
    pub classes: BTreeMap<String, Class>,
}

const SLIP: Mode = Mode::Slip { along: [1.0, 0.0], side: 1.0 };

/// Table 4 for all 24 classes.
pub fn two_contact_table() -> TwoContactTable {
    let tol = Tol::default();
    let mut classes = BTreeMap::new();
    for (P, loads) in representatives() {
        let found: Vec<(Contacts, Option<String>)> = loads
            .iter()
            .map(|&b| {
                let contacts = with_response(P, b);
                let code = contacts.two_contacts(&tol).and_then(|two| two.subclass);
                (contacts, code)
            })
            .collect();
        let Some(code) = found.first().and_then(|(_, code)| code.clone()) else { continue };
        classes.insert(code[..2].to_string(), class(&found, &tol));
    }
    TwoContactTable { schema: "mechan.table/1".into(), table: 4, classes }
}

fn class(subclasses: &[(Contacts, Option<String>)], tol: &Tol) -> Class {
    let mut class = Class::default();
    for (contacts, code) in subclasses {
        let last = code.as_ref().and_then(|code| code[2..].parse().ok()).unwrap_or(0);
        let decision = contacts.decide(tol);
        for judged in decision.modes.iter().filter(|judged| judged.consistency == Consistency::Yes) {
            match (judged.modes[0] == Mode::Free, judged.modes[1] == Mode::Free) {
                (true, true) => class.free.push(last),
                (false, false) => class.both.push(last),
                (false, true) => class.first.push(last),
                (true, false) => class.second.push(last),
            }
        }
    }
    if let Some((contacts, _)) = subclasses.first() {
        class.impact_without_collision = impacts(contacts, tol);
        class.stability = stability(contacts, tol);
    }
    class
}

fn impacts(contacts: &Contacts, tol: &Tol) -> ClassImpacts {
    let found = contacts.impacts_without_collision(tol);
    let word = |at: &[usize]| {
        // at one contact the conditions are sufficient, at two only necessary
        let enough = if at.len() == 1 { Possible::Yes } else { Possible::Necessary };
        let here = found.found.iter().any(|impact| impact.contacts == at && impact.possible == enough);
        Cow::Borrowed(if here { "always" } else { "never" })
    };
    ClassImpacts { first: word(&[0]), second: word(&[1]), both: word(&[0, 1]) }
}

fn stability(contacts: &Contacts, tol: &Tol) -> ClassStability {
    let of = |modes: [Mode; 2]| {
        let response = contacts.response(&modes, tol);
        response.map_or(Stability::Undecided, |response| {
            let compliance = vec![Compliance::UNIT; response.contacts.len()];
            stability_of_response(&response, &compliance, tol).stability
        })
    };
    ClassStability { first: of([SLIP, Mode::Free]), second: of([Mode::Free, SLIP]), both: of([SLIP, SLIP]) }
}

/// Table 4 as text: all 24 classes.
pub fn two_contact_text() -> Table {
    let table = two_contact_table();
    let numbers = |x: &[usize]| x.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let shaded = |x: &[usize], stability: Stability| match stability {
        _ if x.is_empty() => String::new(),
        Stability::Stable => numbers(x),
        Stability::Unstable => format!("{} (unstable)", numbers(x)),
        Stability::Conditional => format!("{} (conditional)", numbers(x)),
        Stability::Undecided => format!("{} (undecided)", numbers(x)),
    };
    let mark = |word: &str, mark: &str| if word == "always" { mark.to_string() } else { String::new() };
    let row = |(name, class): (&String, &Class)| {
        let iwc = &class.impact_without_collision;
        vec![
            name.clone(),
            numbers(&class.free),
            shaded(&class.both, class.stability.both),
            shaded(&class.first, class.stability.first),
            shaded(&class.second, class.stability.second),
            mark(&iwc.first, "x"),
            mark(&iwc.second, "x"),
            mark(&iwc.both, "(x)"),
        ]
    };
    Table {
        title: "Table 4: modes of two sliding contacts, subclasses in which they are consistent".into(),
        head: ["class", "FF", "SS", "SF", "FS", "IF", "FI", "II"].map(String::from).to_vec(),
        rows: table.classes.iter().map(row).collect(),
    }
}
