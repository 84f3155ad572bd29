"""Incremental problems in numbers: u = W r + q with Coulomb's law at each contact, or M v + f = H^T r, u = H v + w."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from . import _mechan
from .errors import UsageError
from .results import Solution, _Valued


def _entries(name: str, matrix: Any) -> tuple[int, int, list[int], list[int], list[float]]:
    """Rows, columns, and the entries of a dense or a SciPy sparse matrix."""
    if hasattr(matrix, "tocoo"):
        coo = matrix.tocoo()
        coo.sum_duplicates()
        return (*coo.shape, coo.row.tolist(), coo.col.tolist(), coo.data.astype(float).tolist())
    dense = _floats(name, matrix)
    if dense.ndim != 2:
        raise UsageError(f"{name} has shape {dense.shape}, expected a matrix")
    # what is no number is kept for the library to refuse, with its place
    rows, columns = np.nonzero((dense != 0) | np.isnan(dense))
    return (*dense.shape, rows.tolist(), columns.tolist(), dense[rows, columns].tolist())


def _floats(name: str, values: Any) -> np.ndarray:
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "fiub":
            raise TypeError(f"dtype {found.dtype}")
        return found.astype(float)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name} holds no real numbers: {error}") from None


def _list(name: str, values: Any) -> list[float]:
    found = np.atleast_1d(_floats(name, values))
    if found.ndim != 1:
        raise UsageError(f"{name} has shape {found.shape}, expected a vector")
    return found.tolist()


class Problem:
    """A Coulomb friction problem: `Problem(W, q, mu)`, with rows [N, T] (or [N, T1, T2]) of each contact.

    >>> import mechan
    >>> problem = mechan.Problem([[1.6, 1.2], [1.2, 3.4]], [0.04, 1.0], [1.5])
    >>> mechan.solve(problem).status
    'solved'
    """

    #: Of the next step of a model: how to make it again.
    _asked: Optional[tuple[Any, ...]] = None

    def __init__(self, W: Any, q: Any = None, mu: Any = None, *, name: str = "") -> None:
        if isinstance(W, _mechan.Problem):
            self._core = W
            return
        if q is None or mu is None:
            raise TypeError("Problem(W, q, mu): q and mu are missing")
        self._core = _mechan.Problem.local(_entries("W", W), _list("q", q), _list("mu", mu), name)

    @staticmethod
    def from_global(M: Any, f: Any, H: Any, w: Any, mu: Any, *, name: str = "") -> Problem:
        """The global form: M (n, n), f (n), H (rows of contacts, n), w; dense, or SciPy's sparse matrices."""
        return Problem(
            _mechan.Problem.from_global(_entries("M", M), _list("f", f), _entries("H", H), _list("w", w), _list("mu", mu), name)
        )

    @staticmethod
    def from_file(path: Union[str, "os.PathLike[str]"]) -> Problem:
        """A problem file (fcp-1, also gzipped)."""
        return Problem(_mechan.Problem.read(os.fspath(path)))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a problem file; a name that ends in `.gz` is packed."""
        self._core.write(os.fspath(path))

    @property
    def name(self) -> str:
        """Its name; empty where it has none."""
        return self._core.name

    @property
    def dim(self) -> int:
        """Rows of a contact: 2 in the plane, 3 in space."""
        return self._core.dim

    @property
    def contacts(self) -> int:
        """Number of contacts."""
        return self._core.contacts

    @property
    def dof(self) -> int:
        """Generalized velocities."""
        return self._core.dof

    @property
    def mu(self) -> np.ndarray:
        """Friction coefficients, one for each contact."""
        return self._core.mu

    @property
    def W(self) -> np.ndarray:
        """W of u = W r + q, dense; of a global problem H M^-1 H^T."""
        return self._dense("W") if self.dof == 0 else self.H @ np.linalg.solve(self.M, self.H.T)

    @property
    def q(self) -> np.ndarray:
        """q of u = W r + q, the velocities without forces; of a global problem w - H M^-1 f."""
        return self._vector("q") if self.dof == 0 else self.w - self.H @ np.linalg.solve(self.M, self.f)

    @property
    def M(self) -> np.ndarray:
        """M of M v + f = H^T r, dense, of a global problem."""
        return self._dense("M")

    @property
    def H(self) -> np.ndarray:
        """H of u = H v + w, dense, one row for each contact row, of a global problem."""
        return self._dense("H")

    @property
    def f(self) -> np.ndarray:
        """f of M v + f = H^T r, of a global problem."""
        return self._vector("f")

    @property
    def w(self) -> np.ndarray:
        """w of u = H v + w, of a global problem."""
        return self._vector("w")

    def sparse(self, name: str) -> Any:
        """`W` of a local problem, `M` or `H` of a global one as a matrix of SciPy with its entries alone."""
        from scipy.sparse import coo_array

        rows, columns, i, j, x = self._given("matrix", name)
        return coo_array((x, (i, j)), shape=(rows, columns)).tocsr()

    def changed(
        self, *, mu: Optional[Mapping[int, float]] = None, q: Optional[Mapping[int, Sequence[float]]] = None
    ) -> Problem:
        """The same problem with other friction or other free velocities of some contacts, by their places from 0 on; of a global problem these
        are those of w.

        >>> import mechan
        >>> problem = mechan.Problem([[1.6, 1.2], [1.2, 3.4]], [0.04, 1.0], [1.5])
        >>> problem.changed(mu={0: 0.5}).mu
        array([0.5])
        """
        free = [(int(i), _list(f"q of contact {i}", x)) for i, x in (q or {}).items()]
        return Problem(self._core.changed([(int(i), float(x)) for i, x in (mu or {}).items()], free))

    def _dense(self, name: str) -> np.ndarray:
        rows, columns, i, j, x = self._given("matrix", name)
        found = np.zeros((rows, columns))
        found[i, j] = x
        return found

    def _vector(self, name: str) -> np.ndarray:
        return self._given("vector", name)

    def _given(self, kind: str, name: str) -> Any:
        found = getattr(self._core, kind)(name)
        if found is None:
            has = "W and q" if self.dof == 0 else "M, f, H and w"
            raise UsageError(f"the problem has no {name}: it is given by {has}")
        return found

    def __reduce__(self) -> Any:
        # a step has the names and velocities of its mechanism: it is made again of that
        return (_step_again, self._asked) if self._asked else (_problem_again, (self._core.text(),))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Problem):
            return NotImplemented
        return self is other or (self._asked == other._asked and self._core.text() == other._core.text())

    def __hash__(self) -> int:
        return hash(self._core.text())

    def __repr__(self) -> str:
        return f"<Problem {self.name or '(unnamed)'}: {self.contacts} contacts, dim {self.dim}>"


def _problem_again(text: str) -> Problem:
    """A problem from its pickle."""
    return Problem(_mechan.Problem.of_text(text))


def _step_again(model: Any, state: str, h: float, set: list[str], kind: str) -> Problem:
    """The next step of a model from its pickle."""
    problem = Problem(model._next_step(state, h, set, kind))
    problem._asked = (model, state, h, set, kind)
    return problem


def solve(
    problem: Union[Problem, str, "os.PathLike[str]"],
    *,
    solver: Optional[str] = None,
    tolerance: Optional[float] = None,
    iterations: Optional[int] = None,
    all: bool = False,
    branches: Optional[int] = None,
    max_iterations: Optional[int] = None,
    time: Optional[float] = None,
    existence: bool = True,
    timing: bool = False,
    threads: Optional[int] = None,
) -> Solution:
    """Solves a problem, or one in a file: one solution, or `all` of them; and says what is proven about existence.

    `time` (seconds) bounds everything that is done here, `max_iterations` the iterations of all solvers together and, as many again, the
    steps of the proofs of existence; where they end before, `existence["examined"]` is `cut-short`. `existence=False` seeks no such
    proofs, which can take longer than a solution. `iterations` are those of a chosen `solver`; `threads` (one by default) are for 2000 contacts and more, and change no bit of the answer.
    """
    given = problem if isinstance(problem, Problem) else Problem.from_file(problem)
    asked = dict(
        solver=solver,
        tolerance=tolerance,
        iterations=iterations,
        all=all,
        branches=branches,
        max_iterations=max_iterations,
        time=time,
        existence=existence,
        timing=timing,
        threads=threads,
    )
    return Solution(_mechan.solve(given._core, asked))


@dataclass(frozen=True, eq=False)
class Point(_Valued):
    """What a session found."""

    status: str
    solver: str
    iterations: int
    residual: float
    backward_error: float
    u: np.ndarray
    v: np.ndarray
    r: np.ndarray
    contacts: Sequence[str]

    @property
    def solved(self) -> bool:
        """Whether the point reaches the tolerance."""
        return self.status == "solved"


class Session:
    """Solves one problem after the other, and keeps what can be used again: factors, memory, the last forces.

    >>> import mechan
    >>> problem = lambda slip: mechan.Problem([[2.0, 0.0], [0.0, 3.0]], [-1.0, slip], [0.3])
    >>> session = mechan.Session(problem(1.0))
    >>> session.solve().status
    'solved'
    >>> session.update(problem(1.01)).solve(warm=True).r.round(8)
    array([ 0.5 , -0.15])
    """

    def __init__(
        self,
        problem: Problem,
        *,
        tolerance: Optional[float] = None,
        max_iterations: Optional[int] = None,
        time: Optional[float] = None,
    ) -> None:
        self._asked = dict(tolerance=tolerance, max_iterations=max_iterations, time=time)
        self._core = _mechan.Session(problem._core, self._asked)
        self.problem = problem

    def update(
        self,
        problem: Optional[Problem] = None,
        *,
        mu: Optional[Mapping[int, float]] = None,
        q: Optional[Mapping[int, Sequence[float]]] = None,
    ) -> Session:
        """Takes another problem, of a similar kind or not; with as many contacts the last forces are kept, for a warm start. Or changes friction
        and free velocities of a few contacts of the present one, as :meth:`Problem.changed`."""
        if mu or q:
            problem = (problem or self.problem).changed(mu=mu, q=q)
        if problem is None:
            raise UsageError("there is nothing to update: give a problem, or mu and q of some contacts")
        before = self.problem
        if (problem.contacts, problem.dim) == (before.contacts, before.dim):
            self._core.update(problem._core)
        else:
            self._core = _mechan.Session(problem._core, self._asked)
        self.problem = problem
        return self

    def solve(self, *, warm: bool = False) -> Point:
        """Solves the problem, from no force or from the last one (`warm`), if that had as many contacts."""
        return Point(**self._core.solve(warm))
