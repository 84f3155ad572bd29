//! The command line: arguments to the pipeline, one file per command, exit status (CLI.md). It has nothing that
//! the library has not.

mod analyze;
mod check;
mod completions;
mod derive;
mod new;
mod output;
mod schema;
mod solve;

use crate::pipeline::Failure;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use output::Terminal;
use std::ffi::OsString;
use std::process::ExitCode;

/// From a YAML mechanism to its equations of motion, and to what Coulomb friction can and cannot predict.
#[derive(Parser, Debug)]
#[command(name = "mechan", version, about, max_term_width = 100)]
#[command(after_help = "Start with `mechan new rod > rod.yaml`, then `mechan analyze rod.yaml`.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

/// Options of every command.
#[derive(Args, Debug)]
struct Common {
    /// Colour in messages
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
    /// No progress, notes or warnings
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Say what is being done
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    verbose: bool,
    /// Derive anew and keep nothing
    #[arg(long, global = true)]
    no_cache: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Everything that can be said about each named state, as one report
    Analyze(analyze::Arguments),
    /// The equations of motion: M, h, gaps, W and what follows from them
    Derive(derive::Arguments),
    /// An incremental problem given as numbers: existence, and a solution
    Solve(solve::Arguments),
    /// Validate only; every problem is found, not just the first
    Check(check::Arguments),
    /// A commented starter file
    New(new::Arguments),
    /// JSON Schema of the format, for editors
    Schema(schema::Arguments),
    /// Shell completions
    Completions(completions::Arguments),
    /// Derive for another process (internal)
    #[cfg(feature = "derive")]
    #[command(name = "__derive", hide = true)]
    Worker,
}

/// Runs the command line and returns the exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match Cli::try_parse_from(arguments) {
        Ok(cli) => execute(&cli),
        Err(error) => {
            // help and version are answers and go to standard output; clap picks the stream
            let status = u8::try_from(error.exit_code()).unwrap_or(2);
            drop(error.print());
            ExitCode::from(status)
        }
    }
}

fn execute(cli: &Cli) -> ExitCode {
    let terminal = Terminal::new(&cli.common);
    let result = match &cli.command {
        Command::Analyze(arguments) => analyze::run(arguments, &terminal),
        Command::Derive(arguments) => derive::run(arguments, &terminal),
        Command::Solve(arguments) => solve::run(arguments, &terminal),
        Command::Check(arguments) => check::run(arguments, &terminal),
        Command::New(arguments) => new::run(arguments),
        Command::Schema(arguments) => schema::run(arguments),
        Command::Completions(arguments) => completions::run(arguments, &mut Cli::command()),
        #[cfg(feature = "derive")]
        Command::Worker => return crate::derive::worker::serve(),
    };
    match result {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            terminal.failure(&failure);
            ExitCode::from(failure.exit_status())
        }
    }
}

/// What a command returns: an exit status when the question was answered.
type Answer = Result<u8, Failure>;
