//! The values of a text, for the tests of several files.
#![allow(clippy::unwrap_used)]

use mostrador_language::{Lang, Pack, Value};

pub(crate) fn values(lang: &str, text: &str) -> Vec<Value> {
    Pack::builtin(lang.parse::<Lang>().unwrap()).unwrap().values(text)
}

pub(crate) fn only(lang: &str, text: &str) -> Value {
    let found = values(lang, text);
    assert_eq!(found.len(), 1, "{lang} {text:?}: {found:#?}");
    found.into_iter().next().unwrap()
}
