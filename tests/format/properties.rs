//! Random expressions survive printing, and random bytes and random changes of good files do no harm.

use crate::samples;
use crate::shared::{PLANE, checked, faults, shown};
use mechan::diag::Span;
use mechan::expression::{BinaryOp, Env, Expr, Function, Names, Node, Scope, SourceMap, Symbol, parse};
use mechan::format::Override;
use num_rational::BigRational;
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn names() -> Names {
    let own = |list: &[&str]| list.iter().map(|n| (*n).to_owned()).collect();
    Names { parameters: own(&["m", "l_2", "Mu"]), coordinates: own(&["x", "theta"]), definitions: Vec::new() }
}

fn expr(node: Node) -> Expr {
    Expr { node, span: Span::default() }
}

fn leaves() -> impl Strategy<Value = Expr> {
    let decimal = (0_i64..1_000_000_000, 0_u32..12)
        .prop_map(|(n, d)| Node::Number(BigRational::new(n.into(), num_traits::pow(10.into(), d as usize))));
    let symbol = prop_oneof![
        Just(Symbol::Time),
        (0..2_usize).prop_map(Symbol::Coordinate),
        (0..2_usize).prop_map(Symbol::Rate),
        (0..3_usize).prop_map(Symbol::Parameter),
    ];
    prop_oneof![decimal, Just(Node::Pi), symbol.prop_map(Node::Symbol)].prop_map(expr)
}

/// Trees that the parser can make: literals are nonnegative decimals.
fn trees() -> impl Strategy<Value = Expr> {
    leaves().prop_recursive(7, 60, 2, |inner| {
        let op = prop::sample::select(vec![
            BinaryOp::Add,
            BinaryOp::Subtract,
            BinaryOp::Multiply,
            BinaryOp::Divide,
            BinaryOp::Power,
        ]);
        let function = prop::sample::select(Function::ALL.map(|(_, f)| f).to_vec());
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (op, pair.clone()).prop_map(|(op, (x, y))| Node::Binary(op, Box::new(x), Box::new(y))),
            inner.prop_map(|x| Node::Negate(Box::new(x))),
            (function, pair).prop_map(|(f, (x, y))| {
                Node::Call(f, [x.clone(), y, x].into_iter().take(f.arity()).collect())
            }),
        ]
        .prop_map(expr)
    })
}

