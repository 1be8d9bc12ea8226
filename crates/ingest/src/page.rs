//! HTML pages: the main content, without what stands around it on every page.

use dom_query::{Document, NodeRef};
use dom_smoothie::Readability;

use crate::document::About;
use crate::piece::{Outline, Piece, Shape, says_something};
use crate::{front_matter, html, markdown};

/// Elements inside elements; deeper pages are read as text alone, since the readers recurse.
const DEEPEST: usize = 200;

/// An article shorter than this may be a part that was taken for the whole; in bytes.
const SHORT: usize = 300;

/// What nobody reads on a page.
const SILENT: &str =
    "script, style, noscript, template, svg, iframe, object, canvas, dialog, [hidden], [aria-hidden=true]";

/// What stands around the content.
const AROUND: &str = "nav, aside, footer, [role=navigation], [role=complementary], [role=contentinfo], \
    [role=banner], [role=search], body > header, button, select, input, textarea";

/// Elements that part blocks, and that the writer of Markdown would run together.
const BLOCKS: &str =
    "dt, dd, figcaption, summary, details, address, legend, main, header, hgroup, nav, aside, footer";

/// The pieces of a page: of what it marks as its main part, else of the article that is found in it, else of
/// all that is not marked as standing around. Without an outermost heading, its title is one. `lang` and the
/// day of publication, where the page says them, go into `about`.
pub(crate) fn pieces(page: &str, about: &mut About) -> Vec<Piece> {
    // The tree is built only of a page that nests as pages do.
    let document = (!html::nests_too_much(page)).then(|| Document::from(page)).filter(|tree| !is_deep(tree));
    let Some(document) = document else {
        let mut outline = Outline::default();
        outline.block(Shape::Prose, html::text(page), 0..0);
        return outline.finish(None);
    };
    if let Some(lang) = document.select("html").attr("lang")
        && let Ok(language) = lang.to_lowercase().split(['-', '_']).next().unwrap_or_default().parse()
    {
        about.language = language;
    }
    let title = document.select("head > title").text();
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    document.select(SILENT).remove();
    let marked = marked(&document);
    let article = article(page);
    about.date = article.as_ref().and_then(|article| article.day.clone());
    let title = match &article {
        Some(article) if !article.title.is_empty() => article.title.clone(),
        _ => title,
    };
    let text = match (marked, article) {
        (Some(marked), _) => marked,
        (None, Some(article)) => {
            let rest = rest(&document);
            let whole = article.text.len() >= SHORT || article.text.len() * 2 >= rest.len();
            if whole { article.text } else { rest }
        }
        (None, None) => rest(&document),
    };
    markdown::pieces(&text, Some(title.trim()).filter(|title| !title.is_empty()), &|_| 0..0)
}

fn is_deep(document: &Document) -> bool {
    let mut depth = 0;
    let mut node = Some(document.root());
    while let Some(at) = node {
        if let Some(child) = at.first_child() {
            depth += 1;
            node = Some(child);
        } else {
            node = following(at, &mut depth);
        }
        if depth > DEEPEST {
            return true;
        }
    }
    false
}

/// The next node that is not below this one.
fn following<'a>(node: NodeRef<'a>, depth: &mut usize) -> Option<NodeRef<'a>> {
    let mut at = Some(node);
    while let Some(node) = at {
        if let Some(sibling) = node.next_sibling() {
            return Some(sibling);
        }
        *depth = depth.saturating_sub(1);
        at = node.parent();
    }
    None
}

/// What the page itself marks as its main part.
fn marked(document: &Document) -> Option<String> {
    let mains = document.select("main, [role=main]");
    let main = mains.nodes().first()?;
    let part = Document::from(main.html());
    let text = rest(&part);
    says_something(&text).then_some(text)
}

/// Everything but what stands around; all there is where that leaves nothing.
fn rest(document: &Document) -> String {
    let part = Document::from(document.html());
    part.select(AROUND).remove();
    let text = written(&part);
    if says_something(&text) { text } else { written(document) }
}

fn written(document: &Document) -> String {
    document.select(BLOCKS).rename("div");
    document.select("body").nodes().first().map(|body| body.md(None).to_string()).unwrap_or_default()
}

struct Article {
    title: String,
    text: String,
    day: Option<String>,
}

/// The article of a page, as Firefox's reader view finds it.
fn article(page: &str) -> Option<Article> {
    let document = Document::from(page);
    document.select(SILENT).remove();
    // On short pages the finder takes these for the article.
    document.select(AROUND).remove();
    let article = Readability::with_document(document, None, None).ok()?.parse().ok()?;
    let content = Document::from(article.content.to_string());
    let text = written(&content);
    let time = article.modified_time.or(article.published_time);
    let day = time.and_then(|time| front_matter::day("date", time.get(..10)?).ok());
    says_something(&text).then_some(Article { title: article.title, text, day })
}
