//! Newton's method on z ↦ Q(z) − z along the surface of the section.

use super::surface::Surface;
use super::tolerance::{CLOSED, NEARLY, REACH, REGULAR};
use nalgebra::{DMatrix, DVector};

/// Newton steps.
const ITERATIONS: usize = 30;

/// Halvings of a step that leads away.
const HALVINGS: usize = 8;

/// Where a return ends, and the surface there.
pub trait Returned {
    /// The point.
    fn point(&self) -> &[f64];
}

/// A fixed point of a return map.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedPoint<R> {
    /// The point.
    pub z: Vec<f64>,
    /// The return from it.
    pub returned: R,
    /// Largest miss of the return, in scaled numbers.
    pub residual: f64,
    /// Eigenvalues of the map's derivative along the surface as (real, imaginary), by falling modulus.
    pub multipliers: Vec<[f64; 2]>,
    /// Newton steps.
    pub iterations: usize,
}

/// Why there is no periodic motion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CycleError<E> {
    /// A motion does not come back.
    #[error("{0}")]
    NoReturn(E),
    /// Newton's method did not converge.
    #[error(
        "no periodic motion was found in {iterations} steps of Newton's method, the last return misses by {residual:.1e}: \
         begin nearer to it"
    )]
    NotConverged {
        /// Steps.
        iterations: usize,
        /// Miss of the last return, in scaled numbers.
        residual: f64,
    },
    /// A multiplier is 1: cycles are not isolated, as in motions without loss.
    #[error(
        "a multiplier is 1 to within {least:.1e} (step {iterations}): periodic motions are not isolated here, as \
         without loss of energy or where nothing fixes a coordinate"
    )]
    Singular {
        /// Steps.
        iterations: usize,
        /// Least singular value of Q′ − 1.
        least: f64,
    },
}

