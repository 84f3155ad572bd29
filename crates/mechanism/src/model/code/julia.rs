//! The model as a Julia module; its functions take any number type, so that they can be differentiated.

use super::expression::Writer;
use super::python::quoted;
use super::{Block, CodeNames, Language, Model, argument_lines, blocks, entries, followers, lines, worth};

pub(super) fn write(model: &Model, names: &CodeNames) -> String {
    let writer = Writer::new(model, Language::Julia);
    let blocks = blocks(model.layout());
    let name = &names.mechanism;
    let mut out = format!("\"\"\"Equations of motion of {name}.\"\"\"\nmodule {name}_mechanism\n\n");
    out += &format!("export {name}_equations, {name}_parameters\n\n");
    out += &format!("const COORDINATES = [{}]\n", quoted(&names.coordinates));
    out += &parameters(names);
    out += &docstring(names, &blocks);
    out += &format!("function {name}_equations(t, q, v, p={name}_parameters())\n");
    out += &lines(&writer.statements(), "    ", "");
    out += "    return (\n";
    for block in &blocks {
        out += &format!("        {} = {},\n", block.name, array(block, &entries(model, block, &writer)));
    }
    out + "    )\nend\n\nend\n"
}

/// A function from given parameters to all of them: those that are not given have their defaults, or follow.
fn parameters(names: &CodeNames) -> String {
    let list: Vec<String> = names.parameters.iter().map(|p| p.name.clone()).collect();
    let followers = followers(names, Language::Julia);
    let mut out = format!("const PARAMETERS = String[{}]\n\n", quoted(&list));
    out += "\"The parameters in order. What is not given has its default; what depends on others follows them.\"\n";
    out += &format!("function {}_parameters(; given...)\n", names.mechanism);
    out += "    for name in keys(given)\n        String(name) in PARAMETERS || throw(ArgumentError(\"unknown parameter: $name\"))\n    end\n";
    out += &format!("    p = Vector{{Any}}(undef, {})\n", list.len());
    for (k, parameter) in names.parameters.iter().enumerate() {
        let (i, name) = (k + 1, &parameter.name);
        let (operations, value) = worth(&followers, k, parameter);
        out += &lines(operations, "    ", "");
        out += &format!("    p[{i}] = get(given, Symbol(\"{name}\"), {value})\n");
    }
    out += &format!("    return {}\nend\n\n", if list.is_empty() { "Float64[]" } else { "[p...]" });
    out
}

fn docstring(names: &CodeNames, blocks: &[Block]) -> String {
    let mut out = String::from("\"\"\"\n");
    argument_lines(names).iter().for_each(|line| out += &format!("    {line}\n"));
    out += "\n    Returns a named tuple:\n";
    blocks.iter().for_each(|b| out += &format!("    {} {:?}: {}\n", b.name, b.shape, b.meaning));
    out + "\"\"\"\n"
}

/// Matrices are filled row by row and turned, Julia's being columns first.
fn array(block: &Block, entries: &[String]) -> String {
    let list = entries.join(", ");
    match block.shape.as_slice() {
        [1] if block.name == "T" || block.name == "V" => entries[0].clone(),
        [rows, columns] => format!("permutedims(reshape([{list}], {columns}, {rows}))"),
        _ => format!("[{list}]"),
    }
}
