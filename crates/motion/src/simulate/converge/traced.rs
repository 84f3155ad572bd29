//! Pieces of a motion that was followed from event to event, or by event capturing: the points between events, with both limits of
//! the velocities at each impact, v⁻ = v⁺ − M⁻¹Wᵀ Λ.

use super::reference::{Piece, Sample};
use super::table::{Node, Table};
use crate::contact::Laws;
use crate::coulomb::{Problem, Request, Session, Start};
use crate::linear::Sparse;
use crate::model::{Block, Kernel, Model};
use crate::num::{Number, Tol};
use crate::simulate::capture::{Path, Point};
use crate::simulate::trajectory::{Event, EventDetail, ImpactDetail, Pair, Trajectory};

/// Makes pieces of trajectories of a mechanism.
pub struct Tracer<'m> {
    kernel: Kernel,
    parameters: &'m [f64],
    contacts: &'m [String],
}

impl<'m> Tracer<'m> {
    /// Of a model at these parameters, with the names of its contacts.
    pub fn new(model: &Model, parameters: &'m [f64], contacts: &'m [String]) -> Self {
        let blocks = [Block::Response, Block::Delassus];
        Self { kernel: model.kernel(&blocks), parameters, contacts }
    }

    /// The pieces between events; none of a motion without rows.
    pub fn pieces(&self, trajectory: &Trajectory) -> Vec<Piece> {
        let n = self.kernel.layout().coordinates;
        let rows: Vec<Node> = trajectory.rows.iter().map(|row| node(row, n)).collect();
        let mut pieces = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        let mut next = rows.into_iter().peekable();
        for events in trajectory.events.chunk_by(|a, b| a.t.0 >= b.t.0) {
            let Some(last) = events.last() else { continue };
            while let Some(node) = next.next_if(|node| node.t < last.t.0) {
                nodes.push(node);
            }
            // a row at the time of the event may be of either side
            while next.next_if(|node| node.t <= last.t.0).is_some() {}
            let right = sample(last);
            nodes.push(Node { t: last.t.0, at: self.left(events, &right) });
            pieces.extend(Table::new(std::mem::take(&mut nodes)).map(Piece::Table));
            nodes.push(Node { t: last.t.0, at: right });
        }
        nodes.extend(next);
        pieces.extend(Table::new(nodes).map(Piece::Table));
        pieces
    }

    /// The same as points, the rows being the grid, and joined where velocities jump.
    pub fn path(&self, trajectory: &Trajectory) -> Path {
        let mut points: Vec<Point> = Vec::new();
        for piece in self.pieces(trajectory) {
            let Piece::Table(table) = piece else { continue };
            let nodes = table.into_nodes();
            let last = nodes.len().saturating_sub(1);
            for (i, Node { t, at: Sample { q, v } }) in nodes.into_iter().enumerate() {
                let joined = i == 0 && !points.is_empty();
                let on_grid = !joined && (i < last || t >= trajectory.rows.last().map_or(t, |row| row[0].0));
                points.push(Point { t, q, v, joined, on_grid });
            }
        }
        Path { points, evaluations: trajectory.work.evaluations }
    }

    /// The state before the events of an instant.
    fn left(&self, events: &[Event], right: &Sample) -> Sample {
        let n = right.q.len();
        let mut values = self.kernel.values::<f64>();
        self.kernel.set_parameters(self.parameters, &mut values);
        let solved = self.kernel.solve_at(events[0].t.0, &right.q, &right.v, &mut values).is_ok();
        let response = self.kernel.block(&values, Block::Response);
        let mut left = right.clone();
        for (row, impulse) in events.iter().filter(|_| solved).flat_map(|event| self.impulses(event)) {
            let z = &response[row * n..(row + 1) * n];
            left.v.iter_mut().zip(z).for_each(|(v, z)| *v -= impulse * z);
        }
        left
    }

    /// The contact rows of an impact with their impulses.
    fn impulses(&self, event: &Event) -> Vec<(usize, f64)> {
        let EventDetail::Impact(detail) = &event.detail else { return Vec::new() };
        let contact = self.contact(event).unwrap_or(0);
        let first = contact * (1 + self.kernel.layout().tangents);
        let tangential = pair(detail.impulse.tangential);
        std::iter::once(detail.impulse.normal.0)
            .chain(tangential)
            .enumerate()
            .map(|(k, impulse)| (first + k, impulse))
            .collect()
    }

