//! Several `mechan` at once: derivations wait for each other, whatever cache they use.

use crate::run::{command, finish};

#[test]
fn eight_uncached_analyses_at_once_all_succeed() {
    let mut files: Vec<_> = std::fs::read_dir("mechanisms")
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "yaml"))
        .collect();
    files.sort();
    let cache = tempfile::tempdir().unwrap();
    let runs: Vec<_> = files
        .into_iter()
        .take(8)
        .map(|file| {
            let folder = cache.path().to_path_buf();
            std::thread::spawn(move || {
                let mut command = command(&["analyze", file.to_str().unwrap(), "--format", "json"]);
                finish(command.env("MECHAN_CACHE_DIR", folder), b"")
            })
        })
        .collect();
    assert_eq!(runs.len(), 8);
    for run in runs {
        let run = run.join().unwrap().ends(0);
        assert_eq!(run.json()["schema"], "mechan.analysis/1");
    }
}

#[test]
fn writers_of_one_cache_entry_do_not_disturb_each_other() {
    let cache = tempfile::tempdir().unwrap();
    let runs: Vec<_> = (0..4)
        .map(|_| {
            let folder = cache.path().to_path_buf();
            std::thread::spawn(move || {
                let mut command = command(&["analyze", "mechanisms/painleve_rod.yaml", "--format", "json"]);
                finish(command.env("MECHAN_CACHE_DIR", folder), b"")
            })
        })
        .collect();
    let outputs: Vec<String> = runs.into_iter().map(|r| r.join().unwrap().ends(0).out).collect();
    assert!(outputs.iter().all(|o| *o == outputs[0]));
}

#[test]
fn two_runs_of_one_file_derive_once() {
    let cache = tempfile::tempdir().unwrap();
    let runs: Vec<_> = (0..2)
        .map(|_| {
            let folder = cache.path().to_path_buf();
            std::thread::spawn(move || {
                let mut command = command(&["analyze", "--verbose", "mechanisms/two_link_manipulator.yaml"]);
                finish(command.env("MECHAN_CACHE_DIR", folder), b"").ends(0)
            })
        })
        .collect();
    let said: String = runs.into_iter().map(|r| r.join().unwrap().err).collect();
    assert_eq!(said.matches("deriving the equations").count(), 1, "{said}");
}
