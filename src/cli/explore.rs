//! `mechan explore`: a page on which mechanisms are touched.

use super::Answer;
use super::derive::model_of;
use super::output::{Terminal, write_result};
use crate::explore::{CoreModule, Engine, Page, Served, serve};
use crate::pipeline::{Derived, Failure, load, load_bytes, select_states};
use clap::Args;
use std::path::PathBuf;
use std::sync::Mutex;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Mechanism files (YAML) or model files (JSON); without one, a gallery of all shipped mechanisms
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// The state to begin at, of the first mechanism
    #[arg(long, value_name = "NAME", requires = "files")]
    state: Option<String>,
    /// Write the page to a file [default: NAME.html, or mechan-gallery.html, in the current folder]
    #[arg(short, long, value_name = "PAGE.html", conflicts_with = "serve")]
    output: Option<PathBuf>,
    /// Serve the page of one file on the loopback address, and derive what is edited there, until interrupted
    #[arg(long, requires = "files")]
    serve: bool,
    /// The port to serve at [default: one that is free]
    #[arg(long, value_name = "P", requires = "serve")]
    port: Option<u16>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let core = CoreModule::find().map_err(|error| Failure::Unreadable {
        name: "the explorer's engine".to_string(),
        error: std::io::Error::other(error),
    })?;
    let all = arguments.files.iter().map(|file| derived(file, terminal)).collect::<Result<Vec<_>, _>>()?;
    if let (Some(first), Some(state)) = (all.first(), &arguments.state) {
        select_states(first.loaded(), std::slice::from_ref(state))?;
    }
    let page = if all.is_empty() { Page::gallery()? } else { Page::of(&all)? };
    let page = page.beginning_at(arguments.state.as_deref());
    if arguments.serve {
        return served(page, &core, arguments.port.unwrap_or(0), terminal);
    }
    let name = all.first().map_or("mechan-gallery", |first| first.mechanism().name.as_str());
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.html")));
    page.write(&core, &path)?;
    write_result(&format!("{}\n", path.display()), None)?;
    Ok(0)
}

fn derived(file: &str, terminal: &Terminal) -> Result<Derived, Failure> {
    let loaded = load(file)?;
    terminal.loaded(&loaded);
    let model = model_of(&loaded, terminal)?;
    Derived::new(loaded, model)
}

/// Serves until the terminal ends it.
fn served(page: Page, core: &CoreModule, port: u16, terminal: &Terminal) -> Answer {
    let refused = |error| Failure::Unreadable { name: "the loopback address".to_string(), error };
    let quiet = terminal.for_others();
    // one derivation at a time
    let turn = Mutex::new(quiet);
    let derives = move |text: Vec<u8>| {
        let terminal = turn.lock().map_err(|_| String::new())?;
        let model = || -> Result<String, Failure> {
            let loaded = load_bytes("mechanism", text)?;
            let model = model_of(&loaded, &terminal)?;
            let file = Derived::new(loaded, model)?.model_file();
            file.write().map_err(Failure::unprintable("the model"))
        };
        model().map_err(|failure| Engine::refusal(&failure))
    };
    let served = Served::new(page, core, port, Box::new(derives)).map_err(refused)?;
    write_result(&format!("{}\n", served.address().map_err(refused)?), None)?;
    serve(served).map_err(refused)?;
    Ok(0)
}
