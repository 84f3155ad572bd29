//! `--save-problem`: a problem in another form, the commands of `docs/solve.md` among them.

use super::{SPACE, TWO};
use crate::run::mechan;
use std::path::{Path, PathBuf};

/// A folder of a test's own, empty.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What solving one file says, without what depends on the clock and its name.
fn solved(from: &str, to: Option<&Path>) -> serde_json::Value {
    let to = to.map(|path| path.to_string_lossy().into_owned());
    let save = to.iter().flat_map(|to| ["--save-problem", to]);
    let args = ["solve", from, "--quiet", "--format", "json"].into_iter().chain(save).collect::<Vec<_>>();
    let mut found = mechan(&args).ends(0).json();
    for key in ["time_seconds", "problem"] {
        found[key].take();
    }
    found
}

#[test]
fn a_problem_file_is_saved_as_it_is() {
    let folder = scratch("saved");
    let copy = folder.join("copy.json.gz");
    let direct = solved(SPACE, Some(&copy));
    assert_eq!(solved(&copy.to_string_lossy(), None), direct);
    let run = mechan(&["solve", SPACE, TWO, "--save-problem", "none.json"]).ends(2);
    assert!(run.err.contains("--save-problem is for one problem, and 2 files are given"), "{}", run.err);
    let run = mechan(&["solve", SPACE, "--save-problem", "/proc/none/a.json"]).ends(1);
    assert!(run.err.contains("/proc/none/a.json: cannot be written"), "{}", run.err);
}

#[cfg(feature = "hdf5")]
#[test]
fn problems_go_to_the_files_of_fclib_and_back() {
    let folder = scratch("fclib");
    for problem in [SPACE, TWO] {
        let (there, back) = (folder.join("a.hdf5"), folder.join("a.json"));
        let direct = solved(problem, Some(&there));
        assert_eq!(solved(&there.to_string_lossy(), Some(&back)), direct);
        assert_eq!(solved(&back.to_string_lossy(), None), direct);
    }
    let packed = std::fs::read(folder.join("a.hdf5")).unwrap();
    let run = crate::run::mechan_on(&["solve", "-", "--quiet", "--format", "json"], &packed).ends(0);
    assert_eq!(run.json()["problem"], "painleve_bar_lifted");
    std::fs::write(folder.join("cut.h5"), &packed[..packed.len() / 2]).unwrap();
    let run = mechan(&["solve", &folder.join("cut.h5").to_string_lossy()]).ends(1);
    assert!(run.err.contains("cut.h5: truncated: an HDF5 file of"), "{}", run.err);
}

#[cfg(not(feature = "hdf5"))]
#[test]
fn a_build_without_hdf5_says_so() {
    let folder = scratch("without_hdf5");
    let path = folder.join("a.h5");
    let name = path.to_string_lossy();
    let words = "a.h5: this build has no HDF5: use JSON in the format fcp-1, or build with `--features hdf5`";
    let run = mechan(&["solve", SPACE, "--save-problem", &name]).ends(1);
    assert!(run.err.contains(words) && !path.exists(), "{}", run.err);
    std::fs::write(&path, b"\x89HDF\r\n\x1a\n").unwrap();
    let run = mechan(&["solve", &name]).ends(1);
    assert!(run.err.contains(words), "{}", run.err);
}
