//! A look-up by a query: of a SQLite file and, with the feature `postgres-tests`, of the PostgreSQL that
//! `MOSTRADOR_TEST_POSTGRES` names.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::Duration;

use mostrador_answer::message::{Input, Outcome};
use mostrador_answer::passage::Trust;
use mostrador_answer::ports::{Lookup as _, LookupResult};
use mostrador_answer::question::CustomerId;
use mostrador_language::{TextKey, Texts};
use mostrador_lookups::{SqlConfig, SqlLookup};
use secrecy::SecretString;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor};

const ORDERS: &str =
    "CREATE TABLE orders (id INTEGER, owner TEXT, state TEXT, eta DATE, total NUMERIC(10, 2), note TEXT)";

const ROWS: &str = "INSERT INTO orders VALUES (204418, 'c-101', 'sent', '2026-09-09', 49.9, 'secret'), \
                    (204419, 'c-102', 'open', NULL, 5, 'secret'), (204420, 'c-101', 'open', NULL, 7, NULL)";

const SQL: &str = "SELECT id AS number, state, eta, total, note FROM orders \
                   WHERE id = CAST(:order AS INTEGER) AND owner = :customer";

/// A SQLite file with some orders.
struct Database {
    _folder: tempfile::TempDir,
    url: String,
}

impl Database {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("shop.db").display());
        let database = Self { _folder: folder, url };
        database.run(ORDERS).await;
        database.run(ROWS).await;
        database
    }

    async fn run(&self, sql: &str) {
        let mut connection =
            sqlx::SqliteConnection::connect(&format!("{}?mode=rwc", self.url)).await.unwrap();
        connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        connection.close().await.unwrap();
    }
}

fn config(url: &str) -> SqlConfig {
    let parameters = json!({"order": {"type": "string", "pattern": r"\d{6}"}});
    SqlConfig {
        name: "order_state".to_owned(),
        description: "The state of an order. Reads only.".to_owned(),
        database_env: "SHOP_DATABASE_URL".to_owned(),
        database: Some(SecretString::from(url)),
        sql: SQL.to_owned(),
        parameters: parameters.as_object().unwrap().clone(),
        public: false,
        fields: ["number", "state", "eta"].map(str::to_owned).to_vec(),
        result: None,
        rows: 2,
        trust: Trust::Shop,
        texts: Texts::from([
            (TextKey::UnknownRecord, "no record {value}".to_owned()),
            (TextKey::MissingField, "{field} is missing".to_owned()),
            (TextKey::BadField, "{field} does not fit".to_owned()),
            (TextKey::LookupFailed, "not done".to_owned()),
        ]),
        timeout: Duration::from_secs(10),
    }
}

fn input(value: &Value) -> Input {
    value.as_object().unwrap().clone()
}

async fn look(lookup: &SqlLookup, arguments: Value, caller: Option<&str>) -> LookupResult {
    let caller = caller.map(|caller| CustomerId(caller.to_owned()));
    lookup.look(&input(&arguments), caller.as_ref()).await
}

fn result(outcome: Outcome, content: &str) -> LookupResult {
    LookupResult { outcome, content: content.to_owned() }
}

/// All of an owner's orders, each with `{number}: {state}`.
fn all(url: &str, public: bool) -> SqlConfig {
    SqlConfig {
        sql: format!(
            "SELECT id AS number, state FROM orders {} ORDER BY id",
            if public { "" } else { "WHERE owner = :customer" }
        ),
        parameters: serde_json::Map::new(),
        fields: Vec::new(),
        result: Some("{number}: {state}".to_owned()),
        public,
        ..config(url)
    }
}

/// What holds in every database with the table and rows above.
async fn orders_are_read(url: &str) {
    let lookup = SqlLookup::new(config(url)).unwrap();
    let mine = look(&lookup, json!({"order": "204418"}), Some("c-101")).await;
    assert_eq!(mine, result(Outcome::Found, "number: 204418\nstate: sent\neta: 2026-09-09"));
    let nobody_has = look(&lookup, json!({"order": "999999"}), Some("c-102")).await;
    assert_eq!(nobody_has, result(Outcome::NotFound, "no record 999999"));
    for caller in [None, Some(""), Some("c-102"), Some("C-101"), Some("' OR '1' = '1")] {
        let seen = look(&lookup, json!({"order": "204418"}), caller).await;
        assert_eq!(seen, result(Outcome::NotFound, "no record 204418"), "{caller:?}");
    }
    let own = SqlLookup::new(all(url, false)).unwrap();
    assert_eq!(look(&own, json!({}), Some("c-101")).await.content, "204418: sent\n204420: open");
    let cut = SqlLookup::new(all(url, true)).unwrap();
    assert_eq!(look(&cut, json!({}), None).await.content, "204418: sent\n204419: open\n…");
}

#[tokio::test]
async fn an_order_exists_for_its_owner_alone() {
    let database = Database::new().await;
    orders_are_read(&database.url).await;
}

