"""Models in formats of other programs beside the cases, and the line `models` in each case that names them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import mjcf, sdf, urdf
from .case import Case
from .engine import Cannot
from .world import World

FORMATS: dict[str, tuple[Any, str]] = {"mjcf": (mjcf, ".mjcf.xml"), "urdf": (urdf, ".urdf"), "sdf": (sdf, ".sdf")}
NOT_OF_BODIES = {"restitution", "restitution poisson", "restitution energetic", "force", "contact forces"}
"""Features that are no part of a model: the case has them."""


def models_of(case: Case) -> dict[str, str]:
    """Text of each format that can say the bodies of a case."""
    world = case.neutral_world()
    texts = {name: _text(writer, world) for name, (writer, _) in FORMATS.items()} if world else {}
    return {name: text for name, text in texts.items() if text}


def _text(writer: Any, world: World) -> str | None:
    if not world.features - NOT_OF_BODIES <= writer.FEATURES:
        return None
    try:
        return writer.write(world)
    except Cannot:
        return None


def out_of_date(case: Case) -> list[Path]:
    """Files of the models that are not what would be written, and the case itself if it does not name them."""
    wanted = _files(case)
    old = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    superfluous = [path for _, end in FORMATS.values() if (path := _path(case, end)).is_file() and path not in wanted]
    named = case.data.get("models") or {}
    return old + superfluous + ([] if named == _names(case) else [_case_file(case)])


def write_models(cases: Iterable[Case]) -> list[Path]:
    """Writes what is out of date; returns what has changed."""
    changed = []
    for case in cases:
        old = out_of_date(case)
        wanted = _files(case)
        for path in old:
            path.parent.mkdir(exist_ok=True)
            if path in wanted:
                path.write_text(wanted[path], encoding="utf-8")
            elif path != _case_file(case):
                path.unlink()
        if _case_file(case) in old:
            _name_models(case)
        changed += old
    return changed


def _name_models(case: Case) -> None:
    """Puts one line `models: {..}` at the end of the case, instead of the one that is there."""
    path, names = _case_file(case), _names(case)
    text = re.sub(r"^models:.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    line = ", ".join(f"{key}: {value}" for key, value in names.items())
    path.write_text(text + (f"models: {{{line}}}\n" if names else ""), encoding="utf-8")


def _names(case: Case) -> dict[str, str]:
    return {name: f"models/{case.name}{FORMATS[name][1]}" for name in models_of(case)}


def _files(case: Case) -> dict[Path, str]:
    return {_path(case, FORMATS[name][1]): text for name, text in models_of(case).items()}


def _path(case: Case, end: str) -> Path:
    return case.folder / "models" / f"{case.name}{end}"


def _case_file(case: Case) -> Path:
    return case.folder / f"{case.name}.yaml"
