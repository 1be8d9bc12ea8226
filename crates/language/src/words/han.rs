//! Text without spaces between words: stop words are cut out, what is left is read by pairs of characters.

use std::ops::Range;

use super::{Token, is_word_char};
use crate::normal::{is_dropped, normalize};
use crate::pack::Pack;

/// The longest word of a list that is looked for, in characters.
const LONGEST: usize = 8;

/// Whether a character belongs to a script that is written without spaces: Han, Hiragana, Katakana.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{3035}'
        | '\u{3038}'..='\u{303B}' | '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}'
        | '\u{30FC}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}' | '\u{1AFF0}'..='\u{1B16F}'
        | '\u{20000}'..='\u{323AF}')
}

/// A character with the marks that belong to it.
struct Unit {
    normal: String,
    span: Range<usize>,
}

impl Pack {
    /// The tokens of a run of such text: each stop word, and between them every pair of neighbouring characters;
    /// a character that stands alone is one.
    ///
    /// Of the words listed by the pack the longest that begins at a character counts; those in `kept_words`
    /// hold characters of stop words without being any.
    pub(super) fn unspaced(&self, text: &str, run: Range<usize>, tokens: &mut Vec<Token>) {
        let units = units(text, run);
        let mut from = 0;
        let mut at = 0;
        while at < units.len() {
            let (length, stop) = self.listed(units.get(at..).unwrap_or_default());
            if stop {
                pairs(units.get(from..at).unwrap_or_default(), tokens);
                tokens.extend(token(units.get(at..at + length).unwrap_or_default(), true));
                from = at + length;
            }
            at += length;
        }
        pairs(units.get(from..).unwrap_or_default(), tokens);
    }

    /// The length of the longest listed word that `units` begin with, and whether it is a stop word; else one.
    fn listed(&self, units: &[Unit]) -> (usize, bool) {
        let mut word = String::new();
        let mut found = (1, false);
        for (length, unit) in (1..=LONGEST).zip(units) {
            word.push_str(&unit.normal);
            if self.words.stop_words.contains(&word) {
                found = (length, true);
            } else if self.words.kept_words.contains(&word) {
                found = (length, false);
            }
        }
        found
    }
}

fn units(text: &str, run: Range<usize>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for (at, c) in text.get(run.clone()).unwrap_or_default().char_indices() {
        let end = run.start + at + c.len_utf8();
        match units.last_mut() {
            // An invisible character at the end of a word is not part of it.
            Some(_) if is_dropped(c) => {}
            Some(last) if !is_word_char(c) || is_voiced_mark(c) => last.span.end = end,
            _ => units.push(Unit { normal: String::new(), span: run.start + at..end }),
        }
    }
    for unit in &mut units {
        unit.normal = normalize(text.get(unit.span.clone()).unwrap_or_default());
    }
    units.retain(|unit| !unit.normal.is_empty());
    units
}

/// The marks of voice of Kana, which the normal form composes with the letter before them.
fn is_voiced_mark(c: char) -> bool {
    matches!(c, '\u{3099}' | '\u{309A}' | '\u{FF9E}' | '\u{FF9F}')
}

fn pairs(units: &[Unit], tokens: &mut Vec<Token>) {
    if units.len() == 1 {
        tokens.extend(token(units, false));
    }
    tokens.extend(units.windows(2).filter_map(|pair| token(pair, false)));
}

fn token(units: &[Unit], stop: bool) -> Option<Token> {
    let word: String = units.iter().map(|unit| unit.normal.as_str()).collect();
    let span = units.first()?.span.start..units.last()?.span.end;
    Some(Token { stem: word.clone(), parts: Vec::new(), word, stop, span })
}

#[cfg(test)]
mod tests {
    use crate::{Lang, Pack, words};

    fn content(lang: Lang, text: &str) -> Vec<String> {
        Pack::of(lang).content_stems(text)
    }

    /// "我要退款吗" must be found by "退款".
    #[test]
    fn stop_words_are_cut_out_and_the_rest_read_by_pairs() {
        for (text, expected) in [
            ("我要退款吗", vec!["退款"]),
            ("退款", vec!["退款"]),
            ("我想知道什么时候发货？", vec!["发货"]),
            ("会员价格是多少", vec!["价格", "会员", "员价"]),
            ("运费多少钱", vec!["运费"]),
            ("钱", vec![]),
            ("iPhone保护壳", vec!["iphone", "保护", "护壳"]),
            ("7天内可退货", vec!["天内", "退货"]),
        ] {
            assert_eq!(content(Lang::ZH, text), expected, "{text}");
        }
    }

    #[test]
    fn other_languages_read_such_text_by_pairs_too() {
        let passage = content(Lang::EN, "返品は30日以内に可能です");
        assert!(content(Lang::EN, "返品").iter().all(|pair| passage.contains(pair)), "{passage:?}");
        assert_eq!(words("iPhone保护壳 x").collect::<Vec<_>>(), ["iPhone", "保护壳", "x"]);
    }

    #[test]
    fn spans_are_those_of_the_original() {
        let text = "买iPhone保护\u{200B}壳";
        let tokens = Pack::of(Lang::ZH).analyse(text);
        let shown: Vec<&str> = tokens.iter().map(|token| &text[token.span.clone()]).collect();
        assert_eq!(shown, ["买", "iPhone", "保护", "护\u{200B}壳"]);
        assert_eq!(tokens[3].word, "护壳");
    }
}
