"""Coefficients of things from those of pairs."""

import pytest
from mechan_conformance.combine import combined, of_things
from mechan_conformance.world import Pair

RULES = ["smaller", "larger", "product", "geometric", "harmonic", "arithmetic"]


def pairs(**friction):
    return [Pair(*name.split("_"), mu, 0.0) for name, mu in friction.items()]


def check(rule, wanted):
    values = of_things(rule, wanted)
    assert values is not None
    for pair in wanted:
        assert combined(rule, values[pair.a], values[pair.b]) == pytest.approx(pair.friction)


@pytest.mark.parametrize("rule", RULES)
def test_all_pairs_alike(rule):
    check(rule, pairs(a_ground=0.3, b_ground=0.3, a_b=0.3))
    check(rule, pairs(a_ground=0))


@pytest.mark.parametrize("rule", ["smaller", "product", "geometric", "harmonic", "arithmetic"])
def test_two_bodies_on_one_ground(rule):
    check(rule, pairs(a_ground=0.3, b_ground=0.5))


@pytest.mark.parametrize("rule", ["product", "geometric", "harmonic", "arithmetic"])
def test_three_pairs_of_three(rule):
    check(rule, pairs(a_ground=0.3, b_ground=0.4, a_b=0.35))


def test_smooth_beside_rough():
    check("product", pairs(a_ground=0, b_ground=0.5))
    check("smaller", pairs(a_ground=0, b_ground=0.5))


@pytest.mark.parametrize(("rule", "wanted"), [("smaller", {"a_c": 0.1, "b_c": 0.2, "a_b": 0.3})])
def test_what_no_values_give_is_said(rule, wanted):
    assert of_things(rule, pairs(**wanted)) is None
