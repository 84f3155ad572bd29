//! The expression language of the format: text to a checked tree with spans (FORMAT.md, Expressions).
//! Owns lexing, parsing, name resolution, printing and numeric evaluation; does no algebra.

mod eval;
mod hint;
mod lex;
mod literal;
mod motion;
mod names;
mod parse;
mod print;
mod query;
mod scope;
mod source_map;
mod tree;
mod wire;

pub use eval::Env;
pub use motion::mentions_motion;
pub use names::{DefinitionName, Names, RESERVED};
pub use parse::{MAX_DEPTH, MAX_LENGTH, MAX_NESTING, parse};
pub use print::Printed;
pub use scope::{Allow, Scope};
pub use source_map::SourceMap;
pub use tree::{BinaryOp, Expr, Function, Node, Symbol};
