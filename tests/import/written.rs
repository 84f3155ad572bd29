//! The files as they are written.

use crate::{MASS, imported, json, pendulum, robot};
use mechan::diag::Source;
use mechan::import::{Base, GroundContact, ImportOptions};

#[test]
fn an_arm_with_limits() {
    let options = ImportOptions { base: Some(Base::Fixed), limits: true, ..ImportOptions::default() };
    insta::assert_snapshot!(imported(&robot("panda.urdf"), &options).text);
}

#[test]
fn a_quadruped_on_the_ground() {
    let home = vec![("*HFE".to_string(), 0.8), ("*KFE".to_string(), -1.6)];
    let feet =
        ["FL", "FR", "HL", "HR"].map(|leg| (format!("{leg}_FOOT"), GroundContact::At([0.0, 0.0, -0.016])));
    let options = ImportOptions { ground: true, contacts: feet.into(), home, ..ImportOptions::default() };
    insta::assert_snapshot!(imported(&robot("solo12.urdf"), &options).text);
}

#[test]
fn a_walker_of_slides_and_hinges_through_other_points() {
    let options = ImportOptions { ground: true, ..ImportOptions::default() };
    insta::assert_snapshot!(imported(&robot("walker2d_v5.xml"), &options).text);
}

#[test]
fn an_ant_whose_masses_are_those_of_its_geoms() {
    let options = ImportOptions { ground: true, ..ImportOptions::default() };
    insta::assert_snapshot!(imported(&robot("ant.xml"), &options).text);
}

#[test]
fn every_way_of_placing_and_moving() {
    insta::assert_snapshot!(imported(&robot("all_of_mjcf.xml"), &ImportOptions::default()).text);
}

/// By hand: a rod's centre half a metre below its hinge, twice pi/2 about z as a fixed link, then on it a ball.
#[test]
fn fixed_links_become_part_of_their_parents() {
    let more = "<link name=\"tool\"><inertial><mass value=\"1\"/></inertial><collision><origin xyz=\"0.1 0 0\"/>\
        <geometry><sphere radius=\"0.05\"/></geometry></collision></link>\n\
        <joint name=\"weld\" type=\"fixed\"><parent link=\"rod\"/><child link=\"tool\"/>\
        <origin xyz=\"0 0 -1\" rpy=\"0 0 1.5707963267948966\"/></joint>\n";
    let source = Source::new("p.urdf", pendulum(MASS, "", more));
    let options = ImportOptions { ground: true, ..ImportOptions::default() };
    let file = json(&imported(&source, &options).text);
    let rod = &file["bodies"]["rod"];
    assert_eq!(rod["mass"], 3.0);
    // (2 * -0.5 + 1 * -1) / 3, and Steiner: 0.1 + 2/3 * 0.5^2 of the reduced mass
    let number = |v: &serde_json::Value| v.as_f64().unwrap();
    assert!((number(&rod["centre"][2]) + 2.0 / 3.0).abs() < 1e-15);
    assert!((number(&rod["inertia"][0]) - (0.1 + 0.25 * 2.0 / 3.0)).abs() < 1e-15, "{rod}");
    let ball = &file["contacts"]["tool"]["disc"];
    assert_eq!((&ball["body"], number(&ball["radius"])), (&"rod".into(), 0.05));
    let at: Vec<f64> = ball["centre"]["at"].as_array().unwrap().iter().map(number).collect();
    assert!((at[0], at[2]) == (0.0, -1.0) && (at[1] - 0.1).abs() < 1e-15, "{at:?}");
}

/// Bodies in bodies, which is how MJCF has chains.
#[test]
fn deep_bodies_are_read() {
    let body = "<body pos=\"0 0 1\"><joint/><geom size=\"0.1\"/>";
    let text =
        format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", body.repeat(400), "</body>".repeat(400));
    let file = json(&imported(&Source::new("chain.xml", text), &ImportOptions::default()).text);
    assert_eq!(file["coordinates"].as_array().unwrap().len(), 400);
}

/// 200 links in a row, each joint once.
#[test]
fn long_chains_are_read() {
    let mut text = String::from("<robot name=\"chain\">\n<link name=\"world\"/>\n");
    for k in 0..200 {
        let parent = if k == 0 { "world".to_string() } else { format!("l{}", k - 1) };
        text += &format!(
            "<link name=\"l{k}\">{MASS}</link>\n<joint name=\"j{k}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"l{k}\"/></joint>\n"
        );
    }
    let file = json(&imported(&Source::new("chain.urdf", text + "</robot>"), &ImportOptions::default()).text);
    assert_eq!(file["coordinates"].as_array().unwrap().len(), 200);
    assert_eq!(file["frames"]["l199"]["parent"], "l198");
}

/// What is written is a mechanism: no fault, no warning.
#[test]
fn what_is_written_is_read() {
    let options = ImportOptions { ground: true, limits: true, ..ImportOptions::default() };
    for file in ["finger_edu.urdf", "panda.urdf", "solo12.urdf", "ant.xml", "walker2d_v5.xml", "humanoid.xml"]
    {
        let text = imported(&robot(file), &options).text;
        let loaded = mechan::load_bytes("robot.yaml", text.into_bytes())
            .unwrap_or_else(|e| panic!("{file}: {}", e.message()));
        assert!(loaded.warnings.is_empty(), "{file}: {:?}", loaded.warnings);
    }
}
