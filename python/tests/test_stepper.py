"""A motion in the caller's hands: one in pieces is one, what is set acts as the same in the file, and nothing is lost."""

import copy
import runpy
from pathlib import Path

import numpy as np
import pytest

import mechan

SCHEMES = ["moreau", "moreau-jean", "moreau-projected", "schatzman-paoli"]
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def biped():
    return mechan.model("standing_biped")


@pytest.fixture(scope="module")
def ball():
    return mechan.model("bouncing_ball")


def numbers(stepper):
    return np.concatenate([[stepper.t], stepper.q, stepper.v])


def same(one, other, scale=1e-8):
    assert numbers(one) == pytest.approx(numbers(other), abs=scale)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name, state", [("standing_biped", "nudged"), ("bouncing_ball", "dropped"), ("rod_3d", None)])
def test_a_motion_in_pieces_is_one_motion_to_the_last_bit(scheme, name, state):
    model = mechan.model(name)
    one, pieces = (model.stepper(state, scheme=scheme, step=1e-3) for _ in range(2))
    whole = one.advance(to=0.6)
    kinds = []
    for k in range(1, 61):
        found = pieces.advance(to=k * 0.01)
        assert found.status == "end"
        kinds += [(event.t, event.kind, event.contact) for event in found.events]
    assert np.array_equal(numbers(one), numbers(pieces))
    assert kinds == [(event.t, event.kind, event.contact) for event in whole.events]
    # and it is that of `simulate`
    motion = model.simulate(state, scheme=scheme, step=1e-3, t_end=0.6)
    n = len(one.q)
    assert np.array_equal(motion.rows[-1, 1 : 1 + 2 * n], np.concatenate([one.q, one.v]))


@pytest.mark.parametrize("name, state, t_end", [
    ("standing_biped", "nudged", 2.0), ("bouncing_ball", "dropped", 3.5), ("falling_pencil", "slipping", 0.5), ("linear_oscillator", "stretched", 8.0),
])  # fmt: skip
def test_from_event_to_event_pieces_are_one_to_the_tolerance(name, state, t_end):
    model = mechan.model(name)
    one, pieces = model.stepper(state), model.stepper(state)
    assert one.advance(to=t_end).status == "end"
    for k in range(1, 51):
        assert pieces.advance(to=t_end * k / 50).status == "end"
    same(one, pieces, 1e-7)
    motion = model.simulate(state, t_end=t_end)
    assert numbers(one) == pytest.approx(motion.rows[-1, : 1 + 2 * len(one.q)], abs=1e-12)


def test_the_compliant_scheme_goes_on_where_it_was(biped):
    one, pieces = (biped.stepper("nudged", scheme="compliant", eps=1e-3) for _ in range(2))
    one.advance(to=0.8)
    for k in range(1, 9):
        pieces.advance(to=0.1 * k)
    same(one, pieces, 1e-5)
    assert abs(pieces.books()["defect"]) < 1e-5 * abs(pieces.books()["initial"])


def test_where_several_ways_lead_on_one_is_chosen():
    one = mechan.model("box_on_incline").stepper("indeterminate")
    found = one.advance(to=0.01)
    assert found.status == "indeterminate" and set(found.futures) == {"iwc", "free"} and one.t == 0 and not found.reached
    ends = []
    for future, kinds in (("free", []), ("iwc", ["iwc"])):
        chosen, whole = one.copy(), one.copy()
        first = chosen.advance(to=1e-3, future=future)
        again = chosen.advance(to=2e-3)
        assert first.status == again.status == "end" and [event.kind for event in first.events] == kinds
        whole.advance(to=2e-3, future=[future])
        same(whole, chosen, 1e-10)
        ends.append(numbers(chosen))
    assert not np.allclose(*ends) and one.advance(to=0.01).status == "indeterminate"


