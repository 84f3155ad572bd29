//! Passive walking as cycles modulo a step: the rimless wheel against its closed form, the compass biped against an integration of
//! its own with the equations of the literature, and its limit of light legs, the simplest walker [GCRC98].

use mechan::pipeline::{CycleOptions, Failure, Loaded, SimulateOptions, cycle, load_bytes};
use mechan::simulate::cycle::Cycle;
use mechan::simulate::trajectory::EventKind;

const WHEEL: &str = include_str!("models/rimless_wheel.json");
const COMPASS: &str = include_str!("models/compass_biped.json");

/// A step along the section with its symmetry, from a state with some numbers set.
fn walk(text: &str, state: &str, set: &[&str], [section, symmetry]: [&str; 2]) -> Result<Cycle, Failure> {
    let loaded: Loaded = load_bytes("model", text.as_bytes().to_vec()).unwrap();
    let model = loaded.model.clone().unwrap();
    let motion = SimulateOptions {
        state: Some(state.to_string()),
        set: set.iter().map(ToString::to_string).collect(),
        t_end: 10.0,
        samples: Some(0),
        ..SimulateOptions::default()
    };
    let symmetry = Some(symmetry.to_string());
    cycle(&loaded, &model, &CycleOptions { motion, section: section.to_string(), symmetry })
}

/// The wheel goes on with its front spoke, 2γ ahead, as its rear one, whose foot is at x = 0.
const NEXT_SPOKE: &str = "theta=theta+2*gamma, x=-l*sin(theta+gamma)";
/// The legs change places, the stance foot is at x = y = 0.
const NEXT_LEG: &str = "theta_1=theta_2, theta_2=theta_1, x=0, y=0";

#[test]
fn the_rimless_wheel_has_the_step_of_its_closed_form() {
    const PI: f64 = std::f64::consts::PI;
    let wheels: [[f64; 3]; 3] =
        [[PI / 8.0, PI / 15.0, 0.1], [PI / 8.0, PI / 20.0, 0.5], [PI / 6.0, PI / 12.0, 0.0001]];
    for [gamma, chi, j] in wheels {
        // 2γ between spokes, j = I/(m l²): ω+ = r ω−, and on a spoke ω² grows by 4 (g/l) sin γ sin χ/(1 + j)
        let r = ((2.0 * gamma).cos() + j) / (1.0 + j);
        let gain = 4.0 * gamma.sin() * chi.sin() / (1.0 + j);
        let after = r * r * gain / (1.0 - r * r);
        // ω² where the spoke is at ψ from the normal, from γ to −γ
        let square = |psi: f64| after + 2.0 / (1.0 + j) * ((gamma - chi).cos() - (psi - chi).cos());
        assert!(square(chi) > 0.0, "the wheel comes over the top of its spoke");
        let rate = format!("dot(theta)=-{}", square(0.0).sqrt() * 1.02);
        let set = [format!("gamma={gamma}"), format!("chi={chi}"), format!("I={j}"), "mu=3".into(), rate];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let found = walk(WHEEL, "rolling", &set, ["theta-gamma/2", NEXT_SPOKE]).unwrap();
        assert!(found.step && found.returns == 1);
        let [step, shift] = [0, 1].map(|i| found.multipliers[i].map(|x| x.0));
        assert!((step[0] - r * r).abs() < 1e-8 && step[1].abs() < 1e-12, "{step:?} {}", r * r);
        assert!(shift[0].hypot(shift[1]) < 1e-9, "the foot's place is forgotten: {shift:?}");
        // at θ = γ/2 the spoke is at ψ = −γ/2
        let omega = found.v.0[2].1.0;
        assert!(
            (omega + square(-0.5 * gamma).sqrt()).abs() < 1e-9,
            "{omega} {}",
            square(-0.5 * gamma).sqrt()
        );
        // Simpson's rule for ∫ dψ/ω
        let n = 2000;
        let weight = |i: usize| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
        let point = |i: usize| gamma * (1.0 - 2.0 * i as f64 / n as f64);
        let sum: f64 = (0..=n).map(|i| weight(i) / square(point(i)).sqrt()).sum();
        let period = sum * 2.0 * gamma / n as f64 / 3.0;
        assert!((found.period.0 - period).abs() < 1e-9, "{:?} {period}", found.period);
    }
}

/// The compass with its stance foot pinned: legs of mass m at c from the hip, hip m_h, l = g = 1, by RK4.
#[derive(Clone, Copy)]
struct Compass {
    m_h: f64,
    m: f64,
    c: f64,
    inertia: f64,
    chi: f64,
}

type Y = [f64; 4];

