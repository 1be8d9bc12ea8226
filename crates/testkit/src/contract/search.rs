//! What every index must keep.
//!
//! The texts are English and say the same few words, so that the stems of the pack decide and nothing else.

use std::sync::Arc;

use mostrador_answer::passage::{Passage, Similarity, SourceId, Trust};
use mostrador_answer::ports::{Filter, Found, Search};
use mostrador_language::{Lang, Pack};

/// A passage, and its vector where it has one.
pub type Stored = (Passage, Option<Vec<f32>>);

/// An English passage of the shop's own, named `file#n`.
#[must_use]
pub fn passage(source: &str, heading: &str, text: &str) -> Passage {
    Passage {
        headings: if heading.is_empty() { Vec::new() } else { vec![heading.to_owned()] },
        file: "documents/shop.md".to_owned(),
        ..Passage::new(SourceId::new(source).unwrap(), text, Lang::EN)
    }
}

fn with_vectors(vectors: &[Option<&[f32]>]) -> Vec<Stored> {
    let stored = |(number, vector): (usize, &Option<&[f32]>)| {
        (passage(&format!("shop#{number}"), "", "word"), vector.map(<[f32]>::to_vec))
    };
    vectors.iter().enumerate().map(stored).collect()
}

fn names<'a>(found: impl IntoIterator<Item = &'a Found>) -> Vec<&'a str> {
    found.into_iter().map(|found| found.passage.source.as_str()).collect()
}

async fn dense(index: &dyn Search, vector: &[f32], limit: usize) -> Vec<(String, u32)> {
    let found = index.dense(vector, &Filter::default(), limit).await.unwrap();
    found.iter().map(|(found, near)| (found.passage.source.to_string(), near.millionths())).collect()
}

async fn lexical(index: &dyn Search, question: &str, limit: usize) -> Vec<String> {
    let found =
        index.lexical(&Pack::of(Lang::EN).index_terms(question), &Filter::default(), limit).await.unwrap();
    names(&found).into_iter().map(str::to_owned).collect()
}

/// Best first, ties in the order of the documents, nothing at or below 0, at most as many as asked for.
pub async fn by_cosine_best_first(build: impl AsyncFn(Vec<Stored>) -> Arc<dyn Search>) {
    let index = build(with_vectors(&[
        Some(&[0.0, 1.0]),
        Some(&[1.0, 1.0]),
        Some(&[3.0, 0.0]),
        None,
        Some(&[-1.0, 0.0]),
        Some(&[2.0, 2.0]),
        Some(&[0.0, 0.0]),
        Some(&[1.0, 0.0]),
        Some(&[]),
    ]))
    .await;
    let one = Similarity::ONE.millionths();
    let all = [("shop#2", one), ("shop#7", one), ("shop#1", 707_107), ("shop#5", 707_107)]
        .map(|(name, near)| (name.to_owned(), near));
    assert_eq!(dense(&*index, &[5.0, 0.0], 100).await, all);
    assert_eq!(dense(&*index, &[5.0, 0.0], 3).await, all[..3]);
    assert_eq!(dense(&*index, &[5.0, 0.0], 0).await, []);
}

/// A vector with no direction is near to nothing, whichever side it is on.
pub async fn a_vector_without_direction_is_near_to_nothing(
    build: impl AsyncFn(Vec<Stored>) -> Arc<dyn Search>,
) {
    let index = build(with_vectors(&[Some(&[1.0, 0.0]), Some(&[0.0, 0.0]), None])).await;
    for nothing in [&[][..], &[0.0, 0.0], &[f32::NAN, 1.0]] {
        assert_eq!(dense(&*index, nothing, 10).await, [], "{nothing:?}");
    }
    let empty = build(Vec::new()).await;
    assert_eq!(dense(&*empty, &[1.0], 10).await, []);
}

/// Vectors of another length are by another embedder: an error that says so, never a wrong order.
pub async fn vectors_of_another_length_are_an_error(build: impl AsyncFn(Vec<Stored>) -> Arc<dyn Search>) {
    let index = build(with_vectors(&[None, Some(&[1.0, 0.0])])).await;
    let error = index.dense(&[1.0, 0.0, 0.0], &Filter::default(), 10).await.unwrap_err();
    assert_eq!(error.part, "index");
    for told in ["3 numbers", "have 2", "index again"] {
        assert!(error.detail.contains(told), "{error}");
    }
}

/// Every passage that shares a stem and no other, those with rarer stems first, ties in the order of
/// the documents, at most as many as asked for.
pub async fn by_stems_rarest_first(build: impl AsyncFn(Vec<Stored>) -> Arc<dyn Search>) {
    let index = build(vec![
        (passage("shop#1", "", "parcel house garden"), None),
        (passage("shop#2", "", "window house garden"), None),
        (passage("shop#3", "", "house garden river"), None),
        (passage("shop#4", "", "parcel window stone"), None),
        (passage("shop#5", "", "mountain forest stone"), None),
    ])
    .await;
    assert_eq!(lexical(&*index, "houses", 10).await, ["shop#1", "shop#2", "shop#3"]);
    assert_eq!(lexical(&*index, "parcels, house", 10).await, ["shop#1", "shop#4", "shop#2", "shop#3"]);
    assert_eq!(lexical(&*index, "house parcel parcel", 2).await, ["shop#1", "shop#4"]);
    assert_eq!(lexical(&*index, "parcel", 0).await, [] as [String; 0]);
    assert_eq!(lexical(&*index, "bicycle", 10).await, [] as [String; 0]);
    assert!(index.lexical(&[], &Filter::default(), 10).await.unwrap().is_empty());
}

