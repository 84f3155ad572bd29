//! FCLIB's HDF5: files written by its own library (`make.py` beside this file) say what the recorded problems in JSON say, and
//! files with faults are refused with the place of the fault.

mod faults;

use std::path::PathBuf;

use mechan::answer::solve;
use mechan::coulomb::{Form, Limits, Problem, Request, read, read_file, write_file};
use mechan::linear::Sparse;

use crate::files::load;

const LOCAL: &str = "FrictionContact3D_1c";
const GLOBAL: &str = "GFC3D_OneContact";

/// Files of this folder: a recorded problem, and how it is stored.
const FILES: [(&str, &str); 10] = [
    (LOCAL, "csc"),
    (LOCAL, "csr"),
    (LOCAL, "triplet"),
    (GLOBAL, "csc"),
    (GLOBAL, "csr"),
    (GLOBAL, "triplet"),
    (GLOBAL, "big_endian"),
    (GLOBAL, "wide"),
    (GLOBAL, "chunked"),
    (GLOBAL, "modern"),
];

fn path(name: &str, storage: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/incremental/fclib");
    folder.join(format!("{name}.{storage}.hdf5.gz"))
}

/// The bytes of one of the files, unpacked.
fn bytes(name: &str, storage: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let packed = std::fs::File::open(path(name, storage)).unwrap();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(packed), &mut out).unwrap();
    out
}

/// The entries of a matrix that are not zero: a file may store zeros, or leave them out.
fn entries(a: &Sparse) -> Vec<(usize, usize, u64)> {
    a.coordinates().filter(|(_, _, x)| x.abs() > 0.0).map(|(i, j, x)| (i, j, x.to_bits())).collect()
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// The matrices and vectors of a problem, to the last bit.
type Numbers = (Vec<Vec<(usize, usize, u64)>>, Vec<Vec<u64>>);

fn numbers(problem: &Problem) -> Numbers {
    let mu = bits(problem.mu());
    match problem.form() {
        Form::Local(form) => (vec![entries(&form.W.to_sparse())], vec![mu, bits(&form.q)]),
        Form::Global(form) => {
            (vec![entries(&form.M), entries(&form.Ht)], vec![mu, bits(&form.f), bits(&form.w)])
        }
    }
}

#[test]
fn files_of_the_library_say_what_the_recorded_problems_say() {
    for (name, storage) in FILES {
        let (ours, recorded) = (read_file(&path(name, storage)).unwrap(), load(name));
        assert_eq!(ours.dim(), recorded.dim());
        assert!(numbers(&ours) == numbers(&recorded), "{name}.{storage}");
        assert_eq!(ours.name(), format!("{name}.{storage}"), "the name is that of the file");
        let solved = |problem| solve(problem, &Request::default()).unwrap();
        let (ours, recorded) = (solved(&ours), solved(&recorded));
        let scale = recorded.r.iter().fold(0.0, |m: f64, r| m.max(r.abs()));
        for (a, b) in ours.r.iter().zip(&recorded.r) {
            assert!((a - b).abs() <= 1e-6 * scale, "{name}.{storage}: {a} {b}");
        }
    }
}

#[test]
fn from_bytes_the_name_is_the_title() {
    let problem = read(&bytes(GLOBAL, "csc"), Limits::default()).unwrap();
    assert_eq!(problem.name(), GLOBAL);
    let packed = std::fs::read(path(GLOBAL, "csc")).unwrap();
    assert_eq!(read(&packed, Limits::default()).unwrap(), problem);
}

#[test]
fn written_files_read_back_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let names =
        [LOCAL, GLOBAL, "Rover4396", "CubeH8__reduced", "FC2D_SliderCrankLagrangian00000", "GFC3D_Example1"];
    let nothing = "gfc2d_granularflowonwall_00000_00117";
    assert_eq!(load(nothing).contacts(), 0);
    for (name, ending) in
        names.into_iter().chain([nothing]).zip(["hdf5", "h5", "hdf5.gz", "H5"].iter().cycle())
    {
        let problem = load(name);
        let path = folder.path().join(format!("{name}.{ending}"));
        write_file(&problem, &path).unwrap();
        assert_eq!(
            std::fs::read(&path).unwrap().starts_with(b"\x89HDF"),
            !ending.ends_with("gz"),
            "{ending}"
        );
        let back = read_file(&path).unwrap();
        assert!(numbers(&back) == numbers(&problem), "{name}.{ending}");
    }
}

#[test]
fn a_file_of_another_name_is_read_by_what_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let (hdf5, json) = (folder.path().join("a.json"), folder.path().join("b.h5"));
    std::fs::write(&hdf5, bytes(LOCAL, "csr")).unwrap();
    assert_eq!(read_file(&hdf5).unwrap().name(), "a");
    std::fs::write(&json, mechan::coulomb::write(&load(LOCAL))).unwrap();
    assert_eq!(read_file(&json).unwrap(), load(LOCAL));
}
