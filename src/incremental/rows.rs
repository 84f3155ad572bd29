//! The backward error of a global problem, row by row of its dynamics and contact by contact of its kinematics.
//!
//! For v and the lawful pair (û, r̂) of [`super::backward`], with t_k = Σ_l |M_kl| |v_l| + |f_k| + Σ_i ‖H_ik‖ ‖r̂_i‖ the
//! terms of row k of M v + f = Hᵀ r, and τ_k = t_k / |M_kk| the velocity that they are good for,
//!
//! `η = max( |M v + f − Hᵀ r̂|_k / t_k,  ‖û − H v − w‖_i / (Σ_k ‖H_ik‖ τ_k + ‖w_i‖) )`.
//!
//! The first is the componentwise backward error of [OP64]. The second measures by τ instead of |v|: where everything
//! sticks v is nothing but rounding, and a relative error of the momenta, which the first allows, moves v by its
//! share of τ ≥ |v|. Every coordinate may have units of its own, and every row of M v + f = Hᵀ r a factor of its own.

use super::backward::{Rho, lawful, larger, norm, rho};
use super::problem::{Global, Local};

/// η at v and r; `local` is the condensed problem, which gives the ρ of the lawful pair.
pub(crate) fn global_error(g: &Global, local: &Local, mu: &[f64], v: &[f64], r: &[f64]) -> f64 {
    match local.W.block_size() {
        2 => sized::<2, 4>(g, local, mu, v, r),
        _ => sized::<3, 9>(g, local, mu, v, r),
    }
}

fn sized<const D: usize, const DD: usize>(
    g: &Global,
    local: &Local,
    mu: &[f64],
    v: &[f64],
    r: &[f64],
) -> f64 {
    let (mut u, blocks) = (g.w.clone(), local.W.chunks::<DD>());
    g.Ht.transpose_mul_add(v, &mut u);
    let (mut speed, mut force) = (vec![0.0; u.len()], vec![0.0; u.len()]);
    let pairs = u.as_chunks::<D>().0.iter().zip(r.as_chunks::<D>().0).enumerate();
    for (i, (u, r)) in pairs {
        let rho: Rho = rho::<D, DD>(&blocks[local.W.diagonal(i)], 1.0);
        let (speed_i, force_i) = lawful(u, r, mu[i], &rho);
        speed[i * D..][..D].copy_from_slice(&speed_i);
        force[i * D..][..D].copy_from_slice(&force_i);
    }
    let H = Couplings::new::<D>(g);
    let terms = momenta(g, &H, v, force.as_chunks::<D>().0);
    let defects = momentum_defects(g, v, &force);
    let dynamics = defects.iter().zip(&terms).map(|(d, t)| share(*d, *t)).fold(0.0, larger);
    let velocity: Vec<f64> = terms.iter().enumerate().map(|(k, t)| t / g.M.get(k, k).abs()).collect();
    let (u, speed, w) = (u.as_chunks::<D>().0, speed.as_chunks::<D>().0, g.w.as_chunks::<D>().0);
    let kinematics = (0..mu.len()).map(|i| {
        let scale = norm(&w[i]) + H.of(i).iter().map(|(k, h)| h * velocity[*k]).sum::<f64>();
        let mut d = speed[i];
        (0..D).for_each(|a| d[a] -= u[i][a]);
        share(norm(&d), scale)
    });
    kinematics.fold(dynamics, larger)
}

fn share(defect: f64, scale: f64) -> f64 {
    if defect > 0.0 { defect / scale } else { defect }
}

/// t_k.
fn momenta<const D: usize>(g: &Global, H: &Couplings, v: &[f64], force: &[[f64; D]]) -> Vec<f64> {
    let mut terms: Vec<f64> = g.f.iter().map(|f| f.abs()).collect();
    for (l, v) in v.iter().enumerate() {
        g.M.column(l).for_each(|(k, m)| terms[k] += (m * v).abs());
    }
    for (i, force) in force.iter().enumerate() {
        let force = norm(force);
        H.of(i).iter().for_each(|(k, h)| terms[*k] += h * force);
    }
    terms
}

/// |M v + f − Hᵀ r̂|_k.
fn momentum_defects(g: &Global, v: &[f64], force: &[f64]) -> Vec<f64> {
    let (mut defect, mut pushed) = (g.f.clone(), vec![0.0; g.f.len()]);
    g.M.mul_add(v, &mut defect);
    g.Ht.mul_add(force, &mut pushed);
    defect.iter().zip(&pushed).map(|(d, p)| (d - p).abs()).collect()
}

/// ‖H_ik‖ for every contact i and the coordinates k that move it.
struct Couplings {
    start: Vec<usize>,
    entries: Vec<(usize, f64)>,
}

impl Couplings {
    fn new<const D: usize>(g: &Global) -> Self {
        let (mut start, mut entries) = (vec![0], Vec::<(usize, f64)>::with_capacity(g.Ht.nnz()));
        let mut at = vec![usize::MAX; g.f.len()];
        for i in 0..g.Ht.ncols() / D {
            let begin = entries.len();
            for (k, h) in (0..D).flat_map(|a| g.Ht.column(i * D + a)) {
                match entries.get_mut(at[k]).filter(|_| at[k] >= begin) {
                    Some(entry) => entry.1 += h * h,
                    None => {
                        at[k] = entries.len();
                        entries.push((k, h * h));
                    }
                }
            }
            entries[begin..].iter_mut().for_each(|entry| entry.1 = entry.1.sqrt());
            start.push(entries.len());
        }
        Self { start, entries }
    }

    fn of(&self, i: usize) -> &[(usize, f64)] {
        &self.entries[self.start[i]..self.start[i + 1]]
    }
}
