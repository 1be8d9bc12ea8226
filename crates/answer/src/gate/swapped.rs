//! Whether a statement is made of the thing that the source makes it of, where no value tells.

use mostrador_language::{Pack, Value};

use super::cases::{Case, Sentence};
use super::crossed::crossed;
use super::known::{Ids, Word, shared, subjects};
use super::prepared::Stated;
use super::verdict::Why;
use super::window::{Judged, Window, flips};

/// So many words at the beginning of a statement say what it is of, where it says so there.
const SUBJECT: usize = 3;

/// Of so many words that one statement has and another has not, one may be left out where it is told too.
const LEAST_APART: usize = 4;

/// A statement beside its window.
struct Beside<'b> {
    judged: &'b Judged<'b>,
    case: &'b Case,
    window: Window<'b>,
    /// The cases that go on with the window's.
    with: Vec<&'b Case>,
    /// Those of them that the window's goes on with, itself among them.
    chain: Vec<&'b Case>,
    /// What the sentence has said so far.
    told: Ids,
    /// What the window is of and the statement does not name.
    dropped: Vec<&'b Word>,
    /// What the statement names and the window does not, though the text does.
    missing: Vec<&'b Word>,
}

/// A statement that names something else of the cited text in the place of what its window speaks of is said of
/// another thing: "the cheques are accepted" of "vouchers are accepted", where the text speaks of cheques elsewhere.
/// In a row of a table, whose cells have no verbs, what stands in another row is enough.
///
/// # Errors
/// The first word that the window does not say; the window, where it says this of one thing and the contrary of another.
pub(super) fn is_of_the_same(judged: &Judged<'_>, case: &Case, window: Window<'_>) -> Result<(), Why> {
    if window.text.language != judged.pack.lang || window.stated.heading {
        return Ok(());
    }
    let beside = Beside::of(judged, case, window);
    if window.stated.sentence.row {
        return beside.row();
    }
    beside.neighbours()?;
    beside.elsewhere()?;
    match crossed(judged, case, window) {
        Some(word) => beside.wrong(word),
        None => Ok(()),
    }
}

/// Whether a statement has no values, or none but days of the week, which say when it holds.
pub(super) fn has_only_days(judged: &Judged<'_>, case: &Case) -> bool {
    let value = |place: &usize| judged.sentence.values.get(*place);
    case.values.iter().filter_map(value).all(|(value, _)| value.is_weekdays())
}

impl<'b> Beside<'b> {
    fn of(judged: &'b Judged<'b>, case: &'b Case, window: Window<'b>) -> Self {
        let side = |(pair, _): &(u16, bool)| {
            let own = |side: &&(u16, bool)| !window.case.column.opposites.contains(side);
            window.case.opposites.iter().filter(own).any(|(other, _)| other == pair)
        };
        let head = window.stated.sentence.cases.first().is_some_and(|head| std::ptr::eq(head, window.case));
        let alone = has_only_days(judged, case) && !head && case.opposites.iter().any(side);
        let (with, chain) = chain(&window.stated.sentence, window.case, alone, judged.pack);
        let told = told_so_far(judged.sentence, case);
        // Of several things that one value is said of, one is enough.
        let one_of =
            window.case.listed && subjects(&window.case.words, &case.words).any(|word| word.is_among(&told));
        let dropped: Vec<&Word> = chain
            .iter()
            .filter(|own| !(one_of && std::ptr::eq(**own, window.case)))
            .flat_map(|own| subjects(&own.words, &case.words))
            .filter(|word| !word.is_among(&told))
            .collect();
        // What has something of its own that is not told is not said of what stands beside it.
        let said_with = if dropped.is_empty() { &with } else { &chain };
        let said: Ids = said_with.iter().flat_map(|case| &case.ids).chain(&window.stated.above).collect();
        let is_missing =
            |word: &&Word| word.is_plain() && !word.is_among(&said) && word.is_among(&window.text.ids);
        let missing = case.words.iter().filter(is_missing).collect();
        Self { judged, case, window, with, chain, told, dropped, missing }
    }

