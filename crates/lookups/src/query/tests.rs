//! Which names a query binds, and what is no query.
#![cfg(test)]

use proptest::prelude::*;

use super::*;

const ALL: [Back; 3] = [Back::Postgres, Back::MySql, Back::Sqlite];

fn names(sql: &str, back: Back) -> Result<Vec<String>, String> {
    bound(sql, Some(back)).map(|bound| bound.names)
}

#[test]
fn a_name_becomes_the_placeholder_of_the_database() {
    let sql = "SELECT state FROM orders WHERE id = :order AND owner = :customer OR id = :order ;";
    let postgres = bound(sql, Some(Back::Postgres)).unwrap();
    assert_eq!(postgres.sql, "SELECT state FROM orders WHERE id = $1 AND owner = $2 OR id = $3 ");
    assert_eq!(postgres.names, ["order", "customer", "order"]);
    for back in [Back::MySql, Back::Sqlite] {
        let bound = bound(sql, Some(back)).unwrap();
        assert_eq!(bound.sql, "SELECT state FROM orders WHERE id = ? AND owner = ? OR id = ? ");
        assert_eq!(bound.names, postgres.names);
    }
}

#[test]
fn names_in_quotation_marks_and_comments_and_casts_are_none() {
    for back in ALL {
        for sql in [
            "SELECT ':a' FROM t WHERE b = :b",
            "SELECT 'it''s :a' FROM t WHERE b = :b",
            "SELECT \":a\" FROM t WHERE b = :b",
            "SELECT 1 -- :a ' \" \n FROM t WHERE b = :b",
            "SELECT 1 /* :a ' */ FROM t WHERE b = :b",
            "SELECT 1 FROM t WHERE b = :b -- :a",
            "SELECT 1 FROM t WHERE b = :b; -- :a ;",
        ] {
            assert_eq!(names(sql, back).unwrap(), ["b"], "{back:?}: {sql}");
        }
    }
    for (back, sql) in [
        (Back::Postgres, "SELECT :b::bigint, x::text FROM t"),
        (Back::Postgres, r"SELECT E'\' :a', :b"),
        (Back::Postgres, r"SELECT '\', :b"),
        (Back::Postgres, "SELECT $$ :a ' $$, :b"),
        (Back::Postgres, "SELECT $x$ :a $$ $x$, :b"),
        (Back::Postgres, "SELECT 1 /* /* :a */ :c */, :b"),
        (Back::Postgres, "SELECT data ? 'k', data #>> '{a}', a[1:2], :b"),
        (Back::MySql, r"SELECT '\' :a', :b"),
        (Back::MySql, r#"SELECT "\" :a", :b"#),
        (Back::MySql, "SELECT `:a`, :b # :c '"),
        (Back::MySql, "SELECT 5--:b"),
        (Back::MySql, "SELECT @x := 1, :b"),
        (Back::Sqlite, "SELECT [:a], :b"),
        (Back::Sqlite, "SELECT `:a`, :b"),
        (Back::Sqlite, r"SELECT '\', :b"),
    ] {
        assert_eq!(names(sql, back).unwrap(), ["b"], "{back:?}: {sql}");
    }
}

#[test]
fn what_is_no_single_reading_query_is_refused() {
    for back in ALL {
        for sql in [
            "",
            "DELETE FROM orders",
            "SELECT 1; DELETE FROM orders",
            "SELECT 1; SELECT 2",
            "; SELECT 1",
            "PRAGMA query_only = OFF",
            "WITH a AS (DELETE FROM orders RETURNING *) SELECT * FROM a",
            "WITH a AS (INSERT INTO orders VALUES (1) RETURNING *) SELECT * FROM a",
            "WITH a AS (uPdAtE orders SET a = 1 RETURNING *) SELECT * FROM a",
            "WITH a AS (SELECT 1) DELETE FROM orders",
            "SELECT * INTO copied FROM orders",
            "SELECT * FROM orders FOR UPDATE",
            "SELECT 1 /* a */ INTO OUTFILE 'a'",
            "SELECT replace(a, 'b', 'c') FROM t; REPLACE INTO t VALUES (1)",
            "WITH a AS (REPLACE INTO t VALUES (1)) SELECT replace(a, 'b', 'c') FROM a",
            "SELECT 1) AS a, (SELECT 2",
            "SELECT (1",
            "SELECT 'a",
            "SELECT /* a",
        ] {
            assert!(bound(sql, Some(back)).is_err(), "{back:?}: {sql}");
        }
        for sql in
            ["SELECT replace(a, 'b', 'c') FROM t", "SELECT updated, created_at FROM t", "SELECT 'a;b' AS a"]
        {
            assert!(bound(sql, Some(back)).is_ok(), "{back:?}: {sql}");
        }
    }
    for (back, sql) in [
        (Back::Sqlite, "SELECT ?"),
        (Back::MySql, "SELECT ?"),
        (Back::Postgres, "SELECT $1"),
        (Back::Sqlite, "SELECT $a"),
        (Back::Sqlite, "SELECT @a"),
        (Back::Sqlite, "SELECT :1"),
        (Back::MySql, "SELECT 1 /*!50000 INTO OUTFILE 'a' */"),
        (Back::MySql, "SELECT 1 /*M!100000 INTO OUTFILE 'a' */"),
    ] {
        assert!(bound(sql, Some(back)).is_err(), "{back:?}: {sql}");
    }
}

#[test]
fn without_an_address_a_query_of_any_database_will_do() {
    assert_eq!(bound("SELECT 1 # the customer's\n, :b", None).unwrap().names, ["b"]);
    assert_eq!(bound("SELECT [it's], :b", None).unwrap().names, ["b"]);
    assert!(bound("SELECT 'a", None).is_err());
}

/// Pieces of SQL that hold no placeholder, whatever the database.
fn harmless() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,5}".prop_map(|word| format!("x{word}")),
        "[ :a-z\\n]{0,8}".prop_map(|text| format!("'{text}''{text}'")),
        "[ :a-z]{0,8}".prop_map(|text| format!("\"{text}\"")),
        "[ :a-z'\"]{0,8}".prop_map(|text| format!("-- {text}\n")),
        "[ :a-z'\"]{0,8}".prop_map(|text| format!("/* {text} */")),
        Just("::text".to_owned()),
        Just(", ".to_owned()),
        Just("12".to_owned()),
    ]
}

