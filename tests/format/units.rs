//! Units: their text, the unit of every expression, and whether they fit where they stand. The expected words are written by
//! hand; a second route evaluates random expressions in two sets of units and compares the numbers.

use crate::shared::{edited, faults, unmarked};
use mechan::diag::{Diagnostic, Source};
use mechan::expression::Env;
use mechan::format::{Mechanism, Override, Starter, Unit, Units, lacking, read};

/// A file in which everything has a unit.
const FULL: &str = r#"mechan: 1
name: rod
space: plane
parameters:
  m: {value: 1, unit: kg}
  l: {value: 0.5, unit: m}
  J: {value: m*l^2/3, unit: kg m^2}
  g: {value: 9.81, unit: m/s^2}
  k: {value: 10, unit: N/m}
  d: {value: 1, unit: N s/m}
  alpha: {value: 10, unit: deg}
  w: {value: 3, unit: rad/s}
  s: {value: 2, unit: mm}
  n: {value: 2, unit: "1"}
  mu: {value: 0.4, unit: "1"}
coordinates:
  - {name: x, unit: m}
  - {name: y, unit: m}
  - {name: theta, unit: rad}
gravity: [0, -g]
definitions:
  tip_x: x - l*cos(theta)
  extra: EXTRA
frames:
  table: {origin: [l, 0], rotation: theta/2}
bodies:
  rod: {mass: m, inertia: J, position: [x, y], rotation: theta + alpha*pi/180, shape: {segment: [[-l, 0], [l, 0]]}}
energy: {kinetic: m*dot(x)*dot(tip_x)/1000, potential: k*x^2/2}
forces:
  - {coordinate: theta, value: -d*l^2*dot(theta)}
  - {coordinate: x, value: -k*x}
  - {point: [x, y], force: [m*g, k*s*0]}
  - {body: rod, torque: k*l^2*sin(w*t)}
  - {spring: [{body: rod, at: [l, 0]}, [0, 2*l]], stiffness: k, length: l, damping: d}
  - {torsion: theta, stiffness: k*l^2, angle: pi/4, damping: d*l^2}
constraints:
  - {name: hinge, value: x^2 + y^2 - (2*l)^2}
contacts:
  tip: {point: {body: rod, at: [-l, 0]}, surface: {point: [0, 0], normal: [0, 1]}, friction: mu, active: dot(x) + w*l}
  rim: {disc: {body: rod, radius: l/10}, surface: {frame: table, point: [0, 0], normal: [l, 2*l], velocity: [0, l*w]}, friction: mu}
  stop: {gap: theta + 1, slip: theta, friction: mu}
  side: {gap: x + l, slip_velocity: dot(y) - l*w, friction: mu}
states:
  a: {t: 1, q: {theta: 0.3, y: l*sin(theta)}, v: {x: 1 + l*w, theta: dot(x)/l}, parameters: {l: 2, g: 0}}
domain:
  theta: [0, pi/2]
  dot(x): [0, l*w]
  l: [0.1, 2]
"#;

/// [`FULL`] with an expression of its own.
fn full(extra: &str) -> String {
    edited(FULL, "EXTRA", extra)
}

fn units_only(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.into_iter().filter(|d| d.code != "M215").collect()
}

fn mechanism(text: &str) -> Mechanism {
    read(&Source::new("rod.yaml", text)).unwrap_or_else(|found| panic!("{found:?}")).mechanism
}

#[test]
fn a_file_whose_units_all_fit_is_accepted() {
    let (source, found) = faults(full("x*theta").as_bytes());
    let found = units_only(found);
    assert!(found.is_empty(), "{}", crate::shared::shown(&found, &source));
}

