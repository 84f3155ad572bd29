"""Gives the claims that `claims.py` gave to `mechan prove` to z3, cvc5 and Coq's `interval`.

Needs NumPy and PyYAML, and of the packages z3-solver and cvc5 what there is.

    python3 benches/claims.py --json answers.json
    python3 benches/compare_provers.py answers.json [--timeout 20] [--coqc PROGRAM] [NAME..] > table.md

A claim is translated from its certificate: for what inputs of the box the assumptions hold, the equations too, and the claim does not. What
the solver finds to be empty is proven, and a point that it finds is evaluated by NumPy. In their favour, divisors are taken to be apart from 0.
Sines and cosines of angles that do not vary are enclosed, as what is no fraction is in the certificate; their squares sum to 1. An angle that varies is t = tan(x/2), or
a sine and a cosine whose squares sum to 1 where its range is wider than t allows. Logarithms, exponentials, inverse tangents of what varies, and
angles that are also used as numbers are left out: "cannot say". dReal's package needs a library, ibex, that is not part of it.
Coq gets what `mechan prove --format coq` writes, and no more is asked of it than to accept that.
"""

import argparse
import importlib.metadata
import json
import math
import re
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
from claims import as_float, judged, limited, number, stated, values


class CannotSay(Exception):
    """What is not rational in numbers, sines and cosines."""


def rational(x):
    """A rational number in SMT-LIB."""
    x = Fraction(x)
    text = f"{abs(x.numerator)}.0" if x.denominator == 1 else f"(/ {abs(x.numerator)}.0 {x.denominator}.0)"
    return f"(- {text})" if x < 0 else text


def near(text):
    """The number that a text means; a multiple of pi to fifteen digits."""
    plain, of_pi = number(text)
    return plain if of_pi == 0 else Fraction(f"{as_float(text):.15g}")


def outward(lo, hi):
    """Rational ends of an interval of sines, cosines or tangents of halves."""
    return Fraction(f"{lo:.15g}") - Fraction(1, 10**13), Fraction(f"{hi:.15g}") + Fraction(1, 10**13)


