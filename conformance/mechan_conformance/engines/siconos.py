"""Siconos, in Debian's Python: nonsmooth mechanics by Moreau-Jean time steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import rotation
from ..debian import debian_version
from ..engine import MOST, Cannot, Engine, State
from ..solids import Solid, matrix_of, solids
from ..world import Body, Plane, World

ALONG_Z = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])
"""Cylinders of Siconos lie along y."""

OF_BULLET = {"perturbationIterations", "minimumPointsPerturbationThreshold", "worldScale", "contactBreakingThreshold"}
"""Settings of SiconosBulletOptions."""


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
    can = MOST | {"restitution"}
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
        from siconos.mechanics import collision
        from siconos.mechanics.collision import bullet

        self.world, self.kernel, self.collision, self.margin = world, kernel, collision, settings["margin"]
        self.blocks = numerics.NM_SPARSE_BLOCK
        self.keep: list[Any] = []  # what Python owns and the engine uses
        self.system = kernel.NonSmoothDynamicalSystem(0.0, 1.01 * world.duration)
        options = bullet.SiconosBulletOptions()
        for key in OF_BULLET & settings.keys():
            setattr(options, key, settings[key])
        self.contacts = bullet.SiconosBulletCollisionManager(options)
        self.groups = {thing.name: i for i, thing in enumerate((*world.planes, *world.bodies))}
        self.bodies = {body.name: self._add(body) for body in world.moving()}
        for thing in (*world.planes, *(body for body in world.bodies if body.fixed)):
            self._add_fixed(thing)
        self.laws = {}
        for pair in world.pairs:
            law = kernel.NewtonImpactFrictionNSL(pair.restitution, 0.0, pair.friction, 3)
            self.contacts.insertNonSmoothLaw(law, self.groups[pair.a], self.groups[pair.b])
            self.laws[pair.a, pair.b] = law
        self._scheme(settings)

    def _scheme(self, settings: Mapping[str, Any]) -> None:
        kernel = self.kernel
        problem = kernel.FrictionContact(3)
        options = problem.numericsSolverOptions()
        if "tolerance" in settings:
            options.dparam[0], options.iparam[0] = settings["tolerance"], settings["iterations"]
        problem.setMStorageType(self.blocks)
        problem.setKeepLambdaAndYState(True)
        self.simulation = kernel.TimeStepping(self.system, kernel.TimeDiscretisation(0.0, settings["step"]))
        self.simulation.insertIntegrator(kernel.MoreauJeanOSI(settings["theta"]))
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
        pushes = [force for force in self.world.forces if force.body == body.name]
        if any(force.axes == "body" or force.torque.any() or force.point.any() for force in pushes):
            raise Cannot("not said by this adapter: other than forces through the centre, constant in world axes")
        force = body.mass * self.world.gravity + sum((push.force for push in pushes), np.zeros(3))
        one.setFExtPtr(list(force))
        self.system.insertDynamicalSystem(one)
        return one

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
        self.simulation.computeOneStep()
        self.simulation.clearNSDSChangeLog()
        self.simulation.nextStep()
        return self.simulation.startingTime()

    def state(self, body: str) -> State:
        q, v = np.array(self.bodies[body].q()), np.array(self.bodies[body].twist())
        return State(q[:3], q[3:], v[:3], rotation.rotate(q[3:], v[3:]))

    def friction(self, a: str, b: str) -> float:
        return self.laws[a, b].mu()

    def restitution(self, a: str, b: str) -> float:
        return self.laws[a, b].en()
