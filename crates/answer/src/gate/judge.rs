//! The verdict on a sentence.

use mostrador_language::{Lang, Turn, Value};

use super::cases::{Case, Namer, Sentence};
use super::each::counted_otherwise;
use super::known::{Ids, Word, shared};
use super::markers::{Marked, take_out};
use super::prepared::{Prepared, Stated, Text};
use super::slots::{Slot, slots};
use super::strictness::{Person, Strictness};
use super::subject::{Claimed, Place, better};
use super::verdict::{Verdict, Why};
use super::window::{Judged, Window, agree, all, closest};
use crate::passage::{Similarity, SourceId};

/// So many single letters beside each other spell something.
const FEWEST_SPELLED: usize = 3;

/// Judges a sentence, which may carry markers, by the evidence of its turn. `lang`: the language it is read in.
#[must_use]
pub fn judge(sentence: &str, lang: Lang, prepared: &Prepared, strictness: &Strictness) -> Verdict {
    match cited(sentence, lang, prepared, strictness) {
        Ok(cited) => Verdict::Passed { cited },
        Err(why) => Verdict::Failed(why),
    }
}

fn cited(
    sentence: &str,
    lang: Lang,
    prepared: &Prepared,
    strictness: &Strictness,
) -> Result<Vec<SourceId>, Why> {
    let pack = prepared.pack(lang);
    let Marked { text, markers } = take_out(sentence);
    let read = Sentence::read(&text, pack, &mut Namer::Look(&prepared.known));
    speaks(&text, &read, strictness.person)?;
    let mut named: Vec<&Text> = Vec::new();
    for marker in &markers {
        let is_named = |text: &&Text| text.source.as_ref().is_some_and(|source| source.as_str() == *marker);
        let Some(text) = prepared.texts.iter().find(is_named) else {
            return Err(Why::MarkerOutOfRange { marker: (*marker).to_owned() });
        };
        named.push(text);
    }
    let claims = claims(&text, &read, prepared);
    if markers.is_empty()
        && claims.is_empty()
        && (prepared.has_look_ups() || connects(&text, &read, prepared, lang, strictness))
    {
        return Ok(Vec::new());
    }
    if markers.is_empty() && !prepared.has_look_ups() {
        return Err(Why::NoMarker);
    }
    let sources: Vec<SourceId> = named.iter().filter_map(|text| text.source.clone()).collect();
    let proving: Vec<&Text> = named.iter().copied().filter(|text| text.proves()).collect();
    if let (Some(marker), true) = (markers.first(), proving.is_empty()) {
        return Err(Why::OutsidersOnly { marker: (*marker).to_owned() });
    }
    let looked = prepared.texts.iter().filter(|text| text.source.is_none() && text.proves());
    let grounds: Vec<&Text> = proving.iter().copied().chain(looked).collect();
    let judged = Judged { sentence: &read, ids: said(&read), pack };
    let windows = values(&text, &judged, &claims, &grounds, prepared)?;
    if !proving.is_empty() {
        names(&judged, &grounds)?;
        support(&judged, !claims.is_empty(), &grounds, strictness.support)?;
        statements(&judged, &windows, &proving)?;
    }
    Ok(sources)
}

/// The numbers of all that a sentence says, its values among them.
fn said(sentence: &Sentence) -> Ids {
    let mut ids = all(sentence);
    ids.extend(sentence.values.iter().filter_map(|(_, id)| *id));
    ids
}

fn speaks(text: &str, sentence: &Sentence, person: Person) -> Result<(), Why> {
    let forbidden = |turn: Turn| match person {
        Person::Any => false,
        Person::We => turn == Turn::FirstPerson,
        Person::None => true,
    };
    match sentence.speakers.iter().find(|turned| forbidden(turned.turn)) {
        None => Ok(()),
        Some(turned) => {
            let word = text.get(turned.span.clone()).unwrap_or_default().to_owned();
            Err(Why::FirstPerson { word })
        }
    }
}

/// The values that a sentence claims: all but the number of a line in a list and the place of a step.
fn claims(text: &str, sentence: &Sentence, prepared: &Prepared) -> Vec<Slot> {
    let mut slots = slots(sentence, &Ids::default());
    let ordered = prepared.texts.iter().flat_map(places_in).any(|place| is_place(&place.slot.value));
    slots.retain(|slot| {
        let begins =
            text.get(..slot.value.span.start).is_none_or(|before| !before.contains(char::is_alphanumeric));
        let behind = text.get(slot.value.span.end..).unwrap_or_default();
        let line = behind.starts_with(['.', ')']) && is_number(&slot.value);
        // "First, …" is a step; "first lesson" is not, where the evidence speaks of a first or a second one.
        let apart = behind.trim_start().starts_with([',', ':', '.', ')', '\u{60C}', '\u{FF0C}', '\u{FF1A}']);
        let step = is_place(&slot.value) && (apart || !ordered);
        !(begins && (line || step))
    });
    slots
}

