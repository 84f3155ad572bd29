"""Files of cases: the schema, and what is wrong with wrong ones."""

import json

import pytest
from mechan_conformance.case import GROUPS, CaseError, cases_folder, find_faults, load_case, load_cases, read_yaml

SCHEMA = json.loads((cases_folder() / "case.schema.json").read_text())
CASES = load_cases()
GOOD = cases_folder() / "block_below_friction_angle.yaml"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_satisfies_the_schema(case):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(case.data, SCHEMA)


def test_groups_are_those_of_the_schema():
    assert tuple(SCHEMA["properties"]["group"]["enum"]) == GROUPS


def test_schema_and_program_know_the_same_keys():
    from mechan_conformance import builder, case, read

    assert set(SCHEMA["properties"]) == set(case.REQUIRED) | set(case.OPTIONAL)
    assert set(SCHEMA["required"]) == set(case.REQUIRED)
    definitions = SCHEMA["$defs"]
    assert set(definitions["world"]["properties"]) == builder.WORLD_KEYS
    assert set(definitions["body"]["properties"]) == builder.BODY_KEYS
    assert set(definitions["shape"]["properties"]) == builder.SHAPE_KEYS
    assert set(definitions["quantity"]["properties"]) == read.READ_KEYS | read.EVENT_KEYS
    assert set(definitions["quantity"]["properties"]["what"]["enum"]) == set(read.WHAT)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "mechan.case/2"}, "mechan.case/1"),
        ({"colour": "red"}, "`colour` is no key"),
        ({"group": "magic"}, "group is `magic`"),
        ({"mechanism": "none.yaml"}, "no file none.yaml"),
        ({"routes": ["integration", "integration"]}, "two different ones"),
        ({"exact": "sqrt(nothing)"}, "`nothing` is not known"),
        ({"exact": "__import__('os')"}, "is not known"),
        ({"tolerance": 0}, "tolerance > 0"),
        ({"curve": "x*t"}, "`x` is not known"),
    ],
)
def test_what_is_wrong_is_said(change, message):
    data = {**read_yaml(GOOD), **change}
    assert message in "; ".join(find_faults(data, GOOD.parent))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bodies": []}, "no bodies"),
        ({"magnetism": 1}, "`magnetism` is not known"),
        ({"duration": 1, "read": {"body": "block", "what": "speed", "at": 3}}, "after the end"),
        ({"read": {"body": "brick", "what": "speed"}}, "expected one of block"),
        ({"read": {"body": "block", "what": "position"}}, "needs a direction"),
        ({"read": {"body": "block", "what": "time", "at": {"what": "speed", "body": "block"}}}, "one of falls"),
        ({"joints": [{"kind": "glue", "bodies": ["world", "block"]}]}, "kind is 'glue'"),
    ],
)
def test_what_is_wrong_with_a_world_is_said(change, message):
    data = read_yaml(GOOD)
    data["world"] = {**data["world"], **change}
    assert message in "; ".join(find_faults(data, GOOD.parent))


def test_yaml_1_2(tmp_path):
    (tmp_path / "a.yaml").write_text("a: 1e-4\ny: no\nb: {on: true}\n")
    assert read_yaml(tmp_path / "a.yaml") == {"a": 1e-4, "y": "no", "b": {"on": True}}


def test_file_that_is_no_case_is_refused(tmp_path):
    (tmp_path / "a.yaml").write_text("- 1\n")
    with pytest.raises(CaseError, match=r"a\.yaml"):
        load_case(tmp_path / "a.yaml")
