//! The commands of the book and the README: they run in a folder of their own and print what is shown; those that take
//! minutes, or need files from elsewhere, are checked for their options.

use crate::pages::{Page, all};
use crate::pictures;
use crate::run::{Run, command, finish};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Commands that are only parsed, by what they contain, and why.
#[rustfmt::skip]
const PARSED: &[(&str, &str)] = &[
    ("converge mechanisms/bouncing_ball.yaml", "minutes: all schemes, all steps"),
    ("converge mechanisms/linear_oscillator.yaml --t-end 10 --schemes moreau,", "minutes: steps of 1/5000"),
    ("converge mechanisms/linear_oscillator.yaml --t-end 5 --gamma 1", "minutes: steps of 1/5000"),
    ("--runs 10000", "minutes in a debug build"),
    ("--quantity lyapunov", "minutes in a debug build"),
    ("bench granular --plot", "minutes"),
    ("run scenes/beads.yaml --plot", "a minute in a debug build"),
    ("a1.urdf", "the robot is not ours"),
    ("a1.yaml", "the robot is not ours"),
    ("rectangle_on_circles --brief", "a quarter of a minute in a debug build"),
];

/// A command and what is shown of its output.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) words: String,
    pub(crate) shown: String,
}

/// Sessions of a page: in `console` blocks lines after `$ ` with their output; elsewhere lines that begin with `mechan `.
pub(crate) fn sessions(page: &Page) -> Vec<Session> {
    let mut found: Vec<Session> = Vec::new();
    for block in page.blocks() {
        let console = block.language == "console";
        if !console && !block.language.is_empty() {
            continue;
        }
        for line in joined(&block.lines) {
            if let Some(words) = line.strip_prefix("$ ") {
                found.push(Session { words: words.to_owned(), shown: String::new() });
            } else if !console && line.starts_with("mechan ") {
                found.push(Session { words: line, shown: String::new() });
            } else if console {
                let last = found.last_mut().expect("output comes after a command");
                last.shown += &(line + "\n");
            }
        }
    }
    let indented = page.prose().into_iter().filter_map(|line| line.strip_prefix("    "));
    let indented = joined(&indented.collect::<Vec<_>>());
    let own = indented.into_iter().filter(|line| line.starts_with("mechan "));
    found.extend(own.map(|words| Session { words, shown: String::new() }));
    found
}

/// Lines that end with a backslash, with the next one.
fn joined(lines: &[&str]) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    let mut open = false;
    for line in lines {
        match whole.last_mut() {
            Some(last) if open => *last += line.trim_start(),
            _ => whole.push((*line).to_owned()),
        }
        open = line.ends_with('\\');
        if open {
            whole.last_mut().unwrap().pop();
        }
    }
    whole
}

/// Words of a shell line, with quotes.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut quote, mut fresh) = (Vec::<String>::new(), None, true);
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            (' ', None) => {
                fresh = true;
                continue;
            }
            (c, _) => {
                if fresh {
                    words.push(String::new());
                }
                words.last_mut().unwrap().push(c);
                fresh = false;
                continue;
            }
        }
        if fresh {
            words.push(String::new());
            fresh = false;
        }
    }
    words
}

