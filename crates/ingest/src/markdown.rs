//! Markdown: split at headings, then into paragraphs, lists, tables and code blocks.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::html;
use crate::piece::{Outline, Piece, Shape, says_something};

/// The pieces of a Markdown text, in order, each with the headings above it.
///
/// A paragraph is its plain text on one line, a list has an item a line, a table a row a line with the
/// header first; code keeps its lines. Of HTML the text stays, of images their alternative text, of links
/// their words, and the address behind them where it is one for a customer and not the words themselves.
/// Headings alone are no piece. `title` is the outermost heading where the text has no first-level heading
/// of its own. `place` gives the bytes in the file for a part of the text.
pub(crate) fn pieces(
    text: &str,
    title: Option<&str>,
    place: &dyn Fn(Range<usize>) -> Range<u64>,
) -> Vec<Piece> {
    let mut walk = Walk { outline: Outline::default(), block: None, place };
    // Without footnotes, a one-word footnote would be read as the target of a link and lost.
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    for (event, part) in Parser::new_ext(text, options).into_offset_iter() {
        walk.event(event, part);
    }
    walk.outline.finish(title)
}

struct Walk<'p> {
    outline: Outline,
    /// The block being read, and its part of the text; blocks inside it are part of it.
    block: Option<(Block, Range<usize>)>,
    place: &'p dyn Fn(Range<usize>) -> Range<u64>,
}

impl Walk<'_> {
    fn event(&mut self, event: Event<'_>, part: Range<usize>) {
        match (&mut self.block, event) {
            (Some((block, _)), Event::Start(tag)) => block.start(&tag),
            (Some((block, _)), Event::End(tag)) => {
                let whole = block.end(tag);
                if whole {
                    self.close();
                }
            }
            (Some((block, _)), Event::Text(text) | Event::Code(text)) => block.text(&text),
            (Some((block, _)), Event::Html(html)) => block.html.push_str(&html),
            (Some((block, _)), Event::InlineHtml(tag)) if is_line_break(&tag) => block.line_break(),
            (Some((block, _)), Event::SoftBreak) => block.text(" "),
            (Some((block, _)), Event::HardBreak) => block.line_break(),
            // Quotations and footnotes are transparent: the blocks in them stand for themselves.
            (None, Event::Start(tag)) => self.block = Block::open(&tag).map(|block| (block, part)),
            _ => {}
        }
    }

    fn close(&mut self) {
        let Some((block, part)) = self.block.take() else {
            return;
        };
        let text = block.written();
        let bytes = (self.place)(part);
        match block.kind {
            Kind::Heading(level) => self.outline.heading(level as u8, &text),
            Kind::Paragraph | Kind::Html => self.outline.block(Shape::Prose, text, bytes),
            Kind::List => self.outline.list(text, bytes),
            Kind::Code => self.outline.block(Shape::LINES, text, bytes),
            Kind::Table => {
                let (header, rows) = text.split_once('\n').unwrap_or((&text, ""));
                if rows.is_empty() || says_something(header) {
                    self.outline.block(Shape::TABLE, text, bytes);
                } else {
                    self.outline.block(Shape::LINES, rows.to_owned(), bytes);
                }
            }
        }
    }
}

fn is_line_break(tag: &str) -> bool {
    let name = tag.trim_start_matches('<').trim_end_matches(['>', '/']).trim();
    name.eq_ignore_ascii_case("br")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Heading(HeadingLevel),
    Paragraph,
    List,
    Table,
    Code,
    Html,
}

/// Items deeper than this are not indented further: a line of item marks alone would fill the memory.
const DEEPEST: usize = 8;

/// A block on its way to becoming a piece.
struct Block {
    kind: Kind,
    lines: Vec<Line>,
    /// Tags open inside it.
    depth: usize,
    /// The open lists, each with the number of its next item where it is numbered.
    lists: Vec<Option<u64>>,
    /// Whether a block inside has ended, so that the next word must not touch the last.
    gap: bool,
    /// The HTML of the HTML block being read.
    html: String,
    /// The address of the link being read, and the line and place where its words begin.
    link: Option<(String, usize, usize)>,
}

