//! States as numbers: parameters in order with their overrides, then t, q and v in order; every value finite
//! and every law inside its range.

use super::mechanism::{Contact, Mechanism, RestitutionLaw, StateSpec};
use super::names::later;
use super::numbers::{is_consequence, laws};
use super::states::meant_rate;
use super::units::unfit;
use crate::diag::{Diagnostic, Span, nearest};
use crate::expression::{Allow, Env, Expr, Scope, SourceMap, Symbol, parse};
use crate::num::{Magnitude, Real, Tol};

/// A value given from outside the file: `mu=0.9`, `theta=pi/6`, `dot(x)=1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// What is set.
    pub target: Symbol,
    /// Its value: parameters for a parameter, parameters and coordinates for the others.
    pub value: Expr,
    /// The text as given.
    pub source: String,
}

/// A state as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedState {
    /// Name.
    pub name: String,
    /// Description.
    pub description: Option<String>,
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Parameters.
    pub parameters: Vec<f64>,
    /// t, q, v and the parameters with the sizes of the terms that their expressions are made of.
    pub magnitudes: Vec<Magnitude>,
    /// Closed contacts, if the file lists them.
    pub closed: Option<Vec<usize>>,
    /// The laws of each contact.
    pub laws: Vec<ContactLaw>,
}

/// The laws of a contact as numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// Coulomb coefficient, at least 0.
    pub friction: f64,
    /// Restitution law.
    pub restitution_law: RestitutionLaw,
    /// Restitution coefficient, from 0 to 1.
    pub restitution: f64,
    /// Tangential restitution coefficient of time-stepping schemes, from 0 to 1.
    pub tangential_restitution: f64,
    /// k > 0.
    pub stiffness: f64,
    /// d > 0.
    pub damping: f64,
    /// Stiffness along the surface, > 0, if it is compliant too.
    pub tangential_stiffness: Option<f64>,
    /// Held closed by a normal force of either sign.
    pub bilateral: bool,
}

impl Override {
    /// What a name stands for whose value may be given from outside.
    ///
    /// # Errors
    /// M305 with the nearest name that there is.
    pub fn target(mechanism: &Mechanism, name: &str) -> Result<Symbol, Diagnostic> {
        settable(mechanism, name, 0)
    }

    /// The number `value` for what is called `name`.
    pub fn number((target, name): (Symbol, &str), value: f64) -> Self {
        Self { target, value: Expr::number(value), source: format!("{name}={value}") }
    }

    /// Reads `name=expression`; places in the diagnostic are offsets into `text`.
    ///
    /// # Errors
    /// M304, M305, M204 for a parameter whose new value uses a later one, or what is wrong with the expression.
    pub fn parse(mechanism: &Mechanism, text: &str) -> Result<Self, Diagnostic> {
        let Some((name, value)) = text.split_once('=') else {
            let message = format!("found `{}`, expected name=value", text.escape_debug());
            return Err(
                Diagnostic::error("M304", message).with_hint("write `mu=0.9`, `theta=pi/6` or `dot(x)=1`")
            );
        };
        let names = mechanism.names();
        let target = settable(mechanism, name.trim(), name.len() - name.trim_start().len())?;
        let constant = Scope::constant(&names, "the value of a parameter");
        let scope = match target {
            Symbol::Parameter(_) | Symbol::Time => constant,
            Symbol::Coordinate(_) | Symbol::Rate(_) => {
                Scope { coordinates: Allow::All, what: "a value of a state", ..constant }
            }
        };
        let place = SourceMap::From(name.len() + 1);
        match parse(value, &scope, &place) {
            Ok(value) => match target {
                Symbol::Parameter(i) => later(&value, i, &names).map_or(Ok(value), Err),
                Symbol::Time | Symbol::Coordinate(_) | Symbol::Rate(_) => Ok(value),
            }
            .and_then(|value| unfit(mechanism, target, &value).map_or(Ok(value), Err))
            .map(|value| Self { target, value, source: text.to_owned() }),
            Err(faults) => {
                Err(faults.into_iter().next().unwrap_or_else(|| Diagnostic::error("M304", "no value")))
            }
        }
    }
}

