//! The models that evaluation is measured on, built by hand: no derivation takes part.
//!
//! rod: q = (x, y, θ), uniform rod of half length l, tip at (x − l cos θ, y − l sin θ).
//! cart-n: a cart m₀ on a slider with n massless links and point masses m_k in a row, absolute angles from the
//! downward vertical; the contact is at the last mass.

use mechan::tape::{Builder, Tape, Unary, Value};

/// Inputs: x, y, θ, ẋ, ẏ, θ̇, m, l, g. Outputs: M (6, lower triangle), h (3), W_N (3), W_T (3), drift_N, drift_T.
pub(crate) fn rod() -> Tape {
    let mut b = Builder::new(9);
    let [theta, omega, m, l, g] = [2, 5, 6, 7, 8].map(|i| b.input(i));
    let (zero, one, three) = (b.constant(0.0), b.constant(1.0), b.constant(3.0));
    let (s, c) = (b.unary(Unary::Sin, theta), b.unary(Unary::Cos, theta));
    let (ls, lc, w2) = (b.mul(l, s), b.mul(l, c), b.mul(omega, omega));
    let ml2 = {
        let l2 = b.mul(l, l);
        b.mul(m, l2)
    };
    let inertia = b.div(ml2, three);
    let (weight, arm, drift_n, drift_t) = (b.mul(m, g), b.neg(lc), b.mul(ls, w2), b.mul(lc, w2));
    b.finish(&[
        m, zero, m, zero, zero, inertia, zero, weight, zero, zero, one, arm, one, zero, ls, drift_n, drift_t,
    ])
}

/// The same by hand, the yardstick.
#[inline(never)]
pub(crate) fn rod_by_hand(inputs: &[f64; 9], out: &mut [f64; 17]) {
    let [_, _, theta, _, _, omega, m, l, g] = *inputs;
    let (s, c) = theta.sin_cos();
    let (ls, lc, w2) = (l * s, l * c, omega * omega);
    *out = [
        m,
        0.0,
        m,
        0.0,
        0.0,
        m * (l * l) / 3.0,
        0.0,
        m * g,
        0.0,
        0.0,
        1.0,
        -lc,
        1.0,
        0.0,
        ls,
        ls * w2,
        lc * w2,
    ];
}

/// A state of the rod with its parameters.
pub(crate) const ROD: [f64; 9] = [0.1, 0.2, 1.1, 0.3, -0.4, 2.5, 1.0, 0.5, 9.81];

/// Inputs of cart-n: x, θ (n), ẋ, θ̇ (n), m₀, m (n), l (n), g, F.
/// Outputs: M (lower triangle), f (n + 1), W_x (n + 1), W_y (n + 1), c_x, c_y.
pub(crate) fn cart(n: usize) -> Tape {
    let mut b = Builder::new(2 * (n + 1) + 1 + 2 * n + 2);
    let at = 2 * (n + 1);
    let angles: Vec<Value> = (0..n).map(|k| b.input(1 + k)).collect();
    let rates: Vec<Value> = (0..n).map(|k| b.input(n + 2 + k)).collect();
    let masses: Vec<Value> = (0..n).map(|k| b.input(at + 1 + k)).collect();
    let lengths: Vec<Value> = (0..n).map(|k| b.input(at + 1 + n + k)).collect();
    let (m0, g, force) = (b.input(at), b.input(at + 1 + 2 * n), b.input(at + 2 + 2 * n));
    let outer = suffix_sums(&mut b, &masses);
    let mut arms = |f: Unary| -> Vec<Value> {
        (0..n)
            .map(|k| {
                let t = b.unary(f, angles[k]);
                b.mul(lengths[k], t)
            })
            .collect()
    };
    let (xs, ys) = (arms(Unary::Sin), arms(Unary::Cos));
    let squares: Vec<Value> = rates.iter().map(|&w| b.mul(w, w)).collect();
    let (wx, wy) = (products(&mut b, &squares, &xs), products(&mut b, &squares, &ys));
    let mut out = vec![b.add(m0, outer[0])];
    for i in 0..n {
        let (mx, my) = (b.mul(outer[i], xs[i]), b.mul(outer[i], ys[i]));
        out.push(my);
        for j in 0..=i {
            let (p, q) = (b.mul(mx, xs[j]), b.mul(my, ys[j]));
            out.push(b.add(p, q));
        }
    }
    let moved = products(&mut b, &outer, &wx);
    let total = sum(&mut b, &moved);
    out.push(b.add(force, total));
    let (px, py) = (coupling(&mut b, &outer, &wx), coupling(&mut b, &outer, &wy));
    for i in 0..n {
        let weight = b.mul(outer[i], g);
        let lift = b.add(py[i], weight);
        let (p, q) = (b.mul(ys[i], px[i]), b.mul(xs[i], lift));
        out.push(b.sub(p, q));
    }
    out.push(b.constant(1.0));
    out.extend(&ys);
    out.push(b.constant(0.0));
    out.extend(&xs);
    let (cx, cy) = (sum(&mut b, &wx), sum(&mut b, &wy));
    out.push(b.neg(cx));
    out.push(cy);
    b.finish(&out)
}

