//! What questions will cost: at the rate of the suite, and at worst.

use mostrador_answer::budget::turn_bound;
use mostrador_answer::message::{Block, MarkedDocument, Message, Request, Role};
use mostrador_answer::money::{MILLION, Micros, Prices, Usage};
use mostrador_shop::{Counter, ShopError};

/// The bytes of the longest character: what a question's characters can be at most.
const BYTES_A_CHARACTER: usize = 4;

/// The longest title of a thing that a customer points to, in characters.
const MOST_OF_AN_ITEM: usize = 80;

/// The most a thousand questions can cost: each as long as may be, with the longest passages, every
/// step taken, and as many and as long results and replies as is allowed.
///
/// # Errors
/// [`ShopError`] where a look-up cannot be built or the index cannot be read.
pub async fn worst_per_1000(counter: &Counter) -> Result<Micros, ShopError> {
    let shop = counter.shop();
    let settings = shop.settings();
    // Records come in another number than passages, whichever is more.
    let most = settings.retrieval.top_k.max(settings.route.records);
    let longest = |documents: &mut Vec<MarkedDocument>| {
        documents.sort_by_key(|document| std::cmp::Reverse(document.to_string().len()));
        documents.truncate(most);
    };
    let mut documents: Vec<MarkedDocument> = Vec::new();
    for passage in counter.snapshot().await?.passages() {
        documents.push(MarkedDocument::of(&*passage?));
        // A few are held at a time, however many there are.
        if documents.len() > most + 1_000 {
            longest(&mut documents);
        }
    }
    longest(&mut documents);
    let question = "x".repeat(settings.intake.max_characters * BYTES_A_CHARACTER);
    // The question is embedded as it is, with what it means besides, and with the owner's name.
    let embedded = Usage::new(4 * question.len() as u64, 0);
    let price = settings.retrieval.embed_price.unwrap_or_default();
    let embedding = Prices { input_per_million: price, ..Prices::default() }.exact(embedded);
    let item = "x".repeat(MOST_OF_AN_ITEM * BYTES_A_CHARACTER);
    let content = vec![Block::Documents(documents), Block::Item(item), Block::Text(question)];
    let request = Request {
        system: settings.dialogue.system.clone(),
        messages: vec![Message { role: Role::User, content }],
        tools: shop.lookups()?.iter().map(|lookup| lookup.spec().clone()).collect(),
        max_output_tokens: settings.dialogue.max_output_tokens,
        language: shop.language(),
        reading: shop.language(),
        overview: false,
        output_schema: None,
    };
    let bound = turn_bound(&request, &settings.dialogue);
    let exact = settings.budget.most.exact(bound).saturating_add(embedding);
    let per_1000 = exact.saturating_mul(1_000).div_ceil(MILLION);
    Ok(Micros(u64::try_from(per_1000).unwrap_or(u64::MAX)))
}
