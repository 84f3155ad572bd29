"""Results as a part of a page: tables of numbers, and of each engine what its adapter says of it; and the totals alone, for the book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..engine import Engine, load_engine
from ..runner import STATUSES
from .document import Document, runs, short

BEGIN, END = (
    "<!-- measured: written by `mechan-conformance report`, not by hand -->",
    "<!-- end of what is measured -->",
)
LETTERS = {"error": "e", "timeout": "t"}
MOST = 12
"""Cases that are named one by one."""


def as_markdown(document: Document) -> str:
    """The measured part of the page."""
    ran = [name for name, about in document["engines"].items() if about["version"]]
    parts = [BEGIN, "", *_where(document), "", "## Totals", "", *_totals(document, ran)]
    for kind in dict.fromkeys(kind for name in ran for kind in document["totals"][name]):
        parts += ["", f"## By group, settings `{kind}`", "", *_groups(document, ran, kind)]
    parts += ["", "## Engine by engine"]
    for name in ran:
        parts += ["", *_engine(document, name)]
    return "\n".join([*parts, "", END, ""])


def as_totals(document: Document) -> str:
    """Pass, fail and cannot of each engine, for the book."""
    ran = [name for name, about in document["engines"].items() if about["version"]]
    kinds = list(dict.fromkeys(kind for name in ran for kind in document["totals"][name]))
    rows = [f"| engine | {' | '.join(kinds)} |", "|---|" + "---|" * len(kinds)]
    for name in ran:
        totals = document["totals"][name]
        cells = [_counts(totals[kind]) if kind in totals else "" for kind in kinds]
        rows.append(f"| {name} {document['engines'][name]['version']} | {' | '.join(cells)} |")
    return "\n".join([BEGIN, "", *_where(document), "", *rows, "", END, ""])


def put_into(path: Path, text: str) -> None:
    """Writes the measured part into a page, in place of the one that is there; the words around it stay."""
    old = path.read_text(encoding="utf-8") if path.is_file() else ""
    if BEGIN in old and END in old:
        text = old[: old.index(BEGIN)] + text.rstrip("\n") + old[old.index(END) + len(END) :]
    path.write_text(text, encoding="utf-8")


def _where(document: Document) -> Iterator[str]:
    dates, machines = document.get("dates") or [], document.get("machines") or []
    when = " to ".join(dict.fromkeys([dates[0], dates[-1]])) if dates else "at no known date"
    yield f"{len(document['cases'])} cases, {when}, on {'; '.join(machines) or 'an unknown machine'}."


def _totals(document: Document, ran: list[str]) -> Iterator[str]:
    yield f"| engine | version | settings | {' | '.join(STATUSES)} | of | seconds | of the processor |"
    yield "|---|---|---|" + "---:|" * (len(STATUSES) + 3)
    for name in ran:
        for kind, totals in document["totals"][name].items():
            rows = [row for case in document["cases"] for e, k, row in runs(case) if (e, k) == (name, kind)]
            seconds, processor = (sum(row.get(key) or 0 for row in rows) for key in ("seconds", "processor"))
            counts = " | ".join(str(totals[status]) for status in STATUSES)
            version = document["engines"][name]["version"]
            yield f"| {name} | {version} | {kind} | {counts} | {sum(totals.values())} | {seconds:.3g} | {processor:.3g} |"


def _groups(document: Document, ran: list[str], kind: str) -> Iterator[str]:
    groups = list(dict.fromkeys(case["group"] for case in document["cases"]))
    yield f"| engine | {' | '.join(groups)} |"
    yield "|---|" + "---|" * len(groups)
    for name in ran:
        cells = [_cell(document, name, kind, group) for group in groups]
        if any(cells):
            yield f"| {name} | {' | '.join(cells)} |"


def _cell(document: Document, name: str, kind: str, group: str) -> str:
    rows = [case["results"].get(name, {}).get(kind) for case in document["cases"] if case["group"] == group]
    count = Counter(row["status"] for row in rows if row)
    return _counts(count) if count else ""


def _counts(count: Mapping[str, int]) -> str:
    """Pass, fail and cannot, then errors and timeouts if there are any."""
    more = [f"{count[status]}{letter}" for status, letter in LETTERS.items() if count[status]]
    return " ".join(["/".join(str(count[status]) for status in STATUSES[:3]), *more])


def _engine(document: Document, name: str) -> Iterator[str]:
    about = document["engines"][name]
    engine = _loaded(name)
    yield f"### {engine.title if engine else name} {about['version']}"
    if engine:
        yield ""
        yield f"*Made for.* {engine.made_for}  "
        yield f"*Pairs.* {engine.combines}  "
        yield f"*Recommended for accuracy.* {engine.advice}" + ("  " if engine.limits else "")
        if engine.limits:
            yield f"*Its own limits.* {engine.limits}"
    yield ""
    for kind, settings in about["settings"].items():
        words = ", ".join(f"{key} {short(value)}" for key, value in settings.items()) or "none"
        yield f"- `{kind}`: {words}."
        yield from _wrong(document, name, kind)
    yield from _cannot(document, name)


def _loaded(name: str) -> type[Engine] | None:
    try:
        return load_engine(name)[1]
    except LookupError:
        return None


def _wrong(document: Document, name: str, kind: str) -> Iterator[str]:
    """Cases that did not pass, the nearest first: how many tolerances off."""
    found = []
    for case in document["cases"]:
        row = case["results"].get(name, {}).get(kind)
        if row and row["status"] in ("fail", "error", "timeout"):
            found.append(_miss(case, row))
    found.sort()
    names = ", ".join(f"`{case}` {text}" for _, case, text in found[:MOST])
    more = f", and {len(found) - MOST} more" if len(found) > MOST else ""
    if found:
        yield f"  Not passed (error in tolerances): {names}{more}."


def _miss(case: Mapping[str, Any], row: Mapping[str, Any]) -> tuple[float, str, str]:
    if row["status"] == "fail" and row["error"] is not None:
        times = row["error"] / (case["tolerance"] + case["bound"])
        return times, case["case"], f"{times:.2g}"
    return 1e300, case["case"], {"fail": "never"}.get(row["status"], row["status"])


def _cannot(document: Document, name: str) -> Iterator[str]:
    """Reasons for what the engine cannot say, or the adapter does not, each with the number of cases."""
    reasons: Counter[str] = Counter()
    for case in document["cases"]:
        kinds = case["results"].get(name, {}).values()
        reasons.update({row["reason"].split("; wrote ")[0] for row in kinds if row["status"] == "cannot"})
    if reasons:
        yield "- Cannot: " + "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(8)) + "."