/// An expression, the marked part that is wrong, and the message.
#[rustfmt::skip]
const SUMS: &[(&str, &str)] = &[
    ("theta + «x»", "a length is added to an angle"),
    ("x + «theta»", "an angle is added to a length"),
    ("x - «theta»", "an angle is subtracted from a length"),
    ("«1» + x", "a number is added to a length"),
    ("x + y + l - «1»", "a number is subtracted from a length"),
    ("«theta» + x + y", "an angle is added to a length"),
    ("m + «J»", "a moment of inertia is added to a mass"),
    ("x + «s»", "mm is added to m: a factor of 1000 apart"),
    ("s - «x»", "m is subtracted from mm: a factor of 1000 apart"),
    ("theta + «alpha»", "an angle in degrees is added to an angle"),
    ("theta + «alpha*pi»", "an angle in degrees is added to an angle"),
    ("k*x + «d*x»", "an impulse is added to a force"),
    ("m*g + «m*dot(x)^2»", "a torque or energy is added to a force"),
    ("dot(theta) + «dot(x)»", "a velocity is added to an angular velocity"),
    ("dot(tip_x) + «tip_x»", "a length is added to a velocity"),
    ("t + «1/w^2»", "a quantity in s^2/rad^2 is added to a time"),
    ("sqrt(x^2 + y^2 + «l»)", "a length is added to an area"),
    ("x^(1/2) + «x»", "a length is added to a quantity in m^(1/2)"),
];

#[test]
fn sums_say_what_is_added_to_what() {
    SUMS.iter().for_each(|(marked, message)| only(marked, "M221", message));
}

fn only(marked: &str, code: &str, message: &str) {
    let (text, span) = unmarked(&full(&format!("\"{marked}\"")));
    let (source, found) = faults(text.as_bytes());
    let found = units_only(found);
    assert_eq!(found.len(), 1, "{marked}: {}", crate::shared::shown(&found, &source));
    assert_eq!((found[0].code, found[0].span), (code, span), "{marked}: {}", found[0].message);
    assert_eq!(found[0].message, message, "{marked}");
    assert_eq!(found[0].path, "definitions.extra");
}

#[rustfmt::skip]
const FUNCTIONS: &[(&str, &str)] = &[
    ("sin(«x»)", "sin() is given a length, expected an angle in radians"),
    ("cos(«alpha»)", "cos() is given an angle in degrees, expected an angle in radians"),
    ("cos(2*theta + sin(«alpha»))", "sin() is given an angle in degrees, expected an angle in radians"),
    ("exp(«t»)", "exp() is given a time, expected a number"),
    ("log(«m*g»)", "log() is given a force, expected a number"),
    ("acos(«J»)", "acos() is given a moment of inertia, expected a number"),
    ("atan2(x, «theta»)", "atan2() is given a length and an angle, expected two of one unit"),
    ("2^«x»", "an exponent is a length, expected a number"),
    ("«x»^n", "a length has an exponent that is not a fixed number"),
    ("«x^1001»", "the unit of this has an exponent beyond 1000"),
    ("«x^999*x^999»", "the unit of this has an exponent beyond 1000"),
];

#[test]
fn functions_and_powers_say_what_they_are_given() {
    FUNCTIONS.iter().for_each(|(marked, message)| only(marked, "M223", message));
}

/// Expressions that fit.
#[rustfmt::skip]
const GOOD: &[&str] = &[
    "1 + theta", "theta - pi/2", "x + 0", "0 + x", "x + 0*theta", "x + l*theta", "x*1/2 + 3*l", "sqrt(x^2 + y^2) - l",
    "abs(x) + l", "atan2(y, x) + theta", "asin(x/l) + theta", "theta + alpha*pi/180", "alpha/180*pi - theta", "sin(pi/180*alpha)",
    "theta + 2*pi*alpha/360", "alpha + theta*180/pi", "(x/l)^n + 1", "exp(-t*w) + 1", "k*x + d*dot(x) - m*g",
    "m*dot(x)^2 + J*dot(theta)^2 + k*l^2*theta^2", "x^-1 + 1/l", "x^0 + 1", "dot(tip_x) + l*dot(theta)", "w*t + theta",
    "(x^2)^(1/2) + x", "-x + l", "2^n + 2^theta", "atan2(0, x) + 1", "sinh(theta) + cosh(n)", "(1 - 1)*x + theta", "x + (1 - 1)",
];

