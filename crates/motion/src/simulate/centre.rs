//! The point furthest inside a number of cones: the largest τ with a_c(x) − |b_c(x)| ≥ τ for every cone c, a and b being affine
//! in x, by a barrier and Newton's method with the damping of self-concordant functions   [Nesterov, Nemirovskii 1994]: along
//!
//! > τ/ε + Σ log((a − τ)² − |b|²) + log(1 − τ) − ρ|x|²/2   (log(a − τ) where there is no b)
//!
//! ε falls to rounding. τ is then a smooth function of the numbers, within ν ε of the largest, ν being the sum of the
//! degrees; the cap 1 and ρ keep it where forces may grow without end. Allocates only until it knows the largest size.

/// Numbers per cone at most: a, and b of two components.
const PARTS: usize = 3;
/// The last ε.
const LAST: f64 = 1.0 / 8_796_093_022_208.0;
/// By what ε falls.
const FALL: f64 = 0.125;
/// ρ.
const PULL: f64 = 1.0 / 1_048_576.0;
/// Newton steps for one ε, and the decrement at which the next is taken: within the range of quadratic convergence.
const STEPS: usize = 60;
const NEAR: f64 = 0.25;
/// The decrement at which the last ε is done with.
const DONE: f64 = 1.0 / 1024.0;
/// A pivot below this share of its diagonal entry is a direction that rounding hides: nothing moves along it.
const HIDDEN: f64 = 64.0 * f64::EPSILON;

/// Cones over x of some dimension, and the memory of finding the point.
#[derive(Clone, Debug, Default)]
pub(in crate::simulate) struct CentreSearch {
    dimension: usize,
    /// Number of parts of each cone.
    parts: Vec<usize>,
    /// Of each part of each cone its value at x = 0 and its gradient.
    lines: Vec<f64>,
    /// (x, τ).
    point: Vec<f64>,
    trial: Vec<f64>,
    gradient: Vec<f64>,
    hessian: Vec<f64>,
    diagonal: Vec<f64>,
    slope: Vec<f64>,
}

/// How far inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::simulate) struct Depth {
    /// τ.
    pub(in crate::simulate) value: f64,
    /// How far the largest may be from it.
    pub(in crate::simulate) error: f64,
}

impl CentreSearch {
    /// Forgets all cones.
    pub(in crate::simulate) fn begin(&mut self, dimension: usize) {
        self.dimension = dimension;
        self.parts.clear();
        self.lines.clear();
    }

    /// Another cone with these parts, each a value and a gradient.
    pub(in crate::simulate) fn cone<'l>(
        &mut self,
        parts: impl Iterator<Item = (f64, &'l dyn Fn(usize) -> f64)>,
    ) {
        let mut count = 0;
        for (value, gradient) in parts {
            self.lines.push(value);
            self.lines.extend((0..self.dimension).map(gradient));
            count += 1;
        }
        self.parts.push(count);
    }

    /// x of the point.
    pub(in crate::simulate) fn x(&self) -> &[f64] {
        &self.point[..self.dimension]
    }

    /// The room a − |b| of the cone that has least at x = 0.
    fn room_at_origin(&mut self) -> f64 {
        self.point.clear();
        self.point.resize(self.dimension + 1, 0.0);
        self.least(&self.point)
    }

    fn least(&self, point: &[f64]) -> f64 {
        let mut place = 0;
        let rooms = self.parts.iter().map(|&parts| {
            let [a, rest @ ..] = self.values(place, parts, point);
            place += parts * (self.dimension + 1);
            a - rest[0].hypot(rest[1])
        });
        rooms.fold(f64::INFINITY, f64::min)
    }

    /// The parts of a cone whose lines begin at a place.
    fn values(&self, place: usize, parts: usize, point: &[f64]) -> [f64; PARTS] {
        let width = self.dimension + 1;
        std::array::from_fn(|k| {
            if k >= parts {
                return 0.0;
            }
            let line = &self.lines[place + k * width..place + (k + 1) * width];
            line[0] + line[1..].iter().zip(point).map(|(g, x)| g * x).sum::<f64>()
        })
    }

