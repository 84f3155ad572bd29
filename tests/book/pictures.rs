//! Pictures of the book are what the commands beside them draw. `BOOK_PICTURES=write` puts those that were drawn into `docs/img`.

use std::path::Path;

/// How far coordinates may be apart, in units of a picture: sines differ in their last bits.
const NEAR: f64 = 0.05;

/// Faults of the pictures in a folder beside those of the book with the same names.
pub(crate) fn of_page(drawn: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    for entry in std::fs::read_dir(drawn).unwrap() {
        let path = entry.unwrap().path();
        let kept = Path::new("docs/img").join(path.file_name().unwrap());
        let new = std::fs::read_to_string(&path).unwrap();
        if std::env::var("BOOK_PICTURES").is_ok_and(|word| word == "write") {
            std::fs::write(&kept, new).unwrap();
        } else if !std::fs::read_to_string(&kept).is_ok_and(|old| same(&old, &new)) {
            faults.push(format!(
                "{} is not what is drawn now; BOOK_PICTURES=write draws it anew",
                kept.display()
            ));
        }
    }
    faults
}

/// The same words, and numbers that are near.
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (parts(a), parts(b));
    let near = |(x, y): (&String, &String)| match (x.parse::<f64>(), y.parse::<f64>()) {
        (Ok(x), Ok(y)) => (x - y).abs() <= NEAR,
        _ => x == y,
    };
    a.len() == b.len() && a.iter().zip(&b).all(near)
}

/// Numbers and what stands between them.
fn parts(text: &str) -> Vec<String> {
    let number = |c: char| c.is_ascii_digit() || c == '.';
    let mut parts: Vec<String> = Vec::new();
    for c in text.chars() {
        match parts.last_mut() {
            Some(last) if last.chars().all(number) == number(c) => last.push(c),
            _ => parts.push(c.to_string()),
        }
    }
    parts
}

#[test]
fn pictures_that_differ_are_seen() {
    assert!(same("<path d=\"M1 2.001\"/>", "<path d=\"M1 2.002\"/>"));
    assert!(!same("<path d=\"M1 2\"/>", "<path d=\"M1 3\"/>"));
    assert!(!same("<path d=\"M1 2\"/>", "<line d=\"M1 2\"/>"));
}
