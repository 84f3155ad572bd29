//! Normal stability of modes under compliance   [CV16 6.2]: with λ_N = −(kY + dV) at every pressed contact the fast
//! motion is Y'' = −P (k Y + d Y'), k and d positive and diagonal. They are stable if they are so for all stiffnesses and
//! dampings, unstable if they are so for all, and conditional if that depends on them, even in the limit of infinite stiffness.
//!
//! * det P < 0: the characteristic polynomial has a negative constant term, hence a positive root.
//! * Every Pᵢᵢ ≤ 0, not all zero: the sum of the roots, −tr(P d), is positive.
//! * P Λ symmetric for a positive diagonal Λ, P = S Λ⁻¹: S⁻¹Y'' + Λ⁻¹(kY + dY') = 0 loses energy; it is stable if S is positive
//!   definite, and otherwise has one unstable root for each negative eigenvalue of S.
//! * Contacts that do not act back on others are judged by themselves.
//! * Two contacts with P₁₂P₂₁ < 0, det P > 0 and a positive Pᵢᵢ couple their modes: stable for some, unstable for others.
//! * What is left is tried for many stiffnesses and dampings; two that differ prove that it is conditional.

use super::contacts::Contacts;
use super::judge::Judgement;
use super::mode::Mode;
use super::response::Response;
use super::verdict::Consistency;
use crate::contact::{Compliance, Sign};
use crate::num::{InOrder, Tol};
use nalgebra::{DMatrix, Schur};
use serde::{Deserialize, Serialize};

/// The verdict in the limit ε → 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stability {
    /// Disturbances die out at a rate that grows as 1/ε.
    Stable,
    /// A saddle: leaves at a rate that grows as 1/ε.
    Unstable,
    /// Several contacts: stable for some stiffnesses and dampings, unstable for others.
    Conditional,
    /// The gain vanishes within the tolerance, or nothing could be proven for several contacts.
    Undecided,
}

impl Stability {
    /// Stable ⇔ p > 0: a saddle of the fast normal dynamics for p < 0   [CV16 section 4].
    pub fn of_gain(p: Sign) -> Self {
        match p {
            Sign::Positive => Self::Stable,
            Sign::Negative => Self::Unstable,
            Sign::Marginal => Self::Undecided,
        }
    }

    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stability::Stable => "stable",
            Stability::Unstable => "unstable",
            Stability::Conditional => "conditional",
            Stability::Undecided => "undecided",
        }
    }
}

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

/// Stability of a combination of modes.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeStability {
    /// For all stiffnesses and dampings, or none, or some.
    pub stability: Stability,
    /// With those of the contacts; not defined within the tolerance.
    pub here: Stability,
    /// Eigenvalues with those of the contacts, times ε in real time, those of largest real part first.
    pub eigenvalues: Vec<Complex>,
    /// Where it flips, if it depends on them.
    pub flips: Option<Flips>,
}

impl ModeStability {
    /// Whether the modes last with the contacts' own compliance.
    pub fn lasts(&self) -> bool {
        self.may_last() && (self.stability == Stability::Stable || self.here == Stability::Stable)
    }

    /// Whether nothing says that it does not.
    pub fn may_last(&self) -> bool {
        match self.stability {
            Stability::Stable => true,
            Stability::Unstable => false,
            Stability::Conditional | Stability::Undecided => self.here != Stability::Unstable,
        }
    }
}

impl Contacts {
    /// Stability of modes whose laws hold, equalities included; none of others.
    pub(crate) fn stability(&self, judged: &Judgement, tol: &Tol) -> Option<ModeStability> {
        if judged.consistency == Consistency::No || !judged.has_forces() {
            return None;
        }
        Some(self.stability_of(&judged.modes, tol))
    }

    /// Whether modes whose laws hold may last, as [`ModeStability::may_last`] says at more length.
    pub fn may_last(&self, modes: &[Mode], tol: &Tol) -> bool {
        if self.is_driven_back_alone(modes) {
            return true;
        }
        let Some(response) = self.response(modes, tol) else { return true };
        if response.contacts.is_empty() || response.motions.ncols() == 0 {
            return true;
        }
        let compliance = self.compliance(&response);
        let system = System { response: &response, compliance: &compliance };
        match system.verdict(&system.eigenvalues(|_| [1.0, 1.0]), tol) {
            Stability::Unstable => false,
            Stability::Stable => true,
            Stability::Conditional | Stability::Undecided => claim(&response, tol) != Stability::Unstable,
        }
    }