/// Whether it is a place in an order.
fn is_place(value: &Value) -> bool {
    matches!(value.kind, mostrador_language::Kind::Ordinal { .. })
}

fn is_number(value: &Value) -> bool {
    matches!(value.kind, mostrador_language::Kind::Number { .. }) && value.bound.is_none()
}

/// Whether a sentence without values only connects: one the pack lists, or a short one that says nothing the
/// evidence could have said, or that announces what follows.
fn connects(
    text: &str,
    sentence: &Sentence,
    prepared: &Prepared,
    lang: Lang,
    strictness: &Strictness,
) -> bool {
    if prepared.pack(lang).is_connective(text) {
        return true;
    }
    let connecting = |word: &Word| {
        let phrases = &prepared.pack(lang).talk.connectives;
        phrases.iter().any(|phrase| mostrador_language::words(phrase).any(|other| other == word.text))
    };
    // "Shipping:" announces what the evidence speaks of; what it does not know is said and not announced.
    let announces = text.trim_end().ends_with([':', '\u{FF1A}'])
        && sentence.words().all(|word| !word.is_plain() || word.id.is_some() || connecting(word));
    let states = sentence.words().any(Word::is_plain) || !spelled_out(text).is_empty();
    length(text) <= strictness.connecting_words && (announces || !states)
}

/// How long a text is in words; in a script without spaces, three characters count as two.
fn length(text: &str) -> usize {
    let mut length = 0;
    for word in mostrador_language::words(text) {
        let unspaced = word.chars().filter(|c| ('\u{2E80}'..='\u{9FFF}').contains(c)).count();
        length += if unspaced == 0 { 1 } else { (unspaced * 2).div_ceil(3) };
    }
    length
}

/// The claims, with the periods that the sentence has named so far. "A week" that no ground says is what the sums of
/// money in its statement are counted for, or else the other values there.
fn counted<'p, P: Iterator<Item = Place<'p>>>(
    claims: &[Slot],
    sentence: &Sentence,
    places: impl Fn() -> P,
) -> Vec<Slot> {
    let mut kept: Vec<Slot> = claims.to_vec();
    for claim in &mut kept {
        claim.named = (0..=claim.case).flat_map(|case| sentence.periods_of(case)).collect();
    }
    let said = |claim: &Slot| places().any(|place| place.slot.says(claim));
    for claim in claims.iter().filter(|claim| claim.value.period.is_none()) {
        let Some(period) = claim.value.as_period().filter(|_| !said(claim)) else { continue };
        let beside = |other: &Slot| {
            other.case == claim.case && other.value.period.is_none() && other.value.as_period().is_none()
        };
        let money = kept.iter().any(|other| beside(other) && other.is_money());
        let mut counted = false;
        for other in kept.iter_mut().filter(|other| beside(other) && (other.is_money() || !money)) {
            other.value.period = Some(period);
            counted = true;
        }
        if counted {
            kept.retain(|other| other.value.span != claim.value.span);
        }
    }
    kept
}

/// Every value is said by the grounds, and of the same thing; gives where, by the case that claims it.
fn values<'p>(
    text: &str,
    judged: &Judged<'_>,
    claims: &[Slot],
    grounds: &[&'p Text],
    prepared: &'p Prepared,
) -> Result<Vec<(usize, Vec<Window<'p>>)>, Why> {
    let mut windows = Vec::new();
    let places = || grounds.iter().copied().flat_map(places_in);
    let claims = counted(claims, judged.sentence, places);
    for claim in &claims {
        let found: Vec<Place<'p>> = places().filter(|place| place.slot.says(claim)).collect();
        if found.is_empty() && is_an_article(claim, judged, grounds) {
            continue;
        }
        if found.is_empty() {
            return Err(unsaid(text, claim, places()));
        }
        if let Some(window) = counted_otherwise(judged, claim, &found) {
            return Err(Why::PeriodChanged { value: written(text, claim), window });
        }
        let claimed = Claimed::of(claim, &claims, judged.sentence);
        let mut standing = Vec::new();
        let mut instead = None;
        for place in &found {
            let rivals = prepared.texts.iter().filter(|text| text.proves()).flat_map(|text| {
                let cited = grounds.iter().any(|ground| std::ptr::eq(*ground, text));
                places_in(text).map(move |place| (place, cited))
            });
            let rivals = rivals
                .filter(|(rival, _)| rival.slot.value.is_comparable(&claim.value) && !rival.slot.says(claim));
            match better(&claimed, *place, rivals) {
                None => standing.extend(window(*place)),
                Some(rival) => instead = Some(rival),
            }
        }
        if standing.is_empty() {
            let window = instead.and_then(window).map(|window| window.stated.sentence.text.trim().to_owned());
            return Err(Why::OtherSubject {
                value: written(text, claim),
                window: window.unwrap_or_default(),
            });
        }
        if claim.value.is_weekdays() {
            standing = standing.into_iter().flat_map(|window| of_days(window, judged)).collect();
            if standing.is_empty() {
                continue;
            }
        }
        windows.push((claim.case, standing));
    }
    Ok(windows)
}

