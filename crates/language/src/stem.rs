//! Stems: Snowball where it knows the language, the pack's own rules where it does not.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use crate::pack::Words;

/// The rules of a light stemmer: a suffix table that a pack brings.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LightRules {
    /// Nothing is taken off words with fewer letters.
    shortest: usize,
    /// What is taken off, step by step.
    steps: Vec<Step>,
    /// The vowel that alternates in a stem.
    alternation: Option<Alternation>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// The rules in order; the first that fits is carried out, and the next step follows.
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    ending: String,
    /// What stands in the ending's place.
    #[serde(default)]
    put: String,
    /// The fewest letters before the ending.
    keep: usize,
    /// The letters of which one stands before the ending; empty: any.
    #[serde(default)]
    after: String,
}

/// One vowel that is written as another where the accent or the next syllable changes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Alternation {
    from: char,
    to: char,
    vowels: String,
}

impl Rule {
    /// What is left of the word in front of the ending, where the rule fits.
    fn fits<'w>(&self, word: &'w str) -> Option<&'w str> {
        let rest = word.strip_suffix(self.ending.as_str())?;
        let behind = self.after.is_empty() || rest.ends_with(|c| self.after.contains(c));
        (behind && rest.chars().count() >= self.keep).then_some(rest)
    }
}

impl LightRules {
    /// The stem of a word in normal form: step by step, the first ending of the step's table that fits is taken
    /// off or replaced.
    ///
    /// Light stemmers of this kind are Savoy's ("Searching strategies for the Bulgarian language", Information
    /// Retrieval 10, 2007) and Dolamic and Savoy's ("Ad Hoc Retrieval with the Persian Language", CLEF 2009); the
    /// packs hold their tables, and say where they differ.
    fn stem(&self, word: &str) -> String {
        let mut stem = word.to_owned();
        let steps = if word.chars().count() < self.shortest { &[] } else { self.steps.as_slice() };
        for step in steps {
            let fitting = step.rules.iter().find_map(|rule| Some((rule.fits(&stem)?, rule)));
            if let Some((rest, rule)) = fitting {
                stem = format!("{rest}{}", rule.put);
            }
        }
        match &self.alternation {
            Some(alternation) => alternation.level(stem),
            None => stem,
        }
    }
}

impl Alternation {
    /// Writes the last vowel one way, whichever of the two it is.
    fn level(&self, stem: String) -> String {
        let last = stem.char_indices().rev().find(|(_, c)| self.vowels.contains(*c));
        match last {
            Some((at, c)) if c == self.from => {
                let rest = stem.get(at + c.len_utf8()..).unwrap_or_default();
                format!("{}{}{rest}", stem.get(..at).unwrap_or_default(), self.to)
            }
            _ => stem,
        }
    }
}

/// How a word in normal form is written for an algorithm that expects another spelling.
#[derive(Debug)]
pub(crate) struct Adapted {
    letters: BTreeMap<char, char>,
    prefixes: BTreeMap<String, String>,
    endings: BTreeMap<String, String>,
}

impl Adapted {
    /// The word with its letters, then its ending and its beginning, replaced; the longest of each counts.
    fn word<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if self.letters.is_empty() && self.prefixes.is_empty() && self.endings.is_empty() {
            return Cow::Borrowed(word);
        }
        let word: String = word.chars().map(|c| *self.letters.get(&c).unwrap_or(&c)).collect();
        let fitting = self.endings.iter().filter_map(|(ending, put)| {
            let rest = word.strip_suffix(ending.as_str()).filter(|rest| rest.chars().nth(2).is_some())?;
            Some((ending.len(), format!("{rest}{put}")))
        });
        let longest = fitting.max_by_key(|(length, _)| *length);
        let word = longest.map_or(word.clone(), |(_, word)| word);
        let fitting = self.prefixes.iter().filter_map(|(prefix, put)| {
            let rest = word.strip_prefix(prefix.as_str()).filter(|rest| rest.chars().nth(2).is_some())?;
            Some((prefix.len(), format!("{put}{rest}")))
        });
        let longest = fitting.max_by_key(|(length, _)| *length);
        Cow::Owned(longest.map_or(word, |(_, word)| word))
    }
}

