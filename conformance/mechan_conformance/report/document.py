"""The document of results: its runs, and its JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

Document = Mapping[str, Any]


def runs(case: Mapping[str, Any]) -> Iterable[tuple[str, str, Mapping[str, Any]]]:
    """Engine, settings and row of each run of a case."""
    for engine, kinds in case["results"].items():
        for kind, row in kinds.items():
            yield engine, kind, row


def as_json(document: Document) -> str:
    """The document `mechan.conformance/1`, without the points of pictures."""
    return json.dumps(without_pictures(document), indent=2) + "\n"


def without_pictures(document: Any) -> Any:
    """A copy without any `trace`."""
    if isinstance(document, Mapping):
        return {key: without_pictures(value) for key, value in document.items() if key != "trace"}
    return [without_pictures(one) for one in document] if isinstance(document, list) else document


def short(value: Any) -> str:
    """A setting, in four digits."""
    if isinstance(value, list | tuple):
        return "(" + " ".join(map(short, value)) + ")"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
