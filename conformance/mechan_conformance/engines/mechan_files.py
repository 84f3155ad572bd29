"""Mechan's other programs: incremental problems of one time step (`mechan solve`), and scenes of many bodies (`mechan run`)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..case import Case
from ..engine import Answer, Cannot, Engine
from ..expression import evaluate
from .mechan_event import MechanEvent, program


class MechanSolve(Engine):
    """The solvers of incremental problems; numbers are `u_0`, `r_0`, `v_0`, .. in the file's order, and `solvable`, 1 or 0."""

    name = "mechan-solve"
    title = "mechan, incremental problems"
    made_for = "Single time steps with Coulomb's law, solved to a given backward error, or proven to have no solution."
    combines = "Friction belongs to a contact; nothing is combined."
    advice = "Mechan's guide, chapter on solvers."
    settings: Mapping[str, Mapping[str, Any]] = {"default": {}, "best": {"tolerance": 1e-12}}
    version = MechanEvent.version

    def answer(self, case: Case, settings: Mapping[str, Any]) -> Answer:
        if case.problem is None:
            raise Cannot("the case is no incremental problem")
        found = _run("solve", case.path("problem"), settings)
        if found["status"] not in ("solved", "no_solution"):
            raise ValueError(f"not decided: {found['status']}")
        names = {f"{word}_{i}": one for word in ("u", "r", "v") for i, one in enumerate(found[word])}
        names["solvable"] = 1 if found["status"] == "solved" else 0
        return Answer(float(evaluate(case.ask["value"], {**case.numbers(), **names})), [], [])


class MechanScene(Engine):
    """Scenes by time steps; numbers are the columns of the rows, at the end."""

    name = "mechan-scene"
    title = "mechan, scenes"
    made_for = "Heaps of many bodies by Moreau and Jean's time steps, each solved to a given backward error."
    combines = "Friction belongs to a pair; nothing is combined."
    advice = "Mechan's guide, chapter on scenes."
    settings: Mapping[str, Mapping[str, Any]] = {"default": {}, "best": {"tolerance": 1e-10}}
    version = MechanEvent.version

    def answer(self, case: Case, settings: Mapping[str, Any]) -> Answer:
        if case.scene is None:
            raise Cannot("the case is no scene")
        found = _run("run", case.path("scene"), settings)
        if found["status"] != "end":
            raise ValueError(f"not solved: {found['status']}")
        rows = [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]
        numbers = [{name: one for name, one in row.items() if isinstance(one, float | int)} for row in rows]
        values = [float(evaluate(case.ask["value"], {**case.numbers(), **row})) for row in numbers]
        return Answer(values[-1], [row["t"] for row in rows], values)


def _run(command: str, path: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The document of one of mechan's commands; exit status 3 has one, too."""
    options = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    order = [program(), command, str(path), *options, "--quiet", "--format", "json"]
    done = subprocess.run(order, capture_output=True, text=True, check=False)
    if not done.stdout.startswith("{"):
        raise RuntimeError((done.stderr.strip() or f"exit code {done.returncode}")[:280])
    return json.loads(done.stdout)
