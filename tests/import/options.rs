//! What a user may ask.

use crate::{MASS, imported, json, pendulum, robot};
use mechan::diag::Source;
use mechan::import::{Base, GroundContact, ImportOptions, import};

fn finger(options: ImportOptions) -> serde_json::Value {
    json(&imported(&robot("finger_edu.urdf"), &options).text)
}

#[test]
fn a_base_is_held_or_free() {
    let with = |base| finger(ImportOptions { base: Some(base), ..ImportOptions::default() });
    assert_eq!(with(Base::Fixed)["coordinates"].as_array().unwrap().len(), 3);
    let free = with(Base::Free);
    assert_eq!(free["coordinates"].as_array().unwrap().len(), 10);
    let quaternions =
        free["frames"].as_object().unwrap().values().filter(|f| f["rotation"].get("quaternion").is_some());
    assert_eq!(quaternions.count(), 1);
    assert_eq!(free["states"]["home"]["q"]["e0"], 1.0);
}

#[test]
fn a_joint_that_is_held_is_gone_and_its_place_is_kept() {
    let source = Source::new(
        "p.urdf",
        pendulum(
            MASS,
            "",
            "<link name=\"tip\"><inertial><mass value=\"1\"/></inertial></link>\n\
        <joint name=\"slide\" type=\"prismatic\"><parent link=\"rod\"/><child link=\"tip\"/><origin xyz=\"0 0 -1\"/><axis xyz=\"0 0 -1\"/></joint>\n",
        ),
    );
    let options = ImportOptions { fixed: vec![("sl*".to_string(), 0.5)], ..ImportOptions::default() };
    let file = json(&imported(&source, &options).text);
    assert_eq!(file["coordinates"], serde_json::json!(["hinge"]));
    // (2 * -0.5 + 1 * -1.5) / 3
    let z = file["bodies"]["rod"]["centre"][2].as_f64().unwrap();
    assert!((z + 2.5 / 3.0).abs() < 1e-15);
}

#[test]
fn limits_become_contacts() {
    let limit = "<limit lower=\"-0.5\" upper=\"1\" effort=\"3\" velocity=\"2\"/>";
    let source = Source::new("p.urdf", pendulum(MASS, limit, ""));
    let text = imported(&source, &ImportOptions { limits: true, ..ImportOptions::default() }).text;
    let contacts = &json(&text)["contacts"];
    assert_eq!(contacts["hinge_lower"]["gap"], "hinge + 0.5");
    assert_eq!(contacts["hinge_upper"]["gap"], "-hinge + 1");
    assert!(text.contains("left out: effort <= 3, velocity <= 2"), "{text}");
}

/// Home is within the limits, and a free robot stands: its lowest ball has its radius as height.
#[test]
fn home_is_within_limits_and_on_the_ground() {
    let limit = "<limit lower=\"0.25\" upper=\"1\"/>";
    let ball = "<collision><origin xyz=\"0 0 -1\"/><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let text = pendulum(&format!("{MASS}{ball}"), limit, "");
    let source =
        Source::new("p.urdf", text.replace("\"world\"/>\n<link", &format!("\"world\">{MASS}</link>\n<link")));
    let options = ImportOptions { ground: true, base: Some(Base::Free), ..ImportOptions::default() };
    let q = &json(&imported(&source, &options).text)["states"]["home"]["q"];
    assert_eq!(q["hinge"], 0.25);
    assert!((q["z"].as_f64().unwrap() - (0.25_f64.cos() + 0.1)).abs() < 1e-15, "{q}");
}

#[test]
fn points_are_the_lowest_of_the_geometry() {
    let foot =
        "<collision><origin xyz=\"0 0 -1\"/><geometry><box size=\"0.2 0.1 0.04\"/></geometry></collision>";
    let source = Source::new("p.urdf", pendulum(&format!("{MASS}{foot}"), "", ""));
    let contacts = vec![("rod".to_string(), GroundContact::Point)];
    let file =
        json(&imported(&source, &ImportOptions { ground: true, contacts, ..ImportOptions::default() }).text);
    let contacts = file["contacts"].as_object().unwrap();
    assert_eq!(contacts.keys().collect::<Vec<_>>(), ["rod_1", "rod_2", "rod_3", "rod_4"]);
    assert!(contacts.values().all(|c| c["point"]["at"][2] == -1.02), "{contacts:?}");
}

/// Without a wish the ends touch: a box with the corners that are lowest at home, which are those of the side that is turned down.
#[test]
fn ends_without_balls_touch_with_their_lowest_points() {
    let of = |geometry: &str| {
        let foot = format!("<collision><origin xyz=\"0 0 -1\"/><geometry>{geometry}</geometry></collision>");
        let source = Source::new("p.urdf", pendulum(&format!("{MASS}{foot}"), "", ""));
        let home = vec![("hinge".to_string(), std::f64::consts::FRAC_PI_2)];
        imported(&source, &ImportOptions { ground: true, home, ..ImportOptions::default() })
    };
    let file = json(&of("<box size=\"0.2 0.3 0.04\"/>").text);
    let contacts = file["contacts"].as_object().unwrap();
    assert_eq!(contacts.keys().collect::<Vec<_>>(), ["rod_1", "rod_2", "rod_3", "rod_4"]);
    // a quarter turn about y takes x down
    let at = |k: usize| contacts.values().map(move |c| c["point"]["at"][k].as_f64().unwrap());
    assert!(
        at(0).all(|x| (x - 0.1).abs() < 1e-12) && at(1).all(|y| (y.abs() - 0.15).abs() < 1e-12),
        "{contacts:?}"
    );
    assert!(at(2).all(|z| ((z + 1.0).abs() - 0.02).abs() < 1e-12), "{contacts:?}");
    let meshes = of("<mesh filename=\"foot.stl\"/>");
    assert!(json(&meshes.text).get("contacts").is_none(), "{}", meshes.text);
    let told = meshes.warnings.iter().find(|w| w.message.contains("meshes")).unwrap();
    assert_eq!(told.code, "M512");
    assert!(told.message.starts_with("`rod` has no geometry but meshes"), "{}", told.message);
    assert!(told.hint.as_ref().unwrap().contains("--contact"));
}

/// What a wish that names nothing is answered.
#[test]
fn wishes_that_cannot_be_met_are_named() {
    let source = Source::new("p.urdf", pendulum(MASS, "", ""));
    let of = |options| {
        import(&source, &options).unwrap_err().into_iter().find(mechan::diag::Diagnostic::is_error).unwrap()
    };
    let contact = |name: &str, touch| ImportOptions {
        ground: true,
        contacts: vec![(name.to_string(), touch)],
        ..ImportOptions::default()
    };
    let fault = of(contact("rood", GroundContact::Point));
    assert_eq!((fault.code, fault.hint.as_deref()), ("M511", Some("did you mean `rod`?")));
    assert!(of(contact("rod", GroundContact::Ball)).message.contains("no ball or capsule"));
    assert!(of(contact("world", GroundContact::Point)).message.contains("fixed to the world"));
    assert!(
        of(ImportOptions { ground: false, ..contact("rod", GroundContact::Point) })
            .hint
            .unwrap()
            .contains("--ground")
    );
    let fault = of(ImportOptions { home: vec![("hinges".to_string(), 1.0)], ..ImportOptions::default() });
    assert_eq!(fault.hint.as_deref(), Some("did you mean `hinge`?"));
    assert_eq!(
        of(ImportOptions { fixed: vec![("x".to_string(), 1.0)], ..ImportOptions::default() }).code,
        "M511"
    );
}
