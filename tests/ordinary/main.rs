//! Random motions of ordinary things against independent routes: every span between events is integrated again by another
//! method, with all gaps, forces and slips looked at all the way; impacts against their laws by other constructions; the books of
//! energy; how they end; what is asked about them. Bodies with many contact points that are thrown: they stay above surfaces, their energy is accounted
//! for, and they come to the end of their time. Dice, whose faces are as likely as they must be, plates on twenty points, chairs thrown at
//! stairs and boxes at boxes.
//!
//! `MECHAN_ORDINARY=N` asks for another number of motions, `MECHAN_THROWN=N` of thrown bodies, `MECHAN_SEED=S` for others, `MECHAN_FAMILY=WORD` for some families.
//! `MECHAN_LIST=yes` prints the commands that make the motions, and makes none.
//! `MECHAN_ONLY=I` looks at one motion of each and tells its events, `MECHAN_KNOWN=no` fails at what is known to be wrong too. Of a failure the command that repeats the motion is printed. The mechanisms
//! of `models` were derived once, with `mechan derive FILE --format model`; their text stands in them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

mod books;
mod case;
mod corners;
mod dice;
mod draw;
mod ending;
mod equations;
mod families;
mod heaped;
mod impacts;
mod known;
mod landings;
mod pairs;
mod plates;
mod retrace;
mod scales;
mod table;
mod walk;

use case::{Case, LANDING};
use draw::Draw;
use equations::Equations;
use families::{FAMILIES, Family, THROWN};
use mechan::model::State;
use mechan::pipeline::SimulateOptions;
use mechan::simulate::event::Limits;
use mechan::simulate::trajectory::{EventDetail, Status, Trajectory};
use retrace::{Fault, fault};
use scales::Scales;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use table::Table;

/// The seed of the motions in `cargo test`.
const SEED: u64 = 1;
/// Motions of a family there.
const USUAL: u64 = 72;
/// Mechanisms whose ends are confirmed there, of a family.
const ENDS: u64 = 6;
/// Thrown bodies there, of a kind.
const LANDINGS: u64 = 13;
/// Events that are followed of thrown bodies which lose nothing in their impacts and may hop for ever.
const HOPS: usize = 2000;
/// So many motions at a time are told of.
const TOLD: usize = 1000;

fn asked(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().map_or(usual, |text| text.parse().unwrap())
}

fn drawn(families: Families, (family, index): Place, seed: u64) -> Case {
    let (name, make) = families[family];
    let case = make(&mut Draw::new(seed, family, index));
    Case { family: name, drawn: (seed, index), ..case }
}

/// A motion of a family by its name.
fn of_family(name: &str, number: usize, seed: u64) -> Case {
    let family = FAMILIES.iter().position(|family| family.0 == name).unwrap();
    drawn(&FAMILIES, (family, number), seed)
}

/// A motion, its start, and what is to be known to judge it.
struct Moved {
    start: State,
    trajectory: Trajectory,
    equations: Equations,
    scales: Scales,
}

impl Moved {
    /// Its last state.
    fn last(&self) -> State {
        let last: Vec<f64> = self.trajectory.rows.last().unwrap().iter().map(|x| x.0).collect();
        let n = self.equations.n();
        let (q, v) = (last[1..=n].to_vec(), last[n + 1..=2 * n].to_vec());
        State { t: last[0], q, v, parameters: self.start.parameters.clone() }
    }
}

/// Whether a body is thrown that loses nothing in its impacts.
fn hops_for_ever(case: &Case) -> bool {
    case.model.starts_with("thrown") && case.value("e").is_some_and(|e| e >= 1.0)
}

/// The motion of a case; or why it is refused.
fn moved(case: &Case) -> Result<Moved, Vec<Fault>> {
    moved_within(case, case.options().limits)
}

/// The same within so many steps and events.
fn moved_within(case: &Case, limits: Limits) -> Result<Moved, Vec<Fault>> {
    let derived = case.derived();
    let refused = |failure| vec![fault("refused", format!("{failure:?}"))];
    let start = derived.state(&derived.mechanism().states[0].name, &case.sets()).map_err(refused)?;
    let mut options = SimulateOptions { limits, ..case.options() };
    if hops_for_ever(case) {
        options.limits.events = HOPS;
    }
    let trajectory = derived.simulate(&options).map_err(refused)?;
    if std::env::var_os("MECHAN_ONLY").is_some() {
        tell(&trajectory);
    }
    let equations = Equations::new(case, &start.parameters);
    let scales = Scales::of(case, &equations, &trajectory);
    Ok(Moved { start, trajectory, equations, scales })
}

