//! Every motion that may follow a state: at each fork all of them, breadth first.

use super::ask::{SimulateOptions, Simulation};
use super::scheme::Scheme;
use crate::model::Model;
use crate::num::halt;
use crate::pipeline::{Failure, Loaded, Usage};
use crate::simulate::event::Ending;
use crate::simulate::progress;
use crate::simulate::trajectory::{FutureNode, Futures, Status};
use std::collections::VecDeque;

/// Forks on one way if nobody says.
pub const DEFAULT_DEPTH: usize = 4;

/// The tree of motions from a state, with at most `depth` forks on a way.
///
/// # Errors
/// As [`simulate`](super::simulate).
pub fn futures(
    loaded: &Loaded,
    model: &Model,
    options: &SimulateOptions,
    depth: usize,
) -> Result<Futures, Failure> {
    if options.scheme != Scheme::Event {
        return Err(Usage::Futures { scheme: options.scheme.word() }.into());
    }
    options.check_scheme()?;
    let simulation = Simulation::new(loaded, model, options)?;
    let mut tree = Tree { nodes: Vec::new(), open: VecDeque::new(), complete: true };
    progress::expect(1);
    tree.add(None, None, simulation.run(options)?, 0);
    while let Some(Open { id, ending, level }) = tree.open.pop_front() {
        if level >= depth || halt::is_wanted() {
            tree.complete = false;
            continue;
        }
        progress::expect(ending.futures.len());
        for future in &ending.futures {
            let from = (&ending.state, &ending.closed[..], Some(future));
            let followed = simulation.run_from(from, options)?;
            tree.add(Some(id), Some(future.name.clone()), followed, level + 1);
        }
    }
    Ok(Futures::new(tree.complete, tree.nodes))
}

struct Tree {
    nodes: Vec<FutureNode>,
    /// Nodes whose futures are still to be followed.
    open: VecDeque<Open>,
    complete: bool,
}

struct Open {
    id: usize,
    ending: Ending,
    level: usize,
}

impl Tree {
    fn add(&mut self, parent: Option<usize>, choice: Option<String>, ending: Ending, level: usize) {
        progress::finish();
        let id = self.nodes.len();
        let trajectory = ending.trajectory.clone();
        // an event at which the parent ended is that of this fork
        let event =
            parent.and_then(|parent| self.nodes[parent].trajectory.events.last().map(|event| event.kind));
        let reason = match (&trajectory.status, &trajectory.reason) {
            (_, Some(reason)) => reason.clone(),
            (status, None) => status.name().to_string(),
        };
        let unknown = [Status::Undecided, Status::Budget, Status::Interrupted, Status::Failed];
        self.complete &= ending.complete && !unknown.contains(&trajectory.status);
        self.nodes.push(FutureNode { id, parent, event, choice, reason, trajectory });
        if !ending.futures.is_empty() {
            self.open.push_back(Open { id, ending, level });
        }
    }
}
