"""The same heap of beads stepped by this crate, MuJoCo, Rapier and, on problems exported from our run, by Siconos' solvers: CPU time
a step against the residual of Coulomb's law.

    python3 benches/compare_scenes.py [--quick] FOLDER [mechan] [MuJoCo] [Rapier] [problems] > table.md

Without names all are compared; what other calls have put into FOLDER stays in the picture. MECHAN and SCENES_RAPIER may name programs that are built already.

needs numpy, scipy and matplotlib; `mujoco` from PyPI, cargo for Rapier and Debian's python3-siconos where they are there. The
scene is scenes/beads.yaml without restitution, which MuJoCo has not. Every program starts at the same places and steps on its
own. FOLDER keeps the scene, the exported problems, `points.json` and the picture `scenes.png`.

One judge looks at every program's own contacts, impulses and velocities at some steps: M(v⁺ − v⁻) = h F + Hᵀ P, and (H v⁺, P) in
Coulomb's law. Velocities are weighed by ρ = dim/trace(W_ii) of their contact, so that units do not matter: the residual is
‖P − proj(P − ρ(u + μ|u_T| n))‖/‖P‖, and that of the dynamics against M v⁻ + h F. What it finds is the defect of that law alone: MuJoCo's contacts
are springs with dampers by intention, and Rapier's are soft and solved in parts of a step; both push bodies out of each other, which
the law does not know, and which is a part of what is found. The dynamics show whether a program's impulses are those that moved its
bodies: Rapier's are with one part a step, to rounding; with several it does not say which way each part pushed.
"""

import json
import math
import os
import resource
import subprocess
import sys
import time

import numpy as np
import scipy.sparse

from contact_problems import coulomb_defect, dense, load, sparse

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target", "comparisons"))
RADIUS, SIDE, DENSITY, FRICTION, STEP, GRAVITY = 0.5, 24, 2500.0, 0.3, 0.02, 9.81
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
INERTIA = 0.4 * MASS * RADIUS**2
# Steps that are timed begin after SETTLED; those in LOOK are judged, the last of them ends the run.
SETTLED, LOOK = 200, [210, 220, 230, 240]
STEPS = LOOK[-1]
# Problems that all solvers are given are those of the scene as it is, with its restitution.
EXPORTED = [60, 120, 240]
# A solver of Siconos is called again on a problem until it took so many seconds, at most so often; ours so often, in a process each.
LONG, TIMES, REPEATED = 0.2, 50, 5


def cargo(*arguments, folder=ROOT):
    subprocess.run(["cargo", "build", "--quiet", "--release", *arguments], cwd=folder, check=True,
                   env={**os.environ, "CARGO_TARGET_DIR": TARGET})


def cpu_of(command):
    """Its output and CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run.returncode in (0, 3), command
    return run.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# ---- the judge -------------------------------------------------------------------------------------------------------------------

def skew(r):
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def judged(before, after, touches, h=STEP):
    """The residual of a step: velocities (n by 6, spins in world axes), and touches (body, other or -1, normal towards body,
    arms, impulse on body)."""
    n = len(before)
    weights = np.tile([MASS] * 3 + [INERTIA] * 3, n)
    free = before.copy()
    free[:, 2] -= h * GRAVITY
    M = scipy.sparse.diags(weights).tocsc()
    H, r = scipy.sparse.lil_matrix((6 * n, 3 * len(touches))), np.zeros(3 * len(touches))
    for k, (body, other, normal, arms, impulse) in enumerate(touches):
        first = np.eye(3)[np.argmin(np.abs(normal))]
        s = np.cross(normal, first)
        s /= np.linalg.norm(s)
        frame = np.array([normal, s, np.cross(normal, s)])
        for number, arm, sign in ((body, arms[0], 1), (other, arms[1], -1)):
            if number >= 0:
                H[6 * number:6 * number + 3, 3 * k:3 * k + 3] = sign * frame.T
                H[6 * number + 3:6 * number + 6, 3 * k:3 * k + 3] = sign * skew(np.asarray(arm)) @ frame.T
        r[3 * k:3 * k + 3] = frame @ impulse
    data = {"q": weights * free.reshape(-1), "b": np.zeros(len(r)), "mu": np.full(len(touches), FRICTION), "dim": 3}
    return residual_of(data, M, H.tocsc(), after.reshape(-1), r)


def residual_of(data, M, H, v, r):
    """Of Coulomb's law and of the dynamics, for a problem in global form whose M is diagonal."""
    dim, mu, q = data["dim"], np.array(data["mu"]), np.array(data["q"])
    diagonal = np.asarray(H.multiply(H).T @ (1 / M.diagonal())).reshape(-1, dim)
    rho = np.repeat(dim / diagonal.sum(axis=1), dim)
    u = H.T @ v + np.array(data["b"])
    norm = np.linalg.norm
    dynamics = norm(M @ v - q - H @ r) / max(norm(q), norm(H @ r))
    return np.array([coulomb_defect(rho * u, r, mu, dim) / max(norm(r), norm(rho * u)), dynamics])


