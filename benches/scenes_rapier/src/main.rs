//! Steps a scene by Rapier: the scene as JSON on standard input, one line of JSON per step with contacts that is looked at, and one
//! with CPU times at the end.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should say where")]

#[path = "../../clock/mod.rs"]
mod clock;

use rapier3d_f64::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Scene {
    radius: f64,
    mass: f64,
    side: f64,
    friction: f64,
    step: f64,
    steps: usize,
    /// Centres and velocities.
    bodies: Vec<[[f64; 3]; 2]>,
    /// Steps that are looked at.
    look: Vec<usize>,
    /// `num_solver_iterations`: parts of a step.
    iterations: usize,
    /// One constraint per contact, or the simplified default.
    coulomb: bool,
}

#[derive(Serialize)]
struct SceneContact {
    bodies: [i64; 2],
    normal: [f64; 3],
    arms: [[f64; 3]; 2],
    impulse: [f64; 3],
}

#[derive(Serialize)]
struct Look {
    step: usize,
    before: Vec<[[f64; 3]; 2]>,
    after: Vec<[[f64; 3]; 2]>,
    touches: Vec<SceneContact>,
}

#[derive(Serialize)]
struct End {
    cpu_seconds: Vec<f64>,
    contacts: Vec<usize>,
}

fn world(scene: &Scene) -> (PhysicsWorld, Vec<RigidBodyHandle>) {
    let mut world = PhysicsWorld { gravity: Vector::new(0.0, 0.0, -9.81), ..PhysicsWorld::default() };
    let parameters = &mut world.integration_parameters;
    parameters.dt = scene.step;
    parameters.num_solver_iterations = scene.iterations;
    parameters.friction_model =
        if scene.coulomb { FrictionModel::Coulomb } else { FrictionModel::Simplified };
    let s = scene.side;
    let walls = [
        ([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([s, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ([0.0, s, 0.0], [0.0, -1.0, 0.0]),
    ];
    for (point, normal) in walls {
        let body = RigidBodyBuilder::fixed().translation(Vector::from(point));
        let normal = ColliderBuilder::new(SharedShape::halfspace(Vector::from(normal)));
        world.insert(body, normal.friction(scene.friction).restitution(0.0));
    }
    let ball = |[centre, velocity]: &[[f64; 3]; 2]| {
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::from(*centre))
            .linvel(Vector::from(*velocity))
            .can_sleep(false);
        let ball = ColliderBuilder::ball(scene.radius).mass(scene.mass);
        world.insert(body, ball.friction(scene.friction).restitution(0.0)).0
    };
    let bodies = scene.bodies.iter().map(ball).collect();
    (world, bodies)
}

fn velocities(world: &PhysicsWorld, bodies: &[RigidBodyHandle]) -> Vec<[[f64; 3]; 2]> {
    let of =
        |body: &RigidBodyHandle| [world.bodies[*body].linvel().into(), world.bodies[*body].angvel().into()];
    bodies.iter().map(of).collect()
}

/// The contacts of the last step that pressed or were near, with the whole impulse of the step on the first body.
fn touches(world: &PhysicsWorld, bodies: &[RigidBodyHandle]) -> Vec<SceneContact> {
    let number = |body: Option<RigidBodyHandle>| {
        body.and_then(|body| bodies.iter().position(|b| *b == body)).map_or(-1, |k| k as i64)
    };
    let mut out = Vec::new();
    for pair in world.narrow_phase.contact_pairs() {
        let Some(rigid) = pair.rigid() else { continue };
        for manifold in &rigid.manifolds {
            let pair = [number(manifold.data.rigid_body1), number(manifold.data.rigid_body2)];
            for solver in manifold.data.solver_contacts.iter() {
                let data = &manifold.points[(solver.contact_id[0] & 0x7fff_ffff) as usize].data;
                // the normal points from the first to the second
                let normal = manifold.data.normal;
                let friction = tangential(normal, data);
                let impulse = -normal * data.impulse + friction;
                out.push(SceneContact {
                    bodies: pair,
                    normal: (-normal).into(),
                    arms: [data.solver_dp1.into(), data.solver_dp2.into()],
                    impulse: impulse.into(),
                });
            }
        }
    }
    out
}

/// Rapier keeps the last part's friction as a vector and as two numbers, which gives away its tangents, and the whole step's as two
/// numbers along them.
fn tangential(normal: Vector, data: &ContactData) -> Vector {
    let (world, last) = (data.warmstart_tangent_world, data.warmstart_tangent_impulse);
    let square = last.x * last.x + last.y * last.y;
    if square <= 0.0 {
        return Vector::ZERO;
    }
    // world = x t + y d × t, with d the direction of the normal part on the first body: t = (x world − y d × world)/(x² + y²)
    let d = -normal;
    let t = (world * last.x - d.cross(world) * last.y) / square;
    t * data.tangent_impulse.x + d.cross(t) * data.tangent_impulse.y
}

fn main() {
    let scene: Scene = serde_json::from_reader(std::io::stdin()).unwrap();
    let (mut world, bodies) = world(&scene);
    let mut end = End { cpu_seconds: Vec::new(), contacts: Vec::new() };
    for step in 1..=scene.steps {
        let before = velocities(&world, &bodies);
        let begun = clock::cpu_seconds().unwrap();
        world.step();
        end.cpu_seconds.push(clock::cpu_seconds().unwrap() - begun);
        let touches = touches(&world, &bodies);
        end.contacts.push(touches.len());
        if scene.look.contains(&step) {
            let after = velocities(&world, &bodies);
            println!("{}", serde_json::to_string(&Look { step, before, after, touches }).unwrap());
        }
    }
    println!("{}", serde_json::to_string(&end).unwrap());
}
