# %% [markdown]
# # The double pendulum, derived by SymPy and by mechan
# A textbook example: two uniform rods in a row. SymPy's `LagrangesMethod` and mechan derive the same equations; the numbers agree to rounding, and the
# times stand beside.

# %%
import time

import numpy as np
import sympy as sp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

import mechan

# %%
begun = time.perf_counter()
m, l, g = sp.symbols("m l g", positive=True)
q = dynamicsymbols("q1 q2")
u = dynamicsymbols("q1 q2", 1)
x1, y1 = l / 2 * sp.sin(q[0]), -l / 2 * sp.cos(q[0])
x2, y2 = l * sp.sin(q[0]) + l / 2 * sp.sin(q[1]), -l * sp.cos(q[0]) - l / 2 * sp.cos(q[1])
t = dynamicsymbols._t
speed = lambda x, y: sp.diff(x, t) ** 2 + sp.diff(y, t) ** 2
T = m / 2 * (speed(x1, y1) + speed(x2, y2)) + m * l**2 / 24 * (u[0] ** 2 + u[1] ** 2)
V = m * g * (y1 + y2)
method = LagrangesMethod(T - V, q)
method.form_lagranges_equations()
by_sympy = sp.lambdify([*q, *u, m, l, g], [method.mass_matrix, method.forcing])
sympy_seconds = time.perf_counter() - begun

# %%
TEXT = """
mechan: 1
name: two_rods
space: plane
parameters: {m: 1, l: 1, g: 9.81}
coordinates: [q1, q2]
gravity: [0, -g]
bodies:
  upper: {mass: m, inertia: m*l^2/12, position: [l/2*sin(q1), -l/2*cos(q1)], rotation: q1}
  lower: {mass: m, inertia: m*l^2/12, position: [l*sin(q1) + l/2*sin(q2), -l*cos(q1) - l/2*cos(q2)], rotation: q2}
states: {hanging: {}}
"""
begun = time.perf_counter()
rods = mechan.load(TEXT).derive(cache=False)
mechan_seconds = time.perf_counter() - begun
rods

# %% [markdown]
# At a thousand random states, in one call of mechan:

# %%
rng = np.random.default_rng(1)
states, rates = rng.uniform(-3, 3, (1000, 2)), rng.uniform(-5, 5, (1000, 2))
found = rods.evaluate(0.0, states, rates, outputs=["M", "h"])
expected = [by_sympy(*state, *rate, 1.0, 1.0, 9.81) for state, rate in zip(states, rates)]
worst_M = max(np.abs(found.M[k] - np.array(M, dtype=float)).max() for k, (M, _) in enumerate(expected))
worst_h = max(np.abs(found.h[k] + np.array(F, dtype=float).ravel()).max() for k, (_, F) in enumerate(expected))
print(f"largest difference of M {worst_M:.1e}, of h {worst_h:.1e}")
assert worst_M < 1e-14 and worst_h < 1e-12

# %%
def per_call(call, count):
    begun = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begun) / count

one, rate = states[0].copy(), rates[0].copy()
print(f"derivation: SymPy {sympy_seconds:.2f} s, mechan {mechan_seconds:.2f} s with its process")
print(f"M and h at a state: lambdify {per_call(lambda: by_sympy(*one, *rate, 1.0, 1.0, 9.81), 2000) * 1e6:.1f} us, "
      f"mechan {per_call(lambda: rods.evaluate(0.0, one, rate), 2000) * 1e6:.2f} us, "
      f"in a batch {per_call(lambda: rods.evaluate(0.0, states, rates, outputs=['M', 'h']), 20) * 1e3:.3f} us")

# %% [markdown]
# The equations of mechan as SymPy's, to go on with symbols:

# %%
w = rods.sympy()
stretched = w.M.subs({**w.parameter_values, w.q[0]: 0, w.q[1]: 0})
assert abs(stretched.det() - sp.Rational(7, 36)) < 1e-15
w.M
