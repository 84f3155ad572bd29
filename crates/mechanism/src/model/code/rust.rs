//! The model as a Rust function that returns a structure.

use super::expression::Writer;
use super::{Block, CodeNames, Language, Model, argument_lines, blocks, entries, followers, lines};

pub(super) fn write(model: &Model, names: &CodeNames) -> String {
    let writer = Writer::new(model, Language::Rust);
    let blocks = blocks(model.layout());
    let (n, p) = (model.layout().coordinates, model.layout().parameters);
    let mut out = format!("//! Equations of motion of {}.\n#![allow(non_snake_case)]\n\n", names.mechanism);
    out += &parameters(names, p);
    out +=
        "/// The equations of motion as numbers.\n#[derive(Clone, Debug, PartialEq)]\npub struct Values {\n";
    for block in &blocks {
        out += &format!("    /// {}.\n    pub {}: {},\n", block.meaning, block.name, array_type(block));
    }
    out += "}\n\n";
    argument_lines(names).iter().for_each(|line| out += &format!("/// {line}\n"));
    out += &format!(
        "pub fn {}_equations(t: f64, q: &[f64; {n}], v: &[f64; {n}], p: &[f64; {p}]) -> Values {{\n",
        names.mechanism
    );
    out += "    let _ = (t, q, v, p);\n";
    out += &lines(&writer.statements(), "    let ", ";");
    out += "    Values {\n";
    for block in &blocks {
        out += &format!("        {}: {},\n", block.name, array(block, &entries(model, block, &writer)));
    }
    out + "    }\n}\n"
}

/// The default values, and a function that computes what follows from other parameters.
fn parameters(names: &CodeNames, count: usize) -> String {
    let values: Vec<String> = names.parameters.iter().map(|p| format!("{:?}", p.value)).collect();
    let mut out = String::from("/// Default values of the parameters.\n");
    out += &format!("pub const PARAMETERS: [f64; {count}] = [{}];\n\n", values.join(", "));
    let followers = followers(names, Language::Rust);
    if followers.is_empty() {
        return out;
    }
    let list: Vec<&str> = followers.iter().map(|(k, ..)| names.parameters[*k].name.as_str()).collect();
    out += &format!("/// Computes {} from the others; call it after `p` has changed.\n", list.join(", "));
    out += &format!(
        "pub fn follow(p: &mut [f64; {count}]) {{\n    follow_others(p, &[false; {count}]);\n}}\n\n"
    );
    out += "/// The same, but leaves the parameters alone that are `given` values of their own.\n";
    out += &format!("pub fn follow_others(p: &mut [f64; {count}], given: &[bool; {count}]) {{\n");
    for (k, statements, value) in &followers {
        out += &format!("    if !given[{k}] {{\n");
        out += &lines(statements, "        let ", ";");
        out += &format!("        p[{k}] = {value};\n    }}\n");
    }
    out + "}\n\n"
}

fn array_type(block: &Block) -> String {
    match block.shape.as_slice() {
        [rows, columns] => format!("[[f64; {columns}]; {rows}]"),
        _ => format!("[f64; {}]", block.len()),
    }
}

fn array(block: &Block, entries: &[String]) -> String {
    match block.shape.as_slice() {
        [_, columns] => {
            let rows: Vec<String> = entries.chunks(*columns).map(|r| format!("[{}]", r.join(", "))).collect();
            format!("[{}]", rows.join(", "))
        }
        _ => format!("[{}]", entries.join(", ")),
    }
}
