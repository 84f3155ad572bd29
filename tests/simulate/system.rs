//! Random equations of motion with any contacts and constraints: the elimination against one dense system for v̇, ν and λ,
//! in which every contact has the equations of its motion.

use super::Numbers;
use mechan::contact::Friction;
use mechan::model::{Layout, Model, Output};
use mechan::simulate::{ContactMotion, SmoothError, SmoothMotion};
use mechan::tape::Builder;
use nalgebra::{DMatrix, DVector};

/// A mechanism whose blocks are numbers.
struct Fixed {
    layout: Layout,
    M: DMatrix<f64>,
    blocks: Vec<(Output, Vec<f64>)>,
}

impl Fixed {
    fn new(layout: Layout, numbers: &mut Numbers) -> Self {
        let n = layout.coordinates;
        let half = DMatrix::from_fn(n, n, |_, _| numbers.next());
        let M = &half * half.transpose() + DMatrix::identity(n, n);
        let random = [
            Output::Bias,
            Output::NormalJacobian,
            Output::NormalDrift,
            Output::TangentJacobian,
            Output::TangentDrift,
            Output::ConstraintJacobian,
            Output::ConstraintDrift,
        ];
        let mut blocks: Vec<_> =
            random.into_iter().map(|output| (output, numbers.list(layout.len(output)))).collect();
        let packed = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|place| M[place]).collect();
        blocks.push((Output::MassMatrix, packed));
        Self { layout, M, blocks }
    }

    fn block(&self, output: Output) -> &[f64] {
        &self.blocks.iter().find(|(o, _)| *o == output).unwrap().1
    }

    fn model(&self) -> Model {
        let mut builder = Builder::new(self.layout.inputs());
        let mut outputs = Vec::new();
        for output in Output::ALL {
            let given = self.blocks.iter().find(|(o, _)| *o == output).map(|(_, x)| x.clone());
            let numbers = given.unwrap_or_else(|| vec![0.0; self.layout.len(output)]);
            outputs.extend(numbers.into_iter().map(|x| builder.constant(x)));
        }
        Model::new(self.layout, builder.finish(&outputs)).unwrap()
    }

    /// Row k of a contact and its drift.
    fn contact_row(&self, contact: usize, k: usize) -> (Vec<f64>, f64) {
        let (n, d) = (self.layout.coordinates, self.layout.tangents);
        let row = |output, i: usize| self.block(output)[i * n..(i + 1) * n].to_vec();
        match k {
            0 => (row(Output::NormalJacobian, contact), self.block(Output::NormalDrift)[contact]),
            k => {
                let i = contact * d + k - 1;
                (row(Output::TangentJacobian, i), self.block(Output::TangentDrift)[i])
            }
        }
    }

    /// v̇ and λ from all equations at once.
    fn solution(&self, contacts: &[ContactMotion]) -> Option<(Vec<f64>, Vec<f64>)> {
        let Layout { coordinates: n, constraints: c, tangents: d, .. } = self.layout;
        let rows = contacts.len() * (1 + d);
        let size = n + c + rows;
        let (mut A, mut y) = (DMatrix::zeros(size, size), DVector::zeros(size));
        A.view_mut((0, 0), (n, n)).copy_from(&self.M);
        for i in 0..n {
            y[i] = -self.block(Output::Bias)[i];
            for k in 0..c {
                let entry = self.block(Output::ConstraintJacobian)[k * n + i];
                (A[(i, n + k)], A[(n + k, i)]) = (-entry, entry);
            }
        }
        (0..c).for_each(|k| y[n + k] = -self.block(Output::ConstraintDrift)[k]);
        for (contact, motion) in contacts.iter().enumerate() {
            for k in 0..=d {
                let at = n + c + contact * (1 + d) + k;
                let (row, drift) = self.contact_row(contact, k);
                (0..n).for_each(|i| A[(i, at)] = -row[i]);
                match (motion, k) {
                    (ContactMotion::Free, _) => A[(at, at)] = 1.0,
                    (ContactMotion::Slips { along, friction }, k) if k > 0 => {
                        A[(at, at)] = 1.0;
                        A[(at, at - k)] = friction.mu() * along[k - 1];
                    }
                    _ => {
                        (0..n).for_each(|i| A[(at, i)] = row[i]);
                        y[at] = -drift;
                    }
                }
            }
        }
        let x = A.lu().solve(&y)?;
        let force = x.rows(n + c, rows).iter().copied().collect();
        Some((x.rows(0, n).iter().copied().collect(), force))
    }
}

