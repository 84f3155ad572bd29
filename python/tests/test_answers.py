"""Answers: to the last bit those of the command line, and as tables for other libraries."""

import json
import math
import pickle

import numpy as np
import pytest

import mechan


def test_an_analysis_is_that_of_the_command_line(pencil, cli):
    assert pencil.analyze().to_dict() == cli("analyze", "falling_pencil")
    one = pencil.analyze("inconsistent", mu=1.7, set={"dot(theta)": 0.1})
    said = cli("analyze", "falling_pencil", "--state", "inconsistent", "--set", "mu=1.7", "--set", "dot(theta)=0.1")
    assert one.to_dict() == said
    # bit for bit, whatever JSON makes of numbers
    assert json.dumps(one.to_dict()) == json.dumps(said)


def test_an_analysis_is_typed(pencil):
    analysis = pencil.analyze("inconsistent")
    state = analysis.only
    assert analysis.verdict == state.verdict == "inconsistent" and state.resolved == ("iwc",)
    tip = state.contacts["tip"]
    # [CV16 (13)]
    assert math.isclose(tip.p_plus, tip.C - 1.5 * tip.B) and tip.p_plus < 0
    modes = {mode.mode["tip"]: mode for mode in state.modes}
    assert modes["slip+"].forces["tip"].N < 0 and not modes["slip+"].consistent
    assert state.M.shape == (3, 3) and state.impact["tip"].iwc_possible
    assert analysis.critical_friction["tip"].mu == pytest.approx(4 / 3)
    assert list(pencil.analyze()) == list(pencil.states)
    assert tip.to_dict()["C"] == tip.C
    with pytest.raises(ValueError, match="8 states were asked about"):
        pencil.analyze().only  # noqa: B018
    with pytest.raises(KeyError, match="no state 'x' here"):
        analysis["x"]


def test_a_state_that_cannot_be_analysed_says_why(pencil):
    analysis = pencil.analyze(["impact", "falling"], y=1)
    assert analysis.faults["impact"].code == "M308" and len(analysis) < 2
    with pytest.raises(mechan.InputError, match="does not touch.*M308") as raised:
        analysis["impact"]
    assert raised.value.code == "M308"


def test_a_report_is_a_part_of_a_page(pencil):
    html = pencil.analyze("inconsistent")._repr_html_()
    assert html.startswith('<div class="mechan">') and "<svg" in html and "inconsistent" in html
    assert "<html" not in html and "<script" not in html
    text = pencil.analyze("inconsistent").to_text()
    assert "inconsistent" in text


def test_a_motion_is_that_of_the_command_line(pencil, cli):
    motion = pencil.simulate("slipping", t_end=0.5, mu=0.4)
    said = cli("simulate", "falling_pencil", "--state", "slipping", "--t-end", "0.5", "--set", "mu=0.4")
    assert motion.to_dict() == said
    assert motion.rows.tolist() == said["rows"]
    assert motion["theta"].tolist() == [row[said["columns"].index("theta")] for row in said["rows"]]
    assert motion.status == "end" and motion.events[-1].kind == "end" and motion.phases[0].t0 == 0
    assert abs(motion.energy["defect"]) < 1e-9
    stepped = pencil.simulate("slipping", t_end=0.1, scheme="moreau", step=0.01, scheme_theta=0.5)
    asked = ["--scheme", "moreau", "--step", "0.01", "--theta", "0.5"]
    assert stepped.to_dict() == cli("simulate", "falling_pencil", "--state", "slipping", "--t-end", "0.1", *asked)


def test_futures_are_those_of_the_command_line(pencil, cli):
    tree = pencil.futures("indeterminate", t_end=0.05)
    said = cli("simulate", "falling_pencil", "--state", "indeterminate", "--t-end", "0.05", "--futures", "all")
    assert tree.to_dict() == said and len(tree.nodes) > 1


def test_an_ensemble_is_that_of_the_command_line(pencil, cli):
    many = pencil.ensemble("slipping", t_end=0.1, runs=5, seed=3, random={"mu": (0.1, 0.5), "theta": (0.1, 1.0, "log")})
    asked = ["--random", "mu=0.1:0.5", "--random", "theta=log:0.1:1.0", "--runs", "5", "--seed", "3"]
    said = cli("ensemble", "falling_pencil", "--state", "slipping", "--t-end", "0.1", *asked)
    assert many.to_dict() == said
    assert ((0.1 <= many["theta.start"]) & (many["theta.start"] <= 1.0)).all() and (many["theta"] != many["theta.start"]).all()
    again = pencil.ensemble(
        "slipping", t_end=0.1, runs=5, seed=3, random=["mu=0.1:0.5", "theta=log:0.1:1.0"], threads=1
    )
    assert again.to_dict() == said
    assert sum(many.statuses.values()) == len(many) == 5
    grid = pencil.ensemble("slipping", t_end=0.1, grid={"mu": (0.25, 0.75, 3)})
    assert grid["mu"].tolist() == [0.25, 0.5, 0.75]


