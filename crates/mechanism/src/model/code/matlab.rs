//! The model as one MATLAB file, which Octave reads too.

use super::expression::Writer;
use super::{Block, CodeNames, Language, Model, argument_lines, blocks, entries, followers, lines, worth};

pub(super) fn write(model: &Model, names: &CodeNames) -> String {
    let writer = Writer::new(model, Language::Matlab);
    let blocks = blocks(model.layout());
    let name = &names.mechanism;
    let mut out = format!("function w = {name}_equations(t, q, v, p)\n");
    out += &help(names, &blocks);
    out += "if ischar(t) && strcmp(t, 'parameters')\n    if nargin < 2\n        q = struct();\n    end\n    w = parameters(q);\n    return\nend\n";
    out += "if nargin < 4\n    p = struct();\nend\nif isstruct(p)\n    p = parameters(p);\nend\n";
    out += &lines(&writer.statements(), "", ";");
    for block in &blocks {
        out += &format!("w.{} = {};\n", block.name, matrix(block, &entries(model, block, &writer)));
    }
    out + "end\n\n" + parameters(names).as_str()
}

fn help(names: &CodeNames, blocks: &[Block]) -> String {
    let name = &names.mechanism;
    let mut out =
        format!("%{} equations of motion of {name}; keep it as {name}_equations.m\n", name.to_uppercase());
    argument_lines(names).iter().for_each(|line| out += &format!("%   {line}\n"));
    out += "%   p may be a structure of some parameters: what it lacks has its default, or follows from the others.\n";
    out += "%   Without p all have.\n%\n";
    out += &format!(
        "%   p = {name}_equations('parameters', given) is the vector of all parameters for such a structure.\n%\n"
    );
    out += "%   Returns a structure:\n";
    blocks.iter().for_each(|b| out += &format!("%   {} {:?}: {}\n", b.name, b.shape, b.meaning));
    out
}

/// A function from given parameters to all of them: those that are not given have their defaults, or follow.
fn parameters(names: &CodeNames) -> String {
    let followers = followers(names, Language::Matlab);
    let list: Vec<String> = names.parameters.iter().map(|p| format!("'{}'", p.name)).collect();
    let mut out = format!("function p = parameters(given)\nnames = {{{}}};\n", list.join(", "));
    out += "unknown = setdiff(fieldnames(given), names);\nif ~isempty(unknown)\n    error('unknown parameter %s', unknown{1});\nend\n";
    out += &format!("p = zeros({}, 1);\n", list.len());
    for (k, parameter) in names.parameters.iter().enumerate() {
        let (i, name) = (k + 1, &parameter.name);
        out += &format!("if isfield(given, '{name}')\n    p({i}) = given.('{name}');\nelse\n");
        let (operations, value) = worth(&followers, k, parameter);
        out += &lines(operations, "    ", ";");
        out += &format!("    p({i}) = {value};\nend\n");
    }
    out + "end\n"
}

fn matrix(block: &Block, entries: &[String]) -> String {
    match block.shape.as_slice() {
        [_, columns] => {
            let rows: Vec<String> = entries.chunks(*columns).map(|r| r.join(", ")).collect();
            format!("[{}]", rows.join("; "))
        }
        _ => format!("[{}]", entries.join("; ")),
    }
}
