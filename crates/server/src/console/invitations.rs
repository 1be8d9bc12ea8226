//! Invitations of new operators: links that hold once and for three days, kept in memory alone.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use mostrador_answer::ports::UnixMillis;
use mostrador_store::Role;

use super::fault::Fault;
use super::keys;

/// How long a link holds.
const HOLDS: i64 = 3 * 24 * 60 * 60_000;

/// As many may wait at once: the oldest goes first.
const MOST: usize = 100;

/// What an invitation makes of whoever follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Invited {
    /// A new operator.
    New {
        /// Their role.
        role: Role,
        /// Who invited them.
        by: String,
    },
    /// A new password for an operator who has lost theirs.
    Again {
        /// Their number.
        id: i64,
        /// Their name.
        name: String,
        /// Who gave them the link.
        by: String,
        /// The hash of their password when the link was made: once they have another, the link is of no use.
        hash: String,
    },
}

impl Invited {
    /// Who made the link.
    pub(super) fn by(&self) -> &str {
        match self {
            Self::New { by, .. } | Self::Again { by, .. } => by,
        }
    }

    /// Whether both give the same operator a new password.
    fn is_for_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Again { id, .. }, Self::Again { id: same, .. }) => id == same,
            _ => false,
        }
    }
}

/// The links that wait. The names of links are kept as hashes, as those of sessions are.
#[derive(Debug, Default)]
pub(super) struct Invitations(Mutex<HashMap<[u8; 32], (Invited, UnixMillis)>>);

impl Invitations {
    /// Makes a link, and gives its name.
    ///
    /// # Errors
    /// [`Fault::Broken`] where the system gives no randomness.
    pub(super) fn make(&self, invited: Invited, now: UnixMillis) -> Result<String, Fault> {
        let token = keys::token()?;
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One that went astray ends with the next.
        waiting.retain(|_, (before, until)| *until > now && !before.is_for_same(&invited));
        if waiting.len() >= MOST {
            let oldest = waiting.iter().min_by_key(|(_, (_, until))| *until).map(|(hash, _)| *hash);
            oldest.and_then(|hash| waiting.remove(&hash));
        }
        waiting.insert(keys::digest(&token), (invited, UnixMillis(now.0.saturating_add(HOLDS))));
        Ok(token)
    }

    /// What a link is for; `None` where it does not hold, or no longer.
    pub(super) fn look(&self, token: &str, now: UnixMillis) -> Option<Invited> {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = waiting.get(&keys::digest(token)).filter(|(_, until)| *until > now);
        found.map(|(invited, _)| invited.clone())
    }

    /// As [`Invitations::look`], and it does not hold any more: of two who come at once, one has it.
    pub(super) fn take(&self, token: &str, now: UnixMillis) -> Option<Invited> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = waiting.remove(&keys::digest(token)).filter(|(_, until)| *until > now);
        taken.map(|(invited, _)| invited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent() -> Invited {
        Invited::New { role: Role::Agent, by: "eva".to_owned() }
    }

    #[test]
    fn a_link_holds_once_and_for_three_days() {
        let links = Invitations::default();
        let token = links.make(agent(), UnixMillis(0)).unwrap();
        assert_eq!(links.look(&token, UnixMillis(HOLDS - 1)), Some(agent()));
        assert_eq!(links.look(&token, UnixMillis(HOLDS)), None);
        assert_eq!(links.look("another", UnixMillis(0)), None);
        assert_eq!(links.take(&token, UnixMillis(1)), Some(agent()));
        assert_eq!(links.take(&token, UnixMillis(1)), None);
    }

    #[test]
    fn no_more_links_wait_than_there_is_room_for() {
        let links = Invitations::default();
        let first = links.make(agent(), UnixMillis(0)).unwrap();
        for at in 1..=100 {
            links.make(agent(), UnixMillis(at)).unwrap();
        }
        assert_eq!(links.look(&first, UnixMillis(101)), None);
    }
}
