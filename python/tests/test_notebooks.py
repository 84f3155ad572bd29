"""The notebooks, executed as such, and the Python of the book."""

import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.py"))


def cells(text):
    """The cells of a script with `# %%` lines."""
    for cell in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        head, _, body = cell.partition("\n")
        yield ("markdown", re.sub(r"^# ?", "", body, flags=re.MULTILINE)) if "markdown" in head else ("code", body.strip())


def has_siconos(python):
    """Whether a Python has it; it need not be this one."""
    asked = [python, "-c", "import siconos.numerics"]
    return os.access(python, os.X_OK) and subprocess.run(asked, capture_output=True).returncode == 0


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook(path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    if path.stem == "pinocchio":
        pytest.importorskip("pinocchio")
    if path.stem == "siconos" and not any(has_siconos(python) for python in (sys.executable, "/usr/bin/python3")):
        pytest.skip("Siconos cannot be had here (Debian's python3-siconos)")
    make = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    notebook = nbformat.v4.new_notebook(cells=[make[kind](body) for kind, body in cells(path.read_text())])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    done = nbclient.NotebookClient(notebook, timeout=120).execute()
    shown = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("data" in output or output.output_type == "stream" for output in shown)


def test_the_python_of_the_book():
    page = (ROOT / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 3
    space = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), space)


def test_the_readme():
    page = (ROOT / "python" / "README.md").read_text()
    for block in re.findall(r"^```python\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL):
        exec(compile(block, "python/README.md", "exec"), {})
