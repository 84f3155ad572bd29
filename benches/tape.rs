//! Evaluation of rod and cart-8: interpreter, machine code, batches.
fn main() {}
