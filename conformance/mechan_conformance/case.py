"""Cases: a question about a motion, with its exact answer and how that is known (`mechan.case/1`)."""

from __future__ import annotations

import fnmatch
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .builder import build_world
from .expression import ExpressionError, evaluate, numbers
from .read import check_read
from .world import World, WorldError

SCHEMA = "mechan.case/1"
GROUPS = (
    "sticking",
    "sliding",
    "tipping",
    "rolling",
    "impact",
    "several contacts",
    "joints",
    "paradoxes",
    "energy and momentum",
    "invariance",
    "determinism",
    "incremental",
    "heaps",
)
REQUIRED = ("schema", "title", "group", "why", "ask", "exact", "bound", "known", "routes", "tolerance", "tolerance_why")
OPTIONAL = ["mechanism", "scene", "problem", "state", "set", "unit", "world", "models", "curve", "references", "again"]
SOURCES = ("mechanism", "scene", "problem")


class CaseError(ValueError):
    """A file that is no case, with all its faults."""


@dataclass(frozen=True)
class Case:
    """One case; `data` is what its file says, everything else follows from it."""

    name: str
    data: dict[str, Any]
    folder: Path = field(default_factory=Path)

    def __getattr__(self, key: str) -> Any:
        if key in REQUIRED or key in OPTIONAL:
            return self.data.get(key)
        raise AttributeError(key)

    def numbers(self, library: Any = math) -> dict[str, Any]:
        """Numbers of `set` and of `world.numbers` by name, which `exact`, `curve` and `world` may use."""
        known: dict[str, Any] = {}
        for name, text in (self.data.get("set") or {}).items():
            try:
                known[name] = evaluate(text, known, library)
            except ExpressionError:
                continue  # it uses parameters of the mechanism: a number for mechan alone
        return numbers((self.data.get("world") or {}).get("numbers") or {}, known, library)

    def answer(self, library: Any = math) -> Any:
        """The exact answer, in the arithmetic of `library` (math, or mpmath for more digits)."""
        return evaluate(self.data["exact"], self.numbers(library), library)

    @property
    def exact_value(self) -> float:
        return float(self.answer())

    @property
    def error_bound(self) -> float:
        return float(evaluate(self.data["bound"], self.numbers()))

    @property
    def allowed(self) -> float:
        """Distance from the exact answer which still passes: the tolerance and the answer's own error."""
        return float(evaluate(self.data["tolerance"], self.numbers())) + self.error_bound

    def neutral_world(self) -> World | None:
        """The bodies for engines that do not read mechanisms, or none."""
        return build_world(self.data["world"], self.numbers()) if self.data.get("world") else None

    def second(self) -> Case | None:
        """The case that runs a second time, said otherwise; the answer is what the second run differs by."""
        if "again" not in self.data:
            return None
        data = {**self.data, **self.data["again"]}
        for key in ("set", "world"):
            if key in self.data:
                data[key] = {**self.data[key], **self.data["again"].get(key, {})}
        return Case(self.name, {key: value for key, value in data.items() if key != "again"}, self.folder)

    def files(self) -> list[Path]:
        """Files of mechanisms, scenes and problems that it names."""
        return [
            self.folder / data[key]
            for data in (self.data, self.data.get("again", {}))
            for key in SOURCES
            if key in data
        ]

    def path(self, key: str) -> Path:
        """File of `mechanism`, `scene` or `problem`."""
        return self.folder / self.data[key]


def cases_folder() -> Path:
    """Where the cases are: in the installed package, or beside it in the repository."""
    installed = Path(__file__).parent / "cases"
    return installed if installed.is_dir() else Path(__file__).resolve().parent.parent


def load_cases(pattern: str = "*", folder: Path | None = None) -> list[Case]:
    """Cases whose name or group matches a pattern (several with commas), in the order of groups and names."""
    folder = folder or cases_folder()
    found = [load_case(path) for path in sorted(folder.glob("*.yaml"))]
    chosen = [case for case in found if _matches(case, pattern)]
    return sorted(chosen, key=lambda case: (GROUPS.index(case.group), case.name))


def load_case(path: Path) -> Case:
    """The case of a file; every fault of it is told at once."""
    data = read_yaml(path)
    faults = find_faults(data, path.parent)
    if faults:
        raise CaseError(f"{path.name}: " + "; ".join(faults))
    return Case(path.stem, data, path.parent)


def find_faults(data: Any, folder: Path) -> list[str]:
    """What is wrong with a case, as sentences; empty if nothing is."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        return [f"expected `schema: {SCHEMA}`"]
    faults = [f"`{key}` is missing" for key in REQUIRED if key not in data]
    faults += [f"`{key}` is no key of a case" for key in data if key not in REQUIRED and key not in OPTIONAL]
    if faults:
        return faults
    if data["group"] not in GROUPS:
        faults.append(f"group is `{data['group']}`, expected one of: {', '.join(GROUPS)}")
    if not any(key in data for key in (*SOURCES, "world")):
        faults.append(f"one of {', '.join(SOURCES)} or world is needed")
    faults += [f"no file {path.name}" for path in Case("", data, folder).files() if not path.is_file()]
    faults += [
        f"models: no file {name}" for name in (data.get("models") or {}).values() if not (folder / name).is_file()
    ]
    if len(set(data["routes"])) < 2:
        faults.append("routes: two different ones are needed")
    return faults + _number_faults(Case("", data, folder))


def _number_faults(case: Case) -> list[str]:
    try:
        if not math.isfinite(case.exact_value) or case.error_bound < 0 or case.allowed <= 0:
            return ["exact must be finite, bound >= 0, tolerance > 0"]
        world = case.neutral_world()
        if world is not None:
            check_read(world)
        second = case.second()
        if second is not None:
            return _number_faults(second)
        if case.curve is not None:
            evaluate(case.curve, {**case.numbers(), "t": 0.0})
    except (ExpressionError, WorldError, ArithmeticError, TypeError, ValueError) as fault:
        return [str(fault)]
    return []


def _matches(case: Case, pattern: str) -> bool:
    parts = [part.strip() for part in pattern.split(",")]
    return any(fnmatch.fnmatch(case.name, part) or fnmatch.fnmatch(case.group, part) for part in parts)


def read_yaml(path: Path) -> Any:
    """A YAML 1.2 file: `1e-4` is a number, and `y`, `n`, `on`, `off` are names."""
    import re

    import yaml

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers: dict[str, Any] = {}

    # interpreters of engines need no YAML, which is why it is imported only here
    for kind, form, first in (
        ("bool", r"^(?:true|false)$", "tf"),
        ("null", r"^(?:null|~|)$", ["n", "~", ""]),
        ("int", r"^[-+]?[0-9]+$", "-+0123456789"),
        ("float", r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?$", "-+0123456789."),
    ):
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(form), list(first))
    Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(loader.construct_scalar(node)))
    return yaml.load(path.read_text(encoding="utf-8"), Loader)
