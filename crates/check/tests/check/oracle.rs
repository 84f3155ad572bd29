//! What a certificate says at points, in floating point: no enclosures, no slopes, and its text read anew.

use serde_json::{Map, Value};

/// How far from 0 a value counts as having a sign.
const MARGIN: f64 = 1e-9;

/// Random numbers of [0, 1), by Marsaglia's xorshift.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }

    pub(crate) fn unit(&mut self) -> f64 {
        self.below(1 << 40) as f64 / (1u64 << 40) as f64
    }
}

fn number(text: &str) -> f64 {
    if let Some((before, after)) = text.split_once("pi") {
        let (sign, factor) = before.strip_prefix('-').map_or((1.0, before), |rest| (-1.0, rest));
        let factor = factor.strip_suffix('*').map_or(1.0, number);
        return sign * factor * std::f64::consts::PI / after.strip_prefix('/').map_or(1.0, number);
    }
    if let Some((over, under)) = text.split_once('/') {
        return number(over) / number(under);
    }
    if let Some((m, e)) = text.split_once("*2^") {
        return number(m) * 2f64.powi(e.parse().unwrap());
    }
    text.parse().unwrap()
}

fn ends(value: &Value) -> (f64, f64) {
    match value {
        Value::Array(pair) => (number(pair[0].as_str().unwrap()), number(pair[1].as_str().unwrap())),
        other => (number(other.as_str().unwrap()), number(other.as_str().unwrap())),
    }
}

/// Three-valued: certainly, certainly not, or near.
fn formula(value: &Value, values: &[f64]) -> Option<bool> {
    let (key, inner) = value.as_object().unwrap().iter().next().unwrap();
    if let Some(v) = inner.as_u64() {
        let x = values[v as usize];
        return if x.is_nan() || x.abs() < MARGIN { None } else { Some(x > 0.0) };
    }
    let parts: Vec<_> = inner.as_array().unwrap().iter().map(|part| formula(part, values)).collect();
    let decisive = key == "any";
    if parts.contains(&Some(decisive)) {
        Some(decisive)
    } else {
        parts.iter().all(|part| *part == Some(!decisive)).then_some(!decisive)
    }
}

/// The value of an operation; NaN if it is not defined.
fn applied(name: &str, a: f64, b: f64) -> f64 {
    match name {
        "add" => a + b,
        "sub" => a - b,
        "mul" => a * b,
        "div" if b == 0.0 => f64::NAN,
        "div" => a / b,
        "neg" => -a,
        "sin" => a.sin(),
        "cos" => a.cos(),
        "tan" => a.tan(),
        "sqrt" => a.sqrt(),
        "exp" => a.exp(),
        "ln" if a <= 0.0 => f64::NAN,
        "ln" => a.ln(),
        "atan" => a.atan(),
        "abs" => a.abs(),
        "signum" if a == 0.0 => 0.0,
        "signum" => a.signum(),
        "min" | "where" if a.is_nan() => a,
        "min" if b.is_nan() => b,
        "min" => a.min(b),
        "where" => {
            if a > 0.0 {
                b
            } else {
                0.0
            }
        }
        other => panic!("{other}"),
    }
}

