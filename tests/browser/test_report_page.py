"""The report in a real browser: filters, search, keyboard, address, hostile runs, themes, small screens."""

import re

import pytest

from tests.browser.conftest import until
from tests.core.test_html import HOSTILE
from tests.core.test_picture import PICTURES
from trajmatch import call, match, report_html

RESULTS = {
    "refund": match([call("look"), call("pay", sum=40)], [call("look"), call("pay", sum=120)], mode="in_order"),
    "lamps": match([call("search", q="lamp")], ["search", "pay"], mode="in_order"),
    "desk": match([call("search", q="desk"), call("look")], ["search"]),
    "mail": match([call("mail")], ["mail"]),
}
ALL = [*RESULTS]
REPORT = report_html(RESULTS, title="Shop")


def shown(tab):
    return tab.locator("#matches > li:not([hidden]) .name").all_text_contents()


def told(tab):
    return tab.locator("#shown").inner_text()


def address(tab):
    return tab.evaluate("location.hash")


def focused(tab):
    return tab.evaluate("(document.activeElement.querySelector('.name') ?? document.activeElement).textContent")


def opened(tab):
    return tab.locator("#matches > li:has([aria-expanded=true]) .name").all_inner_texts()


def click(tab, name, within="#filters"):
    tab.locator(within).get_by_role("button", name=name).click()


def test_it_opens_with_a_summary_and_all_matches(visitor):
    tab = visitor.open(REPORT)
    assert tab.title() == "Shop"
    assert shown(tab) == ALL
    assert told(tab) == "4 of 4 matches shown"
    assert tab.locator(".tile").all_inner_texts() == ["1 of 4\npassed", "0.583\nmean score of 2 graded"]
    assert tab.locator(".tools tbody th").all_inner_texts() == ["pay", "look"]
    assert tab.locator("#kinds").inner_text().split("\n") == ["~ near miss 1", "- missing 1", "+ extra 1"]
    assert tab.locator("noscript").count() == 1 and not tab.get_by_text("please allow").is_visible()


def test_a_mean_of_scores_that_are_not_comparable_says_so(visitor):
    loose = match([call("a")], ["b"], mode="any_order")
    tab = visitor.open(report_html({**RESULTS, "loose": loose}))
    assert "of 2 signatures, so not comparable" in tab.locator("#summary").inner_text()


FILTERS = {
    "failed": (["failed 3"], ["refund", "lamps", "desk"]),
    "passed": (["passed 1"], ["mail"]),
    "all again": (["passed 1", "all 4"], ALL),
    "a kind": (["- missing 1"], ["lamps"]),
    "two kinds": (["- missing 1", "~ near miss 1"], ["refund", "lamps"]),
    "a kind, and not": (["- missing 1", "- missing 1"], ALL),
    "a kind and a verdict": (["- missing 1", "passed 1"], []),
    "cleared": (["- missing 1", "passed 1", "Clear filters"], ALL),
}


@pytest.mark.parametrize(("names", "expected"), FILTERS.values(), ids=FILTERS)
def test_filters_combine(visitor, names, expected):
    tab = visitor.open(REPORT)
    for name in names:
        click(tab, name)
    assert shown(tab) == expected
    assert told(tab) == f"{len(expected)} of 4 matches shown"
    assert tab.get_by_text("No match fits").is_visible() == (expected == [])


@pytest.mark.parametrize(("tool", "expected"), [("look", ["refund", "desk"]), ("mail", ["mail"]), ("", ALL)])
def test_a_tool_shows_the_matches_that_call_it(visitor, tool, expected):
    tab = visitor.open(REPORT)
    tab.select_option("#tool", tool)
    assert shown(tab) == expected


def test_a_tool_and_a_kind_are_those_of_one_call(visitor):
    tab = visitor.open(REPORT, fragment="#tool=look&kind=near+miss")
    assert shown(tab) == []
    tab.select_option("#tool", "pay")
    assert shown(tab) == ["refund"]


def test_the_summary_sets_the_filters(visitor):
    tab = visitor.open(REPORT)
    click(tab, "pay, missing: 1 matches", ".tools")
    assert shown(tab) == ["lamps"]
    assert tab.locator("[aria-pressed=true]").all_inner_texts() == ["all 4", "- missing 1"]
    click(tab, re.compile("^pay$"), ".tools")
    assert shown(tab) == ["refund", "lamps"]


SEARCHES = {
    "a name": ("LAMPS", ["lamps"]),
    "an argument": ("desk", ["desk"]),
    "a difference": ("expected 120", ["refund"]),
    "words in any order": ("40 look", ["refund"]),
    "nothing": ("  ", ALL),
    "what is nowhere": ("zzz", []),
}


