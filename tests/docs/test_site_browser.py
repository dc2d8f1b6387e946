"""The site in a real browser: it fits, asks nobody else for anything, and its search finds names."""

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

PAGES = ["index", "concepts", "benchmarks", "api/trajmatch"]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        """Says nothing."""


@pytest.fixture(scope="module")
def address(site):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site.pages)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def visit(browser, address):
    """Opens pages; none may complain, or ask another host for anything."""
    contexts, said, asked = [], [], []

    def opened(page, width, **options):
        contexts.append(browser.new_context(viewport={"width": width, "height": 800}, **options))
        tab = contexts[-1].new_page()
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("console", lambda message: said.append(message.text))
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.goto(f"{address}/{page}.html", wait_until="networkidle")
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert asked != []
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    assert said == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_a_phone(visit, page, scheme):
    tab = visit(page, 390, color_scheme=scheme)
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("scheme", "darker"), [("light", False), ("dark", True)])
def test_a_page_is_as_light_as_the_reader_wants(visit, scheme, darker):
    tab = visit("index", 1280, color_scheme=scheme)
    shown = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", shown)[:3])) < 200) is darker


def test_the_search_finds_a_name(visit):
    tab = visit("index", 1280)
    tab.keyboard.press("Control+k")
    tab.keyboard.type("check_forbidden")
    tab.wait_for_selector('a[href$="#trajmatch.check_forbidden"]', timeout=10_000)
