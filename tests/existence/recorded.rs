//! Recorded problems: what the existence theory proves about them, and how far from rounding.

use std::path::PathBuf;

use mechan::coulomb::solver::Options;
use mechan::coulomb::solver::fixed_point::FixedPoint;
use mechan::coulomb::{read_file, residual};
use mechan::existence::{Assumption, Claim, Kinematics, assess};

fn recorded() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/incremental/problems");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().contains(".json"));
    paths.sort();
    paths
}

#[test]
fn every_recorded_problem_is_kinematically_free_of_wedging() {
    let paths = recorded();
    assert!(!paths.is_empty());
    for path in paths {
        let problem = Kinematics::of(&read_file(&path).unwrap());
        let existence = assess(&problem);
        let proof = existence.no_wedging.certificate().unwrap();
        assert_eq!(proof.verify(&problem, Claim::Holds(Assumption::NoWedging)), Ok(()), "{path:?}");
        assert_eq!(proof.verify(&problem, Claim::Holds(Assumption::Strong)), Ok(()), "{path:?}");
        // Far above the rounding of the recorded digits.
        let clearance = proof.relative_clearance(&problem).unwrap();
        assert!(clearance > 1e-9, "{path:?}: {clearance}");
    }
}

#[test]
fn the_fixed_point_solves_most_of_the_small_recorded_problems() {
    let options = Options::new(1e-8, 60);
    let (mut solved, mut total) = (0, 0);
    for path in recorded() {
        let problem = read_file(&path).unwrap();
        if problem.contacts() > 12 || problem.dof() > 100 {
            continue;
        }
        let found = FixedPoint::default().solve_problem(&problem, &options).unwrap();
        solved += usize::from(residual(&problem, &found.v, &found.r).0.relative <= 1e-8);
        total += 1;
    }
    // Not the larger ones: some of them stall above the tolerance.
    assert!(10 * solved >= 8 * total && total > 15, "{solved} of {total}");
}
