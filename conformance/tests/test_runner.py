"""A row comes of every run, whatever the engine does."""

import os
import sys
from pathlib import Path

import pytest
from mechan_conformance import process
from mechan_conformance.case import load_cases
from mechan_conformance.report import as_html, as_json, as_markdown, as_text, as_totals, badge, put_into
from mechan_conformance.results import results
from mechan_conformance.runner import make_jobs, run_job, run_jobs

BAD = Path(__file__).parent / "engines" / "bad.py"
CASE = load_cases("block_below_friction_angle")


def row_of(name, **more):
    return run_job(make_jobs(CASE, [f"{BAD}:{name}"], ["default"], **more)[0])


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("good", "pass", ""),
        ("crashes", "error", "ended by SIGABRT"),
        ("leaves", "error", "ended with exit code 3: no licence"),
        ("gives-nan", "error", "the value is nan"),
        ("prints", "pass", "wrote 18 bytes to standard output"),
        ("has-no-version", "pass", "version unknown"),
        ("lacks", "cannot", "no friction"),
        ("never", "fail", "it never stops"),
        ("is-missing", "cannot", "not installed"),
        ("is-inexact", "fail", ""),
        ("has-other-friction", "error", "friction of block and ground would be 0.1, the case asks for 0.6"),
        ("elsewhere", "error", "No such file"),
    ],
)
def test_row(name, status, reason):
    row = row_of(name)
    assert row["status"] == status, row
    assert reason in row["reason"]


def test_engine_that_hangs_is_ended():
    row = row_of("hangs", limit=1)
    assert (row["status"], row["value"]) == ("timeout", None)


def test_step_at_which_it_would_pass():
    assert row_of("is-inexact")["step"] is None
    assert row_of("is-inexact", finer=5)["step"] == 0.1 / 4**5
    assert row_of("is-inexact", finer=2)["step"] is None


def test_interpreter_of_an_engine_by_variable(monkeypatch):
    monkeypatch.setenv("MECHAN_CONFORMANCE_PYTHON_GOOD", "/no/python")
    assert "/no/python" in row_of("good")["reason"]


@pytest.mark.skipif(os.name != "posix", reason="a script of the shell")
def test_another_interpreter_runs(monkeypatch, tmp_path):
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("MECHAN_CONFORMANCE_PYTHON_GOOD", str(script))
    assert row_of("good")["status"] == "pass"


def test_rows_are_kept_and_taken_again(tmp_path):
    jobs = make_jobs(CASE, [f"{BAD}:good"], ["default"])
    first = run_jobs(jobs, resume=tmp_path)[0][1]
    again = run_jobs(jobs, resume=tmp_path)[0][1]
    assert again["seconds"] == first["seconds"]
    other = make_jobs(CASE, [f"{BAD}:good"], ["default"], finer=1)
    assert run_jobs(other, resume=tmp_path)[0][1]["seconds"] != first["seconds"]


def test_rows_of_another_version_are_made_anew(tmp_path, monkeypatch):
    jobs = make_jobs(CASE, [f"{BAD}:is-renewed"], ["default"])
    assert run_jobs(jobs, resume=tmp_path)[0][1]["version"] == "1"
    monkeypatch.setenv("VERSION_OF_A_TEST", "2")
    process.identity.cache_clear()
    assert run_jobs(jobs, resume=tmp_path)[0][1]["version"] == "2"


def test_engine_that_hangs_when_asked_what_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "PATIENCE", 1)
    row = run_jobs(make_jobs(CASE, [f"{BAD}:hangs-for-its-version"], ["default"], limit=1), resume=tmp_path)[0][1]
    assert row["status"] == "timeout"


def test_more_time_is_given_to_what_had_too_little(tmp_path):
    assert (
        run_jobs(make_jobs(CASE, [f"{BAD}:is-slow"], ["default"], limit=1), resume=tmp_path)[0][1]["status"]
        == "timeout"
    )
    assert run_jobs(make_jobs(CASE, [f"{BAD}:is-slow"], ["default"]), resume=tmp_path)[0][1]["status"] == "pass"


def test_other_steps_are_run_for_work_against_precision():
    row = run_job(make_jobs(CASE, [f"{BAD}:is-inexact"], ["default"], steps=[2, 0.5])[0])
    assert [round(one["step"], 9) for one in row["work"]] == [0.1, 0.2, 0.05]
    assert [round(one["error"], 9) for one in row["work"]] == [0.1, 0.2, 0.05]
    document = results([(make_jobs(CASE, [f"{BAD}:is-inexact"], ["default"])[0], row)])
    assert as_html(document, {case.name: case for case in CASE}).count("<title>is-inexact default, step") == 3


def test_row_says_where_and_when():
    row = row_of("good")
    assert row["date"].count("-") == 2
    assert "cores" in row["machine"]


def test_measured_part_of_a_page_is_replaced_alone(tmp_path):
    rows = run_jobs(make_jobs(CASE, [f"{BAD}:good", f"{BAD}:is-inexact", f"{BAD}:lacks"], ["default"]))
    text = as_markdown(results(rows))
    assert "| good | 1 | default | 1 | 0 | 0 | 0 | 0 | 1 |" in text
    assert "`block_below_friction_angle` 1e+03" in text
    assert "Cannot: no friction (1)." in text
    totals = as_totals(results(rows))
    assert totals.splitlines()[0] == text.splitlines()[0] and totals.splitlines()[-1] == text.splitlines()[-1]
    assert "| good 1 | 1/0/0 |" in totals and "| lacks" in totals and "0/0/1" in totals
    page = tmp_path / "page.md"
    put_into(page, text)
    page.write_text("# Words\n\n" + page.read_text() + "\nMore words.\n")
    put_into(page, text.replace("good", "better"))
    assert page.read_text() == "# Words\n\n" + text.replace("good", "better") + "\nMore words.\n"


def test_documents():
    rows = run_jobs(make_jobs(CASE, [f"{BAD}:good", f"{BAD}:is-inexact"], ["default"]), at_once=2)
    document = results(rows)
    assert document["totals"]["good"]["default"] == {"pass": 1, "fail": 0, "cannot": 0, "error": 0, "timeout": 0}
    assert document["engines"]["good"] == {"version": "1", "settings": {"default": {"step": 0.1}}}
    result = document["cases"][0]["results"]["is-inexact"]["default"]
    assert set(result) - {"trace"} == {"status", "value", "error", "seconds", "processor", "step", "reason"}
    assert "trace" not in as_json(document)
    assert "FAIL" in as_text(document)
    page = as_html(document, {case.name: case for case in CASE})
    assert "<svg" in page and "stays" in page
    assert "1 of 1" in badge(document["totals"]["good"]["default"])
