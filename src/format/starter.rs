//! The commented starter file of `mechan new`.

/// A commented mechanism, a rod with one end on the ground, under the given name.
pub fn starter(name: &str) -> String {
    TEMPLATE.replace("@NAME@", name)
}

const TEMPLATE: &str = r"# A mechanism for mechan: a slender rod whose lower end slides on the ground.
# Every number may be an expression: + - * / ^, sin cos tan sqrt exp log ..., pi, and the names defined here.
mechan: 1                      # version of this format
name: @NAME@                   # letters, digits and _
title: A rod on rough ground
space: plane                   # plane: vectors [x, y]; space: vectors [x, y, z]

parameters:                    # name: number, or an expression in the parameters above it
  m: {value: 1, unit: kg, description: mass}
  l: {value: 0.5, unit: m, description: half the length}
  I: m*l^2/3                   # a uniform rod; exact, no need to round
  g: {value: 9.81, unit: m/s^2}
  mu: 0.6                      # above 4/3 a uniform rod can show the Painleve paradox

coordinates: [x, y, theta]     # the generalised coordinates q; dot(x) is a velocity

gravity: [0, -g]

bodies:
  rod:
    mass: m
    inertia: I                 # about the centre of mass
    position: [x, y]           # of the centre of mass, in the inertial frame
    rotation: -theta           # counter-clockwise angle

# forces:                      # applied forces, of three kinds
#   - {point: [x, y], force: [1, 0]}
#   - {body: rod, torque: 0.1}
#   - {coordinate: theta, value: -0.01*dot(theta)}

contacts:
  tip:
    point: [x + l*cos(theta), y - l*sin(theta)]      # a material point ..
    surface: {point: [0, 0], normal: [0, 1]}         # .. on a line; the normal points away from the obstacle
    friction: mu
    restitution: {law: poisson, value: 0.5}          # or newton, energetic

states:                        # what is not given is 0; later values may use the coordinates above them
  slipping:
    description: the tip slides to the right, the rod leans back
    q: {theta: pi/3, y: l*sin(theta)}
    v: {x: 1}
    closed: [tip]              # an error if the tip is not on the ground here
  dropped:
    description: the tip hits the ground
    q: {theta: pi/3, y: l*sin(theta)}
    v: {y: -1}

domain:                        # ranges for maps and searches
  theta: [0.05, pi/2]
  mu: [0, 3]
";
