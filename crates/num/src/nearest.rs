//! "Did you mean": the known word closest to a mistyped one, by the number of insertions, deletions,
//! substitutions and swaps of neighbours that lead from one to the other.

/// Words longer than this are not compared; nobody mistypes them.
const LONGEST: usize = 64;

/// The candidate closest to `word`, if it is close enough to be what was meant: at most one edit per three
/// characters. A candidate that differs only in case is closest; among equals the first wins. A name of one
/// letter is suggested for a word with that letter in it, if no other name is as close.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let allowed = lower.chars().count().div_ceil(3).max(1);
    let length = |c: &str| c.chars().count();
    let close: Vec<((usize, bool), &str)> = candidates
        .into_iter()
        .filter(|c| *c != word && c.len() <= LONGEST && word.len() <= LONGEST)
        .map(|c| (edits(&lower, &c.to_lowercase()), c))
        .filter(|(d, c)| *d <= allowed && *d < length(c).max(length(&lower)))
        .map(|(d, c)| ((d, d >= length(c)), c))
        .collect();
    let least = close.iter().map(|(rank, _)| *rank).min()?;
    let mut closest = close.iter().filter(|(rank, _)| *rank == least);
    let (_, first) = closest.next()?;
    let is_one_of_several = least.1 && closest.next().is_some();
    (!is_one_of_several).then_some(first)
}

/// The candidate closest to `word` as a question that begins what follows, or nothing.
pub fn meant<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map(|close| format!("did you mean `{close}`? ")).unwrap_or_default()
}

/// Optimal string alignment distance.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        rows[i][0] = i;
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_words_are_found_and_distant_ones_are_not() {
        let known = ["friction", "restitution", "compliance", "point", "theta", "x"];
        assert_eq!(nearest("fricton", known), Some("friction"));
        assert_eq!(nearest("Friction", known), Some("friction"));
        assert_eq!(nearest("piont", known), Some("point"));
        assert_eq!(nearest("thta", known), Some("theta"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("q", known), None, "one letter for another is no misspelling");
        assert_eq!(nearest(&"a".repeat(100_000), known), None);
    }

    #[test]
    fn names_of_one_letter_are_suggested_where_no_other_is_as_close() {
        assert_eq!(nearest("yy", ["x", "y", "m", "mu"]), Some("y"));
        assert_eq!(nearest("yx", ["x", "y", "m", "mu"]), None, "x and y are as close");
        assert_eq!(nearest("mz", ["m", "mu"]), Some("mu"));
        assert_eq!(nearest("X", ["x", "y"]), Some("x"));
        assert_eq!(nearest("", ["x", "y"]), None);
    }

    #[test]
    fn distance_counts_a_swap_once() {
        assert_eq!(edits("ab", "ba"), 1);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("kitten", "sitting"), 3);
    }
}
