"""A process for a run, with a time limit, and a row whatever happens in it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

Row = dict[str, Any]
PATIENCE = 120.0
"""Seconds in which an engine must say what it is."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""What a run is told unless the user says otherwise: these systems are so small that threads of their algebra wait for each other."""


def empty_row() -> dict[str, Any]:
    """The row of a run that has said nothing; `seconds` are those of a clock, `processor` those of the processor."""
    return {"status": "error", "value": None, "seconds": None, "processor": None, "reason": "", "version": None}


def run_process(python: str, order: Mapping[str, Any], limit: float) -> Row:
    """What the process of an order says (`mechan_conformance.work`), or what became of it."""
    with tempfile.TemporaryDirectory(prefix="mechan-conformance-") as folder:
        return _run_in(Path(folder), python, order, limit)


@cache
def identity(python: str, source: str, engine: str) -> str:
    """What an engine is in its interpreter, by which rows are kept: its version, as a rule."""
    row = run_process(python, {"engine": engine, "source": source}, PATIENCE)
    return str(row.get("identity") or row["reason"] or "unknown")


def _run_in(folder: Path, python: str, order: Mapping[str, Any], limit: float) -> Row:
    job, result, printed = (folder / name for name in ("job.json", "result.json", "printed"))
    job.write_text(json.dumps(order))
    command = [python, "-m", f"{__package__}.work", str(job), str(result)]
    row: Row = empty_row()
    with printed.open("wb") as out, (folder / "errors").open("wb") as err:
        try:
            code = _wait(command, out, err, folder, limit)
        except OSError as fault:
            return {**row, "reason": f"{python}: {fault.strerror}"}
    if code is None:
        row.update(status="timeout", reason=f"not done after {limit:g} s", seconds=limit)
    elif result.is_file():
        row.update(json.loads(result.read_text()))
    else:
        row.update(reason=_end_of(code, (folder / "errors").read_text(errors="replace")))
    notes = [row["reason"], _printed(printed.stat().st_size), "version unknown" if row["version"] == "unknown" else ""]
    return {**row, "reason": "; ".join(note for note in notes if note)}


def _wait(command: list[str], out: Any, err: Any, folder: Path, limit: float) -> int | None:
    """Exit code, or none if it took longer than the limit and was ended with all that it had started."""
    variables = {**ONE_THREAD, **os.environ, "PYTHONPATH": _search_path(command[0], folder)}
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
