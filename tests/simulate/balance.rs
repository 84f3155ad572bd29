//! Shipped mechanisms: accelerations, contact forces and reactions obey the equations of motion, the contacts do what their
//! motion says, and no energy is lost: d(T + V)/dt along (q̇, v̇), by dual numbers through the energies' own tape, is the power
//! of the applied, contact and constraint forces.

use super::{kept_models, states};
use mechan::contact::{Friction, Planar};
use mechan::model::{Block, Model, Output, State};
use mechan::num::{Dual, dense};
use mechan::predict::Mode;
use mechan::simulate::{ContactMotion, SmoothError, SmoothMotion};

/// Both routes round some hundred times; scaled by the largest term.
const CLOSE: f64 = 1e-10;

const ALSO: [Block; 14] = [
    Block::Model(Output::MassMatrix),
    Block::Model(Output::Bias),
    Block::Model(Output::Gap),
    Block::Model(Output::NormalDrift),
    Block::Model(Output::TangentDrift),
    Block::Model(Output::ConstraintJacobian),
    Block::Model(Output::ConstraintDrift),
    Block::Model(Output::KineticEnergy),
    Block::Model(Output::PotentialEnergy),
    Block::Model(Output::Applied),
    Block::ContactJacobian,
    Block::Slip,
    Block::FreeReaction,
    Block::ReactionResponse,
];

const MODES: [Mode; 4] = [
    Mode::Free,
    Mode::STICK,
    Mode::Slip { along: [1.0, 0.0], side: 1.0 },
    Mode::Slip { along: [-1.0, 0.0], side: 1.0 },
];

/// What every contact does, the same of all.
fn motions(tangents: usize) -> Vec<ContactMotion> {
    let friction = Friction::new(0.4).unwrap();
    if tangents == 1 {
        return MODES.map(|mode| ContactMotion::of(mode, friction, 1, 0.0)).to_vec();
    }
    let slips = ContactMotion::Slips { along: [0.8, -0.6], friction };
    vec![ContactMotion::Free, ContactMotion::Sticks, slips]
}

/// Checks a model at states; returns how many motions were compared.
pub(crate) fn check(name: &str, model: &Model, states: &[State]) -> usize {
    let interpreted = SmoothMotion::new(model, &ALSO);
    let compiled = interpreted.clone().compiled();
    let mut checked = 0;
    for state in states {
        for one in motions(model.layout().tangents) {
            let contacts = vec![one; model.layout().contacts];
            let (mut work, mut machine) =
                (interpreted.work(&state.parameters), compiled.work(&state.parameters));
            let at = (&state.q[..], &state.v[..]);
            match interpreted.solve(state.t, at, &contacts, &mut work) {
                Ok(()) => {}
                // two contacts that hold one body twice, or a configuration without M
                Err(SmoothError::Forces { .. } | SmoothError::Model(_)) => continue,
                Err(error) => panic!("{name}: {error}"),
            }
            let largest = work.forces().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            if largest > 1e6 {
                continue; // nearly so
            }
            compiled.solve(state.t, at, &contacts, &mut machine).unwrap();
            assert_eq!(work.acceleration(), machine.acceleration(), "{name}");
            assert_eq!(work.forces(), machine.forces(), "{name}");
            let moving = Moving { motion: &interpreted, work: &work, state, name };
            moving.obeys_the_equations_of_motion();
            // rows that follow from others can only be kept where velocities fit, as these need not
            if work.undetermined() == 0 {
                moving.contacts_do_as_told(one);
            }
            moving.balances_energy(model);
            checked += 1;
        }
    }
    checked
}

struct Moving<'a> {
    motion: &'a SmoothMotion,
    work: &'a mechan::simulate::SmoothWork,
    state: &'a State,
    name: &'a str,
}

