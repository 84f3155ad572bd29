//! Maps row by row: the same whether kept or handed over, on any number of threads, and stopped on the way.

use super::{map, options};
use mechan::analysis::map::{Cell, MapOutcome};
use mechan::pipeline::{Failure, MapOptions, MapStudy, MapWatch, load, map_into};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// More points than are done together at first.
fn wide() -> MapOptions {
    options("inconsistent", "theta=0:pi/2:101", "mu=0:3:120", "verdict")
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rows");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// With a study of the pencil.
fn study<T>(options: &MapOptions, ask: impl FnOnce(&MapStudy<'_>) -> T) -> T {
    let loaded = load("src/pipeline/models/falling_pencil.json").unwrap();
    ask(&MapStudy::new(&loaded, loaded.model.as_ref().unwrap(), options).unwrap())
}

#[test]
fn rows_are_the_same_kept_or_handed_over_and_on_any_number_of_threads() {
    let one = map("falling_pencil", &MapOptions { threads: Some(1), ..wide() });
    let text = |map: &MapOutcome| serde_json::to_string(map).unwrap();
    for threads in [2, 5] {
        let options = MapOptions { threads: Some(threads), ..wide() };
        assert_eq!(text(&map("falling_pencil", &options)), text(&one));
        let (mut rows, stop) = (Vec::new(), AtomicBool::new(false));
        let mut row = |y: f64, cells: &[Cell]| {
            assert_eq!(y.to_bits(), one.y.values[rows.len()].0.to_bits());
            rows.push(cells.to_vec());
            Ok(())
        };
        let handed = study(&options, |study| {
            study.follow(MapWatch { progress: &mut |_| {}, stop: &stop, row: &mut row, keep: false })
        });
        let handed = handed.unwrap();
        assert_eq!((&rows, &handed.boundaries, &handed.tally), (&one.cells, &one.boundaries, &one.tally));
        assert!(handed.cells.is_empty() && handed.patches.is_empty());
    }
}

/// What a receiver of rows says ends the map.
#[test]
fn a_row_that_is_refused_ends_the_map() {
    let stop = AtomicBool::new(false);
    let refused =
        |_: f64, _: &[Cell]| Err(Failure::file("disk", mechan::contact::ContactError::Friction { mu: -1.0 }));
    let found = study(&wide(), |study| {
        study.follow(MapWatch { progress: &mut |_| {}, stop: &stop, row: &mut { refused }, keep: false })
    });
    assert!(found.is_err());
}

/// Stopped on the way it has whole rows with their boundaries, and every file of it is valid.
#[test]
fn a_map_that_is_stopped_is_a_map_of_fewer_rows() {
    let whole = map("falling_pencil", &wide());
    for name in ["stopped.csv", "stopped.json", "stopped.svg"] {
        let (stop, path) = (AtomicBool::new(false), folder().join(name));
        let mut progress = |progress: mechan::pipeline::MapProgress| {
            stop.store(progress.done > 7000, Ordering::Relaxed);
        };
        let (found, files) =
            study(&wide(), |study| map_into(study, &path, (&stop, false), &mut progress)).unwrap();
        let interrupted = found.interrupted.unwrap();
        assert!(interrupted.of == 120 && (2..120).contains(&interrupted.rows), "{interrupted:?}");
        assert_eq!(found.y.values.len(), interrupted.rows);
        assert!(
            found.boundaries.iter().flat_map(|b| &b.lines).flatten().all(|p| found
                .y
                .values
                .last()
                .unwrap()
                .0
                >= p[1].0)
        );
        let text = std::fs::read_to_string(&files[0]).unwrap();
        match name {
            "stopped.csv" => assert_eq!(text.lines().count(), 1 + 101 * interrupted.rows),
            "stopped.json" => {
                let json: serde_json::Value = serde_json::from_str(&text).unwrap();
                let cells = serde_json::to_value(&whole.cells[..interrupted.rows]).unwrap();
                assert_eq!(json["cells"], cells);
                assert_eq!(json["interrupted"]["rows"], interrupted.rows);
            }
            _ => assert!(text.ends_with("</svg>\n")),
        }
    }
}

#[test]
fn a_map_that_is_stopped_at_once_has_no_rows_and_no_picture() {
    let (stop, path) = (AtomicBool::new(true), folder().join("never.svg"));
    let (found, files) = study(&wide(), |study| map_into(study, &path, (&stop, false), &mut |_| {})).unwrap();
    assert_eq!((found.interrupted.unwrap().rows, files.len(), path.exists()), (0, 0, false));
}

#[test]
fn more_points_than_memory_should_hold_go_to_tables_only() {
    let vast = options("inconsistent", "theta=0:pi/2:100000", "mu=0:3:100000", "verdict");
    let stop = AtomicBool::new(false);
    for name in ["vast.svg", "vast.json"] {
        let path = folder().join(name);
        let fault = study(&vast, |study| map_into(study, &path, (&stop, false), &mut |_| {})).unwrap_err();
        let message = fault.to_string();
        assert!(message.contains("10000000000 points") && message.contains(".csv or .parquet"), "{message}");
        assert!(!path.exists());
    }
    // row by row it would go on; it is stopped here
    let mut progress = |_: mechan::pipeline::MapProgress| stop.store(true, Ordering::Relaxed);
    let path = folder().join("vast.csv");
    let (found, _) = study(&vast, |study| map_into(study, &path, (&stop, false), &mut progress)).unwrap();
    assert_eq!(found.interrupted.unwrap().of, 100_000);
}
