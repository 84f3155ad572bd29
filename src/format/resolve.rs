//! States as numbers: parameters with their overrides, then t, q and v in the order written, then the laws of the
//! contacts at these parameters (FORMAT.md, States).

use super::{Contact, Mechanism, RestitutionLaw, StateSpec};
use crate::diag::{Diagnostic, Source};
use crate::expression::{Allow, Env, Expr, Names, Place, Scope, Symbol, parse};

/// A state as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedState {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Parameters.
    pub parameters: Vec<f64>,
    /// Indices of the contacts listed as closed, if the state lists any.
    pub closed: Option<Vec<usize>>,
    /// The laws of each contact at these parameters.
    pub laws: Vec<ContactLaw>,
}

/// The laws of a contact as numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// μ.
    pub friction: f64,
    /// Restitution law.
    pub restitution_law: RestitutionLaw,
    /// e.
    pub restitution: f64,
    /// k.
    pub stiffness: f64,
    /// d.
    pub damping: f64,
    /// Held closed by a force of either sign.
    pub bilateral: bool,
}

/// `name=value` from outside the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    target: Symbol,
    value: Expr,
    text: String,
}

impl Override {
    /// Reads `mu=0.9`, `theta=pi/6` or `dot(x)=1`. The value may use parameters; that of a coordinate or velocity
    /// may also use coordinates.
    ///
    /// # Errors
    /// A diagnostic (M304, M305, or one about the expression) whose span is in `text`.
    pub fn parse(mechanism: &Mechanism, text: &str) -> Result<Self, Diagnostic> {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            Diagnostic::error("M304", format!("`{text}` is not of the form name=value"))
                .with_hint("write for example mu=0.9 or dot(x)=1")
        })?;
        let target = target(mechanism, name.trim())?;
        let names = mechanism.names();
        let mut scope = Scope::constant(&names, "an override");
        match target {
            Symbol::Coordinate(_) | Symbol::Rate(_) => scope.coordinates = Allow::All,
            Symbol::Time | Symbol::Parameter(_) => {}
        }
        let value = parse(value, &scope, &Place::From(name.len() + 1)).map_err(first)?;
        earlier_parameters(&names, target, &value)?;
        Ok(Override { target, value, text: text.to_string() })
    }

    /// The text it was read from, as a source for its diagnostics.
    pub fn source(&self) -> Source {
        Source::new("--set", self.text.clone())
    }
}

/// A parameter's value may use the parameters above it only: the others follow from it.
fn earlier_parameters(names: &Names, target: Symbol, value: &Expr) -> Result<(), Diagnostic> {
    let Symbol::Parameter(own) = target else { return Ok(()) };
    let later = |symbol: &Symbol| matches!(symbol, Symbol::Parameter(i) if *i >= own);
    match value.symbols().into_iter().find(later) {
        Some(Symbol::Parameter(i)) => {
            let (name, used) = (&names.parameters[own], &names.parameters[i]);
            let message = format!("the value of `{name}` uses `{used}`, which is not defined above it");
            Err(Diagnostic::error("M204", message).with_hint("use numbers, or parameters defined above it in the file"))
        }
        _ => Ok(()),
    }
}

fn first(mut diagnostics: Vec<Diagnostic>) -> Diagnostic {
    if diagnostics.is_empty() { Diagnostic::error("M304", "the value cannot be read") } else { diagnostics.remove(0) }
}

/// What a name on the left of `=` stands for.
fn target(mechanism: &Mechanism, name: &str) -> Result<Symbol, Diagnostic> {
    let rate = name.strip_prefix("dot(").and_then(|rest| rest.strip_suffix(')')).map(str::trim);
    let coordinate = |name: &str| mechanism.coordinates.iter().position(|c| c.name == name);
    let parameter = mechanism.parameters.iter().position(|p| p.name == name);
    let found = match rate {
        Some(name) => coordinate(name).map(Symbol::Rate),
        None if name == "t" => Some(Symbol::Time),
        None => parameter.map(Symbol::Parameter).or(coordinate(name).map(Symbol::Coordinate)),
    };
    found.ok_or_else(|| unknown_target(mechanism, name))
}

