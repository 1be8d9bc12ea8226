//! PDF: read in a child process, so that a file that crashes or swallows the reader costs that file alone.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use pdf_extract::{Document, MediaBox, OutputDev, OutputError, Transform, output_doc};
use serde::{Deserialize, Serialize};

use crate::error::SkipReason;
use crate::layout::{Block, Glyph, Layout};
use crate::piece::{Outline, Piece, Shape};

/// The hidden command with which the program reads a PDF from standard input; see [`read_pdf`].
pub const READ_PDF: &str = "read-pdf";

/// How long a file may take.
const TIME: Duration = Duration::from_secs(20);

/// The memory a child may use, in bytes.
const MEMORY: u64 = 512 * 1024 * 1024;

/// The longest answer that is taken, in bytes.
const LARGEST_ANSWER: u64 = 64 * 1024 * 1024;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Answer {
    Blocks(Vec<Block>),
    Fault(String),
}

/// The pieces of a file, read by `program`.
///
/// # Errors
/// [`SkipReason::Broken`] where it is no PDF, needs a password, crashes the reader or fills its memory;
/// [`SkipReason::TooSlow`] after 20 seconds; [`SkipReason::NoTextLayer`] where it holds pictures alone.
pub(crate) fn pieces(file: File, program: &Path) -> Result<Vec<Piece>, SkipReason> {
    let blocks = match ask(file, program, TIME)? {
        Answer::Blocks(blocks) => blocks,
        Answer::Fault(detail) => return Err(broken(&detail)),
    };
    let mut outline = Outline::default();
    for block in blocks {
        if block.level > 0 {
            outline.heading(block.level, &block.text);
        } else {
            outline.block(Shape::Prose, block.text, 0..0);
        }
    }
    let pieces = outline.finish(None);
    if pieces.is_empty() { Err(SkipReason::NoTextLayer) } else { Ok(pieces) }
}

fn broken(detail: &dyn std::fmt::Display) -> SkipReason {
    SkipReason::Broken { kind: "a PDF", detail: detail.to_string() }
}

fn ask(file: File, program: &Path, time: Duration) -> Result<Answer, SkipReason> {
    let mut child = Command::new(program)
        .arg(READ_PDF)
        .stdin(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| broken(&format!("the reader {} does not start: {error}", program.display())))?;
    let answer = listen(&mut child, time);
    // By now it has said all it will, or has had its time. Both fail where it has ended by itself.
    child.kill().ok();
    child.wait().ok();
    let answer = answer?;
    serde_json::from_slice(&answer).map_err(|_| broken(&"the reader broke down over it"))
}

/// What a child says until it ends, if that is in time.
fn listen(child: &mut Child, time: Duration) -> Result<Vec<u8>, SkipReason> {
    let Some(output) = child.stdout.take() else {
        return Err(broken(&"the reader cannot be heard"));
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut answer = Vec::new();
            let read = output.take(LARGEST_ANSWER).read_to_end(&mut answer);
            // Nobody listens any more where it took too long.
            sender.send(read.map(|_| answer)).ok();
        });
        let answer = receiver.recv_timeout(time);
        // Ends the child, and with it the thread that listens.
        child.kill().ok();
        match answer {
            Ok(answer) => answer.map_err(|error| broken(&error)),
            Err(_) => Err(SkipReason::TooSlow { seconds: time.as_secs() }),
        }
    })
}

/// The child's part: reads a PDF and writes its blocks as JSON. It gives itself limits on memory and time
/// first, and prints nothing else.
///
/// # Errors
/// Where the output cannot be written.
pub fn read_pdf(mut input: impl Read, mut output: impl Write) -> io::Result<()> {
    limit();
    let mut data = Vec::new();
    let answer = match input.read_to_end(&mut data) {
        Ok(_) => blocks(&data).map_or_else(|error| Answer::Fault(error.to_string()), Answer::Blocks),
        Err(error) => Answer::Fault(error.to_string()),
    };
    serde_json::to_writer(&mut output, &answer)?;
    output.flush()
}

/// Elsewhere the parent's time limit alone holds.
#[cfg(unix)]
fn limit() {
    use rlimit::{Resource, setrlimit};
    let seconds = TIME.as_secs();
    // A system that does not know one of them still keeps the others. Address space is more than memory in
    // use: threads reserve some they never touch.
    for (resource, most) in [
        (Resource::DATA, MEMORY),
        (Resource::AS, MEMORY * 2),
        (Resource::CPU, seconds),
        (Resource::CORE, 0),
        (Resource::FSIZE, LARGEST_ANSWER),
    ] {
        setrlimit(resource, most, most).ok();
    }
}

#[cfg(not(unix))]
fn limit() {}

fn blocks(data: &[u8]) -> Result<Vec<Block>, OutputError> {
    let mut document = Document::load_mem(data)?;
    if document.is_encrypted() {
        // Many files are locked against changes only, and open with no password.
        document.decrypt("")?;
    }
    let mut page = Page { layout: Layout::default() };
    output_doc(&document, &mut page)?;
    Ok(page.layout.blocks())
}

struct Page {
    layout: Layout,
}