    /// Finds the point.
    pub(in crate::simulate) fn find(&mut self) -> Depth {
        let (n, room) = (self.dimension + 1, self.room_at_origin());
        self.point[n - 1] = room.min(1.0) - 1.0;
        let mut epsilon = 1.0;
        loop {
            let last = epsilon <= LAST;
            let near = if last { DONE } else { NEAR };
            for _ in 0..STEPS {
                if !self.step(epsilon, near) {
                    break;
                }
            }
            if last {
                break;
            }
            epsilon = (epsilon * FALL).max(LAST);
        }
        let degree = 1 + self.parts.iter().map(|&parts| parts.min(2)).sum::<usize>();
        let half = 0.5 * LAST * degree as f64;
        Depth { value: self.point[n - 1] + half, error: half }
    }

    /// A damped step of Newton's method; false where the point is as near to the centre as is asked.
    fn step(&mut self, epsilon: f64, near: f64) -> bool {
        let n = self.dimension + 1;
        self.differentiate(epsilon);
        self.slope.clone_from(&self.gradient);
        solve(&mut self.hessian, &mut self.slope, &mut self.diagonal);
        let square: f64 = self.slope.iter().zip(&self.gradient).map(|(a, b)| a * b).sum();
        let decrement = square.max(0.0).sqrt();
        if decrement <= near || decrement.is_nan() {
            return false;
        }
        let mut share = if decrement < NEAR { 1.0 } else { 1.0 / (1.0 + decrement) };
        while share > HIDDEN {
            self.trial.clear();
            self.trial.extend(self.point.iter().zip(&self.slope).map(|(x, s)| x + share * s));
            if self.trial[n - 1] < 1.0 && self.least(&self.trial) > self.trial[n - 1] {
                std::mem::swap(&mut self.point, &mut self.trial);
                return true;
            }
            share *= 0.5;
        }
        false
    }

    /// The gradient of the barrier function and minus its second derivative.
    fn differentiate(&mut self, epsilon: f64) {
        let n = self.dimension + 1;
        let tau = self.point[n - 1];
        self.gradient.clear();
        self.gradient.extend(self.point.iter().map(|x| -PULL * x));
        self.gradient[n - 1] = 1.0 / epsilon - 1.0 / (1.0 - tau);
        self.hessian.clear();
        self.hessian.resize(n * n, 0.0);
        (0..n - 1).for_each(|i| self.hessian[i * n + i] = PULL);
        self.hessian[n * n - 1] = 1.0 / ((1.0 - tau) * (1.0 - tau));
        let mut place = 0;
        for cone in 0..self.parts.len() {
            let parts = self.parts[cone];
            self.add(place, parts, tau);
            place += parts * n;
        }
    }

    /// What a cone contributes.
    fn add(&mut self, place: usize, parts: usize, tau: f64) {
        let n = self.dimension + 1;
        let [a, b @ ..] = self.values(place, parts, &self.point);
        let s = a - tau;
        let Self { lines, gradient, hessian, diagonal, .. } = self;
        let line = |part: usize, i: usize| match (part, i + 1 == n) {
            (0, true) => -1.0,
            (_, true) => 0.0,
            _ => lines[place + part * n + 1 + i],
        };
        let (degree, product) = match parts {
            1 => (1.0, s),
            _ => {
                let across = b[0].hypot(b[1]);
                (2.0, (s - across) * (s + across))
            }
        };
        // ∇ log
        diagonal.clear();
        diagonal.extend((0..n).map(|i| {
            let across: f64 = (1..parts).map(|part| b[part - 1] * line(part, i)).sum();
            if parts == 1 { line(0, i) / product } else { degree * (s * line(0, i) - across) / product }
        }));
        for i in 0..n {
            gradient[i] += diagonal[i];
            for j in 0..=i {
                let mut own = diagonal[i] * diagonal[j];
                if parts > 1 {
                    let across: f64 = (1..parts).map(|part| line(part, i) * line(part, j)).sum();
                    own -= degree * (line(0, i) * line(0, j) - across) / product;
                }
                hessian[i * n + j] += own;
            }
        }
    }
}