fn unknown_target(mechanism: &Mechanism, name: &str) -> Diagnostic {
    let coordinates = mechanism.coordinates.iter().map(|c| c.name.clone());
    let rates = mechanism.coordinates.iter().map(|c| format!("dot({})", c.name));
    let names: Vec<String> =
        mechanism.parameters.iter().map(|p| p.name.clone()).chain(coordinates).chain(rates).collect();
    let known = names.iter().map(String::as_str);
    let error = Diagnostic::error("M305", format!("`{name}` is no parameter, coordinate or dot() of one"));
    match crate::diag::nearest(name, known) {
        Some(near) => error.with_hint(format!("did you mean `{near}`?")),
        None => error.with_hint(format!("known names: {}", names.join(", "))),
    }
}

impl Mechanism {
    /// The numbers of a state. Overrides come last and win; parameters that depend on an overridden one follow.
    ///
    /// # Errors
    /// Diagnostics for every value that is not finite or outside its range.
    pub fn resolve(&self, state: &StateSpec, overrides: &[Override]) -> Result<ResolvedState, Vec<Diagnostic>> {
        let mut resolver = Resolver::new(self, state, overrides);
        resolver.parameters();
        resolver.time();
        resolver.coordinates();
        resolver.velocities();
        let laws = resolver.laws();
        if resolver.faults.is_empty() {
            Ok(ResolvedState {
                t: resolver.t,
                q: resolver.q,
                v: resolver.v,
                parameters: resolver.parameters,
                closed: state.closed.clone(),
                laws,
            })
        } else {
            Err(resolver.faults)
        }
    }

    /// The ranges of the domain at given parameters, in file order: what varies, from where to where.
    ///
    /// # Errors
    /// Diagnostics for every range that is empty or not finite.
    pub fn domain_values(&self, parameters: &[f64]) -> Result<Vec<(Symbol, f64, f64)>, Vec<Diagnostic>> {
        let env = Env { t: 0.0, q: &[], v: &[], parameters };
        let (mut ranges, mut faults) = (Vec::new(), Vec::new());
        for range in &self.domain {
            let (lo, hi) = (range.lo.eval(&env), range.hi.eval(&env));
            if lo.is_finite() && hi.is_finite() && lo < hi {
                ranges.push((range.variable, lo, hi));
            } else {
                let message = format!("the range [{lo}, {hi}] of {} is empty or not finite", self.symbol_name(range.variable));
                faults.push(Diagnostic::error("M306", message).with_span(range.lo.span.join(range.hi.span)));
            }
        }
        if faults.is_empty() { Ok(ranges) } else { Err(faults) }
    }

    /// The parameters without any state's overrides.
    ///
    /// # Errors
    /// Diagnostics for every value that is not finite.
    pub fn default_parameters(&self) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let (mut values, mut faults) = (Vec::new(), Vec::new());
        for parameter in &self.parameters {
            let value = parameter.value.eval_parametric(&values);
            if !value.is_finite() {
                let message = format!("{} is {value}, expected a finite number", parameter.name);
                faults.push(Diagnostic::error("M213", message).with_span(parameter.value.span));
            }
            values.push(value);
        }
        if faults.is_empty() { Ok(values) } else { Err(faults) }
    }

    /// The names that expressions may use.
    pub fn names(&self) -> Names {
        Names {
            parameters: self.parameters.iter().map(|p| p.name.clone()).collect(),
            coordinates: self.coordinates.iter().map(|c| c.name.clone()).collect(),
        }
    }

    /// A symbol as it is written in expressions.
    pub fn symbol_name(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Time => "t".to_string(),
            Symbol::Coordinate(i) => self.coordinates[i].name.clone(),
            Symbol::Rate(i) => format!("dot({})", self.coordinates[i].name),
            Symbol::Parameter(i) => self.parameters[i].name.clone(),
        }
    }
}

/// The values of a state as far as they are known.
struct Resolver<'m> {
    mechanism: &'m Mechanism,
    state: &'m StateSpec,
    overrides: &'m [Override],
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    parameters: Vec<f64>,
    faults: Vec<Diagnostic>,
}

impl<'m> Resolver<'m> {
    fn new(mechanism: &'m Mechanism, state: &'m StateSpec, overrides: &'m [Override]) -> Self {
        let n = mechanism.coordinates.len();
        Resolver {
            mechanism,
            state,
            overrides,
            t: 0.0,
            q: vec![0.0; n],
            v: vec![0.0; n],
            parameters: vec![f64::NAN; mechanism.parameters.len()],
            faults: Vec::new(),
        }
    }

