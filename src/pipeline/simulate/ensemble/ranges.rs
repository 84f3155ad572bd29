//! What varies, from the words of the user: `mu=0.1:0.5`, `dot(theta)=log:1e-6:1e-2`, `theta=0:pi/2:40`.

use super::fault::EnsembleFault;
use super::samples::samples;
use crate::diag::Diagnostic;
use crate::expression::{Scope, SourceMap, Symbol, parse};
use crate::format::{Mechanism, Override};
use crate::pipeline::inputs::symbol_name;
use crate::simulate::ensemble::{Axis, Distribution};
use std::path::Path;

/// A name that varies: what it stands for, and its values.
pub(in crate::pipeline) type Varied = (Symbol, Axis);

/// How a range is written.
const RANDOM: &str = "NAME=LO:HI, NAME=log:LO:HI, NAME=normal:MEAN:DEVIATION, NAME=normal:MEAN:DEVIATION:LO:HI or NAME=file:SAMPLES.csv";
const GRID: &str = "NAME=LO:HI:N or NAME=log:LO:HI:N, with a number N of points";

/// Everything that varies: what is random, then the grid, each in the order given.
pub(super) fn varied(
    mechanism: &Mechanism,
    parameters: &[f64],
    (random, grid): (&[String], &[String]),
) -> Result<Vec<Varied>, EnsembleFault> {
    let reader = Reader { mechanism, parameters };
    let random = random.iter().map(|text| reader.random(text));
    let found = random.chain(grid.iter().map(|text| reader.grid(text))).collect::<Result<Vec<_>, _>>()?;
    let again = |(i, (symbol, _)): (usize, &Varied)| found[..i].iter().any(|(other, _)| other == symbol);
    match found.iter().enumerate().find(|&entry| again(entry)) {
        Some((_, (_, axis))) => Err(EnsembleFault::Twice { name: axis.name.clone() }),
        None => Ok(found),
    }
}

/// The range of a grid.
pub(in crate::pipeline) fn gridded(
    mechanism: &Mechanism,
    parameters: &[f64],
    text: &str,
) -> Result<Varied, EnsembleFault> {
    Reader { mechanism, parameters }.grid(text)
}

struct Reader<'m> {
    mechanism: &'m Mechanism,
    /// Those of the state, in which the ends of ranges are expressions.
    parameters: &'m [f64],
}

