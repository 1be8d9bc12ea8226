//! What a release is a release of: a hash of everything the suite's result depends on.

use mostrador_language::Pack;
use sha2::{Digest, Sha256};

use crate::error::ShopError;
use crate::folder::Shop;
use crate::index::{Index, add, hex};
use crate::models::effective;
use crate::read::text;

/// The hash of a version: configuration, the shop's texts, packs, prompt, model, documents, program,
/// and the suite (`suite`: its cases as written) that it passed or has yet to pass.
///
/// Orders and other records are not in it: they change while the version stays.
///
/// # Errors
/// [`ShopError`] where the scripted model's file cannot be read.
pub fn version(shop: &Shop, index: &Index, suite: &str) -> Result<String, ShopError> {
    let mut hash = Sha256::new();
    add(&mut hash, env!("CARGO_PKG_VERSION"));
    for part in shop.written() {
        add(&mut hash, part);
    }
    for lang in shop.config().languages.get_ref() {
        for part in Pack::written(*lang) {
            add(&mut hash, part);
        }
    }
    add(&mut hash, &shop.system_prompt());
    let script = shop.root().join(&shop.config().model.file.0);
    add(&mut hash, &if script.exists() { text(&script)? } else { String::new() });
    for part in effective(shop)? {
        add(&mut hash, &part);
    }
    add(&mut hash, &index.content);
    add(&mut hash, suite);
    Ok(hex(&hash.finalize()))
}

/// The version of the prompt: the first twelve digits of the hash of the system text, as recordings have it.
#[must_use]
pub fn prompt_version(shop: &Shop) -> String {
    hex(&Sha256::digest(shop.system_prompt())).chars().take(12).collect()
}
