//! Families of heaps: what a solver's plan is tuned on, and what is kept out of the tuning.

use super::granular::{Grains, heap};
use super::masonry::masonry;
use super::packing::Packing;
use mechan::coulomb::Problem;

/// A family of heaps; seeds make its members.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// Whether it is kept out of the tuning of plans.
    pub(crate) held_out: bool,
    kind: Kind,
}

enum Kind {
    Grains(Packing, Grains),
    /// Courses, bricks in each, friction.
    Masonry(usize, usize, [f64; 2]),
}

impl Family {
    /// The member of a seed.
    pub(crate) fn member(&self, seed: u64) -> Problem {
        match &self.kind {
            Kind::Grains(packing, grains) => heap(packing, grains, seed),
            Kind::Masonry(courses, columns, friction) => masonry((*courses, *columns), *friction, seed),
        }
    }
}

/// All families, with about so many bodies.
pub(crate) fn families(bodies: usize) -> Vec<Family> {
    let size = bodies as f64;
    let discs =
        Packing { dim: 2, bodies, radii: [0.5, 1.0], width: 0.7 * size.sqrt(), walls: true, reach: 0.01 };
    let spheres = Packing { dim: 3, width: 0.8 * size.cbrt(), ..discs };
    let grains = Grains { friction: [0.3, 0.3], density: [1.0, 1.0], noise: 0.5 };
    let family =
        |name, packing, grains| Family { name, held_out: false, kind: Kind::Grains(packing, grains) };
    let held_out = |name, kind| Family { name, held_out: true, kind };
    vec![
        family("discs", discs, grains),
        family("discs dense", Packing { reach: 0.1, ..discs }, Grains { friction: [0.0, 2.0], ..grains }),
        family("discs pile", Packing { walls: false, ..discs }, Grains { friction: [0.5, 0.5], ..grains }),
        family("spheres", spheres, grains),
        family("spheres dense", Packing { reach: 0.1, ..spheres }, Grains { friction: [0.0, 2.0], ..grains }),
        family("spheres silo", Packing { width: 3.0, ..spheres }, grains),
        family(
            "spheres mixed",
            Packing { radii: [0.2, 1.0], ..spheres },
            Grains { density: [0.01, 100.0], ..grains },
        ),
        // a single file of spheres in a tube, with a few beside it: the longest chains of contacts
        held_out("chain", Kind::Grains(Packing { width: 1.2, ..spheres }, Grains { noise: 2.0, ..grains })),
        held_out(
            "spheres pile",
            Kind::Grains(
                Packing { walls: false, width: size.cbrt(), ..spheres },
                Grains { friction: [0.2, 1.0], density: [1.0, 10.0], ..grains },
            ),
        ),
        held_out("wall", Kind::Masonry(2 + bodies / 20, 10, [0.3, 0.9])),
    ]
}
