//! SQL written by a shop, read as far as needed: that it is one query, that it reads, and which names it binds.

use crate::database::Back;

/// Words that begin or make a change. A column of such a name can be put in the database's quotation marks.
const CHANGES: &str =
    "insert update delete merge replace truncate drop alter create grant into call copy attach";

/// A part of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// A quoted text or name, a number, an operator of two characters: kept as it is.
    Kept(String),
    Comment(String),
    Word(String),
    /// `:name`
    Name(String),
    Mark(char),
}

/// A query in a database's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bound {
    /// With the database's placeholders, one for each time a name stands there.
    pub(crate) sql: String,
    /// The names of those placeholders, in order.
    pub(crate) names: Vec<String>,
}

/// The query without a `;` at its end, where it is one query that begins with SELECT or WITH.
///
/// `back`: the database, where it is known; otherwise a query that any of them could read will do.
pub(crate) fn one(sql: &str, back: Option<Back>) -> Result<String, String> {
    in_any(back, |back| Ok(text(&single(sql, back)?)))
}

/// The query with its names bound, where it is one query that only reads.
///
/// # Errors
/// What is wrong and what to do, to stand behind "`sql`".
pub(crate) fn bound(sql: &str, back: Option<Back>) -> Result<Bound, String> {
    in_any(back, |back| {
        let tokens = single(sql, back)?;
        if let Some(word) = change(&tokens) {
            return Err(format!(
                "has the word {word}, and a look-up only reads; take it out, or put a column of that name in \
                 quotation marks"
            ));
        }
        let mut names = Vec::new();
        let mut sql = String::new();
        for token in tokens {
            if let Token::Name(name) = token {
                names.push(name);
                match back {
                    Back::Postgres => sql.push_str(&format!("${}", names.len())),
                    Back::MySql | Back::Sqlite => sql.push('?'),
                }
            } else {
                sql.push_str(&written(&token));
            }
        }
        Ok(Bound { sql, names })
    })
}

fn in_any<T>(back: Option<Back>, read: impl Fn(Back) -> Result<T, String>) -> Result<T, String> {
    if let Some(back) = back {
        return read(back);
    }
    read(Back::Postgres).or_else(|first| read(Back::MySql).or_else(|_| read(Back::Sqlite)).map_err(|_| first))
}

/// The first word that makes a change; `replace(text, from, to)` only reads.
fn change(tokens: &[Token]) -> Option<&str> {
    let telling: Vec<&Token> = tokens.iter().filter(|token| !is_blank(token)).collect();
    let next = telling.iter().skip(1).map(|token| Some(*token)).chain([None]);
    telling.iter().zip(next).find_map(|(token, next)| {
        let Token::Word(word) = token else { return None };
        let lower = word.to_ascii_lowercase();
        let called = lower == "replace" && next == Some(&Token::Mark('('));
        (CHANGES.split(' ').any(|change| change == lower) && !called).then_some(word.as_str())
    })
}

fn is_blank(token: &Token) -> bool {
    match token {
        Token::Comment(_) => true,
        Token::Mark(mark) => mark.is_whitespace(),
        _ => false,
    }
}

/// The tokens of the one query there is.
fn single(sql: &str, back: Back) -> Result<Vec<Token>, String> {
    let mut tokens = tokens(sql, back)?;
    let end = tokens.iter().position(|token| *token == Token::Mark(';')).unwrap_or(tokens.len());
    let behind = tokens.split_off(end);
    let more = behind.iter().any(|token| !is_blank(token) && *token != Token::Mark(';'));
    let first = tokens.iter().find(|token| !is_blank(token));
    let reads = matches!(first, Some(Token::Word(word))
        if word.eq_ignore_ascii_case("select") || word.eq_ignore_ascii_case("with"));
    if more || !reads {
        return Err("is not one query that begins with SELECT or WITH, without `;`; write it so".to_owned());
    }
    let mut open = 0_i64;
    for token in &tokens {
        open += match token {
            Token::Mark('(') => 1,
            Token::Mark(')') => -1,
            _ => 0,
        };
        // The query stands in brackets itself.
        if open < 0 {
            break;
        }
    }
    if open != 0 {
        return Err("has brackets that do not match; correct it".to_owned());
    }
    Ok(tokens)
}

fn text(tokens: &[Token]) -> String {
    tokens.iter().map(written).collect::<String>().trim().to_owned()
}

fn written(token: &Token) -> String {
    match token {
        Token::Kept(text) | Token::Comment(text) | Token::Word(text) => text.clone(),
        Token::Name(name) => format!(":{name}"),
        Token::Mark(mark) => mark.to_string(),
    }
}

