//! What an evaluation returns, and where it stands: blocks of the kernel with their names, shapes and places in a row of numbers.

use mechan::model::{Kernel, KernelBatch, Layout, Values};
use mechan::{Block, Derived, Output};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The shape of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    /// A number.
    One,
    /// n.
    Coordinates,
    /// m.
    Contacts,
    /// m·d.
    Tangents,
    /// m(1 + d).
    Rows,
    /// c.
    Constraints,
}

impl Size {
    fn of(self, layout: &Layout) -> usize {
        let (m, d) = (layout.contacts, layout.tangents);
        match self {
            Size::One => 1,
            Size::Coordinates => layout.coordinates,
            Size::Contacts => m,
            Size::Tangents => m * d,
            Size::Rows => m * (1 + d),
            Size::Constraints => layout.constraints,
        }
    }
}

/// Name, shape (rows, columns; one column is a vector) and block.
type Named = (&'static str, Size, Size, Block);

#[rustfmt::skip]
const NAMED: [Named; 29] = {
    use Size::{Constraints, Contacts, Coordinates, One, Rows, Tangents};
    [
        ("mass_matrix",               Coordinates, Coordinates, Block::Model(Output::MassMatrix)),
        ("bias_force",                Coordinates, One,         Block::Model(Output::Bias)),
        ("gap",                       Contacts,    One,         Block::Model(Output::Gap)),
        ("normal_jacobian",           Contacts,    Coordinates, Block::Model(Output::NormalJacobian)),
        ("gap_rate",                  Contacts,    One,         Block::Model(Output::GapRate)),
        ("normal_drift",              Contacts,    One,         Block::Model(Output::NormalDrift)),
        ("tangent_jacobian",          Tangents,    Coordinates, Block::Model(Output::TangentJacobian)),
        ("slip_rate",                 Tangents,    One,         Block::Model(Output::SlipRate)),
        ("tangent_drift",             Tangents,    One,         Block::Model(Output::TangentDrift)),
        ("constraint",                Constraints, One,         Block::Model(Output::Constraint)),
        ("constraint_jacobian",       Constraints, Coordinates, Block::Model(Output::ConstraintJacobian)),
        ("constraint_rate",           Constraints, One,         Block::Model(Output::ConstraintRate)),
        ("constraint_drift",          Constraints, One,         Block::Model(Output::ConstraintDrift)),
        ("kinetic_energy",            One,         One,         Block::Model(Output::KineticEnergy)),
        ("potential_energy",          One,         One,         Block::Model(Output::PotentialEnergy)),
        ("inertial_force",            Coordinates, One,         Block::Model(Output::Inertial)),
        ("potential_force",           Coordinates, One,         Block::Model(Output::Potential)),
        ("applied_force",             Coordinates, One,         Block::Model(Output::Applied)),
        ("gap_velocity",              Contacts,    One,         Block::GapVelocity),
        ("slip",                      Tangents,    One,         Block::Slip),
        ("constraint_velocity",       Constraints, One,         Block::ConstraintVelocity),
        ("contact_jacobian",          Rows,        Coordinates, Block::ContactJacobian),
        ("contact_velocity",          Rows,        One,         Block::ContactVelocity),
        ("delassus",                  Rows,        Rows,        Block::Delassus),
        ("free_contact_acceleration", Rows,        One,         Block::FreeContactAcceleration),
        ("free_acceleration",         Coordinates, One,         Block::FreeAcceleration),
        ("response",                  Rows,        Coordinates, Block::Response),
        ("free_reaction",             Constraints, One,         Block::FreeReaction),
        ("reaction_response",         Rows,        Constraints, Block::ReactionResponse),
    ]
};

/// The papers' letters, and in which block they stand.
#[rustfmt::skip]
const SYMBOLS: [(&str, &str); 14] = [
    ("M", "mass_matrix"), ("h", "bias_force"), ("W_N", "normal_jacobian"), ("W_T", "tangent_jacobian"), ("J", "constraint_jacobian"),
    ("T", "kinetic_energy"), ("V", "potential_energy"), ("W", "contact_jacobian"), ("D", "delassus"), ("A", "delassus"),
    ("B", "delassus"), ("C", "delassus"), ("a", "free_contact_acceleration"), ("b", "free_contact_acceleration"),
];

/// The name behind a symbol, or the name itself.
pub(crate) fn in_words(name: &str) -> &str {
    SYMBOLS.iter().find(|(symbol, _)| *symbol == name).map_or(name, |(_, words)| words)
}

/// The names of everything that can be evaluated.
pub(crate) fn output_names() -> Vec<&'static str> {
    NAMED.iter().map(|named| named.0).collect()
}

