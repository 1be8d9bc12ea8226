//! What a sentence states, case by case: words, values, denial, opposites, and what it makes them depend on.

use std::collections::HashSet;
use std::ops::Range;

use mostrador_language::{Kind, Pack, Period, Turn, Turned, Value};

use super::known::{Id, Ids, Known, Word, ids_of};
use super::pieces::{Join, Piece, cut};
use super::reading::{Part, parts as read_parts};
use super::table::Column;

/// Whether words are numbered as they come, or only those the evidence has.
pub(super) enum Namer<'k> {
    /// Reads evidence.
    Learn(&'k mut Known),
    /// Reads a sentence to be judged.
    Look(&'k Known),
}

impl Namer<'_> {
    pub(super) fn word(&mut self, stem: &str) -> Option<Id> {
        match self {
            Namer::Learn(known) => Some(known.learn_word(stem)),
            Namer::Look(known) => known.word(stem),
        }
    }

    pub(super) fn value(&mut self, value: &Value) -> Option<Id> {
        match self {
            Namer::Learn(known) => Some(known.learn_value(value)),
            Namer::Look(known) => known.value(value),
        }
    }
}

/// What a part of a sentence does to the rest of its case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It is taken out of it.
    Exception,
    /// It says without what.
    Lacking,
    /// It must hold.
    Condition,
    /// It must have come about.
    Moment,
    /// It alone is meant.
    Only,
}

/// A part that the rest of its case depends on.
#[derive(Debug, Clone)]
pub(super) struct Dependent {
    pub(super) role: Role,
    pub(super) words: Vec<Word>,
    /// By their places among the sentence's values.
    pub(super) values: Vec<usize>,
    /// With the word that makes it one, in bytes of the sentence.
    pub(super) span: Range<usize>,
    /// Whether the word that makes it one stands behind it.
    pub(super) behind: bool,
    /// Whether it stands in a clause of its own, behind a comma.
    pub(super) apart: bool,
    /// Whether it denies something itself: "if it is not opened".
    pub(super) denied: bool,
}

impl Dependent {
    /// Whether the rest does not hold where it does.
    pub(super) fn takes_out(&self) -> bool {
        matches!(self.role, Role::Exception | Role::Lacking)
    }

    /// Whether the rest holds where what it says does not.
    pub(super) fn denies(&self) -> bool {
        self.takes_out() != self.denied
    }
}

/// One statement of a sentence, with what it depends on.
#[derive(Debug, Clone, Default)]
pub(super) struct Case {
    /// All its words, those of its dependents too, each once; the sides of opposites among them.
    pub(super) words: Vec<Word>,
    pub(super) ids: Ids,
    /// By their places among the sentence's values.
    pub(super) values: Vec<usize>,
    pub(super) denied: bool,
    /// Pairs and sides, outside exceptions and conditions.
    pub(super) opposites: Vec<(u16, bool)>,
    pub(super) dependents: Vec<Dependent>,
    /// Where its pieces begin, in bytes.
    pub(super) cuts: Vec<usize>,
    /// What the head of its column limits it to.
    pub(super) column: Column,
    /// Values outside exceptions and conditions.
    stated: Vec<usize>,
    /// Whether it only goes on with the case before.
    pub(super) chained: bool,
    /// Whether it goes on with it or is set against it.
    pub(super) goes_on: bool,
    marked: bool,
    /// Whether its value is one of several things that it names: "for pupils and students 5 €".
    pub(super) listed: bool,
    /// Whether what follows is in the same list.
    lists: bool,
    /// Which of its pieces have a word of one before.
    pub(super) alike: Vec<usize>,
}

/// A sentence, read.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) cases: Vec<Case>,
    /// In the order they stand in, with the numbers of those the evidence has.
    pub(super) values: Vec<(Value, Option<Id>)>,
    /// Whether anything in it turns a statement round.
    pub(super) turning: bool,
    /// Whether it speaks of what the sentence before spoke of.
    pub(super) back: bool,
    /// The periods it names, and where, in bytes.
    pub(super) periods: Vec<(Range<usize>, Period)>,
    /// Whom it names that a value may be counted for each of, and where.
    payers: Vec<(Range<usize>, Period)>,
    /// Whether it is a row of a table, each cell of which stands for itself.
    pub(super) row: bool,
    /// The first person, where somebody speaks, and whether it is several.
    pub(super) speakers: Vec<Turned>,
}