fn tokens(sql: &str, back: Back) -> Result<Vec<Token>, String> {
    let mut text = Text { rest: sql.chars(), back };
    let mut tokens = Vec::new();
    while let Some(c) = text.rest.next() {
        let last = tokens.last();
        let token = match c {
            '\'' | '"' => {
                let escapes = match back {
                    Back::MySql => true,
                    // E'…' is the text with backslashes.
                    Back::Postgres => {
                        c == '\'' && matches!(last, Some(Token::Word(word)) if word.eq_ignore_ascii_case("e"))
                    }
                    Back::Sqlite => false,
                };
                Token::Kept(text.quoted(c, c, escapes)?)
            }
            '`' if back != Back::Postgres => Token::Kept(text.quoted(c, c, false)?),
            '[' if back == Back::Sqlite => Token::Kept(text.quoted(c, ']', false)?),
            '-' if text.begins_line_comment() => Token::Comment(text.line(c)),
            '#' if back == Back::MySql => Token::Comment(text.line(c)),
            '/' if text.at(0) == Some('*') => Token::Comment(text.block()?),
            '$' => text.dollar()?,
            ':' => text.colon()?,
            '?' if back != Back::Postgres => return Err(text.named('?')),
            '@' if back == Back::Sqlite => return Err(text.named('@')),
            c if begins_word(c) => Token::Word(text.word(c)),
            // So that the letters of a number begin no word.
            c if c.is_ascii_digit() => Token::Kept(text.word(c)),
            c => Token::Mark(c),
        };
        tokens.push(token);
    }
    Ok(tokens)
}

fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// What is left of a query.
struct Text<'s> {
    rest: std::str::Chars<'s>,
    back: Back,
}

impl Text<'_> {
    fn at(&self, place: usize) -> Option<char> {
        self.rest.clone().nth(place)
    }

    fn named(&self, mark: char) -> String {
        format!("has a {mark:?} outside quotation marks; write a parameter by its name, such as :order")
    }

    /// A quoted text from behind its first mark; a doubled last mark stands for itself.
    fn quoted(&mut self, first: char, last: char, escapes: bool) -> Result<String, String> {
        let mut text = String::from(first);
        while let Some(c) = self.rest.next() {
            text.push(c);
            if c == '\\' && escapes {
                text.extend(self.rest.next());
            } else if c == last {
                if self.at(0) != Some(last) || last == ']' {
                    return Ok(text);
                }
                text.extend(self.rest.next());
            }
        }
        Err(format!("has a {first:?} that is never closed; close it"))
    }

    /// Behind a `-`. In MySQL two of them are a comment only where a blank follows.
    fn begins_line_comment(&self) -> bool {
        let blank =
            self.back != Back::MySql || self.at(1).is_none_or(|c| c.is_whitespace() || c.is_control());
        self.at(0) == Some('-') && blank
    }

    fn line(&mut self, first: char) -> String {
        let mut text = String::from(first);
        for c in self.rest.by_ref() {
            text.push(c);
            if c == '\n' {
                break;
            }
        }
        text
    }

    /// A comment from behind its `/`; in PostgreSQL they nest.
    fn block(&mut self) -> Result<String, String> {
        self.rest.next();
        // MySQL and MariaDB run what stands in such a one.
        if self.back == Back::MySql && matches!(self.at(0), Some('!' | 'M')) {
            return Err("has a comment that MySQL runs (`/*!`); write it without the comment".to_owned());
        }
        let mut text = "/*".to_owned();
        let mut depth = 1;
        while let Some(c) = self.rest.next() {
            text.push(c);
            let pair = match (c, self.at(0)) {
                ('*', Some('/')) => -1,
                ('/', Some('*')) if self.back == Back::Postgres => 1,
                _ => continue,
            };
            text.extend(self.rest.next());
            depth += pair;
            if depth == 0 {
                return Ok(text);
            }
        }
        Err("has a `/*` that is never closed; close it".to_owned())
    }

    /// Behind a `$`: a quoted text of PostgreSQL, or a placeholder that is not written by name.
    fn dollar(&mut self) -> Result<Token, String> {
        if self.back == Back::MySql {
            return Ok(Token::Mark('$'));
        }
        let tag: String = self.rest.clone().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let length = tag.chars().count();
        let numbered = tag.starts_with(|c: char| c.is_ascii_digit());
        if self.back == Back::Sqlite || numbered || self.at(length) != Some('$') {
            return Err(self.named('$'));
        }
        let mark = format!("${tag}$");
        let mut text = mark.clone();
        self.rest.by_ref().take(length + 1).for_each(drop);
        for c in self.rest.by_ref() {
            text.push(c);
            if c == '$' && text.len() >= 2 * mark.len() && text.ends_with(&mark) {
                return Ok(Token::Kept(text));
            }
        }
        Err(format!("has a {mark} that is never closed; close it"))
    }

    /// Behind a `:`: a cast, a name, or a mark of its own.
    fn colon(&mut self) -> Result<Token, String> {
        match self.at(0) {
            Some(':') => {
                self.rest.next();
                Ok(Token::Kept("::".to_owned()))
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                self.rest.next();
                Ok(Token::Name(self.word(c)))
            }
            _ if self.back == Back::Sqlite => Err(self.named(':')),
            _ => Ok(Token::Mark(':')),
        }
    }

    fn word(&mut self, first: char) -> String {
        let mut word = String::from(first);
        let dollar = self.back != Back::Sqlite;
        while let Some(c) = self.at(0).filter(|c| c.is_alphanumeric() || *c == '_' || *c == '$' && dollar) {
            word.push(c);
            self.rest.next();
        }
        word
    }
}

mod tests;
