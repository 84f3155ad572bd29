"""Tables: columns of NumPy arrays that pandas, Polars, DuckDB and pyarrow read without a copy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np

from . import _mechan

#: A column as it is kept: numbers, or places in a list of words (-1: nothing).
Kept = Union[np.ndarray, tuple[np.ndarray, list[str]]]


def same(one: Any, other: Any) -> bool:
    """Whether two values of an answer are the same: arrays number by number, and what is not defined is the same as itself."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other))
    return bool(one == other)


class Table(Mapping[str, np.ndarray]):
    """Named columns of one length.

    >>> from mechan import Table
    >>> table = Table({"run": np.array([0, 1]), "t_end": np.array([0.5, np.nan])})
    >>> table["t_end"][0]
    np.float64(0.5)
    >>> len(table), table.rows
    (2, 2)
    """

    def __init__(self, columns: Mapping[str, Kept]) -> None:
        self._columns = dict(columns)

    def __getitem__(self, name: str) -> np.ndarray:
        """A column: `float64` (NaN: not defined), `int64`, or words as objects (None: nothing)."""
        try:
            kept = self._columns[name]
        except KeyError:
            raise KeyError(f"there is no column {name!r}; columns are {', '.join(self._columns)}") from None
        if isinstance(kept, tuple):
            codes, words = kept
            return np.array([*words, None], dtype=object)[codes]
        return kept

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        kept = next(iter(self._columns.values()), np.empty(0))
        return len(kept[0]) if isinstance(kept, tuple) else len(kept)

    def codes(self, name: str) -> tuple[np.ndarray, list[str]]:
        """A column of words as places in a list."""
        kept = self._columns[name]
        if not isinstance(kept, tuple):
            raise TypeError(f"column {name!r} holds numbers, not words")
        return kept

    def to_dict(self) -> dict[str, np.ndarray]:
        """The columns."""
        return {name: self[name] for name in self}

    def to_pandas(self) -> Any:
        """As a `pandas.DataFrame`; words are categories."""
        import pandas

        def column(kept: Kept) -> Any:
            return pandas.Categorical.from_codes(kept[0], categories=kept[1]) if isinstance(kept, tuple) else kept

        return pandas.DataFrame({name: column(kept) for name, kept in self._columns.items()})

    def to_arrow(self) -> Any:
        """As a `pyarrow.Table`."""
        import pyarrow

        return pyarrow.table(self)

    def __arrow_c_stream__(self, requested_schema: Optional[Any] = None) -> Any:
        """The Arrow PyCapsule interface: `pyarrow.table(table)`, `polars.DataFrame(table)`, `duckdb.sql("from table")`."""
        return _mechan.arrow_stream(list(self._columns.items()))

    def __eq__(self, other: object) -> bool:
        return same(self.to_dict(), other.to_dict()) if isinstance(other, Table) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return (Table, (self._columns,))

    def _head(self, rows: int) -> list[Sequence[str]]:
        def shown(value: Any) -> str:
            if value is None:
                return ""
            if isinstance(value, (float, np.floating)):
                return "" if np.isnan(value) else f"{value:.6g}"
            return str(value)

        columns = []
        for name, kept in self._columns.items():
            head = Table({name: (kept[0][:rows], kept[1]) if isinstance(kept, tuple) else kept[:rows]})[name]
            columns.append([shown(x) for x in head])
        return list(zip(*columns))

    def __repr__(self) -> str:
        lines = [list(self._columns), *self._head(6)]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self._columns))]
        text = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines]
        more = f"... {self.rows} rows" if self.rows > 6 else f"{self.rows} rows"
        return "\n".join([*text, more])

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in self._columns)
        body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in self._head(10))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{self.rows} rows</p>"
