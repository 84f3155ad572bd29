//! The engine of the explorer as a WebAssembly module, by four functions and no generated glue: the page writes bytes where [`reserve`] says,
//! calls [`open`] or [`ask`], and reads as many bytes as these return from where [`answer`] says.

use mechan::explore::Engine;
use std::cell::RefCell;

/// What the page and the module share.
#[derive(Default)]
struct Desk {
    engine: Option<Engine>,
    /// What the page has written.
    asked: Vec<u8>,
    /// What it reads.
    answered: Vec<u8>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Makes room for so many bytes of a question or a file; where they begin.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    DESK.with_borrow_mut(|desk| {
        desk.asked.clear();
        desk.asked.resize(bytes, 0);
        desk.asked.as_mut_ptr()
    })
}

/// Opens the model file that was written; the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> usize {
    DESK.with_borrow_mut(|desk| {
        desk.answered = match Engine::open("the file", &desk.asked) {
            Ok(engine) => {
                desk.engine = Some(engine);
                br#"{"ok":true}"#.to_vec()
            }
            Err(failure) => Engine::refusal(&failure).into_bytes(),
        };
        desk.answered.len()
    })
}

/// Answers the question that was written; the length of the answer, 0 if no file is open or the question is no text.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    DESK.with_borrow_mut(|desk| {
        let Desk { engine, asked, answered } = desk;
        *answered = match (engine, std::str::from_utf8(asked)) {
            (Some(engine), Ok(question)) => engine.ask(question).into_bytes(),
            _ => Vec::new(),
        };
        answered.len()
    })
}

/// Where the answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    DESK.with_borrow(|desk| desk.answered.as_ptr())
}