/// What the name that begins at byte `start` of an override stands for.
fn settable(mechanism: &Mechanism, name: &str, start: usize) -> Result<Symbol, Diagnostic> {
    let coordinate = |name: &str| mechanism.coordinates.iter().position(|c| c.name == name);
    if let Some(inner) = name.strip_prefix("dot(").and_then(|n| n.strip_suffix(')')) {
        if let Some(i) = coordinate(inner.trim()) {
            return Ok(Symbol::Rate(i));
        }
    } else if let Some(i) = mechanism.parameters.iter().position(|p| p.name == name) {
        return Ok(Symbol::Parameter(i));
    } else if let Some(i) = coordinate(name) {
        return Ok(Symbol::Coordinate(i));
    } else if name == "t" {
        return Ok(Symbol::Time);
    }
    let rate = meant_rate(name, |x| coordinate(x).is_some());
    let names = mechanism.names();
    let rates: Vec<String> = names.coordinates.iter().map(|c| format!("dot({c})")).collect();
    let all = names.parameters.iter().chain(&names.coordinates).chain(&rates);
    let found = Diagnostic::error(
        "M305",
        format!("there is no parameter, coordinate or velocity `{}`", name.escape_debug()),
    )
    .with_span(Span::new(start, start + name.len()));
    Err(match rate {
        Some(x) => found.with_hint(format!("the velocity of `{x}` is `dot({x})`")),
        None => found.with_close(nearest(name, all.map(String::as_str))),
    })
}

impl Mechanism {
    /// The laws of each contact under these parameters, whatever their range.
    pub fn contact_laws(&self, parameters: &[f64]) -> Vec<ContactLaw> {
        self.contacts.iter().map(|c| ContactLaw::of(c, parameters)).collect()
    }

    /// The numbers of a state; an override wins over the state, the state over the file, and parameters that
    /// depend on an overridden one follow.
    ///
    /// # Errors
    /// M301 for every value that is not finite, M303 for every law outside its range.
    pub fn resolve(
        &self,
        state: &StateSpec,
        overrides: &[Override],
    ) -> Result<ResolvedState, Vec<Diagnostic>> {
        let mut resolver = Resolver { mechanism: self, state, overrides, found: Vec::new() };
        let resolved = resolver.run();
        if resolver.found.is_empty() { Ok(resolved) } else { Err(resolver.found) }
    }

    /// The parameters without any state's overrides.
    ///
    /// # Errors
    /// M213 for every value that is not finite.
    pub fn default_parameters(&self) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let (mut values, mut found) = (Vec::new(), Vec::new());
        for p in &self.parameters {
            let x = p.value.eval_parametric(&values);
            if !x.is_finite() {
                let message = format!("{} is {x}, expected a finite number", p.name);
                found.push(Diagnostic::error("M213", message).with_span(p.value.span));
            }
            values.push(x);
        }
        if found.is_empty() { Ok(values) } else { Err(found) }
    }

    /// The lower and upper ends of the domain at these parameters.
    ///
    /// # Errors
    /// M306 for every range that is empty or not finite.
    pub fn domain_values(&self, parameters: &[f64]) -> Result<Vec<(Symbol, f64, f64)>, Vec<Diagnostic>> {
        let (mut values, mut found) = (Vec::new(), Vec::new());
        for r in &self.domain {
            let (lo, hi) = (r.lo.eval_parametric(parameters), r.hi.eval_parametric(parameters));
            if !(lo.is_finite() && hi.is_finite() && lo < hi) {
                let message =
                    format!("the range from {lo} to {hi} is empty or not finite at these parameters");
                let span = r.lo.span.join(r.hi.span);
                found.push(Diagnostic::error("M306", message).with_span(span).with_path("domain"));
            }
            values.push((r.variable, lo, hi));
        }
        if found.is_empty() { Ok(values) } else { Err(found) }
    }
}

