"""Ways to exact answers, one module per group: `@route("case", "integration", within=1e-9)` on a function of the case."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import NamedTuple

from mechan_conformance.case import Case


class Route(NamedTuple):
    """A way to the answer: `find(case)` gives a number that is right within `within`."""

    find: Callable[[Case], float]
    within: float


ROUTES: dict[tuple[str, str], Route] = {}


def route(case: str, kind: str, within: float = 1e-9) -> Callable[[Callable[[Case], float]], Callable[[Case], float]]:
    """Registers a way of that kind, as `routes` of the case names it."""

    def register(find: Callable[[Case], float]) -> Callable[[Case], float]:
        if (case, kind) in ROUTES:
            raise ValueError(f"two ways `{kind}` to {case}")
        ROUTES[case, kind] = Route(find, within)
        return find

    return register


def load_routes() -> dict[tuple[str, str], Route]:
    """All ways of all modules here."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return ROUTES
