//! The local embedder against a service that runs the same model, where both are there.
//!
//! `MOSTRADOR_E5_FOLDER`: a folder of multilingual-e5-small. `MOSTRADOR_E5_SERVER`: the address of a service that
//! serves it and puts the prefixes itself (`input_type`).

use std::path::PathBuf;
use std::time::Duration;

use mostrador_answer::ports::{Embed, EmbedAs};
use mostrador_models::{LocalEmbedder, LocalSettings, ServiceEmbedder, ServiceSettings};

const TEXTS: [&str; 8] = [
    "¿Cuánto tarda el envío?",
    "Shipping takes two to three working days within Spain.",
    "Доставката отнема два до три работни дни.",
    "配送需要两到三个工作日。",
    "يستغرق الشحن من يومين إلى ثلاثة أيام عمل.",
    "डिलीवरी में दो से तीन दिन लगते हैं।",
    "",
    "a",
];

fn local() -> Option<LocalEmbedder> {
    let Some(folder) = std::env::var_os("MOSTRADOR_E5_FOLDER").map(PathBuf::from) else {
        eprintln!("SKIPPED: MOSTRADOR_E5_FOLDER names no model folder");
        return None;
    };
    let settings = LocalSettings {
        shown: folder.display().to_string(),
        folder,
        query_prefix: "query: ".to_owned(),
        passage_prefix: "passage: ".to_owned(),
    };
    Some(LocalEmbedder::new(settings).unwrap())
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_are_those_of_a_service_with_the_same_model() {
    let Some(local) = local() else { return };
    let Ok(base_url) = std::env::var("MOSTRADOR_E5_SERVER") else {
        eprintln!("SKIPPED: MOSTRADOR_E5_SERVER names no service to compare with");
        return;
    };
    let service = ServiceEmbedder::new(ServiceSettings {
        base_url,
        model: "e5".to_owned(),
        key_env: None,
        key: None,
        batch: 3,
        timeout: Duration::from_secs(60),
        retries: 0,
        pause: Duration::from_millis(1),
        query_prefix: String::new(),
        passage_prefix: String::new(),
        input_type: true,
        dimensions: None,
    })
    .unwrap();
    let long = "Shipping takes three days. ".repeat(60);
    // Services disagree about what an empty text is.
    let texts: Vec<&str> = TEXTS.into_iter().filter(|text| !text.is_empty()).chain([long.as_str()]).collect();
    for role in [EmbedAs::Query, EmbedAs::Passage] {
        let ours = local.embed(&texts, role).await.unwrap();
        let theirs = service.embed(&texts, role).await.unwrap();
        for ((ours, theirs), text) in ours.iter().zip(&theirs).zip(&texts) {
            let cosine = cosine(ours, theirs);
            println!("{role:?} {cosine:.6}");
            assert!(cosine >= 0.999, "{role:?} {text}: {cosine}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_has_the_same_vector_alone_and_among_others() {
    let Some(local) = local() else { return };
    let together = local.embed(&TEXTS, EmbedAs::Passage).await.unwrap();
    assert_eq!(together.len(), TEXTS.len());
    for (text, together) in TEXTS.iter().zip(&together) {
        let alone = local.embed(&[text], EmbedAs::Passage).await.unwrap();
        let length: f32 = alone[0].iter().map(|number| number * number).sum();
        assert!((length - 1.0).abs() < 1e-4, "{length}");
        assert!(cosine(&alone[0], together) > 0.99999, "{text}");
    }
    assert!(local.embed(&[], EmbedAs::Query).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_beyond_the_limit_is_cut_and_not_refused() {
    let Some(local) = local() else { return };
    let long = "palabra ".repeat(5_000);
    let vectors = local.embed(&[&long], EmbedAs::Passage).await.unwrap();
    assert!(vectors[0].iter().all(|number| number.is_finite()));
}

#[tokio::test]
async fn broken_folders_are_named_and_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let settings = |query: &str| LocalSettings {
        folder: folder.path().to_owned(),
        shown: "models/broken".to_owned(),
        query_prefix: query.to_owned(),
        passage_prefix: String::new(),
    };
    let missing = LocalEmbedder::new(settings("")).err().unwrap().to_string();
    assert!(missing.contains("models/broken") && missing.contains("config.json"), "{missing}");
    let config = r#"{"model_type":"bert","hidden_size":4,"num_hidden_layers":1,"num_attention_heads":1,
        "intermediate_size":4,"hidden_act":"gelu","max_position_embeddings":8,"type_vocab_size":1,"vocab_size":2,
        "layer_norm_eps":1e-12}"#;
    let header =
        r#"{"embeddings.word_embeddings.weight":{"dtype":"F16","shape":[2,4],"data_offsets":[0,16]}}"#;
    let mut cut = (header.len() as u64).to_le_bytes().to_vec();
    cut.extend(header.as_bytes());
    let weights: [(&[u8], &str); 4] = [
        (b"", "model.safetensors does not fit"),
        (&[255; 64], "model.safetensors does not fit"),
        (&cut, "model.safetensors"),
        (b"\x02\0\0\0\0\0\0\0{}", "word_embeddings"),
    ];
    for (bytes, says) in weights {
        std::fs::write(folder.path().join("config.json"), config).unwrap();
        std::fs::write(folder.path().join("tokenizer.json"), "{}").unwrap();
        std::fs::write(folder.path().join("model.safetensors"), bytes).unwrap();
        let embedder = LocalEmbedder::new(settings("")).unwrap();
        assert_ne!(embedder.id(), LocalEmbedder::new(settings("query: ")).unwrap().id());
        let error = embedder.embed(&["a"], EmbedAs::Query).await.unwrap_err().to_string();
        assert!(error.contains("models/broken") && error.contains(says), "{error}");
    }
}
