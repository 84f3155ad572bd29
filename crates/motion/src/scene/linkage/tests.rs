//! Rows of links against differences of the places of their points.

use super::*;
use crate::diag::Source;
use crate::format::scene::read_scene;
use crate::model::ModelFile;
use crate::num::random::uniform;
use crate::scene::vector::{along, cross, length, minus, outside};

/// A cart whose place and turn are prescribed, with a pendulum whose turn reads the time too.
fn crank() -> Linkage {
    let file = ModelFile::read(include_str!("../../../../../tests/scene/mechanisms/crank.json")).unwrap();
    let mechanism = crate::format::read(&Source::new("crank", file.mechanism)).unwrap().mechanism;
    let parameters = mechanism.default_parameters().unwrap();
    let start = State { t: 0.0, q: vec![0.0; 2], v: vec![0.0; 2], parameters };
    let law = StepLaw { friction: 0.3, restitution: 0.0, tangential: 0.0, bilateral: false };
    let text = "scene: 1\nname: s\nspace: space\nfriction: 0\nstep: 0.01\nsteps: 1\nmechanisms: {crank: {file: x}}\n";
    let scene = read_scene(&Source::new("s", text)).unwrap().scene;
    let given = SceneMechanism { mechanism, model: file.model, start, laws: vec![law] };
    Linkage::new(&scene, (0, 0), &given).unwrap()
}

/// A point that is carried by a link.
fn place(linkage: &mut Linkage, t: f64, q: &[f64], (link, own): (usize, Vector)) -> Vector {
    linkage.point = Point { t, q: q.to_vec(), v: vec![0.0; 2] };
    let posed = linkage.look(0.0).unwrap()[link];
    along(posed.centre, 1.0, outside(&posed.axes, own))
}

#[test]
fn rows_are_derivatives_of_places() {
    let mut linkage = crank();
    let step = 1e-5;
    for trial in 0..20 {
        let draw = |name: &str| 2.0 * uniform(5, trial, name) - 1.0;
        let (t, q, link) = (draw("t"), [draw("u"), draw("v")], trial as usize % 2);
        let own = ["x", "y", "z"].map(draw);
        let d = ["a", "b", "c"].map(draw);
        let mut difference = |of_time: f64, of_q: [f64; 2]| {
            let [after, before] = [step, -step].map(|s| {
                let q = [q[0] + s * of_q[0], q[1] + s * of_q[1]];
                place(&mut linkage, t + s * of_time, &q, (link, own))
            });
            dot(d, minus(after, before)) / (2.0 * step)
        };
        let expected =
            [difference(0.0, [1.0, 0.0]), difference(0.0, [0.0, 1.0]), difference(1.0, [0.0, 0.0])];
        let here = place(&mut linkage, t, &q, (link, own));
        let centre = place(&mut linkage, t, &q, (link, [0.0; 3]));
        let row = linkage.link_row(link, d, cross(minus(here, centre), d));
        let found = [row.slopes[0], row.slopes[1], row.explicit];
        assert!(length(minus(found, expected)) < 1e-8, "{found:?} {expected:?}");
        // and of a body's own velocity
        linkage.point = Point { t, q: q.to_vec(), v: vec![0.7, -0.4] };
        let body = linkage.bodies().nth(link).unwrap();
        let spin = outside(&crate::scene::vector::axes(body.turned), body.spin);
        let speed = dot(d, along(body.velocity, 1.0, cross(spin, minus(here, centre))));
        assert!((speed - linkage.before(&row)).abs() < 1e-12);
    }
}
