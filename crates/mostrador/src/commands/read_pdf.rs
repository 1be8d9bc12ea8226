//! `mostrador read-pdf`: reads one PDF for `index`, in a process of its own; not for people.

use std::io::{stdin, stdout};

use crate::exit::Exit;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Reads standard input; its paragraphs go to standard output as JSON.
pub(crate) fn run(_: &Args) -> anyhow::Result<Exit> {
    mostrador_ingest::read_pdf(stdin().lock(), stdout().lock())?;
    Ok(Exit::Met)
}
