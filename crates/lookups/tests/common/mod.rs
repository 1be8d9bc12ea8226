//! Tables for the tests of this folder.

use std::time::Duration;

use mostrador_answer::passage::Trust;
use mostrador_language::{TextKey, Texts};
use mostrador_lookups::{LookupError, TableConfig, TableLookup};

/// A configuration over a file `name` with this content, in a folder of its own.
pub(crate) fn config(name: &str, content: &[u8]) -> (tempfile::TempDir, TableConfig) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, content).unwrap();
    let texts = Texts::from([
        (TextKey::UnknownRecord, "no record {value}".to_owned()),
        (TextKey::MissingField, "{field} is missing".to_owned()),
        (TextKey::BadField, "{field} does not fit".to_owned()),
    ]);
    let config = TableConfig {
        name: "order_state".to_owned(),
        description: "The state of an order. Reads only.".to_owned(),
        file,
        shown: format!("data/{name}"),
        key: "order_id".to_owned(),
        pattern: Some(r"\d{4}".to_owned()),
        owner: Some("customer".to_owned()),
        result: "{order_id} — {state}, due {eta}".to_owned(),
        trust: Trust::Shop,
        texts,
        timeout: Duration::from_secs(2),
    };
    (folder, config)
}

/// Loads a table after a change of its configuration.
#[allow(dead_code, reason = "not every test file needs both")]
pub(crate) fn load(
    name: &str,
    content: &[u8],
    change: impl FnOnce(&mut TableConfig),
) -> Result<TableLookup, LookupError> {
    let (_folder, mut config) = config(name, content);
    change(&mut config);
    TableLookup::load(config)
}
