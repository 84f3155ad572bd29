"""Gives the claims of `claims.yaml` to `mechan prove`, a minute of the processor each, and tells what is decided.

Needs NumPy and PyYAML.

    python3 benches/claims.py [--program PROGRAM] [--timeout 60] [--json FILE] [NAME..] > table.md

Seconds are those of the processor, of all threads together: other programs do not matter. After its time a search is interrupted, and says
what it has shown by then. Each answer is compared with what mechanics says
(`holds` in the list), and, where no equations bind the inputs, with the values at random points, which NumPy computes from the
certificate: a claim that is proven fails at none of them, and one that is refuted fails at its counterexample.
"""

import argparse
import functools
import json
import math
import os
import re
import signal
import subprocess
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import yaml

LIST = Path(__file__).with_name("claims.yaml")
KILLED = "killed"  # what did not answer in time
GRACE = 10  # seconds in which an interrupted search has to answer


def chosen(names):
    """The claims whose name or mechanism has one of the words in it; all without words."""
    claims = yaml.safe_load(LIST.read_text())
    has = lambda claim, word: word in claim["name"] or word in claim["mechanism"]
    return [claim for claim in claims if not names or any(has(claim, word) for word in names)]


def command(claim, program, boxes):
    words = [program, "prove", claim["mechanism"], "--claim", claim["claim"]]
    words += ["--state", claim["state"]] if "state" in claim else []
    for option, key in [("--given", "given"), ("--box", "boxes")]:
        for value in claim.get(key, []):
            words += [option, value]
    return words + ["--boxes", str(boxes), "--format", "json", "--quiet"]


def limited(words, seconds, grace, folder=None):
    """What a program prints, and the seconds of the processor it took: all its threads together. After its time it is
    interrupted, and killed if that does not end it."""
    ticks = os.sysconf("SC_CLK_TCK")
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(words, stdout=out, stderr=err, cwd=folder)
        asked_to_stop = False
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            took = (int(fields[11]) + int(fields[12])) / ticks
            if took > seconds + grace:
                process.send_signal(signal.SIGKILL)
            elif took > seconds and not asked_to_stop:
                process.send_signal(signal.SIGINT)
                asked_to_stop = True
            time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read(), err.read(), usage.ru_utime + usage.ru_stime


def ask(claim, program, boxes, seconds):
    """The report about a claim, with the seconds it took; an error is the answer of what is refused."""
    words = command(claim, program, boxes)
    _, text, said, took = limited(words, seconds, GRACE)
    try:
        found = json.loads(text)["claims"][0]
    except (ValueError, LookupError):
        lines = said.strip().splitlines()
        found = {"answer": "none", "boxes": lines[-1].removeprefix("error: ") if lines else KILLED}
    return {**found, **claim, "parts": found["boxes"], "seconds": took, "command": words}


def stated(found):
    """The certificate of an answer, or where the search did not end one of the claim that shows nothing."""
    if found.get("certificate") or found["parts"] != KILLED:
        return found.get("certificate")
    return ask(found, found["command"][0], 10, 20).get("certificate")


def number(text):
    """The exact number that a text of a certificate means, as a fraction and a fraction of pi."""
    text = text.replace(" ", "")
    power = re.fullmatch(r"(-?\d+)\*2\^(-?\d+)", text)
    if power:
        return Fraction(power[1]) * Fraction(2) ** int(power[2]), Fraction(0)
    if "pi" not in text:
        return Fraction(text), Fraction(0)
    before, after = text.split("pi")
    factor = Fraction(1) if before == "" else Fraction(-1) if before == "-" else Fraction(before.rstrip("*"))
    return Fraction(0), factor / Fraction(after.lstrip("/") or "1")


def as_float(text):
    rational, of_pi = number(text)
    return float(rational) + float(of_pi) * math.pi


def values(certificate, inputs, constants):
    """All values of a certificate, NumPy arrays; what is not defined is not a number."""
    found = list(inputs) + list(constants)
    undefined = lambda where, value: np.where(where, np.nan, value)
    binary = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "min": np.minimum}
    unary = {"neg": np.negative, "sin": np.sin, "cos": np.cos, "tan": np.tan, "atan": np.arctan, "exp": np.exp}
    unary |= {"abs": np.abs, "signum": np.sign}
    with np.errstate(all="ignore"):
        for operation, *of in certificate["nodes"]:
            a, b = found[of[0]], found[of[-1]]
            if operation in binary:
                value = binary[operation](a, b)
            elif operation in unary:
                value = unary[operation](a)
            elif operation == "div":
                value = undefined(b == 0, a / b)
            elif operation == "sqrt":
                value = undefined(a < 0, np.sqrt(a))
            elif operation == "ln":
                value = undefined(a <= 0, np.log(a))
            elif operation == "where":
                value = np.where(np.isnan(a), np.nan, np.where(a > 0, b, 0.0))
            else:
                raise ValueError(operation)
            found.append(value)
    return found


