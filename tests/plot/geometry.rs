//! Where things stand: read off the picture by its own ticks, and compared with closed forms.

use crate::motions::{along, bouncing_ball, library, span, trajectory};
use crate::read_off::{Read, lines, shapes, texts_are_on_the_page};
use mechan::contact::Compliance;
use mechan::contact::{Friction, Planar, Slip};
use mechan::plot::{motion, phase, portrait, time_series, tree};
use mechan::simulate::compliant::Scene;
use mechan::simulate::trajectory::{FutureNode, Futures};

/// A line is written to 0.01, ticks to 0.01 at some 100 units' distance.
const PAGE: f64 = 0.03;

#[test]
fn curves_are_where_the_motion_is_and_broken_at_impacts() {
    let (h, e, g) = (1.0_f64, 0.7, 10.0);
    let ball = bouncing_ball(h, e, 14, 2.8, 200);
    let svg = time_series(&ball, &["y", "dot(y)"]).unwrap().svg().to_owned();
    assert!(texts_are_on_the_page(&svg));
    let (t, y, rate) = (Read::across(&svg), Read::up(&svg, 0), Read::up(&svg, 1));
    let curves = lines(&svg, "#222222", "1.3");
    let first = (2.0 * h / g).sqrt();
    let falling = curves[0].iter().filter(|p| t.at(p[0]) < first);
    let mut seen = 0;
    for [px, py] in falling {
        let (t, found) = (t.at(*px), y.at(*py));
        // the slope carries the error of the time
        let allowed = (PAGE * y.b.abs()) + g * t * PAGE * (2.8 / 280.0);
        assert!((found - (h + 0.1 - g * t * t / 2.0)).abs() < allowed, "{t}: {found}");
        seen += 1;
    }
    assert!(seen > 25);
    // each flight of the velocity is a line of its own that begins at the speed after the impact
    let flights = &curves[1..];
    assert_eq!(flights.len(), 15, "13 impacts and the end of the chatter break the velocity");
    for (k, flight) in flights[1..5].iter().enumerate() {
        let speed = e.powi(k as i32 + 1) * (2.0 * g * h).sqrt();
        assert!((rate.at(flight[0][1]) - speed).abs() < 2.0 * PAGE * rate.b.abs(), "{k}");
    }
}