def test_motions_of_the_library_are_one_in_pieces():
    """Whatever ends a motion ends it in pieces too, at the same place."""
    for name in ("brick_stack", "compass_biped", "pushed_chalk", "rod_3d", "square_on_ground", "painleve_rod", "vibrating_plate"):
        model = mechan.model(name)
        for state in model.states:
            one, pieces = model.stepper(state), model.stepper(state)
            start = one.t
            whole = one.advance(to=start + 0.2, max_steps=2000)
            for k in range(1, 8):
                found = pieces.advance(to=start + 0.2 * k / 7, max_steps=2000)
                if not found.reached:
                    break
            assert found.status == whole.status, (name, state)
            assert numbers(one) == pytest.approx(numbers(pieces), abs=1e-6, rel=1e-6), (name, state)


@pytest.mark.parametrize("options", [{}, {"scheme": "moreau", "step": 1e-3}, {"scheme": "compliant", "eps": 1e-3}])
def test_a_force_is_the_same_force_in_the_file(biped, options):
    """F of the file pushes through the centre of mass: it is the generalised force on x."""
    outside, inside = biped.stepper("standing", **options), biped.stepper("standing", F=120.0, **options)
    outside.forces = {"x": 120.0}
    for motion in (outside, inside):
        motion.advance(to=0.3)
    same(outside, inside, 1e-9)
    for name in ("work", "friction", "impacts", "final"):
        assert outside.books()[name] == pytest.approx(inside.books()[name], abs=1e-7), name
    assert outside.books()["work"] != 0


def test_forces_are_generalised_ones_by_coordinate():
    """Torques between links: on absolute angles tau_1 - tau_2 and tau_2."""
    arm = mechan.model("two_link_manipulator")
    inside = arm.stepper("pulled", tau_1=3.0, tau_2=-1.0)
    outside = arm.stepper("pulled")
    outside.forces = [4.0, -1.0]
    assert inside.advance(to=0.1).status == outside.advance(to=0.1).status
    same(inside, outside)


def test_parameters_act_from_when_they_are_set(biped):
    """What follows from a parameter follows, and the law of friction too."""
    late = biped.stepper("standing")
    late.advance(to=0.2)
    late.set(F=0.9 * 70 * 9.81 * 0.6, mu=0.1)
    late.advance(to=0.7)
    # half a second with friction 0.1 from rest: a = (F - mu m g)/m
    assert late.v[0] == pytest.approx(0.5 * (0.54 - 0.1) * 9.81, rel=1e-9) or late.parameters["mu"] == 0.1
    rod = mechan.model("falling_pencil").stepper("falling")
    rod.set(l=0.5)
    assert rod.parameters["I"] == pytest.approx(0.25 / 3)
    rod.set(I=1.0)
    rod.set(l=2.0)
    assert rod.parameters["I"] == 1.0


def test_books_close_though_a_target_jumps():
    spring = mechan.model("linear_oscillator").stepper("stretched")
    spring.advance(to=0.5)
    before = spring.energy
    spring.set(k=4.0)
    jump = spring.energy - before
    spring.forces = {"q": 0.3, "x": -0.1}
    spring.advance(to=6.0)
    books = spring.books()
    assert books["set"] == pytest.approx(jump) and jump > 0
    assert abs(books["defect"]) < 1e-9 and books["impacts"] < 0
    assert books["final"] - books["initial"] == pytest.approx(books["work"] + books["friction"] + books["impacts"])


def test_linear_steps_know_that_parameters_changed():
    """What steps of a linear mechanism have in common is computed anew: as in a motion that begins there with these parameters."""
    model = mechan.model("linear_oscillator")
    one = model.stepper("stretched", scheme="moreau", step=1e-2)
    one.advance(to=0.5)
    one.set(k=9.0, c=0.0)
    other = model.stepper(one.state, scheme="moreau", step=1e-2)
    one.advance(to=1.5)
    other.advance(to=1.5)
    same(one, other, 1e-13)
    assert one.parameters == other.parameters


