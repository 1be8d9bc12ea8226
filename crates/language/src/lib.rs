//! What Mostrador knows of human languages: normal form, words, stems, sentences, packs.
//!
//! Pure functions over texts and packs; no I/O. The words of a language live in `packs/`, never here.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod lang;

mod pack;

mod normal;

mod confusables;

mod plain;

mod phrases;

mod refusal;

mod delicate;

mod cues;

mod names;

mod promises;

mod detect;

mod words;

mod stem;

mod sentences;

mod values;

mod turns;

mod personal;

pub mod wording;

pub use cues::{Cues, Pointed};
pub use delicate::{Delicate, DelicateQuestions};
pub use detect::{Detected, detect};
pub use lang::{BadLang, Lang};
pub use names::Names;
pub use normal::{Normal, normalize};
pub use pack::{
    Antonyms, BadPattern, Forms, Instruction, Overlay, Pack, PackError, Packs, Phrasing, Prompt, Report,
    Talk, TextKey, Texts, fill,
};
pub use personal::{PersonalKind, personal};
pub use promises::{Family, Promise, Promises};
pub use refusal::{Category, Refusals, Refused};
pub use sentences::{SentenceStream, one_line};
pub use turns::{Turn, Turned};
pub use values::{
    Amount, BadDecimal, Bound, Calendar, Clock, Currency, Date, Days, Decimal, Kind, Period, Reading,
    TimeUnit, Unit, Value,
};
pub use words::{ContentWord, Token, words};
