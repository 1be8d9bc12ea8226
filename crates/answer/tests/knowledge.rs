//! What an answer may stand on: evidence is judged afresh in every turn, and filters, dates and records hold.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use mostrador_answer::engine::{Engine, Ports};
use mostrador_answer::evidence::{Ground, Grounded};
use mostrador_answer::message::Block;
use mostrador_answer::money::Micros;
use mostrador_answer::passage::{Passage, Similarity, SourceId};
use mostrador_answer::ports::{Embed, EmbedAs, Filter, Fixed, Found, Records, Search, Unavailable};
use mostrador_answer::question::{Asked, Previous};
use mostrador_answer::stop::{Ending, RuleName, Stop};
use mostrador_answer::trace::Trace;
use mostrador_language::{Lang, Pack};
use mostrador_testkit::{LinesModel, Shelf, World};

fn world(texts: &[&str]) -> World {
    World::new(texts, LinesModel::default())
}

async fn evidence(engine: &Engine, asked: Asked) -> (Result<Grounded, Stop>, Trace) {
    engine.evidence(asked).await
}

async fn sources(engine: &Engine, asked: Asked) -> Vec<String> {
    let (grounded, _) = evidence(engine, asked).await;
    grounded.map_or(Vec::new(), |grounded| {
        grounded.passages().iter().map(|passage| passage.source.to_string()).collect()
    })
}

fn after(question: &str, answer: Option<&str>, text: &str) -> Asked {
    let previous = Previous { question: question.to_owned(), answer: answer.map(str::to_owned) };
    Asked { previous: Some(previous), ..Asked::new(text) }
}

/// Earlier passages were used again for every later question, so that nothing was ever refused.
#[tokio::test]
async fn a_question_after_a_good_one_is_refused_where_nothing_supports_it() {
    let engine = world(&["Delivery takes three days and costs five euros, all over the world."]).engine();
    assert_eq!(sources(&engine, Asked::new("How long does delivery take in days?")).await, ["shelf#1"]);
    for text in ["Who won the World Cup?", "Who won the cup?", "And the cup?", "What is a prime number?"] {
        let asked = after("How long does delivery take in days?", None, text);
        let (grounded, _) = evidence(&engine, asked).await;
        let stop = grounded.map(|_| ()).unwrap_err();
        assert_eq!((stop.ending, stop.rule.0.as_str()), (Ending::NoEvidence, RuleName::THRESHOLD), "{text}");
    }
}

/// Off-topic questions got citations of whatever came first.
#[tokio::test]
async fn an_off_topic_question_gets_the_fixed_text_and_no_citation() {
    let engine = world(&["Returns are free within thirty days of delivery."]).engine();
    let answer = engine.ask(Asked::new("What is a prime number?")).await;
    assert_eq!(answer.closing.ending, Ending::NoEvidence);
    assert!(answer.citations.is_empty());
    assert!(engine.settings().texts(Lang::EN).values().any(|text| *text == answer.text), "{}", answer.text);
}

#[tokio::test]
async fn a_follow_up_keeps_its_subject() {
    let texts = [
        "A tyre change for a Model 3 takes an hour.",
        "A service for a Model 3 costs ninety euros.",
        "A service for a bicycle costs thirty euros.",
    ];
    let engine = world(&texts).engine();
    let alone = sources(&engine, Asked::new("And a service?")).await;
    assert_eq!(alone, [] as [String; 0], "one word alone is chance");
    let joined =
        sources(&engine, after("How long is a tyre change for a Model 3?", None, "And a service?")).await;
    assert_eq!(joined, ["shelf#2"]);
}

#[tokio::test]
async fn the_second_one_is_the_second_of_the_list_that_was_shown() {
    let texts = ["The lamp Orla is of brass.", "The lamp Brisa Norte is of oak.", "The table Nube is white."];
    let mut world = world(&texts);
    world.model = Arc::new(LinesModel::default());
    let engine = world.engine();
    let shown = "We have:\n1. Lamp Orla: brass\n2. Lamp Brisa Norte: oak\n3. Table Nube";
    let asked = after("Which lamps do you have?", Some(shown), "Tell me more about the second one");
    let (grounded, _) = evidence(&engine, asked.clone()).await;
    let grounded = grounded.unwrap();
    assert_eq!(grounded.item(), Some("Lamp Brisa Norte"));
    assert_eq!(grounded.passages()[0].source.as_str(), "shelf#2");
    engine.ask(asked).await;
    let request = world.model.requests().pop().unwrap();
    let blocks = &request.messages[0].content;
    assert!(blocks.contains(&Block::Item("Lamp Brisa Norte".to_owned())), "{blocks:?}");
    assert!(matches!(blocks.last(), Some(Block::Text(text)) if text == "Tell me more about the second one"));
}

