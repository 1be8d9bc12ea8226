//! What the pages of the counter say: the widget to customers, the console to colleagues.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::Lang;

/// The texts of a page by their names. `{name}` in a text stands for a value, filled in by [`crate::fill`].
pub type Wording = BTreeMap<String, String>;

struct Source {
    lang: Lang,
    widget: &'static str,
    console: &'static str,
}

macro_rules! source {
    ($lang:expr, $code:literal) => {
        Source {
            lang: $lang,
            widget: include_str!(concat!("../../../packs/", $code, "/widget.toml")),
            console: include_str!(concat!("../../../packs/", $code, "/console.toml")),
        }
    };
}

static SOURCES: [Source; 11] = [
    source!(Lang::EN, "en"),
    source!(Lang::ES, "es"),
    source!(Lang::BG, "bg"),
    source!(Lang::PT, "pt"),
    source!(Lang::FR, "fr"),
    source!(Lang::DE, "de"),
    source!(Lang::RU, "ru"),
    source!(Lang::AR, "ar"),
    source!(Lang::FA, "fa"),
    source!(Lang::HI, "hi"),
    source!(Lang::ZH, "zh"),
];

static EMPTY: Wording = Wording::new();

static WIDGETS: LazyLock<BTreeMap<Lang, Wording>> = LazyLock::new(|| read(|source| source.widget));

static CONSOLES: LazyLock<BTreeMap<Lang, Wording>> = LazyLock::new(|| read(|source| source.console));

fn read(file: fn(&Source) -> &'static str) -> BTreeMap<Lang, Wording> {
    // A file that does not read has no texts, and the test below fails.
    SOURCES.iter().map(|source| (source.lang, toml::from_str(file(source)).unwrap_or_default())).collect()
}

/// What the chat widget says in a language; without texts where there is no pack.
#[must_use]
pub fn widget(lang: Lang) -> &'static Wording {
    WIDGETS.get(&lang).unwrap_or(&EMPTY)
}

/// What the operators' console says in a language; without texts where there is no pack.
#[must_use]
pub fn console(lang: Lang) -> &'static Wording {
    CONSOLES.get(&lang).unwrap_or(&EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placeholders(text: &str) -> Vec<&str> {
        let mut names: Vec<&str> =
            text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn every_language_says_the_same_things() {
        for of in [widget, console] {
            let english = of(Lang::EN);
            assert!(!english.is_empty());
            for source in &SOURCES {
                let here = of(source.lang);
                let names = |wording: &'static Wording| wording.keys().collect::<Vec<_>>();
                assert_eq!(names(here), names(english), "{}", source.lang);
                for (name, text) in here {
                    assert!(!text.trim().is_empty(), "{} {name}", source.lang);
                    let english = english.get(name).map_or("", String::as_str);
                    assert_eq!(placeholders(text), placeholders(english), "{} {name}", source.lang);
                }
            }
        }
    }
}
