//! Tokens to a tree, by recursive descent:
//!
//! sum = product (± product)*, product = unary (*∕ unary)*, unary = −unary | power, power = atom (^ unary)?,
//! atom = number | name | name(sum, …) | (sum).
//!
//! So −x^2 = −(x^2), 2^−1 is allowed and a^b^c = a^(b^c). Depth and size are bounded before they can hurt.

use super::hint;
use super::lex::{Kind, Token, tokens};
use super::literal;
use super::scope::{Allow, Scope};
use super::source_map::SourceMap;
use super::tree::{BinaryOp, Expr, Node};
use crate::diag::{Diagnostic, Span};
use num_traits::Zero;

/// Longest expression, in bytes.
pub const MAX_LENGTH: usize = 1 << 16;
/// Deepest nesting of parentheses, powers and signs.
pub const MAX_NESTING: usize = 100;
/// Greatest depth of a tree; a sum of n terms has depth n.
pub const MAX_DEPTH: usize = 1000;

/// Reads an expression whose text stands at `place` of a file.
///
/// # Errors
/// The first syntax error (M101 to M105, M113, M115, M116), or every name that means nothing here.
pub fn parse(text: &str, scope: &Scope, place: &SourceMap) -> Result<Expr, Vec<Diagnostic>> {
    refuse_at_once(text, place).map_err(|d| vec![d])?;
    if let Some(found) = not_finite(text, scope, place) {
        return Err(vec![found]);
    }
    let tokens = tokens(text, place).map_err(|d| vec![d])?;
    let mut parser = Parser { tokens, next: 0, nesting: 0, scope, place, names: Vec::new() };
    match parser.whole() {
        Ok(tree) if parser.names.is_empty() => Ok(tree),
        Ok(_) => Err(parser.names),
        Err(fault) => {
            parser.names.push(fault);
            Err(parser.names)
        }
    }
}

fn refuse_at_once(text: &str, place: &SourceMap) -> Result<(), Diagnostic> {
    let all = place.span(0, text.len());
    if text.trim().is_empty() {
        return Err(Diagnostic::error("M116", "the expression is empty").with_span(all));
    }
    if text.len() > MAX_LENGTH {
        let message = format!("the expression has {} bytes, expected at most {MAX_LENGTH}", text.len());
        let hint = "give its parts names as parameters, or split it";
        return Err(Diagnostic::error("M105", message).with_span(all).with_hint(hint));
    }
    Ok(())
}

/// YAML's and people's words for numbers that are none.
fn not_finite(text: &str, scope: &Scope, place: &SourceMap) -> Option<Diagnostic> {
    let word = text.trim().trim_start_matches(['-', '+']).to_ascii_lowercase();
    let known = scope.names.all().any(|n| n == text.trim());
    if known || !matches!(word.as_str(), ".inf" | ".nan" | "inf" | "nan" | "infinity" | "infinite" | "∞") {
        return None;
    }
    let message = format!("{} is `{}`, expected a finite number", scope.what, text.trim());
    let found = Diagnostic::error("M113", message).with_span(place.span(0, text.len()));
    Some(found.with_hint("choose a finite value; a large one such as 1e6 shows the limit"))
}

struct Parser<'t, 's> {
    tokens: Vec<Token<'t>>,
    next: usize,
    nesting: usize,
    scope: &'s Scope<'s>,
    place: &'s SourceMap,
    /// Names that mean nothing here; parsing goes on after them.
    names: Vec<Diagnostic>,
}

/// A tree with its depth.
struct Deep {
    expr: Expr,
    depth: usize,
}

type Parsed = Result<Deep, Diagnostic>;

