"""Elements of XML with numbers in them, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np


def tag(name: str, attributes: Mapping[str, Any]) -> str:
    """An element without contents."""
    return f"<{name} " + " ".join(f"{key}={quoteattr(text(value))}" for key, value in attributes.items()) + "/>"


def element(name: str, inside: str | Iterable[str], attributes: Mapping[str, Any] | None = None) -> list[str]:
    """Lines of an element around other lines, or one line around a word or numbers."""
    head = tag(name, attributes or {}).replace("/>", ">").replace(" >", ">")
    if isinstance(inside, str):
        return [f"{head}{escape(inside)}</{name}>"]
    return [head, *("  " + line for line in inside), f"</{name}>"]


def text(value: Any) -> str:
    """Numbers with twelve digits, which are the same on every machine."""
    if isinstance(value, str):
        return value
    return " ".join(format(float(v), ".12g") for v in np.atleast_1d(np.asarray(value, float)))
