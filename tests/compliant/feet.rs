//! Bodies on many compliant feet that slide, turn, stop, and begin to slip again, against small Runge-Kutta steps with smooth
//! friction, −μ λ_N u/√(u² + δ²): the forces of feet that stick together are not unique, their motion is.

use super::linear::Linear;
use super::{Subject, laws};
use mechan::contact::{Compliance, Friction};
use mechan::num::random::uniform;
use mechan::simulate::compliant::{Motion, Options};
use mechan::simulate::trajectory::Status;

const EPS: f64 = 1e-2;

/// A body with coordinates (x, y, z, α, β, γ), or (x, z, β) in the plane, and feet that turn a little with it.
struct Body {
    linear: Linear,
    mu: Vec<f64>,
    stiffness: f64,
    damping: f64,
    v: Vec<f64>,
}

/// Draws of one body.
struct Draw(u64);

impl Draw {
    fn between(&self, name: &str, low: f64, high: f64) -> f64 {
        low + (high - low) * uniform(7, self.0, name)
    }

    fn foot(&self, name: &str, foot: usize, low: f64, high: f64) -> f64 {
        self.between(&format!("{name}{foot}"), low, high)
    }

    /// Heights of feet are those of unequal penetrations: rows along the floor depend on each other but for that.
    fn height(&self, foot: usize, h: f64, sunk: f64) -> f64 {
        h + sunk * self.foot("sunk", foot, -1.0, 1.0)
    }

    fn body(&self, sunk: f64) -> Body {
        let feet = 3 + (self.between("feet", 0.0, 6.0) as usize);
        let (mass, h) = (self.between("mass", 0.3, 5.0), self.between("height", 0.02, 0.3));
        let contact = |foot: usize| {
            let turn = (foot as f64 + self.foot("turn", foot, -0.2, 0.2)) / feet as f64;
            let r = self.foot("radius", foot, 0.7, 1.0);
            let (b, a) = (std::f64::consts::TAU * turn).sin_cos();
            let (a, b, h) = (r * a, r * b, self.height(foot, h, sunk));
            vec![
                vec![0.0, 0.0, 1.0, b, -a, 0.0],
                vec![1.0, 0.0, 0.0, 0.0, -h, -b],
                vec![0.0, 1.0, 0.0, h, 0.0, a],
            ]
        };
        let weight = 10.0 * mass;
        let (v, spin) = (|name: &str| self.between(name, -1.0, 1.0), self.between("spin", -3.0, 3.0));
        Body {
            linear: Linear {
                masses: [1.0, 1.0, 1.0, 0.3, 0.25, 0.5].map(|part| part * mass).to_vec(),
                stiffness: vec![0.0; 6],
                forces: vec![0.0, 0.0, -weight, 0.0, 0.0, 0.0],
                contacts: (0..feet).map(contact).collect(),
            },
            mu: (0..feet).map(|foot| self.foot("mu", foot, 0.15, 0.5)).collect(),
            stiffness: mass,
            damping: mass * [1.0, 0.3, 0.1][self.0 as usize % 3],
            v: vec![v("vx"), v("vy"), 0.0, 0.0, 0.0, spin],
        }
    }

    fn flat(&self, sunk: f64) -> Body {
        let feet = 2 + (self.between("feet", 0.0, 3.0) as usize);
        let (mass, h) = (self.between("mass", 0.3, 5.0), self.between("height", 0.02, 0.5));
        let contact = |foot: usize| {
            let a = 2.0 * foot as f64 / (feet - 1) as f64 - 1.0;
            vec![vec![0.0, 1.0, -a], vec![1.0, 0.0, -self.height(foot, h, sunk)]]
        };
        Body {
            linear: Linear {
                masses: vec![mass, mass, 0.3 * mass],
                stiffness: vec![0.0; 3],
                forces: vec![0.0, -10.0 * mass, 0.0],
                contacts: (0..feet).map(contact).collect(),
            },
            mu: (0..feet).map(|foot| self.foot("mu", foot, 0.15, 0.5)).collect(),
            stiffness: mass,
            damping: mass * [1.0, 0.3, 0.1][self.0 as usize % 3],
            v: vec![self.between("vx", -1.0, 1.0), 0.0, 0.0],
        }
    }
}

