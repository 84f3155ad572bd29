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


def extrapolate(rate: Callable, start: list, end: float | str, steps: int, digits: int = 30, order: int = 12) -> list:
    """State at the end to many digits: midpoint rules of 2, 4, .. parts in each step, extrapolated."""
    import mpmath

    with mpmath.workdps(digits):
        y, h = mpmath.matrix(start), mpmath.mpf(end) / steps
        for i in range(steps):
            rows: list[list] = []
            for k in range(order):
                row = [_midpoint(rate, i * h, y, h, 2 * (k + 1))]
                for j in range(k):
                    row.append(row[j] + (row[j] - rows[-1][j]) / ((mpmath.mpf(k + 1) / (k - j)) ** 2 - 1))
                rows.append(row)
            y = rows[-1][-1]
        return list(y)


def _midpoint(rate: Callable, t: float, y: Any, h: Any, parts: int) -> Any:
    import mpmath

    part = h / parts
    before, now = y, y + part * mpmath.matrix(rate(t, y))
    for i in range(1, parts):
        before, now = now, before + 2 * part * mpmath.matrix(rate(t + i * part, now))
    return (before + now + part * mpmath.matrix(rate(t + h, now))) / 2


def integrate_long(rate: Callable, start: list, end: Any) -> list:
    """State at the end by Taylor series, in the precision of mpmath that is set."""
    import mpmath

    return list(mpmath.odefun(rate, 0, [mpmath.mpf(one) for one in start])(end))


def time_of(rate: Callable, start: list, index: int, near: Any) -> Any:
    """When a component vanishes, near a time, in the precision of mpmath that is set."""
    import mpmath

    motion = mpmath.odefun(rate, 0, [mpmath.mpf(one) for one in start])
    return mpmath.findroot(lambda t: motion(t)[index], (near, near * (1 + mpmath.mpf("1e-4"))))
