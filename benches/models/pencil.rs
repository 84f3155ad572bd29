//! The falling pencil: its derived model, and the same numbers by hand.
//!
//! The model file is what `mechan derive --format model mechanisms/falling_pencil.yaml` writes.

use mechan::model::{Block, Kernel, Model, ModelFile, ModelFileError, Output, Values};

const FILE: &str = include_str!("falling_pencil.json");

/// The derived model.
pub(crate) fn model() -> Result<Model, ModelFileError> {
    ModelFile::read(FILE).map(|file| file.model)
}

/// Gap, gap rate, slip, D and the free contact accelerations.
pub(crate) fn kernel() -> Result<Kernel, ModelFileError> {
    let wanted = [
        Block::Model(Output::Gap),
        Block::GapVelocity,
        Block::Slip,
        Block::Delassus,
        Block::FreeContactAcceleration,
    ];
    model().map(|model| Kernel::new(&model, &wanted))
}

/// t, x, y, θ, ẋ, ẏ, θ̇, m, l, g, I, μ, e.
pub(crate) type Inputs = [f64; 13];

/// Slipping with the lean, not quite closed.
pub(crate) const STATE: Inputs = [0.0, 0.1, 0.02, 0.7, 1.0, -0.3, -2.0, 1.2, 0.8, 9.81, 0.3, 0.9, 0.5];

/// Gap, gap rate, slip, A, B, C, a, b, p+, p−, k+, k−: everything that decides what a contact can do.
pub(crate) type Found = [f64; 12];

/// p± = C ∓ μB [CV16 (13), (18)], k± = μA ∓ B [CV16 (23)].
#[inline(always)]
fn with_gains(kinematics: [f64; 3], [a_tt, b_tn, c_nn, a, b]: [f64; 5], mu: f64) -> Found {
    let [gap, rate, slip] = kinematics;
    let (coupling, own) = (mu * b_tn, mu * a_tt);
    [gap, rate, slip, a_tt, b_tn, c_nn, a, b, c_nn - coupling, c_nn + coupling, own - b_tn, own + b_tn]
}

/// The same from a kernel's values.
#[inline(always)]
pub(crate) fn found(kernel: &Kernel, values: &Values<f64>, mu: f64) -> Found {
    let first = |block: Block| kernel.block(values, block)[0];
    let (d, free) =
        (kernel.block(values, Block::Delassus), kernel.block(values, Block::FreeContactAcceleration));
    let kinematics = [first(Block::Model(Output::Gap)), first(Block::GapVelocity), first(Block::Slip)];
    with_gains(kinematics, [d[2], d[1], d[0], free[1], free[0]], mu)
}

/// By hand, with what a person knows: seen from the centre of mass M is diagonal, and A = 1/m + (l cos θ)²/I.
#[inline(never)]
pub(crate) fn specialised(x: &Inputs) -> Found {
    let [_, _, y, theta, xd, yd, omega, m, l, g, inertia, mu, _] = *x;
    let (s, c) = theta.sin_cos();
    let (inverse, ls, lc, w2) = (1.0 / m, l * s, l * c, omega * omega);
    let turn = 1.0 / inertia;
    let local = [inverse + lc * lc * turn, ls * lc * turn, inverse + ls * ls * turn, -ls * w2, lc * w2 - g];
    with_gains([y, yd, xd], local, mu)
}

/// By hand, as the mechanism is given: M and h in the coordinates of the tip, then M = L D Lᵀ of the full matrix.
#[inline(never)]
pub(crate) fn general(x: &Inputs) -> Found {
    let [_, _, y, theta, xd, yd, omega, m, l, g, inertia, mu, _] = *x;
    let (s, c) = theta.sin_cos();
    let (ls, lc, w2) = (l * s, l * c, omega * omega);
    let mass = [m, 0.0, m, -m * lc, -m * ls, inertia + m * (l * l)];
    let h = [m * ls * w2, m * g - m * lc * w2, -m * g * ls];
    let (l10, d0) = (mass[1] / mass[0], mass[0]);
    let d1 = mass[2] - l10 * mass[1];
    let l20 = mass[3] / d0;
    let off = mass[4] - mass[3] * l10;
    let l21 = off / d1;
    let d2 = mass[5] - mass[3] * l20 - off * l21;
    let forward = |b: [f64; 3]| {
        let second = b[1] - l10 * b[0];
        [b[0], second, b[2] - l20 * b[0] - l21 * second]
    };
    let (bias, normal, tangent) = (forward(h), forward([0.0, 1.0, 0.0]), forward([1.0, 0.0, 0.0]));
    let weights = [1.0 / d0, 1.0 / d1, 1.0 / d2];
    let inner = |y: &[f64; 3], z: &[f64; 3]| {
        y[0] * z[0] * weights[0] + y[1] * z[1] * weights[1] + y[2] * z[2] * weights[2]
    };
    let local = [
        inner(&tangent, &tangent),
        inner(&tangent, &normal),
        inner(&normal, &normal),
        -inner(&tangent, &bias),
        -inner(&normal, &bias),
    ];
    with_gains([y, yd, xd], local, mu)
}
