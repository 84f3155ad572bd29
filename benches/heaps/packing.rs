//! Discs and spheres that lie on each other: positions, and who touches whom.
//!
//! Bodies are dropped into a column of the given width, then sink and push each other apart for a number of sweeps.
//! What is left of overlaps and gaps does not matter to a contact problem, which has only directions.

use super::random::Random;

/// How a packing is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Packing {
    /// 2: discs, 3: spheres.
    pub(crate) dim: usize,
    /// Number of bodies.
    pub(crate) bodies: usize,
    /// Radii.
    pub(crate) radii: [f64; 2],
    /// Width of the floor, in mean diameters.
    pub(crate) width: f64,
    /// Whether the sides have walls; else the bodies may roll off.
    pub(crate) walls: bool,
    /// Gap up to which bodies touch, as a share of the sum of their radii: more makes a denser net of contacts.
    pub(crate) reach: f64,
}

/// A body: a place and a radius; the vertical is the last axis that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball {
    pub(crate) centre: [f64; 3],
    pub(crate) radius: f64,
}

/// Two that touch: a body, its partner (none is the floor or a wall), and the unit vector from the partner to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SceneContact {
    pub(crate) body: usize,
    pub(crate) partner: Option<usize>,
    pub(crate) normal: [f64; 3],
}

const SWEEPS: usize = 400;
/// Share of a radius by which a body sinks in a sweep.
const SINK: f64 = 0.05;

impl Packing {
    /// The bodies at rest, and their contacts.
    pub(crate) fn settle(&self, random: &mut Random) -> (Vec<Ball>, Vec<SceneContact>) {
        let mut balls = self.drop_in(random);
        for sweep in 0..SWEEPS {
            // The last sweeps only push apart.
            let sink = if 4 * sweep < 3 * SWEEPS { SINK } else { SINK / 10.0 };
            balls.iter_mut().for_each(|b| b.centre[self.up()] -= sink * b.radius);
            for (i, j) in self.neighbours(&balls, 0.0) {
                push_apart(&mut balls, i, j);
            }
            balls.iter_mut().for_each(|b| self.push_inside(b));
        }
        let touches = self.touches(&balls);
        (balls, touches)
    }

    fn up(&self) -> usize {
        self.dim - 1
    }

    fn side(&self) -> f64 {
        self.width * (self.radii[0] + self.radii[1])
    }

    fn drop_in(&self, random: &mut Random) -> Vec<Ball> {
        let (side, mean) = (self.side(), self.radii[0] + self.radii[1]);
        let layer = (self.width.powi(self.dim as i32 - 1)).max(1.0);
        let height = 1.5 * mean * self.bodies as f64 / layer;
        let ball = |_| {
            let mut centre = [0.0; 3];
            for (axis, x) in centre.iter_mut().enumerate().take(self.dim) {
                *x = if axis == self.up() { height } else { side } * random.unit();
            }
            Ball { centre, radius: random.factor(self.radii) }
        };
        (0..self.bodies).map(ball).collect()
    }

    fn push_inside(&self, ball: &mut Ball) {
        let up = self.up();
        ball.centre[up] = ball.centre[up].max(ball.radius);
        if self.walls {
            for x in &mut ball.centre[..up] {
                *x = x.clamp(ball.radius, (self.side() - ball.radius).max(ball.radius));
            }
        }
    }

    /// Pairs (i < j) whose gap is at most `reach` times the sum of their radii, in ascending order.
    fn neighbours(&self, balls: &[Ball], reach: f64) -> Vec<(usize, usize)> {
        let cell = 2.0 * self.radii[1] * (1.0 + reach);
        let place = |b: &Ball| b.centre.map(|x| (x / cell).floor() as i64);
        let mut cells: std::collections::BTreeMap<[i64; 3], Vec<usize>> = std::collections::BTreeMap::new();
        balls.iter().enumerate().for_each(|(i, b)| cells.entry(place(b)).or_default().push(i));
        let mut pairs = Vec::new();
        for (i, ball) in balls.iter().enumerate() {
            let home = place(ball);
            for offset in 0..27 {
                let near = [home[0] + offset % 3 - 1, home[1] + offset / 3 % 3 - 1, home[2] + offset / 9 - 1];
                for &j in cells.get(&near).into_iter().flatten().filter(|&&j| j > i) {
                    let reached = (1.0 + reach) * (ball.radius + balls[j].radius);
                    if distance(ball, &balls[j]) <= reached {
                        pairs.push((i, j));
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    fn touches(&self, balls: &[Ball]) -> Vec<SceneContact> {
        let between = |(i, j): (usize, usize)| {
            let normal = direction(&balls[j], &balls[i], self.up());
            SceneContact { body: i, partner: Some(j), normal }
        };
        let mut touches: Vec<SceneContact> =
            self.neighbours(balls, self.reach).into_iter().map(between).collect();
        for (body, ball) in balls.iter().enumerate() {
            let mut wall = |axis: usize, sign: f64, gap: f64| {
                if gap <= self.reach * ball.radius {
                    let mut normal = [0.0; 3];
                    normal[axis] = sign;
                    touches.push(SceneContact { body, partner: None, normal });
                }
            };
            wall(self.up(), 1.0, ball.centre[self.up()] - ball.radius);
            for axis in (0..self.up()).filter(|_| self.walls) {
                wall(axis, 1.0, ball.centre[axis] - ball.radius);
                wall(axis, -1.0, self.side() - ball.centre[axis] - ball.radius);
            }
        }
        touches
    }
}

fn distance(a: &Ball, b: &Ball) -> f64 {
    (0..3).map(|k| (a.centre[k] - b.centre[k]).powi(2)).sum::<f64>().sqrt()
}

/// The unit vector from one centre to another; up where they coincide.
fn direction(from: &Ball, to: &Ball, up: usize) -> [f64; 3] {
    let length = distance(from, to);
    let mut unit = [0.0; 3];
    if length > 0.0 {
        (0..3).for_each(|k| unit[k] = (to.centre[k] - from.centre[k]) / length);
    } else {
        unit[up] = 1.0;
    }
    unit
}

/// Each gives way by half of the overlap.
fn push_apart(balls: &mut [Ball], i: usize, j: usize) {
    let overlap = balls[i].radius + balls[j].radius - distance(&balls[i], &balls[j]);
    if overlap > 0.0 {
        let away = direction(&balls[j], &balls[i], 1);
        for (k, x) in away.iter().enumerate() {
            balls[i].centre[k] += 0.5 * overlap * x;
            balls[j].centre[k] -= 0.5 * overlap * x;
        }
    }
}
