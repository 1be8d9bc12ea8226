//! From one end of a text to the other: what may begin a value, what is none, what announces the next.

use super::amounts::{Of, Part, Quantity};
use super::context::{Context, announces};
use super::digits::Digits;
use super::fold::Sort;
use super::here::Here;
use super::lexicon::Mean;
use super::names;
use super::ranges::Said;
use super::reader::{Reader, is_blank};
use super::types::{Amount, Kind, Reading, Value};

/// A text on its way from its first character to its last.
pub(super) struct Scan<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) values: Vec<Value>,
    pub(super) context: Context,
    pub(super) at: usize,
    /// Nothing before this may become part of another value.
    pub(super) after: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(reader: Reader<'a>) -> Self {
        Self { reader, values: Vec::new(), context: Context::default(), at: 0, after: 0 }
    }

    /// Every value of the text.
    pub(super) fn all(mut self) -> Vec<Value> {
        self.run();
        self.values
    }

    fn run(&mut self) {
        while let Some(c) = self.reader.char_at(self.at) {
            match self.reader.folding.sort(c) {
                Sort::Letter => self.word(),
                Sort::Digit => self.digits(self.at),
                Sort::Space if is_blank(c) => self.at += c.len_utf8(),
                Sort::Space | Sort::Mark => {
                    if c == '\n' {
                        self.context.clear();
                    }
                    self.at += c.len_utf8();
                }
                Sort::Han => self.han(c),
                Sort::Sign => self.sign(c),
            }
        }
    }

    /// A word that begins here.
    fn word(&mut self) {
        if self.context.label
            && let Some(end) = self.reader.code(self.at)
        {
            return self.name(self.at, end, false);
        }
        let here = self.reader.look(self.at);
        if !here.is_empty() && (self.value(&here) || self.announced(&here)) {
            return;
        }
        let end = self.reader.word_end(self.at);
        let first = self.reader.char_at(self.at);
        if matches!(first, Some('w' | 'W'))
            && let Some(end) = self.reader.host_at(self.at)
        {
            return self.url(self.at, end);
        }
        if self.is_code(end)
            && let Some(end) = self.reader.code(self.at)
        {
            return self.name(self.at, end, false);
        }
        self.context.clear();
        self.at = end.max(self.at + first.map_or(1, char::len_utf8));
    }

    /// Whether a word goes on as a name with digits: in one, or in capitals with a hyphen between.
    fn is_code(&self, end: usize) -> bool {
        let reader = &self.reader;
        if !reader.char_at(self.at).is_some_and(names::is_code_letter) {
            return false;
        }
        match reader.char_at(end) {
            Some('-' | '_') => {
                let upper = || {
                    let word = reader.text.get(self.at..end).unwrap_or_default();
                    end - self.at <= 16 && word.chars().all(char::is_uppercase)
                };
                reader.digit_at(end + 1).is_some() && (upper() || self.context.label)
            }
            Some(c) => reader.folding.digit(c).is_some(),
            None => false,
        }
    }

    /// A value that begins with this phrase; whether there is one.
    fn value(&mut self, here: &Here<'_>) -> bool {
        let begins = |mean| {
            matches!(
                mean,
                Mean::Add(_)
                    | Mean::Weak(_)
                    | Mean::Times(_)
                    | Mean::Quarters(_)
                    | Mean::Ordinal(_)
                    | Mean::Fraction(..)
                    | Mean::UnitFraction(..)
                    | Mean::Span(..)
                    | Mean::Month(..)
                    | Mean::Time(_)
                    | Mean::BeforeHour(_)
                    | Mean::Hour(_)
            )
        };
        let currency = here.pick_before_digit(|mean| matches!(mean, Mean::Currency(_, true)).then_some(()));
        let compounds = self.reader.numbers.numerals.compounds;
        let part = compounds
            && here
                .pick_part(|mean| matches!(mean, Mean::Add(_) | Mean::Weak(_) | Mean::Times(_)).then_some(()))
                .is_some();
        if currency.is_none() && !part && !here.has(begins) {
            return false;
        }
        if currency.is_none() && !part && self.stands_alone(here) {
            return false;
        }
        self.said(here).is_some()
    }

    /// Whether this is an article or the name of a unit, which mostly begin no value, with a word behind it
    /// that belongs to none: a look at that word saves many.
    fn stands_alone(&self, here: &Here<'_>) -> bool {
        let reader = &self.reader;
        let in_company = |mean| matches!(mean, Mean::Weak(_) | Mean::Time(_)).then_some(());
        let Some(((), end)) = here.pick(in_company) else {
            return false;
        };
        let next = reader.link(end);
        !self.context.active
            && reader.lexicon.prefixes.is_empty()
            && reader.sort_at(next) == Some(Sort::Letter)
            && !here
                .has(|mean| matches!(mean, Mean::Add(_) | Mean::Times(_) | Mean::Ordinal(_) | Mean::Span(..)))
            && reader.here(next).is_empty()
    }

    fn said(&mut self, here: &Here<'_>) -> Option<()> {
        let reader = self.reader;
        let start = self.at;
        let context = self.context;
        if let Some(date) = reader
            .counted_date(start)
            .or_else(|| reader.day_first(start))
            .or_else(|| reader.month_first(start))
        {
            let (kind, end) = reader.dates(date, context.between);
            self.push(start, end, kind);
            return Some(());
        }
        if let Some(time) = reader.announced_time(start, &context) {
            let (kind, end) = reader.times(time, &context);
            self.push(start, end, kind);
            return Some(());
        }
        // A limit or a percent sign is company enough for a word that is a number only in company.
        let limited = |part: &Part| part.of == Of::Things && context.bound.is_some();
        let part = reader.any_part(start).filter(|part| !part.weak || context.percent || limited(part));
        if let Some(part) = reader.cents(start).or(part) {
            let (kind, end) = reader.amounts(part, &context)?;
            self.push(start, end, kind);
            return Some(());
        }
        let span = |mean| if let Mean::Span(number, unit) = mean { Some((number, unit)) } else { None };
        if let Some(((number, unit), end)) = here.pick(span) {
            let amount = Amount::one(Reading::sure(number));
            self.push(start, end, Kind::Duration { amount, unit, clock: false });
            return Some(());
        }
        if let Some((kind, end)) = reader.unit_and_a_half(start) {
            self.push(start, end, kind);
            return Some(());
        }
        let ordinal = |mean| if let Mean::Ordinal(place) = mean { Some(place) } else { None };
        let (place, end) = here.pick(ordinal)?;
        self.push(start, end, Kind::Ordinal { place });
        Some(())
    }

    /// Takes a phrase that says something about the value behind it; whether this is one.
    fn announced(&mut self, here: &Here<'_>) -> bool {
        let active = self.context.active;
        let Some((means, end)) = here.all(|mean| announces(mean) || (active && mean == Mean::Filler)) else {
            return false;
        };
        if self.reader.text.get(self.at..end) == Some(">") && self.begins_line() {
            // A quotation in Markdown.
            self.at = end;
            return true;
        }
        if means.iter().any(|mean| announces(*mean)) {
            self.context.take(&means);
        }
        self.at = end;
        // An abbreviation keeps what it says behind its full stop.
        if active_stop(&self.reader, end) {
            self.at += 1;
        }
        true
    }

    fn begins_line(&self) -> bool {
        let before = self.reader.text.get(..self.at).unwrap_or_default();
        before.chars().rev().take(8).find(|c| !is_blank(*c)).is_none_or(|c| matches!(c, '\n' | '>'))
    }

    fn digits(&mut self, start: usize) {
        let reader = self.reader;
        let context = self.context;
        if let Some((kind, end)) = reader.tenths(start) {
            return self.push(start, end, kind);
        }
        if let Some((kind, end)) = self.in_digits(start, &context) {
            return self.push(start, end, kind);
        }
        // A name: in one with letters, too long, or divided as no number is.
        if let Some(end) = reader.code(start).filter(|end| *end > reader.run_end(start)) {
            return self.name(start, end, false);
        }
        match reader.digits(start) {
            Some(Digits::Name(end)) => self.name(start, end, false),
            _ => {
                self.context.clear();
                self.at = reader.run_end(start);
            }
        }
    }

    fn in_digits(&self, start: usize, context: &Context) -> Option<Said> {
        let reader = self.reader;
        if context.telephone || context.label {
            let end = if context.telephone { reader.telephone(start, true) } else { None };
            let end = end.or_else(|| reader.code(start)).filter(|end| !self.counts(start, *end));
            if let Some(end) = end {
                return Some((self.identifier(start, end, context.telephone), end));
            }
        }
        if let Some(end) = reader.telephone(start, false) {
            return Some((self.identifier(start, end, true), end));
        }
        if let Some((day, _, end)) = reader.integer(start, 2)
            && (day, reader.char_at(end)) == (24, Some('/'))
            && let Some((7, 1, end)) = reader.integer(end + 1, 1)
        {
            return Some((self.identifier(start, end, false), end));
        }
        let date = reader.counted_date(start).or_else(|| reader.numeric_date(start));
        if let Some(date) = date.or_else(|| reader.day_first(start)) {
            return Some(reader.dates(date, context.between));
        }
        if let Some(time) = reader.announced_time(start, context) {
            return Some(reader.times(time, context));
        }
        let part = reader.cents(start).or_else(|| reader.part(start))?;
        // Letters in one with the digits that are no unit: a name.
        let letter = reader.char_at(part.end).filter(|c| names::is_code_letter(*c));
        if part.of == Of::Nothing && letter.is_some() && !self.is_product(part.end) {
            return None;
        }
        reader.amounts(part, context)
    }

    /// Whether a number behind a label is a number of something all the same: "orders 50 € or more".
    fn counts(&self, start: usize, end: usize) -> bool {
        let counted = |part: Part| part.end > end && !matches!(part.of, Of::Nothing | Of::Order);
        self.reader.part(start).is_some_and(counted)
    }

    /// `90x200`
    pub(super) fn is_product(&self, end: usize) -> bool {
        matches!(self.reader.char_at(end), Some('x' | 'X')) && self.reader.digit_at(end + 1).is_some()
    }

    fn han(&mut self, c: char) {
        if let Some((kind, end)) = self.reader.tenths(self.at) {
            return self.push(self.at, end, kind);
        }
        let here = self.reader.look(self.at);
        if !here.is_empty() && (self.value(&here) || self.announced(&here)) {
            return;
        }
        self.context.clear();
        self.at += c.len_utf8();
    }

    fn sign(&mut self, c: char) {
        let start = self.at;
        match c {
            ':' => {
                if let Some((from, end)) = self.reader.url_around(start, self.after) {
                    return self.url(from, end);
                }
            }
            '@' => {
                let floor = self.after.max(start.saturating_sub(260));
                let floor = (0..4).map(|more| floor + more).find(|at| self.reader.text.is_char_boundary(*at));
                if let Some((from, end)) = self.reader.email_around(start, floor.unwrap_or(start)) {
                    return self.email(from, end);
                }
                self.context.clear();
            }
            '-' | '\u{2212}' if self.negative(start + c.len_utf8()) => return,
            '+' | '\u{FF0B}' => {
                if let Some(end) = self.reader.telephone(start, false) {
                    let kind = self.identifier(start, end, true);
                    return self.push(start, end, kind);
                }
            }
            '.' => self.context.stop(),
            '(' | '*' | '_' | '\'' | '"' | '«' | '¿' | '¡' => {}
            _ => {
                let here = self.reader.look(start);
                if !here.is_empty() && (self.value(&here) || self.announced(&here)) {
                    return;
                }
                if self.fraction(c) {
                    return;
                }
                self.context.clear();
            }
        }
        self.at = start + c.len_utf8();
    }

    /// `½`
    fn fraction(&mut self, c: char) -> bool {
        if c.is_ascii() || !c.is_numeric() {
            return false;
        }
        let context = self.context;
        let said = self.reader.part(self.at).and_then(|part| self.reader.amounts(part, &context));
        let Some((kind, end)) = said else {
            return false;
        };
        self.push(self.at, end, kind);
        true
    }

    /// A number behind a minus sign; whether there is one.
    fn negative(&mut self, number: usize) -> bool {
        let reader = self.reader;
        let before = reader.char_before(self.at);
        let free = before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '|' | '*' | '"' | '«'));
        if !free || reader.sort_at(number) == Some(Sort::Space) {
            return false;
        }
        let Some(part) = reader.part(number).filter(|part| !part.weak) else {
            return false;
        };
        if part.of == Of::Percent || self.reader.char_at(number).is_some_and(char::is_alphabetic) {
            return false;
        }
        let negated = part.quantity.reading().and_then(|reading| reading.map(|value| Some(value.negated())));
        let kind = negated.and_then(|reading| reader.kind(Quantity::Number(reading), None, part.of));
        let Some(kind) = kind else {
            return false;
        };
        self.push(self.at, part.end, kind);
        true
    }
}

fn active_stop(reader: &Reader<'_>, end: usize) -> bool {
    let ends_word = reader.char_before(end).is_some_and(char::is_alphabetic);
    let number = reader.gap(end + 1);
    ends_word && reader.char_at(end) == Some('.') && reader.digit_at(number).is_some()
}
