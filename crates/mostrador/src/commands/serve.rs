//! `mostrador serve`: the counter over HTTP, with its widget and its console.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use mostrador_evals::case::{read_cases, read_suite};
use mostrador_server::{CaseDraft, ServeError, Server, ServerOptions, Suite, SuiteReport};
use mostrador_shop::server_config::Listen;
use mostrador_shop::{Shop, ShopError};

use crate::commands::eval;
use crate::exit::Exit;
use crate::model::Model;
use crate::output::print;
use crate::telemetry::{self, Log};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// The address and port to listen on, in the place of `[server] listen`; port 0 takes a free one.
    #[arg(long, value_parser = listen, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Uses a model of another kind than the shop's own; such a version was never released.
    #[arg(long, value_enum)]
    model: Option<Model>,
    /// How the log is written, on standard error.
    #[arg(long, value_enum, default_value_t)]
    log: Log,
    /// From which level on it is written: error, warn, info, debug or trace.
    #[arg(long, default_value = "info")]
    log_level: tracing_subscriber::filter::LevelFilter,
}

fn listen(text: &str) -> Result<String, String> {
    Listen::parse(text).map(|listen| listen.0)
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let _telemetry = telemetry::begin(args.log, args.log_level)?;
    let signals = Signals::listen()?;
    let model = args.model;
    let options = ServerOptions {
        listen: args.listen.clone(),
        prepare: Arc::new(move |shop: Shop| match model {
            Some(kind) => shop.with_model(kind.into()),
            None => shop,
        }),
    };
    let suite = Arc::new(Cases { root: args.shop.clone() });
    let server = match Server::open(&args.shop, suite, options).await {
        Ok(server) => server,
        Err(error @ ServeError::NotReleased { .. }) => {
            eprintln!("error: {error}");
            return Ok(Exit::GateFailed);
        }
        Err(error) => return Err(error.into()),
    };
    for warning in server.warnings() {
        eprintln!("warning: {warning}");
    }
    if let Some(link) = server.setup_link() {
        eprintln!("nobody can sign in yet; make the first owner within the hour: {link}");
    }
    print(&format!("listening on http://{}\n", server.address()))?;
    std::io::stdout().flush()?;
    let handle = server.handle();
    let told = tokio::spawn(signals.tell(handle));
    server.run().await;
    told.abort();
    Ok(Exit::Met)
}

/// SIGINT and SIGTERM end it, a second one at once; SIGHUP reads the shop anew.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    end: tokio::signal::unix::Signal,
    reload: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// Heard from now on: none of them ends a program that is still opening its shop in disorder.
    fn listen() -> anyhow::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            end: signal(SignalKind::terminate())?,
            reload: signal(SignalKind::hangup())?,
        })
    }

    async fn tell(mut self, handle: mostrador_server::Handle) {
        let mut told = false;
        loop {
            tokio::select! {
                _ = self.interrupt.recv() => {}
                _ = self.end.recv() => {}
                _ = self.reload.recv() => {
                    handle.reload();
                    continue;
                }
            }
            if told {
                handle.stop_now();
            }
            handle.stop();
            told = true;
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> anyhow::Result<Self> {
        Ok(Self)
    }

    async fn tell(self, handle: mostrador_server::Handle) {
        let _ = tokio::signal::ctrl_c().await;
        handle.stop();
    }
}

/// The cases of the shop folder.
struct Cases {
    root: PathBuf,
}

#[async_trait]
impl Suite for Cases {
    fn written(&self) -> Result<String, String> {
        read_suite(&self.root).map(|suite| suite.written).map_err(|error| error.to_string())
    }

    async fn run(&self) -> Result<SuiteReport, String> {
        eval::whole(&self.root).await.map_err(|error| format!("{error:#}"))
    }

    fn write_case(&self, name: &str, case: &CaseDraft) -> Result<PathBuf, String> {
        write(&self.root, name, case).map_err(|error| format!("{error:#}"))
    }
}

/// A draft of a case, in a file of its own. It is no part of the suite: a click does not close the release gate for the
/// next start.
fn write(root: &Path, name: &str, case: &CaseDraft) -> anyhow::Result<PathBuf> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    anyhow::ensure!(
        !name.is_empty() && name.len() <= 80 && name.chars().all(plain),
        "a case is named by lower-case letters, digits and hyphens, 80 at most"
    );
    let text = yaml(name, case);
    read_cases(&text, &format!("{name}.yaml")).context("the case does not fit")?;
    let folder = root.join("cases").join("drafts");
    std::fs::create_dir_all(&folder).context("cases/drafts/ cannot be made")?;
    let file = folder.join(format!("{name}.yaml"));
    let unwritable = |source| ShopError::Unwritable { file: file.clone(), source };
    let mut open =
        std::fs::OpenOptions::new().write(true).create_new(true).open(&file).map_err(unwritable)?;
    open.write_all(text.as_bytes()).and_then(|()| open.sync_all()).map_err(unwritable)?;
    Ok(file)
}

/// JSON texts are YAML texts, whatever is in them.
fn yaml(name: &str, case: &CaseDraft) -> String {
    let text = |value: &str| serde_json::Value::from(value).to_string();
    let list = |values: &[String]| serde_json::json!(values).to_string();
    let mut out = format!("- name: {}\n  question: {}\n", text(name), text(&case.question));
    if let Some(customer) = &case.customer {
        out.push_str(&format!("  as: {}\n", text(customer)));
    }
    out.push_str(&format!("  ends: {}\n", case.ending));
    for (key, values) in [("has", &case.must_say), ("not", &case.must_not_say), ("cites", &case.sources)] {
        if !values.is_empty() {
            out.push_str(&format!("  {key}: {}\n", list(values)));
        }
    }
    out
}
