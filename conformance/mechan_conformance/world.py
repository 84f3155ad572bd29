"""The neutral description of bodies and obstacles, for engines that do not read mechanisms. SI units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import rotation
from .expression import evaluate

Vector = np.ndarray

FEATURES = {
    "ball": "a ball",
    "box": "a box",
    "cylinder": "a cylinder, its axis along z of the body",
    "capsule": "a cylinder with round ends, its axis along z of the body",
    "points": "contact points of a body, without extent",
    "several shapes": "more than one shape on a body",
    "plane": "a fixed half space",
    "fixed": "a body that does not move",
    "belt": "a half space whose surface moves along itself",
    "bodies in contact": "contact between two moving bodies",
    "restitution": "a coefficient of restitution above zero, by Newton's law",
    "restitution poisson": "Poisson's law of restitution",
    "restitution energetic": "the energetic law of restitution",
    "friction of pairs": "friction or restitution that differs from pair to pair",
    "no contact": "a pair that does not touch",
    "hinge": "a joint that leaves rotation about an axis",
    "slider": "a joint that leaves motion along an axis",
    "ball joint": "a joint that leaves all rotations",
    "weld": "a joint that leaves nothing",
    "plane joint": "a joint that leaves motion in a plane, with rotation about its normal",
    "joint friction": "dry friction in a joint",
    "force": "an applied force or torque",
    "spring": "a spring with a damper between two points",
    "contact forces": "forces of contacts, asked for",
}
SHAPES = ("ball", "box", "cylinder", "capsule", "points")
JOINTS = {"hinge": "hinge", "slider": "slider", "ball": "ball joint", "weld": "weld", "plane": "plane joint"}
WORLD_KEYS = {
    "numbers",
    "gravity",
    "bodies",
    "planes",
    "pairs",
    "joints",
    "forces",
    "springs",
    "friction",
    "restitution",
    "restitution_law",
    "turn",
    "length",
    "reversed",
    "duration",
    "samples",
    "read",
}
BODY_KEYS = {
    "name",
    "mass",
    "inertia",
    "position",
    "quaternion",
    "rotation",
    "velocity",
    "omega",
    "fixed",
    "shapes",
} | set(SHAPES)
SHAPE_KEYS = {"name", "position", "quaternion", "rotation"} | set(SHAPES)
PLANE_KEYS = {"name", "point", "normal", "velocity"}
PAIR_KEYS = {"between", "friction", "restitution", "contact"}
JOINT_KEYS = {"name", "kind", "bodies", "point", "axis", "friction"}
FORCE_KEYS = {"body", "force", "torque", "point", "axes"}
SPRING_KEYS = {"bodies", "points", "stiffness", "length", "damping"}


class WorldError(ValueError):
    """A description that means nothing, with the reason."""


@dataclass(frozen=True)
class Shape:
    """A shape on a body: `size` is [radius] of a ball, full lengths of a box, [radius, length] of a cylinder or capsule."""

    kind: str
    size: Vector
    points: Vector
    position: Vector
    quaternion: Vector
    name: str


@dataclass(frozen=True)
class Body:
    """A rigid body; `velocity` of its centre of mass and `omega` are in world axes, `inertia` in its own, about its centre."""

    name: str
    shapes: tuple[Shape, ...]
    mass: float
    inertia: Vector
    position: Vector
    quaternion: Vector
    velocity: Vector
    omega: Vector
    fixed: bool


@dataclass(frozen=True)
class Plane:
    """A fixed half space below a plane; its surface moves with `velocity` if it is a belt."""

    name: str
    point: Vector
    normal: Vector
    velocity: Vector


@dataclass(frozen=True)
class Pair:
    """Two things that may touch, and the law of their contact; `a` is a body that moves."""

    a: str
    b: str
    friction: float
    restitution: float


@dataclass(frozen=True)
class Joint:
    """A joint of two bodies (`world` is none) at a point with an axis, both in world axes at the start."""

    name: str
    kind: str
    bodies: tuple[str, str]
    point: Vector
    axis: Vector
    friction: float


@dataclass(frozen=True)
class Force:
    """A constant force at a point of a body and a torque; in world axes, or in the body's (`axes: body`)."""

    body: str
    force: Vector
    torque: Vector
    point: Vector
    axes: str


