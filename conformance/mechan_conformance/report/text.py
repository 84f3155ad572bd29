"""Results as text, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..runner import STATUSES
from .document import Document, runs

MARKS = {"pass": "pass", "fail": "FAIL", "cannot": "cannot", "error": "ERROR", "timeout": "TIMEOUT"}


def as_text(document: Document) -> str:
    """A table of all runs and the totals, for a terminal."""
    lines = []
    group = None
    for case in document["cases"]:
        if case["group"] != group:
            group = case["group"]
            lines += ["", group.upper()]
        bound = f" +- {case['bound']:.1g}" if case["bound"] else ""
        lines.append(f"{case['case']}: {case['exact']:.9g}{bound} {case['unit']}, within {case['tolerance']:.1g}")
        lines += [_text_row(engine, kind, row) for engine, kind, row in runs(case)]
    return "\n".join([*lines[1:], "", *_text_totals(document), ""])


def _text_row(engine: str, kind: str, row: Mapping[str, Any]) -> str:
    value = "-" if row["value"] is None else f"{row['value']:.9g}"
    error = "" if row["error"] is None else f"off by {row['error']:.1e}"
    seconds = "" if row["seconds"] is None else f"{row['seconds']:.3g} s"
    step = f"passes at {row['step']:g}" if row["status"] == "fail" and row["step"] else ""
    parts = [f"  {engine + ' ' + kind:36}", f"{MARKS[row['status']]:8}", f"{value:>16}", f"{error:15}", f"{seconds:>9}"]
    return "  ".join([*parts, step, row["reason"]]).rstrip()


def _text_totals(document: Document) -> list[str]:
    lines = [f"{'':38}" + "".join(f"{status:>9}" for status in STATUSES) + f"{'of':>9}  version"]
    for engine, kinds in document["totals"].items():
        version = document["engines"][engine]["version"] or "not installed"
        for kind, totals in kinds.items():
            counts = "".join(f"{totals[status]:>9}" for status in STATUSES)
            lines.append(f"{engine + ' ' + kind:38}{counts}{sum(totals.values()):>9}  {version}")
    return lines
