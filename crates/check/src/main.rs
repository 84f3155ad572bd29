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
    // little more is read than a certificate may have
    let most = mechan_check::MOST_BYTES as u64 + 1;
    let mut text = String::new();
    let checked = match File::open(path).and_then(|file| file.take(most).read_to_string(&mut text)) {
        Ok(_) => mechan_check::check(&text).map_err(|fault| fault.to_string()),
        Err(error) => Err(format!("it cannot be read: {error}")),
    };
    match checked {
        Ok(checked) => said(&checked.to_string()),
        Err(why) => {
            eprintln!("{}: {why}", path.display());
            ExitCode::from(1)
        }
    }
}

fn said(text: &str) -> ExitCode {
    writeln!(std::io::stdout(), "{text}").map_or(ExitCode::from(1), |()| ExitCode::SUCCESS)
}
