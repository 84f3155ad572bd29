"""Mechan's other programs: incremental problems of one time step (`mechan solve`), and scenes of many bodies (`mechan run`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..case import Case
from ..engine import Answer, Cannot
from ..expression import evaluate
from ..program import Program, document, named_rows


class MechanSolve(Program):
    """The solvers of incremental problems; numbers are `u_0`, `r_0`, `v_0`, .. in the file's order, `solvable`, 1 or 0, and how many
    `solutions` there are."""

    name = "mechan-solve"
    title = "mechan, incremental problems"
    made_for = "Single time steps with Coulomb's law, solved to a given backward error, or proven to have no solution."
    advice = "Mechan's guide, chapter on solvers."
    settings: Mapping[str, Mapping[str, Any]] = {"default": {}, "best": {"tolerance": 1e-12}}

    def answer(self, case: Case, settings: Mapping[str, Any]) -> Answer:
        if case.problem is None:
            raise Cannot("the case is no incremental problem")
        everything = ["--all"] if "solutions" in str(case.ask["value"]) else []
        found = document(["solve", str(case.path("problem")), *everything], settings)
        if found["status"] not in ("solved", "no_solution"):
            raise ValueError(f"not decided: {found['status']}")
        names = {f"{word}_{i}": one for word in ("u", "r", "v") for i, one in enumerate(found[word])}
        names["solvable"] = 1 if found["status"] == "solved" else 0
        names["solutions"] = len(found.get("solutions", ()))
        return Answer(float(evaluate(case.ask["value"], {**case.numbers(), **names})), [], [])


class MechanScene(Program):
    """Scenes by time steps; numbers are the columns of the rows, at the end."""

    name = "mechan-scene"
    title = "mechan, scenes"
    made_for = "Heaps of many bodies by Moreau and Jean's time steps, each solved to a given backward error."
    combines = "Friction belongs to a pair; nothing is combined."
    advice = "Mechan's guide, chapter on scenes."
    settings: Mapping[str, Mapping[str, Any]] = {"default": {}, "best": {"tolerance": 1e-10}}

    def answer(self, case: Case, settings: Mapping[str, Any]) -> Answer:
        if case.scene is None:
            raise Cannot("the case is no scene")
        found = document(["run", str(case.path("scene"))], settings)
        if found["status"] != "end":
            raise ValueError(f"not solved: {found['status']}")
        rows = named_rows(found)
        numbers = [{name: one for name, one in row.items() if isinstance(one, float | int)} for row in rows]
        values = [float(evaluate(case.ask["value"], {**case.numbers(), **row})) for row in numbers]
        return Answer(values[-1], [row["t"] for row in rows], values)