#[test]
fn what_fits_is_accepted() {
    for extra in GOOD {
        let (source, found) = faults(full(&format!("\"{extra}\"")).as_bytes());
        let found = units_only(found);
        assert!(found.is_empty(), "{extra}: {}", crate::shared::shown(&found, &source));
    }
}

/// What is replaced in [`FULL`], by what, and the message.
#[rustfmt::skip]
const PLACES: &[(&str, &str, &str)] = &[
    ("value: m*l^2/3", "value: «m*l/3»", "this is a mass times a length, expected a moment of inertia"),
    ("gravity: [0, -g]", "gravity: [0, «-9.81»]", "a number without a unit stands for an acceleration"),
    ("gravity: [0, -g]", "gravity: [0, «-k»]", "this is a stiffness, expected an acceleration"),
    ("origin: [l, 0]", "origin: [«m», 0]", "this is a mass, expected a length"),
    ("origin: [l, 0]", "origin: [l, «1»]", "a number without a unit stands for a length"),
    ("rotation: theta/2", "rotation: «x»", "this is a length, expected a number"),
    ("rotation: theta/2", "rotation: «alpha»", "this is an angle in degrees, expected a number"),
    ("mass: m, inertia", "mass: «l», inertia", "this is a length, expected a mass"),
    ("inertia: J", "inertia: «m*l»", "this is a mass times a length, expected a moment of inertia"),
    ("position: [x, y]", "position: [x, «y^2»]", "this is an area, expected a length"),
    ("position: [x, y]", "position: [x, «s»]", "this is in mm, expected m: a factor of 1000 apart"),
    ("[[-l, 0], [l, 0]]", "[[-l, 0], [l, «1»]]", "a number without a unit stands for a length"),
    ("kinetic: m*dot(x)*dot(tip_x)/1000", "kinetic: «dot(x)*dot(tip_x)»", "this is a squared velocity, expected a torque or energy"),
    ("potential: k*x^2/2", "potential: «k*x»", "this is a force, expected a torque or energy"),
    ("value: -d*l^2*dot(theta)", "value: «-0.001*dot(theta)»", "this is an angular velocity, expected a torque or energy"),
    ("value: -k*x}", "value: «-k*x^2»}", "this is a torque or energy, expected a force"),
    ("force: [m*g,", "force: [«m»,", "this is a mass, expected a force"),
    ("torque: k*l^2*sin(w*t)", "torque: «k*l»", "this is a force, expected a torque or energy"),
    ("stiffness: k, length", "stiffness: «d», length", "this is a damping, expected a stiffness"),
    ("length: l,", "length: «theta»,", "this is an angle, expected a length"),
    ("length: l, damping: d", "length: l, damping: «k»", "this is a stiffness, expected a damping"),
    ("torsion: theta, stiffness: k*l^2", "torsion: theta, stiffness: «k»", "this is a stiffness, expected a torque or energy"),
    ("angle: pi/4", "angle: «x»", "this is a length, expected an angle"),
    ("damping: d*l^2", "damping: «d»", "this is a damping, expected an angular momentum"),
    ("value: x^2 + y^2 - (2*l)^2", "value: x^2 + y^2 - «2*l»", "a length is subtracted from an area"),
    ("at: [-l, 0]", "at: [«-theta», 0]", "this is an angle, expected a length"),
    ("normal: [l, 2*l]", "normal: [l, «2»]", "this is a number, expected a length"),
    ("velocity: [0, l*w]", "velocity: [0, «l»]", "this is a length, expected a velocity"),
    ("radius: l/10", "radius: «0.1»", "a number without a unit stands for a length"),
    ("active: dot(x) + w*l", "active: dot(x) + «l»", "a length is added to a velocity"),
    ("slip: theta,", "slip: «x»,", "this is a length, expected an angle"),
    ("slip_velocity: dot(y) - l*w", "slip_velocity: «dot(theta)»", "this is an angular velocity, expected a velocity"),
    ("y: l*sin(theta)", "y: «sin(theta)»", "this is a number, expected a length"),
    ("theta: dot(x)/l}", "theta: «1/l»}", "this is a curvature, expected an angular velocity"),
    ("{l: 2, g: 0}", "{l: «m», g: 0}", "this is a mass, expected a length"),
    ("dot(x): [0, l*w]", "dot(x): [0, «l»]", "this is a length, expected a velocity"),
    ("{value: 0.5, unit: m}", "{value: 0.5, unit: «meter»}", "there is no unit `meter`"),
    ("unit: kg m^2", "unit: kg «mt»^2", "there is no unit `mt`"),
    ("unit: N s/m", "unit: «N/m s»", "`N/m s` can be read in two ways"),
];