    fn wrong(&self, word: &Word) -> Result<(), Why> {
        let window = self.window.stated.sentence.text.trim().to_owned();
        Err(Why::SaidOfAnother { word: word.text.clone(), window })
    }

    fn contrary(&self) -> Result<(), Why> {
        Err(Why::Contradicted { window: self.window.stated.sentence.text.trim().to_owned() })
    }

    /// In a row, neither the side of another cell nor a word of another row stands for the cell's own.
    fn row(&self) -> Result<(), Why> {
        let cells = &self.window.stated.sentence.cases;
        let lacks = |side: &(u16, bool)| {
            let own = |cell: &Case| cell.opposites.contains(side) && !cell.column.opposites.contains(side);
            !self.window.case.opposites.contains(side) && cells.iter().any(own)
        };
        if has_only_days(self.judged, self.case) && self.case.opposites.iter().any(lacks) {
            return self.contrary();
        }
        let Some(first) = self.missing.first() else { return Ok(()) };
        let told = |word: &Word| word.is_plain() && word.is_among(&self.judged.ids);
        let own = cells.first().is_some_and(|head| head.words.iter().any(told));
        let other = |stated: &Stated| {
            let cases = &stated.sentence.cases;
            let told = |word: &Word| !word.is_plain() || word.is_among(&self.judged.ids);
            let named = cases.first().is_some_and(|head| head.words.iter().all(told));
            let says = cases.iter().any(|case| self.missing.iter().any(|word| word.is_among(&case.ids)));
            stated.sentence.row && says && !(named && own)
        };
        let mut rows = self.window.text.stated.iter().filter(|stated| !stated.heading);
        if rows.any(other) { self.wrong(first) } else { Ok(()) }
    }

    /// What the source sets against the window in the same breath is not said of the window's own.
    fn neighbours(&self) -> Result<(), Why> {
        let source = &self.window.stated.sentence;
        let mut later = false;
        for other in &self.with {
            if std::ptr::eq(*other, self.window.case) {
                later = true;
            }
            if self.chain.iter().any(|own| std::ptr::eq(*own, *other)) {
                continue;
            }
            let plain = has_only_days(self.judged, self.case);
            let contrary = self.case.denied != other.denied || flips(self.case, other, self.judged.pack) > 0;
            if !contrary && (!plain || other.values.is_empty()) {
                continue;
            }
            let apart =
                subjects(&other.words, &self.window.case.words).any(|word| !word.is_among(&self.told));
            let set_against = flips(self.window.case, other, self.judged.pack) > 0;
            if plain && !self.dropped.is_empty() && apart && set_against {
                // "It is on" of "it is on for the large one and off for the small".
                return self.contrary();
            }
            let only = |word: &&Word| {
                let elsewhere = |case: &&Case| !std::ptr::eq(*case, *other) && word.is_among(&case.ids);
                word.is_plain()
                    && word.is_among(&other.ids)
                    && !self.with.iter().any(elsewhere)
                    && !word.is_among(&self.window.stated.above)
            };
            // What stands before is taken up where a verb is left out; what comes behind never is.
            let taken = self.case.words.iter().find(only).filter(|_| later);
            if let (Some(word), false) = (taken, self.is_told(source, other)) {
                return self.wrong(word);
            }
        }
        Ok(())
    }

    /// Where the text states something else of what the statement names, this is not said of it.
    fn elsewhere(&self) -> Result<(), Why> {
        let (Some(first), false) = (self.missing.first(), self.dropped.is_empty()) else { return Ok(()) };
        let led = begins(&self.chain, &self.dropped);
        let here = |stated: &Stated| std::ptr::eq(stated, self.window.stated);
        let alike = |stated: &Stated, other: &Case| here(stated) && is_alike(other, self.window.case);
        let parallel = |stated: &Stated, other: &Case| {
            !self.chain.iter().any(|own| std::ptr::eq(*own, other))
                && self.missing.iter().all(|word| word.is_among(&other.ids))
                && !self.dropped.iter().any(|word| word.is_among(&other.ids))
                && (led || begins(&[other], &self.missing) || alike(stated, other))
                && !self.is_told(&stated.sentence, other)
        };
        let mut texts = self.window.text.stated.iter().filter(|stated| !stated.heading);
        let found = texts.any(|stated| stated.sentence.cases.iter().any(|other| parallel(stated, other)));
        if found { self.wrong(first) } else { Ok(()) }
    }

