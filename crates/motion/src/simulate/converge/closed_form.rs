//! Motions in closed form: coordinates that do not feel each other, q̈ = α + κ q + δ q̇, and one frictionless contact whose gap
//! is a multiple of one of them, up to a constant; impacts, ġ⁺ = −e ġ⁻, are located on the closed form, and infinitely many of them
//! end where their flights are below the rounding of the time. The bouncing ball [A09 (10)] and the linear oscillator [A09 (11)] are
//! such motions, by [`Scalar`] without and with a spring.

use super::reference::{Piece, Reference, ReferenceKind, Sample};
use crate::model::{Block, Kernel, Model, Output, State};
use crate::num::{Dual, bracketed_root};

/// q̈ = α + κ q + δ q̇ from q₀, v₀.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scalar {
    alpha: f64,
    kappa: f64,
    delta: f64,
    q: f64,
    v: f64,
}

impl Scalar {
    /// q and v after a time.
    fn at(&self, s: f64) -> (f64, f64) {
        let Self { alpha, kappa, delta, q, v } = *self;
        if kappa.abs() > 0.0 {
            let rest = -alpha / kappa;
            let (x, half) = (q - rest, 0.5 * delta);
            let square = -kappa - half * half;
            let omega = square.abs().sqrt();
            let (c, over) = match square {
                square if square > 0.0 => ((omega * s).cos(), (omega * s).sin() / omega),
                square if square < 0.0 => ((omega * s).cosh(), (omega * s).sinh() / omega),
                _ => (1.0, s),
            };
            let decay = (half * s).exp();
            let position = rest + decay * (x * c + (v - half * x) * over);
            return (position, decay * (v * c + (half * v + kappa * x) * over));
        }
        if delta.abs() > 0.0 {
            let (rest, grown) = (-alpha / delta, (delta * s).exp_m1() / delta);
            return (q + rest * s + (v - rest) * grown, rest + (v - rest) * (delta * s).exp());
        }
        (q + s * (v + 0.5 * alpha * s), v + alpha * s)
    }

    fn acceleration(&self) -> f64 {
        self.alpha + self.kappa * self.q + self.delta * self.v
    }
}

/// A piece in closed form.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosedForm {
    /// When it begins.
    pub begin: f64,
    coordinates: Vec<Scalar>,
}

impl ClosedForm {
    /// Its value.
    pub fn at(&self, t: f64) -> Sample {
        let (q, v) = self.coordinates.iter().map(|x| x.at(t - self.begin)).unzip();
        Sample { q, v }
    }

    fn state(&self, t: f64) -> Self {
        let moved = |x: &Scalar| {
            let (q, v) = x.at(t - self.begin);
            Scalar { q, v, ..*x }
        };
        Self { begin: t, coordinates: self.coordinates.iter().map(moved).collect() }
    }
}

/// The gap γ₀ + γ qⱼ of the contact.
struct Gap {
    coordinate: usize,
    slope: f64,
    offset: f64,
}

/// Impacts that are followed at most.
const IMPACTS: usize = 100_000;
/// Parts of a flight in which the gap is looked at; towards its begin they are halved.
const PARTS: usize = 64;
const HALVINGS: i32 = 60;

/// The motion in closed form from a state, with restitution e, if it has one.
pub fn closed_form(model: &Model, state: &State, restitution: f64, t_end: f64) -> Option<Reference> {
    let (mut piece, gap) = system(model, state)?;
    let mut pieces = Vec::new();
    while pieces.len() < IMPACTS {
        let (height, rate) = gap.of(&piece);
        let touches = height <= 16.0 * f64::EPSILON * (gap.offset.abs() + gap.slope.abs());
        if touches && rate < 0.0 {
            piece.coordinates[gap.coordinate].v *= -restitution;
        }
        let pressed = gap.slope * piece.coordinates[gap.coordinate].acceleration() <= 0.0;
        let flight =
            2.0 * gap.of(&piece).1 / (gap.slope * piece.coordinates[gap.coordinate].acceleration()).abs();
        let negligible = f64::EPSILON * piece.begin.abs().max(t_end.abs());
        if touches && pressed && (flight <= negligible || flight.is_nan()) {
            let resting = &mut piece.coordinates[gap.coordinate];
            *resting = Scalar { alpha: 0.0, kappa: 0.0, delta: 0.0, v: 0.0, q: resting.q };
            pieces.push(Piece::Closed(piece));
            return Some(finished(pieces, t_end));
        }
        let strike = gap.strike(&piece, t_end);
        let next = strike.map(|t| piece.state(t));
        pieces.push(Piece::Closed(piece));
        match next {
            Some(mut next) => {
                next.coordinates[gap.coordinate].q = -gap.offset / gap.slope;
                piece = next;
            }
            None => return Some(finished(pieces, t_end)),
        }
    }
    None
}

/// Rounding of each impact goes on to the next.
fn finished(pieces: Vec<Piece>, t_end: f64) -> Reference {
    let last = match pieces.last() {
        Some(Piece::Closed(piece)) => piece.at(t_end),
        _ => Sample::default(),
    };
    let size = last.q.iter().chain(&last.v).fold(1.0, |size: f64, x| size.max(x.abs()));
    let impacts = (pieces.len() as f64).min(64.0);
    Reference::new(ReferenceKind::Exact, 4.0 * f64::EPSILON * size * impacts, pieces)
}

