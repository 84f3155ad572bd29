//! Parquet, read back by the library's reader, and by pyarrow where there is one.

use crate::{NUMBERS, TEXTS, columns, row};
use mechan::report::{DataFault, DataFile};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, RowAccessor};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Checks the rows of a file, the first of which is row `start`; their number.
fn check(path: &Path, start: usize) -> usize {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let names: Vec<String> = reader
        .metadata()
        .file_metadata()
        .schema_descr()
        .columns()
        .iter()
        .map(|c| c.name().to_owned())
        .collect();
    assert_eq!(names, ["run", "status, in words", "dot(x)"]);
    let mut count = 0;
    for (k, found) in reader.get_row_iter(None).unwrap().enumerate() {
        let (i, found) = (start + k, found.unwrap());
        assert_eq!(found.get_long(0).unwrap(), i as i64 - 1);
        let cells: Vec<&Field> = found.get_column_iter().map(|(_, cell)| cell).collect();
        match (cells[1], i % 5 == 4) {
            (Field::Null, true) => {}
            (Field::Str(text), false) => assert_eq!(text, TEXTS[i % 4]),
            (other, _) => panic!("{other:?}"),
        }
        match (cells[2], NUMBERS[i % 7]) {
            (Field::Null, x) => assert!(x.is_nan()),
            (Field::Double(found), x) => assert_eq!(found.to_bits(), x.to_bits()),
            (other, _) => panic!("{other:?}"),
        }
        count += 1;
    }
    count
}

fn parts(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn one_file_appears_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut file = DataFile::create(&path, columns()).unwrap();
    (0..100).for_each(|i| file.append(&row(i)).unwrap());
    file.flush().unwrap();
    assert!(parts(folder.path()).is_empty(), "nothing before the end");
    file.finish().unwrap();
    assert_eq!((check(&path, 0), parts(folder.path()).len()), (100, 1));
}

#[test]
fn a_killed_run_leaves_complete_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut file = DataFile::in_parts(&path, columns(), 30).unwrap();
    for i in 0..100 {
        file.append(&row(i)).unwrap();
        let rows: usize = parts(&path).iter().enumerate().map(|(k, part)| check(part, 30 * k)).sum();
        assert_eq!(rows, (i + 1) / 30 * 30);
    }
    drop(file);
    assert_eq!(parts(&path).len(), 3);
    let again = DataFile::in_parts(&path, columns(), 30).unwrap_err();
    assert!(matches!(again, DataFault::Occupied { .. }) && again.to_string().contains("has results already"));
}

#[test]
fn a_killed_run_is_resumed_after_its_last_part() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut file = DataFile::in_parts(&path, columns(), 30).unwrap();
    (0..70).for_each(|i| file.append(&row(i)).unwrap());
    drop(file);
    std::fs::write(path.join(".part-00002.parquet.17.part"), "PAR1 half").unwrap();
    let (mut file, done) = DataFile::resume(&path, columns(), 30).unwrap();
    assert_eq!(done, 60);
    (done..100).for_each(|i| file.append(&row(i)).unwrap());
    assert_eq!(file.finish().unwrap(), 100);
    let rows: usize = parts(&path).iter().enumerate().map(|(k, part)| check(part, 30 * k)).sum();
    assert_eq!((parts(&path).len(), rows), (4, 100));
    let other = DataFile::resume(&path, columns()[..2].to_vec(), 30).unwrap_err();
    assert!(matches!(other, DataFault::Foreign { .. }), "{other}");
    std::fs::remove_file(path.join("part-00001.parquet")).unwrap();
    let gap = DataFile::resume(&path, columns(), 30).unwrap_err();
    assert!(matches!(gap, DataFault::Foreign { .. }), "{gap}");
    let single = folder.path().join("one.parquet");
    DataFile::create(&single, columns()).unwrap().finish().unwrap();
    assert!(matches!(DataFile::resume(&single, columns(), 30).unwrap_err(), DataFault::Occupied { .. }));
}

#[test]
fn the_rest_is_a_part_and_no_rows_are_a_file_too() {
    let folder = tempfile::tempdir().unwrap();
    for (name, count, expected) in [("some.parquet", 35, 2), ("none.parquet", 0, 1)] {
        let path = folder.path().join(name);
        let mut file = DataFile::in_parts(&path, columns(), 30).unwrap();
        (0..count).for_each(|i| file.append(&row(i)).unwrap());
        assert_eq!(file.finish().unwrap(), count);
        let rows: usize = parts(&path).iter().enumerate().map(|(k, part)| check(part, 30 * k)).sum();
        assert_eq!((parts(&path).len(), rows), (expected, count));
    }
}

#[test]
fn pyarrow_reads_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut file = DataFile::in_parts(&path, columns(), 30).unwrap();
    (0..70).for_each(|i| file.append(&row(i)).unwrap());
    file.finish().unwrap();
    let program = "import sys, pyarrow.parquet as p; t = p.read_table(sys.argv[1]); \
        print(t.num_rows, t.column_names, t.schema.types, t.column(2).null_count, t.column(1)[1].as_py())";
    let python = std::env::var("MECHAN_TEST_PYTHON").unwrap_or("python3".to_owned());
    let output = Command::new(python).arg("-c").arg(program).arg(&path).output();
    match output {
        Ok(output) if output.status.success() => assert_eq!(
            String::from_utf8_lossy(&output.stdout).trim(),
            "70 ['run', 'status, in words', 'dot(x)'] [DataType(int64), DataType(string), DataType(double)] 10 a \"quoted\", one"
        ),
        _ => eprintln!("skipped: there is no python3 with pyarrow"),
    }
}

#[test]
fn a_folder_that_cannot_be_is_named() {
    let fault = DataFile::in_parts(Path::new("/proc/no/rows.parquet"), columns(), 10).unwrap_err();
    assert!(matches!(fault, DataFault::Unwritable { .. }), "{fault}");
    let file = DataFile::create(Path::new("/proc/no/rows.parquet"), columns()).unwrap();
    assert!(matches!(file.finish().unwrap_err(), DataFault::Unwritable { .. }));
}
