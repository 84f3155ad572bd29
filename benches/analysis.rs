//! One planar contact: a verdict, a full analysis of a state, a map, and the global search; several contacts. Run with
//! `cargo bench --no-default-features --bench analysis`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case, missing_docs)]

use divan::{Bencher, black_box, counter::ItemsCount};
use mechan::analysis::planar::{Point, jam};
use mechan::analysis::search::{CriticalSearch, Mobility, critical_friction, global_least_friction};
use mechan::analysis::several::two_contact_table;
use mechan::analysis::{ContactSizes, Local, LocalWork, PlanarModel, Scales};
use mechan::contact::{Column, Compliance, Friction, Hold, Laws, Planar, Restitution};
use mechan::equilibrium::{chatter, sequence, trigger};
use mechan::impact::{Velocity, impact, impact_without_collision};
use mechan::model::{ModelFile, Singular};
use mechan::num::{Interval, Real, Tol};
use mechan::pipeline::{AnalyzeOptions, analyze, load_bytes};
use mechan::predict::{
    ClosedContact, Contacts, Motion, OneContact, Signs, Sized, Verdict, normal_stability, with_response,
};

#[global_allocator]
static ALLOCATIONS: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

/// Uniform rod (m = l = g = 1) with tip (x + cos θ, y − sin θ), written out by hand.
struct Rod;

impl PlanarModel for Rod {
    fn coordinates(&self) -> usize {
        3
    }

    fn local_into<T: Real>(&self, _t: T, q: &[T], v: &[T], work: &mut LocalWork<T>) -> Result<(), Singular> {
        let number = T::from_f64;
        let ((s, c), one, alpha) = (q[2].sin_cos(), number(1.0), number(3.0));
        let omega2 = v[2] * v[2];
        work.local = Local {
            gap: q[1] - s,
            u: v[0] - s * v[2],
            v: v[1] - c * v[2],
            A: one + alpha * s * s,
            B: alpha * s * c,
            C: one + alpha * c * c,
            a: -c * omega2,
            b: s * omega2 - one,
            scales: Scales { u: 1.0, v: 1.0, a: 1.0, b: 1.0 + omega2.value() },
            free: vec![number(0.0), -one, number(0.0)],
            tangent: vec![one, number(0.0), -alpha * s],
            normal: vec![number(0.0), one, -alpha * c],
        };
        Ok(())
    }
}

impl Mobility for Rod {
    fn mobility<T: Real>(&self, x: &[T]) -> Result<[T; 3], Singular> {
        let zero = T::from_f64(0.0);
        let local = self.local(zero, &[zero, zero, x[0]], &[zero, zero, zero])?;
        Ok([local.A, local.B, local.C])
    }
}

#[divan::bench]
fn verdict(bencher: Bencher) {
    let (planar, friction, tol) =
        (Planar::new(2.5, 1.5, 2.5, -0.3, -0.7), Friction::new(0.8), Tol::default());
    let Ok(friction) = friction else { return };
    bencher.bench(|| Signs::of(black_box(&planar), black_box(friction), &tol).verdict(black_box(Column::II)));
}

/// Verdict and cell of the pencil over 1000 × 1000 values of (θ, μ).
#[divan::bench(sample_count = 5, sample_size = 1)]
fn map_of_a_million_verdicts(bencher: Bencher) {
    let tol = Tol::default();
    bencher.bench(|| {
        let mut paradoxical = 0_u32;
        for i in 0..1000 {
            for j in 0..1000 {
                let (theta, mu) = (1.57 * f64::from(i) / 1000.0, 3.0 * f64::from(j) / 1000.0);
                let (s, c) = black_box(theta).sin_cos();
                let planar = Planar::new(1.0 + 3.0 * s * s, 3.0 * s * c, 1.0 + 3.0 * c * c, -c, s - 1.0);
                let Ok(friction) = Friction::new(mu) else { continue };
                let verdict = Signs::of(&planar, friction, &tol).verdict(Column::I);
                paradoxical += u32::from(verdict == Verdict::Inconsistent);
            }
        }
        paradoxical
    });
}