#[tokio::test]
async fn without_a_list_the_second_one_is_looked_for_beside_the_answer_and_judged_afresh() {
    let engine = world(&["The lamp Orla is of brass and gives warm light."]).engine();
    let shown = "The lamp Orla is of brass and gives warm light.";
    let asked = |text: &str| after("Which lamps do you have?", Some(shown), text);
    assert_eq!(sources(&engine, asked("And the second one?")).await, ["shelf#1"]);
    assert_eq!(sources(&engine, asked("Which is the second planet?")).await, [] as [String; 0]);
}

fn found(source: &str, text: &str, change: impl Fn(Passage) -> Passage) -> Found {
    let passage = Passage {
        file: "documents/a.md".to_owned(),
        ..Passage::new(SourceId::new(source).unwrap(), text, Lang::EN)
    };
    let stems = Pack::of(Lang::EN).content_stems(text).into();
    Found { passage: Arc::new(change(passage)), stems }
}

/// A filter that named a document used to switch the threshold off.
#[tokio::test]
async fn a_filter_and_the_threshold_hold_together() {
    let mut world = world(&[]);
    world.shelf = Shelf(vec![
        found("a#1", "Delivery takes three days.", |passage| passage),
        found("b#1", "Delivery to islands takes three weeks.", |passage| Passage {
            file: "documents/islands/b.md".to_owned(),
            date: Some("2026-05-01".to_owned()),
            ..passage
        }),
    ]);
    let engine = world.engine();
    let ask = |text: &str, filter: Filter| Asked { filter, ..Asked::new(text) };
    let islands = Filter { files: vec!["documents/islands".to_owned()], ..Filter::default() };
    let question = "How long does delivery take?";
    assert_eq!(sources(&engine, Asked::new(question)).await, ["a#1", "b#1"]);
    assert_eq!(sources(&engine, ask(question, islands.clone())).await, ["b#1"]);
    assert_eq!(sources(&engine, ask("Who won the World Cup?", islands)).await, [] as [String; 0]);
    let dated = Filter { from: Some("2026-01-01".to_owned()), ..Filter::default() };
    assert_eq!(sources(&engine, ask(question, dated)).await, ["b#1"]);
    let spanish = Filter { languages: vec![Lang::ES], ..Filter::default() };
    assert_eq!(sources(&engine, ask(question, spanish)).await, [] as [String; 0]);
}

/// The clock of these tests stands at the beginning of 1970.
#[tokio::test]
async fn a_passage_past_its_last_day_is_not_used() {
    let mut world = world(&[]);
    let until = |day: &str| {
        let day = day.to_owned();
        move |passage| Passage { valid_until: Some(day.clone()), ..passage }
    };
    world.shelf = Shelf(vec![
        found("old#1", "The summer sale ends on Sunday.", until("1969-12-31")),
        found("new#1", "The summer sale ends on Monday.", until("2100-01-01")),
    ]);
    assert_eq!(sources(&world.engine(), Asked::new("When does the summer sale end?")).await, ["new#1"]);
}

#[tokio::test]
async fn passages_in_the_language_of_the_question_come_first_and_others_are_used_where_there_are_none() {
    let mut world = world(&[]);
    let in_german = |passage| Passage { language: Lang::DE, ..passage };
    world.shelf = Shelf(vec![
        found("de#1", "Showroom Hamburg: delivery three days.", in_german),
        found("en#1", "Showroom Hamburg: delivery two days.", |passage| passage),
    ]);
    let question = "Delivery from the showroom Hamburg?";
    assert_eq!(sources(&world.engine(), Asked::new(question)).await, ["en#1", "de#1"]);
    world.shelf.0.pop();
    assert_eq!(sources(&world.engine(), Asked::new(question)).await, ["de#1"]);
}