@dataclass(frozen=True)
class Spring:
    """A spring with a damper between points of two bodies (`world` is none), in their axes."""

    bodies: tuple[str, str]
    points: tuple[Vector, Vector]
    stiffness: float
    length: float
    damping: float


@dataclass(frozen=True)
class World:
    """Everything that an engine needs to know; `read` says which number is asked for."""

    gravity: Vector
    bodies: tuple[Body, ...]
    planes: tuple[Plane, ...]
    pairs: tuple[Pair, ...]
    joints: tuple[Joint, ...]
    forces: tuple[Force, ...]
    springs: tuple[Spring, ...]
    friction: float
    restitution: float
    restitution_law: str
    duration: float
    samples: int
    read: Mapping[str, Any]
    turn: Vector = field(default_factory=lambda: np.array([1.0, 0, 0, 0]))
    """How everything is turned before an engine gets it; what it returns is turned back."""
    length: float = 1.0
    """Units of length per metre that an engine gets."""
    features: frozenset[str] = field(default_factory=frozenset)

    @property
    def times(self) -> Vector:
        """Sample times; an engine may give its own instead, as long as they are about as dense and end with the last."""
        return np.linspace(0, self.duration, self.samples + 1)

    def body(self, name: str) -> Body:
        return next(body for body in self.bodies if body.name == name)

    def moving(self) -> list[Body]:
        return [body for body in self.bodies if not body.fixed]


def build_world(data: Mapping[str, Any], names: Mapping[str, float]) -> World:
    """The world that `world` of a case says; every number may be an expression in `names`."""
    return _Builder(data, names).world()


