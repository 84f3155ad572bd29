"""Integration of motions with dry friction, from one change of mode to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp


def integrate(rate: Callable, start: list[float], end: float, stop: Callable | None = None) -> tuple[float, np.ndarray]:
    """Time and state at the end, or where `stop` falls through zero."""
    events = None
    if stop is not None:
        stop.terminal, stop.direction = True, -1
        events = [stop]
    done = solve_ivp(rate, (0, end), start, method="DOP853", rtol=1e-12, atol=1e-13, events=events)
    return float(done.t[-1]), done.y[:, -1]


def integrate_long(rate: Callable, start: list, end: Any) -> list:
    """State at the end by Taylor series, in the precision of mpmath that is set."""
    import mpmath

    return list(mpmath.odefun(rate, 0, [mpmath.mpf(one) for one in start])(end))


def time_of(rate: Callable, start: list, index: int, near: Any) -> Any:
    """When a component vanishes, near a time, in the precision of mpmath that is set."""
    import mpmath

    motion = mpmath.odefun(rate, 0, [mpmath.mpf(one) for one in start])
    return mpmath.findroot(lambda t: motion(t)[index], (near, near * (1 + mpmath.mpf("1e-4"))))
