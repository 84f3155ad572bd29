//! What a report says when the proofs and the numbers do not agree, and on which condition a proof holds.

use mechan::answer::{Answer, solve};
use mechan::coulomb::{Problem, Request, Solution, read_file};
use mechan::enumerate::{Enumeration, enumerate};
use mechan::existence::{Existence, Kinematics, assess};
use mechan::linear::Sparse;
use mechan::report::{SolvedView, render_text, solution_document, solution_warnings};

/// A problem with everything about it.
struct Case {
    problem: Problem,
    solution: Solution,
    existence: Existence,
    all: Option<Enumeration>,
}

impl Case {
    fn new(problem: Problem) -> Self {
        let solution = solve(&problem, &Request::default()).unwrap();
        let existence = assess(&Kinematics::of(&problem));
        let all = enumerate(&problem, Default::default()).ok();
        Self { problem, solution, existence, all }
    }

    fn view(&self, status: Answer) -> SolvedView<'_> {
        SolvedView {
            problem: &self.problem,
            status,
            solution: &self.solution,
            seconds: Some(0.0),
            existence: &self.existence,
            refutation: None,
            faceted: None,
            enumeration: self.all.as_ref(),
            step: None,
        }
    }

    fn text(&self) -> String {
        render_text(&solution_document(&self.view(Answer::Solved)))
    }
}

fn file(name: &str) -> Problem {
    read_file(format!("problems/{name}.json").as_ref()).unwrap()
}

#[test]
fn a_point_within_tolerance_is_no_solution_where_none_exists() {
    let case = Case::new(file("painleve_bar"));
    let warnings = solution_warnings(&case.view(Answer::Solved));
    assert!(warnings[0].contains("exact arithmetic finds no solution"), "{warnings:?}");
    // the status alone does not contradict anything
    assert!(solution_warnings(&case.view(Answer::NoSolution)).is_empty());
    let W = Sparse::from_coordinates("W", (2, 2), &[], &[], &[]).unwrap();
    let case = Case::new(Problem::local(2, vec![0.5], &W, vec![-1.0, 0.0]).unwrap());
    let warnings = solution_warnings(&case.view(Answer::Solved));
    assert!(warnings[0].contains("penetration cannot be prevented"), "{warnings:?}");
    assert!(solution_warnings(&Case::new(file("painleve_bar_lifted")).view(Answer::Solved)).is_empty());
}

#[test]
fn proofs_are_given_with_their_condition() {
    let dense = |vals: [[f64; 2]; 2]| Sparse::from_dense("W", &vals.map(Vec::from), 2).unwrap();
    let local = |W: &Sparse| Case::new(Problem::local(2, vec![0.5], W, vec![-1.0, 0.0]).unwrap()).text();
    assert!(Case::new(file("square_on_ground")).text().contains("Proven: a solution exists"));
    let symmetric = local(&dense([[1.0, 0.0], [0.0, 1.0]]));
    assert!(symmetric.contains("Proven, if W is positive semidefinite: a solution exists"), "{symmetric}");
    let other = local(&dense([[1.0, 0.1], [0.0, 1.0]]));
    assert!(other.contains("(this one is not symmetric): a solution exists"), "{other}");
    assert!(local(&dense([[0.0; 2]; 2])).contains("Proven: no solution exists"));
    assert!(Case::new(file("painleve_bar")).text().contains("Open: the assumptions do not say"));
}

#[test]
fn only_equal_contacts_are_repeated() {
    let repeated = |H: &[Vec<f64>], w: Vec<f64>| {
        let n = H[0].len();
        let M: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        let problem = Problem::from_dense(vec![0.5; H.len() / 2], &M, vec![0.0; n], H, w).unwrap();
        problem.repeated_contacts()
    };
    let (a, b) = ([vec![0.0, 1.0], vec![1.0, 0.0]], [vec![0.0, 1.0], vec![1.0, 0.5]]);
    assert_eq!(repeated(&[&a[..], &a].concat(), vec![0.0; 4]), [(0, 1)]);
    assert_eq!(repeated(&[&a[..], &b].concat(), vec![0.0; 4]), []);
    assert_eq!(repeated(&[&b[..], &a, &b, &b].concat(), vec![0.0; 8]), [(0, 2), (0, 3)]);
    // the same place in front of different obstacles
    assert_eq!(repeated(&[&a[..], &a].concat(), vec![0.0, 0.0, 0.0, 1.0]), []);
}

#[test]
fn repeated_contacts_of_a_local_problem() {
    // H = (1 0; 0 1; 1 0; 0 1), W = H Hᵀ
    let W = [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]];
    let W = Sparse::from_dense("W", &W.map(Vec::from), 4).unwrap();
    let same = Problem::local(2, vec![0.5; 2], &W, vec![-1.0, 0.0, -1.0, 0.0]).unwrap();
    assert_eq!(same.repeated_contacts(), [(0, 1)]);
    let other = Problem::local(2, vec![0.5; 2], &W, vec![-1.0, 0.0, -1.0, 0.5]).unwrap();
    assert_eq!(other.repeated_contacts(), []);
}
