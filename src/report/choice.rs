//! How much of a report is shown: up to a depth, or some of its sections.

use super::document::{Block, Depth, Document, Section};
use crate::diag::nearest;

/// The sections of an analysis by name, and what each says.
pub const SECTIONS: [(&str, &str); 15] = [
    ("overview", "a line a state: verdict, what follows, what to know"),
    ("description", "what the file says of itself, and the units of the numbers"),
    ("domain", "the least friction with a paradox over the file's domain"),
    ("state", "where a state is: coordinates, velocities, parameters"),
    ("why", "in words: why this verdict, and how far the next one is"),
    ("pictures", "the state in pictures (HTML)"),
    ("modes", "which contact motions are consistent, and why the others are not"),
    ("impact", "impacts, impacts without collision, chatter"),
    ("rest", "equilibria: what holds them and how they are lost"),
    ("jam", "dynamic jam, and slip that turns towards p = 0"),
    ("motion", "the motion without slip from here"),
    ("contacts", "every contact in numbers: gap, W_N, W_T, A, B, C, a, b, p, k"),
    ("equations", "M, h and energies at the state; in HTML also as formulas"),
    ("step", "the next time step: what is proven, and its solutions"),
    ("delassus", "W M^-1 W^T of the closed contacts"),
];

/// What is wanted of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Everything up to a depth.
    UpTo(Depth),
    /// These sections, whole.
    Only(Vec<String>),
}

/// A section that no report has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no section of a report is called `{name}`; {}", instead(name))]
pub struct UnknownSection {
    /// What was asked for.
    pub name: String,
}

/// What to ask for instead.
fn instead(name: &str) -> String {
    let names = || SECTIONS.iter().map(|(name, _)| *name);
    match nearest(name, names()) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    }
}

impl Choice {
    /// These sections.
    ///
    /// # Errors
    /// [`UnknownSection`] if one of them is in no report.
    pub fn only(names: &[String]) -> Result<Self, UnknownSection> {
        match names.iter().find(|name| SECTIONS.iter().all(|(known, _)| known != name)) {
            Some(name) => Err(UnknownSection { name: name.clone() }),
            None => Ok(Self::Only(names.to_vec())),
        }
    }
}

impl Choice {
    /// Whether a section that reports have from a depth on is wanted.
    pub fn wants(&self, name: &str, depth: Depth) -> bool {
        match self {
            Self::UpTo(deepest) => depth <= *deepest,
            Self::Only(names) => names.iter().any(|wanted| wanted == name),
        }
    }

    /// The sections that are asked for by name.
    pub fn names(&self) -> &[String] {
        match self {
            Self::UpTo(_) => &[],
            Self::Only(names) => names,
        }
    }
}

impl Document {
    /// Whether a section of this name is anywhere in it.
    pub fn has_section(&self, name: &str) -> bool {
        let has = |section: &Section| section.name == name || section.content.has_section(name);
        self.blocks.iter().any(|block| matches!(block, Block::Section(section) if has(section)))
    }

    /// What is wanted of a report, and the names of the sections that were left out, each once. Blocks outside sections stay.
    pub fn chosen(&self, choice: &Choice) -> (Document, Vec<&'static str>) {
        let mut left_out = Vec::new();
        let chosen = self.part(choice, &mut left_out);
        (chosen, left_out)
    }

    fn part(&self, choice: &Choice, left_out: &mut Vec<&'static str>) -> Document {
        let blocks = self.blocks.iter().filter_map(|block| match block {
            Block::Section(section) => section.part(choice, left_out).map(Block::Section),
            other => Some(other.clone()),
        });
        Document { blocks: blocks.collect() }
    }
}

impl Section {
    /// What is wanted of it; none if nothing is.
    fn part(&self, choice: &Choice, left_out: &mut Vec<&'static str>) -> Option<Section> {
        match choice {
            Choice::UpTo(_) if !choice.wants(self.name, self.depth) => {
                if !left_out.contains(&self.name) {
                    left_out.push(self.name);
                }
                None
            }
            Choice::UpTo(_) => Some(Section { content: self.content.part(choice, left_out), ..self.clone() }),
            Choice::Only(_) if choice.wants(self.name, self.depth) => Some(self.clone()),
            Choice::Only(_) => {
                // of a part that is not wanted itself, the wanted parts stay under its heading
                let within = self.content.part(choice, left_out);
                let blocks: Vec<Block> =
                    within.blocks.into_iter().filter(|block| matches!(block, Block::Section(_))).collect();
                let found = !blocks.is_empty();
                found.then(|| Section { content: Document { blocks }, ..self.clone() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, Depth, Document, SECTIONS};
    use crate::report::render_text;

    fn report() -> Document {
        let mut inner = Document::new();
        inner.paragraph("numbers");
        let mut modes = Document::new();
        modes.paragraph("motions");
        modes.section("equations", Depth::Full, "Equations", inner);
        let mut document = Document::new();
        document.heading(1, "rod");
        document.section("modes", Depth::Usual, "Modes", modes);
        document
    }

    #[test]
    fn a_depth_leaves_out_what_is_deeper_and_says_so() {
        let (usual, left_out) = report().chosen(&Choice::UpTo(Depth::Usual));
        assert!(render_text(&usual).contains("motions") && !render_text(&usual).contains("numbers"));
        assert_eq!(left_out, ["equations"]);
        let (full, left_out) = report().chosen(&Choice::UpTo(Depth::Full));
        assert_eq!((full, left_out.len()), (report(), 0));
        let (brief, left_out) = report().chosen(&Choice::UpTo(Depth::Brief));
        assert_eq!((render_text(&brief).as_str(), left_out), ("rod\n===\n", vec!["modes"]));
    }

    #[test]
    fn a_section_inside_another_stands_under_its_heading() {
        let (found, _) = report().chosen(&Choice::Only(vec!["equations".to_string()]));
        let text = render_text(&found);
        assert!(text.contains("Modes") && text.contains("numbers") && !text.contains("motions"), "{text}");
    }

    #[test]
    fn an_unknown_section_is_answered_by_a_close_one() {
        let asked = |name: &str| Choice::only(&[name.to_string()]).map_err(|fault| fault.to_string());
        assert!(asked("modes").is_ok());
        assert!(asked("mode").is_err_and(|words| words.contains("did you mean `modes`")));
        assert!(asked("xyz").is_err_and(|words| words.contains("overview, description")));
    }

    #[test]
    fn names_are_told_apart() {
        for (i, (name, _)) in SECTIONS.iter().enumerate() {
            assert!(SECTIONS[..i].iter().all(|(other, _)| other != name), "{name}");
        }
    }
}
