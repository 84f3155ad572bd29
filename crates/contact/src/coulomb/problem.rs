//! The data of an incremental problem, valid by construction.
//!
//! Global form `M v + f = Hᵀ r`, `u = H v + w`; local form `u = W r + q` [ACLM11 (4)]. M is positive definite.
//! W may be singular (hyperstatic contacts) and slightly unsymmetric (gyroscopic terms); it is used as given.

use super::error::ProblemError;
use crate::linear::{BlockMatrix, Ldu, MatrixError, Sparse, check_finite};
use crate::num::Tol;

/// The local form: `u = W r + q`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Local {
    /// Delassus matrix, dim·nc square.
    pub W: BlockMatrix,
    /// Velocities of the contacts for r = 0.
    pub q: Vec<f64>,
}

/// The global form: `M v + f = Hᵀ r`, `u = H v + w`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Global {
    /// Mass matrix (or mass plus h·stiffness), n square, positive definite.
    pub M: Sparse,
    /// Hᵀ, n × dim·nc: one *column* per row of the contacts (what the files call `H`).
    pub Ht: Sparse,
    /// Minus the impulse of all other forces, and minus momentum: `v = −M⁻¹ f` without contact.
    pub f: Vec<f64>,
    /// Part of u that does not depend on v.
    pub w: Vec<f64>,
}

impl Local {
    /// Becomes a copy of another one in the memory that it has.
    fn assign(&mut self, other: &Self) {
        self.W.assign(&other.W);
        self.q.clone_from(&other.q);
    }
}

impl Global {
    /// The same.
    pub(super) fn assign(&mut self, other: &Self) {
        self.M.assign(&other.M);
        self.Ht.assign(&other.Ht);
        self.f.clone_from(&other.f);
        self.w.clone_from(&other.w);
    }
}

/// The two equivalent forms in which a problem can be given.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// `u = W r + q`.
    Local(Local),
    /// `M v + f = Hᵀ r`, `u = H v + w`.
    Global(Global),
}

/// What is unusual about a problem that is nevertheless used as given.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// M is not quite symmetric.
    AsymmetricMass {
        /// max |Mᵢⱼ − Mⱼᵢ| / max |Mᵢⱼ|.
        relative: f64,
    },
    /// W is not symmetric.
    AsymmetricDelassus {
        /// max |Wᵢⱼ − Wⱼᵢ| / max |Wᵢⱼ|.
        relative: f64,
    },
}

/// An incremental problem: form, friction coefficients, dimension. Immutable.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    name: String,
    dim: usize,
    mu: Vec<f64>,
    form: Form,
    warnings: Vec<Warning>,
}

/// One contact's rows for [`Problem::from_contacts`]: Jacobian in world axes, and the frame to turn it into.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRows {
    /// dim rows of length n: velocity of the contact along the world axes per generalized velocity.
    pub jacobian: Vec<Vec<f64>>,
    /// dim unit vectors in world axes: normal, then tangents. Orthonormal.
    pub frame: Vec<Vec<f64>>,
    /// dim velocities along the *world* axes that do not depend on v.
    pub velocity: Vec<f64>,
    /// Friction coefficient.
    pub mu: f64,
}

impl Problem {
    /// A problem `u = W r + q` in local form; `W` and `q` by contacts, `[N, T]` or `[N, T1, T2]` each.
    ///
    /// # Errors
    /// `Dimension`, `Size`, `NotFinite`, `NegativeFriction`.
    pub fn local(dim: usize, mu: Vec<f64>, W: &Sparse, q: Vec<f64>) -> Result<Self, ProblemError> {
        let rows = check_contacts(dim, &mu)?;
        check_size("rows of W", W.nrows(), rows)?;
        check_size("columns of W", W.ncols(), rows)?;
        check_size("q", q.len(), rows)?;
        check_finite("q", &q)?;
        let W = BlockMatrix::from_sparse(dim, W);
        let relative = W.asymmetry();
        let warnings = if relative > Tol::default().asymmetry_noise {
            vec![Warning::AsymmetricDelassus { relative }]
        } else {
            Vec::new()
        };
        Ok(Self { name: String::new(), dim, mu, form: Form::Local(Local { W, q }), warnings })
    }

    /// A problem in global form; `Ht` has one column per contact row.
    ///
    /// # Errors
    /// As [`Problem::local`], and `Asymmetric`, `Indefinite` for M.
    pub fn global(dim: usize, mu: Vec<f64>, parts: Global) -> Result<Self, ProblemError> {
        check_global(dim, &mu, &parts)?;
        let tol = Tol::default();
        let asymmetry = Ldu::default().refactor(&parts.M, tol.asymmetry_allowed)?;
        let warnings = mass_warning(asymmetry).into_iter().collect();
        Ok(Self { name: String::new(), dim, mu, form: Form::Global(parts), warnings })
    }

