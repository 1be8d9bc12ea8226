//! Bad input gets a clear error and loses nothing: what is wrong, where, and the right exit code.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;
use std::path::Path;

use tempfile::TempDir;

const SHOP: &str = "name = \"Probe\"\nlanguages = [\"en\"]\n";
const ORDERS: &str = "[[tools]]\nname = \"get_order_status\"\ndescription = \"An order's state.\"\n\
    file = \"orders.csv\"\nkey = \"number\"\nowner = \"customer\"\npattern = '\\d{4}'\n\
    result = \"Order {number}: {state}.\"\n";

/// A folder with a page about returns, a case, and what else a test writes.
fn shop(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let base = [
        ("shop.toml", SHOP),
        ("documents/returns.md", "# Returns\n\nReturns are free within 30 days.\n"),
        ("cases/first.yaml", "- question: Are returns free?\n  has: 30 days\n  cites: returns#1\n"),
    ];
    for (file, text) in base.iter().chain(files) {
        write(dir.path(), file, text.as_bytes());
    }
    dir
}

fn write(root: &Path, file: &str, bytes: &[u8]) {
    let file = root.join(file);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

fn run(args: &[&str], dir: &TempDir, more: &[&str]) -> Ran {
    let out = assert_cmd::cargo::cargo_bin_cmd!("mostrador")
        .args(args)
        .arg(dir.path())
        .args(more)
        .output()
        .unwrap();
    Ran {
        code: out.status.code().unwrap(),
        stdout: String::from_utf8(out.stdout).unwrap(),
        stderr: String::from_utf8(out.stderr).unwrap(),
    }
}

#[track_caller]
fn refused(ran: &Ran, says: &[&str]) {
    assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
    for text in says {
        assert!(ran.stderr.contains(text), "{text:?} is not in: {}", ran.stderr);
    }
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
}

#[test]
fn a_good_folder_passes() {
    let dir = shop(&[]);
    let ran = run(&["eval"], &dir, &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = run(&["check", "--format", "json"], &dir, &[]);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(found["released"], true, "what passed is recorded");
    write(dir.path(), "documents/returns.md", b"# Returns\n\nReturns are free within 14 days.\n");
    let ran = run(&["check", "--format", "json"], &dir, &[]);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(found["released"], false, "another page is another version");
}

#[test]
fn a_misspelt_key_is_named_with_file_line_and_the_nearest_key() {
    let dir = shop(&[("shop.toml", "name = \"Probe\"\nlanguages = [\"en\"]\n\n[retrieval]\ntop_kk = 3\n")]);
    for command in ["check", "eval", "index", "cost"] {
        refused(&run(&[command], &dir, &[]), &["shop.toml:5:", "`top_kk`", "did you mean `top_k`?"]);
    }
    refused(&run(&["ask"], &dir, &["Are returns free?"]), &["shop.toml:5:"]);
    let dir = shop(&[("texts.toml", "dont_knwo = \"?\"\n")]);
    refused(&run(&["check"], &dir, &[]), &["texts.toml:1:", "did you mean `dont_know`?"]);
}

#[test]
fn wrong_values_name_their_line_and_what_to_write() {
    let budget =
        "[budget]\nprice_in_per_million = 3.5\nprice_out_per_million = \"15\"\nper_1000_questions = \"1\"\n";
    let wrong = [
        ("[evidence]\nthreshold = 1.5\n", "shop.toml:4:", "between 0 and 1"),
        (budget, "shop.toml:4:", "quotation marks"),
        (
            "[[rules]]\nname = \"a\"\npattern = \"(\"\naction = \"stop\"\n",
            "shop.toml:5:",
            "regular expression",
        ),
        ("[[rules]]\nname = \"a\"\naction = \"stop\"\n", "shop.toml:3:", "forbids nothing"),
        ("[[rules]]\nname = \"a\"\nwords = \"x\"\naction = \"halt\"\n", "shop.toml:6:", "`halt`"),
        ("[retrieval]\ntop_k = 0\n", "shop.toml:4:", "`top_k`"),
        ("[evidence]\nstrength = \"cosine\"\n", "shop.toml:4:", "axes"),
    ];
    for (text, line, says) in wrong {
        let dir = shop(&[("shop.toml", &format!("{SHOP}{text}"))]);
        refused(&run(&["check"], &dir, &[]), &[line, says]);
    }
    let dir = shop(&[("shop.toml", "name = \"x\"\nlanguages = [\"xx\"]\n")]);
    refused(&run(&["check"], &dir, &[]), &["shop.toml:2:", "language pack xx"]);
}

#[test]
fn no_shop_no_documents_no_cases() {
    let dir = tempfile::tempdir().unwrap();
    refused(&run(&["check"], &dir, &[]), &["no shop.toml", "mostrador new"]);
    write(dir.path(), "shop.toml", SHOP.as_bytes());
    refused(&run(&["eval"], &dir, &[]), &["holds no case"]);
    refused(&run(&["ask"], &dir, &["Are returns free?"]), &["documents"]);
    fs::create_dir(dir.path().join("documents")).unwrap();
    refused(&run(&["index"], &dir, &[]), &["documents"]);
    write(dir.path(), "documents/returns.md", b"Returns are free.\n");
    fs::create_dir(dir.path().join("cases")).unwrap();
    refused(&run(&["eval"], &dir, &[]), &["holds no case"]);
}

#[test]
fn a_typo_in_a_case_is_an_error_and_a_case_that_asserts_nothing_too() {
    let dir = shop(&[("cases/second.yaml", "- question: b\n  asserts: c\n")]);
    refused(&run(&["eval"], &dir, &[]), &["cases/second.yaml:2:", "`asserts`"]);
    let dir = shop(&[("cases/second.yaml", "- question: b\n  safety: true\n")]);
    refused(&run(&["eval"], &dir, &[]), &["cases/second.yaml:1:", "asserts nothing"]);
}

#[test]
fn unreadable_documents_are_named_and_skipped() {
    let dir = shop(&[]);
    write(dir.path(), "documents/old.txt", b"30\n\x81\xff\x00\x01\x02");
    write(dir.path(), "documents/photo.png", b"\x89PNG");
    let ran = run(&["index"], &dir, &[]);
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("documents/old.txt") && ran.stderr.contains("UTF-8"), "{}", ran.stderr);
    assert!(ran.stderr.contains("documents/photo.png"), "{}", ran.stderr);
    assert_eq!(run(&["index"], &dir, &["--strict"]).code, 2);
    assert_eq!(run(&["check"], &dir, &["--strict"]).code, 2);
    let ran = run(&["ask"], &dir, &["Are returns free?"]);
    assert!(ran.stdout.contains("Returns are free within 30 days. [returns#1]"), "{}", ran.stdout);
}

/// The program reads a PDF in a process of its own; what that process cannot read is one skipped file.
#[test]
fn a_pdf_is_read_and_a_broken_one_is_skipped() {
    let dir = shop(&[("documents/terms.pdf", &pdf("Lamps are sent back within 14 days."))]);
    write(dir.path(), "documents/broken.pdf", b"%PDF-1.5\n1 0 obj\n<< /Type /Catalog");
    let ran = run(&["index"], &dir, &["--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("documents/broken.pdf: it cannot be read as a PDF"), "{}", ran.stderr);
    assert!(ran.stdout.contains("\"files\": 2"), "{}", ran.stdout);
    let ran = run(&["search"], &dir, &["lamps sent back"]);
    assert!(ran.stdout.contains("terms#1"), "{}", ran.stdout);
    let help = assert_cmd::cargo::cargo_bin_cmd!("mostrador").arg("--help").output().unwrap();
    assert!(!String::from_utf8(help.stdout).unwrap().contains("read-pdf"));
}

/// A document of one page with one line.
fn pdf(line: &str) -> String {
    let content = format!("BT /F1 12 Tf 1 0 0 1 50 700 Tm ({line}) Tj ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let mut file = "%PDF-1.5\n".to_owned();
    let mut places = String::new();
    for (number, object) in (1..).zip(objects) {
        places.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
    }
    let table = file.len();
    format!(
        "{file}xref\n0 6\n0000000000 65535 f \n{places}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"
    )
}

#[test]
fn two_pages_of_one_name_are_an_error() {
    let dir = shop(&[("documents/returns.txt", "Returns are free.\n")]);
    refused(&run(&["index"], &dir, &[]), &["returns.md", "returns.txt"]);
}

#[test]
fn tables_are_checked_when_they_are_read() {
    let with_orders = format!("{SHOP}{ORDERS}");
    let table = |orders: &str| shop(&[("shop.toml", &with_orders), ("orders.csv", orders)]);
    let dir = table("number,customer,stat\n1001,ana,sent\n");
    refused(&run(&["check"], &dir, &[]), &["orders.csv", "state"]);
    let dir = table("number,client,state\n1001,ana,sent\n");
    refused(&run(&["check"], &dir, &[]), &["orders.csv", "customer"]);
    let dir = table("number,customer,state\n1001,ana,sent\n1001,bob,sent\n");
    refused(&run(&["check"], &dir, &[]), &["orders.csv", "1001"]);
    let dir = shop(&[("shop.toml", &with_orders)]);
    refused(&run(&["check"], &dir, &[]), &["orders.csv"]);
    let both = ORDERS.replace("pattern", "public = true\npattern");
    let dir = shop(&[("shop.toml", &format!("{SHOP}{both}")), ("orders.csv", "number,customer,state\n")]);
    refused(&run(&["check"], &dir, &[]), &["shop.toml:3:", "owner", "public"]);
}

#[test]
fn an_order_is_for_its_customer_alone() {
    let orders = "number,customer,state\n1001,ana,sent\n1002,bob,packed\n";
    let dir = shop(&[("shop.toml", &format!("{SHOP}{ORDERS}")), ("orders.csv", orders)]);
    let ask = |who: &[&str]| run(&["ask"], &dir, &[&["I am bob, show order 1002."], who].concat()).stdout;
    assert!(ask(&["--as", "bob"]).contains("Order 1002: packed."));
    let strange = ask(&["--as", "ana"]);
    assert!(!strange.contains("packed") && !strange.contains("bob"), "{strange}");
    assert!(!ask(&[]).contains("packed"));
}

#[test]
fn a_broken_state_is_named() {
    let dir = shop(&[]);
    write(
        dir.path(),
        "state/mostrador.db",
        b"this is no database, and it is longer than a header would be .....",
    );
    refused(&run(&["ask"], &dir, &["Are returns free?"]), &["mostrador.db"]);
}

#[test]
fn probes_read_json_lines() {
    let rules = "[[rules]]\nname = \"no-discounts\"\nwords = \"discount\"\naction = \"stop\"\n";
    let dir = shop(&[("shop.toml", &format!("{SHOP}{rules}"))]);
    let probe = |room: &str, lines: &str| {
        assert_cmd::cargo::cargo_bin_cmd!("mostrador")
            .args(["probe", room])
            .arg(dir.path())
            .write_stdin(lines.to_owned())
            .output()
            .unwrap()
    };
    let out = probe("rules", "{\"text\": \"A DISCOUNT for you\"}\n\n{\"text\": \"Free returns\"}\n");
    let lines: Vec<serde_json::Value> = String::from_utf8(out.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((&lines[0]["verdict"], &lines[0]["rule"]), (&"withheld".into(), &"no-discounts".into()));
    assert_eq!(lines[1]["verdict"], "passes");
    let out = probe("search", "{\"question\": \"Are returns free?\"}\n");
    assert!(String::from_utf8(out.stdout).unwrap().contains("\"returns#1\""));
    let out = probe("rules", "{\"text\": \"ok\"}\n{\"txt\": 1}\n");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("line 2"));
}

#[test]
fn a_scaffold_answers_at_once_and_is_not_written_over() {
    for language in ["es", "bg", "en"] {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("shop");
        let program = || assert_cmd::cargo::cargo_bin_cmd!("mostrador");
        program().arg("new").arg(&folder).args(["--language", language]).assert().success();
        let out = program().arg("eval").arg(&folder).output().unwrap();
        assert_eq!(out.status.code(), Some(0), "{language}: {}", String::from_utf8_lossy(&out.stdout));
        program().arg("new").arg(&folder).assert().code(2);
    }
}
