"""Sweeps in pieces: the same bits on any number of workers, also where one is killed; what is written is not done again."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import mechan

pytest.importorskip("pyarrow")
pytest.importorskip("distributed")

from distributed import Client, LocalCluster  # noqa: E402

import mechan.dask as sweeps  # noqa: E402

AXES = (("theta", 0.1, 1.4, 40), ("mu", 0.1, 3, 30))


@pytest.fixture(scope="module")
def client():
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        yield client


def hashes(data):
    return [part["sha256"] for part in data.manifest["parts"]]


def test_a_map_in_pieces_is_the_map(pencil, tmp_path):
    for quantity in ("verdict", "p_plus"):
        whole = pencil.map(*AXES, quantity, state="slipping_with_the_lean")
        data = sweeps.map(
            None, pencil, *AXES, quantity, state="slipping_with_the_lean", points=200, output=tmp_path / quantity
        )
        assert len(data.files) == 6 and data.rows == data.manifest["rows"] == 1200
        assert data.values().tolist() == whole.values.tolist()
        # lines that pass through several pieces are whole
        assert data.boundaries == whole.boundaries and max(len(line) for b in data.boundaries for line in b["lines"]) > 20
        columns = data.to_arrow()
        assert columns["theta"].to_pylist() == whole.table["theta"].tolist()
        assert sum(batch.num_rows for batch in data.batches(["mu"])) == 1200


def test_a_worker_that_is_killed_costs_nothing(pencil, client, tmp_path):
    alone = sweeps.map(None, pencil, *AXES, "p_plus", state="slipping", points=40, output=tmp_path / "alone")
    stopped, times = [], {}

    def until(condition):
        end = time.monotonic() + 30
        while not condition() and time.monotonic() < end:
            time.sleep(0.01)

    def parts():
        return list((tmp_path / "two").glob("part-*.parquet"))

    def told(done, of):
        assert of == 30
        if done == 1:
            # both workers hold parts that have arrived and are not looked at yet
            until(lambda: len(parts()) >= 12)
            times.update({path: path.stat().st_mtime_ns for path in parts()})
            first, other = client.run(os.getpid).values()
            # so that what died with one is not yet made again when we look
            stopped.append(other)
            os.kill(other, signal.SIGSTOP)
            os.kill(first, signal.SIGKILL)
            until(lambda: any(future.status == "lost" for future in client.futures.values()))
        if done == 2:
            go_on()

    def go_on():
        for process in stopped:
            os.kill(process, signal.SIGCONT)

    try:
        two = sweeps.map(
            client, pencil, *AXES, "p_plus", state="slipping", points=40, output=tmp_path / "two", progress=told
        )
    finally:
        go_on()
    assert stopped and hashes(two) == hashes(alone)
    assert two.boundaries == alone.boundaries == pencil.map(*AXES, "p_plus", state="slipping").boundaries
    # what was written before was not written again
    assert len(times) >= 12 and all(path.stat().st_mtime_ns == time for path, time in times.items())
    assert not list((tmp_path / "two").glob(".part*"))


def test_a_sweep_goes_on_where_it_ended(pencil, tmp_path):
    def halt(done, of):
        if done == 3:
            raise KeyboardInterrupt

    asked = dict(t_end=0.05, runs=24, random={"mu": (0.1, 0.5)}, runs_at_once=4, output=tmp_path / "runs")
    with pytest.raises(KeyboardInterrupt):
        sweeps.ensemble(None, pencil, "slipping", **asked, progress=halt)
    data = sweeps.Dataset(tmp_path / "runs")
    assert data.manifest is None and len(data.files) == 3 and "3 of 6 parts" in repr(data)
    before = {path: path.stat().st_mtime_ns for path in data.files}
    # a part that a full disk cut short is done again
    damaged = data.files[1]
    damaged.write_bytes(damaged.read_bytes()[:-100])
    done = sweeps.ensemble(None, pencil, "slipping", **asked)
    again = {path: path.stat().st_mtime_ns for path in before}
    assert [again[path] == time for path, time in before.items()] == [True, False, True]
    whole = pencil.ensemble("slipping", t_end=0.05, runs=24, random={"mu": (0.1, 0.5)})
    table = done.to_arrow()
    for name in whole.table:
        assert table[name].to_pylist() == whole[name].tolist(), name
    assert done.manifest["rows"] == 24 and "complete" in repr(done)


def slopes(state):
    tip = state.contacts["tip"]
    return {"p_plus": tip.p_plus, "verdict": state.verdict}


def test_states_are_swept(pencil, client, tmp_path):
    over = {"mu": [0.5, 1.5, 2.5], "theta": np.linspace(0.2, 1.2, 7)}
    asked = dict(state="slipping_with_the_lean", states_at_once=5)
    alone = sweeps.sweep(None, pencil, over, ask=slopes, output=tmp_path / "alone", **asked)
    # the function travels by its value
    client.upload_file(__file__)
    two = sweeps.sweep(client, pencil, over, ask=slopes, output=tmp_path / "two", **asked)
    assert hashes(alone) == hashes(two)
    frame = alone.to_arrow().to_pydict()
    assert frame["mu"] == np.repeat(over["mu"], 7).tolist() and frame["theta"] == list(over["theta"]) * 3
    for k in (0, 9, 20):
        state = pencil.analyze("slipping_with_the_lean", mu=frame["mu"][k], theta=frame["theta"][k]).only
        assert frame["p_plus"][k] == state.contacts["tip"].p_plus and frame["verdict"][k] == state.verdict
    # the tip is off the floor: an answer too
    usual = sweeps.sweep(None, pencil, {"y": [0.0, 1.0]}, state="impact", output=tmp_path / "off").to_arrow()
    assert usual["verdict"].to_pylist()[1] is None and "does not touch" in usual["error"].to_pylist()[1]


def fails(state):
    raise ZeroDivisionError("no slope")


def test_what_fails_on_a_worker_says_what(pencil, client, tmp_path):
    client.upload_file(__file__)
    for who in (None, client):
        with pytest.raises(ZeroDivisionError, match="no slope"):
            sweeps.sweep(who, pencil, {"mu": [0.5, 1.5]}, ask=fails, output=tmp_path / str(who is None), state="slipping", retries=0)


def test_an_ensemble_on_workers(pencil, client, tmp_path):
    asked = dict(t_end=0.05, runs=10, random={"mu": (0.1, 0.5)}, runs_at_once=3)
    two = sweeps.ensemble(client, pencil, "slipping", output=tmp_path / "two", **asked)
    alone = sweeps.ensemble(None, pencil, "slipping", output=tmp_path / "alone", **asked)
    assert hashes(two) == hashes(alone) and two.to_pandas()["run"].tolist() == list(range(10))


def test_folders_of_other_questions(pencil, tmp_path):
    sweeps.map(None, pencil, *AXES, "p_plus", state="slipping", points=600, output=tmp_path / "a")
    with pytest.raises(mechan.UsageError, match="another question: `quantity` differs"):
        sweeps.map(None, pencil, *AXES, "p_minus", state="slipping", points=600, output=tmp_path / "a")
    with pytest.raises(mechan.UsageError, match="another question: `set` differs"):
        sweeps.map(None, pencil, *AXES, "p_plus", state="slipping", points=600, output=tmp_path / "a", l=2)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "thesis.tex").write_text("")
    with pytest.raises(mechan.UsageError, match="is not empty"):
        sweeps.map(None, pencil, *AXES, "p_plus", state="slipping", output=tmp_path / "b")
    with pytest.raises(mechan.InputError, match="is no data set of mechan"):
        sweeps.Dataset(tmp_path / "b")
    (tmp_path / "c").write_text("")
    with pytest.raises(mechan.UnwritableError, match="cannot be made"):
        sweeps.map(None, pencil, *AXES, "p_plus", state="slipping", output=tmp_path / "c")
    question = json.loads((tmp_path / "a" / "question.json").read_text())
    assert question["schema"] == "mechan.dataset/1" and question["version"] == mechan.__version__


def test_sweeps_that_make_no_sense(pencil, tmp_path):
    with pytest.raises(mechan.UsageError, match="points is 0"):
        sweeps.map(None, pencil, *AXES, "p_plus", output=tmp_path / "x", points=0)
    with pytest.raises(mechan.UsageError, match="over is empty"):
        sweeps.sweep(None, pencil, {}, output=tmp_path / "x")
    with pytest.raises(mechan.UsageError, match="`nu`"):
        sweeps.sweep(None, pencil, {"nu": [1.0]}, output=tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_bytes_that_changed_are_found(pencil, tmp_path):
    asked = dict(t_end=0.05, runs=12, random={"mu": (0.1, 0.5)}, runs_at_once=4, output=tmp_path / "runs")
    whole = sweeps.ensemble(None, pencil, "slipping", **asked)
    first, dice = hashes(whole), np.random.default_rng(11)
    assert not whole.damaged and not list((tmp_path / "runs").glob("*.sha256"))
    # of a sweep that is complete, and of one that ended before its manifest
    for has_manifest in (True, False):
        for _ in range(12):
            if not has_manifest:
                (tmp_path / "runs" / "manifest.json").unlink(missing_ok=True)
                for path, made in zip(whole.files, first):
                    path.with_suffix(".sha256").write_text(made)
            path = whole.files[dice.integers(3)]
            data = bytearray(path.read_bytes())
            data[dice.integers(len(data))] ^= 1 << dice.integers(8)
            path.write_bytes(data)
            assert not has_manifest or whole.damaged == [path]
            again = sweeps.ensemble(None, pencil, "slipping", **asked)
            assert hashes(again) == first and not again.damaged


PROGRAM = "import sys; from distributed.cli.{0} import main; main(sys.argv[1:])"


def test_a_scheduler_that_is_killed_says_so(pencil, tmp_path):
    def started(what, *arguments):
        return subprocess.Popen([sys.executable, "-c", PROGRAM.format(what), *arguments], stderr=subprocess.DEVNULL)

    place = tmp_path / "scheduler.json"
    scheduler = started("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(place))
    worker = started("dask_worker", "--scheduler-file", str(place), "--nthreads", "1", "--no-dashboard", "--death-timeout", "60")
    asked = dict(state="slipping", points=40)
    try:
        until = time.monotonic() + 60
        while not place.exists() and time.monotonic() < until:
            time.sleep(0.1)
        with Client(scheduler_file=str(place), timeout=5, set_as_default=False) as client:

            def told(done, of):
                if done == 3:
                    scheduler.kill()

            with pytest.raises(mechan.Error, match="scheduler is gone") as raised:
                sweeps.map(client, pencil, *AXES, "p_plus", output=tmp_path / "map", progress=told, **asked)
            assert raised.value.code == "scheduler"
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    # what was done stays, and is gone on from
    parts = {path: path.stat().st_mtime_ns for path in (tmp_path / "map").glob("part-*.parquet")}
    done = sweeps.map(None, pencil, *AXES, "p_plus", output=tmp_path / "map", **asked)
    assert len(parts) >= 3 and all(path.stat().st_mtime_ns == then for path, then in parts.items())
    assert done.values().tolist() == pencil.map(*AXES, "p_plus", state="slipping").values.tolist()