fn motion(numbers: &mut Numbers, tangents: usize) -> ContactMotion {
    let (which, angle) = (numbers.next(), 3.0 * numbers.next());
    let friction = Friction::new(numbers.next().abs()).unwrap();
    let along = if tangents == 1 { [angle.signum(), 0.0] } else { [angle.cos(), angle.sin()] };
    match which {
        x if x < -0.4 => ContactMotion::Free,
        x if x < 0.2 => ContactMotion::Sticks,
        _ => ContactMotion::Slips { along, friction },
    }
}

#[test]
fn any_contacts_in_any_motion_solve_the_whole_system() {
    let (mut numbers, mut compared) = (Numbers(3), 0);
    for k in 0..600 {
        let (m, d, c) = (k % 4, 1 + k % 2, k % 3);
        let n = (m * (1 + d) + c).max(2) + k % 2;
        let layout = Layout { coordinates: n, parameters: 0, constraints: c, contacts: m, tangents: d };
        let fixed = Fixed::new(layout, &mut numbers);
        let contacts: Vec<ContactMotion> = (0..m).map(|_| motion(&mut numbers, d)).collect();
        let motion = SmoothMotion::new(&fixed.model(), &[]);
        let (mut work, zero) = (motion.work(&[]), vec![0.0; n]);
        motion.solve(0.0, (&zero, &zero), &contacts, &mut work).unwrap();
        let (vdot, force) = fixed.solution(&contacts).unwrap();
        let size = vdot.iter().chain(&force).fold(1.0, |m: f64, x| m.max(x.abs()));
        if size > 1e4 {
            continue; // p near 0
        }
        let found = work.acceleration().iter().chain(work.forces());
        for (x, y) in found.zip(vdot.iter().chain(&force)) {
            assert!((x - y).abs() <= 1e-9 * size, "{k}: {x} {y} of {size}");
        }
        compared += 1;
    }
    assert!(compared > 550, "{compared}");
}

/// C = 1, B = 1, μ = 1: p+ = 0, and the force of slip+ is not determined; that of slip− is.
#[test]
fn a_vanishing_gain_is_named() {
    let layout = Layout { coordinates: 2, parameters: 0, constraints: 0, contacts: 1, tangents: 1 };
    let blocks = vec![
        (Output::MassMatrix, vec![1.0, 0.0, 1.0]),
        (Output::Bias, vec![0.0, 1.0]),
        (Output::NormalJacobian, vec![0.0, 1.0]),
        (Output::NormalDrift, vec![0.0]),
        (Output::TangentJacobian, vec![1.0, 1.0]),
        (Output::TangentDrift, vec![0.0]),
    ];
    let model = Fixed { layout, M: DMatrix::identity(2, 2), blocks }.model();
    let motion = SmoothMotion::new(&model, &[]).compiled();
    let mut work = motion.work(&[]);
    let slips =
        |sign: f64| ContactMotion::Slips { along: [sign, 0.0], friction: Friction::new(1.0).unwrap() };
    let mut solve = |sign: f64| motion.solve(0.0, (&[0.0; 2], &[0.0; 2]), &[slips(sign)], &mut work);
    assert_eq!(solve(1.0), Err(SmoothError::Forces { contact: 0 }));
    assert_eq!(solve(-1.0), Ok(()));
    // p− = 2, b = −1
    assert_eq!(work.forces(), [0.5, 0.5]);
}
