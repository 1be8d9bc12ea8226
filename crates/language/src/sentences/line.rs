//! A sentence on one line, as people read it.

use super::close::is_line_break;

/// The sentence without white space at its ends; a line break in it, with the white space around, is one space.
#[must_use]
pub fn one_line(sentence: &str) -> String {
    let lines = sentence.split(is_line_break).map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_are_spaces_and_other_spaces_stay() {
        assert_eq!(one_line(" It flows \r\n over  lines. \n"), "It flows over  lines.");
        assert_eq!(one_line("\n "), "");
    }
}
