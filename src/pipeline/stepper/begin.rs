//! Where a motion begins, and where it is put.

use super::books::Sums;
use super::engine::{Engine, Motions};
use super::setting::check_numbers;
use super::{Shared, Stepper};
use crate::expression::{Expr, Symbol};
use crate::format::{Mechanism, Override, Solve, StateSpec};
use crate::model::{Block, Output};
use crate::num::Tol;
use crate::pipeline::simulate::{GivenState, Placing, Start, Subject, asked_state};
use crate::pipeline::states::{parse_overrides, state_kernel};
use crate::pipeline::{Derived, Failure, FileFault, SimulateOptions};
use std::sync::Arc;

/// How parameters follow from others: those whose values are no mere numbers, in their order.
pub(super) struct Rules(Vec<(usize, Expr)>);

impl Rules {
    /// Of a state with its overrides.
    fn of(mechanism: &Mechanism, state: &StateSpec, overrides: &[Override]) -> Self {
        let rule = |i: usize| {
            let given = overrides.iter().rfind(|o| o.target == Symbol::Parameter(i)).map(|o| &o.value);
            let own = state.parameters.iter().find(|(j, _)| *j == i).map(|(_, value)| value);
            given.or(own).unwrap_or(&mechanism.parameters[i].value).clone()
        };
        let all = (0..mechanism.parameters.len()).map(|i| (i, rule(i)));
        Self(all.filter(|(_, value)| !value.is_constant()).collect())
    }

    /// Takes the values that are set, and what follows from them.
    pub(super) fn follow(&self, set: &[Option<f64>], parameters: &mut [f64]) {
        for (i, value) in set.iter().enumerate() {
            if let Some(value) = value {
                parameters[i] = *value;
            }
        }
        for (i, value) in self.0.iter().filter(|(i, _)| set[*i].is_none()) {
            parameters[*i] = value.eval_parametric(&parameters[..*i]);
        }
    }
}

impl Stepper {
    /// A motion from the state that the options name, or that they give. Its end, samples and expression to stop at are not looked at.
    ///
    /// # Errors
    /// [`Failure`] if there is no such state, it does not lie where it claims to, or an option makes no sense.
    pub fn new(derived: &Arc<Derived>, options: &SimulateOptions) -> Result<Self, Failure> {
        options.check_scheme()?;
        let (loaded, mechanism) = (derived.loaded(), derived.mechanism());
        let forced = derived
            .model()
            .with_forces()
            .map_err(|error| Failure::file(&loaded.source.name, FileFault::from(error)))?;
        let spec = asked_state(loaded, options)?;
        let overrides = parse_overrides(loaded, &options.set)?;
        let places = state_kernel(derived.model(), &Tol::default());
        let motions = Motions::new(&forced, options)?;
        let start = Start::placed(loaded, &places, (spec, &overrides), &options.given, motions.placing())?;
        let shared = Shared {
            subject: Subject::new(loaded, derived.model(), None)?,
            rules: Rules::of(mechanism, spec, &overrides),
            derived: Arc::clone(derived),
            options: options.clone(),
            energies: forced
                .kernel(&[Output::KineticEnergy, Output::PotentialEnergy].map(Block::from))
                .compiled(),
            places,
            motions,
        };
        let start = with_forces(start, &vec![0.0; mechanism.coordinates.len()]);
        let mut stepper = Self {
            engine: Engine::new(&shared, &start)?,
            set: vec![None; mechanism.parameters.len()],
            energies: shared.energies.values(),
            shared: Arc::new(shared),
            start,
            sums: Sums::default(),
            record: None,
            futures: Vec::new(),
            warnings: Vec::new(),
        };
        stepper.sums.initial = stepper.energy();
        Ok(stepper)
    }

    /// Puts the motion at another state; what is not given stays. By time-stepping schemes it may lie a little off surfaces and constraints, as
    /// their own states do; from event to event it lies where a state of the mechanism's file would have to.
    ///
    /// # Errors
    /// [`Failure`] for arrays of other lengths, what is not finite, or a state that is none of the mechanism; the state is then what it was.
    pub fn put(&mut self, given: &GivenState) -> Result<(), Failure> {
        self.setting(|stepper| {
            let (shared, before) = (&stepper.shared, &stepper.start);
            let own = stepper.parameters().to_vec();
            let spec = spec_at(before, &own);
            let loaded = shared.derived.loaded();
            let placing = shared.motions.placing();
            let start = Start::placed(loaded, &shared.places, (&spec, &[]), given, placing)?;
            let start = Start { name: before.name.clone(), ..with_forces(start, stepper.forces()) };
            stepper.engine.put(&stepper.shared, &start);
            stepper.start = start;
            stepper.futures.clear();
            Ok::<(), Failure>(())
        })?;
        self.sums.set -= std::mem::take(&mut self.sums.springs);
        Ok(())
    }
}

/// The present state as one that a file might have.
fn spec_at(start: &Start, parameters: &[f64]) -> StateSpec {
    let numbers = |x: &[f64]| x.iter().map(|x| Expr::number(*x)).enumerate().collect();
    StateSpec {
        name: "given".to_string(),
        description: None,
        t: Expr::number(start.state.t),
        q: numbers(&start.state.q),
        v: numbers(&start.state.v),
        closed: None,
        solve: Solve::default(),
        parameters: numbers(parameters),
        span: crate::diag::Span::default(),
    }
}

fn with_forces(mut start: Start, forces: &[f64]) -> Start {
    start.state.parameters.extend_from_slice(forces);
    start
}

impl GivenState {
    /// The state in which these numbers stand for those of another; none where nothing is given.
    ///
    /// # Errors
    /// Arrays of other lengths, and what is not finite.
    pub(in crate::pipeline) fn instead_of(
        &self,
        mechanism: &Mechanism,
        spec: &StateSpec,
    ) -> Result<Option<StateSpec>, Failure> {
        if *self == Self::default() {
            return Ok(None);
        }
        let numbers = |x: &[f64]| x.iter().map(|x| Expr::number(*x)).enumerate().collect();
        let mut found = StateSpec { name: "given".to_string(), closed: None, ..spec.clone() };
        if let Some(q) = &self.q {
            check_numbers("q", q, mechanism)?;
            (found.q, found.solve) = (numbers(q), Solve::default());
        }
        if let Some(v) = &self.v {
            check_numbers("v", v, mechanism)?;
            found.v = numbers(v);
        }
        if let Some(t) = self.t {
            super::setting::check_number("t", "t", t)?;
            found.t = Expr::number(t);
        }
        Ok(Some(found))
    }
}

impl Motions {
    /// Where states of a scheme may lie.
    fn placing(&self) -> Placing {
        match self {
            Self::Stepped(..) => Placing::Near,
            Self::Event(_) | Self::Compliant(..) => Placing::Exact,
        }
    }
}