def test_a_copy_goes_its_own_way(biped):
    for options in ({}, {"scheme": "moreau", "step": 1e-3}):
        one = biped.stepper("nudged", **options)
        one.advance(to=0.1)
        other = copy.copy(one)
        held = numbers(one)
        other.forces = [500.0, 0.0, 0.0]
        other.set(mu=0.05)
        other.advance(to=0.3)
        assert np.array_equal(numbers(one), held) and one.parameters["mu"] == 0.6 and not one.forces.any()
        third = one.copy()
        one.advance(to=0.5)
        third.advance(to=0.5)
        assert np.array_equal(numbers(one), numbers(third))


def test_it_goes_on_from_any_state_that_it_had(biped):
    for options, scale in (({}, 1e-8), ({"scheme": "moreau", "step": 1e-3}, 1e-10)):
        one = biped.stepper("nudged", **options)
        one.advance(to=0.25)
        kept = one.state
        one.advance(to=0.7)
        back = biped.stepper("standing", **options)
        back.state = kept
        back.advance(to=0.7)
        same(one, back, scale)
        fresh = biped.stepper(kept, **options)
        fresh.advance(to=0.7)
        same(one, fresh, scale)


def test_it_stops_at_events_and_steps(ball):
    motion = ball.stepper("dropped")
    times = []
    while len(times) < 4:
        found = motion.advance(to=10.0, max_events=1)
        times += [event.t for event in found.events]
        assert found.status == "budget" and found.t == times[-1]
    # the exact solution of the benchmark
    assert times == pytest.approx([3 - 2.0 ** (1 - n) for n in range(4)], abs=1e-9)
    steps = ball.stepper("dropped", scheme="moreau", step=1e-2)
    found = steps.advance()
    assert (found.status, found.steps, steps.t) == ("end", 1, 1e-2)
    assert steps.advance(max_steps=3).steps == 3 and steps.t == pytest.approx(0.04)
    assert "Advance: end" in repr(found) and repr(steps) == "<Stepper of bouncing_ball by moreau at t = 0.04>"


def test_a_step_is_cut_where_the_time_asks_for_it(ball):
    steps = ball.stepper("dropped", scheme="moreau", step=1e-2)
    steps.advance(to=0.025)
    assert steps.t == 0.025
    steps.advance(to=0.045)
    # the height falls as -t^2 with steps of any length
    assert steps.q[0] == pytest.approx(1 - 0.045**2, abs=1e-12)


def test_a_sampled_control_is_a_stepper_that_is_set(biped):
    def control(motion):
        return {"x": -200 * motion.q[0] - 50 * motion.v[0], "mu": 0.6 if motion.t < 0.2 else 0.4}

    for options in ({}, {"scheme": "moreau", "step": 1e-3}):
        motion = biped.simulate("nudged", control=control, every=0.05, t_end=0.5, **options)
        by_hand = biped.stepper("nudged", **options)
        for k in range(1, 11):
            given = control(by_hand)
            by_hand.set(mu=given.pop("mu"))
            by_hand.forces = given
            by_hand.advance(to=0.05 * k)
        assert motion.status == "end" and motion.t[-1] == pytest.approx(0.5)
        assert motion.rows[-1, 1:7] == pytest.approx(np.concatenate([by_hand.q, by_hand.v]), abs=1e-10)
        assert motion.phases[0].t0 == 0 and motion.phases[-1].t1 == pytest.approx(0.5)
        assert motion.energy["defect"] == pytest.approx(by_hand.books()["defect"], abs=1e-9)


def test_a_constant_control_is_a_constant_force(biped):
    pushed = biped.simulate("standing", control=lambda _: [120.0, 0, 0], every=0.01, t_end=0.3, samples=31)
    file = biped.simulate("standing", F=120.0, t_end=0.3, samples=31)
    assert np.allclose(pushed.rows[:, :7], file.rows[:, :7], atol=1e-9, rtol=0)
    assert np.array_equal(pushed.t, np.linspace(0, 0.3, 31))


