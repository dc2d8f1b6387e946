"""The picture of a match as HTML: what is seen, what is escaped, what it needs."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from tests.core.test_picture import ACTUAL, DESIGN, LONG, PICTURES
from trajmatch import ToolCall, call, match
from trajmatch._markup import Markup, resource, tag
from trajmatch.picture import Picture

VOID = {"meta", "link", "input"}


class Reader(HTMLParser):
    """Reads a page strictly: the tags it has, and its text beside styles, a line for every cell."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.open.extend([] if tag in VOID else [tag])
        self.text += "\n" if tag in ("p", "tr", "td", "li", "summary") else ""

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += "" if self.open[-1:] == ["style"] else data


def lines(result):
    return [line for line in Reader(result.to_html(fragment=True)).text.split("\n") if line]


def test_it_shows_what_the_terminal_shows():
    assert lines(match(ACTUAL[:8], [*DESIGN[:8]], mode="in_order")) == [
        "in_order: FAIL, F1 0.625 = 2*5/(8+8); 5 paired, 1 moved, 1 near miss, 1 missing, 1 extra",
        *("kindexpectedactual", "= pair", '[0] search(q="refund policy")', '[0] search(q="refund policy")'),
        *("= pair", "[1] policy(id=1)", "[2] policy(id=1)"),
        *("= pair", "[2] policy(id=2)", "[3] policy(id=2)"),
        *("> moved", "[3] lookup(order=7)", "[1] lookup(order=7)", "moved: 2 earlier"),
        *("~ near miss", '[4] weather(city="SF")', '[4] weather(city="LA")', 'city: expected "SF", got "LA"'),
        *("- missing", '[5] notify(user="ann")', "missing"),
        *("= pair", "[6] step(n=0)", "[5] step(n=0)"),
        *("= pair", "[7] step(n=1)", "[6] step(n=1)"),
        *("+ extra", "extra, retried", '[7] search(q="again")'),
        "closest: any_order scores 0.750; no single change tried makes it pass",
    ]


def test_what_differs_in_a_near_miss_is_marked():
    page = match([call("f", city="Rome", n=1)], [call("f", city="Oslo", n=1)]).to_html()
    assert re.findall("<mark>(.*?)</mark>", page) == ["Oslo", "Rome"]


def test_long_equal_stretches_are_folded():
    shown = lines(match(LONG, LONG))
    assert shown[2:8] == ["= pair", "[0] step(n=0)", "[0] step(n=0)", "198 more pairs", "= pair", "[1] step(n=1)"]
    assert shown[-3:] == ["= pair", "[199] step(n=199)", "[199] step(n=199)"]


def test_long_text_is_there_as_a_whole():
    page = match([call("f", x="a b " * 100 + "c")], [call("f", x="a b " * 100 + "d")]).to_html()
    assert page.count("<summary>whole text</summary>") == 2
    assert f"<code>[0] f(x=&quot;{'a b ' * 100}d&quot;)</code></details>" in page


@pytest.mark.parametrize(("actual", "expected", "options"), PICTURES.values(), ids=PICTURES)
@pytest.mark.parametrize("fragment", [True, False])
def test_it_is_well_formed_and_loads_nothing(actual, expected, options, fragment):
    page = match(actual, expected, **options).to_html(fragment=fragment)
    assert {tag for tag, _ in Reader(page).tags} <= {
        *("html", "head", "meta", "link", "title", "style", "body", "main", "div", "p", "table", "thead", "tbody"),
        *("tr", "th", "td", "ul", "li", "code", "mark", "span", "details", "summary"),
    }
    assert not re.search(r"url\(|@import|https?:|<script", page)


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><b>",
    "</code></td></table><h1>",
    "&lt;b&gt;",
    "\u202eevil\u2028\x00\ud800",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_everything_of_a_run_is_shown_as_text(text):
    run = [ToolCall(text, {text: text}, status="failed"), call("f", x=text), ToolCall(text, text)]
    result = match(run, [call("f", x="y"), text + "!"], overrides={text: "ignore"}, mode="any_order")
    page = result.to_html()
    page.encode()
    assert {tag for tag, _ in Reader(page).tags} == {tag for tag, _ in Reader(match(run, []).to_html()).tags} | {"mark"}
    assert [side for row in result.picture.rows for side in row[1:3] if side not in Reader(page).text] == []


def test_a_picture_of_hostile_parts_is_escaped_too():
    picture = Picture.from_dict(
        {
            "passed": False,
            "above": ["<b>\u202e"],
            "rows": [{"kind": "extra", "actual": "<i>", "remarks": ["<u>"]}],
            "below": ["<s>"],
        }
    )
    from trajmatch._html import picture_html, picture_page

    assert {"b", "i", "u", "s"}.isdisjoint({tag for tag, _ in Reader(picture_page(picture)).tags})
    assert "<b>\\u202e" in Reader(picture_html(picture)).text


def test_a_picture_without_texts_is_a_page():
    from trajmatch._html import picture_page

    assert "<title></title>" in picture_page(Picture(True, (), (), ()))


def test_the_policy_of_a_page_allows_its_styles_and_nothing_else():
    page = match([], []).to_html()
    (styles,) = re.findall("<style>(.*?)</style>", page, flags=re.DOTALL)
    (policy,) = re.findall('Security-Policy" content="(.*?)"', page)
    digest = b64encode(sha256(styles.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def test_a_notebook_shows_the_fragment():
    result = match([call("a")], ["b"])
    assert result._repr_html_() == result.to_html(fragment=True)
    assert "<html" not in result._repr_html_()


def test_the_styles_of_a_fragment_touch_nothing_else():
    plain = re.sub(r"/\*.*?\*/", "", resource("picture.css"), flags=re.DOTALL)
    selectors = re.findall(r"(?:^|[{}])\s*([^{}@;]+)\{", plain)
    parts = [part for selector in selectors for part in re.split(r",\s*(?![^()]*\))", selector.strip())]
    assert len(parts) > 40
    assert [part for part in parts if not re.search(r"\.trajmatch|\.tm-page|\.tm-report", part)] == []


def _luminance(colour):
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    darker, lighter = sorted([_luminance(one), _luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def _rgb(colour):
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def _mixed(colour, ground, part):
    return [part * one + (1 - part) * other for one, other in zip(colour, ground, strict=True)]


SHADES = r"light-dark\((#\w{6}), (#\w{6})\)"
COLOURS = {name: shades for name, *shades in re.findall(rf"--tm-(\w+): {SHADES}", resource("picture.css"))}
(GROUND,) = set(re.findall(rf"background: {SHADES}", resource("report.css")))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["ink", "muted", "good", "bad", "near", "moved", "extra", "accent"])
def test_text_stands_out_from_its_ground_in_both_themes(name, theme):
    text, page = _rgb(COLOURS[name][theme]), _rgb(COLOURS["page"][theme])
    tint, mark = _mixed(text, page, 0.06), _mixed(_rgb(COLOURS["near"][theme]), page, 0.2)
    grounds = [page, _rgb(GROUND[theme]), tint, *([mark] if name == "ink" else [])]
    assert min(contrast(text, ground) for ground in grounds) >= 4.5


def test_markup_is_kept_and_text_is_escaped():
    assert tag("p", {"title": '"'}, Markup("<b>"), "<b>") == '<p title="&quot;"><b>&lt;b&gt;</p>'