    /// No contact, and nothing that moves.
    pub(super) fn empty() -> Self {
        let form = Form::Global(Global::default());
        Self { name: String::new(), dim: 2, mu: Vec::new(), form, warnings: Vec::new() }
    }

    /// Becomes a copy of another problem in the memory that it has.
    pub(super) fn assign(&mut self, other: &Self) {
        self.name.clone_from(&other.name);
        self.dim = other.dim;
        self.mu.clone_from(&other.mu);
        match (&mut self.form, &other.form) {
            (Form::Local(form), Form::Local(other)) => form.assign(other),
            (Form::Global(form), Form::Global(other)) => form.assign(other),
            (form, other) => *form = other.clone(),
        }
        self.warnings.clone_from(&other.warnings);
    }

    /// Takes the numbers of a global problem that was checked, and whose M was factored.
    pub(super) fn assign_global(&mut self, (dim, mu): (usize, &[f64]), global: &Global, asymmetry: f64) {
        self.dim = dim;
        self.mu.clear();
        self.mu.extend_from_slice(mu);
        match &mut self.form {
            Form::Global(form) => form.assign(global),
            form @ Form::Local(_) => *form = Form::Global(global.clone()),
        }
        self.warnings.clear();
        self.warnings.extend(mass_warning(asymmetry));
    }

    /// A global problem from dense numbers: M (n rows of n), f (n), H (dim·nc rows of n, per contact N then
    /// tangents), w (dim·nc).
    ///
    /// # Errors
    /// As [`Problem::global`].
    pub fn from_dense(
        mu: Vec<f64>,
        M: &[Vec<f64>],
        f: Vec<f64>,
        H: &[Vec<f64>],
        w: Vec<f64>,
    ) -> Result<Self, ProblemError> {
        let dim = contact_dim(H.len(), mu.len())?;
        let n = f.len();
        let Ht = Sparse::from_dense("H", H, n)?.transpose();
        Self::global(dim, mu, Global { M: Sparse::from_dense("M", M, n)?, Ht, f, w })
    }

    /// A local problem from dense numbers: W (dim·nc rows of dim·nc) and q.
    ///
    /// # Errors
    /// As [`Problem::local`].
    pub fn from_dense_local(mu: Vec<f64>, W: &[Vec<f64>], q: Vec<f64>) -> Result<Self, ProblemError> {
        let dim = contact_dim(q.len(), mu.len())?;
        Self::local(dim, mu, &Sparse::from_dense("W", W, q.len())?, q)
    }

