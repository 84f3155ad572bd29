//! What every row of the plan is worth: the plan without it, in turns with the plan itself, on files and heaps.

use std::path::Path;
use std::time::{Duration, Instant};

use super::families::families;
use super::summary;
use mechan::coulomb::plan::{Begin, Method, Only, Row, Work};
use mechan::coulomb::solver::ProximalPoint;
use mechan::coulomb::{Outcome, Plan, Problem, Request, Session, Start, read_file};

/// Variants of the plan by name.
fn variants() -> Vec<(String, Plan)> {
    let plan = Plan::default();
    let mut out = vec![("before".to_string(), before())];
    for k in 0..plan.opening.len() + plan.rounds.len() {
        let mut other = plan.clone();
        let row = match k.checked_sub(plan.opening.len()) {
            None => other.opening.to_mut().remove(k),
            Some(k) => other.rounds.to_mut().remove(k),
        };
        out.push((format!("without {}. {row}", k + 1), other));
    }
    out
}

/// The attempts that were tuned on the recorded collection alone.
fn before() -> Plan {
    let proximal = |start, factor, rho| {
        Method::Proximal(ProximalPoint { start, factor, rho, ..ProximalPoint::default() })
    };
    let row = |method, n| Row::new(method, Work::Iterations(n));
    let zero = |row: Row| Row { begin: Begin::Zero, ..row };
    let opening = vec![
        row(Method::GaussSeidel, 2),
        Row { only: Only::Contacts(100), ..row(Method::AlartCurnier, 20) },
        row(proximal(1e-3, 10.0, 1.0), 100),
        zero(row(Method::FischerBurmeister, 150)),
        zero(row(Method::AlartCurnier, 60)),
        row(Method::FischerBurmeister, 150),
        row(proximal(1e-4, 4.0, 1.0), 300),
        row(Method::GaussSeidel, 300),
        row(Method::FischerBurmeister, 500),
        row(proximal(1e-3, 3.0, 0.3), 1000),
        row(Method::FischerBurmeister, 500),
        row(proximal(1e-4, 4.0, 0.1), 1000),
        row(Method::FischerBurmeister, 500),
        row(Method::Gradient, 5000),
        row(Method::FischerBurmeister, 500),
        row(proximal(1e-2, 3.0, 3.0), 1000),
        row(Method::FischerBurmeister, 500),
        row(Method::GaussSeidel, 3000),
    ];
    Plan {
        opening: opening.into(),
        rounds: Vec::new().into(),
        sweeps: 0,
        of_path: 0.0,
        dear: f64::INFINITY,
        growth: 1,
        count: 0,
    }
}

pub(crate) fn run(files: &[&String], (bodies, seed): (usize, u64), seconds: f64) {
    let mut problems: Vec<Problem> =
        files.iter().map(|file| read_file(Path::new(file.as_str())).unwrap()).collect();
    if bodies > 0 {
        let tuned = families(bodies).into_iter().filter(|family| !family.held_out);
        problems.extend(tuned.map(|family| family.member(seed).named(family.name)));
    }
    let plan = Plan::default();
    print!("{plan}");
    for (name, other) in variants() {
        let (mut ratios, mut failed, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        for problem in &problems {
            let (ours, theirs) = in_turns(problem, (&plan, &other), seconds);
            match (ours, theirs) {
                (Some(ours), Some(theirs)) => {
                    ratios.push(theirs / ours);
                    lines.push(format!("  {}: {:.2} ({:.1} us)", problem.name(), theirs / ours, ours * 1e6));
                }
                (None, _) => failed.push(format!("{} by the plan", problem.name())),
                (_, None) => failed.push(problem.name().to_string()),
            }
        }
        let (mean, worst) = summary(&ratios);
        println!("{name}: times {mean:.2}, at most {worst:.2}, not solved: {failed:?}");
        if std::env::var("LINES").is_ok() {
            println!("{}", lines.join("\n"));
        }
    }
}

/// The least times of both plans, in turns; none where a plan does not solve the problem.
fn in_turns(problem: &Problem, (ours, theirs): (&Plan, &Plan), seconds: f64) -> (Option<f64>, Option<f64>) {
    let (mut least, begin) = ([f64::INFINITY; 2], Instant::now());
    loop {
        for (least, plan) in least.iter_mut().zip([ours, theirs]) {
            let start = Instant::now();
            let mut session = Session::new(problem, Request::default()).unwrap();
            let solved = session.solve_by(plan, Start::Cold).outcome == Outcome::Solved;
            let time = if solved { start.elapsed().as_secs_f64() } else { f64::NAN };
            *least = least.min(time);
            if !solved {
                *least = f64::NAN;
            }
        }
        if begin.elapsed() > Duration::from_secs_f64(seconds) {
            return (some(least[0]), some(least[1]));
        }
    }
}

fn some(time: f64) -> Option<f64> {
    (!time.is_nan()).then_some(time)
}
