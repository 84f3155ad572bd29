"""Problems in numbers, sessions, and the next step of a mechanism."""

import json
import pickle
import time

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


def grasp(contacts, rank, seed=0, dim=3):
    """Contacts that share few motions: W is positive semidefinite, of low rank."""
    dice = np.random.default_rng(seed)
    H = dice.normal(size=(dim * contacts, rank))
    return mechan.Problem(H @ H.T / rank, dice.normal(size=dim * contacts), [0.6] * contacts)


def test_a_session_takes_problems_of_any_size():
    session, dice = mechan.Session(grasp(2, 6, dim=2)), np.random.default_rng(5)
    for contacts, dim in [(3, 2), (1, 3), (4, 3), (4, 2), (4, 2), (2, 3)]:
        problem = grasp(contacts, 12, int(dice.integers(1000)), dim)
        point = session.update(problem).solve(warm=True)
        alone = mechan.Session(problem).solve()
        assert session.problem is problem and point.solved == alone.solved and len(point.contacts) == contacts
        assert np.allclose(point.u, alone.u, atol=1e-6)


@pytest.mark.parametrize(("contacts", "rank"), [(20, 6), (30, 6), (25, 9)])
def test_a_budget_of_time_bounds_the_proofs_too(contacts, rank):
    problem, budget = grasp(contacts, rank), 0.5
    begun = time.monotonic()
    found = mechan.solve(problem, time=budget)
    # one elimination between two looks at the clock takes tenths of a second, more without optimisation
    assert time.monotonic() - begun < budget + 5
    assert found.existence["examined"] in ("whole", "cut-short")
    begun = time.monotonic()
    bare = mechan.solve(problem, existence=False, time=budget)
    assert time.monotonic() - begun < budget + 5 and bare.existence["examined"] == "not"
    if found.solved and bare.solved:
        assert np.array_equal(bare.r, found.r)
    assert "not looked at" in bare.to_text()


def test_a_budget_of_iterations_is_the_same_everywhere():
    problem = grasp(8, 6)
    whole = mechan.solve(problem)
    for most in (1, 20, 200, 100_000):
        first, again = (mechan.solve(problem, max_iterations=most) for _ in range(2))
        assert first == again, most
        if first.existence["examined"] == "whole":
            assert first.existence == whole.existence
        else:
            # what is proven within a budget is proven
            known = [key for key in ("strong", "weak", "klarbring_pang", "non_penetration", "no_wedging")]
            for key in known:
                assert first.existence[key] in (None, whole.existence[key])
    assert first.existence["examined"] == "whole"
    assert mechan.solve(problem, max_iterations=1).existence["examined"] == "cut-short"


def test_problems_are_pickled(pencil):
    M, H = np.diag([2.0, 1.0 / 3.0]), np.array([[0.0, 0.1], [1.0, 0.0]])
    whole = mechan.Problem.from_global(M, [0.0, 1.0], H, [0.0, 0.3], [0.4], name="whole")
    for problem in (grasp(3, 4), whole, pencil.next_step("inconsistent", 1e-3, mu=1.7)):
        again = pickle.loads(pickle.dumps(problem))
        assert again == problem and repr(again) == repr(problem) and hash(again) == hash(problem)
        assert mechan.solve(again) == mechan.solve(problem)
    assert grasp(3, 4) == grasp(3, 4) != grasp(3, 4, seed=1)


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