fn full(bencher: Bencher<'_, '_>, theta: f64, u: f64, v: f64) {
    let (Ok(friction), Ok(compliance)) = (Friction::new(1.6), Compliance::new(1.0, 1.0)) else { return };
    let (law, tol) = (Restitution::Energetic(0.6), Tol::default());
    let (s, c) = theta.sin_cos();
    let (q, rates) = ([0.0, s, theta], [u + s * 0.5, v + c * 0.5, 0.5]);
    let sizes = ContactSizes { gap: 1.0, speed: 1.0, ..ContactSizes::default() };
    bencher.bench(|| {
        let point = black_box(Point { t: 0.0, q: &q, v: &rates });
        let local = black_box(&Rod).local(point.t, point.q, point.v)?.at_least(&sizes);
        let (planar, stands) = (local.planar(), local.stands(sizes.gap, &tol));
        let pre = Velocity { u: local.u, v: local.v };
        let modes = stands.column().map(|column| OneContact::new(&planar, friction, column, &tol).modes());
        let fast = |mode| normal_stability(&planar, friction, mode, compliance, &tol);
        let stability: Vec<_> = modes.iter().flatten().map(|judged| fast(judged.modes[0])).collect();
        let jam = stands.direction().map(|_| jam(&Rod, friction, point, &local, &tol)).transpose()?;
        let impacts = (
            impact(&planar, friction, law, pre, &tol),
            sequence(&planar, friction, law, pre, &tol),
            impact_without_collision(&planar, friction, law, pre.u, &tol),
            chatter(&planar, friction, law, &tol),
            trigger(&planar, friction, law, &tol),
        );
        Ok::<_, Singular>((modes, stability, jam, impacts))
    });
}

#[divan::bench]
fn full_analysis_in_slip(bencher: Bencher) {
    full(bencher, 0.9, 0.7, 0.0);
}

#[divan::bench]
fn full_analysis_at_rest(bencher: Bencher) {
    full(bencher, 0.9, 0.0, 0.0);
}

#[divan::bench]
fn full_analysis_of_an_impact(bencher: Bencher) {
    full(bencher, 0.9, 0.7, -0.4);
}

#[divan::bench]
fn global_search_of_the_rod(bencher: Bencher) {
    let (domain, tol) = ([Interval::new(0.0, 1.57)], Tol::default());
    bencher.bench(|| global_least_friction(black_box(&Rod), &domain, &tol));
}

/// The library call behind `mechan analyze` with a model file, without its search over the domain: everything about the
/// states, each an item.
fn states(bencher: Bencher<'_, '_>, file: &str, options: &AnalyzeOptions) {
    let mut loaded = load_bytes("model", file.as_bytes().to_vec()).unwrap();
    loaded.mechanism.domain.clear();
    let model = loaded.model.clone().unwrap();
    let count = loaded.mechanism.states.len();
    bencher.counter(ItemsCount::new(count)).bench(|| analyze(&loaded, black_box(&model), options).unwrap());
}

const FILES: [&str; 3] = ["falling_pencil", "painleve_rod", "two_link_manipulator"];

fn file(name: &str) -> &'static str {
    match name {
        "falling_pencil" => include_str!("models/falling_pencil.json"),
        "painleve_rod" => include_str!("models/painleve_rod.json"),
        _ => include_str!("models/two_link_manipulator.json"),
    }
}

/// All sections but the motion without slip and the search for jam.
#[divan::bench(args = FILES)]
fn analyze_states(bencher: Bencher, name: &str) {
    states(bencher, file(name), &AnalyzeOptions { without_no_slip: true, ..Default::default() });
}

/// The same without the next time step.
#[divan::bench(args = FILES)]
fn analyze_states_without_the_next_step(bencher: Bencher, name: &str) {
    let options = AnalyzeOptions { without_no_slip: true, without_next_step: true, ..Default::default() };
    states(bencher, file(name), &options);
}

/// All of it, the motion without slip included.
#[divan::bench(args = FILES)]
fn analyze_states_with_motions(bencher: Bencher, name: &str) {
    states(bencher, file(name), &AnalyzeOptions::default());
}

/// The least friction of a derived mechanism with its proof, from its model file; `least` at least is proven.
fn critical(bencher: Bencher<'_, '_>, file: &str, inputs: &[f64], ranges: &[(usize, Interval)], least: f64) {
    let model = ModelFile::read(file).unwrap().model;
    let (tol, none) = (Tol::default(), []);
    bencher.bench(|| {
        let question = CriticalSearch {
            model: black_box(&model),
            contact: 0,
            held: &none,
            rails: &none,
            inputs,
            ranges,
        };
        let found = critical_friction(&question, &tol);
        assert!(found.certified_lower > least);
        found
    });
}

/// θ in (0, π/2); the height of the centre follows.
#[divan::bench]
fn critical_friction_of_the_derived_rod(bencher: Bencher) {
    // t, x, y, θ, rates, m, l, g, α, I, μ, e, F_x, F_y, T
    let mut inputs = [0.0; 17];
    inputs[7..12].copy_from_slice(&[1.0, 1.0, 1.0, 3.0, 1.0 / 3.0]);
    critical(
        bencher,
        include_str!("models/painleve_rod.json"),
        &inputs,
        &[(3, Interval::new(0.0, 1.57))],
        1.333_333,
    );
}

