//! `mostrador operator`: makes an operator of the console, or gives one a new password: the way back in.

use std::io::BufRead;
use std::path::PathBuf;

use anyhow::{Context, bail};
use mostrador_answer::ports::UnixMillis;
use mostrador_server::{is_operator_name, password_hash};
use mostrador_shop::Shop;
use mostrador_shop::counter::{database, now};
use mostrador_store::{Action, Role, Store, StoreOptions};

use crate::exit::Exit;
use crate::output::print;

/// Who did it, in the audit log.
const BY: &str = "command line";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// The name they sign in with. The first line of standard input is their password.
    name: String,
    /// What they may do. Without it nobody new is made.
    #[arg(long, value_parser = role, value_name = "owner|agent|viewer")]
    role: Option<Role>,
}

fn role(name: &str) -> Result<Role, String> {
    Role::parse(name).ok_or_else(|| "write owner, agent or viewer".to_owned())
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Shop::read(&args.shop)?;
    let name = args.name.as_str();
    if !is_operator_name(name) {
        bail!("{name:?} is no name to sign in with; write 1 to 64 characters on one line");
    }
    let store = Store::open(&database(shop.root()), StoreOptions::default()).await?;
    let done = set(&store, name, args.role).await;
    store.close().await;
    print(&format!("{}\n", done?))?;
    Ok(Exit::Met)
}

/// Says what was done.
async fn set(store: &Store, name: &str, role: Option<Role>) -> anyhow::Result<String> {
    let known = store.operator(name).await?.map(|(operator, _)| operator);
    if known.is_none() && role.is_none() {
        // A name that was mistyped makes nobody.
        bail!("there is no operator {name:?}; add --role owner, agent or viewer to make one");
    }
    let hash = password_hash(&from_input()?)?;
    let at = now();
    let Some(operator) = known else {
        let operator = store.add_operator(name, &hash, role.unwrap_or(Role::Viewer), at).await?;
        log(store, "operator.added", &operator.name, operator.role.name(), at).await?;
        store.clear_failures(&operator.name, None).await?;
        return Ok(format!("made: {} ({})", operator.name, operator.role.name()));
    };
    let role = role.filter(|role| *role != operator.role);
    if let Some(role) = role {
        store.set_role(operator.id, role).await?;
        log(store, "operator.role", &operator.name, role.name(), at).await?;
    }
    store.set_password(operator.id, &hash).await?;
    log(store, "operator.password", &operator.name, "", at).await?;
    store.clear_failures(&operator.name, None).await?;
    if operator.disabled {
        eprintln!(
            "warning: {} is shut out; an owner lets them in on the page of the operators",
            operator.name
        );
    }
    let changed = role.map(|role| format!(" (was {}, is {} now)", operator.role.name(), role.name()));
    Ok(format!("new password: {}{}", operator.name, changed.unwrap_or_default()))
}

/// The password: a line, without its end.
fn from_input() -> anyhow::Result<String> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("the password cannot be read from standard input")?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

async fn log(store: &Store, action: &str, subject: &str, detail: &str, at: UnixMillis) -> anyhow::Result<()> {
    let action = Action {
        operator: BY.to_owned(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        detail: detail.to_owned(),
        at,
    };
    Ok(store.log_action(&action).await?)
}
