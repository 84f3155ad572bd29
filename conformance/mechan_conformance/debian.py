"""Versions of what Debian has installed."""

from __future__ import annotations

import subprocess


def debian_version(package: str) -> str:
    """Of a module that does not know its own."""
    found = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=False
    )
    return found.stdout.strip()