impl OutputDev for Page {
    fn begin_page(
        &mut self,
        _: u32,
        _: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.layout.new_page();
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        spacing: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        let (along, across) = (place.m11.hypot(place.m12), place.m21.hypot(place.m22));
        if along > 0.0 {
            let (cos, sin) = (place.m11 / along, place.m12 / along);
            let from = place.m31 * cos + place.m32 * sin;
            // A font that does not say its widths: half a size is what letters have on average.
            let width = if width > 0.0 { width } else { 0.5 };
            self.layout.glyph(Glyph {
                from,
                to: from + (width * font_size + spacing) * along,
                height: place.m32 * cos - place.m31 * sin,
                turn: whole_degrees(sin.atan2(cos)),
                size: (font_size * across).abs(),
                text: text.to_owned(),
            });
        }
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "at most 180")]
fn whole_degrees(radians: f64) -> i32 {
    radians.to_degrees().round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A document of one page that draws `content` in a font whose codes `a` to `g` are Arabic letters.
    fn pdf(content: &str) -> Vec<u8> {
        let letters =
            "<61> <FEA7>\n<62> <FEE0>\n<63> <FE8E>\n<64> <FEDD>\n<65> <FEF3>\n<66> <FEEE>\n<67> <FEE1>";
        let map = format!(
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n1 begincodespacerange\n<00> <FF>\n\
             endcodespacerange\n7 beginbfchar\n{letters}\nendbfchar\n1 beginbfrange\n<30> <39> <0030>\n\
             endbfrange\nendcmap\nend\nend\n"
        );
        let widths = "500 ".repeat(95);
        let font = |more: &str| {
            format!(
                "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 32 \
                 /LastChar 126 /Widths [{widths}] {more} >>"
            )
        };
        let stream = |text: &str| format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len());
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R \
             /Resources << /Font << /F1 5 0 R /F2 7 0 R >> >> >>"
                .to_owned(),
            stream(content),
            font("/ToUnicode 6 0 R"),
            stream(&map),
            font(""),
        ];
        let mut file = "%PDF-1.5\n".to_owned();
        let mut places = Vec::new();
        for (number, object) in (1..).zip(&objects) {
            places.push(file.len());
            file.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
        }
        let table = file.len();
        file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
        for place in places {
            file.push_str(&format!("{place:010} 00000 n \n"));
        }
        file.push_str(&format!(
            "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n",
            objects.len() + 1
        ));
        file.into_bytes()
    }

    fn texts(content: &str) -> Vec<(u8, String)> {
        let blocks = super::blocks(&pdf(content)).unwrap();
        blocks.into_iter().map(|block| (block.level, block.text)).collect()
    }

    /// Readers of PDF often glue words that are drawn from the right, or give their letters back to front.
    #[test]
    fn arabic_keeps_its_spaces_and_its_order() {
        let expected = [(0, "خلال 30 يوم".to_owned())];
        let words = "BT /F1 10 Tf 1 0 0 1 300 700 Tm (dcba) Tj 1 0 0 1 280 700 Tm (30) Tj 1 0 0 1 250 700 Tm (gfe) Tj ET";
        assert_eq!(texts(words), expected);
        let from_left = "BT /F1 10 Tf 1 0 0 1 250 700 Tm (gfe 30 dcba) Tj ET";
        assert_eq!(texts(from_left), expected);
        let letters: String =
            [("a", 315), ("b", 310), ("c", 305), ("d", 300), ("30", 285), ("e", 275), ("f", 270), ("g", 265)]
                .iter()
                .map(|(text, x)| format!("1 0 0 1 {x} 700 Tm ({text}) Tj "))
                .collect();
        assert_eq!(texts(&format!("BT /F1 10 Tf {letters} ET")), expected);
    }

    #[test]
    fn lines_become_paragraphs_and_large_ones_headings() {
        let content = "BT /F2 18 Tf 1 0 0 1 50 740 Tm (Returns) Tj ET\n\
            BT /F2 10 Tf 12 TL 1 0 0 1 50 700 Tm (Returns are free within 14 days of deliv-) Tj T* (ery of the lamp.) Tj ET\n\
            BT /F2 10 Tf 1 0 0 1 50 640 Tm (Write to us.) Tj ET\n\
            BT /F2 10 Tf 1 0 0 1 300 20 Tm (7) Tj ET";
        let expected = [
            (1, "Returns"),
            (0, "Returns are free within 14 days of delivery of the lamp."),
            (0, "Write to us."),
        ];
        assert_eq!(texts(content), expected.map(|(level, text)| (level, text.to_owned())));
    }

    #[cfg(unix)]
    #[test]
    fn a_reader_that_fails_costs_one_file() {
        let file = || tempfile::tempfile().unwrap();
        // Answers without end and without sense.
        let endless = Path::new("/usr/bin/yes");
        assert_eq!(ask(file(), endless, Duration::ZERO).unwrap_err(), SkipReason::TooSlow { seconds: 0 });
        assert_eq!(ask(file(), endless, TIME).unwrap_err(), broken(&"the reader broke down over it"));
        for program in ["/bin/false", "/no/such/program"] {
            let error = pieces(file(), Path::new(program)).unwrap_err();
            assert!(matches!(error, SkipReason::Broken { .. }), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_glyphs_have_a_layout(
            glyphs in prop::collection::vec((any::<f64>(), -50.0..50.0_f64, 0.0..20.0_f64, "[a-zا-ي0-9 \\-]{1,2}"), 0..40)
        ) {
            let mut layout = Layout::default();
            for (number, (from, height, size, text)) in glyphs.into_iter().enumerate() {
                if number % 10 == 0 {
                    layout.new_page();
                }
                layout.glyph(Glyph { from, to: from + size, height, turn: 0, size, text });
            }
            for block in layout.blocks() {
                prop_assert!(!block.text.is_empty());
            }
        }
    }
}
