"""M and h of a mechanism file that was imported, beside those of the program that the description was written for.

    python3 evaluate.py mechanism.json description.urdf   # Pinocchio
    python3 evaluate.py mechanism.json description.xml    # MuJoCo
    python3 evaluate.py mechanism.json description equations.py

`mechanism.json` is the mechanism file as JSON. Its frames and bodies are evaluated here from the text alone: Jacobians by complex
steps, which are exact, accelerations by differences of fourth order. Coordinates of free bodies are moved along the velocities that
the other program has. With a third file, M and h are those of the module that `mechan derive --format python` wrote, and the file's
text is not evaluated. Prints the largest deviations of M and of h at random states, relative to their largest entries.
"""

import json
import re
import sys

import numpy as np

STEP = 1e-30


def elementary(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    r = np.eye(3, dtype=complex)
    r[i, i] = r[j, j] = c
    r[i, j], r[j, i] = -s, s
    return r


def of_quaternion(q):
    w, x, y, z = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def times(a, b):
    w, x, y, z = a
    s, t, u, v = b
    return np.array([w*s - x*t - y*u - z*v, w*t + x*s + y*v - z*u, w*u - x*v + y*s + z*t, w*v + x*u - y*t + z*s])


class Mechanism:
    def __init__(self, data):
        self.data = data
        self.names = [c if isinstance(c, str) else c["name"] for c in data["coordinates"]]
        self.parameters = data.get("parameters") or {}
        self.gravity = [self.value(g, {}) for g in data["gravity"]]
        # free bodies: place and attitude; attitudes alone; single coordinates
        self.blocks = []
        quaternions = [f["rotation"]["quaternion"] for f in data["frames"].values() if isinstance(f.get("rotation"), dict)]
        k = 0
        while k < len(self.names):
            if any(q[0] == self.names[k] for q in quaternions):
                self.blocks.append(("ball", k))
                k += 4
            elif k + 3 < len(self.names) and any(q[0] == self.names[k + 3] for q in quaternions) and self.names[k].endswith("x"):
                self.blocks.append(("free", k))
                k += 7
            else:
                self.blocks.append(("one", k))
                k += 1
        self.velocities = sum({"free": 6, "ball": 3, "one": 1}[kind] for kind, _ in self.blocks)

    def value(self, expression, where):
        if not isinstance(expression, str):
            return expression
        names = {"pi": np.pi, "sin": np.sin, "cos": np.cos, **self.parameters, **where}
        return eval(expression.replace("^", "**"), {"__builtins__": {}}, names)

    def frames(self, q):
        where = dict(zip(self.names, q))
        poses = {}
        for name, frame in self.data["frames"].items():
            origin = np.array([self.value(x, where) for x in frame["origin"]], dtype=complex)
            rotation = np.eye(3, dtype=complex)
            turn = frame.get("rotation") or []
            if isinstance(turn, dict):
                rotation = of_quaternion([where[n] for n in turn["quaternion"]])
            else:
                for step in turn:
                    rotation = rotation @ elementary(step["axis"], self.value(step["angle"], where))
            if "parent" in frame:
                p, r = poses[frame["parent"]]
                origin, rotation = p + r @ origin, r @ rotation
            poses[name] = (origin, rotation)
        return poses

    def bodies(self, q):
        """Mass, inertia in body axes, centre, rotation."""
        poses = self.frames(q)
        for body in self.data["bodies"].values():
            p, r = poses[body["frame"]]
            inertia = np.array(body["inertia"], dtype=float)
            inertia = np.diag(inertia) if inertia.ndim == 1 else inertia
            yield body["mass"], inertia, p + r @ np.array(body["centre"], dtype=float), r

    def moved(self, q, way, own_axes):
        """Coordinates moved by a small velocity; `own_axes`: linear velocities of free bodies are in their own axes."""
        q = np.array(q, dtype=complex)
        out, i = q.copy(), 0
        for kind, k in self.blocks:
            if kind == "one":
                out[k] += way[i]
                i += 1
                continue
            at = k
            if kind == "free":
                u = np.array(way[i:i + 3])
                out[k:k + 3] += of_quaternion(q[k + 3:k + 7]) @ u if own_axes else u
                i, at = i + 3, k + 3
            half = np.array([0, *way[i:i + 3]]) / 2
            turned = q[at:at + 4] + times(q[at:at + 4], half)
            if np.isrealobj(np.real_if_close(turned)) and np.linalg.norm(turned.imag) == 0:
                turned = turned / np.linalg.norm(turned.real)
            out[at:at + 4] = turned
            i += 3
        return out

    def jacobians(self, q, own_axes):
        """Of centres and of angular velocities, for every body."""
        n = self.velocities
        rest = list(self.bodies(q))
        linear = [np.zeros((3, n)) for _ in rest]
        angular = [np.zeros((3, n)) for _ in rest]
        for k in range(n):
            way = np.zeros(n, dtype=complex)
            way[k] = 1j * STEP
            for b, (_, _, centre, r) in enumerate(self.bodies(self.moved(q, way, own_axes))):
                linear[b][:, k] = centre.imag / STEP
                spin = (r.imag / STEP) @ rest[b][3].real.T
                angular[b][:, k] = [spin[2, 1], spin[0, 2], spin[1, 0]]
        return rest, linear, angular

    def equations(self, q, v, own_axes):
        rest, linear, angular = self.jacobians(q, own_axes)
        d = 1e-3
        around = [(w, self.jacobians(self.moved(q, s * d * np.array(v), own_axes).real, own_axes)) for s, w in
                  [(1, 8), (-1, -8), (2, -1), (-2, 1)]]
        n = self.velocities
        M, h = np.zeros((n, n)), np.zeros(n)
        for b, (mass, inertia, _, r) in enumerate(rest):
            world = r.real @ inertia @ r.real.T
            jv, jw = linear[b], angular[b]
            acceleration = sum(w * (lin[b] @ v) for w, (_, lin, _) in around) / (12 * d)
            spin = sum(w * (ang[b] @ v) for w, (_, _, ang) in around) / (12 * d)
            omega = jw @ v
            M += mass * jv.T @ jv + jw.T @ world @ jw
            h += jv.T @ (mass * (acceleration - np.array(self.gravity, dtype=float)))
            h += jw.T @ (world @ spin + np.cross(omega, world @ omega))
        return M, h + self.extra(q, v, M)

    def extra(self, q, v, M):
        """Rotors, springs and damping of joints."""
        single = {self.names[k]: i for i, (kind, k) in enumerate(self.places()) if kind == "one"}
        h = np.zeros(self.velocities)
        energy = self.data.get("energy") or {}
        for term in filter(None, re.split(r"\s+\+\s+", energy.get("kinetic", "").strip())):
            factor, name = re.fullmatch(r"(?:([\d.e+-]+)\*)?dot\((\w+)\)\^2/2", term).groups()
            M[single[name], single[name]] += float(factor or 1)
        for name, i in single.items():
            if "potential" in energy:
                where = dict(zip(self.names, np.array(q, dtype=complex)))
                where[name] += 1j * STEP
                h[i] += self.value(energy["potential"], where).imag / STEP
        for force in self.data.get("forces") or []:
            if "torsion" in force:
                continue
            i = single[force["coordinate"]]
            damping = re.fullmatch(r"-(?:([\d.e+-]+)\*)?dot\((\w+)\)", force["value"])
            h[i] += float(damping[1] or 1) * v[i]
        return h + self.motors(q, v)

    def motors(self, q, v):
        """What springs with dampers at joints add to h: -k (q - q0) - d v, within their limits."""
        h = np.zeros(self.velocities)
        for i, (kind, k) in enumerate(self.places()):
            for force in self.data.get("forces") or []:
                if kind == "one" and force.get("torsion") == self.names[k]:
                    stiffness, damping = (self.value(force[key], {}) for key in ("stiffness", "damping"))
                    pull = -stiffness * (q[k] - self.value(force["angle"], {})) - damping * v[i]
                    limit = self.value(force.get("limit", np.inf), {})
                    h[i] -= min(max(pull, -limit), limit)
        return h

    def derived(self, module, q, v, own_axes):
        """M and h of derived equations, for velocities v with dot(q) = E v: E^T M E and E^T (h + M dot(E) v)."""
        def slopes(q):
            n = self.velocities
            ways = np.eye(n, dtype=complex) * 1j * STEP
            return np.array([self.moved(q, way, own_axes).imag / STEP for way in ways]).T

        E = slopes(q)
        rates = E @ v
        d = 1e-3
        turning = (slopes(q + d * rates) - slopes(q - d * rates)) / (2 * d)
        w = next(f for name, f in vars(module).items() if name.endswith("_equations"))(0.0, q, rates)
        return E.T @ w["M"] @ E, E.T @ (w["h"] + w["M"] @ (turning @ v))

    def places(self):
        """Of every velocity the kind of its block and the coordinate."""
        for kind, k in self.blocks:
            yield from [(kind, k)] * {"free": 6, "ball": 3, "one": 1}[kind]


def random_state(mechanism, rng):
    q = rng.uniform(-1, 1, len(mechanism.names))
    for kind, k in mechanism.blocks:
        if kind != "one":
            at = k + 3 if kind == "free" else k
            q[at:at + 4] /= np.linalg.norm(q[at:at + 4])
    return q, rng.uniform(-1, 1, mechanism.velocities)


def identifier(name):
    name = re.sub(r"\W", "_", name, flags=re.ASCII).lstrip("_")
    return name if name[:1].isalpha() else "n" + name


def pinocchio_side(path, mechanism):
    import pinocchio as pin
    import xml.etree.ElementTree as tree

    free = any(kind == "free" for kind, _ in mechanism.blocks)
    model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if free else pin.buildModelFromUrdf(path)
    data = model.createData()
    follows = {}
    for joint in tree.parse(path).getroot().findall("joint"):
        for mimic in joint.findall("mimic"):
            follows[joint.get("name")] = (mimic.get("joint"), float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0)))

    def master(name):
        if name not in follows:
            return name, 1.0, 0.0
        of, k, c = follows[name]
        root, k2, c2 = master(of)
        return root, k * k2, k * c2 + c

    order = {name: i for i, (kind, k) in enumerate(mechanism.places()) if kind == "one" for name in [mechanism.names[k]]}
    coordinate = {name: k for kind, k in mechanism.blocks if kind == "one" for name in [mechanism.names[k]]}

    def equations(q, v):
        G = np.zeros((model.nv, mechanism.velocities))
        whole = pin.neutral(model)
        for name, joint in zip(model.names[1:], model.joints[1:]):
            if joint.nv == 6:
                G[:6, :6] = np.eye(6)
                whole[:3], whole[3:7] = q[:3], [q[4], q[5], q[6], q[3]]
                continue
            root, k, c = master(name)
            value = k * q[coordinate[identifier(root)]] + c
            G[joint.idx_v, order[identifier(root)]] = k
            whole[joint.idx_q:joint.idx_q + joint.nq] = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
        M = pin.crba(model, data, whole)
        M = np.triu(M) + np.triu(M, 1).T
        h = pin.nonLinearEffects(model, data, whole, G @ v) + damping * (G @ v)
        return G.T @ M @ G, G.T @ h

    damping = np.zeros(model.nv)
    for joint in tree.parse(path).getroot().findall("joint"):
        dynamics = joint.find("dynamics")
        if dynamics is not None and model.existJointName(joint.get("name")):
            damping[model.joints[model.getJointId(joint.get("name"))].idx_v] = float(dynamics.get("damping", 0))
    return equations, True


