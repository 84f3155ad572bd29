"""The case's number out of a trajectory: a quantity of a body, at a time, at an event, or its extremum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from . import rotation
from .trajectory import State, Trajectory
from .world import World, WorldError

READ_KEYS = {"body", "what", "along", "point", "from", "relative", "at", "take", "between", "by", "shape"}
EVENT_KEYS = {"falls", "rises", "minimum", "maximum", "index", "after"}
WHAT = [
    "position",
    "distance",
    "velocity",
    "speed",
    "angle",
    "omega",
    "spin",
    "kinetic",
    "energy",
    "momentum",
    "angular_momentum",
    "force",
    "time",
]
TAKE = ["at", "max", "min", "mean", "range"]
OF_ALL_BODIES = ("kinetic", "energy", "momentum", "angular_momentum")
ALONG = ("position", "velocity", "angle", "omega", "momentum", "angular_momentum", "force")


class Never(Exception):
    """What is asked for never happens in this motion: the engine has answered, and failed."""


class Answer(NamedTuple):
    """A number, and the quantity behind it over time, for a picture."""

    value: float
    times: list[float]
    values: list[float]


def read_answer(world: World, motion: Trajectory) -> Answer:
    """The number that `read` of the world asks for."""
    read = world.read
    times = motion.t
    if read["what"] == "time":
        at = dict(read["at"])
        return Answer(_event_time(world, motion, at), list(times), list(_quantity(world, motion, at)))
    values = _quantity(world, motion, read)
    return Answer(_reduce(world, motion, read, values), list(times), list(values))


def check_read(world: World) -> None:
    """Raises `WorldError` if `read` cannot be read from this world."""
    read = world.read
    if not read:
        raise WorldError("world: `read` is missing")
    _check_quantity(world, read, READ_KEYS)
    if read.get("take", "at") not in TAKE:
        raise WorldError(f"read: take is {read['take']!r}, expected one of {', '.join(TAKE)}")
    at = read.get("at", world.duration)
    if isinstance(at, Mapping):
        _check_quantity(world, at, READ_KEYS | EVENT_KEYS)
        if sum(key in at for key in ("falls", "rises", "minimum", "maximum")) != 1:
            raise WorldError("read: an event has one of falls, rises, minimum, maximum")
    elif read["what"] == "time":
        raise WorldError("read: a time needs an event, `at: {.., falls: ..}`")
    elif at > world.duration:
        raise WorldError(f"read: at is {at}, after the end at {world.duration}")


def _check_quantity(world: World, read: Mapping[str, Any], known: set[str]) -> None:
    unknown = [key for key in read if key not in known]
    if unknown:
        raise WorldError(f"read: `{unknown[0]}` is not known; known: {', '.join(sorted(known))}")
    what = read.get("what")
    if what not in WHAT:
        raise WorldError(f"read: what is {what!r}, expected one of {', '.join(WHAT)}")
    if what in ALONG and "along" not in read:
        raise WorldError(f"read: {what} needs a direction, `along: [x, y, z]`")
    names = [body.name for body in world.bodies]
    if what not in (*OF_ALL_BODIES, "time") and read.get("body") not in names:
        raise WorldError(f"read: body is {read.get('body')!r}, expected one of {', '.join(names)}")


def _reduce(world: World, motion: Trajectory, read: Mapping[str, Any], values: np.ndarray) -> float:
    take = read.get("take", "at")
    if take == "at":
        at = read.get("at", world.duration)
        when = _event_time(world, motion, at) if isinstance(at, Mapping) else at
        return _value_at(motion.t, values, when)
    first, last = read.get("between", [motion.t[0], world.duration])
    chosen = values[(motion.t >= first - 1e-9) & (motion.t <= last + 1e-9)]
    if not len(chosen):
        raise ValueError(f"no samples between {first} and {last}")
    reductions = {"max": np.max, "min": np.min, "mean": np.mean, "range": np.ptp}
    return float(reductions[take](chosen))


def _value_at(times: np.ndarray, values: np.ndarray, when: float) -> float:
    if when > times[-1] + 1e-6 * (1 + abs(when)):
        raise ValueError(f"the trajectory ends at {times[-1]:g} s, before {when:g} s")
    return float(np.interp(when, times, values))


def _quantity(world: World, motion: Trajectory, read: Mapping[str, Any]) -> np.ndarray:
    """The quantity over time, less its start or another body's."""
    values = _absolute(world, motion, read)
    if "relative" in read:
        values = values - _absolute(world, motion, {**read, "body": read["relative"], "point": [0, 0, 0]})
    return values - values[0] if read.get("from") == "start" else values


