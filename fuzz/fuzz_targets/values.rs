//! The values of any text stand inside it, in order, without overlap.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mostrador_language::Pack;

fuzz_target!(|input: (u8, &str)| {
    let (which, text) = input;
    let langs: Vec<_> = Pack::languages().collect();
    let pack = Pack::of(langs[usize::from(which) % langs.len()]);
    let mut before = 0;
    for value in pack.values(text) {
        assert!(before <= value.span.start && value.span.start < value.span.end);
        assert!(text.get(value.span.clone()).is_some());
        before = value.span.end;
    }
});
