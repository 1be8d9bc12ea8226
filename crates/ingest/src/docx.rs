//! DOCX: the paragraphs, headings, lists and tables of a word processor's file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use crate::error::SkipReason;
use crate::markdown::{address, bare};
use crate::piece::{Outline, Piece, Shape};

/// The largest part of a file that is unpacked, in bytes: 64 MB of XML are thousands of pages.
const LARGEST_PART: u64 = 64 * 1024 * 1024;

type Archive = ZipArchive<BufReader<File>>;

/// The pieces of a file: headings by their style, lists with an item a line, tables with a row a line and
/// the first row as header, then the footnotes. Text that was deleted under review is left out.
///
/// # Errors
/// [`SkipReason::Broken`] where it is no such file, or a part of it unpacks to more than 64 MB.
pub(crate) fn pieces(file: File) -> Result<Vec<Piece>, SkipReason> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| broken(&error))?;
    let levels = match part(&mut archive, "word/styles.xml")? {
        Some(xml) => heading_levels(&xml)?,
        None => HashMap::new(),
    };
    let targets = match part(&mut archive, "word/_rels/document.xml.rels")? {
        Some(xml) => targets(&xml)?,
        None => HashMap::new(),
    };
    let Some(body) = part(&mut archive, "word/document.xml")? else {
        return Err(broken(&"it has no text part"));
    };
    let mut pieces = Body::new(&levels, &targets).read(&body)?;
    if let Some(notes) = part(&mut archive, "word/footnotes.xml")? {
        pieces.extend(Body::new(&levels, &HashMap::new()).read(&notes)?);
    }
    Ok(pieces)
}

fn broken(detail: &dyn std::fmt::Display) -> SkipReason {
    SkipReason::Broken { kind: "a Word document", detail: detail.to_string() }
}

/// A part of the archive as text; `None` where it is not there.
fn part(archive: &mut Archive, name: &str) -> Result<Option<String>, SkipReason> {
    let Ok(entry) = archive.by_name(name) else {
        return Ok(None);
    };
    let mut data = Vec::new();
    // What the archive says of its own sizes may be a lie: what comes out is counted.
    entry.take(LARGEST_PART + 1).read_to_end(&mut data).map_err(|error| broken(&error))?;
    if data.len() as u64 > LARGEST_PART {
        return Err(broken(&format!("{name} unpacks to more than {LARGEST_PART} bytes")));
    }
    Ok(Some(String::from_utf8_lossy(&data).into_owned()))
}

/// Calls `each` with every event of a part.
fn events(xml: &str, mut each: impl FnMut(Event<'_>)) -> Result<(), SkipReason> {
    let mut reader = quick_xml::Reader::from_str(xml);
    // Checked ends would keep a list of every open element.
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return Ok(()),
            Ok(event) => each(event),
            Err(error) => return Err(broken(&error)),
        }
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element.attributes().flatten().find(|attribute| attribute.key.as_ref() == name)?;
    found.normalized_value(XmlVersion::Implicit1_0).ok().map(|value| value.into_owned())
}

/// The levels of headings by the names of their styles.
fn heading_levels(xml: &str) -> Result<HashMap<String, u8>, SkipReason> {
    let mut levels = HashMap::new();
    let mut style = String::new();
    events(xml, |event| {
        let (Event::Start(element) | Event::Empty(element)) = event else {
            return;
        };
        let value = attribute(&element, "w:val").unwrap_or_default();
        let level = match element.name().as_ref() {
            "w:style" => {
                style = attribute(&element, "w:styleId").unwrap_or_default();
                None
            }
            // The names of built-in styles are the same in every language of the program.
            "w:name" if value.eq_ignore_ascii_case("title") => Some(1),
            "w:name" => value.to_lowercase().strip_prefix("heading ").and_then(|level| level.parse().ok()),
            "w:outlineLvl" => value.parse::<u8>().ok().filter(|level| *level < 9).map(|level| level + 1),
            _ => None,
        };
        if let Some(level) = level {
            levels.entry(style.clone()).or_insert(level);
        }
    })?;
    Ok(levels)
}

/// The addresses behind links, by their names.
fn targets(xml: &str) -> Result<HashMap<String, String>, SkipReason> {
    let mut targets = HashMap::new();
    events(xml, |event| {
        if let Event::Start(element) | Event::Empty(element) = event
            && let (Some(id), Some(target)) = (attribute(&element, "Id"), attribute(&element, "Target"))
        {
            targets.insert(id, target);
        }
    })?;
    Ok(targets)
}

#[derive(Default)]
struct Paragraph {
    text: String,
    /// Its level, where it is a heading.
    heading: Option<u8>,
    /// How deep it is in a list, where it is an item.
    item: Option<usize>,
    /// The address of an open link, and where its words begin.
    link: Option<(String, usize)>,
}

struct Body<'a> {
    levels: &'a HashMap<String, u8>,
    targets: &'a HashMap<String, String>,
    outline: Outline,
    /// Open paragraphs: a text box is a paragraph inside one.
    open: Vec<Paragraph>,
    list: Vec<String>,
    /// Open tables; one inside a cell is text of that cell.
    tables: usize,
    rows: Vec<Vec<String>>,
    /// How many elements deep in what is passed over.
    passed: usize,
    in_text: bool,
}

