"""Models beside the cases: they are what the writers write, and the programs whose formats they are load them."""

import numpy as np
import pytest
from mechan_conformance.case import load_cases
from mechan_conformance.engines.mujoco import Mujoco
from mechan_conformance.joined import links
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


def test_which_formats_say_joints_springs_and_belts():
    said = {case.name: sorted(models_of(case)) for case in CASES if case.neutral_world()}
    assert said["pendulum_with_hinge_friction"] == ["mjcf", "sdf", "urdf"]
    assert said["dimer_on_shaken_plate"] == ["mjcf", "sdf"]  # URDF has no springs
    assert said["ball_on_turntable_circles"] == ["mjcf", "sdf"]  # in URDF a robot is one tree
    assert said["sledge_brakes_on_unequal_feet"] == ["mjcf", "urdf"]  # in SDF friction is not of pairs
    assert said["block_pinched_stays"] == said["spring_block_stop_time"] == ["mjcf"]
    assert said["block_carried_by_belt"] == ["mjcf", "urdf"]  # the block alone, in URDF
    assert {name for name, formats in said.items() if "mjcf" not in formats} == set()


@with_format("mjcf")
def test_mjcf_moves_as_the_engine_does_in_its_adapter(case):
    mujoco = pytest.importorskip("mujoco")
    world = case.neutral_world()
    if world.features & {"force", "restitution"}:
        pytest.skip("the case has forces or a rebound, which are not of the model")
    engine, settings = Mujoco(), Mujoco.settings["default"]
    engine.build(world, settings)
    model = mujoco.MjModel.from_xml_path(path_of(case, "mjcf"))
    model.opt.timestep = settings["step"]
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    for _ in range(50):
        mujoco.mj_step(model, data)
        engine.step()
    assert data.qpos == pytest.approx(engine.data.qpos, rel=1e-6, abs=1e-7)
    assert data.qvel == pytest.approx(engine.data.qvel, rel=1e-5, abs=1e-5)


def root_of(world):
    """The first body of the tree, where that is free."""
    return next((body for body in world.bodies if body.name not in links(world)), None)


@with_format("urdf")
def test_pybullet_loads_urdf(case):
    pybullet = pytest.importorskip("pybullet")
    client = pybullet.connect(pybullet.DIRECT)
    world = case.neutral_world()
    root = root_of(world)
    place = {} if root is None else {"basePosition": root.position, "baseOrientation": np.roll(root.quaternion, -1)}
    one = pybullet.loadURDF(
        path_of(case, "urdf"), flags=pybullet.URDF_USE_INERTIA_FROM_FILE, physicsClientId=client, **place
    )
    joints = [pybullet.getJointInfo(one, i, physicsClientId=client) for i in range(len(links(world)))]
    index = {joint[12].decode(): joint[0] for joint in joints} | ({} if root is None else {root.name: -1})
    for body in world.bodies:
        at = index[body.name]
        mass, *_ = pybullet.getDynamicsInfo(one, at, physicsClientId=client)
        assert mass == pytest.approx(body.mass)
        shapes = pybullet.getCollisionShapeData(one, at, physicsClientId=client)
        assert len(shapes) == sum(max(1, len(shape.points)) for shape in body.shapes)
        if at >= 0:
            found = pybullet.getLinkState(one, at, computeForwardKinematics=1, physicsClientId=client)
            assert found[0] == pytest.approx(body.position, abs=1e-6)
    kinds = {"hinge": pybullet.JOINT_REVOLUTE, "slider": pybullet.JOINT_PRISMATIC, "weld": pybullet.JOINT_FIXED}
    wanted = {link.joint.name: (kinds[link.joint.kind], link.joint.friction) for link in links(world).values()}
    assert {joint[1].decode(): (joint[2], joint[7]) for joint in joints} == wanted
    pybullet.disconnect(client)


def drake_plant(path, time_step=0.001):
    """A diagram with the model of a file, its plant, and a context of the diagram."""
    drake = pytest.importorskip("pydrake.all")
    builder = drake.DiagramBuilder()
    plant, _ = drake.AddMultibodyPlantSceneGraph(builder, time_step)
    drake.Parser(plant).AddModels(path)
    plant.Finalize()
    diagram = builder.Build()
    return diagram, plant, diagram.CreateDefaultContext()


def check_joints(plant, world):
    types = {"hinge": "revolute", "slider": "prismatic", "weld": "weld", "ball": "ball_rpy"}
    for link in links(world).values():
        joint = plant.GetJointByName(link.joint.name)
        assert joint.type_name() == types[link.joint.kind]
        assert joint.child_body().name() == link.body.name
        if link.joint.kind == "hinge":
            assert joint.revolute_axis() == pytest.approx(link.joint.axis)


@with_format("urdf")
def test_drake_loads_urdf(case):
    diagram, plant, context = drake_plant(path_of(case, "urdf"))
    own = plant.GetMyContextFromRoot(context)
    world = case.neutral_world()
    check_joints(plant, world)
    root = root_of(world)
    start = np.zeros(3) if root is None else root.position
    for body in world.moving():
        one = plant.GetBodyByName(body.name)
        assert one.default_mass() == pytest.approx(body.mass)
        if len(world.bodies) > 1 or root is None:
            centre = one.CalcCenterOfMassInBodyFrame(own)
            found = plant.EvalBodyPoseInWorld(own, one).multiply(centre)
            assert found + start == pytest.approx(body.position, abs=1e-9)
    del diagram


@with_format("sdf")
def test_drake_loads_sdf(case):
    diagram, plant, context = drake_plant(path_of(case, "sdf"))
    own = plant.GetMyContextFromRoot(context)
    world = case.neutral_world()
    for body in world.moving():
        one = plant.GetBodyByName(body.name)
        assert one.default_mass() == pytest.approx(body.mass)
        place = plant.EvalBodyPoseInWorld(own, one)
        assert np.allclose(place.translation(), body.position, atol=1e-12)
    shapes = sum(max(1, len(shape.points)) for body in world.bodies for shape in body.shapes)
    assert plant.num_collision_geometries() == shapes + len(world.planes)
    check_joints(plant, world)
    del diagram


def test_spring_of_a_slider_in_sdf_holds_the_weight_at_the_start():
    case = next(case for case in CASES if case.name == "dimer_on_shaken_plate")
    diagram, plant, context = drake_plant(path_of(case, "sdf"), time_step=0)
    rates = diagram.EvalTimeDerivatives(context).CopyToVector()
    at = plant.num_positions() + plant.GetJointByName("guide").velocity_start()
    assert rates[at] == pytest.approx(0, abs=1e-6)
