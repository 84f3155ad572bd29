"""One run in a process of its own: `python -m mechan_conformance.work JOB.json RESULT.json`; without a case, what the engine is.

The result goes into a file, so that whatever an engine prints does no harm.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from .case import Case
from .engine import Answer, Cannot, Engine, Never, engine_class
from .process import empty_row

PICTURE_POINTS = 200


def do_job(job: dict[str, Any]) -> dict[str, Any]:
    """The row of a job: status `answered`, `never`, `cannot` or `error`, with value, seconds and reason."""
    row: dict[str, Any] = empty_row()
    try:
        engine = engine_class(job["source"], job["engine"])()
        row["version"] = _version(engine)
        if "case" not in job:
            return {**row, "status": "answered", "identity": engine.identity()}
        case = Case(job["case"]["name"], job["case"]["data"], Path(job["case"]["folder"]))
        start, processor = time.perf_counter(), _processor()
        try:
            answer = _answered(engine, case, job)
        finally:
            row["seconds"], row["processor"] = time.perf_counter() - start, _processor() - processor
        row["value"] = float(answer.value)
        row["trace"] = _thinned(answer.times, answer.values)
        row["status"] = "answered" if math.isfinite(row["value"]) else "error"
        if row["status"] == "error":
            row["reason"], row["value"] = f"the value is {row['value']}", None
    except Cannot as reason:
        row.update(status="cannot", reason=str(reason))
    except Never as reason:
        row.update(status="never", reason=str(reason))
    except ImportError as fault:
        row.update(status="cannot", reason=f"not installed: {fault}")
    except Exception as fault:
        traceback.print_exc()
        row.update(status="error", reason=f"{type(fault).__name__}: {fault}"[:300])
    return row


def _answered(engine: Engine, case: Case, job: dict[str, Any]) -> Answer:
    """The engine's answer, or that of a case which runs `again`: what the second run differs by."""
    first, second = engine.answer(case, job["settings"]), case.second()
    if second is None:
        return first
    other = engine_class(job["source"], job["engine"])().answer(second, job["settings"])
    return Answer(other.value - first.value, [], [])


def _processor() -> float:
    """Seconds of the processor up to now, of this process and of those that it has started and that have ended."""
    spent = os.times()
    return time.process_time() + spent.children_user + spent.children_system


def _version(engine: Any) -> str:
    try:
        return str(engine.version() or "unknown")
    except ImportError:
        raise
    except Exception:
        return "unknown"


def _thinned(times: Any, values: Any) -> list[list[float]]:
    """About `PICTURE_POINTS` finite points for a picture."""
    pairs = [[float(t), float(v)] for t, v in zip(times, values, strict=True) if math.isfinite(t) and math.isfinite(v)]
    stride = max(1, len(pairs) // PICTURE_POINTS)
    return pairs[::stride] + (pairs[-1:] if len(pairs) % stride != 1 and stride > 1 else [])


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    row = do_job(job)
    path = Path(sys.argv[2])
    path.with_suffix(".part").write_text(json.dumps(row))
    path.with_suffix(".part").replace(path)


if __name__ == "__main__":
    main()