#[tokio::test]
async fn arguments_are_checked_before_the_database_is_asked() {
    let lookup = SqlLookup::new(config("sqlite:/nowhere.db")).unwrap();
    for (arguments, says) in [
        (json!({}), "order is missing"),
        (json!({"order": "204418", "customer": "c-101"}), "customer does not fit"),
        (json!({"order": "1 OR 1=1"}), "order does not fit"),
        (json!({"order": 204_418}), "order does not fit"),
    ] {
        assert_eq!(look(&lookup, arguments, Some("c-101")).await, result(Outcome::BadInput, says));
    }
    let spec = lookup.spec();
    assert!(spec.needs_customer);
    assert_eq!(spec.parameters[0].pattern.as_deref(), Some(r"\d{6}"));
    assert!(!spec.input_schema().to_string().contains("customer"));
}

#[tokio::test]
async fn an_argument_is_bound_and_never_read_as_sql() {
    let database = Database::new().await;
    let lookup = SqlLookup::new(SqlConfig {
        sql: "SELECT state FROM orders WHERE state = :state AND ':state' <> :state -- :nothing".to_owned(),
        parameters: input(&json!({"state": {"type": "string"}})),
        public: true,
        fields: vec!["state".to_owned()],
        ..config(&database.url)
    })
    .unwrap();
    assert_eq!(look(&lookup, json!({"state": "sent"}), None).await.content, "state: sent");
    for text in ["' OR '1' = '1", "sent'; DELETE FROM orders; --", "\\' OR 1=1 #", ":state"] {
        let seen = look(&lookup, json!({"state": text}), None).await;
        assert_eq!(seen.outcome, Outcome::NotFound, "{text}");
    }
    assert_eq!(look(&lookup, json!({"state": "sent"}), None).await.outcome, Outcome::Found);
}

#[test]
fn a_query_that_does_not_keep_customers_apart_is_refused() {
    let refused = |change: &dyn Fn(&mut SqlConfig)| {
        let mut config = config("sqlite:a.db");
        change(&mut config);
        SqlLookup::new(config).unwrap_err().to_string()
    };
    for (sql, public, says) in [
        ("SELECT state FROM orders WHERE id = :order", false, "does not use :customer"),
        ("SELECT state FROM orders WHERE id = :order -- :customer", false, "does not use :customer"),
        (
            "SELECT state FROM orders WHERE id = :order AND ':customer' = owner",
            false,
            "does not use :customer",
        ),
        ("SELECT state FROM orders WHERE id = :order AND owner = :customer", true, "take out `public`"),
        ("SELECT state FROM orders WHERE id = :number AND owner = :customer", false, ":number"),
        ("SELECT state FROM orders WHERE owner = :customer", false, ":order"),
        ("DELETE FROM orders WHERE id = :order AND owner = :customer", false, "SELECT or WITH"),
        (
            "WITH gone AS (DELETE FROM orders WHERE id = :order AND owner = :customer RETURNING *) SELECT * FROM gone",
            false,
            "the word DELETE",
        ),
    ] {
        let error = refused(&|config| (config.sql, config.public) = (sql.to_owned(), public));
        assert!(error.contains(says) && error.contains("order_state"), "{error}");
    }
    let error = refused(&|config| {
        config.parameters.insert("customer".to_owned(), json!({"type": "string"}));
    });
    assert!(error.contains("who asks"), "{error}");
    let error = refused(&|config| config.fields.clear());
    assert!(error.contains("`fields`"), "{error}");
}

#[tokio::test]
async fn the_model_reads_a_fixed_text_and_the_owner_the_reason_without_the_address() {
    let database = Database::new().await;
    let bad_field = SqlConfig { fields: vec!["colour".to_owned()], ..config(&database.url) };
    let bad_table = SqlConfig { sql: SQL.replace("FROM orders", "FROM parcels"), ..config(&database.url) };
    for (config, says) in [
        (bad_field, "colour"),
        (bad_table, "parcels"),
        (config("sqlite:/nowhere/hunter2.db"), "SHOP_DATABASE_URL"),
        (config("postgres://shop:hunter2@127.0.0.1:1/shop"), "SHOP_DATABASE_URL"),
        (config("postgres://shop:hunter2@[bad/shop"), "address"),
        (config("oracle://shop:hunter2@host"), "none of sqlite:"),
        (SqlConfig { database: None, ..config("") }, "is not set"),
    ] {
        let lookup = SqlLookup::new(SqlConfig { timeout: Duration::from_secs(1), ..config }).unwrap();
        let caller = CustomerId("c-101".to_owned());
        let arguments = input(&json!({"order": "204418"}));
        assert_eq!(lookup.look(&arguments, Some(&caller)).await, result(Outcome::Failed, "not done"));
        let error = lookup.ask(&arguments, Some(&caller)).await.unwrap_err().to_string();
        assert!(error.contains(says) && !error.contains("hunter2"), "{error}");
        assert!(!format!("{lookup:?}").contains("hunter2"));
    }
}

