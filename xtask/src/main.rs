//! `cargo xtask check`: the checks that keep the house in order, one file a check.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod house;

mod scan;

mod size;

mod opening;

mod literals;

mod words;

mod leftovers;

mod links;

mod arrows;

use std::process::ExitCode;

use house::{Finding, House};

/// A check looks at the house and says what it found.
type Check = fn(&House) -> anyhow::Result<Vec<Finding>>;

/// Every check by its name, in the order in which they run.
const CHECKS: [(&str, Check); 7] = [
    ("size", |house| size::check(&house.root)),
    ("opening", |house| opening::check(&house.root)),
    ("literals", |house| literals::check(&house.root)),
    ("words", |house| words::check(&house.root)),
    ("leftovers", |house| leftovers::check(&house.root)),
    ("links", |house| links::check(&house.root)),
    ("arrows", |house| arrows::check(&house.metadata)),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs `check`, prints every finding by file and line, and returns how many there are.
fn run(arguments: &[String]) -> anyhow::Result<usize> {
    let names = CHECKS.map(|(name, _)| name).join(", ");
    let usage = || format!("write `cargo xtask check [NAME...]`; the checks are: {names}");
    let chosen = match arguments.split_first() {
        Some((command, chosen)) if command == "check" => chosen,
        _ => anyhow::bail!("{}", usage()),
    };
    if let Some(unknown) = chosen.iter().find(|name| CHECKS.iter().all(|(known, _)| known != name)) {
        anyhow::bail!("there is no check {unknown:?}; {}", usage());
    }
    let house = House::here()?;
    let (mut ran, mut total) = (0, 0);
    for (name, check) in
        CHECKS.iter().filter(|(name, _)| chosen.is_empty() || chosen.iter().any(|c| c == name))
    {
        let mut findings = check(&house)?;
        findings.sort();
        for finding in &findings {
            println!("{finding} ({name})");
        }
        ran += 1;
        total += findings.len();
    }
    println!("xtask check: {total} findings in {ran} checks");
    Ok(total)
}
