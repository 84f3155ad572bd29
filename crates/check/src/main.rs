//! `mechan-check PATH`: what a certificate proves, in one sentence.

use std::fs::File;
use std::io::{Read, Write};
use std::process::ExitCode;

const USAGE: &str = "usage: mechan-check PATH\n\nSays in one sentence what the certificate at PATH proves. Exit code 0: its answer is \
established; 1: it is not, and why; 2: usage.";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [path] = arguments.as_slice() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if path == "--help" || path == "-h" {
        return said(USAGE);
    }
    let checked = read(path).map_err(|error| format!("it cannot be read: {error}"));
    let checked = checked.and_then(|text| mechan_check::check(&text).map_err(|fault| fault.to_string()));
    match checked {
        Ok(checked) => said(&checked.to_string()),
        Err(why) => {
            eprintln!("{}: {why}", path.display());
            ExitCode::from(1)
        }
    }
}

/// Text of a file, of which little more is read than a certificate may have.
fn read(path: &std::ffi::OsStr) -> std::io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(mechan_check::MOST_BYTES as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}

fn said(text: &str) -> ExitCode {
    match writeln!(std::io::stdout(), "{text}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(1),
    }
}
