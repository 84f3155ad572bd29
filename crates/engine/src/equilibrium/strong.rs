//! What takes from an equilibrium that it is strongly stable: the least friction, push or turn of gravity at which another mode is consistent, too.
//!
//! Under the load a₀ a mode moves with z = a₀ + Σ yᵢ eᵢ, the eᵢ being the edges of the friction cones that it permits, yᵢ ≥ 0, and z in the
//! cone of the motions in which its gaps open and its slips set in. So the loads of a mode form a cone too, spanned by its motions and by −eᵢ, and where
//! a load enters it is read off its faces: along a push at a quotient, along a turn at a root of a sine. The nearest load of a cone is that of the
//! spans of some of its rays. Friction moves the cones themselves: the factor is sought on a grid to both sides and bisected, so that a mode that is
//! consistent only between two neighbours of the grid, and nowhere near to it at them, would be missed.

use super::robust::{Gravity, Held, faces, for_each_set, span};
use crate::num::Tol;
use crate::predict::{Contacts, Mode, combinations};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::PI;

/// Modes up to which each is looked at.
const MODES: usize = 256;
/// Points of the grid of factors on friction to each side.
const GRID: usize = 48;
/// Halvings of a factor, and thirds of an interval in search of a maximum.
const HALVINGS: usize = 60;

/// Where another mode becomes consistent.
#[derive(Clone, Debug, PartialEq)]
pub struct Onset {
    /// The push, the angle or the factor.
    pub at: f64,
    /// What each contact does.
    pub modes: Vec<Mode>,
}

/// What a strongly stable equilibrium stands before another mode is consistent, too.
#[derive(Clone, Debug, PartialEq)]
pub struct StrongRobustness {
    /// Factors on all coefficients of friction, below and above one; none if no mode is found down to no friction, or up to the highest.
    pub friction_factor: [Option<Onset>; 2],
    /// Factors on the coefficient of each contact, the others keeping theirs.
    pub friction: Vec<[Option<Onset>; 2]>,
    /// The least push of any direction, as a share of the load in the metric of kinetic energy.
    pub push: Option<Onset>,
    /// Multiples of each given push, forwards and backwards.
    pub pushes: Vec<[Option<Onset>; 2]>,
    /// Angles by which gravity turns, clockwise and counter-clockwise.
    pub tilt: Option<[Option<Onset>; 2]>,
}

/// A mode with the rays of its motions.
struct MovingMode {
    modes: Vec<Mode>,
    motions: Vec<DVector<f64>>,
}

/// The cones of loads of all modes that move.
struct UpsettingLoads<'c> {
    contacts: &'c Contacts,
    rows: &'c DMatrix<f64>,
    load: &'c DVector<f64>,
    live: Vec<MovingMode>,
    tol: &'c Tol,
}

impl Contacts {
    /// What a strongly stable equilibrium stands whose contacts see every motion, as [`robustness`](Self::robustness). None if modes or faces are too
    /// many, and with bilateral contacts.
    pub fn strong_robustness(
        &self,
        pushes: &[Vec<f64>],
        gravity: Option<Gravity<'_>>,
        tol: &Tol,
    ) -> Option<StrongRobustness> {
        if (0..self.len()).any(|i| !self.is_unilateral(i)) {
            return None;
        }
        let held = self.held_loads(tol)?;
        let load = held.load(&self.c)?;
        let pushes = pushes.iter().map(|push| self.load_of(&held, push)).collect::<Option<Vec<_>>>()?;
        let gravity = match gravity {
            Some(Gravity { along, across }) => {
                Some([self.load_of(&held, along)?, self.load_of(&held, across)?])
            }
            None => None,
        };
        UpsettingLoads::new(self, &held, &load, tol)?.found(&pushes, gravity)
    }
}

impl<'c> UpsettingLoads<'c> {
    fn new(contacts: &'c Contacts, held: &'c Held, load: &'c DVector<f64>, tol: &'c Tol) -> Option<Self> {
        let options: Vec<Vec<Mode>> = (0..contacts.len()).map(|i| contacts.directed_modes(i)).collect();
        options
            .iter()
            .try_fold(1, |count, modes| Some(count * modes.len()).filter(|count| *count <= MODES))?;
        let mut live = Vec::new();
        for modes in combinations(&options) {
            if modes.iter().all(|mode| matches!(mode, Mode::Stick { .. })) {
                continue;
            }
            if let Some(motions) = motions(contacts, &held.rows, &modes, tol)? {
                live.push(MovingMode { modes, motions });
            }
        }
        Some(Self { contacts, rows: &held.rows, load, live, tol })
    }

