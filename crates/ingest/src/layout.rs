//! From the characters of a PDF and their places to its paragraphs, in the order in which they are read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A block of a PDF's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Block {
    /// 0 for a paragraph, else the level of a heading.
    pub(crate) level: u8,
    pub(crate) text: String,
}

/// What is drawn at one place: a character, or several that share one sign.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Glyph {
    /// Along the line, from where it begins to where the next one may.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Across the lines, upwards.
    pub(crate) height: f64,
    /// The direction of its line, in degrees.
    pub(crate) turn: i32,
    pub(crate) size: f64,
    pub(crate) text: String,
}

struct Line {
    glyphs: Vec<Glyph>,
    new_page: bool,
}

/// Collects the characters of a document page by page.
#[derive(Default)]
pub(crate) struct Layout {
    lines: Vec<Line>,
    new_page: bool,
}

impl Layout {
    pub(crate) fn new_page(&mut self) {
        self.new_page = true;
    }

    /// Takes the next character, in the order in which the file draws them.
    pub(crate) fn glyph(&mut self, mut glyph: Glyph) {
        glyph.text = plain(&glyph.text);
        if glyph.text.is_empty()
            || ![glyph.from, glyph.to, glyph.height, glyph.size].iter().all(|n| n.is_finite())
        {
            return;
        }
        let new_page = std::mem::take(&mut self.new_page);
        match self.lines.last_mut().filter(|_| !new_page) {
            Some(line) if line.goes_on_with(&glyph) => line.push(glyph),
            _ => self.lines.push(Line { glyphs: vec![glyph], new_page }),
        }
    }

    /// The blocks of the document. Lines that stand close and are of one size are a paragraph; short lines
    /// clearly larger than most of the text are headings, the largest the outermost. The number of a page is
    /// left out.
    pub(crate) fn blocks(self) -> Vec<Block> {
        let lines: Vec<Line> = self.lines.into_iter().filter(|line| !line.read().trim().is_empty()).collect();
        let body = usual_size(&lines);
        let spacing = usual_spacing(&lines);
        let larger = larger_sizes(&lines, body);
        let mut blocks: Vec<Block> = Vec::new();
        let mut before: Option<&Line> = None;
        for (number, line) in lines.iter().enumerate() {
            let text = line.read().trim().to_owned();
            let page_ends = lines.get(number + 1).is_none_or(|next| next.new_page);
            if (line.new_page || page_ends) && text.chars().all(|c| c.is_numeric()) {
                continue;
            }
            let rank = larger.iter().position(|size| *size == line.rounded_size());
            let short = text.chars().count() <= LONGEST_HEADING;
            let level = rank.filter(|_| short).map_or(0, |rank| u8::try_from(rank + 1).unwrap_or(6).min(6));
            let goes_on = before.is_some_and(|before| line.follows(before, spacing));
            match blocks.last_mut().filter(|block| goes_on && block.level == level) {
                Some(block) => join(&mut block.text, &text),
                None => blocks.push(Block { level, text }),
            }
            before = Some(line);
        }
        blocks
    }
}

/// Characters in the longest line that is taken for a heading.
const LONGEST_HEADING: usize = 120;

/// Presentation forms and ligatures as the letters they stand for; control characters go.
fn plain(text: &str) -> String {
    let form =
        |c: char| matches!(c, '\u{FB00}'..='\u{FB06}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}');
    let mut out = String::new();
    for c in text.chars().filter(|c| !c.is_control()) {
        if form(c) { out.extend(std::iter::once(c).nfkc()) } else { out.push(c) }
    }
    out
}

fn is_right_to_left(text: &str) -> bool {
    text.chars().any(|c| matches!(bidi_class(c), BidiClass::R | BidiClass::AL))
}

fn is_left_to_right(text: &str) -> bool {
    text.chars().any(|c| bidi_class(c) == BidiClass::L)
}

impl Line {
    fn goes_on_with(&self, next: &Glyph) -> bool {
        let Some(last) = self.glyphs.last() else {
            return true;
        };
        if last.turn != next.turn || (last.height - next.height).abs() > 0.5 * last.size.max(next.size) {
            return false;
        }
        // Words of a script written from the right are often drawn one by one, each left of the one before.
        let back = next.from < last.from - 2.0 * next.size;
        !back || is_right_to_left(&next.text) || self.glyphs.iter().any(|glyph| is_right_to_left(&glyph.text))
    }

    fn push(&mut self, glyph: Glyph) {
        if let Some(last) = self.glyphs.last_mut() {
            // Drawn twice to look bold.
            if last.text == glyph.text
                && (last.from - glyph.from).abs() < 0.15 * glyph.size
                && last.text != " "
            {
                return;
            }
            if glyph.text.chars().all(is_combining_mark) {
                last.text.push_str(&glyph.text);
                return;
            }
        }
        self.glyphs.push(glyph);
    }

