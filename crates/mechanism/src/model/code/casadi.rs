//! The model as a CasADi function, and a Python function that calls it with numbers or symbols.

use super::expression::Writer;
use super::python::{docstring, parameters, quoted};
use super::{Block, CodeNames, Language, Model, blocks, entries, lines};

pub(super) fn write(model: &Model, names: &CodeNames) -> String {
    let writer = Writer::new(model, Language::Casadi);
    let blocks = blocks(model.layout());
    let name = &names.mechanism;
    let mut out =
        format!("\"\"\"Equations of motion of {name} as a CasADi function.\"\"\"\n\nimport casadi as ca\n\n");
    out += &format!("COORDINATES = [{}]\n", quoted(&names.coordinates));
    out += &parameters(names, Language::Casadi);
    out += &function(model, names, &blocks, &writer);
    out += &format!("def {name}_equations(t, q, v, p=None):\n");
    out += &docstring(names, &blocks);
    out += &format!("    p = {name}_parameters() if p is None else p\n");
    out += &format!(
        "    return {name}_function(t=t, q=q, v=v, p=ca.vertcat(*p) if isinstance(p, list) else p)\n"
    );
    out
}

/// The `casadi.Function` with named inputs and outputs, built when the module is loaded.
fn function(model: &Model, names: &CodeNames, blocks: &[Block], writer: &Writer) -> String {
    let (name, layout) = (&names.mechanism, model.layout());
    let mut out = "def _function():\n".to_string();
    out += "    t = ca.SX.sym(\"t\")\n";
    for (vector, length) in [('q', layout.coordinates), ('v', layout.coordinates), ('p', layout.parameters)] {
        out += &format!("    {vector} = ca.SX.sym(\"{vector}\", {length})\n");
    }
    out += &lines(&writer.statements(), "    ", "");
    out += "    results = {\n";
    for block in blocks {
        out += &format!("        \"{}\": {},\n", block.name, matrix(block, &entries(model, block, writer)));
    }
    out += "    }\n";
    out += &format!(
        "    return ca.Function(\"{name}_equations\", [t, q, v, p], list(results.values()), \
         [\"t\", \"q\", \"v\", \"p\"], list(results))\n\n\n"
    );
    out += &format!("{name}_function = _function()\n\n\n");
    out
}

/// A dense matrix; CasADi's are filled column by column.
fn matrix(block: &Block, entries: &[String]) -> String {
    let list = entries.join(", ");
    match block.shape.as_slice() {
        [rows, columns] => format!("ca.reshape(ca.SX(ca.vertcat({list})), {columns}, {rows}).T"),
        _ => format!("ca.SX(ca.vertcat({list}))"),
    }
}
