//! tmp
use std::io::BufRead;
fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (lang, text) = line.split_once('\t').unwrap();
        println!("{lang}: {text}");
        for v in mostrador_language::Pack::builtin(lang.parse().unwrap()).unwrap().values(text) {
            println!(
                "    {:?} {} {:?} {:?}",
                &text[v.span.clone()],
                serde_json::to_string(&v.kind).unwrap(),
                v.bound,
                v.period
            );
        }
    }
}
