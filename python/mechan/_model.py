"""Mechanisms and their equations: what everything else is asked of."""

from __future__ import annotations

import builtins
import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal, NamedTuple, Optional, Union

import numpy as np

from . import _mechan
from ._asking import Value, axis, names, overrides, ranges
from ._explore import Explorer, explored
from ._program import MISSING, find_program
from .errors import DerivationError, Diagnostic, UnwritableError, UsageError, VersionError, _again
from .problem import Problem, _step_again
from .results import Analysis, Claims, Convergence, Cycle, Ensemble, Futures, Map, Trajectories, Trajectory
from .stepper import Controls, Stepper, controlled
from .table import same

Path_ = Union[str, "os.PathLike[str]"]
States = Union[None, str, Iterable[str]]
#: The schemes of motions; `mechan.SCHEMES` says what each is.
Scheme = Literal[
    "event", "compliant", "moreau", "moreau-jean", "moreau-projected", "schatzman-paoli", "moreau-heuristic", "moreau-adaptive",
    "radau-3", "radau-5", "lobatto-2", "lobatto-4", "lobatto-6", "herk-2", "herk-3", "herk-4", "herk-5", "herk-6",
]  # fmt: skip
Names = Union[None, str, Iterable[str]]

#: The version of pickles.
_PICKLE = "mechan.pickle/1"


class State(NamedTuple):
    """The numbers of a state; `model.evaluate(*state[:3])` evaluates there."""

    t: float
    q: np.ndarray
    v: np.ndarray
    parameters: np.ndarray

    def __eq__(self, other: object) -> bool:
        return same(tuple(self), tuple(other)) if isinstance(other, State) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]


