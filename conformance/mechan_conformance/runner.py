"""Runs engines on cases: a process with a time limit for each, and a row whatever happens in it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .case import Case
from .engine import load_engine, python_of, source_file

Row = dict[str, Any]
STATUSES = ("pass", "fail", "cannot", "error", "timeout")
SCHEMA = "mechan.conformance/1"


@dataclass(frozen=True)
class Job:
    """One engine with one kind of settings on one case; it can be sent to another process or machine."""

    case: Case
    engine: str
    source: str
    python: str
    kind: str
    settings: dict[str, Any]
    limit: float
    finer: int
    """How many times a step that fails is made four times smaller, to find one that passes."""

    def key(self) -> str:
        """Changes if anything changes that may change the row, but the engine itself."""
        source = source_file(self.source)
        parts = [self.case.data, self.engine, self.python, self.kind, self.settings, self.finer]
        files = [source, *self.case.files()]
        text = json.dumps(parts, sort_keys=True) + "".join(f.read_text(encoding="utf-8") for f in files) + _own_source()
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def _own_source() -> str:
    """What every adapter stands on."""
    return "".join(f.read_text(encoding="utf-8") for f in sorted(Path(__file__).parent.glob("*.py")))


def make_jobs(
    cases: Iterable[Case], engines: Iterable[str], kinds: Iterable[str], limit: float = 60, finer: int = 0
) -> list[Job]:
    """All runs, case by case."""
    loaded = [load_engine(name) for name in engines]
    return [
        Job(case, engine.name, source, python_of(engine), kind, dict(engine.settings[kind]), limit, finer)
        for case in cases
        for source, engine in loaded
        for kind in kinds
        if kind in engine.settings
    ]


def run_jobs(
    jobs: list[Job],
    at_once: int = 1,
    resume: Path | None = None,
    tell: Callable[[Job, Row], None] | None = None,
    scheduler: str | None = None,
) -> list[tuple[Job, Row]]:
    """Rows of all jobs in their order; `resume` is a folder that keeps them, `scheduler` an address of Dask."""
    rows = []
    for job, row in zip(jobs, _mapped(lambda job: run_or_resume(job, resume), jobs, at_once, scheduler), strict=True):
        if tell is not None:
            tell(job, row)
        rows.append((job, row))
    return rows


def _mapped(function: Callable[[Job], Row], jobs: list[Job], at_once: int, scheduler: str | None) -> Iterator[Row]:
    if scheduler is not None:
        from distributed import Client

        with Client(scheduler) as client:
            yield from client.gather(client.map(function, jobs, pure=False))
        return
    with ThreadPoolExecutor(at_once) as pool:
        yield from pool.map(function, jobs)


def run_or_resume(job: Job, folder: Path | None) -> Row:
    """The row of a job, from the folder if it is there and nothing has changed."""
    if folder is None:
        return run_job(job)
    path = folder / job.engine / job.kind / f"{job.case.name}.json"
    key = job.key()
    if path.is_file():
        kept = json.loads(path.read_text())
        if kept["key"] == key:
            return kept["row"]
    row = run_job(job)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"key": key, "row": row}))
    part.replace(path)
    return row


def run_job(job: Job) -> Row:
    """The row of a job, judged; a step that fails is made smaller as often as `finer` says."""
    row = judge(job.case, run_process(job, job.settings), job.settings.get("step"))
    step = job.settings.get("step")
    for _ in range(job.finer if step and row["status"] == "fail" else 0):
        step /= 4
        finer = judge(job.case, run_process(job, {**job.settings, "step": step}), step)
        if finer["status"] != "fail":
            row["step"] = finer["step"]  # none if it does not end
            break
    return row


def judge(case: Case, found: Row, step: float | None = None) -> Row:
    """Pass or fail, with the error; `step` is the one at which it passes, or none."""
    row = {**found, "error": None, "step": None}
    if found["status"] == "answered":
        row["error"] = abs(found["value"] - case.exact_value)
        row["status"] = "pass" if row["error"] <= case.allowed else "fail"
    if found["status"] == "never":
        row["status"] = "fail"
    if row["status"] == "pass":
        row["step"] = step
    return row


def run_process(job: Job, settings: dict[str, Any]) -> Row:
    """What the process of a run says, or what became of it."""
    with tempfile.TemporaryDirectory(prefix="mechan-conformance-") as folder:
        return _run_in(Path(folder), job, settings)


def _run_in(folder: Path, job: Job, settings: dict[str, Any]) -> Row:
    case = {"name": job.case.name, "data": job.case.data, "folder": str(job.case.folder.resolve())}
    order, result, printed = (folder / name for name in ("job.json", "result.json", "printed"))
    order.write_text(json.dumps({"case": case, "engine": job.engine, "source": job.source, "settings": settings}))
    command = [job.python, "-m", f"{__package__}.work", str(order), str(result)]
    row: Row = {"status": "error", "value": None, "seconds": None, "reason": "", "version": None}
    with printed.open("wb") as out, (folder / "errors").open("wb") as err:
        try:
            code = _wait(command, out, err, folder, job.limit)
        except OSError as fault:
            return {**row, "reason": f"{job.python}: {fault.strerror}"}
    if code is None:
        row.update(status="timeout", reason=f"not done after {job.limit:g} s", seconds=job.limit)
    elif result.is_file():
        row.update(json.loads(result.read_text()))
    else:
        row.update(reason=_end_of(code, (folder / "errors").read_text(errors="replace")))
    notes = [row["reason"], _printed(printed.stat().st_size), "version unknown" if row["version"] == "unknown" else ""]
    return {**row, "reason": "; ".join(note for note in notes if note)}


def _wait(command: list[str], out: Any, err: Any, folder: Path, limit: float) -> int | None:
    """Exit code, or none if it took longer than the limit and was ended with all that it had started."""
    variables = {**os.environ, "PYTHONPATH": _search_path(command[0], folder)}
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder, env=variables, start_new_session=True
    )
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _search_path(python: str, folder: Path) -> str:
    """Where the process finds this package; another interpreter gets a copy, lest it see the modules beside it."""
    package = Path(__file__).resolve().parent
    if python == sys.executable:
        return os.pathsep.join(filter(None, [str(package.parent), os.environ.get("PYTHONPATH")]))
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("cases", "__pycache__"))
    return str(folder)


def _end_of(code: int, errors: str) -> str:
    how = f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    last = errors.strip().splitlines()[-1:] if errors.strip() else []
    return ": ".join([how, *last])[:300]


def _printed(size: int) -> str:
    return f"wrote {size} bytes to standard output" if size else ""


def results(rows: Iterable[tuple[Job, Row]]) -> dict[str, Any]:
    """The document `mechan.conformance/1`; rows keep `trace`, the points of a picture, which JSON leaves out."""
    document: dict[str, Any] = {"schema": SCHEMA, "engines": {}, "cases": [], "totals": {}}
    by_case: dict[str, dict[str, Any]] = {}
    for job, row in rows:
        engine = document["engines"].setdefault(job.engine, {"version": None, "settings": {}})
        engine["version"] = engine["version"] or row.get("version")
        engine["settings"][job.kind] = job.settings
        if job.case.name not in by_case:
            by_case[job.case.name] = describe(job.case)
            document["cases"].append(by_case[job.case.name])
        keep = {key: value for key, value in row.items() if key != "version"}
        by_case[job.case.name]["results"].setdefault(job.engine, {})[job.kind] = keep
        totals = document["totals"].setdefault(job.engine, {}).setdefault(job.kind, dict.fromkeys(STATUSES, 0))
        totals[row["status"]] += 1
    return document


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
