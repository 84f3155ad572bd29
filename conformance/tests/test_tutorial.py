"""The adapter of the tutorial is the one that runs."""

from mechan_conformance.case import cases_folder, load_cases
from mechan_conformance.runner import make_jobs, run_job

ENGINE = cases_folder() / "examples" / "my_engine.py"


def test_readme_shows_the_file():
    assert ENGINE.read_text() in (cases_folder() / "README.md").read_text()


def test_it_passes_what_it_can():
    rows = {job.case.name: run_job(job) for job in make_jobs(load_cases("block_*,ball_*"), [str(ENGINE)], ["best"])}
    names = ["block_below_friction_angle", "block_above_friction_angle", "block_stop_distance", "block_stop_time"]
    assert [rows[name]["status"] for name in names] == ["pass"] * 4
    assert rows["ball_rolls_down_slope"]["status"] == "cannot"
    assert "not said by this adapter: a ball" in rows["ball_rolls_down_slope"]["reason"]


def test_readme_names_every_feature():
    from mechan_conformance import FEATURES

    text = (cases_folder() / "README.md").read_text()
    assert [name for name in FEATURES if f"`{name}`" not in text] == []