impl Gap {
    fn of(&self, piece: &ClosedForm) -> (f64, f64) {
        let x = &piece.coordinates[self.coordinate];
        (self.offset + self.slope * x.q, self.slope * x.v)
    }

    /// When the gap next closes.
    fn strike(&self, piece: &ClosedForm, t_end: f64) -> Option<f64> {
        let left = t_end - piece.begin;
        let x = piece.coordinates[self.coordinate];
        let height = |s: f64| self.offset + self.slope * x.at(s).0;
        let short = (1..=HALVINGS).rev().map(|k| left / PARTS as f64 * 0.5_f64.powi(k));
        let places = short.chain((1..=PARTS).map(|k| left * (k as f64 / PARTS as f64)));
        let mut before = None;
        for s in places {
            if height(s) > 0.0 {
                before = Some(s);
            } else if let Some(low) = before {
                return Some(piece.begin + bracketed_root((low, s), 0.0, height));
            }
        }
        None
    }
}

/// The system, if it is proven to be of this kind.
fn system(model: &Model, state: &State) -> Option<(ClosedForm, Gap)> {
    let layout = model.layout();
    let n = layout.coordinates;
    if layout.contacts != 1 || layout.constraints > 0 {
        return None;
    }
    let kernel = model.kernel(&[
        Block::FreeAcceleration,
        Block::Model(Output::Gap),
        Block::Model(Output::GapRate),
        Block::Response,
    ]);
    let moving = 1..=2 * n;
    let affine = kernel.tape().is_affine(|i| moving.contains(&i));
    let reads_time = kernel.tape().reads(0);
    let turns = |i: usize| moving.clone().any(|input| kernel.tape().reads(input)[i]);
    let blocks = [Block::FreeAcceleration, Block::Model(Output::Gap)];
    if kernel.range(Block::Response).any(turns)
        || blocks.into_iter().flat_map(|block| kernel.range(block)).any(|i| !affine[i] || reads_time[i])
    {
        return None;
    }
    let origin = State { q: vec![0.0; n], v: vec![0.0; n], ..state.clone() };
    let slope = |input: usize, block: Block| derivatives(&kernel, &origin, input, block);
    let mut values = kernel.values::<f64>();
    kernel.solve(&origin.inputs::<f64>(), &mut values).ok()?;
    let alpha = kernel.block(&values, Block::FreeAcceleration).to_vec();
    let offset = kernel.block(&values, Block::Model(Output::Gap))[0];
    let slopes: Vec<f64> = (0..n).map(|j| slope(1 + j, Block::Model(Output::Gap))[0]).collect();
    let coordinate = slopes.iter().position(|x| x.abs() > 0.0)?;
    let along = kernel.block(&values, Block::Response)[..n].to_vec();
    let alone = |x: &[f64], own: usize| x.iter().enumerate().all(|(j, x)| j == own || x.abs() <= 0.0);
    // the contact moves one coordinate, and an impulse on it that one alone
    if !alone(&slopes, coordinate) || !alone(&along, coordinate) {
        return None;
    }
    let mut coordinates = Vec::new();
    for j in 0..n {
        let (kappa, delta) =
            (slope(1 + j, Block::FreeAcceleration), slope(1 + n + j, Block::FreeAcceleration));
        if !alone(&kappa, j) || !alone(&delta, j) {
            return None;
        }
        let (q, v) = (state.q[j], state.v[j]);
        coordinates.push(Scalar { alpha: alpha[j], kappa: kappa[j], delta: delta[j], q, v });
    }
    let piece = ClosedForm { begin: state.t, coordinates };
    Some((piece, Gap { coordinate, slope: slopes[coordinate], offset }))
}

fn derivatives(kernel: &Kernel, at: &State, input: usize, block: Block) -> Vec<f64> {
    let mut inputs = at.inputs::<Dual>();
    inputs[input].eps = 1.0;
    let mut values = kernel.values::<Dual>();
    kernel.evaluate(&inputs, &mut values);
    kernel.block(&values, block).iter().map(|x| x.eps).collect()
}

#[cfg(test)]
mod tests {
    use super::Scalar;

    /// Central differences of each closed form satisfy its equation.
    #[test]
    fn closed_forms_satisfy_their_equations() {
        let cases = [
            (-2.0, 0.0, 0.0),
            (-2.0, 0.0, -0.3),
            (0.5, -4.0, 0.0),
            (0.5, -4.0, -0.2),
            (0.0, -1.0, -2.0),
            (0.1, -1.0, -3.0),
            (0.1, 0.7, 0.1),
        ];
        for (alpha, kappa, delta) in cases {
            let x = Scalar { alpha, kappa, delta, q: 0.7, v: -0.4 };
            let (q, v) = x.at(0.0);
            assert!((q - 0.7).abs() < 1e-15 && (v + 0.4).abs() < 1e-15, "{x:?}: {q} {v}");
            let (s, h) = (1.3, 1e-4);
            let [before, now, after] = [s - h, s, s + h].map(|s| x.at(s));
            let rate = (after.0 - before.0) / (2.0 * h);
            let acceleration = (after.1 - before.1) / (2.0 * h);
            assert!((rate - now.1).abs() < 1e-7, "{x:?}");
            let expected = alpha + kappa * now.0 + delta * now.1;
            assert!((acceleration - expected).abs() < 1e-7, "{x:?}: {acceleration} {expected}");
        }
    }
}
