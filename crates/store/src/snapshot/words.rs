//! The words of a snapshot: BM25 by tantivy over our own terms, one segment in the order of the documents.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

use tantivy::collector::{Collector, SegmentCollector, TopDocs};
use tantivy::directory::{MmapDirectory, RamDirectory};
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{
    DocId, Index, IndexBuilder, IndexSettings, ReloadPolicy, Score, Searcher, SegmentOrdinal, SegmentReader,
    TantivyDocument, TantivyError, Term,
};

/// The size of the writer's first table; what it holds grows with the texts.
const FIRST_TABLE: usize = 1_000_000;

/// Scores closer than this are a tie: the same addends in another order differ in their last digits.
const STEPS: f32 = 4_096.0;

/// Candidates taken beyond the limit, among which ties are put in order.
const BEYOND: usize = 32;

const FIELD: &str = "terms";

fn schema() -> Schema {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default().set_index_option(IndexRecordOption::WithFreqs);
    schema.add_text_field(FIELD, TextOptions::default().set_indexing_options(indexing.set_tokenizer("raw")));
    schema.build()
}

/// Takes the terms of passage after passage.
pub(crate) struct WordsWriter {
    writer: SingleSegmentIndexWriter<TantivyDocument>,
    field: Field,
}

impl WordsWriter {
    /// In a folder that is there and empty, or in memory.
    pub(crate) fn new(folder: Option<&Path>) -> Result<Self, TantivyError> {
        let schema = schema();
        let field = schema.get_field(FIELD)?;
        let settings = IndexSettings {
            docstore_compression: tantivy::store::Compressor::None,
            // Nothing is stored there; a thread for it would be one too many.
            docstore_compress_dedicated_thread: false,
            ..IndexSettings::default()
        };
        let builder = IndexBuilder::new().schema(schema).settings(settings);
        let writer = match folder {
            Some(folder) => builder.single_segment_index_writer(MmapDirectory::open(folder)?, FIRST_TABLE)?,
            None => builder.single_segment_index_writer(RamDirectory::create(), FIRST_TABLE)?,
        };
        Ok(Self { writer, field })
    }

    pub(crate) fn add(&mut self, terms: Vec<String>) -> Result<(), TantivyError> {
        let token = |(position, text)| Token { position, text, ..Token::default() };
        let tokens = terms.into_iter().enumerate().map(token).collect();
        let mut document = TantivyDocument::new();
        document.add_pre_tokenized_text(self.field, PreTokenizedString { text: String::new(), tokens });
        self.writer.add_document(document)
    }

    pub(crate) fn finish(self) -> Result<Words, TantivyError> {
        Words::new(&self.writer.finalize()?)
    }
}

/// Finds passages by terms.
pub(crate) struct Words {
    searcher: Searcher,
    field: Field,
}

impl Words {
    pub(crate) fn open(folder: &Path) -> Result<Self, TantivyError> {
        Self::new(&Index::open(MmapDirectory::open(folder)?)?)
    }

    fn new(index: &Index) -> Result<Self, TantivyError> {
        let field = index.schema().get_field(FIELD)?;
        // Nothing is ever committed to it again, so nothing watches for that.
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let searcher = reader.searcher();
        if searcher.segment_readers().len() > 1 {
            return Err(TantivyError::InternalError("more than one segment".to_owned()));
        }
        Ok(Self { searcher, field })
    }

    pub(crate) fn len(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// The numbers of passages that fit and share a term, best first, ties by number. `fits`: one flag a
    /// passage; `None` where all fit.
    pub(crate) fn find(
        &self,
        terms: &[String],
        fits: Option<&[bool]>,
        limit: usize,
    ) -> Result<Vec<u32>, TantivyError> {
        let most = usize::try_from(self.len()).unwrap_or(usize::MAX);
        let limit = limit.min(most);
        let term = |term: &String| {
            let term = Term::from_field_text(self.field, term);
            (Occur::Should, Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)) as Box<dyn Query>)
        };
        let terms: Vec<_> = terms.iter().collect::<BTreeSet<_>>().into_iter().map(term).collect();
        if limit == 0 || terms.is_empty() {
            return Ok(Vec::new());
        }
        let query = BooleanQuery::new(terms);
        let wanted = (limit + BEYOND).min(most);
        let mut found: Vec<(Score, DocId)> = match fits {
            None => {
                let best = self.searcher.search(&query, &TopDocs::with_limit(wanted).order_by_score())?;
                best.into_iter().map(|(score, address)| (score, address.doc_id)).collect()
            }
            Some(fits) => self.searcher.search(&query, &Fitting { fits: fits.into(), wanted })?,
        };
        found.sort_by_key(|(score, doc)| (Reverse(step(*score)), *doc));
        Ok(found.into_iter().take(limit).map(|(_, doc)| doc).collect())
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a score is far below the bounds, and the cast stops there"
)]
fn step(score: Score) -> i64 {
    (score * STEPS).round() as i64
}

/// Collects the best of those that fit.
struct Fitting {
    fits: std::sync::Arc<[bool]>,
    wanted: usize,
}

struct Best {
    fits: std::sync::Arc<[bool]>,
    wanted: usize,
    found: Vec<(Score, DocId)>,
}

impl Best {
    fn cut(&mut self) {
        self.found.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
        self.found.truncate(self.wanted);
    }
}

impl Collector for Fitting {
    type Fruit = Vec<(Score, DocId)>;
    type Child = Best;

    fn for_segment(&self, _: SegmentOrdinal, _: &SegmentReader) -> tantivy::Result<Best> {
        Ok(Best { fits: self.fits.clone(), wanted: self.wanted, found: Vec::new() })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Self::Fruit>) -> tantivy::Result<Self::Fruit> {
        Ok(fruits.into_iter().flatten().collect())
    }
}

impl SegmentCollector for Best {
    type Fruit = Vec<(Score, DocId)>;

    fn collect(&mut self, doc: DocId, score: Score) {
        if self.fits.get(doc as usize).copied().unwrap_or(false) {
            self.found.push((score, doc));
            if self.found.len() >= self.wanted.saturating_mul(4) {
                self.cut();
            }
        }
    }

    fn harvest(mut self) -> Self::Fruit {
        self.cut();
        self.found
    }
}
