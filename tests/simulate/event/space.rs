//! Impacts of the rod in space against Routh's equations, integrated or in closed form where the slip keeps to a line.

use super::{Mover, assert_near, events};
use mechan::simulate::trajectory::{EventDetail, EventKind::Impact, ImpactDetail, Pair};

/// Relative velocity of the tip and the slopes over the normal impulse P: u' = B − μAû, v' = C − μB·û, or the stick's.
struct Routh {
    A: [[f64; 2]; 2],
    B: [f64; 2],
    C: f64,
    mu: f64,
}

impl Routh {
    /// A, B, C of the uniform rod with m = 1 at (ψ, θ): (4 − 3 e eᵀ) along and across the plane.
    fn rod(psi: f64, theta: f64, mu: f64) -> Self {
        let (s, c) = theta.sin_cos();
        let e = [psi.cos() * c, psi.sin() * c];
        let entry = |i: usize, j: usize| if i == j { 4.0 } else { 0.0 } - 3.0 * e[i] * e[j];
        let A = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
        Self { A, B: [3.0 * e[0] * s, 3.0 * e[1] * s], C: 4.0 - 3.0 * s * s, mu }
    }

    fn slope(&self, [u, w, _]: [f64; 3]) -> [f64; 3] {
        let speed = u.hypot(w);
        let d = [u / speed, w / speed];
        let turn = |i: usize| self.B[i] - self.mu * (self.A[i][0] * d[0] + self.A[i][1] * d[1]);
        [turn(0), turn(1), self.C - self.mu * (self.B[0] * d[0] + self.B[1] * d[1])]
    }

    /// v' in stick: C − Bᵀ A⁻¹ B.
    fn stick(&self) -> f64 {
        let [[a, b], [_, d]] = self.A;
        let [x, y] = self.B;
        self.C - (d * x * x - 2.0 * b * x * y + a * y * y) / (a * d - b * b)
    }

    /// One step of RK4.
    fn step(&self, y: [f64; 3], h: f64) -> [f64; 3] {
        let ahead = |k: [f64; 3], h: f64| [0, 1, 2].map(|i| y[i] + h * k[i]);
        let a = self.slope(y);
        let b = self.slope(ahead(a, 0.5 * h));
        let c = self.slope(ahead(b, 0.5 * h));
        let d = self.slope(ahead(c, h));
        [0, 1, 2].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
    }

    /// Velocities after P, from those before; stick from where the slip is all but over.
    fn after(&self, start: [f64; 3], P: f64, steps: usize) -> [f64; 3] {
        let (mut y, h) = (start, P / steps as f64);
        for i in 0..steps {
            if y[0].hypot(y[1]) < 4.0 * h * (1.0 + self.mu) {
                let left = P - i as f64 * h;
                return [0.0, 0.0, y[2] + left * self.stick()];
            }
            y = self.step(y, h);
        }
        y
    }

    /// Poisson's law: (1 + e) times the impulse at which v = 0, found by bisection.
    fn poisson(&self, start: [f64; 3], e: f64, steps: usize) -> ([f64; 3], f64) {
        let (mut low, mut high) = (0.0, 10.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.after(start, middle, steps)[2] < 0.0 { low = middle } else { high = middle }
        }
        let P = (1.0 + e) * high;
        (self.after(start, P, steps), P)
    }
}

fn impact_of(set: &[&str]) -> ImpactDetail {
    let trajectory = Mover::kept("rod_3d").run("impact", set, 0.01);
    let EventDetail::Impact(detail) = &events(&trajectory, Impact)[0].detail else { panic!() };
    detail.clone()
}

fn pair(u: Pair) -> [f64; 2] {
    let Pair::Two([one, two]) = u else { panic!() };
    [one.0, two.0]
}

fn compare(detail: &ImpactDetail, routh: &Routh, steps: usize, allowed: f64) -> [f64; 2] {
    let [u, w] = pair(detail.pre.u);
    let (after, P) = routh.poisson([u, w, detail.pre.v.0], 0.5, steps);
    let found = pair(detail.post.u);
    assert_near(detail.impulse.normal.0, P, allowed);
    assert_near(found[0], after[0], allowed);
    assert_near(found[1], after[1], allowed);
    assert_near(detail.post.v.0, after[2], allowed);
    found
}

/// Slip that turns all the way, and slip that ends in stick on the way.
#[test]
fn oblique_impacts_are_those_of_rouths_equations() {
    let fast = impact_of(&["mu=0.3", "dot(x)=2", "dot(y)=1.5"]);
    let still = compare(&fast, &Routh::rod(PSI, THETA, 0.3), 4000, 1e-9);
    assert!(still[0].hypot(still[1]) > 0.1);
    let slow = impact_of(&["mu=1", "dot(x)=0.2", "dot(y)=0.3"]);
    let ended = compare(&slow, &Routh::rod(PSI, THETA, 1.0), 200_000, 1e-4);
    assert_near(ended[0].hypot(ended[1]), 0.0, 1e-12);
}

const PSI: f64 = std::f64::consts::FRAC_PI_6;
const THETA: f64 = std::f64::consts::FRAC_PI_3;

/// Along the heading the impact is that of the plane in closed form: slip to its end, then stick, in compression or restitution.
#[test]
fn impacts_along_the_heading_are_those_of_the_plane() {
    for slip in [0.1f64, 0.4, 0.9, 3.0] {
        let set = ["psi=0", "dot(psi)=0", "dot(y)=0", &format!("dot(x)={slip}"), "mu=0.8"];
        let detail = impact_of(&set);
        let (s, c) = THETA.sin_cos();
        let (A, B, C, mu, e, v) = (1.0 + 3.0 * s * s, 3.0 * s * c, 1.0 + 3.0 * c * c, 0.8, 0.5, -1.0);
        let (k, p, stick) = (mu * A - B, C - mu * B, (A * C - B * B) / A);
        let end = slip / k;
        let at_end = v + p * end;
        let compressed = if at_end < 0.0 { end - at_end / stick } else { -v / p };
        let P = (1.0 + e) * compressed;
        let after = if P > end { [0.0, at_end + stick * (P - end)] } else { [slip - k * P, v + p * P] };
        assert_near(detail.impulse.normal.0, P, 1e-10);
        assert_near(pair(detail.post.u)[0], after[0], 1e-10);
        assert_near(pair(detail.post.u)[1], 0.0, 1e-13);
        assert_near(detail.post.v.0, after[1], 1e-10);
    }
}

/// A mass on a spring falls onto a belt in space, bounces, slides, is carried, and slides again: what the belt works in the last instant of a slip
/// counts.
#[test]
fn a_belt_in_space_accounts_for_its_work() {
    let belt = Mover::of("tests/simulate/models/spring_on_belt.json");
    for end in [0.7, 1.2, 3.0] {
        let trajectory = belt.run("drop", &[], end);
        assert_near(trajectory.energy.defect.0, 0.0, 1e-10);
    }
}
