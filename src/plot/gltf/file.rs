//! A film as the bytes of a `.glb` file: a header, a chunk of JSON that describes it, and a chunk of numbers.

use super::film::{Actor, Film, Painted, upright};
use super::mesh::Mesh;
use crate::plot::style::Colour;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// `glTF`, the version, and the kinds of chunks, as the specification has them.
const MAGIC: u32 = 0x4654_6c67;
const VERSION: u32 = 2;
const JSON: u32 = 0x4e4f_534a;
const BIN: u32 = 0x004e_4942;
/// Kinds of numbers, and what they are for.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// How glTF names rows of so many numbers.
fn kind(width: usize) -> &'static str {
    match width {
        1 => "SCALAR",
        3 => "VEC3",
        _ => "VEC4",
    }
}

/// The chunk of numbers, with what describes its parts.
#[derive(Default)]
struct Numbers {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Numbers {
    fn view(&mut self, from: usize, target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": from, "byteLength": self.bytes.len() - from });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.views.len() - 1
    }

    /// Rows of single precision; their ends are told where the specification asks for them.
    fn floats<const N: usize>(&mut self, rows: &[[f32; N]], target: Option<u32>, has_ends: bool) -> usize {
        let from = self.bytes.len();
        rows.iter().flatten().for_each(|x| self.bytes.extend(x.to_le_bytes()));
        let view = self.view(from, target);
        let mut accessor =
            json!({ "bufferView": view, "componentType": FLOAT, "count": rows.len(), "type": kind(N) });
        if has_ends {
            let end = |best: fn(f32, f32) -> f32| -> Vec<f64> {
                (0..N).map(|k| rows.iter().map(|row| row[k]).reduce(best).map_or(0.0, f64::from)).collect()
            };
            accessor["min"] = json!(end(f32::min));
            accessor["max"] = json!(end(f32::max));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn triangles(&mut self, triangles: &[[u32; 3]]) -> usize {
        let from = self.bytes.len();
        triangles.iter().flatten().for_each(|i| self.bytes.extend(i.to_le_bytes()));
        let view = self.view(from, Some(INDICES));
        let count = 3 * triangles.len();
        let accessor =
            json!({ "bufferView": view, "componentType": UNSIGNED, "count": count, "type": "SCALAR" });
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn mesh(&mut self, mesh: &Mesh, material: usize) -> Value {
        let single = |rows: &[[f64; 3]]| rows.iter().map(|row| row.map(|x| x as f32)).collect::<Vec<_>>();
        let points = self.floats(&single(&mesh.points), Some(VERTICES), true);
        let normals = self.floats(&single(&mesh.normals), Some(VERTICES), false);
        let indices = self.triangles(&mesh.triangles);
        json!({ "attributes": { "POSITION": points, "NORMAL": normals }, "indices": indices, "material": material })
    }
}

/// Materials, each once.
#[derive(Default)]
struct Materials {
    numbers: BTreeMap<([u8; 3], u64), usize>,
    all: Vec<Value>,
}

impl Materials {
    fn of(&mut self, Painted { colour, opacity, .. }: &Painted) -> usize {
        *self.numbers.entry((colour.0, opacity.to_bits())).or_insert_with(|| {
            self.all.push(material(*colour, *opacity));
            self.all.len() - 1
        })
    }
}

fn material(colour: Colour, opacity: f64) -> Value {
    let [red, green, blue] = colour.0.map(linear);
    let mut material = json!({
        "name": colour.to_string(),
        "pbrMetallicRoughness":
            { "baseColorFactor": [red, green, blue, opacity], "metallicFactor": 0, "roughnessFactor": 0.8 },
        "doubleSided": true,
    });
    if opacity < 1.0 {
        material["alphaMode"] = json!("BLEND");
    }
    material
}

/// The light of a component of sRGB, IEC 61966-2-1.
fn linear(component: u8) -> f64 {
    let x = f64::from(component) / 255.0;
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

/// x, y, z, w, of unit length in single precision.
fn quaternion([w, x, y, z]: [f64; 4]) -> [f32; 4] {
    [x, y, z, w].map(|x| x as f32)
}

impl Film {
    /// The file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let (mut numbers, mut materials) = (Numbers::default(), Materials::default());
        let looks: Vec<(Option<usize>, Value)> = self.meshes(&mut numbers, &mut materials);
        let meshes: Vec<&Value> =
            looks.iter().filter(|(own, _)| own.is_some()).map(|(_, mesh)| mesh).collect();
        let mut nodes = vec![self.root()];
        nodes.extend(self.actors.iter().map(|actor| node(actor, looks[actor.look].0)));
        let mut document = json!({
            "asset": { "version": "2.0", "generator": format!("mechan {}", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "name": self.title, "nodes": [0] }],
            "nodes": nodes,
        });
        if !meshes.is_empty() {
            document["meshes"] = json!(meshes);
            document["materials"] = json!(materials.all);
        }
        if let Some(animation) = self.animation(&mut numbers) {
            document["animations"] = json!([animation]);
        }
        if !numbers.bytes.is_empty() {
            document["accessors"] = json!(numbers.accessors);
            document["bufferViews"] = json!(numbers.views);
            document["buffers"] = json!([{ "byteLength": numbers.bytes.len() }]);
        }
        packed(document.to_string().into_bytes(), numbers.bytes)
    }

    /// The meshes of all looks, with their numbers; one of nothing has none.
    fn meshes(&self, numbers: &mut Numbers, materials: &mut Materials) -> Vec<(Option<usize>, Value)> {
        let mut count = 0;
        let mut mesh = |painted: &Vec<Painted>| {
            let seen = painted.iter().filter(|painted| !painted.mesh.triangles.is_empty());
            let parts: Vec<Value> =
                seen.map(|painted| numbers.mesh(&painted.mesh, materials.of(painted))).collect();
            let own = (!parts.is_empty()).then(|| {
                count += 1;
                count - 1
            });
            (own, json!({ "primitives": parts }))
        };
        self.looks.iter().map(&mut mesh).collect()
    }

    /// The node above all, in which gravity points down.
    fn root(&self) -> Value {
        let mut root = json!({ "name": self.title, "rotation": quaternion(upright(self.up)) });
        if !self.actors.is_empty() {
            root["children"] = json!((1..=self.actors.len()).collect::<Vec<_>>());
        }
        root
    }

    /// Keyframes of all that moves; none of a film of one moment.
    fn animation(&self, numbers: &mut Numbers) -> Option<Value> {
        let moving = || self.actors.iter().enumerate().filter(|(_, actor)| actor.placed.len() > 1);
        moving().next()?;
        let times: Vec<[f32; 1]> = self.times.iter().map(|t| [*t as f32]).collect();
        let input = numbers.floats(&times, None, true);
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (number, actor) in moving() {
            let mut channel = |output: usize, path: &str| {
                channels.push(
                    json!({ "sampler": samplers.len(), "target": { "node": number + 1, "path": path } }),
                );
                samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            };
            let first = actor.placed[0];
            if actor
                .placed
                .iter()
                .any(|placed| placed.place.iter().zip(first.place).any(|(a, b)| differ(*a, b)))
            {
                let places: Vec<[f32; 3]> = actor.placed.iter().map(|p| p.place.map(|x| x as f32)).collect();
                channel(numbers.floats(&places, None, false), "translation");
            }
            if actor
                .placed
                .iter()
                .any(|placed| placed.turn.iter().zip(first.turn).any(|(a, b)| differ(*a, b)))
            {
                let turns: Vec<[f32; 4]> = actor.placed.iter().map(|p| quaternion(p.turn)).collect();
                channel(numbers.floats(&turns, None, false), "rotation");
            }
        }
        let events: Vec<Value> =
            self.notes.iter().map(|note| json!({ "t": note.t, "what": note.what })).collect();
        let extras = json!({ "events": events });
        Some(json!({ "name": "motion", "samplers": samplers, "channels": channels, "extras": extras }))
    }
}

/// Whether two numbers are not the same.
fn differ(a: f64, b: f64) -> bool {
    a.total_cmp(&b).is_ne()
}

fn node(actor: &Actor, mesh: Option<usize>) -> Value {
    let first = actor.placed[0];
    let mut node = json!({
        "name": actor.name,
        "translation": first.place.map(|x| x as f32),
        "rotation": quaternion(first.turn),
    });
    if let Some(mesh) = mesh {
        node["mesh"] = json!(mesh);
    }
    if actor.scale.iter().any(|x| differ(*x, 1.0)) {
        node["scale"] = json!(actor.scale.map(|x| x as f32));
    }
    node
}

/// Header and chunks, each to a multiple of four bytes.
fn packed(mut text: Vec<u8>, mut numbers: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    numbers.resize(numbers.len().next_multiple_of(4), 0);
    let chunks: Vec<(u32, Vec<u8>)> =
        [(JSON, text), (BIN, numbers)].into_iter().filter(|(_, c)| !c.is_empty()).collect();
    let length: usize = 12 + chunks.iter().map(|(_, chunk)| 8 + chunk.len()).sum::<usize>();
    let mut bytes = Vec::with_capacity(length);
    let word = |x: u32, bytes: &mut Vec<u8>| bytes.extend(x.to_le_bytes());
    for x in [MAGIC, VERSION, length as u32] {
        word(x, &mut bytes);
    }
    for (kind, chunk) in chunks {
        word(chunk.len() as u32, &mut bytes);
        word(kind, &mut bytes);
        bytes.extend(chunk);
    }
    bytes
}
