"""Mechanisms: from files, texts and the library to equations, and the ways that fail."""

import inspect
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import mechan
from mechan.errors import _spoken


def test_the_library_needs_no_derivation(monkeypatch):
    monkeypatch.setenv("MECHAN_PROGRAM", "/nowhere/mechan")
    assert len(mechan.library()) > 25 and "falling_pencil" in mechan.library()
    assert mechan.model("falling_pencil").coordinates == ("x", "y", "theta")


def test_a_mechanism_is_derived_by_the_program(rod, tmp_path, monkeypatch, program):
    monkeypatch.setenv("MECHAN_CACHE_DIR", str(tmp_path / "cache"))
    model = mechan.load(rod).derive()
    found = model.evaluate(0.0, np.zeros(3), np.zeros(3))
    assert np.allclose(found.M, np.diag([1, 1, 1 / 3]))
    assert any((tmp_path / "cache").rglob("*"))
    # kept: nobody is asked again
    monkeypatch.setenv("MECHAN_PROGRAM", "/bin/false")
    assert mechan.load(rod).derive() == model
    with pytest.raises(mechan.DerivationError, match="ended with exit status: 1"):
        mechan.load(rod).derive(cache=False)


def test_without_the_program(rod, monkeypatch, tmp_path):
    monkeypatch.setenv("MECHAN_CACHE_DIR", str(tmp_path))
    with pytest.raises(mechan.DerivationError, match="there is no program /nowhere/mechan, which is to derive falling_rod"):
        mechan.load(rod).derive(program="/nowhere/mechan")
    monkeypatch.setattr("mechan._model.find_program", lambda: None)
    with pytest.raises(mechan.DerivationError, match="neither beside this package nor on PATH.*MECHAN_PROGRAM"):
        mechan.load(rod).derive()


def test_the_program_is_found(monkeypatch, tmp_path):
    monkeypatch.setenv("MECHAN_PROGRAM", "/my/own")
    assert mechan.find_program() == "/my/own"
    monkeypatch.delenv("MECHAN_PROGRAM")
    found = mechan.find_program()
    assert found is None or os.access(found, os.X_OK)


def test_model_files(pencil, tmp_path):
    pencil.save(tmp_path / "pencil.json")
    again = mechan.Model.from_file(tmp_path / "pencil.json")
    assert again == pencil and again.analyze("inconsistent").verdict == "inconsistent"
    text = (tmp_path / "pencil.json").read_text()
    (tmp_path / "newer.json").write_text(text.replace("mechan.model/1", "mechan.model/9"))
    with pytest.raises(mechan.ModelFileError, match="mechan.model/9.*reads `mechan.model/1`"):
        mechan.Model.from_file(tmp_path / "newer.json")
    (tmp_path / "cut.json").write_text(text[:-50])
    with pytest.raises(mechan.ModelFileError):
        mechan.Model.from_file(tmp_path / "cut.json")
    with pytest.raises(mechan.UnwritableError, match="cannot be written"):
        pencil.save(tmp_path / "no" / "such.json")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk(pencil):
    with pytest.raises(mechan.UnwritableError, match="/dev/full cannot be written.*No space"):
        pencil.save("/dev/full")


def test_pickles(pencil):
    dumped = pickle.dumps(pencil)
    again = pickle.loads(dumped)
    q = np.random.default_rng(0).normal(size=(20, 3))
    assert again == pencil and np.array_equal(again.evaluate(0, q, q).h, pencil.evaluate(0, q, q).h)
    for old, new in ((b"mechan.pickle/1", b"mechan.pickle/0"), (mechan.__version__.encode(), b"9.9.9")):
        with pytest.raises(mechan.VersionError, match="this is a pickle of mechan"):
            pickle.loads(dumped.replace(old, new, 1))
    error = pickle.loads(pickle.dumps(pytest.raises(mechan.InputError, mechan.load, "mechan: 1\n").value))
    assert error.diagnostics and error.code.startswith("M")


