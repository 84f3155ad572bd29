//! Names and where they may be used: a friction coefficient knows parameters only, a force also velocities.

use super::hint;
use super::names::{Names, RESERVED};
use super::tree::{Expr, Function, Node, Symbol};
use crate::diag::{Diagnostic, Span, nearest};

/// Which of a kind of names an expression may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allow {
    /// None.
    None,
    /// Those with these indices; the others are given later or not at all.
    Only(Vec<usize>),
    /// All.
    All,
}

/// The names an expression may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope<'n> {
    /// The names of the mechanism.
    pub names: &'n Names,
    /// Which coordinates.
    pub coordinates: Allow,
    /// Of which coordinates the velocity `dot(x)`.
    pub rates: Allow,
    /// Whether `t`: [`Allow::All`] or [`Allow::None`].
    pub time: Allow,
    /// Whether it is differentiated, and may not switch.
    pub smooth: bool,
    /// What the expression is, for messages: `a friction coefficient`.
    pub what: &'n str,
}

impl<'n> Scope<'n> {
    /// Parameters only.
    pub fn constant(names: &'n Names, what: &'n str) -> Self {
        Self { names, coordinates: Allow::None, rates: Allow::None, time: Allow::None, smooth: false, what }
    }

    /// Parameters, coordinates and `t`, of what is differentiated.
    pub fn position(names: &'n Names, what: &'n str) -> Self {
        Self { coordinates: Allow::All, time: Allow::All, smooth: true, ..Self::constant(names, what) }
    }

    /// Parameters, coordinates, `t` and velocities.
    pub fn velocity(names: &'n Names, what: &'n str) -> Self {
        Self { rates: Allow::All, smooth: false, ..Self::position(names, what) }
    }

    /// The same of what is differentiated.
    pub fn differentiated(self) -> Self {
        Self { smooth: true, ..self }
    }

    /// What a name without arguments means here.
    pub(super) fn name(&self, name: &str, span: Span) -> Result<Node, Diagnostic> {
        let place = |list: &[String]| list.iter().position(|n| n == name);
        if let Some(i) = place(&self.names.parameters) {
            return Ok(Node::Symbol(Symbol::Parameter(i)));
        }
        if let Some(i) = place(&self.names.coordinates) {
            return self.coordinate(i, span).map(Node::Symbol);
        }
        if let Some(i) = self.names.definitions.iter().position(|d| d.name == name) {
            return self.definition(i, span);
        }
        match name {
            "pi" => Ok(Node::Pi),
            "t" => self.time(span).map(Node::Symbol),
            _ => Err(self.unknown(name, span)),
        }
    }

    fn coordinate(&self, i: usize, span: Span) -> Result<Symbol, Diagnostic> {
        self.check(&self.coordinates, i, "M109", ("coordinate", &self.names.coordinates[i]), span)?;
        Ok(Symbol::Coordinate(i))
    }

    fn rate(&self, i: usize, span: Span) -> Result<Symbol, Diagnostic> {
        self.check(
            &self.rates,
            i,
            "M111",
            ("velocity", &format!("dot({})", self.names.coordinates[i])),
            span,
        )?;
        Ok(Symbol::Rate(i))
    }

    /// A definition may stand where all that it may be made of may stand.
    pub(super) fn definition(&self, i: usize, span: Span) -> Result<Node, Diagnostic> {
        let defined = &self.names.definitions[i];
        if self.smooth && defined.switches {
            return Err(self.switching(&format!("`{}`", defined.name), span));
        }
        if self.coordinates == Allow::All && (self.rates != Allow::None || !defined.has_rates) {
            return Ok(Node::Definition(i));
        }
        let (code, kind) = match self.coordinates {
            Allow::All => ("M111", "a definition with velocities"),
            Allow::None | Allow::Only(_) => ("M109", "a definition"),
        };
        let message = format!("`{}` is {kind}; {} may use {}", defined.name, self.what, self.may_use());
        let found = Diagnostic::error(code, message).with_span(span);
        Err(match self.coordinates {
            Allow::None => found.with_hint(format!(
                "if `{}` depends on parameters only, move it to `parameters`",
                defined.name
            )),
            Allow::All | Allow::Only(_) => found,
        })
    }

    /// The time derivative of a definition.
    pub(super) fn definition_rate(&self, i: usize, span: Span) -> Result<Node, Diagnostic> {
        let defined = &self.names.definitions[i];
        if defined.switches {
            let message = format!("`{}` switches, and dot() is a derivative", defined.name);
            return Err(Diagnostic::error("M117", message).with_span(span));
        }
        if defined.has_rates {
            let message =
                format!("`{}` has velocities, and dot() of it would be an acceleration", defined.name);
            return Err(Diagnostic::error("M112", message).with_span(span));
        }
        if self.coordinates == Allow::All && self.rates != Allow::None {
            return Ok(Node::DefinitionRate(i));
        }
        let message =
            format!("`dot({})` is a velocity; {} may use {}", defined.name, self.what, self.may_use());
        Err(Diagnostic::error("M111", message).with_span(span))
    }

    /// What jumps or bends has no derivative there.
    fn switching(&self, what: &str, span: Span) -> Diagnostic {
        let message = format!("{what} switches, and {} is differentiated", self.what);
        let hint = "min, max, sign and if may stand in forces, conditions of contacts, stop expressions and parameters; elsewhere write what is \
                    smooth, such as sqrt(x^2 + d^2) or tanh(x/d)";
        Diagnostic::error("M117", message).with_span(span).with_hint(hint)
    }

