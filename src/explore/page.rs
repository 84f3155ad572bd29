//! One file of everything: the page's own source, the module with the engine, and the models, all deflated, and the few lines that unpack them. A policy in
//! its head lets no script run but these, and nothing be loaded.

use super::far::parted;
use super::pack::{deflated, packed};
use super::question::Situation;
use crate::pipeline::{Derived, Failure, LIBRARY, load_shipped};
use crate::{pipeline::Deriver, report::write_whole};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The page's frame.
const SHELL: &str = include_str!("page/shell.html");
const STYLE: &str = include_str!("page/style.css");

/// What the page begins with: it reads the rest.
const UNPACK: &str = include_str!("page/unpack.js");
const BOOT: &str = include_str!("page/boot.js");

/// What asks the module, on the page and in its worker.
const ENGINE: &str = include_str!("page/engine.js");
const WORKER: &str = include_str!("page/worker.js");

/// The page's script in the order in which its parts follow from each other, a file a panel.
const SCRIPTS: [&str; 14] = [
    include_str!("page/base.js"),
    include_str!("page/store.js"),
    include_str!("page/sliders.js"),
    include_str!("page/numbers.js"),
    include_str!("page/follow.js"),
    include_str!("page/picture.js"),
    include_str!("page/map.js"),
    include_str!("page/motion.js"),
    include_str!("page/extras.js"),
    include_str!("page/link.js"),
    include_str!("page/editor.js"),
    include_str!("page/stories.js"),
    include_str!("page/keys.js"),
    include_str!("page/main.js"),
];

/// The variable of the environment that names the module.
const VARIABLE: &str = "MECHAN_EXPLORER_CORE";
/// The module's name beside the program, and in the folder of a build.
const BESIDE: &str = "mechan-core.wasm";
const BUILT: &str = "wasm32-unknown-unknown/web/mechan_web.wasm";
/// Folders above the program in which a build is looked for.
const ABOVE: usize = 4;

/// The engine as a WebAssembly module.
#[derive(Clone, Debug)]
pub struct CoreModule(Vec<u8>);

/// Why there is no module.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoCore {
    /// It is nowhere.
    #[error(
        "the explorer's engine, {BESIDE}, is neither beside the program nor in its build; a build from source makes it by \
         `rustup target add wasm32-unknown-unknown` and `cargo build --profile web -p mechan-web --target wasm32-unknown-unknown`; \
         {VARIABLE} may name it elsewhere"
    )]
    Nowhere,
    /// It is not readable.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// Where.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// It is something else.
    #[error("{} is no WebAssembly module", path.display())]
    Other {
        /// Where.
        path: PathBuf,
    },
}

impl CoreModule {
    /// From where the environment says, beside the program, or from its build.
    ///
    /// # Errors
    /// [`NoCore`] with how to get it.
    pub fn find() -> Result<Self, NoCore> {
        if let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
            return Self::read(Path::new(&path));
        }
        let program = std::env::current_exe().unwrap_or_default();
        let above = program.ancestors().skip(1).take(ABOVE);
        let beside = program.parent().map(|folder| folder.join(BESIDE));
        let mut places = beside.into_iter().chain(above.map(|folder| folder.join(BUILT)));
        places.find(|path| path.is_file()).map_or(Err(NoCore::Nowhere), |path| Self::read(&path))
    }

    /// From a file.
    ///
    /// # Errors
    /// [`NoCore`] if it is no module.
    pub fn read(path: &Path) -> Result<Self, NoCore> {
        let path = path.to_path_buf();
        match std::fs::read(&path) {
            Ok(bytes) if bytes.starts_with(b"\0asm") => Ok(Self(bytes)),
            Ok(_) => Err(NoCore::Other { path }),
            Err(error) => Err(NoCore::Unreadable { path, error }),
        }
    }
}

/// A mechanism on a page.
#[derive(Clone, Debug, Serialize)]
struct Listed {
    name: String,
    title: Option<String>,
    /// What it is about, in a gallery.
    topic: Option<&'static str>,
    /// Its model file.
    file: String,
}

/// What a page has beside its engine.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Page {
    mechanisms: Vec<Listed>,
    /// Where it begins.
    at: Option<Situation>,
    /// Where it may have equations derived, if it is served.
    derive: Option<String>,
}

