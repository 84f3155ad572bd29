"""Which simulators obey Coulomb's law, measured: the package `mechan-conformance` under this name, with the extra `conformance`.

The suite needs nothing of mechan, so that authors of other engines can install it alone.
"""

try:
    from mechan_conformance import *  # noqa: F403
    from mechan_conformance import __all__, __version__  # noqa: F401
except ModuleNotFoundError as missing:
    if missing.name != "mechan_conformance":
        raise
    raise ModuleNotFoundError(
        "the conformance suite is a package of its own: pip install 'mechan[conformance]'", name=missing.name
    ) from None
