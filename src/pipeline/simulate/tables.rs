//! Tables of a motion beside its samples: where the bodies of the mechanism are and how they move, and what its contacts carry, at each sample.
//! Their columns are those of scenes; all numbers follow from the samples and the file.

use super::ask::{SimulateOptions, begin};
use crate::expression::Env;
use crate::format::{Contact, Mechanism, Seen, Space};
use crate::model::Model;
use crate::pipeline::tables::{Subject, row};
use crate::pipeline::{Failure, Loaded, Usage};
use crate::report::{DataCell, DataFile};
use crate::scene::vector::{Vector, dot, plus, quaternion, tangents, times};
use crate::simulate::trajectory::{PhaseSpan, Trajectory};
use std::path::{Path, PathBuf};

/// The tables that are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MotionTables {
    /// The file of the bodies, `.csv` or `.parquet`.
    pub bodies: Option<PathBuf>,
    /// The file of the contacts.
    pub contacts: Option<PathBuf>,
}

/// Why there is no such table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableFault {
    /// A mechanism that is given by its energies.
    #[error("--bodies: {mechanism} has no bodies, it is given by its energies")]
    NoBodies {
        /// The mechanism.
        mechanism: String,
    },
    /// A mechanism without contacts.
    #[error("--contacts: {mechanism} has no contacts")]
    NoContacts {
        /// The mechanism.
        mechanism: String,
    },
    /// One file for two tables.
    #[error(
        "{file} is asked for twice: --bodies, --contacts and --output have other columns, give each a file of its own"
    )]
    OneFile {
        /// The file.
        file: String,
    },
    /// More than one motion.
    #[error("--bodies and --contacts are tables of one motion: leave --futures out, and give one --eps")]
    Several,
}

impl MotionTables {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_none() && self.contacts.is_none()
    }

    /// That they can be written of a mechanism beside the file of the samples, before its motion is followed.
    ///
    /// # Errors
    /// [`TableFault`], and [`Failure::Data`] where the ending of a file does not say what it is to be.
    pub fn check(&self, mechanism: &Mechanism, samples: Option<&Path>) -> Result<(), Failure> {
        let name = || mechanism.name.clone();
        let files = || [self.bodies.as_deref(), self.contacts.as_deref(), samples].into_iter().flatten();
        let twice = files().enumerate().find(|(k, file)| files().skip(k + 1).any(|other| other == *file));
        let fault = match (&self.bodies, &self.contacts) {
            _ if let Some((_, file)) = twice => {
                Some(TableFault::OneFile { file: file.display().to_string() })
            }
            (Some(_), _) if mechanism.bodies.is_empty() => Some(TableFault::NoBodies { mechanism: name() }),
            (_, Some(_)) if mechanism.contacts.is_empty() => {
                Some(TableFault::NoContacts { mechanism: name() })
            }
            _ => None,
        };
        match fault {
            Some(fault) => Err(Usage::Tables(fault).into()),
            None => [&self.bodies, &self.contacts]
                .into_iter()
                .flatten()
                .try_for_each(|path| Ok(DataFile::check(path)?)),
        }
    }
}

/// Writes the tables of a motion from the state that the options name: a row for each body at each sample, and one for each contact that is closed
/// or carries something.
///
/// # Errors
/// As [`MotionTables::check`]; [`Failure::Data`] if a file cannot be written.
pub fn write_tables(
    loaded: &Loaded,
    model: &Model,
    options: &SimulateOptions,
    (trajectory, tables): (&Trajectory, &MotionTables),
) -> Result<(), Failure> {
    tables.check(&loaded.mechanism, None)?;
    let (_, start) = begin(loaded, model, options)?;
    let motion = Motion { mechanism: &loaded.mechanism, parameters: &start.state.parameters, trajectory };
    if let Some(path) = &tables.bodies {
        motion.write(path, Subject::Bodies, motion.bodies())?;
    }
    if let Some(path) = &tables.contacts {
        motion.write(path, Subject::Contacts, motion.contacts())?;
    }
    Ok(())
}

/// A motion of a mechanism, with its parameters.
struct Motion<'m> {
    mechanism: &'m Mechanism,
    parameters: &'m [f64],
    trajectory: &'m Trajectory,
}

/// A sample.
struct Sample<'s> {
    at: (u64, f64),
    q: &'s [f64],
    v: &'s [f64],
    /// Of the contacts, and what follows.
    rest: &'s [f64],
}

impl<'m> Motion<'m> {
    fn write(
        &self,
        path: &Path,
        subject: Subject,
        rows: impl Iterator<Item = Vec<DataCell>>,
    ) -> Result<(), Failure> {
        let mut file = DataFile::create(path, subject.columns(self.mechanism.space.dimension()))?;
        for row in rows {
            file.append(&row)?;
        }
        Ok(file.finish().map(drop)?)
    }

