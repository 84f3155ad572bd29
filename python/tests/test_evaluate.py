"""Equations at states: single states, batches of any shape, dtype and stride, and what is refused."""

import itertools
import pickle
import threading

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechan

FINITE = st.floats(-10, 10, allow_subnormal=False)


def one_by_one(model, t, q, v, **more):
    """The same, state by state, through the path of single states."""
    batch = np.broadcast_shapes(np.shape(t), np.shape(q)[:-1], np.shape(v)[:-1])
    t = np.broadcast_to(np.asarray(t, dtype=float), batch)
    q = np.broadcast_to(np.asarray(q, dtype=float), (*batch, np.shape(q)[-1]))
    v = np.broadcast_to(np.asarray(v, dtype=float), (*batch, np.shape(v)[-1]))
    for place in itertools.product(*map(range, batch)):
        yield place, model.evaluate(float(t[place]), q[place].copy(), v[place].copy(), **more)


def agree(model, found, t, q, v):
    for place, single in one_by_one(model, t, q, v):
        for name in single.keys():
            assert np.array_equal(found[name][place], single[name], equal_nan=True), name


def test_the_pencil_by_hand(pencil):
    theta, omega = 0.5, 2.0
    found = pencil.evaluate(0.0, np.array([0, 0, theta]), np.array([1.0, 0, omega]))
    s, c = np.sin(theta), np.cos(theta)
    assert np.allclose(found.M, [[1, 0, -c], [0, 1, -s], [-c, -s, 4 / 3]], rtol=1e-14)
    assert np.allclose(found.h, [s * omega**2, 9.81 - c * omega**2, -9.81 * s], rtol=1e-13)
    # [CV16 (17)] for a slender rod
    assert np.allclose([found.A, found.B, found.C], [[1 + 3 * c**2], [3 * s * c], [1 + 3 * s**2]], rtol=1e-13)
    assert np.allclose(found.D, found.W @ np.linalg.solve(found.M, found.W.T), rtol=1e-12)
    assert np.allclose(found.free_acceleration, np.linalg.solve(found.M, -found.h), rtol=1e-12, atol=1e-12)
    assert found.shape == () and found.solvable


def test_contacts_in_space_have_blocks():
    model = mechan.model("rod_3d")
    n, m = len(model.coordinates), len(model.contacts)
    found = model.evaluate(0, np.full(n, 0.3), np.full(n, 0.1))
    assert found.A.shape == (m, 2, 2) and found.B.shape == found.a.shape == (m, 2) and found.C.shape == found.b.shape == (m,)
    for i in range(m):
        own = found.D[3 * i : 3 * i + 3, 3 * i : 3 * i + 3]
        assert np.array_equal(own[0, 0], found.C[i]) and np.array_equal(own[0, 1:], found.B[i])
        assert np.array_equal(own[1:, 1:], found.A[i])
        assert np.array_equal(found.free_contact_acceleration[3 * i], found.b[i])


def test_a_batch_is_the_states_to_the_last_bit(pencil):
    rng = np.random.default_rng(1)
    # more than two blocks, and not a multiple of them
    q, v, t = rng.normal(size=(700, 3)), rng.normal(size=(700, 3)), rng.normal(size=700)
    found = pencil.evaluate(t, q, v)
    assert found.M.shape == (700, 3, 3) and found.A.shape == (700, 1) and found.T.shape == (700,)
    for k in range(0, 700, 37):
        single = pencil.evaluate(float(t[k]), q[k].copy(), v[k].copy())
        assert all(np.array_equal(found[name][k], single[name]) for name in single.keys())


@given(
    hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=3, min_side=0),
    st.data(),
)
def test_shapes_are_broadcast(pencil, shapes, data):
    t_shape, q_shape, v_shape = shapes.input_shapes
    t = data.draw(hnp.arrays(float, t_shape, elements=FINITE))
    q = data.draw(hnp.arrays(float, (*q_shape, 3), elements=FINITE))
    v = data.draw(hnp.arrays(float, (*v_shape, 3), elements=FINITE))
    found = pencil.evaluate(t, q, v)
    assert found.shape == shapes.result_shape == found.gap.shape[:-1]
    agree(pencil, found, t, q, v)


