"""The package as it lies in the repository, and what tests need often."""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent), str(FOLDER)]

pytest_plugins = ["pytester"]
