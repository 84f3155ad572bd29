"""The program `mechan`, and what its commands answer."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .engine import Engine


class Program(Engine):
    """An engine that asks the program."""

    combines = "Friction belongs to a contact; nothing is combined."

    def version(self) -> str:
        return subprocess.run([_path(), "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]

    def identity(self) -> str:
        """Builds of one version differ while it is being written."""
        return f"{self.version()} {hashlib.sha256(Path(_path()).read_bytes()).hexdigest()}"


def document(order: list[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What a command with these options answers; exit status 3 has a document, too."""
    options = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    command = [_path(), *order, *options, "--quiet", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout.startswith("{"):
        raise RuntimeError((done.stderr.strip() or f"exit code {done.returncode}")[:280])
    return json.loads(done.stdout)


def named_rows(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a document by the names of their columns."""
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


def _path() -> str:
    """Where the program is: in the variable MECHAN, or on the path."""
    found = os.environ.get("MECHAN") or shutil.which("mechan")
    if not found:
        raise ImportError("no program `mechan` on the path, nor in the variable MECHAN")
    return found
