//! Files with faults: truncated, damaged at random, with parts missing or at odds with each other.

use std::collections::BTreeMap;

use hdf5_pure::{FileBuilder, GroupBuilder};
use mechan::coulomb::{FclibError, Limits, Problem, ProblemError, read, read_file};

use super::{FILES, GLOBAL, bytes};

/// What a dataset holds.
#[derive(Clone)]
enum List {
    Integers(Vec<i32>),
    Numbers(Vec<f64>),
    Table(Vec<f64>, [u64; 2]),
    Text(&'static str),
}

use List::{Integers, Numbers, Table, Text};

/// Datasets of one group by their names.
type Lists<'a> = Vec<(&'a str, &'a List)>;

type Datasets = BTreeMap<&'static str, List>;

/// A point on a table in the plane, and something beside it that nothing touches.
fn good() -> Datasets {
    BTreeMap::from([
        ("fclib_global/spacedim", Integers(vec![2])),
        ("fclib_global/M/m", Integers(vec![3])),
        ("fclib_global/M/n", Integers(vec![3])),
        ("fclib_global/M/nz", Integers(vec![-1])),
        ("fclib_global/M/p", Integers(vec![0, 1, 2, 3])),
        ("fclib_global/M/i", Integers(vec![0, 1, 2])),
        ("fclib_global/M/x", Numbers(vec![1.0, 1.0, 2.0])),
        ("fclib_global/H/m", Integers(vec![3])),
        ("fclib_global/H/n", Integers(vec![2])),
        ("fclib_global/H/nz", Integers(vec![3])),
        ("fclib_global/H/i", Integers(vec![1, 0, 1])),
        ("fclib_global/H/p", Integers(vec![0, 1, 0])),
        ("fclib_global/H/x", Numbers(vec![0.75, 1.0, 0.25])),
        ("fclib_global/vectors/mu", Numbers(vec![0.5])),
        ("fclib_global/vectors/f", Numbers(vec![0.1, -1.0, 0.0])),
        ("fclib_global/vectors/w", Numbers(vec![0.0, 0.0])),
    ])
}

fn put(group: &mut GroupBuilder, name: &str, list: &List) {
    let dataset = group.create_dataset(name);
    match list {
        Integers(list) => drop(dataset.with_i32_data(list)),
        Numbers(list) => drop(dataset.with_f64_data(list)),
        Table(list, shape) => drop(dataset.with_f64_data(list).with_shape(shape)),
        Text(text) => drop(dataset.with_strings(&[text]).unwrap()),
    }
}

/// The bytes of a file with these datasets.
fn file(datasets: &Datasets) -> Vec<u8> {
    let mut groups: BTreeMap<&str, BTreeMap<&str, Lists>> = BTreeMap::new();
    for (path, list) in datasets {
        let (top, rest) = path.split_once('/').unwrap();
        let (folder, name) = rest.split_once('/').unwrap_or(("", rest));
        groups.entry(top).or_default().entry(folder).or_default().push((name, list));
    }
    let mut file = FileBuilder::new();
    for (top, folders) in groups {
        let mut group = file.create_group(top);
        for (folder, lists) in folders {
            if folder.is_empty() {
                lists.iter().for_each(|(name, list)| put(&mut group, name, list));
            } else {
                let mut inner = group.create_group(folder);
                lists.iter().for_each(|(name, list)| put(&mut inner, name, list));
                group.add_group(inner.finish());
            }
        }
        file.add_group(group.finish());
    }
    file.finish().unwrap()
}

fn taken(datasets: &Datasets) -> Result<Problem, ProblemError> {
    read(&file(datasets), Limits::default())
}

/// What is said of the file with one dataset changed.
fn with(path: &'static str, list: List) -> String {
    let mut datasets = good();
    datasets.insert(path, list);
    taken(&datasets).unwrap_err().to_string()
}

#[test]
fn entries_at_one_place_add_up_and_the_rest_is_as_given() {
    let problem = taken(&good()).unwrap();
    let mechan::coulomb::Form::Global(form) = problem.form() else { panic!("global") };
    let H: Vec<_> = form.Ht.coordinates().collect();
    assert_eq!(H, [(1, 0, 1.0), (0, 1, 1.0)]);
    assert_eq!((form.f.as_slice(), form.M.get(2, 2)), ([-0.1, 1.0, 0.0].as_slice(), 2.0));
}

#[test]
fn every_part_that_is_missing_is_named() {
    for (path, _) in good() {
        let mut datasets = good();
        datasets.remove(path);
        assert_eq!(
            taken(&datasets).unwrap_err(),
            FclibError::Missing { path: path.to_owned() }.into(),
            "{path}"
        );
    }
}

#[test]
#[rustfmt::skip]
fn faults_are_told_with_their_place() {
    for (path, list, expected) in [
        ("fclib_global/spacedim", Integers(vec![4]), "dim is 4, expected 2 or 3"),
        ("fclib_global/spacedim", Integers(vec![-2]), "fclib_global/spacedim is -2, expected a number >= 0"),
        ("fclib_global/spacedim", Integers(vec![2, 2]), "fclib_global/spacedim is a table of 2, expected one number"),
        ("fclib_global/spacedim", Numbers(vec![2.0]), "fclib_global/spacedim has numbers of type f64, expected integers"),
        ("fclib_global/spacedim", Text("2"), "fclib_global/spacedim has numbers of type string, expected integers"),
        ("fclib_global/vectors/mu", Text("half"), "fclib_global/vectors/mu cannot be read: HDF5 format error: type mismatch: expected numeric, got String"),
        ("fclib_global/vectors/mu", Numbers(vec![-0.5]), "friction of contact 0 is -0.5, expected a number >= 0"),
        ("fclib_global/vectors/mu", Numbers(vec![]), "the length of fclib_global/vectors/w is 2, but spacedim times the length of mu is 0"),
        ("fclib_global/vectors/w", Numbers(vec![0.0]), "the length of fclib_global/vectors/w is 1, but spacedim times the length of mu is 2"),
        ("fclib_global/vectors/f", Numbers(vec![0.0]), "fclib_global/M/m is 3, but the length of f is 1"),
        ("fclib_global/vectors/f", Numbers(vec![0.0, f64::NAN, 0.0]), "fclib_global/vectors/f[1] is not a finite number"),
        ("fclib_global/vectors/f", Table(vec![0.0; 6], [3, 2]), "fclib_global/vectors/f is a table of 3 x 2, expected a list"),
        ("fclib_global/M/m", Integers(vec![-3]), "fclib_global/M/m is -3, expected a number >= 0"),
        ("fclib_global/M/n", Integers(vec![i32::MAX]), "fclib_global/M/n is 2147483647, but the length of f is 3"),
        ("fclib_global/M/nz", Integers(vec![-3]), "fclib_global/M/nz is -3, expected the number of entries, -1 (by columns) or -2 (by rows)"),
        ("fclib_global/M/p", Integers(vec![0, 1, 2]), "the length of fclib_global/M/p is 3, but its columns or rows and 1 is 4"),
        ("fclib_global/M/p", Integers(vec![1, 1, 2, 3]), "fclib_global/M/p[0] is 1; where columns or rows begin must ascend from 0 to the number of entries"),
        ("fclib_global/M/p", Integers(vec![0, 2, 1, 3]), "fclib_global/M/p[2] is 1; where columns or rows begin must ascend from 0 to the number of entries"),
        ("fclib_global/M/p", Integers(vec![0, 1, 2, i32::MAX]), "fclib_global/M/i has 3 entries, expected at least 2147483647"),
        ("fclib_global/M/i", Integers(vec![0, 1, 3]), "fclib_global/M/i[2] is 3, expected 0 to 2"),
        ("fclib_global/M/i", Integers(vec![0, -1, 2]), "fclib_global/M/i[1] is -1, expected 0 to 2"),
        ("fclib_global/M/x", Numbers(vec![1.0, 1.0]), "fclib_global/M/x has 2 entries, expected at least 3"),
        ("fclib_global/M/x", Numbers(vec![1.0, f64::INFINITY, 1.0]), "fclib_global/M/x[1] is not a finite number"),
        ("fclib_global/H/nz", Integers(vec![4]), "fclib_global/H/i has 3 entries, expected at least 4"),
        ("fclib_global/H/p", Integers(vec![0, 2, 0]), "fclib_global/H/p[1] is 2, expected 0 to 1"),
        ("fclib_global/G/n", Integers(vec![1]), "fclib_global/G: bilateral constraints cannot be taken into account"),
        ("fclib_local/spacedim", Integers(vec![2]), "has fclib_local and fclib_global, two problems; expected one of them"),
    ] {
        assert_eq!(with(path, list), expected);
    }
}

#[test]
fn no_problem_at_all() {
    let only =
        |path: &'static str| taken(&Datasets::from([(path, Integers(vec![1]))])).unwrap_err().to_string();
    assert_eq!(
        only("data/x"),
        "an HDF5 file with data, expected the group fclib_local or fclib_global of FCLIB"
    );
    assert_eq!(
        only("fclib_global_rolling/spacedim"),
        "fclib_global_rolling: rolling friction cannot be taken into account"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.hdf5");
    std::fs::write(&path, "no HDF5").unwrap();
    assert_eq!(read_file(&path).unwrap_err(), FclibError::Signature.into());
}

#[test]
fn constraints_without_rows_are_none() {
    let mut datasets = good();
    datasets.insert("fclib_global/G/n", Integers(vec![0]));
    taken(&datasets).unwrap();
}

#[test]
fn a_list_longer_than_its_file_can_hold_is_not_reserved() {
    // old headers have no checksum; the extent and the largest extent of f stand one after the other
    let mut bytes = bytes(GLOBAL, "csc");
    let extents = [39_u64.to_le_bytes(), 39_u64.to_le_bytes()].concat();
    let places: Vec<usize> = (0..bytes.len() - 16).filter(|&k| bytes[k..].starts_with(&extents)).collect();
    assert_eq!(places.len(), 1);
    bytes[places[0]..places[0] + 8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    let (path, file) = ("fclib_global/vectors/f".to_owned(), bytes.len());
    let error = read(&bytes, Limits::default()).unwrap_err();
    assert_eq!(error, FclibError::TooMany { path, numbers: 1 << 40, file }.into());
}

#[test]
fn the_limit_holds_for_what_is_read_and_for_what_is_unpacked() {
    let packed = std::fs::read(super::path(GLOBAL, "csc")).unwrap();
    for limit in [packed.len() as u64 - 1, packed.len() as u64 + 1] {
        assert_eq!(read(&packed, Limits { bytes: limit }).unwrap_err(), ProblemError::TooLarge { limit });
    }
}

#[test]
fn truncated_files_are_refused() {
    for (name, storage) in FILES {
        let whole = bytes(name, storage);
        for part in 1..40 {
            let found = whole.len() * part / 40;
            let expected = u64::try_from(whole.len()).unwrap();
            let error = read(&whole[..found], Limits::default()).unwrap_err();
            if found > 96 {
                assert_eq!(error, FclibError::Truncated { found, expected }.into());
            }
        }
    }
    for whole in [file(&good()), bytes(GLOBAL, "csc")] {
        let error = read(&whole[..whole.len() - 1], Limits::default()).unwrap_err();
        assert!(error.to_string().starts_with("truncated: an HDF5 file of"), "{error}");
    }
}

#[test]
fn damaged_files_are_read_or_refused_in_words() {
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let (mut taken, mut refused) = (0, 0);
    for (name, storage) in FILES {
        let whole = bytes(name, storage);
        for _ in 0..150 {
            let mut damaged = whole.clone();
            for _ in 0..=random(5) {
                damaged[random(whole.len())] = [0, 1, 0x7f, 0xff][random(4)];
            }
            match read(&damaged, Limits::default()) {
                Ok(_) => taken += 1,
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().contains('\n'), "{error}");
                }
            }
        }
    }
    assert!(taken > 100 && refused > 100, "{taken} {refused}");
}
