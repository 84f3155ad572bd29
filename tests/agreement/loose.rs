//! Contacts whose rows, laws and surfaces are numbers, on a mechanism of unit mass matrix: what is said of them and what follows.

use crate::followed::Followed;
use crate::said::Said;
use mechan::analysis::{Names, RestDepth, Sizes, StateInput, state_outcome};
use mechan::contact::{Compliance, Friction, Hold, Laws, Restitution};
use mechan::model::{Block, Kernel, Model, State};
use mechan::num::{Magnitude, Tol};
use mechan::predict::{Continuation, Mode};
use mechan::simulate::Beginning;
use mechan::simulate::capture::{DEFAULT_CRITICAL, Grid};
use mechan::simulate::event::{Ending, EventDriven, Limits, Options};
use mechan::simulate::integrate::Exact;
use mechan::simulate::trajectory::{Columns, Status};

/// Coordinates of the models.
pub(crate) const COORDINATES: usize = 6;
/// Contacts of the models.
const CONTACTS: usize = 4;
/// How far a motion is followed.
const SHORT: f64 = 1e-6;

pub(crate) type Row = [f64; COORDINATES];

/// A contact at its surface.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    /// The normal row, then the tangents.
    pub(crate) rows: Vec<Row>,
    /// What the motion of its surface adds to the rates of these rows.
    pub(crate) drift: Vec<f64>,
    /// What the acceleration of its surface adds to that of the gap.
    pub(crate) pull: f64,
    pub(crate) laws: Laws,
}

/// Contacts, velocities and forces.
#[derive(Clone, Debug)]
pub(crate) struct Loose {
    pub(crate) touches: Vec<Touch>,
    pub(crate) v: Row,
    pub(crate) load: Row,
}

pub(crate) fn dot(a: &Row, b: &Row) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Loose {
    fn rate(&self, contact: usize) -> f64 {
        let touch = &self.touches[contact];
        dot(&touch.rows[0], &self.v) + touch.drift[0]
    }

    /// Contacts that do not part.
    fn closed(&self) -> Vec<usize> {
        let parts = |c: &usize| self.touches[*c].laws.hold == Hold::Unilateral && self.rate(*c) > 1e-9;
        (0..self.touches.len()).filter(|c| !parts(c)).collect()
    }

    /// As options of a command, `name=value`.
    pub(crate) fn sets(&self) -> Vec<String> {
        let numbers = self.numbers().into_iter().map(|(name, value)| format!("{name}={value:e}"));
        let speeds = self.v.iter().enumerate().map(|(j, v)| format!("dot(q{})={v:e}", j + 1));
        numbers.chain(speeds).collect()
    }

    /// In words: the numbers, and the laws.
    pub(crate) fn told(&self) -> String {
        let mut text: String = self.sets().iter().map(|set| format!(" --set '{set}'")).collect();
        for (touch, name) in self.touches.iter().zip(NAMES) {
            let laws = &touch.laws;
            text += &format!(" | {name}: {} {:?} {:?}", laws.friction.mu(), laws.hold, laws.restitution);
        }
        text
    }

    /// Parameters by name.
    fn numbers(&self) -> Vec<(String, f64)> {
        let mut found = Vec::new();
        let (rows, drifts) = match self.touches.first().map_or(2, |touch| touch.rows.len()) {
            2 => (&["n", "t"][..], &["lift", "belt"][..]),
            _ => (&["n", "s", "t"][..], &["lift", "along", "across"][..]),
        };
        for (i, name) in NAMES.iter().enumerate() {
            let Some(touch) = self.touches.get(i) else {
                found.push((format!("open_{name}"), 1.0));
                continue;
            };
            for (row, values) in rows.iter().zip(&touch.rows) {
                let values = values.iter().enumerate().filter(|(_, x)| **x != 0.0);
                found.extend(values.map(|(j, x)| (format!("{name}{row}{}", j + 1), *x)));
            }
            let drifts = drifts.iter().zip(&touch.drift).map(|(drift, x)| (format!("{drift}_{name}"), *x));
            found.extend(drifts.filter(|(_, x)| *x != 0.0));
            found.push((format!("pull_{name}"), touch.pull));
            found.push((format!("mu_{name}"), touch.laws.friction.mu()));
            found.push((format!("e_{name}"), touch.laws.restitution.coefficient()));
        }
        found.extend((0..COORDINATES).map(|j| (format!("f{}", j + 1), self.load[j])));
        found
    }
}

const NAMES: [&str; CONTACTS] = ["a", "b", "c", "d"];

/// A model of loose contacts.
pub(crate) struct Bench {
    parameters: Vec<(String, f64)>,
    kernel: Kernel,
    motions: EventDriven,
    names: Names,
}

impl Bench {
    /// Of `tests/agreement/models`.
    pub(crate) fn of(name: &str) -> Self {
        let loaded = mechan::load(&format!("tests/agreement/models/{name}.json")).unwrap();
        let mechanism = &loaded.mechanism;
        let names = Names {
            coordinates: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
            parameters: mechanism.parameters.iter().map(|p| p.name.clone()).collect(),
            contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
        };
        let usual = mechanism.parameters.iter().map(|p| (p.name.clone(), p.value.eval_parametric(&[])));
        let parameters = usual.collect();
        let model: &Model = loaded.model.as_ref().unwrap();
        let kernel = model.kernel(&Block::all()).with_tolerance(Tol::default().singular);
        Self { parameters, kernel, motions: EventDriven::new(model), names }
    }