/// What takes the endings off the words of one language.
#[derive(Clone)]
pub(crate) enum Stemmer {
    /// An algorithm of Snowball, and what is written for it in another way.
    Snowball(frostem::Stemmer, Arc<Adapted>),
    /// The rules of the pack.
    Light(Arc<LightRules>),
    /// The language has none.
    None,
}

impl std::fmt::Debug for Stemmer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stemmer::Snowball(..) => "Snowball",
            Stemmer::Light(_) => "Light",
            Stemmer::None => "None",
        })
    }
}

impl Stemmer {
    /// The stemmer that a pack names; `None` where there is no such stemmer.
    pub(crate) fn named(words: &Words) -> Option<Self> {
        match words.stemmer.as_str() {
            "none" => Some(Stemmer::None),
            "light" => Some(Stemmer::Light(Arc::new(words.light.clone()))),
            name => {
                let adapted = Adapted {
                    letters: words.stemmer_letters.clone(),
                    prefixes: words.stemmer_prefixes.clone(),
                    endings: words.stemmer_endings.clone(),
                };
                let stemmer = frostem::Stemmer::try_from_name(name).ok()?;
                Some(Stemmer::Snowball(stemmer, Arc::new(adapted)))
            }
        }
    }

    /// The stem of a word in normal form; a word with a digit in it is its own stem.
    pub(crate) fn stem(&self, word: &str) -> String {
        let stem = match self {
            _ if word.contains(|c: char| c.is_numeric()) => return word.to_owned(),
            Stemmer::Snowball(stemmer, adapted) => stemmer.stem(&adapted.word(word)).into_owned(),
            Stemmer::Light(rules) => rules.stem(word),
            Stemmer::None => return word.to_owned(),
        };
        if stem.is_empty() { word.to_owned() } else { stem }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Lang, Pack};

