//! Derivation in processes: many at once, and children that do not answer.
#![cfg(unix)]

use super::{mechanism, worker};
use mechan::derive::{DeriveError, Worker};
use std::os::unix::fs::PermissionsExt;

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
    let equations = worker().equations(&mechanism("pendulum", PENDULUM), &|_| {}).unwrap();
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