proptest! {
    #[test]
    fn just_the_names_are_bound_and_nothing_else_is_touched(
        pieces in proptest::collection::vec((harmless(), proptest::option::of("[a-z]{1,6}")), 0..8),
        at in 0usize..3,
    ) {
        let back = ALL[at];
        let (mut sql, mut expected) = ("SELECT ".to_owned(), "SELECT ".to_owned());
        let mut names = Vec::new();
        for (piece, name) in pieces {
            sql.push_str(&format!("{piece} "));
            expected.push_str(&format!("{piece} "));
            if let Some(name) = name {
                sql.push_str(&format!(":{name} "));
                names.push(name);
                let own = if back == Back::Postgres { format!("${} ", names.len()) } else { "? ".to_owned() };
                expected.push_str(&own);
            }
        }
        let bound = bound(&sql, Some(back)).unwrap();
        prop_assert_eq!(bound.sql, expected);
        prop_assert_eq!(bound.names, names);
    }

    #[test]
    fn any_text_is_a_query_or_an_error(sql in "(SELECT )?[a-z':\"`$\\[\\]/*\\-#;()\\\\?@ \n0-9é]{0,40}", at in 0usize..3) {
        if let Ok(bound) = bound(&sql, Some(ALL[at])) {
            prop_assert!(!bound.sql.is_empty());
        }
    }
}