/// Whether a claim is one of something that the grounds name with an article and with no other number: "1 visit" of
/// "a visit".
fn is_an_article(claim: &Slot, judged: &Judged<'_>, grounds: &[&Text]) -> bool {
    let words = || claim.own.iter().filter(|word| word.is_plain());
    let same = grounds.iter().filter(|text| text.language == judged.pack.lang);
    claim.value.is_one()
        && same.flat_map(|text| &text.stated).any(|stated| {
            let ids = all(&stated.sentence);
            let other = stated.slots.iter().any(|slot| slot.value.is_comparable(&claim.value));
            let most = shared(words(), &ids) * 2 > words().count();
            most && !other && judged.pack.says_one(&stated.sentence.text)
        })
}

fn places_in(text: &Text) -> impl Iterator<Item = Place<'_>> {
    text.stated.iter().enumerate().flat_map(move |(sentence, stated)| {
        stated.slots.iter().map(move |slot| Place { text, sentence, slot })
    })
}

pub(super) fn window(place: Place<'_>) -> Option<Window<'_>> {
    let stated = place.text.stated.get(place.sentence)?;
    let case = stated.sentence.cases.get(place.slot.case)?;
    Some(Window { text: place.text, stated, case, sentence: place.sentence })
}

/// The windows of a day of the week. Where it stands at the head of a row, they are the cells of that row whose heads
/// the sentence names most of; the head of a table says of which days its cells are, and states nothing.
fn of_days<'p>(window: Window<'p>, judged: &Judged<'_>) -> Vec<Window<'p>> {
    let row = |stated: &Stated| stated.sentence.row;
    let next = window.text.stated.get(window.sentence + 1);
    if !row(window.stated) {
        let head = window.stated.sentence.text.contains('|') && next.is_some_and(row);
        return if head { Vec::new() } else { vec![window] };
    }
    let at = window.case.cuts.first().copied().unwrap_or_default();
    let before = window.stated.sentence.text.get(..at).unwrap_or_default();
    if before.trim_start().trim_start_matches('|').contains('|') {
        return vec![window];
    }
    let named = |case: &Case| shared(case.words.iter().filter(|word| word.head), &judged.ids);
    let cells = || window.stated.sentence.cases.iter().filter(|case| !std::ptr::eq(*case, window.case));
    let most = cells().map(named).max().unwrap_or_default();
    let cells = cells().filter(|case| named(case) == most).map(|case| Window { case, ..window });
    let windows: Vec<Window<'p>> = cells.collect();
    if windows.is_empty() { vec![window] } else { windows }
}

fn written(text: &str, claim: &Slot) -> String {
    text.get(claim.value.span.clone()).unwrap_or_default().to_owned()
}

/// Why no ground says a value: another bound, another period, or nothing of the kind.
fn unsaid<'p>(text: &str, claim: &Slot, places: impl Iterator<Item = Place<'p>>) -> Why {
    let value = written(text, claim);
    let mut same = places.filter(|place| claim.value.said_by(&place.slot.value));
    match same.next() {
        None => Why::ValueNotInSource { value },
        Some(place) => {
            let stated = place.text.stated.get(place.sentence);
            let window = stated.map(|stated| stated.sentence.text.trim().to_owned()).unwrap_or_default();
            if claim.value.same_bound(&place.slot.value) {
                Why::PeriodChanged { value, window }
            } else {
                Why::BoundChanged { value, window }
            }
        }
    }
}

/// Names are in the grounds, whatever their language.
fn names(judged: &Judged<'_>, grounds: &[&Text]) -> Result<(), Why> {
    let said = |word: &Word| grounds.iter().any(|text| word.is_among(&text.ids));
    match judged.sentence.words().find(|word| word.name && !said(word)) {
        None => Ok(()),
        Some(word) => Err(Why::NameNotInSource { name: word.text.clone() }),
    }
}

