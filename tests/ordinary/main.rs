//! Random motions of ordinary things against independent routes: every span between events is integrated again by another
//! method, with all gaps, forces and slips looked at all the way; impacts against their laws by other constructions; the books of
//! energy; how they end; what is asked about them.
//!
//! `MECHAN_ORDINARY=N` asks for another number of motions, `MECHAN_SEED=S` for others.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

mod books;
mod case;
mod draw;
mod ending;
mod equations;
mod families;
mod impacts;
mod pairs;
mod retrace;
mod scales;
mod walk;

use case::Case;
use draw::Draw;
use families::FAMILIES;
use retrace::{Fault, fault};
use std::collections::BTreeMap;

/// Motions of a family in `cargo test`.
const USUAL: usize = 70;

fn asked(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().map_or(usual, |text| text.parse().unwrap())
}

fn drawn(family: usize, index: usize, seed: u64) -> Case {
    let (name, make) = FAMILIES[family];
    let case = make(&mut Draw::new(seed, family, index));
    Case { family: name, drawn: (seed, index), ..case }
}

/// What is wrong with a motion.
fn judged(case: &Case) -> Vec<Fault> {
    let derived = case.derived();
    let start = match derived.state("start", &case.sets()) {
        Ok(start) => start,
        Err(failure) => return vec![fault("the start is refused", format!("{failure:?}"))],
    };
    let trajectory = match derived.simulate(&case.options()) {
        Ok(trajectory) => trajectory,
        Err(failure) => return vec![fault("refused", format!("{failure:?}"))],
    };
    let mut equations = equations::Equations::new(case, &start.parameters);
    let scales = scales::Scales::of(case, &equations, &trajectory);
    let mut faults = books::samples(&equations, &scales, &trajectory);
    faults.extend(books::energy(case, &mut equations, &trajectory));
    let mut walk = walk::Walk { case, trajectory: &trajectory, equations: &mut equations, scales: &scales, faults };
    let (t, y) = walk.go(&start);
    let mut faults = walk.faults;
    faults.extend(ending::judge(&mut equations, &scales, &trajectory, (t, &y)));
    faults.extend(pairs::judge(case, &trajectory, case.drawn.1));
    faults
}

#[test]
fn ordinary_things_move_as_they_must() {
    let (seed, share) = (asked("MECHAN_SEED", 1), asked("MECHAN_ORDINARY", (USUAL * FAMILIES.len()) as u64));
    let count = (share as usize).div_ceil(FAMILIES.len());
    let only = std::env::var("MECHAN_FAMILY").ok();
    let mut table: BTreeMap<(String, &str), (usize, Vec<String>)> = BTreeMap::new();
    let mut wrong = 0;
    for family in 0..FAMILIES.len() {
        if only.as_ref().is_some_and(|only| !FAMILIES[family].0.contains(only.as_str())) {
            continue;
        }
        let began = std::time::Instant::now();
        let before = wrong;
        for index in 0..count {
            let case = drawn(family, index, seed);
            let one = std::time::Instant::now();
            let faults = judged(&case);
            if one.elapsed().as_secs_f64() > 2.0 {
                eprintln!("slow: {:.1} s {}", one.elapsed().as_secs_f64(), case.line());
            }
            wrong += usize::from(!faults.is_empty());
            let mut kinds: Vec<&str> = Vec::new();
            for fault in &faults {
                if kinds.contains(&fault.kind.as_str()) {
                    continue;
                }
                kinds.push(&fault.kind);
                let (n, examples) = table.entry((fault.kind.clone(), case.family)).or_default();
                *n += 1;
                if examples.len() < 3 {
                    examples.push(format!("      {index}: {}\n         {}", fault.text, case.line()));
                }
            }
        }
        eprintln!("{}: {} of {count} wrong, {:.1} s", FAMILIES[family].0, wrong - before, began.elapsed().as_secs_f64());
    }
    for ((kind, family), (n, examples)) in &table {
        eprintln!("{kind} / {family}: {n}\n{}", examples.join("\n"));
    }
    assert!(wrong == 0, "{wrong} motions are wrong (MECHAN_SEED={seed})");
}
