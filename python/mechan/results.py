"""Answers: dataclasses of what the program prints as JSON. `to_dict()` is that JSON; `_repr_html_` is the report in a notebook."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Optional

import numpy as np

from .table import Kept, Table, same

__all__ = [
    "Analysis",
    "Claim",
    "Claims",
    "Contact",
    "Convergence",
    "CriticalFriction",
    "Cycle",
    "Ensemble",
    "Event",
    "Force",
    "Futures",
    "Impact",
    "Map",
    "Mode",
    "Phase",
    "Solution",
    "StateAnalysis",
    "StateFault",
    "Study",
    "StudyRun",
    "Trajectories",
    "Trajectory",
]


def number(value: Any) -> float:
    """A number of the JSON: null is not defined, infinities are words."""
    return float("nan") if value is None else float(value)


def numbers(values: Any) -> np.ndarray:
    """A list of them, or a list of lists."""
    if values is None:
        return np.empty(0)

    def plain(value: Any) -> Any:
        return [plain(x) for x in value] if isinstance(value, list) else number(value)

    return np.array(plain(values), dtype=float)


class _Answer:
    """An answer with its report."""

    _report: Any
    _json: Optional[str] = None

    def to_json(self) -> str:
        """As the command line prints it with `--format json`."""
        if self._json is None:
            self._json = self._report.json()
        return self._json

    def to_dict(self) -> dict[str, Any]:
        """The same as a dictionary."""
        return json.loads(self.to_json())

    def to_text(self) -> str:
        """The report as text."""
        return self._report.text()

    def to_html(self) -> str:
        """The report with its pictures, as a part of a page."""
        return self._report.html()

    def _repr_html_(self) -> str:
        return self.to_html()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented

        def said(answer: Any) -> dict[str, Any]:
            # the report is made of the rest, with times
            return {name: value for name, value in vars(answer).items() if name not in ("_report", "_json", "_core")}

        return self is other or same(said(self), said(other))

    # answers hold arrays and dictionaries
    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        report = state.pop("_report", None)
        if report is not None and not isinstance(report, _Kept):
            report = _Kept(self.to_json(), report.text(), report.html())
        return {**state, "_report": report}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


class _Kept:
    """A report that was pickled."""

    def __init__(self, json: str, text: str, html: str) -> None:
        self._parts = (json, text, html)

    def json(self) -> str:
        return self._parts[0]

    def text(self) -> str:
        return self._parts[1]

    def html(self) -> str:
        return self._parts[2]


class _Valued:
    """A dataclass whose arrays are compared number by number."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [entry.name for entry in fields(self) if entry.compare]  # type: ignore[arg-type]
        return self is other or all(same(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]


class _Part(_Valued):
    """A part of an answer."""

    def to_dict(self) -> dict[str, Any]:
        """As it stands in the JSON."""
        return copy.deepcopy(self._raw)  # type: ignore[attr-defined]


def _raw() -> Any:
    return field(repr=False, compare=False)


@dataclass(frozen=True, eq=False)
class Force(_Part):
    """The force of a contact: normal, and along its tangents."""

    N: float
    T: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Mode(_Part):
    """A mode of the closed contacts, and whether the contact laws hold in it."""

    mode: Mapping[str, str]
    consistent: bool
    marginal: bool
    normal_stability: Optional[str]
    forces: Mapping[str, Force]
    reason: Optional[str]
    _raw: dict[str, Any] = _raw()

    def __repr__(self) -> str:
        words = ", ".join(f"{name} {word}" for name, word in self.mode.items())
        return f"<Mode {words or 'free'}: {'consistent' if self.consistent else self.reason or 'not consistent'}>"


@dataclass(frozen=True, eq=False, repr=False)
class Contact(_Part):
    """A contact at a state. Of contacts in the plane A, B, a, p_plus.. are numbers; in space A is 2x2, B and a have 2 entries."""

    gap: float
    gap_rate: float
    slip: np.ndarray
    friction: float
    W_N: np.ndarray
    W_T: np.ndarray
    A: Any
    B: Any
    C: float
    a: Any
    b: float
    p_plus: float
    p_minus: float
    k_plus: float
    k_minus: float
    p_slip: float
    mu_min: float
    _raw: dict[str, Any] = _raw()

    def __repr__(self) -> str:
        return f"<Contact: gap {self.gap:.6g}, gap rate {self.gap_rate:.6g}, slip {np.round(self.slip, 6)}, friction {self.friction:.6g}>"


@dataclass(frozen=True, eq=False, repr=False)
class Impact(_Part):
    """What an impact does at a contact, and whether one can happen without collision."""

    law: str
    restitution: float
    pre: Optional[Mapping[str, Any]]
    post: Optional[Mapping[str, Any]]
    impulse: Optional[Mapping[str, Any]]
    energy_loss: float
    region: Optional[str]
    iwc_possible: Optional[bool]
    effective_restitution: float
    _raw: dict[str, Any] = _raw()

    def __repr__(self) -> str:
        return f"<Impact by {self.law}'s law, restitution {self.restitution:.6g}: energy loss {self.energy_loss:.6g}>"


@dataclass(frozen=True, eq=False)
class CriticalFriction(_Part):
    """The least friction over the domain at which a paradox exists."""

    mu: float
    at: Optional[Mapping[str, float]]
    slip: Optional[str]
    certified_lower: float
    complete: bool
    _raw: dict[str, Any] = _raw()


@dataclass(frozen=True, eq=False)
class StateFault(_Part):
    """Why a state could not be analysed."""

    state: str
    code: str
    message: str
    _raw: dict[str, Any] = _raw()


@dataclass(frozen=True, eq=False, repr=False)
class StateAnalysis(_Part):
    """Everything that is said about a state."""

    state: str
    t: float
    q: Mapping[str, float]
    v: Mapping[str, float]
    parameters: Mapping[str, float]
    closed: tuple[str, ...]
    M: np.ndarray
    h: np.ndarray
    contacts: Mapping[str, Contact]
    delassus: np.ndarray
    modes: tuple[Mode, ...]
    verdict: Optional[str]
    resolved: tuple[str, ...]
    impact: Mapping[str, Impact]
    warnings: tuple[str, ...]
    _raw: dict[str, Any] = _raw()

    def __repr__(self) -> str:
        return f"<StateAnalysis of {self.state}: {self.verdict}, closed {', '.join(self.closed) or 'nothing'}>"


def _plain(value: Any) -> Any:
    """A number, or an array of them."""
    return numbers(value) if isinstance(value, list) else number(value)


def _mode(raw: dict[str, Any]) -> Mode:
    forces = {name: Force(number(f.get("N")), numbers(f.get("T"))) for name, f in (raw.get("forces") or {}).items()}
    return Mode(
        raw["mode"], raw["consistent"], raw.get("marginal", False), raw.get("normal_stability"), forces, raw.get("reason"), raw
    )


def _contact(raw: dict[str, Any]) -> Contact:
    single = ("C", "b", "p_plus", "p_minus", "k_plus", "k_minus", "p_slip", "mu_min", "gap", "gap_rate", "friction")
    fields: dict[str, Any] = {name: number(raw.get(name)) for name in single}
    fields.update({name: numbers(raw.get(name)) for name in ("slip", "W_N", "W_T")})
    fields.update({name: _plain(raw.get(name)) for name in ("A", "B", "a")})
    return Contact(**fields, _raw=raw)


def _impact(raw: dict[str, Any]) -> Impact:
    return Impact(
        raw["law"],
        number(raw["restitution"]),
        raw.get("pre"),
        raw.get("post"),
        raw.get("impulse"),
        number(raw.get("energy_loss")),
        raw.get("region"),
        raw.get("iwc_possible"),
        number(raw.get("effective_restitution")),
        raw,
    )


def _state(raw: dict[str, Any]) -> StateAnalysis:
    return StateAnalysis(
        raw["state"],
        number(raw["t"]),
        raw["q"],
        raw["v"],
        raw["parameters"],
        tuple(raw["closed"]),
        numbers(raw["model"]["M"]),
        numbers(raw["model"]["h"]),
        {name: _contact(c) for name, c in raw["contacts"].items()},
        numbers(raw.get("delassus")),
        tuple(_mode(m) for m in raw.get("modes") or ()),
        raw.get("verdict"),
        tuple(raw.get("resolved") or ()),
        {name: _impact(i) for name, i in (raw.get("impact") or {}).items()},
        tuple(raw.get("warnings") or ()),
        raw,
    )


class Analysis(_Answer, Mapping[str, StateAnalysis]):
    """What rigid-body mechanics says about the states of a mechanism: a mapping from their names.

    States that could not be analysed stand in `faults`.
    """

    def __init__(self, report: Any) -> None:
        self._report = report
        data = self.to_dict()
        self.mechanism: str = data["mechanism"]
        self.space: str = data["space"]
        self.faults: dict[str, StateFault] = {}
        self._states: dict[str, StateAnalysis] = {}
        for raw in data["states"]:
            if "error" in raw:
                error = raw["error"]
                self.faults[raw["state"]] = StateFault(raw["state"], error["code"], error["message"], raw)
            else:
                self._states[raw["state"]] = _state(raw)
        self.critical_friction: dict[str, CriticalFriction] = {
            name: CriticalFriction(
                number(c.get("mu")), c.get("at"), c.get("slip"), number(c.get("certified_lower")), c.get("complete", False), c
            )
            for name, c in (data.get("critical_friction") or {}).items()
        }

    def __getitem__(self, state: str) -> StateAnalysis:
        if state in self.faults:
            from .errors import InputError, _again

            fault = self.faults[state]
            raise _again(InputError, f"state {state} could not be analysed: {fault.message} [{fault.code}]", fault.code, ())
        try:
            return self._states[state]
        except KeyError:
            raise KeyError(f"there is no state {state!r} here; states are {', '.join(self._states)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    @property
    def only(self) -> StateAnalysis:
        """The one state that was asked about."""
        asked = [*self._states, *self.faults]
        if len(asked) != 1:
            raise ValueError(f"{len(asked)} states were asked about: take one, as in analysis[{asked[0] if asked else ''!r}]")
        return self[asked[0]]

    @property
    def verdict(self) -> Optional[str]:
        """`consistent`, `inconsistent`, .. of the one state that was asked about."""
        return self.only.verdict

    def __repr__(self) -> str:
        words = [f"{name}: {state.verdict}" for name, state in self._states.items()]
        words += [f"{name}: error {fault.code}" for name, fault in self.faults.items()]
        return f"<Analysis of {self.mechanism}: {', '.join(words)}>"


@dataclass(frozen=True, eq=False, repr=False)
class Event(_Part):
    """What happened in a motion; q and v are those after it."""

    t: float
    kind: str
    contact: Optional[str]
    q: Mapping[str, float]
    v: Mapping[str, float]
    detail: Mapping[str, Any]
    _raw: dict[str, Any] = _raw()

    def __repr__(self) -> str:
        return f"<Event {self.kind}{f' at {self.contact}' if self.contact else ''}, t = {self.t:.6g}>"


def _event(raw: dict[str, Any]) -> Event:
    return Event(
        number(raw["t"]), raw["kind"], raw.get("contact"), raw.get("q") or {}, raw.get("v") or {}, raw.get("detail") or {}, raw
    )


def _events(text: str) -> tuple[Event, ...]:
    """Called by the compiled part."""
    return tuple(_event(raw) for raw in json.loads(text))


@dataclass(frozen=True, eq=False, repr=False)
class Phase(_Part):
    """What the contacts did between two times."""

    t0: float
    t1: float
    mode: Mapping[str, str]
    _raw: dict[str, Any] = _raw()

    def __repr__(self) -> str:
        words = ", ".join(f"{name} {word}" for name, word in self.mode.items())
        return f"<Phase {self.t0:.6g} to {self.t1:.6g}: {words or 'free'}>"


class _Sampled(_Answer):
    """An answer with samples of a motion, as a table."""

    def _begin(
        self, report: Any, columns: list[str], rows: np.ndarray, units: Optional[Mapping[str, str]]
    ) -> dict[str, Any]:
        """What both kinds have; the JSON, which is read once."""
        self._report = report
        #: The units of the columns, as far as the mechanism's file says them.
        self.units: dict[str, str] = dict(units or {})
        #: Samples, one row for each time; contiguous.
        self.rows = rows
        #: Names of the columns of `rows`.
        self.columns: tuple[str, ...] = tuple(columns)
        data = self.to_dict()
        self.mechanism: str = data["mechanism"]
        self.state: str = data["state"]
        return data

    @property
    def table(self) -> Table:
        """The samples as named columns."""
        return Table({name: self.rows[:, k] for k, name in enumerate(self.columns)})

    def __getitem__(self, column: str) -> np.ndarray:
        """A column of the samples."""
        return self.table[column]

    @property
    def t(self) -> np.ndarray:
        """The times of the samples."""
        return self.rows[:, 0]

    def to_pandas(self) -> Any:
        """The samples as a `pandas.DataFrame` over t; units stand in `attrs["units"]`."""
        found = self.table.to_pandas().set_index("t")
        found.attrs["units"] = self.units
        return found

    def to_xarray(self) -> Any:
        """The samples as an `xarray.Dataset` over t, with units as attributes."""
        import xarray

        units = self.units
        variables = {name: ("t", self[name], _unit(units, name)) for name in self.columns[1:]}
        return xarray.Dataset(variables, coords={"t": ("t", self.t, _unit(units, "t"))}, attrs={"mechanism": self.mechanism})

    def __arrow_c_stream__(self, requested_schema: Optional[Any] = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def _unit(units: Mapping[str, str], name: str) -> dict[str, str]:
    return {"units": units[name]} if name in units else {}


class Trajectory(_Sampled):
    """A motion: how it ended, what happened on the way, and samples as a table."""

    def __init__(
        self, report: Any, columns: list[str], rows: np.ndarray, units: Optional[Mapping[str, str]] = None
    ) -> None:
        data = self._begin(report, columns, rows, units)
        self.scheme: str = data["scheme"]
        self.status: str = data["status"]
        self.reason: Optional[str] = data.get("reason")
        self.events: tuple[Event, ...] = tuple(
            _event(e) for e in data["events"]
        )
        self.phases: tuple[Phase, ...] = tuple(
            Phase(number(p["t0"]), number(p["t1"]), p["mode"], p) for p in data["phases"]
        )
        self.energy: dict[str, float] = {name: number(x) for name, x in data["energy"].items()}
        self.drift: dict[str, float] = {name: number(x) for name, x in data["drift"].items()}
        self.warnings: tuple[str, ...] = tuple(data.get("warnings") or ())

    def __repr__(self) -> str:
        return f"<Trajectory of {self.mechanism} from {self.state}: {self.status} at t = {self.rows[-1, 0] if len(self.rows) else 0:.6g}, {len(self.events)} events>"


class Trajectories:
    """Motions from many conditions, with samples at the same times. `found[k]` is a :class:`Trajectory`, `found["x"]` the samples of a column: one
    row for each run, NaN after its end."""

    def __init__(self, motions: Sequence[Trajectory]) -> None:
        self.motions = tuple(motions)
        self.columns: tuple[str, ...] = self.motions[0].columns if self.motions else ()
        #: The times of the samples.
        self.t: np.ndarray = max((motion.t for motion in self.motions), key=len, default=np.empty(0))
        self._rows: Optional[np.ndarray] = None

    @property
    def rows(self) -> np.ndarray:
        """All samples, (runs, times, columns)."""
        if self._rows is None:
            found = np.full((len(self.motions), len(self.t), len(self.columns)), np.nan)
            for k, motion in enumerate(self.motions):
                # a motion that ended early has its end beside the samples
                kept = np.searchsorted(motion.t, self.t)
                inside = kept < len(motion.t)
                inside[inside] = motion.t[kept[inside]] == self.t[inside]
                found[k, inside] = motion.rows[kept[inside]]
            self._rows = found
        return self._rows

    @property
    def statuses(self) -> tuple[str, ...]:
        """How each motion ended."""
        return tuple(motion.status for motion in self.motions)

    @property
    def table(self) -> Table:
        """A row for each sample of each run, those after the end of a motion left out."""
        rows = [motion.rows for motion in self.motions]
        run = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
        every = np.concatenate(rows) if rows else np.empty((0, len(self.columns)))
        return Table({"run": run, **{name: every[:, k] for k, name in enumerate(self.columns)}})

    def to_pandas(self) -> Any:
        """As a `pandas.DataFrame` over run and t."""
        return self.table.to_pandas().set_index(["run", "t"])

    def to_xarray(self) -> Any:
        """As an `xarray.Dataset` over run and t, with units as attributes."""
        import xarray

        units = self.motions[0].units if self.motions else {}
        variables = {name: (("run", "t"), self[name], _unit(units, name)) for name in self.columns[1:]}
        return xarray.Dataset(variables, coords={"t": ("t", self.t, _unit(units, "t")), "status": ("run", list(self.statuses))})

    def __getitem__(self, which: Any) -> Any:
        if not isinstance(which, str):
            return self.motions[which]
        if which not in self.columns:
            raise KeyError(f"there is no column {which!r}; columns are {', '.join(self.columns)}")
        return self.rows[:, :, self.columns.index(which)]

    def __iter__(self) -> Iterator[Trajectory]:
        return iter(self.motions)

    def __len__(self) -> int:
        return len(self.motions)

    def __arrow_c_stream__(self, requested_schema: Optional[Any] = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        name = self.motions[0].mechanism if self.motions else "nothing"
        return f"<Trajectories of {name}: {len(self)} runs, {len(self.t)} times>"


class Cycle(_Sampled):
    """A periodic motion, with samples of one period, and what becomes of disturbances of it."""

    def __init__(
        self, report: Any, columns: list[str], rows: np.ndarray, units: Optional[Mapping[str, str]] = None
    ) -> None:
        data = self._begin(report, columns, rows, units)
        #: Time of a period, s, and returns to the section (or to its images) in it.
        self.period: float = number(data["period"])
        self.returns: int = data["returns"]
        #: Whether a period is a step: the motion is periodic modulo the symmetry.
        self.step: bool = data.get("step", False)
        #: Coordinates and velocities on the section.
        self.q: dict[str, float] = {name: number(x) for name, x in data["q"].items()}
        self.v: dict[str, float] = {name: number(x) for name, x in data["v"].items()}
        #: Eigenvalues of the derivative of the map of one period, by falling modulus.
        self.multipliers = np.array([complex(number(re), number(im)) for re, im in data["multipliers"]], dtype=complex)
        #: How far the return misses, relative to the sizes of the numbers, and Newton steps.
        self.residual: float = number(data["residual"])
        self.iterations: int = data["iterations"]
        self.events: tuple[Event, ...] = tuple(_event(e) for e in data["trajectory"]["events"])

    @property
    def attracting(self) -> bool:
        """Whether all disturbances that contacts and constraints allow die out."""
        return bool(np.all(np.abs(self.multipliers) < 1))

    def __repr__(self) -> str:
        largest = abs(self.multipliers[0]) if len(self.multipliers) else 0.0
        return f"<Cycle of {self.mechanism} near {self.state}: period {self.period:.6g} s, largest multiplier {largest:.6g}>"


class Futures(_Answer):
    """Every motion that may follow a state, as a tree."""

    def __init__(self, report: Any) -> None:
        self._report = report
        data = self.to_dict()
        self.complete: bool = data["complete"]
        self.nodes: list[dict[str, Any]] = data["nodes"]

    def __repr__(self) -> str:
        return f"<Futures: {len(self.nodes)} motions{'' if self.complete else ', not all'}>"


def _plain_name(name: str) -> str:
    return name[: -len(".start")] if name.endswith(".start") else name


class Ensemble:
    """Many motions, one row each. Coordinates and velocities are those at the end; where one varies, `NAME.start` is what it began with."""

    def __init__(self, columns: Mapping[str, Kept], mechanism: str, state: str) -> None:
        #: One row for each run.
        self.table = Table(columns)
        self.mechanism = mechanism
        self.state = state

    def __getitem__(self, column: str) -> np.ndarray:
        return self.table[column]

    def __len__(self) -> int:
        return self.table.rows

    def __eq__(self, other: object) -> bool:
        return same(vars(self), vars(other)) if isinstance(other, Ensemble) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    @property
    def statuses(self) -> dict[str, int]:
        """How many runs ended how."""
        codes, words = self.table.codes("status")
        return {word: int(n) for word, n in sorted(zip(words, np.bincount(codes, minlength=len(words))))}

    def to_dict(self) -> dict[str, Any]:
        """As the command line prints it with `--format json`."""

        def plain(value: Any) -> Any:
            if isinstance(value, (str, int)):
                return value
            value = float(value)
            if np.isnan(value):
                return None
            return value + 0.0 if np.isfinite(value) else ("inf" if value > 0 else "-inf")

        columns = [self.table[name].tolist() for name in self.table]
        return {
            "schema": "mechan.ensemble/1",
            "mechanism": self.mechanism,
            "state": self.state,
            "columns": [_plain_name(name) for name in self.table],
            "rows": [[plain(x) for x in row] for row in zip(*columns)],
        }

    def to_pandas(self) -> Any:
        """A row for each run, as a `pandas.DataFrame`; words are categories."""
        return self.table.to_pandas()

    def to_xarray(self) -> Any:
        """The columns over runs, as an `xarray.Dataset`."""
        import xarray

        return xarray.Dataset({name: ("run", self[name]) for name in self.table if name != "run"}, coords={"run": self["run"]})

    def __arrow_c_stream__(self, requested_schema: Optional[Any] = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        ended = ", ".join(f"{n} {word}" for word, n in self.statuses.items())
        return f"<Ensemble of {self.mechanism} from {self.state}: {len(self)} runs, {ended}>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


class Map(_Answer):
    """A quantity over two ranges. `values[i, k]` belongs to `y[i]` and `x[k]`."""

    def __init__(self, report: Any, x: tuple[str, np.ndarray], y: tuple[str, np.ndarray], cells: Kept, quantity: str) -> None:
        self._report = report
        self.quantity = quantity
        (self.x_name, self.x), (self.y_name, self.y) = x, y
        self._cells = cells

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of values of y and of x."""
        return len(self.y), len(self.x)

    @property
    def values(self) -> np.ndarray:
        """Numbers (NaN: not defined), or words as objects (None: nothing)."""
        return Table({"": self._cells})[""].reshape(self.shape)

    def codes(self) -> tuple[np.ndarray, list[str]]:
        """Words as places in a list (-1: nothing)."""
        if not isinstance(self._cells, tuple):
            raise TypeError(f"{self.quantity} has numbers, not words")
        return self._cells[0].reshape(self.shape), self._cells[1]

    @property
    def boundaries(self) -> list[dict[str, Any]]:
        """Lines between regions: dictionaries with `level` and `lines` of points (x, y)."""
        return self.to_dict()["boundaries"]

    @property
    def certified(self) -> Optional[dict[str, Any]]:
        """What is proven, if it was asked for: `regions` with `claim`, `area` (share) and `certificate`, and the `undecided` share."""
        return self.to_dict().get("certified")

    @property
    def table(self) -> Table:
        """A row for each point."""
        return Table(
            {
                self.x_name: np.tile(self.x, len(self.y)),
                self.y_name: np.repeat(self.y, len(self.x)),
                self.quantity: self._cells,
            }
        )

    def to_pandas(self) -> Any:
        """A row for each point, as a `pandas.DataFrame`."""
        return self.table.to_pandas()

    def to_xarray(self) -> Any:
        """As an `xarray.DataArray`."""
        import xarray

        return xarray.DataArray(
            self.values, coords={self.y_name: self.y, self.x_name: self.x}, dims=(self.y_name, self.x_name), name=self.quantity
        )

    def __arrow_c_stream__(self, requested_schema: Optional[Any] = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<Map of {self.quantity}: {len(self.x)} values of {self.x_name}, {len(self.y)} of {self.y_name}>"


@dataclass(frozen=True, eq=False)
class StudyRun(_Part):
    """A run of a scheme: its step, errors of q and v, evaluations."""

    h: float
    q: Mapping[str, float]
    v: Mapping[str, float]
    evaluations: int
    _raw: dict[str, Any] = _raw()


@dataclass(frozen=True, eq=False)
class Study(_Part):
    """A scheme: its order in theory, its runs, and the slopes that were found."""

    scheme: str
    order: int
    runs: tuple[StudyRun, ...]
    slopes: Mapping[str, Any]
    _raw: dict[str, Any] = _raw()


@dataclass(frozen=True)
class Claim:
    """A claim about all states of a box, with its answer."""

    claim: str
    answer: str
    #: A state at which it fails: exact numbers as texts, or the ends of a range in which there is one.
    counterexample: Optional[dict[str, Any]]
    undecided_share: float
    #: What `mechan-check` reads; none where the equations have operations that it does not know.
    certificate: Optional[dict[str, Any]]
    #: Everything that is told of it.
    data: dict[str, Any] = field(repr=False)

    def __bool__(self) -> bool:
        return self.answer == "proven"


class Claims(_Answer):
    """Claims about all states, in the order in which they were given; true if all are proven."""

    def __init__(self, report: Any) -> None:
        self._report = report
        data = self.to_dict()
        self.mechanism: str = data["mechanism"]
        keys = ("claim", "answer", "counterexample")
        self.claims: tuple[Claim, ...] = tuple(
            Claim(*(c[k] for k in keys), number(c["undecided_share"]), c["certificate"], c) for c in data["claims"]
        )

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

    def __getitem__(self, i: int) -> Claim:
        return self.claims[i]

    def __bool__(self) -> bool:
        return all(self.claims)


class Convergence(_Answer):
    """Orders of accuracy of schemes on a motion."""

    def __init__(self, report: Any) -> None:
        self._report = report
        data = self.to_dict()
        self.mechanism: str = data["mechanism"]
        self.state: str = data["state"]
        self.t_end: float = number(data["t_end"])
        self.reference: dict[str, Any] = data["reference"]
        self.warnings: tuple[str, ...] = tuple(data.get("warnings") or ())

        def run(r: dict[str, Any]) -> StudyRun:
            errors = [{norm: number(x) for norm, x in r[of].items()} for of in ("q", "v")]
            return StudyRun(number(r["h"]), errors[0], errors[1], r["evaluations"], r)

        self.studies: dict[str, Study] = {
            s["scheme"]: Study(s["scheme"], s["order"], tuple(run(r) for r in s["runs"]), s["slopes"], s)
            for s in data["studies"]
        }

    @property
    def table(self) -> Table:
        """A row for each run."""
        rows = [(name, r) for name, study in self.studies.items() for r in study.runs]
        names = list(self.studies)
        columns: dict[str, Kept] = {
            "scheme": (np.array([names.index(name) for name, _ in rows], dtype=np.int8), names),
            "h": np.array([r.h for _, r in rows], dtype=float),
            "evaluations": np.array([r.evaluations for _, r in rows], dtype=np.int64),
        }
        for of in ("q", "v"):
            for norm in ("hausdorff", "l1", "l2", "uniform"):
                columns[f"{of}.{norm}"] = np.array([getattr(r, of)[norm] for _, r in rows], dtype=float)
        return Table(columns)

    def to_pandas(self) -> Any:
        """A row for each run of a scheme, as a `pandas.DataFrame`."""
        return self.table.to_pandas()

    def __arrow_c_stream__(self, requested_schema: Optional[Any] = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<Convergence on {self.mechanism} from {self.state}: {', '.join(self.studies)}>"


class Solution(_Answer):
    """The solution of an incremental problem, and what is proven about it."""

    def __init__(self, report: Any) -> None:
        self._report = report
        data = self.to_dict()
        self.status: str = data["status"]
        self.solver: str = data["solver"]
        self.iterations: int = data["iterations"]
        self.residual: float = number(data["residual"])
        self.u, self.v, self.r = numbers(data["u"]), numbers(data["v"]), numbers(data["r"])
        self.contacts: tuple[str, ...] = tuple(data["contacts"])
        self.existence: dict[str, Any] = data["existence"]
        self.solutions: Optional[list[dict[str, Any]]] = data.get("solutions")
        self.complete: Optional[bool] = data.get("complete")
        self.warnings: tuple[str, ...] = tuple(data.get("warnings") or ())

    @property
    def solved(self) -> bool:
        """Whether the solution reaches the tolerance."""
        return self.status == "solved"

    @property
    def table(self) -> Table:
        """A row for each contact: its velocity u, its impulse r, normal first, and what it does."""
        count = len(self.contacts)
        rows = {name: x.reshape(count, -1) for name, x in (("u", self.u), ("r", self.r))} if count else {}
        parts = ("N", "T") if count and rows["r"].shape[1] == 2 else ("N", "T1", "T2")
        columns: dict[str, Kept] = {"contact": np.arange(count)}
        columns.update({f"{name}.{part}": x[:, k].copy() for name, x in rows.items() for k, part in enumerate(parts)})
        words = sorted({*self.contacts})
        columns["status"] = (np.array([words.index(word) for word in self.contacts], dtype=np.int8), words)
        return Table(columns)

    def to_pandas(self) -> Any:
        """A row for each contact, as a `pandas.DataFrame`."""
        return self.table.to_pandas()

    def __repr__(self) -> str:
        return f"<Solution: {self.status} by {self.solver}, residual {self.residual:.2g}, {len(self.contacts)} contacts>"