    fn contact(&self, event: &Event) -> Option<usize> {
        let name = event.contact.as_ref()?;
        self.contacts.iter().position(|contact| contact == name)
    }

    /// The first impact, alone at its instant, that Moreau's rule ends with other velocities than the contact's own law: when.
    pub fn disagreement(&self, trajectory: &Trajectory, laws: &[Laws]) -> Option<f64> {
        let groups = trajectory.events.chunk_by(|a, b| a.t.0 >= b.t.0);
        let differs = |events: &&[Event]| {
            let hit = |event: &Event| match &event.detail {
                EventDetail::Impact(detail) => self.contact(event).map(|c| (c, detail.clone())),
                _ => None,
            };
            let hits: Vec<(usize, ImpactDetail)> = events.iter().filter_map(hit).collect();
            match &hits[..] {
                [(contact, detail)] => {
                    self.after(events, *contact, &laws[*contact], detail).is_some_and(|u| {
                        let found: Vec<f64> =
                            std::iter::once(detail.post.v.0).chain(pair(detail.post.u)).collect();
                        let size =
                            detail.pre.v.0.abs() + pair(detail.pre.u).iter().map(|u| u.abs()).sum::<f64>();
                        u.iter().zip(&found).any(|(a, b)| (a - b).abs() > Tol::default().listed * size)
                    })
                }
                _ => false,
            }
        };
        groups.into_iter().find(|events| differs(events)).map(|events| events[0].t.0)
    }

    /// The contact's velocities after an impact by Moreau's rule.
    fn after(
        &self,
        events: &[Event],
        contact: usize,
        laws: &Laws,
        detail: &ImpactDetail,
    ) -> Option<Vec<f64>> {
        let right = sample(&events[0]);
        let mut values = self.kernel.values::<f64>();
        self.kernel.set_parameters(self.parameters, &mut values);
        self.kernel.solve_at(events[0].t.0, &right.q, &right.v, &mut values).ok()?;
        let dim = 1 + self.kernel.layout().tangents;
        let D = |i: usize, j: usize| self.kernel.delassus(&values, contact * dim + i, contact * dim + j);
        let rows: Vec<Vec<f64>> = (0..dim).map(|i| (0..dim).map(|j| D(i, j)).collect()).collect();
        let before: Vec<f64> = std::iter::once(detail.pre.v.0).chain(pair(detail.pre.u)).collect();
        let mut q = before.clone();
        q[0] += laws.restitution.coefficient() * before[0].min(0.0);
        q[1..].iter_mut().zip(&before[1..]).for_each(|(q, u)| *q += laws.tangential * u);
        let W = Sparse::from_dense("D", &rows, dim).ok()?;
        let problem = Problem::local(dim, vec![laws.friction.mu()], &W, q).ok()?;
        let mut session = Session::new(problem, Request::default()).ok()?;
        let r = session.solve(Start::Cold).r.clone();
        Some((0..dim).map(|i| before[i] + (0..dim).map(|j| rows[i][j] * r[j]).sum::<f64>()).collect())
    }
}

/// The pieces of a captured motion between its critical steps.
pub fn captured_pieces(path: &Path) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for points in path.points.chunk_by(|_, next| !next.joined) {
        let node = |point: &Point| Node { t: point.t, at: Sample { q: point.q.clone(), v: point.v.clone() } };
        pieces.extend(Table::new(points.iter().map(node).collect()).map(Piece::Table));
    }
    pieces
}

fn node(row: &[Number], n: usize) -> Node {
    let numbers = |range: std::ops::RangeInclusive<usize>| row[range].iter().map(|x| x.0).collect();
    Node { t: row[0].0, at: Sample { q: numbers(1..=n), v: numbers(1 + n..=2 * n) } }
}

fn sample(event: &Event) -> Sample {
    let numbers = |named: &[(String, Number)]| named.iter().map(|(_, x)| x.0).collect();
    Sample { q: numbers(&event.q.0), v: numbers(&event.v.0) }
}

fn pair(pair: Pair) -> Vec<f64> {
    match pair {
        Pair::One(x) => vec![x.0],
        Pair::Two([one, two]) => vec![one.0, two.0],
    }
}