    fn check(
        &self,
        allow: &Allow,
        i: usize,
        code: &'static str,
        (kind, name): (&str, &str),
        span: Span,
    ) -> Result<(), Diagnostic> {
        match allow {
            Allow::All => Ok(()),
            Allow::Only(given) if given.contains(&i) => Ok(()),
            Allow::Only(_) => {
                let message = format!("`{name}` is used before it is given");
                let hint = "give its value first: the values of a state are read in the order written";
                Err(Diagnostic::error("M302", message).with_span(span).with_hint(hint))
            }
            Allow::None => {
                let message = format!("`{name}` is a {kind}; {} may use {}", self.what, self.may_use());
                Err(Diagnostic::error(code, message).with_span(span))
            }
        }
    }

    fn time(&self, span: Span) -> Result<Symbol, Diagnostic> {
        match self.time {
            Allow::All | Allow::Only(_) => Ok(Symbol::Time),
            Allow::None => {
                let message = format!("`t` is the time; {} may use {}", self.what, self.may_use());
                Err(Diagnostic::error("M110", message).with_span(span))
            }
        }
    }

    fn may_use(&self) -> &'static str {
        match (&self.coordinates, &self.rates) {
            (Allow::None, _) => "parameters only",
            (_, Allow::None) => "parameters, coordinates and `t` only",
            _ => "parameters, coordinates, `t` and velocities",
        }
    }

    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        if RESERVED.contains(&name) {
            let hint = format!("write `{name}(x)`");
            let message = format!("`{name}` is a function and needs an argument");
            return Diagnostic::error("M114", message).with_span(span).with_hint(hint);
        }
        let found = Diagnostic::error("M106", format!("`{name}` is not defined")).with_span(span);
        if let Some(coordinate) = hint::velocity_of(name, &self.names.coordinates) {
            return found.with_hint(format!("the velocity of `{coordinate}` is written `dot({coordinate})`"));
        }
        match nearest(name, self.names.all().chain(["pi"])) {
            Some(close) => found.with_hint(format!("did you mean `{close}`?")),
            None if self.coordinates == Allow::All => found.with_hint(format!(
                "define it under `parameters`, as `{name}: 1`, or add it to `coordinates`"
            )),
            None => found.with_hint(format!("define it under `parameters`, as `{name}: 1`")),
        }
    }

    /// What a name with arguments means here.
    pub(super) fn call(&self, name: &str, at: Span, arguments: Vec<Expr>) -> Result<Node, Diagnostic> {
        if name == "dot" {
            return self.dot(at, &arguments);
        }
        let Some(function) = Function::from_name(name) else {
            return Err(self.not_a_function(name, at));
        };
        if self.smooth && function.switches() {
            return Err(self.switching(&format!("`{name}()`"), at));
        }
        if arguments.len() == function.arity() {
            return Ok(Node::Call(function, arguments));
        }
        let expected = ["1 argument", "2 arguments", "3 arguments"][function.arity() - 1];
        let message = format!("`{name}` has {} arguments, expected {expected}", arguments.len());
        Err(Diagnostic::error("M108", message).with_span(at))
    }

    fn dot(&self, at: Span, arguments: &[Expr]) -> Result<Node, Diagnostic> {
        match arguments {
            [Expr { node: Node::Symbol(Symbol::Coordinate(i)), .. }] => self.rate(*i, at).map(Node::Symbol),
            [Expr { node: Node::Symbol(Symbol::Parameter(i)), .. }] if self.namesake(*i).is_some() => {
                self.rate(self.namesake(*i).unwrap_or_default(), at).map(Node::Symbol)
            }
            [Expr { node: Node::Definition(i), .. }] => self.definition_rate(*i, at),
            _ => {
                let message = "dot() is the velocity of a coordinate or definition, expected the name of one in the parentheses";
                let hint = "for the velocity of an expression, give it a name under `definitions`, or differentiate it by hand: cos(x)*dot(x)";
                Err(Diagnostic::error("M112", message).with_span(at).with_hint(hint))
            }
        }
    }

    /// The coordinate with the name of a parameter; that there is one is a fault found elsewhere.
    fn namesake(&self, parameter: usize) -> Option<usize> {
        let name = self.names.parameters.get(parameter)?;
        self.names.coordinates.iter().position(|n| n == name)
    }

    fn not_a_function(&self, name: &str, at: Span) -> Diagnostic {
        let defined = self.names.all().any(|n| n == name);
        if defined || name == "pi" || name == "t" {
            let message = format!("`{name}` is not a function; an operator is missing before `(`");
            return Diagnostic::error("M115", message)
                .with_span(at)
                .with_hint(format!("write `{name}*(...)`"));
        }
        let found = Diagnostic::error("M107", format!("there is no function `{name}`")).with_span(at);
        let synonym = match name {
            "ln" => Some("log"),
            "arcsin" => Some("asin"),
            "arccos" => Some("acos"),
            "arctan" => Some("atan"),
            "sgn" | "signum" => Some("sign"),
            "pow" => return found.with_hint("write `x^y`"),
            "diff" | "der" | "ddt" => Some("dot"),
            _ => nearest(name, RESERVED.into_iter().filter(|n| !matches!(*n, "pi" | "t"))),
        };
        match synonym {
            Some(close) => found.with_hint(format!("did you mean `{close}`?")),
            None => found.with_hint(
                "the functions are sin cos tan asin acos atan atan2 sinh cosh tanh sqrt exp log abs sign min max if",
            ),
        }
    }
}
