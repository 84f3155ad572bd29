#!/usr/bin/env python3
"""Tries what is proven at many points: evaluates the certificates' formulas in plain doubles, and shares nothing with what proves or checks them.

    python3 theorems/sample.py [POINTS] [CERTIFICATE..]

POINTS in all (a million), drawn evenly over the certificates of this folder, or those that are named. A point counts if everything that is
assumed holds there; at each of them the claim has to hold, to rounding. Where equations have to hold, Newton's method puts as many of the drawn
numbers where they do, others each time.
"""

import json
import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

ROUNDING = 1e-11
PIECE = 100_000
STEPS = 12  # of Newton's method


def number(text):
    """A number as a certificate writes it."""
    sign, text = (-1.0, text[1:]) if text.startswith("-") else (1.0, text)
    if "pi" in text:
        before, after = text.split("pi")
        return sign * float(Fraction(before.rstrip("*") or "1") / Fraction(after.lstrip("/") or "1")) * math.pi
    if "*2^" in text:
        mantissa, exponent = text.split("*2^")
        return sign * math.ldexp(float(mantissa), int(exponent))
    return sign * float(Fraction(text))


def middle(pair):
    """A constant, of a pair of ends the middle."""
    ends = [pair] if isinstance(pair, str) else pair
    return sum(map(number, ends)) / len(ends)


def drawn(random, lo, hi, count):
    """Numbers of a range: half of them anywhere, half near its ends, over some decades."""
    share = random.random(count)
    near = 10.0 ** random.uniform(-6.0, 0.0, count)
    kind = random.integers(0, 4, count)
    share = np.where(kind == 2, near, np.where(kind == 3, 1.0 - near, share))
    return lo + (hi - lo) * share


def varying(certificate):
    """Places and ranges of the inputs that vary."""
    return {k: tuple(map(number, given["range"])) for k, given in enumerate(certificate["inputs"]) if "range" in given}


def values(certificate, place):
    """All values at some points, and the size of what they are sums of."""
    found, count = [], len(next(iter(place.values()), [0.0]))
    for k, given in enumerate(certificate["inputs"]):
        if k in place:
            found.append(place[k])
        elif "share" in given:
            lo, hi = map(number, certificate["inputs"][given["share"]]["range"])
            found.append((found[given["share"]] - lo) / (hi - lo))
        else:
            found.append(np.full(count, middle(given["value"])))
    found += [np.full(count, middle(constant)) for constant in certificate["constants"]]
    sizes = [np.abs(x) for x in found]
    for op, *operands in certificate["nodes"]:
        a, size = found[operands[0]], sizes[operands[0]]
        b, other = (found[operands[1]], sizes[operands[1]]) if len(operands) > 1 else (None, None)
        result, bound = {
            "add": lambda: (a + b, size + other),
            "sub": lambda: (a - b, size + other),
            "mul": lambda: (a * b, size * other),
            "div": lambda: (a / b, size / np.abs(b) * (other / np.abs(b))),
            "neg": lambda: (-a, size),
            "sin": lambda: (np.sin(a), np.ones(count)),
            "cos": lambda: (np.cos(a), np.ones(count)),
            "tan": lambda: (np.tan(a), 1.0 / np.cos(a) ** 2),
            "atan": lambda: (np.arctan(a), np.full(count, 2.0)),
            "exp": lambda: (np.exp(a), np.exp(a) * (1.0 + size)),
            "ln": lambda: (np.log(a), np.abs(np.log(a)) + size / a),
            "sqrt": lambda: (np.sqrt(a), size / np.sqrt(a)),
            "abs": lambda: (np.abs(a), size),
            "signum": lambda: (np.sign(a), np.ones(count)),
            "min": lambda: (np.minimum(a, b), np.maximum(size, other)),
            "where": lambda: (np.where(a > 0.0, b, 0.0), other),
        }[op]()
        found.append(result)
        sizes.append(bound)
    return found, sizes