impl Compass {
    fn rate(&self, [a, b, wa, wb]: Y) -> Y {
        let Self { m_h, m, c, inertia, chi } = *self;
        let (sin, cos) = (a - b).sin_cos();
        let [[p, q], [_, r]] = [
            [m_h + m + m * (1.0 - c) * (1.0 - c) + inertia, -m * c * cos],
            [-m * c * cos, m * c * c + inertia],
        ];
        // V = −(g_x x + g_y y): of the stance leg and the hip, and of the swing leg
        let first = m * c * sin * wb * wb + (m_h + m + m * (1.0 - c)) * (a - chi).sin();
        let second = -m * c * sin * wa * wa - m * c * (b - chi).sin();
        let det = p * r - q * q;
        [wa, wb, (r * first - q * second) / det, (p * second - q * first) / det]
    }

    fn ahead(&self, y: Y, h: f64) -> Y {
        let moved = |k: Y, h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        let k1 = self.rate(y);
        let k2 = self.rate(moved(k1, 0.5 * h));
        let k3 = self.rate(moved(k2, 0.5 * h));
        let k4 = self.rate(moved(k3, h));
        std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    }

    /// Angular momentum about the new foot, and of the trailing leg about the hip, are those before the strike.
    fn strike(&self, [a, b, wa, wb]: Y) -> Y {
        let Self { m_h, m, c, inertia, .. } = *self;
        let (d, far) = ((a - b).cos(), 1.0 - c);
        // before: stance leg a, about the foot of b, legs of equal length
        let before = [
            // hip, old stance leg at c from the hip, old swing leg at c from the hip
            m_h * d * wa + m * far * (d - c) * wa + inertia * wa + m * far * (d * wa - c * wb) + inertia * wb,
            m * far * (-c) * wa + inertia * wa,
        ];
        let after = [
            [m_h + m * (1.0 - c * d) + m * far * far + inertia, m * c * (c - d) + inertia],
            [-m * c * d, m * c * c + inertia],
        ];
        let det = after[0][0] * after[1][1] - after[0][1] * after[1][0];
        let new = (before[0] * after[1][1] - before[1] * after[0][1]) / det;
        let old = (before[1] * after[0][0] - before[0] * after[1][0]) / det;
        [b, a, new, old]
    }

    /// From just after a strike to just after the next: the state, and the time.
    fn step(&self, start: [f64; 3], h: f64) -> ([f64; 3], f64) {
        let [theta, wa, wb] = start;
        let (mut y, mut t) = ([theta, -theta, wa, wb], 0.0);
        let gap = |y: Y| y[0].cos() - y[1].cos();
        loop {
            let next = self.ahead(y, h);
            if next[1] > next[0] && next[0] < 0.0 && gap(next) <= 0.0 && gap(y) > 0.0 {
                let (mut low, mut high) = (0.0, h);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if gap(self.ahead(y, middle)) > 0.0 { low = middle } else { high = middle }
                }
                let [a, _, wa, wb] = self.strike(self.ahead(y, high));
                return ([a, wa, wb], t + high);
            }
            (y, t) = (next, t + h);
            assert!(t < 20.0, "it falls");
        }
    }

    /// The coefficients of the characteristic polynomial of the step map's slopes at a point, by central differences: trace, sum of
    /// the minors of two, determinant.
    fn invariants(&self, z: [f64; 3], h: f64) -> [f64; 3] {
        let reach = 1e-5;
        let columns: [[f64; 3]; 3] = std::array::from_fn(|j| {
            let moved = |sign: f64| {
                let mut z = z;
                z[j] += sign * reach;
                self.step(z, h).0
            };
            let (ahead, behind) = (moved(1.0), moved(-1.0));
            std::array::from_fn(|i| (ahead[i] - behind[i]) / (2.0 * reach))
        });
        let e = |i: usize, j: usize| columns[j][i];
        let minor = |i: usize, j: usize| e(i, i) * e(j, j) - e(i, j) * e(j, i);
        let det = e(0, 0) * (e(1, 1) * e(2, 2) - e(1, 2) * e(2, 1))
            - e(0, 1) * (e(1, 0) * e(2, 2) - e(1, 2) * e(2, 0))
            + e(0, 2) * (e(1, 0) * e(2, 1) - e(1, 1) * e(2, 0));
        [e(0, 0) + e(1, 1) + e(2, 2), minor(0, 1) + minor(0, 2) + minor(1, 2), det]
    }
}

/// The state after the strike of a cycle: the legs renamed.
fn after_strike(found: &Cycle) -> [f64; 3] {
    let strike = found.trajectory.events.iter().rfind(|event| event.kind == EventKind::Impact).unwrap();
    let [q, v] = [&strike.q, &strike.v];
    [q.0[3].1.0, v.0[3].1.0, v.0[2].1.0]
}