@pytest.mark.parametrize("control, said", [
    (lambda motion: 1 / (motion.t - 0.2) if motion.t > 0.19 else None, "ZeroDivisionError"),
    (lambda motion: [np.nan, 0, 0] if motion.t > 0.19 else None, "forces of `x` is NaN, expected a finite number"),
    (lambda motion: [0.0] if motion.t > 0.19 else None, "forces has 1 numbers, expected 3: x, y, theta"),
    (lambda motion: {"z": 1} if motion.t > 0.19 else None, "no coordinate or parameter 'z'"),
    (lambda motion: {"mu": -1} if motion.t > 0.19 else None, "friction"),
    (lambda motion: "push" if motion.t > 0.19 else None, "push"),
])  # fmt: skip
def test_a_control_that_fails_loses_nothing(biped, control, said):
    calls = []

    def watched(motion):
        calls.append(motion.t)
        if len(calls) == 5:
            return control(motion)
        return None

    with pytest.raises(mechan.ControlError) as raised:
        biped.simulate("nudged", control=watched, every=0.05, t_end=1.0)
    assert said in str(raised.value) and "t = 0.2" in str(raised.value)
    until = raised.value.trajectory
    assert until.status == "interrupted" and until.t[-1] <= 0.2 and raised.value.stepper.t == pytest.approx(0.2)
    whole = biped.simulate("nudged", t_end=0.2)
    assert np.allclose(raised.value.stepper.q, whole.rows[-1, 1:4], atol=1e-8)


def test_what_makes_no_sense_is_refused_and_changes_nothing(biped):
    motion = biped.stepper("nudged", scheme="moreau", step=1e-3)
    motion.advance(to=0.1)
    motion.forces = [1.0, 2.0, 3.0]
    held = (numbers(motion), motion.forces, motion.parameters)

    def force(value):
        motion.forces = value

    cases = [
        (lambda: force([1.0, 2.0]), "forces has 2 numbers, expected 3: x, y, theta"),
        (lambda: force([1.0, np.inf, 0]), "forces of `y` is inf, expected a finite number"),
        (lambda: force({"w": 1.0}), "there is no coordinate `w`"),
        (lambda: force("x"), "forces is 'x', expected a list of numbers"),
        (lambda: force(np.zeros((3, 1))), "expected a list of numbers"),
        (lambda: motion.set(mu=np.nan), "of `mu` is NaN, expected a finite number"),
        (lambda: motion.set(m=2.0, mu=-0.5), "friction"),
        (lambda: motion.set(nu=0.5), "there is no parameter `nu`; did you mean `mu`"),
        (lambda: motion.set(mu="much"), "mu is 'much', expected a number"),
        (lambda: motion.put(q=[0.0]), "q has 1 numbers, expected 3"),
        (lambda: motion.put(v=[0.0, np.nan, 0.0]), "v of `y` is NaN"),
        (lambda: motion.advance(to=0.05), "to is 0.05, expected a time from 0.1"),
        (lambda: motion.advance(to=np.nan), "to is NaN, expected a time from 0.1"),
        (lambda: motion.advance(to=1, max_steps=0), "at least 1"),
        (lambda: motion.advance(to=1, future="sideways"), "sideways"),
        (lambda: biped.stepper("nudged", scheme="moreau"), "step"),
        (lambda: biped.stepper("nudged", scheme="moreau", step=0), "`step` is 0"),
        (lambda: biped.stepper("nudged", scheme="radau-3", step=0.1), "not followed from call to call"),
        (lambda: biped.stepper("nudged", scheme="compliant"), "eps"),
        (lambda: biped.stepper("nudged").advance(), "to is missing"),
        (lambda: biped.stepper("nowhere"), "no state `nowhere`"),
        (lambda: biped.stepper("nudged").put(q=[0, 0.5, 0]), "penetrates|below"),
        (lambda: biped.simulate("nudged", t_end=1, control=lambda _: None, every=0), "every is 0"),
        (lambda: biped.simulate("nudged", t_end=1, control=lambda _: None), "every is missing"),
        (lambda: biped.simulate("nudged", t_end=1, every=0.1), "control="),
        (lambda: biped.simulate("nudged", t_end=0, control=lambda _: None, every=0.1), "t_end is 0"),
        (lambda: biped.simulate("nudged", t_end=1, q=[0, 1]), "q has 2 numbers, expected 3"),
        (lambda: biped.simulate("nudged", t_end=1, t_eval=[0.2, 0.1]), "sample time 1 is 0.1"),
        (lambda: biped.simulate("nudged", t_end=1, t_eval=[0.2, 1.1]), "sample time 1 is 1.1"),
        (lambda: biped.trajectories(t_end=1, q=[0, 1, 0]), "nothing differs"),
        (lambda: biped.trajectories(t_end=1, q=[[0, 1, 0]], v=[[0, 0, 0], [0, 0, 0]]), "as many of each"),
    ]  # fmt: skip
    for call, said in cases:
        with pytest.raises(mechan.Error, match=said):
            call()
    assert np.array_equal(numbers(motion), held[0]) and np.array_equal(motion.forces, held[1])
    assert motion.parameters == held[2]
    motion.advance(to=0.2)