    fn height(&self) -> f64 {
        self.glyphs.first().map_or(0.0, |glyph| glyph.height)
    }

    fn size(&self) -> f64 {
        self.glyphs.iter().map(|glyph| glyph.size).fold(0.0, f64::max)
    }

    /// In halves of a point.
    fn rounded_size(&self) -> i64 {
        halves(self.size())
    }

    fn follows(&self, before: &Line, spacing: f64) -> bool {
        let down = before.height() - self.height();
        let size = self.size().max(before.size());
        let same_size = (self.size() - before.size()).abs() < 0.12 * size;
        let turn = |line: &Line| line.glyphs.first().map(|glyph| glyph.turn);
        !self.new_page
            && same_size
            && turn(self) == turn(before)
            && down > 0.0
            && down <= 1.25 * spacing * size
    }

    /// The line's text in the order in which it is read.
    ///
    /// The places on the page give the order in which it is seen; turning what is seen into what is read is the
    /// same as the other way round (Unicode Bidirectional Algorithm, UAX 9, rule L2), for lines without
    /// embeddings.
    fn read(&self) -> String {
        let mut seen: Vec<&Glyph> = self.glyphs.iter().collect();
        if seen.iter().any(|glyph| is_right_to_left(&glyph.text)) {
            seen.sort_by(|a, b| a.from.total_cmp(&b.from));
        }
        let words = spaced(&seen);
        let count = |is: fn(&str) -> bool| words.iter().filter(|text| is(text)).count();
        let (right, left) = (count(is_right_to_left), count(is_left_to_right));
        if right == 0 {
            return words.concat();
        }
        let text = words.concat();
        let base = if right >= left { Level::rtl() } else { Level::ltr() };
        let info = BidiInfo::new(&text, Some(base));
        let mut at = 0;
        let levels: Vec<Level> = words
            .iter()
            .map(|word| {
                let level = info.levels.get(at).copied().unwrap_or(base);
                at += word.len();
                level
            })
            .collect();
        let order = BidiInfo::reorder_visual(&levels);
        order.into_iter().filter_map(|index| words.get(index).copied()).collect()
    }
}

/// The texts of characters in a row, with a space wherever there is room for one.
fn spaced<'a>(glyphs: &[&'a Glyph]) -> Vec<&'a str> {
    let mut words: Vec<&str> = Vec::new();
    let mut end = f64::INFINITY;
    for glyph in glyphs {
        let is_space = glyph.text.trim().is_empty();
        let room = glyph.from - end > 0.15 * glyph.size;
        if (room || is_space) && words.last().is_some_and(|last| *last != " ") {
            words.push(" ");
        }
        if !is_space {
            words.push(&glyph.text);
            end = glyph.to;
        } else if end.is_finite() {
            end = end.max(glyph.to);
        }
    }
    words
}

/// Joins a line to the ones before: a word that was parted at the end of a line is whole again.
fn join(text: &mut String, line: &str) {
    let small = |c: Option<char>| c.is_some_and(char::is_lowercase);
    let mut last = text.chars().rev();
    if text.ends_with('\u{AD}')
        || (last.next() == Some('-') && small(last.next()) && small(line.chars().next()))
    {
        text.pop();
    } else {
        let item = line.chars().next().is_some_and(|c| "•▪◦‣●–".contains(c));
        text.push(if item { '\n' } else { ' ' });
    }
    text.push_str(line);
}

#[expect(clippy::cast_possible_truncation, reason = "a cast of a float saturates, and sizes are small")]
fn halves(size: f64) -> i64 {
    (size * 2.0).round() as i64
}

/// The size that most characters have.
fn usual_size(lines: &[Line]) -> i64 {
    let mut sizes: BTreeMap<i64, usize> = BTreeMap::new();
    for line in lines {
        *sizes.entry(line.rounded_size()).or_default() += line.glyphs.len();
    }
    sizes.into_iter().max_by_key(|(_, characters)| *characters).map_or(0, |(size, _)| size)
}

/// The sizes of headings, largest first: a tenth more than the usual one.
fn larger_sizes(lines: &[Line], usual: i64) -> Vec<i64> {
    let mut sizes: Vec<i64> = lines
        .iter()
        .map(Line::rounded_size)
        .filter(|size| *size * 10 >= usual * 11 && *size > usual)
        .collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.dedup();
    sizes
}

/// The distance of lines that most have, in sizes; at least 1.2, the least that is usual.
fn usual_spacing(lines: &[Line]) -> f64 {
    let distances = lines.windows(2).filter_map(|pair| {
        let [before, line] = pair else {
            return None;
        };
        let down = (before.height() - line.height()) / line.size().max(0.1);
        (!line.new_page && down > 0.5 && down < 3.0).then_some(down)
    });
    let mut distances: Vec<f64> = distances.collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).map_or(1.2, |middle| middle.clamp(1.2, 2.0))
}
