//! `explore` without a browser: where the page goes, and what is said where it cannot be made.

use crate::run::{command, finish, mechan};

#[test]
fn pages_go_where_they_are_asked_for_and_their_paths_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let module = folder.path().join("core.wasm");
    std::fs::write(&module, b"\0asm\x01\0\0\0").unwrap();
    for (words, page) in [
        (&["explore", "falling_pencil", "--state", "impact"][..], "falling_pencil.html"),
        (&["explore"], "mechan-gallery.html"),
        (&["explore", "ladder", "painleve_rod", "-o", "two.html"], "two.html"),
    ] {
        let run = finish(command(words).current_dir(folder.path()).env("MECHAN_EXPLORER_CORE", &module), b"");
        assert_eq!((run.status, run.out.trim()), (0, page), "{}", run.err);
        let text = std::fs::read_to_string(folder.path().join(page)).unwrap();
        assert!(text.starts_with("<!doctype html>") && text.trim_end().ends_with("</html>"));
    }
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let explore = |words: &[&str], core: &str| finish(command(words).env("MECHAN_EXPLORER_CORE", core), b"");
    let run = explore(&["explore", "ladder"], "no/such/core.wasm");
    assert!(run.status == 1 && run.err.contains("no/such/core.wasm cannot be read"), "{}", run.err);
    let run = explore(&["explore", "ladder"], "Cargo.toml");
    assert!(run.status == 1 && run.err.contains("is no WebAssembly module"), "{}", run.err);
    mechan(&["explore", "--state", "x"]).ends(2);
    mechan(&["explore", "--serve"]).ends(2);
    mechan(&["explore", "ladder", "--port", "1"]).ends(2);
}
