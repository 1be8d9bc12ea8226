//! What a table must be to be loaded, and what is said of one that is not.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use mostrador_language::TextKey;
use mostrador_lookups::{LookupError, Role, TableConfig, TableLookup};
use proptest::prelude::*;

use common::load;

fn refused(name: &str, content: &[u8]) -> String {
    load(name, content, |_| {}).unwrap_err().to_string()
}

fn refused_when(change: impl FnOnce(&mut TableConfig)) -> LookupError {
    load("orders.csv", b"order_id,customer,state,eta\n2042,ana,sent,today\n", change).unwrap_err()
}

#[test]
fn a_broken_csv_table_is_named_with_its_line() {
    let cases: [(&[u8], &str); 14] = [
        (b"", "data/orders.csv:1: the table is empty"),
        (b"\n\n", "data/orders.csv:1: the table is empty"),
        (b"order_id,customer,state\n", "data/orders.csv:1: there is no column \"eta\", which the result"),
        (b"order_id,state,eta\n", "data/orders.csv:1: there is no column \"customer\", which the owner"),
        (b"number,customer,state,eta\n", "data/orders.csv:1: there is no column \"order_id\", which the key"),
        (b"order_id;customer;state;eta\n", "there are: order_id;customer;state;eta"),
        (b"order_id,customer,state,eta,eta\n", "data/orders.csv:1: there are two columns \"eta\""),
        (b"order_id,customer,state,eta\n2042,ana,sent\n", ":2: the row has 3 values and the header 4"),
        (b"order_id,customer,state,eta\n\n2042,a,b,c,d\n", ":3: the row has 5 values and the header 4"),
        (b"order_id,customer,state,eta\n2042,a,b,c\n ,a,b,c\n", ":3: \"order_id\" is empty"),
        (b"order_id,customer,state,eta\n2042,a,b,c\n2042 ,a,b,c\n", ":3: \"2042\" is already in line 2"),
        (b"order_id,customer,state,eta\nA7,a,b,c\n", ":2: \"A7\" does not fit the look-up's pattern"),
        (b"order_id,customer,state,eta\n2042,a,caf\xe9,c\n", "data/orders.csv:2:11: not UTF-8"),
        // The mark left open in the first record would take the second one into it.
        (
            b"order_id,customer,state,eta\n2042,ana,sent,\"today\n2187,luis,sent,today\n",
            ":2: the value of \"eta\" is a text over several lines",
        ),
    ];
    for (content, expected) in cases {
        let said = refused("orders.csv", content);
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_broken_toml_table_is_named_with_its_line() {
    let whole = "[2042]\ncustomer = \"ana\"\nstate = \"sent\"\neta = \"today\"\n";
    let cases = [
        ("[2043]\ncustomer = \"ana\"\nstate = \"sent\"\n", "data/orders.toml:5: there is no column \"eta\""),
        ("[2042]\nstate = \"sent\"\n", "data/orders.toml:5:"),
        ("[\" 2042\"]\ncustomer = \"a\"\nstate = \"\"\neta = \"\"\n", ":5: \"2042\" is already in line 1"),
        ("[\" \"]\ncustomer = \"a\"\nstate = \"\"\neta = \"\"\n", ":5: \"order_id\" is empty"),
        ("[2043]\ncustomer = \"ana\"\nstate = []\neta = \"\"\n", ":7: the value of \"state\" is a list"),
        ("[2043.state]\na = 1\n", "the value of \"state\" is a table"),
        ("[2043]\norder_id = 1\n", ":6: there are two columns \"order_id\""),
        ("[2043]\nstate = \"\"\"a\nb\"\"\"\n", ":6: the value of \"state\" is a text over several lines"),
        ("[2043\n", "data/orders.toml:5:"),
        ("[A7]\ncustomer = \"a\"\nstate = \"\"\neta = \"\"\n", ":5: \"A7\" does not fit"),
    ];
    for (added, expected) in cases {
        let said = refused("orders.toml", format!("{whole}{added}").as_bytes());
        assert!(said.contains(expected), "{added}\n{said}");
    }
    let said = refused("orders.toml", b"state = \"sent\"\n");
    assert!(said.contains("data/orders.toml:1:"), "{said}");
}

#[test]
fn a_wrong_configuration_is_named() {
    let no_file = refused_when(|config| config.file.set_extension("gone.csv").then_some(()).unwrap());
    assert_eq!(no_file, LookupError::Missing { file: "data/orders.csv".into() });
    let folder = refused_when(|config| {
        config.file.set_file_name("folder.csv");
        std::fs::create_dir(&config.file).unwrap();
    });
    assert!(matches!(folder, LookupError::Unreadable { .. }), "{folder}");
    let kind = refused_when(|config| config.file.set_extension("xlsx").then_some(()).unwrap());
    assert_eq!(kind, LookupError::UnknownFormat { file: "data/orders.csv".into() });
    for pattern in [r"(\d{4}", r"\d{4})|(.*"] {
        let wrong = refused_when(|config| config.pattern = Some(pattern.to_owned()));
        assert!(matches!(wrong, LookupError::BadPattern { .. }), "{wrong}");
    }
    let column = refused_when(|config| config.result = "{order_id}: {status}".to_owned());
    let LookupError::MissingColumn { column, role, found, .. } = column else { panic!("{column}") };
    assert_eq!((column.as_str(), role), ("status", Role::Result));
    assert_eq!(found, "order_id, customer, state, eta");
    let none = refused_when(|config| config.result = "found".to_owned());
    assert!(
        none.to_string().contains("names no column; write one in braces, such as \"{order_id}\""),
        "{none}"
    );
    let text = refused_when(|config| drop(config.texts.remove(&TextKey::BadField)));
    assert!(text.to_string().contains("no text bad_field"), "{text}");
}

#[test]
fn a_byte_order_mark_and_windows_lines_are_no_fault() {
    let content = "\u{feff}order_id,customer,state,eta\r\n2042,ana,sent,today\r\n";
    assert_eq!(load("orders.csv", content.as_bytes(), |_| {}).unwrap().records(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_bytes_are_loaded_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60), toml in any::<bool>()) {
        let name = if toml { "orders.toml" } else { "orders.csv" };
        let (_folder, config) = common::config(name, &bytes);
        if let Err(error) = TableLookup::load(config) {
            prop_assert!(error.to_string().contains(&format!("data/{name}")), "{}", error);
        }
    }
}