def judged(formula, found):
    """Where a formula holds and where it fails, by more than roundings."""
    (kind, what), = formula.items()
    if kind in ("positive", "nonnegative"):
        value = np.asarray(found[what], dtype=float)
        size = np.nanmax(np.abs(value), initial=1.0 if value.size == 1 else 0.0)
        return value > 1e-9 * size, value < -1e-9 * size
    parts = [judged(part, found) for part in what]
    holds, fails = [part[0] for part in parts], [part[1] for part in parts]
    every = lambda of: functools.reduce(np.logical_and, of, np.bool_(True))
    some = lambda of: functools.reduce(np.logical_or, of, np.bool_(False))
    return (every(holds), some(fails)) if kind == "all" else (some(holds), every(fails))


def drawn(certificate, count, random):
    """Values at random points of the box."""
    between = lambda pair: random.uniform(as_float(pair[0]), as_float(pair[1]), count)
    inputs, shares = [], []
    for item in certificate["inputs"]:
        if "share" in item:
            inputs.append(shares[item["share"]])
            shares.append(None)
        elif "range" in item:
            lo, hi = map(as_float, item["range"])
            shares.append(random.uniform(0, 1, count))
            inputs.append(lo + (hi - lo) * shares[-1])
        else:
            inputs.append(np.full(count, as_float(item["value"])))
            shares.append(None)
    constants = [between(c) if isinstance(c, list) else np.full(count, as_float(c)) for c in certificate["constants"]]
    return values(certificate, inputs, constants)


def at_witness(certificate):
    witness, inputs = iter(certificate["witness"]), []
    middle = lambda x: sum(map(as_float, x)) / 2 if isinstance(x, list) else as_float(x)
    for item in certificate["inputs"]:
        if "share" in item:
            lo, hi = map(as_float, certificate["inputs"][item["share"]]["range"])
            inputs.append((inputs[item["share"]] - lo) / (hi - lo))
        else:
            inputs.append(np.array([middle(next(witness)) if "range" in item else as_float(item["value"])]))
    return values(certificate, inputs, [np.array([middle(c)]) for c in certificate["constants"]])


def sampled(found, count, random):
    """What the values at random points say of an answer."""
    certificate = found.get("certificate")
    if not certificate:
        return "no certificate"
    if certificate["zero"]:
        return "equations"
    at = drawn(certificate, count, random)
    meant, (holds, fails) = judged(certificate["assumed"], at)[0], judged(certificate["claimed"], at)
    share = float(np.mean(np.broadcast_to(meant & fails, count)))
    if found["answer"] == "proven" and share > 0:
        return f"CONTRADICTION: fails at {share:.2g} of the points"
    if found["answer"] == "vacuous" and np.any(meant):
        return "CONTRADICTION: points are meant"
    if found["answer"] == "refuted":
        at = at_witness(certificate)
        # a counterexample on the border is exact: there the values may be 0
        if np.any(judged(certificate["claimed"], at)[0]) or np.any(judged(certificate["assumed"], at)[1]):
            return "CONTRADICTION: the counterexample is none"
    return f"fails at {share:.2g}" if share else "agrees"


def right(found):
    """Whether an answer is what mechanics says; None if there is none."""
    if found["answer"] in ("undecided", "none"):
        return None
    return found["answer"] == ("proven" if found["holds"] else "refuted")


def shell(found):
    quoted = [word if re.fullmatch(r"[\w./:=+-]+", word) else f"'{word}'" for word in found["command"]]
    return " ".join(quoted)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("names", nargs="*", help="words of names or mechanisms")
    arguments.add_argument("--program", default="mechan")
    arguments.add_argument("--timeout", type=float, default=60, help="seconds of the processor for each claim")
    arguments.add_argument("--boxes", type=int, default=10**9, help="parts of a box at most; as good as none here")
    arguments.add_argument("--points", type=int, default=10**5, help="random points for each answer")
    arguments.add_argument("--json", help="a file for all answers, with certificates")
    asked = arguments.parse_args()
    random = np.random.default_rng(1)
    answers = []
    print("| claim | of | holds | answer | parts | s | undecided share | at random points |")
    print("|---|---|---|---|---|---|---|---|")
    for claim in chosen(asked.names):
        found = ask(claim, asked.program, asked.boxes, asked.timeout)
        found["sampled"] = sampled(found, asked.points, random)
        answers.append(found)
        said = found["answer"] + ("" if right(found) is not False else " (WRONG)")
        share = f"{found['undecided_share']:.2g}" if found["answer"] == "undecided" else ""
        cells = [claim["name"], f"{claim['mechanism']}: {claim['claim']}", "yes" if claim["holds"] else "no", said]
        cells += [str(found["parts"]), f"{found['seconds']:.1f}", share]
        print("| " + " | ".join(cells + [found["sampled"]]) + " |", flush=True)
        if asked.json:
            Path(asked.json).write_text(json.dumps(answers))
    decided = [found for found in answers if right(found) is not None]
    open_shares = [found["undecided_share"] for found in answers if found["answer"] == "undecided"]
    print(f"\n{len(decided)} of {len(answers)} decided within {asked.timeout:g} s of the processor", end="")
    print(f", half of them within {np.median([found['seconds'] for found in decided]):.2g} s" if decided else "")
    print(f"greatest undecided share: {max(open_shares, default=0.0):.3g}")
    print(f"answers unlike mechanics: {sum(right(found) is False for found in answers)}")
    print(f"contradictions at random points: {sum('CONTRA' in found['sampled'] for found in answers)}")


if __name__ == "__main__":
    main()
