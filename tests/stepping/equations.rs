//! The steps of nonlinear mechanisms put back into the scheme's own equations [A09 (16)], with forces, Jacobians and laws evaluated here.

use crate::{Asked, column};
use mechan::model::{Block, Kernel, Model, ModelFile, Output, Values};
use mechan::num::dense::packed_len;
use mechan::simulate::trajectory::Trajectory;
use mechan::stepping::SchemeName;

/// A mechanism with one contact, and a motion of it.
struct Case<'a> {
    asked: Asked<'a>,
    contact: &'a str,
    mu: f64,
    e: f64,
}

/// The kernel at the middle of a step, and what the step did.
struct Middle<'a> {
    kernel: &'a Kernel,
    values: Values<f64>,
    n: usize,
}

impl Middle<'_> {
    fn mass(&self, i: usize, j: usize) -> f64 {
        self.kernel.block(&self.values, Output::MassMatrix)[packed_len(i.max(j)) + i.min(j)]
    }

    fn row(&self, k: usize) -> &[f64] {
        &self.kernel.block(&self.values, Block::ContactJacobian)[k * self.n..(k + 1) * self.n]
    }

    /// Rate of the contact's row k at v.
    fn rate(&self, k: usize, v: &[f64]) -> f64 {
        let explicit = match k {
            0 => self.kernel.block(&self.values, Output::GapRate)[0],
            k => self.kernel.block(&self.values, Output::SlipRate)[k - 1],
        };
        explicit + self.row(k).iter().zip(v).map(|(h, v)| h * v).sum::<f64>()
    }
}

fn model(file: &str) -> Model {
    ModelFile::read(&std::fs::read_to_string(file).unwrap()).unwrap().model
}

fn parameters(case: &Case<'_>) -> Vec<f64> {
    let loaded = mechan::load(case.asked.file).unwrap();
    let state = loaded.mechanism.states.iter().find(|state| state.name == case.asked.state).unwrap();
    let overrides: Vec<_> = case
        .asked
        .set
        .iter()
        .map(|text| mechan::format::Override::parse(&loaded.mechanism, text).unwrap())
        .collect();
    loaded.mechanism.resolve(state, &overrides).unwrap().parameters
}

/// The columns of a motion's contact.
struct Columns {
    gap: Vec<f64>,
    /// N, T (N, T1, T2).
    forces: Vec<Vec<f64>>,
    slips: Vec<Vec<f64>>,
}

impl Columns {
    fn of(motion: &Trajectory, contact: &str, d: usize) -> Self {
        let all = |names: &[&str]| -> Vec<Vec<f64>> {
            names.iter().map(|name| column(motion, &format!("{contact}.{name}"))).collect()
        };
        let (forces, slips): (&[&str], &[&str]) =
            if d == 1 { (&["N", "T"], &["slip"]) } else { (&["N", "T1", "T2"], &["slip1", "slip2"]) };
        Self { gap: column(motion, &format!("{contact}.gap")), forces: all(forces), slips: all(slips) }
    }
}

/// t, q, v of two rows that follow each other.
struct Step {
    k: usize,
    now: Vec<f64>,
    next: Vec<f64>,
    n: usize,
}

impl Step {
    fn of(motion: &Trajectory, k: usize, n: usize) -> Self {
        let numbers = |k: usize| motion.rows[k].iter().take(1 + 2 * n).map(|x| x.0).collect();
        Self { k, now: numbers(k), next: numbers(k + 1), n }
    }

    fn h(&self) -> f64 {
        self.next[0] - self.now[0]
    }

    /// The mechanism at θ, and (16b).
    fn place(&self, theta: f64, middle: &mut Middle<'_>) {
        let Self { k, now, next, n } = self;
        let v: Vec<f64> = (0..*n).map(|i| (1.0 - theta) * now[1 + n + i] + theta * next[1 + n + i]).collect();
        let q: Vec<f64> = (0..*n).map(|i| now[1 + i] + theta * self.h() * v[i]).collect();
        for i in 0..*n {
            let miss = next[1 + i] - now[1 + i] - self.h() * v[i];
            assert!(miss.abs() < 1e-12, "step {k}: q[{i}] misses by {miss:e}");
        }
        middle.kernel.solve_at(now[0] + theta * self.h(), &q, &v, &mut middle.values).unwrap();
    }

    /// (16a).
    fn check_momentum(&self, middle: &Middle<'_>, impulse: &[f64]) {
        let Self { k, now, next, n } = self;
        for i in 0..*n {
            let change: f64 = (0..*n).map(|j| middle.mass(i, j) * (next[1 + n + j] - now[1 + n + j])).sum();
            let push: f64 = impulse.iter().enumerate().map(|(row, p)| middle.row(row)[i] * p).sum();
            let bias = self.h() * middle.kernel.block(&middle.values, Output::Bias)[i];
            let sizes =
                (0..*n).map(|j| middle.mass(i, j).abs() * (next[1 + n + j].abs() + now[1 + n + j].abs()));
            let (left, size) = (change + bias - push, sizes.sum::<f64>() + bias.abs());
            assert!(left.abs() <= 1e-9 * size, "step {k}, row {i}: {left:e} of {size:e}");
        }
    }

