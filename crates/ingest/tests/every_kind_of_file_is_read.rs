//! Each kind of file becomes passages: what it says is kept, what stands around it is not.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]

use std::fs;
use std::io::{Cursor, Write};

use mostrador_answer::passage::{Passage, Trust};
use mostrador_ingest::{Event, Options, Reader, Reading, read_folder};
use mostrador_language::Lang;
use proptest::prelude::*;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn shop(files: &[(&str, &[u8])]) -> TempDir {
    let root = TempDir::new().unwrap();
    fs::create_dir(root.path().join("documents")).unwrap();
    for (file, content) in files {
        fs::write(root.path().join("documents").join(file), content).unwrap();
    }
    root
}

fn read(files: &[(&str, &[u8])]) -> Reading {
    read_folder(shop(files).path(), &Options::new(Lang::EN), &mut |_| {}).unwrap()
}

fn texts(reading: &Reading) -> Vec<&str> {
    reading.passages.iter().map(|passage| passage.text.as_str()).collect()
}

fn names(reading: &Reading) -> Vec<&str> {
    reading.passages.iter().map(|passage| passage.source.as_str()).collect()
}

const PAGE: &str = "<!doctype html><html lang=es-ES><head><title>Envíos</title>\
    <meta property=article:published_time content=2026-03-01T10:00:00Z></head><body>\
    <header><a href=/>Inicio</a></header><nav><ul><li><a href=/a>Ofertas</a></li></ul></nav>\
    <main><h2>Plazos</h2><p>Llega en <b>3 días</b>. <a href=https://shop.example/t>Tarifas</a></p>\
    <ul><li>Lámparas<li>Cables</ul>\
    <table><tr><th>Talla<th>Pecho</tr><tr><td>S<td>88</tr><tr><td>M<td>92</tr></table>\
    <dl><dt>¿Cuánto?</dt><dd>4 €</dd></dl><script>x()</script></main>\
    <footer>Aviso legal</footer></body></html>";

#[test]
fn a_page_keeps_its_main_part() {
    let reading = read(&[("envios.html", PAGE.as_bytes())]);
    assert_eq!(
        texts(&reading),
        [
            "Llega en 3 días. Tarifas (https://shop.example/t)",
            "- Lámparas\n- Cables",
            "Talla | Pecho\nS | 88\nM | 92",
            "¿Cuánto?",
            "4 €"
        ]
    );
    let first = &reading.passages[0];
    assert_eq!(first.headings, ["Envíos", "Plazos"]);
    assert_eq!((first.language, first.date.as_deref()), (Lang::ES, Some("2026-03-01")));
}

#[test]
fn an_article_is_told_from_what_stands_around_it() {
    let paragraph = "The lamp Orla has a socket E27, stands on three legs, and is delivered within a week. \
        Its cable, which is two metres long, can be replaced by hand, and its shade is of paper.";
    let body: String = (1..6).map(|number| format!("<p>{number}. {paragraph}</p>")).collect();
    let page = format!(
        "<html><body><div class=menu><a href=/1>Home</a> <a href=/2>Sale of the week</a></div>\
         <div class=content><h1>Orla</h1>{body}</div><div class=footer>All rights reserved</div></body></html>"
    );
    let reading = read(&[("orla.html", page.as_bytes())]);
    let all = texts(&reading).join("\n");
    assert!(all.contains("5. The lamp Orla"), "{all}");
    assert!(!all.contains("Sale of the week") && !all.contains("All rights"), "{all}");
}

#[test]
fn a_page_without_an_article_is_read_whole() {
    let reading =
        read(&[("hours.htm", b"<body><nav>Home</nav><div>Open on Monday.</div><div>3 &lt; 5</div></body>")]);
    assert_eq!(texts(&reading), ["Open on Monday.", "3 < 5"]);
}

/// Built as a tree, each of these would take minutes and gigabytes.
#[test]
fn a_page_that_nests_without_end_is_read_as_text() {
    let deep = format!("{}Deep text.{}", "<div>".repeat(100_000), "</div>".repeat(100_000));
    let lists = format!("{}List text.", "<blockquote><ul><li>".repeat(30_000));
    let fonts: String = (0..20_000).map(|number| format!("<font color={number}><p>")).collect();
    let fonts = format!("{fonts}Font text.");
    let some = format!("{}Some text.", "<blockquote>".repeat(300));
    let reading = read(&[
        ("a.html", deep.as_bytes()),
        ("b.html", lists.as_bytes()),
        ("c.html", fonts.as_bytes()),
        ("d.html", some.as_bytes()),
    ]);
    assert_eq!(texts(&reading), ["Deep text.", "List text.", "Font text.", "Some text."]);
}

