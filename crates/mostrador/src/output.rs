//! What commands share: the format, opening a shop, progress for a person who watches.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use mostrador_shop::index::{Index, Step};
use mostrador_shop::{Counter, Keep, Shop, ShopError};
use serde::Serialize;

/// How results are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Prints text to standard output, without the control characters that could steer a terminal: texts
/// of documents, customers and files are not trusted with it.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    let clean = text.replace(steers, "\u{fffd}");
    let mut out = std::io::stdout().lock();
    out.write_all(clean.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints a value as indented JSON.
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

const COUNTED: &str = "{bar:30} {pos}/{len} {msg}";

/// A bar on standard error, where a person watches and the work is not over within a moment.
pub(crate) fn progress(length: Option<u64>) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = if length.is_some() { COUNTED } else { "{spinner} {pos} {msg}" };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Opens a shop's counter, with a spinner while documents are read, and names what was passed over.
pub(crate) async fn open(shop: Arc<Shop>, keep: Keep) -> Result<Counter, ShopError> {
    let bar = progress(None);
    let opened = Counter::open(shop, keep, &mut |step| tick(&bar, step)).await;
    bar.finish_and_clear();
    let counter = opened?;
    warn_skipped(counter.index());
    counter.on_warning(Box::new(|warning| eprintln!("warning: {warning}")));
    Ok(counter)
}

/// Moves a bar on: by files first, then by the passages that are put into the index.
pub(crate) fn tick(bar: &ProgressBar, step: Step<'_>) {
    match step {
        Step::File(file) => {
            bar.inc(1);
            bar.set_message(file.display().to_string());
        }
        Step::Passages(done, all) => {
            if bar.length() != Some(all) {
                bar.set_length(all);
                bar.set_message("passages");
                if let Ok(style) = ProgressStyle::with_template(COUNTED) {
                    bar.set_style(style);
                }
            }
            bar.set_position(done);
        }
    }
}

/// Names on standard error what was passed over, and why, and what else there is to know.
pub(crate) fn warn_skipped(index: &Index) {
    for warning in &index.warnings {
        eprintln!("warning: {warning}");
    }
    for skipped in &index.skipped {
        eprintln!("warning: skipped {}: {}", skipped.file, skipped.reason);
    }
}
