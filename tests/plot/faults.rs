//! What cannot be drawn, and what is said then.

use crate::motions::{along, bouncing_ball, library, trajectory};
use mechan::contact::Compliance;
use mechan::contact::{Friction, Planar, Slip};
use mechan::plot::{PictureFault, PlotFault, motion, phase, portrait, time_series, tree};
use mechan::simulate::compliant::Scene;
use mechan::simulate::trajectory::Futures;
use std::path::Path;

#[test]
fn names_that_do_not_exist_have_suggestions() {
    let ball = bouncing_ball(1.0, 0.7, 3, 2.0, 20);
    let said = |fault: PlotFault| fault.to_string();
    assert_eq!(
        said(time_series(&ball, &["y", "ground.M"]).unwrap_err()),
        "there is no column `ground.M`; did you mean `ground.N`?"
    );
    assert_eq!(said(phase(&ball, "phy").unwrap_err()), "there is no coordinate `phy`; did you mean `phi`?");
    assert_eq!(
        said(phase(&ball, "altitude").unwrap_err()),
        "there is no coordinate `altitude`; there is x, y, phi"
    );
    assert_eq!(time_series(&ball, &[]), Err(PlotFault::Unnamed));
}

#[test]
fn a_portrait_needs_numbers() {
    let planar = Planar::new(1.0, 0.0, 1.0, 0.0, f64::NAN);
    let (friction, compliance) = (Friction::new(0.5).unwrap(), Compliance::new(1.0, 1.0).unwrap());
    let scene = Scene { planar, friction, compliance, slip: Some(Slip::Pos) };
    assert_eq!(portrait(&scene, "nothing"), Err(PlotFault::NoSamples));
}

#[test]
fn motions_without_samples_have_no_picture() {
    let mut ball = bouncing_ball(1.0, 0.7, 3, 2.0, 20);
    ball.rows.clear();
    let (mechanism, parameters) = library("falling_pencil");
    let mut pencil = along(&mechanism, 1.0, |_| vec![0.0, 0.0, f64::NAN]);
    assert_eq!(time_series(&ball, &["y"]), Err(PlotFault::NoSamples));
    assert_eq!(
        motion(&mechanism, &parameters, &pencil),
        Err(PlotFault::NoSamples),
        "an angle is not known anywhere"
    );
    let mut names = pencil.columns.to_vec();
    names[3] = "phi".to_owned();
    pencil.columns = names.into();
    let fault = motion(&mechanism, &parameters, &pencil).unwrap_err();
    assert!(matches!(fault, PlotFault::Unknown { kind: "column", .. }), "{fault}");
    assert_eq!(tree(&Futures::new(true, Vec::new())), Err(PlotFault::NoMotions));
}

#[test]
fn a_mechanism_of_energies_alone_has_no_looks() {
    let text = "mechan: 1\nname: e\nspace: plane\ncoordinates: [x]\nenergy: {kinetic: dot(x)^2}\n";
    let mechanism = mechan::load_bytes("e", text.as_bytes().to_vec()).unwrap().mechanism;
    let moved = trajectory("e", &["t", "x"], &[vec![0.0, 1.0]]);
    assert_eq!(motion(&mechanism, &[], &moved), Err(PlotFault::NothingToDraw));
}

#[test]
fn files_that_cannot_be_written_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let picture = time_series(&bouncing_ball(1.0, 0.7, 3, 2.0, 20), &["y"]).unwrap();
    let write = |name: &str| picture.write(&folder.path().join(name));
    assert!(matches!(write("a.jpg"), Err(PictureFault::Ending { .. })));
    assert!(matches!(picture.write(Path::new("/proc/none/a.svg")), Err(PictureFault::Unwritable { .. })));
    write("a.svg").unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("a.svg")).unwrap(), picture.svg());
    #[cfg(not(feature = "png"))]
    assert_eq!(
        write("a.png").unwrap_err().to_string(),
        "this build writes no PNG: write .svg, or build with `--features png`"
    );
    #[cfg(feature = "png")]
    {
        write("a.png").unwrap();
        let bytes = std::fs::read(folder.path().join("a.png")).unwrap();
        assert_eq!(
            (&bytes[1..4], &bytes[16..20]),
            (&b"PNG"[..], &1080_u32.to_be_bytes()[..]),
            "three dots a unit"
        );
    }
    let expected = if cfg!(feature = "png") { 2 } else { 1 };
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), expected, "nothing is left beside them");
}