def median(values):
    """Of numbers, or of pairs of residuals one by one."""
    return np.median(np.array(values), axis=0)


# ---- ours ------------------------------------------------------------------------------------------------------------------------

def scene_file(folder):
    with open(os.path.join(ROOT, "scenes", "beads.yaml")) as file:
        text = file.read()
    assert "restitution: 0.2" in text and f"R: {RADIUS}" in text and f"side: {SIDE}" in text and f"step: {STEP}" in text
    path = os.path.join(folder, "beads.yaml")
    with open(path, "w") as file:
        file.write(text.replace("restitution: 0.2", "restitution: 0"))
    return path


def checkpoint(program, scene, folder, steps, *options):
    path = os.path.join(folder, "checkpoint.json")
    cpu_of([program, "run", scene, "--quiet", "--steps", str(steps), "--checkpoint", path, *options])
    with open(path) as file:
        return json.load(file)["state"]


def ours(program, scene, folder, tolerance):
    """CPU milliseconds a step after SETTLED, contacts there, and the residual of some steps by the judge. The run goes on from one
    checkpoint to the next; what a start costs is measured and taken off."""
    common = [program, "run", scene, "--quiet", "--tolerance", str(tolerance)]
    state = os.path.join(folder, "state.json")
    cpu_of([*common, "--steps", str(SETTLED), "--checkpoint", state])
    _, nothing = cpu_of([*common, "--steps", str(SETTLED), "--resume", state, "--checkpoint", os.path.join(folder, "same.json")])
    spent, contacts, residuals = 0.0, [], []
    for step in LOOK:
        problem, rows = os.path.join(folder, "problem.json"), os.path.join(folder, "rows.csv")
        _, cpu = cpu_of([*common, "--steps", str(step), "--resume", state, "--checkpoint", state, "--output", rows,
                         "--export-problem", f"{step}:{problem}"])
        spent += cpu - nothing
        contacts += list(np.atleast_1d(np.genfromtxt(rows, delimiter=",", names=True, usecols=("step", "contacts"))["contacts"]))
        os.remove(rows)
        data = load(problem)
        with open(state) as file:
            end = json.load(file)["state"]
        v = np.array(end["bodies"])[:, 7:13].reshape(-1)
        residuals.append(residual_of(data, sparse(data["M"]), sparse(data["H"]), v, np.array(end["impulses"])))
    return 1e3 * spent / (STEPS - SETTLED), float(np.mean(contacts)), median(residuals)


# ---- MuJoCo ----------------------------------------------------------------------------------------------------------------------