struct Resolver<'m> {
    mechanism: &'m Mechanism,
    state: &'m StateSpec,
    overrides: &'m [Override],
    found: Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn run(&mut self) -> ResolvedState {
        let (n, zero) = (self.mechanism.coordinates.len(), Magnitude::from_f64(0.0));
        let parameters = self.parameters();
        let (mut q, mut v) = (vec![zero; n], vec![zero; n]);
        let mut t = self.value(
            "t",
            &self.state.t,
            &Env { t: zero, q: &q, v: &v, parameters: &parameters, definitions: &[] },
        );
        if let Some(set) = self.overriding(Symbol::Time) {
            t = self.set("t", set, &Env { t, q: &q, v: &v, parameters: &parameters, definitions: &[] });
        }
        for (i, expr) in self.ordered(&self.state.q, Symbol::Coordinate) {
            let env = Env { t, q: &q, v: &v, parameters: &parameters, definitions: &[] };
            q[i] = self.assign("q", i, Symbol::Coordinate(i), expr, &env);
        }
        self.stand_upright(&mut q);
        for (i, expr) in self.ordered(&self.state.v, Symbol::Rate) {
            let env = Env { t, q: &q, v: &v, parameters: &parameters, definitions: &[] };
            v[i] = self.assign("v", i, Symbol::Rate(i), expr, &env);
        }
        self.turn_only(&q, &v);
        let laws = self.laws(&values(&parameters));
        let StateSpec { name, description, closed, .. } = self.state.clone();
        let magnitudes = [&[t][..], &q, &v, &parameters].concat();
        let (t, q, v, parameters) = (t.value, values(&q), values(&v), values(&parameters));
        ResolvedState { name, description, t, q, v, parameters, magnitudes, closed, laws }
    }

    /// A quaternion of which a state gives no part is that of no turn: 1, 0, 0, 0.
    fn stand_upright(&self, q: &mut [Magnitude]) {
        for parts in self.mechanism.quaternions() {
            let given = |i: &usize| {
                self.state.q.iter().any(|(j, _)| j == i) || self.overriding(Symbol::Coordinate(*i)).is_some()
            };
            if !parts.iter().any(given) {
                q[parts[0]] = Magnitude::from_f64(1.0);
            }
        }
    }

    /// Velocities turn a quaternion; they do not change its length, which means nothing: what rounding of typed numbers, or the tolerance of a
    /// motion whose last state this is, leaves along it is let be, and so is what turns it so slowly that it would do nothing.
    fn turn_only(&mut self, q: &[Magnitude], v: &[Magnitude]) {
        for parts in self.mechanism.quaternions() {
            let sum = |a: &[Magnitude], b: &[Magnitude]| {
                parts.iter().map(|&i| a[i].value * b[i].value).sum::<f64>()
            };
            let (along, size) = (sum(q, v), (sum(q, q) * sum(v, v)).sqrt());
            let Tol { typed, rest, .. } = Tol::default();
            let still = size <= rest * sum(q, q);
            if along.abs() <= typed * size || still || !along.is_finite() {
                continue;
            }
            let names: Vec<&str> =
                parts.iter().map(|&i| self.mechanism.coordinates[i].name.as_str()).collect();
            let message = format!(
                "the velocity changes the length of the quaternion ({}) in state `{}`: the sum of the parts times their rates is {along}, expected 0",
                names.join(", "),
                self.state.name
            );
            let hint = format!(
                "at (1, 0, 0, 0) an angular velocity (wx, wy, wz) is `{}: wx/2, {}: wy/2, {}: wz/2`",
                names[1], names[2], names[3]
            );
            let found = Diagnostic::error("M313", message).with_span(self.state.span);
            self.found.push(found.with_path(self.path("v")).with_hint(hint));
        }
    }

    fn parameters(&mut self) -> Vec<Magnitude> {
        let mut values = Vec::new();
        for (i, p) in self.mechanism.parameters.iter().enumerate() {
            let own = self.state.parameters.iter().find(|(j, _)| *j == i);
            let expr = own.map_or(&p.value, |(_, x)| x);
            let env = Env {
                t: Magnitude::from_f64(f64::NAN),
                q: &[],
                v: &[],
                parameters: &values,
                definitions: &[],
            };
            let x = match self.overriding(Symbol::Parameter(i)) {
                Some(set) => self.set(&p.name, set, &env),
                None => self.value(&format!("parameters.{}", p.name), expr, &env),
            };
            values.push(x);
        }
        values
    }

    /// Assignments in the order of the state; those given from outside alone come last.
    fn ordered<'a>(
        &self,
        given: &'a [(usize, Expr)],
        symbol: fn(usize) -> Symbol,
    ) -> Vec<(usize, Option<&'a Expr>)> {
        let mut list: Vec<_> = given.iter().map(|(i, x)| (*i, Some(x))).collect();
        for i in 0..self.mechanism.coordinates.len() {
            if self.overriding(symbol(i)).is_some() && !given.iter().any(|(j, _)| *j == i) {
                list.push((i, None));
            }
        }
        list
    }

    fn assign(
        &mut self,
        key: &str,
        i: usize,
        symbol: Symbol,
        expr: Option<&Expr>,
        env: &Env<Magnitude>,
    ) -> Magnitude {
        let name = &self.mechanism.coordinates[i].name;
        match (self.overriding(symbol), expr) {
            (Some(set), _) => self.set(name, set, env),
            (None, Some(expr)) => self.value(&format!("{key}.{name}"), expr, env),
            (None, None) => Magnitude::from_f64(0.0),
        }
    }

    fn overriding(&self, symbol: Symbol) -> Option<usize> {
        self.overrides.iter().rposition(|o| o.target == symbol)
    }

    fn set(&mut self, name: &str, i: usize, env: &Env<Magnitude>) -> Magnitude {
        let Override { value, source, .. } = &self.overrides[i];
        let x = value.eval(env);
        if !x.value.is_finite() && !is_consequence(value, &values(env.parameters)) {
            let message =
                format!("`{}` makes {name} {}, expected a finite number", source.escape_debug(), x.value);
            self.found.push(Diagnostic::error("M301", message).with_path(self.path("")));
        }
        x
    }

    fn value(&mut self, key: &str, expr: &Expr, env: &Env<Magnitude>) -> Magnitude {
        let x = expr.eval(env);
        if !x.value.is_finite() && !is_consequence(expr, &values(env.parameters)) {
            let (name, value) = (key.rsplit('.').next().unwrap_or(key), x.value);
            let message =
                format!("{name} is {value} in state `{}`, expected a finite number", self.state.name);
            let found = Diagnostic::error("M301", message).with_span(expr.span);
            self.found.push(found.with_path(self.path(key)));
        }
        x
    }

    fn path(&self, key: &str) -> String {
        format!("states.{}.{key}", self.state.name).trim_end_matches('.').to_owned()
    }

    fn laws(&mut self, parameters: &[f64]) -> Vec<ContactLaw> {
        let mechanism = self.mechanism;
        for c in &mechanism.contacts {
            for (key, expr, bound) in laws(c) {
                let x = expr.eval_parametric(parameters);
                let range = if x.is_finite() { bound.violated(x) } else { Some("a finite number") };
                let Some(range) = range.filter(|_| !is_consequence(expr, parameters)) else { continue };
                let message = format!("{key} is {x} in state `{}`, expected {range}", self.state.name);
                let found = Diagnostic::error("M303", message).with_span(expr.span);
                self.found.push(found.with_path(format!("contacts.{}.{key}", c.name)));
            }
        }
        mechanism.contact_laws(parameters)
    }
}

impl ContactLaw {
    /// Of a contact at these parameters.
    pub(super) fn of(contact: &Contact, parameters: &[f64]) -> Self {
        let at = |x: &Expr| x.eval_parametric(parameters);
        let Contact { friction, restitution, compliance, bilateral, .. } = contact;
        Self {
            friction: at(friction),
            restitution_law: restitution.law,
            restitution: at(&restitution.value),
            tangential_restitution: at(&restitution.tangential),
            stiffness: at(&compliance.stiffness),
            damping: at(&compliance.damping),
            tangential_stiffness: compliance.tangential_stiffness.as_ref().map(at),
            bilateral: *bilateral,
        }
    }
}

/// The numbers without their sizes.
fn values(magnitudes: &[Magnitude]) -> Vec<f64> {
    magnitudes.iter().map(|x| x.value).collect()
}
