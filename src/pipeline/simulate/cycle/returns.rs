//! Returns to a section: from a point on it, along the motion, to where its expression falls through zero again.

use super::fault::{CycleFault, Halt};
use super::symmetry::Symmetry;
use crate::analysis::{ByName, Sizes};
use crate::contact::Sign;
use crate::model::{Block, Kernel, Model, Output, State};
use crate::num::{Magnitude, Number, Tol};
use crate::pipeline::Failure;
use crate::pipeline::simulate::ask::SimulateOptions;
use crate::pipeline::simulate::stop::RowExpression;
use crate::pipeline::simulate::subject::{Start, Subject};
use crate::simulate::cycle::{AGAIN, Returned, Surface};
use crate::simulate::event::{Ending, EventDriven, Memory};
use crate::simulate::progress;
use crate::simulate::trajectory::{RowFunction, Status};
use std::fmt;

/// A motion that does not come back.
#[derive(Clone, Debug, PartialEq)]
pub struct NoReturn {
    /// How it ended.
    pub status: Status,
    /// When.
    pub t: f64,
    /// Why.
    pub reason: Option<String>,
}

impl fmt::Display for NoReturn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = self.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        write!(
            f,
            "the motion does not return to the section: it ends at t = {} with status {}{reason}",
            crate::report::significant(self.t),
            self.status.name()
        )
    }
}

/// A point of the section with what the contacts do there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    /// (q, v).
    pub(super) z: Vec<f64>,
    pub(super) closed: Vec<usize>,
    pub(super) sticking: Vec<usize>,
    /// When a motion from the section came here.
    pub(super) t: f64,
}

impl Returned for Point {
    fn point(&self) -> &[f64] {
        &self.z
    }
}

/// The motions that return.
pub(super) struct Returns<'r> {
    pub(super) subject: &'r Subject,
    pub(super) motions: &'r EventDriven,
    pub(super) kernel: Kernel,
    pub(super) section: RowExpression,
    pub(super) symmetry: Symmetry,
    /// What is the same for all of them.
    pub(super) start: Start,
    pub(super) options: SimulateOptions,
    /// For how long a return is waited for.
    pub(super) wait: f64,
    /// A time in which no motion returns.
    pub(super) dead: f64,
    /// The size of each number of (q, v).
    pub(super) sizes: Vec<f64>,
}

/// What the surface of the section needs.
const NEEDED: [Block; 6] = [
    Block::Model(Output::KineticEnergy),
    Block::Model(Output::Gap),
    Block::Model(Output::Constraint),
    Block::GapVelocity,
    Block::Slip,
    Block::ConstraintVelocity,
];

/// Share of the first return in which no later one returns.
const DEAD: f64 = 1.0 / 64.0;

/// Share of the time to the first point of the section in which the first return does not end.
const FIRST_DEAD: f64 = 1.0 / 1024.0;

/// The kernel of [`Returns`].
pub(super) fn surface_kernel(model: &Model) -> Kernel {
    model.kernel(&NEEDED)
}

