"""What goes wrong, as exceptions: every one is an :class:`Error`, with the text that the command line prints."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Optional

__all__ = [
    "ControlError",
    "DerivationError",
    "Diagnostic",
    "Error",
    "InputError",
    "ModelFileError",
    "NumericsError",
    "UnreadableError",
    "UnwritableError",
    "UsageError",
    "VersionError",
]


@dataclass(frozen=True)
class Diagnostic:
    """A fault or a warning, with its place in the file."""

    severity: str
    code: str
    message: str
    hint: Optional[str]
    file: str
    path: str
    line: Optional[int]
    column: Optional[int]


class Error(Exception):
    """A question that could not be answered."""

    #: A word or number (`M012`) that stays the same for the same kind of fault.
    code: str = "error"
    #: The faults with their places, of an input.
    diagnostics: tuple[Diagnostic, ...] = ()

    def __reduce__(self) -> Any:
        return (_again, (type(self), str(self), self.code, self.diagnostics))


class InputError(Error, ValueError):
    """A mechanism or a state is at fault; `diagnostics` says where."""


class UsageError(Error, ValueError):
    """The question makes no sense: a name that there is not, a number out of its range, an array of the wrong shape."""


class UnreadableError(Error, OSError):
    """A file that cannot be read, or a mechanism that there is not."""

    # OSError prints its arguments otherwise
    __str__ = Exception.__str__


class UnwritableError(Error, OSError):
    """A result that cannot be written."""

    __str__ = Exception.__str__


class ModelFileError(Error, ValueError):
    """A model file that is damaged, or of another version."""


class VersionError(ModelFileError):
    """A pickle of another version."""


class DerivationError(Error, RuntimeError):
    """The equations could not be derived."""


class NumericsError(Error, ArithmeticError):
    """The numbers failed."""


class ControlError(Error, RuntimeError):
    """A control function raised, or gave what is no control. Nothing is lost: `trajectory` is the motion until then, `stepper` where it is."""

    trajectory: Any = None
    stepper: Any = None


def _spoken(text: str) -> str:
    """The text of the command line with options as arguments."""
    text = text.split(": write .csv or .parquet")[0] + (
        ": `mechan.dask.map` computes it in pieces, or ask for fewer" if ": write .csv or .parquet" in text else ""
    )
    text = re.sub(r"--set (?=\S+=)", "", text)
    text = re.sub(r"`--([a-z-]+) ([^`]+)`", lambda m: f"`{_argument(m[1])}={m[2]}`", text)
    return re.sub(r"(?<!\w)--([a-z][a-z-]*)", lambda m: f"`{_argument(m[1])}`", text)


def _argument(option: str) -> str:
    special = {"level": "levels", "theta": "scheme_theta", "gamma": "scheme_gamma"}
    return special.get(option, option.replace("-", "_"))


def _made(kind: str, text: str, code: str, places: list[dict[str, Any]]) -> Error:
    """Called by the compiled part."""
    cls = globals()[kind]
    return _again(cls, _spoken(text), code, tuple(Diagnostic(**place) for place in places))


def _again(cls: type[Error], text: str, code: str, diagnostics: tuple[Diagnostic, ...]) -> Error:
    error = cls(text)
    error.code = code
    error.diagnostics = diagnostics
    return error
