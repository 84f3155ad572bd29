"""Numbers on the page are those of the command line, motions too, wherever the hand draws."""

import json
import os
import random
from datetime import date

import pytest
from conftest import library, mechan

#: Sines and arc tangents of WebAssembly differ from the system's in the last bit, where a state has one of a number that is not round.
NEAR = 1e-12


def leaves(value, path=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for key, inner in enumerate(value):
            yield from leaves(inner, f"{path}.{key}" if path else str(key))
    elif value is not None:
        yield path, value


def is_same(text, value, within=0.0):
    if isinstance(value, bool):
        return text == str(value).lower()
    if isinstance(value, (int, float)):
        return abs(float(text) - value) <= within * max(1.0, abs(value))
    return text == value


#: How much work it was is no number of the state.
WORK = ("modes_examined", "modes_pruned")


def differences(shown, state, within=0.0):
    said = dict(leaves(state))
    shown = {key: text for key, text in shown.items() if key not in WORK}
    found = [(key, text, said.get(key)) for key, text in shown.items() if key not in said or not is_same(text, said[key], within)]
    return found


# in a quick run a fourth of them, others each day
SHIPPED = library()[date.today().toordinal() % 4 :: 4] if "MECHAN_EXPLORER_QUICK" in os.environ else library()


@pytest.mark.parametrize("mechanism", SHIPPED, ids=lambda one: one["name"])
def test_every_shipped_state_is_that_of_the_command_line(opens, gallery, mechanism):
    name = mechanism["name"]
    analysis = json.loads(mechan("analyze", name, "--format", "json", "--quiet", check=False))
    page = opens(gallery)
    page.do("name => window.mechan.open(name)", name)
    for state in analysis["states"]:
        if "error" in state:
            with pytest.raises(Exception):
                page.do("name => window.mechan.choose(name)", state["state"])
            continue
        page.do("name => window.mechan.choose(name)", state["state"])
        shown = page.numbers()
        assert len(shown) > 10 and shown["verdict"] == state["verdict"]
        assert not differences(shown, state, NEAR), (state["state"], differences(shown, state, NEAR)[:5])
        # once nothing moves, all is said
        page.until("() => document.documentElement.dataset.whole === 'true'")
        found = differences(page.numbers(), state, NEAR)
        assert not found, (state["state"], found[:5])


def test_states_by_name_are_set_and_given(opens, pencil):
    page = opens(pencil)
    page.do("() => window.mechan.set({theta: 0.3, 'dot(theta)': -1.25, mu: 0.7})")
    state = page.do("() => window.mechan.state()")
    assert (state["theta"], state["dot(theta)"], state["mu"]) == (0.3, -1.25, 0.7)
    asked = ["--set", "theta=0.3", "--set", "dot(theta)=-1.25", "--set", "mu=0.7"]
    analysis = json.loads(mechan("analyze", "falling_pencil", "--state", "inconsistent", *asked, "--format", "json", "--quiet"))
    assert not differences(page.numbers(), analysis["states"][0], NEAR)


#: Draws the body that is found first from a place on, by parts of a step of sixty.
DRAWN = """([x, y, a, b, lift]) => {
    const {window: w} = window.mechan.ask({ask: 'state', at: window.mechan.situation()});
    const [width, height] = w.size;
    for (let k = 0; k < 400; k++) {
        const place = [width * ((x + 0.381966 * k) % 1), height * ((y + 0.618034 * k) % 1)];
        const grip = window.mechan.ask({ask: 'grip', at: window.mechan.situation(), window: w, place});
        if (grip) return window.mechan.ask({ask: 'drag', at: window.mechan.situation(), window: w, grip, place: [place[0] + 60 * a, place[1] + 60 * b], lift}).at;
    }
    return null;
}"""


def where(page, at, name, room):
    """The same for the command line: set, or, where contacts opened that the state lists, as a state of its own with the equations of the shipped file."""
    if not at["free"]:
        return [name, "--state", at["state"], *(word for key, value in at["set"] for word in ["--set", f"{key}={value!r}"])]
    with_state = page.do("at => window.mechan.ask({ask: 'yaml', at})", at)
    model = json.loads(mechan("derive", name, "--format", "model", "--quiet"))
    # of another text, but of the same equations
    del model["derived_from"]
    model["mechanism"] = with_state["text"]
    path = room / f"{name}.json"
    path.write_text(json.dumps(model))
    return [str(path), "--state", with_state["state"]]


def drawn(page, dice, lift):
    """A state of the file from which a body was drawn, and what the page's engine says there; none where a body stands that is in no state."""
    names = page.do("() => [...document.querySelectorAll('#state option')].map(o => o.value)")
    page.do("name => window.mechan.choose(name)", dice.choice(names))
    at = page.do(DRAWN, [dice.random(), dice.random(), dice.uniform(-1, 1), dice.uniform(-1, 1), lift])
    assert at and (not lift or at["free"])
    try:
        return at, page.do("at => window.mechan.ask({ask: 'state', at, depth: 'full'}).state", at)
    except Exception:
        return at, None


@pytest.mark.parametrize("lift", [False, True], ids=["kept", "lifted"])
@pytest.mark.parametrize("name", ["falling_pencil", "painleve_rod", "box_on_incline", "slope_body", "ladder", "rod_3d"])
def test_random_drags_are_those_of_the_native_library(opens, gallery, room, name, lift):
    page = opens(gallery)
    page.do("name => window.mechan.open(name)", name)
    dice = random.Random(7 + lift)
    moved = opened = 0
    for _ in range(12):
        at, here = drawn(page, dice, lift)
        if here is None:
            continue
        native = json.loads(mechan("analyze", *where(page, at, name, room), "--format", "json", "--quiet"))["states"][0]
        assert here["verdict"] == native["verdict"] and here["closed"] == native["closed"]
        assert [m["mode"] for m in here["modes"]] == [m["mode"] for m in native["modes"]]
        for part in ["q", "v", "contacts", "delassus", "model"]:
            shown = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in leaves(here[part])}
            assert not differences(shown, native[part], NEAR), part
        moved += 1
        opened += not here["closed"]
    assert moved >= 6 and (opened > 0) == lift