/// A stem that every passage has still finds them all.
pub async fn a_stem_of_every_passage_finds_them_all(build: impl AsyncFn(Vec<Stored>) -> Arc<dyn Search>) {
    let stored = (1..=3).map(|number| (passage(&format!("shop#{number}"), "", "parcel"), None)).collect();
    let index = build(stored).await;
    assert_eq!(lexical(&*index, "parcel", 10).await, ["shop#1", "shop#2", "shop#3"]);
}

/// What is found carries its passage whole and its stems with those of the headings, distinct and sorted.
pub async fn what_is_found_is_whole(build: impl AsyncFn(Vec<Stored>) -> Arc<dyn Search>) {
    let stored = passage("shop#1", "Delivery times", "A parcel takes a parcel's time.");
    let index = build(vec![(stored.clone(), Some(vec![1.0]))]).await;
    let by_word =
        index.lexical(&Pack::of(Lang::EN).index_terms("delivery"), &Filter::default(), 1).await.unwrap();
    let near = index.dense(&[1.0], &Filter::default(), 1).await.unwrap();
    assert_eq!((by_word.len(), near.len()), (1, 1));
    assert_eq!(by_word[0], near[0].0);
    assert_eq!(*by_word[0].passage, stored);
    let expected = Pack::of(Lang::EN).content_stems("Delivery times A parcel takes a parcel's time.");
    assert_eq!(*by_word[0].stems, *expected);
    assert!(expected.is_sorted_by(|a, b| a < b), "{expected:?}");
}

/// A filter takes passages out before the lists are cut, and leaves similarity and order as they are.
pub async fn a_filter_leaves_places_to_others(build: impl AsyncFn(Vec<Stored>) -> Arc<dyn Search>) {
    let of = |number: usize, file: &str, language, trust, until: Option<&str>| {
        let plain = passage(&format!("{file}#{number}"), "", "parcel");
        let near = 10.0 - number as f32;
        let file = format!("documents/{file}.md");
        (
            Passage { file, language, trust, valid_until: until.map(str::to_owned), ..plain },
            Some(vec![near, 1.0]),
        )
    };
    let index = build(vec![
        of(1, "a", Lang::EN, Trust::Shop, Some("2026-01-31")),
        of(2, "a", Lang::EN, Trust::Customer, None),
        of(3, "b", Lang::ES, Trust::Shop, None),
        of(4, "a", Lang::EN, Trust::Shop, None),
        of(5, "b", Lang::EN, Trust::Shop, Some("2026-02-01")),
    ])
    .await;
    let only = Filter {
        languages: vec![Lang::EN],
        trust: Some(Trust::Shop),
        today: Some("2026-02-01".to_owned()),
        ..Filter::default()
    };
    let file = Filter { files: vec!["documents/b.md".to_owned()], ..Filter::default() };
    let none = Filter { files: vec!["documents/c.md".to_owned()], ..Filter::default() };
    let terms = Pack::of(Lang::EN).index_terms("parcel");
    for (filter, limit, expected) in [
        (&only, 10, &["a#4", "b#5"][..]),
        (&only, 1, &["a#4"]),
        (&file, 10, &["b#3", "b#5"]),
        (&none, 10, &[]),
    ] {
        let near = index.dense(&[1.0, 0.0], filter, limit).await.unwrap();
        assert_eq!(names(near.iter().map(|(found, _)| found)), expected, "{filter:?}");
        let all = index.dense(&[1.0, 0.0], &Filter::default(), 10).await.unwrap();
        assert!(near.iter().all(|hit| all.contains(hit)), "{near:?}");
        let by_word = index.lexical(&terms, filter, limit).await.unwrap();
        assert_eq!(names(&by_word), expected, "{filter:?}");
    }
}

/// Makes a test of every function of [`contract::search`](crate::contract::search).
///
/// `$build`: an async closure from passages to a fresh `Arc<dyn Search>`. The caller needs `tokio`
/// with `macros`.
#[macro_export]
macro_rules! search_contract {
    ($build:expr) => {
        $crate::search_contract!(@test $build =>
            by_cosine_best_first,
            a_vector_without_direction_is_near_to_nothing,
            vectors_of_another_length_are_an_error,
            by_stems_rarest_first,
            a_stem_of_every_passage_finds_them_all,
            what_is_found_is_whole,
            a_filter_leaves_places_to_others,
        );
    };
    (@test $build:expr => $($kept:ident,)+) => {
        $(
            #[tokio::test]
            async fn $kept() {
                $crate::contract::search::$kept($build).await;
            }
        )+
    };
}
