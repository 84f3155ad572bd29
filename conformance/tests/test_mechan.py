"""Mechan passes every case that it can say: motions from event to event, incremental problems, scenes."""

import os
import shutil

import pytest
from mechan_conformance.case import load_cases
from mechan_conformance.runner import make_jobs, run_job

HAS_PROGRAM = bool(os.environ.get("MECHAN") or shutil.which("mechan"))
CASES = [case for case in load_cases() if case.mechanism]
FILES = {"mechan-solve": "problem", "mechan-scene": "scene"}
OTHERS = [(case, engine) for case in load_cases() for engine, key in FILES.items() if key in case.data]


@pytest.mark.skipif(not HAS_PROGRAM, reason="no program `mechan` on the path, nor in the variable MECHAN")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_motion_passes(case):
    row = run_job(make_jobs([case], ["mechan-event"], ["default"])[0])
    row.pop("trace", None)
    assert row["status"] == "pass", row


@pytest.mark.skipif(not HAS_PROGRAM, reason="no program `mechan` on the path, nor in the variable MECHAN")
@pytest.mark.parametrize("kind", ["default", "best"])
@pytest.mark.parametrize(("case", "engine"), OTHERS, ids=lambda one: getattr(one, "name", one))
def test_file_passes(case, engine, kind):
    row = run_job(make_jobs([case], [engine], [kind])[0])
    row.pop("trace", None)
    assert row["status"] == "pass", row