def test_faults_have_their_places(rod):
    with pytest.raises(mechan.InputError) as raised:
        mechan.load(rod.replace("friction: mu", "friction: -0.3").replace("mass: m", "mas: m"))
    places = {d.code: d for d in raised.value.diagnostics}
    assert places["M010"].line == 9 and places["M010"].column == 9 and places["M010"].path == "bodies.rod.mas"
    assert "did you mean `mass`" in str(raised.value) and raised.value.code in places
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize(
    ("asked", "kind", "words"),
    [
        (lambda m: mechan.load("falling_pensil"), mechan.UnreadableError, "did you mean `falling_pencil`"),
        (lambda m: mechan.load("no.yaml"), mechan.UnreadableError, "no.yaml cannot be read"),
        (lambda m: m.analyze("flying"), mechan.UsageError, "did you mean `falling`"),
        (lambda m: m.analyze("falling", nu=1), mechan.UsageError, "nu=1.0: there is no .* `nu`"),
        (lambda m: m.analyze("falling", mu=float("nan")), mechan.UsageError, "mu is nan"),
        (lambda m: m.analyze("falling", mu=True), mechan.UsageError, "mu is True"),
        (lambda m: m.analyze("falling", mu=1, set={"mu": 2}), mechan.UsageError, "mu is set twice"),
        (lambda m: m.analyze("falling", set=["mu=1"]), mechan.UsageError, "expected a dictionary"),
        (lambda m: m.simulate(t_end=-1), mechan.UsageError, "`t_end` is -1"),
        (lambda m: m.simulate(t_end="x"), mechan.UsageError, "t_end='x'"),
        (lambda m: m.simulate(t_end=1, scheme="morau"), mechan.UsageError, "did you mean `moreau`"),
        (lambda m: m.simulate(t_end=1, scheme="moreau"), mechan.UsageError, "for example `step=0.001`"),
        (lambda m: m.simulate(t_end=1, stop="thet"), mechan.UsageError, "did you mean `theta`"),
        (lambda m: m.ensemble(t_end=1), mechan.UsageError, "nothing varies"),
        (lambda m: m.ensemble(t_end=1, runs=2, random={"mu": 3}), mechan.UsageError, r"expected \(lo, hi\)"),
        (lambda m: m.ensemble(t_end=1, runs=2, random={"mu": (3, 1)}), mechan.UsageError, "lower end"),
        (lambda m: m.map("theta", "mu"), mechan.UsageError, "expected NAME=LO:HI:N"),
        (lambda m: m.map(3, "mu=0:1:3"), mechan.UsageError, r"expected \(name, lo, hi, points\)"),
        (lambda m: m.map(("theta", 0, 1, 5, "lin"), "mu=0:1:3"), mechan.UsageError, "scale 'lin'"),
        (lambda m: m.map(("theta", 0, 1, 50000), ("mu", 0, 1, 50000)), mechan.UsageError, "mechan.dask.map"),
        (lambda m: m.map("theta=0:1:5", "mu=0:1:5", "verdcit"), mechan.UsageError, "did you mean `verdict`"),
        (lambda m: m.converge(schemes=["nope"]), mechan.UsageError, "no scheme `nope`"),
        (lambda m: m.code("fortran"), mechan.UsageError, "no language `fortran`"),
    ],
)
def test_questions_that_make_no_sense(pencil, asked, kind, words):
    with pytest.raises(kind, match=words) as raised:
        asked(pencil)
    assert "--" not in str(raised.value)


def test_options_become_arguments():
    assert _spoken("--t-end is 1, expected more") == "`t_end` is 1, expected more"
    assert _spoken("try `--step 0.001`") == "try `step=0.001`"
    assert _spoken("--set nu=1: no") == "nu=1: no"
    assert _spoken("a -- b, x--y") == "a -- b, x--y"


def test_long_calls_leave_the_interpreter_to_others(pencil):
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    pencil.ensemble("slipping", t_end=0.5, runs=100, random={"mu": (0.1, 0.5)}, threads=1)
    done.set()
    thread.join()
    assert len(ticks) > 3


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    "call",
    [
        'm.ensemble("slipping", t_end=1, runs=10**9, random={"mu": (0.1, 0.5)})',
        'm.map(("theta", 0.1, 1.4, 4000), ("mu", 0.1, 3, 4000), "equilibrium", state="slipping")',
        "m.evaluate(0.0, np.zeros((3, 10**7, 3))[:, :, ::-1], np.zeros(3), outputs=['gap']) and [m.analyze() for _ in range(10**6)]",
    ],
)
def test_ctrl_c(call):
    program = f"import mechan, numpy as np\nm = mechan.model('falling_pencil')\nprint('ready', flush=True)\n{call}"
    # what a shell runs in the background ignores Ctrl-C, and so would its children
    heard = "import signal, os, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    asked = [sys.executable, "-c", heard + program]
    run = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert run.stdout.readline().strip() == "ready"
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=120)
    finally:
        run.kill()
    assert "KeyboardInterrupt" in errors and run.returncode != 0