/// A folder with the files that the commands of a page name.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn for_page(page: &Page) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for shared in [
            "mechanisms",
            "problems",
            "examples",
            "benches/models",
            "tests/simulate/models",
            "scenes",
            "theorems/mechanisms",
        ] {
            copy(Path::new(shared), &folder.path().join(shared));
        }
        std::fs::create_dir_all(folder.path().join("img")).unwrap();
        for (name, text) in page.mechanisms() {
            std::fs::write(folder.path().join(format!("{name}.yaml")), text).unwrap();
        }
        Self { folder }
    }

    fn finished(&self, args: &[&str]) -> Run {
        finish(command(args).current_dir(self.folder.path()), b"")
    }

    /// Runs a command, or parses it where it is on the list.
    fn run(&self, session: &Session) -> Result<bool, String> {
        let words = split(&session.words);
        let args: Vec<&str> = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["cargo", "run", "--", args @ ..] | ["mechan", args @ ..] => args.to_vec(),
            ["cargo", ..] => return Ok(false),
            other => return Err(format!("{other:?} is run by no test")),
        };
        if PARSED.iter().any(|(part, _)| session.words.contains(part)) {
            let run = self.finished(&[&args[..], &["--help"]].concat());
            return verdict(run.status == 0, &session.words, &run).map(|()| false);
        }
        let run = self.finished(&args);
        let refused = session.shown.lines().any(|line| line.starts_with("error"));
        verdict((run.status != 0) == refused, &session.words, &run)?;
        agrees(&(run.out + run.err.as_str()), &session.shown)
            .map_err(|e| format!("{}: {e}", session.words))?;
        Ok(true)
    }

    /// Runs commands without output on two threads, and fails with all that went wrong.
    pub(crate) fn run_all(&self, commands: &[String]) {
        let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let worker = || {
            while let Some(words) = commands.get(next.fetch_add(1, Ordering::Relaxed)) {
                let session = Session { words: words.clone(), shown: String::new() };
                if let Err(fault) = self.run(&session) {
                    faults.lock().unwrap().push(fault);
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(worker);
            worker();
        });
        let faults = faults.into_inner().unwrap();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

fn verdict(good: bool, words: &str, run: &Run) -> Result<(), String> {
    let sound = good && !run.err.contains("panicked");
    if sound { Ok(()) } else { Err(format!("{words}: exit status {}\n{}", run.status, run.err)) }
}

/// Pieces of what is shown, between lines `...`, are in the output in this order.
fn agrees(output: &str, shown: &str) -> Result<(), String> {
    let mut rest = output;
    for piece in shown.split("...\n").filter(|piece| !piece.trim().is_empty()) {
        let at = rest.find(piece).ok_or_else(|| format!("\n{piece}\nis not in\n{rest}"))?;
        rest = &rest[at + piece.len()..];
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
}

/// Pages are run one beside the other, the commands of a page in their order.
#[test]
fn commands_run_and_print_what_is_shown() {
    let pages: Vec<Page> = all().into_iter().filter(|page| !sessions(page).is_empty()).collect();
    let (next, faults, ran) = (AtomicUsize::new(0), Mutex::new(Vec::new()), AtomicUsize::new(0));
    let worker = || {
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let place = Place::for_page(page);
            let fail = |fault| faults.lock().unwrap().push(format!("{}: {fault}", page.name()));
            for session in sessions(page) {
                match place.run(&session) {
                    Ok(whole) => _ = ran.fetch_add(usize::from(whole), Ordering::Relaxed),
                    Err(fault) => fail(fault),
                }
            }
            if page.path.parent() == Some(Path::new("docs")) {
                pictures::of_page(&place.folder.path().join("img")).into_iter().for_each(fail);
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(worker);
        worker();
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(ran.load(Ordering::Relaxed) >= 40, "{ran:?}");
}

#[test]
fn what_is_not_printed_is_seen() {
    assert!(agrees("a\nb\nc\n", "a\n...\nc\n").is_ok());
    assert!(agrees("a\nb\nc\n", "c\n...\na\n").is_err());
    assert!(agrees("a\n", "b\n").is_err());
    assert_eq!(split(r#"a 'b c' d="e f""#), ["a", "b c", "d=e f"]);
}

/// An option that is not known is refused although `--help` follows.
#[test]
fn parsing_sees_wrong_options() {
    let place = Place::for_page(&Page::of("docs/README.md"));
    for args in
        [&["converge", "x.yaml", "--scheme", "moreau", "--help"][..], &["map", "x.yaml", "--x", "--help"]]
    {
        assert_ne!(place.finished(args).status, 0, "{args:?}");
    }
    assert_eq!(place.finished(&["converge", "x.yaml", "--schemes", "moreau", "--help"]).status, 0);
}

/// Each entry of the list is still in use.
#[test]
fn nothing_is_only_parsed_without_need() {
    let shown: Vec<String> = all().iter().flat_map(sessions).map(|session| session.words).collect();
    let tables = std::fs::read_to_string("docs/replication.md").unwrap();
    for (part, _) in PARSED {
        assert!(shown.iter().any(|words| words.contains(part)) || tables.contains(part), "{part}");
    }
}
