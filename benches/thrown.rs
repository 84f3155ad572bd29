//! Two seconds of boxes with eight corners, sides of 0.2 to 1 m, that fall from one to two metres and turn, with every friction and most
//! restitutions: a JSON line of how long the motions take, on one thread, and of their steps and events. Run with
//! `cargo bench --no-default-features --features program --bench thrown [-- BOXES]`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(missing_docs)]

use mechan::pipeline::{Deriver, SimulateOptions, Simulation};
use mechan_num::random::Stream;
use std::time::Instant;

const BOXES: usize = 200;
/// How long a motion is.
const SPAN: f64 = 2.0;

fn main() {
    let boxes = std::env::args().skip(1).find_map(|text| text.parse().ok()).unwrap_or(BOXES);
    let loaded = mechan::load("tests/ordinary/models/thrown_8.json").unwrap();
    let model = loaded.clone().derive(&Deriver::nobody()).unwrap().model().clone();
    let mut random = Stream(1);
    let mut all = [Vec::new(), Vec::new(), Vec::new()];
    let mut ended = 0;
    for _ in 0..boxes {
        let options = SimulateOptions { set: thrown(&mut random), t_end: SPAN, ..SimulateOptions::default() };
        let begin = Instant::now();
        let motion = Simulation::new(&loaded, &model, &options).unwrap().run(&options).unwrap().trajectory;
        all[0].push(begin.elapsed().as_secs_f64());
        all[1].push(motion.work.steps as f64);
        all[2].push(motion.events.len() as f64);
        ended += usize::from(motion.rows.last().unwrap()[0].0 >= SPAN);
    }
    let [seconds, steps, events] = all.map(shares);
    println!(
        "{{\"boxes\": {boxes}, \"to the end\": {ended}, \"seconds\": {seconds}, \"steps\": {steps}, \"events\": {events}}}"
    );
}

/// Median, nine of ten, and the most.
fn shares(mut all: Vec<f64>) -> String {
    all.sort_by(f64::total_cmp);
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize];
    format!("[{:.5}, {:.5}, {:.5}]", at(0.5), at(0.9), at(1.0))
}

/// A box in the air.
fn thrown(random: &mut Stream) -> Vec<String> {
    let mut within = |low: f64, high: f64| low + (high - low) * random.draw();
    let half: [f64; 3] = std::array::from_fn(|_| within(0.1, 0.5));
    let mass = within(0.5, 2.0);
    let mut set = vec![
        format!("m={mass:?}"),
        format!("mu={:?}", within(0.0, 1.0)),
        format!("e={:?}", within(0.0, 0.9)),
    ];
    for i in 0..3 {
        let [a, b] = [half[(i + 1) % 3], half[(i + 2) % 3]];
        set.push(format!("I{}={:?}", i + 1, mass * (a * a + b * b) / 3.0));
    }
    for corner in 0..8 {
        for (i, name) in ["x", "y", "z"].iter().enumerate() {
            let side = if corner >> i & 1 == 1 { half[i] } else { -half[i] };
            set.push(format!("p{corner}{name}={side:?}"));
        }
    }
    let mut quaternion: [f64; 4] = std::array::from_fn(|_| within(-1.0, 1.0));
    let size = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    quaternion.iter_mut().for_each(|x| *x /= size);
    let [w, x, y, z] = quaternion;
    let spin: [f64; 3] = std::array::from_fn(|_| within(-5.0, 5.0));
    // q' = q spin / 2, the spin about the body's axes
    let [a, b, c] = spin.map(|s| 0.5 * s);
    let rates = [-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a];
    for i in 0..4 {
        set.push(format!("e{i}={:?}", quaternion[i]));
        set.push(format!("dot(e{i})={:?}", rates[i]));
    }
    let height = half.iter().map(|x| x * x).sum::<f64>().sqrt() + within(1.0, 2.0);
    set.push(format!("z={height:?}"));
    for name in ["x", "y", "z"] {
        set.push(format!("dot({name})={:?}", within(-2.0, 2.0)));
    }
    set
}