impl Sentence {
    pub(super) fn read(text: &str, pack: &Pack, namer: &mut Namer<'_>) -> Self {
        let mut found = pack.values_and_days(text);
        let mut turns = pack.turns(text);
        if turns.iter().any(|turned| matches!(turned.turn, Turn::Only | Turn::Exception | Turn::Lacking)) {
            // "Only from Monday to Friday" says nothing of Monday alone.
            found.iter_mut().for_each(Value::take_whole);
        }
        let speaks = |turned: &Turned| matches!(turned.turn, Turn::FirstPerson | Turn::We);
        let speakers = turns.iter().filter(|turned| speaks(turned)).cloned().collect();
        turns.retain(|turned| !speaks(turned) && !is_bound(text, turned, &found, pack));
        deny_apart(&mut turns);
        let periods = pack.periods(text, &found);
        // "Afternoon" beside a time of day is part of it.
        let mut parts = day_parts(text, pack, &found);
        turns.retain(|turned| !parts.iter().any(|part| super::pieces::overlap(part, &turned.span)));
        parts.extend(counted_for(text, &found, &periods));
        let pieces = cut(text, &found, &turns);

        let values: Vec<(Value, Option<Id>)> = found
            .into_iter()
            .map(|value| {
                let id = namer.value(&value);
                (value, id)
            })
            .collect();
        let turning = turns.iter().any(|turned| role(turned.turn).is_some() || turned.turn == Turn::Denial);
        let parts = read_parts(text, pack, &pieces, &values, &turns, &parts, namer);
        let cases = group(&pieces, parts, &values);
        let back = pack.speaks_back(text);
        let payers = pack.payers(text);
        Self { text: text.to_owned(), cases, values, turning, back, periods, payers, row: false, speakers }
    }

    /// Every word of it.
    pub(super) fn words(&self) -> impl Iterator<Item = &Word> {
        self.cases.iter().flat_map(|case| &case.words)
    }

    /// Whether anything in it is denied or taken out.
    pub(super) fn takes_out(&self) -> bool {
        let out = |dependent: &Dependent| dependent.takes_out() || dependent.denied;
        self.cases.iter().any(|case| case.denied || case.dependents.iter().any(out))
    }

    /// Whether it says of anything that it alone is meant.
    pub(super) fn limits(&self) -> bool {
        self.cases.iter().flat_map(|case| &case.dependents).any(|dependent| dependent.role == Role::Only)
    }

    /// The periods that a case names, and whom it names.
    pub(super) fn periods_of(&self, case: usize) -> impl Iterator<Item = Period> {
        let place = self.place(case);
        let payers = self.payers.iter().filter(move |(span, _)| place.contains(&span.start));
        self.periods_in(case).chain(payers).map(|(_, period)| *period)
    }

    /// The same, each with where it stands.
    pub(super) fn periods_in(&self, case: usize) -> impl Iterator<Item = &(Range<usize>, Period)> {
        let place = self.place(case);
        self.periods.iter().filter(move |(span, _)| place.contains(&span.start))
    }

    /// Where a case stands, in bytes.
    fn place(&self, case: usize) -> Range<usize> {
        let begins = |place: usize| self.cases.get(place)?.cuts.first().copied();
        let from = if case == 0 { 0 } else { begins(case).unwrap_or_default() };
        from..begins(case + 1).unwrap_or(usize::MAX)
    }

    /// A part of its text.
    pub(super) fn part(&self, span: &Range<usize>) -> String {
        self.text.get(span.clone()).unwrap_or_default().trim().to_owned()
    }
}

/// The parts of the day that stand beside a time of day.
fn day_parts(text: &str, pack: &Pack, values: &[Value]) -> Vec<Range<usize>> {
    let time = |value: &&Value| matches!(value.kind, Kind::Time { .. });
    if !values.iter().any(|value| time(&value)) {
        return Vec::new();
    }
    let blank = |span: Range<usize>| text.get(span).is_some_and(|between| between.trim().is_empty());
    let mut parts = pack.day_parts(text);
    parts.retain(|part| {
        values.iter().filter(time).any(|value| {
            let before = part.end <= value.span.start && blank(part.end..value.span.start);
            before || (value.span.end <= part.start && blank(value.span.end..part.start))
        })
    });
    parts
}

