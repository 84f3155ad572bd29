"""Sweeps on many workers: maps, ensembles and analyses in pieces on any `distributed.Client`.

Results are a folder of Parquet parts. What is in it at any moment is whole: a part appears complete or not at all, a sweep that is begun
again goes on where it ended, and a worker that is killed costs the pieces that it was at, no others. Each part is known by the hash of
when it was made: one whose bytes have changed since is computed again. The parts are the same bits whatever
the number of workers, also with none (`client=None`: in this process).

The model travels as plain data in the folder, which all workers have to see; they need no Symbolica.
"""

from __future__ import annotations

import builtins
import hashlib
import itertools
import json
import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from . import _mechan
from ._asking import Value, overrides
from .errors import InputError, NumericsError, UnwritableError, UsageError, _again
from ._model import Model, Names, Scheme, _ensemble, _map, _motion
from .results import StateAnalysis
from .table import Kept, Table

__all__ = ["Dataset", "ensemble", "map", "sweep"]

SCHEMA = "mechan.dataset/1"
#: How long a lost scheduler may take to come back, and between two looks at what is done, s.
_PATIENCE, _PAUSE = 10.0, 0.02
_QUESTION, _MODEL, _MANIFEST, _BOUNDARIES = "question.json", "model.json", "manifest.json", "boundaries.json"
Folder = Union[str, "os.PathLike[str]"]