def test_motions_begin_at_arrays_and_are_sampled_at_times(ball):
    times = [0.0, 0.1, 0.35, 1.5]
    for options in ({}, {"scheme": "moreau", "step": 1e-3}, {"scheme": "herk-4", "step": 1e-2}, {"scheme": "compliant", "eps": 1e-4}):
        found = ball.simulate("dropped", q=[2.0, 0.0], v=[0.0, 1.0], t_end=1.5, t_eval=times, **options)
        assert found.t.tolist() == times and found["x"] == pytest.approx(times, abs=1e-9)
        # free fall from 2 under the force -2
        assert found["q"][:3] == pytest.approx([2 - t * t for t in times[:3]], abs=2e-5), options
    named = ball.simulate("dropped", t_end=1.0, samples=5)
    given = ball.simulate(q=[1.0, 0.0], t_end=1.0, samples=5)
    assert np.array_equal(named.rows, given.rows) and given.state == "given"


def test_trajectories_of_many_conditions(ball):
    heights = np.array([[1.0, 0.0], [2.0, 0.0], [4.0, 0.0]])
    told = []
    found = ball.trajectories(q=heights, t_end=0.8, samples=9, progress=lambda *done: told.append(done))
    assert found["q"].shape == (3, 9) and told == [(1, 3), (2, 3), (3, 3)]
    assert np.allclose(found["q"], heights[:, :1] - found.t**2)
    one = ball.simulate(q=heights[1], t_end=0.8, samples=9)
    assert np.array_equal(found[1].rows, one.rows)
    more = ball.trajectories("dropped", set=[{"rho": 0.2}, {"rho": 0.9}], t_end=2.0)
    assert more[0]["q"].max() == more[1]["q"].max() == 1 and more[0]["q"][-1] != more[1]["q"][-1]
    assert found.table.rows == 27 and "3 runs" in repr(found)
    pandas = pytest.importorskip("pandas")
    assert isinstance(found.to_pandas().index, pandas.MultiIndex)
    pytest.importorskip("xarray")
    assert found.to_xarray()["q"].dims == ("run", "t")


def test_units_travel_along(biped):
    motion = biped.simulate("nudged", t_end=0.1, samples=3)
    assert motion.units["x"] == "m" and motion.units["theta"] == "rad" and motion.units["t"] == "s"
    pytest.importorskip("xarray")
    data = motion.to_xarray()
    assert data["x"].attrs["units"] == "m" and data["t"].attrs["units"] == "s"
    pytest.importorskip("pandas")
    table = motion.to_pandas()
    assert table.index.name == "t" and table.attrs["units"]["left.N"] == motion.units["left.N"]


