"""The class that an adapter derives from."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import pkgutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .case import Case
from .features import FEATURES
from .read import Answer, Never, read_answer
from .restated import restated, taken_back
from .trajectory import Recorder, State, Trajectory
from .world import World

__all__ = ["Answer", "Cannot", "Engine", "Never", "State", "Trajectory", "World", "find_engines", "load_engine"]

SettingsOf = Mapping[str, Any]
NEWTON_ALONE = dict.fromkeys(
    ("restitution poisson", "restitution energetic"), "the engine has Newton's law of restitution alone"
)
"""What most engines lack."""
MOST = frozenset(
    ["ball", "box", "cylinder", "capsule", "points", "several shapes", "plane", "fixed", "bodies in contact"]
    + ["force", "friction of pairs", "no contact"]
)
"""What most engines can say."""
ALL_JOINTS = frozenset(["hinge", "slider", "ball joint", "weld"])
"""The kinds of joint that most engines have."""


class Cannot(Exception):
    """The engine cannot say what a case asks; the reason stands in the table."""


class Engine:
    """An engine under test. A new object is made for every case, in a process of its own.

    Either `build`, `step` and `state` are written (and `friction`, `restitution`, `forces`), or `run`, or `answer`.
    Imports of the engine itself stand inside methods, so that the table can name engines that are not installed.
    """

    name = ""
    title = ""
    made_for = ""
    """What the engine was made for, in a sentence."""
    combines = ""
    """How it combines the friction of two bodies, and how the adapter makes the pair have what the case asks."""
    advice = ""
    """Where the settings `best` are recommended, in words."""
    limits = ""
    """What its documentation says that it does not do, or only nearly."""
    can: frozenset[str] = frozenset()
    """Names of `features.FEATURES` which the adapter can say."""
    lacks: Mapping[str, str] = {}
    """Features that the engine itself has not, with the reason; the others beside `can` are just not said by the adapter."""
    settings: Mapping[str, SettingsOf] = {"default": {}, "best": {}}
    """What the engine is run with; `step`, if there is one, is the time step in seconds."""
    interpreter = ""
    """A Python to run in, if not this one; the variable MECHAN_CONFORMANCE_PYTHON_NAME goes before it."""
    every_step = False
    """Whether every step is a sample; otherwise about `world.samples` of them are."""

    # what an adapter writes

    def version(self) -> str:
        """Version of the engine."""
        raise NotImplementedError

    def build(self, world: World, settings: SettingsOf) -> None:
        """Makes the world in the engine."""
        raise NotImplementedError

    def step(self) -> float:
        """Advances by one step; returns the time after it."""
        raise NotImplementedError

    def state(self, body: str) -> State:
        """Where a body is, and how it moves."""
        raise NotImplementedError

    def friction(self, a: str, b: str) -> float:
        """Coefficient with which the engine treats this pair, read back from it or by its rule of combination."""
        raise NotImplementedError

    def restitution(self, a: str, b: str) -> float:
        """The same for restitution; asked only where a case has one."""
        raise NotImplementedError

    def forces(self) -> Mapping[tuple[str, str], np.ndarray]:
        """Force on the first of two things by the second in world axes, by ("block", "ground") or ("table.leg", "ground")."""
        return {}

    # what follows from it

    def identity(self) -> str:
        """What rows that are kept are known by: another version of the engine makes them anew."""
        return self.version()

    def answer(self, case: Case, settings: SettingsOf) -> Answer:
        """The case's number; overridden by engines that read mechanisms."""
        world = case.neutral_world()
        if world is None:
            raise Cannot("the case has no description of bodies")
        missing = sorted(world.features - self.can)
        if missing:
            raise Cannot("; ".join(self._why_not(name) for name in missing))
        return read_answer(world, taken_back(world, self.run(restated(world), settings)))

    def run(self, world: World, settings: SettingsOf) -> Trajectory:
        """Builds the world, checks the law of each pair, and steps to the end."""
        self.build(world, settings)
        self.check_pairs(world)
        names = [body.name for body in world.moving()]
        recorder, t = Recorder(), 0.0
        pause = 0.0 if self.every_step else 0.999 * world.duration / world.samples
        self._sample(recorder, t, names, "contact forces" in world.features)
        while t < world.duration * (1 - 1e-9):
            t = self.step()
            if t >= recorder.t[-1] + pause or t >= world.duration * (1 - 1e-9):
                self._sample(recorder, t, names, "contact forces" in world.features)
        return recorder.trajectory()

    def check_pairs(self, world: World) -> None:
        """Raises if the engine would treat a pair with another law than the case asks for."""
        for pair in world.pairs:
            laws = [("friction", self.friction, pair.friction)]
            if pair.restitution > 0:
                laws.append(("restitution", self.restitution, pair.restitution))
            for word, has, asked in laws:
                found = has(pair.a, pair.b)
                if abs(found - asked) > 1e-6 * (1 + abs(asked)):
                    raise ValueError(f"{word} of {pair.a} and {pair.b} would be {found:g}, the case asks for {asked:g}")

    def _why_not(self, feature: str) -> str:
        reason = self.lacks.get(feature)
        return f"{feature}: {reason}" if reason else f"not said by this adapter: {FEATURES[feature]}"

    def _sample(self, recorder: Recorder, t: float, names: list[str], with_forces: bool) -> None:
        recorder.add(t, {name: self.state(name) for name in names}, self.forces() if with_forces else {})


def find_engines() -> dict[str, str]:
    """Names of the adapters that come with the suite, each with the module that has it."""
    from . import engines

    found = {}
    for module in pkgutil.iter_modules(engines.__path__):
        where = f"{engines.__name__}.{module.name}"
        found.update({name: where for name in _classes(importlib.import_module(where))})
    return dict(sorted(found.items()))


def load_engine(wanted: str) -> tuple[str, type[Engine]]:
    """The module or file and the class of `mujoco`, `my_engine.py` or `my_engine.py:NAME`."""
    path, _, name = wanted.partition(":")
    if path.endswith(".py"):
        classes = _classes(load_source(path))
        if len(classes) != 1 and name not in classes:
            raise LookupError(f"{path} has the engines {', '.join(classes) or 'none'}; write {path}:NAME")
        return str(Path(path).resolve()), classes[name] if name else next(iter(classes.values()))
    known = find_engines()
    if wanted not in known:
        raise LookupError(f"no engine `{wanted}`; known: {', '.join(known)}, or a file my_engine.py")
    return known[wanted], _classes(load_source(known[wanted]))[wanted]


def load_source(source: str) -> Any:
    """The module of a name or of a file."""
    if not source.endswith(".py"):
        return importlib.import_module(source)
    path = Path(source).resolve()
    spec = importlib.util.spec_from_file_location(f"mechan_conformance_file_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise LookupError(f"no file {source}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def source_file(source: str) -> Path:
    """The file of a module or file."""
    spec = None if source.endswith(".py") else importlib.util.find_spec(source)
    return Path(spec.origin if spec and spec.origin else source)


def engine_class(source: str, name: str) -> type[Engine]:
    """The engine of a name in a module or file."""
    return _classes(load_source(source))[name]


def python_of(engine: type[Engine]) -> str:
    """The interpreter in which an engine runs."""
    variable = "MECHAN_CONFORMANCE_PYTHON_" + engine.name.upper().replace("-", "_")
    return os.environ.get(variable) or engine.interpreter or sys.executable


def _classes(module: Any) -> dict[str, type[Engine]]:
    found = inspect.getmembers(module, inspect.isclass)
    return {c.name: c for _, c in found if issubclass(c, Engine) and c.name and c.__module__ == module.__name__}