/// The same three numbers of the multipliers that were found, of which there is one more, that of the foot's place.
fn found_invariants(found: &Cycle) -> [f64; 3] {
    let z: Vec<[f64; 2]> = found.multipliers.iter().map(|m| m.map(|x| x.0)).collect();
    let times = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let pairs = times(z[0], z[1])[0] + times(z[0], z[2])[0] + times(z[1], z[2])[0];
    [z[0][0] + z[1][0] + z[2][0], pairs, times(times(z[0], z[1]), z[2])[0]]
}

fn compass(set: &[&str]) -> Cycle {
    walk(COMPASS, "mid_stance", set, ["theta_1", NEXT_LEG]).unwrap()
}

#[test]
fn the_compass_walks_as_an_integration_of_its_own_says() {
    let found = compass(&["theta_1=0.001", "theta_2=0.33", "dot(theta_1)=-0.173", "dot(theta_2)=0.42"]);
    let own = Compass { m_h: 2.0, m: 1.0, c: 0.5, inertia: 0.01, chi: std::f64::consts::PI / 60.0 };
    let z = after_strike(&found);
    let (back, period) = own.step(z, 1e-3);
    for (z, back) in z.iter().zip(back) {
        assert!((z - back).abs() < 1e-9, "{z} {back}");
    }
    assert!((period - found.period.0).abs() < 1e-9, "{period} {:?}", found.period);
    let (slopes, multipliers) = (own.invariants(z, 1e-3), found_invariants(&found));
    for (slope, multiplier) in slopes.iter().zip(multipliers) {
        assert!((slope - multiplier).abs() < 5e-6, "{slopes:?} {multipliers:?}");
    }
    // 0.56877 in the pair, as printed in the study
    assert!((found.multipliers[0][0].0 + 0.265_706).abs() < 1e-6, "{:?}", found.multipliers);
}

/// γ = 0.009: θ¨ = sin(θ − γ), φ¨ = θ¨ + θ˙² sin φ − cos(θ − γ) sin φ; at φ = 2θ the legs change and ω becomes ω cos 2θ  [GCRC98].
#[test]
fn with_light_legs_it_is_the_simplest_walker() {
    let published: [f64; 2] = [0.200_310_900_544_287, -0.199_832_473_004_977];
    let slope = 0.009_f64;
    let rate = |[theta, phi, w, p]: Y| {
        let first = (theta - slope).sin();
        [w, p, first, first + w * w * phi.sin() - (theta - slope).cos() * phi.sin()]
    };
    let ahead = |y: Y, h: f64| -> Y {
        let moved = |k: Y, h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        let (k1, half) = (rate(y), 0.5 * h);
        let k2 = rate(moved(k1, half));
        let k3 = rate(moved(k2, half));
        let k4 = rate(moved(k3, h));
        std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    };
    let [theta, omega] = published;
    let (mut y, h) = ([theta, 2.0 * theta, omega, omega * (1.0 - (2.0 * theta).cos())], 1e-3);
    let room = |y: Y| y[1] - 2.0 * y[0];
    let strike = loop {
        let next = ahead(y, h);
        if next[0] < -0.05 && room(next) >= 0.0 && room(y) < 0.0 {
            let (mut low, mut high) = (0.0, h);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if room(ahead(y, middle)) < 0.0 { low = middle } else { high = middle }
            }
            break ahead(y, high);
        }
        y = next;
    };
    assert!((strike[0] + theta).abs() < 1e-10, "{strike:?}");
    assert!((strike[2] * (2.0 * strike[0]).cos() - omega).abs() < 1e-10, "{strike:?}");
    // legs of mass β at the feet, and to the limit by their differences
    let light = ["m_h=1", "c=1", "I=0", "chi=0.009", "mu=2", "theta_1=0.001", "theta_2=0.0533"];
    let start = ["dot(theta_1)=-0.0594", "dot(theta_2)=0.28"];
    let numbers = ["m=0.001", "m=0.0001"].map(|mass| {
        let found = compass(&[&light[..], &start, &[mass]].concat());
        let z = after_strike(&found);
        [z[0], z[1], found.multipliers[0][0].0, found.multipliers[0][1].0]
    });
    let limit: [f64; 4] = std::array::from_fn(|i| (10.0 * numbers[1][i] - numbers[0][i]) / 9.0);
    assert!((limit[0] - published[0]).abs() < 2e-7 && (limit[1] - published[1]).abs() < 2e-7, "{limit:?}");
    // −0.190 ± 0.558 i
    assert!((limit[2] + 0.190).abs() < 1e-3 && (limit[3] - 0.5575).abs() < 1e-3, "{limit:?}");
}

#[test]
fn a_map_that_is_no_renaming_is_refused() {
    let failure =
        walk(WHEEL, "rolling", &["dot(theta)=-0.5"], ["theta-gamma/2", "theta=theta+2*gamma, x=2*x"]);
    let failure = failure.unwrap_err();
    assert!(failure.to_string().contains("is no renaming"), "{failure}");
    assert_eq!(failure.exit_status(), 2);
}
