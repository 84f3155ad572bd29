"""Siconos, in Debian's Python: nonsmooth mechanics by Moreau-Jean time steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import rotation
from ..debian import debian_version
from ..engine import ALL_JOINTS, MOST, NEWTON_ALONE, Cannot, Engine, State
from ..loads import loads
from ..solids import Solid, matrix_of, solids
from ..world import Body, Joint, Plane, World

ALONG_Z = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])
"""Cylinders of Siconos lie along y."""

OF_BULLET = {"perturbationIterations", "minimumPointsPerturbationThreshold", "worldScale", "contactBreakingThreshold"}
"""Settings of SiconosBulletOptions."""

OPEN = 1e9
"""Metres; relations as far apart as this are active. Friction in a joint is a relation that is never apart, and yet is left out of
every second step while its rate is positive, unless the scheme is told so; contacts would then act before they close."""

JOINTS = {"hinge": "PivotJointR", "slider": "PrismaticJointR", "ball": "KneeJointR", "weld": "FixedJointR"}
"""Its classes of joints."""


class Siconos(Engine):
    """Rigid bodies with Bullet's detection of contacts; friction by the nonsmooth Gauss-Seidel method."""

    name = "siconos"
    title = "Siconos"
    made_for = "Nonsmooth dynamics: contacts with Coulomb's cone and Newton's law of impact, solved as complementarity."
    combines = "Laws belong to pairs of groups; every body and plane is a group of its own. Nothing is combined."
    advice = (
        "The docstrings of siconos.io.mechanics_run and SiconosBulletOptions: small steps, small margins of shapes, more "
        "perturbations for contacts of faces, a tight tolerance of the solver. `default` has the values of mechanics_run. "
        "Bullet's detection keeps old points of a ball that rolls; with `worldScale` 100 it rolls well, but boxes creep."
    )
    limits = "Contacts are those of Bullet's detection, which has margins and keeps points for a while."
    can = MOST | ALL_JOINTS | {"restitution", "joint friction", "spring", "contact forces"}
    lacks = {
        **NEWTON_ALONE,
        "belt": "planes are fixed, and contacts have no velocity of a surface",
        "plane joint": "siconos.mechanics.joints has none",
    }
    settings = {
        "default": {"step": 0.0005, "theta": 0.50001, "margin": 0.02},
        "best": {
            "step": 0.0005,
            "theta": 0.50001,
            "margin": 0.002,
            "tolerance": 1e-8,
            "iterations": 1000,
            "perturbationIterations": 8,
            "minimumPointsPerturbationThreshold": 8,
        },
    }

    def version(self) -> str:
        import siconos  # noqa: F401

        return debian_version("python3-siconos")

    def build(self, world: World, settings: Mapping[str, Any]) -> None:
        from siconos import kernel, numerics
        from siconos.io.io_base import MechanicsIO
        from siconos.mechanics import collision, joints
        from siconos.mechanics.collision import bullet

        self.world, self.kernel, self.collision, self.margin = world, kernel, collision, settings["margin"]
        self.joints, self.h, self.blocks = joints, settings["step"], numerics.NM_SPARSE_BLOCK
        self.asks_forces, self.brakes = "contact forces" in world.features, "joint friction" in world.features
        self.output, self.impulses = MechanicsIO(), None
        self.keep: list[Any] = []  # what Python owns and the engine uses
        self.system = kernel.NonSmoothDynamicalSystem(0.0, 1.01 * world.duration)
        options = bullet.SiconosBulletOptions()
        for key in OF_BULLET & settings.keys():
            setattr(options, key, settings[key])
        self.contacts = bullet.SiconosBulletCollisionManager(options)
        self.groups = {thing.name: i for i, thing in enumerate((*world.planes, *world.bodies))}
        self.bodies = {body.name: self._add(body) for body in world.moving()}
        self.names = {one.number(): name for name, one in self.bodies.items()}
        self.pushed = {one.body for one in world.forces} | {name for one in world.springs for name in one.bodies}
        self.pushed &= self.bodies.keys()
        for thing in (*world.planes, *(body for body in world.bodies if body.fixed)):
            self._add_fixed(thing)
        self.laws = {}
        for pair in world.pairs:
            law = kernel.NewtonImpactFrictionNSL(pair.restitution, 0.0, pair.friction, 3)
            self.contacts.insertNonSmoothLaw(law, self.groups[pair.a], self.groups[pair.b])
            self.laws[pair.a, pair.b] = law
        for joint in world.joints:
            self._join(joint)
        self._scheme(settings)

    def _scheme(self, settings: Mapping[str, Any]) -> None:
        kernel = self.kernel
        problem = kernel.GenericMechanical() if self.world.joints else kernel.FrictionContact(3)
        options = problem.numericsSolverOptions()
        if "tolerance" in settings:
            options.dparam[0], options.iparam[0] = settings["tolerance"], settings["iterations"]
        if not self.world.joints:
            problem.setMStorageType(self.blocks)
        problem.setKeepLambdaAndYState(True)
        self.simulation = kernel.TimeStepping(self.system, kernel.TimeDiscretisation(0.0, settings["step"]))
        scheme = kernel.MoreauJeanOSI(settings["theta"])
        if self.brakes:
            scheme.setConstraintActivationThreshold(OPEN)
        self.simulation.insertIntegrator(scheme)
        self.simulation.insertNonSmoothProblem(problem)
        self.simulation.insertInteractionManager(self.contacts)
        self.simulation.setNewtonOptions(kernel.SICONOS_TS_NONLINEAR)
        self.simulation.setNewtonMaxIteration(20)
        self.simulation.setNewtonTolerance(1e-10)

    def _add(self, body: Body) -> Any:
        turned = rotation.rotate(rotation.conjugate(body.quaternion), body.omega)
        place, rate = [*body.position, *body.quaternion], [*body.velocity, *turned]
        one = self.collision.RigidBodyDS(place, rate, body.mass, matrix_of(body.inertia))
        one.setUseContactorInertia(False)
        one.setContactors(self._contactors(body))
        one.setFExtPtr(list(body.mass * self.world.gravity))
        self.system.insertDynamicalSystem(one)
        return one

    def _join(self, joint: Joint) -> None:
        """Joined bodies still touch, if their pair has a law; dry friction is an impulse of each step up to a limit."""
        one = getattr(self.joints, JOINTS[joint.kind])()
        if joint.kind in ("hinge", "ball"):
            one.setPoint(0, list(joint.point))
        if joint.kind in ("hinge", "slider"):
            one.setAxis(0, list(joint.axis / np.linalg.norm(joint.axis)))
        one.setAbsolute(True)
        one.setAllowSelfCollide(True)
        ends = [self.bodies[name] for name in joint.bodies if name in self.bodies]
        first, second = ends if len(ends) == 2 else (ends[0], None)
        one.setBasePositions(first.q(), None if second is None else second.q())
        self._link(one, self.kernel.EqualityConditionNSL(one.numberOfConstraints()), first, second)
        if joint.friction:
            if joint.kind not in ("hinge", "slider"):
                raise Cannot("not said by this adapter: dry friction in a joint that is no hinge or slider")
            limit = joint.friction * self.h
            self._link(self.joints.JointFrictionR(one, [0]), self.kernel.RelayNSL(1, -limit, limit), first, second)

    def _link(self, relation: Any, law: Any, first: Any, second: Any) -> None:
        interaction = self.kernel.Interaction(law, relation)
        self.system.link(interaction, first, second)
        self.keep += [relation, law, interaction]

    def _add_fixed(self, thing: Body | Plane) -> None:
        if isinstance(thing, Plane):
            shape = self.collision.SiconosPlane()
            contactors = self.collision.SiconosContactorSet()
            contactors.append(self.collision.SiconosContactor(shape, [0, 0, 0, 1, 0, 0, 0], self.groups[thing.name]))
            place = [*thing.point, *rotation.towards(thing.normal)]
            self.keep += [shape, contactors]
        else:
            contactors, place = self._contactors(thing), [*thing.position, *thing.quaternion]
        self.contacts.insertStaticContactorSet(contactors, place)

    def _contactors(self, body: Body) -> Any:
        found = self.collision.SiconosContactorSet()
        for solid in solids(body):
            shape = self._shape(solid)
            shape.setInsideMargin(self.margin * min(solid.size))
            shape.setOutsideMargin(0.0)
            lies_along_y = solid.kind in ("cylinder", "capsule")
            turn = rotation.multiply(solid.quaternion, ALONG_Z) if lies_along_y else solid.quaternion
            found.append(self.collision.SiconosContactor(shape, [*solid.position, *turn], self.groups[body.name]))
            self.keep.append(shape)
        self.keep.append(found)
        return found

    def _shape(self, solid: Solid) -> Any:
        collision, size = self.collision, [float(length) for length in solid.size]
        if solid.kind == "box":
            return collision.SiconosBox(size)
        kinds = {"ball": collision.SiconosSphere, "cylinder": collision.SiconosCylinder}
        return kinds.get(solid.kind, collision.SiconosCapsule)(*size)

    def step(self) -> float:
        if self.pushed:
            self._push()
        self.simulation.computeOneStep()
        if self.asks_forces:
            self.impulses = self.output.contactPoints(self.system, 1)
        if self.brakes and self.contacts.statistics().new_interactions_created:
            raise Cannot("not said by this adapter: dry friction in a joint beside contacts")
        self.simulation.clearNSDSChangeLog()
        self.simulation.nextStep()
        return self.simulation.startingTime()

    def _push(self) -> None:
        """Forces and torques at the places of the middle of the step, where springs neither gain nor lose energy."""
        found = loads(self.world, self._halfway)
        for name in self.pushed:
            body, one = self.world.body(name), self.bodies[name]
            force, torque = found[name]
            one.setFExtPtr(list(body.mass * self.world.gravity + force))
            one.setMExtPtr(list(rotation.rotate(rotation.conjugate(self.state(name).quaternion), torque)))

    def _halfway(self, body: str) -> State:
        now = self.state(body)
        return now._replace(position=now.position + self.h / 2 * now.velocity)

    def state(self, body: str) -> State:
        q, v = np.array(self.bodies[body].q()), np.array(self.bodies[body].twist())
        return State(q[:3], q[3:], v[:3], rotation.rotate(q[3:], v[3:]))

    def friction(self, a: str, b: str) -> float:
        return self.laws[a, b].mu()

    def restitution(self, a: str, b: str) -> float:
        return self.laws[a, b].en()

    def forces(self) -> Mapping[tuple[str, str], np.ndarray]:
        """Impulses of the last step, over its length; of a fixed thing the engine does not tell which it is."""
        found: dict[tuple[str, str], np.ndarray] = {}
        for row in () if self.impulses is None else self.impulses:
            points, impulse, numbers = (row[1:4], row[4:7]), row[10:13], row[23:25].astype(int)
            first, second = (self.names[number] for number in numbers)
            a = self._part(first, points[0])
            b = self._fixed_at(points[1]) if first == second else self._part(second, points[1])
            found[a, b] = found.get((a, b), np.zeros(3)) + impulse / self.h
        return found

    def _part(self, name: str, point: np.ndarray) -> str:
        """The shape of a body on which a point lies."""
        shapes = list(solids(self.world.body(name)))
        if len(shapes) == 1:
            return shapes[0].shape
        if any(solid.kind != "ball" for solid in shapes):
            raise Cannot("not said by this adapter: which of several shapes touches, if they are not balls")
        here = self.state(name)
        local = rotation.rotate(rotation.conjugate(here.quaternion), point - here.position)
        return min(shapes, key=lambda solid: abs(np.linalg.norm(local - solid.position) - solid.size[0])).shape

    def _fixed_at(self, point: np.ndarray) -> str:
        """The plane in which a point lies."""
        if any(body.fixed for body in self.world.bodies):
            raise Cannot("not said by this adapter: forces of contacts with fixed bodies")
        return min(self.world.planes, key=lambda plane: abs((point - plane.point) @ plane.normal)).name
