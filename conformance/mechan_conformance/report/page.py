"""Results as a page with pictures, which stands alone."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from ..case import Case
from ..runner import STATUSES
from .document import Document, runs, short
from .picture import picture
from .work import work_picture


def as_html(document: Document, cases: Mapping[str, Case]) -> str:
    """A page that stands alone: totals, a table, and for each case the runs with their pictures."""
    columns = [(engine, kind) for engine, kinds in document["totals"].items() for kind in kinds]
    parts = [
        f"<style>{STYLE}</style>",
        "<h1>Coulomb friction in simulators</h1>",
        f"<p>{len(document['cases'])} cases with exact answers. {INTRODUCTION}</p>",
        "<h2>Totals</h2>",
        _totals_table(document),
        "<h2>Cases</h2>",
        _overview(document, columns),
        *(_case_section(case, cases.get(case["case"])) for case in document["cases"]),
    ]
    head = '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Coulomb friction in simulators</title>\n'
    return head + "\n".join(parts) + "\n</html>\n"


INTRODUCTION = (
    "A run passes if its number is within the tolerance of the exact one. An engine that cannot say what a case asks is counted as "
    "such: many were made for other ends than these cases. <i>default</i>: as it comes; <i>best</i>: as its documentation recommends "
    "for accuracy. The step is the one at which the case passes. Pictures are of what did not pass."
)


def _totals_table(document: Document) -> str:
    head = "".join(f"<th>{status}</th>" for status in STATUSES)
    rows = []
    for engine, kinds in document["totals"].items():
        about = document["engines"][engine]
        for kind, totals in kinds.items():
            counts = "".join(f'<td class="number">{totals[status]}</td>' for status in STATUSES)
            settings = escape(
                ", ".join(f"{key} {short(value)}" for key, value in about["settings"][kind].items()) or "-"
            )
            version = escape(str(about["version"] or "not installed"))
            rows.append(
                f"<tr><th>{escape(engine)}</th><td>{version}</td><td>{kind}</td>{counts}<td>{settings}</td></tr>"
            )
    return f"<table><tr><th>engine</th><th>version</th><th>settings</th>{head}<th></th></tr>{''.join(rows)}</table>"


def _overview(document: Document, columns: list[tuple[str, str]]) -> str:
    head = "".join(f"<th>{escape(engine)}<br>{kind}</th>" for engine, kind in columns)
    rows = []
    for case in document["cases"]:
        cells = "".join(_cell(case["results"].get(engine, {}).get(kind)) for engine, kind in columns)
        link = f'<a href="#{escape(case["case"])}">{escape(case["case"])}</a>'
        rows.append(f'<tr><th class="case">{link}</th><td>{escape(case["group"])}</td>{cells}</tr>')
    return f"<table><tr><th>case</th><th>group</th>{head}</tr>{''.join(rows)}</table>"


def _cell(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return "<td></td>"
    return f'<td class="{row["status"]}" title="{escape(row["reason"], quote=True)}">{row["status"]}</td>'


def _case_section(case: Mapping[str, Any], source: Case | None) -> str:
    rows = "".join(_html_row(engine, kind, row) for engine, kind, row in runs(case))
    why = f"<p>{escape(source.why)}</p>" if source else ""
    wrong = [run for run in runs(case) if run[2]["status"] != "pass"]
    pictures = "".join(picture(case, source, engine, kind, row) for engine, kind, row in wrong)
    exact = f"{case['exact']:.12g} {escape(case['unit'])}, error at most {case['bound']:.1g}, tolerance {case['tolerance']:.2g}"
    return (
        f'<section id="{escape(case["case"])}"><h3>{escape(case["title"])}</h3>{why}'
        f"<p>Exact: {exact} ({escape(case['known'])})</p><table><tr><th>engine</th><th>settings</th><th></th>"
        f"<th>value</th><th>error</th><th>seconds</th><th>step</th><th></th></tr>{rows}</table>{work_picture(case)}<div>{pictures}</div></section>"
    )


def _html_row(engine: str, kind: str, row: Mapping[str, Any]) -> str:
    cells = [(row["value"], ".9g"), (row["error"], ".2g"), (row["seconds"], ".3g"), (row["step"], "g")]
    numbers = "".join(f'<td class="number">{"" if v is None else format(v, form)}</td>' for v, form in cells)
    return (
        f'<tr><th>{escape(engine)}</th><td>{kind}</td><td class="{row["status"]}">{row["status"]}</td>'
        f"{numbers}<td>{escape(row['reason'])}</td></tr>"
    )


STYLE = """
body { font: 15px/1.4 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0 } th, td { padding: .2em .6em; border-bottom: 1px solid #ddd; text-align: left }
.number { text-align: right; font-variant-numeric: tabular-nums } .pass { color: #1c6b2d } .cannot { color: #666 }
.fail, .error, .timeout { color: #a11d1d; font-weight: bold } figure { display: inline-block; margin: .5em 1em .5em 0 }
figcaption { font-size: 13px } section { border-top: 2px solid #ddd; margin-top: 2em }
"""