def test_regions_of_a_map_are_proven(pencil):
    found = pencil.map(("theta", 0.05, 1.5, 8), ("mu", 0, 3, 8), "p_plus", state="slipping", certified=20_000)
    regions, undecided = found.certified["regions"], found.certified["undecided"]
    assert [region["claim"] for region in regions] == ["p_plus < 0", "p_plus > 0"] and undecided < 1e-2
    assert abs(sum(region["area"] for region in regions) + undecided - 1) < 1e-9
    assert all(region["certificate"]["schema"] == "mechan.certificate/1" for region in regions)
    assert found.certified["contradicted"] == 0 and "Proven" in found.to_text()
    assert pencil.map(("theta", 0.05, 1.5, 3), ("mu", 0, 3, 3), state="slipping").certified is None
    with pytest.raises(mechan.UsageError, match="nothing is proven of equilibrium"):
        pencil.map(("theta", 0.05, 1.5, 3), ("mu", 0, 3, 3), "equilibrium", state="balanced", certified=True)


def test_a_map_is_that_of_the_command_line(pencil, cli):
    for quantity in ("verdict", "p_plus"):
        found = pencil.map(("theta", 0.1, 1.4, 9), ("mu", 0.1, 3, 7), quantity, state="slipping_with_the_lean")
        asked = ["--x", "theta=0.1:1.4:9", "--y", "mu=0.1:3:7", "--quantity", quantity]
        said = cli("map", "falling_pencil", "--state", "slipping_with_the_lean", *asked)
        assert found.to_dict() == said
        assert found.values.tolist() == said["cells"] and found.shape == (7, 9)
        assert found.x.tolist() == said["x"]["values"] and found.boundaries == said["boundaries"]
    motions = pencil.map(("theta", 0.3, 1, 4), ("mu", 0.2, 0.8, 3), outcome="first(lift-off)", t_end=0.4, state="slipping")
    asked = ["--x", "theta=0.3:1:4", "--y", "mu=0.2:0.8:3", "--outcome", "first(lift-off)", "--t-end", "0.4"]
    assert motions.to_dict() == cli("map", "falling_pencil", "--state", "slipping", *asked)
    with pytest.raises(mechan.UsageError, match="t_end is one of motions"):
        pencil.map(("theta", 0.3, 1, 4), ("mu", 0.2, 0.8, 3), t_end=0.4)
    words, names = pencil.map("theta=0.1:1.4:9", "mu=0.1:3:7", state="slipping_with_the_lean").codes()
    assert words.dtype == np.int8 and set(names) >= {"consistent", "inconsistent"}


def test_undefined_numbers_are_nan_and_null(pencil):
    pa = pytest.importorskip("pyarrow")
    # off the floor the tip is not closed
    found = pencil.map(("theta", 0.1, 1.4, 3), ("y", 0, 1, 2), "p_plus", state="impact")
    assert np.isnan(found.values[1]).all() and not np.isnan(found.values[0]).any()
    assert pa.table(found)["p_plus"].null_count == 3


def test_a_study_is_that_of_the_command_line(cli):
    ball = mechan.model("bouncing_ball")
    study = ball.converge(t_end=0.3, schemes="moreau", steps=[0.02, 0.01, 0.005])
    said = cli("converge", "bouncing_ball", "--t-end", "0.3", "--schemes", "moreau", "--steps", "0.02,0.01,0.005")
    assert study.to_dict() == said
    assert [run.h for run in study.studies["moreau"].runs] == [0.02, 0.01, 0.005]
    assert study.table["q.uniform"].shape == (3,)


def test_tables_are_read_by_others(pencil):
    pa, pd = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    many = pencil.ensemble("slipping", t_end=0.05, runs=4, random={"mu": (0.1, 0.5)})
    table = pa.table(many)
    table.validate(full=True)
    assert table.column_names == list(many.table) and table["run"].type == pa.int64()
    for name in many.table:
        plain = [None if isinstance(x, float) and np.isnan(x) else x for x in many[name].tolist()]
        assert table[name].to_pylist() == plain, name
    frame = many.to_pandas()
    assert frame["mu"].tolist() == many["mu"].tolist() and list(frame["status"]) == list(many["status"])
    assert pd.api.interchange is not None and "status" in many.table._repr_html_()
    # a stream that nobody reads, and one that outlives its table
    many.table.__arrow_c_stream__()
    kept = pa.RecordBatchReader.from_stream(pencil.simulate("slipping", t_end=0.05, samples=7))
    assert kept.read_all().num_rows == 7


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 1000])
def test_streams_of_any_length(rows):
    pa = pytest.importorskip("pyarrow")
    x = np.arange(2 * rows, dtype=float)[::2]
    x[::3] = np.nan
    codes = np.arange(rows, dtype=np.int8) % 3 - 1
    made = pa.table(mechan.Table({"x": x, "n": np.arange(rows)[::-1], "w": (codes, ["a", "b"])}))
    made.validate(full=True)
    assert made.num_rows == rows
    assert made["x"].to_pylist() == [None if np.isnan(v) else v for v in x]
    assert made["n"].to_pylist() == list(range(rows))[::-1]
    assert made["w"].to_pylist() == [None if c < 0 else "ab"[c] for c in codes]


