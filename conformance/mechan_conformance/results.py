"""The document `mechan.conformance/1`: all cases with the rows of all engines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .case import Case
from .process import Row
from .runner import STATUSES, Job

SCHEMA = "mechan.conformance/1"


def results(rows: Iterable[tuple[Job, Row]]) -> dict[str, Any]:
    """The document `mechan.conformance/1`; rows keep `trace`, the points of a picture, which JSON leaves out."""
    document: dict[str, Any] = {"schema": SCHEMA, "engines": {}, "cases": [], "totals": {}}
    places: dict[str, set[str]] = {"machines": set(), "dates": set()}
    by_case: dict[str, dict[str, Any]] = {}
    for job, row in rows:
        engine = document["engines"].setdefault(job.engine, {"version": None, "settings": {}})
        engine["version"] = engine["version"] or row.get("version")
        engine["settings"][job.kind] = job.settings
        if job.case.name not in by_case:
            by_case[job.case.name] = describe(job.case)
            document["cases"].append(by_case[job.case.name])
        places["machines"].update(filter(None, [row.get("machine")]))
        places["dates"].update(filter(None, [row.get("date")]))
        keep = {key: value for key, value in row.items() if key not in ("version", "machine", "date")}
        by_case[job.case.name]["results"].setdefault(job.engine, {})[job.kind] = keep
        totals = document["totals"].setdefault(job.engine, {}).setdefault(job.kind, dict.fromkeys(STATUSES, 0))
        totals[row["status"]] += 1
    return document | {key: sorted(found) for key, found in places.items()}


def describe(case: Case) -> dict[str, Any]:
    """What the document says of a case, without results."""
    return {
        "case": case.name,
        "title": case.title,
        "group": case.group,
        "exact": case.exact_value,
        "bound": case.error_bound,
        "tolerance": case.allowed - case.error_bound,
        "unit": case.unit or "1",
        "known": case.known,
        "results": {},
    }