    fn state(&self, loose: &Loose) -> State {
        let mut parameters: Vec<f64> = self.parameters.iter().map(|(_, value)| *value).collect();
        for (name, value) in loose.numbers() {
            let place = self.parameters.iter().position(|(known, _)| *known == name).unwrap();
            parameters[place] = value;
        }
        State { t: 0.0, q: vec![0.0; COORDINATES], v: loose.v.to_vec(), parameters }
    }

    fn laws(loose: &Loose) -> Vec<Laws> {
        let touching = loose.touches.iter().map(|touch| touch.laws);
        let open = std::iter::repeat(laws(0.5, Restitution::Poisson(0.0), Hold::Unilateral));
        touching.chain(open).take(CONTACTS).collect()
    }

    /// The names of the closed contacts, and what the analysis says.
    pub(crate) fn said(&self, loose: &Loose) -> (Vec<String>, Said) {
        let (state, closed) = (self.state(loose), loose.closed());
        let mut values = self.kernel.values();
        let inputs: Vec<f64> = std::iter::once(state.t)
            .chain(state.q.clone())
            .chain(state.v.clone())
            .chain(state.parameters.clone())
            .collect();
        self.kernel.evaluate(&inputs, &mut values);
        let magnitudes: Vec<Magnitude> = inputs.iter().map(|x| Magnitude::new(*x, x.abs())).collect();
        let sizes = Sizes::at(&self.kernel, &magnitudes, 1.0);
        let ahead = |modes: &[Mode]| self.lasts(loose, &closed, modes);
        let input = StateInput {
            name: "s",
            description: None,
            names: self.names.clone(),
            state: &state,
            sizes: &sizes,
            gravity: None,
            rest: RestDepth::Nothing,
            laws: Self::laws(loose),
            closed: &closed,
            ahead: Some(&ahead),
            step: None,
            tol: Tol::default(),
        };
        let outcome = state_outcome(&self.kernel, &values, &input).unwrap();
        (outcome.closed.clone(), Said::of(&outcome.prospect, &outcome.warnings))
    }

    /// Whether modes that hold with an equality hold in the time that follows.
    fn lasts(&self, loose: &Loose, closed: &[usize], modes: &[Mode]) -> bool {
        let options = Options { samples: 2, limits: LIMITS, ..Options::until(SHORT) };
        let found = self.beginning(loose, |begin| self.motions.following(begin, &options));
        let same = |(a, b): (&Mode, &Mode)| match (a.direction(), b.direction()) {
            (Some(a), Some(b)) => (a[0] - b[0]).hypot(a[1] - b[1]) <= Tol::default().narrow_directions,
            _ => a.word(2) == b.word(2),
        };
        let alike = |way: &Continuation| matches!(way, Continuation::Motion(other) if other.iter().zip(modes).all(same));
        found.is_none_or(|(resting, following)| {
            resting != closed
                || following.ways.iter().chain(&following.unstable).any(|follower| alike(&follower.way))
        })
    }

    /// What the motion follows; a future that ends at once because it cannot be followed is none.
    pub(crate) fn followed(&self, loose: &Loose, closed: &[String]) -> Followed {
        let options = Options { samples: 2, limits: LIMITS, ..Options::until(SHORT) };
        self.beginning(loose, |begin| {
            let root = self.motions.run(begin, &options);
            let mut found = Followed::of(&root.trajectory, closed, root.complete);
            for future in &root.futures {
                let Ending { state, closed, .. } = &root;
                let begin = Beginning { state, closed, ..*begin };
                let ending = self.motions.run(&begin, &Options { first: Some(future), ..options.clone() });
                let motion = &ending.trajectory;
                let began = !motion.phases.is_empty() || !motion.events.is_empty();
                if !began || motion.status == Status::Failed {
                    found.names.remove(&future.name);
                    found.names.insert(format!("{} that fails", future.name));
                }
            }
            found
        })
    }

    /// What event capturing makes of it.
    pub(crate) fn captured(&self, loose: &Loose, closed: &[String]) -> Followed {
        let options = Options { samples: 2, limits: LIMITS, ..Options::until(SHORT) };
        let method = Exact::named("radau-5").unwrap();
        let grid = Grid { method, step: SHORT / 4.0, critical: DEFAULT_CRITICAL };
        self.beginning(loose, |begin| {
            Followed::of(&self.motions.capture(begin, &grid, &options).trajectory, closed, true)
        })
    }

    fn beginning<T>(&self, loose: &Loose, run: impl FnOnce(&Beginning<'_>) -> T) -> T {
        let (state, closed, laws) = (self.state(loose), loose.closed(), Self::laws(loose));
        run(&Beginning {
            mechanism: "loose",
            name: "s",
            state: &state,
            length: 1.0,
            closed: &closed,
            laws: &laws,
            names: &self.names,
            constraints: &[],
            columns: &Columns::new(self.kernel.layout(), &self.names, &[]),
            active: &[],
        })
    }
}

const LIMITS: Limits = Limits { steps: 20_000, events: 200 };

pub(crate) fn laws(mu: f64, restitution: Restitution, hold: Hold) -> Laws {
    Laws {
        friction: Friction::new(mu).unwrap(),
        restitution,
        tangential: 0.0,
        compliance: Compliance::new(1.0, 1.0).unwrap(),
        hold,
    }
}