    fn one_stem(lang: Lang, families: &[&str]) {
        let mut seen = std::collections::BTreeMap::new();
        for family in families {
            let forms: Vec<&str> = family.split(' ').collect();
            let stems: Vec<String> = forms.iter().map(|form| Pack::of(lang).stemmer.stem(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{forms:?} {stems:?}");
            let other = seen.insert(stems[0].clone(), *family);
            assert_eq!(other, None, "{family:?} has the stem of another word");
        }
    }

    #[test]
    fn forms_of_a_bulgarian_noun_or_adjective_have_one_stem() {
        one_stem(
            Lang::BG,
            &[
                "доставката доставка доставки доставките",
                "стоката стока стоки стоките",
                "куриерът куриера куриери куриер куриерите",
                "слушалките слушалки слушалка слушалката",
                "парите пари",
                "гаранцията гаранция гаранции гаранциите",
                "пратката пратка пратки пратките",
                "поръчката поръчка поръчки поръчките",
                "картата карта карти картите",
                "цената цена цени цените",
                "плащането плащане плащания плащанията",
                "връщането връщане връщания връщанията",
                "условието условие условия условията",
                "клиентът клиента клиент клиенти клиентите",
                "продуктът продукта продукт продукти продуктите",
                "пакетът пакета пакет пакети пакетите",
                "адресът адреса адрес адреси адресите",
                "апаратът апарата апарат апарати апаратите",
                "номерът номера номер номерата",
                "часът часа час часове часовете",
                "центърът центъра център центрове центровете",
                "подаръкът подаръка подарък подаръци подаръците",
                "седмицата седмица седмици седмиците",
                "месецът месеца месец месеци месеците",
                "каталогът каталога каталог каталози каталозите",
                "езикът езика език езици езиците",
                "търговецът търговеца търговец търговци търговците",
                "случаят случая случай случаи случаите",
                "кутията кутия кутии кутиите",
                "офертата оферта оферти офертите",
                "минутата минута минути минутите",
                "датата дата дати датите",
                "дните дни",
                "мястото място места местата",
                "цветът цвета цвят цветове цветовете",
                "пътят път пътища пътищата",
                "летището летище летища летищата",
                "момчето момче момчета момчетата",
                "възможността възможност възможности възможностите",
                "безплатен безплатна безплатно безплатни безплатният безплатния безплатната безплатните",
                "новият новия нов нова ново нови новата новите",
                "белият белия бял бяла бяло бели белите",
            ],
        );
    }

    /// In Persian with the zero-width non-joiner, which makes words of their own of the endings, nothing is left to take off.
    #[test]
    fn forms_of_a_persian_noun_or_adjective_have_one_stem() {
        one_stem(
            Lang::FA,
            &[
                "کتاب کتابها کتابهای کتابهایم کتابهایشان کتابهایی کتابی",
                "سفارش سفارشات سفارشها سفارشهای سفارشهایتان سفارشتان سفارشی",
                "قیمت قیمتها قیمتهای قیمتهایش قیمتی",
                "محصول محصولات محصولی محصولتان",
                "کالا کالاها کالاهای کالایی",
                "مشتری مشتریان",
                "فروشنده فروشندگان",
                "هزینه هزینهها هزینههای",
                "زمان",
                "تومان",
                "رایگان",
                "امکان",
                "ارسال ارسالی",
                "تخفیف تخفیفات تخفیفها تخفیفهای",
                "کوچک کوچکتر کوچکترین",
                "بزرگ بزرگتر بزرگترین",
                "فروشگاه فروشگاهها فروشگاههای فروشگاهتان",
                "ضمانت ضمانتها",
                "روز روزها روزهای",
                "دفتر دفترها دفترهای",
                "نشان",
                "نشانی",
            ],
        );
    }

    #[test]
    fn forms_of_words_in_the_other_languages_have_one_stem() {
        one_stem(
            Lang::PT,
            &["encomenda encomendas", "devolução devoluções", "entrega entregas", "pagar pagamos"],
        );
        one_stem(
            Lang::FR,
            &["livraison livraisons", "retour retours", "commande commandes", "gratuit gratuite"],
        );
        one_stem(
            Lang::DE,
            &[
                "rückgabe rückgaben",
                "lieferung lieferungen",
                "bestellung bestellungen",
                "preis preise preises",
            ],
        );
        one_stem(
            Lang::RU,
            &["доставка доставки доставку доставкой", "заказ заказа заказы заказов", "цена цены ценой"],
        );
        one_stem(Lang::HI, &["किताब किताबें किताबों", "कीमत कीमतें कीमतों", "दिन दिनों"]);
    }

    /// The normal form writes Arabic with Persian letters; the stemmer does not know them.
    #[test]
    fn forms_of_an_arabic_word_have_one_stem() {
        let stem = |word: &str| Pack::of(Lang::AR).stemmer.stem(&crate::normalize(word));
        for family in [
            "كتاب الكتاب والكتاب كتابي",
            "منتج المنتج المنتجات والمنتجات",
            "شركة الشركة والشركة",
            "توصيل التوصيل والتوصيل",
        ] {
            let stems: Vec<String> = family.split(' ').map(stem).collect();
            assert!(stems.iter().all(|one| *one == stems[0]), "{family} {stems:?}");
        }
    }

    #[test]
    fn forms_of_a_spanish_or_english_word_have_one_stem() {
        one_stem(Lang::ES, &["devolución devoluciones", "pedido pedidos", "tienda tiendas", "pagar pagamos"]);
        one_stem(
            Lang::EN,
            &["delivery deliveries", "return returns returned", "orders order", "refund refunds"],
        );
    }

    #[test]
    fn words_with_digits_stay_as_they_are() {
        assert_eq!(Pack::of(Lang::ES).stemmer.stem("a1000es"), "a1000es");
        assert_eq!(Pack::of(Lang::BG).stemmer.stem("1042те"), "1042те");
    }
}
