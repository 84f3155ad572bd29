//! The numbers of the state in which claims are asked, and what follows from others: parameters and, where they would be held, coordinates and
//! velocities whose text names what varies.

use super::ProveOptions;
use super::exact::exact;
use crate::expression::{Expr, Symbol};
use crate::format::{Mechanism, Override, StateSpec};
use crate::model::Model;
use crate::pipeline::inputs::{place, symbol_at};
use crate::pipeline::states::{find_state, parse_overrides, placed_of, resolve, state_of, unknown_state};
use crate::pipeline::{Failure, Loaded};
use crate::prove::Exact;
use num_rational::BigRational;

/// The numbers of a state, and what of them was given.
pub(super) struct Numbers<'l> {
    pub(super) spec: &'l StateSpec,
    /// Its closed contacts, if it was asked for: then coordinates may be held at its values.
    pub(super) closed: Option<Vec<usize>>,
    /// Those of the tape.
    pub(super) inputs: Vec<f64>,
    set: Vec<Override>,
}

impl<'l> Numbers<'l> {
    pub(super) fn new(loaded: &'l Loaded, model: &Model, options: &ProveOptions) -> Result<Self, Failure> {
        let asked = options.state.as_ref().map(|name| find_state(loaded, name)).transpose()?;
        let first = || loaded.mechanism.states.first().ok_or_else(|| unknown_state(loaded, "origin"));
        let spec = asked.map_or_else(first, Ok)?;
        let set = parse_overrides(loaded, &options.set)?;
        let (state, closed) = match asked {
            // what its equations determine is there too
            Some(spec) => {
                let placed = placed_of(loaded, model, spec, &set)?;
                (placed.state, Some(placed.closed))
            }
            None => (state_of(&resolve(loaded, spec, &set)?), None),
        };
        Ok(Numbers { spec, closed, inputs: state.inputs(), set })
    }

    /// The parameters that follow from others: those of the file that are not given themselves, and those that are given by a text which names what
    /// varies.
    pub(super) fn following_parameters(
        &self,
        mechanism: &Mechanism,
        ranged: &dyn Fn(usize) -> bool,
    ) -> Vec<(usize, Expr)> {
        let first = 1 + 2 * mechanism.coordinates.len();
        let (mut moving, mut found): (Vec<usize>, Vec<(usize, Expr)>) = (Vec::new(), Vec::new());
        for i in 0..mechanism.parameters.len() {
            let text = self.parameter(mechanism, i);
            let moves = |symbol: Symbol| matches!(symbol, Symbol::Parameter(j) if moving.contains(&j));
            let moves = text.symbols().into_iter().any(moves);
            if ranged(first + i) {
                moving.push(i);
                continue;
            }
            if moves {
                moving.push(i);
            }
            if moves || (self.given(i).is_none() && !text.symbols().is_empty()) {
                found.push((first + i, text.clone()));
            }
        }
        found
    }

