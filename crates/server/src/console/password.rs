//! Passwords: hashed slowly, two at once at most, and never in the way of a conversation.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use tokio::task::spawn_blocking;

use super::fault::Fault;
use super::{Room, keys};
use crate::error::ServeError;

/// The fewest characters of a password.
pub(super) const SHORTEST: usize = 12;

/// The most: hashing takes what it is given.
const LONGEST: usize = 256;

/// As many hashes are made at once; each takes 19 MiB.
pub(super) const AT_ONCE: usize = 2;

/// Nobody's password, as costly to compare as any: a name that is not known is not told by the time it takes.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Whether a password may be chosen.
pub(super) fn fits(password: &str) -> bool {
    (SHORTEST..=LONGEST).contains(&password.chars().count())
}

/// The hash that is kept of a password.
///
/// # Errors
/// [`Fault::Broken`] where it cannot be made.
pub(super) async fn hashed(room: &Room, password: &str) -> Result<String, Fault> {
    let salt: [u8; 16] = keys::random()?;
    let password = password.to_owned();
    let _place = room.hashing().await?;
    let made = spawn_blocking(move || made(&password, &salt));
    made.await.map_err(Fault::broken)?.map_err(Fault::broken)
}

/// The hash that is kept of an operator's password, for whoever makes one without the console. It takes a while, and
/// blocks.
///
/// # Errors
/// [`ServeError::Password`] for a password that may not be chosen, [`ServeError::NoRandom`], [`ServeError::Hash`].
pub fn password_hash(password: &str) -> Result<String, ServeError> {
    if !fits(password) {
        return Err(ServeError::Password { shortest: SHORTEST, longest: LONGEST });
    }
    let salt: [u8; 16] = keys::random().map_err(|_| ServeError::NoRandom)?;
    made(password, &salt).map_err(|error| ServeError::Hash(error.to_string()))
}

fn made(password: &str, salt: &[u8]) -> argon2::password_hash::Result<String> {
    Argon2::default().hash_password_with_salt(password.as_bytes(), salt).map(|hash| hash.to_string())
}

/// Whether a password is the one that `hash` was made of; `None`: the name is not known.
///
/// # Errors
/// [`Fault::Broken`] where it cannot be compared.
pub(super) async fn is_right(room: &Room, password: &str, hash: Option<String>) -> Result<bool, Fault> {
    if password.chars().count() > LONGEST {
        return Ok(false);
    }
    let password = password.to_owned();
    let known = hash.is_some();
    let hash = hash.unwrap_or_else(|| NOBODYS.to_owned());
    let _place = room.hashing().await?;
    let same =
        spawn_blocking(move || Argon2::default().verify_password(password.as_bytes(), hash.as_str()).is_ok());
    Ok(same.await.map_err(Fault::broken)? && known)
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::phc::PasswordHash;

    use super::*;

    #[tokio::test]
    async fn nobodys_password_costs_what_any_costs_and_opens_nothing() {
        let room = Room::default();
        let made = hashed(&room, "a long password").await.unwrap();
        let costs = |hash: &str| hash.split('$').take(4).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(costs(&made), costs(NOBODYS));
        assert!(PasswordHash::new(NOBODYS).is_ok(), "it is compared, and not merely refused");
        assert!(is_right(&room, "a long password", Some(made.clone())).await.unwrap());
        assert!(!is_right(&room, "another password", Some(made)).await.unwrap());
        assert!(!is_right(&room, "a long password", None).await.unwrap());
    }

    #[tokio::test]
    async fn a_password_made_outside_the_console_opens_it() {
        let made = password_hash("a long password").unwrap();
        assert!(is_right(&Room::default(), "a long password", Some(made)).await.unwrap());
        assert!(matches!(password_hash("elevenchars"), Err(ServeError::Password { .. })));
    }

    #[test]
    fn a_password_is_neither_short_nor_a_book() {
        assert!(!fits("elevenchars"));
        assert!(fits("twelve chars"));
        assert!(!fits(&"x".repeat(257)));
    }
}
