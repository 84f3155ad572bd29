"""Our streams and arrays in libraries that read them: each where it is installed."""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def many(pencil):
    return pencil.ensemble("slipping", t_end=0.05, runs=6, random={"mu": (0.1, 0.5)})


@pytest.fixture(scope="module")
def verdicts(pencil):
    # off the floor nothing is said
    return pencil.map(("theta", 0.1, 1.4, 7), ("y", 0, 1, 3), state="impact")


def plain(column):
    """A column with None where there is nothing."""
    return [None if isinstance(x, float) and np.isnan(x) else x for x in column.tolist()]


def test_polars(many, verdicts):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(many)
    assert frame.columns == list(many.table) and frame.height == 6
    for name in frame.columns:
        assert frame[name].to_list() == plain(many[name]), name
    assert frame.schema["run"] == polars.Int64 and frame.schema["mu"] == polars.Float64
    cells = polars.DataFrame(verdicts)
    assert cells["verdict"].cast(polars.String).to_list() == verdicts.table["verdict"].tolist() and cells["verdict"].null_count() == 14
    counts = cells.group_by("verdict").len().sum()["len"][0]
    assert counts == 21 == cells.height


def test_duckdb(many, verdicts):
    duckdb = pytest.importorskip("duckdb")
    ((mean, rows),) = duckdb.sql("select avg(mu), count(*) from many").fetchall()
    assert mean == pytest.approx(many["mu"].mean(), rel=1e-14) and rows == 6
    assert duckdb.sql("select count(*) from verdicts where verdict is null").fetchall() == [(14,)]
    # a stream can be read again
    assert duckdb.sql("select max(run) from many").fetchall() == [(5,)]


def test_xarray(pencil, verdicts):
    xarray = pytest.importorskip("xarray")
    numbers = pencil.map(("theta", 0.1, 1.4, 7), ("mu", 0.1, 3, 5), "p_plus", state="slipping").to_xarray()
    assert isinstance(numbers, xarray.DataArray) and numbers.dims == ("mu", "theta") and numbers.shape == (5, 7)
    # p+ = C - mu B falls with friction where B > 0
    assert (np.diff(numbers.sel(theta=0.75, method="nearest").values) < 0).all()
    assert verdicts.to_xarray().isnull().sum() == 14
    motion = pencil.simulate("slipping", t_end=0.05, samples=5).to_xarray()
    assert motion["theta"].dims == ("t",) and motion.sizes["t"] == 5


def test_pandas(many):
    pandas = pytest.importorskip("pandas")
    frame = many.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 6 and frame["mu"].between(0.1, 0.5).all()
