"""Every exact answer is reached by every way that its case names."""

import pytest
from mechan_conformance.case import load_cases
from routes import load_routes

CASES = {case.name: case for case in load_cases()}
ROUTES = load_routes()


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, case in CASES.items() for kind in case.routes])
def test_way_leads_to_the_answer(name, kind):
    case, way = CASES[name], ROUTES[name, kind]
    found = float(way.find(case))
    assert abs(found - case.exact_value) <= case.error_bound + way.within, f"{found!r}, exact {case.exact_value!r}"
    assert way.within <= case.allowed / 100, "a way must be much better than the tolerance"


def test_no_way_without_a_case():
    assert [key for key in ROUTES if key[0] not in CASES] == []