impl Returns<'_> {
    fn parameters(&self) -> &[f64] {
        &self.start.state.parameters
    }

    /// The section at a row, with a sign.
    fn at_row(&self, sign: f64, row: &[f64]) -> f64 {
        sign * self.section.value(self.parameters(), row)
    }

    /// The section at the image of a row.
    fn at_image(&self, row: &[f64]) -> f64 {
        let n = self.start.state.q.len();
        let image = self.symmetry.image(&row[1..=2 * n], (row[0], self.parameters()));
        self.section.value(self.parameters(), &[&row[..1], &image].concat())
    }

    /// One motion to where `stop` falls through zero, or to the end of its time.
    fn run(&self, start: &Start, t_end: f64, stop: Option<RowFunction<'_>>) -> Result<Ending, Failure> {
        let options = SimulateOptions { t_end, ..self.options.clone() };
        let motions = (self.motions, &mut Memory::default());
        progress::expect(1);
        let found =
            self.subject.run_until(motions, (start, None), &options, stop.map(|stop| (stop, usize::MAX)));
        progress::finish();
        found
    }

    fn stopped(&self, start: &Start, stop: RowFunction<'_>) -> Result<Ending, Halt> {
        is(self.run(start, start.state.t + self.wait, Some(stop))?, Status::Stopped)
    }

    /// The same after a time in which nothing is looked for: at the start the expression is zero but for rounding.
    fn stopped_after(&self, dead: f64, start: &Start, stop: RowFunction<'_>) -> Result<Ending, Halt> {
        let away = is(self.run(start, start.state.t + dead, None)?, Status::End)?;
        self.stopped(&self.from(&away), stop)
    }

    fn from(&self, ending: &Ending) -> Start {
        let (state, closed) = (ending.state.clone(), ending.closed.clone());
        Start { state, closed, notes: Vec::new(), ..self.start.clone() }
    }

    /// The first point of the section after the start; the motion to the next one gives the sizes of all numbers, and the time in which
    /// later ones do not return.
    pub(super) fn first(&mut self) -> Result<Point, Halt> {
        let falls = |row: &[f64]| self.at_row(1.0, row);
        let rises = |row: &[f64]| self.at_row(-1.0, row);
        let first = self.stopped(&self.start, &falls)?;
        let dead = FIRST_DEAD * (first.state.t - self.start.state.t);
        let middle = self.stopped_after(dead, &self.from(&first), &rises)?;
        let last = self.stopped_after(dead, &self.from(&middle), &falls)?;
        self.measure(&first, &[&middle, &last]);
        Ok(self.image_of(&first, first.state.t, &Symmetry::default()))
    }

    /// The same where the motion comes back as an image only: the first point of the section, and the first return of the image.
    pub(super) fn first_step(&mut self) -> Result<Point, Halt> {
        let falls = |row: &[f64]| self.at_row(1.0, row);
        let first = self.stopped(&self.start, &falls)?;
        let dead = FIRST_DEAD * (first.state.t - self.start.state.t);
        let image = |row: &[f64]| self.at_image(row);
        let last = self.stopped_after(dead, &self.from(&first), &image)?;
        self.measure(&first, &[&last]);
        let point = self.point(&last, first.state.t);
        let [before, after] =
            [&[&last.state.q[..], &last.state.v].concat(), &point.z].map(|z| self.kinetic(z, last.state.t));
        if (after - before).abs() > AGAIN * before {
            return Err(CycleFault::NoSymmetry { before, after }.into());
        }
        Ok(point)
    }

    /// Begins at the first point of the section; the motion from there to its return says how large numbers are, and how long no other
    /// one takes.
    fn measure(&mut self, first: &Ending, later: &[&Ending]) {
        let mut sizes = Largest::new(self.start.state.q.len());
        std::iter::once(&first).chain(later).for_each(|ending| sizes.include(ending));
        let time = later.last().map_or(0.0, |last| last.state.t - first.state.t);
        self.dead = DEAD * time;
        self.start = self.from(first);
        self.sizes = sizes.of(time);
    }

    fn kinetic(&self, z: &[f64], t: f64) -> f64 {
        let mut values = self.kernel.values::<f64>();
        self.kernel.evaluate(&[&[t][..], z, self.parameters()].concat(), &mut values);
        self.kernel.block(&values, Block::Model(Output::KineticEnergy))[0]
    }

    /// The next point of the section after a point, by the symmetry.
    pub(super) fn next(&self, z: &[f64], like: &Point, t: f64) -> Result<Point, Halt> {
        let falls = |row: &[f64]| self.at_image(row);
        let ending = self.stopped_after(self.dead, &self.start_at(z, like, t), &falls)?;
        Ok(self.point(&ending, t))
    }

    /// Where a motion from a point of the section begins.
    pub(super) fn start_at(&self, z: &[f64], like: &Point, t: f64) -> Start {
        let (q, v) = z.split_at(z.len() / 2);
        let state = State { t, q: q.to_vec(), v: v.to_vec(), parameters: self.parameters().to_vec() };
        Start { state, closed: like.closed.clone(), ..self.start.clone() }
    }

    /// The image of the end of a motion that began at a time.
    fn point(&self, ending: &Ending, begun: f64) -> Point {
        self.image_of(ending, begun, &self.symmetry)
    }

    fn image_of(&self, ending: &Ending, begun: f64, symmetry: &Symmetry) -> Point {
        let state = &ending.state;
        let z = [&state.q[..], &state.v].concat();
        let image = symmetry.image(&z, (state.t, self.parameters()));
        let mut closed = ending.closed.clone();
        let does =
            |contact: usize| ending.trajectory.phases.last().map(|phase| phase.mode.0[contact].1.as_ref());
        let mut sticking: Vec<usize> = closed.iter().copied().filter(|&c| does(c) == Some("stick")).collect();
        if image != z {
            // other contacts are closed at the image
            let (gaps, slips) = self.nearest(&image, state.t);
            closed = gaps;
            sticking = if sticking.is_empty() { Vec::new() } else { slips };
        }
        Point { z: image, closed, sticking, t: state.t - begun }
    }

    /// Contacts whose gap is zero at a point, and those of them that are at rest.
    fn nearest(&self, z: &[f64], t: f64) -> (Vec<usize>, Vec<usize>) {
        let tol = Tol::default();
        let fixed = |x: &f64| Magnitude::new(*x, x.abs());
        let moving = z.iter().zip(&self.sizes).map(|(x, size)| Magnitude::new(*x, *size));
        let inputs: Vec<Magnitude> =
            [fixed(&t)].into_iter().chain(moving).chain(self.parameters().iter().map(fixed)).collect();
        let sizes = Sizes::at(&self.kernel, &inputs, 0.0);
        let layout = self.kernel.layout();
        let zero = |c: &usize| sizes.gap(*c).sign(tol.closed) == Sign::Marginal;
        let closed: Vec<usize> = (0..layout.contacts).filter(zero).collect();
        let slip = |c: usize| &sizes.block(Block::Slip)[c * layout.tangents..(c + 1) * layout.tangents];
        let rests = |c: &usize| slip(*c).iter().all(|slip| slip.value.abs() <= tol.rest * slip.size);
        let resting = closed.iter().copied().filter(rests).collect();
        (closed, resting)
    }

    /// The surface of the section where contacts do what they do at a point: c = (section, gaps, gap rates, slips of sticking contacts,
    /// constraints and their rates).
    pub(super) fn surface(&self, at: &Point, then: &mut dyn FnMut(&Surface<'_>)) {
        let t = self.start.state.t;
        let conditions = |z: &[f64]| {
            let mut values = self.kernel.values::<f64>();
            self.kernel.evaluate(&[&[t][..], z, self.parameters()].concat(), &mut values);
            let block = |block: Block| self.kernel.block(&values, block);
            let d = self.kernel.layout().tangents;
            let mut found = vec![self.section.value(self.parameters(), &[&[t][..], z].concat())];
            found.extend(at.closed.iter().map(|&c| block(Block::Model(Output::Gap))[c]));
            found.extend(at.closed.iter().map(|&c| block(Block::GapVelocity)[c]));
            found.extend(at.sticking.iter().flat_map(|&c| block(Block::Slip)[c * d..(c + 1) * d].to_vec()));
            found.extend_from_slice(block(Block::Model(Output::Constraint)));
            found.extend_from_slice(block(Block::ConstraintVelocity));
            found
        };
        then(&Surface { conditions: &conditions, sizes: &self.sizes });
    }
}