/// The same but for white space and sign of nothing: places in the text show which part is which.
fn slices_read_back(tree: &Expr, text: &str, scope: &Scope) -> Result<(), TestCaseError> {
    let slice = &text[tree.span.start..tree.span.end];
    let read = parse(slice, scope, &SourceMap::From(0))
        .map_err(|e| TestCaseError::fail(format!("{slice}: {e:?}")))?;
    prop_assert_eq!(read.without_places(), tree.without_places(), "{}", slice);
    match &tree.node {
        Node::Number(_) | Node::Pi | Node::Symbol(_) | Node::Definition(_) | Node::DefinitionRate(_) => {
            Ok(())
        }
        Node::Negate(x) => slices_read_back(x, text, scope),
        Node::Binary(_, x, y) => {
            slices_read_back(x, text, scope).and_then(|()| slices_read_back(y, text, scope))
        }
        Node::Call(_, list) => list.iter().try_for_each(|x| slices_read_back(x, text, scope)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn printed_trees_read_back_and_have_the_same_value(tree in trees(), x in prop::array::uniform8(-3.0..3.0_f64)) {
        let names = names();
        let scope = Scope::velocity(&names, "an expression");
        let text = tree.display(&names).to_string();
        let read = parse(&text, &scope, &SourceMap::From(0)).map_err(|e| TestCaseError::fail(format!("{text}: {e:?}")))?;
        prop_assert_eq!(read.without_places(), tree.clone(), "{}", text);
        let env = Env { t: x[0], q: &x[1..3], v: &x[3..5], parameters: &x[5..8], definitions: &[] };
        prop_assert_eq!(read.eval(&env).to_bits(), tree.eval(&env).to_bits(), "{}", text);
        slices_read_back(&read, &text, &scope)?;
    }

    #[test]
    fn written_trees_come_back_with_their_places(tree in trees()) {
        let json = serde_json::to_string(&tree).unwrap();
        prop_assert_eq!(serde_json::from_str::<Expr>(&json).unwrap(), tree);
    }

    #[test]
    fn arbitrary_text_is_parsed_or_refused_at_a_place_inside(text in "[-+*/^(),.0-9a-zA-Z_ \\n\u{b5}é]{0,60}") {
        let names = names();
        let place = SourceMap::From(7);
        for fault in parse(&text, &Scope::velocity(&names, "an expression"), &place).err().unwrap_or_default() {
            let span = fault.span.unwrap();
            prop_assert!(7 <= span.start && span.start <= span.end && span.end <= 7 + text.len(), "{:?}", fault);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn arbitrary_overrides_are_read_or_refused_at_a_place_inside(
        name in "(m|mu|x|y|t|dot\\((x|y|)\\)|[ =a-z(µ]{0,4})", value in "[-+*/^(). 0-9mxytµ]{0,12}"
    ) {
        let mechanism = checked(PLANE).mechanism;
        let text = format!("{name}={value}");
        match Override::parse(&mechanism, &text) {
            Ok(set) => drop(mechanism.resolve(&mechanism.states[0], &[set])),
            Err(fault) => {
                prop_assert!(fault.span.is_none_or(|s| s.start <= s.end && s.end <= text.len()), "{:?}", fault);
            }
        }
    }
}

/// What one change does to bytes.
#[derive(Clone, Debug)]
enum Change {
    Remove(usize, usize),
    Insert(usize, Vec<u8>),
    Repeat(usize, usize, usize),
    Swap(usize, usize),
}

fn changes() -> impl Strategy<Value = Change> {
    #[rustfmt::skip]
    let words = vec![
        "[", "]", "{", "}", ":", ": ", "- ", "\n", "\n  ", "\t", "#", "&a ", "*a", "!t ", "|\n", ">\n", "'", "\"", "\\",
        "?", "%", "---\n", "...\n", "<<: ", "dot(", "(", ")", "^", "1e999", ".nan", "null", "~", "\u{feff}", "\u{2028}",
        "é", "\u{1f6de}", "\r\n", "\r", "\0",
    ];
    let text = prop_oneof![
        4 => prop::sample::select(words).prop_map(|w| w.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    let at = 0..100_000_usize;
    prop_oneof![
        (at.clone(), 1..40_usize).prop_map(|(i, n)| Change::Remove(i, n)),
        (at.clone(), text).prop_map(|(i, w)| Change::Insert(i, w)),
        (at.clone(), 1..60_usize, 1..20_usize).prop_map(|(i, n, k)| Change::Repeat(i, n, k)),
        (at.clone(), at).prop_map(|(i, j)| Change::Swap(i, j)),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    let place = |i: usize, n: usize| i % n.max(1);
    let n = bytes.len();
    match change {
        Change::Remove(i, k) => drop(bytes.drain(place(*i, n)..(place(*i, n) + k).min(n))),
        Change::Insert(i, word) => drop(bytes.splice(place(*i, n)..place(*i, n), word.iter().copied())),
        Change::Repeat(i, k, times) => {
            let part = bytes[place(*i, n)..(place(*i, n) + k).min(n)].repeat(*times);
            drop(bytes.splice(place(*i, n)..place(*i, n), part));
        }
        Change::Swap(i, j) if n > 0 => bytes.swap(place(*i, n), place(*j, n)),
        Change::Swap(..) => {}
    }
}

/// Reads bytes to the end, states and all; what is found must lie in the text and can be shown.
fn read_whole(bytes: &[u8]) -> Result<(), TestCaseError> {
    let start = Instant::now();
    let (source, found) = faults(bytes);
    for fault in &found {
        let Some(span) = fault.span else { continue };
        prop_assert!(span.start <= span.end && span.start <= source.text.len(), "{:?}", fault);
        prop_assert!(source.text.is_char_boundary(span.start), "{:?}", fault);
    }
    let text = shown(&found, &source);
    prop_assert!(text.len() < 50_000, "{} bytes", text.len());
    prop_assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn arbitrary_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_whole(&bytes)?;
    }

    #[test]
    fn arbitrary_lines_of_yaml_are_read_or_refused(text in "([ ]{0,4}[-a-c:\\[\\]{}&*!|>'\"#?, ]{0,12}\n){0,12}") {
        read_whole(text.as_bytes())?;
    }

    #[test]
    fn changed_files_are_read_or_refused(which in 0..3_usize, list in prop::collection::vec(changes(), 1..6)) {
        let mut bytes = [PLANE, samples::PLANE, samples::SPACE][which].as_bytes().to_vec();
        list.iter().for_each(|change| apply(&mut bytes, change));
        read_whole(&bytes)?;
    }
}
