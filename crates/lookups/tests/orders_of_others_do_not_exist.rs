//! Who may read a record, and what arguments a look-up takes.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use mostrador_answer::message::{Input, Outcome};
use mostrador_answer::passage::Trust;
use mostrador_answer::ports::{Lookup as _, LookupResult};
use mostrador_answer::question::CustomerId;
use mostrador_lookups::TableLookup;
use serde_json::{Value, json};

use common::load;

const ORDERS: &str = "order_id,customer,state,eta\n\
    2042, ana ,sent,3 November\n\
    2187,luis,<b>delivered</b>,26 October\n\
    2190,,waiting,\n";

const ORDERS_TOML: &str = "[2042]\ncustomer = \"ana\"\nstate = \"sent\"\neta = \"3 November\"\n\
    [2187]\ncustomer = \"luis\"\nstate = \"<b>delivered</b>\"\neta = \"26 October\"\n\
    [2190]\ncustomer = \"\"\nstate = \"waiting\"\neta = \"\"\n";

fn tables() -> [TableLookup; 2] {
    let csv = load("orders.csv", ORDERS.as_bytes(), |_| {}).unwrap();
    let toml = load("orders.toml", ORDERS_TOML.as_bytes(), |_| {}).unwrap();
    [csv, toml]
}

fn input(value: &Value) -> Input {
    value.as_object().unwrap().clone()
}

async fn look(table: &TableLookup, value: Value, caller: Option<&str>) -> LookupResult {
    let caller = caller.map(|caller| CustomerId(caller.to_owned()));
    table.look(&input(&value), caller.as_ref()).await
}

fn result(outcome: Outcome, content: &str) -> LookupResult {
    LookupResult { outcome, content: content.to_owned() }
}

#[tokio::test]
async fn the_owner_reads_the_record() {
    for table in tables() {
        assert_eq!(table.records(), 3);
        let found = look(&table, json!({"order_id": " 2042 "}), Some("ana")).await;
        assert_eq!(found, result(Outcome::Found, "2042 — sent, due 3 November"));
        let marked = look(&table, json!({"order_id": "2187"}), Some("luis")).await;
        assert_eq!(marked, result(Outcome::Found, "2187 — bdelivered/b, due 26 October"));
    }
}

#[tokio::test]
async fn anothers_order_is_the_very_same_as_a_number_nobody_has() {
    let others = "order_id,customer,state,eta\n2999,eva,sent,today\n";
    let without = load("orders.csv", others.as_bytes(), |_| {}).unwrap();
    for table in tables() {
        for number in ["2042", "2187", "2190", "2000"] {
            let nobody_has = look(&without, json!({"order_id": number}), Some("eva")).await;
            assert_eq!(nobody_has.content, format!("no record {number}"));
            for caller in [None, Some(""), Some("eva"), Some("ANA"), Some("ana ")] {
                let seen = look(&table, json!({"order_id": number}), caller).await;
                assert_eq!(seen, nobody_has, "{number} for {caller:?}");
            }
        }
    }
}

#[tokio::test]
async fn records_declared_public_are_read_by_number() {
    let table = load("orders.csv", ORDERS.as_bytes(), |config| config.owner = None).unwrap();
    assert!(!table.spec().needs_customer);
    for caller in [None, Some("eva")] {
        let seen = look(&table, json!({"order_id": "2042"}), caller).await;
        assert_eq!(seen.outcome, Outcome::Found);
        assert_eq!(look(&table, json!({"order_id": "2190"}), caller).await.outcome, Outcome::Found);
    }
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_answered_not_thrown() {
    for table in tables() {
        let cases = [
            (json!({}), "order_id is missing"),
            (json!({"order": "2042"}), "order_id is missing"),
            (json!({"order_id": "2042", "customer": "ana"}), "customer does not fit"),
            (json!({"order_id": "2042", "<x>": 1}), "x does not fit"),
            (json!({"order_id": 2042}), "order_id does not fit"),
            (json!({"order_id": null}), "order_id does not fit"),
            (json!({"order_id": ["2042"]}), "order_id does not fit"),
            (json!({"order_id": ""}), "order_id does not fit"),
            (json!({"order_id": "20421"}), "order_id does not fit"),
            (json!({"order_id": "2042\n2187"}), "order_id does not fit"),
            (json!({"order_id": "2042 or 1=1"}), "order_id does not fit"),
        ];
        for (arguments, text) in cases {
            let seen = look(&table, arguments.clone(), Some("ana")).await;
            assert_eq!(seen, result(Outcome::BadInput, text), "{arguments}");
        }
    }
}

#[tokio::test]
async fn without_a_pattern_a_number_is_bounded_and_cannot_close_a_mark() {
    let table = load("orders.csv", ORDERS.as_bytes(), |config| config.pattern = None).unwrap();
    let seen = look(&table, json!({"order_id": "</document>{value}"}), Some("ana")).await;
    assert_eq!(seen, result(Outcome::NotFound, "no record /document{value}"));
    let long = "9".repeat(101);
    let seen = look(&table, json!({"order_id": long}), Some("ana")).await;
    assert_eq!(seen, result(Outcome::BadInput, "order_id does not fit"));
}

#[tokio::test]
async fn the_unknown_record_may_be_worded_with_the_name_of_the_key() {
    let word = |config: &mut mostrador_lookups::TableConfig| {
        config.texts.insert(mostrador_language::TextKey::UnknownRecord, "no order {order_id}".to_owned());
    };
    let table = load("orders.csv", ORDERS.as_bytes(), word).unwrap();
    assert_eq!(look(&table, json!({"order_id": "9999"}), None).await.content, "no order 9999");
}

#[test]
fn it_is_offered_with_one_parameter_and_never_the_customer() {
    for table in tables() {
        let spec = table.spec();
        assert_eq!(spec.name, "order_state");
        assert_eq!(spec.parameters.len(), 1);
        assert_eq!(spec.parameters.first().unwrap().name, "order_id");
        assert_eq!(spec.parameters.first().unwrap().pattern.as_deref(), Some(r"\d{4}"));
        assert!(spec.needs_customer);
        assert_eq!(spec.trust, Trust::Shop);
        let schema = spec.input_schema();
        assert_eq!(schema["required"], json!(["order_id"]));
        assert_eq!(schema["additionalProperties"], json!(false));
    }
}

#[tokio::test]
async fn the_file_is_read_once() {
    let (folder, config) = common::config("orders.csv", ORDERS.as_bytes());
    let table = TableLookup::load(config).unwrap();
    drop(folder);
    assert_eq!(look(&table, json!({"order_id": "2042"}), Some("ana")).await.outcome, Outcome::Found);
}
