//! Generalised forces from outside: numbers of their own beside the parameters, M v̇ + h − Q = Wᵀλ, so that everything that is evaluated,
//! enclosed or differentiated knows them as it knows a force in the mechanism's file.

use super::{Layout, Model, ModelError, Output};
use crate::tape::{Builder, Value};

impl Model {
    /// The same mechanism with a generalised force Q on each coordinate: n parameters after the others, in the order of the coordinates. They are
    /// applied forces; with all of them zero every number is what it was.
    ///
    /// # Errors
    /// None for a valid model.
    pub fn with_forces(&self) -> Result<Model, ModelError> {
        let (own, n) = (self.layout, self.layout.coordinates);
        let layout = Layout { parameters: own.parameters + n, ..own };
        let mut builder = Builder::new(layout.inputs());
        let inputs: Vec<Value> = (0..layout.inputs()).map(|i| builder.input(i)).collect();
        let mut outputs = builder.append(&self.tape, &inputs);
        for (i, &force) in inputs[own.inputs()..].iter().enumerate() {
            let (bias, applied) = (own.range(Output::Bias).start + i, own.range(Output::Applied).start + i);
            outputs[bias] = builder.sub(outputs[bias], force);
            outputs[applied] = builder.add(outputs[applied], force);
        }
        Model::new(layout, builder.finish(&outputs))
    }
}