@given(
    hnp.arrays(
        st.sampled_from(["f8", "f4", "f2", ">f8", "i8", "i4", "u1", "i2", "?", ">i4"]),
        st.tuples(st.integers(0, 5), st.just(3)),
        elements=st.integers(0, 1),
    )
)
def test_real_dtypes_are_taken(pencil, q):
    v = np.ones(3)
    agree(pencil, pencil.evaluate(0, q, v), 0, q, v)


@given(st.integers(-3, 3).filter(bool), st.integers(-2, 2).filter(bool), st.booleans(), st.booleans())
def test_strides_do_not_matter(pencil, down, right, is_fortran, is_readonly):
    whole = np.asarray(np.random.default_rng(7).normal(size=(11, 6)), order="F" if is_fortran else "C")
    q = whole[::down, ::right][:, :3]
    v = whole[::down, 3:][:, ::-1]
    if is_readonly:
        whole.setflags(write=False)
    before = whole.copy()
    agree(pencil, pencil.evaluate(0.0, q, v), 0.0, q, v)
    assert np.array_equal(before, whole)


def test_arrays_in_records_lie_unaligned(pencil):
    record = np.zeros(9, dtype=[("flag", "u1"), ("q", "f8", 3), ("v", "f8", 3)])
    record["q"] = np.random.default_rng(3).normal(size=(9, 3))
    assert not record["q"].flags.aligned
    agree(pencil, pencil.evaluate(0.0, record["q"], record["v"]), 0.0, record["q"], record["v"])
    # also at one state
    single = pencil.evaluate(0.0, record["q"][2], record["v"][2])
    assert np.array_equal(single.M, pencil.evaluate(0.0, record["q"], record["v"]).M[2])


@given(hnp.arrays(float, (4, 3), elements=st.sampled_from([0.5, np.nan, np.inf, -np.inf])))
def test_what_is_not_finite_goes_through(pencil, q):
    agree(pencil, pencil.evaluate(0.0, q, np.ones(3)), 0.0, q, np.ones(3))


def test_results_are_read_only_and_outlive_their_evaluation(pencil):
    def made():
        return pencil.evaluate(0.0, np.array([[0.0, 0, 0.5]] * 3), np.zeros(3)).M

    views = [made() for _ in range(20)]
    assert all(np.array_equal(view, views[0]) for view in views)
    with pytest.raises(ValueError, match="read-only"):
        views[0][0, 0, 0] = 1
    assert views[0].base is not None and not views[0].flags.owndata


def test_parameters_and_what_follows_from_them(pencil, rod):
    q, v = np.array([0.0, 1.0, 0.5]), np.zeros(3)
    # I is a number of its own in the pencil's file? it follows from m and l
    changed = pencil.evaluate(0.0, q, v, parameters={"l": 2.0})
    assert np.isclose(changed.M[2, 2], 4 * 4 / 3)
    many = pencil.evaluate(0.0, q, v, parameters={"l": np.array([1.0, 2.0, 3.0])})
    assert many.shape == (3,) and np.array_equal(many.M[1], changed.M)
    held = pencil.evaluate(0.0, q, v, parameters={"l": 2.0, "I": 1.0})
    assert np.isclose(held.M[2, 2], 5.0)
    by_name = pencil.analyze("slipping", mu=0.2).only
    assert by_name.parameters["mu"] == 0.2


def test_some_outputs(pencil):
    q, v = np.zeros((2, 3)), np.ones((2, 3))
    whole, some = pencil.evaluate(0, q, v), pencil.evaluate(0, q, v, outputs=["gap", "M", "A"])
    assert some.keys() == ["mass_matrix", "gap", "delassus"] and len(some) == 3
    assert np.array_equal(some.M, whole.M) and np.array_equal(some["A"], whole.A)
    with pytest.raises(AttributeError, match="was not evaluated: outputs are mass_matrix, gap, delassus"):
        some.h  # noqa: B018
    with pytest.raises(KeyError):
        some["bias_force"]


