//! Table 4 against the printed one, its duality, and random members of each subclass.

use mechan::analysis::several::{Class, two_contact_table};
use mechan::num::Tol;
use mechan::num::random::Stream;
use mechan::predict::{Consistency, Mode, Stability, with_response};

/// Class, dual, FF | SS | SF | FS | IF | FI | II as printed [CV16 Table 4].
#[rustfmt::skip]
const PRINTED: [(&str, &str, [&str; 4], [bool; 3]); 16] = [
    ("11", "11", ["5",     "2",     "1 2 6", "2 3 4"], [false, false, false]),
    ("12", "12", ["5",     "2",     "1 6",   "3 4"],   [false, false, false]),
    ("13", "41", ["5",     "2 3",   "1 6",   "4"],     [false, false, false]),
    ("14", "31", ["4 5",   "2 3 4", "1 6",   "4"],     [false, false, true]),
    ("15", "32", ["4 5",   "1 5 6", "1 6",   "4"],     [false, false, true]),
    ("16", "21", ["4",     "1 6",   "1 5 6", "4 5"],   [false, true,  false]),
    ("22", "45", ["5",     "3",     "4 5",   "3 4"],   [true,  false, false]),
    ("23", "46", ["5",     "3",     "3 4 5", "4"],     [true,  false, false]),
    ("24", "36", ["4 5",   "3 4",   "3 4 5", "4"],     [true,  false, true]),
    ("25", "25", ["4",     "3 4 5", "3 4",   "4 5"],   [true,  true,  true]),
    ("26", "26", ["4",     "1 2 6", "3 4",   "4 5"],   [true,  true,  false]),
    ("33", "44", ["4 5",   "3 4",   "5",     "3"],     [false, false, true]),
    ("34", "34", ["3 4 5", "4",     "5",     "3"],     [false, false, true]),
    ("35", "35", ["3 4 5", "4",     "4 5",   "3 4"],   [false, false, true]),
    ("42", "42", ["4",     "1 2 6", "5",     "3"],     [false, false, false]),
    ("43", "43", ["4",     "3 4 5", "5",     "3"],     [false, false, true]),
];

fn numbers(text: &str) -> Vec<usize> {
    text.split_whitespace().map(|x| x.parse().unwrap()).collect()
}

fn modes(class: &Class) -> [&Vec<usize>; 4] {
    [&class.free, &class.both, &class.first, &class.second]
}

/// The marks of IF, FI, II. Where the class is 16 or 22 the printed table does not say under which contact its x stands once its
/// columns are lost: the conditions P11 < 0 < P21 and P22 < 0 < P12 do.
fn marks(class: &Class) -> [bool; 3] {
    let iwc = &class.impact_without_collision;
    [&iwc.first, &iwc.second, &iwc.both].map(|word| word == "always")
}

#[test]
fn the_table_is_the_printed_one() {
    let table = two_contact_table();
    assert_eq!(table.classes.len(), 24);
    for (name, dual, printed, impacts) in PRINTED {
        let class = &table.classes[name];
        for (found, printed) in modes(class).into_iter().zip(printed) {
            assert_eq!(*found, numbers(printed), "class {name}");
        }
        assert_eq!(marks(class), impacts, "class {name}");
        let other = &table.classes[dual];
        // mirrored at the diagonal the first contact is the second one
        let swapped = [&other.free, &other.both, &other.second, &other.first];
        for (own, other) in modes(class).into_iter().zip(swapped) {
            assert_eq!(own.len(), other.len(), "{name} and its dual {dual}");
        }
        let [first, second, both] = marks(other);
        assert_eq!(marks(class), [second, first, both]);
    }
}

#[test]
fn stability_is_that_of_the_shading() {
    let table = two_contact_table();
    for (name, class) in &table.classes {
        let first = name.as_bytes()[0];
        assert_eq!(class.stability.first == Stability::Stable, [b'1', b'4'].contains(&first), "{name}");
        let expected = match name.as_str() {
            "13" | "41" | "14" | "31" | "23" | "46" => Stability::Conditional,
            "12" | "42" => Stability::Stable,
            _ => Stability::Unstable,
        };
        assert_eq!(class.stability.both, expected, "{name}");
    }
}

#[test]
fn the_code_decides_the_modes() {
    let (table, mut random, mut seen) = (two_contact_table(), Stream(5), std::collections::BTreeSet::new());
    let tol = Tol::default();
    for _ in 0..4000 {
        let mut number = || random.within(-1.0, 1.0);
        let (P, b) = ([[number(), number()], [number(), number()]], [number(), number()]);
        let contacts = with_response(P, b);
        let two = contacts.two_contacts(&tol).unwrap();
        let code = two.subclass.unwrap();
        assert_eq!(Some(&code[..2]), two.class.as_deref());
        let (class, last) = (&table.classes[&code[..2]], code[2..].parse().unwrap());
        for judged in contacts.decide(&tol).modes {
            let list = match (judged.modes[0] == Mode::Free, judged.modes[1] == Mode::Free) {
                (true, true) => &class.free,
                (false, false) => &class.both,
                (false, true) => &class.first,
                (true, false) => &class.second,
            };
            assert_eq!(judged.consistency == Consistency::Yes, list.contains(&last), "{code} {P:?} {b:?}");
        }
        seen.insert(code);
    }
    assert_eq!(seen.len(), 144, "every subclass was met");
}