class _Builder:
    """Turns what is written into numbers, with the place in every message."""

    def __init__(self, data: Mapping[str, Any], names: Mapping[str, float]) -> None:
        self.data, self.names = data, names

    def world(self) -> World:
        _check_keys(self.data, WORLD_KEYS, "world")
        bodies = tuple(self.body(one) for one in self.data.get("bodies", ()))
        bodies = bodies[::-1] if self.data.get("reversed") else bodies
        if not bodies:
            raise WorldError("world: no bodies")
        planes = tuple(self.plane(one, i) for i, one in enumerate(self.data.get("planes", ())))
        _check_names([thing.name for thing in (*bodies, *planes)])
        world = World(
            gravity=self.vector(self.data, "gravity", [0, 0, -9.81]),
            bodies=bodies,
            planes=planes,
            pairs=tuple(self.pairs(bodies, planes)),
            joints=tuple(self.joint(one, i, bodies) for i, one in enumerate(self.data.get("joints", ()))),
            forces=tuple(self.force(one) for one in self.data.get("forces", ())),
            springs=tuple(self.spring(one) for one in self.data.get("springs", ())),
            friction=self.number(self.data, "friction", 0),
            restitution=self.number(self.data, "restitution", 0),
            restitution_law=self.data.get("restitution_law", "newton"),
            duration=self.number(self.data, "duration"),
            samples=int(self.number(self.data, "samples", 1000)),
            read=self.values(self.data.get("read") or {}),
            turn=self.quaternion({"rotation": self.data["turn"]} if "turn" in self.data else {}),
            length=self.number(self.data, "length", 1),
        )
        features = frozenset(_features(world, self.data))
        return World(**{**world.__dict__, "features": features})

    def body(self, one: Mapping[str, Any]) -> Body:
        _check_keys(one, BODY_KEYS, "body")
        fixed = bool(one.get("fixed", False))
        shapes = tuple(self.shape(s, i) for i, s in enumerate(one.get("shapes", ())))
        shapes += tuple(self.shape({kind: one[kind]}, len(shapes)) for kind in SHAPES if kind in one)
        mass = 0.0 if fixed else self.number(one, "mass")
        inertia = np.asarray(self.values(one["inertia"]), float) if "inertia" in one else _homogeneous(shapes, mass)
        return Body(
            name=one["name"],
            shapes=shapes,
            mass=mass,
            inertia=inertia,
            position=self.vector(one, "position", [0, 0, 0]),
            quaternion=self.quaternion(one),
            velocity=self.vector(one, "velocity", [0, 0, 0]),
            omega=self.vector(one, "omega", [0, 0, 0]),
            fixed=fixed,
        )

    def shape(self, one: Mapping[str, Any], index: int) -> Shape:
        _check_keys(one, SHAPE_KEYS, "shape")
        kind = next((kind for kind in SHAPES if kind in one), None)
        if kind is None:
            raise WorldError(f"shape: expected one of {', '.join(SHAPES)}")
        value = np.atleast_1d(np.asarray(self.values(one[kind]), float))
        points = value.reshape(-1, 3) if kind == "points" else np.zeros((0, 3))
        return Shape(
            kind=kind,
            size=np.zeros(0) if kind == "points" else value,
            points=points,
            position=self.vector(one, "position", [0, 0, 0]),
            quaternion=self.quaternion(one),
            name=str(one.get("name", index)),
        )

    def plane(self, one: Mapping[str, Any], index: int) -> Plane:
        _check_keys(one, PLANE_KEYS, "plane")
        normal = self.vector(one, "normal", [0, 0, 1])
        return Plane(
            name=one.get("name", "ground" if index == 0 else f"ground{index}"),
            point=self.vector(one, "point", [0, 0, 0]),
            normal=normal / np.linalg.norm(normal),
            velocity=self.vector(one, "velocity", [0, 0, 0]),
        )

    def pairs(self, bodies: tuple[Body, ...], planes: tuple[Plane, ...]) -> Iterator[Pair]:
        given = [self.pair(one, bodies, planes) for one in self.data.get("pairs", ())]
        by_name = {frozenset(one["between"]): one for one in given}
        moving = [body.name for body in bodies if not body.fixed and body.shapes]
        fixed = [body.name for body in bodies if body.fixed] + [plane.name for plane in planes]
        wanted = [(a, b) for i, a in enumerate(moving) for b in (*moving[i + 1 :], *fixed)]
        for a, b in wanted:
            one = by_name.get(frozenset((a, b)), {})
            if one.get("contact", True):
                friction = one.get("friction", self.number(self.data, "friction", 0))
                yield Pair(a, b, friction, one.get("restitution", self.number(self.data, "restitution", 0)))

    def pair(self, one: Mapping[str, Any], bodies: tuple[Body, ...], planes: tuple[Plane, ...]) -> dict[str, Any]:
        _check_keys(one, PAIR_KEYS, "pair")
        known = [thing.name for thing in (*bodies, *planes)]
        for name in one["between"]:
            if name not in known:
                raise WorldError(f"pair: no body or plane `{name}`")
        return {key: value if key in ("between", "contact") else self.values(value) for key, value in one.items()}

    def joint(self, one: Mapping[str, Any], index: int, bodies: tuple[Body, ...]) -> Joint:
        _check_keys(one, JOINT_KEYS, "joint")
        if one.get("kind") not in JOINTS:
            raise WorldError(f"joint: kind is {one.get('kind')!r}, expected one of {', '.join(JOINTS)}")
        known = ["world", *(body.name for body in bodies)]
        if len(one["bodies"]) != 2 or any(name not in known for name in one["bodies"]):
            raise WorldError(f"joint: bodies are {one['bodies']}, expected two of {', '.join(known)}")
        return Joint(
            name=one.get("name", f"joint{index}"),
            kind=one["kind"],
            bodies=tuple(one["bodies"]),
            point=self.vector(one, "point", [0, 0, 0]),
            axis=self.vector(one, "axis", [0, 0, 1]),
            friction=self.number(one, "friction", 0),
        )

    def force(self, one: Mapping[str, Any]) -> Force:
        _check_keys(one, FORCE_KEYS, "force")
        zero = [0, 0, 0]
        vectors = (self.vector(one, key, zero) for key in ("force", "torque", "point"))
        return Force(one["body"], *vectors, one.get("axes", "world"))

    def spring(self, one: Mapping[str, Any]) -> Spring:
        _check_keys(one, SPRING_KEYS, "spring")
        points = tuple(np.asarray(self.values(point), float) for point in one["points"])
        lengths = (self.number(one, key, 0) for key in ("stiffness", "length", "damping"))
        return Spring(tuple(one["bodies"]), points, *lengths)

    def number(self, one: Mapping[str, Any], key: str, default: float | None = None) -> float:
        if key not in one and default is None:
            raise WorldError(f"`{key}` is missing")
        return float(evaluate(one.get(key, default), self.names))

    def vector(self, one: Mapping[str, Any], key: str, default: list[float]) -> Vector:
        value = np.asarray(self.values(one.get(key, default)), float)
        if value.shape != (3,):
            raise WorldError(f"`{key}`: expected three numbers")
        return value

    def quaternion(self, one: Mapping[str, Any]) -> Vector:
        if "rotation" in one:
            turn = one["rotation"]
            return rotation.from_axis(self.vector(turn, "axis", [0, 0, 1]), self.number(turn, "angle"))
        value = np.asarray(self.values(one.get("quaternion", [1, 0, 0, 0])), float)
        return value / np.linalg.norm(value)

    def values(self, one: Any, key: str = "") -> Any:
        """The same with every expression as a number; words of `read` (body names, `what`) stay as they are."""
        if isinstance(one, Mapping):
            return {name: self.values(value, name) for name, value in one.items()}
        if isinstance(one, list):
            return [self.values(value, key) for value in one]
        if key in WORDS or isinstance(one, bool):
            return one
        return float(evaluate(one, self.names))