impl<'a> Body<'a> {
    fn new(levels: &'a HashMap<String, u8>, targets: &'a HashMap<String, String>) -> Self {
        Self {
            levels,
            targets,
            outline: Outline::default(),
            open: Vec::new(),
            list: Vec::new(),
            tables: 0,
            rows: Vec::new(),
            passed: 0,
            in_text: false,
        }
    }

    fn read(mut self, xml: &str) -> Result<Vec<Piece>, SkipReason> {
        events(xml, |event| match event {
            Event::Start(element) => self.start(&element, true),
            Event::Empty(element) => self.start(&element, false),
            Event::End(element) => self.end(element.name().as_ref()),
            Event::Text(text) if self.in_text => self.text(&text.xml10_content()),
            Event::CData(text) if self.in_text => self.text(&text.xml10_content()),
            Event::GeneralRef(name) if self.in_text => {
                let known = name.resolve_char_ref().ok().flatten().map(String::from);
                let named =
                    || quick_xml::escape::resolve_xml_entity(&name.xml10_content()).map(str::to_owned);
                self.text(&known.or_else(named).unwrap_or_default());
            }
            _ => {}
        })?;
        self.end_list();
        self.end_table();
        Ok(self.outline.finish(None))
    }

    fn text(&mut self, text: &str) {
        if self.passed == 0
            && let Some(paragraph) = self.open.last_mut()
        {
            paragraph.text.extend(text.chars().filter(|c| !c.is_control()));
        }
    }

    fn start(&mut self, element: &BytesStart<'_>, has_end: bool) {
        let name = element.name();
        let name = name.as_ref();
        // The same words again, for programs that cannot draw the first choice.
        if self.passed > 0 || name == "mc:Fallback" {
            self.passed += usize::from(has_end);
            return;
        }
        let value = || attribute(element, "w:val").unwrap_or_default();
        match name {
            "w:p" if has_end => self.open.push(Paragraph::default()),
            "w:t" => self.in_text = has_end,
            "w:tab" | "w:cr" | "w:noBreakHyphen" => {
                self.text(if name == "w:noBreakHyphen" { "-" } else { " " })
            }
            "w:br" => self.text(" "),
            "w:tbl" if has_end => {
                if self.tables == 0 {
                    self.end_list();
                }
                self.tables += 1;
            }
            "w:tr" if self.tables == 1 => self.rows.push(Vec::new()),
            "w:tc" if self.tables == 1 => {
                if let Some(row) = self.rows.last_mut() {
                    row.push(String::new());
                }
            }
            _ => {
                let level = || self.levels.get(&value()).copied();
                let link = || self.targets.get(&attribute(element, "r:id")?).cloned();
                match (name, self.open.last_mut()) {
                    ("w:pStyle", Some(paragraph)) => paragraph.heading = level().or(paragraph.heading),
                    ("w:outlineLvl", Some(paragraph)) => {
                        let own = value().parse::<u8>().ok().filter(|level| *level < 9);
                        paragraph.heading = own.map(|level| level + 1);
                    }
                    ("w:numPr", Some(paragraph)) => paragraph.item = Some(0),
                    ("w:ilvl", Some(paragraph)) => {
                        paragraph.item = value().parse().ok().map(|depth: usize| depth.min(8));
                    }
                    ("w:hyperlink", Some(paragraph)) if has_end => {
                        paragraph.link = link().map(|target| (target, paragraph.text.len()));
                    }
                    _ => {}
                }
            }
        }
    }

    fn end(&mut self, name: &str) {
        if self.passed > 0 {
            self.passed -= 1;
            return;
        }
        match name {
            "w:t" => self.in_text = false,
            "w:hyperlink" => self.end_link(),
            "w:p" => {
                if let Some(paragraph) = self.open.pop() {
                    self.paragraph(paragraph);
                }
            }
            "w:tbl" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.end_table();
                }
            }
            _ => {}
        }
    }

    fn end_link(&mut self) {
        let Some(paragraph) = self.open.last_mut() else {
            return;
        };
        if let Some((target, begin)) = paragraph.link.take()
            && let Some(address) = address(&target)
            && bare(paragraph.text.get(begin..).unwrap_or_default().trim()) != bare(address)
        {
            paragraph.text.push_str(&format!(" ({address})"));
        }
    }

    fn paragraph(&mut self, paragraph: Paragraph) {
        let text = paragraph.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.tables > 0 {
            if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) {
                cell.push_str(if cell.is_empty() || text.is_empty() { "" } else { " " });
                cell.push_str(&text);
            }
        } else if let Some(level) = paragraph.heading {
            self.end_list();
            self.outline.heading(level, &text);
        } else if let Some(depth) = paragraph.item.filter(|_| !text.is_empty()) {
            self.list.push(format!("{}- {text}", "  ".repeat(depth)));
        } else if !text.is_empty() {
            self.end_list();
            self.outline.block(Shape::Prose, text, 0..0);
        }
    }

    fn end_list(&mut self) {
        let list = std::mem::take(&mut self.list);
        self.outline.list(list.join("\n"), 0..0);
    }

    fn end_table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let rows: Vec<String> = rows.iter().map(|row| row.join(" | ").trim().to_owned()).collect();
        let rows: Vec<String> = rows.into_iter().filter(|row| crate::piece::says_something(row)).collect();
        self.outline.block(Shape::TABLE, rows.join("\n"), 0..0);
    }
}
