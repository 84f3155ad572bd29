//! Vectors of values on a tape. What is a constant zero leaves no instruction.

use crate::tape::{Builder, Value};

/// A vector of values.
pub(super) type Vector = Vec<Value>;

/// n zeros.
pub(super) fn zeros(b: &mut Builder, n: usize) -> Vector {
    vec![b.constant(0.0); n]
}

/// Σ x_k v_k.
pub(super) fn combined(b: &mut Builder, x: &[Value], vectors: &[Vector]) -> Vector {
    (0..vectors[0].len())
        .map(|i| {
            let column: Vector = vectors.iter().map(|v| v[i]).collect();
            b.dot(x, &column)
        })
        .collect()
}

/// A x, by rows.
pub(super) fn times(b: &mut Builder, matrix: &[Vector], x: &[Value]) -> Vector {
    matrix.iter().map(|row| b.dot(row, x)).collect()
}

/// x + y.
pub(super) fn sum(b: &mut Builder, x: &[Value], y: &[Value]) -> Vector {
    x.iter().zip(y).map(|(&x, &y)| b.add(x, y)).collect()
}

/// s·x.
pub(super) fn scaled(b: &mut Builder, s: Value, x: &[Value]) -> Vector {
    x.iter().map(|&x| b.mul(s, x)).collect()
}

/// sum + e × x for an axis e; in the plane e is a number. Each product joins the sum at once, which a tape does in one
/// instruction.
pub(super) fn plus_swept(b: &mut Builder, sum: &[Value], e: &[Value], x: &[Value]) -> Vector {
    match e {
        [e] => {
            let (one, other) = (b.mul(*e, x[1]), b.mul(*e, x[0]));
            vec![b.sub(sum[0], one), b.add(sum[1], other)]
        }
        _ => plus_cross(b, sum, e, x),
    }
}

/// sum + r × x, a moment: a number in the plane.
pub(super) fn plus_moment(b: &mut Builder, sum: &[Value], r: &[Value], x: &[Value]) -> Vector {
    match (r, x) {
        ([r0, r1], [x0, x1]) => {
            let (one, other) = (b.mul(*r0, *x1), b.mul(*r1, *x0));
            let more = b.add(sum[0], one);
            vec![b.sub(more, other)]
        }
        _ => plus_cross(b, sum, r, x),
    }
}

/// sum + x × y in space.
pub(super) fn plus_cross(b: &mut Builder, sum: &[Value], x: &[Value], y: &[Value]) -> Vector {
    (0..3)
        .map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let (one, other) = (b.mul(x[j], y[k]), b.mul(x[k], y[j]));
            let more = b.add(sum[i], one);
            b.sub(more, other)
        })
        .collect()
}

/// sum + s·x.
pub(super) fn plus_scaled(b: &mut Builder, sum: &[Value], s: Value, x: &[Value]) -> Vector {
    let term = |(&sum, &x): (&Value, &Value)| {
        let product = b.mul(s, x);
        b.add(sum, product)
    };
    sum.iter().zip(x).map(term).collect()
}

/// sum + x·y.
pub(super) fn plus_dot(b: &mut Builder, sum: Value, x: &[Value], y: &[Value]) -> Value {
    x.iter().zip(y).fold(sum, |sum, (&x, &y)| {
        let product = b.mul(x, y);
        b.add(sum, product)
    })
}
