"""ODE, the Open Dynamics Engine, by its Python binding: contacts as constraints of a boxed linear complementarity problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .. import rotation
from ..debian import debian_version
from ..engine import ALL_JOINTS, MOST, NEWTON_ALONE, Cannot, Engine, State
from ..loads import loads
from ..solids import Solid, matrix_of, solids
from ..world import Body, Joint, Pair, Plane, World

OF_WORLD = {
    "surface_layer": "setContactSurfaceLayer",
    "erp": "setERP",
    "cfm": "setCFM",
    "iterations": "setQuickStepNumIterations",
}
LARGEST_FORCE = 5
"""ODE's `dParamFMax`, for which the binding has the number of an older ODE."""
JOINTS = {"hinge": "HingeJoint", "slider": "SliderJoint", "ball": "BallJoint", "weld": "FixedJoint"}


class Ode(Engine):
    """A body for each of the world's; contacts are found and made joints anew at every step, as ODE wants it."""

    name = "ode"
    title = "Open Dynamics Engine"
    made_for = "Interactive simulation of articulated bodies: speed and stability before accuracy, as its manual says."
    combines = "Friction and bounce belong to a contact; nothing is combined."
    advice = (
        "ODE's manual, chapters Concepts and World: `dWorldStep`, which solves the whole system, instead of the less accurate "
        "`dWorldQuickStep`; small steps; `cfm` stays as it comes, since the manual keeps it above zero for systems that are nearly "
        "singular, as those of a face's four points are. `default` has the step of the binding's tutorial on collisions."
    )
    limits = (
        "The manual: the integrator is of first order; friction is a pyramid along two directions, not a cone (`ContactApprox1`; without "
        "it the coefficient is a force), and its limits come from the normal forces as they would be without friction."
    )
    can = MOST | ALL_JOINTS | {"belt", "contact forces", "joint friction", "restitution", "spring"}
    lacks = NEWTON_ALONE
    settings = {"default": {"step": 0.01}, "best": {"step": 0.0002}}

    def version(self) -> str:
        import ode  # noqa: F401

        return f"{debian_version('libode8')}, binding {debian_version('python3-pyode')}"

    def build(self, world: World, settings: Mapping[str, Any]) -> None:
        import ode

        self.world, self.ode, self.steps, self.h = world, ode, 0, settings["step"]
        self.quick = "iterations" in settings
        self.scene = ode.World()
        self.scene.setGravity(tuple(world.gravity))
        for key in OF_WORLD.keys() & settings.keys():
            getattr(self.scene, OF_WORLD[key])(settings[key])
        self.geoms: dict[str, list[tuple[str, Any]]] = {
            plane.name: [(plane.name, self._plane(plane))] for plane in world.planes
        }
        self.belts = {plane.name: plane.velocity for plane in world.planes if plane.velocity.any()}
        self.bodies = {body.name: self._body(body) for body in world.moving()}
        for body in world.bodies:
            self.geoms[body.name] = [(solid.shape, self._geom(solid, body)) for solid in solids(body)]
        self.joints = [self._join(joint) for joint in world.joints]
        self.touching: list[tuple[tuple[str, str], Any]] = []

    def _plane(self, plane: Plane) -> Any:
        return self.ode.GeomPlane(None, tuple(plane.normal), float(plane.normal @ plane.point))

    def _body(self, body: Body) -> Any:
        one, mass, full = self.ode.Body(self.scene), self.ode.Mass(), matrix_of(body.inertia)
        mass.setParameters(body.mass, 0, 0, 0, full[0, 0], full[1, 1], full[2, 2], full[0, 1], full[0, 2], full[1, 2])
        one.setMass(mass)
        one.setPosition(tuple(body.position))
        one.setQuaternion(tuple(body.quaternion))
        one.setLinearVel(tuple(body.velocity))
        one.setAngularVel(tuple(body.omega))
        return one

    def _geom(self, solid: Solid, body: Body) -> Any:
        """A geom at its place on the body, or in the world if the body is fixed."""
        one = self._shape(solid)
        if body.fixed:
            place = body.position + rotation.rotate(body.quaternion, solid.position)
            one.setPosition(tuple(place))
            one.setQuaternion(tuple(rotation.multiply(body.quaternion, solid.quaternion)))
            return one
        one.setBody(self.bodies[body.name])
        one.setOffsetPosition(tuple(solid.position))
        one.setOffsetQuaternion(tuple(solid.quaternion))
        return one

    def _shape(self, solid: Solid) -> Any:
        size = tuple(float(length) for length in solid.size)
        if solid.kind == "box":
            return self.ode.GeomBox(None, size)
        kinds = {"ball": self.ode.GeomSphere, "cylinder": self.ode.GeomCylinder, "capsule": self.ode.GeomCapsule}
        return kinds[solid.kind](None, *size)

    def _join(self, joint: Joint) -> Any:
        if joint.kind not in JOINTS or (joint.friction and joint.kind not in ("hinge", "slider")):
            raise Cannot(f"not said by this adapter: a joint of the kind {joint.kind}, or friction in it")
        one = getattr(self.ode, JOINTS[joint.kind])(self.scene)
        one.attach(*(self.bodies.get(name, self.ode.environment) for name in joint.bodies))
        if joint.kind == "weld":
            one.setFixed()
        if joint.kind in ("hinge", "ball"):
            one.setAnchor(tuple(joint.point))
        if joint.kind in ("hinge", "slider"):
            one.setAxis(tuple(joint.axis))
            one.setParam(self.ode.ParamVel, 0.0)
            one.setParam(LARGEST_FORCE, joint.friction)
        return one

    def step(self) -> float:
        for name, (force, torque) in loads(self.world, self.state).items():
            self.bodies[name].addForce(tuple(force))
            self.bodies[name].addTorque(tuple(torque))
        self.touching = []  # joints live as long as their objects; groups of joints do not bear feedback
        self.touching = [one for pair in self.world.pairs for one in self._touch(pair)]
        (self.scene.quickStep if self.quick else self.scene.step)(self.h)
        self.steps += 1
        return self.steps * self.h

    def _touch(self, pair: Pair) -> Iterator[tuple[tuple[str, str], Any]]:
        ends = [self.bodies.get(name, self.ode.environment) for name in (pair.a, pair.b)]
        for first, one in self.geoms[pair.a]:
            for second, other in self.geoms[pair.b]:
                for contact in self.ode.collide(one, other):
                    self._law(contact, pair)
                    joint = self.ode.ContactJoint(self.scene, None, contact)
                    joint.attach(*ends)
                    joint.setFeedback("contact forces" in self.world.features)
                    yield (first, second), joint

    def _law(self, contact: Any, pair: Pair) -> None:
        mode = self.ode.ContactApprox1
        contact.setMu(self.friction(pair.a, pair.b))
        if pair.restitution > 0:
            mode |= self.ode.ContactBounce
            contact.setBounce(pair.restitution)
            contact.setBounceVel(0.0)
        if pair.b in self.belts:
            speed = float(np.linalg.norm(self.belts[pair.b]))
            mode |= self.ode.ContactMotion1 | self.ode.ContactFDir1
            contact.setFDir1(tuple(self.belts[pair.b] / speed))
            contact.setMotion1(speed)
        contact.setMode(mode)

    def state(self, body: str) -> State:
        one = self.bodies[body]
        parts = (one.getPosition(), one.getQuaternion(), one.getLinearVel(), one.getAngularVel())
        return State(*(np.array(part) for part in parts))

    def forces(self) -> Mapping[tuple[str, str], np.ndarray]:
        found: dict[tuple[str, str], np.ndarray] = {}
        for things, joint in self.touching:
            found[things] = found.get(things, np.zeros(3)) + np.array(joint.getFeedback()[0])
        return found

    def friction(self, a: str, b: str) -> float:
        return self._pair(a, b).friction

    def restitution(self, a: str, b: str) -> float:
        return self._pair(a, b).restitution

    def _pair(self, a: str, b: str) -> Pair:
        return next(pair for pair in self.world.pairs if (pair.a, pair.b) == (a, b))
