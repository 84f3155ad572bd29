//! Every malformed file is refused with its own error.

use mechan::coulomb::{Limits, Problem, ProblemError, read};
use mechan::linear::{MatrixError, Sparse};
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

/// A size that disagrees is named with what it should agree with.
fn declared(pointer: &str, value: Value, expected: &str) {
    let error = with(pointer, value).unwrap_err();
    assert!(matches!(error, ProblemError::Declared { .. }), "{error:?}");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn wrong_sizes() {
    refused!(with("/dim", json!(4)), ProblemError::Dimension { found: 4 });
    declared("/n_contacts", json!(2), "n_contacts is 2, but the length of mu is 1");
    declared("/n_contacts", json!(1_u64 << 42), "n_contacts is 4398046511104, but the length of mu is 1");
    declared("/n_rows", json!(3), "n_rows is 3, but dim * n_contacts is 2");
    declared("/n_dof", json!(3), "n_dof is 3, but the length of q is 2");
    declared("/mu", json!([]), "n_contacts is 1, but the length of mu is 0");
    declared("/b", json!([0.0]), "the length of b is 1, but dim * n_contacts is 2");
    declared("/q", json!([0.0]), "n_dof is 2, but the length of q is 1");
    declared("/M/nrows", json!(1_u64 << 40), "M.nrows is 1099511627776, but the length of q is 2");
    declared("/H/ncols", json!(1_u64 << 40), "H.ncols is 1099511627776, but dim * n_contacts is 2");
    declared("/M/nnz", json!(3), "the length of M.rows is 2, but M.nnz is 3");
    declared("/M/rows", json!([0]), "the length of M.rows is 1, but M.nnz is 2");
    declared("/H/vals", json!([0.5, 1.0, 2.0]), "the length of H.vals is 3, but H.nnz is 2");
}

/// A fault of the text is named with its key and its place in the list.
fn syntax(pointer: &str, value: Value, expected: &str) {
    let error = with(pointer, value).unwrap_err();
    let ProblemError::Syntax { message, .. } = &error else { panic!("{error:?}") };
    assert_eq!(message, expected);
}

#[test]
fn wrong_types() {
    syntax("/q", json!([0.0, null]), "q[1]: null, expected a number");
    syntax("/q", json!(["inf", 0.0]), "q[0]: string \"inf\", expected a number");
    syntax("/M/vals", json!([1.0, false]), "M.vals[1]: boolean `false`, expected a number");
    syntax("/M/rows", json!([0, -1]), "M.rows[1]: integer `-1`, expected a whole number >= 0");
    syntax("/H/cols", json!([0.5, 1]), "H.cols[0]: floating point `0.5`, expected a whole number >= 0");
    syntax("/dim", json!(2.5), "dim: floating point `2.5`, expected a whole number >= 0");
    syntax("/mu", json!(0.5), "mu: floating point `0.5`, expected a list");
    syntax("/format", json!(2), "format: integer `2`, expected a string");
    syntax("/H", json!({ "nrows": 2 }), "H: missing key `ncols`");
    let expected = "M: integer `1`, expected an object with nrows, ncols, nnz, rows, cols and vals";
    syntax("/M", json!(1), expected);
}

#[test]
fn wrong_entries() {
    refused!(
        with("/H/rows", json!([2, 0])),
        ProblemError::Matrix(MatrixError::Index { matrix: "H", list: "rows", entry: 0, found: 2, bound: 2 })
    );
    refused!(
        with("/M/cols", json!([0, 7])),
        ProblemError::Matrix(MatrixError::Index { list: "cols", entry: 1, found: 7, .. })
    );
    refused!(
        with(
            "/M",
            json!({ "nrows": 2, "ncols": 2, "nnz": 2, "rows": [0, 0], "cols": [0, 0], "vals": [1.0, 1.0] })
        ),
        ProblemError::Matrix(MatrixError::Duplicate { matrix: "M", row: 0, col: 0 })
    );
    refused!(with("/mu", json!([-0.1])), ProblemError::NegativeFriction { contact: 0, .. });
    let nan = Problem::local(
        2,
        vec![f64::NAN],
        &Sparse::from_dense("W", &[vec![1.0, 0.0], vec![0.0, 1.0]], 2).unwrap(),
        vec![0.0; 2],
    );
    refused!(nan, ProblemError::Matrix(MatrixError::NotFinite { what: "mu", index: 0 }));
    refused!(Sparse::from_dense("W", &[vec![f64::NAN]], 1).map(|_| ()), MatrixError::NotFinite { .. });
}

#[test]
fn numbers_that_are_none() {
    for (bad, expected) in [
        ("1e999", "q[1]: number out of range"),
        ("NaN", "q[1]: expected a JSON value (NaN and Infinity are none)"),
        ("-Infinity", "q[1]: invalid number"),
    ] {
        let text = good().to_string().replace("-1.0", bad);
        let error = read(text.as_bytes(), Limits::default()).unwrap_err();
        let ProblemError::Syntax { message, .. } = &error else { panic!("{error:?}") };
        assert_eq!(message, expected);
    }
}

#[test]
fn wrong_mass() {
    refused!(
        with("/M/vals", json!([1.0, -2.0])),
        ProblemError::Matrix(MatrixError::Indefinite { row: 1, .. })
    );
    refused!(
        with("/M/vals", json!([1.0, 0.0])),
        ProblemError::Matrix(MatrixError::Indefinite { row: 1, .. })
    );
    let skew = json!({ "nrows": 2, "ncols": 2, "nnz": 3, "rows": [0, 0, 1], "cols": [0, 1, 1], "vals": [1.0, 0.1, 1.0] });
    refused!(with("/M", skew), ProblemError::Matrix(MatrixError::Asymmetric { .. }));
    let indefinite = json!({ "nrows": 2, "ncols": 2, "nnz": 4, "rows": [0, 1, 0, 1], "cols": [0, 0, 1, 1], "vals": [1.0, 2.0, 2.0, 1.0] });
    refused!(with("/M", indefinite), ProblemError::Matrix(MatrixError::Indefinite { .. }));
    let slight = json!({ "nrows": 2, "ncols": 2, "nnz": 4, "rows": [0, 1, 0, 1], "cols": [0, 0, 1, 1], "vals": [1.0, 0.5, 0.500001, 1.0] });
    assert_eq!(with("/M", slight).unwrap().warnings().len(), 1);
}

#[test]
fn wrong_files() {
    refused!(with("/format", json!("fcp-2")), ProblemError::Format { .. });
    refused!(with("/kind", json!("other")), ProblemError::Kind { .. });
    for key in ["q", "b", "M", "H", "format", "kind", "dim", "n_contacts", "mu"] {
        let error = without(key).unwrap_err();
        assert_eq!(error.to_string(), format!("{key} is missing"));
    }
    for key in ["name", "n_rows", "n_dof"] {
        without(key).unwrap();
    }
    let twice = good().to_string().replacen('{', "{\"dim\": 2, ", 1);
    refused!(read(twice.as_bytes(), Limits::default()), ProblemError::Syntax { .. });
    // a list with the values in the order of the keys is not a problem
    refused!(read(br#"["fcp-1", "x", "local"]"#, Limits::default()), ProblemError::Syntax { .. });
    let text = good().to_string();
    for end in (0..text.len()).step_by(7) {
        refused!(read(&text.as_bytes()[..end], Limits::default()), ProblemError::Syntax { .. });
    }
    refused!(read(b"\xff\xfe{}", Limits::default()), ProblemError::Syntax { .. });
    refused!(read(text.as_bytes(), Limits { bytes: 10 }), ProblemError::TooLarge { limit: 10 });
    refused!(mechan::coulomb::read_file(std::path::Path::new("no/such/file.json")), ProblemError::Io { .. });
}

#[test]
fn gzip_bombs_and_broken_gzip() {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![b' '; 8 << 20]).unwrap();
    let bomb = packer.finish().unwrap();
    assert!(bomb.len() < 1 << 16);
    refused!(read(&bomb, Limits { bytes: 1 << 20 }), ProblemError::TooLarge { .. });
    refused!(read(&bomb[..bomb.len() / 2], Limits::default()), ProblemError::Packed { .. });
}

/// A fixed sequence of numbers without pattern.
fn shuffled(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

#[test]
fn damaged_bytes_are_refused_or_read_but_never_more() {
    let text = good().to_string().into_bytes();
    let mut seed = 1;
    let (mut refused, mut taken) = (0, 0);
    for _ in 0..5000 {
        let mut bytes = text.clone();
        for _ in 0..=shuffled(&mut seed) % 3 {
            let at = shuffled(&mut seed) as usize % bytes.len();
            bytes[at] = (shuffled(&mut seed) % 256) as u8;
        }
        match read(&bytes, Limits::default()) {
            Ok(_) => taken += 1,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused > 1000 && taken > 20, "{refused} {taken}");
}

#[test]
fn numbers_at_the_ends_of_the_range_are_solved_or_not_but_end() {
    use mechan::answer::solve;
    use mechan::coulomb::{Outcome, Request};
    use mechan::enumerate::enumerate;
    use mechan::existence::{Kinematics, assess};
    const ENDS: [f64; 9] = [0.0, 1.0, -1.0, 1e300, -1e300, 1e-300, -1e-300, 5e-324, f64::MAX];
    let mut seed = 7;
    let mut solved = 0;
    for _ in 0..60 {
        let mut pick = || ENDS[shuffled(&mut seed) as usize % ENDS.len()];
        let W = [[pick(), pick()], [pick(), pick()]].map(Vec::from);
        let (q, mu) = (vec![pick(), pick()], pick().abs());
        let W = Sparse::from_dense("W", &W, 2).unwrap();
        let problem = Problem::local(2, vec![mu], &W, q).unwrap();
        let request = Request { effort: 0.01, ..Request::default() };
        let solution = solve(&problem, &request).unwrap();
        if solution.outcome == Outcome::Solved {
            assert!(solution.backward_error.whole <= request.tolerance, "{solution:?}");
            assert!(solution.u.iter().chain(&solution.r).all(|x| x.is_finite()));
            solved += 1;
        }
        drop((assess(&Kinematics::of(&problem)), enumerate(&problem, Default::default())));
    }
    assert!(solved > 10, "{solved}");
}
