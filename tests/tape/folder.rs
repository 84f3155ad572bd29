//! The folder that a program is started in has no say in what a tape computes.

use crate::models;
use mechan::tape::Compiled;
use std::process::Command;

/// Compiles the rod in `folder`, in a process of its own, since a working directory is a whole process's.
fn compile_in(folder: &std::path::Path) -> std::io::Result<()> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--ignored", "--exact", "folder::compiles_here"])
        .current_dir(folder)
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Machine code where the folder has no options for the compiler, the interpreter where it has; the same numbers.
#[test]
#[ignore = "run by the other tests of this file in a folder of their own"]
fn compiles_here() {
    let tape = models::rod();
    let compiled = Compiled::new(&tape);
    let (mut found, mut expected) = ([0.0; 17], [0.0; 17]);
    compiled.eval(&models::ROD, &mut found, &mut compiled.scratch());
    tape.eval(&models::ROD, &mut expected, &mut tape.scratch());
    assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
    let supported = cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"));
    let compiles = cfg!(feature = "machine-code") && supported;
    assert_eq!(compiled.is_native(), compiles && !std::fs::exists("symjit.toml").unwrap());
}

#[test]
fn an_empty_folder_changes_nothing() {
    compile_in(tempfile::tempdir().unwrap().path()).unwrap();
}

#[test]
fn options_that_lie_about_cannot_break_a_tape() {
    for options in ["ty = 3 [[[", "", "ty = \"bytecode\"\n[options]\nfastmath = true\n"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("symjit.toml"), options).unwrap();
        compile_in(folder.path()).unwrap();
    }
}
