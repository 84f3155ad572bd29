//! The widest vector instructions that the processor has, asked for at run time. In WebAssembly a module says itself what it needs, so that there is
//! nothing to ask, and the same code is not there three times.

pub use pulp::NullaryFnOnce;

#[cfg(not(target_family = "wasm"))]
pub use pulp::Arch;

#[cfg(target_family = "wasm")]
pub use module::Arch;

#[cfg(target_family = "wasm")]
mod module {
    use super::NullaryFnOnce;

    /// What the module was built for.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Arch;

    impl Arch {
        /// That of this module.
        pub fn new() -> Self {
            Self
        }

        /// Calls it.
        pub fn dispatch<Op: NullaryFnOnce>(self, op: Op) -> Op::Output {
            op.call()
        }
    }
}
