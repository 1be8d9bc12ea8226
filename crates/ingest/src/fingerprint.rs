//! Tells whether a folder has changed since it was read, without reading it again.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::error::IngestError;
use crate::folder::{self, Listed};
use crate::options::Options;

/// Goes up when files are split or named otherwise, so that what was read before is read again.
pub(crate) const READER: u128 = 3;

/// A text that changes when a file that [`read_folder`](crate::read_folder) would read is edited, added,
/// removed or renamed, or when the options change (the time of reading and a shop's own packs excepted). It looks at paths, sizes and times, not at contents.
///
/// # Errors
/// As [`read_folder`](crate::read_folder), for what can be seen without opening a file.
pub fn fingerprint(root: &Path, options: &Options) -> Result<String, IngestError> {
    let mut hash = Hash::new();
    hash.number(READER);
    hash.text(options.language.code());
    hash.number(u128::from(options.reviews));
    hash.number(options.target as u128);
    hash.number(u128::from(options.program.is_some()));
    for listed in folder::list(root, options.reviews)?.files {
        hash.file(&listed);
    }
    Ok(format!("{:032x}", hash.0))
}

/// FNV-1a with 128 bits (Fowler, Noll, Vo; RFC 9923): quick, and enough against chance.
struct Hash(u128);

impl Hash {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
    }

    fn number(&mut self, number: u128) {
        self.bytes(&number.to_le_bytes());
    }

    /// With its length in front, so that two texts never look like two others.
    fn text(&mut self, text: &str) {
        self.number(text.len() as u128);
        self.bytes(text.as_bytes());
    }

    fn file(&mut self, listed: &Listed) {
        self.text(&listed.file);
        let data = fs::metadata(&listed.path);
        let size = data.as_ref().map_or(u64::MAX, fs::Metadata::len);
        // A time before 1970 counts as its distance; a system without times leaves size and name.
        let time = data.and_then(|data| data.modified()).ok();
        let since = time.map(|time| time.duration_since(UNIX_EPOCH).unwrap_or_else(|early| early.duration()));
        self.number(u128::from(size));
        self.number(since.map_or(u128::MAX, |since| since.as_nanos()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        let mut hash = Hash::new();
        hash.bytes(b"foobar");
        assert_eq!(format!("{:032x}", hash.0), "343e1662793c64bf6f0d3597ba446f18");
    }
}