impl<'t> Parser<'t, '_> {
    fn whole(&mut self) -> Result<Expr, Diagnostic> {
        let tree = self.sum()?;
        match self.peek().kind {
            Kind::End => Ok(tree.expr),
            Kind::Sign(',') => Err(self.decimal_comma(self.expected("an operator or the end"))),
            Kind::Sign('<' | '>' | '≤' | '≥') => Err(self
                .expected("an operator or the end")
                .with_hint("a comparison stands in `if(x < 0, a, b)`")),
            Kind::Sign(_) => Err(self.expected("an operator or the end")),
            Kind::Number | Kind::Name => Err(self.no_operator()),
        }
    }

    fn peek(&self) -> Token<'t> {
        self.tokens[self.next]
    }

    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn eat(&mut self, sign: char) -> Option<Span> {
        let token = self.peek();
        (token.kind == Kind::Sign(sign)).then(|| {
            self.advance();
            token.span(self.place)
        })
    }

    fn sum(&mut self) -> Parsed {
        self.chain([('+', BinaryOp::Add), ('-', BinaryOp::Subtract)], Self::product)
    }

    fn product(&mut self) -> Parsed {
        self.chain([('*', BinaryOp::Multiply), ('/', BinaryOp::Divide)], Self::unary)
    }

    fn chain(&mut self, signs: [(char, BinaryOp); 2], part: fn(&mut Self) -> Parsed) -> Parsed {
        let mut left = part(self)?;
        while let Some((_, op)) = signs.iter().find(|(sign, _)| self.peek().kind == Kind::Sign(*sign)) {
            self.advance();
            if let Some(doubled) = self.doubled_star() {
                return Err(doubled);
            }
            let right = part(self)?;
            left = self.binary(*op, left, right)?;
        }
        Ok(left)
    }

    fn doubled_star(&self) -> Option<Diagnostic> {
        let stars = self.tokens.get(self.next.checked_sub(1)?..=self.next)?;
        let doubled = stars.iter().all(|t| t.kind == Kind::Sign('*'));
        doubled.then(|| self.expected("a number, a name or `(`").with_hint("the power is written `x^2`"))
    }

    fn unary(&mut self) -> Parsed {
        let Some(sign) = self.eat('-') else { return self.power() };
        let inner = self.nested(Self::unary)?;
        let span = sign.join(inner.expr.span);
        self.deep(Node::Negate(Box::new(inner.expr)), span, inner.depth)
    }

    fn power(&mut self) -> Parsed {
        let base = self.atom()?;
        if self.eat('^').is_none() {
            return Ok(base);
        }
        let exponent = self.nested(Self::unary)?;
        self.binary(BinaryOp::Power, base, exponent)
    }

    fn atom(&mut self) -> Parsed {
        let token = self.tokens[self.next];
        let span = token.span(self.place);
        match token.kind {
            Kind::Number => {
                self.advance();
                let value = literal::exact(token.text)
                    .map_err(|message| Diagnostic::error("M103", message).with_span(span))?;
                self.deep(Node::Number(value), span, 0)
            }
            Kind::Name if self.tokens[self.next + 1].kind == Kind::Sign('(') => self.call(),
            Kind::Name => {
                self.advance();
                if let Some(fault) = self.bare_function(token, span) {
                    return Err(fault);
                }
                let found = self.scope.name(token.text, span);
                self.named(found, span, 0)
            }
            Kind::Sign('(') => self.group(),
            Kind::Sign('+') => Err(self.expected("a number, a name or `(`").with_hint("leave out this `+`")),
            Kind::Sign(_) | Kind::End => Err(self.expected("a number, a name or `(`")),
        }
    }

    fn group(&mut self) -> Parsed {
        let open = self.eat('(').unwrap_or_default();
        let inner = self.nested(Self::sum)?;
        match self.eat(')') {
            Some(close) => Ok(Deep { expr: Expr { span: open.join(close), ..inner.expr }, ..inner }),
            None => Err(self.unclosed()),
        }
    }

    fn call(&mut self) -> Parsed {
        let name = self.tokens[self.next];
        self.advance();
        self.advance();
        if self.scope.is_of_motion(name.text) {
            return self.motion(name);
        }
        let (mut arguments, mut depth, mut swapped) = (Vec::new(), 0, false);
        let scope = self.scope;
        let inside = Scope { coordinates: Allow::All, rates: Allow::All, ..scope.clone() };
        while self.peek().kind != Kind::Sign(')') || !arguments.is_empty() {
            let argument = match name.text {
                "dot" => self.within(&inside)?,
                "if" if arguments.is_empty() => self.condition(&mut swapped)?,
                _ => self.nested(Self::sum)?,
            };
            depth = depth.max(argument.depth);
            arguments.push(argument.expr);
            if self.eat(',').is_none() {
                break;
            }
        }
        let close = self.eat(')').ok_or_else(|| self.unclosed())?;
        if let [_, one, other] = &mut arguments[..]
            && swapped
        {
            std::mem::swap(one, other);
        }
        let span = name.span(self.place).join(close);
        let at = match name.text {
            "dot" => span,
            _ => name.span(self.place),
        };
        let found = scope.call(name.text, at, arguments);
        self.named(found, span, depth)
    }

    /// A function of motion: its arguments are names, in which hyphens may stand.
    fn motion(&mut self, name: Token<'t>) -> Parsed {
        let mut arguments = vec![String::new()];
        loop {
            let token = self.peek();
            match token.kind {
                Kind::Sign(')') => break,
                Kind::Sign(',') => arguments.push(String::new()),
                Kind::Name | Kind::Number | Kind::Sign('-') => {
                    arguments.iter_mut().last().into_iter().for_each(|last| last.push_str(token.text));
                }
                Kind::Sign(_) | Kind::End => return Err(self.unclosed()),
            }
            self.advance();
        }
        let span = name.span(self.place).join(self.peek().span(self.place));
        self.advance();
        let found = self.scope.motion(name.text, &arguments, span);
        self.named(found, span, 0)
    }

    /// The condition of `if`, as what is positive where it holds; where it is one with `<=` or `>=`, as what is positive where it does not.
    fn condition(&mut self, swapped: &mut bool) -> Parsed {
        let left = self.nested(Self::sum)?;
        let Some(&sign) = ['<', '>', '≤', '≥'].iter().find(|sign| self.eat(**sign).is_some()) else {
            return Err(self.expected("`<`, `<=`, `>` or `>=`, as in `if(x < 0, a, b)`"));
        };
        let right = self.nested(Self::sum)?;
        *swapped = matches!(sign, '≤' | '≥');
        let (larger, smaller) = if matches!(sign, '>' | '≤') { (left, right) } else { (right, left) };
        if matches!(&smaller.expr.node, Node::Number(x) if x.is_zero()) {
            return Ok(larger);
        }
        self.binary(BinaryOp::Subtract, larger, smaller)
    }

    /// The argument of dot() may name any coordinate; whether its velocity may be used is asked afterwards.
    fn within(&mut self, scope: &Scope) -> Parsed {
        let place = self.place;
        let mut inner = Parser {
            tokens: std::mem::take(&mut self.tokens),
            next: self.next,
            nesting: self.nesting,
            scope,
            place,
            names: std::mem::take(&mut self.names),
        };
        let parsed = inner.nested(Parser::sum);
        let Parser { tokens, next, names, .. } = inner;
        (self.next, self.names) = (next, names);
        self.tokens = tokens;
        parsed
    }

    fn nested(&mut self, part: fn(&mut Self) -> Parsed) -> Parsed {
        if self.nesting >= MAX_NESTING {
            return Err(self.too_deep(self.peek().span(self.place), MAX_NESTING));
        }
        self.nesting += 1;
        let parsed = part(self);
        self.nesting -= 1;
        parsed
    }

    fn binary(&self, op: BinaryOp, left: Deep, right: Deep) -> Parsed {
        let span = left.expr.span.join(right.expr.span);
        let node = Node::Binary(op, Box::new(left.expr), Box::new(right.expr));
        self.deep(node, span, left.depth.max(right.depth))
    }

    /// A node above a tree of this depth. A name that means nothing is noted, and π stands for it.
    fn named(&mut self, node: Result<Node, Diagnostic>, span: Span, depth: usize) -> Parsed {
        let node = node.unwrap_or_else(|fault| {
            self.names.push(fault);
            Node::Pi
        });
        self.deep(node, span, depth)
    }

    fn deep(&self, node: Node, span: Span, depth: usize) -> Parsed {
        if depth >= MAX_DEPTH {
            return Err(self.too_deep(span, MAX_DEPTH));
        }
        Ok(Deep { expr: Expr { node, span }, depth: depth + 1 })
    }

    fn too_deep(&self, span: Span, limit: usize) -> Diagnostic {
        let message = format!("the expression is nested more than {limit} deep");
        Diagnostic::error("M104", message)
            .with_span(span)
            .with_hint("group its terms with parentheses, or split it")
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let token = self.tokens[self.next];
        let message = format!("found {}, expected {what}", token.called());
        Diagnostic::error("M102", message).with_span(token.span(self.place))
    }

    fn unclosed(&self) -> Diagnostic {
        match self.peek().kind {
            Kind::Number | Kind::Name => self.no_operator(),
            Kind::Sign(_) | Kind::End => self.expected("`)`"),
        }
    }

    fn no_operator(&self) -> Diagnostic {
        let (before, after) = (self.tokens[self.next - 1], self.tokens[self.next].text);
        let message = format!("an operator is missing between `{}` and `{after}`", before.text);
        let found = Diagnostic::error("M115", message).with_span(self.tokens[self.next].span(self.place));
        found.with_hint(hint::juxtaposed(before, after, self.scope.names))
    }

    /// `sin theta`: the function and its argument without parentheses.
    fn bare_function(&self, name: Token, span: Span) -> Option<Diagnostic> {
        let argument = self.peek();
        let applied = matches!(argument.kind, Kind::Number | Kind::Name) && hint::is_function(name.text);
        applied.then(|| {
            let message = format!("`{}` is a function, its argument stands in parentheses", name.text);
            let found = Diagnostic::error("M114", message).with_span(span);
            found.with_hint(format!("write `{}({})`", name.text, argument.text))
        })
    }

    fn decimal_comma(&self, found: Diagnostic) -> Diagnostic {
        let around =
            self.next.checked_sub(1).and_then(|i| Some((self.tokens.get(i)?, self.tokens.get(i + 2)?)));
        match around {
            Some((a, b)) if a.kind == Kind::Number && b.kind == Kind::Number => {
                found.with_hint(format!("the decimal sign is a point: write `{}.{}`", a.text, b.text))
            }
            _ => found,
        }
    }
}
