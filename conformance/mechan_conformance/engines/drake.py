"""Drake's MultibodyPlant in discrete time: point contact and hydroelastic contact, by convex approximations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import combine, rotation
from ..engine import Cannot, Engine, State
from ..solids import matrix_of, solids
from ..world import Body, Force, Joint, World

JOINTS = {"hinge": "RevoluteJoint", "slider": "PrismaticJoint", "ball": "BallRpyJoint", "weld": "WeldJoint"}
HALF_SPACE = 1.0
"""Metres; half the length of the cubes that `ground: box` makes of planes."""


class Drake(Engine):
    """Every body has hydroelastic properties beside the coefficients of friction, so that boxes have faces."""

    name = "drake"
    title = "Drake"
    made_for = "Analysis and control of robots: manipulation with compliant, patchwise contact, and gradients of it."
    combines = "2ab/(a+b) of two coefficients; each thing gets that of the case, or values that combine to those of the pairs."
    advice = (
        "Drake's page on contact modeling and the docstring of DiscreteContactApproximation: hydroelastic contact for objects with "
        "faces, since in point contact a box on a half space has one point; a small time step and stiction tolerance, `lagged` "
        "for slip without gliding, `similar` for impacts."
    )
    can = frozenset(
        ["ball", "box", "cylinder", "capsule", "points", "several shapes", "plane", "fixed", "bodies in contact"]
        + ["friction of pairs", "no contact", "force", "hinge", "slider", "ball joint", "weld", "spring", "contact forces"]
    )
    settings = {
        "default": {"step": 0.001},
        "best": {"step": 0.0002, "stiction_tolerance": 1e-6, "modulus": 1e8},
    }

    def version(self) -> str:
        from importlib.metadata import version

        return version("drake")

    def build(self, world: World, settings: Mapping[str, Any]) -> None:
        import pydrake.all as drake

        self.world, self.drake, self.h = world, drake, settings["step"]
        options = {key: value for key, value in settings.items() if key not in ("step", "modulus", "dissipation")}
        self.material = {key: settings[key] for key in ("modulus", "dissipation") if key in settings}
        builder = drake.DiagramBuilder()
        config = drake.MultibodyPlantConfig(time_step=self.h, **options)
        self.plant, self.scene = drake.AddMultibodyPlant(config, builder)
        self.plant.mutable_gravity_field().set_gravity_vector(world.gravity)
        self._things()
        for joint in world.joints:
            self._joint(joint)
        for spring in world.springs:
            ends = [(self._frame(n).body(), p) for n, p in zip(spring.bodies, spring.points, strict=True)]
            (a, p), (b, q) = ends
            lengths = (spring.length, spring.stiffness, spring.damping)
            self.plant.AddForceElement(drake.LinearSpringDamper(a, p, b, q, *lengths))
        self.plant.Finalize()
        self._exclude()
        self.simulator = drake.Simulator(builder.Build())
        self._start()

    def _things(self) -> None:
        world, plant, drake = self.world, self.plant, self.drake
        coefficients = combine.of_things("harmonic", world.pairs)
        if coefficients is None:
            raise Cannot("friction is combined as 2ab/(a+b), which cannot be that of every pair here")
        self.geometries: dict[str, list[Any]] = {}
        for plane in world.planes:
            frame = drake.RigidTransform(_quaternion(drake, rotation.towards(plane.normal)), plane.point)
            law = self._properties(coefficients.get(plane.name, 0.0), "plane")
            self.geometries[plane.name] = [
                plant.RegisterCollisionGeometry(plant.world_body(), frame, drake.HalfSpace(), plane.name, law)
            ]
        for body in world.bodies:
            self._body(body, coefficients.get(body.name, 0.0))

    def _body(self, body: Body, friction: float) -> None:
        drake, plant = self.drake, self.plant
        unit = matrix_of(body.inertia) / body.mass if not body.fixed else np.eye(3)
        full = [unit[0, 0], unit[1, 1], unit[2, 2], unit[0, 1], unit[0, 2], unit[1, 2]]
        inertia = drake.SpatialInertia(body.mass or 1.0, np.zeros(3), drake.UnitInertia(*full))
        one = plant.AddRigidBody(body.name, inertia)
        if body.fixed:
            place = drake.RigidTransform(_quaternion(drake, body.quaternion), body.position)
            plant.WeldFrames(plant.world_frame(), one.body_frame(), place)
        kinds = {"ball": drake.Sphere, "box": drake.Box, "cylinder": drake.Cylinder, "capsule": drake.Capsule}
        self.geometries[body.name] = [
            plant.RegisterCollisionGeometry(
                one,
                drake.RigidTransform(_quaternion(drake, solid.quaternion), solid.position),
                kinds[solid.kind](*solid.size),
                solid.name,
                self._properties(friction, solid.shape.split(".")[0] and solid.kind, min(solid.size)),
            )
            for solid in solids(body)
        ]

    def _properties(self, friction: float, kind: str, size: float = 1.0) -> Any:
        """Hydroelastic in a body, rigid in a plane: where that is not possible Drake falls back on points."""
        properties = self.drake.ProximityProperties()
        law = self.drake.CoulombFriction(friction, friction)
        self.drake.AddContactMaterial(
            properties=properties, friction=law, **({"dissipation": self.material["dissipation"]} if "dissipation" in self.material else {})
        )
        if kind == "plane":
            self.drake.AddRigidHydroelasticProperties(properties)
        elif size > 1e-5:
            self.drake.AddCompliantHydroelasticProperties(size / 5, self.material.get("modulus", 1e7), properties)
        return properties
