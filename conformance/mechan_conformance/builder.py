"""Worlds from what cases say of them: every number may be an expression, and every fault tells its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from . import rotation
from .expression import evaluate
from .features import JOINTS, features_of
from .world import Body, Force, Joint, Pair, Plane, Shape, Spring, Vector, World, WorldError

SHAPES = ("ball", "box", "cylinder", "capsule", "points")
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
        features = frozenset(features_of(world, self.data))
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