impl Moving<'_> {
    fn block(&self, block: impl Into<Block>) -> &[f64] {
        self.motion.kernel().block(self.work.values(), block)
    }

    fn close(&self, what: &str, terms: &[f64]) {
        let scale = terms.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
        let rest: f64 = terms.iter().sum();
        assert!(
            rest.abs() <= CLOSE * scale,
            "{} {what}: {rest:e} of {terms:?} at {:?}",
            self.name,
            self.state
        );
    }

    fn reactions(&self) -> Vec<f64> {
        let kernel = self.motion.kernel();
        let mut held = vec![0.0; kernel.layout().constraints];
        kernel.reactions_under(self.work.values(), self.work.forces(), &mut held);
        held
    }

    /// M v̇ + h = Wᵀλ + Jᵀν and J v̇ + j = 0.
    fn obeys_the_equations_of_motion(&self) {
        let (M, n, vdot) = (self.block(Output::MassMatrix), self.state.q.len(), self.work.acceleration());
        let (W, J, held) =
            (self.block(Block::ContactJacobian), self.block(Output::ConstraintJacobian), self.reactions());
        for i in 0..n {
            let entry = |j: usize| M[dense::packed_len(i.max(j)) + i.min(j)];
            let mut terms: Vec<f64> = (0..n).map(|j| entry(j) * vdot[j]).collect();
            terms.push(self.block(Output::Bias)[i]);
            terms.extend(W.chunks_exact(n).zip(self.work.forces()).map(|(row, force)| -row[i] * force));
            terms.extend(J.chunks_exact(n).zip(&held).map(|(row, force)| -row[i] * force));
            self.close("equation of motion", &terms);
        }
        for (row, drift) in J.chunks_exact(n).zip(self.block(Output::ConstraintDrift)) {
            let mut terms: Vec<f64> = row.iter().zip(vdot).map(|(j, v)| j * v).collect();
            terms.push(*drift);
            self.close("constraint", &terms);
        }
    }

    /// Terms of the acceleration of a contact row.
    fn acceleration_terms(&self, contact: usize, k: usize) -> Vec<f64> {
        let (n, d) = (self.state.q.len(), self.motion.kernel().layout().tangents);
        let row = contact * (1 + d) + k;
        let W = &self.block(Block::ContactJacobian)[row * n..(row + 1) * n];
        let drift = match k {
            0 => self.block(Output::NormalDrift)[contact],
            k => self.block(Output::TangentDrift)[contact * d + k - 1],
        };
        let terms = W.iter().zip(self.work.acceleration()).map(|(w, v)| w * v);
        terms.chain([drift]).collect()
    }

    fn contacts_do_as_told(&self, one: ContactMotion) {
        let d = self.motion.kernel().layout().tangents;
        for (contact, force) in self.work.forces().chunks_exact(1 + d).enumerate() {
            match one {
                ContactMotion::Free => assert!(force.iter().all(|f| *f == 0.0)),
                ContactMotion::Sticks => {
                    (0..=d).for_each(|k| self.close("stick", &self.acceleration_terms(contact, k)));
                }
                ContactMotion::Slips { along, friction } | ContactMotion::Turns { along, friction, .. } => {
                    self.close("slip", &self.acceleration_terms(contact, 0));
                    for k in 0..d {
                        self.close("friction", &[force[1 + k], friction.mu() * along[k] * force[0]]);
                    }
                }
            }
        }
        if (self.motion.kernel().rows(), d) == (2, 1) {
            self.is_that_of_one_contact(one);
        }
    }

    /// [CV16 (15), (19), (21)].
    fn is_that_of_one_contact(&self, one: ContactMotion) {
        let (D, free) = (self.block(Block::Delassus), self.block(Block::FreeContactAcceleration));
        let planar = Planar::new(D[2], D[1], D[0], free[1], free[0]);
        let (N, T) = match one {
            ContactMotion::Free => (0.0, 0.0),
            ContactMotion::Sticks => planar.stick_force(),
            ContactMotion::Slips { along, friction } | ContactMotion::Turns { along, friction, .. } => {
                let slip =
                    if along[0] > 0.0 { mechan::contact::Slip::Pos } else { mechan::contact::Slip::Neg };
                planar.slip_force(friction, slip)
            }
        };
        self.close("normal force", &[self.work.forces()[0], -N]);
        self.close("tangential force", &[self.work.forces()[1], -T]);
    }

    /// Whether the kinetic energy is not ½ vᵀM v, or an energy depends on time.
    fn moves_by_itself(&self) -> bool {
        let (M, v) = (self.block(Output::MassMatrix), &self.state.v);
        let entry = |i: usize, j: usize| M[dense::packed_len(i.max(j)) + i.min(j)];
        let row = |i: usize| (0..v.len()).map(|j| entry(i, j) * v[j]).sum::<f64>();
        let own = 0.5 * (0..v.len()).map(|i| v[i] * row(i)).sum::<f64>();
        let kernel = self.motion.kernel();
        let reads = kernel.tape().reads(0);
        let timed = |output: Output| reads[kernel.range(output)].contains(&true);
        let kinetic = self.block(Output::KineticEnergy)[0];
        (kinetic - own).abs() > CLOSE * (1.0 + own.abs())
            || timed(Output::KineticEnergy)
            || timed(Output::PotentialEnergy)
    }

    fn balances_energy(&self, model: &Model) {
        if self.moves_by_itself() {
            return; // a driven hinge gives energy, too
        }
        let energies = model.kernel(&[Output::KineticEnergy, Output::PotentialEnergy]);
        let State { t, q, v, parameters } = self.state;
        let along = |x: &[f64], rate: &[f64]| -> Vec<Dual> {
            x.iter().zip(rate).map(|(&x, &rate)| Dual::new(x, rate)).collect()
        };
        let mut values = energies.values::<Dual>();
        energies.set_parameters(parameters, &mut values);
        let (q_dual, v_dual) = (along(q, v), along(v, self.work.acceleration()));
        energies.solve_at(Dual::new(*t, 1.0), &q_dual, &v_dual, &mut values).unwrap();
        let stored = |output: Output| energies.block(&values, output)[0].eps;
        let mut terms = vec![stored(Output::KineticEnergy), stored(Output::PotentialEnergy)];
        terms.extend(self.block(Output::Applied).iter().zip(v).map(|(f, v)| -f * v));
        let power = |row: &[f64], force: f64| -force * dense::dot(row, v);
        let (rows, n) = (self.block(Block::ContactJacobian), q.len());
        terms.extend(rows.chunks_exact(n).zip(self.work.forces()).map(|(row, &f)| power(row, f)));
        let constraints = self.block(Output::ConstraintJacobian).chunks_exact(n);
        terms.extend(constraints.zip(self.reactions()).map(|(row, f)| power(row, f)));
        self.close("energy", &terms);
    }
}

#[test]
fn motions_of_kept_models_obey_the_equations_and_lose_no_energy() {
    for (name, model) in kept_models() {
        let states = states(name);
        assert!(check(name, &model, &states) > 3 * states.len(), "{name}");
    }
}
