//! A row of a database as a dated fact: checked, or skipped with the reason.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use mostrador_answer::passage::{Passage, SourceId};
use mostrador_language::Lang;

/// The columns of a row by their names in lower case; a column that is NULL is not there.
pub(crate) type Columns = BTreeMap<String, String>;

/// The most characters of a text.
const MOST_CHARACTERS: usize = 10_000;

/// A row that is no dated fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedRow {
    /// Which, from 1 in the order of the query.
    pub row: usize,
    /// What is wrong with it and what to do.
    pub reason: String,
}

/// The facts of the rows, newest first (of one day: in the order of the query), and the rows that are none.
/// `usual`: the language of a row that names none.
pub(crate) fn facts(rows: &[Columns], usual: Lang) -> (Vec<Arc<Passage>>, Vec<SkippedRow>) {
    let (mut facts, mut skipped) = (Vec::new(), Vec::new());
    for (at, columns) in rows.iter().enumerate() {
        match fact(columns, at + 1, usual) {
            Ok(fact) => facts.push(Arc::new(fact)),
            Err(reason) => skipped.push(SkippedRow { row: at + 1, reason }),
        }
    }
    // A stable sort: ISO dates compare as texts.
    facts.sort_by(|a, b| b.date.cmp(&a.date));
    (facts, skipped)
}

fn fact(columns: &Columns, row: usize, usual: Lang) -> Result<Passage, String> {
    let filled = |name: &str| columns.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
    let text = filled("text").ok_or("the column `text` is missing or empty; select it from the query")?;
    if text.chars().count() > MOST_CHARACTERS {
        return Err(format!("`text` has more than {MOST_CHARACTERS} characters; select a shorter one"));
    }
    let date = filled("date").ok_or("the column `date` is missing or empty; select it from the query")?;
    let language = match filled("language") {
        None => usual,
        Some(code) => {
            code.parse().map_err(|_| format!("`language` is {code:?}; write a code such as \"es\""))?
        }
    };
    let source = SourceId::new(format!("records/db#{row}")).map_err(|error| error.to_string())?;
    let mut fact = Passage::new(source, text, language);
    fact.file = "records/db".to_owned();
    fact.date = Some(day("date", date)?);
    fact.valid_until = filled("valid_until").map(|until| day("valid_until", until)).transpose()?;
    fact.headings = filled("title").map(str::to_owned).into_iter().collect();
    Ok(fact)
}

/// The day of a date or of a moment that begins with one.
fn day(column: &str, written: &str) -> Result<String, String> {
    let first: String = written.chars().take(10).collect();
    let rest = written.chars().nth(10);
    let day: Option<Date> = first.parse().ok().filter(|_| matches!(rest, None | Some('T' | ' ')));
    day.map(|day| day.to_string())
        .ok_or_else(|| format!("`{column}` is {written:?}; select a date such as 2026-03-01"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(columns: &[(&str, &str)]) -> Columns {
        columns.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn the_newest_comes_first_and_a_day_keeps_the_order_of_the_query() {
        let rows = [
            row(&[("date", "2026-01-01"), ("text", "old")]),
            row(&[("date", "2026-03-01 10:00:00"), ("text", "first"), ("title", "New"), ("language", "bg")]),
            row(&[("date", "2026-03-01T09:00:00Z"), ("text", "second"), ("valid_until", "2026-04-01")]),
        ];
        let (facts, skipped) = facts(&rows, Lang::EN);
        let found: Vec<_> = facts.iter().map(|fact| (fact.source.as_str(), fact.text.as_str())).collect();
        assert_eq!(found, [("records/db#2", "first"), ("records/db#3", "second"), ("records/db#1", "old")]);
        assert_eq!((facts[0].language, facts[1].language), (Lang::BG, Lang::EN));
        assert_eq!(facts[0].headings, ["New"]);
        assert_eq!(facts[1].valid_until.as_deref(), Some("2026-04-01"));
        assert!(skipped.is_empty());
    }

    #[test]
    fn a_bad_row_is_named_and_the_others_stay() {
        for (bad, says) in [
            (row(&[("date", "2026-02-30"), ("text", "a")]), "2026-02-30"),
            (row(&[("date", "2026-02-011"), ("text", "a")]), "date"),
            (row(&[("date", "yesterday"), ("text", "a")]), "yesterday"),
            (row(&[("text", "a")]), "`date` is missing"),
            (row(&[("date", "2026-02-01"), ("text", " ")]), "`text` is missing"),
            (row(&[("date", "2026-02-01"), ("text", "a"), ("language", "?!")]), "language"),
            (row(&[("date", "2026-02-01"), ("text", "a"), ("valid_until", "soon")]), "valid_until"),
        ] {
            let rows = [bad, row(&[("date", "2026-02-01"), ("text", "good")])];
            let (facts, skipped) = facts(&rows, Lang::EN);
            assert_eq!((facts.len(), skipped.len(), skipped[0].row), (1, 1, 1));
            assert!(skipped[0].reason.contains(says), "{}", skipped[0].reason);
        }
    }

    proptest! {
        #[test]
        fn any_texts_give_a_fact_or_a_reason(date in ".{0,14}", text in ".{0,20}", language in ".{0,4}") {
            let rows = [row(&[("date", &date), ("text", &text), ("language", &language)])];
            let (facts, skipped) = facts(&rows, Lang::EN);
            prop_assert_eq!(facts.len() + skipped.len(), 1);
        }
    }
}
