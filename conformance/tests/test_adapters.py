"""Every adapter that reads `world` gives a free fall, and a fall onto the ground that ends there."""

import os
from functools import cache

import numpy as np
import pytest
from mechan_conformance import process
from mechan_conformance.case import Case
from mechan_conformance.engine import Engine, find_engines, load_engine, python_of
from mechan_conformance.runner import make_jobs, run_job

FALL = {
    "schema": "mechan.case/1",
    "title": "fall",
    "group": "invariance",
    "why": "adapters",
    "ask": {"value": "0"},
    "bound": 0,
    "known": "closed form",
    "routes": ["a", "b"],
    "tolerance_why": "first order",
}

LIMIT = 600
"""Seconds; some engines compile themselves at their first run."""


def case(exact, read, tolerance=0.025, world=None, **body):
    thing = {"name": "ball", "ball": 0.1, "mass": 2, "position": [0, 0, 10.0], **body}
    whole = {"bodies": [thing], "planes": [{"name": "ground"}], "friction": 0.5, "duration": 1, "read": read}
    whole |= world or {}
    whole["bodies"] = [{**whole["bodies"][0], **body}, *whole["bodies"][1:]]
    return Case("fall", {**FALL, "exact": exact, "tolerance": tolerance, "world": whole})


def slip(mu):
    """A ball that slips on the ground beside another, with friction of its own."""
    balls = [
        {"name": name, "ball": 0.1, "mass": 2, "position": [0, y, 0.1], "velocity": [3, 0, 0]}
        for name, y in (("ball", 0), ("other", 1))
    ]
    pairs = [{"between": ["ball", thing], "friction": mu} for thing in ("ground", "other")]
    world = {"bodies": balls, "pairs": pairs, "friction": 0.4, "duration": 0.2}
    read = {"body": "ball", "what": "velocity", "along": [1, 0, 0]}
    return case(3 - mu * 9.81 * 0.2, read, 0.04, world)


def joint(kind, **more):
    """A world with a joint of the ball."""
    return {"joints": [{"kind": kind, "bodies": ["world", "ball"], **more}]}


def pair(world):
    """A world without weight, with another ball in the middle of which the ball may be."""
    ball = {"name": "ball", "ball": 0.1, "mass": 2, "position": [0, 0, 10.0]}
    apart = [{"between": ["ball", "other"], "contact": False}]
    return {**world, "gravity": [0, 0, 0], "bodies": [ball, {**ball, "name": "other"}], "pairs": apart}


