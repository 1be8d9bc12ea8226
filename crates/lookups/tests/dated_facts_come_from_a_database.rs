//! Dated facts from a SQLite file and, with the feature `postgres-tests`, from the PostgreSQL that
//! `MOSTRADOR_TEST_POSTGRES` names.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::Duration;

use mostrador_answer::ports::Records;
use mostrador_language::Lang;
use mostrador_lookups::{RecordsSettings, SqlRecords};
use secrecy::SecretString;
use sqlx::{AssertSqlSafe, Connection, Executor};

const TODAY: &str = "2026-06-01";

const SQL: &str = "SELECT day AS date, body AS text, head AS Title, lang AS language, until AS valid_until \
                   FROM news ORDER BY id -- the newest are found by the program";

struct Database {
    _folder: tempfile::TempDir,
    url: String,
}

impl Database {
    async fn new(rows: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("shop.db").display());
        let database = Self { _folder: folder, url };
        database.run("CREATE TABLE news (id INTEGER PRIMARY KEY, day, body, head, lang, until)").await;
        for row in rows {
            database.run(&format!("INSERT INTO news (day, body, head, lang, until) VALUES ({row})")).await;
        }
        database
    }

    async fn run(&self, sql: &str) {
        let mut connection =
            sqlx::SqliteConnection::connect(&format!("{}?mode=rwc", self.url)).await.unwrap();
        connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        connection.close().await.unwrap();
    }
}

fn settings(url: &str, sql: &str, cache: u64) -> RecordsSettings {
    RecordsSettings {
        database_env: "SHOP_DATABASE_URL".to_owned(),
        database: Some(SecretString::from(url)),
        sql: sql.to_owned(),
        language: Lang::EN,
        cache: Duration::from_secs(cache),
    }
}

async fn texts(records: &SqlRecords, languages: &[Lang], limit: usize) -> Vec<String> {
    let found = records.newest(languages, TODAY, limit).await.unwrap();
    found.iter().map(|fact| format!("{} {}", fact.source, fact.text)).collect()
}

#[tokio::test]
async fn the_newest_valid_facts_in_the_readers_language_come_first() {
    let database = Database::new(&[
        "'2026-01-01', 'old', NULL, NULL, NULL",
        "'2026-05-01', 'new', 'News', 'en', '2026-12-31'",
        "'2026-05-20', 'over', NULL, 'en', '2026-05-31'",
        "'2026-05-30', 'ново', NULL, 'bg', NULL",
        "'soon', 'bad', NULL, NULL, NULL",
        "'2026-05-02', 42, NULL, NULL, NULL",
    ])
    .await;
    let records = SqlRecords::new(settings(&database.url, SQL, 60)).unwrap();
    let english = texts(&records, &[Lang::EN], 9).await;
    assert_eq!(english, ["records/db#6 42", "records/db#2 new", "records/db#1 old"]);
    assert_eq!(texts(&records, &[Lang::BG, Lang::EN], 2).await, ["records/db#4 ново", "records/db#6 42"]);
    let skipped = records.skipped().await.unwrap();
    assert_eq!((skipped.len(), skipped[0].row), (1, 5));
    assert!(skipped[0].reason.contains("soon"), "{}", skipped[0].reason);
    let found = records.newest(&[Lang::EN], TODAY, 9).await.unwrap();
    assert_eq!(
        (found[1].headings.as_slice(), found[1].date.as_deref()),
        (&["News".to_owned()][..], Some("2026-05-01"))
    );
}

#[tokio::test]
async fn an_answer_is_kept_for_as_long_as_configured() {
    let database = Database::new(&["'2026-01-01', 'one', NULL, NULL, NULL"]).await;
    let kept = SqlRecords::new(settings(&database.url, SQL, 3_600)).unwrap();
    let fresh = SqlRecords::new(settings(&database.url, SQL, 0)).unwrap();
    assert_eq!((texts(&kept, &[Lang::EN], 9).await.len(), texts(&fresh, &[Lang::EN], 9).await.len()), (1, 1));
    database.run("INSERT INTO news (day, body) VALUES ('2026-01-02', 'two')").await;
    assert_eq!((texts(&kept, &[Lang::EN], 9).await.len(), texts(&fresh, &[Lang::EN], 9).await.len()), (1, 2));
}