    /// Everything.
    fn found(&self, pushes: &[DVector<f64>], gravity: Option<[DVector<f64>; 2]>) -> Option<StrongRobustness> {
        let mut cones = Vec::new();
        for live in &self.live {
            cones.extend(self.cone(live, &|_| 1.0)?);
        }
        let tol = self.tol;
        let least = |at: &dyn Fn(&Cone<'_>) -> Option<f64>| {
            first(cones.iter().map(|cone| (at(cone), cone.modes)), tol)
        };
        let turned = |[along, across]: &[DVector<f64>; 2], sign: f64| {
            let across = sign * across;
            least(&|cone| cone.turn(self.load, along, &across, self.tol))
        };
        let without = (0..self.contacts.len()).any(|i| self.contacts.friction(i).is_infinite());
        let friction = |only: Option<usize>| match without {
            true => Some([None, None]),
            false => self.friction(only),
        };
        Some(StrongRobustness {
            friction_factor: friction(None)?,
            friction: (0..self.contacts.len()).map(|i| friction(Some(i))).collect::<Option<_>>()?,
            push: least(&|cone| cone.distance(self.load, self.tol).map(|far| far / self.load.norm())),
            pushes: pushes
                .iter()
                .map(|push| {
                    [1.0, -1.0].map(|sign| least(&|cone| cone.reach(self.load, &(sign * push), self.tol)))
                })
                .collect(),
            tilt: gravity.map(|gravity| [-1.0, 1.0].map(|sign| turned(&gravity, sign))),
        })
    }

    /// The rays of a mode's loads with factors on friction, and the faces; no cone if the mode is consistent under loads of some plane only.
    fn cone<'l>(&self, live: &'l MovingMode, factor: &dyn Fn(usize) -> f64) -> Option<Option<Cone<'l>>> {
        let forces = live.modes.iter().enumerate().flat_map(|(i, &mode)| {
            self.contacts.edges_of(self.rows, i, mode, factor(i)).into_iter().map(|edge| -edge)
        });
        let rays: Vec<DVector<f64>> =
            live.motions.iter().cloned().chain(forces).map(|ray| ray.normalize()).collect();
        let r = self.load.len();
        if span(&rays, self.tol)?.ncols() < r {
            return Some(None);
        }
        let faces = faces(&rays, r, self.tol)?;
        Some(Some(Cone { modes: &live.modes, rays, faces }))
    }

    /// How far the load is inside the loads of a mode, relative to its size; negative outside.
    fn margin(&self, live: &MovingMode, only: Option<usize>, factor: f64) -> Option<f64> {
        let own = |i: usize| if only.is_none_or(|only| only == i) { factor } else { 1.0 };
        let size = self.load.norm();
        let depth =
            |cone: Cone<'_>| cone.faces.iter().map(|face| face.dot(self.load) / size).fold(1.0, f64::min);
        Some(self.cone(live, &own)?.map_or(-1.0, depth))
    }

    /// The factors on friction next to one at which a mode is consistent, below and above.
    fn friction(&self, only: Option<usize>) -> Option<[Option<Onset>; 2]> {
        let of = |i: usize| self.contacts.friction(i).mu();
        let most = (0..self.contacts.len())
            .filter(|i| only.is_none_or(|only| only == *i))
            .map(of)
            .fold(0.0, f64::max);
        if most <= 0.0 {
            return Some([None, None]);
        }
        let share = |k: usize| k as f64 / GRID as f64;
        let down: Vec<f64> = (0..=GRID).map(|k| 1.0 - share(k)).collect();
        let highest = (self.tol.highest_friction / most).max(1.0);
        let up: Vec<f64> = (0..=GRID).map(|k| highest.powf(share(k))).collect();
        Some([self.onset(only, &down)?, self.onset(only, &up)?])
    }

    /// The first factor of a grid from which a mode is consistent.
    fn onset(&self, only: Option<usize>, grid: &[f64]) -> Option<Option<Onset>> {
        let mut known = Vec::new();
        for live in &self.live {
            // what does not hang on this friction has the margin that it has
            let hangs = |(i, mode): (usize, &Mode)| mode.is_closed() && only.is_none_or(|only| only == i);
            if live.modes.iter().enumerate().any(hangs) {
                let margin = |factor: f64| self.margin(live, only, factor);
                known.push((rise(grid, &margin, self.tol)?.map(|at| (at - 1.0).abs()), &live.modes[..]));
            }
        }
        let sign = if grid.last().is_some_and(|last| *last > 1.0) { 1.0 } else { -1.0 };
        Some(first(known.into_iter(), self.tol).map(|onset| Onset { at: 1.0 + sign * onset.at, ..onset }))
    }
}

