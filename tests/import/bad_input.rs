//! Descriptions with faults: each is named with its place, all at once, and nothing panics.

use crate::{MASS, imported, json, pendulum, refused, robot};
use mechan::diag::Source;
use mechan::import::{ImportOptions, import};

/// That the description is refused with a code, words and a place.
fn is_refused(text: &str, code: &str, words: &str, place: &str) {
    let (faults, shown) = refused(text);
    assert!(faults.iter().any(|f| f.code == code), "{shown}");
    assert!(shown.contains(words), "{words}\n{shown}");
    assert!(shown.contains(&format!("robot.xml:{place}")), "{place}\n{shown}");
}

#[test]
fn what_is_not_xml_is_named_with_its_place() {
    is_refused("<robot>\n  <link name=\"a\">\n</robot>", "M501", "not XML", "3:");
    is_refused("", "M501", "not XML", "1:1");
    is_refused("mechan: 1", "M501", "not XML", "1:1");
    is_refused("<robot name=\"a\" name=\"b\"/>", "M501", "name", "1:");
    is_refused("<sdf version=\"1.7\"/>", "M502", "expected <robot> (URDF) or <mujoco> (MJCF)", "1:1");
}

/// Neither the billion laughs nor nesting that would exhaust the stack.
#[test]
fn bombs_are_refused() {
    let laughs = "<?xml version=\"1.0\"?>\n<!DOCTYPE robot [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;\">]>\n<robot name=\"&b;\"/>";
    is_refused(laughs, "M501", "document type definition", "2:");
    let outside = "<!DOCTYPE robot SYSTEM \"file:///etc/passwd\"><robot/>";
    is_refused(outside, "M501", "document type definition", "1:");
    is_refused(&"<body>".repeat(200_000), "M501", "nested", "1:");
    is_refused("<robot name=\"&unknown;\"/>", "M501", "not XML", "1:");
}

#[test]
fn trees_that_are_none_are_named() {
    let link = |name: &str| format!("<link name=\"{name}\">{MASS}</link>\n");
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>\n"
        )
    };
    let robot = |parts: &[String]| format!("<robot name=\"r\">\n{}</robot>", parts.concat());
    let (a, b, c) = (link("a"), link("b"), link("c"));
    is_refused(&robot(&[a.clone(), a.clone()]), "M506", "two links are called `a`", "3:");
    is_refused(&robot(&[a.clone(), b.clone()]), "M507", "`a` and `b` both have no joint above them", "3:1");
    is_refused(&robot(&[a.clone(), b.clone(), joint("j", "a", "bb")]), "M506", "did you mean `b`?", "4:");
    let twice = [a.clone(), b.clone(), joint("j", "a", "b"), joint("k", "a", "b")];
    is_refused(&robot(&twice), "M507", "hangs on the joints `j` and `k`", "5:1");
    let circle = [a.clone(), b.clone(), c, joint("j", "b", "c"), joint("k", "c", "b")];
    is_refused(&robot(&circle), "M507", "in a circle: b on c on b", "3:1");
    is_refused(
        &robot(&[a.clone(), b.clone(), joint("j", "a", "b"), joint("j", "b", "a")]),
        "M506",
        "two joints are called `j`",
        "5:",
    );
    is_refused(&robot(&[]), "M503", "no links", "1:1");
    is_refused(
        &robot(&[a, b, "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>".to_string()]),
        "M503",
        "no <child>",
        "4:1",
    );
}

#[test]
fn numbers_that_are_none_are_named() {
    let mass = MASS.replace("value=\"2\"", "value=\"-2\"");
    is_refused(&pendulum(&mass, "", ""), "M509", "-2, expected a number >= 0", "3:1");
    is_refused(
        &pendulum(&MASS.replace("0 0 -0.5", "0 0"), "", ""),
        "M504",
        "has 2 numbers, expected 3",
        "3:",
    );
    is_refused(
        &pendulum(&MASS.replace("value=\"2\"", "value=\"inf\""), "", ""),
        "M504",
        "`inf`, expected finite",
        "3:",
    );
    is_refused(&pendulum(&MASS.replace("value=\"2\"", "value=\"2 kg\""), "", ""), "M504", "`2 kg`", "3:");
    is_refused(
        &pendulum(MASS, "", "").replace("0 1 0", "0 0 0"),
        "M504",
        "the axis of joint `hinge` is zero",
        "5:",
    );
    is_refused(
        &pendulum(MASS, "", "").replace("revolute", "planar"),
        "M505",
        "`planar`, which is not read",
        "4:",
    );
    is_refused(&pendulum(MASS, "", "").replace("name=\"hinge\" ", ""), "M503", "no attribute `name`", "4:1");
}

#[test]
fn joints_that_move_nothing_are_named_with_their_links() {
    is_refused(&pendulum("", "", ""), "M508", "joint `hinge` moves `rod` without mass or inertia", "4:1");
    let on_axis = "<inertial><mass value=\"1\"/></inertial>";
    is_refused(&pendulum(on_axis, "", ""), "M508", "turns `rod` without inertia about its axis", "4:1");
    let fixed = pendulum(MASS, "", "").replace("revolute", "fixed");
    is_refused(&fixed, "M508", "nothing of the robot moves", "1:1");
}

