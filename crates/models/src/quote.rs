//! Chooses what to quote: the one or two sentences of the documents that answer best.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use mostrador_answer::message::MarkedDocument;
use mostrador_language::Pack;

use crate::terms::{Found, Terms, Words};
use crate::units::{Unit, closed, cut};

/// The most that is quoted where there is a choice (whole short passages, several items of a list),
/// in characters.
const MOST: usize = 300;

/// A sentence of the first document from which another document must come close to the question
/// before its sentence joins: two terms of its own, or one of its own and one above it.
const JOINS: u32 = 3;

/// Passages kept analysed at once; beyond that they are forgotten and read anew.
const KEPT: usize = 1_024;

/// A passage, analysed.
#[derive(Debug)]
struct Passage {
    title: Words,
    units: Vec<Unit>,
}

/// The passages seen so far, each analysed once: a shop's questions meet the same ones again and again.
#[derive(Debug, Default)]
pub(crate) struct Passages {
    read: RwLock<HashMap<String, Arc<Passage>>>,
}

impl Passages {
    fn of(&self, document: &MarkedDocument, pack: &Pack) -> Arc<Passage> {
        let (title, text) = (document.title(), document.text());
        // The length keeps a title that ends like a text apart from that text.
        let key = format!("{} {} {title}{text}", pack.lang, title.len());
        let read = self.read.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(&key) {
            return Arc::clone(known);
        }
        drop(read);
        let passage = Arc::new(Passage { title: Words::of(title, pack), units: cut(text, pack) });
        let mut write = self.read.write().unwrap_or_else(PoisonError::into_inner);
        if write.len() >= KEPT {
            write.clear();
        }
        write.insert(key, Arc::clone(&passage));
        passage
    }
}

struct Candidate<'a> {
    document: usize,
    /// Its place in the document.
    at: usize,
    unit: &'a Unit,
    /// Terms it holds.
    own: Found,
    /// Terms it holds, or that stand above it, the title included.
    around: Found,
    score: u32,
}

/// The best quotations, each closed as a sentence and followed by its marker; empty where no sentence
/// shares a term with the question.
///
/// A term in the sentence counts two, one above it (title, header, lead-in) counts one. Ties go to the
/// page with the better passage, then to what stands earlier in the page. A second sentence is taken when it holds a term that
/// the first lacks; from another document only when it is close to the question by itself. Otherwise a
/// passage of two sentences whose title fits is quoted whole. Of a list or table, every member that
/// holds the same terms as the best is quoted, since any of them may be meant.
pub(crate) fn quotations(
    known: &Passages,
    question: &str,
    documents: &[&MarkedDocument],
    pack: &Pack,
) -> Vec<String> {
    let passages: Vec<_> = documents.iter().map(|document| known.of(document, pack)).collect();
    let terms = Terms::of(question, pack);
    let mut candidates = Vec::new();
    let mut titles = Vec::new();
    for passage in &passages {
        titles.push(terms.found_in(&passage.title));
    }
    for document in reading_order(documents) {
        let (Some(passage), Some(&title)) = (passages.get(document), titles.get(document)) else {
            continue;
        };
        for (at, unit) in passage.units.iter().enumerate() {
            let own = terms.found_in(&unit.own);
            let around = own | terms.found_in(&unit.above) | title;
            let score = own.count_ones() + around.count_ones();
            candidates.push(Candidate { own, document, at, unit, around, score });
        }
    }
    let Some(first) = best(&candidates, |candidate| candidate.score) else {
        return Vec::new();
    };
    let title = titles.get(first.document).copied().unwrap_or_default();
    let mut chosen = match second(&candidates, first) {
        Some(second) => vec![first, second],
        None => whole(&candidates, first, title).unwrap_or_else(|| vec![first]),
    };
    // Sentences of one passage keep its order; another passage comes behind the one that fits better.
    if chosen.iter().all(|candidate| candidate.document == first.document) {
        chosen.sort_by_key(|candidate| candidate.at);
    }
    let shown = chosen.into_iter().filter_map(|candidate| {
        let source = documents.get(candidate.document)?.source();
        Some(format!("{} [{source}]", shown(&candidates, candidate)))
    });
    shown.collect()
}

/// A record's first sentence, behind its date and followed by its marker; `None` where it says nothing.
pub(crate) fn headline(record: &MarkedDocument, pack: &Pack) -> Option<String> {
    let first = pack.sentences(record.text()).into_iter().map(|sentence| closed(&sentence)).next()?;
    let date = record.date().map(|date| format!("{date}: ")).unwrap_or_default();
    Some(format!("{date}{first} [{}]", record.source()))
}

