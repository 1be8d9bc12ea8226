//! HTML without a tree: the tags go, the text stays. For what stands inside Markdown, and for pages nobody could parse.

use pulldown_cmark::{Event, Parser};

/// Elements whose text nobody reads.
const SILENT: [&str; 2] = ["script", "style"];

/// Elements inside a line: their tags part no words.
const INLINE: [&str; 24] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "q", "s", "small", "span", "strong", "sub", "sup", "u",
];

/// The text of a piece of HTML: without tags, comments, scripts and styles, its entities decoded,
/// runs of white space as one space. A `<` that opens no tag is text.
pub(crate) fn text(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    // Behind the last `>` there is no tag: looking for its end each time would take the square of the length.
    let after_last = html.rsplit_once('>').map_or(html.len(), |(_, after)| after.len());
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        if let Some(tag) = Tag::read(behind, behind.len() > after_last) {
            out.push_str(if tag.parts_words { " " } else { "" });
            rest = tag.after;
        } else {
            out.push('<');
            rest = behind;
        }
    }
    out.push_str(rest);
    decoded(&out).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Elements that end by themselves: they do not nest when nobody closes them.
const SELF_ENDING: [&str; 28] = [
    "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "colgroup",
    "br", "img", "hr", "input", "meta", "link", "base", "area", "col", "embed", "source", "track", "wbr",
    "html", "body",
];

/// Whether building the tree of a page would take much longer than the page is long: a builder of trees
/// looks, at each tag, through the elements that are open there, and opens again what was left open.
/// Pages nest ten or twenty deep; this is said where the average is beyond a hundred.
pub(crate) fn nests_too_much(page: &str) -> bool {
    let mut depth = 0_usize;
    let mut tags = 0_usize;
    let mut work = 0_usize;
    let mut rest = page;
    while let Some((_, behind)) = rest.split_once('<') {
        rest = behind;
        let ends = behind.starts_with('/');
        let name = behind.strip_prefix('/').unwrap_or(behind);
        let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let is = |known: &&str| known.eq_ignore_ascii_case(name);
        tags += 1;
        if SILENT.iter().any(is) && !ends {
            rest = after_element(behind, name);
        } else if ends && !SELF_ENDING.iter().any(is) {
            depth = depth.saturating_sub(1);
        } else if !name.is_empty() && !SELF_ENDING.iter().any(is) {
            depth += 1;
        }
        work = work.saturating_add(depth);
    }
    work > tags.saturating_mul(100).saturating_add(100_000)
}

/// A tag or a comment, whose `<` has been read.
struct Tag<'t> {
    parts_words: bool,
    /// What follows it; behind an element nobody reads, what follows the whole element.
    after: &'t str,
}

impl<'t> Tag<'t> {
    fn read(behind: &'t str, closed: bool) -> Option<Self> {
        if let Some(comment) = behind.strip_prefix("!--") {
            let after = comment.split_once("-->").map_or("", |(_, after)| after);
            return Some(Self { parts_words: false, after });
        }
        if !closed || !behind.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
            return None;
        }
        let (tag, after) = split_at_close(behind)?;
        let name = tag.strip_prefix('/').unwrap_or(tag);
        let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let is = |known: &&str| known.eq_ignore_ascii_case(name);
        let silent = SILENT.iter().any(is) && !tag.starts_with('/');
        let after = if silent { after_element(after, name) } else { after };
        Some(Self { parts_words: !INLINE.iter().any(is), after })
    }
}

/// Splits at the `>` that closes a tag: one in an attribute's quotation marks does not,
/// unless the marks are never closed.
fn split_at_close(behind: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, c) in behind.char_indices() {
        match (quote, c) {
            (None, '>') => return Some((behind.get(..at)?, behind.get(at + 1..)?)),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    behind.split_once('>')
}

/// What follows the end tag of an element.
fn after_element<'t>(text: &'t str, name: &str) -> &'t str {
    let ends = text.match_indices("</").find_map(|(at, mark)| {
        let behind = text.get(at + mark.len()..)?;
        behind.get(..name.len())?.eq_ignore_ascii_case(name).then_some(behind)
    });
    ends.and_then(|behind| behind.split_once('>')).map_or("", |(_, after)| after)
}

/// Decodes entities by the table of the Markdown reader; what is none stays as it is.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        out.push_str(before);
        let end = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '#')).unwrap_or(behind.len());
        let (name, after) = behind.split_at_checked(end).unwrap_or((behind, ""));
        if let Some(after) = after.strip_prefix(';')
            && name.len() <= LONGEST_ENTITY
        {
            out.extend(Parser::new(&format!("&{name};")).filter_map(|event| match event {
                Event::Text(text) => Some(text.into_string()),
                _ => None,
            }));
            rest = after;
        } else {
            out.push('&');
            rest = behind;
        }
    }
    out.push_str(rest);
    out
}

/// Letters in the longest name that HTML gives a character.
const LONGEST_ENTITY: usize = 31;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_go_and_text_stays() {
        for (html, expected) in [
            ("<p>Cuesta <b>3 €</b>.</p>\n<p>Ya</p>", "Cuesta 3 €. Ya"),
            ("a<br/>b", "a b"),
            ("<a title=\"a > b\" href='x'>Ver</a>", "Ver"),
            ("<!-- no --> sí <!-- open", "sí"),
            ("<script>alert('<p>')</script>Sí<STYLE>p{}</style >", "Sí"),
            ("3 < 5 & 5 > 3", "3 < 5 & 5 > 3"),
            ("A&amp;B &euro;3&nbsp;kg &#241; &#x20AC; &nosuch; &amp;lt;", "A&B €3 kg ñ € &nosuch; &lt;"),
            ("<p", "<p"),
            ("<a href=\"x>Ver</a> <b>y</b>", "Ver y"),
            ("&; &#; && &amp", "&; &#; && &amp"),
            ("", ""),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }
}