/// The words that say what a value is counted for each of, where they stand beside it.
fn counted_for(text: &str, values: &[Value], periods: &[(Range<usize>, Period)]) -> Vec<Range<usize>> {
    let near = |between: Range<usize>| {
        text.get(between).is_some_and(|between| mostrador_language::words(between).nth(2).is_none())
    };
    let beside = |value: &Value, span: &Range<usize>| {
        let behind = value.span.end <= span.start && near(value.span.end..span.start);
        behind || (span.end <= value.span.start && near(span.end..value.span.start))
    };
    let counted = |span: &Range<usize>, period: Period| {
        values.iter().any(|value| value.is_counted_for(period) && beside(value, span))
    };
    let spans = periods.iter().filter(|(span, period)| counted(span, *period));
    spans.map(|(span, _)| span.clone()).collect()
}

/// What a small word makes of what it speaks of.
pub(super) fn role(turn: Turn) -> Option<Role> {
    match turn {
        Turn::Exception => Some(Role::Exception),
        Turn::Lacking => Some(Role::Lacking),
        Turn::Condition => Some(Role::Condition),
        Turn::Moment => Some(Role::Moment),
        Turn::Only => Some(Role::Only),
        _ => None,
    }
}

/// Takes a listed opposite that holds a denial for the other side, denied: "not refundable" as "refundable" and a
/// "not", so that it is the same as what denies it in other words. A "without" in one is a part of it. The denial may
/// begin before it: an "and" is written in one with it.
fn deny_apart(turns: &mut Vec<Turned>) {
    let within =
        |one: &Turned, other: &Turned| other.span.start <= one.span.start && one.span.end <= other.span.end;
    let reaches_into =
        |one: &Turned, other: &Turned| one.span.start < other.span.start && other.span.start < one.span.end;
    let is_opposite = |turned: &Turned| matches!(turned.turn, Turn::Opposite { .. });
    let before = turns.clone();
    for turned in turns.iter_mut() {
        let denied = before.iter().any(|one| {
            let reaches = reaches_into(one, turned) && one.span.end < turned.span.end;
            one.turn == Turn::Denial && (within(one, turned) || reaches)
        });
        if let (Turn::Opposite { other, .. }, true) = (&mut turned.turn, denied) {
            *other = !*other;
        }
    }
    let absorbed = |turned: &Turned| {
        turned.turn == Turn::Lacking && before.iter().any(|one| is_opposite(one) && within(turned, one))
    };
    turns.retain(|turned| !absorbed(turned));
}

/// Whether a small word is part of a value, or the bound of one: those are compared as values.
fn is_bound(text: &str, turned: &Turned, values: &[Value], pack: &Pack) -> bool {
    let says = |part: Range<usize>| text.get(part).is_some_and(|part| part.contains(char::is_alphanumeric));
    let one_word = !text.get(turned.span.clone()).is_some_and(|part| part.trim().contains(' '));
    values.iter().any(|value| {
        if super::pieces::overlap(&value.span, &turned.span) {
            return true;
        }
        let bounds = match turned.turn {
            Turn::Opposite { .. } => true,
            Turn::Condition | Turn::Moment => one_word,
            _ => false,
        };
        let before =
            bounds && turned.span.end <= value.span.start && !says(turned.span.end..value.span.start);
        // "10 or more" is not cut in two.
        let may_follow = matches!(turned.turn, Turn::Opposite { .. } | Turn::Joiner);
        let behind = may_follow
            && value.span.end <= turned.span.start
            && !says(value.span.end..turned.span.start)
            && !is_bound_before(text, value, pack);
        let makes = turned.turn == Turn::Exception && makes_bound(text, &turned.span, value, pack);
        value.bound.is_some() && (makes || before || behind)
    })
}

