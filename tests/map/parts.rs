//! Parts of a map and the whole of them: the same bytes as at once, whatever the quantity and the file; what is not the whole is refused.

use super::{map, options};
use mechan::pipeline::{MapOptions, MapStudy, load, merge_maps, write_map, write_map_part};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parts").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a part of a map and says where.
fn part(name: &str, options: &MapOptions, (i, n): (usize, usize), folder: &Path) -> PathBuf {
    let loaded = load(&format!("src/pipeline/models/{name}.json")).unwrap();
    let options = MapOptions { chunk: Some(format!("{i}/{n}")), ..options.clone() };
    let study = MapStudy::new(&loaded, loaded.model.as_ref().unwrap(), &options).unwrap();
    let path = folder.join(format!("{i}_of_{n}.json"));
    write_map_part(&study, &study.collect(|_| {}).unwrap(), &path).unwrap();
    path
}

#[test]
fn the_whole_of_parts_is_the_map_at_once_byte_for_byte() {
    // more parts than rows, too
    let cases = [
        (
            "falling_pencil",
            options("inconsistent", "theta=0:pi/2:21", "mu=0:3:12", "verdict"),
            &[1, 3, 14][..],
        ),
        ("painleve_rod", options("slipping", "theta=0.3:1.5:9", "mu=log:0.5:30:8", "sqrt(p)"), &[3]),
        ("painleve_rod", options("slipping", "theta=0.1:1.5:9", "mu=0:3:7", "-mu_min"), &[2]),
        ("ladder", options("standing", "theta=0.4:1.4:3", "mu=0.05:1:4", "equilibrium"), &[3]),
        ("painleve_rod", options("slipping", "m=0:2:5", "mu=0.5:3:5", "1/(mu - 0.5)"), &[2]),
    ];
    for (k, (name, options, counts)) in cases.iter().enumerate() {
        let (once, folder) = (map(name, options), folder(&format!("whole{k}")));
        for &n in *counts {
            let mut parts: Vec<PathBuf> = (1..=n).map(|i| part(name, options, (i, n), &folder)).collect();
            parts.rotate_left(n / 2);
            let whole = merge_maps(&parts).unwrap();
            assert_eq!(serde_json::to_string(&whole).unwrap(), serde_json::to_string(&once).unwrap());
            for ending in ["svg", "csv", "json"] {
                let [a, b] = ["a", "b"].map(|name| folder.join(format!("{name}.{ending}")));
                let files = [write_map(&once, &a).unwrap(), write_map(&whole, &b).unwrap()];
                for (a, b) in files[0].iter().zip(&files[1]) {
                    assert_eq!(std::fs::read(a).unwrap(), std::fs::read(b).unwrap(), "{name} {n} {ending}");
                }
            }
        }
    }
}

#[test]
fn what_is_not_the_whole_is_refused() {
    let (folder, name) = (folder("refused"), "falling_pencil");
    let usual = options("inconsistent", "theta=0:pi/2:9", "mu=0:3:8", "verdict");
    let own: Vec<PathBuf> = (1..=3).map(|i| part(name, &usual, (i, 3), &folder)).collect();
    let other = MapOptions { set: vec!["l=2".to_string()], ..usual.clone() };
    let other = part(name, &other, (3, 3), &self::folder("other"));
    let finer = MapOptions { y: "mu=0:3:9".to_string(), ..usual.clone() };
    let finer = part(name, &finer, (3, 3), &self::folder("finer"));
    let cut = folder.join("cut.json");
    let text = std::fs::read_to_string(&own[2]).unwrap();
    let mut short: serde_json::Value = serde_json::from_str(&text).unwrap();
    short["map"]["cells"].as_array_mut().unwrap().pop();
    short["map"]["y"]["values"].as_array_mut().unwrap().pop();
    std::fs::write(&cut, short.to_string()).unwrap();
    let damaged = folder.join("damaged.json");
    std::fs::write(&damaged, &text[..text.len() / 2]).unwrap();
    let foreign = folder.join("foreign.json");
    std::fs::write(&foreign, text.replace("\"inconsistent\"", "\"unheard\"")).unwrap();
    let said = |parts: &[&PathBuf]| {
        let parts: Vec<PathBuf> = parts.iter().map(|path| (*path).clone()).collect();
        merge_maps(&parts).unwrap_err().to_string()
    };
    for (parts, told) in [
        (vec![&own[0], &own[2]], "part 2 of 3 is missing"),
        (vec![&own[0], &own[1]], "part 3 of 3 is missing"),
        (vec![&own[0], &own[1], &own[1], &own[2]], "part 2 is there twice"),
        (vec![&own[0], &own[1], &other], "another question: set is"),
        (vec![&own[0], &own[1], &finer], "another question: y is"),
        (vec![&own[0], &own[1], &cut], "it has 2 of 3 rows"),
        (vec![&own[0], &own[1], &damaged], "it is no part of a map"),
        (vec![&own[0], &own[1], &foreign], "its rows are not those of a map"),
    ] {
        assert!(said(&parts).contains(told), "{told}: {}", said(&parts));
    }
}