class Translation:
    """A certificate as an SMT-LIB problem in real numbers."""

    def __init__(self, certificate):
        self.of, self.inputs = certificate, certificate["inputs"]
        self.lines, self.angles, self.texts, self.turned = [], {}, {}, {}
        self.first = len(self.inputs) + len(certificate["constants"])
        self.as_numbers = set()
        asserted = [f"(assert {self.formula(certificate['assumed'])})"]
        asserted += [f"(assert (= {self.value(v)} 0.0))" for v in certificate["zero"]]
        asserted += [f"(assert (not {self.formula(certificate['claimed'])}))"]
        if self.as_numbers & set(self.angles):
            raise CannotSay("an angle is a number too")
        self.text = "\n".join(["(set-logic QF_NRA)"] + self.lines + asserted) + "\n"

    def declare(self, name, lo, hi):
        self.lines += [f"(declare-const {name} Real)", f"(assert (<= {rational(lo)} {name} {rational(hi)}))"]
        return name

    def formula(self, formula):
        (kind, what), = formula.items()
        if kind in ("positive", "nonnegative"):
            return f"({'>' if kind == 'positive' else '>='} {self.value(what)} 0.0)"
        if not what:
            return "true" if kind == "all" else "false"
        return f"({'and' if kind == 'all' else 'or'} {' '.join(map(self.formula, what))})"

    def constant(self, v):
        """The number of a constant or an input that does not vary, or none."""
        if v < len(self.inputs):
            return near(self.inputs[v]["value"]) if "value" in self.inputs[v] else None
        if v < self.first:
            text = self.of["constants"][v - len(self.inputs)]
            return near(text) if isinstance(text, str) else sum(map(near, text)) / 2
        return None

    def value(self, v):
        if v not in self.texts:
            self.texts[v] = self.written(v)
        return self.texts[v]

    def written(self, v):
        if len(self.inputs) <= v < self.first and isinstance(pair := self.of["constants"][v - len(self.inputs)], list):
            return self.declare(f"k{v}", *map(near, pair))
        fixed = self.constant(v)
        if fixed is not None:
            return rational(fixed)
        if v < self.first:
            item = self.inputs[v]
            if "share" in item:
                lo, hi = map(near, self.inputs[item["share"]]["range"])
                return f"(/ (- {self.value(item['share'])} {rational(lo)}) {rational(hi - lo)})"
            self.as_numbers.add(v)
            return self.declare(f"x{v}", *map(near, item["range"]))
        operation, *of = self.of["nodes"][v - self.first]
        if operation in ("sin", "cos", "tan"):
            sine, cosine = self.turn(self.affine(of[0]))
            body = {"sin": sine, "cos": cosine, "tan": f"(/ {sine} {cosine})"}[operation]
        else:
            body = self.operation(v, operation, [self.value(w) for w in of])
        self.lines.append(f"(define-fun n{v} () Real {body})")
        return f"n{v}"

    def operation(self, v, name, of):
        a, b = of[0], of[-1]
        plain = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
        if name == "div":
            self.lines.append(f"(assert (not (= {b} 0.0)))")
        if name in plain:
            return f"({plain[name]} {a} {b})"
        if name == "sqrt":
            self.lines += [f"(declare-const r{v} Real)", f"(assert (and (>= r{v} 0.0) (= (* r{v} r{v}) {a})))"]
            return f"r{v}"
        cases = {
            "neg": f"(- {a})",
            "abs": f"(ite (>= {a} 0.0) {a} (- {a}))",
            "signum": f"(ite (> {a} 0.0) 1.0 (ite (< {a} 0.0) (- 1.0) 0.0))",
            "min": f"(ite (<= {a} {b}) {a} {b})",
            "where": f"(ite (> {a} 0.0) {b} 0.0)",
        }
        if name in cases:
            return cases[name]
        raise CannotSay(name)

    def affine(self, v):
        """A value as a sum of multiples of inputs that vary, and a number."""
        fixed = self.constant(v)
        if fixed is not None:
            return {None: fixed}
        if v < self.first:
            return {v: Fraction(1)}
        operation, *of = self.of["nodes"][v - self.first]
        parts = [self.affine(w) for w in of]
        if operation in ("add", "sub", "neg"):
            signs = {"add": [1, 1], "sub": [1, -1], "neg": [-1]}[operation]
            total = {}
            for sign, part in zip(signs, parts, strict=True):
                for key, factor in part.items():
                    total[key] = total.get(key, 0) + sign * factor
            return total
        numbers = [list(part) == [None] for part in parts]
        if operation == "mul" and any(numbers):
            factor, other = (parts[0][None], parts[1]) if numbers[0] else (parts[1][None], parts[0])
            return {key: factor * x for key, x in other.items()}
        if operation == "div" and numbers[1]:
            return {key: x / parts[1][None] for key, x in parts[0].items()}
        if all(numbers) and operation in ("atan", "sqrt"):
            return {None: Fraction(f"{getattr(math, operation)(float(parts[0][None])):.15g}")}
        raise CannotSay(f"sine of {operation}")

    def turn(self, angle):
        """Sine and cosine of an angle, by the formulas for sums."""
        key = tuple(sorted(((k, x) for k, x in angle.items() if x != 0), key=str))
        if key in self.turned:
            return self.turned[key]
        if any(k is not None and x.denominator != 1 for k, x in key):
            raise CannotSay("a part of an angle")
        pair, shift = None, float(angle.get(None, 0))
        if shift != 0:
            pair = tuple(f"{name}_{len(self.turned)}" for name in "sc")
            for name, of in zip(pair, (math.sin, math.cos), strict=True):
                self.declare(name, *outward(of(shift), of(shift)))
            self.lines.append(f"(assert (= (+ (* {pair[0]} {pair[0]}) (* {pair[1]} {pair[1]})) 1.0))")
        for v, factor in key:
            if v is not None:
                s, c = self.base(v)
                for _ in range(abs(factor.numerator)):
                    one = (s, c) if factor > 0 else (f"(- {s})", c)
                    pair = one if pair is None else self.sum(pair, one)
        self.turned[key] = pair or ("0.0", "1.0")
        return self.turned[key]

    def sum(self, first, second):
        (s, c), (z, k) = first, second
        return f"(+ (* {s} {k}) (* {c} {z}))", f"(- (* {c} {k}) (* {s} {z}))"

    def base(self, v):
        """Sine and cosine of an input: of its half tangent, or a point on the circle."""
        if v not in self.angles:
            lo, hi = map(as_float, self.inputs[v]["range"])
            if -3.0 < lo and hi < 3.0:
                t = self.declare(f"t{v}", *outward(*(math.tan(x / 2) for x in (lo, hi))))
                self.lines.append(f"(define-fun s{v} () Real (/ (* 2.0 {t}) (+ 1.0 (* {t} {t}))))")
                self.lines.append(f"(define-fun c{v} () Real (/ (- 1.0 (* {t} {t})) (+ 1.0 (* {t} {t}))))")
            else:
                inside = lambda x: lo <= x <= hi or lo <= x - 2 * math.pi or x + 2 * math.pi <= hi
                for name, of, top in (("s", math.sin, math.pi / 2), ("c", math.cos, 0.0)):
                    low, high = sorted([of(lo), of(hi)])
                    low = -1.0 if inside(top - math.pi) or inside(top + math.pi) else low
                    self.declare(f"{name}{v}", *outward(low, 1.0 if inside(top) else high))
                self.lines.append(f"(assert (= (+ (* s{v} s{v}) (* c{v} c{v})) 1.0))")
            self.angles[v] = (f"s{v}", f"c{v}")
        return self.angles[v]


