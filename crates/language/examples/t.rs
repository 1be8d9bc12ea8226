//! t
use mostrador_language::*;
fn main() {
    let t = std::time::Instant::now();
    let r = Refusals::new(&Packs::default(), &Category::ALL, &Default::default()).unwrap();
    let _ = r.check(&Normal::of("Where is my order?"));
    eprintln!("first check with toml {:?}", t.elapsed());
    let mut best = std::time::Duration::MAX;
    for _ in 0..std::env::args().count() - 1 {
        let t = std::time::Instant::now();
        let r = Refusals::new(&Packs::default(), &Category::ALL, &Default::default()).unwrap();
        let _ = r.check(&Normal::of("Where is my order?"));
        best = best.min(t.elapsed());
    }
    eprintln!("best {best:?}");
}