#[test]
fn values_have_the_unit_of_their_place() {
    for (from, to, message) in PLACES {
        let (text, span) = unmarked(&edited(&full("1"), from, to));
        let (source, found) = faults(text.as_bytes());
        let found = units_only(found);
        let shown = crate::shared::shown(&found, &source);
        assert_eq!(found.len(), 1, "`{to}`: {shown}");
        assert_eq!((found[0].message.as_str(), found[0].span), (*message, span), "`{to}`: {shown}");
    }
}

#[test]
fn all_faults_are_told_at_once_and_each_once() {
    let text = full("tip_x + x^2 + m")
        .replace("mass: m", "mass: l")
        .replace("value: -k*x}", "value: -k*tip_x*extra}");
    let found = units_only(faults(text.as_bytes()).1);
    let messages: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
    let expected =
        ["an area is added to a length", "a mass is added to a length", "this is a length, expected a mass"];
    assert_eq!(messages, expected);
}

#[test]
fn forces_in_newtons_do_not_fit_millimetres() {
    let text = |force: &str| {
        format!(
            "mechan: 1\nname: a\nspace: plane\nparameters:\n  m: {{value: 1, unit: kg}}\n  F: {{value: 1, unit: {force}}}\n\
             coordinates: [{{name: x, unit: mm}}, {{name: y, unit: mm}}]\nbodies: {{b: {{mass: m, position: [x, y]}}}}\n\
             forces: [{{point: [x, y], force: [F, 0]}}]\n"
        )
    };
    let found = faults(text("N").as_bytes()).1;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "this is in N, expected kg mm/s^2: a factor of 1000 apart");
    assert!(faults(text("kg mm/s^2").as_bytes()).1.is_empty());
    assert!(faults(text("mN").as_bytes()).1.is_empty());
    // kN = t m/s^2 = kg mm/ms^2
    let units = |text: String| Units::of(&mechanism(&text)).unwrap();
    assert_eq!(units(text("kg mm/ms^2")).time, "ms");
    assert_eq!(units(text("mN")).energy, "kg mm^2/s^2");
    assert_eq!(units(text("mN")).length.as_deref(), Some("mm"));
}

#[test]
fn pure_numbers_need_no_check_and_missing_units_switch_it_off() {
    let dimensionless = full("x + theta").replace("unit: deg", "unit: rad");
    let dimensionless: String = dimensionless
        .lines()
        .map(|line| match line.find("unit: ").filter(|_| !line.contains("rad}")) {
            Some(at) => format!("{}unit: \"1\"}}\n", &line[..at]),
            None => format!("{line}\n"),
        })
        .collect();
    assert!(units_only(faults(dimensionless.as_bytes()).1).is_empty(), "{dimensionless}");
    let all = mechanism(&dimensionless.replace("dot(x)*dot(tip_x)", "dot(x)^2"));
    assert_eq!((Units::of(&all), lacking(&all)), (None, None));
    let partial = full("x + theta").replace("g: {value: 9.81, unit: m/s^2}", "g: 9.81");
    assert!(units_only(faults(partial.as_bytes()).1).is_empty());
    let partial = mechanism(&partial);
    assert_eq!((Units::of(&partial), lacking(&partial)), (None, Some((1, 14))));
}