    /// Those of [`Self::following_parameters`] that are given, by `--set` or in the state: their names and texts, of the state as `written`.
    pub(super) fn given_texts<'m>(
        &self,
        mechanism: &Mechanism,
        following: &[(usize, Expr)],
        written: impl Fn(&Expr) -> &'m str,
    ) -> Vec<(String, String)> {
        let first = 1 + 2 * mechanism.coordinates.len();
        let text = |(own, text): &(usize, Expr)| {
            let i = own - first;
            let set = self.set(Symbol::Parameter(i));
            let source =
                set.and_then(|set| set.source.split_once('=')).map(|(_, text)| text.trim().to_string());
            let text = source.or_else(|| self.given(i).map(|_| written(text).to_string()))?;
            Some((mechanism.parameters[i].name.clone(), text))
        };
        following.iter().filter_map(text).collect()
    }

    /// Of the coordinates and velocities at `held`, which were to have the state's value: those whose text in the state names what varies,
    /// at `moving`, or one of these, in their order. They follow their text, as when the state is asked for with other numbers.
    pub(super) fn following_texts(
        &self,
        mechanism: &Mechanism,
        held: &[usize],
        mut moving: Vec<usize>,
    ) -> Vec<(usize, Expr)> {
        let n = mechanism.coordinates.len();
        let solved = self.solved(n);
        let q = self.spec.q.iter().map(|(i, text)| (1 + i, text));
        let v = self.spec.v.iter().map(|(i, text)| (1 + n + i, text));
        let mut found: Vec<(usize, Expr)> = Vec::new();
        for (own, text) in q.chain(v) {
            let given = self.set.iter().any(|o| place(n, o.target) == own);
            let moves = text.symbols().into_iter().any(|symbol| moving.contains(&place(n, symbol)));
            if held.contains(&own) && !given && !solved.contains(&own) && moves {
                found.push((own, text.clone()));
                moving.push(own);
            }
        }
        found
    }

    /// Places of what the state's equations determine.
    pub(super) fn solved(&self, coordinates: usize) -> Vec<usize> {
        let solve = &self.spec.solve;
        let velocities = solve.velocities.iter().map(|i| 1 + coordinates + i);
        solve.coordinates.iter().map(|i| 1 + i).chain(velocities).collect()
    }

    /// Places that equations are to determine before others, last ones first: what those of the state determine, then what it writes by coordinates and
    /// velocities.
    pub(super) fn determined(&self, coordinates: usize) -> Vec<usize> {
        let names_motion = |symbol: Symbol| matches!(symbol, Symbol::Coordinate(_) | Symbol::Rate(_));
        let by_text = |target: Symbol| {
            let text = self.text(target)?;
            text.symbols().into_iter().any(names_motion).then_some(place(coordinates, target))
        };
        let solved = self.solved(coordinates);
        let all = (0..coordinates).rev();
        let targets = all.clone().map(Symbol::Rate).chain(all.map(Symbol::Coordinate));
        let (of_solve, others): (Vec<Symbol>, Vec<Symbol>) =
            targets.partition(|&target| solved.contains(&place(coordinates, target)));
        let of_solve = of_solve.into_iter().map(|target| place(coordinates, target));
        of_solve.chain(others.into_iter().filter_map(by_text)).collect()
    }

    /// What `--set` gives last.
    fn set(&self, target: Symbol) -> Option<&Override> {
        self.set.iter().rev().find(|o| o.target == target)
    }

    /// The text that gives a parameter, if it is not the file's.
    fn given(&self, parameter: usize) -> Option<&Expr> {
        let set = self.set(Symbol::Parameter(parameter));
        let own = || self.spec.parameters.iter().find(|p| p.0 == parameter).map(|p| &p.1);
        set.map(|o| &o.value).or_else(own)
    }

    /// The text of a coordinate or a velocity.
    fn text(&self, symbol: Symbol) -> Option<&Expr> {
        let set = self.set(symbol);
        let own = || {
            let (list, i) = match symbol {
                Symbol::Coordinate(i) => (&self.spec.q, i),
                Symbol::Rate(i) => (&self.spec.v, i),
                Symbol::Time | Symbol::Parameter(_) => return None,
            };
            list.iter().find(|x| x.0 == i).map(|x| &x.1)
        };
        set.map(|o| &o.value).or_else(own)
    }

    /// The value of an input: as its text says, with the parameters that it names, or the decimal that is printed.
    pub(super) fn value(&self, mechanism: &Mechanism, place: usize) -> Exact {
        let text = match symbol_at(mechanism.coordinates.len(), place) {
            Symbol::Parameter(i) => Some(self.parameter(mechanism, i)),
            // where that is solved for, the text is where to begin
            _ if self.solved(mechanism.coordinates.len()).contains(&place) => None,
            symbol => self.text(symbol),
        };
        let fraction = |text: &Expr| text.exact_with(&|symbol| self.fraction(mechanism, symbol));
        let found = text.and_then(|text| exact(text).or_else(|| fraction(text).map(Exact::rational)));
        found.unwrap_or_else(|| Exact::shown(self.inputs[place]))
    }

    /// The fraction that a parameter is. Its text names those above it only.
    fn fraction(&self, mechanism: &Mechanism, symbol: Symbol) -> Option<BigRational> {
        let Symbol::Parameter(i) = symbol else { return None };
        self.parameter(mechanism, i).exact_with(&|symbol| self.fraction(mechanism, symbol))
    }

    fn parameter<'m>(&'m self, mechanism: &'m Mechanism, i: usize) -> &'m Expr {
        self.given(i).unwrap_or(&mechanism.parameters[i].value)
    }
}