def mujoco_model(centres, step, solver, iterations, tolerance, hard):
    import mujoco
    planes = [("0 0 0", "0 0 1"), ("0 0 0", "1 0 0"), (f"{SIDE} 0 0", "-1 0 0"), ("0 0 0", "0 1 0"), (f"0 {SIDE} 0", "0 -1 0")]
    world = "".join(f'<geom type="plane" size="9 9 1" pos="{p}" zaxis="{z}"/>' for p, z in planes)
    beads = "".join(f'<body pos="{x!r} {y!r} {z!r}"><freejoint/><geom type="sphere" size="{RADIUS}"/></body>'
                    for x, y, z in (map(float, c) for c in centres))
    stiff = 'solimp="0.9999 0.9999 0.001"' if hard else ""
    return mujoco.MjModel.from_xml_string(f"""<mujoco>
      <option timestep="{step}" gravity="0 0 -{GRAVITY}" solver="{solver}" iterations="{iterations}" tolerance="{tolerance}"
        cone="elliptic" integrator="Euler"/>
      <size memory="512M"/>
      <default><geom density="{DENSITY}" condim="3" friction="{FRICTION} 0 0" {stiff}/></default>
      <worldbody>{world}{beads}</worldbody></mujoco>""")


def mujoco_world(model, data):
    """Velocities with spins in world axes."""
    v = data.qvel.reshape(-1, 6).copy()
    turned = data.xmat[1:].reshape(-1, 3, 3)
    v[:, 3:] = np.einsum("nij,nj->ni", turned, v[:, 3:])
    return v, turned.copy()


def mujoco_touches(model, data, centres, step):
    import mujoco
    out, force = [], np.zeros(6)
    for k in range(data.ncon):
        contact = data.contact[k]
        if contact.efc_address < 0:
            continue
        mujoco.mj_contactForce(model, data, k, force)
        frame = contact.frame.reshape(3, 3)
        # the normal points from the first geometry to the second
        other, body = (model.geom_bodyid[g] - 1 for g in contact.geom)
        place, impulse = contact.pos, step * frame.T @ force[:3]
        arms = [place - centres[body], place - centres[other] if other >= 0 else np.zeros(3)]
        if body < 0:
            body, other, impulse, frame, arms = other, body, -impulse, -frame, arms[::-1]
        out.append((body, other, frame[0].copy(), arms, impulse))
    return out


def of_mujoco(start, solver, iterations, tolerance, hard, parts=1):
    import mujoco
    step = STEP / parts
    model = mujoco_model(start[:, :3], step, solver, iterations, tolerance, hard)
    data = mujoco.MjData(model)
    data.qvel[:] = start[:, 7:13].reshape(-1)
    times, contacts, residuals = [], [], []
    for k in range(1, STEPS * parts + 1):
        number, last = (k - 1) // parts + 1, k % parts == 0
        looked = number in LOOK and last
        if looked:
            mujoco.mj_kinematics(model, data)
            (before, turned), centres = mujoco_world(model, data), data.xipos[1:].copy()
        begun = time.thread_time()
        mujoco.mj_step(model, data)
        times.append(time.thread_time() - begun)
        contacts.append(data.ncon)
        if looked:
            after = data.qvel.reshape(-1, 6).copy()
            after[:, 3:] = np.einsum("nij,nj->ni", turned, after[:, 3:])
            residuals.append(judged(before, after, mujoco_touches(model, data, centres, step), step))
    assert np.isfinite(data.qpos).all()
    settled = SETTLED * parts
    return 1e3 * parts * float(np.mean(times[settled:])), float(np.mean(contacts[settled:])), median(residuals)


# ---- Rapier ----------------------------------------------------------------------------------------------------------------------