/// The rod at its saddle, of Y = b/(p k): an empty circle where the axes say that it is.
#[test]
fn a_portrait_shows_its_saddle() {
    let (s, c) = 1.0f64.sin_cos();
    let planar = Planar::new(1.0 + 3.0 * s * s, 3.0 * s * c, 1.0 + 3.0 * c * c, 0.0, 4.0 * s - 1.0);
    let (friction, compliance) = (Friction::new(1.6).unwrap(), Compliance::new(2.0, 0.5).unwrap());
    let scene = Scene { planar, friction, compliance, slip: Some(Slip::Pos) };
    let svg = portrait(&scene, "rod").unwrap().svg().to_owned();
    assert!(texts_are_on_the_page(&svg));
    let saddle = planar.b / (2.0 * (planar.C - 1.6 * planar.B));
    let circle = svg.lines().find(|l| l.starts_with("<circle")).unwrap();
    let of = |name: &str| {
        let (_, rest) = circle.split_once(&format!(" {name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.parse::<f64>().unwrap()
    };
    let (across, up) = (Read::across(&svg), Read::up(&svg, 0));
    assert!((across.at(of("cx")) - saddle).abs() < 2.0 * PAGE * across.b, "{saddle} {circle}");
    assert!(up.at(of("cy")).abs() < 2.0 * PAGE * up.b.abs());
    // a start below the saddle's stable line falls, one above it rises: lines in the colour of slip leave on both sides
    let slips = lines(&svg, "#0072b2", "0.78");
    let ends: Vec<f64> = slips.iter().map(|line| up.at(line[line.len() - 1][1])).collect();
    assert!(ends.iter().any(|v| *v > 0.5) && ends.iter().any(|v| *v < -0.5), "{ends:?}");
}

/// The drop conserves energy until the first impact: y + ẏ²/(2g) = h.
#[test]
fn the_phase_portrait_is_the_energys_parabola() {
    let (h, g) = (1.0_f64, 10.0);
    let svg = phase(&bouncing_ball(h, 0.7, 14, 2.8, 200), "y").unwrap().svg().to_owned();
    assert!(texts_are_on_the_page(&svg));
    let (y, v) = (Read::across(&svg), Read::up(&svg, 0));
    let drop = &lines(&svg, "#0072b2", "1.3")[0];
    assert!(drop.len() > 25);
    for [px, py] in drop {
        let (y, v_at) = (y.at(*px) - 0.1, v.at(*py));
        assert!((y + v_at * v_at / (2.0 * g) - h).abs() < 0.005, "{y} {v_at}");
    }
    // a triangle whose middle is the place after the impact
    let marks: Vec<[f64; 2]> =
        shapes(&svg, "#222222").iter().map(|t| [t[2][0], (t[0][1] + t[2][1]) / 2.0]).collect();
    let after = 0.7 * (2.0 * g * h).sqrt();
    assert!(marks.iter().any(|[px, py]| (y.at(*px) - 0.1).abs() < 0.01 && (v.at(*py) - after).abs() < 0.05));
}

/// The falling pencil is drawn from its tip to its other end, 2 l away, at the same scale along both axes.
#[test]
fn a_rod_is_drawn_from_its_tip_through_its_centre() {
    let (mechanism, parameters) = library("falling_pencil");
    let l = mechanism.parameters.iter().position(|p| p.name == "l").map(|i| parameters[i]).unwrap();
    let angle = 1.1_f64;
    let fall = along(&mechanism, 1.0, |t| vec![0.3 * t, 0.2, angle * t]);
    let svg = motion(&mechanism, &parameters, &fall).unwrap().svg().to_owned();
    assert!(texts_are_on_the_page(&svg));
    let (x, y) = (Read::across(&svg), Read::up(&svg, 0));
    assert!((x.b + y.b).abs() < 1e-3 * x.b, "equal scales: {} {}", x.b, y.b);
    let last = lines(&svg, "#1b2a3a", "1.82");
    let [ends] = last.as_slice() else { panic!("{last:?}") };
    let mut found: Vec<[f64; 2]> = ends.iter().map(|p| [x.at(p[0]), y.at(p[1])]).collect();
    found.sort_by(|a, b| a[1].total_cmp(&b[1]));
    let expected = [[0.3, 0.2], [0.3 - 2.0 * l * angle.sin(), 0.2 + 2.0 * l * angle.cos()]];
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 3.0 * PAGE * x.b, "{found} {expected}");
    }
    assert_eq!(lines(&svg, "#c8d2dc", "1.82").len(), 1, "the first is the palest");
}

/// The hatched line of the ground is at y = 0, and every hatch goes down from it.
#[test]
fn surfaces_are_hatched_on_their_inner_side() {
    let (mechanism, parameters) = library("falling_pencil");
    let fall = along(&mechanism, 1.0, |t| vec![0.0, 0.3, 1.5 * t]);
    let mut samples = fall.clone();
    samples.rows.truncate(1);
    for fall in [fall, samples] {
        let svg = motion(&mechanism, &parameters, &fall).unwrap().svg().to_owned();
        let y = Read::up(&svg, 0);
        let ground = &lines(&svg, "#777777", "1")[0];
        assert!(ground.iter().all(|p| y.at(p[1]).abs() < 2.0 * PAGE * y.b.abs()));
        let hatches = lines(&svg, "#777777", "0.5");
        assert!(hatches.len() > 20);
        for hatch in hatches {
            assert!(y.at(hatch[0][1]).abs() < 2.0 * PAGE * y.b.abs() && hatch[1][1] > hatch[0][1]);
        }
    }
}

