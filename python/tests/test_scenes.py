"""Scenes: the rows of the program to the last bit, states, checkpoints, pictures, and what is refused."""

import json
import pickle
from contextlib import suppress

import numpy as np
import pytest

import mechan
from conftest import ROOT

FALL = """
scene: 1
name: fall
title: Spheres that fall into a box
space: space
gravity: [0, 0, -9.81]
seed: 3
groups:
  balls: {sphere: 0.5, count: 40, density: 2500, place: {grid: {from: [0, 0, 0], to: [5, 5, 5], jitter: 1}}}
surfaces:
  ground: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  walls: {box: {from: [0, 0, 0], to: [5, 5, 20], open: [z-, z+]}}
friction: 0.3
restitution: 0.2
step: 0.01
steps: 60
tolerance: 1e-6
"""


DISC = """
scene: 1
name: disc
space: plane
gravity: [0, -10]
groups:
  one: {disc: 0.1, density: 1, place: {at: [[0, 1]]}}
friction: 0.3
step: 0.1
steps: 3
"""


@pytest.fixture(scope="module")
def fall():
    return mechan.load_scene(FALL)


def timeless(rows, columns):
    """Rows without the time that they took."""
    place = columns.index("time_ms")
    return [row[:place] + row[place + 1 :] for row in rows]


def said_as(x):
    """A cell as JSON has it."""
    if isinstance(x, float) and not np.isfinite(x):
        return None if np.isnan(x) else ("inf" if x > 0 else "-inf")
    return x


def rows(run):
    columns = [map(said_as, run[name].tolist()) for name in run.table]
    return timeless([list(row) for row in zip(*columns)], list(run.table))


def same_states(a, b):
    return a.bodies.to_dict().keys() == b.bodies.to_dict().keys() and all((a.bodies[k] == b.bodies[k]).all() for k in a.bodies)


def test_a_run_is_that_of_the_program(fall, cli, tmp_path):
    (tmp_path / "fall.yaml").write_text(FALL)
    asked = {"solver": "gauss-seidel", "iterations": 50, "tolerance": 1e-4, "cold": True, "certify": True}
    words = ["--solver", "gauss-seidel", "--iterations", "50", "--tolerance", "1e-4", "--cold", "--certify"]
    for options, more in (({}, []), (asked, words)):
        run = fall.run(steps=40, **options)
        said = cli("run", str(tmp_path / "fall.yaml"), "--steps", "40", *more, status=0 if run.solved else 3)
        told = run.to_dict()
        assert rows(run) == timeless(said["rows"], said["columns"]) and len(run) == 40
        assert timeless(told.pop("rows"), said["columns"]) == timeless(said.pop("rows"), said["columns"])
        assert told == said and json.dumps(told) == json.dumps(said)
    assert run["contacts"].dtype == np.int64 and run["residual"].dtype == np.float64 and set(run["solver"]) <= {"none", "gauss-seidel"}


def test_states_are_kept(fall):
    run = fall.run(steps=20, states=5)
    assert run.states.step.tolist() == [0, 5, 10, 15, 20] and run.states.t.tolist() == [0.0, 0.05, 0.1, 0.15, 0.2]
    assert run.states.positions.shape == (5, 40, 3) == run.states.velocities.shape and run.states.quaternions.shape == (5, 40, 4)
    assert (run.states.positions[-1] == run.positions).all() and (run.states.velocities[-1] == run.velocities).all()
    assert (run.states.velocities[0] == 0).all() and (run.positions[:, 2] > 0.4).all()
    # the energy of the rows is that of the states: m v²/2 + (2/5) m r² w²/2
    m, w = run.bodies["mass"], run.states.spins[-1]
    kinetic = (m * (run.velocities**2).sum(1) / 2 + m * 0.25 * (w**2).sum(1) / 5).sum()
    assert run["energy_kinetic"][-1] == pytest.approx(kinetic, rel=1e-12)
    assert run["energy_potential"][-1] == pytest.approx((9.81 * m * run.positions[:, 2]).sum(), rel=1e-12)
    assert len(fall.run(steps=3).states) == 0
    assert set(run.bodies["group"]) == {"balls"} and run.bodies["size_x"].tolist() == [0.5] * 40


def test_a_run_goes_on_from_a_checkpoint(fall, tmp_path):
    whole = fall.run(states=60)
    first = fall.run(steps=25, checkpoint=tmp_path / "last", every=10)
    rest = fall.run(resume=tmp_path / "last", states=60)
    assert rows(first) + rows(rest) == rows(whole) and rest["step"].tolist() == list(range(26, 61))
    assert same_states(rest, whole) and rest.states.step.tolist() == [25, 60]


def test_an_interrupted_run_goes_on(tmp_path):
    """Whoever is told of progress may end a run; what was done is in the checkpoint, step by whole step."""
    fall = mechan.load_scene(FALL.replace("steps: 60", "steps: 90"))
    told = []

    def enough(done, of):
        told.append((done, of))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fall.run(checkpoint=tmp_path / "last", progress=enough)
    assert len(told) == 1 and told[0][1] == 90
    rest = fall.run(resume=tmp_path / "last")
    whole = fall.run()
    begun = 90 - len(rest)
    assert told[0][0] <= begun and rows(rest) == rows(whole)[begun:] and same_states(rest, whole)


