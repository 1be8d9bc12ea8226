//! The command line.

use clap::{Parser, Subcommand};

use crate::commands::{
    ask, backup, calibrate, check, cost, erase, eval, inbox, index, ledger, new, operator, probe, read_pdf,
    record, search, serve,
};
use crate::exit::Exit;

/// Answers a shop's customers from the shop's own documents, with the source beside each answer.
#[derive(Debug, Parser)]
#[command(name = "mostrador", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done, 1 the release gate did not open, 2 bad configuration or data, \
3 the run did not come to its end.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Makes a shop folder that answers at once.
    New(new::Args),
    /// Reads everything in a shop folder and says what it found.
    Check(check::Args),
    /// Reads the documents and makes them searchable.
    Index(index::Args),
    /// Shows which passages would support an answer.
    Search(search::Args),
    /// Answers a question.
    Ask(ask::Args),
    /// Answers customers over HTTP, with a chat widget and a console for colleagues.
    Serve(serve::Args),
    /// Lists what was handed to colleagues.
    Inbox(inbox::Args),
    /// Runs the shop's cases and says whether this version may go out.
    Eval(eval::Args),
    /// Keeps what a real model says, to be replayed offline.
    Record(record::Args),
    /// Measures where the threshold should stand.
    Calibrate(calibrate::Args),
    /// Forecasts what questions will cost.
    Cost(cost::Args),
    /// Shows what was spent, or adds it up again.
    Ledger(ledger::Args),
    /// Copies what the shop keeps into a file, also while it is served.
    Backup(backup::Args),
    /// Erases what a customer has said and was told.
    Erase(erase::Args),
    /// Makes an operator of the console, or gives one a new password, read from standard input.
    Operator(operator::Args),
    /// Runs one room on JSON lines from standard input.
    Probe(probe::Args),
    /// Reads one PDF from standard input.
    #[command(hide = true)]
    ReadPdf(read_pdf::Args),
}

impl Cli {
    /// How many workers its command is worth, beside the main thread: a question is one task, and a process that asks
    /// one should not pay for threads it does not use.
    pub(crate) fn workers(&self) -> usize {
        match self.command {
            Command::Serve(_) => std::thread::available_parallelism().map_or(2, std::num::NonZero::get),
            _ => 1,
        }
    }

    pub(crate) async fn run(self) -> anyhow::Result<Exit> {
        match self.command {
            Command::New(args) => new::run(&args),
            Command::Check(args) => check::run(&args).await,
            Command::Index(args) => index::run(&args).await,
            Command::Search(args) => search::run(&args).await,
            Command::Ask(args) => ask::run(&args).await,
            Command::Serve(args) => serve::run(&args).await,
            Command::Backup(args) => backup::run(&args).await,
            Command::Erase(args) => erase::run(&args).await,
            Command::Operator(args) => operator::run(&args).await,
            Command::Inbox(args) => inbox::run(&args).await,
            Command::Eval(args) => eval::run(&args).await,
            Command::Record(args) => record::run(&args).await,
            Command::Calibrate(args) => calibrate::run(&args).await,
            Command::Cost(args) => cost::run(&args).await,
            Command::Ledger(args) => ledger::run(&args).await,
            Command::Probe(args) => probe::run(&args).await,
            Command::ReadPdf(args) => read_pdf::run(&args),
        }
    }
}
