"""A small picture of what an engine gave beside what is exact."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from ..case import Case
from ..expression import ExpressionError, evaluate

WIDTH, HEIGHT, MARGIN = 320, 170, 8
Points = list[tuple[float, float]]


def picture(case: Mapping[str, Any], source: Case | None, engine: str, kind: str, row: Mapping[str, Any]) -> str:
    """A figure, or nothing where there is no trajectory."""
    found = [(t, v) for t, v in row.get("trace") or []]
    if len(found) < 2:
        return ""
    exact = _exact(case, source, found)
    least = 0.0 if _is_time(source) else 2 * case["tolerance"]
    scale = _Scale(found + exact, least)
    lines = f'<path d="{scale.path(exact)}" fill="none" stroke="#888" stroke-width="4" stroke-opacity=".5"/>'
    lines += f'<path d="{scale.path(found)}" fill="none" stroke="#1f4e9a" stroke-width="1.5"/>'
    labels = scale.labels()
    caption = f"{escape(engine)} {kind}: {row['status']} (grey: exact)"
    return (
        f'<figure><svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{caption}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#f7f7f7"/>{lines}{labels}</svg><figcaption>{caption}</figcaption></figure>'
    )


def _exact(case: Mapping[str, Any], source: Case | None, found: Points) -> Points:
    """The exact curve if the case has one; else a line at the answer, upright where the answer is a time."""
    times = [t for t, _ in found]
    if source is not None and source.curve is not None:
        try:
            names = source.numbers()
            return [(t, float(evaluate(source.curve, {**names, "t": t}))) for t in times]
        except (ExpressionError, ArithmeticError, ValueError):
            return []
    if _is_time(source):
        values = [v for _, v in found]
        return [(case["exact"], min(values)), (case["exact"], max(values))]
    return [(times[0], case["exact"]), (times[-1], case["exact"])]


def _is_time(source: Case | None) -> bool:
    return source is not None and ((source.world or {}).get("read") or {}).get("what") == "time"


class _Scale:
    """From times and values to pixels; the range of values is not less than `least`, so that trifles look like trifles."""

    def __init__(self, points: Points, least: float) -> None:
        self.t = min(t for t, _ in points), max(t for t, _ in points)
        low, high = min(v for _, v in points), max(v for _, v in points)
        more = max(0.0, (least or 1.0) - (high - low)) / 2 if high - low < (least or 1e-300) else 0.0
        self.v = (low - more, high + more)

    def path(self, points: Points) -> str:
        return "M" + "L".join(f"{self.x(t):.1f},{self.y(v):.1f}" for t, v in points) if points else ""

    def x(self, t: float) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * (t - self.t[0]) / ((self.t[1] - self.t[0]) or 1)

    def y(self, v: float) -> float:
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (v - self.v[0]) / (self.v[1] - self.v[0])

    def labels(self) -> str:
        style = 'font-size="10" font-family="sans-serif" fill="#555"'
        return (
            f'<text x="4" y="11" {style}>{self.v[1]:.4g}</text><text x="4" y="{HEIGHT - 3}" {style}>{self.v[0]:.4g}</text>'
            f'<text x="{WIDTH - 4}" y="{HEIGHT - 3}" text-anchor="end" {style}>{self.t[1]:.3g} s</text>'
        )