def of_rapier(program, start, iterations, coulomb):
    bodies = [[list(map(float, b[:3])), list(map(float, b[7:10]))] for b in start]
    scene = {"radius": RADIUS, "mass": MASS, "side": SIDE, "friction": FRICTION, "step": STEP, "steps": STEPS, "bodies": bodies,
             "look": LOOK, "iterations": iterations, "coulomb": coulomb}
    run = subprocess.run([program], input=json.dumps(scene), stdout=subprocess.PIPE, text=True, check=True)
    *looks, end = map(json.loads, run.stdout.splitlines())
    residuals = []
    for look in looks:
        flat = lambda key: np.array(look[key]).reshape(-1, 6)
        touches = []
        for touch in look["touches"]:
            (a, b), normal, impulse = touch["bodies"], np.array(touch["normal"]), np.array(touch["impulse"])
            arms = touch["arms"]
            if a < 0:
                a, b, normal, impulse, arms = b, a, -normal, -impulse, arms[::-1]
            touches.append((a, b, normal, arms, impulse))
        residuals.append(judged(flat("before"), flat("after"), touches))
    # the simplified model keeps no impulses of friction over the whole step
    found = median(residuals) if coulomb else None
    return 1e3 * float(np.mean(end["cpu_seconds"][SETTLED:])), float(np.mean(end["contacts"][SETTLED:])), found


# ---- Siconos, on problems of our run ---------------------------------------------------------------------------------------------

def condensed(data):
    """W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ q + b of a problem whose M is diagonal, as a problem file."""
    M, H = sparse(data["M"]), sparse(data["H"])
    inverse = scipy.sparse.diags(1 / M.diagonal())
    W = (H.T @ inverse @ H).tocoo()
    q = H.T @ (inverse @ np.array(data["q"])) + np.array(data["b"])
    entries = {"nrows": W.shape[0], "ncols": W.shape[1], "nnz": W.nnz, "rows": W.row.tolist(), "cols": W.col.tolist(),
               "vals": W.data.tolist()}
    keys = {key: data[key] for key in ("dim", "n_contacts", "n_rows", "mu")}
    return {**keys, "format": "fcp-1", "kind": "local", "W": entries, "q": q.tolist()}


def condensed_path(path):
    return path.replace(".json", "-local.json")


def siconos_once(path, kind, name, tolerance, seconds, pipe):
    import compare_siconos as s
    used = math.ceil(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, used + seconds + 1))
    s.TOLERANCE = tolerance
    data = load(path)
    prepare = s.global_run(data, name, residual_of) if kind == "global" else local_run(path, data, name)
    spent, times = 0.0, 0
    # clocks of CPU time may tick slowly
    while spent < LONG and times < TIMES:
        solve, judge = prepare()
        begun = time.process_time()
        solve()
        spent, times = spent + time.process_time() - begun, times + 1
    pipe.send((spent / times, judge()))


def local_run(path, data, name):
    """Siconos' solver on the condensed problem, judged as the problem that it comes from; W is made beforehand, as it is for ours."""
    import compare_siconos as s
    import siconos.numerics as sn
    M, H = sparse(data["M"]), sparse(data["H"])
    local = load(condensed_path(path))
    file = path.replace(".json", "-local.dat")
    s.write_dat(local, dense(local["W"]), file)

    def prepare():
        problem, options = sn.frictionContact_new_from_filename(file), s.new_options("local", 3, name)
        r, u = np.zeros(local["n_rows"]), np.zeros(local["n_rows"])
        judge = lambda: residual_of(data, M, H, (np.array(data["q"]) + H @ r) / M.diagonal(), r)
        return lambda: sn.fc3d_driver(problem, r, u, options), judge

    return prepare


def of_siconos(problems, kind, name, tolerance, seconds):
    """Median CPU milliseconds and residual over the problems; none if one is not answered in so many CPU seconds."""
    import multiprocessing
    context = multiprocessing.get_context("fork")
    found = []
    for path in problems:
        ours, theirs = context.Pipe()
        process = context.Process(target=siconos_once, args=(path, kind, name, tolerance, seconds, theirs))
        process.start()
        process.join()
        if not ours.poll():
            return None
        found.append(ours.recv())
    times, residuals = zip(*found)
    return 1e3 * median(times), median(residuals)