    fn compliance(&self, response: &Response) -> Vec<Compliance> {
        response.contacts.iter().map(|&i| self.contacts[i].laws.compliance).collect()
    }

    fn stability_of(&self, modes: &[Mode], tol: &Tol) -> ModeStability {
        let nothing = |stability: Stability| ModeStability {
            stability,
            here: stability,
            eigenvalues: Vec::new(),
            flips: None,
        };
        let Some(response) = self.response(modes, tol) else {
            return nothing(Stability::Undecided);
        };
        // without a gap motion there is none to grow
        if response.contacts.is_empty() || response.motions.ncols() == 0 {
            return nothing(Stability::Stable);
        }
        stability_of_response(&response, &self.compliance(&response), tol)
    }
}

/// Factors of the contacts' own stiffness and damping at which stability changes, one changed at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flips {
    /// Of all dampings together.
    pub damping: Vec<f64>,
    /// Of the stiffness of each pressed contact.
    pub stiffness: Vec<Vec<f64>>,
}

/// Decades to each side in which flips are sought, and points per decade.
const DECADES: i32 = 4;
const PER_DECADE: i32 = 12;
/// Steps of the eigenvalue iteration after which it is given up.
const SWEEPS: usize = 2000;
/// Stiffnesses and dampings that are tried where no theorem decides.
const TRIALS: usize = 400;

/// Stability of a response, with the compliance of its pressed contacts.
pub fn stability_of_response(response: &Response, compliance: &[Compliance], tol: &Tol) -> ModeStability {
    let (stability, system) = (claim(response, tol), System { response, compliance });
    let eigenvalues = system.eigenvalues(|_| [1.0, 1.0]);
    let here = system.verdict(&eigenvalues, tol);
    let flips = (stability == Stability::Conditional).then(|| system.flips(tol));
    ModeStability { stability, here, eigenvalues, flips }
}

/// What holds for all compliances.
pub(super) fn claim(response: &Response, tol: &Tol) -> Stability {
    let m = response.contacts.len();
    if response.motions.ncols() < m {
        return of_block(response, &(0..m).collect::<Vec<_>>(), tol);
    }
    let each: Vec<Stability> =
        blocks(response, tol).iter().map(|block| of_block(response, block, tol)).collect();
    let worst = [Stability::Unstable, Stability::Undecided, Stability::Conditional];
    worst.into_iter().find(|kind| each.contains(kind)).unwrap_or(Stability::Stable)
}

/// Contacts that act on each other, directly or not.
fn blocks(response: &Response, tol: &Tol) -> Vec<Vec<usize>> {
    let m = response.contacts.len();
    let mut reach = DMatrix::from_fn(m, m, |i, j| i == j || !is_zero(response, i, j, tol));
    for k in 0..m {
        for i in 0..m {
            for j in 0..m {
                reach[(i, j)] = reach[(i, j)] || (reach[(i, k)] && reach[(k, j)]);
            }
        }
    }
    let mut found: Vec<Vec<usize>> = Vec::new();
    for i in 0..m {
        match found.iter_mut().find(|block| reach[(i, block[0])] && reach[(block[0], i)]) {
            Some(block) => block.push(i),
            None => found.push(vec![i]),
        }
    }
    found
}

fn is_zero(response: &Response, i: usize, j: usize, tol: &Tol) -> bool {
    response.scaled[(i, j)].abs() <= tol.marginal * response.sizes[(i, j)]
}

fn of_block(response: &Response, block: &[usize], tol: &Tol) -> Stability {
    let m = block.len();
    let P = DMatrix::from_fn(m, m, |i, j| response.scaled[(block[i], block[j])]);
    let size = (0..m).map(|i| response.sizes[(block[i], block[i])]).fold(0.0, f64::max);
    if let Some(S) = symmetrised(response, block, tol) {
        let rank =
            if response.motions.ncols() < response.contacts.len() { response.motions.ncols() } else { m };
        return definite(&S, (rank, tol.dependent * size), tol);
    }
    let whole = response.motions.ncols() == response.contacts.len();
    if whole {
        let (determinant, scale) = (P.determinant(), hadamard(&P));
        if determinant.abs() <= tol.marginal * scale {
            return Stability::Undecided;
        }
        if determinant < 0.0 {
            return Stability::Unstable;
        }
    }
    let diagonal = P.diagonal();
    if diagonal.iter().all(|p| *p <= 0.0) && diagonal.iter().any(|p| *p < -tol.marginal * size) {
        return Stability::Unstable;
    }
    if m == 2 && whole { Stability::Conditional } else { tried(response, tol) }
}