/// The fixed point of a return map near `start`; `surface` is that of the section where contacts do what they do at a return.
///
/// # Errors
/// [`CycleError`].
pub fn fixed_point<R: Returned, E>(
    start: R,
    map: impl Fn(&[f64], &R) -> Result<R, E>,
    surface: impl Fn(&R, &mut dyn FnMut(&Surface<'_>)),
) -> Result<FixedPoint<R>, CycleError<E>> {
    let newton = Newton { map: &map, surface: &surface };
    let (mut z, mut from) = (newton.project(start.point(), &start), start);
    let mut residual = f64::INFINITY;
    for iterations in 0..ITERATIONS {
        let mut returned = map(&z, &from).map_err(CycleError::NoReturn)?;
        let mut found = newton.miss(&z, &returned);
        // a step that leads away is shortened, towards the point before
        let mut halvings = 0;
        while found > 2.0 * residual && halvings < HALVINGS {
            z = z.iter().zip(from.point()).map(|(new, old)| 0.5 * (new + old)).collect();
            z = newton.project(&z, &from);
            returned = map(&z, &from).map_err(CycleError::NoReturn)?;
            found = newton.miss(&z, &returned);
            halvings += 1;
        }
        let stalled = found <= NEARLY && found > 0.5 * residual;
        residual = found;
        let (slopes, along) = newton.slopes(&z, &returned).map_err(CycleError::NoReturn)?;
        if residual <= CLOSED || stalled {
            let multipliers = eigenvalues(slopes);
            return Ok(FixedPoint { z, returned, residual, multipliers, iterations });
        }
        z = newton.step(&z, &returned, (&slopes, &along), iterations)?;
        from = returned;
    }
    Err(CycleError::NotConverged { iterations: ITERATIONS, residual })
}

struct Newton<'n, M, S> {
    map: &'n M,
    surface: &'n S,
}

impl<M, S> Newton<'_, M, S> {
    fn project<R>(&self, z: &[f64], at: &R) -> Vec<f64>
    where
        S: Fn(&R, &mut dyn FnMut(&Surface<'_>)),
    {
        let mut found = z.to_vec();
        (self.surface)(at, &mut |surface| found = surface.project(z));
        found
    }

    /// Q(z) − z in scaled numbers.
    fn difference<R: Returned>(&self, z: &[f64], returned: &R) -> DVector<f64>
    where
        S: Fn(&R, &mut dyn FnMut(&Surface<'_>)),
    {
        let mut found = DVector::zeros(z.len());
        (self.surface)(returned, &mut |surface| {
            let scaled =
                returned.point().iter().zip(z).zip(surface.sizes).map(|((new, old), s)| (new - old) / s);
            found = DVector::from_iterator(z.len(), scaled);
        });
        found
    }

    fn miss<R: Returned>(&self, z: &[f64], returned: &R) -> f64
    where
        S: Fn(&R, &mut dyn FnMut(&Surface<'_>)),
    {
        self.difference(z, returned).amax()
    }

    /// The derivative of the map along the surface, and the directions there.
    fn slopes<R: Returned, E>(&self, z: &[f64], at: &R) -> Result<(DMatrix<f64>, DMatrix<f64>), E>
    where
        M: Fn(&[f64], &R) -> Result<R, E>,
        S: Fn(&R, &mut dyn FnMut(&Surface<'_>)),
    {
        let (mut along, mut points) = (DMatrix::zeros(z.len(), 0), Vec::new());
        (self.surface)(at, &mut |surface| {
            along = surface.directions(z);
            for direction in along.column_iter() {
                points.push([1.0, -1.0].map(|sign| {
                    let moved = z.iter().zip(surface.sizes).zip(direction.iter());
                    let moved: Vec<f64> = moved.map(|((z, s), d)| z + sign * REACH * s * d).collect();
                    surface.project(&moved)
                }));
            }
        });
        let mut slopes = DMatrix::zeros(along.ncols(), along.ncols());
        for (j, [ahead, behind]) in points.iter().enumerate() {
            let (ahead, behind) = ((self.map)(ahead, at)?, (self.map)(behind, at)?);
            let change = self.difference(behind.point(), &ahead) / (2.0 * REACH);
            slopes.set_column(j, &(along.transpose() * change));
        }
        Ok((slopes, along))
    }

    fn step<R: Returned, E>(
        &self,
        z: &[f64],
        returned: &R,
        (slopes, along): (&DMatrix<f64>, &DMatrix<f64>),
        iterations: usize,
    ) -> Result<Vec<f64>, CycleError<E>>
    where
        S: Fn(&R, &mut dyn FnMut(&Surface<'_>)),
    {
        let n = slopes.nrows();
        let values = (slopes - DMatrix::identity(n, n)).svd(true, true);
        let least = if n > 0 { values.singular_values.min() } else { 1.0 };
        if least <= REGULAR * (1.0 + if n > 0 { values.singular_values.max() } else { 0.0 }) {
            return Err(CycleError::Singular { iterations, least });
        }
        let off = along.transpose() * self.difference(z, returned);
        let Ok(step) = values.solve(&-off, 0.0) else {
            return Err(CycleError::Singular { iterations, least });
        };
        let moved = along * step;
        let mut found = z.to_vec();
        (self.surface)(returned, &mut |surface| {
            let numbers = z.iter().zip(surface.sizes).zip(moved.iter());
            found = surface.project(&numbers.map(|((z, s), d)| z + s * d).collect::<Vec<_>>());
        });
        Ok(found)
    }
}

/// By falling modulus.
fn eigenvalues(matrix: DMatrix<f64>) -> Vec<[f64; 2]> {
    if matrix.nrows() == 0 {
        return Vec::new();
    }
    let mut found: Vec<[f64; 2]> = matrix.complex_eigenvalues().iter().map(|x| [x.re, x.im]).collect();
    let modulus = |x: &[f64; 2]| x[0].hypot(x[1]);
    found.sort_by(|a, b| modulus(b).total_cmp(&modulus(a)).then(b[1].total_cmp(&a[1])));
    found
}
