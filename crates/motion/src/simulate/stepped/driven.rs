//! What moves by prescription inside the bodies' positions, or pulls by a potential that reads the time, works on a step: its power
//! in the middle, as good as steps of second order are.

use crate::model::{Block, Kernel, Model, Output, Values};
use crate::simulate::drive::{Drive, DriveWork, Moving};
use crate::stepping::Point;

/// What is asked of a state beside the energies.
const BLOCKS: [Output; 3] = [Output::MassMatrix, Output::Inertial, Output::Potential];

/// A mechanism in which something moves by prescription.
#[derive(Clone, Debug)]
pub(super) struct Driven {
    drive: Drive,
    kernel: Kernel,
}

impl Driven {
    /// Of a model; none if nothing moves by prescription.
    pub(super) fn of(model: &Model) -> Option<Self> {
        let drive = Drive::of(model)?;
        Some(Self { drive, kernel: Kernel::new(model, &BLOCKS.map(Block::from)) })
    }

    /// Memory for a motion from a point.
    pub(super) fn motion(&self, from: &Point, parameters: &[f64]) -> DrivenMotion<'_> {
        let layout = self.kernel.layout();
        let mut inputs = vec![0.0; layout.inputs()];
        let first = inputs.len() - parameters.len();
        inputs[first..].copy_from_slice(parameters);
        DrivenMotion {
            driven: self,
            work: self.drive.work(parameters),
            values: self.kernel.values(),
            inputs,
            from: from.clone(),
            vdot: vec![0.0; layout.coordinates],
        }
    }
}

/// A motion in progress.
#[derive(Debug)]
pub(super) struct DrivenMotion<'d> {
    driven: &'d Driven,
    work: DriveWork,
    values: Values<f64>,
    inputs: Vec<f64>,
    /// Where the step begins.
    from: Point,
    vdot: Vec<f64>,
}

impl DrivenMotion<'_> {
    /// The work of the step that leads to a point, where the next one begins.
    pub(super) fn step_to(&mut self, to: &Point) -> f64 {
        let Self { driven, work, values, inputs, from, vdot } = self;
        let (n, h) = (to.q.len(), to.t - from.t);
        let middle = |a: f64, b: f64| 0.5 * (a + b);
        inputs[0] = middle(from.t, to.t);
        for i in 0..n {
            inputs[1 + i] = middle(from.q[i], to.q[i]);
            inputs[1 + n + i] = middle(from.v[i], to.v[i]);
            vdot[i] = (to.v[i] - from.v[i]) / h;
        }
        from.t = to.t;
        from.q.copy_from_slice(&to.q);
        from.v.copy_from_slice(&to.v);
        if h <= 0.0 {
            return 0.0;
        }
        driven.kernel.evaluate(inputs, values);
        let (t, q, v) = (inputs[0], &inputs[1..1 + n], &inputs[1 + n..1 + 2 * n]);
        let blocks = BLOCKS.map(|output| driven.kernel.block(values, Block::from(output)));
        h * driven.drive.power(&Moving { t, q, v, vdot, factor: 1.0 }, blocks, work)
    }
}
