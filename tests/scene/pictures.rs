//! Pictures of scenes: a pile, and the same in motion.

use crate::shared::{run, scene};
use mechan::plot::{Animation, Side, pile};
use mechan::scene::{Options, Simulation};

const BOX: &str = "title: \"</script> & FILM\"\ngravity: [0, 0, -10]\nfriction: 0.3\nseed: 2\nstep: 0.01\nsteps: 1\ngroups:\n  beads: {sphere: 0.1, count: 12, density: 2500, place: {grid: {from: [0, 0, 0], to: [0.65, 0.65, 2], jitter: 1}}}\n  brick: {box: [0.1, 0.1, 0.1], count: 1, mass: 1, place: {at: [[0.3, 0.3, 1.2]]}}\nsurfaces:\n  walls: {box: {from: [0, 0, 0], to: [0.65, 0.65, 2], open: [z+]}}\n  lid: {plate: {centre: [0.3, 0.3, 1.8], edges: [[0.2, 0, 0], [0, 0.2, 0]]}, motion: {velocity: [0, 0, 0.1]}}\n";

fn moved(steps: u64) -> (Simulation, Animation) {
    let mut simulation = Simulation::new(&scene("space", BOX), &Options::default()).unwrap();
    let mut film = Animation::new(&simulation, steps, None);
    for _ in 0..steps {
        run(&mut simulation, 1);
        film.look(&simulation);
    }
    (simulation, film)
}

/// Walls end below the title.
#[test]
fn no_wall_of_a_pile_crosses_its_words() {
    let (simulation, _) = moved(40);
    let picture = pile(&simulation, None);
    let paths = picture.svg().split("<path d=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let mut seen = 0;
    for path in paths {
        let numbers = path.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
        let numbers: Vec<f64> = numbers.filter_map(|x| x.parse().ok()).collect();
        assert!(numbers.chunks(2).all(|point| point[1] >= 29.9), "{path}");
        seen += 1;
    }
    assert!(seen > 5, "{seen}");
}

/// The page stands alone, has the frames that are due, the numbers of every body in each, and no motion where none is wanted.
#[test]
fn an_animation_has_its_frames_and_needs_nothing_else() {
    let (simulation, film) = moved(40);
    let page = film.page(&simulation);
    assert!(!page.contains("http") && !page.contains("src="), "it loads something");
    assert!(page.contains("prefers-reduced-motion"));
    assert_eq!(page.matches("</script>").count(), 1);
    let film = page.lines().find_map(|line| line.strip_prefix("const film = ")).unwrap();
    let film: serde_json::Value = serde_json::from_str(film.trim_end_matches(';')).unwrap();
    let frames = film["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 41);
    assert_eq!(film["radii"].as_array().unwrap().len(), 13);
    for frame in frames {
        assert_eq!(frame["b"].as_array().unwrap().len(), 3 * 13);
        assert_eq!(frame["l"].as_array().unwrap().len() % 6, 0);
        // the brick, and the plate that moves
        assert_eq!((frame["p"].as_object().unwrap().len(), frame["s"].as_array().unwrap().len()), (1, 1));
    }
    assert_ne!(frames[0]["s"], frames[40]["s"]);
    let [width, height] = [0, 1].map(|k| film["size"][k].as_f64().unwrap());
    let inside = |frame: &serde_json::Value| {
        let b: Vec<f64> = frame["b"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        b.chunks(3).all(|b| b[0] > 0.0 && b[0] < 10.0 * width && b[1] > 0.0 && b[1] < 10.0 * height)
    };
    assert!(frames.iter().all(inside));
}

/// A long run has no more frames than a reader's machine bears.
#[test]
fn a_long_run_is_thinned_out() {
    let mut simulation = Simulation::new(&scene("space", BOX), &Options::default()).unwrap();
    let mut film = Animation::new(&simulation, 1000, None);
    for _ in 0..50 {
        run(&mut simulation, 1);
        film.look(&simulation);
    }
    let page = film.page(&simulation);
    assert_eq!(page.matches("\"t\":").count(), 1 + 50 / 5);
}

/// The usual side is that from -y; opposite sides are mirror images in the picture's middle line, and from above x is to the right, y upwards.
#[test]
fn a_pile_is_seen_from_the_side_that_is_chosen() {
    let three = "gravity: [0, 0, -10]\nfriction: 0.3\nseed: 2\nstep: 0.01\nsteps: 1\ngroups:\n  small: {sphere: 0.1, count: 1, density: 1, place: {at: [[0.5, 0, 1]]}}\n  middle: {sphere: 0.2, count: 1, density: 1, place: {at: [[2, 3, 0]]}}\n  large: {sphere: 0.4, count: 1, density: 1, place: {at: [[-1, 1, 2]]}}\nsurfaces:\n  floor: {plane: {point: [0, 0, -1], normal: [0, 0, 1]}}\n";
    let simulation = Simulation::new(&scene("space", three), &Options::default()).unwrap();
    let from = |side: &str| pile(&simulation, Side::named(side)).svg().to_string();
    assert_eq!(from("-y"), pile(&simulation, None).svg());
    // the places of circles by their radii
    let circles = |side: &str| -> Vec<[f64; 3]> {
        let svg = from(side);
        let number = |text: &str, name: &str| -> f64 {
            text.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        let mut found: Vec<[f64; 3]> = svg
            .split("<circle")
            .skip(1)
            .map(|text| {
                ["r", "cx", "cy"].map(|name| number(&format!(" {}", text.split('>').next().unwrap()), name))
            })
            .collect();
        found.sort_by(|a, b| a[0].total_cmp(&b[0]));
        found
    };
    for [one, other] in [["x", "-x"], ["y", "-y"]] {
        let (one, other) = (circles(one), circles(other));
        assert_eq!(one.len(), 3);
        let middle = one[0][1] + other[0][1];
        for (a, b) in one.iter().zip(&other) {
            assert!((a[1] + b[1] - middle).abs() < 0.05 && (a[2] - b[2]).abs() < 0.05, "{a:?} {b:?}");
        }
    }
    // from +x larger y is to the right; from above x is to the right and y upwards
    let right = circles("x");
    assert!(right[0][1] < right[2][1] && right[2][1] < right[1][1], "{right:?}");
    let above = circles("z");
    assert!(above[2][1] < above[0][1] && above[0][1] < above[1][1], "{above:?}");
    assert!(above[1][2] < above[2][2] && above[2][2] < above[0][2], "{above:?}");
    assert!(["", "w", "+x", "xy"].iter().all(|name| Side::named(name).is_none()));
}
