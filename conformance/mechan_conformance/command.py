"""`mechan-conformance list|run|report|models`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from . import report
from .case import Case, CaseError, load_cases
from .engine import find_engines, load_engine
from .models import out_of_date, write_models
from .process import Row
from .results import results
from .runner import Job, make_jobs, row_file, run_jobs

KINDS = {"default": ["default"], "best": ["best"], "both": ["default", "best"]}


def main(arguments: list[str] | None = None) -> int:
    """Exit status: 0 it ran, whatever passed; 1 the input is at fault; 2 wrong usage; 130 interrupted."""
    asked = _parser().parse_args(arguments)
    try:
        return asked.command(asked)
    except (CaseError, LookupError, OSError, ValueError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; what is done is kept in the folder of --resume", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("mechan-conformance", description="Exact answers about friction, for simulators.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, function, text in (
        ("list", _list, "the cases and their answers, or the engines"),
        ("run", _run, "engines on cases"),
        ("report", _report, "a report of the rows that --resume DIR has, or of a file of JSON"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(command=function)
        _common(command)
        if name == "report":
            command.add_argument("file", nargs="?", type=Path, help="JSON that `run --format json` has written")
        if name != "list":
            command.add_argument(
                "--resume", type=Path, metavar="DIR", help="keep rows here, and take those that are there"
            )
            command.add_argument("-o", "--output", type=Path, help="write the report to a file")
            command.add_argument("--badge", type=Path, metavar="DIR", help="a badge ENGINE-SETTINGS.svg for each, too")
        if name == "run":
            text = "runs at once, by default one for each core; 1 for times of a machine that does nothing else"
            command.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help=text)
            command.add_argument(
                "--limit", type=float, default=60, metavar="SECONDS", help="for each run (default: 60)"
            )
            command.add_argument(
                "--finer", type=int, default=0, metavar="N", help="after a fail, N times a quarter of the step"
            )
            text = "multiples of the step that are run, too, such as 4,0.25: work against precision"
            command.add_argument("--steps", type=_multiples, default=(), metavar="K,L", help=text)
            command.add_argument("--dask", metavar="ADDRESS", help="scheduler of Dask, instead of --jobs")
            command.add_argument("-q", "--quiet", action="store_true", help="no progress")
    text = "models of the cases in MJCF, URDF and SDF: what is out of date"
    models = commands.add_parser("models", help=text, description=text)
    models.set_defaults(command=_models)
    models.add_argument("--cases", default="*", metavar="GLOB", help="names or groups; several with commas")
    models.add_argument("--folder", type=Path, metavar="DIR", help="cases of your own")
    models.add_argument("--write", action="store_true", help="write them, and their names into the cases")
    return parser


def _multiples(text: str) -> tuple[float, ...]:
    return tuple(float(word) for word in text.split(","))


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--engines", metavar="A,B", help="names, or files my_engine.py")
    command.add_argument("--cases", default="*", metavar="GLOB", help="names or groups; several with commas")
    command.add_argument("--folder", type=Path, metavar="DIR", help="cases of your own")
    command.add_argument("--settings", choices=list(KINDS), default="default")
    command.add_argument("--format", choices=["text", "html", "json", "markdown", "totals"], default="text")


def _list(asked: argparse.Namespace) -> int:
    if asked.engines is not None:
        for name in asked.engines.split(",") if asked.engines != "all" else find_engines():
            engine = load_engine(name)[1]
            print(f"{engine.name:24} {engine.title}: {engine.made_for}")
        return 0
    cases = _cases(asked)
    if asked.format == "json":
        print(report.as_json(results([]) | {"cases": [_described(case) for case in cases]}), end="")
        return 0
    for case in cases:
        print(f"{case.name:40} {case.group:20} {case.exact_value:<20.12g} {case.title}")
    print(f"{len(cases)} cases")
    return 0


def _described(case: Case) -> dict[str, Any]:
    from .results import describe

    return describe(case)


def _cases(asked: argparse.Namespace) -> list[Case]:
    cases = load_cases(asked.cases, asked.folder)
    if not cases:
        raise LookupError(f"no case matches {asked.cases}")
    return cases


def _run(asked: argparse.Namespace) -> int:
    cases = _cases(asked)
    jobs = make_jobs(cases, _engines(asked), KINDS[asked.settings], asked.limit, asked.finer, asked.steps)
    tell = None if asked.quiet else _progress(len(jobs))
    rows = run_jobs(jobs, asked.jobs, asked.resume, tell, asked.dask)
    return _write(asked, results(rows), cases)


def _engines(asked: argparse.Namespace) -> list[str]:
    return list(find_engines()) if asked.engines in (None, "all") else asked.engines.split(",")


def _progress(count: int) -> Any:
    done = iter(range(1, count + 1))

    def tell(job: Job, row: Row) -> None:
        print(f"[{next(done)}/{count}] {job.case.name} {job.engine} {job.kind}: {row['status']}", file=sys.stderr)

    return tell


def _models(asked: argparse.Namespace) -> int:
    """Exit status 1 if something is out of date and not written."""
    cases = _cases(asked)
    changed = write_models(cases) if asked.write else [path for case in cases for path in out_of_date(case)]
    for path in changed:
        print(path)
    return 1 if changed and not asked.write else 0


def _report(asked: argparse.Namespace) -> int:
    if (asked.file is None) == (asked.resume is None):
        raise ValueError("expected a file of JSON or --resume DIR")
    cases = load_cases(asked.cases, asked.folder)
    if asked.file is not None:
        return _write(asked, json.loads(asked.file.read_text(encoding="utf-8")), cases)
    rows = []
    engines = (
        _engines(asked) if asked.engines else sorted(path.name for path in asked.resume.iterdir() if path.is_dir())
    )
    for job in make_jobs(cases, engines, KINDS["both" if asked.settings == "default" else asked.settings]):
        path = row_file(asked.resume, job)
        if path.is_file():
            rows.append((job, json.loads(path.read_text())["row"]))
    return _write(asked, results(rows), cases)


def _write(asked: argparse.Namespace, document: Any, cases: list[Case]) -> int:
    by_name = {case.name: case for case in cases}
    forms = {"text": report.as_text, "json": report.as_json, "html": lambda d: report.as_html(d, by_name)}
    text = (forms | {"markdown": report.as_markdown, "totals": report.as_totals})[asked.format](document)
    if asked.output is None:
        print(text, end="")
    elif asked.format in ("markdown", "totals"):
        report.put_into(asked.output, text)
    else:
        asked.output.write_text(text, encoding="utf-8")
    if asked.badge is not None:
        asked.badge.mkdir(parents=True, exist_ok=True)
        for engine, kinds in document["totals"].items():
            for kind, totals in kinds.items():
                (asked.badge / f"{engine}-{kind}.svg").write_text(report.badge(totals), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
