"""DART, in Debian's Python: rigid bodies with contacts as a boxed linear complementarity problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import combine, rotation
from ..debian import debian_version
from ..engine import Cannot, Engine, State
from ..solids import Solid, matrix_of, solids
from ..world import Body, Plane, World


class Dart(Engine):
    """A skeleton of one body for each of the world's."""

    name = "dart"
    title = "DART"
    made_for = (
        "Robotics and animation: articulated bodies in generalised coordinates, with access to all of their dynamics."
    )
    combines = (
        "The smaller of two coefficients of friction, and the product of those of restitution; each thing gets the largest "
        "of its pairs, and the root for restitution."
    )
    advice = (
        "DART's page on collision detectors and its own warnings: the default, FCL, knows no planes, so that the ground is a box "
        "of `ground` metres there, and has meshes for balls; `ode` has planes, balls and boxes with their own contacts. Of `ode`, "
        "`bullet` and `fcl`, `ode` was the best; steps from 1e-3 to 1e-4 s were tried."
    )
    can = frozenset(
        ["ball", "box", "cylinder", "capsule", "points", "several shapes", "plane", "fixed", "bodies in contact"]
        + ["restitution", "friction of pairs", "force", "contact forces"]
    )
    settings = {
        "default": {"step": 0.001, "ground": 20},
        "best": {"step": 0.0002, "detector": "ode"},
    }

    def version(self) -> str:
        import dartpy

        return getattr(dartpy, "__version__", "") or debian_version("python3-dartpy")

    def build(self, world: World, settings: Mapping[str, Any]) -> None:
        import dartpy

        self.world, self.dart, self.scene = world, dartpy, dartpy.simulation.World()
        self.ground = settings.get("ground", 0)
        self.scene.setTimeStep(settings["step"])
        self.scene.setGravity(world.gravity)
        if "detector" in settings:
            kinds = dartpy.collision
            detectors = {"bullet": kinds.BulletCollisionDetector, "ode": kinds.OdeCollisionDetector}
            detectors |= {"dart": kinds.DARTCollisionDetector, "fcl": kinds.FCLCollisionDetector}
            self.scene.getConstraintSolver().setCollisionDetector(detectors[settings["detector"]]())
        self.laws = {
            what: self._values(rule, what) for rule, what in (("smaller", "friction"), ("product", "restitution"))
        }
        self.bodies: dict[str, Any] = {}
        self.things: dict[str, str] = {}  # shapes of bodies, and planes, by the engine's own names
        for thing in (*world.planes, *world.bodies):
            self._add(thing)

    def _values(self, rule: str, what: str) -> dict[str, float]:
        values = combine.of_things(rule, self.world.pairs, what)
        if values is None:
            raise Cannot(f"{what} is combined by one rule ({rule}), which cannot give that of every pair here")
        return values

    def _add(self, thing: Body | Plane) -> None:
        skeleton = self.dart.dynamics.Skeleton(thing.name)
        joint, body = skeleton.createFreeJointAndBodyNodePair()
        body.setName(thing.name)
        if isinstance(thing, Plane):
            self._half_space(thing, joint, body)
        else:
            self._start(thing, joint, body)
        if isinstance(thing, Plane) or thing.fixed:
            skeleton.setMobile(False)
        self.scene.addSkeleton(skeleton)
        self.bodies[thing.name] = body

    def _half_space(self, plane: Plane, joint: Any, body: Any) -> None:
        if not self.ground:
            node = self._shape(body, plane.name, self.dart.dynamics.PlaneShape(plane.normal, plane.point))
            self.things[node.getName()] = plane.name
            return
        node = self._shape(body, plane.name, self.dart.dynamics.BoxShape([self.ground, self.ground, 1.0]))
        self.things[node.getName()] = plane.name
        joint.setTransform(self._place(plane.point - plane.normal / 2, rotation.towards(plane.normal)))

    def _start(self, thing: Body, joint: Any, body: Any) -> None:
        for solid in solids(thing):
            node = self._shape(body, thing.name, self._solid(solid))
            self.things[node.getName()] = solid.shape
            node.setRelativeTransform(self._place(solid.position, solid.quaternion))
        joint.setTransform(self._place(thing.position, thing.quaternion))
        if not thing.fixed:
            body.setInertia(self.dart.dynamics.Inertia(thing.mass, np.zeros(3), matrix_of(thing.inertia)))
            turn = rotation.conjugate(thing.quaternion)
            rates = [rotation.rotate(turn, rate) for rate in (thing.omega, thing.velocity)]
            joint.setVelocities(np.concatenate(rates))

    def _shape(self, body: Any, name: str, shape: Any) -> Any:
        node = body.createShapeNode(shape)
        node.createCollisionAspect()
        law = node.createDynamicsAspect()
        law.setFrictionCoeff(self.laws["friction"].get(name, 0.0))
        law.setRestitutionCoeff(self.laws["restitution"].get(name, 0.0))
        return node

    def _solid(self, solid: Solid) -> Any:
        dynamics = self.dart.dynamics
        if solid.kind == "box":
            return dynamics.BoxShape(solid.size)
        kinds = {"ball": dynamics.SphereShape, "cylinder": dynamics.CylinderShape, "capsule": dynamics.CapsuleShape}
        return kinds[solid.kind](*solid.size)

    def _place(self, position: np.ndarray, quaternion: np.ndarray) -> Any:
        place = self.dart.math.Isometry3()
        place.set_translation(position)
        place.set_quaternion(self.dart.math.Quaternion(*quaternion))
        return place

    def step(self) -> float:
        for force in self.world.forces:
            body, local = self.bodies[force.body], force.axes == "body"
            body.addExtForce(force.force, force.point, local, True)
            body.addExtTorque(force.torque, local)
        self.scene.step()
        return self.scene.getTime()

    def state(self, body: str) -> State:
        one = self.bodies[body]
        place = one.getWorldTransform()
        turn = rotation.from_matrix(place.rotation())
        return State(place.translation(), turn, one.getLinearVelocity(), one.getAngularVelocity())

    def forces(self) -> Mapping[tuple[str, str], np.ndarray]:
        found: dict[tuple[str, str], np.ndarray] = {}
        if self.scene.getTime() == 0:
            return found
        result = self.scene.getLastCollisionResult()
        for contact in result.getContacts():
            frames = (contact.collisionObject1.getShapeFrame(), contact.collisionObject2.getShapeFrame())
            pair = tuple(self.things[frame.getName()] for frame in frames)
            found[pair] = found.get(pair, np.zeros(3)) + np.array(contact.force)
        return found

    def friction(self, a: str, b: str) -> float:
        return min(self._law(thing).getFrictionCoeff() for thing in (a, b))

    def restitution(self, a: str, b: str) -> float:
        return float(np.prod([self._law(thing).getRestitutionCoeff() for thing in (a, b)]))

    def _law(self, thing: str) -> Any:
        return self.bodies[thing].getShapeNode(0).getDynamicsAspect()