def test_a_problem_shows_its_numbers():
    W, q = np.array([[1.6, 1.2], [1.2, 3.4]]), np.array([0.04, 1.0])
    problem = mechan.Problem(W, q, [1.5])
    assert np.array_equal(problem.W, W) and np.array_equal(problem.q, q) and problem.mu.tolist() == [1.5]
    with pytest.raises(mechan.UsageError, match="has no M: it is given by W and q"):
        problem.M  # noqa: B018
    M, H = np.diag([2.0, 4.0, 1.0]), np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 0.25]])
    dynamic = mechan.Problem.from_global(M, [0.0, 39.24, 1.0], H, [0.1, 0.2], [0.4])
    assert np.array_equal(dynamic.M, M) and np.array_equal(dynamic.H, H) and dynamic.w.tolist() == [0.1, 0.2]
    assert np.allclose(dynamic.W, H @ np.linalg.inv(M) @ H.T)
    # the same problem in its other form has the same solution
    other = mechan.Problem(dynamic.W, dynamic.q, dynamic.mu)
    assert np.allclose(mechan.solve(dynamic).r, mechan.solve(other).r)


def test_a_few_contacts_are_updated():
    W, q = np.diag([2.0, 3.0, 4.0, 5.0]), [-1.0, 1.0, -2.0, 0.5]
    session = mechan.Session(mechan.Problem(W, q, [0.3, 0.5]))
    session.solve()
    session.update(mu={1: 0.1}, q={0: [-2.0, 1.0]})
    found = session.solve(warm=True)
    fresh = mechan.Session(mechan.Problem(W, [-2.0, 1.0, -2.0, 0.5], [0.3, 0.1])).solve()
    assert np.allclose(found.r, fresh.r, atol=1e-12)
    assert session.problem.mu.tolist() == [0.3, 0.1]
    for changes, said in (({"mu": {2: 0.1}}, "no contact 2"), ({"q": {0: [1.0]}}, "1 numbers, expected 2"), ({}, "nothing to update")):
        with pytest.raises(mechan.UsageError, match=said):
            session.update(**changes)
    with pytest.raises(mechan.Error):
        session.update(mu={0: -1.0})
    assert session.problem.mu.tolist() == [0.3, 0.1]


def test_the_example_of_an_environment_balances():
    example = runpy.run_path(str(ROOT / "examples" / "balance.py"))
    world = example["Balance"]()
    first, _ = world.reset(seed=3)
    seen, ended = first, False
    for _ in range(100):
        seen, reward, fallen, cut, told = world.step(example["balanced"](seen))
        ended |= fallen or cut
        assert 0 <= reward <= 1
    assert not ended and abs(seen[1]) < 0.05
    again, _ = world.reset(seed=3)
    assert np.array_equal(first, again)
    for _ in range(100):
        *_, fallen, cut, told = world.step(0.0)
        if fallen:
            break
    assert fallen


def test_a_controlled_motion_has_its_report(biped):
    import pickle

    motion = biped.simulate("nudged", scheme="moreau", step=1e-3, control=lambda _: None, every=0.1, t_end=0.3)
    assert "<svg" in motion._repr_html_() and "nudged" in motion.to_text()
    assert pickle.loads(pickle.dumps(motion)) == motion
    # nothing was set: it is the motion that nobody controls
    alone = biped.simulate("nudged", scheme="moreau", step=1e-3, t_end=0.3)
    assert np.array_equal(motion.rows, alone.rows, equal_nan=True)
    assert motion.energy == pytest.approx(alone.energy, abs=1e-12) and motion.events[0] == alone.events[0]
    assert [phase.mode for phase in motion.phases] == [phase.mode for phase in alone.phases]