def test_columns_of_tables():
    with pytest.raises(ValueError, match="different lengths"):
        mechan.Table({"x": np.zeros(2), "y": np.zeros(3)}).__arrow_c_stream__()
    with pytest.raises(ValueError, match="neither numbers nor words"):
        mechan.Table({"x": np.zeros(2, dtype=complex)}).__arrow_c_stream__()
    with pytest.raises(KeyError, match="columns are x"):
        mechan.Table({"x": np.zeros(2)})["y"]


def test_answers_are_pickled(pencil):
    for answer in (pencil.analyze("inconsistent"), pencil.simulate("slipping", t_end=0.05)):
        again = pickle.loads(pickle.dumps(answer))
        assert again.to_dict() == answer.to_dict() and again._repr_html_() == answer._repr_html_()


def test_sympy_has_the_same_equations(pencil):
    sympy = pytest.importorskip("sympy")
    w = pencil.sympy()
    q, v = np.array([0.2, 0.1, 0.7]), np.array([0.3, -0.2, 1.1])
    values = {**w.parameter_values, **dict(zip(w.q, q)), **dict(zip(w.v, v))}
    found = pencil.evaluate(0.0, q, v)
    for name in ("M", "h", "W_N", "W_T"):
        plain = np.array(w[name].subs(values).evalf(17).tolist(), dtype=float)
        assert np.allclose(plain.reshape(found[name].shape), found[name], rtol=1e-12, atol=1e-12), name
    assert sympy.simplify(w.M - w.M.T) == sympy.zeros(3, 3)
    # parameters back from SymPy
    third = sympy.Rational(1, 3)
    assert pencil.analyze("slipping", mu=third, theta=sympy.pi / 6).only.parameters["mu"] == 1 / 3


def test_a_cycle_is_that_of_the_command_line(cli):
    oscillator = mechan.model("frictional_impact_oscillator")
    found = oscillator.cycle("inconsistent", section="dot(theta)")
    said = cli("cycle", "frictional_impact_oscillator", "--state", "inconsistent", "--section", "dot(theta)")
    assert json.dumps(found.to_dict()) == json.dumps(said)
    # [LBN02] beyond critical friction
    assert found.period == pytest.approx(0.0995, abs=5e-5) and found.attracting
    assert abs(found.multipliers[0]) == pytest.approx(0.986, abs=5e-4) and found.residual < 1e-8
    assert found.rows.tolist() == said["trajectory"]["rows"] and found.t[-1] - found.t[0] == pytest.approx(found.period)
    assert found["theta"][0] == pytest.approx(found["theta"][-1]) and found.events
    wheel = mechan.model("rimless_wheel")
    with pytest.raises(mechan.UsageError, match="section"):
        oscillator.cycle("inconsistent", section="velocity")
    with pytest.raises(mechan.UsageError, match="there is no scheme"):
        oscillator.cycle("inconsistent", section="dot(theta)", scheme="moreau")
    with pytest.raises(TypeError, match="section"):
        wheel.cycle()
    # never: the rod lies, and nothing falls through that
    with pytest.raises(mechan.NumericsError, match="return"):
        oscillator.cycle("inconsistent", section="theta - 100", t_end=0.3)


def test_claims_are_those_of_the_command_line(pencil, cli):
    box = {"theta": (0, "pi/2"), "mu": (0, 1.3)}
    found = pencil.prove("no-paradox(tip)", box=box)
    said = cli("prove", "falling_pencil", "--claim", "no-paradox(tip)", "--box", "theta=0:pi/2", "--box", "mu=0:1.3")
    assert found.to_dict() == said and found and found[0].answer == "proven"
    both = pencil.prove(["no-paradox(tip)", "1 < 2"], box={**box, "mu": "0:2"})
    assert [claim.answer for claim in both] == ["refuted", "proven"] and not both and len(both) == 2
    assert set(both[0].counterexample) == {"theta", "mu"} and both[1].counterexample is None
    with pytest.raises(mechan.UsageError, match="did you mean `tip`"):
        pencil.prove("no-paradox(tpi)", box=box)