/// Prints what happens in a motion.
fn tell(trajectory: &Trajectory) {
    for span in &trajectory.phases {
        eprintln!("[{:e}, {:e}] {:?}", span.t0.0, span.t1.0, span.mode.0);
    }
    let numbers = |all: &mechan::ByName<mechan::Number>| all.0.iter().map(|x| x.1.0).collect::<Vec<f64>>();
    for event in &trajectory.events {
        let contact = event.contact.as_deref().unwrap_or_default();
        eprint!(
            "{:e} {} {contact} {:?} {:?}",
            event.t.0,
            event.kind.name(),
            numbers(&event.q),
            numbers(&event.v)
        );
        match &event.detail {
            EventDetail::Impact(i) => {
                eprintln!(" {}: {:?} {:e} to {:?} {:e}", i.law, i.pre.u, i.pre.v.0, i.post.u, i.post.v.0);
            }
            other => eprintln!(" {other:?}"),
        }
    }
    let last: Vec<f64> = trajectory.rows.last().unwrap().iter().map(|x| x.0).collect();
    eprintln!(
        "{:?} {:?} {:?}",
        trajectory.status,
        trajectory.reason,
        trajectory.columns.iter().zip(&last).collect::<Vec<_>>()
    );
}

/// What is wrong with a motion.
fn judged(case: &Case) -> Vec<Fault> {
    let Moved { start, trajectory, mut equations, scales } = match moved(case) {
        Ok(found) => found,
        Err(faults) => return faults,
    };
    if trajectory.energy.last.0.is_nan() {
        // where it broke down there is nothing to retrace
        return ending::judge(&mut equations, &scales, &trajectory, (f64::NAN, &[]));
    }
    let mut faults = books::samples(&equations, &scales, &trajectory);
    faults.extend(books::energy(case, &mut equations, &scales, &trajectory));
    let mut walk = walk::Walk::new(&trajectory, (&mut equations, &scales), faults);
    let (t, y) = walk.go(&start);
    let mut faults = walk.faults;
    faults.extend(ending::judge(walk.equations, &scales, &trajectory, (t, &y)));
    // how much energy laws have made is counted from the start
    if !ending::laws_took_over(&trajectory) {
        faults.extend(pairs::judge(case, &trajectory, scales.speed));
    }
    faults
}

/// What is wrong with how a motion of five seconds ends.
fn judged_end(case: &Case) -> Vec<Fault> {
    let case = Case { t_end: 5.0, ..case.clone() };
    let moved = match moved(&case) {
        Ok(found) => found,
        Err(faults) => return faults,
    };
    let state = moved.last();
    let Moved { trajectory, mut equations, scales, .. } = moved;
    let (t, y) = (state.t, &[&state.q[..], &state.v].concat()[..]);
    let mut faults = ending::judge(&mut equations, &scales, &trajectory, (t, y));
    if trajectory.status == Status::End {
        faults.extend(ending::goes_on(&case, &state, scales.speed));
    }
    faults
}

/// What is wrong with a thrown body: it is to come to rest, or to the end of its time, or to a paradox.
fn judged_landing(case: &Case) -> Vec<Fault> {
    let moved = match moved_within(case, LANDING) {
        Ok(found) => found,
        Err(faults) => return faults,
    };
    let last = moved.last();
    let Moved { trajectory, mut equations, scales, .. } = moved;
    let mut faults = books::samples(&equations, &scales, &trajectory);
    faults.extend(books::energy(case, &mut equations, &scales, &trajectory));
    let hops = trajectory.status == Status::Budget && hops_for_ever(case);
    let mut walk = walk::Walk::new(&trajectory, (&mut equations, &scales), faults);
    walk.only_events();
    let mut faults = walk.faults;
    if !hops && !ending::is_paradox(case, &last, trajectory.status, scales.speed) {
        faults.extend(ending::unless_ended(walk.equations, &scales, &trajectory));
    }
    faults
}

/// A way to judge a case.
type Judge = fn(&Case) -> Vec<Fault>;

type Families = &'static [(&'static str, Family)];

/// A family and an index in it.
type Place = (usize, usize);

/// Judges a number of cases of every family.
fn campaign(families: Families, (name, usual, share): (&str, u64, u64), judge: Judge) {
    let seed = asked("MECHAN_SEED", SEED);
    let kinds = families.len() as u64;
    let count = asked(name, usual * kinds * share).div_ceil(kinds * share);
    let word = std::env::var("MECHAN_FAMILY").unwrap_or_default();
    let one = std::env::var("MECHAN_ONLY").ok().map(|text| text.parse::<usize>().unwrap());
    let wanted: Vec<usize> =
        (0..families.len()).filter(|&family| families[family].0.contains(&word)).collect();
    let places: Vec<Place> = one
        .map_or(0..count as usize, |one| one..one + 1)
        .flat_map(|index| wanted.iter().map(move |&family| (family, index)))
        .collect();
    if std::env::var_os("MECHAN_LIST").is_some() {
        places.iter().for_each(|&place| eprintln!("{}", drawn(families, place, seed).line()));
        return;
    }
    let mut table = Table::default();
    for ((family, index), faults) in judged_together(families, &places, seed, judge) {
        table.enter(&drawn(families, (family, index), seed), &faults);
    }
    table.conclude(seed);
}

