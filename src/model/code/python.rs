//! The model as a Python function that returns a dictionary of NumPy arrays.

use super::expression::Writer;
use super::{Block, CodeNames, Language, Model, argument_lines, blocks, entries};

pub(super) fn write(model: &Model, names: &CodeNames) -> String {
    let writer = Writer::new(model, Language::Python);
    let blocks = blocks(model.layout());
    let mut out =
        format!("\"\"\"Equations of motion of {}.\"\"\"\n\nimport numpy as np\n\n", names.mechanism);
    out += &format!("COORDINATES = [{}]\n", quoted(&names.coordinates));
    let defaults: Vec<String> = names.parameters.iter().map(|(n, x)| format!("\"{n}\": {x:?}")).collect();
    out += &format!("PARAMETERS = {{{}}}\n\n\n", defaults.join(", "));
    out += &format!("def {}_equations(t, q, v, p=tuple(PARAMETERS.values())):\n", names.mechanism);
    out += &docstring(names, &blocks);
    for (name, expression) in writer.statements() {
        out += &format!("    {name} = {expression}\n");
    }
    out += "    return {\n";
    for block in &blocks {
        out += &format!("        \"{}\": {},\n", block.name, array(block, &entries(model, block, &writer)));
    }
    out + "    }\n"
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ")
}

fn docstring(names: &CodeNames, blocks: &[Block]) -> String {
    let mut out = String::from("    \"\"\"\n");
    argument_lines(names).iter().for_each(|line| out += &format!("    {line}\n"));
    out += "\n    Returns a dictionary:\n";
    blocks.iter().for_each(|b| out += &format!("    {} {:?}: {}\n", b.name, b.shape, b.meaning));
    out + "    \"\"\"\n"
}

fn array(block: &Block, entries: &[String]) -> String {
    match block.shape.as_slice() {
        [1] if block.name == "T" || block.name == "V" => entries[0].clone(),
        [_, columns] => {
            let rows: Vec<String> = entries.chunks(*columns).map(|r| format!("[{}]", r.join(", "))).collect();
            format!("np.array([{}], dtype=float)", rows.join(", "))
        }
        _ => format!("np.array([{}], dtype=float)", entries.join(", ")),
    }
}
