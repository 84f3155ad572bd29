//! The model as a C function that fills a structure.

use super::expression::Writer;
use super::{Block, CodeNames, Language, Model, argument_lines, blocks, entries, followers, lines};

pub(super) fn write(model: &Model, names: &CodeNames) -> String {
    let writer = Writer::new(model, Language::C);
    let blocks = blocks(model.layout());
    let name = &names.mechanism;
    let mut out = format!("/* Equations of motion of {name}.\n");
    argument_lines(names).iter().for_each(|line| out += &format!(" * {line}\n"));
    out += " */\n#include <math.h>\n\n";
    out += &parameters(names);
    out += "typedef struct {\n";
    for block in &blocks {
        out += &format!("    double {}{}; /* {} */\n", block.name, dimensions(block), block.meaning);
    }
    out += &format!("}} {name}_values;\n\n");
    out += &format!(
        "void {name}_equations(double t, const double *q, const double *v, const double *p, {name}_values *out)\n{{\n"
    );
    out += "    (void)t; (void)q; (void)v; (void)p;\n";
    out += &lines(&writer.statements(), "    const double ", ";");
    for block in &blocks {
        for (i, entry) in entries(model, block, &writer).iter().enumerate() {
            out += &format!("    out->{}{} = {entry};\n", block.name, index(block, i));
        }
    }
    out + "}\n"
}

/// The default values, and a function that computes what follows from other parameters.
fn parameters(names: &CodeNames) -> String {
    if names.parameters.is_empty() {
        return String::new();
    }
    let (name, values) = (&names.mechanism, names.parameters.iter().map(|p| format!("{:?}", p.value)));
    let values: Vec<String> = values.collect();
    let mut out = String::from("/* Default values of the parameters. */\n");
    out +=
        &format!("static const double {name}_parameters[{}] = {{{}}};\n\n", values.len(), values.join(", "));
    let followers = followers(names, Language::C);
    if followers.is_empty() {
        return out;
    }
    let list: Vec<&str> = followers.iter().map(|(k, ..)| names.parameters[*k].name.as_str()).collect();
    out += &format!(
        "/* Computes {} from the others, but leaves those alone whose flag in `given` is set;\n",
        list.join(", ")
    );
    out += "   `given` may be null. Call it after p has changed. */\n";
    out += &format!("void {name}_follow_others(double *p, const int *given)\n{{\n");
    for (k, statements, value) in &followers {
        out += &format!("    if (!given || !given[{k}]) {{\n");
        out += &lines(statements, "        const double ", ";");
        out += &format!("        p[{k}] = {value};\n    }}\n");
    }
    out += "}\n\n/* The same with nothing given. */\n";
    out + format!("void {name}_follow(double *p)\n{{\n    {name}_follow_others(p, 0);\n}}\n\n").as_str()
}

fn dimensions(block: &Block) -> String {
    block.shape.iter().map(|d| format!("[{d}]")).collect()
}

fn index(block: &Block, i: usize) -> String {
    match block.shape.as_slice() {
        [_, columns] => format!("[{}][{}]", i / columns, i % columns),
        _ => format!("[{i}]"),
    }
}