#[test]
fn a_row_says_its_header_with_every_cell() {
    let csv = "sku;name;price\nA1;\"Lamp; \"\"Orla\"\"\";39,90 €\n\nA2;Cable\n;;\nA3;;7;extra\n";
    let reading = read(&[("stock.csv", csv.as_bytes()), ("bom.tsv", "\u{FEFF}a\tb\n1\t2\n".as_bytes())]);
    assert_eq!(
        texts(&reading),
        [
            "a: 1 · b: 2",
            "sku: A1 · name: Lamp; \"Orla\" · price: 39,90 €",
            "sku: A2 · name: Cable",
            "sku: A3 · price: 7 · extra"
        ]
    );
    assert_eq!(names(&reading), ["bom#1", "stock#1", "stock#2", "stock#3"]);
    let at = |passage: &Passage, text: &str| {
        text[usize::try_from(passage.bytes.start).unwrap()..usize::try_from(passage.bytes.end).unwrap()]
            .to_owned()
    };
    assert!(at(&reading.passages[1], csv).contains("A1;\"Lamp; \"\"Orla\"\"\";39,90 €"));
    assert!(at(&reading.passages[2], csv).contains("A2;Cable"));
    assert!(at(&reading.passages[0], "\u{FEFF}a\tb\n1\t2\n").contains("1\t2"));
}

#[test]
fn rows_are_handed_out_one_by_one() {
    let mut csv = "number,text\n".to_owned();
    for row in 0..20_000 {
        csv.push_str(&format!("{row},a row of words\n"));
    }
    let root = shop(&[("big.csv", csv.as_bytes())]);
    let mut reader = Reader::open(root.path(), &Options::new(Lang::EN)).unwrap();
    assert_eq!(reader.next(), Some(Event::File("documents/big.csv".to_owned())));
    let Some(Event::Passage(first)) = reader.next() else { panic!() };
    assert_eq!((first.source.as_str(), first.text.as_str()), ("big#1", "number: 0 · text: a row of words"));
    let summary = reader.finish().unwrap();
    assert_eq!((summary.files, summary.passages), (1, 20_000));
}

#[test]
fn a_quotation_mark_that_is_never_closed_does_not_fill_the_memory() {
    let csv = format!("a,b\n1,2\n3,\"{}", "x\n".repeat(6 * 1024 * 1024));
    let reading = read(&[("open.csv", csv.as_bytes())]);
    assert_eq!(texts(&reading), ["a: 1 · b: 2"]);
    assert!(reading.skipped[0].to_string().contains("close its quotation marks"), "{:?}", reading.skipped);
}

#[test]
fn lines_of_json_are_documents_of_their_own() {
    let lines = "{\"id\":\"returns (general)\",\"title\":\"Returns\",\"text\":\"## How\\n\\nBy post.\\n\\nFree.\"}\n\
        \n{\"id\":7,\"content\":\"Seven.\",\"language\":\"es\",\"date\":\"2026-03-01\",\"trust\":\"customer\"}\n\
        {\"id\":\"7\",\"text\":\"Again.\"}\n{\"id\":\"x\"\n{\"id\":\"y\",\"text\":\"Y.\",\"date\":\"soon\"}\n\
        {\"id\":\"last\",\"text\":\"Last.\"}";
    let reading = read(&[("kb.jsonl", lines.as_bytes())]);
    assert_eq!(names(&reading), ["returns--general-#1", "returns--general-#2", "7#1", "last#1"]);
    assert_eq!(reading.passages[0].headings, ["Returns", "How"]);
    let seven = &reading.passages[2];
    assert_eq!((seven.language, seven.trust), (Lang::ES, Trust::Customer));
    assert_eq!(seven.date.as_deref(), Some("2026-03-01"));
    let last = &reading.passages[3].bytes;
    assert_eq!(&lines[last.start as usize..last.end as usize], "{\"id\":\"last\",\"text\":\"Last.\"}");
    let skipped = reading.skipped[0].to_string();
    assert!(skipped.contains("the document 7 is there twice") && skipped.contains("2 more"), "{skipped}");
}