pub(crate) struct Oracle<'a> {
    map: &'a Map<String, Value>,
    ranges: Vec<(f64, f64)>,
    zero: Vec<usize>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(certificate: &'a Value) -> Self {
        let map = certificate.as_object().unwrap();
        let inputs = map["inputs"].as_array().unwrap();
        let ranges = inputs.iter().filter_map(|input| input.get("range")).map(ends).collect();
        let list = |key: &str| map.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        // what is 0 at a witness, besides
        let roots = if map["witness"].is_null() { Vec::new() } else { list("roots") };
        let zero = [list("zero"), roots].concat().iter().map(|v| v.as_u64().unwrap() as usize).collect();
        Oracle { map, ranges, zero }
    }

    /// All values at a point.
    pub(crate) fn values(&self, x: &[f64], constants: &[f64]) -> Vec<f64> {
        let mut x = x.iter();
        let mut values = Vec::new();
        for input in self.map["inputs"].as_array().unwrap() {
            let share = |of: &Value| {
                let of = of.as_u64().unwrap() as usize;
                let (lo, hi) = ends(&self.map["inputs"][of]["range"]);
                (values[of] - lo) / (hi - lo)
            };
            values.push(match (input.get("value"), input.get("share")) {
                (Some(value), _) => ends(value).0,
                (_, Some(of)) => share(of),
                _ => *x.next().unwrap(),
            });
        }
        values.extend(constants);
        for node in self.map["nodes"].as_array().unwrap() {
            let operand = |i: usize| node.get(i).map_or(0.0, |v| values[v.as_u64().unwrap() as usize]);
            values.push(applied(node[0].as_str().unwrap(), operand(1), operand(2)));
        }
        values
    }

    pub(crate) fn constants(&self, random: &mut Random) -> Vec<f64> {
        let pairs = self.map["constants"].as_array().unwrap().iter().map(ends);
        pairs.map(|(lo, hi)| lo + (hi - lo) * random.unit()).collect()
    }

    /// The point at these parts of the ways.
    pub(crate) fn place(&self, u: &[f64]) -> Vec<f64> {
        u.iter().zip(&self.ranges).map(|(u, (lo, hi))| lo + (hi - lo) * u).collect()
    }

    /// The mark of the leaf whose box has a point, by its parts of the ways.
    fn mark(&self, u: &[f64]) -> char {
        let mut tree = self.map["tree"].as_str().unwrap().chars();
        let mut sides = vec![(0.0, 1.0); u.len()];
        loop {
            let mark = tree.next().unwrap();
            let Some(input) = mark.to_digit(36).map(|digit| digit as usize) else { return mark };
            let (a, b) = sides[input];
            let m = 0.5 * (a + b);
            if u[input] < m {
                sides[input] = (a, m);
                continue;
            }
            sides[input] = (m, b);
            let mut open = 1;
            while open > 0 {
                open += if tree.next().unwrap().is_ascii_alphanumeric() { 1 } else { -1 };
            }
        }
    }

    /// Whether all equations hold, to rounding.
    fn is_solved(&self, values: &[f64]) -> bool {
        self.zero.iter().all(|&v| values[v].abs() < 1e-12)
    }

    /// Moves a point along one input to where an equation holds, if it changes its sign without a jump.
    fn solve(&self, x: &mut [f64], j: usize, (lo, hi): (f64, f64), constants: &[f64]) -> bool {
        let Some(&zero) = self.zero.first() else { return true };
        let at = |t: f64, x: &mut [f64]| {
            x[j] = t;
            self.values(x, constants)[zero]
        };
        let (mut a, mut b) = (lo, hi);
        let (at_a, at_b) = (at(a, x), at(b, x));
        if at_a * at_b >= 0.0 || (at_a * at_b).is_nan() {
            return false;
        }
        for _ in 0..80 {
            let m = 0.5 * (a + b);
            if at(m, x) * at_a > 0.0 { a = m } else { b = m }
        }
        at(a, x).abs() < 1e-12
    }

    /// A random point that contradicts the leaf that it is in.
    pub(crate) fn contradiction(&self, random: &mut Random, points: usize) -> Option<Vec<f64>> {
        (0..points).find_map(|_| {
            let constants = self.constants(random);
            let place = |u: f64, (lo, hi): (f64, f64)| lo + (hi - lo) * u;
            let mut x: Vec<f64> = self.ranges.iter().map(|&range| place(random.unit(), range)).collect();
            if !self.zero.is_empty() && !x.is_empty() {
                let j = random.below(x.len());
                let (a, b) = (place(random.unit(), self.ranges[j]), place(random.unit(), self.ranges[j]));
                self.solve(&mut x, j, (a, b), &constants);
            }
            let part = |(x, &(lo, hi)): (&f64, &(f64, f64))| if hi > lo { (x - lo) / (hi - lo) } else { 0.5 };
            let u: Vec<f64> = x.iter().zip(&self.ranges).map(part).collect();
            let values = self.values(&x, &constants);
            let is_wrong = match self.mark(&u) {
                '.' | ':' => formula(&self.map["claimed"], &values) == Some(false),
                '-' | '=' => self.is_solved(&values) && formula(&self.map["assumed"], &values) == Some(true),
                _ => false,
            };
            is_wrong.then_some(x)
        })
    }

    /// Whether the middle of the witness, where equations hold, contradicts that it refutes the claim.
    pub(crate) fn is_wrong_witness(&self, random: &mut Random) -> bool {
        let pairs: Vec<_> = self.map["witness"].as_array().unwrap().iter().map(ends).collect();
        let mut x: Vec<f64> = pairs.iter().map(|(lo, hi)| 0.5 * (lo + hi)).collect();
        let constants = self.constants(random);
        let is_inside =
            x.iter().zip(&self.ranges).all(|(x, (lo, hi))| *x >= lo - MARGIN && *x <= hi + MARGIN);
        if self.zero.len() == 1 {
            let j = pairs.iter().position(|(lo, hi)| lo < hi).unwrap();
            if !self.solve(&mut x, j, pairs[j], &constants) {
                return true;
            }
        }
        let values = self.values(&x, &constants);
        !is_inside
            || formula(&self.map["assumed"], &values) == Some(false)
            || formula(&self.map["claimed"], &values) == Some(true)
    }
}
