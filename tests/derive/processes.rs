//! Derivation in processes: many at once, and children that do not answer.
#![cfg(unix)]

use super::long::chain;
use super::{mechanism, worker};
use mechan::derive::{DeriveError, Wording, Worker};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

const PENDULUM: &str = "
mechan: 1
name: pendulum
space: plane
parameters: {pi2: 2, e: 3, i: 1/2}
coordinates: [E]
gravity: [0, -e]
bodies: {bob: {mass: pi2, inertia: i, position: [sin(E), -cos(E)], rotation: E}}
";

#[test]
fn eight_derivations_started_at_once_all_succeed() {
    let m = mechanism("pendulum", PENDULUM);
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(|| worker().model(&m, &|_| {}).unwrap())).collect();
        let models: Vec<_> = all.into_iter().map(|h| h.join().unwrap()).collect();
        assert!(models.iter().all(|x| *x == models[0]));
    });
}

#[test]
fn names_that_an_algebra_system_might_claim_stay_names() {
    let equations = worker().equations(&mechanism("pendulum", PENDULUM), Wording::Short, &|_| {}).unwrap();
    assert_eq!(equations.mass_matrix[0][0].text, "pi2 + i");
    assert_eq!(equations.potential[0].text, "pi2*e*sin(E)");
}

fn script(body: &str) -> (tempfile::TempDir, Worker) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("child");
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    (folder, Worker::new(path))
}

#[test]
fn a_child_that_dies_is_an_error_with_its_words() {
    let (_folder, child) = script("echo ouch >&2; kill -ABRT $$");
    let error = child.model(&mechanism("pendulum", PENDULUM), &|_| {}).unwrap_err();
    assert!(matches!(error, DeriveError::Died { .. }));
    assert!(error.to_string().contains("ouch"), "{error}");
}

#[test]
fn another_instance_is_waited_for_and_then_named_with_the_remedy() {
    let (_folder, child) =
        script("echo 'Cannot start new unlicensed Symbolica instance since'; kill -ABRT $$");
    let told = std::cell::Cell::new(0);
    let error = child.model(&mechanism("pendulum", PENDULUM), &|_| told.set(told.get() + 1)).unwrap_err();
    assert!(matches!(error, DeriveError::ForeignInstance { .. }));
    assert!(error.to_string().contains("SYMBOLICA_LICENSE"), "{error}");
    assert!(told.get() > 0);
}

#[test]
fn a_program_that_does_not_derive_is_an_error_at_once() {
    let pendulum = mechanism("pendulum", PENDULUM);
    let (_folder, other) = script("echo hello");
    let this_one = Worker::new(std::env::current_exe().unwrap());
    for program in [other, this_one] {
        let error = program.model(&pendulum, &|_| {}).unwrap_err();
        assert!(matches!(error, DeriveError::NotAWorker { .. }), "{error}");
        assert!(error.to_string().contains("worker::serve"), "{error}");
    }
}

#[test]
fn a_worker_of_another_version_is_not_asked() {
    let (_folder, other) = script("echo '--- mechan worker 0.0.1-abc'; cat > /dev/null");
    let error = other.model(&mechanism("pendulum", PENDULUM), &|_| {}).unwrap_err();
    assert!(matches!(&error, DeriveError::OtherVersion { found, .. } if found == "0.0.1-abc"), "{error}");
    assert!(error.to_string().contains(concat!(env!("CARGO_PKG_VERSION"), "-")), "{error}");
}

/// A program that was started as a worker and starts a worker would do so without end.
#[test]
fn a_worker_starts_no_workers() {
    let run = Command::new(env!("CARGO_BIN_EXE_mechan"))
        .args(["analyze", "--no-cache", "mechanisms/painleve_rod.yaml"])
        .env("MECHAN_DERIVE_CHILD", "1")
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&run.stderr).contains("does not derive"));
}

#[test]
fn division_by_zero_everywhere_is_refused_with_its_place() {
    let text = PENDULUM.replace("-cos(E)", "-cos(E)/(e - e)");
    let error = worker().model(&mechanism("pendulum", &text), &|_| {}).unwrap_err();
    let DeriveError::ZeroDivisor { span } = error else { panic!("{error}") };
    assert_eq!(&text[span.start..span.end], "-cos(E)/(e - e)");
}

/// Takes far longer to derive than any test waits.
fn endless() -> String {
    chain(40)
}

#[test]
fn a_child_whose_standard_input_closes_ends_without_an_answer() {
    let request = serde_json::json!({"task": "equations", "mechanism": mechanism("chain", &endless())});
    let mut child = Command::new(env!("CARGO_BIN_EXE_mechan"))
        .arg("__derive")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("{request}\n").as_bytes()).unwrap();
    let run = child.wait_with_output().unwrap();
    assert!(!run.status.success() && !String::from_utf8_lossy(&run.stdout).contains("derivation ---"));
}

#[cfg(target_os = "linux")]
mod killed {
    use super::*;

    /// The fields of /proc/PID/stat after the name: state, parent, ..
    fn stat(pid: u32) -> Option<Vec<String>> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let fields: Vec<String> = text.rsplit_once(')')?.1.split_whitespace().map(String::from).collect();
        fields.first().is_some_and(|state| state != "Z").then_some(fields)
    }

    fn child_of(parent: u32) -> Option<u32> {
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let pids = entries.filter_map(|e| e.file_name().to_str()?.parse().ok());
        pids.into_iter().find(|&pid| stat(pid).is_some_and(|fields| fields[1] == parent.to_string()))
    }

    /// Processor time in ticks, of which a second has a hundred.
    fn ticks(pid: u32) -> Option<u64> {
        stat(pid).and_then(|fields| fields[11].parse().ok())
    }

    #[test]
    fn a_child_ends_with_its_killed_parent() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chain.yaml");
        std::fs::write(&path, endless()).unwrap();
        let mut parent = Command::new(env!("CARGO_BIN_EXE_mechan"))
            .args(["derive", "--no-cache"])
            .arg(&path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // the child derives once it has used some processor time
        let child = loop {
            assert!(parent.try_wait().unwrap().is_none(), "the derivation ended before the test");
            match child_of(parent.id()).filter(|&child| ticks(child).is_some_and(|t| t > 10)) {
                Some(child) => break child,
                None => std::thread::sleep(std::time::Duration::from_millis(5)),
            }
        };
        parent.kill().unwrap();
        parent.wait().unwrap();
        let start = ticks(child).unwrap_or(0);
        while let Some(now) = ticks(child) {
            assert!(now < start + 200, "the child goes on without its parent");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}