#[tokio::test]
async fn a_query_that_never_ends_is_given_up() {
    let database = Database::new().await;
    let lookup = SqlLookup::new(SqlConfig {
        sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS state FROM n"
            .to_owned(),
        parameters: serde_json::Map::new(),
        public: true,
        fields: vec!["state".to_owned()],
        timeout: Duration::from_millis(100),
        ..config(&database.url)
    })
    .unwrap();
    let error = lookup.ask(&Input::new(), None).await.unwrap_err().to_string();
    assert!(error.contains("make `sql` faster"), "{error}");
}

/// The PostgreSQL, with a schema of its own for one test.
#[cfg(feature = "postgres-tests")]
async fn postgres(schema: &str) -> (String, sqlx::PgConnection) {
    let url = std::env::var("MOSTRADOR_TEST_POSTGRES").unwrap();
    let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
    for sql in [
        format!("DROP SCHEMA IF EXISTS {schema} CASCADE"),
        format!("CREATE SCHEMA {schema}"),
        format!("SET search_path = {schema}"),
        ORDERS.to_owned(),
        ROWS.to_owned(),
    ] {
        connection.execute(AssertSqlSafe(sql)).await.unwrap();
    }
    let mark = if url.contains('?') { '&' } else { '?' };
    (format!("{url}{mark}options=-c%20search_path%3D{schema}"), connection)
}

#[cfg(feature = "postgres-tests")]
#[tokio::test]
async fn postgresql_reads_the_same() {
    let (url, _) = postgres("mostrador_reads").await;
    orders_are_read(&url).await;
    let lookup = SqlLookup::new(SqlConfig {
        sql: "SELECT total, eta IS NULL AS waiting, E'it\\'s :order' AS note FROM orders \
              WHERE id = :order::bigint AND owner = :customer"
            .to_owned(),
        fields: ["total", "waiting", "note"].map(str::to_owned).to_vec(),
        ..config(&url)
    })
    .unwrap();
    let seen = look(&lookup, json!({"order": "204418"}), Some("c-101")).await;
    assert_eq!(seen.content, "total: 49.90\nwaiting: false\nnote: it's :order");
}

#[cfg(feature = "postgres-tests")]
#[tokio::test]
async fn postgresql_writes_nothing_whatever_the_query_calls() {
    let (url, mut connection) = postgres("mostrador_writes").await;
    let function = "CREATE FUNCTION cancel(n TEXT) RETURNS TEXT LANGUAGE sql AS $$ \
                    DELETE FROM orders WHERE id = n::int RETURNING state $$";
    connection.execute(function).await.unwrap();
    let asked = async |sql: &str| {
        let config = SqlConfig { sql: sql.to_owned(), fields: vec!["state".to_owned()], ..config(&url) };
        let lookup = SqlLookup::new(config).unwrap();
        let caller = CustomerId("c-101".to_owned());
        let arguments = input(&json!({"order": "204418"}));
        // Twice, since the second time the connection is used again.
        let first = lookup.ask(&arguments, Some(&caller)).await.map_err(|error| error.to_string());
        let second = lookup.ask(&arguments, Some(&caller)).await.map_err(|error| error.to_string());
        (first, second)
    };
    let (first, second) = asked("SELECT cancel(:order) AS state WHERE :customer <> ''").await;
    for error in [first.unwrap_err(), second.unwrap_err()] {
        assert!(error.contains("read-only transaction"), "{error}");
    }
    let unlock = "SELECT set_config('default_transaction_read_only', 'off', false) || \
                  set_config('transaction_read_only', 'off', true) || cancel(:order) AS state WHERE :customer <> ''";
    let (first, second) = asked(unlock).await;
    assert!(first.is_err() && second.is_err());
    let count: i64 =
        sqlx::query_scalar("SELECT count(*) FROM orders").fetch_one(&mut connection).await.unwrap();
    assert_eq!(count, 3);
}

#[cfg(feature = "postgres-tests")]
#[tokio::test]
async fn postgresql_gives_up_a_slow_query_and_goes_on() {
    let (url, _) = postgres("mostrador_slow").await;
    let lookup = SqlLookup::new(SqlConfig {
        sql: "SELECT state FROM orders, pg_sleep(CASE WHEN id = :order::int THEN 60 ELSE 0 END) WHERE owner = :customer"
            .to_owned(),
        fields: vec!["state".to_owned()],
        timeout: Duration::from_millis(500),
        ..config(&url)
    })
    .unwrap();
    let caller = CustomerId("c-102".to_owned());
    let error = lookup.ask(&input(&json!({"order": "204419"})), Some(&caller)).await.unwrap_err().to_string();
    assert!(error.contains("make `sql` faster"), "{error}");
    let quick = lookup.ask(&input(&json!({"order": "999999"})), Some(&caller)).await.unwrap();
    assert_eq!(quick.content, "state: open");
}
