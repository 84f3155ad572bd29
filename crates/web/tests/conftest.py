"""A browser, the program, and pages that it wrote."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

PROGRAM = os.environ["MECHAN"]
SHOTS = os.environ.get("MECHAN_EXPLORER_SHOTS")


def mechan(*arguments, check=True, **given):
    """What the program prints."""
    run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, **given)
    if check and run.returncode:
        raise AssertionError(f"mechan {' '.join(arguments)}: {run.stderr}")
    return run.stdout


def library():
    """Names of the shipped mechanisms, with their states."""
    return json.loads(mechan("list", "--format", "json"))["mechanisms"]


@pytest.fixture(scope="session")
def room(tmp_path_factory):
    return tmp_path_factory.mktemp("explorer")


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pencil(room):
    path = room / "pencil.html"
    mechan("explore", "falling_pencil", "--state", "inconsistent", "--output", str(path))
    return path


@pytest.fixture(scope="session")
def gallery(room):
    path = room / "gallery.html"
    mechan("explore", "--output", str(path))
    return path


class Opened:
    """A page with what it said on its console."""

    def __init__(self, context, url, ready=True):
        self.page = context.new_page()
        self.said = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.goto(url)
        if ready:
            self.page.wait_for_selector('html[data-ready="true"]', timeout=300_000)

    def numbers(self):
        """Values by their paths."""
        return self.page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('[data-key]')].map(e => [e.dataset.key, e.dataset.value]))"
        )

    def do(self, script, value=None):
        return self.page.evaluate(script, value)

    def until(self, script, seconds=300):
        """Waits for what a script finds; the page's policy lets no text be run in it."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(script):
            assert time.monotonic() < end, script
            self.page.wait_for_timeout(50)

    def shot(self, name):
        if SHOTS:
            self.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)


@pytest.fixture
def opens(browser):
    """Opens pages; at the end none of them has said anything on its console."""
    contexts, pages = [], []

    def opened(path, fragment="", init=None, quiet=True, ready=True, **given):
        context = browser.new_context(**given)
        contexts.append(context)
        if init:
            context.add_init_script(init)
        page = Opened(context, (path if isinstance(path, str) else path.as_uri()) + fragment, ready)
        if quiet:
            pages.append(page)
        return page

    yield opened
    said = [page.said for page in pages if page.said]
    for context in contexts:
        context.close()
    assert not said, said