#[derive(Default)]
struct Line {
    /// Indentation and item mark.
    prefix: String,
    text: String,
    /// Cells begun, in a row of a table.
    cells: usize,
}

impl Block {
    fn open(tag: &Tag<'_>) -> Option<Self> {
        let kind = match tag {
            Tag::Heading { level, .. } => Kind::Heading(*level),
            Tag::Paragraph => Kind::Paragraph,
            Tag::List(_) => Kind::List,
            Tag::Table(_) => Kind::Table,
            Tag::CodeBlock(_) => Kind::Code,
            Tag::HtmlBlock => Kind::Html,
            _ => return None,
        };
        let lists = if let Tag::List(first) = tag { vec![*first] } else { Vec::new() };
        let lines = vec![Line::default()];
        Some(Self { kind, lines, depth: 0, lists, gap: false, html: String::new(), link: None })
    }

    fn start(&mut self, tag: &Tag<'_>) {
        self.depth += 1;
        match tag {
            Tag::List(first) => self.lists.push(*first),
            Tag::Item => self.item(),
            Tag::Link { dest_url, .. } => {
                let at = self.lines.last().map_or(0, |line| line.text.len());
                self.link = Some((dest_url.to_string(), self.lines.len(), at));
            }
            Tag::TableHead | Tag::TableRow if self.kind == Kind::Table => self.lines.push(Line::default()),
            Tag::TableCell if self.kind == Kind::Table => self.cell(),
            Tag::TableCell | Tag::Paragraph | Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::HtmlBlock => {
                self.gap = true;
            }
            _ => {}
        }
    }

    /// Closes a tag; says whether it was the block itself.
    fn end(&mut self, tag: TagEnd) -> bool {
        match tag {
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Link => self.end_link(),
            TagEnd::HtmlBlock => {
                let text = html::text(&std::mem::take(&mut self.html));
                self.text(&text);
            }
            _ => {}
        }
        self.gap |=
            matches!(tag, TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::HtmlBlock);
        let outermost = self.depth == 0;
        self.depth = self.depth.saturating_sub(1);
        outermost
    }

    /// Puts the address of a link behind its words: a customer who reads them can then follow it.
    fn end_link(&mut self) {
        let Some((target, line, at)) = self.link.take() else {
            return;
        };
        // Words over a line break are those of its last line.
        let begin = if line == self.lines.len() { at } else { 0 };
        let words = self.lines.last().and_then(|line| line.text.get(begin..)).unwrap_or_default().trim();
        if let Some(address) = address(&target)
            && bare(words) != bare(address)
        {
            let address = if words.is_empty() { address.to_owned() } else { format!(" ({address})") };
            self.text(&address);
        }
    }

    fn item(&mut self) {
        let indent = "  ".repeat(self.lists.len().saturating_sub(1).min(DEEPEST));
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            _ => "- ".to_owned(),
        };
        self.lines.push(Line { prefix: indent + &mark, ..Line::default() });
        self.gap = false;
    }

    fn cell(&mut self) {
        if let Some(row) = self.lines.last_mut() {
            if row.cells > 0 {
                row.text.push_str(" | ");
            }
            row.cells += 1;
        }
    }

    fn text(&mut self, text: &str) {
        let Some(line) = self.lines.last_mut() else {
            return;
        };
        if self.gap && !line.text.is_empty() && !line.text.ends_with(' ') {
            line.text.push(' ');
        }
        self.gap = false;
        if self.kind == Kind::Code {
            line.text.push_str(text);
        } else {
            line.text.push_str(&text.replace('\n', " "));
        }
    }

    fn line_break(&mut self) {
        if self.kind == Kind::Paragraph {
            self.lines.push(Line::default());
        } else {
            self.text(" ");
        }
    }

    /// The block's text; lines with nothing on them are left out, except in code.
    fn written(&self) -> String {
        if self.kind == Kind::Code {
            return self.lines.iter().map(|line| line.text.trim_end()).collect();
        }
        let lines = self.lines.iter().filter(|line| !line.text.trim().is_empty());
        lines.map(|line| format!("{}{}", line.prefix, line.text.trim())).collect::<Vec<_>>().join("\n")
    }
}

