//! `mechan prove`: exit statuses, certificates and files.

use crate::run::mechan;

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
