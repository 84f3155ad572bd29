"""Times Siconos' solvers and this crate's automatic sequence on the same problem files, in one run.

Needs Debian's python3-siconos (4.4). The crate needs neither this script nor Siconos.

    python3 benches/compare_siconos.py [--seconds 5] FILE... > table.md

Local problems are given to Siconos' local solvers, global ones to its global solvers, of which the plane has none.
Per problem: the best of Siconos' solvers that reach 1e-8 by the residual recomputed here, and ours before and after them, all as
CPU time (median of repetitions), without reading.
"""

import math
import multiprocessing
import tempfile
import time

import numpy as np
import siconos.numerics as sn

from contact_problems import (
    TOLERANCE, built, command_line, dense, global_residual, in_turns, load, local_residual, print_mean, sparse,
)

DENSE = 6


def solvers(kind, dim):
    if kind == "global" and dim == 2:
        return {}
    if kind == "global":
        names = ["NSN_AC", "NSN_AC_WR", "NSGS_WR", "PROX_WR", "ADMM", "ADMM_WR", "ACLMFP"]
        return {"G_" + n: getattr(sn, f"SICONOS_GLOBAL_FRICTION_3D_{n}", None) for n in names}
    if dim == 2:
        names = ["NSGS", "CPG", "LEMKE", "ENUM", "NSGS (dense)"]
        return {n: getattr(sn, f"SICONOS_FRICTION_2D_{n.split()[0]}", None) for n in names}
    names = ["NSGS", "PROX", "NSN_AC", "NSN_FB", "ACLMFP", "ADMM"]
    return {n: getattr(sn, f"SICONOS_FRICTION_3D_{n}", None) for n in names}


def write_dat(data, W, path):
    """Siconos' own file format, by blocks: the form its block solvers are made for."""
    dim, nc = data["dim"], data["n_contacts"]
    blocks = sorted({(i // dim, j // dim) for i, j in zip(data["W"]["rows"], data["W"]["cols"])})
    sizes = [dim * (k + 1) for k in range(nc)]
    starts = [sum(1 for b in blocks if b[0] < k) for k in range(nc + 1)]
    lines = [dim, nc, 1, dim * nc, dim * nc, len(blocks), nc, nc, *sizes, *sizes, nc + 1, len(blocks), *starts]
    lines += [j for _, j in blocks]
    for k, (i, j) in enumerate(blocks):
        lines += [k, *W[dim * i:dim * i + dim, dim * j:dim * j + dim].flatten(order="F")]
    lines += data["q"] + data["mu"]
    with open(path, "w") as file:
        file.write("\n".join(str(x) if isinstance(x, int) else f"{x:.17e}" for x in lines) + "\n")


def new_problem(data, W, path, name):
    """Dense for a few contacts, by blocks for more, where NSGS in the plane stops after one sweep if q is tiny."""
    if data["n_contacts"] < DENSE or name.endswith("(dense)"):
        return sn.FrictionContactProblem(data["dim"], W, np.array(data["q"]), np.array(data["mu"]))
    return sn.frictionContact_new_from_filename(path)


def local_run(data, name):
    """A function that makes a new problem and returns what solves it and what judges the result."""
    dim, n, W = data["dim"], data["n_rows"], dense(data["W"])
    driver = sn.fc2d_driver if dim == 2 else sn.fc3d_driver
    file = tempfile.NamedTemporaryFile(suffix=".dat")
    write_dat(data, W, file.name)

    def prepare():
        problem, options = new_problem(data, W, file.name, name), new_options("local", dim, name)
        r, u = np.zeros(n), np.zeros(n)
        return lambda: driver(problem, r, u, options), lambda: local_residual(data, W, r)

    return prepare


def global_run(data, name, judge=global_residual):
    dim, M, H = data["dim"], sparse(data["M"]), sparse(data["H"])

    def prepare():
        problem = sn.GlobalFrictionContactProblem()
        problem.dimension, problem.numberOfContacts = dim, data["n_contacts"]
        problem.M, problem.H = sparse(data["M"]), sparse(data["H"])
        problem.q, problem.b, problem.mu = np.array(data["q"]), np.array(data["b"]), np.array(data["mu"])
        options = new_options("global", dim, name)
        r, u, v = np.zeros(data["n_rows"]), np.zeros(data["n_rows"]), np.zeros(data["n_dof"])

        return lambda: sn.gfc3d_driver(problem, r, u, v, options), lambda: judge(data, M, H, v, r)

    return prepare


def new_options(kind, dim, name):
    options = sn.SolverOptions(solvers(kind, dim)[name])
    options.dparam[sn.SICONOS_DPARAM_TOL] = TOLERANCE
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = max(options.iparam[sn.SICONOS_IPARAM_MAX_ITER], 100000)
    return options


def siconos_run(path, name, seconds, pipe):
    """Times one solver in its own process, for some of them abort."""
    data = load(path)
    prepare = (local_run if data["kind"] == "local" else global_run)(data, name)
    times, error, begin = [], float("inf"), time.time()
    while len(times) < 50 and (not times or time.time() - begin < seconds):
        solve, judge = prepare()
        start = time.process_time()
        solve()
        times.append(time.process_time() - start)
        error = judge()
    pipe.send((sorted(times)[len(times) // 2], error))


def best_of_siconos(path, seconds):
    data = load(path)
    best = None
    for name, identifier in solvers(data["kind"], data["dim"]).items():
        if identifier is None or data["n_contacts"] == 0:
            continue
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.Process(target=siconos_run, args=(path, name, seconds, theirs))
        process.start()
        process.join(10 * seconds)
        process.kill()
        if ours.poll():
            cpu, error = ours.recv()
            if error <= TOLERANCE and (best is None or cpu < best[0]):
                best = (cpu, name)
    return best


def main():
    seconds, arguments = command_line()
    ratios = []
    print("| problem | form | contacts | ours | residual | CPU, us | best of Siconos | CPU, us | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    program = built()
    for path in arguments:
        row, cpu, best = in_turns(program, path, lambda: best_of_siconos(path, seconds))
        theirs = f"{best[1]} | {best[0] * 1e6:.1f} | {best[0] / cpu:.1f}" if best else "- | - | -"
        if best:
            ratios.append(math.log(best[0] / cpu))
        solver = row["solver"] if row["status"] == "solved" else "(not converged)"
        form = f"{row['kind']} {row['dim']}D"
        print(f"| {row['problem']} | {form} | {row['contacts']} | {solver} | {row['residual']} | {cpu * 1e6:.1f} | {theirs} |", flush=True)
    print_mean(ratios)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
