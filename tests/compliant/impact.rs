//! Impact without collision: the numbers of an independent integration.

use super::{Subject, laws};
use mechan::simulate::compliant::Options;
use mechan::simulate::trajectory::{EventKind, Status};

#[test]
fn an_inconsistent_state_leaves_by_an_impact_without_collision() {
    for (eps, expected) in [(1e-3, 0.122_776_5), (1e-5, 0.115_734_6)] {
        let rod = Subject::rod(1.0, (1.0, 0.0, 0.0), laws(1.6, 1.0, 0.5));
        let motion = rod.run(&Options { rtol: 1e-10, ..Options::new(eps, 0.05) });
        let t = &motion.trajectory;
        for e in &t.events {
            println!("{:e} {:?} {:?} {:?}", e.t.0, e.kind, e.contact, e.v.0);
        }
        println!("{:?} {:?} {:?} {:?} {:?}", t.status, t.reason, t.energy, t.drift, t.work);
        println!("{:?} {:?}", t.phases, motion.peaks);
        let lift = t.events.iter().find(|e| e.kind == EventKind::LiftOff).unwrap();
        let v = |i: usize| lift.v.0[i].1.0;
        let theta = lift.q.0[2].1.0;
        let rate = v(1) - v(2) * theta.cos();
        assert!((rate - expected).abs() < 1e-7, "{rate}");
        assert_eq!(t.status, Status::End);
    }
}