/// The order in which ties are broken: pages by the rank of their best passage, the passages of a page
/// as they stand in it, since a page says what holds before it says what is excepted.
fn reading_order(documents: &[&MarkedDocument]) -> Vec<usize> {
    let place = |document: &MarkedDocument| {
        let (page, number) = document.source().as_str().rsplit_once('#').unwrap_or_default();
        (page.to_owned(), number.parse::<u64>().unwrap_or(u64::MAX))
    };
    let places: Vec<_> = documents.iter().map(|document| place(document)).collect();
    let rank = |page: &str| places.iter().position(|(other, _)| other == page);
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by_key(|at| places.get(*at).map(|(page, number)| (rank(page), *number)));
    order
}

/// The first candidate with the highest value above 0.
fn best<'a>(
    candidates: &'a [Candidate<'a>],
    value: impl Fn(&Candidate<'_>) -> u32,
) -> Option<&'a Candidate<'a>> {
    // `max_by_key` keeps the last of equals, so the list is read from its end.
    candidates.iter().rev().max_by_key(|candidate| value(candidate)).filter(|best| value(best) > 0)
}

/// All sentences of a short passage whose title fits the question.
fn whole<'a>(
    candidates: &'a [Candidate<'a>],
    first: &Candidate<'_>,
    title: Found,
) -> Option<Vec<&'a Candidate<'a>>> {
    let all: Vec<_> = candidates.iter().filter(|other| other.document == first.document).collect();
    let length: usize = all.iter().map(|candidate| candidate.unit.text.chars().count()).sum();
    let plain = all.iter().all(|candidate| candidate.unit.list.is_none());
    (title != 0 && plain && all.len() <= 2 && length <= MOST).then_some(all)
}

fn second<'a>(candidates: &'a [Candidate<'a>], first: &Candidate<'_>) -> Option<&'a Candidate<'a>> {
    let new = |other: &Candidate<'_>| (other.own & !first.around).count_ones();
    best(candidates, |other| {
        let same = other.document == first.document;
        let together = same && other.unit.list.is_some() && other.unit.list == first.unit.list;
        if new(other) == 0 || together || !same && other.score < JOINS {
            return 0;
        }
        // New terms decide, then the score, then the same passage; 64 terms give a score of 128 at most.
        new(other) * 1_000 + other.score * 2 + u32::from(same)
    })
}

fn shown(candidates: &[Candidate<'_>], candidate: &Candidate<'_>) -> String {
    let unit = candidate.unit;
    if unit.list.is_none() {
        return closed(&unit.text);
    }
    let alike = candidates.iter().filter(|other| {
        other.document == candidate.document && other.unit.list == unit.list && other.own == candidate.own
    });
    let (mut members, mut length) = (Vec::new(), 0);
    for member in alike {
        let part = member.unit.text.trim_end_matches(['.', ',', ';']);
        length += part.chars().count();
        if length > MOST && !members.is_empty() {
            members.push("…");
            break;
        }
        members.push(part);
    }
    closed(&format!("{} {}", unit.lead_in, members.join("; ")))
}

#[cfg(test)]
mod tests {
    use mostrador_answer::passage::{SourceId, Trust};

    use mostrador_language::Lang;

    use super::*;

    fn document(title: &str, text: &str) -> MarkedDocument {
        MarkedDocument::new(SourceId::new("a#1").unwrap(), title, text, Trust::Shop)
    }

    #[test]
    fn of_two_that_fit_alike_the_one_that_stands_first_in_the_page_is_quoted() {
        let document = |name, text| MarkedDocument::new(SourceId::new(name).unwrap(), "", text, Trust::Shop);
        let general = document("lamps#1", "A lamp can be returned.");
        let excepted = document("lamps#2", "A broken lamp cannot be returned.");
        let other = document("bulbs#1", "A lamp without its bulb can be returned.");
        let quoted = |documents: &[&MarkedDocument]| {
            quotations(&Passages::default(), "lamp returned?", documents, Pack::of(Lang::EN))
        };
        assert_eq!(quoted(&[&excepted, &other, &general]), ["A lamp can be returned. [lamps#1]"]);
        assert_eq!(quoted(&[&other, &general]), ["A lamp without its bulb can be returned. [bulbs#1]"]);
    }

    #[test]
    fn a_passage_is_not_taken_for_another_one_that_was_read_before() {
        let known = Passages::default();
        let quoted = |title: &str, text: &str| {
            quotations(&known, "lamps?", &[&document(title, text)], Pack::of(Lang::EN))
        };
        assert_eq!(quoted("", "Lamps. Here they are."), ["Lamps. [a#1]"]);
        assert_eq!(quoted("Lamps. ", "Here they are."), ["Here they are. [a#1]"]);
        assert_eq!(quoted("Lamps. Here", " they are."), ["they are. [a#1]"]);
        for n in 0..KEPT + 10 {
            assert_eq!(quoted("", &format!("Lamps cost {n} €.")), [format!("Lamps cost {n} €. [a#1]")]);
        }
        assert!(known.read.read().unwrap().len() <= KEPT);
        assert_eq!(quoted("", "Lamps. Here they are."), ["Lamps. [a#1]"]);
    }
}
