//! The assumptions of small planar problems against linear inequalities, decided by elimination in whole numbers; friction
//! is zero at every third contact.

use mechan::existence::{Assumption, Claim, Existence, Kinematics, Rows, Verdict, assess};

use crate::eliminate::{Is, Line, feasible};
use crate::solvers::Stream;

/// u = H v + w in whole numbers, friction mu/2.
struct Whole {
    H: Vec<Vec<i128>>,
    w: Vec<i128>,
    twice_mu: Vec<i128>,
}

impl Whole {
    fn random(s: &mut Stream) -> Self {
        let mut whole = |size: f64| (size * s.next()).round() as i128;
        let contacts = 1 + whole(2.0).unsigned_abs() as usize;
        let velocities = 1 + whole(2.0).unsigned_abs() as usize;
        let H = (0..2 * contacts).map(|_| (0..velocities).map(|_| whole(2.4)).collect()).collect();
        let still = whole(1.0) == 0;
        let w = (0..2 * contacts).map(|_| if still { 0 } else { whole(2.0) }).collect();
        let twice_mu = (0..contacts).map(|_| if whole(1.4) == 0 { 0 } else { whole(3.0).abs() }).collect();
        Self { H, w, twice_mu }
    }

    fn kinematics(&self) -> Kinematics {
        let real = |x: &Vec<i128>| x.iter().map(|x| *x as f64).collect::<Vec<_>>();
        let rows: Vec<Vec<f64>> = self.H.iter().map(real).collect();
        let mu = self.twice_mu.iter().map(|m| *m as f64 / 2.0).collect();
        Kinematics { dim: 2, H: Rows::from_dense(&rows, self.H[0].len()), w: real(&self.w), mu }
    }

    /// Whether some v has 2 u_N ± 2μ u_T in the range asked for, with the share `moving` of w.
    fn reaches(&self, is: Is, moving: i128, friction: i128) -> bool {
        let edges = |i: usize| {
            [1, -1].map(|sign| {
                let row = |k: usize| self.H[k].iter().copied().chain([moving * self.w[k]]).collect::<Line>();
                let (N, T) = (row(2 * i), row(2 * i + 1));
                let edge = |(n, t): (&i128, &i128)| 2 * n + sign * friction * self.twice_mu[i] * t;
                (N.iter().zip(&T).map(edge).collect::<Line>(), is)
            })
        };
        feasible(&(0..self.twice_mu.len()).flat_map(edges).collect::<Vec<_>>())
    }
}

#[test]
fn the_assumptions_are_those_of_linear_inequalities() {
    let (mut stream, mut frictionless, mut counts) = (Stream::new(41), 0, [[0; 2]; 5]);
    for _ in 0..2500 {
        let whole = Whole::random(&mut stream);
        let problem = whole.kinematics();
        let Existence { strong, weak, klarbring_pang, non_penetration, no_wedging, .. } = assess(&problem);
        // In the plane the cones are polyhedra, and (4.6) is (4.4). (5.1) fails exactly where no d has H d inside [Gordan].
        let closed = whole.reaches(Is::NotNegative, 1, 1);
        let expected = [
            (Assumption::NoWedging, &no_wedging, whole.reaches(Is::Positive, 0, 1)),
            (Assumption::Strong, &strong, whole.reaches(Is::Positive, 1, 1)),
            (Assumption::Weak, &weak, closed),
            (Assumption::KlarbringPang, &klarbring_pang, closed),
            (Assumption::NonPenetration, &non_penetration, whole.reaches(Is::NotNegative, 1, 0)),
        ];
        for (k, (assumption, verdict, holds)) in expected.into_iter().enumerate() {
            counts[k][usize::from(holds)] += 1;
            assert_eq!((verdict.holds(), verdict.fails()), (holds, !holds), "{assumption:?} {problem:?}");
            let claim = if holds { Claim::Holds(assumption) } else { Claim::Fails(assumption) };
            let (Verdict::Holds(proof) | Verdict::Fails(proof)) = verdict else { unreachable!() };
            assert_eq!(proof.verify(&problem, claim), Ok(()));
        }
        frictionless += usize::from(whole.twice_mu.contains(&0) && strong.fails() && weak.holds());
    }
    assert!(frictionless > 30 && counts.iter().flatten().all(|n| *n > 120), "{frictionless} {counts:?}");
}

/// A body that slides along a wall without friction, which does not let it leave: nothing presses, nothing opens.
#[test]
fn a_contact_that_cannot_open_is_not_robust_without_friction() {
    let wall = |w: f64| Kinematics {
        dim: 2,
        H: Rows::from_dense(&[vec![0.0], vec![-1.0]], 1),
        w: vec![w, 0.0],
        mu: vec![0.0],
    };
    let rest = assess(&wall(0.0));
    assert!(rest.strong.fails() && rest.weak.holds());
    assert!(assess(&wall(1e-9)).strong.holds());
    // the least change of w leaves no solution
    assert!(assess(&wall(-1e-9)).non_penetration.fails());
}
