"""Newton on the processor: its solvers XPBD, MuJoCo Warp and Featherstone on the same model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import combine, rotation
from ..engine import NEWTON_ALONE, Cannot, Engine, State
from ..loads import loads
from ..solids import Solid, matrix_of, solids
from ..world import Body, World

OF_SHAPES = ("ke", "kd", "kf", "gap")
"""Settings of ModelBuilder.ShapeConfig; the others are those of the solver."""
SHAPES = frozenset(
    ["ball", "box", "cylinder", "capsule", "points", "several shapes", "plane", "fixed", "bodies in contact"]
    + ["friction of pairs", "no contact", "force", "spring"]
)


class NewtonXpbd(Engine):
    """Extended position-based dynamics."""

    name = "newton-xpbd"
    title = "Newton, XPBD"
    solver, rule = "SolverXPBD", "arithmetic"
    made_for = "Robot learning on graphics cards: many worlds at once, in single precision."
    combines = (
        "The mean of two coefficients; each thing gets that of the case, or values whose means are those of the pairs. "
        "Rolling and torsional friction, which the builder adds, are set to zero."
    )
    advice = (
        "Newton's own benchmark of friction, tests/test_rigid_friction_ramp.py: steps of 1/1800 s, ten iterations, no gap. "
        "`default` has the step and the iterations of the example basic_shapes. These two were tried."
    )
    limits = "Single precision; contacts are moved by positions, a few iterations at a time."
    can = SHAPES | {"restitution"}
    lacks: Mapping[str, str] = NEWTON_ALONE
    settings: Mapping[str, Mapping[str, Any]] = {
        "default": {"step": 0.002, "iterations": 5},
        "best": {"step": 1 / 1800, "iterations": 10, "ke": 1e5, "kd": 1e3, "gap": 0.0},
    }

    def version(self) -> str:
        import newton

        return newton.__version__

    def build(self, world: World, settings: Mapping[str, Any]) -> None:
        import newton
        import warp

        warp.config.quiet = True
        warp.set_device("cpu")
        self.world, self.newton, self.warp, self.h, self.steps = world, newton, warp, settings["step"], 0
        self.of_shapes = {key: settings[key] for key in OF_SHAPES if key in settings}
        builder = self._builder()
        self.model = builder.finalize()
        options = {key: value for key, value in settings.items() if key not in ("step", *OF_SHAPES)}
        self.engine = self._solver(options)
        self.old, self.new, self.control = self.model.state(), self.model.state(), self.model.control()
        newton.eval_ik(self.model, self.old, self.old.joint_q, self.old.joint_qd)
        self.pipeline = None if self._finds_contacts() else newton.CollisionPipeline(self.model)
        self.contacts = self.pipeline.contacts() if self.pipeline else None
        self._read()

    def _solver(self, options: dict[str, Any]) -> Any:
        if "restitution" in self.world.features:
            options["enable_restitution"] = True
        return getattr(self.newton.solvers, self.solver)(self.model, **options)

    def _finds_contacts(self) -> bool:
        return False

    def _builder(self) -> Any:
        world, builder = self.world, self.newton.ModelBuilder(gravity=tuple(self.world.gravity))
        self.laws = {}
        for what, rule in (("friction", self.rule), ("restitution", "arithmetic")):
            self.laws[what] = combine.of_things(rule, world.pairs, what)
            if self.laws[what] is None:
                raise Cannot(f"{what} is combined by one rule ({rule}), which cannot give that of every pair here")
        self.shapes: dict[str, list[int]] = {}
        for plane in world.planes:
            place = self._place(plane.point, rotation.towards(plane.normal))
            shape = builder.add_shape_plane(None, xform=place, width=0.0, length=0.0, cfg=self._law(plane.name))
            self.shapes[plane.name] = [shape]
        self.index = {body.name: self._add(builder, body) for body in world.bodies}
        touching = {frozenset((pair.a, pair.b)) for pair in world.pairs}
        for a, one in self.shapes.items():
            for b, two in self.shapes.items():
                if a < b and frozenset((a, b)) not in touching:
                    for pair in ((i, j) for i in one for j in two):
                        builder.add_shape_collision_filter_pair(*pair)
        return builder

    def _add(self, builder: Any, body: Body) -> int:
        one, place = -1, self._place(body.position, body.quaternion)
        if not body.fixed:
            inertia = self.warp.mat33(*matrix_of(body.inertia).flatten())
            one = builder.add_body(xform=place, mass=body.mass, inertia=inertia, lock_inertia=True, label=body.name)
            builder.body_qd[one] = [*body.velocity, *body.omega]
        self.shapes[body.name] = []
        for solid in solids(body):
            at = self._place(solid.position, solid.quaternion)
            shape = self._shape(builder, solid, one, place * at if body.fixed else at, self._law(body.name))
            self.shapes[body.name].append(shape)
        return one

    def _shape(self, builder: Any, solid: Solid, body: int, place: Any, law: Any) -> int:
        size, common = [float(length) for length in solid.size], {"xform": place, "cfg": law}
        if solid.kind == "box":
            return builder.add_shape_box(body, hx=size[0] / 2, hy=size[1] / 2, hz=size[2] / 2, **common)
        if solid.kind == "ball":
            return builder.add_shape_sphere(body, radius=size[0], **common)
        add = builder.add_shape_cylinder if solid.kind == "cylinder" else builder.add_shape_capsule
        return add(body, radius=size[0], half_height=size[1] / 2, **common)

    def _law(self, name: str) -> Any:
        law = self.newton.ModelBuilder.ShapeConfig(density=0.0, mu_torsional=0.0, mu_rolling=0.0, **self.of_shapes)
        law.mu, law.restitution = (self.laws[what].get(name, 0.0) for what in ("friction", "restitution"))
        return law

    def _place(self, position: np.ndarray, quaternion: np.ndarray) -> Any:
        w, x, y, z = (float(part) for part in quaternion)
        return self.warp.transform(self.warp.vec3(*map(float, position)), self.warp.quat(x, y, z, w))

    def step(self) -> float:
        self.old.clear_forces()
        if self.world.forces or self.world.springs:
            self._push()
        if self.pipeline:
            self.pipeline.collide(self.old, self.contacts)
        self.engine.step(self.old, self.new, self.control, self.contacts, self.h)
        self.old, self.new = self.new, self.old
        self.steps += 1
        self._read()
        return self.steps * self.h

    def _push(self) -> None:
        total = np.zeros((self.model.body_count, 6), np.float32)
        for name, load in loads(self.world, self.state).items():
            total[self.index[name]] = np.concatenate(load).astype(np.float32)
        self.old.body_f.assign(total)

    def _read(self) -> None:
        self.q, self.qd = self.old.body_q.numpy(), self.old.body_qd.numpy()

    def state(self, body: str) -> State:
        q, rate = self.q[self.index[body]], self.qd[self.index[body]]
        return State(q[:3], np.array([q[6], *q[3:6]], float), rate[:3], rate[3:])

    def friction(self, a: str, b: str) -> float:
        return self._pair(self.rule, a, b, self.model.shape_material_mu)

    def restitution(self, a: str, b: str) -> float:
        return self._pair("arithmetic", a, b, self.model.shape_material_restitution)

    def _pair(self, rule: str, a: str, b: str, values: Any) -> float:
        both = (float(values.numpy()[self.shapes[thing][0]]) for thing in (a, b))
        return combine.combined(rule, *both)


class NewtonMujoco(NewtonXpbd):
    """MuJoCo Warp, on the model that Newton makes of it."""

    name, solver, rule = "newton-mujoco", "SolverMuJoCo", "larger"
    title = "Newton, MuJoCo Warp"
    made_for = "Articulated robots, many at once on graphics cards, in single precision, with MuJoCo's soft contacts."
    combines = (
        "The larger of two coefficients; each thing gets the smallest of its pairs. Rolling and torsional friction, which the "
        "builder adds, are set to zero."
    )
    advice = (
        "Newton's own benchmark of friction, tests/test_rigid_friction_ramp.py: steps of 1/1800 s, elliptic cones, `impratio` 10, "
        "200 iterations. `default` has the step of Newton's example basic_shapes."
    )
    limits = "Single precision, and the slow slip of MuJoCo's soft contacts."
    can = SHAPES
    lacks = dict.fromkeys(("restitution", *NEWTON_ALONE), "contacts are springs and dampers")
    settings = {
        "default": {"step": 0.002},
        "best": {
            "step": 1 / 1800,
            "cone": "elliptic",
            "impratio": 10.0,
            "iterations": 200,
            "ls_iterations": 100,
            "ke": 1e5,
            "kd": 1e3,
            "gap": 0.0,
        },
    }

    def _finds_contacts(self) -> bool:
        return True


class NewtonFeatherstone(NewtonXpbd):
    """Reduced coordinates, with contacts as springs and dampers."""

    name, solver = "newton-featherstone", "SolverFeatherstone"
    title = "Newton, Featherstone"
    made_for = "Differentiable simulation of articulated robots; its friction is viscous up to Coulomb's limit, as its tests say."
    advice = (
        "Newton's guide of solvers and ShapeConfig: stiff contacts `ke`, `kd`, a large gain `kf` of friction, and steps that "
        "resolve them. These two were tried."
    )
    limits = "Single precision; the guide of solvers says that friction is regularised."
    can = SHAPES
    lacks = dict.fromkeys(("restitution", *NEWTON_ALONE), "contacts are springs and dampers")
    settings = {
        "default": {"step": 0.0005},
        "best": {"step": 0.0001, "ke": 1e5, "kd": 1e3, "kf": 1e4, "gap": 0.0},
    }

    def _solver(self, options: dict[str, Any]) -> Any:
        return self.newton.solvers.SolverFeatherstone(self.model, angular_damping=0.0, **options)
