"""mechan: from a YAML mechanism to its equations of motion, and to what Coulomb friction can and cannot predict about it.

>>> import mechan
>>> pencil = mechan.model("falling_pencil")
>>> pencil.analyze("inconsistent").only.resolved
('iwc',)

Mechanisms are loaded (:func:`load`), get their equations (:meth:`Mechanism.derive`) and are asked (:class:`Model`). Sweeps that outgrow a
machine: :mod:`mechan.dask`.
"""

from . import errors, results
from ._mechan import OUTPUTS, QUANTITIES, Advance, Evaluation, __version__
from ._mechan import SCHEMES as _SCHEMES
from ._program import find_program
from .errors import (
    ControlError,
    DerivationError,
    Diagnostic,
    Error,
    InputError,
    ModelFileError,
    NumericsError,
    UnreadableError,
    UnwritableError,
    UsageError,
    VersionError,
)
from ._explore import Explorer
from ._model import Mechanism, Model, State, library, load, model
from .problem import Point, Problem, Session, solve
from .results import Analysis, Claims, Convergence, Cycle, Ensemble, Futures, Map, Solution, Trajectories, Trajectory
from .scene import Run, Scene, States, load_scene, run
from .stepper import Stepper
from .table import Table

#: The schemes of motions, each with what it is.
SCHEMES = dict(_SCHEMES)

__all__ = [
    "OUTPUTS",
    "QUANTITIES",
    "SCHEMES",
    "Advance",
    "Analysis",
    "ControlError",
    "Claims",
    "Convergence",
    "Cycle",
    "DerivationError",
    "Diagnostic",
    "Ensemble",
    "Error",
    "Evaluation",
    "Explorer",
    "Futures",
    "InputError",
    "Map",
    "Mechanism",
    "Model",
    "ModelFileError",
    "NumericsError",
    "Point",
    "Problem",
    "Run",
    "Scene",
    "Session",
    "Solution",
    "State",
    "States",
    "Stepper",
    "Table",
    "Trajectories",
    "Trajectory",
    "UnreadableError",
    "UnwritableError",
    "UsageError",
    "VersionError",
    "__version__",
    "errors",
    "find_program",
    "library",
    "load",
    "load_scene",
    "model",
    "results",
    "run",
    "solve",
]
