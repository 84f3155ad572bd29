//! A heap in motion, as a page of its own: chosen frames as numbers, drawn by a short script as the picture of the pile is, with a button, a
//! slider, and no motion of its own where the reader wants none.

use super::canvas::escaped;
use super::picture::PictureFault;
use super::pile::{Extent, Link, STRONGEST, Side, View, lines, links, silhouette};
use super::scale::short;
use super::style::Colour;
use crate::report::write_whole;
use crate::scene::{Pose, Posed, Simulation, Solid};
use serde_json::{Value, json};
use std::path::Path;

/// Frames at most, and numbers in all of them: some megabytes of page.
const FRAMES: u64 = 240;
const NUMBERS: usize = 1_000_000;

/// A moment of a scene.
struct Frame {
    t: f64,
    contacts: usize,
    /// N.
    force: f64,
    posed: Vec<Posed>,
    poses: Vec<Pose>,
    links: Vec<Link>,
}

/// The frames of a run.
pub struct Animation {
    frames: Vec<Frame>,
    extent: Extent,
    /// Steps from frame to frame.
    every: u64,
    steps: u64,
}

impl Animation {
    /// Of a run of so many steps, which begins where the scene is, from the usual side or another one.
    #[must_use]
    pub fn new(simulation: &Simulation, steps: u64, side: Option<Side>) -> Self {
        let numbers = 3 * simulation.bodies().len() + 1;
        let frames = (NUMBERS / (4 * numbers)).max(2) as u64;
        let every = steps.div_ceil(FRAMES.min(frames)).max(1);
        let mut film = Self { frames: Vec::new(), extent: Extent::new(simulation, side), every, steps };
        film.take(simulation);
        film
    }

    /// Looks at a scene after a step, and keeps what it sees if a frame is due.
    pub fn look(&mut self, simulation: &Simulation) {
        if simulation.step().is_multiple_of(self.every) || simulation.step() == self.steps {
            self.take(simulation);
        }
    }

    fn take(&mut self, simulation: &Simulation) {
        let posed: Vec<Posed> = simulation.bodies().iter().map(|body| body.here()).collect();
        let poses = simulation.poses().unwrap_or_default();
        self.extent.hold(simulation, &posed, &poses);
        let (links, largest) = links(simulation, &posed);
        self.frames.push(Frame {
            t: simulation.time(simulation.step()),
            contacts: simulation.touches().len(),
            force: largest / simulation.scene().course.step,
            posed,
            poses,
            links,
        });
    }

    /// The page.
    #[must_use]
    pub fn page(&self, simulation: &Simulation) -> String {
        let view = self.extent.view();
        let scene = simulation.scene();
        let title = scene.title.clone().unwrap_or_else(|| scene.name.clone());
        let moves = |surface: usize| scene.surfaces[surface].motion.is_some();
        let drawn = |poses: &[Pose], moving: bool| -> Vec<Value> {
            let pieces = simulation.obstacles().iter().filter(|piece| moves(piece.surface) == moving);
            let placed = pieces.filter_map(|o| Some(lines(&view, &o.piece, poses.get(o.surface)?)));
            placed.flatten().map(|line| tenths(&line)).collect()
        };
        let frames: Vec<Value> =
            self.frames.iter().map(|frame| frame.numbers(&view, drawn(&frame.poses, true))).collect();
        let radius = |body: &Posed| match body.solid {
            Solid::Round(radius) => json!(hundredths(view.scale * radius)),
            Solid::Box(_) => json!(0),
        };
        let first = &self.frames[0];
        let film = json!({
            "size": view.size.map(hundredths),
            "sky": Colour::SKY.0, "slate": Colour::SLATE.0, "red": Colour::RED.0, "paper": Colour::PAPER.0,
            "ink": Colour::INK.to_string(),
            "radii": first.posed.iter().map(radius).collect::<Vec<_>>(),
            "still": drawn(&first.poses, false),
            "frames": frames,
        });
        // a name of a scene could end the script
        let film = film.to_string().replace("</", "<\\/");
        PAGE.replace("SCRIPT", include_str!("animation.js"))
            .replacen("FILM", &film, 1)
            .replace("TITLE", &escaped(&title))
    }

    /// Writes the page to a file whose name ends in `.html`.
    ///
    /// # Errors
    /// [`PictureFault`]; no half of a page is left.
    pub fn write(&self, simulation: &Simulation, path: &Path) -> Result<(), PictureFault> {
        let page = self.page(simulation);
        write_whole(path, page.as_bytes())
            .map_err(|error| PictureFault::Unwritable { path: path.to_owned(), error })
    }
}

impl Frame {
    fn numbers(&self, view: &View, moving: Vec<Value>) -> Value {
        let far = |x| (99.0 * view.share(x)).round() as i64;
        let mut bodies = Vec::new();
        let mut boxes = serde_json::Map::new();
        for (number, body) in self.posed.iter().enumerate() {
            bodies.extend(view.place(body.centre).map(tenth));
            bodies.push(far(body.centre));
            if let Solid::Box(halves) = body.solid {
                boxes.insert(number.to_string(), tenths(&silhouette(view, body, halves)));
            }
        }
        let mut chains = Vec::new();
        for Link { from, to, share } in &self.links {
            chains.extend([*from, *to].into_iter().flat_map(|x| view.place(x).map(tenth)));
            chains.extend([(100.0 * STRONGEST * share).round() as i64, far(*from)]);
        }
        let force = short(self.force).replace("^{", "^").replace('}', "") + " N";
        json!({ "t": self.t, "c": self.contacts, "f": force, "b": bodies, "p": boxes, "l": chains, "s": moving })
    }
}

fn tenth(x: f64) -> i64 {
    (10.0 * x).round() as i64
}

fn hundredths(x: f64) -> f64 {
    (100.0 * x).round() / 100.0
}

fn tenths(points: &[[f64; 2]]) -> Value {
    json!(points.iter().flatten().map(|x| tenth(*x)).collect::<Vec<_>>())
}

const PAGE: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>TITLE</title>
<style>
body { font-family: "DejaVu Sans", sans-serif; max-width: 48rem; margin: 1rem auto; padding: 0 1rem; color: #222; background: #fff; }
h1 { font-size: 1.1rem; font-weight: normal; margin: 0; }
#told { color: #777; font-size: 0.85rem; margin: 0.2rem 0; font-variant-numeric: tabular-nums; }
canvas { display: block; max-width: 100%; }
form { display: flex; gap: 0.7rem; align-items: center; }
button { min-width: 5rem; padding: 0.3rem; font: inherit; }
input { flex: 1; }
</style>
</head>
<body>
<h1>TITLE</h1>
<p id="told"></p>
<canvas id="film" role="img" aria-label="TITLE: bodies, surfaces, and normal forces as red lines"></canvas>
<form onsubmit="return false"><button id="play" type="button">Play</button><input id="at" type="range" min="0" value="0" aria-label="frame"></form>
<noscript><p>The motion needs scripts.</p></noscript>
<script>
const film = FILM;
SCRIPT</script>
</body>
</html>
"#;
