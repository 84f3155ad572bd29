"""An environment of reinforcement learning in the Gymnasium API: a foot on a rough floor is pushed so that its pendulum stands.

Gymnasium itself is not needed: `Balance` has its methods, and with it installed `gymnasium.Env` may be the base.
"""

import numpy as np

import mechan


class Balance:
    """Observation (x, theta - upright, their rates); action: the force on the foot, as a share of 20 N, held for 20 ms."""

    every, longest, strength = 0.02, 500, 20.0

    def __init__(self):
        self.model = mechan.model("pendulum_on_slider")
        self.home = self.model.stepper("plumb", scheme="moreau", step=1e-3, M=1, chi=0, mu=0.1)
        self.motion = self.home.copy()

    def reset(self, *, seed=None, options=None):
        self.random = np.random.default_rng(seed)
        self.motion, self.steps = self.home.copy(), 0
        tilt, rate = self.random.uniform(-0.05, 0.05, 2)
        self.motion.put(q=self.home.q + [0, 0, tilt], v=[0, 0, rate])
        return self.observation(), {}

    def step(self, action):
        share = float(np.clip(np.asarray(action, dtype=float).ravel()[0], -1, 1))
        self.motion.forces = {"x": self.strength * share}
        found = self.motion.advance(to=self.motion.t + self.every)
        self.steps += 1
        seen = self.observation()
        fallen = abs(seen[1]) > 0.5 or abs(seen[0]) > 2 or not found.reached
        return seen, 1.0 - 0.1 * share**2, bool(fallen), self.steps >= self.longest, {"events": found.events}

    def observation(self):
        (x, _, theta), (vx, _, omega) = self.motion.q, self.motion.v
        return np.array([x, theta - np.pi / 2, vx, omega])


def balanced(seen):
    """A controller by hand: the foot follows the pendulum."""
    x, tilt, vx, rate = seen
    return np.clip((60 * tilt + 9 * rate + 4 * x + 6 * vx) / Balance.strength, -1, 1)


if __name__ == "__main__":
    world = Balance()
    seen, _ = world.reset(seed=1)
    done = cut = False
    while not (done or cut):
        seen, reward, done, cut, _ = world.step(balanced(seen))
    print(f"{'fell' if done else 'stood'} after {world.steps * world.every:.2f} s, tilt {seen[1]:+.4f}")
