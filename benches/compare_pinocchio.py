"""Times Pinocchio's contact solvers and this crate's automatic sequence on local spatial problems, in one run.

Needs Pinocchio 4.1 (`pin` and `scipy` of PyPI). The crate needs neither this script nor Pinocchio.

    python3 benches/compare_pinocchio.py [--seconds 5] FILE... > table.md

Pinocchio solves the same law (`solve_ncp`), by ADMM and by projected Gauss-Seidel, on a dense and on a sparse Delassus
matrix. Its stopping tests are measured in units, so each solver is asked for 1e-8 and for more until the residual
recomputed here, the same for both programs, is at most 1e-8. Times are CPU seconds of one solve, median of
repetitions, without reading and without building the matrix. Pinocchio factors one triangle: where W is not symmetric
(gyroscopic terms), both programs get its symmetric part, and the problem is marked `sym`. Files of other kinds are
left out.
"""

import json
import math
import multiprocessing
import os
import tempfile
import time

import numpy as np
import pinocchio as pin

from contact_problems import TOLERANCE, built, command_line, dense, in_turns, load, local_residual, print_mean, sparse

# What is asked of Pinocchio, relative and absolute, until the residual is reached.
ASKED = [1e-8, 1e-10, 1e-12, 1e-14]
ITERATIONS = 100_000
# Projected Gauss-Seidel takes dense matrices only.
SOLVERS = [("ADMM", "dense"), ("ADMM", "sparse"), ("PGS", "dense")]


def tangents_first(dim, contacts):
    """Our order of a contact is (N, T1, T2), Pinocchio's (T1, T2, N)."""
    return (np.arange(dim * contacts).reshape(-1, dim)[:, [1, 2, 0]]).ravel()


def constraints(mu):
    """One point contact for each friction coefficient; only its cone matters here."""
    model = pin.Model()
    model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "body")
    models, datas = pin.StdVec_ConstraintModel(), pin.StdVec_ConstraintData()
    for coefficient in mu:
        contact = pin.PointContactConstraintModel(model, 1, pin.SE3.Identity())
        contact.setFriction(coefficient)
        models.append(pin.ConstraintModel(contact))
        datas.append(models[len(models) - 1].createData())
    return models, datas


def new_solver(method, size, asked):
    admm = method == "ADMM"
    settings = pin.ADMMSolverSettings() if admm else pin.PGSSolverSettings()
    settings.max_iterations, settings.solve_ncp = ITERATIONS, True
    for kind in ("feasibility", "complementarity"):
        setattr(settings, f"absolute_{kind}_tol", asked)
        setattr(settings, f"relative_{kind}_tol", asked)
    solver = pin.ADMMConstraintSolver(size) if admm else pin.PGSConstraintSolver(size)
    result = pin.ADMMSolverResult() if admm else pin.PGSSolverResult()
    return solver, settings, result


def timed_solve(data, W, q, contacts, method, storage, asked):
    """CPU seconds of one cold solve, and its impulses in our order."""
    order = tangents_first(3, data["n_contacts"])
    delassus = pin.DelassusOperatorDense(W[np.ix_(order, order)]) if storage == "dense" \
        else pin.DelassusOperatorSparse(sparse(data["W"])[order][:, order].tocsc())
    solver, settings, result = new_solver(method, len(q), asked)
    start = time.process_time()
    solver.solve(delassus, q[order], *contacts, settings, result)
    seconds = time.process_time() - start
    r = np.zeros(len(q))
    r[order] = result.retrieveConstraintImpulses()
    return seconds, r


def pinocchio_run(path, method, storage, seconds, pipe):
    """Times one solver in a process of its own, for a failing one may abort."""
    data = load(path)
    W, q, contacts = dense(data["W"]), np.array(data["q"]), constraints(data["mu"])
    for asked in ASKED:
        times, error, begin = [], math.inf, time.time()
        while len(times) < 50 and (not times or time.time() - begin < seconds):
            cpu, r = timed_solve(data, W, q, contacts, method, storage, asked)
            times.append(cpu)
            error = local_residual(data, W, r)
            if not error <= TOLERANCE:
                break
        if error <= TOLERANCE:
            pipe.send((sorted(times)[len(times) // 2], f"{method} {storage}, {asked:.0e}"))
            return


def best_of_pinocchio(path, seconds):
    best = None
    for method, storage in SOLVERS:
        receiver, sender = multiprocessing.Pipe()
        process = multiprocessing.Process(target=pinocchio_run, args=(path, method, storage, seconds, sender))
        process.start()
        process.join(20 * seconds)
        process.kill()
        if receiver.poll():
            found = receiver.recv()
            best = found if best is None or found[0] < best[0] else best
    return best


def symmetric_copy(path, folder):
    """The file itself, or a copy with the symmetric part of its W; none if it is not local and in space."""
    data = load(path)
    if data["kind"] != "local" or data["dim"] != 3 or data["n_contacts"] == 0:
        return None
    W = dense(data["W"])
    if (W == W.T).all():
        return path
    W = 0.5 * (W + W.T)
    columns, rows = np.nonzero(W.T)
    data["W"] |= {"nnz": len(rows), "rows": rows.tolist(), "cols": columns.tolist(), "vals": W[rows, columns].tolist()}
    data["name"] += " sym"
    copy = os.path.join(folder, f"{data['name']}.json")
    with open(copy, "w") as file:
        json.dump(data, file)
    return copy


def main():
    seconds, arguments = command_line()
    with tempfile.TemporaryDirectory() as folder:
        compare([copy for path in arguments if (copy := symmetric_copy(path, folder))], seconds)


def compare(paths, seconds):
    ratios = []
    print("| problem | contacts | ours | residual | CPU, us | best of Pinocchio | CPU, us | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    program = built()
    for path in paths:
        row, cpu, best = in_turns(program, path, lambda: best_of_pinocchio(path, seconds))
        theirs = f"{best[1]} | {best[0] * 1e6:.1f} | {best[0] / cpu:.1f}" if best else "- | - | -"
        if best:
            ratios.append(math.log(best[0] / cpu))
        solver = row["solver"] if row["status"] == "solved" else f"({row['status']})"
        print(f"| {row['problem']} | {row['contacts']} | {solver} | {row['residual']} | {cpu * 1e6:.1f} | {theirs} |", flush=True)
    print_mean(ratios)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
