"""Exudyn: multibody systems with contacts as springs, dampers and friction that grows with slip up to its limit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import product
from typing import Any

import numpy as np

from .. import rotation
from ..engine import ALL_JOINTS, MOST, Cannot, Engine, State
from ..solids import matrix_of, touching_points
from ..trajectory import Recorder, Trajectory
from ..world import Body, Joint, Pair, Plane, World

EDGE = 1e3
"""Metres; the triangle that stands for a half space is about so large."""
BELT = 1e6
"""Kilograms of a belt."""
POINT_RADIUS = 1e-3
"""Metres; corners and points are such balls, raised by as much, so that they touch where the point is at the start."""


class Exudyn(Engine):
    """Balls, corners of boxes and points touch planes; balls touch balls. Surfaces of boxes do not touch each other."""

    name = "exudyn"
    title = "Exudyn"
    made_for = (
        "Flexible multibody dynamics: robots, belts, beams and machines, with implicit integration of stiff equations."
    )
    combines = "Friction and restitution belong to a contact; nothing is combined."
    advice = (
        "Exudyn's reference manual, ObjectContactSphereTriangle, and the docstring of CreateSphereTriangleContact: stiff contacts, a small "
        "zone (`frictionProportionalZone`), steps that resolve both, and `impactModel` 2, the accurate one, for a coefficient of restitution. "
        "Stiffness has no default; `default` takes 1e5 N/m, critical damping of the whole mass, the zone as it comes, and steps of 1 ms."
    )
    can = (MOST - {"capsule", "cylinder"}) | ALL_JOINTS
    can |= {"belt", "contact forces", "joint friction", "plane joint", "restitution", "spring"}
    limits = "Friction grows with slip up to its limit (frictionProportionalZone): nothing stays for ever; planes touch spheres alone."
    lacks = {
        "restitution poisson": "restitution follows from a law of damping",
        "restitution energetic": "restitution follows from a law of damping",
    }
    settings = {
        "default": {"step": 0.001, "stiffness": 1e5},
        "best": {
            "step": 0.0001,
            "stiffness": 1e6,
            "zone": 1e-5,
        },
    }

    def version(self) -> str:
        import exudyn

        return exudyn.__version__

    def run(self, world: World, settings: Mapping[str, Any]) -> Trajectory:
        import exudyn
        from exudyn.rigidBodyUtilities import RigidBodyInertia

        self.world, self.exudyn, self.settings = world, exudyn, settings
        self.system = exudyn.SystemContainer().AddSystem()
        self.ground = self.system.CreateGround()
        self.bodies = {
            "world": self.ground,
            **{plane.name: self._surface(plane, RigidBodyInertia) for plane in world.planes},
        }
        for body in world.bodies:
            self.bodies[body.name] = self._add(body, RigidBodyInertia)
        self.contacts: dict[tuple[str, str], list[int]] = {}
        self.touching: dict[int, tuple[str, str]] = {}
        for pair in world.pairs:
            self.contacts[pair.a, pair.b] = list(self._touch(pair))
            self.touching |= zip(self.contacts[pair.a, pair.b], self._things(pair), strict=True)
        self._forces_and_springs()
        self._joints()
        self.system.Assemble()
        self.check_pairs(world)
        return self._solve()

    def _surface(self, plane: Plane, inertia: Any) -> int:
        """The ground, or of a belt a half space that moves along itself, so heavy that nothing changes its speed."""
        if not plane.velocity.any():
            return self.ground
        heavy = inertia(BELT, BELT * np.eye(3))
        return self.system.CreateRigidBody(initialVelocity=plane.velocity, inertia=heavy, gravity=[0, 0, 0])

    def _add(self, body: Body, inertia: Any) -> int:
        turn = _matrix(body.quaternion)
        if body.fixed:
            return self.system.CreateGround(referencePosition=body.position, referenceRotationMatrix=turn)
        return self.system.CreateRigidBody(
            referencePosition=body.position,
            referenceRotationMatrix=turn,
            initialVelocity=body.velocity,
            initialAngularVelocity=body.omega,
            inertia=inertia(body.mass, matrix_of(body.inertia)),
            gravity=self.world.gravity,
        )

    def _touch(self, pair: Pair) -> Iterator[int]:
        a = self.world.body(pair.a)
        plane = next((plane for plane in self.world.planes if plane.name == pair.b), None)
        if plane is not None:
            for centre, radius in touching_points(a):
                yield self._on_plane(pair, a, plane, centre, radius)
            return
        b = self.world.body(pair.b)
        if any(shape.kind != "ball" for body in (a, b) for shape in body.shapes):
            raise Cannot("contact of boxes or points with another body than a half space or a ball")
        for (p, r), (q, s) in product(list(touching_points(a)), list(touching_points(b))):
            yield self.system.CreateSphereSphereContact(
                itemNumbers=[self.bodies[a.name], self.bodies[b.name]],
                localPosition0=p,
                localPosition1=q,
                spheresRadii=[r, s],
                **self._law(pair, a.mass if b.fixed else a.mass * b.mass / (a.mass + b.mass)),
            )

    def _things(self, pair: Pair) -> Iterator[tuple[str, str]]:
        """The shapes and planes of a pair's contacts, in their order."""
        planes = {plane.name for plane in self.world.planes}
        parts = [[name] if name in planes else _parts(self.world.body(name)) for name in (pair.a, pair.b)]
        return product(*parts)

    def _on_plane(self, pair: Pair, body: Body, plane: Plane, centre: np.ndarray, radius: float) -> int:
        if radius == 0:
            radius = POINT_RADIUS
            centre = centre + radius * rotation.rotate(rotation.conjugate(body.quaternion), plane.normal)
        turn = rotation.towards(plane.normal)
        corners = [[-EDGE, -EDGE, 0.0], [2 * EDGE, -EDGE, 0.0], [-EDGE, 2 * EDGE, 0.0]]
        return self.system.CreateSphereTriangleContact(
            itemNumbers=[self.bodies[body.name], self.bodies[plane.name]],
            localPosition0=centre,
            sphereRadius=radius,
            trianglePoints=self.exudyn.Vector3DList([plane.point + rotation.rotate(turn, at) for at in corners]),
            includeEdges=0,
            **self._law(pair, body.mass),
        )

    def _law(self, pair: Pair, mass: float) -> dict[str, Any]:
        stiffness = self.settings["stiffness"]
        law = {"dynamicFriction": pair.friction, "contactStiffness": stiffness}
        if "zone" in self.settings:
            law["frictionProportionalZone"] = self.settings["zone"]
        if pair.restitution > 0:
            return law | {"restitutionCoefficient": pair.restitution, "impactModel": 2, "minimumImpactVelocity": 1e-3}
        return law | {"contactDamping": 2 * np.sqrt(stiffness * mass)}

    def _forces_and_springs(self) -> None:
        for force in self.world.forces:
            local = force.axes == "body"
            place = {"bodyNumber": self.bodies[force.body], "localPosition": force.point, "bodyFixed": local}
            self.system.CreateForce(loadVector=force.force, **place)
            self.system.CreateTorque(loadVector=force.torque, **place)
        for spring in self.world.springs:
            self.system.CreateSpringDamper(
                itemNumbers=[self.bodies[name] for name in spring.bodies],
                localPosition0=spring.points[0],
                localPosition1=spring.points[1],
                referenceLength=spring.length,
                stiffness=spring.stiffness,
                damping=spring.damping,
            )

    def _joints(self) -> None:
        for joint in self.world.joints:
            place = {"itemNumbers": [self.bodies[name] for name in joint.bodies], "position": joint.point}
            if joint.kind == "hinge":
                self.system.CreateRevoluteJoint(axis=joint.axis, useGlobalFrame=True, **place)
            elif joint.kind == "slider":
                self.system.CreatePrismaticJoint(axis=joint.axis, useGlobalFrame=True, **place)
            elif joint.kind == "ball":
                self.system.CreateSphericalJoint(**place)
            else:
                axes = [0, 0, 1, 1, 1, 0] if joint.kind == "plane" else [1] * 6
                frame = {"rotationMatrixAxes": _matrix(rotation.towards(joint.axis)), "useGlobalFrame": True}
                self.system.CreateGenericJoint(constrainedAxes=axes, **frame, **place)
            if joint.friction:
                self._brake(joint, place)

    def _brake(self, joint: Joint, place: Mapping[str, Any]) -> None:
        """Dry friction as a user function, in the same zone as that of contacts."""
        limit, zone = joint.friction, self.settings.get("zone", 1e-3)

        def friction(system: Any, t: float, item: int, away: float, rate: float, *parameters: float) -> float:
            return limit * min(1.0, max(-1.0, rate / zone))

        if joint.kind == "hinge":
            self.system.CreateTorsionalSpringDamper(axis=joint.axis, springTorqueUserFunction=friction, **place)
        elif joint.kind == "slider":
            self.system.CreateLinearSpringDamper(axis=joint.axis, springForceUserFunction=friction, **place)
        else:
            raise Cannot("not said by this adapter: dry friction in a joint that is no hinge or slider")

    def _solve(self) -> Trajectory:
        recorder, pause = Recorder(), 0.999 * self.world.duration / self.world.samples
        names = [body.name for body in self.world.moving()]
        asks_forces = "contact forces" in self.world.features

        def record(system: Any, t: float) -> bool:
            if not recorder.t or t >= recorder.t[-1] + pause or t >= self.world.duration * (1 - 1e-9):
                recorder.add(t, {name: self.state(name) for name in names}, self.forces() if asks_forces else {})
            return True

        options = self.exudyn.SimulationSettings()
        options.timeIntegration.numberOfSteps = round(self.world.duration / self.settings["step"])
        options.timeIntegration.endTime = self.world.duration
        options.timeIntegration.verboseMode = 0
        options.solutionSettings.writeSolutionToFile = False
        for key, value in self.settings.items():
            if "." in key:  # such as timeIntegration.newton.useModifiedNewton
                *path, word = key.split(".")
                setattr(reduce(getattr, path, options), word, value)
        record(self.system, 0.0)
        self.system.SetPostStepUserFunction(record)
        self.system.SolveDynamic(options)
        return recorder.trajectory()

    def state(self, body: str) -> State:
        kinds, one = self.exudyn.OutputVariableType, self.bodies[body]
        wanted = (kinds.Position, kinds.RotationMatrix, kinds.Velocity, kinds.AngularVelocity)
        place, turn, rate, omega = (np.array(self.system.GetObjectOutputBody(one, kind)) for kind in wanted)
        return State(place, rotation.from_matrix(turn.reshape(3, 3)), rate, omega)

    def forces(self) -> Mapping[tuple[str, str], np.ndarray]:
        """Of a contact the engine tells the force on its first sphere."""
        found: dict[tuple[str, str], np.ndarray] = {}
        for contact, things in self.touching.items():
            force = self.system.GetObjectOutput(contact, self.exudyn.OutputVariableType.Force)
            found[things] = found.get(things, np.zeros(3)) + np.asarray(force)
        return found

    def friction(self, a: str, b: str) -> float:
        return self._parameter(a, b, "dynamicFriction")

    def restitution(self, a: str, b: str) -> float:
        return self._parameter(a, b, "restitutionCoefficient")

    def _parameter(self, a: str, b: str, word: str) -> float:
        return float(self.system.GetObjectParameter(self.contacts[a, b][0], word))


def _matrix(q: np.ndarray) -> np.ndarray:
    return np.array([rotation.rotate(q, axis) for axis in np.eye(3)]).T


def _parts(body: Body) -> list[str]:
    """Of each ball, corner and point of a body the name of its shape, in the order of `touching_points`."""
    counts = [{"ball": 1, "box": 8}.get(shape.kind, len(shape.points)) for shape in body.shapes]
    return [f"{body.name}.{shape.name}" for shape, n in zip(body.shapes, counts, strict=True) for _ in range(n)]
