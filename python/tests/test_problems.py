"""Problems in numbers, sessions, and the next step of a mechanism."""

import json

import numpy as np
import pytest

import mechan
from conftest import ROOT

W, MU = [[1.6, 1.2], [1.2, 3.4]], [1.5]


def test_a_rod_that_is_lifted_and_one_that_jams():
    lifted = mechan.solve(mechan.Problem(W, [0.04, 1.0], MU), all=True)
    assert lifted.solved and len(lifted.solutions) > 1 and lifted.complete
    pressed = mechan.solve(mechan.Problem(W, [-0.2, 1.0], MU))
    assert pressed.solved
    # u = W r + q, and Coulomb's law by hand
    assert np.allclose(np.array(W) @ pressed.r + [-0.2, 1.0], pressed.u, atol=1e-8)
    assert pressed.u[0] >= -1e-9 and pressed.r[0] >= 0 and abs(pressed.r[1]) <= 1.5 * pressed.r[0] + 1e-8


def test_a_solution_is_that_of_the_command_line(cli):
    path = next(iter(sorted((ROOT / "problems").glob("*.json*"))))
    found, said = mechan.solve(path).to_dict(), cli("solve", str(path))
    for timed in (found, said):
        timed.pop("time_seconds")
    assert json.dumps(found) == json.dumps(said)


def test_global_and_local_forms_agree():
    M, H, f, w = np.diag([2.0, 1.0]), np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0.0, 1.0]), np.array([0.0, 0.3])
    whole = mechan.solve(mechan.Problem.from_global(M, f, H, w, [0.4]))
    inverse = np.linalg.inv(M)
    local = mechan.solve(mechan.Problem(H @ inverse @ H.T, w - H @ inverse @ f, [0.4]))
    assert whole.solved and np.allclose(whole.r, local.r, atol=1e-8) and np.allclose(whole.u, local.u, atol=1e-8)
    sparse = pytest.importorskip("scipy.sparse")
    again = mechan.solve(mechan.Problem.from_global(sparse.csr_matrix(M), f, sparse.csc_matrix(H), w, [0.4]))
    assert np.array_equal(again.r, whole.r)


def test_the_next_step_of_a_mechanism(pencil, cli):
    step = pencil.next_step("inconsistent", 1e-3)
    assert step.contacts == 1 and step.dim == 2 and step.name == "falling_pencil/inconsistent"
    found = mechan.solve(step).to_dict()
    said = cli("solve", "falling_pencil", "--state", "inconsistent", "--step", "0.001")
    said = said[0] if isinstance(said, list) else said
    assert [found[key] for key in ("u", "v", "r", "status")] == [said[key] for key in ("u", "v", "r", "status")]
    with pytest.raises(mechan.UsageError, match="no step model `dynamic`"):
        pencil.next_step("inconsistent", model="dynamic")


def test_a_session_goes_on():
    def pressed(slip):
        return mechan.Problem([[2.0, 0.0], [0.0, 3.0]], [-1.0, slip], [0.3])

    session = mechan.Session(pressed(1.0))
    assert np.allclose(session.solve().r, [0.5, -0.15])
    for slip in (1.01, 1.02, -1.0):
        point = session.update(pressed(slip)).solve(warm=True)
        assert point.solved and np.allclose(point.r, [0.5, -0.15 * np.sign(slip)])
    # from no force the answer is that of a new session, to the last bit
    assert np.array_equal(session.solve().r, mechan.Session(pressed(-1.0)).solve().r)


def test_problems_are_written_and_read(tmp_path):
    problem = mechan.Problem(W, [-0.2, 1.0], MU, name="rod")
    for name in ("rod.json", "rod.json.gz"):
        problem.save(tmp_path / name)
        again = mechan.Problem.from_file(tmp_path / name)
        assert again.name == "rod" and np.array_equal(mechan.solve(again).r, mechan.solve(problem).r)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: mechan.Problem(W, [1, 2, 3], MU), "expected"),
        (lambda: mechan.Problem([[1, float("nan")], [3, 4]], [1, 2], [1]), "not a finite number"),
        (lambda: mechan.Problem(W, [1, 2], [-1]), "friction"),
        (lambda: mechan.Problem([1, 2], [1, 2], [1]), r"W has shape \(2,\), expected a matrix"),
        (lambda: mechan.Problem(W, ["a", "b"], [1]), "q holds no real numbers"),
        (lambda: mechan.solve(mechan.Problem(W, [1, 2], MU), solver="gauss"), "no solver `gauss`"),
        (lambda: mechan.solve(mechan.Problem(W, [1, 2], MU), tolerance=-1), "tolerance"),
        (lambda: mechan.Session(mechan.Problem(W, [1, 2], MU), tolerance=0), "tolerance is 0"),
        (lambda: mechan.solve("nothing.json"), "nothing.json"),
        (lambda: mechan.Problem.from_global([[0.0]], [1.0], [[1.0], [0.0]], [0, 0], [1]), "positive definite"),
    ],
)
def test_problems_that_are_none(made, words):
    with pytest.raises(mechan.Error, match=words):
        made()