/// Replaces b by H⁻¹b, H being given by its lower half: L D Lᵀ without the directions that rounding hides.
fn solve(h: &mut [f64], b: &mut [f64], diagonal: &mut Vec<f64>) {
    let n = b.len();
    diagonal.clear();
    diagonal.extend((0..n).map(|i| h[i * n + i]));
    for k in 0..n {
        let pivot = h[k * n + k];
        let hidden = pivot <= HIDDEN * diagonal[k] || pivot.is_nan();
        for i in k + 1..n {
            let factor = if hidden { 0.0 } else { h[i * n + k] / pivot };
            for j in k + 1..=i {
                h[i * n + j] -= factor * h[j * n + k];
            }
        }
        for i in k + 1..n {
            h[i * n + k] = if hidden { 0.0 } else { h[i * n + k] / pivot };
        }
        if hidden {
            h[k * n + k] = f64::INFINITY;
        }
    }
    for i in 0..n {
        let known: f64 = (0..i).map(|j| h[i * n + j] * b[j]).sum();
        b[i] -= known;
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| h[j * n + i] * b[j]).sum();
        b[i] = b[i] / h[i * n + i] - known;
    }
}

#[cfg(test)]
mod tests {
    use super::CentreSearch;

    /// Largest τ with |xᵢ| ≤ hᵢ − τ: the smallest half width.
    #[test]
    fn a_box_has_the_depth_of_its_smallest_half_width() {
        let mut centre = CentreSearch::default();
        centre.begin(2);
        for (axis, (middle, half)) in [(0.3, 0.2), (-4.0, 0.5)].into_iter().enumerate() {
            let along = move |i: usize| if i == axis { 1.0 } else { 0.0 };
            let zero = |_: usize| 0.0;
            let parts: [(f64, &dyn Fn(usize) -> f64); 2] = [(half, &zero), (-middle, &along)];
            centre.cone(parts.into_iter());
        }
        let depth = centre.find();
        assert!((depth.value - 0.2).abs() <= 2.0 * depth.error, "{depth:?}");
        assert!((centre.x()[0] - 0.3).abs() < 1e-6 && (centre.x()[1] + 4.0).abs() < 0.5, "{:?}", centre.x());
    }

    /// The triangle x, y ≥ 0, x + y ≤ 1 with unit normals: the radius of its incircle. Outside, τ is negative.
    #[test]
    fn a_triangle_has_the_depth_of_its_incircle() {
        let root = 0.5_f64.sqrt();
        for (size, expected) in [(1.0, 1.0 / (2.0 + 2.0_f64.sqrt())), (-1.0, -1.0 / (2.0 + 2.0_f64.sqrt()))] {
            let mut centre = CentreSearch::default();
            centre.begin(2);
            let [x, y, sum]: [&dyn Fn(usize) -> f64; 3] =
                [&|i| if i == 0 { 1.0 } else { 0.0 }, &|i| if i == 1 { 1.0 } else { 0.0 }, &|_| -root];
            for line in [(0.0, x), (0.0, y), (size * root, sum)] {
                centre.cone([line].into_iter());
            }
            let depth = centre.find();
            assert!((depth.value - expected).abs() <= 2.0 * depth.error, "{depth:?} {expected}");
        }
    }

    /// a − |b| with b = (x − 1, y) and a = 1 − (x + y)/2: largest where b = 0; and the cap where nothing else ends it.
    #[test]
    fn a_cone_is_deepest_on_its_axis_and_a_ray_ends_at_the_cap() {
        let mut centre = CentreSearch::default();
        centre.begin(2);
        let [a, x, y]: [&dyn Fn(usize) -> f64; 3] =
            [&|_| -0.5, &|i| if i == 0 { 1.0 } else { 0.0 }, &|i| if i == 1 { 1.0 } else { 0.0 }];
        centre.cone([(1.0, a), (-1.0, x), (0.0, y)].into_iter());
        let depth = centre.find();
        assert!((depth.value - 0.5).abs() <= 2.0 * depth.error, "{depth:?}");
        centre.begin(1);
        centre.cone([(-3.0, x)].into_iter());
        assert!((centre.find().value - 1.0).abs() < 1e-12);
    }
}