/// ∏ of the lengths of the rows, which |det P| cannot exceed.
fn hadamard(P: &DMatrix<f64>) -> f64 {
    P.row_iter().map(|row| row.norm()).product()
}

/// P Λ, if it is symmetric for a positive diagonal Λ.
fn symmetrised(response: &Response, block: &[usize], tol: &Tol) -> Option<DMatrix<f64>> {
    let m = block.len();
    let entry = |i: usize, j: usize| response.scaled[(block[i], block[j])];
    let zero = |i: usize, j: usize| is_zero(response, block[i], block[j], tol);
    let mut weights: Vec<Option<f64>> = vec![None; m];
    for start in 0..m {
        if weights[start].is_some() {
            continue;
        }
        weights[start] = Some(1.0);
        let mut open = vec![start];
        while let Some(i) = open.pop() {
            let own = weights[i].unwrap_or(1.0);
            for j in (0..m).filter(|&j| j != i) {
                match (zero(i, j), zero(j, i)) {
                    (true, true) => {}
                    (false, false) if entry(i, j) * entry(j, i) > 0.0 => {
                        // P_ij Λ_j = P_ji Λ_i
                        let weight = own * entry(j, i) / entry(i, j);
                        match weights[j] {
                            None => {
                                weights[j] = Some(weight);
                                open.push(j);
                            }
                            Some(known) if (known / weight - 1.0).abs() <= tol.closed => {}
                            Some(_) => return None,
                        }
                    }
                    _ => return None,
                }
            }
        }
    }
    let root = |i: usize| weights[i].unwrap_or(1.0).sqrt();
    // Λ^(−1/2) P Λ^(1/2) is symmetric and has the signs of P Λ
    let S = DMatrix::from_fn(m, m, |i, j| entry(i, j) * root(j) / root(i));
    Some(0.5 * (&S + S.transpose()))
}

/// By the eigenvalues of a symmetric matrix of this rank, of which smaller ones are rounding.
fn definite(S: &DMatrix<f64>, (rank, rounding): (usize, f64), tol: &Tol) -> Stability {
    let eigenvalues = S.symmetric_eigenvalues();
    let zero = (tol.marginal * eigenvalues.amax()).max(rounding);
    let count = |sign: f64| eigenvalues.iter().filter(|x| sign * **x > zero).count();
    match (count(-1.0), count(1.0)) {
        (0, positive) if positive >= rank => Stability::Stable,
        (0, _) => Stability::Undecided,
        _ => Stability::Unstable,
    }
}

/// The verdicts of many stiffnesses and dampings.
fn tried(response: &Response, tol: &Tol) -> Stability {
    let unit = vec![Compliance::UNIT; response.contacts.len()];
    let system = System { response, compliance: &unit };
    let mut seen = [false; 2];
    for trial in 0..TRIALS {
        // exponents of a low-discrepancy sequence
        let factor = |k: usize| {
            let turn = (trial as f64 + 0.5) * (2.0_f64 + k as f64).sqrt() + k as f64 * 0.37;
            10.0_f64.powf(f64::from(2 * DECADES) * (turn.fract() - 0.5))
        };
        let eigenvalues = system.eigenvalues(|i| [factor(2 * i), factor(2 * i + 1)]);
        match system.verdict(&eigenvalues, tol) {
            Stability::Stable => seen[0] = true,
            Stability::Unstable => seen[1] = true,
            Stability::Undecided | Stability::Conditional => {}
        }
    }
    if seen == [true; 2] { Stability::Conditional } else { Stability::Undecided }
}

/// A response with the compliance of its contacts.
struct System<'a> {
    response: &'a Response,
    compliance: &'a [Compliance],
}

