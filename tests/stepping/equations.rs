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

/// Puts every step of the motion into the equations; how many steps had an impulse.
fn check(case: &Case<'_>, motion: &Trajectory) -> usize {
    let model = model(case.asked.file);
    let (n, d) = (model.layout().coordinates, model.layout().tangents);
    let kernel = model.kernel(&[
        Block::Model(Output::MassMatrix),
        Block::Model(Output::Bias),
        Block::Model(Output::GapRate),
        Block::Model(Output::SlipRate),
        Block::ContactJacobian,
    ]);
    let mut values = kernel.values::<f64>();
    kernel.set_parameters(&parameters(case), &mut values);
    let mut middle = Middle { kernel: &kernel, values, n };
    let gap = column(motion, &format!("{}.gap", case.contact));
    let names: Vec<String> = match d {
        1 => ["N", "T"].map(|k| format!("{}.{k}", case.contact)).to_vec(),
        _ => ["N", "T1", "T2"].map(|k| format!("{}.{k}", case.contact)).to_vec(),
    };
    let forces: Vec<Vec<f64>> = names.iter().map(|name| column(motion, name)).collect();
    let slips: Vec<Vec<f64>> = match d {
        1 => vec![column(motion, &format!("{}.slip", case.contact))],
        _ => (1..=2).map(|k| column(motion, &format!("{}.slip{k}", case.contact))).collect(),
    };
    let mut pressed = 0;
    let mut rate_before = f64::NAN;
    for k in 0..motion.rows.len() - 1 {
        let numbers = |k: usize| -> Vec<f64> { motion.rows[k].iter().take(1 + 2 * n).map(|x| x.0).collect() };
        let (now, next) = (numbers(k), numbers(k + 1));
        let (h, theta) = (next[0] - now[0], case.asked.theta);
        let v_theta: Vec<f64> =
            (0..n).map(|i| (1.0 - theta) * now[1 + n + i] + theta * next[1 + n + i]).collect();
        let q_theta: Vec<f64> = (0..n).map(|i| now[1 + i] + theta * h * v_theta[i]).collect();
        for i in 0..n {
            // (16b)
            let miss = next[1 + i] - now[1 + i] - h * v_theta[i];
            assert!(miss.abs() < 1e-12, "step {k}: q[{i}] misses by {miss:e}");
        }
        kernel.solve_at(now[0] + theta * h, &q_theta, &v_theta, &mut middle.values).unwrap();
        let impulse: Vec<f64> = forces.iter().map(|force| h * force[k + 1]).collect();
        for i in 0..n {
            // (16a)
            let change: f64 = (0..n).map(|j| middle.mass(i, j) * (next[1 + n + j] - now[1 + n + j])).sum();
            let push: f64 = (0..=d).map(|row| middle.row(row)[i] * impulse[row]).sum();
            let bias = h * kernel.block(&middle.values, Output::Bias)[i];
            let size: f64 = (0..n)
                .map(|j| middle.mass(i, j).abs() * (next[1 + n + j].abs() + now[1 + n + j].abs()))
                .sum::<f64>()
                + bias.abs();
            let left = change + bias - push;
            assert!(left.abs() <= 1e-9 * size, "step {k}, row {i}: {left:e} of {size:e}");
        }
        // (16c)-(16e), and Coulomb's law
        let after: Vec<f64> = (0..=d).map(|row| middle.rate(row, &next[1 + n..])).collect();
        let speed = after.iter().fold(0.0_f64, |m, u| m.max(u.abs())).max(1e-3);
        if impulse[0] > 0.0 {
            pressed += 1;
            assert!(
                (after[0] + case.e * rate_before).abs() < 1e-8 * speed || rate_before.is_nan(),
                "step {k}: Newton's law"
            );
            let friction = impulse[1..].iter().fold(0.0_f64, |m, x| m.hypot(*x));
            assert!(friction <= case.mu * impulse[0] * (1.0 + 1e-8), "step {k}: outside of the cone");
            let slip = after[1..].iter().fold(0.0_f64, |m, x| m.hypot(*x));
            if slip > 1e-7 * speed {
                for t in 1..=d {
                    let expected = -case.mu * impulse[0] * after[t] / slip;
                    assert!(
                        (impulse[t] - expected).abs() < 1e-6 * case.mu * impulse[0],
                        "step {k}: friction is not against the slip"
                    );
                }
            }
        } else {
            assert!(impulse.iter().all(|x| x.abs() <= 0.0), "step {k}: pulls");
            let closes = gap[k] + 0.5 * h * rate_before <= 0.0;
            assert!(!closes || after[0] + case.e * rate_before >= -1e-8 * speed, "step {k}: falls through");
        }
        // U at the end of the step, by the place there
        kernel.solve_at(next[0], &next[1..=n], &next[1 + n..], &mut middle.values).unwrap();
        rate_before = middle.rate(0, &next[1 + n..]);
        for (t, slip) in slips.iter().enumerate() {
            assert!((slip[k + 1] - middle.rate(1 + t, &next[1 + n..])).abs() < 1e-12 * speed.max(1.0));
        }
    }
    pressed
}

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
