//! The model as a Python function that returns a dictionary of SymPy matrices: with symbols by default, with numbers or other
//! expressions where they are given.

use super::expression::Writer;
use super::python::{docstring, parameters, quoted};
use super::{Block, CodeNames, Language, Model, blocks, entries, lines};

pub(super) fn write(model: &Model, names: &CodeNames) -> String {
    let writer = Writer::new(model, Language::SymPy);
    let blocks = blocks(model.layout());
    let name = &names.mechanism;
    let mut out =
        format!("\"\"\"Equations of motion of {name} as SymPy expressions.\n\n{}\"\"\"\n\n", usage(name));
    out += "import sympy as sp\n\n";
    out += &format!("COORDINATES = [{}]\n", quoted(&names.coordinates));
    out += &parameters(names, Language::SymPy);
    out += &symbols();
    out += &format!("def {name}_equations(t=t, q=q, v=v, p=p):\n");
    out += &docstring(names, &blocks);
    out += &lines(&writer.statements(), "    ", "");
    out += "    return {\n";
    for block in &blocks {
        out += &format!("        \"{}\": {},\n", block.name, matrix(block, &entries(model, block, &writer)));
    }
    out + "    }\n"
}

fn usage(name: &str) -> String {
    format!(
        "    w = {name}_equations()                            # expressions in the symbols t, q, v, p of this module\n    \
         w[\"M\"].subs(zip(p, {name}_parameters()))          # with numbers for the parameters\n    \
         f = sp.lambdify([t, q, v, p], w[\"M\"], cse=True)  # as a function of numbers\n"
    )
}

/// The symbols; a rate's name is no identifier, so that no coordinate or parameter can have it.
fn symbols() -> String {
    "t = sp.Symbol(\"t\", real=True)\n\
     q = [sp.Symbol(name, real=True) for name in COORDINATES]\n\
     v = [sp.Symbol(f\"dot({name})\", real=True) for name in COORDINATES]\n\
     p = [sp.Symbol(name, real=True) for name in PARAMETERS]\n\n\n"
        .to_string()
}

fn matrix(block: &Block, entries: &[String]) -> String {
    match block.shape.as_slice() {
        [1] if block.name == "T" || block.name == "V" => format!("sp.sympify({})", entries[0]),
        [rows, columns] => format!("sp.Matrix({rows}, {columns}, [{}])", entries.join(", ")),
        _ => format!("sp.Matrix({}, 1, [{}])", entries.len(), entries.join(", ")),
    }
}