/// The cone of loads of a mode.
struct Cone<'l> {
    modes: &'l [Mode],
    rays: Vec<DVector<f64>>,
    faces: Vec<DVector<f64>>,
}

impl Cone<'_> {
    /// The multiple of a push from which a load is inside.
    fn reach(&self, load: &DVector<f64>, push: &DVector<f64>, tol: &Tol) -> Option<f64> {
        let (mut from, mut to) = (0.0_f64, f64::INFINITY);
        for face in &self.faces {
            let (depth, rate) = (face.dot(load), face.dot(push));
            match rate {
                _ if rate.abs() <= tol.marginal * push.norm() => {
                    if depth <= tol.marginal * load.norm() {
                        return None;
                    }
                }
                _ if rate > 0.0 => from = from.max(-depth / rate),
                _ => to = to.min(depth / -rate),
            }
        }
        // what only touches a cone, as without any load, is not inside
        let rounding = tol.closed * (from + load.norm() / push.norm());
        (to - from > rounding).then_some(from)
    }

    /// The angle from which the load is inside whose part `along` turns towards `across`.
    fn turn(
        &self,
        load: &DVector<f64>,
        along: &DVector<f64>,
        across: &DVector<f64>,
        tol: &Tol,
    ) -> Option<f64> {
        let parts = |face: &DVector<f64>| {
            let (cosine, sine) = (face.dot(along), face.dot(across));
            (face.dot(load) - cosine, cosine, sine)
        };
        let mut borders = vec![0.0, 2.0 * PI];
        for (fixed, cosine, sine) in self.faces.iter().map(parts) {
            // fixed + r cos(ψ − δ) = 0
            let (r, delta) = (cosine.hypot(sine), sine.atan2(cosine));
            if r > tol.marginal * along.norm() && fixed.abs() <= r {
                let half = (-fixed / r).acos();
                borders.extend([delta - half, delta + half].map(|angle| angle.rem_euclid(2.0 * PI)));
            }
        }
        borders.sort_by(f64::total_cmp);
        let inside = |angle: f64| {
            let (s, c) = angle.sin_cos();
            self.faces.iter().map(parts).all(|(fixed, cosine, sine)| fixed + c * cosine + s * sine > 0.0)
        };
        let wide = |pair: &&[f64]| pair[1] - pair[0] > tol.sliver;
        borders.windows(2).filter(wide).find(|pair| inside(0.5 * (pair[0] + pair[1]))).map(|pair| pair[0])
    }

    /// The distance of a load outside: the nearest load is a sum of at most r − 1 rays, across which the way there is.
    fn distance(&self, load: &DVector<f64>, tol: &Tol) -> Option<f64> {
        let mut least = load.norm();
        for count in 1..load.len() {
            for_each_set(self.rays.len(), count, |chosen| {
                let rays =
                    DMatrix::from_columns(&chosen.iter().map(|&k| self.rays[k].clone()).collect::<Vec<_>>());
                let Some(weights) = rays.clone().svd(true, true).solve(load, tol.closed).ok() else { return };
                if weights.iter().all(|weight| *weight >= 0.0) {
                    least = least.min((load - rays * weights).norm());
                }
            })?;
        }
        Some(least)
    }
}

/// The least of some numbers, with the mode that it is of.
fn first<'w>(found: impl Iterator<Item = (Option<f64>, &'w [Mode])>, tol: &Tol) -> Option<Onset> {
    let known = found.filter_map(|(at, modes)| Some((at?, modes)));
    let known: Vec<(f64, &[Mode])> = known.collect();
    let least = known.iter().map(|(at, _)| *at).min_by(f64::total_cmp)?;
    // of modes that set in at once the first in the order of combinations, whatever the rounding
    let same = |(at, _): &&(f64, &[Mode])| *at <= least * (1.0 + tol.closed);
    known.iter().find(same).map(|(_, modes)| Onset { at: least, modes: modes.to_vec() })
}

