"""Mechan's event-driven motion passes every case that it can say."""

import os
import shutil

import pytest
from mechan_conformance.case import load_cases
from mechan_conformance.runner import make_jobs, run_job

HAS_PROGRAM = bool(os.environ.get("MECHAN") or shutil.which("mechan"))
CASES = [case for case in load_cases() if case.mechanism]


@pytest.mark.skipif(not HAS_PROGRAM, reason="no program `mechan` on the path, nor in the variable MECHAN")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_motion_passes(case):
    row = run_job(make_jobs([case], ["mechan-event"], ["default"])[0])
    row.pop("trace", None)
    assert row["status"] == "pass", row