def solved(text, solver, seconds):
    """A problem given to a solver in a process of its own: what it printed, and the seconds it took, without its start."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "claim.smt2"
        path.write_text(text)
        words = [sys.executable, str(Path(__file__).resolve()), "--child", solver, str(path)]
        _, printed, said, took = limited(words, seconds, 0)
    lines = printed.splitlines()
    if not lines:
        return ("" if took > seconds else said[-300:]), took
    return "\n".join(lines[1:]), float(lines[0])


def child(solver, path):
    text = Path(path).read_text()
    if solver == "z3":
        import z3

        begin = time.process_time()
        z3.set_option(precision=30, rational_to_decimal=True)
        asked = z3.SolverFor("QF_NRA")
        asked.from_string(text)
        said = asked.check()
        print(f"{time.process_time() - begin}\n{said}", flush=True)
        if str(said) != "sat":
            return
        model = asked.model()
        for name in model.decls():
            print(name, str(model[name]).rstrip("?"))
    elif solver == "cvc5":
        import cvc5

        begin = time.process_time()
        asked = cvc5.Solver()
        asked.setOption("produce-models", "true")
        parser = cvc5.InputParser(asked)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "claim")
        manager = parser.getSymbolManager()
        while not (order := parser.nextCommand()).isNull():
            order.invoke(asked, manager)
        found = asked.checkSat()
        said = "sat" if found.isSat() else "unsat" if found.isUnsat() else "unknown"
        print(f"{time.process_time() - begin}\n{said}", flush=True)
        if found.isSat():
            for term in manager.getDeclaredTerms():
                print(term, str(asked.getValue(term)))


def point(translation, printed):
    """The inputs at a point that a solver printed, or none if it is not understood."""
    found = {}
    for line in printed.splitlines()[1:]:
        name, _, text = line.partition(" ")
        parts = re.fullmatch(r"\(?(-?\s*[\d.]+)\)?|\(/ (\(?-?\s*[\d.]+\)?) ([\d.]+)\)|\(- \(/ ([\d.]+) ([\d.]+)\)\)", text)
        if parts:
            plain = lambda x: float(x.strip("()").replace(" ", ""))
            one, over, under, minus_over, minus_under = parts.groups()
            found[name] = plain(one) if one else plain(over) / plain(under) if over else -plain(minus_over) / plain(minus_under)
        elif re.fullmatch(r"-?\d+/\d+", text):
            found[name] = float(Fraction(text))
    inputs = []
    for v, item in enumerate(translation.inputs):
        if "share" in item:
            lo, hi = map(as_float, translation.inputs[item["share"]]["range"])
            x = (inputs[item["share"]] - lo) / (hi - lo) if hi > lo else 0.0
        elif "value" in item:
            x = as_float(item["value"])
        elif f"t{v}" in found:
            x = 2 * math.atan(found[f"t{v}"])
        elif f"s{v}" in found and f"c{v}" in found:
            x = math.atan2(found[f"s{v}"], found[f"c{v}"])
        elif v in translation.angles or (v in translation.as_numbers and f"x{v}" not in found):
            return None
        else:
            x = found.get(f"x{v}", sum(map(as_float, item["range"])) / 2)
        inputs.append(x)
    return inputs


def judged_by(solver, certificate, seconds):
    """What a solver says of a claim, and its seconds."""
    if not certificate:
        return "cannot say (no claim)", 0.0
    try:
        translation = Translation(certificate)
    except CannotSay as why:
        return f"cannot say ({why})", 0.0
    printed, took = solved(translation.text, solver, seconds)
    if not printed:
        return "no answer", took
    said = printed.split()[0]
    if said == "unsat":
        return "proven", took
    if said != "sat":
        return ("no answer" if said == "unknown" else f"error: {printed.strip().splitlines()[-1][:60]}"), took
    inputs = point(translation, printed)
    if inputs is None:
        return "refuted", took
    constants = [sum(map(as_float, c)) / 2 if isinstance(c, list) else as_float(c) for c in certificate["constants"]]
    at = values(certificate, [np.array([x]) for x in inputs], [np.array([c]) for c in constants])
    return ("refuted" if not np.any(judged(certificate["claimed"], at)[0]) else "refuted, by no point"), took


def by_coq(found, coqc, seconds):
    """Whether Coq accepts what is proven, and its seconds."""
    if found["answer"] != "proven":
        return "not asked", 0.0
    with tempfile.TemporaryDirectory() as folder:
        words = found["command"][:]
        words[words.index("--format") + 1] = "coq"
        _, text, _, _ = limited(words, seconds, 0)
        if "Qed" not in text:
            return "not written", 0.0
        (Path(folder) / "claim.v").write_text(text)
        code, _, _, took = limited([coqc, "claim.v"], seconds, 0, folder)
        return "proven" if code == 0 else "no answer" if took > seconds else "rejected", took


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("answers", help="the JSON of claims.py")
    arguments.add_argument("names", nargs="*", help="words of names or mechanisms")
    arguments.add_argument("--timeout", type=float, default=60, help="seconds of the processor for each claim and prover")
    arguments.add_argument("--coqc", help="Coq's compiler, with coq-interval")
    arguments.add_argument("--provers", default="z3,cvc5", help="of these, what is installed")
    arguments.add_argument("--json", help="a file for all answers")
    asked = arguments.parse_intermixed_args()
    answers = json.loads(Path(asked.answers).read_text())
    if asked.names:
        answers = [x for x in answers if any(word in x["name"] or word in x["mechanism"] for word in asked.names)]
    solvers = {name: version(package) for name, package in [("z3", "z3-solver"), ("cvc5", "cvc5")]}
    peers = [name for name in asked.provers.split(",") if solvers.get(name)] + (["Coq"] if asked.coqc else [])
    print("| claim | holds | mechan | s |" + "".join(f" {peer} | s |" for peer in peers))
    print("|---|---|---|---|" + "---|---|" * len(peers))
    counts, rows = {}, []
    for found in answers:
        row = {"mechan": (found["answer"], found["seconds"])}
        certificate = stated(found)
        for peer in peers:
            if peer == "Coq":
                row[peer] = by_coq(found, asked.coqc, asked.timeout)
            else:
                said, took = judged_by(peer, certificate, asked.timeout)
                # what is enough, not necessary, is not refuted by a point at which it fails
                row[peer] = ("no answer" if said.startswith("refuted") and found.get("sufficient") else said), took
        cells = [found["name"], "yes" if found["holds"] else "no"]
        for peer, (said, took) in row.items():
            right = said == ("proven" if found["holds"] else "refuted")
            cells += [said + (" (WRONG)" if said in ("proven", "refuted") and not right else ""), f"{took:.1f}"]
            kind = said if said in ("proven", "refuted") else "cannot say" if "cannot" in said else "no answer"
            counts[peer, kind] = counts.get((peer, kind), 0) + 1
        print("| " + " | ".join(cells) + " |", flush=True)
        rows.append({"name": found["name"], **row})
        if asked.json:
            Path(asked.json).write_text(json.dumps(rows))
    kinds = ["proven", "refuted", "cannot say", "no answer"]
    print("\n| prover | version | " + " | ".join(kinds) + " |\n|---|---|" + "---|" * len(kinds))
    for peer in ["mechan"] + peers:
        of_kind = [str(counts.get((peer, kind), 0)) for kind in kinds]
        print(f"| {peer} | {solvers.get(peer) or ''} | " + " | ".join(of_kind) + " |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:4])
    else:
        main()
