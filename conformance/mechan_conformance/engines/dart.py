"""DART, in Debian's Python: rigid bodies with contacts as a boxed linear complementarity problem."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from .. import combine, rotation
from ..debian import debian_version
from ..engine import ALL_JOINTS, MOST, NEWTON_ALONE, Cannot, Engine, State
from ..joined import Link, links, place_of, seen_from, start_rates
from ..loads import loads
from ..solids import Solid, matrix_of, solids
from ..world import Body, Plane, World

JOINTS = {"hinge": "Revolute", "slider": "Prismatic", "ball": "Ball", "weld": "Weld", "plane": "Planar"}


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
        "DART's page on collision detectors and its own warnings: the default, FCL, knows no planes, so that the ground is a box of `ground` "
        "metres there, and has meshes for balls; `ode` has planes, balls and boxes with their own contacts. Small steps."
    )
    limits = (
        "Friction is a pyramid, and its limits come from the normal forces as they would be without friction, as in the solver of ODE that "
        "DART has taken over."
    )
    can = MOST | ALL_JOINTS | {"belt", "contact forces", "joint friction", "plane joint", "restitution", "spring"}
    lacks = NEWTON_ALONE
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
        self.belts: list[tuple[Any, float]] = []
        for plane in world.planes:
            self._add_plane(plane)
        self.links = links(world)
        for body in world.bodies:
            if body.name not in self.links:
                self._add(body)
        for link in self.links.values():
            self._hang(link)
        self._part()

    def _part(self) -> None:
        """Joined bodies touch too, and pairs that the case does not name do not."""
        touching = {frozenset((pair.a, pair.b)) for pair in self.world.pairs}
        names = combinations(self.bodies, 2)
        apart = self.scene.getConstraintSolver().getCollisionOption().collisionFilter
        for a, b in (both for both in names if frozenset(both) not in touching):
            apart.addBodyNodePairToBlackList(self.bodies[a], self.bodies[b])
        for body in self.bodies.values():
            body.getSkeleton().enableSelfCollisionCheck()
            body.getSkeleton().enableAdjacentBodyCheck()

    def _values(self, rule: str, what: str) -> dict[str, float]:
        values = combine.of_things(rule, self.world.pairs, what)
        if values is None:
            raise Cannot(f"{what} is combined by one rule ({rule}), which cannot give that of every pair here")
        return values

    def _add_plane(self, plane: Plane) -> None:
        """A half space that moves along itself is a belt: a body on a guide whose speed is given."""
        skeleton, moves = self.dart.dynamics.Skeleton(plane.name), plane.velocity.any()
        if moves:
            joint, body = skeleton.createPrismaticJointAndBodyNodePair()
            speed = float(np.linalg.norm(plane.velocity))
            joint.setAxis(plane.velocity / speed)
            joint.setActuatorType(self.dart.dynamics.Joint.VELOCITY)
            joint.setVelocity(0, speed)
            self.belts.append((joint, speed))
        else:
            joint, body = skeleton.createWeldJointAndBodyNodePair()
        body.setName(plane.name)
        self._half_space(plane, body)
        skeleton.setMobile(bool(moves))
        self.scene.addSkeleton(skeleton)
        self.bodies[plane.name] = body

    def _add(self, thing: Body) -> None:
        skeleton = self.dart.dynamics.Skeleton(thing.name)
        joint, body = skeleton.createFreeJointAndBodyNodePair()
        self._start(thing, body)
        joint.setTransform(self._place(thing.position, thing.quaternion))
        if thing.fixed:
            skeleton.setMobile(False)
        else:
            turn = rotation.conjugate(thing.quaternion)
            joint.setVelocities(np.concatenate([rotation.rotate(turn, rate) for rate in (thing.omega, thing.velocity)]))
        self.scene.addSkeleton(skeleton)

    def _hang(self, link: Link) -> None:
        """A body on a joint, in the skeleton of its parent or one of its own."""
        hangs_on_body = link.parent in self.bodies
        parent = self.bodies[link.parent] if hangs_on_body else None
        skeleton = parent.getSkeleton() if hangs_on_body else self.dart.dynamics.Skeleton(link.body.name)
        kind = JOINTS[link.joint.kind]
        joint, body = getattr(skeleton, f"create{kind}JointAndBodyNodePair")(parent)
        joint.setName(f"joint of {link.body.name}")
        turn = rotation.towards(link.joint.axis)
        for name, put in (
            (link.parent, joint.setTransformFromParentBodyNode),
            (link.body.name, joint.setTransformFromChildBodyNode),
        ):
            put(self._place(*seen_from(place_of(self.world, name), link.joint.point, turn)))
        if kind in ("Revolute", "Prismatic"):
            joint.setAxis([0, 0, 1])
        for i in range(joint.getNumDofs() if link.joint.friction else 0):
            joint.setCoulombFriction(i, link.joint.friction)
        if link.joint.friction and joint.getNumDofs() > 1:
            raise Cannot("not said by this adapter: dry friction in a joint that is no hinge or slider")
        joint.setVelocities(self._rates(link, turn))
        self._start(link.body, body)
        if not hangs_on_body:
            self.scene.addSkeleton(skeleton)

    def _rates(self, link: Link, turn: np.ndarray) -> np.ndarray:
        """Rates of a joint's coordinates; its axis is z."""
        velocity, omega = (rotation.rotate(rotation.conjugate(turn), v) for v in start_rates(self.world, link))
        of_kind = {"hinge": omega[2:], "slider": velocity[2:], "ball": omega, "weld": omega[:0]}
        return of_kind.get(link.joint.kind, np.array([velocity[0], velocity[1], omega[2]]))

    def _half_space(self, plane: Plane, body: Any) -> None:
        if not self.ground:
            node = self._shape(body, plane.name, self.dart.dynamics.PlaneShape(plane.normal, plane.point))
            self.things[node.getName()] = plane.name
            return
        node = self._shape(body, plane.name, self.dart.dynamics.BoxShape([self.ground, self.ground, 1.0]))
        self.things[node.getName()] = plane.name
        node.setRelativeTransform(self._place(plane.point - plane.normal / 2, rotation.towards(plane.normal)))

    def _start(self, thing: Body, body: Any) -> None:
        body.setName(thing.name)
        self.bodies[thing.name] = body
        for solid in solids(thing):
            node = self._shape(body, thing.name, self._solid(solid))
            self.things[node.getName()] = solid.shape
            node.setRelativeTransform(self._place(solid.position, solid.quaternion))
        if not thing.fixed:
            body.setInertia(self.dart.dynamics.Inertia(thing.mass, np.zeros(3), matrix_of(thing.inertia)))

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
        for name, (force, torque) in loads(self.world, self.state).items():
            self.bodies[name].addExtForce(force, np.zeros(3), False, True)
            self.bodies[name].addExtTorque(torque, False)
        for joint, speed in self.belts:  # commands hold for one step
            joint.setCommand(0, speed)
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
