"""A real browser: the Chromium of this machine, driven by Playwright."""

import shutil

import pytest

QUIET = ["quic", "gpu", "background-networking", "component-update", "sync"]
ARGUMENTS = ["--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in QUIET)]


@pytest.fixture(scope="module")  # not longer: while it runs, no other event loop can
def browser():
    driver = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("there is no chromium")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


def until(tab, expression):
    """Wait until an expression is true; the policy of a report forbids the way that Playwright has for it."""
    for _ in range(100):
        if tab.evaluate(expression):
            return
        tab.wait_for_timeout(50)
    raise AssertionError(f"not true within 5 s: {expression}")


class Visitor:
    """Opens pages, and notes what they ask for and complain of."""

    def __init__(self, browser, folder):
        self._browser, self._folder, self._contexts = browser, folder, []
        self.said, self.asked = [], []

    def open(self, page, *, fragment="", width=1100, **options):
        file = self._folder / "page.html"
        file.write_text(page, encoding="utf-8")
        context = self._browser.new_context(viewport={"width": width, "height": 800}, **options)
        self._contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(10_000)
        tab.on("console", lambda message: self.said.append(message.text))
        tab.on("pageerror", lambda error: self.said.append(str(error)))
        tab.on("request", lambda request: self.asked.append(request.url))
        tab.on("dialog", lambda dialog: self.said.append(dialog.message))
        tab.goto(file.as_uri() + fragment)
        return tab

    def close(self):
        for context in self._contexts:
            context.close()


@pytest.fixture
def visitor(browser, tmp_path):
    """Opens pages; none may complain, or ask for anything but itself."""
    visitor = Visitor(browser, tmp_path)
    yield visitor
    visitor.close()
    assert visitor.said == []
    assert [url for url in visitor.asked if not url.startswith(("file:", "data:,"))] == []