    /// What is made of each sample, in order.
    fn samples<R>(&self, mut rows: impl FnMut(&Sample<'_>) -> Vec<R>) -> impl Iterator<Item = R> {
        let n = self.mechanism.coordinates.len();
        self.trajectory.rows.iter().enumerate().flat_map(move |(step, row)| {
            let numbers: Vec<f64> = row.iter().map(|x| x.0).collect();
            let (q, rest) = numbers[1..].split_at(n);
            let (v, rest) = rest.split_at(n);
            rows(&Sample { at: (step as u64, numbers[0]), q, v, rest })
        })
    }

    fn seen<'s>(&'s self, sample: &'s Sample<'_>) -> Seen<'s, f64> {
        let definitions = &self.mechanism.definitions.values;
        let env = Env { t: sample.at.1, q: sample.q, v: sample.v, parameters: self.parameters, definitions };
        Seen { mechanism: self.mechanism, env }
    }

    fn bodies(&self) -> impl Iterator<Item = Vec<DataCell>> {
        let bodies = &self.mechanism.bodies;
        let mut turned = vec![[1.0, 0.0, 0.0, 0.0]; bodies.len()];
        self.samples(move |sample| {
            let place = (sample.at.1, sample.q, self.parameters);
            let moving = self.mechanism.moving(bodies, place, (1.0, sample.v));
            let rows = moving.iter().zip(bodies).zip(&mut turned).map(|((moving, body), turned)| {
                let (axes, [velocity, spin]) = (moving.still(), moving.twist());
                let numbers = match self.mechanism.space {
                    Space::Plane => {
                        let angle = self.seen(sample).angle(&body.pose);
                        vec![axes.origin[0], axes.origin[1], angle, velocity[0], velocity[1], spin[2]]
                    }
                    Space::Space => {
                        *turned = nearer(quaternion(axes.axes), *turned);
                        [&axes.origin[..], turned, &velocity, &spin].concat()
                    }
                };
                row(sample.at, [Some(body.name.clone())], numbers)
            });
            rows.collect()
        })
    }

    fn contacts(&self) -> impl Iterator<Item = Vec<DataCell>> {
        let mechanism = self.mechanism;
        let first: Vec<f64> = self.trajectory.rows.first().unwrap_or_default().iter().map(|x| x.0).collect();
        let (t, q) = (first.first().copied().unwrap_or(0.0), first.get(1..=mechanism.coordinates.len()));
        let told = |contact: &'m Contact| {
            let pressed = mechanism.pressed(contact, (t, q.unwrap_or_default(), self.parameters));
            let [of, by] = pressed.map(|body| body.map(|body| mechanism.bodies[body].name.clone()));
            // what is no body has the name of the contact
            Told {
                contact,
                names: [of, by.or(Some(contact.name.clone()))],
                axis: mechanism.tangent_axis(contact),
            }
        };
        let told: Vec<Told<'_>> = mechanism.contacts.iter().map(told).collect();
        let (width, dim) = (2 * mechanism.space.dimension(), mechanism.space.dimension());
        let mut phase = 0;
        self.samples(move |sample| {
            let t = sample.at.1;
            phase += self.trajectory.phases[phase..].iter().take_while(|phase| phase.t1.0 < t).count();
            let seen = self.seen(sample);
            let each = told.iter().zip(sample.rest.chunks_exact(width)).enumerate();
            let closed = each.filter(|(contact, (_, numbers))| {
                let carries = numbers[dim].abs() > 0.0;
                carries || self.trajectory.phases.get(phase).is_some_and(|phase| is_closed(phase, *contact))
            });
            closed
                .map(|(_, (told, numbers))| row(sample.at, told.names.clone(), told.numbers(&seen, numbers)))
                .collect()
        })
    }
}

/// What is the same of a contact at all times.
struct Told<'m> {
    contact: &'m Contact,
    names: [Option<String>; 2],
    axis: usize,
}

impl Told<'_> {
    /// Place, normal, force and slip, from gap, slip and force of a sample. Tangents are those that follow from the normal, also where the file
    /// has others: a reader knows the normal alone. Gap and slip that are given as functions have neither place nor normal.
    fn numbers(&self, seen: &Seen<'_, f64>, numbers: &[f64]) -> Vec<f64> {
        let dim = seen.mechanism.space.dimension();
        let (slip, force) = (&numbers[1..dim], &numbers[dim..]);
        let nowhere = [f64::NAN; 3];
        let place = seen.touching(self.contact).unwrap_or(nowhere);
        let normal = seen.normal(self.contact).unwrap_or(nowhere);
        let own = seen.tangents(self.contact, self.axis, normal);
        let along = |x: &[f64]| -> Vec<f64> {
            if dim == 2 || normal[0].is_nan() {
                return x.to_vec();
            }
            let whole: Vector = plus(times(own[0], x[0]), times(own[1], x[1]));
            tangents(normal).map(|tangent| dot(tangent, whole)).to_vec()
        };
        [&place[..dim], &normal[..dim], &force[..1], &along(&force[1..]), &along(slip)].concat()
    }
}

fn is_closed(phase: &PhaseSpan, contact: usize) -> bool {
    phase.mode.0.get(contact).is_some_and(|(_, word)| word != "free")
}

/// A rotation by the one of its two quaternions that is nearer to another.
fn nearer(q: [f64; 4], before: [f64; 4]) -> [f64; 4] {
    let along: f64 = q.iter().zip(before).map(|(a, b)| a * b).sum();
    if along < 0.0 { q.map(|x| -x) } else { q }
}