/// Two compounds of one meaning, and Chinese words without spaces, are found by parts and pairs.
#[tokio::test]
async fn compounds_and_chinese_words_are_found_by_their_parts() {
    for (language, text, question) in [
        (Lang::DE, "Das Rückgaberecht gilt vierzehn Tage.", "Wie lange gilt die Rückgabe?"),
        (Lang::ZH, "收到商品后七天内可以退款。", "我要退款，收到商品几天内可以？"),
    ] {
        let mut world = world(&[]);
        world.settings.languages = vec![language];
        let passage = Passage::new(SourceId::new("a#1").unwrap(), text, language);
        let stems = Pack::of(language).content_stems(text).into();
        world.shelf = Shelf(vec![Found { passage: Arc::new(passage), stems }]);
        assert_eq!(sources(&world.engine(), Asked::new(question)).await, ["a#1"], "{question}");
    }
}

/// Keeps records, newest first.
struct News(Vec<Passage>);

#[async_trait]
impl Records for News {
    async fn newest(
        &self,
        languages: &[Lang],
        today: &str,
        limit: usize,
    ) -> Result<Vec<Arc<Passage>>, Unavailable> {
        let filter =
            Filter { languages: languages.to_vec(), today: Some(today.to_owned()), ..Filter::default() };
        Ok(self.0.iter().filter(|record| filter.fits(record)).take(limit).cloned().map(Arc::new).collect())
    }
}

fn news() -> Option<Arc<dyn Records>> {
    let record = |number: usize, text: &str| Passage {
        date: Some(format!("1969-0{number}-01")),
        file: "records/news.md".to_owned(),
        ..Passage::new(SourceId::new(format!("records/news#{number}")).unwrap(), text, Lang::EN)
    };
    Some(Arc::new(News(vec![record(9, "We opened a second shop."), record(3, "We sell lamps now.")])))
}

#[tokio::test]
async fn a_question_for_what_is_new_goes_to_the_records_whatever_the_threshold() {
    let mut world = world(&["Delivery takes three days."]);
    world.settings.evidence.threshold = Similarity::ONE;
    world.records = news();
    let engine = world.engine();
    let (grounded, trace) = evidence(&engine, Asked::new("What's new?")).await;
    let grounded = grounded.unwrap();
    assert!(matches!(grounded.ground(), Ground::Records(_)));
    assert_eq!(trace.records.len(), 2);
    assert_eq!(sources(&engine, Asked::new("What's new?")).await, ["records/news#9", "records/news#3"]);
    world.settings.route.records = 1;
    assert_eq!(sources(&world.engine(), Asked::new("What's new?")).await, ["records/news#9"]);
    // Without records the question is one like any other.
    world.records = None;
    assert_eq!(sources(&world.engine(), Asked::new("What's new?")).await, [] as [String; 0]);
}

#[tokio::test]
async fn a_question_about_the_owner_gets_the_records_on_a_persons_site_only() {
    let mut world = world(&["Delivery takes three days."]);
    world.records = news();
    let question = "What did Elena Ruiz publish?";
    assert_eq!(sources(&world.engine(), Asked::new(question)).await, [] as [String; 0]);
    world.settings.route.owner = vec!["Elena Ruiz".to_owned()];
    world.settings.retrieval.owner = Some("Elena Ruiz".to_owned());
    assert_eq!(sources(&world.engine(), Asked::new(question)).await, ["records/news#9", "records/news#3"]);
    assert_eq!(sources(&world.engine(), Asked::new("Who won the cup?")).await, [] as [String; 0]);
    // The model's own word that nothing covers it still ends in the fixed refusal.
    world.model = Arc::new(LinesModel::saying(&["NOT_COVERED"]));
    let answer = world.engine().ask(Asked::new(question)).await;
    assert_eq!((answer.closing.ending, answer.citations.len()), (Ending::NoEvidence, 0));
}

/// Says the same vector for everything, or is away.
struct Flat {
    away: bool,
    asked: AtomicUsize,
}

#[async_trait]
impl Embed for Flat {
    fn id(&self) -> String {
        "flat".to_owned()
    }