X = {"body": "ball", "what": "position", "along": [1, 0, 0]}
TRIALS = {
    "falls": case(-9.81 / 2, {"body": "ball", "what": "position", "along": [0, 0, 1], "from": "start"}, 0.06),
    "flies": case(3, {"body": "ball", "what": "position", "along": [0, 1, 0]}, velocity=[0, 3, 0]),
    "turns": case(2, {"body": "ball", "what": "angle", "along": [0, 1, 1]}, omega=[0, np.sqrt(2), np.sqrt(2)]),
    "omega is in world axes": case(
        3, {"body": "ball", "what": "omega", "along": [0, 1, 0]}, omega=[0, 3, 0], quaternion=[1, 1, 0, 0]
    ),
    "rests": case(0.1, {"body": "ball", "what": "position", "along": [0, 0, 1]}, 0.01, position=[0, 0, 0.1]),
    "conserves energy": case(2 * 9.81 * 10, {"what": "energy"}, 2 * 9.81 * 10 * 0.01, quaternion=[1, 0, 0, 1]),
}
MAY_LACK = {
    "slips": slip(0.4),
    "slips less than another": slip(0.2),
    "is pushed": case(
        1,
        {"body": "ball", "what": "position", "along": [1, 0, 0]},
        world={"forces": [{"body": "ball", "force": [4, 0, 0]}]},
    ),
    "is turned": case(
        25,
        {"body": "ball", "what": "omega", "along": [0, 1, 0]},
        0.1,
        {"forces": [{"body": "ball", "torque": [0, 0.2, 0]}]},
        quaternion=[1, 1, 0, 0],
    ),
    "weighs": case(
        2 * 9.81,
        {"body": "ball", "what": "force", "along": [0, 0, 1], "take": "mean", "between": [0.5, 1]},
        0.1,
        position=[0, 0, 0.1],
    ),
    "is braked by friction": case(
        -0.1 * 2 * 9.81,
        {"body": "ball", "what": "force", "along": [1, 0, 0], "take": "mean", "between": [0.4, 0.8]},
        0.2,
        {"friction": 0.1},
        position=[0, 0, 0.1],
        velocity=[3, 0, 0],
    ),
    "swings": case(
        np.sqrt(2 * 9.81 / 1.004),
        {"body": "ball", "what": "omega", "along": [0, 1, 0], "at": {**X, "falls": 0}},
        0.05,
        {"joints": [{"kind": "hinge", "bodies": ["world", "ball"], "point": [0, 0, 10], "axis": [0, 1, 0]}]},
        position=[1, 0, 10],
    ),
    "hangs on a spring": case(
        10 + 0.3038 * (1 - np.cos(np.sqrt(50) * 0.5)),
        {"body": "ball", "what": "position", "along": [0, 0, 1], "at": 0.5},
        world={
            "springs": [
                {"bodies": ["world", "ball"], "points": [[0, 0, 11], [0, 0, 0]], "stiffness": 100, "length": 0.5}
            ]
        },
    ),
    "swings in a ball joint": case(
        np.sqrt(2 * 9.81 * 0.2 / 1.004),
        {"body": "ball", "what": "omega", "along": [0, 1, 0], "at": {**X, "falls": 0}},
        0.05,
        joint("ball", point=[0, 0, 10]),
        position=[0.6, 0, 9.2],
    ),
    "swings faster than it would": case(
        5.0,
        {"body": "ball", "what": "omega", "along": [0, 1, 0], "at": 0},
        world=joint("hinge", point=[0, 0, 10], axis=[0, 1, 0]),
        position=[1, 0, 10],
        omega=[0, 5, 0],
        velocity=[0, 0, -5],
    ),
    "is braked in its hinge": case(
        5.0,
        {"body": "ball", "what": "omega", "along": [0, 1, 0]},
        0.05,
        joint("hinge", point=[0, 0, 10], axis=[0, 1, 0], friction=0.04),
        omega=[0, 10, 0],
    ),
    "stands in its hinge": case(
        0.0,
        {"body": "ball", "what": "angle", "along": [0, 1, 0]},
        0.2,
        joint("hinge", point=[-0.05, 0, 10], axis=[0, 1, 0], friction=1.5),
    ),
    "slides down a guide": case(9.81 / 4, X, 0.03, joint("slider", point=[0, 0, 10], axis=[1, 0, -1])),
    "is braked on a guide": case(
        2.0,
        {"body": "ball", "what": "velocity", "along": [1, 0, 0]},
        0.02,
        joint("slider", point=[0, 0, 10], axis=[1, 0, 0], friction=2),
        velocity=[3, 0, 0],
    ),
    "brakes another on a guide": case(
        2.0,
        {"body": "ball", "what": "velocity", "along": [1, 0, 0]},
        0.02,
        pair(joint("slider", bodies=["other", "ball"], point=[0, 0, 10], axis=[1, 0, 0], friction=2)),
        velocity=[3, 0, 0],
    ),
    "is pushed with another": case(
        0.5,
        {"body": "other", "what": "position", "along": [0, 1, 0]},
        0.01,
        pair(
            {
                **joint("slider", bodies=["ball", "other"], point=[0, 0, 10], axis=[1, 0, 0]),
                "forces": [{"body": "ball", "force": [0, 4, 0]}],
            }
        ),
    ),
    "is welded": case(
        1.0,
        {"body": "ball", "what": "position", "along": [1, 0, 0]},
        0.001,
        joint("weld", point=[0, 0, 10]),
        position=[1, 0, 10],
    ),
    "moves in a plane": case(
        3.0,
        {"body": "ball", "what": "angle", "along": [0, 1, 0]},
        world=joint("plane", point=[0, 0, 10], axis=[0, 1, 0]),
        velocity=[2, 0, 0],
        omega=[0, 3, 0],
    ),
    "falls in a plane": case(
        -9.81 / 2,
        {"body": "ball", "what": "position", "along": [0, 0, 1], "from": "start"},
        world=joint("plane", point=[0, 0, 10], axis=[0, 1, 0]),
    ),
    "is carried by a belt": case(
        0.5 * 9.81 * 0.2,
        {"body": "ball", "what": "velocity", "along": [0, 1, 0]},
        0.15,
        {"planes": [{"name": "ground", "velocity": [0, 4, 0]}], "duration": 0.2},
        position=[0, 0, 0.1],
    ),
    "pulls another by a spring": case(
        0.75 + 0.25 * np.cos(np.sqrt(100) * 0.25),
        {"body": "ball", "what": "position", "along": [1, 0, 0], "at": 0.25},
        0.02,
        pair(
            {
                "springs": [
                    {"bodies": ["ball", "other"], "points": [[0, 0, 0], [0, 0, 0]], "stiffness": 100, "length": 0.5}
                ]
            },
        ),
        position=[1, 0, 10],
    ),
}
"""Trials of features that an engine may lack."""


def reads_world(engine):
    return engine.answer is Engine.answer


ENGINES = [name for name in find_engines() if reads_world(load_engine(name)[1])]


@cache
def missing(name):
    """Why an engine is not here, asked once."""
    source, engine = load_engine(name)
    found = process.run_process(python_of(engine), {"engine": name, "source": source}, LIMIT)
    return found["reason"] if found["status"] in ("cannot", "error") else ""


@pytest.mark.parametrize("trial", [*TRIALS, *MAY_LACK])
@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("kind", ["default", "best"])
def test_trial(name, kind, trial):
    if missing(name):
        pytest.skip(missing(name))
    row = run_job(make_jobs([{**TRIALS, **MAY_LACK}[trial]], [name], [kind], limit=LIMIT)[0])
    if row["status"] == "cannot":
        assert trial in MAY_LACK, row
        pytest.skip(row["reason"])
    row.pop("trace", None)
    assert row["status"] == "pass", row


@pytest.mark.parametrize("name", find_engines())
def test_adapter_describes_itself(name):
    engine = load_engine(name)[1]
    assert engine.title and engine.made_for and engine.combines and engine.advice
    assert set(engine.settings) == {"default", "best"}
    assert os.environ.get("HOME", "/root") not in engine.interpreter
