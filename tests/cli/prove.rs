//! `mechan prove`: exit statuses, certificates and files.

use crate::run::mechan;
use mechan::pipeline::{load_bytes, load_shipped, shipped};

const ROD: [&str; 4] = ["prove", "falling_pencil", "--box", "theta=0:pi/2"];

fn prove(more: &[&str]) -> crate::run::Run {
    mechan(&[&ROD[..], more].concat())
}

#[test]
fn answers_and_statuses() {
    let claim = ["--claim", "no-paradox(tip)", "--box"];
    let with = |mu: &str, more: &[&str]| prove(&[&claim[..], &[mu], more].concat());
    assert!(with("mu=0:1.3", &[]).ends(0).out.contains("Proven"));
    assert!(with("mu=0:1.4", &[]).ends(0).out.contains("Refuted: it fails at theta = "));
    assert!(with("mu=0:1.4", &["--require", "proven"]).ends(1).out.contains("Refuted"));
    let attained = with("mu=0:4/3", &[]).ends(0);
    assert!(
        attained.out.contains("Refuted: it fails at theta between 0.463648 and 0.463648"),
        "{}",
        attained.out
    );
    // a bound of what is no quotient of polynomials is attained too, and stays open
    let touched = prove(&["--claim", "exp(theta - 1/2) >= theta + 1/2", "--boxes", "1000"]).ends(3);
    assert!(touched.out.contains("stays open"), "{}", touched.out);
    let vacuous = with("mu=0:1", &["--given", "mu > 2", "--require", "proven"]).ends(1);
    assert!(vacuous.out.contains("Vacuous"), "{}", vacuous.out);
}

#[test]
fn certificates_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rod.json");
    let claim = ["--claim", "no-paradox(tip)", "--box", "mu=0:1.3", "--certificate", path.to_str().unwrap()];
    let said: serde_json::Value =
        serde_json::from_str(&prove(&[&claim[..], &["--format", "json"]].concat()).ends(0).out).unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    let certificate: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(said["schema"], "mechan.proof/1");
    assert_eq!(said["claims"][0]["certificate"], certificate);
    assert_eq!(said["claims"][0]["box"]["theta"], serde_json::json!(["0", "pi/2"]));
    assert!(
        mechan_check::check(&written)
            .unwrap()
            .to_string()
            .starts_with("proven: no-paradox(tip) of falling_pencil")
    );
    // what is about one claim is about one
    let two = prove(&[&claim[..], &["--claim", "1 < 2"]].concat()).ends(2);
    assert!(two.err.contains("--certificate is about one claim, and there are 2"), "{}", two.err);
    let coq = prove(&["--claim", "no-paradox(tip)", "--box", "mu=0:1.3", "--format", "coq"]).ends(0);
    assert!(coq.out.contains("Theorem claim : forall theta mu : R,"), "{}", coq.out);
    let open = prove(&["--claim", "no-paradox(tip)", "--box", "mu=0:2", "--format", "coq"]).ends(2);
    assert!(open.err.contains("only what is proven"), "{}", open.err);
}

#[test]
fn claims_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rod.yaml");
    let text = mechan(&["show", "falling_pencil"]).ends(0).out + "claims: [\"mu*tan(theta) < 0\", 1 < 2]\n";
    std::fs::write(&file, text).unwrap();
    // an expression of names alone needs no equations to be read, but the file does
    let said = mechan(&["check", file.to_str().unwrap(), "--no-derive"]).ends(0);
    assert!(said.err.is_empty() || !said.err.contains("claims"), "{}", said.err);
}

/// The bad claims of a file, each with its line and column.
const BAD: &str = "claims:
  - 1 < 2
  - no-paradox(tpi)
  - nonsense
  - mu*tan(thet) < 1
  - mu < 1 and (theta < 1
  - b(tip) < 0 and mu < 1
";

fn bad_claims(more: usize) -> [(String, &'static str); 5] {
    [
        (3, 16, "there is no contact `tpi`"),
        (4, 5, "found `nonsense`, expected a claim"),
        (5, 12, "`thet` is not defined"),
        (6, 16, "found `(theta < 1`, expected a claim"),
        (7, 5, "`b` is not a function"),
    ]
    .map(|(line, column, said)| (format!(":{}:{column} ", more + line), said))
}

#[test]
fn bad_claims_of_a_file_are_told_with_all_else_that_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rod.yaml");
    let check = |text: &str| {
        std::fs::write(&file, text).unwrap();
        mechan(&["check", file.to_str().unwrap(), "--no-derive"]).ends(1).err
    };
    let rod = mechan(&["show", "falling_pencil"]).ends(0).out;
    let lines = rod.lines().count();
    let bad_state = rod.replace("states:\n", "states:\n  nowhere: {q: {theta: 1/0}}\n");
    for (text, other) in [
        (rod.clone() + BAD, None),
        (bad_state + BAD, Some("error[M301]")),
        (rod.replace("friction: mu\n", "friction: nu\n") + BAD, Some("`nu` is not defined")),
    ] {
        let (said, shift) = (check(&text), text.lines().count() - BAD.lines().count());
        assert!(shift >= lines && other.is_none_or(|other| said.contains(other)), "{said}");
        for (place, words) in bad_claims(shift) {
            assert!(said.contains(&place) && said.contains(words), "{place} {words}: {said}");
        }
        assert!(!said.contains("claims[0]"), "{said}");
    }
}

/// A model file whose text ends in some claims, with one state more.
fn model_with(claims: &str, folder: &std::path::Path) -> (String, usize) {
    let rod = load_shipped(shipped("falling_pencil").unwrap()).unwrap();
    let text = rod.source.text.replace("states:\n", "states:\n  below: {q: {y: -1}, closed: [tip]}\n");
    let lines = text.lines().count();
    let loaded = load_bytes("rod.yaml", (text + claims).into_bytes()).unwrap();
    let path = folder.join("rod.json");
    let derived = mechan::Derived::new(loaded, rod.model.unwrap()).unwrap();
    std::fs::write(&path, derived.model_file().write().unwrap()).unwrap();
    (path.to_str().unwrap().to_string(), lines)
}

#[test]
fn states_that_lie_elsewhere_are_told_with_bad_claims() {
    let folder = tempfile::tempdir().unwrap();
    let (path, shift) = model_with(BAD, folder.path());
    let said = mechan(&["check", &path]).ends(1).err;
    assert!(said.contains("error[M314]"), "{said}");
    assert!(bad_claims(shift).iter().all(|(place, _)| said.contains(place)), "{said}");
}

#[test]
fn bad_claims_have_their_places_where_they_are_to_be_proven() {
    let folder = tempfile::tempdir().unwrap();
    let (path, shift) = model_with(BAD, folder.path());
    let said = mechan(&["prove", &path]).ends(1).err;
    assert!(bad_claims(shift).iter().all(|(place, _)| said.contains(place)), "{said}");
    // they are in the way of no others
    assert!(mechan(&["prove", &path, "--claim", "1 < 2"]).ends(0).out.contains("Proven"));
    // what cannot be asked has its place, too
    let (path, shift) = model_with("claims: [no-paradox(tip), 1 < 2]\n", folder.path());
    let said = mechan(&["prove", &path, "--box", "mu=0:1"]).ends(1).err;
    assert!(said.contains("error[M120]") && said.contains("depends on theta"), "{said}");
    assert!(said.contains(&format!(":{}:10 ", shift + 1)), "{said}");
}
