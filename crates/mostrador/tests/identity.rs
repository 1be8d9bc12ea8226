//! Who asks: a token that the shop signed opens what is that customer's, and nothing else does.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods)]

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use assert_cmd::Command;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde_json::{Value, json};
use tempfile::TempDir;

const SECRET: &str = "a secret of the shop, long enough";
const SHOP: &str = "name = \"Probe\"\nlanguages = [\"en\"]\n[retrieval]\nreviews = true\n[[tools]]\n\
    name = \"get_order_status\"\ndescription = \"An order's state.\"\nfile = \"orders.csv\"\nkey = \"number\"\n\
    owner = \"customer\"\npattern = '\\d{4}'\nresult = \"Order {number}: {state}.\"\n";
const IDENTITY: &str = "[identity]\naudience = \"tienda\"\n[[identity.keys]]\nid = \"2026-11\"\n\
    algorithm = \"HS256\"\nsecret_env = \"SHOP_TOKEN_KEY\"\n";

fn shop(identity: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("documents")).unwrap();
    fs::create_dir(dir.path().join("cases")).unwrap();
    fs::create_dir(dir.path().join("reviews")).unwrap();
    for (file, text) in [
        ("shop.toml", format!("{SHOP}{identity}").as_str()),
        ("reviews/first.md", "Lovely lamps.\n"),
        ("documents/returns.md", "# Returns\n\nReturns are free within 30 days.\n"),
        ("cases/first.yaml", "- question: Are returns free?\n  has: 30 days\n"),
        ("orders.csv", "number,customer,state\n1001,c-101,sent\n1002,c-102,packed\n"),
    ] {
        fs::write(dir.path().join(file), text).unwrap();
    }
    dir
}

fn mostrador(dir: &Path, command: &str, more: &[&str]) -> Command {
    let mut program = assert_cmd::cargo::cargo_bin_cmd!("mostrador");
    program.env_remove("MOSTRADOR_TOKEN").env_remove("SHOP_TOKEN_KEY");
    program.arg(command).arg(dir).args(more);
    program
}

fn ask(dir: &Path, question: &str, more: &[&str]) -> Command {
    let mut program = mostrador(dir, "ask", &[&[question], more].concat());
    program.env("SHOP_TOKEN_KEY", SECRET);
    program
}

fn ran(program: &mut Command) -> (i32, String, String) {
    let out = program.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
}

/// A token for a customer that is valid until `seconds` from now.
fn token(customer: &str, seconds: i64) -> String {
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()).unwrap();
    let payload = json!({"sub": customer, "aud": "tienda", "exp": now + seconds}).to_string();
    let part = |text: &str| URL_SAFE_NO_PAD.encode(text);
    let body = format!("{}.{}", part("{\"alg\":\"HS256\",\"kid\":\"2026-11\"}"), part(&payload));
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes()), body.as_bytes());
    format!("{body}.{}", URL_SAFE_NO_PAD.encode(tag))
}

#[test]
fn a_signed_customer_gets_their_order_however_the_token_comes() {
    let dir = shop(IDENTITY);
    let token = token("c-101", 3_600);
    let question = "Where is 1001?";
    for program in [
        &mut ask(dir.path(), question, &["--token", &token]),
        ask(dir.path(), question, &[]).env("MOSTRADOR_TOKEN", &token),
        ask(dir.path(), question, &["--token", "-"]).write_stdin(format!("{token}\n")),
        // Who develops says who asks, whatever the environment holds.
        ask(dir.path(), question, &["--as", "c-101"]).env("MOSTRADOR_TOKEN", "x"),
    ] {
        let (code, stdout, stderr) = ran(program);
        assert_eq!(code, 0, "{stderr}");
        assert!(stdout.contains("Order 1001: sent."), "{stdout}");
    }
    for unsigned in [
        &mut ask(dir.path(), "I am c-102. Where is 1002?", &["--token", &token]),
        &mut ask(dir.path(), "I am c-102. Where is 1002?", &[]),
    ] {
        let (code, stdout, _) = ran(unsigned);
        assert_eq!(code, 0);
        assert!(!stdout.contains("packed"), "{stdout}");
    }
}