def test_a_stepper_is_pickled_for_another_process(biped):
    import pickle

    for options, scale in (({}, 1e-8), ({"scheme": "moreau", "step": 1e-3}, 1e-10)):
        one = biped.stepper("nudged", **options)
        one.set(mu=0.5)
        one.forces = [10.0, 0.0, 0.0]
        one.advance(to=0.25)
        other = pickle.loads(pickle.dumps(one))
        assert np.array_equal(numbers(one), numbers(other)) and other.parameters == one.parameters
        assert np.array_equal(one.forces, other.forces)
        one.advance(to=0.5)
        other.advance(to=0.5)
        same(one, other, scale)


def test_progress_is_told(ball):
    told = []

    def tell(done, of):
        told.append((done, of))

    motion = ball.simulate("dropped", t_end=2.0, progress=tell)
    assert told[-1] == (2.0, 2.0) and motion == ball.simulate("dropped", t_end=2.0)
    told.clear()
    ball.ensemble("dropped", t_end=0.5, runs=20, random={"rho": (0.1, 0.9)}, progress=tell)
    assert told[-1] == (20, 20)
    told.clear()
    mechan.model("falling_pencil").map(("theta", 0.1, 1.4, 9), ("mu", 0.1, 3, 8), state="slipping", progress=tell)
    assert told[-1] == (72, 72)
    told.clear()
    ball.simulate("dropped", t_end=1.0, control=lambda _: None, every=0.25, progress=tell)
    assert told == [(0.25 * k, 1.0) for k in range(1, 5)]
    told.clear()
    tree = mechan.model("falling_pencil").futures("indeterminate", t_end=0.2, progress=tell)
    assert told[-1] == (len(tree.nodes), len(tree.nodes)) and len(tree.nodes) > 2
    told.clear()
    mechan.model("frictional_impact_oscillator").cycle("inconsistent", section="dot(theta)", progress=tell)
    assert told[-1][0] == told[-1][1] > 3 and all(done <= of for done, of in told)
    told.clear()
    ball.converge("dropped", t_end=0.5, schemes="moreau", steps=[0.1, 0.05, 0.025], progress=tell)
    assert told[-1] == (3, 3)
    with pytest.raises(ZeroDivisionError):
        ball.ensemble("dropped", t_end=0.5, runs=20, random={"rho": (0.1, 0.9)}, progress=lambda done, of: 1 / 0)


def test_tables_of_a_motion(ball, tmp_path):
    files = dict(bodies=tmp_path / "b.csv", contacts=tmp_path / "c.csv")
    motion = ball.simulate("dropped", t_end=4.0, samples=41, **files)
    bodies, contacts = (path.read_text().splitlines() for path in files.values())
    assert bodies[0] == "step,t,body,x,y,angle,vx,vy,omega" and len(bodies) == 42
    assert contacts[0] == "step,t,body_a,body_b,x,y,nx,ny,N,T1,slip1"
    # it rests after 3 s, under a force of 2
    last = dict(zip(contacts[0].split(","), contacts[-1].split(",")))
    assert last["body_a"] == "ball" and last["body_b"] == "floor" and float(last["N"]) == pytest.approx(2.0)
    assert motion == ball.simulate("dropped", t_end=4.0, samples=41)
    with pytest.raises(mechan.UsageError, match="asked for twice"):
        ball.simulate("dropped", t_end=1.0, bodies=tmp_path / "b.csv", contacts=tmp_path / "b.csv")
    with pytest.raises(mechan.UsageError, match="controlled"):
        ball.simulate("dropped", t_end=1.0, control=lambda _: None, every=0.5, bodies=tmp_path / "b.csv")


def test_an_advance_hears_ctrl_c_and_stays_where_it_came_to(biped):
    import signal
    import threading

    motion = biped.stepper("nudged", scheme="moreau", step=1e-4)
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        motion.advance(to=1e6, max_steps=10**9)
    assert 0 < motion.t < 1e6 and np.isfinite(numbers(motion)).all()
    reached = motion.t
    assert motion.advance(to=reached + 1e-3).reached
