//! A picture of a calibration: two histograms over the strength, one above the other, with the thresholds.

use std::fmt::Write;

use mostrador_answer::passage::Similarity;

use super::{Cut, Distributions, exact};

/// Bars of a histogram, each of the same width in strength.
const BARS: usize = 20;

/// The picture in pixels.
const WIDTH: usize = 720;
const LEFT: usize = 60;
const PLOT: usize = 640;
const PANEL: usize = 130;
const TOPS: [usize; 2] = [60, 240];
const BOTTOM: usize = TOPS[1] + PANEL;

/// The picture as SVG: above the questions that must be answered, below those that must be refused; a solid line for
/// the threshold proposed, a dashed one for the shop's own. No font, script or file from elsewhere is needed, and
/// the title and description say in words what the picture shows.
#[must_use]
pub fn svg(both: &Distributions, proposed: &Cut, current: &Cut) -> String {
    let mut out = String::new();
    let height = BOTTOM + 90;
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title desc" font-family="sans-serif" font-size="13" fill="#222">
<title id="title">Best strength of questions, and the threshold</title>
<desc id="desc">{}</desc>
<rect width="{WIDTH}" height="{height}" fill="#fff"/>"##,
        said(proposed, current)
    );
    let panels =
        [("must be answered", both.answer(), "#1b6e53"), ("must be refused", both.refuse(), "#a63d2f")];
    for ((name, strengths, colour), top) in panels.into_iter().zip(TOPS) {
        panel(&mut out, (name, colour), strengths, top);
    }
    for tenth in 0..=10 {
        let x = LEFT + PLOT * tenth / 10;
        let _ = writeln!(
            out,
            r#"<text x="{x}" y="{}" text-anchor="middle">{}.{}</text>"#,
            BOTTOM + 18,
            tenth / 10,
            tenth % 10
        );
    }
    threshold(&mut out, current.threshold, r#" stroke-dasharray="6 4""#);
    threshold(&mut out, proposed.threshold, "");
    for (at, (name, cut)) in
        [("proposed (solid line)", proposed), ("now (dashed line)", current)].into_iter().enumerate()
    {
        let y = BOTTOM + 46 + 22 * at;
        let _ = writeln!(out, r#"<text x="{LEFT}" y="{y}">{name}: {}</text>"#, counts(cut));
    }
    out.push_str("</svg>\n");
    out
}

fn said(proposed: &Cut, current: &Cut) -> String {
    format!(
        "Two histograms over the strength from 0 to 1. Proposed threshold {}. The shop's own threshold {}.",
        counts(proposed),
        counts(current)
    )
}

fn counts(cut: &Cut) -> String {
    let Cut { threshold, lost, stopped } = cut;
    format!(
        "{}, {} of {} that must be answered lost, {} of {} that must be refused stopped",
        exact(*threshold),
        lost.count,
        lost.of,
        stopped.count,
        stopped.of
    )
}

fn panel(out: &mut String, (name, colour): (&str, &str), strengths: &[Similarity], top: usize) {
    let mut bars = [0_usize; BARS];
    for strength in strengths {
        // A strength of 1 belongs to the last bar.
        let bar = (strength.millionths() as usize * BARS / 1_000_000).min(BARS - 1);
        if let Some(count) = bars.get_mut(bar) {
            *count += 1;
        }
    }
    let most = bars.iter().copied().max().unwrap_or_default().max(1);
    let base = top + PANEL;
    let _ = writeln!(out, r#"<text x="{LEFT}" y="{}">{name} ({})</text>"#, top - 22, strengths.len());
    for (at, count) in bars.into_iter().enumerate().filter(|(_, count)| *count > 0) {
        // One question among many is still a line that can be seen.
        let high = (PANEL * count / most).max(2);
        let (x, wide, y) = (LEFT + PLOT * at / BARS + 1, PLOT / BARS - 2, base - high);
        let _ = writeln!(
            out,
            r#"<rect x="{x}" y="{y}" width="{wide}" height="{high}" fill="{colour}"/>
<text x="{}" y="{}" text-anchor="middle" font-size="11">{count}</text>"#,
            x + wide / 2,
            y - 3
        );
    }
    let _ =
        writeln!(out, r##"<line x1="{LEFT}" y1="{base}" x2="{}" y2="{base}" stroke="#222"/>"##, LEFT + PLOT);
}

fn threshold(out: &mut String, threshold: Similarity, dash: &str) {
    let x = LEFT + PLOT * threshold.millionths() as usize / 1_000_000;
    let top = TOPS[0] - 10;
    let _ = writeln!(
        out,
        r##"<line x1="{x}" y1="{top}" x2="{x}" y2="{BOTTOM}" stroke="#000" stroke-width="2"{dash}/>"##
    );
}

#[cfg(test)]
mod tests {
    use super::super::{Expect, Measured, Prefer};
    use super::*;

    fn measured(expect: Expect, millionths: u32) -> Measured {
        Measured { question: "<&\"".to_owned(), expect, strength: Similarity::from_millionths(millionths) }
    }

    #[test]
    fn the_picture_says_in_words_what_it_shows() {
        let questions = [
            measured(Expect::Answer, 1_000_000),
            measured(Expect::Answer, 600_000),
            measured(Expect::Refuse, 0),
        ];
        let both = Distributions::new(&questions).unwrap();
        let picture =
            svg(&both, &both.proposal(Prefer::Balance), &both.at(Similarity::from_millionths(700_000)));
        for text in [
            "Proposed threshold 0.30, 0 of 2 that must be answered lost, 1 of 1 that must be refused stopped",
            "own threshold 0.70, 1 of 2 that must be answered lost",
            "must be answered (2)",
            "role=\"img\"",
        ] {
            assert!(picture.contains(text), "{text}: {picture}");
        }
        assert_eq!(picture.matches("<rect").count(), 1 + 3, "the ground and a bar for each strength");
        assert!(!picture.contains("href") && !picture.contains("<script"));
    }
}
