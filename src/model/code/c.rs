//! The model as a C function that fills a structure.

use super::expression::Writer;
use super::{Block, CodeNames, Language, Model, argument_lines, blocks, entries};

pub(super) fn write(model: &Model, names: &CodeNames) -> String {
    let writer = Writer::new(model, Language::C);
    let blocks = blocks(model.layout());
    let name = &names.mechanism;
    let mut out = format!("/* Equations of motion of {name}.\n");
    argument_lines(names).iter().for_each(|line| out += &format!(" * {line}\n"));
    out += " */\n#include <math.h>\n\n";
    if !names.parameters.is_empty() {
        let values: Vec<String> = names.parameters.iter().map(|(_, x)| format!("{x:?}")).collect();
        out += &format!(
            "static const double {name}_parameters[{}] = {{{}}};\n\n",
            values.len(),
            values.join(", ")
        );
    }
    out += "typedef struct {\n";
    for block in &blocks {
        out += &format!("    double {}{}; /* {} */\n", block.name, dimensions(block), block.meaning);
    }
    out += &format!("}} {name}_values;\n\n");
    out += &format!(
        "void {name}_equations(double t, const double *q, const double *v, const double *p, {name}_values *out)\n{{\n"
    );
    out += "    (void)t; (void)q; (void)v; (void)p;\n";
    for (name, expression) in writer.statements() {
        out += &format!("    const double {name} = {expression};\n");
    }
    for block in &blocks {
        for (i, entry) in entries(model, block, &writer).iter().enumerate() {
            out += &format!("    out->{}{} = {entry};\n", block.name, index(block, i));
        }
    }
    out + "}\n"
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