def ours_on(program, problems, kind, tolerance):
    """The same for ours, without forces to begin at, of the problems as they are or as Siconos' local solvers get them: the solver's own
    clock, which counts no less than CPU time on one thread, and what its first pages take."""
    times, residuals = [], []
    for path in problems:
        data, given = load(path), path if kind == "global" else condensed_path(path)
        call = [program, "solve", given, "--quiet", "--format", "json", "--tolerance", str(tolerance), "--threads", "1", "--timing"]
        runs = [json.loads(cpu_of(call)[0]) for _ in range(REPEATED)]
        M, H, r = sparse(data["M"]), sparse(data["H"]), np.array(runs[0]["r"])
        v = (np.array(data["q"]) + H @ r) / M.diagonal()
        times.append(np.median([run["time_seconds"] for run in runs]))
        residuals.append(residual_of(data, M, H, v, r))
    return 1e3 * median(times), median(residuals)


# ---- all of it -------------------------------------------------------------------------------------------------------------------

POINTS = []


def tell(program, what, found):
    milliseconds, contacts, residuals = found
    worst = None if residuals is None else float(max(residuals))
    POINTS.append({"program": program, "what": what, "ms": float(milliseconds), "contacts": contacts, "residual": worst})
    shown = "not to be had |" if residuals is None else "{:.1e} | {:.1e}".format(*residuals)
    heaps = "" if contacts is None else f"{contacts:.0f}"
    print(f"| {program} | {what} | {heaps} | {milliseconds:.3g} | {shown} |", flush=True)


def note(text):
    print(text, file=sys.stderr, flush=True)


def of_ours(program, scene, folder, quick):
    for tolerance in (1e-3, 1e-6) if quick else (1e-2, 1e-3, 1e-4, 1e-6, 1e-8):
        tell("mechan", f"`--tolerance {tolerance:.0e}`", ours(program, scene, folder, tolerance))


def of_mujoco_all(start, quick):
    try:
        import mujoco  # noqa: F401
    except ImportError:
        note("MuJoCo is not there")
        return
    for solver, iterations, tolerance, hard, parts in [
        ("CG", 100, 1e-8, False, 1), ("Newton", 100, 1e-8, False, 1), ("PGS", 100, 0, False, 1), ("CG", 10, 0, False, 1),
        ("CG", 1000, 1e-12, False, 1), ("CG", 1000, 1e-12, True, 1), ("CG", 100, 1e-8, False, 10),
    ][:2 if quick else None]:
        what = f"{solver}, at most {iterations} iterations" + (", hard" if hard else "")
        what += f", {parts} parts a step" if parts > 1 else ""
        tell("MuJoCo", what, of_mujoco(start, solver, iterations, tolerance, hard, parts))


def of_rapier_all(start, quick):
    rapier = os.environ.get("SCENES_RAPIER")
    if rapier is None:
        try:
            cargo(folder=os.path.join(ROOT, "benches", "scenes_rapier"))
            rapier = os.path.join(TARGET, "release", "scenes_rapier")
        except (OSError, subprocess.CalledProcessError):
            note("Rapier cannot be built")
            return
    for iterations in (4, 16) if quick else (1, 4, 16, 64):
        tell("Rapier", f"{iterations} parts a step, Coulomb", of_rapier(rapier, start, iterations, True))
    tell("Rapier", "4 parts a step, simplified (default)", of_rapier(rapier, start, 4, False))


def problems_of(program, scene, folder):
    steps = EXPORTED
    paths = [os.path.join(folder, f"exported-{step}.json") for step in steps]
    exports = [part for step, path in zip(steps, paths) for part in ("--export-problem", f"{step}:{path}")]
    cpu_of([program, "run", scene, "--quiet", "--steps", str(steps[-1]), "--tolerance", "1e-3", *exports])
    for path in paths:
        with open(condensed_path(path), "w") as file:
            json.dump(condensed(load(path)), file)
    return paths