/// The faults of all cases, those of a family together, by as many threads as there are cores.
fn judged_together(
    families: Families,
    places: &[Place],
    seed: u64,
    judge: Judge,
) -> BTreeMap<Place, Vec<Fault>> {
    let found = Mutex::new(BTreeMap::new());
    on_all_cores(places, |&place| {
        let case = drawn(families, place, seed);
        let panicked = |_| vec![fault("a panic", "told above".to_string())];
        let faults = catch_unwind(AssertUnwindSafe(|| judge(&case))).unwrap_or_else(panicked);
        let mut found = found.lock().unwrap();
        found.insert(place, faults);
        if found.len() % TOLD == 0 {
            let faulty = found.values().filter(|faults| !faults.is_empty()).count();
            eprintln!("{} of {} motions, {faulty} with faults", found.len(), places.len());
        }
    });
    found.into_inner().unwrap()
}

/// Does the same with all of these, on as many threads as there are cores.
pub(crate) fn on_all_cores<T: Sync>(all: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(one);
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (0..cores).for_each(|_| drop(scope.spawn(worker)));
    });
}

#[test]
fn ordinary_things_move_as_they_must() {
    campaign(&FAMILIES, ("MECHAN_ORDINARY", USUAL, 1), judged);
}

#[test]
fn every_end_is_confirmed() {
    campaign(&FAMILIES, ("MECHAN_ORDINARY", ENDS, 10), judged_end);
}

#[test]
fn thrown_bodies_land() {
    campaign(&THROWN, ("MECHAN_THROWN", LANDINGS, 1), judged_landing);
}

/// Motions that ended once for no reason of mechanics, by family and number with one seed: steps with errors beyond all numbers, feet that lift
/// off together, rows that rounding keeps apart, velocities that are rounding, states of point masses that were refused, slips that turn far faster than all else moves.
const ENDED: (u64, [(&str, &[usize]); 9]) = (
    25_112_609,
    [
        ("ball on a shaken plate", &[303]),
        ("spinning rod", &[28, 51, 145]),
        ("polygon", &[341, 606]),
        ("rocking block", &[303]),
        ("body on feet", &[51, 474]),
        ("rod in a corner", &[155]),
        ("held side", &[173, 369, 640, 747, 1915, 2568, 2976, 5777]),
        ("ball in space", &[12, 195, 276, 327, 3994, 4492, 4627, 6707]),
        ("rod in space", &[122, 178, 317, 361, 526, 596, 6755]),
    ],
);

#[test]
fn motions_that_ended_once_go_on() {
    let (seed, all) = ENDED;
    for (name, numbers) in all {
        for &number in numbers {
            let case = of_family(name, number, seed);
            let faults = [judged(&case), judged_end(&case)].concat();
            assert!(faults.is_empty(), "{faults:?}\n{}", case.line());
        }
    }
}

/// Motions that once lost a slip which was taken for rounding, by family, seed and number: after hops in turn on a floor and at a wall; and one
/// that ended where it lifts off a wall as its slip on the floor turns away from that. And one whose floor meets it twice in the step in which it begins to
/// slip along a wall: of a slip that sets in nothing was shown, and what else happens in the step was only sampled.
const STOPPED: [(&str, u64, usize); 4] = [
    ("rod in a corner", 1_795_735_422, 288),
    ("chain", 1_795_735_422, 529),
    ("ball in space", 1_795_970_925, 31),
    ("ball in space", 1_795_998_056, 16),
];

#[test]
fn motions_that_were_stopped_once_go_on() {
    for (name, seed, number) in STOPPED {
        let case = of_family(name, number, seed);
        let faults = judged(&case);
        assert!(faults.is_empty(), "{faults:?}\n{}", case.line());
    }
}

/// Points in corners that are narrow for their friction, by number with one seed: Moreau's rule has no solution there, which was not proven once.
const WEDGED: (u64, &[usize]) = (25_112_609, &[92, 124, 253, 4253, 6932, 7109]);

#[test]
fn where_the_law_of_impacts_has_no_solution_motions_say_so() {
    for &number in WEDGED.1 {
        let case = of_family("ball in space", number, WEDGED.0);
        let Moved { trajectory, mut equations, scales, .. } = moved(&case).unwrap();
        assert_eq!(trajectory.status, Status::Inconsistent, "{}", case.line());
        let reason = trajectory.reason.as_deref().unwrap();
        assert!(reason.starts_with("no impulses satisfy the impact law"), "{reason}");
        let last: Vec<f64> = trajectory.rows.last().unwrap().iter().map(|x| x.0).collect();
        equations.at(last[0], &last[1..=2 * equations.n()]);
        assert_eq!(impacts::allowed(&equations, &scales, 1e-6), Some(Some(0)), "{}", case.line());
    }
}

/// A chain that Newton's law gives more and more energy, by seed and number.
const DRIVEN_BY_THE_LAW: (u64, usize) = (1_795_759_247, 255);

#[test]
fn a_motion_that_the_law_of_impacts_drives_ends_with_that() {
    let case = of_family("chain", DRIVEN_BY_THE_LAW.1, DRIVEN_BY_THE_LAW.0);
    let faults = judged(&case);
    assert!(faults.is_empty(), "{faults:?}\n{}", case.line());
    let Moved { trajectory, .. } = moved(&case).unwrap();
    assert_eq!(trajectory.status, Status::Undecided);
    let reason = trajectory.reason.unwrap();
    assert!(reason.contains("the laws of impact have made"), "{reason}");
}
