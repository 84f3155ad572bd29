//! CSV.

use crate::{NUMBERS, TEXTS, columns, row};
use mechan::report::{DataCell, DataColumn, DataFault, DataFile};
use std::path::Path;
use std::process::Command;

/// The cells as Python's reader finds them; none without Python.
fn read_by_python(path: &Path) -> Option<Vec<Vec<String>>> {
    let program = "import csv, json, sys; print(json.dumps(list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8')))))";
    let output = Command::new("python3").arg("-c").arg(program).arg(path).output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no python3");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn another_reader_finds_every_cell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    let mut file = DataFile::create(&path, columns()).unwrap();
    (0..40).for_each(|i| file.append(&row(i)).unwrap());
    assert_eq!(file.finish().unwrap(), 40);
    let Some(found) = read_by_python(&path) else { return };
    assert_eq!(found[0], ["run", "status, in words", "dot(x)"]);
    assert_eq!(found.len(), 41);
    for (i, cells) in found[1..].iter().enumerate() {
        assert_eq!(cells[0].parse::<i64>().unwrap(), i as i64 - 1);
        assert_eq!(cells[1], if i % 5 == 4 { "" } else { TEXTS[i % 4] });
        match NUMBERS[i % 7] {
            x if x.is_nan() => assert_eq!(cells[2], ""),
            x => assert_eq!(cells[2].parse::<f64>().unwrap().to_bits(), x.to_bits()),
        }
    }
}

/// Whatever the moment, the file is whole lines.
#[test]
fn lines_are_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    let mut file = DataFile::create(&path, vec![DataColumn::real("x"), DataColumn::real("y")]).unwrap();
    let mut grown = 0;
    for i in 0..20_000 {
        file.append(&[DataCell::Real(f64::from(i) / 7.0), DataCell::Real(0.1)]).unwrap();
        if i % 500 == 0 {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.ends_with('\n') && text.lines().all(|l| l.split(',').count() == 2));
            grown += usize::from(text.len() > 1000);
        }
    }
    assert!(grown > 10, "it grows on the way, not at the end");
    drop(file);
    assert_eq!(
        std::fs::read_to_string(&path).unwrap().lines().count(),
        20_001,
        "a dropped file is written too"
    );
}

/// A run that is killed anywhere, even within a line, and resumed leaves the same bytes as one that is not.
#[test]
fn a_resumed_run_leaves_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, path) = (folder.path().join("whole.csv"), folder.path().join("rows.csv"));
    let mut file = DataFile::create(&whole, columns()).unwrap();
    (0..30).for_each(|i| file.append(&row(i)).unwrap());
    file.finish().unwrap();
    let bytes = std::fs::read(&whole).unwrap();
    for killed in (0..=bytes.len()).step_by(7) {
        std::fs::write(&path, &bytes[..killed]).unwrap();
        let (mut file, done) = DataFile::resume(&path, columns(), 10).unwrap();
        (done..30).for_each(|i| file.append(&row(i)).unwrap());
        assert_eq!(file.finish().unwrap(), 30);
        assert!(std::fs::read(&path).unwrap() == bytes, "killed after {killed} bytes");
    }
    let other = DataFile::resume(&path, vec![DataColumn::real("x")], 10).unwrap_err();
    assert!(matches!(other, DataFault::Foreign { .. }) && other.to_string().contains("has other columns"));
    assert!(std::fs::read(&path).unwrap() == bytes, "what is not ours is not touched");
    let (file, done) = DataFile::resume(&folder.path().join("new.csv"), columns(), 10).unwrap();
    assert_eq!((done, file.finish().unwrap()), (0, 0));
}

#[test]
fn a_row_that_does_not_fit_is_refused_and_the_file_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    let mut file = DataFile::create(&path, vec![DataColumn::real("x")]).unwrap();
    let short = file.append(&[]).unwrap_err();
    assert_eq!(short.to_string(), "row 0 has 0 cells, expected 1");
    let kind = file.append(&[DataCell::Integer(1)]).unwrap_err();
    assert_eq!(kind.to_string(), "row 0 has a cell of another kind than its column");
    file.append(&[DataCell::Real(1.0)]).unwrap();
    file.finish().unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "x\n1\n");
}

#[test]
fn names_and_folders_that_cannot_be_are_named() {
    let create = |name: &str| DataFile::create(Path::new(name), columns()).unwrap_err();
    assert!(matches!(create("rows.xls"), DataFault::Ending { .. }));
    assert!(create("rows").to_string().contains("should end in .csv, .parquet or .json"));
    assert!(matches!(create("/no/such/folder/rows.csv"), DataFault::Unwritable { .. }));
    #[cfg(not(feature = "parquet"))]
    assert_eq!(
        create("rows.parquet").to_string(),
        "this build writes no Parquet: write .csv, or build with `--features parquet`"
    );
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_fault_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("full.csv");
    std::os::unix::fs::symlink("/dev/full", &link).unwrap();
    let fault = DataFile::create(&link, columns()).unwrap_err();
    let DataFault::Unwritable { error, .. } = fault else { panic!("{fault}") };
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

mod trajectories {
    use mechan::num::Number;
    use mechan::report::write_trajectory;
    use mechan::simulate::trajectory::{Drift, Effort, EnergyBalance, Status, TRAJECTORY_SCHEMA, Trajectory};

    fn trajectory() -> Trajectory {
        Trajectory {
            schema: TRAJECTORY_SCHEMA.into(),
            mechanism: "ball".to_owned(),
            state: "drop".to_owned(),
            scheme: "event".to_owned(),
            status: Status::End,
            reason: None,
            events: Vec::new(),
            phases: Vec::new(),
            columns: ["t", "y", "dot(y)"].map(String::from).to_vec().into(),
            rows: vec![
                vec![Number(0.0), Number(1.0 / 3.0), Number(f64::NAN)],
                vec![Number(1.0), Number(1e-300), Number(-9.81)],
            ]
            .try_into()
            .unwrap(),
            energy: EnergyBalance::new([1.0, 1.0], 0.0, 0.0, 0.0),
            drift: Drift::default(),
            penetration: None,
            hyperstatic: None,
            work: Effort::default(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn samples_as_csv_and_all_of_it_as_json() {
        let folder = tempfile::tempdir().unwrap();
        let motion = trajectory();
        let csv = folder.path().join("motion.csv");
        write_trajectory(&motion, &csv).unwrap();
        let text = std::fs::read_to_string(&csv).unwrap();
        assert_eq!(text, "t,y,dot(y)\n0,0.3333333333333333,\n1,1e-300,-9.81\n");
        let json = folder.path().join("motion.JSON");
        write_trajectory(&motion, &json).unwrap();
        let back: Trajectory = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
        assert_eq!(back, motion);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside them");
    }

    #[test]
    fn a_folder_that_is_not_there_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["none/motion.csv", "none/motion.json"] {
            let fault = write_trajectory(&trajectory(), &folder.path().join(name)).unwrap_err();
            assert!(fault.to_string().contains("cannot be written"), "{fault}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
