"""Engines that do what engines should not."""

import os
import sys
import time

from mechan_conformance.engine import Answer, Cannot, Engine, Never


class Bad(Engine):
    name = "bad"
    settings = {"default": {"step": 0.1}}

    def version(self):
        return "1"

    def answer(self, case, settings):
        return Answer(case.exact_value, [], [])


class Good(Bad):
    name = "good"


class Crashes(Bad):
    name = "crashes"

    def answer(self, case, settings):
        os.abort()


class Leaves(Bad):
    name = "leaves"

    def answer(self, case, settings):
        print("no licence", file=sys.stderr, flush=True)
        os._exit(3)


class Hangs(Bad):
    name = "hangs"

    def answer(self, case, settings):
        time.sleep(600)


class GivesNan(Bad):
    name = "gives-nan"

    def answer(self, case, settings):
        return Answer(float("nan"), [0, 1], [0, float("nan")])


class Prints(Bad):
    name = "prints"

    def answer(self, case, settings):
        os.write(1, b'{"status": "pass"}')
        return super().answer(case, settings)


class HasNoVersion(Bad):
    name = "has-no-version"

    def version(self):
        raise AttributeError("__version__")


class IsRenewed(Bad):
    """Its version is what a variable says."""

    name = "is-renewed"

    def version(self):
        return os.environ.get("VERSION_OF_A_TEST", "1")


class HangsForItsVersion(Bad):
    name = "hangs-for-its-version"

    def version(self):
        time.sleep(600)


class IsSlow(Bad):
    name = "is-slow"

    def answer(self, case, settings):
        time.sleep(2)
        return super().answer(case, settings)


class Lacks(Bad):
    name = "lacks"

    def answer(self, case, settings):
        raise Cannot("no friction")


class NeverGetsThere(Bad):
    name = "never"

    def answer(self, case, settings):
        raise Never("it never stops")


class IsMissing(Bad):
    name = "is-missing"

    def answer(self, case, settings):
        import no_such_engine  # noqa: F401


class IsInexact(Bad):
    """Its error is its step."""

    name = "is-inexact"

    def answer(self, case, settings):
        return Answer(case.exact_value + settings["step"], [0, 1, 2], [0, 1, 2])


class HasOtherFriction(Bad):
    name = "has-other-friction"
    can = frozenset(["box", "plane"])

    def build(self, world, settings):
        pass

    def friction(self, a, b):
        return 0.1

    answer = Engine.answer


class RunsElsewhere(Bad):
    name = "elsewhere"
    interpreter = "/no/such/python"
