//! Machine code for the arithmetic of a tape, by `symjit`.

use crate::op::Op;
use crate::program::{Tape, View};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use symjit::{Applet, CompilerType, Complex, Composer, Config, Slot, Translator};

/// Machine code for one tape without functions.
#[derive(Clone)]
pub(super) struct MachineCode(Applet);

impl MachineCode {
    /// `None` where there is no compiler for the platform, or none that can be relied on.
    pub(super) fn of(tape: &Tape) -> Option<Self> {
        let known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"));
        if !known || is_overridden() {
            return None;
        }
        let text = text(tape);
        let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = made().get(&text) {
            return code.clone();
        }
        if made().len() >= MOST {
            return None;
        }
        let code = Self::make(tape);
        made().insert(text, code.clone());
        code
    }

    fn make(tape: &Tape) -> Option<Self> {
        // the compiler unwraps where the system refuses executable memory; the tape is only read
        let applet = catch_unwind(AssertUnwindSafe(|| compile(tape).ok())).ok().flatten()?;
        let fits = applet.compiled.is_some()
            && applet.count_params <= tape.inputs().max(1)
            && applet.count_obs == tape.outputs();
        fits.then_some(MachineCode(applet))
    }

    pub(super) fn outputs(&self) -> usize {
        self.0.count_obs
    }

    #[inline]
    pub(super) fn eval(&self, leaves: &[f64], results: &mut [f64]) {
        let applet = &self.0;
        // machine code does not check lengths: compiled for at most these leaves and just these results
        assert!(leaves.len() >= applet.count_params && results.len() == applet.count_obs);
        applet.evaluate(leaves, results);
    }
}

/// The code of every tape that was compiled. The compiler never gives memory of code back, so that a program which follows thousands of
/// motions of a mechanism would run out of it: equal tapes share what was made once, and their copies too.
static MADE: Mutex<BTreeMap<Vec<u64>, Option<MachineCode>>> = Mutex::new(BTreeMap::new());

/// Tapes with code at most; further ones are interpreted. The pages of each split a mapping of the process into three, of which Linux
/// allows 65530.
const MOST: usize = 1 << 14;

/// All of a tape as numbers.
fn text(tape: &Tape) -> Vec<u64> {
    let mut text = vec![tape.inputs() as u64, tape.values().count() as u64];
    for view in tape.values() {
        match view {
            View::Input(_) => {}
            View::Constant(x) => text.extend([u64::MAX, x.to_bits()]),
            View::Node(op, a, b) => text.extend([op as u64, (a as u64) << 32 | b as u64]),
        }
    }
    text.extend(tape.output_values().map(|v| v as u64));
    text
}

/// Whether the working directory has a file that the compiler would take options from, which could change numbers,
/// or panic on, if it is malformed or cannot be looked for.
fn is_overridden() -> bool {
    std::fs::exists("symjit.toml").unwrap_or(true)
}

fn compile(tape: &Tape) -> Translation<Applet> {
    Ok(translate(tape)?.compile()?.seal()?)
}

type Translation<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The compiler's way through expression trees: a value that is read once is never stored, which makes half as much code as
/// one instruction after the other.
fn translate(tape: &Tape) -> Translation<Translator> {
    let mut config = Config::new(CompilerType::Native, 0)?;
    config.set_symbolica(true);
    // what the compiler does beyond this takes a fifth of its time, and makes code that is no faster
    config.set_compact(false);
    config.set_opt_level(1);
    let mut code = Translator::new(config);
    code.set_num_params(tape.inputs());
    let (mut slots, mut constants) = (Vec::new(), 0);
    let (mut trees, beyond) = (Trees::new(tape), tape.values().count());
    for (v, view) in tape.values().enumerate() {
        slots.push(match view {
            View::Input(i) => Slot::Param(i),
            // the compiler has one constant for both zeros
            View::Constant(x) if x.to_bits() == (-0.0_f64).to_bits() => return Err("a negative zero".into()),
            View::Constant(x) => {
                code.append_constant(Complex::new(x, 0.0))?;
                constants += 1;
                Slot::Const(constants - 1)
            }
            View::Node(op, a, b) => {
                append(&mut code, Slot::Temp(v), op, slots[a], slots[b])?;
                if trees.is_cut_at(v, a, b) {
                    // what is read twice stands by itself
                    code.append_assign(&Slot::Temp(beyond + v), &Slot::Temp(v))?;
                }
                Slot::Temp(v)
            }
        });
    }
    for (o, v) in tape.output_values().enumerate() {
        code.append_assign(&Slot::Out(o), &slots[v])?;
    }
    Ok(code)
}

/// The heights of the trees that values which are read once make: the compiler descends them, and copies them on the way.
struct Trees {
    reads: Vec<u32>,
    height: Vec<u32>,
}

/// Trees are cut at this height.
const TALLEST: u32 = 48;

impl Trees {
    fn new(tape: &Tape) -> Self {
        let values: Vec<View> = tape.values().collect();
        let mut reads = vec![0; values.len()];
        for view in &values {
            if let View::Node(op, a, b) = *view {
                reads[a] += 1;
                reads[b] += u32::from(op.is_binary());
            }
        }
        tape.output_values().for_each(|v| reads[v] += 1);
        Trees { height: vec![0; values.len()], reads }
    }

    /// Notes the height of v = op(a, b), and says whether a tree ends there that would not by itself.
    fn is_cut_at(&mut self, v: usize, a: usize, b: usize) -> bool {
        let within = |v: usize| if self.reads[v] == 1 { self.height[v] } else { 0 };
        self.height[v] = 1 + within(a).max(within(b));
        let is_cut = self.reads[v] == 1 && self.height[v] >= TALLEST;
        if is_cut {
            self.height[v] = 0;
        }
        is_cut
    }
}

fn append(code: &mut Translator, to: Slot, op: Op, a: Slot, b: Slot) -> Translation<()> {
    match op {
        Op::Add => code.append_add(&to, &[a, b], 0)?,
        Op::Sub => code.append_fun(&to, "minus", &[a, b], false)?,
        Op::Mul => code.append_mul(&to, &[a, b], 0)?,
        Op::Div => code.append_fun(&to, "divide", &[a, b], false)?,
        Op::Neg => code.append_fun(&to, "neg", &[a], false)?,
        Op::Abs => code.append_fun(&to, "abs", &[a], false)?,
        Op::Sqrt => code.append_fun(&to, "real_root", &[a], false)?,
        _ => return Err("not arithmetic".into()),
    }
    Ok(())
}
