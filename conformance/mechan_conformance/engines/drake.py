"""Drake's MultibodyPlant in discrete time: compliant contact in points or patches, by convex approximations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from .. import combine, rotation
from ..engine import ALL_JOINTS, MOST, Cannot, Engine, State
from ..joined import Link, links, place_of, seen_from, start_rates
from ..loads import loads
from ..solids import Solid, matrix_of, solids
from ..world import Body, Plane, World

OF_MATERIAL = ("hydroelastic_modulus", "hunt_crossley_dissipation", "point_stiffness")
"""Settings of the scene's default proximity properties; the others are those of the plant."""
BELT = 1e3
"""Kilograms of a belt; heavier ones would hide the other bodies from the solver, whose tolerance is relative to all momenta."""
FACED = ("box", "cylinder")
"""Shapes that are hydroelastic if there is a modulus; others touch in points, which is exact for them."""


class Drake(Engine):
    """A plant of free bodies in a scene; half spaces are rigid where bodies are hydroelastic."""

    name = "drake"
    title = "Drake"
    made_for = "Analysis and control of robots: manipulation with compliant contact, and derivatives of it."
    combines = (
        "2ab/(a+b) of two coefficients; each thing gets that of the case, or values that combine to those of the pairs."
    )
    advice = (
        "Drake's page on hydroelastic contact and its MultibodyPlantConfig: hydroelastic faces, since a box touches a half space in one point "
        "otherwise (balls touch in points, which is exact); a high modulus; a small `stiction_tolerance`, below which contacts count as "
        "sticking; a small step. The approximation is `lagged`, as by default, which does not glide."
    )
    can = MOST | ALL_JOINTS | {"belt", "contact forces", "plane joint", "spring"}
    limits = (
        "Contacts are compliant and dissipate (the page on contact modeling); a ball joint has three angles and is singular at a pitch of 90 "
        "degrees (BallRpyJoint)."
    )
    lacks = {
        "joint friction": "joints have viscous damping alone",
        "restitution": "contacts have dissipation, not a coefficient of restitution",
        "restitution poisson": "contacts have dissipation, not a coefficient of restitution",
        "restitution energetic": "contacts have dissipation, not a coefficient of restitution",
    }
    settings = {
        "default": {"step": 0.001},
        "best": {
            "step": 0.0002,
            "stiction_tolerance": 1e-6,
            "hydroelastic_modulus": 1e8,
        },
    }

    def version(self) -> str:
        from importlib.metadata import version

        return version("drake")

    def build(self, world: World, settings: Mapping[str, Any]) -> None:
        import pydrake.all as drake

        self.world, self.drake, self.steps, self.h = world, drake, 0, settings["step"]
        self.material = {key: settings[key] for key in OF_MATERIAL if key in settings}
        options = {key: value for key, value in settings.items() if key not in ("step", *OF_MATERIAL)}
        builder = drake.DiagramBuilder()
        config = drake.MultibodyPlantConfig(time_step=self.h, **options)
        self.plant, scene = drake.AddMultibodyPlant(config, builder)
        defaults = drake.DefaultProximityProperties(**self.material)
        scene.set_config(drake.SceneGraphConfig(default_proximity_properties=defaults))
        self.plant.mutable_gravity_field().set_gravity_vector(world.gravity)
        self.inspector, self.geometries = scene.model_inspector(), {}
        self.things = {plane.name: plane.name for plane in world.planes}
        self.things.update({solid.name: solid.shape for body in world.bodies for solid in solids(body)})
        self._things()
        for spring in world.springs:
            (a, b), (p, q) = (map(self._body_of, spring.bodies), spring.points)
            numbers = (spring.length, spring.stiffness, spring.damping)
            self.plant.AddForceElement(drake.LinearSpringDamper(a, p, b, q, *numbers))
        self.plant.Finalize()
        self._exclude(scene.collision_filter_manager())
        self.simulator = drake.Simulator(builder.Build())
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for body in world.moving():
            if body.name not in self.links:
                self._start(body)
        for start in (*self.starts, *self.belts):
            start(self.context)

    def _things(self) -> None:
        coefficients = combine.of_things("harmonic", self.world.pairs)
        if coefficients is None:
            raise Cannot("friction is combined as 2ab/(a+b), which cannot be that of every pair here")
        self.starts: list[Callable[[Any], Any]] = []
        self.belts: list[Callable[[Any], Any]] = []
        for plane in self.world.planes:
            self._plane(plane, coefficients.get(plane.name, 0.0))
        for body in self.world.bodies:
            self._add(body, coefficients.get(body.name, 0.0))
        self.links = links(self.world)
        for link in self.links.values():
            self._join(link)

    def _plane(self, plane: Plane, friction: float) -> None:
        law = self._law(friction)
        if "hydroelastic_modulus" in self.material:
            self.drake.AddRigidHydroelasticProperties(law)
        place = self._transform(plane.point, rotation.towards(plane.normal))
        body = self._belt(plane) if plane.velocity.any() else self.plant.world_body()
        shape = self.drake.HalfSpace()
        self.geometries[plane.name] = [self.plant.RegisterCollisionGeometry(body, place, shape, plane.name, law)]

    def _belt(self, plane: Plane) -> Any:
        """A half space that moves along itself is a belt: a heavy body on a guide, which is told its speed at every step."""
        speed = float(np.linalg.norm(plane.velocity))
        alone = self.plant.AddModelInstance(f"belt {plane.name}")
        inertia = self.drake.SpatialInertia(BELT, np.zeros(3), self.drake.UnitInertia(1, 1, 1))
        body = self.plant.AddRigidBody("belt", alone, inertia)
        frames = (self.plant.world_frame(), body.body_frame())
        guide = self.plant.AddJoint(self.drake.PrismaticJoint("guide", *frames, plane.velocity / speed))
        self.plant.set_gravity_enabled(alone, False)
        self.belts.append(lambda context: guide.set_translation_rate(context, speed))
        return body

    def _join(self, link: Link) -> None:
        """A joint between frames that coincide at the start, its axis along their z."""
        joint, turn = link.joint, rotation.towards(link.joint.axis)
        frames = []
        for name in (link.parent, link.body.name):
            at, seen = seen_from(place_of(self.world, name), joint.point, turn)
            frame = self.drake.FixedOffsetFrame(
                f"{joint.name} on {name}", self._body_of(name).body_frame(), self._transform(at, seen)
            )
            frames.append(self.plant.AddFrame(frame))
        kinds = {
            "hinge": self.drake.RevoluteJoint,
            "slider": self.drake.PrismaticJoint,
            "ball": self.drake.BallRpyJoint,
        }
        kinds |= {"weld": self.drake.WeldJoint, "plane": self.drake.PlanarJoint}
        more = {
            "hinge": [[0, 0, 1]],
            "slider": [[0, 0, 1]],
            "weld": [self.drake.RigidTransform()],
            "plane": [np.zeros(3)],
        }
        one = self.plant.AddJoint(kinds[joint.kind](joint.name, *frames, *more.get(joint.kind, [])))
        back = rotation.conjugate(turn)
        velocity, omega = (rotation.rotate(back, rate) for rate in start_rates(self.world, link))
        set_rate = {
            "hinge": lambda context: one.set_angular_rate(context, omega[2]),
            "slider": lambda context: one.set_translation_rate(context, velocity[2]),
            "ball": lambda context: one.set_angular_velocity(context, omega),
            "weld": lambda context: None,
            "plane": lambda context: (
                one.set_translational_velocity(context, velocity[:2]),
                one.set_angular_velocity(context, omega[2]),
            ),
        }
        self.starts.append(set_rate[joint.kind])

    def _add(self, body: Body, friction: float) -> None:
        drake, full = self.drake, matrix_of(body.inertia) / (body.mass or 1.0)
        six = [full[0, 0], full[1, 1], full[2, 2], full[0, 1], full[0, 2], full[1, 2]]
        inertia = drake.SpatialInertia(body.mass, np.zeros(3), drake.UnitInertia(*six))
        one = self.plant.AddRigidBody(body.name, self.drake.default_model_instance(), inertia)
        if body.fixed:
            place = self._transform(body.position, body.quaternion)
            self.plant.WeldFrames(self.plant.world_frame(), one.body_frame(), place)
        kinds = {"ball": drake.Sphere, "box": drake.Box, "cylinder": drake.Cylinder, "capsule": drake.Capsule}
        self.geometries[body.name] = [
            self.plant.RegisterCollisionGeometry(
                one,
                self._transform(solid.position, solid.quaternion),
                kinds[solid.kind](*solid.size),
                solid.name,
                self._law(friction, solid),
            )
            for solid in solids(body)
        ]

    def _law(self, friction: float, solid: Solid | None = None) -> Any:
        properties = self.drake.ProximityProperties()
        law = self.drake.CoulombFriction(friction, friction)
        self.drake.AddContactMaterial(properties=properties, friction=law)
        if solid and solid.kind in FACED and "hydroelastic_modulus" in self.material:
            fine, modulus = min(solid.size) / 4, self.material["hydroelastic_modulus"]
            self.drake.AddCompliantHydroelasticProperties(fine, modulus, properties)
        return properties

    def _exclude(self, filters: Any) -> None:
        touching = {frozenset((pair.a, pair.b)) for pair in self.world.pairs}
        for a, one in self.geometries.items():
            for b, two in self.geometries.items():
                if a < b and frozenset((a, b)) not in touching:
                    sets = (self.drake.GeometrySet(one), self.drake.GeometrySet(two))
                    filters.Apply(self.drake.CollisionFilterDeclaration().ExcludeBetween(*sets))

    def _start(self, body: Body) -> None:
        one = self._body_of(body.name)
        self.plant.SetFreeBodyPose(self.context, one, self._transform(body.position, body.quaternion))
        rates = self.drake.SpatialVelocity(body.omega, body.velocity)
        self.plant.SetFreeBodySpatialVelocity(context=self.context, body=one, V_JpJc=rates)

    def _transform(self, position: np.ndarray, quaternion: np.ndarray) -> Any:
        return self.drake.RigidTransform(self.drake.Quaternion(quaternion / np.linalg.norm(quaternion)), position)

    def _body_of(self, name: str) -> Any:
        return self.plant.world_body() if name == "world" else self.plant.GetBodyByName(name)

    def step(self) -> float:
        if self.world.forces:
            port, told = self.plant.get_applied_spatial_force_input_port(), loads(self.world, self.state, springs=False)
            port.FixValue(self.context, [self._push(name, *load) for name, load in told.items()])
        self.steps += 1  # lest rounding of a sum leaves out a step, or adds one
        self.simulator.AdvanceTo(self.steps * self.h)
        for belt in self.belts:
            belt(self.context)
        return self.steps * self.h

    def _push(self, body: str, force: np.ndarray, torque: np.ndarray) -> Any:
        push = self.drake.ExternallyAppliedSpatialForce()
        push.body_index, push.p_BoBq_B = self._body_of(body).index(), np.zeros(3)
        push.F_Bq_W = self.drake.SpatialForce(torque, force)
        return push

    def state(self, body: str) -> State:
        one = self._body_of(body)
        place = self.plant.EvalBodyPoseInWorld(self.context, one)
        rate = self.plant.EvalBodySpatialVelocityInWorld(self.context, one)
        turn = place.rotation().ToQuaternion().wxyz()
        return State(place.translation(), turn, rate.translational(), rate.rotational())

    def forces(self) -> Mapping[tuple[str, str], np.ndarray]:
        found: dict[tuple[str, str], np.ndarray] = {}
        for pair, force in self._contacts():
            found[pair] = found.get(pair, np.zeros(3)) + force
        return found

    def _contacts(self) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
        """Forces of points and of patches, on the first of two things."""
        results = self.plant.get_contact_results_output_port().Eval(self.context)
        for i in range(results.num_point_pair_contacts()):
            info = results.point_pair_contact_info(i)
            pair = info.point_pair()
            yield (self._thing(pair.id_B), self._thing(pair.id_A)), info.contact_force()
        for i in range(results.num_hydroelastic_contacts()):
            info = results.hydroelastic_contact_info(i)
            surface = info.contact_surface()
            yield (self._thing(surface.id_M()), self._thing(surface.id_N())), info.F_Ac_W().translational()

    def _thing(self, geometry: Any) -> str:
        return self.things[self.inspector.GetName(geometry).split("::")[-1]]

    def friction(self, a: str, b: str) -> float:
        laws = [self.inspector.GetProximityProperties(self.geometries[thing][0]) for thing in (a, b)]
        both = [law.GetProperty("material", "coulomb_friction") for law in laws]
        return self.drake.CalcContactFrictionFromSurfaceProperties(*both).dynamic_friction()