    /// (16c)-(16e), and Coulomb's law; whether there was an impulse.
    fn check_law(
        &self,
        case: &Case<'_>,
        middle: &Middle<'_>,
        impulse: &[f64],
        (gap, before): (f64, f64),
    ) -> bool {
        let (k, d) = (self.k, impulse.len() - 1);
        let after: Vec<f64> = (0..=d).map(|row| middle.rate(row, &self.next[1 + self.n..])).collect();
        let speed = after.iter().fold(0.0_f64, |m, u| m.max(u.abs())).max(1e-3);
        let size = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.hypot(*x));
        if impulse[0] <= 0.0 {
            assert!(impulse.iter().all(|x| x.abs() <= 0.0), "step {k}: pulls");
            let closes = gap + 0.5 * self.h() * before <= 0.0;
            assert!(!closes || after[0] + case.e * before >= -1e-8 * speed, "step {k}: falls through");
            return false;
        }
        assert!(
            (after[0] + case.e * before).abs() < 1e-8 * speed || before.is_nan(),
            "step {k}: Newton's law"
        );
        assert!(size(&impulse[1..]) <= case.mu * impulse[0] * (1.0 + 1e-8), "step {k}: outside of the cone");
        let slip = size(&after[1..]);
        if slip > 1e-7 * speed {
            for t in 1..=d {
                let miss = impulse[t] + case.mu * impulse[0] * after[t] / slip;
                assert!(
                    miss.abs() < 1e-6 * case.mu * impulse[0],
                    "step {k}: friction is not against the slip"
                );
            }
        }
        true
    }
}

/// Puts every step of the motion into the equations; how many steps had an impulse.
fn check(case: &Case<'_>, motion: &Trajectory) -> usize {
    let model = model(case.asked.file);
    let (n, d) = (model.layout().coordinates, model.layout().tangents);
    let kernel = model.kernel(&NEEDED);
    let mut values = kernel.values::<f64>();
    kernel.set_parameters(&parameters(case), &mut values);
    let mut middle = Middle { kernel: &kernel, values, n };
    let columns = Columns::of(motion, case.contact, d);
    let (mut pressed, mut before) = (0, f64::NAN);
    for k in 0..motion.rows.len() - 1 {
        let step = Step::of(motion, k, n);
        step.place(case.asked.theta, &mut middle);
        let impulse: Vec<f64> = columns.forces.iter().map(|force| step.h() * force[k + 1]).collect();
        step.check_momentum(&middle, &impulse);
        pressed += usize::from(step.check_law(case, &middle, &impulse, (columns.gap[k], before)));
        // U at the end of the step, by the place there
        let (q, v) = step.next[1..].split_at(n);
        kernel.solve_at(step.next[0], q, v, &mut middle.values).unwrap();
        before = middle.rate(0, v);
        for (t, slip) in columns.slips.iter().enumerate() {
            assert!((slip[k + 1] - middle.rate(1 + t, v)).abs() < 1e-12 * slip[k + 1].abs().max(1.0));
        }
    }
    pressed
}

/// What the equations are made of.
const NEEDED: [Block; 5] = [
    Block::Model(Output::MassMatrix),
    Block::Model(Output::Bias),
    Block::Model(Output::GapRate),
    Block::Model(Output::SlipRate),
    Block::ContactJacobian,
];

#[test]
fn planar_steps_satisfy_the_equations() {
    for theta in [0.0, 0.5, 1.0] {
        let asked = |file, state, set, t_end| Asked {
            file,
            state,
            set,
            scheme: SchemeName::Moreau,
            step: 1e-3,
            t_end,
            theta,
        };
        let cases = [
            Case {
                asked: asked("benches/models/crutch.json", "sliding", &["mu=0.5"], 0.5),
                contact: "tip",
                mu: 0.5,
                e: 0.2,
            },
            Case {
                asked: asked("benches/models/painleve_rod.json", "slipping", &["y=1.2", "mu=0.6"], 3.0),
                contact: "tip",
                mu: 0.6,
                e: 0.5,
            },
            Case {
                asked: asked(
                    "benches/models/frictional_impact_oscillator.json",
                    "riding_the_belt",
                    &["x=0.1", "mu=0.4"],
                    0.5,
                ),
                contact: "tip",
                mu: 0.4,
                e: 0.0,
            },
        ];
        for case in cases {
            let motion = case.asked.run();
            let pressed = check(&case, &motion);
            assert!(pressed > 2, "{}: {pressed} steps with contact", case.asked.file);
        }
    }
}

#[test]
fn steps_in_space_satisfy_the_equations() {
    for theta in [0.0, 0.5, 1.0] {
        let asked = Asked {
            file: "benches/models/rod_3d.json",
            state: "across",
            set: &["mu=0.4"],
            scheme: SchemeName::Moreau,
            step: 1e-3,
            t_end: 1.0,
            theta,
        };
        let case = Case { asked, contact: "tip", mu: 0.4, e: 0.5 };
        let motion = case.asked.run();
        assert!(check(&case, &motion) > 100);
    }
}