impl Body {
    fn subject(&self) -> Subject {
        let n = self.linear.masses.len();
        let closed: Vec<usize> = (0..self.mu.len()).collect();
        let law = laws(0.0, self.stiffness, self.damping);
        let mut subject = self.linear.subject(&vec![0.0; n], &self.v, law, &closed);
        for (laws, &mu) in subject.laws.iter_mut().zip(&self.mu) {
            laws.friction = Friction::new(mu).unwrap();
            laws.compliance = Compliance::new(self.stiffness, self.damping).unwrap();
        }
        subject
    }

    /// M v̇ = f + Wᵀλ.
    fn rate(&self, eps: f64, delta: f64, state: &[f64]) -> Vec<f64> {
        let (q, v) = state.split_at(self.v.len());
        let dot = |row: &[f64], x: &[f64]| row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
        let mut force = self.linear.forces.clone();
        let mut add = |row: &[f64], by: f64| force.iter_mut().zip(row).for_each(|(f, w)| *f += by * w);
        for (rows, mu) in self.linear.contacts.iter().zip(&self.mu) {
            let gap = dot(&rows[0], q);
            let normal = -(self.stiffness * gap / eps + self.damping * dot(&rows[0], v)) / eps;
            if gap < 0.0 && normal > 0.0 {
                let slips: Vec<f64> = rows[1..].iter().map(|row| dot(row, v)).collect();
                let size = slips.iter().fold(delta, |size: f64, u| size.hypot(*u));
                add(&rows[0], normal);
                rows[1..].iter().zip(&slips).for_each(|(row, u)| add(row, -mu * normal * u / size));
            }
        }
        v.iter().copied().chain(force.iter().zip(&self.linear.masses).map(|(f, m)| f / m)).collect()
    }

