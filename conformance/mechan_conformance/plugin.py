"""`pytest --conformance=my_engine.py`: each case becomes a test of your engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .case import load_cases
from .runner import Job, make_jobs, run_job


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the suite."""
    group = parser.getgroup("conformance", "exact answers about Coulomb friction")
    group.addoption("--conformance", action="append", metavar="ENGINE", help="my_engine.py, or the name of an engine")
    group.addoption("--conformance-cases", default="*", metavar="GLOB", help="names or groups, several with commas")
    group.addoption("--conformance-settings", default="default", choices=["default", "best", "both"])
    group.addoption("--conformance-limit", type=float, default=60, metavar="SECONDS", help="for each run")
    group.addoption("--conformance-folder", type=Path, metavar="DIR", help="cases of your own")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Adds the cases to what is collected, so that -k, --deselect and the like apply to them."""
    items.extend(_tests(session, config))


def _tests(session: pytest.Session, config: pytest.Config) -> Iterator[pytest.Item]:
    engines = config.getoption("--conformance")
    if not engines:
        return
    kind = config.getoption("--conformance-settings")
    cases = load_cases(config.getoption("--conformance-cases"), config.getoption("--conformance-folder"))
    limit = config.getoption("--conformance-limit")
    for job in make_jobs(cases, engines, ["default", "best"] if kind == "both" else [kind], limit):
        name = f"{job.case.name}[{job.engine}-{job.kind}]"
        yield ConformanceTest.from_parent(session, name=name, nodeid=f"conformance::{name}", job=job)


class Failed(Exception):
    """A case that was not passed."""


class ConformanceTest(pytest.Item):
    """One engine on one case."""

    def __init__(self, *, job: Job, **rest: Any) -> None:
        super().__init__(**rest)
        self.job = job
        self.add_marker("conformance")

    def runtest(self) -> None:
        row, case = run_job(self.job), self.job.case
        self.user_properties += [("value", row["value"]), ("exact", case.exact_value), ("error", row["error"])]
        if row["status"] == "cannot":
            pytest.skip(row["reason"])
        if row["status"] != "pass":
            found = "no value" if row["value"] is None else f"{row['value']:.9g}, off by {row['error']:.2g}"
            raise Failed(
                f"{row['status']}: {case.title}\n  found {found}\n  exact {case.exact_value:.12g} {case.unit or ''}, "
                f"tolerance {case.allowed:.2g}\n  known: {case.known}\n  {row['reason']}".rstrip()
            )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, Failed) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.job.case.folder / f"{self.job.case.name}.yaml", None, self.name


def pytest_configure(config: pytest.Config) -> None:
    """The marker by which the cases are chosen or left out."""
    config.addinivalue_line("markers", "conformance: a case of the conformance suite")