impl Reader<'_> {
    fn random(&self, text: &str) -> Result<Varied, EnsembleFault> {
        let form = || EnsembleFault::Form { text: text.to_string(), expected: RANDOM };
        let (name, words) = text.split_once('=').ok_or_else(form)?;
        if let Some(file) = words.trim().strip_prefix("file:") {
            return self.listed(text, name, Path::new(file));
        }
        match words.split(':').collect::<Vec<_>>()[..] {
            ["normal", mean, deviation] => self.normal(text, name, [mean, deviation], None),
            ["normal", mean, deviation, lo, hi] => self.normal(text, name, [mean, deviation], Some([lo, hi])),
            ["normal", ..] => Err(form()),
            [lo, hi] => self.axis(text, (name, lo, hi), Distribution::Random),
            ["log", lo, hi] => self.axis(text, (name, lo, hi), Distribution::RandomLog),
            _ => Err(form()),
        }
    }

    fn grid(&self, text: &str) -> Result<Varied, EnsembleFault> {
        let form = || EnsembleFault::Form { text: text.to_string(), expected: GRID };
        let (name, words) = text.split_once('=').ok_or_else(form)?;
        let points = |word: &str| match word.trim().parse::<u64>() {
            Ok(0) => Err(EnsembleFault::Points { text: text.to_string() }),
            Ok(points) => Ok(points),
            Err(_) => Err(form()),
        };
        match words.split(':').collect::<Vec<_>>()[..] {
            [lo, hi, n] => self.axis(text, (name, lo, hi), Distribution::Grid(points(n)?)),
            ["log", lo, hi, n] => self.axis(text, (name, lo, hi), Distribution::GridLog(points(n)?)),
            _ => Err(form()),
        }
    }

    fn axis(
        &self,
        text: &str,
        (name, lo, hi): (&str, &str, &str),
        spread: Distribution,
    ) -> Result<Varied, EnsembleFault> {
        let refused = |fault| EnsembleFault::Expression { text: text.to_string(), fault: Box::new(fault) };
        let symbol = Override::target(self.mechanism, name.trim()).map_err(refused)?;
        let (lo, hi) = (self.end(lo).map_err(refused)?, self.end(hi).map_err(refused)?);
        if !(lo.is_finite() && hi.is_finite() && lo <= hi) {
            return Err(EnsembleFault::Order { text: text.to_string(), lo, hi });
        }
        if matches!(spread, Distribution::RandomLog | Distribution::GridLog(_)) && lo <= 0.0 {
            return Err(EnsembleFault::Logarithm { text: text.to_string(), lo });
        }
        Ok((symbol, Axis { name: symbol_name(self.mechanism, symbol), lo, hi, spread }))
    }

    /// What a name stands for, and its name as columns have it.
    fn target(&self, text: &str, name: &str) -> Result<(Symbol, String), EnsembleFault> {
        let symbol = Override::target(self.mechanism, name.trim())
            .map_err(|fault| EnsembleFault::Expression { text: text.to_string(), fault: Box::new(fault) })?;
        Ok((symbol, symbol_name(self.mechanism, symbol)))
    }

    fn normal(
        &self,
        text: &str,
        name: &str,
        words: [&str; 2],
        ends: Option<[&str; 2]>,
    ) -> Result<Varied, EnsembleFault> {
        let refused = |fault| EnsembleFault::Expression { text: text.to_string(), fault: Box::new(fault) };
        let (symbol, name) = self.target(text, name)?;
        let [mean, deviation] = [self.end(words[0]).map_err(refused)?, self.end(words[1]).map_err(refused)?];
        if !(mean.is_finite() && deviation.is_finite() && deviation >= 0.0) {
            return Err(EnsembleFault::Normal { text: text.to_string(), mean, deviation });
        }
        let [lo, hi] = match ends {
            Some([lo, hi]) => [self.end(lo).map_err(refused)?, self.end(hi).map_err(refused)?],
            None => [f64::NEG_INFINITY, f64::INFINITY],
        };
        if lo.is_nan() || hi.is_nan() || lo > hi {
            return Err(EnsembleFault::Order { text: text.to_string(), lo, hi });
        }
        Ok((symbol, Axis { name, lo, hi, spread: Distribution::Normal { mean, deviation } }))
    }

    /// The column of a file that has the name.
    fn listed(&self, text: &str, name: &str, file: &Path) -> Result<Varied, EnsembleFault> {
        let (symbol, name) = self.target(text, name)?;
        let list = samples(file, &name)
            .map_err(|reason| EnsembleFault::Samples { text: text.to_string(), reason })?;
        let ends = |best: fn(f64, f64) -> f64| list.iter().copied().reduce(best).unwrap_or(f64::NAN);
        let (lo, hi) = (ends(f64::min), ends(f64::max));
        Ok((symbol, Axis { name, lo, hi, spread: Distribution::Listed(list.into()) }))
    }

    /// A number or an expression in parameters.
    fn end(&self, text: &str) -> Result<f64, Diagnostic> {
        let names = self.mechanism.names();
        let scope = Scope::constant(&names, "the end of a range");
        let parsed = parse(text, &scope, &SourceMap::From(0));
        let first = |faults: Vec<Diagnostic>| {
            faults.into_iter().next().unwrap_or_else(|| Diagnostic::error("M304", "no value"))
        };
        Ok(parsed.map_err(first)?.eval_parametric(self.parameters))
    }
}