class _Described:
    """What a mechanism says of itself."""

    _about: Optional[dict[str, Any]] = None

    def _says(self, key: str) -> Any:
        if self._about is None:
            self._about = self.describe()  # type: ignore[attr-defined]
        return self._about[key]

    @property
    def name(self) -> str:
        """Its name, as the file has it."""
        return self._says("name")

    @property
    def title(self) -> Optional[str]:
        """What it is, in a line; none where the file does not say."""
        return self._says("title")

    @property
    def description(self) -> Optional[str]:
        """What it is, in some lines; none where the file does not say."""
        return self._says("description")

    @property
    def space(self) -> str:
        """`plane` or `space`."""
        return self._says("space")

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates, in the order of q."""
        return self._says("coordinates")

    @property
    def contacts(self) -> tuple[str, ...]:
        """Names of the contacts."""
        return self._says("contacts")

    @property
    def constraints(self) -> tuple[str, ...]:
        """Names of the bilateral constraints."""
        return self._says("constraints")

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states."""
        return self._says("states")

    @property
    def source(self) -> str:
        """The mechanism file, word for word."""
        return self._says("text")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What is odd about the file, but no fault."""
        return tuple(Diagnostic(**place) for place in self._says("warnings"))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.title or 'untitled'}; states {', '.join(self.states)}>"


class Mechanism(_Described):
    """A mechanism that was read and found valid.

    >>> import mechan
    >>> mechan.load("falling_pencil").coordinates
    ('x', 'y', 'theta')
    """

    def __init__(self, core: _mechan.Mechanism) -> None:
        self._core = core
        self.describe = core.describe

    def derive(self, *, program: Optional[Path_] = None, cache: bool = True) -> Model:
        """The equations of motion: known already, kept from before, or derived now.

        The program `mechan` that came with this package derives, or the one given. Equations are kept where the program keeps them
        (`MECHAN_CACHE_DIR`), unless `cache` is false.
        """
        found = os.fspath(program) if program is not None else find_program()
        if found is not None and not self._core.is_derived and shutil.which(found) is None:
            raise _again(DerivationError, f"there is no program {found}, which is to derive {self.name}", "derivation", ())
        try:
            return Model(self._core, found, cache)
        except DerivationError as error:
            if found is None:
                raise _again(DerivationError, f"{self.name} has not been derived: {MISSING}", error.code, ()) from None
            raise


    def __reduce__(self) -> Any:
        # equations that are known travel along
        text = Model(self._core, None, False).text() if self._core.is_derived else self.source
        return (_mechanism_again, (_PICKLE, _mechan.__version__, text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mechanism) and self.source == other.source

    def __hash__(self) -> int:
        return hash(self.source)


def _texts(given: Union[None, str, Iterable[str]]) -> list[str]:
    """One text, or several."""
    return [given] if isinstance(given, str) else list(given or ())


def _side(ends: Union[str, tuple[Value, Value]]) -> str:
    """A range as the command line has it."""
    return ends if isinstance(ends, str) else f"{ends[0]}:{ends[1]}"


class Model(_mechan.Model, _Described):
    """A mechanism with its equations: evaluated, analysed, moved.

    >>> import mechan
    >>> pencil = mechan.model("falling_pencil")
    >>> pencil.analyze("inconsistent").verdict
    'inconsistent'
    >>> pencil.evaluate(0.0, [0.0, 0.0, 0.5], [1.0, 0.0, 0.0]).M.shape
    (3, 3)
    """

    _about: Optional[dict[str, Any]] = None

    @staticmethod
    def from_file(path: Path_) -> Model:
        """A model file, as :meth:`save` or `mechan derive --format model` writes it."""
        return Mechanism(_mechan.load(os.fspath(path))).derive()

    def save(self, path: Path_) -> None:
        """Writes mechanism and equations as a model file, to be read anywhere."""
        try:
            Path(path).write_text(self.text(), encoding="utf-8")
        except OSError as error:
            raise _again(UnwritableError, f"{os.fspath(path)} cannot be written: {error}", "unwritable", ()) from None

    def explore(self, state: Optional[str] = None) -> Explorer:
        """A page on which the mechanism is dragged and followed; a notebook shows it.

        It is the file that `mechan explore` writes: ``model.explore().save("pencil.html")``.
        """
        if state is not None and state not in self.states:
            self.state(state)  # refused, as everywhere
        return explored(self.text(), state)

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters with their values."""
        return dict(zip(self._says("parameters"), self.parameter_values))

    def state(self, name: str, *, set: Optional[Mapping[str, Value]] = None, **more: Value) -> State:
        """The numbers of a named state, changed by overrides.

        >>> import mechan
        >>> mechan.model("falling_pencil").state("inconsistent", theta=0.6, mu=1.7).q
        array([0. , 0. , 0.6])
        """
        return State(*self._state(name, overrides(set, more)))

    def analyze(
        self,
        state: States = None,
        *,
        set: Optional[Mapping[str, Value]] = None,
        jam: bool = False,
        step: Optional[float] = None,
        next_step: bool = True,
        no_slip: bool = True,
        boxes: Optional[int] = None,
        look_ahead: Optional[float] = None,
        **more: Value,
    ) -> Analysis:
        """Everything that can be said about a state, about several, or about all of them.

        Parameters, coordinates and velocities are overridden by name (`mu=0.9`, `theta="pi/6"`, `set={"dot(x)": 1}`); expressions and
        SymPy's are taken too. Without the next step (`next_step=False`) and motions without slip (`no_slip=False`) it takes less time.

        >>> import mechan
        >>> analysis = mechan.model("falling_pencil").analyze("inconsistent", mu=0.3)
        >>> analysis["inconsistent"].verdict, analysis.only.contacts["tip"].C
        ('consistent', 1.5999999999999999)
        """
        asked = dict(
            states=names(state),
            set=overrides(set, more),
            jam=jam,
            step=step,
            next_step=next_step,
            no_slip=no_slip,
            boxes=boxes,
            look_ahead=look_ahead,
        )
        return Analysis(self._analyze(asked))

    def simulate(
        self,
        state: Optional[str] = None,
        *,
        t_end: float,
        q: Any = None,
        v: Any = None,
        scheme: Optional[Scheme] = None,
        step: Optional[float] = None,
        scheme_theta: Optional[float] = None,
        scheme_gamma: Optional[float] = None,
        eps: Optional[float] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        samples: Optional[int] = None,
        t_eval: Any = None,
        control: Optional[Callable[[Stepper], Controls]] = None,
        every: Optional[float] = None,
        future: Names = None,
        hyperstatic: Optional[Literal["go", "stop"]] = None,
        stop: Optional[str] = None,
        max_events: Optional[int] = None,
        max_steps: Optional[int] = None,
        bodies: Optional[Path_] = None,
        contacts: Optional[Path_] = None,
        progress: Optional[Callable[[float, float], Any]] = None,
        set: Optional[Mapping[str, Value]] = None,
        **more: Value,
    ) -> Trajectory:
        """The motion from a state; how it ends is an answer (`status`).

        `q` and `v` are arrays of all coordinates and velocities that take the place of the state's; samples are `samples` at equal times, or those at
        the times `t_eval`.

        `control(stepper)` is asked at the start and after every `every` seconds. It sees `stepper.t`, `.q`, `.v`, and gives forces on the
        coordinates as an array, or by name beside values of parameters, or nothing; what it gives is held until it is asked again: control is
        sampled, as a computer's is. Where it fails, :class:`mechan.ControlError` has the motion until then. Samples are by default those of steps, or
        of 200 equal times. `progress` is told the time that is reached, and the one that is asked for. The files `bodies` and `contacts` (CSV or
        Parquet) get where bodies are and how they move, and what contacts carry, at every sample.

        `scheme` is one of `mechan.SCHEMES` [default: event]; `step`, `scheme_theta` and `scheme_gamma` are those of time-stepping schemes, `eps` of
        the compliant one; an option that the scheme has not is refused. `future` names what to follow where several motions are possible,
        `hyperstatic` is `go` or `stop`: what to do where accelerations depend on forces that are not unique,
        `stop` is an expression at whose fall through zero the motion ends. Parameters, coordinates and velocities are overridden by name
        or by `set`.

        >>> import mechan
        >>> ball = mechan.model("bouncing_ball").simulate(t_end=1.0)
        >>> ball.status, ball.columns[:3]
        ('end', ('t', 'q', 'x'))
        """
        asked = dict(
            scheme=scheme,
            step=step,
            theta=scheme_theta,
            gamma=scheme_gamma,
            eps=eps,
            rtol=rtol,
            atol=atol,
            samples=samples,
            t_eval=t_eval,
            stop=stop,
            max_events=max_events,
            max_steps=max_steps,
        )
        asked = {**asked, "q": q, "v": v, "hyperstatic": hyperstatic, **_motion(state, t_end, future, set, more)}
        if control is None:
            if every is not None:
                raise UsageError("every is how often a control is asked: give the function as control=")
            files = {name: None if path is None else os.fspath(path) for name, path in (("bodies", bodies), ("contacts", contacts))}
            return Trajectory(*self._simulate({**asked, **files, "progress": progress}))
        if bodies is not None or contacts is not None:
            raise UsageError("a controlled motion has no tables of bodies and contacts: what its parameters were at a sample is not kept")
        if stop is not None:
            raise UsageError("a controlled motion has no stop=: drive a stepper, and look at its state")
        if every is None:
            raise UsageError("every is missing: after how many seconds the control is asked again")
        stepper = Stepper(self, {**asked, "t_end": None, "samples": None, "t_eval": None})
        return controlled(stepper, control, every, t_end, _times(stepper, t_end, samples, t_eval), progress)

    def stepper(
        self,
        state: Union[None, str, State] = None,
        *,
        q: Any = None,
        v: Any = None,
        t: Optional[float] = None,
        scheme: Optional[Scheme] = None,
        step: Optional[float] = None,
        scheme_theta: Optional[float] = None,
        scheme_gamma: Optional[float] = None,
        eps: Optional[float] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        future: Names = None,
        hyperstatic: Optional[Literal["go", "stop"]] = None,
        set: Optional[Mapping[str, Value]] = None,
        **more: Value,
    ) -> Stepper:
        """A motion to be followed from call to call, with forces, parameters and the state set in between.

        It begins at a named state, at a :class:`State` (that of another stepper), or at arrays `q` and `v`; `scheme` is `event`, `compliant` or one of
        the time-stepping schemes, other options are those of :meth:`simulate`.

        >>> import mechan
        >>> ball = mechan.model("bouncing_ball").stepper("dropped")
        >>> [event.kind for event in ball.advance(to=10.0, max_events=1).events]
        ['impact']
        """
        options = dict(
            scheme=scheme,
            step=step,
            theta=scheme_theta,
            gamma=scheme_gamma,
            eps=eps,
            rtol=rtol,
            atol=atol,
            hyperstatic=hyperstatic,
            future=names(future),
            set=overrides(set, more),
        )
        if not isinstance(state, State):
            return Stepper(self, {**options, "state": state, "q": q, "v": v, "t": t})
        if q is not None or v is not None or t is not None:
            raise UsageError("a State has q, v and t: give it, or these")
        found = Stepper(self, {**options, "q": state.q, "v": state.v, "t": float(state.t)})
        found.state = state
        return found

    def trajectories(
        self,
        state: Optional[str] = None,
        *,
        t_end: float,
        q: Any = None,
        v: Any = None,
        samples: int = 200,
        t_eval: Any = None,
        threads: Optional[int] = None,
        progress: Optional[Callable[[int, int], Any]] = None,
        set: Union[None, Mapping[str, Value], Sequence[Mapping[str, Value]]] = None,
        **options: Any,
    ) -> Trajectories:
        """The whole motions from many conditions: rows of `q` and `v`, of shape (runs, n), or a list `set` with what is set in each run.

        Samples are at the same times in all of them; other options are those of :meth:`simulate`. `progress` is told runs that are done, and of how
        many.

        >>> import mechan
        >>> found = mechan.model("bouncing_ball").trajectories(q=[[1, 0], [2, 0], [3, 0]], t_end=0.3, samples=4)
        >>> found["q"].shape, found[2].status
        ((3, 4), 'end')
        """
        conditions = _conditions(q, v, set)
        asked = dict(state=state, t_end=t_end, samples=None if t_eval is not None else samples, t_eval=t_eval, **options)

        def run(condition: dict[str, Any]) -> Trajectory:
            return self.simulate(**asked, **condition)

        found = []
        with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
            for motion in pool.map(run, conditions):
                found.append(motion)
                if progress is not None:
                    progress(len(found), len(conditions))
        return Trajectories(found)

    def futures(
        self,
        state: Optional[str] = None,
        *,
        t_end: float,
        depth: Optional[int] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        samples: Optional[int] = None,
        future: Names = None,
        hyperstatic: Optional[Literal["go", "stop"]] = None,
        stop: Optional[str] = None,
        max_events: Optional[int] = None,
        max_steps: Optional[int] = None,
        progress: Optional[Callable[[int, int], Any]] = None,
        set: Optional[Mapping[str, Value]] = None,
        **more: Value,
    ) -> Futures:
        """Every motion that may follow a state, as a tree with at most `depth` forks on a way; other options are those of
        :meth:`simulate`. `progress` is told how many motions are followed, and of how many that are known so far."""
        _from_event_to_event("every motion is followed", more)
        asked = dict(
            rtol=rtol, atol=atol, samples=samples, stop=stop, max_events=max_events, max_steps=max_steps, depth=depth,
            progress=progress,
        )
        return Futures(self._futures({**asked, "hyperstatic": hyperstatic, **_motion(state, t_end, future, set, more)}))

    def cycle(
        self,
        state: Optional[str] = None,
        *,
        section: str,
        symmetry: Optional[str] = None,
        t_end: float = 1000.0,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        samples: Optional[int] = None,
        future: Names = None,
        max_events: Optional[int] = None,
        max_steps: Optional[int] = None,
        progress: Optional[Callable[[int, int], Any]] = None,
        set: Optional[Mapping[str, Value]] = None,
        **more: Value,
    ) -> Cycle:
        """The periodic motion near a state, and whether disturbances of it grow.

        `section` is an expression of t, coordinates and velocities: returns are where it falls through zero; for what moves by prescription it
        has to fix the phase (`"cos(omega*t)"`). `symmetry` (`"x=-x, .."`) maps what went before a return to what follows it. `t_end` is the
        longest time of a return, `samples` are those of one period, other options those of :meth:`simulate`. Where there is no periodic
        motion to be found :class:`mechan.NumericsError` says why. `progress` is told how many motions of the search are followed, and how many
        have begun: nobody knows before how many it takes.

        >>> import mechan
        >>> hops = mechan.model("frictional_impact_oscillator").cycle("inconsistent", section="dot(theta)")
        >>> f"{hops.period:.4f}", hops.attracting
        ('0.0995', True)
        """
        _from_event_to_event("a periodic motion is searched", more)
        asked = dict(
            rtol=rtol,
            atol=atol,
            samples=samples,
            max_events=max_events,
            max_steps=max_steps,
            section=section,
            symmetry=symmetry,
            progress=progress,
        )
        return Cycle(*self._cycle({**asked, **_motion(state, t_end, future, set, more)}))

    def ensemble(
        self,
        state: Optional[str] = None,
        *,
        t_end: float,
        runs: Optional[int] = None,
        seed: int = 0,
        random: Any = None,
        grid: Any = None,
        threads: Optional[int] = None,
        scheme: Optional[Scheme] = None,
        step: Optional[float] = None,
        scheme_theta: Optional[float] = None,
        scheme_gamma: Optional[float] = None,
        eps: Optional[float] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        future: Names = None,
        stop: Optional[str] = None,
        max_events: Optional[int] = None,
        max_steps: Optional[int] = None,
        progress: Optional[Callable[[int, int], Any]] = None,
        set: Optional[Mapping[str, Value]] = None,
        **more: Value,
    ) -> Ensemble:
        """Many motions over random (`{"mu": (0.1, 0.9)}`) or gridded (`{"mu": (0.1, 0.9, 5)}`) conditions, one row each.

        Options are those of :meth:`simulate`. The rows are the same on one thread, on many, and in parts. `progress` is told runs that are done,
        and of how many, some times a second.

        >>> import mechan
        >>> mechan.model("bouncing_ball").ensemble(t_end=0.5, runs=3, random={"q": (1.0, 2.0)})["run"]
        array([0, 1, 2])
        """
        options = dict(
            scheme=scheme,
            step=step,
            theta=scheme_theta,
            gamma=scheme_gamma,
            eps=eps,
            rtol=rtol,
            atol=atol,
            stop=stop,
            max_events=max_events,
            max_steps=max_steps,
        )
        motion = {**options, **_motion(state, t_end, future, set, more)}
        asked = _ensemble(motion, runs=runs, seed=seed, random=random, grid=grid, threads=threads)
        asked["progress"] = progress
        columns, found = self._ensemble(asked)
        return Ensemble(columns, self.name, found)

    def map(
        self,
        x: Any,
        y: Any,
        quantity: str = "verdict",
        *,
        outcome: Optional[str] = None,
        t_end: Optional[float] = None,
        scheme: Optional[Scheme] = None,
        step: Optional[float] = None,
        stop: Optional[str] = None,
        state: Optional[str] = None,
        contact: Optional[str] = None,
        levels: Sequence[float] = (),
        certified: Union[bool, int] = False,
        threads: Optional[int] = None,
        progress: Optional[Callable[[int, int], Any]] = None,
        set: Optional[Mapping[str, Value]] = None,
        **more: Value,
    ) -> Map:
        """A quantity of a state over two ranges, with the boundaries between its regions.

        Ranges are (name, lo, hi, points), with "log" after it for equal ratios. Quantities: `mechan.QUANTITIES`, or an expression.
        With `outcome` the motion from each point is followed to `t_end` (5 s if absent) or `stop`, and this expression of its end is
        mapped, such as "x", "first(jam)" or "count(impact, tip)"; NaN where the motion has no such number.

        With `certified` it is proven where each class holds, with at most so many boxes (a million, if it is True): see `Map.certified`.

        `progress` is told points that are done, and of how many, some times a second.

        >>> import mechan
        >>> pencil = mechan.model("falling_pencil")
        >>> pencil.map(("theta", 0.1, 1.4, 5), ("mu", 0.1, 3, 4), "p_plus", state="slipping").values.shape
        (4, 5)
        """
        asked = _map(x, y, quantity, state, contact, levels, threads, overrides(set, more))
        motions = dict(t_end=t_end, scheme=scheme, step=step, stop=stop)
        if outcome is None and (given := [name for name, value in motions.items() if value is not None]):
            raise UsageError(f"{given[0]} is one of motions: say which outcome of them is mapped, `outcome=..`")
        if outcome is not None and certified:
            raise UsageError("certified is for quantities of states, and outcome is one of motions")
        if certified:
            motions["certified"] = _BOXES if certified is True else int(certified)
        report, x_axis, y_axis, cells = self._map({**asked, "outcome": outcome, "progress": progress, **motions})
        return Map(report, x_axis, y_axis, cells, (quantity if outcome is None else outcome).strip())

    def converge(
        self,
        state: Optional[str] = None,
        *,
        t_end: Optional[float] = None,
        schemes: Union[None, str, Iterable[str]] = None,
        steps: Sequence[float] = (),
        scheme_theta: Optional[float] = None,
        scheme_gamma: Optional[float] = None,
        progress: Optional[Callable[[int, int], Any]] = None,
        set: Optional[Mapping[str, Value]] = None,
        **more: Value,
    ) -> Convergence:
        """Orders of accuracy and work of schemes on the motion from a state. `progress` is told how many runs are done, and of how many."""
        asked = dict(
            state=state,
            t_end=t_end,
            schemes=names(schemes),
            steps=list(steps),
            theta=scheme_theta,
            gamma=scheme_gamma,
            progress=progress,
            set=overrides(set, more),
        )
        return Convergence(self._converge(asked))

    def prove(
        self,
        claims: Union[None, str, Iterable[str]] = None,
        *,
        given: Union[str, Iterable[str]] = (),
        box: Optional[Mapping[str, Union[str, tuple[Value, Value]]]] = None,
        state: Optional[str] = None,
        boxes: Optional[int] = None,
        threads: Optional[int] = None,
        resume: Optional[Mapping[str, Any]] = None,
        set: Optional[Mapping[str, Value]] = None,
        **more: Value,
    ) -> Claims:
        """Claims about all states of a box, such as ``"no-paradox(tip)"``; those of the file if none are given.

        ``box`` has the ranges, ``{"theta": (0, "pi/2")}``, the file's domain without it; ``boxes`` is the number of parts after which
        a claim stays undecided. ``resume`` is the certificate of an earlier run of the same claim, which then goes on where that ended.
        """
        asked: dict[str, Any] = dict(
            claims=_texts(claims),
            resume=None if resume is None else json.dumps(resume),
            given=_texts(given),
            box=[f"{name}={_side(ends)}" for name, ends in (box or {}).items()],
            state=state,
            boxes=boxes,
            threads=threads,
            set=overrides(set, more),
        )
        return Claims(self._prove(asked))

    def next_step(
        self,
        state: str,
        h: float = 1e-3,
        *,
        model: Literal["dynamics", "quasi-static", "quasi-static-position"] = "dynamics",
        set: Optional[Mapping[str, Value]] = None,
        **more: Value,
    ) -> Problem:
        """The problem of the next time step of h seconds, to be solved by :func:`mechan.solve`."""
        return _step_again(self, state, h, overrides(set, more), model)

    def code(
        self, language: Literal["python", "sympy", "casadi", "c", "rust", "matlab", "julia"] = "python"
    ) -> str:
        """The equations as a function in another language."""
        return self._code(language)

    def sympy(self) -> SymPyEquations:
        """The equations as SymPy matrices, with their symbols.

        >>> import mechan
        >>> w = mechan.model("falling_pencil").sympy()
        >>> w.M[0, 0], w.q
        (m, [x, y, theta])
        """
        space: dict[str, Any] = {}
        exec(compile(self.code("sympy"), f"<{self.name} as SymPy>", "exec"), space)  # noqa: S102
        return SymPyEquations(self.name, space)

    def __reduce__(self) -> Any:
        return (_restore, (_PICKLE, _mechan.__version__, self.text()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.text() == other.text()

    def __hash__(self) -> int:
        return hash(self.text())

    def _repr_html_(self) -> str:
        from html import escape

        rows = [
            ("coordinates", ", ".join(self.coordinates)),
            ("contacts", ", ".join(self.contacts)),
            ("parameters", ", ".join(f"{k} = {v:.6g}" for k, v in self.parameters.items())),
            ("states", ", ".join(self.states)),
        ]
        body = "".join(f"<tr><th>{k}</th><td style='text-align:left'>{escape(v)}</td></tr>" for k, v in rows)
        return f"<b>{escape(self.title or self.name)}</b><p>{escape(self.description or '')}</p><table>{body}</table>"


class SymPyEquations(Mapping[str, Any]):
    """M v' + h = W_N^T lambda_N + W_T^T lambda_T as SymPy matrices, by the names of generated code: `M`, `h`, `gap`, `W_N`, `T`, `V`, ..

    `t`, `q`, `v` and `p` are the symbols; `parameter_values` are the parameters' values, for `subs`.
    """

    def __init__(self, name: str, space: dict[str, Any]) -> None:
        self.t, self.q, self.v, self.p = (space[symbol] for symbol in ("t", "q", "v", "p"))
        self._blocks: dict[str, Any] = space[f"{name}_equations"]()
        self._function = space[f"{name}_equations"]
        self.parameter_values: dict[Any, Any] = dict(zip(self.p, space[f"{name}_parameters"]()))

    def __getitem__(self, block: str) -> Any:
        return self._blocks[block]

    def __getattr__(self, block: str) -> Any:
        try:
            return self.__dict__["_blocks"][block]
        except KeyError:
            raise AttributeError(f"there is no block {block!r}; blocks are {', '.join(self.__dict__.get('_blocks', ()))}") from None

    def __call__(self, **changed: Any) -> dict[str, Any]:
        """The blocks with other expressions for t, q, v or p."""
        return self._function(**changed)

    def __iter__(self) -> Any:
        return iter(self._blocks)

    def __len__(self) -> int:
        return len(self._blocks)

    def __repr__(self) -> str:
        return f"<SymPyEquations {', '.join(self._blocks)}>"


def _motion(
    state: Optional[str], t_end: float, future: Names, set: Optional[Mapping[str, Value]], more: Mapping[str, Value]
) -> dict[str, Any]:
    return {"state": state, "t_end": t_end, "future": names(future), "set": overrides(set, more)}


def _conditions(q: Any, v: Any, set: Any) -> list[dict[str, Any]]:
    """What differs from run to run, as arguments of `simulate`."""
    each: dict[str, list[Any]] = {}
    every: dict[str, Any] = {}
    for name, rows in (("q", q), ("v", v)):
        if rows is None:
            continue
        array = np.asarray(rows, dtype=float)
        if array.ndim == 2:
            each[name] = list(array)
        elif array.ndim == 1:
            every[name] = array
        else:
            raise UsageError(f"{name} has shape {array.shape}, expected (runs, coordinates)")
    if isinstance(set, Mapping) or set is None:
        every["set"] = set
    else:
        each["set"] = list(set)
    lengths = {name: len(rows) for name, rows in each.items()}
    if not lengths:
        raise UsageError("nothing differs between runs: give rows of q or v, or a list of what is set")
    if len(builtins.set(lengths.values())) > 1:
        raise UsageError(f"there are {' and '.join(f'{n} of {name}' for name, n in lengths.items())}, expected as many of each")
    return [{**every, **dict(zip(each, row))} for row in zip(*each.values())]


def _times(stepper: Stepper, t_end: float, samples: Optional[int], t_eval: Any) -> Any:
    """Sample times of a controlled motion; none where every step of the scheme is one."""
    if t_eval is not None or (samples is None and stepper.step is not None):
        return t_eval
    return np.linspace(stepper.t, t_end, 200 if samples is None else samples)


def _from_event_to_event(what: str, more: Mapping[str, Any]) -> None:
    """That no option of another scheme is taken for a parameter."""
    taken = sorted({"scheme", "step", "scheme_theta", "scheme_gamma", "eps", "stop"} & builtins.set(more))
    if taken:
        raise UsageError(f"{what} from event to event: there is no {taken[0]}")


def _ensemble(motion: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**motion, **more, "random": ranges("random", more["random"], False), "grid": ranges("grid", more["grid"], True)}


#: Parts of a map's area that are looked at to prove its regions, unless a number is given.
_BOXES = 1_000_000


def _map(
    x: Any, y: Any, quantity: str, state: Any, contact: Any, levels: Any, threads: Any, set: list[str]
) -> dict[str, Any]:
    return dict(
        x=axis("x", x), y=axis("y", y), quantity=quantity, state=state, contact=contact, levels=list(levels), threads=threads, set=set
    )


def _restore(schema: str, version: str, text: str) -> Model:
    """A model from its pickle."""
    _check_pickle(schema, version)
    return Model(Model.read("<pickle>", text))


def _mechanism_again(schema: str, version: str, text: str) -> Mechanism:
    """A mechanism from its pickle."""
    _check_pickle(schema, version)
    return Mechanism(_mechan.load_text("<pickle>", text))


def _evaluation_again(*kept: Any) -> _mechan.Evaluation:
    """An evaluation from its pickle."""
    return _mechan.Evaluation.again(kept)


def _check_pickle(schema: str, version: str) -> None:
    if schema != _PICKLE or version != _mechan.__version__:
        message = (
            f"this is a pickle of mechan {version} ({schema}), and this is mechan {_mechan.__version__} ({_PICKLE}): "
            "a model file (`model.save`) is read by every version that knows its format"
        )
        raise _again(VersionError, message, "version", ())


def load(source: Union[Path_, str]) -> Mechanism:
    """Reads a mechanism: a path, a name of the library, or the text of a mechanism (anything with a line break in it).

    >>> import mechan
    >>> mechan.load("bouncing_ball").states[0]
    'dropped'
    """
    name = os.fspath(source)
    if "\n" in name:
        return Mechanism(_mechan.load_text("<text>", name))
    return Mechanism(_mechan.load(name))


def model(source: Union[Path_, str]) -> Model:
    """The same with its equations: `load(source).derive()`."""
    return load(source).derive()


def library() -> dict[str, str]:
    """The mechanisms that travel along, with their titles; they need no derivation."""
    return {name: title for name, _, title in _mechan.library()}