@pytest.mark.parametrize(("words", "expected"), SEARCHES.values(), ids=SEARCHES)
def test_search_finds_all_words(visitor, words, expected):
    tab = visitor.open(REPORT)
    tab.fill("#search", words)
    assert shown(tab) == expected


def test_the_state_is_in_the_address_and_read_from_it(visitor):
    tab = visitor.open(REPORT)
    click(tab, "failed 3")
    click(tab, "- missing 1")
    click(tab, "~ near miss 1")
    tab.select_option("#tool", "pay")
    tab.fill("#search", "e")
    tab.get_by_role("button", name="lamps").click()
    until(tab, "location.hash.endsWith('open=2')")
    assert address(tab) == "#verdict=failed&tool=pay&search=e&kind=missing%2Cnear+miss&open=2"
    other = visitor.open(REPORT, fragment=address(tab))
    for each in (tab, other):
        assert (shown(each), opened(each)) == (["refund", "lamps"], ["lamps"])
        assert each.input_value("#search") == "e"
    other.evaluate("location.hash = 'verdict=passed'")
    until(other, "document.querySelector('#shown').textContent.startsWith('1 of')")
    assert (shown(other), opened(other)) == (["mail"], [])


@pytest.mark.parametrize(
    "fragment", ["#verdict=x&kind=y&tool=z%00&open=99,-1,x", "#%ff", "#verdict=constructor", "#kind=toString&tool=look"]
)
def test_an_odd_address_does_no_harm(visitor, fragment):
    assert told(visitor.open(REPORT, fragment=fragment)).endswith("of 4 matches shown")


def test_it_is_used_by_keyboard(visitor):
    tab = visitor.open(REPORT)
    walk = []
    for key in ["j", "j", "k", "ArrowDown", "ArrowDown", "ArrowDown", "j", "ArrowUp"]:
        tab.keyboard.press(key)
        walk.append(focused(tab))
    assert walk == ["refund", "lamps", "refund", "lamps", "desk", "mail", "mail", "desk"]
    tab.keyboard.press("Enter")
    assert opened(tab) == ["desk"]
    assert tab.locator("#matches .trajmatch").count() == 1
    tab.keyboard.press("Space")
    assert opened(tab) == []
    tab.keyboard.press("/")
    tab.keyboard.type("jk/lamp")
    assert tab.input_value("#search") == "jk/lamp"
    tab.fill("#search", "lamp")
    tab.keyboard.press("Escape")
    assert focused(tab) == "lamps"
    tab.keyboard.press("Control+j")
    assert focused(tab) == "lamps"


def test_the_focus_goes_in_reading_order_and_is_seen(visitor):
    tab = visitor.open(REPORT)
    order = []
    for _ in range(17):
        tab.keyboard.press("Tab")
        order.append(tab.evaluate("document.activeElement.id || document.activeElement.innerText.split('\\n').pop()"))
        assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert order[:6] == ["skip", "pay", "1", "1", "look", "1"]
    assert order[6:] == [
        *("search", "tool", "all 4", "failed 3", "passed 1", "~ near miss 1", "- missing 1", "+ extra 1", "open"),
        *("0.500", "0.667"),
    ]


@pytest.mark.parametrize("width", [500, 700, 1100])
def test_what_has_the_focus_is_not_below_the_filters(visitor, width):
    tab = visitor.open(report_html([RESULTS["refund"]] * 60), width=width)
    for key in ["j"] * 30 + ["k"] * 20:
        tab.keyboard.press(key)
    focus = tab.evaluate("document.activeElement.getBoundingClientRect().top")
    assert focus >= tab.evaluate("Math.max(0, document.querySelector('#filters').getBoundingClientRect().bottom)")


def test_the_matches_can_be_reached_at_once(visitor):
    tab = visitor.open(REPORT)
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert focused(tab) == "refund"


def test_all_that_are_shown_open_and_close(visitor):
    tab = visitor.open(REPORT)
    click(tab, "failed 3")
    click(tab, "Open all")
    assert opened(tab) == ["refund", "lamps", "desk"]
    click(tab, "Close all")
    assert opened(tab) == []


def test_a_picture_is_drawn_when_it_comes_near(visitor):
    tab = visitor.open(report_html([RESULTS["refund"]] * 300))
    assert tab.locator(".trajmatch").count() == 0
    click(tab, "Open all")
    tab.locator(".trajmatch").first.wait_for()
    assert 1 <= tab.locator(".trajmatch").count() < 100
    tab.locator("#matches > li").last.scroll_into_view_if_needed()
    tab.locator("#matches > li:last-child .trajmatch").wait_for()


