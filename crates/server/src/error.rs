//! Why a shop is not served.

use mostrador_answer::ports::Unavailable;
use mostrador_shop::ShopError;
use mostrador_store::StoreError;

/// Why a shop is not served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The shop folder does not fit.
    #[error(transparent)]
    Shop(#[from] ShopError),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index cannot be opened.
    #[error(transparent)]
    Index(#[from] Unavailable),
    /// The shop's cases cannot be read.
    #[error("{0}")]
    Suite(String),
    /// This version did not pass the shop's cases.
    #[error(
        "this version has not passed the shop's cases; run `mostrador eval {root}`, or write `release_gate = \"warn\"` \
         at the top of shop.toml, above its first [section]"
    )]
    NotReleased {
        /// The shop folder.
        root: String,
    },
    /// A check is switched off that no customer may be without.
    #[error("shop.toml: [gate] mode = \"off\" is for lessons; take the line out before this shop is served")]
    NoGate,
    /// The address cannot be listened on.
    #[error(
        "{address} cannot be listened on; choose another with --listen or `[server] listen`, such as 127.0.0.1:8080"
    )]
    Listen {
        /// The address.
        address: String,
        /// Why.
        source: std::io::Error,
    },
    /// A password that may not be chosen.
    #[error("a password has {shortest} to {longest} characters; choose another")]
    Password {
        /// The fewest characters.
        shortest: usize,
        /// The most.
        longest: usize,
    },
    /// A password of which no hash can be made.
    #[error("the password cannot be hashed: {0}; see that there is memory free and try again")]
    Hash(String),
    /// No random numbers can be had.
    #[error("the system gives no random numbers")]
    NoRandom,
}

impl ServeError {
    /// Whether it lies in the shop's files, and not in something that may be back in a moment.
    #[must_use]
    pub fn is_of_the_shop(&self) -> bool {
        let away = matches!(self, Self::Store(_) | Self::Index(_) | Self::NoRandom)
            || matches!(self, Self::Shop(ShopError::Store(_) | ShopError::Embedding(_)));
        !away
    }
}