    /// A local problem from dense numbers: `M_inverse` (n rows of n), f, H and w as in [`Problem::from_dense`]:
    /// W = H M⁻¹ Hᵀ, q = w − H M⁻¹ f.
    ///
    /// # Errors
    /// As [`Problem::local`].
    pub fn from_dense_inverse(
        mu: Vec<f64>,
        M_inverse: &[Vec<f64>],
        f: &[f64],
        H: &[Vec<f64>],
        w: &[f64],
    ) -> Result<Self, ProblemError> {
        let dim = contact_dim(H.len(), mu.len())?;
        check_size("M inverse", M_inverse.len(), f.len())?;
        check_size("b", w.len(), H.len())?;
        for row in H.iter().chain(M_inverse) {
            check_size("rows of H or M inverse", row.len(), f.len())?;
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        // rows of H M⁻¹
        let solved: Vec<Vec<f64>> = H
            .iter()
            .map(|h| (0..f.len()).map(|j| h.iter().zip(M_inverse).map(|(x, m)| x * m[j]).sum()).collect())
            .collect();
        let W: Vec<Vec<f64>> = solved.iter().map(|s| H.iter().map(|h| dot(s, h)).collect()).collect();
        let q = solved.iter().zip(w).map(|(s, w)| w - dot(s, f)).collect();
        Self::local(dim, mu, &Sparse::from_dense("W", &W, H.len())?, q)
    }

    /// A global problem from Jacobians along the world axes and one frame (normal, tangents) per contact: the rows
    /// of H are the frame's vectors times the Jacobian.
    ///
    /// # Errors
    /// As [`Problem::global`], and `Frame` for a frame that is not orthonormal.
    pub fn from_contacts(
        dim: usize,
        M: &[Vec<f64>],
        f: Vec<f64>,
        contacts: &[ContactRows],
    ) -> Result<Self, ProblemError> {
        let n = f.len();
        let (mut H, mut w) = (Vec::new(), Vec::new());
        for (index, contact) in contacts.iter().enumerate() {
            check_frame(dim, n, index, contact)?;
            for e in &contact.frame {
                let along = |column: &dyn Fn(usize) -> f64| (0..dim).map(|a| e[a] * column(a)).sum::<f64>();
                H.push((0..n).map(|j| along(&|a| contact.jacobian[a][j])).collect::<Vec<_>>());
                w.push(along(&|a| contact.velocity[a]));
            }
        }
        let Ht = Sparse::from_dense("H", &H, n)?.transpose();
        let mu = contacts.iter().map(|c| c.mu).collect();
        Self::global(dim, mu, Global { M: Sparse::from_dense("M", M, n)?, Ht, f, w })
    }

    /// The same problem under a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Name of the problem, possibly empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// 2 in the plane, 3 in space: rows per contact.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of contacts nc.
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// Number of contact rows: dim·nc.
    pub fn rows(&self) -> usize {
        self.dim * self.mu.len()
    }

    /// Number of generalized velocities, 0 for the local form.
    pub fn dof(&self) -> usize {
        match &self.form {
            Form::Local(_) => 0,
            Form::Global(g) => g.f.len(),
        }
    }

    /// Friction coefficients.
    pub fn mu(&self) -> &[f64] {
        &self.mu
    }

    /// The matrices and vectors.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// What is unusual but used as given.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

pub(super) fn check_size(what: &'static str, found: usize, expected: usize) -> Result<(), ProblemError> {
    if found == expected {
        Ok(())
    } else {
        Err(ProblemError::Matrix(MatrixError::Size { what, found, expected }))
    }
}

/// The number of contact rows, after checking `dim` and `mu`.
fn check_contacts(dim: usize, mu: &[f64]) -> Result<usize, ProblemError> {
    if dim != 2 && dim != 3 {
        return Err(ProblemError::Dimension { found: dim });
    }
    check_finite("mu", mu)?;
    match mu.iter().position(|&m| m < 0.0) {
        Some(contact) => Err(ProblemError::NegativeFriction { contact, mu: mu[contact] }),
        None => Ok(dim * mu.len()),
    }
}

/// Rows per contact of a Jacobian with `rows` rows; the plane when there is no contact.
pub fn contact_dim(rows: usize, contacts: usize) -> Result<usize, ProblemError> {
    match (rows, contacts) {
        (0, 0) => Ok(2),
        (rows, nc) if rows == 2 * nc => Ok(2),
        (rows, nc) if rows == 3 * nc => Ok(3),
        (rows, nc) => {
            Err(ProblemError::Matrix(MatrixError::Size { what: "rows of H", found: rows, expected: 3 * nc }))
        }
    }
}

/// Everything about the data of a global problem, but whether M can be factored.
pub(super) fn check_global(dim: usize, mu: &[f64], parts: &Global) -> Result<(), ProblemError> {
    let (rows, n) = (check_contacts(dim, mu)?, parts.f.len());
    check_size("rows of M", parts.M.nrows(), n)?;
    check_size("columns of M", parts.M.ncols(), n)?;
    check_size("rows of H", parts.Ht.nrows(), n)?;
    check_size("columns of H", parts.Ht.ncols(), rows)?;
    check_size("b", parts.w.len(), rows)?;
    parts.M.check("M")?;
    parts.Ht.check("H")?;
    check_finite("q", &parts.f)?;
    Ok(check_finite("b", &parts.w)?)
}

fn mass_warning(relative: f64) -> Option<Warning> {
    (relative > Tol::default().asymmetry_noise).then_some(Warning::AsymmetricMass { relative })
}

fn check_frame(dim: usize, n: usize, index: usize, c: &ContactRows) -> Result<(), ProblemError> {
    check_size("rows of a contact's Jacobian", c.jacobian.len(), dim)?;
    check_size("velocity of a contact", c.velocity.len(), dim)?;
    check_size("frame of a contact", c.frame.len(), dim)?;
    for row in &c.jacobian {
        check_size("row of a contact's Jacobian", row.len(), n)?;
    }
    for e in &c.frame {
        check_size("vector of a contact's frame", e.len(), dim)?;
        check_finite("frame", e)?;
    }
    let mut defect = 0.0_f64;
    for a in 0..dim {
        for b in 0..dim {
            let dot: f64 = c.frame[a].iter().zip(&c.frame[b]).map(|(x, y)| x * y).sum();
            defect = defect.max((dot - if a == b { 1.0 } else { 0.0 }).abs());
        }
    }
    if defect > Tol::default().frame {
        return Err(ProblemError::Frame { contact: index, defect });
    }
    Ok(())
}
