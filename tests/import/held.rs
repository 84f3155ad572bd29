//! Robots that motors hold at home.

use crate::{MASS, imported, json, pendulum, robot};
use mechan::diag::Source;
use mechan::import::{GroundContact, ImportOptions};

fn held() -> ImportOptions {
    ImportOptions { hold: true, ..ImportOptions::default() }
}

/// The four legs of a quadruped, bent.
fn standing() -> ImportOptions {
    let home = vec![("*HFE".to_string(), 0.8), ("*KFE".to_string(), -1.6)];
    ImportOptions {
        ground: true,
        contacts: vec![("*_FOOT".to_string(), GroundContact::Point)],
        home,
        ..held()
    }
}

/// By hand: a rod of 2 kg with its centre half a metre from its hinge has 0.1 + 2 · 0.5² kg m² about it, and weighs 2 · 9.81 · 0.5 N m.
#[test]
fn a_motor_is_as_strong_as_what_it_holds_asks_for() {
    let with = |limits: &str, options: &ImportOptions| {
        json(&imported(&Source::new("p.urdf", pendulum(MASS, limits, "")), options).text)
    };
    let file = with("<limit effort=\"30\" lower=\"-2\" upper=\"2\"/>", &held());
    let number = |name: &str| file["parameters"][name].as_f64().unwrap();
    let (inertia, weight) = (0.6, 9.81);
    let frequency = 6.0 * std::f64::consts::PI;
    let stiffness = f64::max(inertia * frequency * frequency, weight / 0.1);
    assert!((number("k_hinge") / stiffness - 1.0).abs() < 0.05, "{file}");
    assert!((number("d_hinge") / (0.6 * (stiffness * inertia).sqrt()) - 1.0).abs() < 0.08, "{file}");
    let motor = &file["forces"][0];
    assert_eq!(motor["torsion"], "hinge");
    assert_eq!((motor["angle"].as_f64(), motor["limit"].as_f64()), (Some(0.0), Some(30.0)));
    let weak = with("<limit effort=\"0\" lower=\"-2\" upper=\"2\"/>", &held());
    assert!(weak["forces"][0].get("limit").is_none(), "{weak}");
    assert!(with("", &ImportOptions::default()).get("forces").is_none());
}

#[test]
fn position_servos_are_springs_at_the_controls_of_the_first_key_frame() {
    let file = json(&imported(&robot("servos.xml"), &ImportOptions::default()).text);
    let forces: Vec<&serde_json::Value> =
        file["forces"].as_array().unwrap().iter().filter(|force| force.get("torsion").is_some()).collect();
    let number =
        |value: &serde_json::Value| value.as_f64().or_else(|| file["parameters"][value.as_str()?].as_f64());
    let expected = [
        ("shoulder", 40.0, 2.0, 0.4, Some(12.0)),
        ("elbow", 0.25 * 90.0, 0.25 * 3.0, -1.2, None),
        ("reach", 1200.0, 20.0, 0.1, None),
    ];
    assert_eq!(forces.len(), expected.len(), "{file}");
    for (force, (joint, stiffness, damping, target, limit)) in forces.iter().zip(expected) {
        assert_eq!(force["torsion"], joint);
        let found = ["stiffness", "damping", "angle"].map(|key| number(&force[key]).unwrap());
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(found.iter().zip(&[stiffness, damping, target]).all(near), "{force} {found:?}");
        assert_eq!(force.get("limit").and_then(serde_json::Value::as_f64), limit);
    }
    let text = imported(&robot("servos.xml"), &ImportOptions::default()).text;
    assert!(text.contains("<motor> of <actuator>: close") && !text.contains("lift (line"), "{text}");
    let held = json(&imported(&robot("servos.xml"), &held()).text);
    assert_eq!(held["forces"].as_array().unwrap().iter().filter(|f| f.get("torsion").is_some()).count(), 4);
}

#[test]
fn a_quadruped_that_is_held() {
    insta::assert_snapshot!(imported(&robot("solo12.urdf"), &standing()).text);
}

/// The motion of a held robot for two seconds: what its columns are, and the first and the last row, without the forces of open contacts.
#[cfg(feature = "derive")]
fn motion(robot_file: &str, options: &ImportOptions, scheme: &[&str]) -> (Vec<String>, [Vec<f64>; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("robot.yaml");
    std::fs::write(&file, imported(&robot(robot_file), options).text).unwrap();
    let mut simulate = std::process::Command::new(env!("CARGO_BIN_EXE_mechan"));
    simulate.args([
        "simulate",
        "--no-cache",
        "--state",
        "home",
        "--t-end",
        "2",
        "--format",
        "json",
        "--scheme",
    ]);
    let output = simulate.args(scheme).arg(&file).output().expect("mechan starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let motion: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(motion["status"], "end");
    let columns: Vec<String> = serde_json::from_value(motion["columns"].clone()).unwrap();
    let rows: Vec<Vec<Option<f64>>> = serde_json::from_value(motion["rows"].clone()).unwrap();
    let known = |row: &Vec<Option<f64>>| row.iter().map(|x| x.unwrap_or(0.0)).collect();
    let (first, last) = (known(&rows[0]), known(&rows[rows.len() - 1]));
    let moving =
        columns.iter().zip(&last).filter(|(c, v): &(&String, &f64)| c.starts_with("dot(") && v.abs() > 0.01);
    assert_eq!(moving.count(), 0, "{last:?}");
    (columns, [first, last])
}

/// The robot gives way by less than its motors may, and is at rest then: by time-stepping and from event to event.
#[cfg(feature = "derive")]
#[test]
fn a_quadruped_stands() {
    let ends = [&["moreau", "--step", "0.001"][..], &["event"]].map(|scheme| {
        let (columns, [first, last]) = motion("solo12.urdf", &standing(), scheme);
        let z = columns.iter().position(|c| c == "z").unwrap();
        assert!(first[z] - last[z] < 0.05 * first[z] && last[z] < first[z], "{} {}", first[z], last[z]);
        last[z]
    });
    assert!((ends[0] - ends[1]).abs() < 1e-4, "{ends:?}");
}

/// An arm of seven joints whose light ones hardly move but with each other comes to rest, by both ways at the same place.
#[cfg(feature = "derive")]
#[test]
fn a_bent_arm_comes_to_rest() {
    let home = vec![("panda_joint2".to_string(), 0.3), ("panda_joint4".to_string(), -1.5)];
    let options = ImportOptions { home, base: Some(mechan::import::Base::Fixed), ..held() };
    let [one, other] = [&["moreau", "--step", "0.001"][..], &["event"]]
        .map(|scheme| motion("panda.urdf", &options, scheme).1);
    let far = one[1].iter().zip(&other[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(far < 1e-3, "{far}: {one:?} {other:?}");
}