def holds(formula, known, slack):
    """Where a formula holds, if signs may be wrong by as many roundings (or have to be right by them)."""
    (word, parts), = formula.items()
    found, sizes = known
    if word in ("all", "any"):
        every = [holds(part, known, slack) for part in parts]
        start = np.full(len(found[0]), word == "all")
        return (np.logical_and if word == "all" else np.logical_or).reduce([start, *every])
    return found[parts] + slack * ROUNDING * sizes[parts] >= 0.0


def equations(certificate, place):
    """The values that have to be zero, by points, and what they are sums of."""
    found, sizes = values(certificate, place)
    return tuple(np.stack([of[i] for i in certificate["zero"]], -1) for of in (found, sizes))


def slopes_along(certificate, place, inputs):
    """The slopes of the equations along some inputs: by points, equations and these."""
    slopes = []
    for k in inputs:
        lo, hi = varying(certificate)[k]
        step = 1e-7 * (hi - lo)
        ends = [equations(certificate, {**place, k: place[k] + side * step})[0] for side in (1.0, -1.0)]
        slopes.append((ends[0] - ends[1]) / (2.0 * step))
    return np.stack(slopes, -1)


def solved(certificate, random, place):
    """The points with some of their numbers moved to where the equations hold, and whether they do."""
    ranges, tied = varying(certificate), []
    slopes = slopes_along(certificate, place, ranges)
    for of in np.moveaxis(slopes, 1, 0):
        tied.append(random.choice([k for k, slope in zip(ranges, of.T) if k not in tied and np.any(slope != 0.0)]))
    for _ in range(STEPS):
        error, _ = equations(certificate, place)
        slopes = slopes_along(certificate, place, tied)
        sound = np.isfinite(slopes).all((1, 2)) & np.isfinite(error).all(1) & (np.abs(np.linalg.det(slopes)) > 0.0)
        moves = np.zeros_like(error)
        moves[sound] = np.linalg.solve(slopes[sound], error[sound][:, :, None])[:, :, 0]
        place = {**place, **{k: place[k] - moves[:, c] for c, k in enumerate(tied)}}
    error, size = equations(certificate, place)
    inside = [(lo <= place[k]) & (place[k] <= hi) for k, (lo, hi) in ranges.items()]
    return place, np.logical_and.reduce(inside) & (np.abs(error) <= 1e-13 * size).all(1)


def sampled(certificate, random, count):
    """How many points are meant, and those at which the claim fails."""
    place = {k: drawn(random, lo, hi, count) for k, (lo, hi) in varying(certificate).items()}
    place, fits = solved(certificate, random, place) if certificate["zero"] else (place, np.full(count, True))
    known = values(certificate, place)
    meant = fits & holds(certificate["assumed"], known, -1.0)
    fails = meant & ~holds(certificate["claimed"], known, 1.0)
    return int(meant.sum()), np.flatnonzero(fails), known


def main():
    arguments = sys.argv[1:]
    points = int(float(arguments.pop(0))) if arguments and not arguments[0].endswith(".json") else 1_000_000
    folder = Path(__file__).parent
    paths = [Path(path) for path in arguments] or sorted(folder.glob("*.json")) + sorted(folder.glob("table_4/*.json"))
    read = [(path, json.loads(path.read_text())) for path in paths]
    proven = [(path, c) for path, c in read if c["answer"] == "proven"]
    random = np.random.default_rng()
    each, all_meant, faults, unmet = -(-points // max(len(proven), 1)), 0, 0, []
    for path, certificate in proven:
        left, own = each, 0
        while left > 0:
            with np.errstate(all="ignore"):
                meant, fails, known = sampled(certificate, random, min(left, PIECE))
            left, own = left - PIECE, own + meant
            for i in fails[:3]:
                at = {g["name"]: known[0][k][i] for k, g in enumerate(certificate["inputs"]) if "range" in g}
                print(f"{path}: {certificate['claim']} fails at {at}")
            faults += len(fails)
        all_meant += own
        if own == 0:
            unmet.append(path.stem)
    print(f"{len(proven)} certificates, {all_meant} of {each * len(proven)} points are meant; the claim fails at {faults}")
    if unmet:
        print(f"no point is meant of {', '.join(unmet)}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
