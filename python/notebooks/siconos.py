# %% [markdown]
# # A box that slides, in Siconos and in mechan
# One step of Moreau's scheme for a box on four corners: W = G M⁻¹ Gᵀ has rank 6 of 12, so that forces are not unique, and velocities are. They are compared with those of
# Siconos' Gauss-Seidel (Debian's python3-siconos, in a process of the Python that has it) and with the closed form |v⁺| = |v| − μ g h. Skipped where Siconos cannot be had.

# %%
import json
import subprocess
import sys
import time

import numpy as np

import mechan

# %%
m, (lx, ly, lz), mu, g, h = 2.0, (1.0, 0.6, 0.4), 0.35, 9.81, 0.01
v = np.array([1.2, -0.5, 0.0, 0.0, 0.0, 0.0])  # of the centre, and spin
corners = [np.array([sx * lx / 2, sy * ly / 2, -lz / 2]) for sx in (-1, 1) for sy in (-1, 1)]

def rows(r):
    """Velocity of a corner along normal and tangents."""
    cross = np.array([[0, r[2], -r[1]], [-r[2], 0, r[0]], [r[1], -r[0], 0]])
    return np.hstack([np.eye(3), cross])[[2, 0, 1]]

G = np.vstack([rows(r) for r in corners])
inertia = m / 12 * np.array([ly**2 + lz**2, lx**2 + lz**2, lx**2 + ly**2])
inverse = np.diag(1 / np.concatenate([[m] * 3, inertia]))
free = v + h * np.array([0, 0, -g, 0, 0, 0])
W, q = G @ inverse @ G.T, G @ free

# %%
problem = mechan.Problem(W, q, [mu] * 4, name="sliding_box")
ours = mechan.solve(problem, tolerance=1e-12)
after = free + inverse @ G.T @ ours.r
speed = np.hypot(*v[:2])
closed_form = np.concatenate([v[:2] * (1 - mu * g * h / speed), np.zeros(4)])
print("mechan differs from the closed form by", np.abs(after - closed_form).max())
assert ours.solved and np.allclose(after, closed_form, atol=1e-10)

# %%
THEIRS = """
import json, sys, time
import numpy as np
import siconos.numerics as sn
given = json.load(sys.stdin)
W, q, mu = (np.array(given[name]) for name in ("W", "q", "mu"))
options = sn.SolverOptions(sn.SICONOS_FRICTION_3D_NSGS)
options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-12
options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100000
best = 1.0
for _ in range(20):
    problem, r, u = sn.FrictionContactProblem(3, W, q, mu), np.zeros(len(q)), np.zeros(len(q))
    begun = time.perf_counter()
    info = sn.fc3d_driver(problem, r, u, options)
    best = min(best, time.perf_counter() - begun)
print("ANSWER" + json.dumps({"info": info, "r": r.tolist(), "u": u.tolist(), "seconds": best}))
"""
given = json.dumps({"W": W.tolist(), "q": q.tolist(), "mu": [mu] * 4})
python = next(p for p in (sys.executable, "/usr/bin/python3") if not subprocess.run([p, "-c", "import siconos.numerics"], capture_output=True).returncode)
said = subprocess.run([python, "-c", THEIRS], input=given, capture_output=True, text=True, check=True).stdout
theirs = json.loads(said.split("ANSWER")[1])
other = free + inverse @ G.T @ np.array(theirs["r"])
print("Siconos differs from mechan by", np.abs(other - after).max())
assert theirs["info"] == 0 and np.allclose(other, after, atol=1e-8)

# %%
session = mechan.Session(problem, tolerance=1e-12)
best = 1.0
for _ in range(20):
    begun = time.perf_counter()
    session.solve(warm=False)
    best = min(best, time.perf_counter() - begun)
print(f"a solve: Siconos {theirs['seconds'] * 1e6:.0f} us, mechan {best * 1e6:.0f} us")