/// The part of a link's target that a customer can use: an address of the web, of mail or a telephone number.
pub(crate) fn address(target: &str) -> Option<&str> {
    let target = target.trim();
    let scheme = |name: &str| target.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    if target.contains(char::is_whitespace) || target.contains(char::is_control) {
        None
    } else if scheme("https://") || scheme("http://") {
        Some(target)
    } else if scheme("mailto:") {
        target.split_once(':').and_then(|(_, mail)| mail.split('?').next()).filter(|mail| !mail.is_empty())
    } else if scheme("tel:") {
        target.split_once(':').map(|(_, number)| number).filter(|number| !number.is_empty())
    } else {
        None
    }
}

/// An address without what people leave out when they write it.
pub(crate) fn bare(address: &str) -> &str {
    let address =
        address.strip_prefix("https://").or_else(|| address.strip_prefix("http://")).unwrap_or(address);
    address.strip_suffix('/').unwrap_or(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pieces(text: &str, title: Option<&str>) -> Vec<Piece> {
        super::pieces(text, title, &|part| part.start as u64..part.end as u64)
    }

    fn texts(text: &str) -> Vec<String> {
        pieces(text, None).into_iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn headings_stand_above_their_paragraphs() {
        let text = "Intro\n\n# A *b*\n\none\ntwo\n\n### C\n\nthree\n\n## D\n\nfour\n\nE\n=\n\n## F\n";
        let found: Vec<(String, String)> =
            pieces(text, None).into_iter().map(|piece| (piece.headings.join(" > "), piece.text)).collect();
        let expected = [("", "Intro"), ("A b", "one two"), ("A b > C", "three"), ("A b > D", "four")];
        assert_eq!(found, expected.map(|(above, text)| (above.to_owned(), text.to_owned())));
    }

    #[test]
    fn a_title_stands_in_for_a_first_level_heading() {
        assert_eq!(pieces("## B\n\ntext", Some("A"))[0].headings, ["A", "B"]);
        assert_eq!(pieces("text\n\n# C", Some("A"))[0].headings, Vec::<String>::new());
    }

    #[test]
    fn text_comes_out_as_it_was_written() {
        for (markdown, text) in [
            ("Cuesta **3&nbsp;€** -- \"ya\"...", "Cuesta 3\u{A0}€ -- \"ya\"..."),
            ("See ![a lamp](l.png) [here](../r.md) [x](javascript:y)", "See a lamp here x"),
            ("<https://shop.example/r> `a*b`", "https://shop.example/r a*b"),
            ("~~5 €~~ 3 € \\* 2", "~~5 €~~ 3 € * 2"),
            ("One  \ntwo<br>three <b>four</b>", "One\ntwo\nthree four"),
            ("> quoted\n> text", "quoted text"),
            ("```\n  a\n\n  b\n```", "  a\n\n  b"),
            ("    code", "code"),
            ("<div>\nA &amp; <b>B</b>\n</div>", "A & B"),
        ] {
            assert_eq!(texts(markdown), [text], "{markdown:?}");
        }
    }

    #[test]
    fn the_address_of_a_link_stays_where_its_words_do_not_say_it() {
        for (markdown, text) in [
            ("See [the **form**](https://shop.example/r).", "See the form (https://shop.example/r)."),
            (
                "[Write](mailto:a@shop.example?subject=x), [call](tel:+34600)",
                "Write (a@shop.example), call (+34600)",
            ),
            ("[shop.example](https://shop.example/) <a@shop.example>", "shop.example a@shop.example"),
            ("[](https://shop.example/r)", "https://shop.example/r"),
            (
                "- [a](https://a.example)\n- [b](https://b.example)",
                "- a (https://a.example)\n- b (https://b.example)",
            ),
        ] {
            assert_eq!(texts(markdown), [text], "{markdown:?}");
        }
    }

    #[test]
    fn a_list_keeps_the_line_that_introduces_it() {
        let found = pieces(
            "# A\n\nWe send:\n\n- lamps\n- cables\n\n# B\n\nNot:\n\n# C\n\n- this\n\nNor.\n\n- that\n",
            None,
        );
        let texts: Vec<&str> = found.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(texts, ["We send:\n- lamps\n- cables", "Not:", "- this", "Nor.", "- that"]);
        assert_eq!(found[0].shape, Shape::Lines { lead: 1 });
    }

    #[test]
    fn each_piece_knows_its_place() {
        let text = "# A\n\nOne *two*.\n\n- x\n- y\n\n|a|\n|-|\n|b|\n";
        let found: Vec<&str> = pieces(text, None)
            .iter()
            .map(|piece| text[piece.bytes.start as usize..piece.bytes.end as usize].trim_end())
            .collect();
        assert_eq!(found, ["One *two*.", "- x\n- y", "|a|\n|-|\n|b|"]);
    }

    #[test]
    fn a_list_is_one_piece_and_so_is_a_table() {
        let list = "- one\n  more\n- two\n\n  again\n  1. deep\n  2. deeper\n-\n- `x`\n";
        assert_eq!(texts(list), ["- one more\n- two again\n  1. deep\n  2. deeper\n- x"]);
        let odd = "3. a\n4. b\n   > # c\n   > d\n   ```\n   e\n   f\n   ```\n   <p>g</p>\n";
        assert_eq!(texts(odd), ["3. a\n4. b c d e f g"]);
        let table = "| Talla | Pecho |\n|---|:-:|\n| S | 88<br>cm |\n| M \\| L | **96** |\n| XL |\n";
        assert_eq!(texts(table), ["Talla | Pecho\nS | 88 cm\nM | L | 96\nXL |"]);
    }

    #[test]
    fn footnotes_are_kept_and_marks_alone_are_not() {
        assert_eq!(
            texts("Gratis[^1].\n\n[^1]: Desde-50.\n\n***\n\n&nbsp;\n\n- \n"),
            ["Gratis.", "Desde-50."]
        );
        assert_eq!(texts("# A\n\n## B\n"), Vec::<String>::new());
    }

    /// Were any of these read again and again from the start, this test would take hours.
    #[test]
    fn a_long_text_takes_as_long_as_it_is() {
        for unit in [
            "<a ",
            "<p>",
            "1. ",
            "&",
            "<div>&",
            "<!--",
            "<script></script>",
            "<a\">",
            "- ",
            "a\n",
            "|a",
            "# a\n",
        ] {
            let text = format!("<div>{}", unit.repeat(400_000 / unit.len()));
            assert!(html::text(&text).len() <= text.len() + 1);
            pieces(&text, None);
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_pieces_that_say_something(text in any::<String>()) {
            for piece in pieces(&text, None) {
                prop_assert!(says_something(&piece.text));
            }
        }

        #[test]
        fn any_markup_gives_pieces_that_say_something(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "# ", "- ", "1. ", "> ", "\n", "\n\n", "    ", "|", "|-|-|\n", "```", "<div>", "</p>", "<!--",
                    "<br>", "&amp;", "[", "](", ")", "![", "*", "_", "`", "[^1]", "[^1]: ", "a", "Я 3", "---\n", "\t", "\\",
                ]),
                0..60,
            )
        ) {
            for piece in pieces(&parts.concat(), Some("T")) {
                prop_assert!(says_something(&piece.text));
                prop_assert!(piece.headings.iter().all(|heading| !heading.contains('\n')));
            }
        }
    }
}