/// A block of an evaluation: its place in the row of numbers, and its shape.
#[derive(Clone, Debug)]
pub(crate) struct OutputBlock {
    pub(crate) name: &'static str,
    pub(crate) start: usize,
    pub(crate) shape: Vec<usize>,
    block: Block,
}

/// What an evaluation has, and where.
#[derive(Clone, Debug)]
pub(crate) struct Outputs {
    pub(crate) layout: Layout,
    pub(crate) places: Vec<OutputBlock>,
    /// Numbers of a state.
    pub(crate) width: usize,
}

impl Outputs {
    /// Of the outputs by their names; all of them if there are none.
    ///
    /// # Errors
    /// The name that there is not.
    pub(crate) fn new(layout: Layout, names: &[String]) -> Result<Self, String> {
        if let Some(unknown) = names.iter().find(|name| NAMED.iter().all(|named| named.0 != name.as_str())) {
            return Err(unknown.clone());
        }
        let wanted =
            NAMED.iter().filter(|named| names.is_empty() || names.iter().any(|name| name == named.0));
        let (mut places, mut width) = (Vec::new(), 0);
        for &(name, rows, columns, block) in wanted {
            let sizes = [rows, columns].into_iter().filter(|&size| size != Size::One);
            let shape: Vec<usize> = sizes.map(|size| size.of(&layout)).collect();
            let len: usize = shape.iter().product();
            places.push(OutputBlock { name, start: width, shape, block });
            width += len;
        }
        Ok(Self { layout, places, width })
    }
}

/// Where a block stands in the kernel.
#[derive(Clone, Debug)]
struct Part {
    block: Block,
    from: std::ops::Range<usize>,
    is_packed: bool,
}

/// An evaluation, planned.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) outputs: Arc<Outputs>,
    parts: Vec<Part>,
    pub(crate) kernel: Kernel,
    /// For batches in which t varies or not, and parameters vary or not.
    batches: [OnceLock<KernelBatch>; 4],
    /// Memory of calls that are over.
    spare: Mutex<Vec<Values<f64>>>,
}

impl Plan {
    /// Of the outputs by their names; all of them if there are none.
    ///
    /// # Errors
    /// The name that there is not.
    pub(crate) fn new(derived: &Derived, names: &[String]) -> Result<Self, String> {
        let outputs = Outputs::new(*derived.model().layout(), names)?;
        let blocks: Vec<Block> = outputs.places.iter().map(|place| place.block).collect();
        let kernel = derived.model().kernel(&blocks).compiled();
        let part = |&block: &Block| {
            let is_packed = matches!(block, Block::Delassus | Block::Model(Output::MassMatrix));
            Part { block, from: kernel.range(block), is_packed }
        };
        let parts = blocks.iter().map(part).collect();
        let (batches, spare) = (Default::default(), Mutex::default());
        Ok(Self { outputs: Arc::new(outputs), parts, kernel, batches, spare })
    }

    /// The batch plan where t and parameters vary or not.
    pub(crate) fn batch(&self, t_varies: bool, parameters_vary: bool) -> &KernelBatch {
        let place = usize::from(t_varies) + 2 * usize::from(parameters_vary);
        self.batches[place].get_or_init(|| {
            let mut uniform: Vec<usize> = if t_varies { Vec::new() } else { vec![0] };
            if !parameters_vary {
                let layout = &self.outputs.layout;
                uniform.extend(1 + 2 * layout.coordinates..layout.inputs());
            }
            self.kernel.batch(&uniform)
        })
    }

    /// Memory of an evaluation.
    pub(crate) fn take(&self) -> Values<f64> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.unwrap_or_else(|| self.kernel.values())
    }

    /// Memory that is free again.
    pub(crate) fn put(&self, values: Values<f64>) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(values);
    }

    /// The row of numbers from those of the kernel, given by their place; what could not be solved for is undefined.
    #[inline]
    pub(crate) fn write(&self, is_solved: bool, number: impl Fn(usize) -> f64, row: &mut [f64]) {
        for (lies, part) in self.outputs.places.iter().zip(&self.parts) {
            let to = &mut row[lies.start..];
            if !is_solved && part.block.is_solved() {
                let len: usize = lies.shape.iter().product();
                to[..len].fill(f64::NAN);
            } else if part.is_packed {
                let (n, mut place) = (lies.shape[0], part.from.start);
                for i in 0..n {
                    for j in 0..=i {
                        let x = number(place);
                        to[i * n + j] = x;
                        to[j * n + i] = x;
                        place += 1;
                    }
                }
            } else {
                part.from.clone().zip(to).for_each(|(place, to)| *to = number(place));
            }
        }
    }
}