impl Page {
    /// Of some mechanisms.
    ///
    /// # Errors
    /// [`Failure::Unprintable`] for models that cannot be written.
    pub fn of<'d>(all: impl IntoIterator<Item = &'d Derived>) -> Result<Self, Failure> {
        let mechanisms = all.into_iter().map(|derived| listed(derived, None)).collect::<Result<_, _>>()?;
        Ok(Self { mechanisms, ..Self::default() })
    }

    /// Of all that are shipped.
    ///
    /// # Errors
    /// None for what is shipped.
    pub fn gallery() -> Result<Self, Failure> {
        let one = |shipped| {
            let derived = load_shipped(shipped)?.derive(&Deriver::nobody())?;
            listed(&derived, Some(shipped.topic.words()))
        };
        let mechanisms = LIBRARY.iter().map(one).collect::<Result<_, _>>()?;
        Ok(Self { mechanisms, ..Self::default() })
    }

    /// That begins at a state of its first mechanism.
    #[must_use]
    pub fn beginning_at(self, state: Option<&str>) -> Self {
        let at = state.map(|state| Situation { state: state.to_string(), ..Situation::default() });
        Self { at, ..self }
    }

    /// That may ask for derivations at a path.
    #[must_use]
    pub(super) fn deriving_at(self, path: String) -> Self {
        Self { derive: Some(path), ..self }
    }

    /// The whole page.
    ///
    /// # Errors
    /// [`Failure::Unprintable`] for contents that cannot be written.
    pub fn html(&self, core: &CoreModule) -> Result<String, Failure> {
        let data = serde_json::to_vec(self).map_err(Failure::unprintable("the page"))?;
        let script = closed(&format!("{UNPACK}\n{ENGINE}\n{}", SCRIPTS.join("\n")));
        let boot = closed(&format!("{UNPACK}\n{BOOT}"));
        let connects = if self.derive.is_some() { "'self'" } else { "'none'" };
        let title = match &self.mechanisms[..] {
            [only] => format!("{}, explored with mechan", only.title.as_ref().unwrap_or(&only.name)),
            _ => "mechan: mechanisms to explore".to_string(),
        };
        let parts = [
            ("TITLE", escaped(&title)),
            ("CONNECT", connects.to_string()),
            ("HASHES", [&boot, &script].map(|script| digest(script)).join(" ")),
            ("STYLE", STYLE.to_string()),
            ("WORKER", bare(&format!("\"use strict\";\n{ENGINE}\n{WORKER}"))),
            ("CORE", packed(&deflated(&parted(&core.0)))),
            ("DATA", packed(&deflated(&data))),
            ("SOURCE", packed(&deflated(script.as_bytes()))),
            ("BOOT", boot),
        ];
        Ok(filled(SHELL, &parts))
    }

    /// Writes the whole page.
    ///
    /// # Errors
    /// [`Failure`] for a file that cannot be written.
    pub fn write(&self, core: &CoreModule, path: &Path) -> Result<(), Failure> {
        write_whole(path, self.html(core)?.as_bytes()).map_err(Failure::unwritable(path))
    }
}

impl Derived {
    /// The explorer's page of this mechanism.
    ///
    /// # Errors
    /// [`Failure::Unprintable`] for a model that cannot be written.
    pub fn explore(&self, core: &CoreModule) -> Result<String, Failure> {
        Page::of([self])?.html(core)
    }
}

fn listed(derived: &Derived, topic: Option<&'static str>) -> Result<Listed, Failure> {
    let mechanism = derived.mechanism();
    let file = derived.model_file().write().map_err(Failure::unprintable("the model"))?;
    Ok(Listed { name: mechanism.name.clone(), title: mechanism.title.clone(), topic, file })
}

/// A frame with its parts in the places that are called after them, `{{NAME}}`.
fn filled(frame: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::with_capacity(frame.len() + parts.iter().map(|part| part.1.len()).sum::<usize>());
    let mut pieces = frame.split("{{");
    page.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or(("", piece));
        page.push_str(parts.iter().find(|part| part.0 == name).map_or("", |part| part.1.as_str()));
        page.push_str(rest);
    }
    page
}

/// A script whose names are its own, without comments.
fn closed(script: &str) -> String {
    format!("(() => {{\n\"use strict\";\n{}}})();\n", bare(script))
}

/// The same without comments, which begin lines, and without indentation: no text of the page's source goes over a line.
fn bare(script: &str) -> String {
    let (mut kept, mut told) = (String::with_capacity(script.len()), false);
    for line in script.lines() {
        let mut line = line.trim();
        told |= line.starts_with("/**");
        if told {
            let Some((_, after)) = line.split_once("*/") else { continue };
            (line, told) = (after.trim_start(), false);
        }
        if !line.is_empty() && !line.starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// A script as a policy knows it.
fn digest(script: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(script.as_bytes())))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{SCRIPTS, UNPACK, bare, base64, filled};
    use crate::explore::{far, pack};

    #[test]
    fn base64_is_that_of_the_rfc() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn both_sides_of_packing_have_the_same_numbers() {
        let told = [
            format!("const LEAST = {};", far::LEAST),
            format!("const PAIRS = {};", pack::PAIRS),
            format!("const UNKEPT = {:?};", pack::UNKEPT),
        ];
        assert!(told.iter().all(|line| UNPACK.contains(line)), "{told:?}");
    }

    #[test]
    fn parts_are_not_looked_into() {
        let parts = [("A", "{{B}}".to_string()), ("B", "x".to_string())];
        assert_eq!(filled("<{{A}}|{{B}}|{{C}}>", &parts), "<{{B}}|x|>");
    }

    #[test]
    fn scripts_lose_comments_alone() {
        let script = "/**\n * What it is.\n */\nconst a = 1; // kept\n\n  /** b */ const b = `//`;\n// c\n";
        assert_eq!(bare(script), "const a = 1; // kept\nconst b = `//`;\n");
        // else their lines would be trimmed
        assert!(
            SCRIPTS.iter().flat_map(|script| script.lines()).all(|line| line.matches('`').count() % 2 == 0)
        );
    }
}