#[test]
fn values_from_outside_fit_too() {
    let mechanism = mechanism(&full("1"));
    for good in
        ["x=1", "x=2*l", "l=0.3", "J=m*l^2", "dot(theta)=1/2 + w", "theta=pi/6 + 1", "t=1/w", "x=1 + l"]
    {
        Override::parse(&mechanism, good).unwrap_or_else(|fault| panic!("{good}: {}", fault.message));
    }
    for (marked, message) in [
        ("x=«theta»", "this is an angle, expected a length"),
        ("J=m*l + «m»", "a mass is added to a mass times a length"),
        ("dot(x)=«l»", "this is a length, expected a velocity"),
        ("theta=sin(«l»)", "sin() is given a length, expected an angle in radians"),
    ] {
        let (text, span) = unmarked(marked);
        let fault = Override::parse(&mechanism, &text).unwrap_err();
        assert_eq!((fault.message.as_str(), fault.span), (message, span), "{marked}");
    }
}

#[test]
fn reports_get_the_units_of_forces_and_mobilities() {
    let units = Units::of(&mechanism(&full("1"))).unwrap();
    assert_eq!(units.time, "s");
    assert_eq!(
        (units.length.as_deref(), units.mass.as_deref(), &*units.energy),
        (Some("m"), Some("kg"), "J")
    );
    assert_eq!(units.velocities, ["m/s", "m/s", "rad/s"]);
    let of = |i: usize| {
        let c = &units.contacts[i];
        [&c.gap, &c.velocity, &c.acceleration, &c.force, &c.impulse, &c.mobility].map(String::as_str)
    };
    assert_eq!(of(0), ["m", "m/s", "m/s^2", "N", "N s", "1/kg"]);
    // a gap that is an angle has a torque for a force
    assert_eq!(of(2), ["rad", "rad/s", "rad/s^2", "N m", "N m s", "1/(kg m^2)"]);
}

#[test]
fn every_shipped_mechanism_passes() {
    let (mut real, mut all) = (0, 0);
    for entry in std::fs::read_dir("mechanisms").unwrap() {
        let path = entry.unwrap().path();
        let read = mechanism(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(lacking(&read), None, "{}", path.display());
        real += usize::from(Units::of(&read).is_some());
        all += 1;
    }
    assert!(real >= 14 && all >= 28, "{real} of {all}");
}

/// Expressions that fit, by the exponents of mass, length and time that they are made for.
struct Maker {
    state: u64,
    /// One sum in so many gets a term of another unit.
    faults: u64,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % n
    }

    fn dimension(&mut self) -> [i64; 3] {
        std::array::from_fn(|_| self.below(5) as i64 - 2)
    }

    fn expression(&mut self, of: [i64; 3], depth: u32) -> String {
        let number = of == [0; 3];
        let next = depth.saturating_sub(1);
        match self.below(9) {
            _ if depth == 0 => format!("m^({})*(x + l)^({})*t^({})*3/2", of[0], of[1], of[2]),
            0 | 1 => {
                let fault = self.faults > 0 && self.below(self.faults) == 0;
                let other = if fault { self.dimension() } else { of };
                format!("({} + {})", self.expression(of, next), self.expression(other, next))
            }
            2 | 3 => {
                let first = self.dimension();
                let second = std::array::from_fn(|i| of[i] - first[i]);
                format!("{}*{}", self.expression(first, next), self.expression(second, next))
            }
            4 => {
                let below = self.dimension();
                let above = std::array::from_fn(|i| of[i] + below[i]);
                format!("{}/({})", self.expression(above, next), self.expression(below, next))
            }
            5 => format!("sqrt({})", self.expression(of.map(|n| 2 * n), next)),
            6 if number => format!("atan({})", self.expression(of, next)),
            6 => format!("dot(x)*{}", self.expression([of[0], of[1] - 1, of[2] + 1], next)),
            7 if number => {
                let any = self.dimension();
                format!("(theta + atan2({}, {}))", self.expression(any, next), self.expression(any, next))
            }
            7 => format!("abs(-{})", self.expression(of, next)),
            _ if of.iter().all(|n| n % 2 == 0) => format!("({})^2", self.expression(of.map(|n| n / 2), next)),
            _ => format!("2*{}", self.expression(of, next)),
        }
    }
}

