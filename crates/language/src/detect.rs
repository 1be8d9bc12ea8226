//! The language of a question.

use std::collections::BTreeSet;

use unicode_script::{Script, UnicodeScript};
use whatlang::Detector;

use crate::pack::Pack;
use crate::words::words;
use crate::{Lang, normalize};

/// A language, and what decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detected {
    /// The customer's declared locale.
    Declared(Lang),
    /// The text.
    Text(Lang),
    /// The turn before.
    Previous(Lang),
    /// The shop's first language.
    Shop(Lang),
}

impl Detected {
    /// The language.
    #[must_use]
    pub fn lang(self) -> Lang {
        match self {
            Self::Declared(lang) | Self::Text(lang) | Self::Previous(lang) | Self::Shop(lang) => lang,
        }
    }
}

/// The language to answer in: the one the customer declared, else that of the text where it is plain
/// enough, else that of the turn before, else the shop's first; English where the shop names none.
#[must_use]
pub fn detect(text: &str, declared: Option<Lang>, previous: Option<Lang>, shop: &[Lang]) -> Detected {
    let fallback = || Detected::Shop(shop.first().copied().unwrap_or(Lang::EN));
    declared
        .map(Detected::Declared)
        .or_else(|| of_text(text).map(Detected::Text))
        .or_else(|| previous.map(Detected::Previous))
        .unwrap_or_else(fallback)
}

/// Letters that only one of two or more languages of a script is written with.
const TELLING: [(Lang, &[char]); 7] = [
    (Lang::ES, &['ñ', '¿', '¡']),
    (Lang::PT, &['ã', 'õ']),
    (Lang::FR, &['œ', 'ê', 'è', 'ë', 'î', 'û', 'ù']),
    (Lang::DE, &['ß', 'ä', 'ö', 'ü']),
    (Lang::RU, &['ы', 'э', 'ё']),
    (Lang::AR, &['ة', 'ي', 'ك', 'أ', 'إ', 'ى', 'ؤ']),
    (Lang::FA, &['پ', 'چ', 'ژ', 'گ', 'ک', 'ی']),
];

/// Letters of a script that none of the languages there are packs for is written with.
const STRANGE: [char; 22] = [
    'і', 'ї', 'є', 'ґ', 'ј', 'љ', 'њ', 'ћ', 'ђ', 'џ', 'ў', 'ł', 'ż', 'ą', 'ę', 'ő', 'ű', 'ğ', 'ș', 'ț', 'ٹ',
    'ڈ',
];

/// The share of letters that another script needs to count before Latin, in which names of things stand.
const NOT_LATIN: (usize, usize) = (1, 4);

/// How sure trigrams must be where no word says anything.
const SURE: f64 = 0.9;

/// By how many words a language must lead where the trigrams say another.
const LEAD: usize = 2;

/// The language a text is written in, where that is plain enough.
fn of_text(text: &str) -> Option<Lang> {
    let scripts: [(Script, &[Lang]); 5] = [
        (Script::Han, &[Lang::ZH]),
        (Script::Devanagari, &[Lang::HI]),
        (Script::Arabic, &[Lang::AR, Lang::FA]),
        (Script::Cyrillic, &[Lang::BG, Lang::RU]),
        (Script::Latin, &[Lang::EN, Lang::ES, Lang::PT, Lang::FR, Lang::DE]),
    ];
    let mut counts = [0_usize; 5];
    let mut other = 0;
    let lower = text.to_lowercase();
    for c in lower.chars().filter(|c| c.is_alphabetic()) {
        if STRANGE.contains(&c) {
            return None;
        }
        let script = if c.is_ascii() { Script::Latin } else { c.script() };
        match counts.iter_mut().zip(scripts).find(|(_, (known, _))| *known == script) {
            Some((count, _)) => *count += 1,
            None => other += 1,
        }
    }
    let all = counts.iter().sum::<usize>() + other;
    let counted = || scripts.into_iter().zip(counts);
    let (most, count) = counted()
        .filter(|((script, _), count)| *script != Script::Latin && *count > 0)
        .max_by_key(|(_, count)| *count)
        .filter(|(_, count)| count * NOT_LATIN.1 >= all * NOT_LATIN.0)
        .or_else(|| counted().next_back().filter(|(_, count)| count * 2 > all))?;
    if other > count {
        return None;
    }
    let (script, langs) = most;
    if let [lang] = langs {
        return Some(*lang);
    }
    let own: String =
        lower.chars().map(|c| if c.is_alphabetic() && c.script() != script { ' ' } else { c }).collect();
    telling(&own, langs).or_else(|| by_words(&own, langs))
}

/// The one language of these that has telling letters in a text.
fn telling(text: &str, langs: &[Lang]) -> Option<Lang> {
    let mut told = TELLING.iter().filter(|(lang, letters)| langs.contains(lang) && text.contains(*letters));
    told.next().filter(|_| told.next().is_none()).map(|(lang, _)| *lang)
}