/// t, θ₁, θ₂, rates, m₁, m₂, l₁, l₂, H, g, τ₁, τ₂, μ, e.
const ARM: [f64; 15] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.2, 9.81, 0.0, 0.0, 0.3, 0.5];

/// One angle in the domain, the other follows.
#[divan::bench]
fn critical_friction_of_the_arm(bencher: Bencher) {
    let file = include_str!("models/two_link_manipulator.json");
    critical(bencher, file, &ARM, &[(1, Interval::new(-1.48, -0.08))], 0.830_292);
}

/// Both angles and the height of the shoulder in the domain.
#[divan::bench]
fn critical_friction_of_the_arm_with_both_angles(bencher: Bencher) {
    let file = include_str!("models/two_link_manipulator.json");
    let ranges =
        [(1, Interval::new(-1.48, -0.08)), (2, Interval::new(-1.48, 1.48)), (9, Interval::new(1.0, 1.3))];
    critical(bencher, file, &ARM, &ranges, 0.7);
}

/// A body of three degrees of freedom on n feet of a floor that is turned by an angle, so that most of its modes have forces
/// that are not unique.
fn on_feet(n: usize, motion: Motion) -> Contacts {
    let laws = Laws {
        friction: Friction::new(0.5).unwrap(),
        restitution: Restitution::Poisson(0.0),
        tangential: 0.0,
        compliance: Compliance::new(1.0, 1.0).unwrap(),
        hold: Hold::Unilateral,
    };
    let (s, c) = 0.3_f64.sin_cos();
    let rows: Vec<[f64; 3]> = (0..n)
        .flat_map(|k| {
            let (along, below) = (-1.0 + 2.0 * k as f64 / (n - 1) as f64, -0.4);
            let at = [c * along - s * below, s * along + c * below];
            [[-s, c], [c, s]].map(|d| [d[0], d[1], at[0] * d[1] - at[1] * d[0]])
        })
        .collect();
    let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + 2.0 * a[2] * b[2];
    let D: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(move |b| dot(a, b))).collect();
    let load: Vec<f64> = rows.iter().map(|row| -row[1]).collect();
    let closed = vec![ClosedContact { laws, motion }; n];
    Contacts::new(closed, Sized { values: &D, sizes: &[] }, Sized { values: &load, sizes: &[] })
}

/// Modes, verdict, class, normal stability, impacts without collision of two sliding contacts.
#[divan::bench]
fn two_sliding_contacts(bencher: Bencher<'_, '_>) {
    let (contacts, tol) = (with_response([[-0.3, 0.8], [1.2, -0.4]], [-1.0, -0.5]), Tol::default());
    bencher.bench_local(|| (black_box(&contacts).predict(&tol), contacts.two_contacts(&tol)));
}

/// The same of two contacts at rest, whose friction forces are not unique.
#[divan::bench]
fn two_resting_contacts(bencher: Bencher<'_, '_>) {
    let (contacts, tol) = (on_feet(2, Motion::Resting), Tol::default());
    bencher.bench_local(|| black_box(&contacts).predict(&tol));
}

/// Stability in the sense of Lyapunov of the same equilibrium: the return map, its pieces and the bounds of its growth.
#[divan::bench]
fn lyapunov_of_two_resting_contacts(bencher: Bencher<'_, '_>) {
    let (contacts, tol) = (on_feet(2, Motion::Resting), Tol::default());
    let prediction = contacts.predict(&tol);
    let rest = contacts.resting_forces(&prediction.decision, &tol).expect("it rests");
    bencher.bench_local(|| {
        black_box(&contacts).lyapunov((&prediction.decision, &prediction.stability), &rest, &tol)
    });
}

/// What the same equilibrium stands: friction, pushes, turns of gravity.
#[divan::bench]
fn robustness_of_two_resting_contacts(bencher: Bencher<'_, '_>) {
    let (contacts, tol) = (on_feet(2, Motion::Resting), Tol::default());
    bencher.bench_local(|| black_box(&contacts).robustness(&[], None, &tol));
}

#[divan::bench(args = [3, 4, 8, 12])]
fn a_body_at_rest(bencher: Bencher<'_, '_>, feet: usize) {
    let (contacts, tol) = (on_feet(feet, Motion::Resting), Tol::default());
    bencher.bench_local(|| black_box(&contacts).predict(&tol));
}

#[divan::bench(args = [4, 8, 12])]
fn a_sliding_body(bencher: Bencher<'_, '_>, feet: usize) {
    let (contacts, tol) = (on_feet(feet, Motion::Slipping([1.0, 0.0])), Tol::default());
    bencher.bench_local(|| black_box(&contacts).predict(&tol));
}

#[divan::bench]
fn table_4(bencher: Bencher<'_, '_>) {
    bencher.bench_local(two_contact_table);
}
