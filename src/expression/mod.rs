//! The expression language of the format: text to a checked tree with spans (FORMAT.md, Expressions).
//! Owns lexing, parsing, name resolution and numeric evaluation; does no algebra.

mod tree;

pub use tree::{BinaryOp, Expr, Function, Node, Symbol};
