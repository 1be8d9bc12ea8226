//! Any text has a normal form that is its own, with a map that stays inside; a refusal is a part of the text.
#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mostrador_language::{Category, Normal, Packs, Refusals, detect, normalize};

static REFUSALS: LazyLock<Refusals> =
    LazyLock::new(|| Refusals::new(&Packs::default(), &Category::ALL, &BTreeMap::new()).unwrap());

fuzz_target!(init: ready(), |text: &str| {
    let normal = Normal::of(text);
    assert_eq!(normalize(text), normal.as_str());
    assert_eq!(normalize(normal.as_str()), normal.as_str());
    let mut before = 0;
    for (at, c) in normal.as_str().char_indices() {
        let part = normal.original(at..at + c.len_utf8());
        assert!(before <= part.start && part.start < part.end && text.get(part.clone()).is_some());
        before = part.start;
    }
    if let Some(refused) = REFUSALS.check(&normal) {
        assert!(text.get(refused.found).is_some_and(|found| !found.is_empty()));
    }
    let _ = detect(text, None, None, &[]);
});

/// Reads the packs before the first text, so that their time is not counted as its.
fn ready() {
    for text in ["a b", "\u{431}", "\u{628}", "\u{915}", "\u{6211}"] {
        let _ = (REFUSALS.check(&Normal::of(text)), detect(text, None, None, &[]));
    }
}
