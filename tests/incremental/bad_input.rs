//! Every malformed file is refused with its own error.

use mechan::incremental::{Limits, Problem, ProblemError, Sparse, read};
use serde_json::{Value, json};

fn good() -> Value {
    json!({ "format": "fcp-1", "name": "x", "kind": "global", "dim": 2, "n_contacts": 1, "n_rows": 2, "n_dof": 2,
        "mu": [0.5], "q": [0.0, -1.0], "b": [0.0, 0.0],
        "M": { "nrows": 2, "ncols": 2, "nnz": 2, "rows": [0, 1], "cols": [0, 1], "vals": [1.0, 1.0] },
        "H": { "nrows": 2, "ncols": 2, "nnz": 2, "rows": [1, 0], "cols": [0, 1], "vals": [1.0, 1.0] } })
}

fn with(pointer: &str, value: Value) -> Result<Problem, ProblemError> {
    let mut file = good();
    *file.pointer_mut(pointer).unwrap() = value;
    read(file.to_string().as_bytes(), Limits::default())
}

fn without(key: &str) -> Result<Problem, ProblemError> {
    let mut file = good();
    file.as_object_mut().unwrap().remove(key);
    read(file.to_string().as_bytes(), Limits::default())
}

macro_rules! refused {
    ($result:expr, $pattern:pat) => {
        let result = $result;
        assert!(matches!(result, Err($pattern)), "{result:?}");
        assert!(!format!("{}", result.unwrap_err()).contains('\n'));
    };
}

#[test]
fn the_unchanged_file_is_accepted() {
    read(good().to_string().as_bytes(), Limits::default()).unwrap();
}

#[test]
fn wrong_sizes() {
    refused!(with("/dim", json!(4)), ProblemError::Dimension { found: 4 });
    refused!(with("/n_contacts", json!(2)), ProblemError::Size { what: "mu", .. });
    refused!(with("/n_contacts", json!(4_000_000_000_000_u64)), ProblemError::Size { what: "mu", .. });
    refused!(with("/n_rows", json!(3)), ProblemError::Size { what: "n_rows", .. });
    refused!(with("/n_dof", json!(3)), ProblemError::Size { what: "n_dof", .. });
    refused!(with("/mu", json!([])), ProblemError::Size { what: "mu", .. });
    refused!(with("/b", json!([0.0])), ProblemError::Size { what: "b", .. });
    refused!(with("/q", json!([0.0])), ProblemError::Size { .. });
    refused!(with("/M/nrows", json!(1_000_000_000_000_u64)), ProblemError::Size { what: "M", .. });
    refused!(with("/H/ncols", json!(1_000_000_000_000_u64)), ProblemError::Size { what: "H", .. });
    refused!(with("/M/nnz", json!(3)), ProblemError::Size { .. });
    refused!(with("/M/rows", json!([0])), ProblemError::Size { .. });
}

#[test]
fn wrong_entries() {
    refused!(
        with("/H/rows", json!([2, 0])),
        ProblemError::Index { matrix: "H", entry: 0, found: 2, bound: 2 }
    );
    refused!(with("/M/rows", json!([0, -1])), ProblemError::Syntax { .. });
    refused!(
        with(
            "/M",
            json!({ "nrows": 2, "ncols": 2, "nnz": 2, "rows": [0, 0], "cols": [0, 0], "vals": [1.0, 1.0] })
        ),
        ProblemError::Duplicate { matrix: "M", row: 0, col: 0 }
    );
    refused!(with("/mu", json!([-0.1])), ProblemError::NegativeFriction { contact: 0, .. });
    refused!(with("/q", json!([null, 0.0])), ProblemError::Syntax { .. });
    let huge = good().to_string().replace("-1.0", "-1e999");
    refused!(read(huge.as_bytes(), Limits::default()), ProblemError::Syntax { .. });
    let nan = Problem::local(
        2,
        vec![f64::NAN],
        &Sparse::from_dense("W", &[vec![1.0, 0.0], vec![0.0, 1.0]], 2).unwrap(),
        vec![0.0; 2],
    );
    refused!(nan, ProblemError::NotFinite { what: "mu", index: 0 });
    refused!(Sparse::from_dense("W", &[vec![f64::NAN]], 1).map(|_| ()), ProblemError::NotFinite { .. });
}

#[test]
fn wrong_mass() {
    refused!(with("/M/vals", json!([1.0, -2.0])), ProblemError::Indefinite { coordinate: 1, .. });
    refused!(with("/M/vals", json!([1.0, 0.0])), ProblemError::Indefinite { coordinate: 1, .. });
    let skew = json!({ "nrows": 2, "ncols": 2, "nnz": 3, "rows": [0, 0, 1], "cols": [0, 1, 1], "vals": [1.0, 0.1, 1.0] });
    refused!(with("/M", skew), ProblemError::Asymmetric { .. });
    let indefinite = json!({ "nrows": 2, "ncols": 2, "nnz": 4, "rows": [0, 1, 0, 1], "cols": [0, 0, 1, 1], "vals": [1.0, 2.0, 2.0, 1.0] });
    refused!(with("/M", indefinite), ProblemError::Indefinite { .. });
    let slight = json!({ "nrows": 2, "ncols": 2, "nnz": 4, "rows": [0, 1, 0, 1], "cols": [0, 0, 1, 1], "vals": [1.0, 0.5, 0.500001, 1.0] });
    assert_eq!(with("/M", slight).unwrap().warnings().len(), 1);
}

#[test]
fn wrong_files() {
    refused!(with("/format", json!("fcp-2")), ProblemError::Format { .. });
    refused!(with("/kind", json!("other")), ProblemError::Kind { .. });
    for key in ["q", "b", "M", "H"] {
        refused!(without(key), ProblemError::Missing { .. });
    }
    for key in ["format", "kind", "dim", "n_contacts", "mu"] {
        refused!(without(key), ProblemError::Syntax { .. });
    }
    let text = good().to_string();
    for end in (0..text.len()).step_by(7) {
        refused!(read(&text.as_bytes()[..end], Limits::default()), ProblemError::Syntax { .. });
    }
    refused!(read(b"\xff\xfe{}", Limits::default()), ProblemError::Syntax { .. });
    refused!(read(text.as_bytes(), Limits { bytes: 10 }), ProblemError::TooLarge { limit: 10 });
    refused!(
        mechan::incremental::read_file(std::path::Path::new("no/such/file.json")),
        ProblemError::Io { .. }
    );
}

#[test]
fn gzip_bombs_and_broken_gzip() {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![b' '; 8 << 20]).unwrap();
    let bomb = packer.finish().unwrap();
    assert!(bomb.len() < 1 << 16);
    refused!(read(&bomb, Limits { bytes: 1 << 20 }), ProblemError::TooLarge { .. });
    refused!(read(&bomb[..bomb.len() / 2], Limits::default()), ProblemError::Io { .. });
}