TABLES = """() => [...document.querySelectorAll(".trajmatch")].map((picture) => {
    picture.querySelectorAll("details[open]").forEach((details) => details.removeAttribute("open"));
    picture.querySelectorAll("style, .signature").forEach((other) => other.remove());
    return picture.outerHTML;
})"""


def test_the_script_draws_what_the_library_draws(visitor):
    results = [match(actual, expected, **options) for actual, expected, options in PICTURES.values()]
    tab = visitor.open(report_html(results))
    click(tab, "Open all")
    for item in tab.locator("#matches > li").all():
        item.scroll_into_view_if_needed()
        item.locator(".trajmatch").wait_for()
    tab.evaluate("document.querySelectorAll('.tm-fold details').forEach((details) => (details.open = true))")
    until(tab, "[...document.querySelectorAll('.tm-fold details')].every((each) => each.children.length > 1)")
    other = visitor.open("<!doctype html>" + "".join(result.to_html(fragment=True) for result in results))
    assert tab.evaluate(TABLES) == other.evaluate(TABLES)


@pytest.mark.parametrize("text", [*HOSTILE, "</script><script>alert(1)</script>", "<!--<script>", "{{x}}", "$data"])
def test_what_a_run_holds_is_text(visitor, text):
    result = match([call(text, x=text)], [call(text, x=text + "2"), text], mode="any_order")
    tab = visitor.open(report_html({text: result, "stored": result.to_dict()}, title=text), fragment="#open=1,2")
    tab.locator(".trajmatch").nth(1).wait_for()
    assert tab.locator("script").count() == 2
    assert tab.locator("img, b:not(#kinds b, .tools b), h1 *, .name *").count() == 0
    rows = [side for row in result.picture.rows for side in row[1:3] if side]
    assert tab.locator("td > code").all_text_contents() == rows * 2
    assert tab.locator("td > code").all_inner_texts() == rows * 2


def test_the_policy_stops_what_would_get_through(visitor):
    tab = visitor.open(REPORT)
    with pytest.raises(Exception, match="TrustedHTML"):
        tab.evaluate("document.body.innerHTML = '<b>'")
    tab.evaluate(
        "document.body.append(Object.assign(document.createElement('img'), {src: 'http://localhost:9/x.png'}))"
    )
    until(tab, "document.images[0].complete")
    complaints, visitor.said[:], visitor.asked[:] = [*visitor.said], [], []
    assert [re.findall("TrustedHTML|img-src data:", each) for each in complaints] == [
        ["TrustedHTML"],
        ["img-src data:"],
    ]


@pytest.mark.parametrize("width", [320, 360, 700, 1100])
def test_nothing_is_wider_than_the_screen(visitor, width):
    long = {"x" * 200: match([call("tool_" + "x" * 80, q="y" * 300)], [call("tool_" + "x" * 80, q="z" * 300)])}
    tab = visitor.open(report_html(RESULTS | long), fragment="#open=1,2,3,4,5", width=width)
    tab.locator("#matches > li").last.scroll_into_view_if_needed()
    tab.locator("#matches > li:last-child .trajmatch").wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_the_sides_stand_below_each_other_on_a_phone(visitor):
    for width, below in ((1100, False), (360, True)):
        tab = visitor.open(REPORT, fragment="#open=1", width=width)
        sides = tab.locator(".tm-near-miss > td:not(.tm-sign)")
        expected, actual = (side.bounding_box() for side in sides.all())
        assert (actual["y"] >= expected["y"] + expected["height"]) is below


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_follows_the_theme_of_the_system(visitor, scheme):
    tab = visitor.open(REPORT, color_scheme=scheme)
    shade = tab.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0] > 128")
    assert shade is (scheme == "light")


def test_it_prints_what_is_open_dark_on_light_and_without_controls(visitor):
    tab = visitor.open(report_html([RESULTS["refund"]] * 40), color_scheme="dark")
    click(tab, "Open all")
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.locator(".trajmatch").count() == 40
    for part in ("h1", ".trajmatch code"):
        assert tab.evaluate(f"getComputedStyle(document.querySelector('{part}')).color.match(/\\d+/)[0] < 100")
    assert not tab.locator("#filters").is_visible()


def test_without_scripts_it_says_why_it_is_empty(visitor):
    tab = visitor.open(REPORT, java_script_enabled=False)
    assert "1 of 4 passed. The list of matches is drawn by a script" in tab.locator("body").inner_text()


def test_an_empty_report_says_so(visitor):
    tab = visitor.open(report_html([]))
    assert "There is no match in this report." in tab.locator("main").inner_text()
    assert not tab.locator("#filters").is_visible()