    /// The end by Runge-Kutta steps.
    fn by_small_steps(&self, delta: f64, (h, steps): (f64, usize)) -> Vec<f64> {
        let mut state = vec![0.0; self.v.len()];
        state.extend_from_slice(&self.v);
        let moved =
            |x: &[f64], k: &[f64], h: f64| x.iter().zip(k).map(|(x, k)| x + h * k).collect::<Vec<_>>();
        for _ in 0..steps {
            let k1 = self.rate(EPS, delta, &state);
            let k2 = self.rate(EPS, delta, &moved(&state, &k1, 0.5 * h));
            let k3 = self.rate(EPS, delta, &moved(&state, &k2, 0.5 * h));
            let k4 = self.rate(EPS, delta, &moved(&state, &k3, h));
            for i in 0..state.len() {
                state[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        state
    }
}

/// Steps of the runs of these tests: their bodies take a few hundred, and took a hundred thousand and more.
const STEPS: usize = 6_000;

fn followed(body: &Body, eps: f64, end: f64, what: &str) -> Motion {
    let motion = body.subject().run(&Options { steps: STEPS, samples: 11, ..Options::new(eps, end) });
    let trajectory = &motion.trajectory;
    let (last, events) = (trajectory.phases.last(), trajectory.events.len());
    assert_eq!(trajectory.status, Status::End, "{what}: {:?} {events} events {last:?}", trajectory.reason);
    let energy = trajectory.energy;
    assert!(energy.defect.0.abs() < 1e-7 * energy.friction.0.abs().max(1.0), "{what}: {energy:?}");
    let changes = trajectory.events.len();
    assert!(changes < 20 * (1 + body.mu.len()), "{what}: {changes} events");
    motion
}

fn place(motion: &Motion, n: usize) -> Vec<f64> {
    motion.trajectory.rows.last().unwrap()[1..=n].iter().map(|x| x.0).collect()
}

fn rests(motion: &Motion, what: &str) {
    let last = motion.trajectory.phases.last().unwrap();
    let row = motion.trajectory.rows.last().unwrap();
    let events: Vec<_> = motion.trajectory.events.iter().map(|e| (e.t.0, e.kind, &e.contact)).collect();
    assert!(last.mode.0.iter().all(|(_, mode)| mode == "stick"), "{what}: {last:?} {events:?} {row:?}");
}

/// The error of smooth friction falls with δ: two runs give its limit.
fn agrees(body: &Body, motion: &Motion, end: f64, what: &str) {
    let n = body.v.len();
    let [coarse, fine] = [(1e-4, 2e-5), (5e-5, 1e-5)]
        .map(|(delta, h)| body.by_small_steps(delta, (h, (end / h).round() as usize)));
    let found = place(motion, n);
    for i in 0..n {
        let limit = 2.0 * fine[i] - coarse[i];
        assert!((found[i] - limit).abs() < 1e-4, "{what}: {i} {found:?} {coarse:?} {fine:?}");
    }
}

/// Bodies whose feet have sunk in more and less come to rest, some of them where small steps of smooth friction do.
fn come_to_rest(name: &str, body: impl Fn(Draw, f64) -> Body) {
    for run in 0..5 {
        for sunk in [0.0, 1e-7, 1e-5] {
            let (body, what) = (body(Draw(run), sunk), format!("{name} {run}, sunk by {sunk}"));
            let motion = followed(&body, EPS, 1.0, &what);
            rests(&motion, &what);
            if sunk <= 0.0 && run < 2 {
                agrees(&body, &motion, 1.0, &what);
            }
        }
    }
}

#[test]
fn bodies_on_feet_slide_and_turn_to_rest() {
    come_to_rest("body", |draw, sunk| draw.body(sunk));
}

#[test]
fn bodies_on_feet_in_the_plane_slide_to_rest() {
    come_to_rest("flat body", |draw, sunk| draw.flat(sunk));
}

/// The stiffer the feet, the nearer they stop to one place, in no more steps.
#[test]
fn the_place_of_rest_has_a_limit() {
    for run in 0..4 {
        let body = Draw(run).body(1e-8);
        let places = [1e-3, 1e-4, 1e-5].map(|eps| {
            let motion = followed(&body, eps, 1.0, &format!("body {run} at {eps}"));
            rests(&motion, &format!("body {run} at {eps}"));
            place(&motion, 6)
        });
        let apart =
            |one: &[f64], two: &[f64]| one.iter().zip(two).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let (far, near) = (apart(&places[0], &places[1]), apart(&places[1], &places[2]));
        assert!(near < 0.05 * far + 1e-7, "body {run}: {far} {near}");
    }
}

/// Loads at rest: some of the bodies hold, some begin to slip, about a foot or away.
#[test]
fn loaded_bodies_hold_or_slip() {
    let (mut held, mut slipped) = (0, 0);
    for run in 0..6 {
        let (draw, mut body) = (Draw(run), Draw(run).body(0.0));
        let weight = -body.linear.forces[2];
        body.v.fill(0.0);
        for (axis, name) in [(0, "pull x"), (1, "pull y"), (5, "turn")] {
            body.linear.forces[axis] = weight * draw.between(name, -0.35, 0.35);
        }
        let what = format!("loaded body {run}");
        let motion = followed(&body, EPS, 0.4, &what);
        let sticks = motion.trajectory.phases.last().unwrap().mode.0.iter().all(|(_, mode)| mode == "stick");
        if sticks {
            held += 1
        } else {
            slipped += 1
        }
        agrees(&body, &motion, 0.4, &what);
    }
    assert!(held > 0 && slipped > 0, "{held} {slipped}");
}

/// The forces of a row lie within their cones, those of feet that stick included.
#[test]
fn shown_forces_lie_within_their_cones() {
    for run in 0..12 {
        let body = Draw(run).body(1e-7);
        let motion = followed(&body, EPS, 1.0, &format!("body {run}"));
        let trajectory = &motion.trajectory;
        for row in &trajectory.rows {
            for (foot, mu) in body.mu.iter().enumerate() {
                let of = |name: &str| {
                    let name = format!("c{foot}.{name}");
                    row[trajectory.columns.iter().position(|column| *column == name).unwrap()].0
                };
                let (normal, along) = (of("N"), of("T1").hypot(of("T2")));
                assert!(along <= mu * normal * (1.0 + 1e-6) + 1e-9, "body {run}: {along} {normal}");
            }
        }
    }
}
