"""Which simulators obey Coulomb's law, measured: cases with exact answers, adapters of engines, and a table."""

from .case import Case, CaseError, load_case, load_cases
from .engine import Answer, Cannot, Engine, Never, State, find_engines, load_engine
from .features import FEATURES
from .results import results
from .runner import Job, make_jobs, run_job, run_jobs
from .trajectory import Trajectory
from .world import World

__version__ = "0.1.0"
__all__ = [
    "FEATURES",
    "Answer",
    "Cannot",
    "Case",
    "CaseError",
    "Engine",
    "Job",
    "Never",
    "State",
    "Trajectory",
    "World",
    "find_engines",
    "load_case",
    "load_cases",
    "load_engine",
    "make_jobs",
    "results",
    "run_job",
    "run_jobs",
]