    /// Whether the sentence tells what a case of the source states, and not only names what that is about: its value, or
    /// most of its words and the same of them, those that the window does not have among them.
    fn is_told(&self, source: &Sentence, other: &Case) -> bool {
        let mut values = other.values.iter().filter_map(|place| source.values.get(*place)).peekable();
        if values.peek().is_some() {
            let said =
                |value: &Value| self.judged.sentence.values.iter().any(|(claim, _)| claim.said_by(value));
            return values.any(|(value, _)| said(value));
        }
        let words = || other.words.iter().filter(|word| word.is_plain());
        let most = |said: usize, all: usize| said * 2 > all;
        let apart = || words().filter(|word| !word.is_among(&self.window.case.ids));
        let lost = apart().filter(|word| !word.is_among(&self.judged.ids)).count();
        // A word that the text does not have may be another for one that is left out.
        let plain = self.case.words.iter().filter(|word| word.is_plain());
        let unknown = plain.filter(|word| !word.is_among(&self.window.text.ids)).count();
        most(shared(words(), &self.judged.ids), words().count())
            // In short statements that are alike, what is swapped and the verb are most of one.
            && lost.saturating_sub(unknown) * LEAST_APART <= apart().count()
            && self.case.denied == other.denied
            && flips(self.case, other, self.judged.pack) == 0
    }
}

/// Whether half of what one statement says is what another says.
fn is_alike(one: &Case, other: &Case) -> bool {
    let plain = || one.words.iter().filter(|word| word.is_plain());
    shared(plain(), &other.ids) * 2 >= plain().count()
}

/// Whether one of some words is among the first of some cases.
fn begins(cases: &[&Case], words: &[&Word]) -> bool {
    let mut plain: Vec<&Word> =
        cases.iter().flat_map(|case| &case.words).filter(|word| word.is_plain()).collect();
    plain.sort_by_key(|word| word.at);
    let same = |one: &Word, other: &Word| one.text == other.text || (one.id.is_some() && one.id == other.id);
    plain.iter().take(SUBJECT).any(|first| words.iter().any(|word| same(word, first)))
}

/// What a sentence says up to the end of a statement: what comes behind it is of something else.
fn told_so_far(sentence: &Sentence, case: &Case) -> Ids {
    let at =
        sentence.cases.iter().position(|other| std::ptr::eq(other, case)).unwrap_or(sentence.cases.len());
    sentence.cases.iter().take(at + 1).flat_map(|case| &case.ids).collect()
}

/// The cases that go on with one another, this one among them, and those of them that this one goes on with. Of a row,
/// all its cells, or the one cell where `alone`: a statement without values is of one.
fn chain<'s>(
    sentence: &'s Sentence,
    case: &'s Case,
    alone: bool,
    pack: &Pack,
) -> (Vec<&'s Case>, Vec<&'s Case>) {
    let cases = &sentence.cases;
    let Some(at) = cases.iter().position(|other| std::ptr::eq(other, case)) else {
        return Default::default();
    };
    if sentence.row {
        let all = if alone { vec![case] } else { cases.iter().collect() };
        return (all, Vec::new());
    }
    let goes_on = |place: usize| cases.get(place).is_some_and(|case| case.chained);
    let from = (0..=at).rfind(|place| !goes_on(*place)).unwrap_or_default();
    let behind = cases.iter().skip(from + 1).take_while(|case| case.chained).count();
    let with = cases.iter().skip(from).take(behind + 1).collect();
    let stops = |place: &usize| {
        let parallel =
            |(before, case): (&Case, &Case)| !before.values.is_empty() || flips(before, case, pack) > 0;
        !goes_on(*place) || cases.get(place - 1).zip(cases.get(*place)).is_none_or(parallel)
    };
    let begins = (1..=at).rev().find(stops).unwrap_or_default();
    (with, cases.iter().skip(begins).take(at + 1 - begins).collect())
}
