"""The explorer's page in a notebook: the same file that `mechan explore` writes."""

from __future__ import annotations

import html
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Union

from ._program import MISSING, find_program
from .errors import UnwritableError, UsageError, _again


class Explorer:
    """A page on which a mechanism is touched; a notebook shows it, :meth:`save` writes it."""

    def __init__(self, page: str) -> None:
        self._page = page

    def __repr__(self) -> str:
        return f"<mechan.Explorer of {len(self._page) // 1024} KiB>"

    def _repr_html_(self) -> str:
        # of an origin of its own: what is on the page cannot reach the notebook
        return (
            '<iframe title="mechan explorer" sandbox="allow-scripts allow-downloads" style="width:100%;height:900px;border:0" '
            f'srcdoc="{html.escape(self._page)}"></iframe>'
        )

    @property
    def html(self) -> str:
        """The whole page."""
        return self._page

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the page, which needs neither Python nor a network."""
        try:
            Path(path).write_text(self._page, encoding="utf-8")
        except OSError as error:
            raise _again(UnwritableError, f"{os.fspath(path)} cannot be written: {error}", "unwritable", ()) from None


def explored(model_text: str, state: Union[str, None]) -> Explorer:
    """The page of a model file's text, written by the program."""
    program = find_program()
    if program is None:
        raise _again(UsageError, MISSING, "usage", ())
    with tempfile.TemporaryDirectory() as folder:
        model, page = Path(folder) / "model.json", Path(folder) / "page.html"
        model.write_text(model_text, encoding="utf-8")
        asked = [program, "explore", str(model), "--quiet", "--output", str(page)]
        run = subprocess.run(asked + (["--state", state] if state else []), capture_output=True, text=True, check=False)
        if run.returncode:
            raise _again(UsageError, run.stderr.strip().removeprefix("error: "), "usage", ())
        return Explorer(page.read_text(encoding="utf-8"))
