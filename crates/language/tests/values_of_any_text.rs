//! Whatever the text: no panic, spans in order, and numbers that are read as they were written.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

use mostrador_language::{Decimal, Kind, Lang, Pack};
use proptest::prelude::*;

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[0-9]{1,5}",
        "[.,:/ –+-]{1,2}",
        "[٠-٩۰-۹०-९]{1,3}",
        "[€$%₹°#@½\u{301}\u{200C}\u{AD}\u{A0}\u{202F}]",
        prop::sample::select(vec![
            "euros",
            "dos",
            "y",
            "mil",
            "hasta ",
            "al mes",
            "de ",
            "marzo",
            " días",
            "a las ",
            "http://",
            "www.",
            "@a.b",
            "A-1",
            "二",
            "十",
            "万",
            "年",
            "百分之",
            "zwei",
            "und",
            "zwanzig",
            "خمسة",
            "وعشرون",
            "से",
            "h",
            "pm",
            "x2",
            "n.º ",
            "\n",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn check(text: &str) -> Result<(), TestCaseError> {
    for lang in Pack::languages() {
        let mut last = 0;
        for value in Pack::of(lang).values(text) {
            prop_assert!(value.span.start >= last && value.span.end > value.span.start, "{lang} {value:?}");
            prop_assert!(text.get(value.span.clone()).is_some(), "{lang} {value:?}");
            prop_assert!(value.same(&value), "{lang} {value:?}");
            last = value.span.end;
        }
    }
    Ok(())
}

/// How CLDR 46 writes 1234567.89 in each language: the mark of decimals, that of thousands, the fewest digits
/// that are grouped, and whether the second group has two digits.
const LOCALES: [(&str, char, char, usize, bool); 11] = [
    ("en", '.', ',', 4, false),
    ("es", ',', '.', 5, false),
    ("bg", ',', '\u{A0}', 5, false),
    ("pt", ',', '.', 5, false),
    ("fr", ',', '\u{202F}', 4, false),
    ("de", ',', '.', 4, false),
    ("ru", ',', '\u{A0}', 4, false),
    ("ar", '٫', '٬', 4, false),
    ("fa", '٫', '٬', 4, false),
    ("hi", '.', ',', 4, true),
    ("zh", '.', ',', 4, false),
];

fn write(number: Decimal, (_, decimal, group, fewest, lakhs): (&str, char, char, usize, bool)) -> String {
    let plain = number.to_string();
    let (whole, behind) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut out = String::new();
    for (at, digit) in whole.chars().enumerate() {
        let left = whole.len() - at;
        let divides = if lakhs { left == 3 || (left > 3 && left % 2 == 1) } else { left % 3 == 0 };
        if at > 0 && divides && whole.len() >= fewest {
            out.push(group);
        }
        out.push(digit);
    }
    if !behind.is_empty() {
        out.push(decimal);
        out.push_str(behind);
    }
    out
}

proptest! {
    #[test]
    fn any_text(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn texts_full_of_values(text in pieces()) {
        check(&text)?;
    }

    #[test]
    fn a_number_written_in_a_locale_is_read_again(mantissa in 0_i128..1_000_000_000_000, scale in prop::sample::select(vec![0_u32, 1, 2])) {
        let number = Decimal::new(mantissa, scale);
        for locale in LOCALES {
            let lang: Lang = locale.0.parse().unwrap();
            let text = format!("a {} b", write(number, locale));
            let found = Pack::builtin(lang).unwrap().values(&text);
            let [value] = found.as_slice() else {
                return Err(TestCaseError::fail(format!("{lang} {text:?} {found:?}")));
            };
            let Kind::Number { amount } = &value.kind else {
                return Err(TestCaseError::fail(format!("{lang} {text:?} {found:?}")));
            };
            prop_assert_eq!(amount.from.value, number, "{} {:?}", lang, text);
        }
    }
}

/// 1234.56, 3 euros, 1234567.89, 1 March 2026 and 20 per cent as CLDR 46 writes them in each language.
const TABLE: [(&str, [&str; 5]); 11] = [
    ("en", ["1,234.56", "€3.00", "1,234,567.89", "March 1, 2026", "20%"]),
    ("es", ["1234,56", "3,00\u{A0}€", "1.234.567,89", "1 de marzo de 2026", "20\u{A0}%"]),
    ("bg", ["1234,56", "3,00\u{A0}€", "1\u{A0}234\u{A0}567,89", "1 март 2026\u{202F}г.", "20%"]),
    ("pt", ["1234,56", "€\u{A0}3,00", "1.234.567,89", "1 de março de 2026", "20%"]),
    ("fr", ["1\u{202F}234,56", "3,00\u{A0}€", "1\u{202F}234\u{202F}567,89", "1 mars 2026", "20\u{202F}%"]),
    ("de", ["1.234,56", "3,00\u{A0}€", "1.234.567,89", "1. März 2026", "20\u{A0}%"]),
    ("ru", ["1\u{A0}234,56", "3,00\u{A0}€", "1\u{A0}234\u{A0}567,89", "1 марта 2026\u{202F}г.", "20\u{A0}%"]),
    ("ar", ["١٬٢٣٤٫٥٦", "\u{200F}٣٫٠٠\u{A0}€", "١٬٢٣٤٬٥٦٧٫٨٩", "١ مارس ٢٠٢٦", "٢٠٪\u{61C}"]),
    ("fa", ["۱٬۲۳۴٫۵۶", "\u{200E}€\u{A0}۳٫۰۰", "۱٬۲۳۴٬۵۶۷٫۸۹", "۱ مارس ۲۰۲۶", "۲۰٪"]),
    ("hi", ["1,234.56", "€3.00", "12,34,567.89", "1 मार्च 2026", "20%"]),
    ("zh", ["1,234.56", "€3.00", "1,234,567.89", "2026年3月1日", "20%"]),
];

#[test]
fn each_language_writes_the_same_values_its_own_way() {
    let read = |lang: &str, text: &str| {
        let found = Pack::builtin(lang.parse().unwrap()).unwrap().values(text);
        assert_eq!(found.len(), 1, "{lang} {text:?} {found:?}");
        found.into_iter().next().unwrap()
    };
    let (_, english) = TABLE[0];
    for (lang, texts) in TABLE {
        for (text, english) in texts.iter().zip(english) {
            let (ours, theirs) = (read(lang, text), read("en", english));
            assert!(ours.same(&theirs), "{lang} {text:?}: {ours:?} {theirs:?}");
        }
    }
}

/// Were any of these looked at again and again from the start, this test would take many minutes.
/// Each joined part once asked for the whole rest, which no stack was deep enough for.
#[test]
fn numbers_joined_without_end_are_read() {
    let text = "1 million and ".repeat(50_000);
    assert!(!Pack::of(Lang::EN).values(&text).is_empty());
}

#[test]
fn a_long_text_takes_as_long_as_it_is() {
    let size = 100_000;
    for unit in [
        "x",
        "(",
        "1",
        "1,",
        "1.",
        "1 ",
        "1-",
        "1/",
        "a1",
        "@",
        "a@",
        "a.b@",
        "://",
        "a://",
        "www.",
        "-",
        "€",
        "€ 1",
        "dos ",
        "mil ",
        "y ",
        "dos y ",
        "hasta ",
        "\u{301}",
        "a\u{301}",
        "1\u{301}",
        " ",
        "\n",
        "二",
        "十",
        "二十",
        "1年",
        "ein",
        "und",
        "zweiund",
        "zwei",
        "و",
        "وخمسة ",
        "1:",
        "1:1",
        "01/",
        "1 de ",
        "1 a ",
        "+1",
        "n.º ",
        "½",
        "1½",
        "A-",
        "A-1",
        "1x",
    ] {
        let text = unit.repeat(size / unit.len());
        for lang in ["es", "zh", "ar"] {
            let values = Pack::builtin(lang.parse().unwrap()).unwrap().values(&text);
            assert!(values.iter().all(|value| value.span.end <= text.len()));
        }
    }
}