def test_progress_is_told_to_the_end(fall):
    told = []
    fall.run(progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (60, 60) and told == sorted(set(told))


def test_a_picture_and_a_report(fall, tmp_path):
    run = fall.run(steps=50)
    svg = run.svg()
    assert svg.startswith("<svg") and svg.count("<circle") >= 40
    run.draw(tmp_path / "pile.svg")
    assert (tmp_path / "pile.svg").read_text() == svg
    assert "<svg" in run._repr_html_() and "status            end" in run.to_text()
    assert run.svg(seen_from="-y") == svg and run.svg(seen_from="z") != svg
    with pytest.raises(mechan.Error, match="expected x, -x"):
        run.svg(seen_from="w")
    again = pickle.loads(pickle.dumps(run))
    assert again.svg() == svg and again.to_dict() == run.to_dict() and same_states(again, run)
    with pytest.raises(mechan.UsageError, match="has no problem"):
        again.problem


def test_the_problem_of_a_step(fall, tmp_path):
    run = fall.run(steps=50, export_problems={50: tmp_path / "step.json"})
    own, written = run.problem, mechan.Problem.from_file(tmp_path / "step.json")
    assert own.contacts == written.contacts == run["contacts"][-1] and own.name == written.name == "fall-50"
    assert mechan.solve(own, tolerance=1e-8).solved
    assert fall.run(steps=1).problem is None


def test_tables_of_bodies_and_contacts(fall, tmp_path):
    run = fall.run(steps=50, bodies=tmp_path / "b.csv", contacts=tmp_path / "c.csv", sample=10)
    bodies, contacts = ((tmp_path / name).read_text().splitlines() for name in ("b.csv", "c.csv"))
    assert bodies[0].startswith("step,t,body,x,") and contacts[0].startswith("step,t,body_a,body_b,x,")
    shown = {int(line.split(",")[0]) for line in bodies[1:]}
    assert shown == {0, 10, 20, 30, 40, 50}
    assert sum(line.startswith("50,") for line in contacts) == run["contacts"][-1]
    with pytest.raises(mechan.UsageError, match="sample"):
        fall.run(steps=5, sample=0)


def test_rows_are_a_stream(fall):
    pa = pytest.importorskip("pyarrow")
    run = fall.run(steps=12)
    table = pa.table(run)
    assert table.num_rows == 12 and table["contacts"].to_pylist() == run["contacts"].tolist()
    assert pa.table(run.bodies).num_rows == 40 and table["solver"].to_pylist() == list(run["solver"])


def test_files_and_texts(tmp_path):
    beads = mechan.load_scene(ROOT / "scenes" / "beads.yaml")
    assert beads.name == "beads" and beads.steps == 300 and beads.groups == ("beads",) and beads.surfaces == ("ground", "walls")
    assert mechan.run(ROOT / "scenes" / "beads.yaml", steps=2).steps == 2
    # a disc that falls freely: v = -g t, and Moreau's positions follow it
    disc = mechan.run(DISC)
    assert disc.velocities[0, 1] == pytest.approx(-3.0) and disc.positions[0, [0, 2]].tolist() == [0, 0]
    assert disc["energy_kinetic"][-1] == pytest.approx(disc.bodies["mass"][0] * 4.5) and disc.problem is None


def test_what_is_refused(fall, tmp_path):
    with pytest.raises(mechan.InputError, match="error\\[M") as raised:
        mechan.load_scene(FALL.replace("friction: 0.3", "friction: -1"))
    place = raised.value.diagnostics[0]
    assert place.line == 13 and place.code in str(raised.value)
    with pytest.raises(mechan.UnreadableError):
        mechan.load_scene(tmp_path / "none.yaml")
    for options, words in (
        ({"solver": "gauss"}, "gauss"),
        ({"iterations": 3}, "name one"),
        ({"every": 3}, "checkpoint"),
        ({"states": 0}, "states is 0"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"steps": 5, "export_problems": {9: tmp_path / "p.json"}}, "9"),
        ({"steps": "many"}, "steps='many'"),
    ):
        with pytest.raises(mechan.Error, match=words):
            fall.run(**options)
    (tmp_path / "last").write_text("{}")
    with pytest.raises(mechan.Error, match="last"):
        fall.run(resume=tmp_path / "last")
    with pytest.raises(mechan.UnwritableError):
        fall.run(steps=2, checkpoint=tmp_path / "no" / "folder" / "last")
    with pytest.raises(mechan.Error, match="another"):
        fall.run(steps=5, checkpoint=tmp_path / "of_fall")
        mechan.load_scene(FALL.replace("seed: 3", "seed: 4")).run(resume=tmp_path / "of_fall")
    with suppress(OSError):
        (tmp_path / "last").unlink()


def test_scenes_are_pickled():
    for text in (FALL, DISC):
        scene = mechan.load_scene(text)
        again = pickle.loads(pickle.dumps(scene))
        assert again == scene and hash(again) == hash(scene) and repr(again) == repr(scene)
        one, two = scene.run(steps=3, states=1), again.run(steps=3, states=1)
        assert one.states == two.states and one.states == one.states and one == one
        assert one.bodies == two.bodies
    assert mechan.load_scene(FALL) != scene
