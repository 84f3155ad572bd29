//! The statements of the papers in `theorems/`: each has the answer that the list says, and a certificate in the repository which the checker
//! reads and which is about the same claim.
//!
//! `MECHAN_THEOREMS=all` asks the slow ones again, too; `MECHAN_THEOREMS=write` does, and writes the certificates. What is written for other
//! equations than those of a mechanism in `theorems/mechanisms` is seen: `mechan derive NAME.yaml --format model --output NAME.model.json` makes
//! its model.

use super::{answer, library};
use mechan::pipeline::{ProveOptions, ProvedClaim, load};
use mechan::prove::Budget;
use mechan::{Derived, Deriver};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A statement, as the list has it.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Theorem {
    name: String,
    paper: String,
    mechanism: String,
    state: Option<String>,
    claim: String,
    #[serde(default)]
    given: Vec<String>,
    #[serde(default)]
    set: Vec<String>,
    boxes: Vec<String>,
    #[serde(default)]
    slow: bool,
    answer: String,
    says: String,
}

/// A line of the list of subclasses.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Subclass {
    subclass: u16,
    claim: String,
    set: Vec<String>,
    boxes: Vec<String>,
}

impl From<Subclass> for Theorem {
    fn from(line: Subclass) -> Self {
        let Subclass { subclass, claim, set, boxes } = line;
        Theorem {
            name: format!("table_4/{subclass}"),
            paper: "[CV16] Table 4".to_string(),
            mechanism: "theorems/mechanisms/two_contacts.yaml".to_string(),
            state: Some("sliding".to_string()),
            given: Vec::new(),
            slow: false,
            answer: "proven".to_string(),
            says: format!("subclass {subclass}"),
            claim,
            set,
            boxes,
        }
    }
}

impl Theorem {
    fn options(&self, parts: usize) -> ProveOptions {
        ProveOptions {
            state: self.state.clone(),
            set: self.set.clone(),
            claims: vec![self.claim.clone()],
            given: self.given.clone(),
            boxes: self.boxes.clone(),
            budget: Budget { parts, threads: 2, ..Budget::default() },
            resume: None,
        }
    }

    fn certificate(&self) -> PathBuf {
        Path::new("theorems").join(format!("{}.json", self.name))
    }
}

fn list<T: serde::de::DeserializeOwned>(path: &str) -> Vec<T> {
    let text = std::fs::read_to_string(path).unwrap();
    serde_saphyr::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn theorems() -> Vec<Theorem> {
    let classes = list::<Subclass>("theorems/table_4.yaml").into_iter().map(Theorem::from);
    list("theorems/theorems.yaml").into_iter().chain(classes).collect()
}

/// The mechanisms of the list, by what it calls them: those of the library, and the models beside the files.
fn mechanisms(theorems: &[Theorem]) -> BTreeMap<String, Derived> {
    let read = |name: &str| match name.strip_suffix(".yaml") {
        Some(stem) => load(&format!("{stem}.model.json")).unwrap().derive(&Deriver::nobody()).unwrap(),
        None => library(name),
    };
    let names = theorems.iter().map(|theorem| theorem.mechanism.clone());
    names.map(|name| (name.clone(), read(&name))).collect()
}

fn wish(word: &str) -> bool {
    std::env::var_os("MECHAN_THEOREMS").is_some_and(|wish| wish == word)
}

/// Answers that are not those of the list.
fn unlike(theorem: &Theorem, found: &ProvedClaim) -> Option<String> {
    let inhabited = found.answer() != "proven" || found.proof.inhabited;
    let same = found.answer() == theorem.answer && inhabited;
    (!same).then(|| format!("{}: {}, about something: {inhabited}", theorem.name, found.answer()))
}

#[test]
fn what_the_papers_state_is_proven() {
    let theorems = theorems();
    let mechanisms = mechanisms(&theorems);
    let (all, write) = (wish("all"), wish("write"));
    let mut faults = Vec::new();
    for theorem in theorems.iter().filter(|theorem| all || write || !theorem.slow) {
        let found = answer(&mechanisms[&theorem.mechanism], &theorem.options(200_000));
        faults.extend(unlike(theorem, &found));
        if write {
            let text = serde_json::to_string(found.certificate.as_ref().unwrap()).unwrap();
            std::fs::write(theorem.certificate(), text + "\n").unwrap();
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What a certificate says in words, and of its inputs; shares are a means of proof.
fn stated(certificate: &Value) -> Value {
    let share = |input: &&Value| input.get("share").is_none();
    let inputs: Vec<&Value> = certificate["inputs"].as_array().unwrap().iter().filter(share).collect();
    let words = ["schema", "mechanism", "claim", "given", "closed"].map(|key| &certificate[key]);
    json!([words, inputs])
}

/// The checker establishes what lies in the repository, and it is about the claim of the list.
#[test]
fn certificates_are_those_of_the_statements() {
    let theorems = theorems();
    let mechanisms = mechanisms(&theorems);
    for theorem in &theorems {
        let (name, path) = (&theorem.name, theorem.certificate());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(text.len() < 60_000, "{name}: {} bytes", text.len());
        let said = mechan_check::check(&text).unwrap_or_else(|fault| panic!("{name}: {fault}")).to_string();
        assert!(said.starts_with(&theorem.answer), "{name}: {said}");
        let certificate: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(certificate["answer"], theorem.answer.as_str(), "{name}");
        // a search that ends at once has the same statement
        let asked = mechanisms[&theorem.mechanism].prove(&theorem.options(1)).unwrap().pop().unwrap();
        assert_eq!(stated(&certificate), stated(asked.certificate.as_ref().unwrap()), "{name}");
    }
}

/// No certificate is without a statement, no statement without its place in the list, and all 144 subclasses are there.
#[test]
fn lists_are_whole() {
    let theorems = theorems();
    let page = std::fs::read_to_string("theorems/README.md").unwrap();
    let mut names: Vec<PathBuf> = theorems.iter().map(Theorem::certificate).collect();
    names.sort();
    let files = ["theorems", "theorems/table_4"]
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    assert_eq!(names, files);
    assert_eq!(theorems.iter().filter(|theorem| theorem.name.starts_with("table_4/")).count(), 144);
    for theorem in theorems.iter().filter(|theorem| !theorem.name.contains('/')) {
        assert!(page.contains(&format!("`{}`", theorem.name)), "theorems/README.md: {}", theorem.name);
        assert!(theorem.paper.starts_with('[') && theorem.says.ends_with('.'), "{}", theorem.name);
    }
}

/// The models beside the mechanisms are of their texts.
#[test]
fn models_are_of_the_files_beside_them() {
    for entry in std::fs::read_dir("theorems/mechanisms").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "yaml") {
            let text = std::fs::read_to_string(&path).unwrap();
            let model = std::fs::read_to_string(path.with_extension("model.json")).unwrap();
            let model: Value = serde_json::from_str(&model).unwrap();
            assert_eq!(model["mechanism"], text.as_str(), "{}", path.display());
        }
    }
}