/// Whether a word before a value is what gives it its bound: "menos" in "menos de 24 horas".
fn makes_bound(text: &str, span: &Range<usize>, value: &Value, pack: &Pack) -> bool {
    let between = text.get(span.end..value.span.start);
    let near = between.is_some_and(|between| mostrador_language::words(between).nth(1).is_none());
    let behind = || pack.values(text.get(span.end..).unwrap_or_default());
    near && behind().first().is_some_and(|same| same.bound != value.bound)
}

/// Whether what stands up to a value gives it its bound, so that what follows is none: "before" in "up to 24 hours
/// before the class".
fn is_bound_before(text: &str, value: &Value, pack: &Pack) -> bool {
    let read = pack.values(text.get(..value.span.end).unwrap_or_default());
    read.last().is_some_and(|same| same.span == value.span && same.bound == value.bound)
}

/// Puts pieces together to cases.
///
/// A new case begins behind a semicolon or a word of contrast; behind `and` where both sides state something
/// of their own; behind a comma where a value of the same sort, or a denial of its own, follows. An exception or a
/// condition belongs to the case that it stands beside.
fn group(pieces: &[Piece], parts: Vec<Part>, values: &[(Value, Option<Id>)]) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut excepting = false;
    let mut led = false;
    let mut parts = pieces.iter().zip(parts).peekable();
    while let Some((piece, mut part)) = parts.next() {
        let next = parts.peek().map(|(piece, part)| (piece.join, part));
        let lists = cases.last().is_some_and(|case| is_listed(case, piece.join, &part, next, values));
        let goes_with = cases.last().is_some_and(|case| case.lists);
        let begins = lists
            || cases.last().is_none_or(|case| match piece.join {
                _ if goes_with => false,
                Join::Hard => true,
                // "…, but only for guitars" is a condition of what is before.
                Join::Contrast => !matches!(part.leads, Some(Role::Only | Role::Exception)),
                Join::Joiner => {
                    // "With a receipt and within 15 days" is one.
                    let only_limits = part.limits(case, values);
                    (part.leads.is_some() && !led) || (case.marked && part.marked && !only_limits)
                }
                Join::Soft => part.leads.is_none() && is_own(case, &part, values),
            });
        let goes_on = excepting && !begins && !part.marked && part.leads.is_none();
        if begins {
            let chained = matches!(piece.join, Join::Soft | Join::Joiner);
            cases.push(Case { chained, goes_on: piece.join != Join::Hard, ..Case::default() });
        }
        if let Some(case) = cases.last_mut() {
            case.lists = lists;
            case.listed |= lists;
        }
        let first = begins && matches!(piece.join, Join::Hard | Join::Contrast);
        excepting = goes_on || (part.leads == Some(Role::Exception) && !first);
        led = part.leads.is_some() || goes_on;
        if !begins && let Some(case) = cases.last_mut() {
            part.takes_over(case);
        }
        if part.leads.is_some() && !begins && piece.join == Join::Soft {
            part.dependents.iter_mut().take(1).for_each(|first| first.apart = true);
        }
        let exceptions: Vec<Dependent> = match part.leads {
            Some(Role::Exception | Role::Condition) if !begins => part.dependents.clone(),
            _ => Vec::new(),
        };
        let Some((case, before)) = cases.split_last_mut() else { continue };
        case.cuts.push(piece.span.start);
        let own = |word: &Word| word.is_plain() && case.words.iter().any(|own| is_alike(own, word));
        if part.words.iter().any(own) {
            case.alike.push(piece.span.start);
        }
        if goes_on && let Some(last) = case.dependents.last_mut() {
            last.words.extend(part.words.iter().cloned());
            last.values.extend(part.values.iter().copied());
            last.span.end = piece.span.end;
        }
        case.marked |= part.marked;
        case.denied |= part.denied;
        case.words.extend(part.words);
        case.values.extend(part.values);
        case.stated.extend(part.stated);
        case.opposites.extend(part.opposites);
        case.dependents.extend(part.dependents);
        // An exception at the end is one of all that was only joined together.
        let mut chained = case.chained;
        for case in before.iter_mut().rev() {
            if !chained {
                break;
            }
            case.dependents.extend(exceptions.iter().cloned());
            chained = case.chained;
        }
    }
    for case in &mut cases {
        let mut seen: HashSet<(Option<Id>, String)> = HashSet::new();
        case.words.retain(|word| seen.insert((word.id, word.text.clone())));
        case.ids = ids_of(&case.words);
    }
    cases
}