/// The state and parameters of the check value: θ_k = 0.2k, θ̇_k = −0.1k, m_k = 1 + 0.1k, l_k = 0.5 + 0.05k.
pub(crate) fn cart_state(n: usize) -> Vec<f64> {
    let ks = || (1..=n).map(|k| k as f64);
    let mut inputs = vec![0.1];
    inputs.extend(ks().map(|k| 0.2 * k));
    inputs.push(0.3);
    inputs.extend(ks().map(|k| -0.1 * k));
    inputs.push(2.0);
    inputs.extend(ks().map(|k| 1.0 + 0.1 * k));
    inputs.extend(ks().map(|k| 0.5 + 0.05 * k));
    inputs.extend([9.81, 0.7]);
    inputs
}

fn products(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    x.iter().zip(y).map(|(&x, &y)| b.mul(x, y)).collect()
}

fn sum(b: &mut Builder, x: &[Value]) -> Value {
    x.iter().skip(1).fold(x[0], |s, &v| b.add(s, v))
}

/// Σ_{j ≥ i} x_j.
fn suffix_sums(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    let mut sums = x.to_vec();
    for i in (0..x.len() - 1).rev() {
        sums[i] = b.add(x[i], sums[i + 1]);
    }
    sums
}

/// Σ_j m_max(i,j) x_j = m_i Σ_{j ≤ i} x_j + Σ_{j > i} m_j x_j.
fn coupling(b: &mut Builder, m: &[Value], x: &[Value]) -> Vec<Value> {
    let n = x.len();
    let weighted = products(b, m, x);
    let after = suffix_sums(b, &weighted);
    let mut before = x[0];
    (0..n)
        .map(|i| {
            before = if i == 0 { x[0] } else { b.add(before, x[i]) };
            let inner = b.mul(m[i], before);
            if i + 1 < n { b.add(inner, after[i + 1]) } else { inner }
        })
        .collect()
}

/// A, B, C, a, b of the rod's contact and the pivots of M, the solution of M's system on the tape.
/// Inputs as [`rod`].
pub(crate) fn rod_contact() -> Tape {
    let rod = rod();
    let mut b = Builder::new(rod.inputs());
    let inputs: Vec<Value> = (0..rod.inputs()).map(|i| b.input(i)).collect();
    let out = b.append(&rod, &inputs);
    let factor = b.factor(&out[..6], 3);
    let [h, normal, tangent] = [6, 9, 12].map(|i| b.forward(&factor, &out[i..i + 3]));
    let delassus = [(&tangent, &tangent), (&tangent, &normal), (&normal, &normal)];
    let mut found: Vec<Value> = delassus.iter().map(|(y, z)| b.inner(&factor, y, z)).collect();
    for (row, drift) in [(&tangent, out[16]), (&normal, out[15])] {
        let free = b.inner(&factor, row, &h);
        found.push(b.sub(drift, free));
    }
    found.extend(factor.pivots);
    b.finish(&found)
}