/// A mechanism in these units of mass, length and time, with a definition.
fn with_definition([mass, length, time]: [&str; 3], definition: &str) -> String {
    format!(
        "mechan: 1\nname: a\nspace: plane\nparameters:\n  m: {{value: 1, unit: {mass}}}\n  l: {{value: 1, unit: {length}}}\n  \
         T: {{value: 1, unit: {time}}}\ncoordinates: [{{name: x, unit: {length}}}, {{name: theta, unit: rad}}]\n\
         definitions: {{e: \"{definition}\"}}\nbodies: {{b: {{mass: m, position: [x, l*theta]}}}}\n"
    )
}

/// What a definition is in two sets of units.
fn in_both(definition: &str) -> Option<[(f64, Unit); 2]> {
    let sets = [["kg", "m", "s"], ["g", "km", "ms"]];
    let si = sets[0].map(|text| Unit::parse(text).unwrap());
    let both = sets.map(|set| {
        let text = with_definition(set, definition);
        let read = read(&Source::new("a.yaml", text)).ok()?.mechanism;
        let unit = Unit::parse(Units::of(&read)?.definitions[0].as_deref()?).unwrap();
        let [mass, length, time] = std::array::from_fn(|i| si[i].per(&Unit::parse(set[i]).unwrap()).unwrap());
        let env = Env {
            t: 0.7 * time,
            q: &[0.3 * length, 0.9],
            v: &[1.1 * length / time, 0.2 / time],
            parameters: &[1.3 * mass, 0.8 * length, time],
            definitions: &read.definitions.values,
        };
        Some((read.definitions.values[0].eval(&env), unit))
    });
    let [first, second] = both;
    assert_eq!(first.is_some(), second.is_some(), "{definition}");
    Some([first?, second?])
}

/// The other route: numbers. A value whose unit is known is the same in other units, but for the factor of that unit.
fn same_in_both(definition: &str) -> bool {
    let Some([(a, first), (b, second)]) = in_both(definition) else { return false };
    let factor = first.per(&second).unwrap_or_else(|| panic!("{definition}: {first}, {second}"));
    let comparable = [a, b, a * factor].iter().all(|x| x.is_finite() && x.abs() > 1e-200 && x.abs() < 1e200);
    let close = (a * factor / b - 1.0).abs() < 1e-9;
    assert!(!comparable || close, "{definition}: {a} {first}, {b} {second}");
    true
}

#[test]
fn what_fits_is_the_same_in_other_units() {
    let mut maker = Maker { state: 1, faults: 0 };
    for i in 0..400 {
        let of = maker.dimension();
        let definition = maker.expression(of, i % 5);
        assert!(same_in_both(&definition), "refused: {definition}");
    }
    let mut maker = Maker { state: 2, faults: 2 };
    let accepted = (0..600).filter(|i| {
        let of = maker.dimension();
        same_in_both(&maker.expression(of, 2 + i % 3))
    });
    let accepted = accepted.count();
    assert!((100..500).contains(&accepted), "{accepted} of 600 accepted");
}