def test_a_state_without_inertia_is_marked():
    model = mechan.load(
        "mechan: 1\nname: shy\nspace: plane\ncoordinates: [x]\nenergy: {kinetic: x*dot(x)^2/2}\n"
    ).derive()
    found = model.evaluate(0, [[1.0], [0.0], [-1.0]], [0.0])
    assert found.solvable.tolist() == [True, False, False]
    assert np.isnan(found.free_acceleration[:, 0]).tolist() == [False, True, True]
    assert found.M[:, 0, 0].tolist() == [1.0, 0.0, -1.0]
    assert not model.evaluate(0.0, np.array([0.0]), np.array([0.0])).solvable


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, [0, 0], [0, 0, 0]), r"q has shape \(2,\), expected \(.., 3\) for x, y, theta"),
        ((0, 1.0, [0, 0, 0]), r"q has shape \(\), expected \(.., 3\)"),
        ((0, np.zeros((4, 3)), np.zeros((5, 3))), r"shapes \(\), \(4,\), \(5,\), which do not go together"),
        ((0, ["a", "b", "c"], [0, 0, 0]), "q has dtype <U1, expected real numbers"),
        ((0, np.zeros(3) * 1j, [0, 0, 0]), "q has dtype complex128"),
        ((None, [0, 0, 0], [0, 0, 0]), "t has dtype object"),
        ((0, [[0, 0, 0], [0]], [0, 0, 0]), "q is no array of numbers"),
        ((0, np.zeros((0,)), [0, 0, 0]), r"q has shape \(0,\)"),
    ],
)
def test_arrays_that_make_no_sense(pencil, arguments, words):
    with pytest.raises(mechan.UsageError, match=words):
        pencil.evaluate(*arguments)


def test_names_that_there_are_not(pencil):
    zero = [0, 0, 0]
    with pytest.raises(mechan.UsageError, match="no output `mass_matrx`; did you mean `mass_matrix`"):
        pencil.evaluate(0, zero, zero, outputs=["mass_matrx"])
    with pytest.raises(mechan.UsageError, match="no parameter `nu`; did you mean `mu`"):
        pencil.evaluate(0, zero, zero, parameters={"nu": 1})
    with pytest.raises(mechan.UsageError, match="outputs is empty"):
        pencil.evaluate(0, zero, zero, outputs=[])
    with pytest.raises(mechan.UsageError, match="parameters is no dictionary"):
        pencil.evaluate(0, zero, zero, parameters=[1.0])


def test_threads_share_a_model(pencil):
    q = np.random.default_rng(5).normal(size=(3000, 3))
    expected = pencil.evaluate(0.0, q, np.ones(3)).h.copy()
    found = [None] * 4

    def work(k):
        found[k] = all(np.array_equal(pencil.evaluate(0.0, q, np.ones(3)).h, expected) for _ in range(3))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [True] * 4


def test_mechanisms_evaluate_as_they_are_analysed():
    for name in ("painleve_rod", "wheel_on_ground", "two_point_body", "compass_biped", "crushed_ball", "rod_3d", "pendulum_on_slider"):
        model = mechan.model(name)
        state = model.states[0]
        t, q, v, p = model.state(state)
        found = model.evaluate(t, q, v, parameters=dict(zip(model.parameters, p)))
        said = model.analyze(state, next_step=False, no_slip=False, boxes=10)[state]
        assert np.array_equal(found.M, said.M), name
        assert np.allclose(found.h, said.h, rtol=1e-13, atol=1e-300), name


def test_evaluations_are_pickled(pencil):
    dice = np.random.default_rng(3)
    ball = mechan.model("rod_3d")
    n = len(ball.coordinates)
    for found in (
        pencil.evaluate(0.0, [0.0, 0.0, 0.5], [1.0, 0.0, 0.0]),
        pencil.evaluate(0.0, dice.normal(size=(4, 5, 3)), dice.normal(size=3), outputs=["M", "D"]),
        ball.evaluate(0.0, dice.normal(size=(7, n)), dice.normal(size=(7, n))),
    ):
        again = pickle.loads(pickle.dumps(found))
        assert again.keys() == found.keys() and again.shape == found.shape and repr(again) == repr(found)
        assert np.array_equal(again.solvable, found.solvable)
        for name in [*found.keys(), *(["A", "B", "C"] if "delassus" in found.keys() else [])]:
            assert np.array_equal(again[name], found[name], equal_nan=True) and not again[name].flags.writeable
    function, (sizes, names, batch, numbers, solvable) = found.__reduce__()
    with pytest.raises(ValueError, match="not as many numbers"):
        function(sizes, names, batch, numbers[:-1], solvable)
    with pytest.raises(ValueError, match="does not know"):
        function(sizes, ["entropy"], batch, numbers, solvable)