fn is(ending: Ending, wanted: Status) -> Result<Ending, Halt> {
    let trajectory = &ending.trajectory;
    if trajectory.status == wanted {
        return Ok(ending);
    }
    let (status, t, reason) = (trajectory.status, ending.state.t, trajectory.reason.clone());
    Err(NoReturn { status, t, reason }.into())
}

/// The sizes of the numbers of a motion.
struct Largest {
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Largest {
    fn new(n: usize) -> Self {
        Self { q: vec![0.0; n], v: vec![0.0; n] }
    }

    fn include(&mut self, ending: &Ending) {
        let larger = |sizes: &mut [f64], numbers: &[f64]| {
            sizes.iter_mut().zip(numbers).for_each(|(size, x)| *size = size.max(x.abs()));
        };
        larger(&mut self.q, &ending.state.q);
        larger(&mut self.v, &ending.state.v);
        for event in &ending.trajectory.events {
            let numbers = |list: &ByName<Number>| list.0.iter().map(|(_, x)| x.0).collect::<Vec<_>>();
            larger(&mut self.q, &numbers(&event.q));
            larger(&mut self.v, &numbers(&event.v));
        }
    }

    /// Of (q, v): a coordinate is also as large as its velocity takes it in the time of a return, and the other way round; 1 where
    /// nothing moves.
    fn of(&self, time: f64) -> Vec<f64> {
        let q = self.q.iter().zip(&self.v).map(|(q, v)| q.max(v * time));
        let v = self.q.iter().zip(&self.v).map(|(q, v)| v.max(q / time));
        q.chain(v).map(|size| if size > 0.0 { size } else { 1.0 }).collect()
    }
}