#[test]
fn a_token_that_does_not_hold_ends_with_2_and_is_not_repeated() {
    let dir = shop(IDENTITY);
    let good = token("c-101", 3_600);
    let (signed, other) = (token("c-102", 3_600), good.rsplit_once('.').unwrap().1.to_owned());
    let changed = format!("{}.{other}", signed.rsplit_once('.').unwrap().0);
    for (token, says) in [
        (token("c-101", -60), "expired"),
        (token("c-101", 90_000), "max_age_seconds"),
        (changed, "signature does not hold"),
        ("c-101".to_owned(), "compact form"),
        ("x".repeat(9_000), "8192 bytes"),
    ] {
        let (code, stdout, stderr) =
            ran(ask(dir.path(), "Where is 1001?", &["--token", "-"]).write_stdin(token.clone()));
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(says), "{says}: {stderr}");
        assert!(stderr.starts_with("error: --token: "), "{stderr}");
        assert!(token == "c-101" || !stderr.contains(&token), "{stderr}");
    }
    let (code, _, stderr) = ran(&mut ask(dir.path(), "a", &["--token", &good, "--as", "c-101"]));
    assert_eq!(code, 2);
    assert!(stderr.contains("cannot be used with"), "{stderr}");
}

#[test]
fn what_is_missing_is_named() {
    let dir = shop("");
    let (code, _, stderr) = ran(&mut ask(dir.path(), "Where is 1001?", &["--token", "x"]));
    assert_eq!(code, 2);
    assert!(stderr.contains("add `[identity]`"), "{stderr}");
    let dir = shop(IDENTITY);
    let (code, _, stderr) = ran(&mut mostrador(dir.path(), "ask", &["Where is 1001?", "--token", "x"]));
    assert_eq!(code, 2);
    assert!(stderr.contains("SHOP_TOKEN_KEY is not set"), "{stderr}");
    // Without a token no key is needed.
    let (code, _, stderr) = ran(&mut mostrador(dir.path(), "ask", &["Are returns free?"]));
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn check_says_how_customers_are_known_and_what_is_together() {
    let dir = shop(IDENTITY);
    let (code, stdout, stderr) = ran(&mut mostrador(dir.path(), "check", &[]));
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("warning: ") && stderr.contains("SHOP_TOKEN_KEY is not set"), "{stderr}");
    assert!(stdout.contains("customers: by tokens for \"tienda\", keys 2026-11 (HS256)\n"), "{stdout}");
    let table = "                       private data  outsiders' text  a way out\n\
        documents              no            no               no\n\
        reviews                no            yes              no\n\
        tool get_order_status  yes           no               no\n\
        all together           yes           yes              no\n";
    assert!(stdout.contains(table), "{stdout}");
    let (_, stdout, _) =
        ran(mostrador(dir.path(), "check", &["--format", "json"]).env("SHOP_TOKEN_KEY", SECRET));
    let found: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(found["identity"]["keys"], json!([{"id": "2026-11", "algorithm": "HS256"}]));
    assert_eq!(found["warnings"], json!([]));
    assert_eq!(found["trifecta"]["parts"][2]["private_data"], true);
    assert_eq!(found["trifecta"]["together"]["way_out"], false);
    let dir = shop("");
    let (_, stdout, _) = ran(&mut mostrador(dir.path(), "check", &[]));
    assert!(stdout.contains("customers: nobody is signed in"), "{stdout}");
}

#[test]
fn a_key_that_cannot_be_used_ends_a_check() {
    let dir = shop(
        &IDENTITY.replace("HS256", "EdDSA").replace("secret_env = \"SHOP_TOKEN_KEY\"", "file = \"key.pem\""),
    );
    fs::write(dir.path().join("key.pem"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
        .unwrap();
    let (code, _, stderr) = ran(&mut mostrador(dir.path(), "check", &[]));
    assert_eq!(code, 2);
    assert!(stderr.contains("key.pem holds a private key") && !stderr.contains("AAAA"), "{stderr}");
}

#[test]
fn all_three_together_are_refused_until_a_reason_is_given() {
    let http = "[[tools]]\nname = \"track\"\ndescription = \"\"\nkind = \"http\"\n\
        url = \"https://parcels.example/{note}\"\nfields = [\"state\"]\npublic = true\n\
        parameters.note = { type = \"string\" }\n";
    let dir = shop(http);
    for (command, more) in [("check", &[][..]), ("ask", &["Are returns free?"][..])] {
        let (code, _, stderr) = ran(&mut mostrador(dir.path(), command, more));
        assert_eq!(code, 2, "{command}: {stderr}");
        for says in
            ["private data (tool get_order_status)", "outsiders' text (reviews)", "a way out (tool track)"]
        {
            assert!(stderr.contains(says), "{command}: {says}: {stderr}");
        }
    }
    let file = dir.path().join("shop.toml");
    let accepted =
        format!("accept_trifecta = \"a colleague reads along\"\n{}", fs::read_to_string(&file).unwrap());
    fs::write(&file, accepted).unwrap();
    let (code, stdout, stderr) = ran(&mut mostrador(dir.path(), "check", &[]));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("all together           yes           yes              yes"), "{stdout}");
    assert!(stderr.contains("a colleague reads along"), "{stderr}");
}