def mujoco_side(path, mechanism):
    import mujoco

    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    assert model.nq == len(mechanism.names), (model.nq, mechanism.names)

    def equations(q, v):
        data.qpos, data.qvel = q, v
        if model.nkey:
            data.ctrl = model.key_ctrl[0]
        mujoco.mj_forward(model, data)
        M = np.zeros((model.nv, model.nv))
        full(M)
        return M, data.qfrc_bias - data.qfrc_passive - data.qfrc_actuator

    def full(M):
        try:
            mujoco.mj_fullM(model, data, M)
        except TypeError:
            mujoco.mj_fullM(model, M, data.qM)

    return equations, False


def load(path):
    import importlib.util

    spec = importlib.util.spec_from_file_location("equations", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(mechanism, description, equations_file=None):
    mechanism = Mechanism(json.load(open(mechanism)))
    side = pinocchio_side if description.endswith(".urdf") else mujoco_side
    equations, own_axes = side(description, mechanism)
    module = load(equations_file) if equations_file else None
    rng = np.random.default_rng(1)
    worst = [0.0, 0.0]
    for _ in range(5):
        q, v = random_state(mechanism, rng)
        ours = mechanism.derived(module, q, v, own_axes) if module else mechanism.equations(q, v, own_axes)
        theirs = equations(q, v)
        if description.endswith(".urdf"):
            theirs = theirs[0], theirs[1] + mechanism.motors(q, v)
        for i in range(2):
            worst[i] = max(worst[i], np.abs(ours[i] - theirs[i]).max() / np.abs(theirs[i]).max())
    print(*worst)


if __name__ == "__main__":
    main(*sys.argv[1:])