def _absolute(world: World, motion: Trajectory, read: Mapping[str, Any]) -> np.ndarray:
    what, along = read["what"], np.asarray(read.get("along", [0, 0, 1]), float)
    along = along / np.linalg.norm(along)
    if what in OF_ALL_BODIES:
        names = [read["body"]] if "body" in read else [body.name for body in world.moving()]
        parts = [_of_body(world, name, motion.bodies[name], what) for name in names]
        total = np.sum(parts, axis=0)
        return total @ along if what.endswith("momentum") else total
    if what == "force":
        return _force(motion, read) @ along
    state = motion.bodies[read["body"]]
    if what == "angle":
        return rotation.angle_about(state.quaternion, along)
    if what in ("omega", "spin"):
        return state.omega @ along if what == "omega" else np.linalg.norm(state.omega, axis=1)
    arm = rotation.rotate(state.quaternion, np.asarray(read.get("point", [0, 0, 0]), float))
    if what in ("position", "distance"):
        point = state.position + arm
        return point @ along if what == "position" else np.linalg.norm(point - point[0], axis=1)
    velocity = state.velocity + np.cross(state.omega, arm)
    return velocity @ along if what == "velocity" else np.linalg.norm(velocity, axis=1)


def _of_body(world: World, name: str, state: State, what: str) -> np.ndarray:
    body = world.body(name)
    if what == "momentum":
        return body.mass * state.velocity
    inertia = body.inertia if body.inertia.ndim == 2 else np.diag(body.inertia)
    inside = rotation.rotate(rotation.conjugate(state.quaternion), state.omega) @ inertia.T
    spin = rotation.rotate(state.quaternion, inside)
    if what == "angular_momentum":
        return spin + body.mass * np.cross(state.position, state.velocity)
    kinetic = (body.mass * np.sum(state.velocity**2, axis=1) + np.sum(spin * state.omega, axis=1)) / 2
    return kinetic if what == "kinetic" else kinetic - body.mass * state.position @ world.gravity


def _force(motion: Trajectory, read: Mapping[str, Any]) -> np.ndarray:
    """Force on a body (or one of its shapes) by another thing, or by all that it touches."""
    thing = read["body"] + (f".{read['shape']}" if "shape" in read else "")
    on_it = [
        force if _part_of(thing, a) else -force
        for (a, b), force in motion.forces.items()
        if _between(thing, read.get("by"), a, b) or _between(thing, read.get("by"), b, a)
    ]
    return np.sum(on_it, axis=0) if on_it else np.zeros((len(motion.t), 3))


def _between(thing: str, by: str | None, a: str, b: str) -> bool:
    return _part_of(thing, a) and (by is None or _part_of(by, b))


def _part_of(thing: str, part: str) -> bool:
    """Whether a part is the thing or a shape of it."""
    return part == thing or part.startswith(thing + ".")


def _event_time(world: World, motion: Trajectory, event: Mapping[str, Any]) -> float:
    """When a quantity falls or rises through a value, or has its n-th local minimum or maximum."""
    values = _quantity(world, motion, event)
    extremum = next((key for key in ("minimum", "maximum") if key in event), None)
    if extremum:
        sign = 1 if extremum == "minimum" else -1
        found, index = _minima(world, motion, event, sign * values, sign), int(event[extremum])
    else:
        key = "falls" if "falls" in event else "rises"
        sign = 1 if key == "falls" else -1
        found, index = _crossings(motion.t, sign * (values - event[key])), int(event.get("index", 0))
    found = [t for t in found if t >= event.get("after", -np.inf)]
    if index >= len(found):
        raise Never(f"it happens {len(found)} times, {index + 1} were asked for")
    return found[index]


def _crossings(t: np.ndarray, values: np.ndarray) -> list[float]:
    """Times at which values fall from above zero to zero or below, by lines between samples."""
    at = np.nonzero((values[:-1] > 0) & (values[1:] <= 0))[0]
    return [float(t[k] + (t[k + 1] - t[k]) * values[k] / (values[k] - values[k + 1])) for k in at]


def _minima(world: World, motion: Trajectory, event: Mapping[str, Any], values: np.ndarray, sign: int) -> list[float]:
    """Times of local minima; of a position, where the tangents before and after meet, which is exact at an impact."""
    t = motion.t
    if event["what"] != "position":
        inner = (values[1:-1] < values[:-2]) & (values[1:-1] <= values[2:])
        return [float(t[k + 1]) for k in np.nonzero(inner)[0]]
    rate = sign * _quantity(world, motion, {**event, "what": "velocity", "from": None})
    found, before = [], None
    for k, slope in enumerate(rate):
        if slope > 0 and before is not None:
            found.append(_meeting(t, values, rate, before, k))
        if slope != 0:
            before = k if slope < 0 else None
    return found


def _meeting(t: np.ndarray, values: np.ndarray, rate: np.ndarray, a: int, b: int) -> float:
    """Where the tangents at two samples meet, kept between them."""
    meeting = (values[b] - values[a] + rate[a] * t[a] - rate[b] * t[b]) / (rate[a] - rate[b])
    return float(min(max(meeting, t[a]), t[b]))
