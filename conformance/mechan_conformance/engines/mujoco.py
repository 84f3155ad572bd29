"""MuJoCo, from the neutral description by MJCF."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import mjcf
from ..engine import Cannot, Engine, State
from ..loads import loads
from ..rotation import rotate
from ..solids import solids
from ..world import World


class Mujoco(Engine):
    """Contacts are soft: a smooth convex problem whose solution moves a little wherever a force is needed."""

    name = "mujoco"
    title = "MuJoCo"
    made_for = "Control and learning of robots, with soft contacts that have a unique, smooth inverse."
    combines = "The larger of two coefficients; here every pair is a `<pair>` with the coefficient of the case."
    advice = (
        "MuJoCo's chapter Modeling, sections Solver settings and Slow slippage: elliptic cones, a large `impratio` and the Newton solver with "
        "a very small tolerance against slip, and if that is not enough `noslip_iterations`; its chapter Computation, section Choosing "
        "timestep and integrator: small steps and `implicitfast`. `solref` is short and `solimp` close to 1 for stiff contacts (Contact "
        "parameters), ten steps long, since two are its least."
    )
    limits = (
        "The section Slow slippage: even inside the cone the soft model does not promise exact rest, with any settings. There is no "
        "coefficient of restitution."
    )
    can = mjcf.FEATURES | {"restitution", "force", "contact forces"}
    lacks = dict.fromkeys(
        ("restitution poisson", "restitution energetic"),
        "contacts are springs and dampers, which have a rebound and no law",
    )
    settings = {
        "default": {"step": 0.002},
        "best": {
            "step": 0.0002,
            "integrator": "implicitfast",
            "cone": "elliptic",
            "impratio": 100,
            "iterations": 200,
            "tolerance": 1e-12,
            "noslip_iterations": 20,
            "noslip_tolerance": 1e-12,
            "solref": [0.002, 1],  # ten steps; at the least, two, boxes rattle on their corners
            "solimp": [0.99, 0.999, 0.0001, 0.5, 2],
        },
    }

    def version(self) -> str:
        import mujoco

        return mujoco.__version__

    def build(self, world: World, settings: Mapping[str, Any]) -> None:
        import mujoco

        options = {key: value for key, value in settings.items() if key not in ("step", "solref", "solimp")}
        contact = {key: settings[key] for key in ("solref", "solimp") if key in settings}
        if "restitution" in world.features:
            contact.update(_bouncing(world, settings))
        text = mjcf.write(world, {"timestep": settings["step"], **options}, contact)
        self.world, self.mujoco = world, mujoco
        self.model = mujoco.MjModel.from_xml_string(text)
        self.data = mujoco.MjData(self.model)
        names = {plane.name: plane.name for plane in world.planes}
        names.update({solid.name: solid.shape for body in world.bodies for solid in solids(body)})
        self.things = {self.model.geom(geom).id: name for geom, name in names.items()}
        mujoco.mj_resetDataKeyframe(self.model, self.data, 0)
        mujoco.mj_forward(self.model, self.data)

    def step(self) -> float:
        self.data.xfrc_applied[:] = 0
        for name, (force, torque) in loads(self.world, self.state, springs=False).items():
            self.data.body(name).xfrc_applied[:] = [*force, *torque]
        self.mujoco.mj_step(self.model, self.data)
        if self.world.joints:  # places and speeds that follow from the coordinates after the step
            for follow in (self.mujoco.mj_kinematics, self.mujoco.mj_comPos, self.mujoco.mj_comVel):
                follow(self.model, self.data)
        return self.data.time

    def state(self, body: str) -> State:
        joint = self.model.body(body).jntadr[0]
        if joint < 0 or self.model.jnt_type[joint] != self.mujoco.mjtJoint.mjJNT_FREE:
            return self._joined_state(body)
        q, v = self.model.jnt_qposadr[joint], self.model.jnt_dofadr[joint]
        place, rate = self.data.qpos[q : q + 7], self.data.qvel[v : v + 6]
        return State(place[:3], place[3:], rate[:3], rotate(place[3:], rate[3:]))

    def _joined_state(self, body: str) -> State:
        one, rates = self.data.body(body), np.zeros(6)
        kind = self.mujoco.mjtObj.mjOBJ_XBODY
        self.mujoco.mj_objectVelocity(self.model, self.data, kind, one.id, rates, 0)
        return State(one.xpos, one.xquat, rates[3:], rates[:3])

    def forces(self) -> Mapping[tuple[str, str], np.ndarray]:
        found: dict[tuple[str, str], np.ndarray] = {}
        for i, contact in enumerate(self.data.contact):
            parts = np.zeros(6)
            self.mujoco.mj_contactForce(self.model, self.data, i, parts)
            things = tuple(self.things[geom] for geom in (contact.geom2, contact.geom1))
            found[things] = found.get(things, np.zeros(3)) + contact.frame.reshape(3, 3).T @ parts[:3]
        return found

    def friction(self, a: str, b: str) -> float:
        pair = self._pair(a, b)
        return self.model.pair_friction[pair, 0] if self.model.pair_dim[pair] > 1 else 0.0

    def restitution(self, a: str, b: str) -> float:
        stiffness, damping = -self.model.pair_solref[self._pair(a, b)]
        return bounce_of(damping / (2 * math.sqrt(stiffness)))

    def _pair(self, a: str, b: str) -> int:
        geoms = [self.model.geom(mjcf.geoms_of(self.world, thing)[0]).id for thing in (a, b)]
        both = np.stack([self.model.pair_geom1, self.model.pair_geom2], axis=1)
        return int(np.nonzero((np.sort(both) == np.sort(geoms)).all(axis=1))[0][0])


def bounce_of(damping: float) -> float:
    """Rebound over approach of a linear spring with this damping ratio, which pushes but does not pull."""
    root = math.sqrt(1 - damping**2)
    turn = math.pi - math.atan2(2 * damping * root, 1 - 2 * damping**2)
    return math.exp(-damping / root * turn)


def _bouncing(world: World, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Contacts as springs and dampers that bounce as asked: MuJoCo has no coefficient of restitution."""
    if "solref" not in settings:
        raise Cannot("no coefficient of restitution; the settings `best` use a spring and a damper of that rebound")
    wanted = {pair.restitution for pair in world.pairs}
    if len(wanted) > 1 or min(wanted) < bounce_of(0.999):
        raise Cannot(f"no spring and damper that is one for all pairs and rebounds with {sorted(wanted)}")
    low, high = 0.0, 0.999
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if bounce_of(middle) > min(wanted) else (low, middle)
    frequency = math.pi / (20 * settings["step"])  # a contact lasts about twenty steps
    return {"solref": [-(frequency**2), -2 * low * frequency], "solimp": [0.99, 0.99, 0.001, 0.5, 2]}
