"""Scenes of many bodies: read, and run step by step."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from . import _mechan
from .errors import Diagnostic, UsageError
from .problem import Problem
from .results import _Answer, _Valued, number
from .table import Kept, Table

Path_ = Union[str, "os.PathLike[str]"]


class Scene:
    """A scene that was read and found valid.

    >>> import mechan
    >>> scene = mechan.load_scene('''
    ... scene: 1
    ... name: drop
    ... space: space
    ... gravity: [0, 0, -10]
    ... groups:
    ...   ball: {sphere: 0.1, density: 1000, place: {at: [[0, 0, 0.1]]}}
    ... surfaces:
    ...   floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
    ... friction: 0.3
    ... step: 0.01
    ... steps: 5
    ... ''')
    >>> scene.run()["contacts"]
    array([1, 1, 1, 1, 1])
    """

    def __init__(self, core: _mechan.Scene) -> None:
        self._core = core
        about = core.describe()
        self.name: str = about["name"]
        self.title: Optional[str] = about["title"]
        self.description: Optional[str] = about["description"]
        #: `plane` or `space`.
        self.space: str = about["space"]
        #: The file, word for word.
        self.source: str = about["text"]
        #: Length of a step, s, and number of steps.
        self.step: float = about["step"]
        self.steps: int = about["steps"]
        #: What the file says of how steps are solved; none where it says nothing.
        self.tolerance: Optional[float] = about["tolerance"]
        self.solver: Optional[str] = about["solver"]
        self.groups: tuple[str, ...] = about["groups"]
        self.mechanisms: tuple[str, ...] = about["mechanisms"]
        self.surfaces: tuple[str, ...] = about["surfaces"]
        #: What is odd about the file, but no fault.
        self.warnings: tuple[Diagnostic, ...] = tuple(Diagnostic(**place) for place in about["warnings"])

    def run(
        self,
        *,
        steps: Optional[int] = None,
        solver: Optional[str] = None,
        iterations: Optional[int] = None,
        tolerance: Optional[float] = None,
        cold: bool = False,
        certify: bool = False,
        threads: Optional[int] = None,
        states: Optional[int] = None,
        checkpoint: Optional[Path_] = None,
        every: Optional[int] = None,
        resume: Optional[Path_] = None,
        export_problems: Optional[Mapping[int, Path_]] = None,
        bodies: Optional[Path_] = None,
        contacts: Optional[Path_] = None,
        sample: Optional[int] = None,
        progress: Optional[Callable[[int, int], Any]] = None,
    ) -> Run:
        """Steps the scene; the rows are those of `mechan run`.

        `solver` is one instead of the automatic choice, with at most so many `iterations` a step; `tolerance` is the backward error to reach;
        `cold` begins each step at no force; `certify` decides for each whether it must have a solution (columns `existence` and `margin`). Steps with many
        contacts take `threads` [default: every core], on which nothing depends but the time. `states=N` keeps positions and velocities at the beginning and after every N-th step. The last
        state goes to the file `checkpoint` every so many steps (100 if `every` does not say otherwise) and at the end, also where Ctrl-C was
        that; `resume` goes on from one, with the rows of a run that was not cut in two. `export_problems={step: path}` writes incremental
        problems. The files `bodies` and `contacts` (CSV or Parquet) get where bodies are and how they move, and what contacts carry, at every
        `sample`-th step. `progress` is told steps that are done, and of how many, some times a second.
        """
        if iterations is not None and solver is None:
            raise UsageError("iterations are those of a solver: name one with it")
        if every is not None and checkpoint is None:
            raise UsageError("every is how often a checkpoint is written: name its file with it")
        for what, count in (("states", states), ("every", every), ("iterations", iterations), ("threads", threads), ("sample", sample)):
            if count is not None and count < 1:
                raise UsageError(f"{what} is {count!r}, expected at least 1")
        asked = dict(
            steps=steps,
            solver=solver,
            iterations=iterations,
            tolerance=tolerance,
            cold=cold,
            certify=certify,
            threads=threads,
            states=states,
            checkpoint=None if checkpoint is None else os.fspath(checkpoint),
            every=every,
            resume=None if resume is None else os.fspath(resume),
            export_problems=[(step, os.fspath(path)) for step, path in (export_problems or {}).items()],
            bodies=None if bodies is None else os.fspath(bodies),
            contacts=None if contacts is None else os.fspath(contacts),
            sample=sample,
        )
        return Run(*self._core.run(asked, progress))

    def __reduce__(self) -> Any:
        return (_mechan_scene, (self.source,))

    def __eq__(self, other: object) -> bool:
        return self.source == other.source if isinstance(other, Scene) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.source)

    def __repr__(self) -> str:
        return f"<Scene {self.name}: {self.title or 'untitled'}; {self.steps} steps of {self.step:g} s>"


@dataclass(frozen=True, eq=False)
class States(_Valued):
    """Positions and velocities of all bodies after some steps; in the plane z = 0.

    Spins are along the inertial axes for round bodies, along their own axes for boxes.
    """

    #: The steps, 0 being the beginning.
    step: np.ndarray
    t: np.ndarray
    #: Over steps, bodies and numbers: centre, quaternion (scalar first), velocity, spin.
    numbers: np.ndarray

    @property
    def positions(self) -> np.ndarray:
        """Centres, (steps, bodies, 3)."""
        return self.numbers[..., :3]

    @property
    def quaternions(self) -> np.ndarray:
        """How the bodies are turned, (steps, bodies, 4)."""
        return self.numbers[..., 3:7]

    @property
    def velocities(self) -> np.ndarray:
        """Of the centres, (steps, bodies, 3)."""
        return self.numbers[..., 7:10]

    @property
    def spins(self) -> np.ndarray:
        """Angular velocities, (steps, bodies, 3)."""
        return self.numbers[..., 10:]

    def __len__(self) -> int:
        return len(self.step)

    def to_xarray(self) -> Any:
        """As an `xarray.Dataset` over t and bodies."""
        import xarray

        over = {"positions": "axis", "quaternions": "part", "velocities": "axis", "spins": "axis"}
        return xarray.Dataset(
            {name: (("t", "body", last), getattr(self, name)) for name, last in over.items()},
            coords={"t": self.t, "step": ("t", self.step), "axis": ["x", "y", "z"]},
        )


class Run(_Answer):
    """A run: one row for each step, how it ended, and the bodies at its end."""

    def __init__(self, report: Any, summary: str, columns: Mapping[str, Kept], states: Any, core: Any) -> None:
        self._report, self._core = report, core
        #: One row for each step: step, t, contacts, iterations, solver, residual, time_ms, energies, penetration, warm.
        self.table = Table(columns)
        #: What the program tells of a run.
        self.summary: dict[str, Any] = json.loads(summary)
        self.scene: str = self.summary["scene"]
        #: `end`, or `not_converged` where some steps were not solved to the tolerance.
        self.status: str = self.summary["status"]
        self.steps: int = self.summary["steps"]
        self.unsolved: int = self.summary["unsolved"]
        #: Why every step has a solution, if that needs no computing.
        self.existence: Optional[str] = self.summary["existence"]
        steps, numbers = states
        length = number(self.summary["step"])
        #: Those that were asked for with `states=N`.
        self.states = States(steps, steps * length, numbers)
        self.bodies: Table = _bodies(*core.bodies())

    @property
    def solved(self) -> bool:
        """Whether all steps were solved to the tolerance."""
        return self.status == "end"

    @property
    def positions(self) -> np.ndarray:
        """Centres at the end, (bodies, 3)."""
        return np.stack([self.bodies[name] for name in ("x", "y", "z")], axis=1)

    @property
    def velocities(self) -> np.ndarray:
        """Of the centres at the end, (bodies, 3)."""
        return np.stack([self.bodies[name] for name in ("vx", "vy", "vz")], axis=1)

    @property
    def problem(self) -> Optional[Problem]:
        """The incremental problem of the last step; none if it had no contacts."""
        found = self._core.problem()
        return None if found is None else Problem(found)

    def svg(self, seen_from: Optional[str] = None) -> str:
        """The bodies at the end with their chains of forces, as a picture; space also from "x", "-x", "y", "-y", "z" or "-z"."""
        return self._core.svg(seen_from)

    def draw(self, path: Path_, seen_from: Optional[str] = None) -> None:
        """The same in a file that ends in `.svg`."""
        self._core.draw(os.fspath(path), seen_from)

    def __getitem__(self, column: str) -> np.ndarray:
        return self.table[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def __len__(self) -> int:
        return self.table.rows

    def to_pandas(self) -> Any:
        """The rows as a `pandas.DataFrame`."""
        return self.table.to_pandas()

    def __arrow_c_stream__(self, requested_schema: Optional[Any] = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def __getstate__(self) -> dict[str, Any]:
        # a pickle has rows, states, report and picture, and no problem
        return {**super().__getstate__(), "_core": _Picture(self.svg())}

    def __repr__(self) -> str:
        return f"<Run of {self.scene}: {self.status} after {self.steps} steps, {self.bodies.rows} bodies>"


class _Picture:
    """What is kept of a scene in a pickle."""

    def __init__(self, svg: str) -> None:
        self._svg = svg

    def svg(self, seen_from: Optional[str] = None) -> str:
        if seen_from is not None:
            raise UsageError("a pickled run has one picture, from the usual side")
        return self._svg

    def problem(self) -> None:
        raise UsageError("a pickled run has no problem: take it before, or export it")

    def draw(self, path: str, seen_from: Optional[str] = None) -> None:
        raise UsageError("a pickled run draws no files: write `svg()`")


def _bodies(group: Kept, shape: Kept, mass: np.ndarray, size: np.ndarray, now: np.ndarray) -> Table:
    columns: dict[str, Kept] = {"group": group, "shape": shape, "mass": mass}
    # the radius three times, or the halves of the edges
    columns.update(zip(("size_x", "size_y", "size_z"), size.T.copy()))
    names = ("x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "wx", "wy", "wz")
    columns.update(zip(names, now.T.copy()))
    return Table(columns)


def _mechan_scene(text: str) -> Scene:
    """A scene from its pickle."""
    return Scene(_mechan.load_scene_text("<pickle>", text))


def load_scene(source: Path_) -> Scene:
    """Reads a scene: a path, or the text of one (anything with a line break in it)."""
    name = os.fspath(source)
    if "\n" in name:
        return Scene(_mechan.load_scene_text("<text>", name))
    return Scene(_mechan.load_scene(name))


def run(scene: Union[Scene, Path_], **options: Any) -> Run:
    """Runs a scene, or the one of a path or a text: `load_scene(scene).run(..)`."""
    return (scene if isinstance(scene, Scene) else load_scene(scene)).run(**options)
