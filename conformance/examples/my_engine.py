"""An adapter of an engine of its own: blocks that slide and do not turn, by Moreau's time steps."""

import numpy as np
from mechan_conformance.engine import Cannot, Engine, State


class MyEngine(Engine):
    name = "my-engine"
    title = "My engine"
    made_for = "Showing how an adapter is written."
    combines = "Friction belongs to the block; it is set to what the case asks for the pair."
    advice = "Nothing is recommended beside small steps."
    can = frozenset(["box", "plane"])  # names of mechan_conformance.FEATURES; all else is answered by `cannot`
    settings = {"default": {"step": 0.002}, "best": {"step": 0.0001}}

    def version(self):
        return "0.1"  # usually: import my_engine; return my_engine.__version__

    def build(self, world, settings):
        if len(world.bodies) > 1 or len(world.planes) > 1:
            raise Cannot("one block on one plane")
        self.block, self.plane = world.bodies[0], world.planes[0]
        if self.block.omega.any():
            raise Cannot("blocks do not turn")
        self.mu = world.friction
        self.gravity, self.h, self.t = world.gravity, settings["step"], 0.0
        self.x, self.v = self.block.position.copy(), self.block.velocity.copy()

    def step(self):
        n, free = self.plane.normal, self.v + self.h * self.gravity
        normal = max(0.0, -free @ n)  # impulse for a unit of mass; the block touches the plane all the time
        slip = free - (free @ n) * n
        speed = np.linalg.norm(slip)
        keep = max(0.0, 1 - self.mu * normal / speed) if speed > 0 else 0.0
        self.v = keep * slip + max(0.0, free @ n) * n
        self.x += self.h * self.v
        self.t += self.h
        return self.t

    def state(self, body):
        return State(self.x, self.block.quaternion, self.v, np.zeros(3))

    def friction(self, a, b):
        return self.mu  # better: asked back from the engine, or by its rule of combination
