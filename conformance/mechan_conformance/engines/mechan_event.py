"""Mechan's own motion of a mechanism, from event to event and by time steps: `mechan simulate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..case import Case
from ..engine import Answer, Cannot, Never
from ..expression import ExpressionError, evaluate
from ..program import Program, document, named_rows

LONGEST = 10.0
"""Seconds after which an event is not waited for, if neither `ask.at.before` nor `world.duration` says."""


class MechanEvent(Program):
    """Rigid contacts, from event to event."""

    name = "mechan-event"
    title = "mechan, event-driven"
    scheme = "event"
    made_for = (
        "Mechanisms with few contacts, whose motion is followed exactly, or said not to exist or not to be unique."
    )
    advice = "Mechan's guide, chapter on motions."
    settings: Mapping[str, Mapping[str, Any]] = {"default": {}, "best": {"rtol": 1e-12}}
    kinds: Mapping[str, str] = {}
    """What events are called by the scheme, where it has another word."""

    def answer(self, case: Case, settings: Mapping[str, Any]) -> Answer:
        if case.mechanism is None:
            raise Cannot("the case is no mechanism")
        at = case.ask["at"]
        if isinstance(at, Mapping):
            return self._at_event(case, at, settings)
        end = evaluate(at, case.numbers())
        found = self._simulate(case, end, settings, [])
        rows = named_rows(found)
        if rows[-1]["t"] < end * (1 - 1e-9):
            raise ValueError(f"the motion ends at {rows[-1]['t']:g} s: {found['status']}")
        return _answer(case, rows, rows[-1])

    def _at_event(self, case: Case, at: Mapping[str, Any], settings: Mapping[str, Any]) -> Answer:
        end = at.get("before", (case.world or {}).get("duration", LONGEST))
        stop = ["--stop", at["falls"]] if self.scheme != "event" and "falls" in at else []
        found = self._simulate(case, evaluate(end, case.numbers()), settings, stop)
        rows = named_rows(found)
        if stop:
            if found["status"] == "end":
                raise Never(f"`{at['falls']}` does not fall through zero")
            if found["status"] != "stopped":
                raise ValueError(f"the motion ends at {rows[-1]['t']:g} s: {found['status']}")
            return _answer(case, rows, rows[-1])
        wanted = self.kinds.get(at["event"], at["event"])
        events = [
            one
            for one in found["events"]
            if one["kind"] == wanted and at.get("contact", one["contact"]) == one["contact"]
        ]
        events = _one_each(events, 3 * settings.get("step", 0))
        if not events and self.scheme != "event" and at["event"] != "impact":
            raise Cannot(f"the scheme tells no events of the kind `{at['event']}`")
        index = int(at.get("index", 0))
        if index >= len(events):
            raise Never(f"{len(events)} events `{at['event']}`, {index + 1} were asked for")
        event = events[index]
        rates = {f"dot({name})": value for name, value in event["v"].items()}
        return _answer(case, rows, {"t": event["t"], **event["q"], **rates})

    def _simulate(self, case: Case, end: float, settings: Mapping[str, Any], more: list[str]) -> dict[str, Any]:
        order = [
            "simulate",
            str(case.path("mechanism")),
            "--scheme",
            self.scheme,
            "--t-end",
            repr(end),
            "--samples",
            "200",
        ]
        order += ["--state", case.state] if case.state else []
        for name, text in (case.set or {}).items():
            order += ["--set", f"{name}={text}"]
        return document([*order, *more], settings)


class MechanCompliant(MechanEvent):
    """Contacts as stiff springs, 1/eps^2."""

    name, scheme = "mechan-compliant", "compliant"
    title = "mechan, compliant contacts"
    settings = {"default": {"eps": 0.01}, "best": {"eps": 0.001}}
    kinds = {"impact": "touch"}

    def answer(self, case: Case, settings: Mapping[str, Any]) -> Answer:
        world = case.neutral_world()
        if world is not None and "restitution" in world.features:
            raise Cannot(
                "the rebound of a compliant contact follows from its stiffness and damping, not from a coefficient"
            )
        return super().answer(case, settings)


class MechanMoreau(MechanEvent):
    """Moreau's time steps."""

    name, scheme = "mechan-moreau", "moreau"
    title = "mechan, Moreau's time steps"
    settings = {"default": {"step": 0.001}, "best": {"step": 0.00001}}


class MechanSchatzmanPaoli(MechanEvent):
    """Schatzman and Paoli's time steps."""

    name, scheme = "mechan-schatzman-paoli", "schatzman-paoli"
    title = "mechan, Schatzman and Paoli's time steps"
    settings = {"default": {"step": 0.001}, "best": {"step": 0.0001}}


def _one_each(events: list[dict[str, Any]], apart: float) -> list[dict[str, Any]]:
    """Events less those that go on with the one before: some schemes spread an impact over two steps."""
    last: dict[str, float] = {}
    kept = []
    for one in events:
        if one["t"] - last.get(one["contact"], -1e9) > apart or apart == 0:
            kept.append(one)
        last[one["contact"]] = one["t"]
    return kept


def _answer(case: Case, rows: list[dict[str, float]], at: Mapping[str, float]) -> Answer:
    """The value of the question, and what it is in every row if it is more than a time."""
    names, value = case.numbers(), str(case.ask["value"])
    times: list[float] = []
    values: list[float] = []
    try:
        for row in rows if value != "t" else []:
            one = evaluate(value, {**names, **row})
            if one is not None:  # time steps have no forces at the start
                values.append(one)
                times.append(row["t"])
    except (ExpressionError, TypeError, ArithmeticError):
        times, values = [], []
    take = case.ask.get("take", "at")
    found = evaluate(value, {**names, **at}) if take == "at" else {"max": max, "min": min}[take](values)
    return Answer(float(found), times, values)
