"""`pytest --conformance=my_engine.py` in another's repository."""

from pathlib import Path

BAD = Path(__file__).parent / "engines" / "bad.py"


def run(pytester, name, *more):
    return pytester.runpytest_inprocess(
        "-p", "mechan_conformance.plugin", f"--conformance={BAD}:{name}", "--conformance-cases=block_stop_*", *more
    )


def test_good_engine_passes(pytester):
    run(pytester, "good").assert_outcomes(passed=2)


def test_fails_are_told_with_numbers(pytester):
    result = run(pytester, "is-inexact")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*off by 0.1*", "*exact 0.5096839959*"])


def test_what_it_cannot_say_is_skipped(pytester):
    run(pytester, "lacks").assert_outcomes(skipped=2)


def test_cases_are_chosen_by_pytest(pytester):
    run(pytester, "good", "-k", "stop_time").assert_outcomes(passed=1, deselected=1)
