//! The program: one file a command, nothing else.

mod cli;

mod exit;

mod output;

mod model;

mod telemetry;

mod commands;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::exit::Exit;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let exit = match run(cli) {
        Ok(exit) => exit,
        // Whoever closed the pipe has read enough.
        Err(error) if closed_pipe(&error) => Exit::Met,
        Err(error) => {
            // Every level once: the deepest says what to do.
            eprintln!("error: {error:#}");
            Exit::BadInput
        }
    };
    exit.into()
}

fn run(cli: Cli) -> anyhow::Result<Exit> {
    let workers = cli.workers();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build()?;
    runtime.block_on(cli.run())
}

fn closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