def solvers_side_by_side(program, problems, quick):
    for kind, name in (("global", "mechan on problems"), ("local", "mechan on condensed problems")):
        for tolerance in (1e-3, 1e-6) if quick else (1e-3, 3e-4, 1e-4, 1e-6, 1e-8):
            cpu, residual = ours_on(program, problems, kind, tolerance)
            tell(name, f"`solve`, {tolerance:g}", (cpu, None, residual))
    try:
        import compare_siconos as s
    except ImportError:
        note("Siconos is not there")
        return
    for kind in ("local", "global"):
        for name, number in s.solvers(kind, 3).items():
            for tolerance in (1e-3, 1e-6) if quick else (3e-3, 1e-3, 1e-4, 1e-6, 1e-8):
                found = None if number is None else of_siconos(problems, kind, name, tolerance, 5 if quick else 20)
                if found is None:
                    note(f"Siconos {name} at {tolerance:g}: no answer")
                    break
                tell("Siconos on problems", f"{name}, {tolerance:g}", (found[0], None, found[1]))


def picture(folder):
    """Of these points and those of earlier calls about other programs."""
    stored = os.path.join(folder, "points.json")
    if os.path.exists(stored):
        with open(stored) as file:
            new = {p["program"] for p in POINTS}
            POINTS.extend(p for p in json.load(file) if p["program"] not in new)
    with open(stored, "w") as file:
        json.dump(POINTS, file, indent=1)
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(9, 6), constrained_layout=True)
    marks = {"mechan": ("o", "#d62728"), "MuJoCo": ("s", "#1f77b4"), "Rapier": ("^", "#2ca02c"),
             "mechan on problems": ("o", "none"), "mechan on condensed problems": ("D", "none"), "Siconos on problems": ("x", "#7f7f7f")}
    for program, (mark, colour) in marks.items():
        points = [p for p in POINTS if p["program"] == program and p["residual"] is not None and math.isfinite(p["residual"])]
        if points:
            edge = "#d62728" if program.startswith("mechan") else colour
            faces = {} if mark == "x" else {"edgecolors": edge}
            axes.scatter([p["residual"] for p in points], [p["ms"] for p in points], marker=mark, color=edge if mark == "x" else colour,
                         label=program, s=55, **faces)
            if program == "mechan":
                for p in points:
                    axes.annotate(p["what"].strip("`"), (p["residual"], p["ms"]), fontsize=6.5, xytext=(5, 6), textcoords="offset points")
    axes.set(xscale="log", yscale="log", xlabel="the larger residual, of Coulomb's law or of the dynamics", ylabel="CPU time a step of 0.02 s, ms",
             title="600 beads in a box")
    axes.margins(0.2)
    axes.invert_xaxis()
    axes.grid(True, which="major", alpha=0.3)
    axes.legend()
    for ending in ("png", "svg"):
        figure.savefig(os.path.join(folder, f"scenes.{ending}"), dpi=150, metadata={"Date": None} if ending == "svg" else None)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--quick"]
    quick, folder = "--quick" in sys.argv[1:], arguments[0]
    os.makedirs(folder, exist_ok=True)
    program, scene = os.environ.get("MECHAN"), scene_file(folder)
    if program is None:
        cargo("--no-default-features", "--features", "program", "--bin", "mechan")
        program = os.path.join(TARGET, "release", "mechan")
    start = np.array(checkpoint(program, scene, folder, 1)["bodies"])
    print("| program | how | contacts | CPU, ms a step | law | dynamics |\n|---|---|---|---|---|---|")
    wanted = lambda name: not arguments[1:] or name in arguments[1:]
    if wanted("mechan"):
        of_ours(program, scene, folder, quick)
    if wanted("MuJoCo"):
        of_mujoco_all(start, quick)
    if wanted("Rapier"):
        of_rapier_all(start, quick)
    if wanted("problems"):
        original = os.path.join(ROOT, "scenes", "beads.yaml")
        solvers_side_by_side(program, problems_of(program, original, folder), quick)
    picture(folder)


if __name__ == "__main__":
    main()
