"""What the comparisons with other programs share: problem files, one judge for every program, and our own times."""

import gzip
import json
import math
import os
import subprocess
import sys

import numpy as np
import scipy.sparse

TOLERANCE = 1e-8
# The crate is built here without derivation; a directory of its own leaves the usual `target/release/mechan` as it is.
BUILD = os.path.join("target", "comparisons")


def load(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt") as file:
        return json.load(file)


def dense(m):
    out = np.zeros((m["nrows"], m["ncols"]))
    out[m["rows"], m["cols"]] = m["vals"]
    return out


def coulomb_defect(u, r, mu, dim):
    u, r = u.reshape(-1, dim), r.reshape(-1, dim)
    x = r - u
    x[:, 0] -= mu * np.linalg.norm(u[:, 1:], axis=1)
    t = np.linalg.norm(x[:, 1:], axis=1)
    p = x.copy()
    polar = mu * t <= -x[:, 0]
    outside = (t > mu * x[:, 0]) & ~polar
    p[polar] = 0.0
    n = (x[outside, 0] + mu[outside] * t[outside]) / (1 + mu[outside] ** 2)
    p[outside, 0] = n
    p[outside, 1:] *= (mu[outside] * n / t[outside])[:, None]
    return math.sqrt(((r - p) ** 2).sum())


def sparse(m):
    """Compressed columns with 64-bit indices, the form Siconos uses without conversion."""
    out = scipy.sparse.csc_matrix((m["vals"], (m["rows"], m["cols"])), shape=(m["nrows"], m["ncols"]))
    out.indices, out.indptr = out.indices.astype(np.int64), out.indptr.astype(np.int64)
    return out


def local_residual(data, W, r):
    q, mu = np.array(data["q"]), np.array(data["mu"])
    u = W @ r + q
    scale = max(np.linalg.norm(q), np.linalg.norm(r), np.linalg.norm(u))
    return coulomb_defect(u, r, mu, data["dim"]) / scale if scale > 0 else 0.0


def global_residual(data, M, H, v, r):
    q, mu = np.array(data["q"]), np.array(data["mu"])
    u = H.T @ v + np.array(data["b"])
    Mv, force = M @ v, H @ r
    quotient = lambda a, b: a / b if b > 0 else a
    norm = np.linalg.norm
    dynamics = quotient(norm(Mv - q - force), max(norm(q), norm(Mv), norm(force)))
    return dynamics + quotient(coulomb_defect(u, r, mu, data["dim"]), max(norm(u), norm(r)))


def built():
    """The program that times ours, built where it replaces no other."""
    command = ["cargo", "bench", "--no-default-features", "--bench", "incremental", "--no-run", "--message-format", "json"]
    environment = {**os.environ, "CARGO_TARGET_DIR": BUILD}
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return next(found["executable"] for found in map(json.loads, run.stdout.splitlines()) if found.get("executable"))


def ours(program, path):
    """Our row of a file: solver, status, residual, CPU seconds."""
    lines = subprocess.run([program, path], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    header = next(i for i, l in enumerate(lines) if l.startswith("problem,"))
    row = next(l for l in lines[header + 1:] if l.count(",") == 8)
    return dict(zip(lines[header].split(","), row.split(",")))


def in_turns(program, path, theirs):
    """Our row with our CPU seconds before and after theirs, and what theirs returns: a machine changes its speed."""
    before = ours(program, path)
    other = theirs()
    after = ours(program, path)
    return before, math.sqrt(float(before["seconds"]) * float(after["seconds"])), other


def command_line(seconds=5.0):
    """The seconds that a solver may be repeated for, and the files."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["--seconds"]:
        return float(arguments[1]), arguments[2:]
    return seconds, arguments


def print_mean(logarithms):
    """The geometric mean of the ratios whose logarithms these are."""
    if logarithms:
        mean = math.exp(sum(logarithms) / len(logarithms))
        print(f"\nGeometric mean of the ratios over {len(logarithms)} problems: {mean:.1f}")
