"""The conformance suite under mechan's name."""

import importlib.util

import pytest


def test_the_suite_is_there_or_says_how_to_get_it():
    if importlib.util.find_spec("mechan_conformance") is None:
        with pytest.raises(ModuleNotFoundError, match=r"pip install 'mechan\[conformance\]'"):
            import mechan.conformance
    else:
        import mechan.conformance

        assert callable(mechan.conformance.load_cases)