def test_motions_of_what_was_lifted_are_those_of_the_native_library(opens, gallery, room):
    page = opens(gallery)
    dice = random.Random(3)
    struck = 0
    for name in ["falling_pencil", "box_on_incline", "slope_body", "rod_3d"]:
        page.do("name => window.mechan.open(name)", name)
        for _ in range(4):
            at, here = drawn(page, dice, lift=True)
            if here is None:
                continue
            motion = page.do("at => window.mechan.ask({ask: 'motion', at, t_end: 0.3, samples: 50, depth: 0}).futures.nodes[0].trajectory", at)
            native = json.loads(mechan("simulate", *where(page, at, name, room), "--t-end", "0.3", "--samples", "50", "--format", "json", "--quiet"))
            assert is_alike(motion, native), (name, at)
            struck += any(event["kind"] == "impact" for event in motion["events"])
    assert struck > 0


def is_alike(here, native):
    """Whether two motions have the same events, and the same numbers but for what last bits grow to."""
    events = [[(e["kind"], e["contact"]) for e in one["events"]] for one in (here, native)]
    if (here["status"], here["columns"]) != (native["status"], native["columns"]) or events[0] != events[1]:
        return False
    pairs = [pair for rows in zip(here["rows"], native["rows"], strict=True) for pair in zip(*rows, strict=True)]
    return all(a == b or abs(a - b) <= 1e-9 * max(1.0, abs(b)) for a, b in pairs if a is not None)


def test_motions_are_those_of_the_native_library(opens, gallery):
    page = opens(gallery)
    for name, state, end in [("bouncing_ball", None, 2.0), ("falling_pencil", "falling", 0.5), ("painleve_rod", "before_jam", 1.0), ("woodpecker", "start", 0.3)]:
        page.do("name => window.mechan.open(name)", name)
        if state:
            page.do("name => window.mechan.choose(name)", state)
        here = page.do("t => window.mechan.ask({ask: 'motion', at: window.mechan.situation(), t_end: t, samples: 50, depth: 0}).futures.nodes[0].trajectory", end)
        named = ["--state", state] if state else []
        native = json.loads(mechan("simulate", name, *named, "--t-end", str(end), "--samples", "50", "--format", "json", "--quiet"))
        assert is_alike(here, native), name
