"""The explorer's page, from Python."""

from pathlib import Path

import pytest

import mechan
from mechan._program import find_program


def test_an_unknown_state_is_refused_as_everywhere(pencil):
    with pytest.raises(mechan.UsageError) as refused:
        pencil.explore("lying")
    with pytest.raises(mechan.UsageError) as elsewhere:
        pencil.analyze("lying")
    assert str(refused.value) == str(elsewhere.value) and "has no state `lying`" in str(refused.value)


def test_the_page_is_shown_and_written(pencil, tmp_path):
    if not Path(find_program()).with_name("mechan-core.wasm").is_file():
        pytest.skip("the wheel was built without the explorer's engine")
    shown = pencil.explore("inconsistent")
    assert "sandbox=" in shown._repr_html_() and "allow-same-origin" not in shown._repr_html_()
    shown.save(tmp_path / "pencil.html")
    assert "The falling pencil" in (tmp_path / "pencil.html").read_text(encoding="utf-8")
