"""Work against precision of a case: the error of every run over its wall time, both logarithmic."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from .document import runs

WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM, TOP = 680, 300, 56, 190, 34, 10
COLOURS = [
    "#1f4e9a",
    "#c2571a",
    "#2a7a3b",
    "#8a1f6b",
    "#6b5b00",
    "#00808a",
    "#a11d1d",
    "#5a4fcf",
    "#4f7a00",
    "#b03a78",
] + ["#00507a", "#7a4a2a", "#3a3a3a", "#009060", "#9a7aa0", "#707070"]
FEWEST = 1e-6
"""Of the tolerance: errors below are drawn there."""


class Point(NamedTuple):
    """A run: its seconds and its error, and what is said when it is pointed at."""

    seconds: float
    error: float
    text: str


def work_picture(case: Mapping[str, Any]) -> str:
    """A figure, or nothing if no run has an error."""
    lines = {(engine, kind): points for engine, kind, points in _lines(case) if points}
    if not lines:
        return ""
    floor = FEWEST * case["tolerance"]
    everything = [point for points in lines.values() for point in points]
    x = _Axis([p.seconds for p in everything], LEFT, WIDTH - RIGHT)
    y = _Axis([max(p.error, floor) for p in everything] + [case["tolerance"]], HEIGHT - BOTTOM, TOP)
    engines = list(dict.fromkeys(engine for engine, _ in lines))
    colours = {engine: COLOURS[i % len(COLOURS)] for i, engine in enumerate(engines)}
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#f7f7f7"/>', *_grid(x, y, case["tolerance"])]
    for (engine, kind), points in lines.items():
        parts += _drawn(points, colours[engine], kind, x, y, floor)
    parts += _legend(colours)
    label = f"error over seconds: {escape(case['case'])}"
    return (
        f'<figure><svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg><figcaption>Error over seconds of simulation (ring: default, dot: best; lines join the steps of "
        "one engine; dashed: the tolerance)</figcaption></figure>"
    )


def _lines(case: Mapping[str, Any]) -> Iterator[tuple[str, str, list[Point]]]:
    for engine, kind, row in runs(case):
        found = row.get("work") or [{**row, "step": row["step"]}]
        points = [_point(engine, kind, one) for one in found if one["error"] is not None and one["seconds"]]
        yield engine, kind, sorted(point for point in points if math.isfinite(point.error))


def _point(engine: str, kind: str, one: Mapping[str, Any]) -> Point:
    step = f", step {one['step']:g} s" if one.get("step") else ""
    return Point(one["seconds"], one["error"], f"{engine} {kind}{step}: {one['error']:.2g} in {one['seconds']:.2g} s")


class _Axis:
    """A logarithmic axis over whole decades, from values to pixels."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        return self.start + (self.end - self.start) * (math.log10(value) - self.low) / (self.high - self.low)

    def ticks(self) -> list[int]:
        stride = max(1, (self.high - self.low) // 8 + 1)
        return list(range(self.low, self.high + 1, stride))


def _grid(x: _Axis, y: _Axis, tolerance: float) -> Iterator[str]:
    style = 'font-size="10" font-family="sans-serif" fill="#555"'
    for power in x.ticks():
        at = x(10.0**power)
        yield f'<path d="M{at:.1f},{TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
        yield f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 13}" text-anchor="middle" {style}>1e{power} s</text>'
    for power in y.ticks():
        at = y(10.0**power)
        yield f'<path d="M{LEFT},{at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 5}" y="{at + 3:.1f}" text-anchor="end" {style}>1e{power}</text>'
    yield f'<path d="M{LEFT},{y(tolerance):.1f}H{WIDTH - RIGHT}" stroke="#444" stroke-dasharray="5 4"/>'


def _drawn(points: list[Point], colour: str, kind: str, x: _Axis, y: _Axis, floor: float) -> Iterator[str]:
    places = [(x(p.seconds), y(max(p.error, floor))) for p in points]
    if len(places) > 1:
        path = "M" + "L".join(f"{a:.1f},{b:.1f}" for a, b in places)
        yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-opacity=".6"/>'
    fill = colour if kind == "best" else "#fff"
    for (a, b), point in zip(places, points, strict=True):
        circle = f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{fill}" stroke="{colour}" stroke-width="1.5">'
        yield f"{circle}<title>{escape(point.text)}</title></circle>"


def _legend(colours: Mapping[str, str]) -> Iterator[str]:
    for i, (engine, colour) in enumerate(colours.items()):
        at = TOP + 12 + 16 * i
        yield f'<circle cx="{WIDTH - RIGHT + 16}" cy="{at - 4}" r="4" fill="{colour}"/>'
        yield f'<text x="{WIDTH - RIGHT + 26}" y="{at}" font-size="11" font-family="sans-serif">{escape(engine)}</text>'