WORDS = {"body", "what", "from", "by", "relative", "shape", "take"}


def _features(world: World, data: Mapping[str, Any]) -> Iterator[str]:
    moving = world.moving()
    yield from (shape.kind for body in world.bodies for shape in body.shapes)
    rules: list[tuple[str, bool]] = [
        ("several shapes", any(len(body.shapes) > 1 for body in world.bodies)),
        ("plane", bool(world.planes)),
        ("fixed", len(moving) < len(world.bodies)),
        ("belt", any(plane.velocity.any() for plane in world.planes)),
        ("bodies in contact", any(pair.b in {body.name for body in moving} for pair in world.pairs)),
        ("restitution", any(pair.restitution > 0 for pair in world.pairs)),
        ("friction of pairs", len({(pair.friction, pair.restitution) for pair in world.pairs}) > 1),
        ("no contact", any(one.get("contact") is False for one in data.get("pairs", ()))),
        ("joint friction", any(joint.friction > 0 for joint in world.joints)),
        ("force", bool(world.forces)),
        ("spring", bool(world.springs)),
        ("contact forces", '"force"' in repr(world.read).replace("'", '"')),
    ]
    yield from (name for name, used in rules if used)
    yield from (JOINTS[joint.kind] for joint in world.joints)
    if world.restitution > 0 and world.restitution_law != "newton":
        yield f"restitution {world.restitution_law}"


def _homogeneous(shapes: tuple[Shape, ...], mass: float) -> Vector:
    """Principal moments of a homogeneous body of one shape."""
    if mass == 0:
        return np.zeros(3)
    formula = HOMOGENEOUS.get(shapes[0].kind) if len(shapes) == 1 else None
    if formula is None:
        raise WorldError("body: `inertia` is needed unless it is one ball, box or cylinder")
    return mass * np.asarray(formula(*shapes[0].size), float)


HOMOGENEOUS: dict[str, Callable[..., list[float]]] = {
    "ball": lambda r: [0.4 * r * r] * 3,
    "box": lambda a, b, c: [(b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12],
    "cylinder": lambda r, h: [(3 * r * r + h * h) / 12, (3 * r * r + h * h) / 12, r * r / 2],
}


def _check_keys(one: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = [key for key in one if key not in known]
    if unknown:
        raise WorldError(f"{where}: `{unknown[0]}` is not known; known: {', '.join(sorted(known))}")


def _check_names(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise WorldError(f"world: two things are called `{name}`")