impl System<'_> {
    /// Of η'' = −Bᵀ P (k B η + d B η') with Y = B η, stiffness and damping of each contact multiplied by factors.
    fn eigenvalues(&self, factors: impl Fn(usize) -> [f64; 2]) -> Vec<Complex> {
        let (B, P) = (self.motions(), &self.response.P);
        let r = B.ncols();
        let diagonal = |k: usize| {
            let value = |i: usize| {
                let own = [self.compliance[i].stiffness, self.compliance[i].damping][k];
                own * factors(i)[k]
            };
            DMatrix::from_fn(P.nrows(), P.nrows(), |i, j| if i == j { value(i) } else { 0.0 })
        };
        let back = B.clone().pseudo_inverse(f64::MIN_POSITIVE).unwrap_or_else(|_| B.transpose());
        let [K, D] = [0, 1].map(|k| -(&back * P * diagonal(k) * &B));
        // in units of time in which the largest stiffness is one
        let rate = K.amax().max(D.amax().powi(2)).sqrt();
        let mut J = DMatrix::zeros(2 * r, 2 * r);
        J.view_mut((0, r), (r, r)).fill_with_identity();
        J.view_mut((r, 0), (r, r)).copy_from(&(K / (rate * rate)));
        J.view_mut((r, r), (r, r)).copy_from(&(D / rate));
        let Some(schur) = Schur::try_new(J, f64::EPSILON, SWEEPS) else { return Vec::new() };
        let values = schur.complex_eigenvalues();
        let mut found: Vec<Complex> =
            values.iter().map(|x| Complex { re: rate * x.re, im: rate * x.im }).collect();
        found.put_in_order(|a, b| b.re.total_cmp(&a.re).then(b.im.total_cmp(&a.im)));
        found
    }

    /// The gap motions in the mechanism's units.
    fn motions(&self) -> DMatrix<f64> {
        let B = &self.response.motions;
        DMatrix::from_fn(B.nrows(), B.ncols(), |i, j| self.response.unit[i] * B[(i, j)])
    }

    fn verdict(&self, eigenvalues: &[Complex], tol: &Tol) -> Stability {
        let size = eigenvalues.iter().map(|x| x.re.hypot(x.im)).fold(0.0, f64::max);
        match eigenvalues.first().map_or(f64::NAN, |x| x.re) {
            re if re > tol.rest * size => Stability::Unstable,
            re if re < -tol.rest * size => Stability::Stable,
            _ => Stability::Undecided,
        }
    }

    /// Where stability changes with a factor on all dampings, and with one on each stiffness.
    fn flips(&self, tol: &Tol) -> Flips {
        let m = self.response.contacts.len();
        let damping = self.changes(|x| self.growth(|_| [1.0, x]), tol);
        let stiffness = (0..m)
            .map(|own| self.changes(|x| self.growth(|i| [if i == own { x } else { 1.0 }, 1.0]), tol))
            .collect();
        Flips { damping, stiffness }
    }

    /// The largest real part.
    fn growth(&self, factors: impl Fn(usize) -> [f64; 2]) -> f64 {
        self.eigenvalues(factors).first().map_or(0.0, |x| x.re)
    }

    /// Zeros of a function of a factor between 10⁻⁴ and 10⁴.
    fn changes(&self, growth: impl Fn(f64) -> f64, tol: &Tol) -> Vec<f64> {
        let node = |i: i32| 10.0_f64.powf(f64::from(i) / f64::from(PER_DECADE));
        let last = DECADES * PER_DECADE;
        let values: Vec<(f64, f64)> = (-last..=last).map(|i| (node(i), growth(node(i)))).collect();
        let crossed = values.windows(2).filter(|pair| (pair[0].1 > 0.0) != (pair[1].1 > 0.0));
        let root = |pair: &[(f64, f64)]| {
            let (mut low, mut high) = (pair[0].0, pair[1].0);
            for _ in 0..tol.root_steps {
                let middle = (low * high).sqrt();
                if (growth(middle) > 0.0) == (pair[0].1 > 0.0) {
                    low = middle
                } else {
                    high = middle
                }
                if high / low - 1.0 <= 4.0 * f64::EPSILON {
                    break;
                }
            }
            (low * high).sqrt()
        };
        crossed.map(root).collect()
    }
}