    async fn embed(&self, texts: &[&str], role: EmbedAs) -> Result<Vec<Vec<f32>>, Unavailable> {
        assert_eq!(role, EmbedAs::Query);
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.away {
            Err(Unavailable::new("embedder", "no route"))
        } else {
            Ok(vec![vec![1.0]; texts.len()])
        }
    }
}

#[tokio::test]
async fn an_embedder_that_is_away_leaves_the_words_and_the_trace_says_so() {
    let mut world = world(&["Delivery takes three days."]);
    world.settings.retrieval.lexical = false;
    world.embed = Some(Arc::new(Flat { away: true, asked: AtomicUsize::new(0) }));
    let (grounded, trace) = evidence(&world.engine(), Asked::new("How long does delivery take?")).await;
    assert_eq!(grounded.unwrap().passages().len(), 1);
    assert!(trace.embedder_away.unwrap().contains("no route"));
}

#[tokio::test]
async fn a_hosted_embedder_is_paid_for_or_not_called() {
    let mut world = world(&["Delivery takes three days."]);
    let embed = Arc::new(Flat { away: false, asked: AtomicUsize::new(0) });
    world.embed = Some(embed.clone());
    world.settings.retrieval.embed_price = Some(Micros(1_000_000));
    let question = "How long does delivery take?";
    let (_, trace) = evidence(&world.engine(), Asked::new(question)).await;
    assert_eq!(trace.embedder_away, None);
    let settled = world.desk.settled.lock().unwrap().clone();
    assert_eq!(settled.len(), 1);
    assert_eq!(settled[0].0, Micros(question.len() as u64));
    assert!(world.desk.open.lock().unwrap().is_empty());
    assert_eq!(trace.embedding, settled[0].0);

    world.settings.budget.monthly_cap = Some(Micros(1));
    let asked_before = embed.asked.load(Ordering::Relaxed);
    let (grounded, trace) = evidence(&world.engine(), Asked::new(question)).await;
    assert_eq!(embed.asked.load(Ordering::Relaxed), asked_before, "what was not reserved is not called");
    assert!(trace.embedder_away.unwrap().contains("cap"));
    assert_eq!(grounded.unwrap().passages().len(), 1, "words are free");
}

/// A page without a price got one from the model.
#[tokio::test]
async fn a_price_that_no_page_has_is_not_answered() {
    let engine = world(&["Lamp Orla, socket E27."]).engine();
    let answer = engine.ask(Asked::new("What does Orla cost?")).await;
    assert_eq!(answer.closing.ending, Ending::NoEvidence);
    assert!(!answer.text.contains(|c: char| c.is_ascii_digit()), "{}", answer.text);
}

/// Finds one passage, first in both lists.
struct First(Found, Similarity);

#[async_trait]
impl Search for First {
    async fn dense(&self, _: &[f32], _: &Filter, _: usize) -> Result<Vec<(Found, Similarity)>, Unavailable> {
        Ok(vec![(self.0.clone(), self.1)])
    }

    async fn lexical(&self, _: &[String], _: &Filter, _: usize) -> Result<Vec<Found>, Unavailable> {
        Ok(vec![self.0.clone()])
    }
}

/// Being first in both lists is worth .033 to rank fusion; a threshold was once compared with that.
#[tokio::test]
async fn the_threshold_stands_on_a_similarity_and_never_on_a_rank() {
    let mut world = world(&[]);
    world.embed = Some(Arc::new(Flat { away: false, asked: AtomicUsize::new(0) }));
    for (similarity, threshold, answered) in
        [(900_000, 500_000, true), (400_000, 500_000, false), (20_000, 30_000, false)]
    {
        world.settings.evidence.threshold = Similarity::from_millionths(threshold);
        let engine = world.engine();
        let first =
            First(found("a#1", "Elsewhere.", |passage| passage), Similarity::from_millionths(similarity));
        let ports = Ports { index: Arc::new(Fixed(Arc::new(first))), ..engine.ports().clone() };
        let engine = Engine::new(engine.settings().clone(), ports);
        let (grounded, trace) = evidence(&engine, Asked::new("How long does delivery take?")).await;
        assert_eq!(grounded.is_ok(), answered, "{similarity} against {threshold}");
        assert_eq!(trace.ranked[0].strength.millionths(), similarity);
    }
}
