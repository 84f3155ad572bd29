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
    let shown = path.display();
    match read(path).and_then(|text| mechan_check::check(&text).map_err(|fault| fault.to_string())) {
        Ok(checked) => said(&checked.to_string()),
        Err(why) => {
            eprintln!("{shown}: {why}");
            ExitCode::from(1)
        }
    }
}

/// Text of a file, of which no more is read than a certificate may have.
fn read(path: &std::ffi::OsStr) -> Result<String, String> {
    let most = mechan_check::MOST_BYTES as u64 + 1;
    let file = File::open(path).map_err(|e| format!("it cannot be read: {e}"))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(|e| format!("it cannot be read: {e}"))?;
    if bytes.len() as u64 == most {
        return Err(mechan_check::Fault::Large { bytes: bytes.len() }.to_string());
    }
    String::from_utf8(bytes).map_err(|_| "it is not text in UTF-8".to_owned())
}

fn said(text: &str) -> ExitCode {
    match writeln!(std::io::stdout(), "{text}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(1),
    }
}