impl Part {
    /// Whether it has values alone, all with bounds and none of a sort that the case has.
    fn limits(&self, case: &Case, values: &[(Value, Option<Id>)]) -> bool {
        let value = |place: &usize| values.get(*place).map(|(value, _)| value);
        let sibling = |value: &Value| {
            case.values.iter().filter_map(|place| values.get(*place)).any(|(own, _)| own.is_comparable(value))
        };
        let limit = |value: &Value| value.bound.is_some() && !sibling(value);
        self.words.is_empty() && !self.denied && self.stated.iter().filter_map(value).all(limit)
    }

    /// Makes a condition an exception where the word that takes it out stands alone before its comma: "except in cases,
    /// when …".
    fn takes_over(&mut self, case: &mut Case) {
        let holds = matches!(self.leads, Some(Role::Condition | Role::Moment));
        let stands_alone = |last: &mut Dependent| {
            last.role == Role::Exception && last.words.is_empty() && last.values.is_empty()
        };
        if let (true, Some(first)) = (holds, self.dependents.first_mut())
            && let Some(alone) = case.dependents.pop_if(stands_alone)
        {
            first.role = alone.role;
            first.span.start = alone.span.start;
            self.leads = Some(alone.role);
        }
    }
}

/// So many letters at the beginning of two words make them forms of one, where nothing depends on it.
const STEM: usize = 4;

fn is_alike(one: &Word, other: &Word) -> bool {
    let begin = |word: &Word| word.text.chars().take(STEM).collect::<String>();
    let long = |word: &Word| word.text.chars().nth(STEM).is_some();
    one.text == other.text
        || (one.id.is_some() && one.id == other.id)
        || (long(one) && long(other) && begin(one) == begin(other))
}

/// So many words at most name one of several things that a value is said of.
const LONGEST_LISTED: usize = 3;

/// Whether a piece names the first of several things that the value in the next is said of: "the fee is 9 €, for pupils
/// and students 5 €".
fn is_listed(
    case: &Case,
    join: Join,
    part: &Part,
    next: Option<(Join, &Part)>,
    values: &[(Value, Option<Id>)],
) -> bool {
    let plain = |part: &Part| part.words.iter().filter(|word| word.is_plain()).count();
    let Some((Join::Joiner, next)) = next else { return false };
    let Some((value, _)) = next.stated.first().and_then(|place| values.get(*place)) else { return false };
    let sibling = |place: &usize| values.get(*place).is_some_and(|(other, _)| other.is_comparable(value));
    let before = next.words.iter().filter(|word| word.is_plain() && word.at < value.span.start).count();
    join == Join::Soft
        && part.leads.is_none()
        && part.values.is_empty()
        && !part.denied
        && (1..=LONGEST_LISTED).contains(&plain(part))
        && before == 1
        && case.stated.iter().any(sibling)
}

/// Whether a piece behind a comma states something of its own.
fn is_own(case: &Case, part: &Part, values: &[(Value, Option<Id>)]) -> bool {
    let value = |place: &usize| values.get(*place).map(|(value, _)| value);
    let sibling = |value: &Value| {
        case.stated.iter().filter_map(|place| values.get(*place)).any(|(other, _)| other.is_comparable(value))
    };
    let siblings = part.stated.iter().filter_map(value).any(sibling);
    let turned = |(pair, _): &(u16, bool)| case.opposites.iter().any(|(other, _)| other == pair);
    let repeats =
        part.words.iter().any(|word| word.is_plain() && case.words.iter().any(|own| own.text == word.text));
    let denied = part.denied
        && (case.marked || (part.begins_denied && !case.words.is_empty()) || (!case.denied && repeats));
    let told = case.stated.iter().filter_map(value).any(|value| !value.is_weekdays());
    let opposite = !part.opposites.is_empty() && (case.denied || told || part.opposites.iter().any(turned));
    siblings || denied || opposite
}
