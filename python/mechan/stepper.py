"""Motions in the caller's hands: followed from call to call, with forces, parameters and the state set in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _mechan
from .errors import ControlError, UsageError
from .results import Trajectory

if TYPE_CHECKING:
    from ._model import Model, State

#: What a control function gives: forces as an array, or by names of coordinates, beside values by names of parameters; or nothing new.
Controls = Union[None, Sequence[float], np.ndarray, Mapping[str, float]]


class Stepper(_mechan.Stepper):
    """A motion that is followed from call to call; `model.stepper(..)` makes one.

    `forces` are generalised forces from outside, one for each coordinate, which act beside those of the mechanism's file; they, and the
    parameters (:meth:`set`), are held constant until they are set again. Between two calls nothing is forgotten: by time-stepping schemes many
    calls are to the last bit one call with the same steps, from event to event they are one to the tolerance. Where a setting makes no sense an
    exception says so, and the stepper is what it was; where a motion cannot go on `advance` says why, and the stepper is where it ended.

    >>> import mechan
    >>> ball = mechan.model("bouncing_ball").stepper("dropped", scheme="moreau", step=1e-3)
    >>> ball.forces = {"q": 9.81}
    >>> found = ball.advance(to=0.1)
    >>> found.status, found.steps, round(ball.t, 12)
    ('end', 100, 0.1)
    >>> other = ball.copy()
    >>> other.put(q=[0.5, 0.0])
    >>> float(ball.q[0]) == 0.5
    False
    """

    #: The model that moves.
    model: Model
    _options: dict[str, Any]

    def __new__(cls, model: Any, options: Optional[dict[str, Any]] = None) -> Stepper:
        made = super().__new__(cls, model, options)
        made.model = model.model if isinstance(model, Stepper) else model
        made._options = model._options if isinstance(model, Stepper) else dict(options or {})
        return made

    def __reduce__(self) -> Any:
        # for another process: the same place, parameters and forces; what a scheme remembers of its last step and the books begin anew
        return (_again, (self.model, self._options, tuple(self.state), self.forces))

    def copy(self) -> Stepper:
        """The same motion at the same place, which goes its own way: for search, and to come back."""
        return type(self)(self)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Stepper:
        return self.copy()

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters with their values."""
        return dict(zip(self.model._says("parameters"), self.parameter_values.tolist()))

    def set(self, values: Optional[Mapping[str, float]] = None, **more: float) -> None:
        """Sets parameters, and with them targets of motors that are parameters; those that the file defines by them follow.

        All of them are set, or none. What a setting does to the energy stands in :meth:`books` as `set`.
        """
        self._set({**(values or {}), **more})

    def put(self, *, q: Any = None, v: Any = None, t: Optional[float] = None) -> None:
        """Puts the motion at another state; what is not given stays.

        By time-stepping schemes it may lie a little off surfaces and constraints, as their own states do; from event to event it has to lie
        where a state of a mechanism's file would have to.
        """
        self._put({"q": q, "v": v, "t": t})

    @property
    def state(self) -> State:
        """t, q, v and the parameters, as arrays of their own; set, the motion goes on from there: from any state that it had."""
        from ._model import State

        return State(self.t, self.q, self.v, self.parameter_values)

    @state.setter
    def state(self, state: State) -> None:
        t, q, v, parameters = state
        names = self.model._says("parameters")
        if len(parameters) != len(names):
            raise UsageError(f"the state has {len(parameters)} parameters, expected {len(names)}")
        before = self.copy()
        try:
            # what follows from others goes on following
            for name, value in zip(names, map(float, parameters)):
                if self.parameters[name] != value:
                    self._set({name: value})
            self._put({"q": q, "v": v, "t": float(t)})
        except Exception:
            self._become(before)
            raise

    def record(self, t_eval: Any = None) -> None:
        """Keeps samples, events and phases from here on: samples at the times `t_eval`, or at every step of a scheme that has steps."""
        self._record(t_eval)

    def trajectory(self, status: str = "end", reason: Optional[str] = None) -> Trajectory:
        """What has been kept since :meth:`record`."""
        return Trajectory(*self._trajectory(status, reason))

    def __repr__(self) -> str:
        return f"<Stepper of {self.model.name} by {self.scheme} at t = {self.t:.6g}>"


def _again(model: Model, options: dict[str, Any], state: Any, forces: np.ndarray) -> Stepper:
    """A stepper from its pickle."""
    t, q, v, _ = state
    made = Stepper(model, {**options, "t": t, "q": q, "v": v})
    made.state = state
    made.forces = forces
    return made


def controlled(
    stepper: Stepper,
    control: Callable[[Stepper], Controls],
    every: float,
    t_end: float,
    t_eval: Any = None,
    progress: Optional[Callable[[float, float], Any]] = None,
) -> Trajectory:
    """The motion with a sampled control: `control(stepper)` is asked at the start and after every `every` seconds, and what it says is held."""
    if not (isinstance(every, (int, float)) and 0 < every < float("inf")):
        raise UsageError(f"every is {every!r}, expected a number of seconds > 0")
    start = stepper.t
    if not t_end > start:
        raise UsageError(f"t_end is {t_end!r}, expected a time after {start:g}, when the motion starts")
    stepper.record(t_eval)
    names = (frozenset(stepper.model.coordinates), frozenset(stepper.model._says("parameters")))
    status, reason, done = "end", None, 0
    while status == "end" and t_end - stepper.t > 1e-9 * every:
        _ask(stepper, control, names)
        done += 1
        found = stepper.advance(to=min(start + done * every, t_end))
        status, reason = found.status, found.reason
        if progress is not None:
            progress(stepper.t, t_end)
    return stepper.trajectory(status, reason)


def _ask(stepper: Stepper, control: Callable[[Stepper], Controls], names: tuple[frozenset[str], frozenset[str]]) -> None:
    """What the control says, set; where it fails, the motion until there goes along with the exception."""
    try:
        given = control(stepper)
        if given is not None:
            _apply(stepper, given, names)
    except Exception as error:
        said = f"{type(error).__name__}: {error}" if not isinstance(error, UsageError) else str(error)
        failed = ControlError(f"the control function failed at t = {stepper.t:.6g}: {said}")
        failed.code = "control"
        failed.trajectory = stepper.trajectory("interrupted", f"the control function failed: {said}")
        failed.stepper = stepper
        raise failed from error


def _apply(stepper: Stepper, given: Any, names: tuple[frozenset[str], frozenset[str]]) -> None:
    if not isinstance(given, Mapping):
        stepper.forces = np.atleast_1d(np.asarray(given, dtype=float))
        return
    coordinates, parameters = names
    unknown = [name for name in given if name not in coordinates and name not in parameters]
    if unknown:
        known = ", ".join([*sorted(coordinates), *sorted(parameters)])
        raise UsageError(f"there is no coordinate or parameter {unknown[0]!r}; there are {known}")
    forces = {name: float(value) for name, value in given.items() if name in coordinates}
    values = {name: float(value) for name, value in given.items() if name not in coordinates}
    if values:
        stepper.set(values)
    if forces:
        stepper.forces = forces