/// Text and what it means: kg, m, s, scale.
#[rustfmt::skip]
const TEXTS: &[(&str, &str)] = &[
    ("kg m^2/s^2", "N m"), ("N*m", "N m"), ("N.m", "N m"), ("N·m", "N m"), ("J", "N m"), ("W s", "N m"), ("Pa m^3", "N m"),
    ("kg m²/s²", "N m"), ("N m s", "N m s"), ("N s/m", "N s/m"), ("N/(m/s)", "N s/m"), ("m/s/s", "m/s^2"), ("1/s", "1/s"),
    ("Hz", "1/s"), ("min", "min"), ("mm", "mm"), ("km/h", "km/h"), ("kN", "Mg m/s^2"), ("t", "Mg"), ("g", "g"), ("°", "deg"), ("deg/s", "deg/s"),
    ("mrad", "rad dm^3/m^3"), ("m^0.5", "m^(1/2)"), ("m^(1/2)", "m^(1/2)"), ("m^-1", "1/m"), ("(kg m)^2/s", "kg^2 m^2/s"), ("1", "1"), ("µm", "um"), ("um", "um"),
    ("mm/m", "dm^3/m^3"), ("  kg  ", "kg"), ("rad/s", "rad/s"), ("m^0", "1"), ("kPa", "kPa"),
];

#[test]
fn texts_of_units_are_read() {
    for (text, same) in TEXTS {
        let (a, b) = (Unit::parse(text).unwrap(), Unit::parse(same));
        assert_eq!(Ok(&a), b.as_ref(), "{text}");
        assert_eq!(Unit::parse(&a.to_string()).as_ref(), Ok(&a), "{text} as {a}");
    }
}

/// Text with what is wrong marked, and the message with the hint.
#[rustfmt::skip]
const BAD: &[(&str, &str)] = &[
    ("«»", "the unit is empty; write \"1\" for what has no unit"),
    ("«meter»", "there is no unit `meter`; write `m`"),
    ("«Nm»", "there is no unit `Nm`; for a product write `N m`"),
    ("«Kg» m", "there is no unit `Kg`; did you mean `kg`?"),
    ("«%»", "there is no unit `%`; write `1`"),
    ("«lightyear»", "there is no unit `lightyear`"),
    ("«cmin»", "there is no unit `cmin`; did you mean `min`?"),
    ("m^«»", "an exponent is missing; write it as in `m^2`, `s^-2` or `m^(1/2)`"),
    ("m^«9999999999999999999999»", "this is no exponent of a unit, expected a fraction within 1000; write it as in `m^2`, `s^-2` or `m^(1/2)`"),
    ("m^«(1/0)»", "this is no exponent of a unit, expected a fraction within 1000; write it as in `m^2`, `s^-2` or `m^(1/2)`"),
    ("«(m^1000)^2»", "an exponent of a unit is beyond 1000"),
    ("«1000» m", "found the number `1000` in a unit, expected units only; numbers belong to the value; for a scale there are prefixes, such as `mm`"),
    ("«N/m s»", "`N/m s` can be read in two ways; write `N/(m s)`, or all that is above before the `/`"),
    ("«(»m", "`(` is not closed"),
    ("m«)»", "found `)` in a unit; a unit is a product of powers, such as `kg m^2/s^2`, `rad/s` or `1`"),
    ("m/«»", "found the end, expected a unit; a unit is a product of powers, such as `kg m^2/s^2`, `rad/s` or `1`"),
    ("m «+» s", "found `+` in a unit; a unit is a product of powers, such as `kg m^2/s^2`, `rad/s` or `1`"),
];

#[test]
fn what_is_no_unit_is_told_with_its_place() {
    for (marked, message) in BAD {
        let (text, span) = unmarked(marked);
        let fault = Unit::parse(&text).unwrap_err();
        let hint = fault.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        assert_eq!(format!("{}{hint}", fault.message), *message, "{marked}");
        assert_eq!(Some((fault.start, fault.end)), span.map(|s| (s.start, s.end)), "{marked}");
    }
    let deep = format!("{}m{}", "(".repeat(50_000), ")".repeat(50_000));
    assert_eq!(Unit::parse(&deep).unwrap_err().message, "parentheses are nested too deeply");
}

#[test]
fn every_starter_has_units_that_fit() {
    for kind in Starter::ALL {
        let read = mechanism(&kind.text("mine"));
        assert!(Units::of(&read).is_some(), "{kind:?}: {:?}", lacking(&read));
    }
}