/// In space a vertical rod is vertical on the page, and lengths along the vertical shrink by the cosine of the elevation.
#[test]
fn space_is_seen_from_above_its_horizon() {
    let (mechanism, parameters) = library("rod_3d");
    let l = mechanism.parameters.iter().position(|p| p.name == "l").map(|i| parameters[i]).unwrap();
    let drawn = |theta: f64| -> [[f64; 2]; 2] {
        let rest = along(&mechanism, 1.0, |_| vec![0.0, 0.0, l, 0.0, theta]);
        let svg = motion(&mechanism, &parameters, &rest).unwrap().svg().to_owned();
        let line = lines(&svg, "#1b2a3a", "1.82").pop().unwrap();
        [line[0], line[1]]
    };
    let [a, b] = drawn(std::f64::consts::FRAC_PI_2);
    assert!((a[0] - b[0]).abs() < 0.02 && (a[1] - b[1]).abs() > 50.0, "{a:?} {b:?}");
}

/// A fork at t = 0.3 with two ways on: lines of the modes' colours from and to their times, joined at the fork.
#[test]
fn a_fork_stands_where_it_happens() {
    let piece = |from: f64, to: f64, mode| {
        let mut piece = trajectory("rod", &["t"], &[vec![from], vec![to]]);
        piece.phases = vec![span(from, to, &[("tip", mode)])];
        piece
    };
    let node = |id: usize, trajectory| FutureNode {
        id,
        parent: (id > 0).then_some(0),
        event: None,
        choice: Some(format!("way {id}")),
        reason: String::new(),
        trajectory,
    };
    let nodes = vec![
        node(0, piece(0.0, 0.3, "slip+")),
        node(1, piece(0.3, 1.0, "stick")),
        node(2, piece(0.3, 0.8, "slip-")),
    ];
    let svg = tree(&Futures::new(true, nodes)).unwrap().svg().to_owned();
    assert!(texts_are_on_the_page(&svg) && svg.contains(">way 1<") && svg.contains(">way 2<"));
    let t = Read::across(&svg);
    let line = |colour: &str| lines(&svg, colour, "3")[0].clone();
    let (root, up, down) = (line("#0072b2"), line("#009e73"), line("#d55e00"));
    for (line, [from, to]) in [(&root, [0.0, 0.3]), (&up, [0.3, 1.0]), (&down, [0.3, 0.8])] {
        assert!(
            (t.at(line[0][0]) - from).abs() < 2.0 * PAGE * t.b
                && (t.at(line[1][0]) - to).abs() < 2.0 * PAGE * t.b
        );
    }
    assert!(up[0][1] < root[0][1] && root[0][1] < down[0][1], "the parent is between its children");
    let forks = lines(&svg, "#777777", "0.8");
    for child in [&up, &down] {
        assert!(forks.iter().any(|f| f[0] == root[1] && f[2] == child[0]), "{forks:?}");
    }
}

/// Whatever the numbers, the picture is one: no numbers that SVG cannot have, every text on the page.
#[test]
fn extremes_make_pictures_too() {
    let nan = f64::NAN;
    for values in
        [[0.0; 3], [1e-320, 2e-320, 0.0], [f64::MAX, -f64::MAX, 0.0], [nan; 3], [f64::INFINITY, 1.0, nan]]
    {
        for times in [[0.0, 1.0, 2.0], [0.0, 1e-300, 2e-300], [1e9, 1e9 + 1e-3, 1e9 + 2e-3]] {
            let rows: Vec<Vec<f64>> = (0..3).map(|k| vec![times[k], values[k], values[2 - k]]).collect();
            let odd = trajectory("odd <&> \"mechanism\"", &["t", "x", "dot(x)"], &rows);
            let series = time_series(&odd, &["x", "dot(x)"]).unwrap();
            let portrait = phase(&odd, "x").ok().map(|p| p.svg().to_owned());
            for svg in [Some(series.svg().to_owned()), portrait].into_iter().flatten() {
                assert!(
                    !svg.contains("NaN") && !svg.contains("\"inf") && texts_are_on_the_page(&svg),
                    "{svg}"
                );
            }
        }
    }
}

#[test]
fn a_long_motion_makes_a_small_picture() {
    let long = bouncing_ball(1.0, 0.999, 1000, 900.0, 200_000);
    let svg = time_series(&long, &["y", "dot(y)", "ground.N"]).unwrap().svg().to_owned();
    assert!(svg.len() < 500_000, "{}", svg.len());
}
