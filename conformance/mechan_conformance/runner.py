"""Runs engines on cases: a process with a time limit for each, and a row whatever happens in it."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from .case import Case
from .engine import load_engine, python_of, source_file
from .process import Row, identity, run_process

STATUSES = ("pass", "fail", "cannot", "error", "timeout")

AROUND_ROWS = ("__init__", "__main__", "command", "models", "plugin", "results", "sdf", "sdf_joints", "urdf")
"""Modules that change no row."""


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
    steps: tuple[float, ...] = ()
    """Multiples of the step which are run, too, for work against precision."""

    def key(self) -> str:
        """Changes if anything changes that may change the row, the engine's version among it."""
        source = source_file(self.source)
        parts = [self.case.data, self.engine, self.python, self.kind, self.settings, self.finer, self.steps]
        parts.append(identity(self.python, self.source, self.engine))
        files = [source, *self.case.files()]
        text = json.dumps(parts, sort_keys=True) + "".join(f.read_text(encoding="utf-8") for f in files) + _own_source()
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def order(self, settings: dict[str, Any]) -> dict[str, Any]:
        """What the process of a run is told."""
        case = {"name": self.case.name, "data": self.case.data, "folder": str(self.case.folder.resolve())}
        return {"case": case, "engine": self.engine, "source": self.source, "settings": settings}


@cache
def _own_source() -> str:
    """What every adapter stands on; reports are made of rows, and have a folder of their own."""
    files = (f for f in sorted(Path(__file__).parent.glob("*.py")) if f.stem not in AROUND_ROWS)
    return "".join(f.read_text(encoding="utf-8") for f in files)


def make_jobs(
    cases: Iterable[Case],
    engines: Iterable[str],
    kinds: Iterable[str],
    limit: float = 60,
    finer: int = 0,
    steps: Iterable[float] = (),
) -> list[Job]:
    """All runs, case by case."""
    loaded, steps = [load_engine(name) for name in engines], tuple(steps)
    return [
        Job(case, engine.name, source, python_of(engine), kind, dict(engine.settings[kind]), limit, finer, steps)
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
    path = row_file(folder, job)
    key = job.key()
    if path.is_file():
        kept = json.loads(path.read_text())
        waits_longer = kept["row"]["status"] == "timeout" and job.limit > kept["row"]["seconds"]
        if kept["key"] == key and not waits_longer:
            return kept["row"]
    row = run_job(job)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"key": key, "row": row}))
    part.replace(path)
    return row


def row_file(folder: Path, job: Job) -> Path:
    """Where a row is kept."""
    return folder / job.engine / job.kind / f"{job.case.name}.json"


def run_job(job: Job) -> Row:
    """The row of a job, judged, with the runs at other steps that the job wants, and where and when it was."""
    row = _run(job, job.settings) | {"machine": machine(), "date": date.today().isoformat()}
    step = job.settings.get("step")
    if not step or row["status"] in ("cannot", "error"):
        return row
    if job.steps:
        row["work"] = [_work(row, step), *(_work(_run_at(job, step * k), step * k) for k in job.steps)]
    if row["status"] == "fail":
        row["step"] = _passing_step(job, step)
    return row


@cache
def machine() -> str:
    """What runs are timed on: system, processor and its cores."""
    processor = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{platform.system()} {platform.machine()}, {processor}, {os.cpu_count()} cores"


def _run(job: Job, settings: dict[str, Any]) -> Row:
    return judge(job.case, run_process(job.python, job.order(settings), job.limit), settings.get("step"))


def _run_at(job: Job, step: float) -> Row:
    return _run(job, {**job.settings, "step": step})


def _work(row: Row, step: float) -> Row:
    return {"step": step, **{key: row[key] for key in ("status", "error", "seconds")}}


def _passing_step(job: Job, step: float) -> float | None:
    """A step that passes, or none if the time runs out or none of the smaller ones does."""
    for _ in range(job.finer):
        step /= 4
        row = _run_at(job, step)
        if row["status"] != "fail":
            return row["step"]
    return None


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
