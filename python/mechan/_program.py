"""The program `mechan`, which derives: the wheel brings it along."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Optional

_NAME = "mechan.exe" if os.name == "nt" else "mechan"


def find_program() -> Optional[str]:
    """The program that came with this package, or else one on PATH; `MECHAN_PROGRAM` goes before both."""
    named = os.environ.get("MECHAN_PROGRAM")
    if named:
        return named
    folders = [Path(__file__).parent / "bin", Path(sysconfig.get_path("scripts"))]
    # an installation for one user, or with a prefix of its own: .../lib/pythonX.Y/site-packages/mechan
    above = Path(__file__).resolve().parents
    folders += [above[4] / "bin"] if len(above) > 4 else []
    folders.append(Path(sys.executable).parent)
    for folder in folders:
        if os.access(folder / _NAME, os.X_OK):
            return str(folder / _NAME)
    return shutil.which("mechan")


#: What to do where there is none.
MISSING = (
    "the program `mechan`, which derives equations, is neither beside this package nor on PATH: reinstall the wheel, set "
    "MECHAN_PROGRAM to its place, or make a model file elsewhere (`mechan derive --format model`) and load that"
)
