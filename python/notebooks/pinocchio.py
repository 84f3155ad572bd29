# %% [markdown]
# # An arm of two links in Pinocchio and in mechan
# The mass matrix and the bias force of the same chain from two programs that share nothing; skipped where Pinocchio is not installed (`pip install pin`).

# %%
import time

import numpy as np
import pinocchio as pin

import mechan

# %%
arm = pin.Model()
last = 0
for name, place in (("q1", np.zeros(3)), ("q2", np.array([0.0, 0.0, -1.0]))):
    last = arm.addJoint(last, pin.JointModelRY(), pin.SE3(np.eye(3), place), name)
    inertia = pin.Inertia(1.3, np.array([0.0, 0.0, -0.5]), np.diag([1.3 / 12, 1.3 / 12, 1e-9]))
    arm.appendBodyToJoint(last, inertia, pin.SE3.Identity())
data = arm.createData()

# %%
TEXT = """
mechan: 1
name: arm
space: space
parameters: {m: 1.3, g: 9.81, I: m/12, thin: 1e-9}
coordinates: [q1, q2]
gravity: [0, 0, -g]
frames:
  upper: {origin: [0, 0, 0], rotation: [{axis: y, angle: q1}]}
  lower: {parent: upper, origin: [0, 0, -1], rotation: [{axis: y, angle: q2}]}
bodies:
  first: {mass: m, inertia: [I, I, thin], frame: upper, centre: [0, 0, -1/2]}
  second: {mass: m, inertia: [I, I, thin], frame: lower, centre: [0, 0, -1/2]}
states: {hanging: {}}
"""
model = mechan.load(TEXT).derive(cache=False)

# %%
rng = np.random.default_rng(2)
q, v = rng.uniform(-3, 3, (500, 2)), rng.uniform(-4, 4, (500, 2))
found = model.evaluate(0.0, q, v)
worst = 0.0
for k in range(500):
    M = pin.crba(arm, data, q[k])
    M = np.triu(M) + np.triu(M, 1).T
    h = pin.nonLinearEffects(arm, data, q[k], v[k])
    worst = max(worst, np.abs(found.M[k] - M).max(), np.abs(found.h[k] - h).max())
print(f"largest difference {worst:.1e}")
assert worst < 1e-12

# %%
def per_call(call, count=5000):
    begun = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begun) / count * 1e6

def by_pinocchio(one, rate):
    return pin.crba(arm, data, one), pin.nonLinearEffects(arm, data, one, rate)

one, rate = q[0].copy(), v[0].copy()
print(f"a call: Pinocchio {per_call(lambda: by_pinocchio(one, rate)):.2f} us, mechan {per_call(lambda: model.evaluate(0.0, one, rate)):.2f} us")
