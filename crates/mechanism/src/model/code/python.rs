//! The model as a Python function that returns a dictionary of NumPy arrays; what is the same with SymPy and CasADi.

use super::expression::Writer;
use super::{Block, CodeNames, Language, Model, argument_lines, blocks, entries, followers, lines, worth};

pub(super) fn write(model: &Model, names: &CodeNames) -> String {
    let writer = Writer::new(model, Language::Python);
    let blocks = blocks(model.layout());
    let mut out =
        format!("\"\"\"Equations of motion of {}.\"\"\"\n\nimport numpy as np\n\n", names.mechanism);
    out += &format!("COORDINATES = [{}]\n", quoted(&names.coordinates));
    out += &parameters(names, Language::Python);
    out += &format!("def {}_equations(t, q, v, p=None):\n", names.mechanism);
    out += &docstring(names, &blocks);
    out += &format!("    p = {}_parameters() if p is None else p\n", names.mechanism);
    out += &lines(&writer.statements(), "    ", "");
    out += "    return {\n";
    for block in &blocks {
        out += &format!("        \"{}\": {},\n", block.name, array(block, &entries(model, block, &writer)));
    }
    out + "    }\n"
}

/// A function from given parameters to all of them: those that are not given have their defaults, or follow.
pub(super) fn parameters(names: &CodeNames, language: Language) -> String {
    let list: Vec<String> = names.parameters.iter().map(|p| p.name.clone()).collect();
    let followers = followers(names, language);
    let mut out = format!("PARAMETERS = [{}]\n\n\n", quoted(&list));
    out += &format!("def {}_parameters(**given):\n", names.mechanism);
    out += "    \"\"\"The parameters in order. What is not given has its default; what depends on others follows them.\"\"\"\n";
    out += "    unknown = set(given) - set(PARAMETERS)\n";
    out += "    if unknown:\n        raise TypeError(f\"unknown parameters: {sorted(unknown)}\")\n";
    out += &format!("    p = [0.0] * {}\n", list.len());
    for (k, parameter) in names.parameters.iter().enumerate() {
        let (operations, value) = worth(&followers, k, parameter);
        out += &lines(operations, "    ", "");
        out += &format!("    p[{k}] = given.get(\"{}\", {value})\n", parameter.name);
    }
    out + "    return p\n\n\n"
}

pub(super) fn quoted(names: &[String]) -> String {
    names.iter().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ")
}

pub(super) fn docstring(names: &CodeNames, blocks: &[Block]) -> String {
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
