//! The signed session of a command: where its token comes from, and who that says is asking.

use std::env;
use std::io::Read;

use anyhow::{Context, anyhow, bail};
use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::CustomerId;
use mostrador_shop::identity::MOST_BYTES;
use mostrador_shop::{Identity, Shop};

/// The environment variable of a token that is not on the command line.
const VARIABLE: &str = "MOSTRADOR_TOKEN";

/// A token that is yet to be verified, and what verifies it.
pub(crate) struct Signed {
    identity: Identity,
    token: String,
    from: &'static str,
}

impl Signed {
    /// The customer of the token at `now`.
    pub(crate) fn customer(&self, now: UnixMillis) -> anyhow::Result<CustomerId> {
        self.identity.verify(&self.token, now).context(self.from)
    }
}

/// The session of `--token`, or else of the environment, which `--as` outranks. `None`: nobody is signed in.
pub(crate) fn signed(shop: &Shop, given: Option<&str>, named: bool) -> anyhow::Result<Option<Signed>> {
    let (token, from) = match given {
        Some("-") => (from_input()?, "--token"),
        Some(token) => (token.to_owned(), "--token"),
        None if named => return Ok(None),
        None => match env::var_os(VARIABLE).filter(|token| !token.is_empty()) {
            Some(token) => (token.into_string().map_err(|_| anyhow!("{VARIABLE} is not UTF-8"))?, VARIABLE),
            None => return Ok(None),
        },
    };
    let Some(identity) = Identity::of(shop)? else {
        bail!(
            "{from}: this shop verifies no tokens; add `[identity]` with `audience` and a key to shop.toml \
             (docs/identity.md), or ask without a token"
        );
    };
    Ok(Some(Signed { identity, token: token.trim().to_owned(), from }))
}

fn from_input() -> anyhow::Result<String> {
    // One byte more than a token may have, so that a longer one is refused and not cut.
    let most = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX).saturating_add(3);
    let mut token = String::new();
    std::io::stdin().take(most).read_to_string(&mut token).context("--token -: standard input")?;
    Ok(token)
}