/// Where a function on a grid rises through zero for the first time, or near a maximum between points; the outer none if it is not known somewhere.
fn rise(grid: &[f64], margin: &dyn Fn(f64) -> Option<f64>, tol: &Tol) -> Option<Option<f64>> {
    let mut seen: Vec<(f64, f64)> = Vec::with_capacity(grid.len());
    for &x in grid {
        let y = margin(x)?;
        if let [.., (a, below), (b, top)] = seen[..]
            && top < 0.0
            && top >= below
            && top > y
        {
            let (at, most) = maximum(a, x, margin, tol)?;
            if most > tol.marginal {
                let from = if (at - a).abs() < (b - a).abs() || below < 0.0 { a } else { b };
                return Some(Some(halved(from, at, margin)?));
            }
        }
        if y > tol.marginal {
            return Some(Some(seen.last().map_or(Some(x), |(before, _)| halved(*before, x, margin))?));
        }
        seen.push((x, y));
    }
    Some(None)
}

/// Between a point where a function is negative and one where it is not.
fn halved(mut below: f64, mut above: f64, margin: &dyn Fn(f64) -> Option<f64>) -> Option<f64> {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (below + above);
        if margin(middle)? > 0.0 {
            above = middle;
        } else {
            below = middle;
        }
    }
    Some(above)
}

/// A maximum between two points, by thirds.
fn maximum(mut a: f64, mut b: f64, margin: &dyn Fn(f64) -> Option<f64>, tol: &Tol) -> Option<(f64, f64)> {
    for _ in 0..HALVINGS {
        let [low, high] = [a + (b - a) / 3.0, b - (b - a) / 3.0];
        let [at_low, at_high] = [margin(low)?, margin(high)?];
        if at_low.max(at_high) > tol.marginal {
            return Some(if at_low > at_high { (low, at_low) } else { (high, at_high) });
        }
        if at_low < at_high { a = low } else { b = high }
    }
    let middle = 0.5 * (a + b);
    Some((middle, margin(middle)?))
}

/// The rays of the motions z in which the gaps and slips of a mode begin, and what it holds stays; the inner none if there are none.
fn motions(
    contacts: &Contacts,
    rows: &DMatrix<f64>,
    modes: &[Mode],
    tol: &Tol,
) -> Option<Option<Vec<DVector<f64>>>> {
    let row = |i: usize| rows.row(i).transpose();
    let held: Vec<DVector<f64>> = contacts.held_rows(modes).into_iter().map(row).collect();
    let free = null(&held, rows.ncols(), tol)?;
    let rises = modes.iter().enumerate().filter_map(|(i, &mode)| contacts.rise(i, mode)?.terms().next());
    let rises: Vec<DVector<f64>> = rises.map(|(i, sign)| free.transpose() * (sign * row(i))).collect();
    if rises.iter().any(|rise| rise.norm() <= tol.closed) {
        return Some(None);
    }
    let seen = span(&rises, tol)?;
    let rises: Vec<DVector<f64>> = rises.iter().map(|rise| seen.transpose() * rise).collect();
    let corners = faces(&rises, seen.ncols(), tol)?;
    let inside = corners.iter().fold(DVector::zeros(seen.ncols()), |sum, corner| sum + corner);
    if rises.iter().any(|rise| rise.dot(&inside) <= tol.closed * rise.norm()) {
        return Some(None);
    }
    let columns: Vec<DVector<f64>> = seen.column_iter().map(|column| column.into_owned()).collect();
    let unseen = null(&columns, free.ncols(), tol)?;
    let both = unseen.column_iter().flat_map(|x| [&free * x, -(&free * x)]);
    Some(Some(corners.iter().map(|corner| &free * (&seen * corner)).chain(both).collect()))
}

/// An orthonormal basis of what is across some vectors.
fn null(vectors: &[DVector<f64>], r: usize, tol: &Tol) -> Option<DMatrix<f64>> {
    let mut square = DMatrix::zeros(vectors.len().max(r), r);
    let directed = vectors.iter().filter(|x| x.norm() > 0.0);
    directed.enumerate().for_each(|(i, x)| square.set_row(i, &(x / x.norm()).transpose()));
    let found = square.svd(false, true);
    let V = found.v_t?;
    let across: Vec<_> =
        (0..r).filter(|&i| found.singular_values[i] <= tol.closed).map(|i| V.row(i).transpose()).collect();
    Some(if across.is_empty() { DMatrix::zeros(r, 0) } else { DMatrix::from_columns(&across) })
}