#[tokio::test]
async fn at_most_200_rows_are_read() {
    let database = Database::new(&[]).await;
    database
        .run(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) \
              INSERT INTO news (day, body) SELECT '2026-01-01', 'fact ' || i FROM n",
        )
        .await;
    let records = SqlRecords::new(settings(&database.url, SQL, 60)).unwrap();
    assert_eq!(texts(&records, &[Lang::EN], 1_000).await.len(), 200);
}

#[tokio::test]
async fn only_a_query_is_taken_and_nothing_can_be_written() {
    for sql in ["DELETE FROM news", "SELECT 1; DELETE FROM news", "", "PRAGMA query_only = OFF", "; SELECT 1"]
    {
        let error = SqlRecords::new(settings("sqlite:a.db", sql, 60)).unwrap_err().to_string();
        assert!(error.contains("SELECT or WITH"), "{sql}: {error}");
    }
    let database = Database::new(&["'2026-01-01', 'stays', NULL, NULL, NULL"]).await;
    let sneaky = "WITH a AS (DELETE FROM news RETURNING *) SELECT * FROM a";
    let records = SqlRecords::new(settings(&database.url, sneaky, 60)).unwrap();
    assert!(records.newest(&[Lang::EN], TODAY, 9).await.is_err());
    let records = SqlRecords::new(settings(&database.url, &format!("{SQL}\n;"), 60)).unwrap();
    assert_eq!(texts(&records, &[Lang::EN], 9).await, ["records/db#1 stays"]);
}

#[tokio::test]
async fn a_query_that_never_ends_is_stopped() {
    let database = Database::new(&[]).await;
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS date FROM n";
    let settings =
        RecordsSettings { database: Some(database.url.as_str().into()), ..settings("", endless, 60) };
    let records = SqlRecords::with_time(settings, Duration::from_millis(100)).unwrap();
    let error = records.newest(&[Lang::EN], TODAY, 9).await.unwrap_err().to_string();
    assert!(error.contains("make `sql` faster"), "{error}");
}

#[tokio::test]
async fn what_is_wrong_is_said_without_the_address() {
    let database = Database::new(&["'soon', 'bad', NULL, NULL, NULL"]).await;
    for (url, sql, says) in [
        (Some("postgres://shop:hunter2@127.0.0.1:1/shop"), SQL, "SHOP_DATABASE_URL"),
        (Some("postgres://shop:hunter2@[bad/shop"), SQL, "address"),
        (Some("oracle://shop:hunter2@host"), SQL, "none of sqlite:, postgres: and mysql:"),
        (Some("sqlite:/nowhere/hunter2.db"), SQL, "SHOP_DATABASE_URL"),
        (Some(database.url.as_str()), "SELECT * FROM hunter3", "hunter3"),
        (Some(database.url.as_str()), SQL, "row 1: `date`"),
        (Some(" "), SQL, "is not set"),
        (None, SQL, "is not set"),
    ] {
        let settings = RecordsSettings { database: url.map(SecretString::from), ..settings("", sql, 60) };
        let records = SqlRecords::new(settings).unwrap();
        let error = records.newest(&[Lang::EN], TODAY, 9).await.unwrap_err().to_string();
        assert!(error.contains(says) && !error.contains("hunter2"), "{error}");
        assert!(!format!("{records:?}").contains("hunter2"));
    }
}

#[cfg(feature = "postgres-tests")]
#[tokio::test]
async fn postgresql_gives_dates_and_moments_as_they_are() {
    let url = std::env::var("MOSTRADOR_TEST_POSTGRES").unwrap();
    let sql = "SELECT * FROM (VALUES (DATE '2026-05-01', 'day', NULL), (TIMESTAMP '2026-05-02 10:00', 'moment', DATE \
               '2026-12-31')) AS news(date, text, valid_until)";
    let records = SqlRecords::new(settings(&url, sql, 60)).unwrap();
    assert_eq!(texts(&records, &[Lang::EN], 9).await, ["records/db#2 moment", "records/db#1 day"]);
    let writes = "WITH a AS (INSERT INTO nowhere VALUES (1) RETURNING *) SELECT * FROM a";
    let slow = "SELECT '2026-01-01' AS date, pg_sleep(60)::text AS text";
    for (sql, says) in [(writes, "nowhere"), (slow, "make `sql` faster")] {
        let records = SqlRecords::with_time(settings(&url, sql, 60), Duration::from_millis(500)).unwrap();
        let error = records.newest(&[Lang::EN], TODAY, 9).await.unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}
