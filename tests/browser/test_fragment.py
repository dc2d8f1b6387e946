"""The picture of one match in a real browser: alone, and inside the page of a notebook."""

import pytest

from tests.core.test_picture import ACTUAL, DESIGN, LONG
from trajmatch import call, match

RESULT = match(ACTUAL, DESIGN, mode="in_order")
HOST = """<!doctype html><html {html}><head><style>
table {{ border-collapse: separate; margin: 20px auto; }} td, th {{ padding: 30px; text-align: right; }}
tr:nth-child(odd) {{ background: red; }} code {{ background: yellow; }}
</style></head><body {body}><table id="other"><tr><td>x</td></tr></table><p id="text">x</p>{fragment}</body></html>"""


def style(tab, selector, name):
    return tab.evaluate(f"getComputedStyle(document.querySelector({selector!r})).{name}")


def test_a_page_opens_and_unfolds(visitor):
    tab = visitor.open(match(LONG, LONG).to_html())
    assert not tab.get_by_text("[100] step(n=100)").first.is_visible()
    tab.get_by_text("198 more pairs").click()
    assert tab.get_by_text("[100] step(n=100)").first.is_visible()


def test_folded_calls_stand_in_the_columns_of_the_others(visitor):
    tab = visitor.open(match(LONG, LONG).to_html())
    tab.get_by_text("198 more pairs").click()
    edges = {side.bounding_box()["x"] for side in tab.locator(".tm-actual").all()[:20]}
    assert max(edges) - min(edges) <= 1


def test_a_fragment_leaves_its_host_alone_and_is_left_alone(visitor):
    bare = visitor.open(HOST.format(html="", body="", fragment=""))
    full = visitor.open(HOST.format(html="", body="", fragment=RESULT.to_html(fragment=True)))
    for selector, name in [("#other td", "padding"), ("#text", "color"), ("body", "backgroundColor")]:
        assert style(full, selector, name) == style(bare, selector, name)
    assert style(full, ".tm-expected", "padding") == "5px 12px 5px 0px"
    assert style(full, ".tm-expected", "textAlign") == "left"
    assert style(full, ".tm-pair", "backgroundColor") == style(full, ".trajmatch code", "backgroundColor")


THEMES = {
    "the system's light": ("light", "", "", "light"),
    "the system's dark": ("dark", "", "", "dark"),
    "JupyterLab's dark": ("light", "", 'data-jp-theme-light="false"', "dark"),
    "JupyterLab's light": ("dark", "", 'data-jp-theme-light="true"', "light"),
    "VS Code's dark": ("light", "", 'class="vscode-dark"', "dark"),
    "VS Code's light": ("dark", "", 'class="vscode-light"', "light"),
    "Colab's dark": ("light", 'theme="dark"', "", "dark"),
    "a site's light": ("dark", 'data-theme="light"', "", "light"),
}


@pytest.mark.parametrize(("system", "html", "body", "expected"), THEMES.values(), ids=THEMES)
def test_a_fragment_follows_the_theme_of_its_host(visitor, system, html, body, expected):
    page = HOST.format(html=html, body=body, fragment=RESULT.to_html(fragment=True))
    tab = visitor.open(page, color_scheme=system)
    shade = tab.evaluate(
        "getComputedStyle(document.querySelector('.trajmatch')).backgroundColor.match(/\\d+/)[0] > 128"
    )
    assert ("light" if shade else "dark") == expected


def test_a_narrow_cell_stacks_the_sides(visitor):
    narrow = f"<!doctype html><div style='width: 400px'>{RESULT.to_html(fragment=True)}</div>"
    tab = visitor.open(narrow)
    expected, actual = (side.bounding_box() for side in tab.locator(".tm-near-miss > td:not(.tm-sign)").all())
    assert actual["y"] > expected["y"]
    assert tab.evaluate("document.documentElement.scrollWidth") <= 1100


def test_a_single_call_without_rows_is_read(visitor):
    tab = visitor.open(match([], []).to_html())
    assert tab.locator("main").inner_text() == "exact: PASS; no calls on either side"
    other = visitor.open(match([call("a")], []).to_html())
    assert other.locator(".tm-extra").inner_text().split() == ["+", "extra", "extra", "[0]", "a()"]