/// Enough of the sentence's words are in the grounds of its language. Where there are none, its values and names, which
/// are in the grounds, stand for it; one without either is not supported by what nobody compared.
fn support(judged: &Judged<'_>, valued: bool, grounds: &[&Text], least: Similarity) -> Result<(), Why> {
    let mut same = grounds.iter().filter(|text| text.language == judged.pack.lang).peekable();
    let plain = || judged.sentence.words().filter(|word| word.is_plain());
    if same.peek().is_none() {
        let named = plain().any(|word| word.name);
        return if valued || named {
            Ok(())
        } else {
            Err(Why::Unsupported { shared: 0, words: plain().count() })
        };
    }
    let texts: Vec<&&Text> = same.collect();
    let ids: Ids = texts.iter().flat_map(|text| &text.ids).collect();
    let spelled = spelled_out(&judged.sentence.text);
    // Letters that spell something are no words, though a stem of the source may chance to be one of them.
    let told: Vec<&Word> = plain().filter(|word| spelled.is_empty() || !is_letter(&word.text)).collect();
    let stands = |run: &&String| {
        let mut sentences = texts.iter().flat_map(|text| &text.stated);
        sentences.any(|stated| spelled_out(&stated.sentence.text).contains(run))
    };
    let letters = |run: &String| run.chars().count();
    // Days of the week, which are in the grounds, count as the words they are.
    let days = judged.sentence.values.iter().filter(|(value, _)| value.is_weekdays());
    let words_of = |value: &Value| {
        let tokens = judged.pack.analyse(&judged.sentence.part(&value.span));
        tokens.iter().filter(|token| !token.stop).count().max(1)
    };
    let days: usize = days.map(|(value, _)| words_of(value)).sum();
    let found =
        shared(told.iter().copied(), &ids) + spelled.iter().filter(stands).map(letters).sum::<usize>() + days;
    let words = told.len() + spelled.iter().map(letters).sum::<usize>() + days;
    if words > 0 && (found == 0 || Similarity::from_counts(found, words) < least) {
        return Err(Why::Unsupported { shared: found, words });
    }
    Ok(())
}

/// What is spelled out, letter by letter, in small letters and without the gaps.
fn spelled_out(text: &str) -> Vec<String> {
    let words = runs(mostrador_language::words(text));
    // A vowel sign that stands apart is a letter of what is spelled, and no word.
    let pieces = runs(text.split_whitespace());
    let letters = |runs: &[String]| runs.iter().map(String::len).sum::<usize>();
    if letters(&words) < letters(&pieces) { pieces } else { words }
}

/// Single letters in a row, where there are enough of them.
fn runs<'t>(words: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut runs = Vec::new();
    let mut run: Vec<String> = Vec::new();
    for word in words.map(Some).chain([None]) {
        match word {
            Some(word) if is_letter(word) => {
                run.push(word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect());
            }
            _ => {
                let ended = std::mem::take(&mut run);
                runs.extend((ended.len() >= FEWEST_SPELLED).then(|| ended.concat()));
            }
        }
    }
    runs
}

/// Whether it is one letter, of a script whose words have several.
fn is_letter(word: &str) -> bool {
    let mut letters = word.chars().filter(|c| c.is_alphanumeric());
    let first = letters.next().is_some_and(|c| c.is_alphabetic() && !('\u{2E80}'..='\u{9FFF}').contains(&c));
    first && letters.next().is_none()
}

/// The window whose sentence most of the values of a statement stand in; of several, the first.
fn most_of<'p>(windows: &[Window<'p>]) -> Option<Window<'p>> {
    let same = |one: &Window<'_>, other: &Window<'_>| {
        std::ptr::eq(one.text, other.text) && one.sentence == other.sentence
    };
    let count = |window: &Window<'_>| windows.iter().filter(|other| same(window, other)).count();
    windows.iter().rev().max_by_key(|window| count(window)).copied()
}

/// Every case agrees with what it stands on: with the window of its values, or with the closest words.
fn statements(
    judged: &Judged<'_>,
    windows: &[(usize, Vec<Window<'_>>)],
    proving: &[&Text],
) -> Result<(), Why> {
    let mut before: Option<Window<'_>> = None;
    for (place, case) in judged.sentence.cases.iter().enumerate() {
        let mut valued = false;
        let mut stood: Vec<Window<'_>> = Vec::new();
        for (_, windows) in windows.iter().filter(|(case, _)| *case == place) {
            // What a look-up gave is no sentence to agree with.
            let passages: Vec<Window<'_>> = windows
                .iter()
                .copied()
                .filter(|window| window.text.source.is_some() && !window.stated.heading)
                .collect();
            if passages.len() == windows.len() {
                stood.extend(agree(judged, case, &passages)?);
            }
            valued = true;
        }
        before = most_of(&stood).or(before);
        if !valued && !case.words.is_empty() {
            let same: Vec<&Text> =
                proving.iter().copied().filter(|text| text.language == judged.pack.lang).collect();
            let windows = closest(judged, case, &same, before.filter(|_| case.goes_on));
            before = agree(judged, case, &windows)?.or(before);
        }
    }
    Ok(())
}
