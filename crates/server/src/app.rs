//! What every request shares.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use mostrador_answer::ports::{Clock, UnixMillis};
use mostrador_shop::config::ServerConfig;
use mostrador_store::Store;
use ring::rand::{SecureRandom, SystemRandom};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::desk::Desk;
use crate::error::ServeError;
use crate::metrics::Metrics;
use crate::suite::Suite;
use crate::version::Version;

/// How long the link of the first set-up is good for.
const SETUP_FOR: i64 = 60 * 60 * 1_000;

/// What every request shares.
pub(crate) struct App {
    pub(crate) root: PathBuf,
    /// The mark of a folder that is served, held until this goes.
    pub(crate) _alone: Option<File>,
    pub(crate) store: Store,
    pub(crate) version: RwLock<Arc<Version>>,
    pub(crate) desk: Arc<Desk>,
    pub(crate) suite: Arc<dyn Suite>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) secret: [u8; 32],
    pub(crate) setup: SetupLink,
    /// How many questions that a limit stopped are still written down in this minute.
    pub(crate) limit_notes: PerMinute,
    /// Turns and their settlement.
    pub(crate) tasks: TaskTracker,
    /// No new questions are taken.
    pub(crate) ending: CancellationToken,
    /// What is under way ends too.
    pub(crate) closing: CancellationToken,
}

impl App {
    pub(crate) fn version(&self) -> Arc<Version> {
        Arc::clone(&self.version.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Serves another version from the next question on.
    pub(crate) fn serve(&self, version: Version) {
        *self.version.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(version);
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn desk(&self) -> &Arc<Desk> {
        &self.desk
    }

    /// The shop folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn suite(&self) -> Option<&dyn Suite> {
        Some(self.suite.as_ref())
    }

    /// What forms are signed with; gone with the process.
    pub(crate) fn secret(&self) -> &[u8; 32] {
        &self.secret
    }

    pub(crate) fn setup(&self) -> &SetupLink {
        &self.setup
    }

    pub(crate) fn clock_now(&self) -> UnixMillis {
        self.clock.now()
    }

    pub(crate) fn secure_cookies(&self) -> bool {
        self.version().shop.config().server.is_secure()
    }

    pub(crate) fn with_config<T>(&self, read: impl FnOnce(&ServerConfig) -> T) -> T {
        read(&self.version().shop.config().server)
    }
}

/// So many of something in a minute.
pub(crate) struct PerMinute {
    most: u32,
    /// The minute, and how many there were in it.
    seen: Mutex<(i64, u32)>,
}

impl PerMinute {
    pub(crate) fn new(most: u32) -> Self {
        Self { most, seen: Mutex::new((0, 0)) }
    }

    /// Whether this is one of them.
    pub(crate) fn lets_in(&self, now: UnixMillis) -> bool {
        let minute = now.0.div_euclid(60_000);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.0 != minute {
            *seen = (minute, 0);
        }
        seen.1 = seen.1.saturating_add(1);
        seen.1 <= self.most
    }
}

/// The link by which the first owner is made: shown once in the terminal, good once and for an hour.
pub(crate) struct SetupLink(Mutex<Option<(String, UnixMillis)>>);

impl SetupLink {
    /// No link: there are operators already.
    pub(crate) fn none() -> Self {
        Self(Mutex::new(None))
    }

    /// A new link, with the token in it.
    pub(crate) fn new(now: UnixMillis) -> Result<(Self, String), ServeError> {
        let token = random_name()?;
        let until = UnixMillis(now.0.saturating_add(SETUP_FOR));
        Ok((Self(Mutex::new(Some((token.clone(), until)))), token))
    }

    /// Whether this token would be taken now.
    pub(crate) fn knows(&self, token: &str, now: UnixMillis) -> bool {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().is_some_and(|(known, until)| same(known, token) && now < *until)
    }

    /// Takes the token, once.
    pub(crate) fn take(&self, token: &str, now: UnixMillis) -> bool {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = kept.as_ref().is_some_and(|(known, until)| same(known, token) && now < *until);
        if fits {
            *kept = None;
        }
        fits
    }
}

/// Compares two secrets in a time that does not tell where they differ.
pub(crate) fn same(known: &str, given: &str) -> bool {
    let differs = known.bytes().zip(given.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    known.len() == given.len() && std::hint::black_box(differs) == 0
}

/// 128 random bits in hexadecimal: a name that nobody guesses.
pub(crate) fn random_name() -> Result<String, ServeError> {
    let mut bytes = [0_u8; 16];
    SystemRandom::new().fill(&mut bytes).map_err(|_| ServeError::NoRandom)?;
    Ok(hex(&bytes))
}

pub(crate) fn random_secret() -> Result<[u8; 32], ServeError> {
    let mut bytes = [0_u8; 32];
    SystemRandom::new().fill(&mut bytes).map_err(|_| ServeError::NoRandom)?;
    Ok(bytes)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        // Writing to a text cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_good_once_and_for_an_hour() {
        let (link, token) = SetupLink::new(UnixMillis(0)).unwrap();
        assert!(!link.take("another", UnixMillis(1)));
        assert!(!link.take(&token, UnixMillis(SETUP_FOR)));
        assert!(link.knows(&token, UnixMillis(1)) && link.take(&token, UnixMillis(1)));
        assert!(!link.knows(&token, UnixMillis(2)) && !link.take(&token, UnixMillis(2)));
    }

    #[test]
    fn so_many_are_let_in_in_a_minute() {
        let notes = PerMinute::new(2);
        let let_in = [0, 1, 2, 59_999, 60_000, 60_001, 60_002].map(|at| notes.lets_in(UnixMillis(at)));
        assert_eq!(let_in, [true, true, false, false, true, true, false]);
    }

    #[test]
    fn names_are_long_and_differ() {
        let (one, other) = (random_name().unwrap(), random_name().unwrap());
        assert_eq!(one.len(), 32);
        assert!(one != other && !same(&one, &other) && same(&one, &one.clone()));
        assert!(!same(&one, "") && !same("", &one));
    }
}