#[test]
fn joints_that_follow_nothing_or_each_other_are_named() {
    is_refused(&pendulum(MASS, "<mimic joint=\"hinges\"/>", ""), "M506", "did you mean `hinge`?", "4:1");
    is_refused(&pendulum(MASS, "<mimic joint=\"hinge\"/>", ""), "M507", "in a circle: hinge, hinge", "4:1");
}

#[test]
fn all_faults_are_found_at_once() {
    let (faults, shown) =
        refused(&pendulum(&MASS.replace("value=\"2\"", "value=\"x\""), "", "").replace("0 1 0", "0 0 0"));
    assert_eq!(faults.len(), 2, "{shown}");
}

#[test]
fn macro_files_and_includes_are_named_with_the_remedy() {
    let xacro = "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<xacro:macro name=\"leg\"/>\n</robot>";
    is_refused(xacro, "M502", "xacro robot.urdf.xacro > robot.urdf", "2:1");
    is_refused("<mujoco>\n<include file=\"a.xml\"/>\n</mujoco>", "M505", "mj_saveLastXML", "2:1");
    let mesh = "<mujoco>\n<worldbody><body name=\"a\">\n<joint/><geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>";
    is_refused(mesh, "M503", "that of its mesh is not known", "2:");
    let class =
        "<mujoco>\n<worldbody><body>\n<joint class=\"hip\"/><geom size=\"1\"/></body></worldbody></mujoco>";
    is_refused(class, "M506", "no default class `hip`", "3:1");
}

/// No distribution of mass has it; said, and imported all the same.
#[test]
fn impossible_inertias_are_warnings() {
    let source = Source::new("robot.xml", pendulum(&MASS.replace("izz=\"0.01\"", "izz=\"0.3\""), "", ""));
    let warnings = imported(&source, &ImportOptions::default()).warnings;
    let odd = warnings.iter().find(|w| w.code == "M510").expect("it is said");
    assert!(odd.message.contains("exceeds the sum of the other two by 33.3%"), "{}", odd.message);
    assert!(
        warnings.iter().any(|w| w.code == "M512" && w.message.contains("is fixed to the world")),
        "{warnings:?}"
    );
}

/// Values and names exchanged for what a careless hand may write: refused, or a file that can be read, and never a panic.
#[test]
fn descriptions_with_changed_values_are_refused_or_read() {
    let junk = [
        "",
        "nan",
        "-1",
        "0",
        "1e308",
        "0 0 0",
        "1 2",
        "x",
        "base_link",
        "true",
        "-0.5 1e-9 7",
        "rootx",
        "ball",
        "free",
    ];
    let options = ImportOptions { ground: true, limits: true, ..ImportOptions::default() };
    let mut seed = 5_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for file in ["finger_edu.urdf", "walker2d_v5.xml", "ant.xml"] {
        let text = robot(file).text;
        let parts: Vec<&str> = text.split('"').collect();
        let mut read = 0;
        for _ in 0..400 {
            let mut changed: Vec<&str> = parts.clone();
            for _ in 0..=random(2) {
                let at = 2 * random(parts.len() / 2) + 1;
                changed[at] = junk[random(junk.len())];
            }
            let source = Source::new(file, changed.join("\""));
            if let Ok(imported) = import(&source, &options) {
                json(&imported.text);
                assert!(
                    !imported.text.contains("NaN") && !imported.text.contains("inf,"),
                    "{}",
                    imported.text
                );
                read += 1;
            }
        }
        assert!(read > 20, "{file}: {read}");
    }
}

/// What is too large for sums of it.
#[test]
fn numbers_that_overflow_are_refused() {
    let huge = MASS.replace("value=\"2\"", "value=\"1e308\"");
    let more = format!(
        "<link name=\"tool\">{huge}</link>\n<joint name=\"weld\" type=\"fixed\"><parent link=\"rod\"/><child link=\"tool\"/></joint>\n"
    );
    assert_eq!(refused(&pendulum(&huge, "", &more)).0.last().unwrap().code, "M504");
}

/// Every code of descriptions stands in these tests.
#[test]
fn every_code_has_a_case() {
    let tests =
        [include_str!("bad_input.rs"), include_str!("options.rs"), include_str!("written.rs")].concat();
    for (code, _) in mechan::diag::CODES.iter().filter(|(code, _)| code.starts_with("M5")) {
        assert!(tests.contains(&format!("\"{code}\"")), "{code}");
    }
}

/// Every cut of a description is refused or read, without a panic.
#[test]
fn descriptions_that_are_cut_off_are_refused() {
    for file in ["finger_edu.urdf", "walker2d_v5.xml"] {
        let text = robot(file).text;
        for end in (0..text.len()).step_by(97).filter(|&end| text.is_char_boundary(end)) {
            let source = Source::new(file, &text[..end]);
            assert!(import(&source, &ImportOptions::default()).is_err(), "{file}: {end}");
        }
    }
}
