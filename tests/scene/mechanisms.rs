//! Mechanisms among bodies: against their own motions, against free bodies, against closed forms and balances.

use crate::shared::{linked, load, moving, row, run};
use mechan::pipeline::{SimulateOptions, Stepper};
use mechan::scene::{Simulation, certify_step};
use mechan::{Deriver, Failure};

/// q and v of the first mechanism.
fn state(simulation: &Simulation) -> Vec<f64> {
    simulation.state().mechanisms[0].clone()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A mechanism alone in a scene moves as in Moreau's scheme, its own impacts included where M and H are constant.
#[test]
fn alone_it_moves_as_by_moreaus_scheme() {
    let own = |name: &str| format!("{}/tests/scene/mechanisms/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let all = [
        ("double_pendulum_wall".to_owned(), 1e-3, 300),
        ("bouncing_ball".to_owned(), 1e-2, 290),
        (own("loop"), 1e-3, 100),
        (own("chain"), 1e-3, 300),
        (own("stone"), 1e-3, 100),
    ];
    for (name, step, steps) in &all {
        let space = if name.contains("stone") { "space" } else { "plane" };
        let (step, steps) = (*step, *steps);
        let lines = format!("friction: 0\nstep: {step}\nsteps: 1\nmechanisms:\n  arm: {{file: {name}}}\n");
        let mut simulation = linked(space, &lines);
        let derived = mechan::load(name).unwrap().derive(&Deriver::nobody()).unwrap();
        let scheme = "moreau".parse().unwrap();
        let options = SimulateOptions { scheme, step: Some(step), ..SimulateOptions::default() };
        let mut alone = Stepper::new(&std::sync::Arc::new(derived), &options).unwrap();
        let mut touched = 0;
        for k in 1..=steps {
            touched += run(&mut simulation, 1)[0].contacts;
            alone.advance(f64::from(k) * step).unwrap();
            let expected = [alone.q(), alone.v()].concat();
            let off = apart(&state(&simulation), &expected);
            // long chains round more in Newton's method
            let most = if name.starts_with('/') { 1e-10 } else { 1e-12 };
            assert!(off < most, "{name}, step {k}: {off:e}, {expected:?}");
        }
        assert_eq!(touched > 0, name.as_str() == "bouncing_ball");
    }
}

// links are not moved out of what they overlap, free bodies are
const BRICK: &str = "overlaps: keep\ngravity: [0, -9.81]\nfriction: 0.3\nrestitution: 0.2\nstep: 0.002\nsteps: 1\nsurfaces: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n";

/// A free rectangle by its three coordinates falls, tumbles, slides and hits discs as the body of a scene does.
#[test]
fn a_free_body_of_the_plane_is_one() {
    let discs = "discs: {disc: 0.1, mass: 0.7, place: {at: [[0.9, 0.1], [1.4, 0.1]]}}";
    let body = format!(
        "{BRICK}groups:\n  {discs}\n  brick: {{box: [0.4, 0.2], mass: 1.5, place: {{at: [[0, 0.4]]}}, velocity: [2, 0], spin: 1, turn: 0.3}}\n"
    );
    let mechanism = format!(
        "{BRICK}groups:\n  {discs}\nmechanisms:\n  brick: {{file: brick.json, set: {{x: 0, y: 0.4, phi: 0.3, dot(x): 2, dot(phi): 1}}}}\n"
    );
    let mut free = crate::shared::simulation(&crate::shared::scene("plane", &body));
    let mut same = linked("plane", &mechanism);
    let mut touched = 0;
    for step in 0..400 {
        let (a, b) = (free.advance().unwrap(), same.advance().unwrap());
        assert_eq!(a.contacts, b.contacts, "step {step}");
        assert!((a.energy_kinetic - b.energy_kinetic).abs() < 1e-8, "step {step}: {a:?} {b:?}");
        for (p, q) in free.bodies().iter().zip(same.bodies()) {
            let off = [apart(&p.centre, &q.centre), apart(&p.velocity, &q.velocity), apart(&p.spin, &q.spin)];
            assert!(off.into_iter().all(|x| x < 1e-8), "step {step}: {off:?}");
        }
        touched += b.contacts;
    }
    assert!(touched > 400 && same.bodies()[2].centre[0] > 0.6, "{:?}", same.bodies());
}

/// The same in space, by Euler's angles instead of a quaternion: apart by the square of the step until it strikes the ground with a corner,
/// afterwards by the step.
#[test]
fn a_free_body_of_space_is_one_but_for_the_order() {
    let off = |step: f64, [a, b, c]: [f64; 3]| {
        let common = format!(
            "gravity: [0, 0, -9.81]\nfriction: 0.3\nstep: {step}\nsteps: 1\nsurfaces: {{ground: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}\n"
        );
        let body = format!(
            "{common}groups:\n  stone: {{box: [0.4, 0.3, 0.2], mass: 1.5, place: {{at: [[0, 0, 0.4]]}}, velocity: [1, 0.5, -1], turn: [0.5, 0, 0], spin: [{a}, {b}, {c}]}}\n"
        );
        // with the first two axes turned by nothing more, rates of the angles are those about the own axes
        let rates = format!("dot(alpha): {a}, dot(beta): {b}, dot(gamma): {c}");
        let mechanism = format!(
            "{common}mechanisms:\n  stone: {{file: stone.json, set: {{z: 0.4, alpha: 0.5, dot(x): 1, dot(y): 0.5, dot(z): -1, {rates}}}}}\n"
        );
        let mut free = crate::shared::simulation(&crate::shared::scene("space", &body));
        let mut same = linked("space", &mechanism);
        let now = |free: &Simulation, same: &Simulation| {
            let (p, q) = (free.bodies()[0], same.bodies()[0]);
            apart(&p.centre, &q.centre).max(apart(&p.spin, &q.spin))
        };
        let (mut in_flight, mut touched) = (f64::NAN, 0);
        for k in 1..=(0.25 / step).round() as usize {
            touched += free.advance().unwrap().contacts;
            same.advance().unwrap();
            if (k as f64 * step - 0.05).abs() < 1e-9 {
                in_flight = now(&free, &same);
            }
        }
        assert!(touched > 0);
        [in_flight, now(&free, &same)]
    };
    // order 2 where it tumbles freely; a step may lie between the impacts of the two
    let [[coarse, _], [fine, _]] = [2e-3, 5e-4].map(|step| off(step, [1.0, 2.0, 3.0]));
    assert!(coarse < 1e-3 && fine < 0.08 * coarse, "{coarse:e} {fine:e}");
    for step in [2e-3, 5e-4] {
        let [_, landed] = off(step, [1.0, 0.0, 0.0]);
        assert!(landed < 5.0 * step, "{landed:e} with steps of {step}");
    }
}

/// A bob of mass m and moment J on a rod of length l meets a ball at rest as a mass m + J/l² does.
#[test]
fn a_bob_strikes_a_ball_by_the_law_of_impact() {
    let (heavy, light, speed) = (2.0 + 0.5 * 2.0 * 0.01, 1.0, 1.5);
    for e in [0.0, 1.0] {
        let lines = format!(
            "friction: 0\nrestitution: 0.3\npairs: [{{between: [arm, balls], restitution: {e}}}]\nstep: 1e-7\nsteps: 1\ngroups:\n  balls: {{disc: 0.1, mass: 1, place: {{at: [[0.2, -1]]}}}}\nmechanisms:\n  arm: {{file: bob.json, state: hanging, set: {{g: 0, dot(theta): {speed}}}}}\n"
        );
        let mut simulation = linked("plane", &lines);
        let energy = simulation.energy()[0];
        assert!((energy - 0.5 * heavy * speed * speed).abs() < 1e-12);
        let record = run(&mut simulation, 1).remove(0);
        let (bob, ball) = (state(&simulation)[1], simulation.bodies()[0].velocity[0]);
        let common = heavy * speed / (heavy + light);
        let expected = [common - e * light * speed / (heavy + light), common * (1.0 + e)];
        assert!(apart(&[bob, ball], &expected) < 1e-5, "e = {e}: {bob} {ball} {expected:?}");
        let lost = 0.5 * (1.0 - e * e) * heavy * light / (heavy + light) * speed * speed;
        assert!((energy - record.energy_kinetic - lost).abs() < 1e-5);
        let names: Vec<String> = (0..2).map(|k| simulation.name_of(k)).collect();
        assert_eq!(names, ["balls 1", "arm.disc"]);
    }
}

const CHAIN: &str = "gravity: [0, -9.81]\nfriction: 0.4\nstep: 0.001\nsteps: 700\ngroups:\n  discs: {disc: 0.12, mass: 0.4, place: {at: [[0.6, 0.12], [1, 0.12], [0.8, 0.36]]}}\nsurfaces: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\nmechanisms:\n  chain: {file: chain.json, set: {y0: 0.7}}\n";

/// Places of the six discs of the chain, and the derivatives of the k-th by its angles.
fn chain(q: &[f64]) -> Vec<[f64; 2]> {
    let mut at = [0.0, 0.7];
    let next = |angle: &f64| {
        at = [at[0] + 0.25 * angle.cos(), at[1] + 0.25 * angle.sin()];
        at
    };
    q.iter().map(next).collect()
}

/// ∂(x, y of disc k)/∂q_j.
fn slope(q: &[f64], k: usize, j: usize) -> [f64; 2] {
    if j > k { [0.0; 2] } else { [-0.25 * q[j].sin(), 0.25 * q[j].cos()] }
}

/// What remains of the momentum balance of every coordinate in a step, with the forces of the contacts from what is shown of them and
/// the mechanics of the chain written down by hand: dp/dt = ∂T/∂q − ∂V/∂q + Σ Jᵀ F, by the midpoint rule.
fn left(before: &[f64], after: &[f64], h: f64, forces: &[(usize, [f64; 2], [f64; 2])]) -> f64 {
    let ((q0, v0), (q1, v1)) = (before.split_at(6), after.split_at(6));
    let q: Vec<f64> = q0.iter().zip(q1).map(|(a, b)| 0.5 * (a + b)).collect();
    let v: Vec<f64> = v0.iter().zip(v1).map(|(a, b)| 0.5 * (a + b)).collect();
    let (m, inertia) = (0.2, 0.2 * 0.05 * 0.05 / 2.0);
    let places = chain(&q);
    let mut worst = 0.0_f64;
    for j in 0..6 {
        let mut rest = inertia * (v1[j] - v0[j]);
        for k in j..6 {
            let along = slope(&q, k, j);
            // acceleration of disc k: its rate from the rates, and that of the slopes
            let mut change = [0.0; 2];
            for i in 0..=k {
                let of = slope(&q, k, i);
                let dv = v1[i] - v0[i];
                change[0] += of[0] * dv - h * 0.25 * q[i].cos() * v[i] * v[i];
                change[1] += of[1] * dv - h * 0.25 * q[i].sin() * v[i] * v[i];
            }
            rest += m * (along[0] * change[0] + along[1] * (change[1] + 9.81 * h));
        }
        for (k, place, force) in forces {
            let along = slope(&q, *k, j);
            let arm = [place[0] - places[*k][0], place[1] - places[*k][1]];
            let torque = if j == *k { arm[0] * force[1] - arm[1] * force[0] } else { 0.0 };
            rest -= h * (along[0] * force[0] + along[1] * force[1] + torque);
        }
        worst = worst.max(rest.abs());
    }
    worst
}

/// A chain falls over a pile of discs: its momentum balance holds with the forces that are shown, up to the order of the scheme, cones
/// hold, those of the discs hold exactly, and energy only falls.
#[test]
#[allow(non_snake_case, reason = "the letters of mechanics")]
fn a_chain_on_discs_keeps_its_balances() {
    let h = 1e-3;
    let mut simulation = linked("plane", CHAIN);
    let mut energy = simulation.energy().iter().sum::<f64>();
    let (mut touched, mut largest) = (0, 0.0_f64);
    for step in 0..700 {
        let before = state(&simulation);
        let discs: Vec<_> = simulation.bodies()[..3].to_vec();
        let record = run(&mut simulation, 1).remove(0);
        assert!(record.solved);
        let shown = mechan::scene::Shown::of(&simulation);
        let (mut forces, mut on_discs) = (Vec::new(), vec![[0.0, -0.4 * 9.81]; 3]);
        let mut most = 0.0_f64;
        for (names, numbers) in shown.contacts() {
            let [x, y, nx, ny, N, T, _] = numbers[..] else { panic!("{numbers:?}") };
            assert!(N >= 0.0 && T.abs() <= 0.4 * N + 1e-6 * (1.0 + N), "{N} {T}");
            let force = [N * nx + T * ny, N * ny - T * nx];
            most = most.max(h * N);
            for (name, sign) in names.iter().zip([1.0, -1.0]) {
                let force = force.map(|f| sign * f);
                if let Some(k) = name.strip_prefix("chain.d") {
                    forces.push((k.parse::<usize>().unwrap() - 1, [x, y], force));
                }
                if let Some(k) = name.strip_prefix("discs ") {
                    let k = k.parse::<usize>().unwrap() - 1;
                    on_discs[k] = [on_discs[k][0] + force[0], on_discs[k][1] + force[1]];
                }
            }
        }
        for ((old, new), force) in discs.iter().zip(simulation.bodies()).zip(on_discs) {
            let gain = [0, 1].map(|k| 0.4 * (new.velocity[k] - old.velocity[k]));
            assert!(apart(&gain, &force.map(|f| h * f)) < 1e-9, "step {step}");
        }
        let rest = left(&before, &state(&simulation), h, &forces);
        // momentum of a step without contact is exact to the order h³, impacts to the order h
        assert!(rest < 1e-6 + 0.02 * most, "step {step}: {rest:e} of {most:e}");
        touched += forces.len();
        largest = largest.max(most);
        let now = record.energy_kinetic + record.energy_potential;
        assert!(now < energy + 2e-6, "step {step}: {energy} {now}");
        energy = now;
    }
    assert!(touched > 300 && largest > 1e-2, "{touched} {largest}");
}

/// A disc on a circle by a constraint is the disc on a rod, in flight and at an impact.
#[test]
fn a_constraint_is_kept() {
    let lines = |file: &str, set: &str| {
        format!(
            "gravity: [0, -9.81]\nfriction: 0\nstep: 1e-4\nsteps: 1\ngroups:\n  balls: {{disc: 0.1, mass: 1, place: {{at: [[0.21, -1]]}}}}\nsurfaces: {{shelf: {{walls: [[0.15, -1.1], [3, -1.1]]}}}}\nmechanisms:\n  arm: {{file: {file}, state: raised, set: {{{set}}}}}\n"
        )
    };
    let (mut rod, mut loop_) =
        (linked("plane", &lines("bob.json", "J: 0")), linked("plane", &lines("loop.json", "m: 2")));
    for step in 0..6000 {
        run(&mut rod, 1);
        run(&mut loop_, 1);
        let [(a, b), (c, d)] = [0, 1].map(|k| (rod.bodies()[k].centre, loop_.bodies()[k].centre));
        assert!(apart(&a, &b) < 3e-3 && apart(&c, &d) < 3e-3, "step {step}: {a:?} {b:?} {c:?} {d:?}");
    }
    assert!(rod.bodies()[0].velocity[0] > 1.0, "{:?}", rod.bodies());
    let [x, y, _] = loop_.bodies()[1].centre;
    assert!((x.hypot(y) - 1.0).abs() < 2e-3, "{x} {y}");
}

/// The spring of a mechanism is in its potential energy, and a motion that it drives keeps the sum.
#[test]
fn springs_are_in_the_energy() {
    let lines = "friction: 0\nstep: 1e-3\nsteps: 1\nmechanisms:\n  arm: {file: bob.json, state: hanging, set: {g: 0, k: 3, theta: 0.4}}\n";
    let mut simulation = linked("plane", lines);
    assert!(apart(&simulation.energy(), &[0.0, 0.5 * 3.0 * 0.16]) < 1e-14);
    for record in run(&mut simulation, 500) {
        assert!((record.energy_kinetic + record.energy_potential - 0.24).abs() < 1e-12);
    }
}

const DRIVEN: &str = "gravity: [0, 0, -9.81]\nfriction: 0.3\nstep: 0.002\nsteps: 60\ngroups:\n  stones: {box: [0.2, 0.2, 0.2], mass: 1, place: {at: [[-0.1, 0, -0.65]]}}\n  balls: {sphere: 0.1, mass: 1, place: {at: [[-0.35, 0.02, -0.65]]}}\nsurfaces: {ground: {plane: {point: [0, 0, -0.75], normal: [0, 0, 1]}}}\nmechanisms:\n  crank: {file: crank.json}\npairs: [{between: [crank, ground], friction: 0.1}]\n";

/// A run that is cut in two has the same rows to the last bit, on any number of threads.
#[test]
fn a_state_goes_on_with_the_same_rows() {
    let loaded = load("space", DRIVEN).unwrap();
    let mut whole = moving(&loaded);
    let rows: Vec<_> = run(&mut whole, 150).iter().map(row).collect();
    let mut first = moving(&loaded);
    run(&mut first, 70);
    let text = serde_json::to_string(&first.state()).unwrap();
    let mut second = moving(&loaded);
    second.resume(&serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(second.bodies(), first.bodies());
    let resumed: Vec<_> = run(&mut second, 80).iter().map(row).collect();
    assert_eq!(resumed, rows[70..]);
    assert_eq!(whole.state(), second.state());
    assert!(rows.iter().any(|row| row.1 > 5), "{:?}", whole.touches());
    let mut less = first.state();
    less.mechanisms.clear();
    assert!(moving(&loaded).resume(&less).unwrap_err().to_string().contains("mechanisms"));
}

/// What is prescribed of a mechanism takes the cheap reasons away, and a still one does not.
#[test]
fn existence_knows_what_mechanisms_do() {
    let words = |lines: &str, space: &str, steps| {
        let mut simulation = linked(space, lines);
        let mut words = std::collections::BTreeSet::new();
        for _ in 0..steps {
            run(&mut simulation, 1);
            words.insert(certify_step(&simulation).word());
        }
        words
    };
    let still = words(CHAIN, "plane", 300);
    assert!(still.into_iter().eq(["motionless"]), "discs rest on the ground from the first step on");
    let driven = words(DRIVEN, "space", 200);
    assert!(driven.contains("exists-robustly") || driven.contains("exists"), "{driven:?}");
    let summary = mechan::scene::reason(&load("plane", CHAIN).unwrap().scene);
    assert!(summary.is_none());
}

/// Every fault names the mechanism, and all of them are told.
#[test]
fn faults_name_the_mechanism() {
    let good = "friction: 0.3\nstep: 0.01\nsteps: 5\nmechanisms:\n  arm: {file: bob.json, state: raised}\n";
    let code = |lines: &str| -> (&'static str, String) {
        let found = load("plane", lines).and_then(|loaded| {
            let mechanisms = loaded.ready()?;
            let placed = Simulation::with(&loaded.scene, &mechanisms, &mechan::scene::Options::default());
            placed
                .map(drop)
                .map_err(|diagnostics| Failure::Input { source: loaded.source.clone(), diagnostics })
        });
        let failure = found.map(|()| panic!("no fault: {lines}")).unwrap_err();
        assert_eq!(failure.exit_status(), 1, "{}", failure.message());
        (failure.code(), failure.message())
    };
    assert!(moving(&load("plane", good).unwrap()).advance().is_ok());
    #[rustfmt::skip]
    let wrong = [
        ("bob.json", "bib.json", "M605", "arm"),
        ("bob.json", "bouncing_boll", "M605", "arm"),
        ("bob.json", "bob.yaml", "M605", "arm"),
        ("bob.json", "stone.json", "M605", "arm"),
        ("state: raised", "state: rised", "M605", "rised"),
        ("state: raised", "set: {K: 1}", "M605", "`K`"),
        ("state: raised", "set: {k: 1/0}", "M213", "k is"),
        ("state: raised", "stat: raised", "M010", "stat"),
        ("file: bob.json, ", "", "M011", "file"),
        ("bob.json, state: raised", "stone.json", "M606", "arm"),
        ("bob.json, state: raised", "painleve_klein", "M606", "bilateral"),
        ("steps: 5", "steps: 5\ngroups: {balls: {disc: 0.1, mass: 1, place: {at: [[-0.8, -0.5]]}}}", "M601", "arm.disc"),
        ("steps: 5", "steps: 5\nsurfaces: {ground: {plane: {point: [0, -0.5], normal: [0, 1]}}}", "M602", "arm.disc"),
        ("steps: 5", "steps: 5\npairs: [{between: [arm, arn], friction: 0}]", "M208", "arn"),
    ];
    for (old, new, expected, word) in wrong {
        assert!(good.contains(old), "{old}");
        let (code, message) = code(&good.replacen(old, new, 1));
        assert!(code == expected && message.contains(word), "{new}: {code} {message}");
    }
    let several = "friction: 0.3\nstep: 0.01\nsteps: 5\nmechanisms:\n  arm: {file: bib.json}\n  leg: {file: bab.json}\n";
    let (_, message) = code(several);
    assert!(message.contains("arm") && message.contains("leg"), "{message}");
    let told = load("plane", &good.replace("bob.json, state: raised", "double_pendulum_wall")).unwrap();
    assert!(told.warnings[0].code == "M607" && told.warnings[0].message.contains("upper, lower"));
}

/// Links are drawn and filmed as bodies are.
#[test]
fn pictures_have_the_links() {
    let mut simulation = linked("plane", CHAIN);
    let mut film = mechan::plot::Animation::new(&simulation, 300, None);
    let mut seen = mechan::plot::SceneFilm::new(&simulation, 300);
    for _ in 0..300 {
        run(&mut simulation, 1);
        film.look(&simulation);
        seen.look(&simulation);
    }
    assert_eq!(mechan::plot::pile(&simulation, None).svg().matches("<circle").count(), 9);
    assert!(film.page(&simulation).contains("const film"));
    let bytes = seen.bytes(&simulation);
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("chain.d6") && text.contains("discs 3"));
}
