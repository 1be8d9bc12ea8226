//! A look-up over a table of records in a file: orders, bookings, whatever has a number.

use std::collections::HashMap;

use async_trait::async_trait;
use mostrador_answer::message::{Input, LookupSpec, Outcome, Parameter};
use mostrador_answer::ports::{Lookup, LookupResult};
use mostrador_answer::question::CustomerId;
use regex::Regex;

use crate::config::{TableConfig, check_columns, read};
use crate::error::LookupError;
use crate::template::Template;
use crate::texts::{Fixed, LONGEST};

/// A table of records, read once when it is loaded; a later change of the file is seen by loading anew.
///
/// Numbers are compared exactly, after white space around them is taken off. With an owner column, a
/// record exists for its owner alone: for everybody else, signed or not, the result is the very one of a
/// number that nobody has. A record with an empty owner then exists for nobody.
#[derive(Debug)]
pub struct TableLookup {
    spec: LookupSpec,
    key: String,
    pattern: Option<Regex>,
    public: bool,
    records: HashMap<String, Record>,
    texts: Fixed,
}

#[derive(Debug)]
struct Record {
    line: usize,
    owner: String,
    result: String,
}

impl TableLookup {
    /// Reads and checks the table.
    ///
    /// # Errors
    /// [`LookupError`], naming the file and, where it has one, the line: no such file, not UTF-8, no table,
    /// a column that is missing or doubled, a row of the wrong length, a number that is empty, doubled or
    /// outside the pattern, a value over several lines, a pattern that is no regular expression, a result
    /// that names no column.
    pub fn load(config: TableConfig) -> Result<Self, LookupError> {
        let pattern = config.pattern.as_deref().map(|pattern| compile(&config.name, pattern)).transpose()?;
        let template = Template::parse(&config.result);
        if template.columns().next().is_none() {
            return Err(LookupError::NoColumn { name: config.name, key: config.key });
        }
        let texts = Fixed::of(&config.name, &config.texts)?;
        let rows = read(&config)?;
        check_columns(&config, &template, &rows)?;
        let mut records: HashMap<String, Record> = HashMap::with_capacity(rows.rows.len());
        for row in rows.rows {
            let (file, line) = (config.shown.clone(), row.line);
            let value = |column: &str| row.values.get(column).map(String::as_str);
            let key = value(&config.key).unwrap_or_default().to_owned();
            if key.is_empty() {
                return Err(LookupError::EmptyKey { file, line, column: config.key });
            }
            if let Some(first) = records.get(&key).map(|record| record.line) {
                // TOML gives its records by key, not by line.
                let (first, line) = (first.min(line), first.max(line));
                return Err(LookupError::DuplicateKey { file, line, first, key });
            }
            if !fits(pattern.as_ref(), &key) {
                let pattern = config.pattern.unwrap_or_default();
                return Err(LookupError::KeyOutsidePattern { file, line, key, pattern });
            }
            let owner = config.owner.as_deref().and_then(value).unwrap_or_default().to_owned();
            records.insert(key, Record { line, owner, result: template.fill(value) });
        }
        let spec = LookupSpec {
            name: config.name,
            description: config.description,
            parameters: vec![Parameter { name: config.key.clone(), pattern: config.pattern }],
            schema: None,
            needs_customer: config.owner.is_some(),
            trust: config.trust,
            timeout: config.timeout,
        };
        Ok(Self { spec, key: config.key, pattern, public: config.owner.is_none(), records, texts })
    }

    /// How many records there are.
    #[must_use]
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// The number asked for, or what is said of arguments that do not fit.
    fn number<'a>(&self, input: &'a Input) -> Result<&'a str, LookupResult> {
        let Some(value) = input.get(&self.key) else {
            return Err(self.texts.missing(&self.key));
        };
        if let Some(other) = input.keys().find(|field| **field != self.key) {
            return Err(self.texts.bad(other));
        }
        let number = value.as_str().map(str::trim).filter(|number| fits(self.pattern.as_ref(), number));
        number.ok_or_else(|| self.texts.bad(&self.key))
    }

    fn exists_for(&self, record: &Record, caller: Option<&CustomerId>) -> bool {
        self.public || !record.owner.is_empty() && caller.is_some_and(|caller| caller.0 == record.owner)
    }
}

#[async_trait]
impl Lookup for TableLookup {
    fn spec(&self) -> &LookupSpec {
        &self.spec
    }

    async fn look(&self, input: &Input, caller: Option<&CustomerId>) -> LookupResult {
        let number = match self.number(input) {
            Ok(number) => number,
            Err(result) => return result,
        };
        match self.records.get(number).filter(|record| self.exists_for(record, caller)) {
            Some(record) => LookupResult { outcome: Outcome::Found, content: record.result.clone() },
            None => self.texts.unknown(&[(&self.key, number.to_owned())]),
        }
    }
}

fn compile(name: &str, pattern: &str) -> Result<Regex, LookupError> {
    // By itself first: "a)|(b" would only become an expression, and another one, between the brackets.
    let compiled = Regex::new(pattern).and_then(|_| Regex::new(&format!(r"\A(?:{pattern})\z")));
    compiled.map_err(|error| LookupError::BadPattern {
        name: name.to_owned(),
        pattern: pattern.to_owned(),
        detail: error.to_string(),
    })
}

fn fits(pattern: Option<&Regex>, number: &str) -> bool {
    match pattern {
        Some(pattern) => pattern.is_match(number),
        None => !number.is_empty() && number.chars().nth(LONGEST).is_none(),
    }
}