/// By the small words that the packs list, and by trigrams: a language leads by two words, or by one and
/// the trigrams say the same; where no word is known, the trigrams must be sure.
fn by_words(text: &str, langs: &[Lang]) -> Option<Lang> {
    let normal = normalize(text);
    let words: BTreeSet<&str> = words(&normal).collect();
    let mut counts: Vec<(usize, Lang)> =
        langs.iter().map(|lang| (small_words(&words, *lang), *lang)).collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let (first, leader) = counts.first().copied()?;
    let lead = first - counts.get(1).map_or(0, |(second, _)| *second);
    if lead >= LEAD {
        return Some(leader);
    }
    let allowed = langs.iter().filter_map(|lang| whatlang::Lang::from_code(three(*lang)?)).collect();
    let found = Detector::with_allowlist(allowed).detect(&normal)?;
    let guess = langs.iter().copied().find(|lang| three(*lang) == Some(found.lang().code()))?;
    let agreed = lead > 0 && guess == leader;
    let sure = first == 0 && words.len() > 1 && found.confidence() >= SURE;
    (agreed || sure).then_some(guess)
}

fn small_words(words: &BTreeSet<&str>, lang: Lang) -> usize {
    let known = &Pack::of(lang).words.stop_words;
    words.iter().filter(|word| known.contains(**word)).count()
}

/// The three-letter code (ISO 639-3) of a language whose script it shares with another.
fn three(lang: Lang) -> Option<&'static str> {
    let codes = [
        (Lang::EN, "eng"),
        (Lang::ES, "spa"),
        (Lang::PT, "por"),
        (Lang::FR, "fra"),
        (Lang::DE, "deu"),
        (Lang::BG, "bul"),
        (Lang::RU, "rus"),
        (Lang::AR, "ara"),
        (Lang::FA, "pes"),
    ];
    codes.iter().find(|(known, _)| *known == lang).map(|(_, code)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        of_text(text).map(|lang| lang.to_string())
    }

    #[test]
    fn a_text_shows_its_language() {
        for (lang, written) in [
            ("en", "Where is my order and when will it arrive?"),
            ("en", "Can I return the headphones if I have opened the box?"),
            ("en", "What are your opening hours on Saturday?"),
            ("es", "¿Cuánto cuesta el envío?"),
            ("es", "Quiero devolver un pedido que llegó roto"),
            ("es", "donde esta mi paquete que tenia que llegar ayer"),
            ("es", "Quiero devolver el iPhone 15 Pro Max que compré la semana pasada"),
            ("pt", "Quanto custa o envio para os Açores?"),
            ("pt", "Não recebi a minha encomenda"),
            ("pt", "Onde posso levantar a minha encomenda e até que horas?"),
            ("fr", "Combien coûte la livraison à domicile ?"),
            ("fr", "Je voudrais retourner ma commande, comment faire ?"),
            ("de", "Wo kann ich mein Paket abholen?"),
            ("de", "Wie lange habe ich Zeit, die Ware zurückzugeben?"),
            ("bg", "Колко струва доставката до офис?"),
            ("bg", "Искам да върна поръчката си, как да го направя?"),
            ("bg", "Колко струва Samsung Galaxy Ultra?"),
            ("ru", "Сколько стоит доставка до пункта выдачи?"),
            ("ru", "Хочу вернуть товар, как это сделать?"),
            ("ru", "Когда привезут мой заказ и можно ли оплатить картой?"),
            ("ar", "كم تكلفة الشحن إلى الرياض؟"),
            ("ar", "أريد إرجاع الطلب"),
            ("fa", "می‌خواهم سفارش را برگردانم"),
            ("fa", "هزینه ارسال چقدر است؟"),
            ("hi", "डिलीवरी में कितना समय लगता है?"),
            ("zh", "我要退款吗，还是可以换货？"),
            ("zh", "iPhone 手机多少钱"),
        ] {
            assert_eq!(text(written).as_deref(), Some(lang), "{written}");
        }
    }

    #[test]
    fn what_is_short_or_of_no_language_shows_none() {
        for written in [
            "",
            "1042",
            "ok",
            "iPhone 15",
            "no",
            "🙂🙂",
            "mail@shop.example",
            "Доставка",
            "سلام",
            "Де моє замовлення і коли воно приїде?",
            "สวัสดีครับ ราคาเท่าไหร่",
            "配送はいつですか",
        ] {
            assert_eq!(text(written), None, "{written}");
        }
    }

    #[test]
    fn the_customer_decides_then_the_text_then_the_turn_before_then_the_shop() {
        let shop = [Lang::DE, Lang::EN];
        let plain = "Quero devolver a minha encomenda, não serve";
        assert_eq!(detect(plain, Some(Lang::FR), Some(Lang::EN), &shop), Detected::Declared(Lang::FR));
        assert_eq!(detect(plain, None, Some(Lang::EN), &shop), Detected::Text(Lang::PT));
        assert_eq!(detect("ok", None, Some(Lang::EN), &shop), Detected::Previous(Lang::EN));
        assert_eq!(detect("ok", None, None, &shop), Detected::Shop(Lang::DE));
        assert_eq!(detect("ok", None, None, &[]).lang(), Lang::EN);
    }
}