def test_examples_of_the_documentation():
    import doctest

    for name in ("mechan", "mechan._model", "mechan.problem", "mechan.scene", "mechan.stepper", "mechan.table"):
        module = sys.modules[name]
        found = doctest.testmod(module)
        assert found.attempted > 0 and found.failed == 0, name


def test_the_stubs_name_what_there_is():
    import ast

    stub = Path(mechan.__file__).with_name("_mechan.pyi")
    tree = ast.parse(stub.read_text())
    core = sys.modules["mechan._mechan"]
    public = {n for n in dir(core) if not n.startswith("_")} | {"__version__"}
    named = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    named |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert named - {"_Floats"} == public
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = {m.name for m in node.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("__")}
            there = {n for n in vars(getattr(core, node.name)) if not n.startswith("__")}
            assert members == there, node.name


def test_mechanisms_are_pickled(rod):
    for text in ("falling_pencil", rod):
        mechanism = mechan.load(text)
        again = pickle.loads(pickle.dumps(mechanism))
        assert again == mechanism and again.source == mechanism.source and again.states == mechanism.states
        # equations that are known travel along
        assert again._core.is_derived == mechanism._core.is_derived
    assert again != mechan.load("falling_pencil")


def test_options_of_motions_have_names_and_types(pencil):
    from typing import get_args

    from mechan._model import Scheme

    assert list(get_args(Scheme)) == list(mechan.SCHEMES)
    known = {"scheme", "step", "scheme_theta", "scheme_gamma", "eps", "rtol", "atol", "future", "stop", "max_events", "max_steps", "set"}
    for ask in (pencil.simulate, pencil.ensemble, mechan_dask_ensemble()):
        assert known <= set(inspect.signature(ask).parameters)
    for options, words in [
        ({"step": 0.01}, "no `step`"),
        ({"scheme_theta": 0.5}, "no `scheme_theta`"),
        ({"eps": 1e-5}, "such as `scheme=compliant`"),
        ({"scheme": "moreau", "step": 0.01, "rtol": 1e-6}, "no `rtol`"),
        ({"scheme": "herk-3", "step": 0.01, "eps": 1e-5}, "no `eps`"),
        ({"scheme": "compliant", "eps": 0.0}, "expected a number > 0"),
        ({"samples": 10**9}, "not kept in memory"),
    ]:
        with pytest.raises(mechan.UsageError, match=words):
            pencil.simulate("slipping", t_end=0.1, **options)
    with pytest.raises(mechan.UsageError, match="there is no scheme"):
        pencil.futures("indeterminate", t_end=0.1, scheme="moreau")


def mechan_dask_ensemble():
    return pytest.importorskip("mechan.dask").ensemble


def test_answers_are_compared(pencil):
    asks = [
        lambda mu: pencil.analyze("inconsistent", mu=mu),
        lambda mu: pencil.analyze("inconsistent", mu=mu).only,
        lambda mu: pencil.simulate("slipping", t_end=0.05, mu=mu),
        lambda mu: pencil.simulate("slipping", t_end=0.05, mu=mu).table,
        lambda mu: pencil.futures("slipping", t_end=0.05, mu=mu),
        lambda mu: pencil.ensemble("slipping", t_end=0.05, runs=3, random={"theta": (0.1, 0.5)}, mu=mu),
        lambda mu: pencil.map(("theta", 0.1, 1.4, 5), ("x", 0, 3, 4), "p_plus", state="slipping", mu=mu),
        lambda mu: mechan.solve(pencil.next_step("slipping", mu=mu)),
        lambda mu: pencil.state("slipping", mu=mu),
        lambda mu: mechan.Session(pencil.next_step("slipping", mu=mu)).solve(),
    ]
    for ask in asks:
        one, same, other = ask(0.4), ask(0.4), ask(0.45)
        assert (one == one, one == same, one == other, one != other, one == "one") == (True, True, False, True, False), one