fn docx(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn paragraph(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn a_word_document_keeps_headings_lists_and_tables() {
    let styles = "<w:styles><w:style w:styleId=\"Ttulo1\"><w:name w:val=\"heading 1\"/></w:style></w:styles>";
    let links = "<Relationships><Relationship Id=\"r1\" Target=\"https://shop.example/r\"/></Relationships>";
    let row = |a: &str, b: &str| {
        format!("<w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>", paragraph("", a), paragraph("", b))
    };
    let body = [
        paragraph("<w:pStyle w:val=\"Ttulo1\"/>", "Devoluciones"),
        "<w:p><w:r><w:t xml:space=\"preserve\">Plazo &lt; 14&#160;días, </w:t></w:r><w:hyperlink r:id=\"r1\"><w:r>\
         <w:t>formulario</w:t></w:r></w:hyperlink><w:del><w:r><w:delText>no</w:delText></w:r></w:del></w:p>"
            .to_owned(),
        paragraph("", "Se devuelven:"),
        paragraph("<w:numPr><w:ilvl w:val=\"0\"/></w:numPr>", "lámparas"),
        paragraph("<w:numPr><w:ilvl w:val=\"1\"/></w:numPr>", "de mesa"),
        format!("<w:tbl>{}{}</w:tbl>", row("Talla", "Pecho"), row("S", "88")),
    ];
    let document = format!("<w:document><w:body>{}</w:body></w:document>", body.concat());
    let file = docx(&[
        ("word/document.xml", &document),
        ("word/styles.xml", styles),
        ("word/_rels/document.xml.rels", links),
    ]);
    let reading = read(&[("a.docx", &file)]);
    assert_eq!(
        texts(&reading),
        [
            "Plazo < 14 días, formulario (https://shop.example/r)",
            "Se devuelven:\n- lámparas\n  - de mesa",
            "Talla | Pecho\nS | 88"
        ]
    );
    assert!(reading.passages.iter().all(|passage| passage.headings == ["Devoluciones"]));
}

#[test]
fn a_word_document_that_is_a_bomb_or_none_is_named() {
    let bomb = docx(&[("word/document.xml", &" ".repeat(65 * 1024 * 1024))]);
    assert!(bomb.len() < 1024 * 1024);
    let reading = read(&[
        ("bomb.docx", &bomb),
        ("no.docx", b"PK no"),
        ("other.docx", &docx(&[("a", "b")])),
        ("ok.md", b"Ok."),
    ]);
    let told: Vec<String> = reading.skipped.iter().map(ToString::to_string).collect();
    assert!(told[0].contains("bomb.docx") && told[0].contains("unpacks to more"), "{told:?}");
    assert!(told[1].contains("no.docx") && told[2].contains("no text part"), "{told:?}");
}

/// A table that was cut without its header made "row 37" a row of numbers nobody could read.
#[test]
fn a_long_table_keeps_its_header_and_each_row_once() {
    let mut table = "# Sizes\n\n| Row | Size | Chest in centimetres |\n|---|---|---|\n".to_owned();
    for row in 1..=40 {
        table.push_str(&format!("| row {row} | size {row} of the summer collection | {} |\n", 60 + row));
    }
    let reading = read(&[("sizes.md", table.as_bytes())]);
    assert!(reading.passages.len() > 1);
    for passage in &reading.passages {
        assert!(passage.text.starts_with("Row | Size | Chest in centimetres\n"));
        assert!(passage.text.chars().count() <= 900);
        assert_eq!(passage.headings, ["Sizes"]);
    }
    for row in 1..=40 {
        let line = format!("row {row} | size {row} of the summer collection | {}", 60 + row);
        let holding = texts(&reading).iter().filter(|text| text.lines().any(|one| one == line)).count();
        assert_eq!(holding, 1, "{line}");
    }
}

#[test]
fn what_is_said_twice_is_kept_once_with_both_names() {
    let reading = read(&[
        ("a.md", b"# R\n\nFree  within 14 days.\n\nOther."),
        ("b.md", b"# R\n\nFREE within **14** days.\n\nMore."),
        ("c.md", b"# S\n\nFree within 14 days."),
        ("d.md", b"---\nvalid_until: 2026-12-31\n---\n# R\n\nFree within 14 days."),
    ]);
    assert_eq!(names(&reading), ["a#1", "a#2", "b#2", "c#1", "d#1"]);
    assert_eq!(reading.passages[0].also.iter().map(ToString::to_string).collect::<Vec<_>>(), ["b#1"]);
    assert_eq!(reading.passages[4].valid_until.as_deref(), Some("2026-12-31"));
}

#[test]
fn a_guessed_encoding_is_named() {
    let reading = read(&[("old.txt", b"Devoluci\xF3n en 30 d\xEDas, se\xF1or")]);
    assert_eq!(texts(&reading), ["Devolución en 30 días, señor"]);
    assert!(reading.notes[0].to_string().starts_with("documents/old.txt: read as windows-1252;"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_passages_or_a_reason(
        bytes in prop::collection::vec(any::<u8>(), 0..400), text in any::<String>(), cut in 0_usize..400
    ) {
        let xml = format!("<w:document><w:body><w:p><w:r><w:t>{text}</w:t></w:r>");
        let mut broken = docx(&[("word/document.xml", &xml)]);
        if let Some(byte) = broken.get_mut(cut) {
            *byte ^= 0x55;
        }
        let page = format!("<html><body><p>{text}</p><table><tr><td>{text}");
        let reading = read(&[
            ("a.html", &bytes), ("b.csv", &bytes), ("c.jsonl", &bytes), ("d.docx", &bytes), ("e.pdf", &bytes),
            ("f.html", page.as_bytes()), ("g.csv", text.as_bytes()), ("h.docx", &broken),
            ("i.docx", &docx(&[("word/document.xml", &xml)])), ("j.md", b"Good."),
        ]);
        prop_assert!(reading.files + reading.skipped.len() >= 10);
        for passage in &reading.passages {
            prop_assert!(!passage.text.trim().is_empty());
        }
    }
}