    /// The last override of a symbol.
    fn overriding(&self, symbol: Symbol) -> Option<&'m Override> {
        self.overrides.iter().rev().find(|o| o.target == symbol)
    }

    /// The value of a symbol: its override's, else that of the expression in the file.
    fn value(&mut self, symbol: Symbol, written: &Expr) -> f64 {
        let env = Env { t: self.t, q: &self.q, v: &self.v, parameters: &self.parameters };
        let (value, span) = match self.overriding(symbol) {
            Some(over) => (over.value.eval(&env), None),
            None => (written.eval(&env), Some(written.span)),
        };
        if !value.is_finite() {
            let name = self.mechanism.symbol_name(symbol);
            let place = match self.overriding(symbol) {
                Some(over) => format!("--set {}", over.text),
                None => format!("state `{}`", self.state.name),
            };
            let mut fault = Diagnostic::error("M301", format!("{name} is {value} in {place}, expected a finite number"))
                .with_path(format!("states.{}", self.state.name));
            fault.span = span;
            self.faults.push(fault);
        }
        value
    }

    fn parameters(&mut self) {
        for i in 0..self.parameters.len() {
            let in_state = self.state.parameters.iter().find(|(j, _)| *j == i).map(|(_, e)| e);
            let written = in_state.unwrap_or(&self.mechanism.parameters[i].value);
            self.parameters[i] = self.value(Symbol::Parameter(i), written);
        }
    }

    fn time(&mut self) {
        self.t = self.value(Symbol::Time, &self.state.t);
    }

    /// Overridden coordinates that the state does not mention come first, so that the written ones may use them.
    fn coordinates(&mut self) {
        let state = self.state;
        for i in self.unwritten(&state.q, Symbol::Coordinate) {
            self.q[i] = self.value(Symbol::Coordinate(i), &state.t);
        }
        for (i, written) in &state.q {
            self.q[*i] = self.value(Symbol::Coordinate(*i), written);
        }
    }

    fn velocities(&mut self) {
        let state = self.state;
        for i in self.unwritten(&state.v, Symbol::Rate) {
            self.v[i] = self.value(Symbol::Rate(i), &state.t);
        }
        for (i, written) in &state.v {
            self.v[*i] = self.value(Symbol::Rate(*i), written);
        }
    }

    /// Indices that are overridden but do not occur in a list of the state.
    fn unwritten(&self, list: &[(usize, Expr)], symbol: fn(usize) -> Symbol) -> Vec<usize> {
        let absent = |i: &usize| list.iter().all(|(j, _)| j != i) && self.overriding(symbol(*i)).is_some();
        (0..self.q.len()).filter(absent).collect()
    }

    fn laws(&mut self) -> Vec<ContactLaw> {
        self.mechanism.contacts.iter().map(|contact| self.law(contact)).collect()
    }

    fn law(&mut self, contact: &Contact) -> ContactLaw {
        let mut checked = |what: &str, expr: &Expr, lo: f64, hi: f64| {
            let env = Env { t: self.t, q: &[], v: &[], parameters: &self.parameters };
            let value = expr.eval(&env);
            if !(lo..=hi).contains(&value) || !value.is_finite() {
                let expected = if hi.is_finite() { format!("in [{lo}, {hi}]") } else { format!(">= {lo}") };
                let name = &contact.name;
                let message = format!(
                    "{what} of contact `{name}` is {value} in state `{}`, expected a finite number {expected}",
                    self.state.name
                );
                let path = format!("contacts.{name}.{what}");
                self.faults.push(Diagnostic::error("M303", message).with_span(expr.span).with_path(path));
            }
            value
        };
        ContactLaw {
            friction: checked("friction", &contact.friction, 0.0, f64::INFINITY),
            restitution: checked("restitution", &contact.restitution.value, 0.0, 1.0),
            stiffness: checked("stiffness", &contact.compliance.stiffness, f64::MIN_POSITIVE, f64::INFINITY),
            damping: checked("damping", &contact.compliance.damping, f64::MIN_POSITIVE, f64::INFINITY),
            restitution_law: contact.restitution.law,
            bilateral: contact.bilateral,
        }
    }
}