class Dataset:
    """A folder of Parquet parts with its question; complete once it has a manifest."""

    def __init__(self, folder: Folder) -> None:
        self.folder = Path(folder)
        try:
            self.question: dict[str, Any] = json.loads((self.folder / _QUESTION).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise _again(InputError, f"{self.folder} is no data set of mechan: {error}", "dataset", ()) from None

    @property
    def manifest(self) -> Optional[dict[str, Any]]:
        """What it holds, part by part; nothing as long as it is not complete."""
        path = self.folder / _MANIFEST
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    @property
    def files(self) -> list[Path]:
        """The parts that are there, in order."""
        return sorted(self.folder.glob("part-*.parquet"))

    @property
    def rows(self) -> int:
        """Rows that are there."""
        import pyarrow.parquet as parquet

        return sum(parquet.read_metadata(path).num_rows for path in self.files)

    def batches(self, columns: Optional[Sequence[str]] = None) -> Iterator[Any]:
        """The rows in order and in pieces, as `pyarrow.RecordBatch`: never all of them in memory."""
        import pyarrow.parquet as parquet

        for path in self.files:
            with parquet.ParquetFile(path) as file:
                yield from file.iter_batches(columns=None if columns is None else list(columns))

    def to_arrow(self, columns: Optional[Sequence[str]] = None) -> Any:
        """All rows as a `pyarrow.Table`."""
        import pyarrow
        import pyarrow.parquet as parquet

        read = [parquet.read_table(path, columns=None if columns is None else list(columns)) for path in self.files]
        return pyarrow.concat_tables([_plain(table) for table in read])

    def to_pandas(self) -> Any:
        """All rows as a `pandas.DataFrame`."""
        return self.to_arrow().to_pandas()

    def to_dask(self) -> Any:
        """As a `dask.dataframe`, a partition for each part."""
        import dask.dataframe

        return dask.dataframe.read_parquet([os.fspath(path) for path in self.files])

    def values(self) -> np.ndarray:
        """The values of a map: `values[i, k]` belongs to the i-th value of y and the k-th of x."""
        if self.question["kind"] != "map":
            raise _again(UsageError, f"{self.folder} is no map but of kind {self.question['kind']}", "usage", ())
        column = self.to_arrow([self.question["columns"][2]]).column(0)
        return column.to_numpy().reshape(self.question["shape"])

    @property
    def boundaries(self) -> list[dict[str, Any]]:
        """The lines between the regions of a map that is complete, as :attr:`mechan.Map.boundaries`."""
        path = self.folder / _BOUNDARIES
        if self.question["kind"] != "map" or not path.exists():
            raise _again(UsageError, f"{self.folder} is no map that is complete, and has no boundaries", "usage", ())
        return json.loads(path.read_text(encoding="utf-8"))

    @property
    def damaged(self) -> list[Path]:
        """The parts that are not what the manifest says of them: begin the sweep again, and they are computed anew."""
        parts = (self.manifest or {"parts": []})["parts"]
        return [self.folder / part["file"] for part in parts if _hash(self.folder / part["file"]) != part["sha256"]]

    def __repr__(self) -> str:
        found, wanted = len(self.files), len(self.question["pieces"]) - 1
        state = "complete" if self.manifest else f"{found} of {wanted} parts"
        return f"<Dataset {self.folder}: {self.question['kind']} of {self.question['mechanism']}, {state}>"


def _plain(table: Any) -> Any:
    """Words as texts: each part has its own list of words."""
    import pyarrow

    fields = []
    for entry in table.schema:
        words = pyarrow.types.is_dictionary(entry.type)
        fields.append(pyarrow.field(entry.name, pyarrow.string()) if words else entry.remove_metadata())
    return table.cast(pyarrow.schema(fields))


def map(
    client: Any,
    model: Model,
    x: Any,
    y: Any,
    quantity: str = "verdict",
    *,
    output: Folder,
    state: Optional[str] = None,
    contact: Optional[str] = None,
    levels: Sequence[float] = (),
    set: Optional[Mapping[str, Value]] = None,
    points: int = 1 << 19,
    retries: int = 3,
    progress: Optional[Callable[[int, int], None]] = None,
    **more: Value,
) -> Dataset:
    """A map as :meth:`mechan.Model.map` computes it, with its boundaries, some rows of some `points` at a time.

    `progress` is told how many pieces are done, and of how many.
    """
    asked = _map(x, y, quantity, state, contact, levels, 1, overrides(set, more))
    about = model._map_question(asked)
    rows, columns = len(about["y"]), len(about["x"])
    step = max(1, _positive("points", points) // columns)
    question = _question("map", model, asked, about["columns"], [*range(0, rows, step), rows], shape=[rows, columns])
    return _run(client, model, question, output, retries, progress)


def ensemble(
    client: Any,
    model: Model,
    state: Optional[str] = None,
    *,
    t_end: float,
    output: Folder,
    runs: Optional[int] = None,
    seed: int = 0,
    random: Any = None,
    grid: Any = None,
    runs_at_once: int = 1000,
    retries: int = 3,
    progress: Optional[Callable[[int, int], None]] = None,
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
    set: Optional[Mapping[str, Value]] = None,
    **more: Value,
) -> Dataset:
    """An ensemble as :meth:`mechan.Model.ensemble` runs it, some runs at a time."""
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
    asked = _ensemble(motion, runs=runs, seed=seed, random=random, grid=grid, threads=1)
    count, columns = model._ensemble_question(asked)
    step = _positive("runs_at_once", runs_at_once)
    question = _question("ensemble", model, asked, [name for name, _ in columns], [*range(0, count, step), count])
    return _run(client, model, question, output, retries, progress)


def verdicts(state: StateAnalysis) -> dict[str, Any]:
    """What a sweep keeps of each state if nothing else is said: the verdict, and what actually follows."""
    return {"verdict": state.verdict, "resolved": " or ".join(state.resolved)}


def sweep(
    client: Any,
    model: Model,
    over: Mapping[str, Any],
    *,
    output: Folder,
    state: Optional[str] = None,
    ask: Callable[[StateAnalysis], Mapping[str, Any]] = verdicts,
    set: Optional[Mapping[str, Value]] = None,
    analyze: Optional[Mapping[str, Any]] = None,
    states_at_once: int = 1000,
    retries: int = 3,
    progress: Optional[Callable[[int, int], None]] = None,
) -> Dataset:
    """A state analysed at every combination of values, `over={"mu": mus, "theta": thetas}`, the last name the fastest.

    `ask` makes of each analysis the numbers and words of a row; where a state cannot be analysed these are empty, and `error` says why.
    It may be any function that can be pickled. `analyze` are more arguments of :meth:`mechan.Model.analyze`; the next step and motions
    without slip are left out if it does not say otherwise.
    """
    names = list(over)
    axes = [np.atleast_1d(np.asarray(values, dtype=float)).tolist() for values in over.values()]
    if not names or builtins.any(len(axis) == 0 for axis in axes):
        raise UsageError("over is empty: name what varies, with its values")
    first = state if state is not None else model.states[0]
    # faults of the question are raised here, not on a worker
    model.analyze(first, set={**(set or {}), names[0]: axes[0][0]}, next_step=False, no_slip=False)
    usual = {"next_step": False, "no_slip": False}
    asked = {"state": first, "set": dict(set or {}), "analyze": {**usual, **(analyze or {})}, "names": names, "axes": axes}
    asked["ask"] = f"{ask.__module__}.{ask.__qualname__}"
    count = int(np.prod([len(axis) for axis in axes]))
    step = _positive("states_at_once", states_at_once)
    question = _question("sweep", model, asked, names, [*range(0, count, step), count])
    return _run(client, model, question, output, retries, progress, ask)


def _positive(name: str, value: int) -> int:
    if int(value) < 1:
        raise UsageError(f"{name} is {value!r}, expected at least 1")
    return int(value)


def _question(kind: str, model: Model, asked: Any, columns: Sequence[str], pieces: list[int], **more: Any) -> dict[str, Any]:
    """Everything that the rows depend on."""
    question = {
        "schema": SCHEMA,
        "kind": kind,
        "version": _mechan.__version__,
        "mechanism": model.name,
        "model": hashlib.sha256(model.text().encode()).hexdigest(),
        "asked": asked,
        "columns": list(columns),
        "pieces": pieces,
        **more,
    }
    # as it is read back
    return json.loads(json.dumps(question))


def _identity(question: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()


def _write(path: Path, data: bytes) -> None:
    """A file that appears whole or not at all."""
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        beside.write_bytes(data)
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise _again(UnwritableError, f"{path} cannot be written: {error}", "unwritable", ()) from None


def _begin(model: Model, question: dict[str, Any], folder: Path) -> None:
    """A new folder, or one of the same question."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _again(UnwritableError, f"{folder} cannot be made: {error}", "unwritable", ()) from None
    if (folder / _QUESTION).exists():
        found = Dataset(folder).question
        differing = [key for key in {**question, **found} if question.get(key) != found.get(key)]
        if differing:
            key = differing[0]
            if key == "asked":
                asked, before = question["asked"], found["asked"]
                key = next((k for k in {**asked, **before} if asked.get(k) != before.get(k)), key)
            raise UsageError(f"{folder} holds results of another question: `{key}` differs; choose another folder")
        return
    if builtins.any(entry.name != _MODEL and not entry.name.startswith(".") for entry in folder.iterdir()):
        raise UsageError(f"{folder} is not empty, and no data set of mechan: choose another folder")
    _write(folder / _MODEL, model.text().encode())
    _write(folder / _QUESTION, (json.dumps(question, indent=1) + "\n").encode())


def _run(
    client: Any,
    model: Model,
    question: dict[str, Any],
    output: Folder,
    retries: int,
    progress: Optional[Callable[[int, int], None]],
    ask: Optional[Callable[[StateAnalysis], Mapping[str, Any]]] = None,
) -> Dataset:
    folder = Path(output).absolute()
    _begin(model, question, folder)
    identity, count = _identity(question), len(question["pieces"]) - 1
    told = progress or (lambda done, of: None)
    entries: dict[int, dict[str, Any]] = {}
    if client is None:
        for k in range(count):
            entries[k] = piece(os.fspath(folder), identity, k, ask)
            told(len(entries), count)
    else:
        for k, entry in _on_workers(client, question["kind"], (folder, identity, count, ask), retries):
            entries[k] = entry
            told(len(entries), count)
    _finish(folder, question, [entries[k] for k in range(count)], model)
    return Dataset(folder)


def _on_workers(client: Any, kind: str, work: Any, retries: int) -> Iterator[tuple[int, dict[str, Any]]]:
    import asyncio

    from distributed import as_completed
    from distributed.client import FutureCancelledError

    folder, identity, count, ask = work
    keys = [f"mechan-{kind}-{identity[:8]}-{uuid.uuid4().hex[:6]}-{k}" for k in range(count)]
    futures = client.map(
        piece, [os.fspath(folder)] * count, [identity] * count, range(count), [ask] * count, key=keys, retries=retries
    )
    place = {future.key: k for k, future in enumerate(futures)}
    done, gone = as_completed(futures, loop=client.loop, with_results=True), None
    try:
        while not done.is_empty():
            batch = done.next_batch(block=False)
            for future, entry in batch:
                # what has arrived counts, also where its worker has died since; else it is an error with its type and traceback, or
                # a cancellation
                if isinstance(entry, tuple):
                    raise entry[1].with_traceback(entry[2])
                if not isinstance(entry, dict):
                    raise _lost(folder)
                yield place[future.key], entry
                # what is written needs no memory any more
                future.release()
            # a client whose scheduler is gone waits for another one, for ever if need be
            gone = None if client.status == "running" else gone or time.monotonic()
            if gone is not None and (client.status == "closed" or time.monotonic() - gone > _PATIENCE):
                raise _lost(folder)
            if not batch:
                time.sleep(_PAUSE)
    except BaseException as error:
        if client.status == "running":
            client.cancel(futures)
        if isinstance(error, (FutureCancelledError, asyncio.CancelledError)):
            raise _lost(folder) from None
        raise


def _lost(folder: Path) -> NumericsError:
    message = (
        f"the scheduler is gone, or gave up the sweep, before it was done: the parts in {folder} are whole, and the same call with a "
        "scheduler that runs goes on from them"
    )
    return _again(NumericsError, message, "scheduler", ())  # type: ignore[return-value]


def _finish(folder: Path, question: dict[str, Any], parts: list[dict[str, Any]], model: Model) -> None:
    """The manifest: the folder is complete."""
    if question["kind"] == "map":
        texts = [_text(folder / part["file"]) for part in parts]
        _write(folder / _BOUNDARIES, model._map_boundaries(question["asked"], texts).encode())
    manifest = {
        "schema": "mechan.manifest/1",
        "question": _identity(question),
        "rows": sum(part["rows"] for part in parts),
        "parts": parts,
    }
    _write(folder / _MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
    for part in parts:
        # the manifest has it now
        _beside(folder / part["file"]).unlink(missing_ok=True)
    for half in folder.glob(".part-*"):
        # what a worker that was killed was about to write
        half.unlink(missing_ok=True)


@lru_cache(maxsize=4)
def _asked(folder: str, identity: str) -> tuple[Model, dict[str, Any]]:
    """Model and question of a folder, read once by each worker."""
    question = Dataset(folder).question
    if _identity(question) != identity:
        raise UsageError(f"{folder} holds another question than when the sweep began")
    return Model.from_file(Path(folder) / _MODEL), question


def piece(
    folder: str, identity: str, k: int, ask: Optional[Callable[[StateAnalysis], Mapping[str, Any]]] = None
) -> dict[str, Any]:
    """Computes the k-th part of a folder and writes it, unless it is there; what is said of it in the manifest."""
    path = Path(folder) / f"part-{k:06}.parquet"
    found = _entry(path, identity)
    if found is not None and found["sha256"] == _made(path):
        return found
    model, question = _asked(folder, identity)
    start, stop = question["pieces"][k], question["pieces"][k + 1]
    made = {"map": _map_piece, "ensemble": _ensemble_piece, "sweep": _sweep_piece}[question["kind"]]
    data = _parquet(made(model, question, start, stop, ask), identity)
    # before the part: one that is there has it
    _write(_beside(path), hashlib.sha256(data).hexdigest().encode())
    _write(path, data)
    entry = _entry(path, identity)
    if entry is None or entry["sha256"] != hashlib.sha256(data).hexdigest():
        raise _again(UnwritableError, f"{path} was written and is not what was written", "unwritable", ())
    return entry


def _beside(path: Path) -> Path:
    """Where the hash of a part stands until there is a manifest."""
    return path.with_suffix(".sha256")


def _hash(path: Path) -> Optional[str]:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def _made(path: Path) -> Optional[str]:
    """The hash of a part when it was made."""
    try:
        return _beside(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        pass
    manifest = path.with_name(_MANIFEST)
    try:
        parts = json.loads(manifest.read_text(encoding="utf-8"))["parts"]
        return next((part["sha256"] for part in parts if part["file"] == path.name), None)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _entry(path: Path, identity: str) -> Optional[dict[str, Any]]:
    """What is said of a part that is there and whole."""
    import pyarrow
    import pyarrow.parquet as parquet

    try:
        data = path.read_bytes()
        metadata = parquet.read_metadata(pyarrow.BufferReader(data))
    except (OSError, pyarrow.ArrowException):
        return None
    if (metadata.metadata or {}).get(b"mechan.question") != identity.encode():
        return None
    return {
        "file": path.name,
        "rows": metadata.num_rows,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _text(path: Path) -> str:
    """What the boundaries of a map's part are joined of, which stands in its footer."""
    import pyarrow.parquet as parquet

    found = parquet.read_metadata(path).metadata
    return found[b"mechan.boundaries"].decode()


def _parquet(made: tuple[Table, dict[str, str]], identity: str) -> bytes:
    import pyarrow
    import pyarrow.parquet as parquet

    table, more = made
    arrow = pyarrow.table(table).replace_schema_metadata({"mechan.question": identity, **more})
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(arrow, sink, compression="zstd")
    return sink.getvalue().to_pybytes()


def _map_piece(model: Model, question: dict[str, Any], start: int, stop: int, _: Any) -> tuple[Table, dict[str, str]]:
    asked = question["asked"]
    about = model._map_question(asked)
    cells, text = model._map_rows(asked, start, stop)
    x, y = about["x"], about["y"][start:stop]
    first, second, quantity = question["columns"]
    return Table({first: np.tile(x, len(y)), second: np.repeat(y, len(x)), quantity: cells}), {"mechan.boundaries": text}


def _ensemble_piece(model: Model, question: dict[str, Any], start: int, stop: int, _: Any) -> tuple[Table, dict[str, str]]:
    columns, _state = model._ensemble({**question["asked"], "between": (start, stop)})
    return Table(columns), {}


def _sweep_piece(model: Model, question: dict[str, Any], start: int, stop: int, ask: Any) -> tuple[Table, dict[str, str]]:
    asked = question["asked"]
    points = itertools.islice(itertools.product(*asked["axes"]), start, stop)
    rows: list[Mapping[str, Any]] = []
    errors: list[Optional[str]] = []
    drawn: list[Sequence[float]] = []
    for point in points:
        values = {**asked["set"], **dict(zip(asked["names"], point))}
        analysis = model.analyze(asked["state"], set=values, **asked["analyze"])
        fault = analysis.faults.get(asked["state"])
        rows.append({} if fault else (ask or verdicts)(analysis.only))
        errors.append(fault.message if fault else None)
        drawn.append(point)
    columns: dict[str, Kept] = {name: np.array([p[i] for p in drawn], dtype=float) for i, name in enumerate(asked["names"])}
    for name in dict.fromkeys(itertools.chain.from_iterable(rows)):
        columns[name] = _column([row.get(name) for row in rows])
    columns["error"] = _words(errors)
    return Table(columns), {}


def _column(values: list[Any]) -> Kept:
    if builtins.any(isinstance(value, str) for value in values):
        return _words([None if value is None else str(value) for value in values])
    return np.array([np.nan if value is None else float(value) for value in values], dtype=float)


def _words(values: list[Optional[str]]) -> Kept:
    words = list(dict.fromkeys(value for value in values if value is not None))
    place = {word: k for k, word in enumerate(words)}
    return np.array([-1 if value is None else place[value] for value in values], dtype=np.int32), words
