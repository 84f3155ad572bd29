"""Models beside the cases: they are what the writers write, and the programs whose formats they are load them."""

import numpy as np
import pytest
from mechan_conformance.case import load_cases
from mechan_conformance.models import FORMATS, models_of, out_of_date

CASES = load_cases()


def with_format(name):
    found = [case for case in CASES if name in models_of(case)]
    return pytest.mark.parametrize("case", found, ids=lambda case: case.name)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_they_are_up_to_date(case):
    assert out_of_date(case) == [], "run: mechan-conformance models --write"


def test_every_format_is_used():
    assert {name for case in CASES for name in models_of(case)} == set(FORMATS)


def path_of(case, name):
    return str(case.folder / case.data["models"][name])


@with_format("mjcf")
def test_mujoco_loads_mjcf(case):
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_path(path_of(case, "mjcf"))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    for body in case.neutral_world().moving():
        assert model.body(body.name).mass[0] == pytest.approx(body.mass)
        assert data.body(body.name).xpos == pytest.approx(body.position, rel=1e-9, abs=1e-9)


@with_format("urdf")
def test_pybullet_loads_urdf(case):
    pybullet = pytest.importorskip("pybullet")
    client = pybullet.connect(pybullet.DIRECT)
    one = pybullet.loadURDF(path_of(case, "urdf"), flags=pybullet.URDF_USE_INERTIA_FROM_FILE, physicsClientId=client)
    mass, *_ = pybullet.getDynamicsInfo(one, -1, physicsClientId=client)
    shapes = pybullet.getCollisionShapeData(one, -1, physicsClientId=client)
    pybullet.disconnect(client)
    (body,) = case.neutral_world().bodies
    assert mass == pytest.approx(body.mass)
    assert len(shapes) == sum(max(1, len(shape.points)) for shape in body.shapes)


@with_format("sdf")
def test_drake_loads_sdf(case):
    drake = pytest.importorskip("pydrake.all")
    builder = drake.DiagramBuilder()
    plant, scene = drake.AddMultibodyPlantSceneGraph(builder, 0.001)
    drake.Parser(plant).AddModels(path_of(case, "sdf"))
    plant.Finalize()
    context = plant.CreateDefaultContext()
    world = case.neutral_world()
    for body in world.moving():
        one = plant.GetBodyByName(body.name)
        assert one.default_mass() == pytest.approx(body.mass)
        place = plant.EvalBodyPoseInWorld(context, one)
        assert np.allclose(place.translation(), body.position, atol=1e-12)
    shapes = sum(max(1, len(shape.points)) for body in world.bodies for shape in body.shapes)
    assert plant.num_collision_geometries() == shapes + len(world.planes)
    del scene
