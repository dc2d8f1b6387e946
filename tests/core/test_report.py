"""The report: what it takes, what its page holds, what it refuses."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_html import HOSTILE
from tests.core.test_picture import PICTURES
from trajmatch import ConversionError, OptionError, call, check_limits, match, report_html, write_report
from trajmatch._reported import reported

FAILED = match([call("a"), call("c", x=1)], ["b", call("c", x=2)], mode="in_order")
PASSED = match([call("a")], ["a"])


def data(results, **options):
    (text,) = re.findall('<script id="data" type="application/json">(.*?)</script>', report_html(results, **options))
    return json.loads(text)


def matches(results):
    return data(results)["matches"]


def names(results):
    return [one["name"] for one in matches(results)]


def test_it_holds_what_is_seen_of_a_match():
    assert matches({"lamps": FAILED}) == [
        {
            "name": "lamps",
            "passed": False,
            "score": 0.0,
            "signature": "mode:in_order|args:exact|calls:all|semantics:1",
            "counts": {"missing": 1, "extra": 1, "near miss": 1},
            "tools": {"missing": ["b"], "extra": ["a"], "near miss": ["c"]},
            "above": ["in_order: FAIL, F1 0.000 = 2*0/(2+2); 0 paired, 1 near miss, 1 missing, 1 extra"],
            "stretches": [
                {
                    "first": [{"kind": "missing", "expected": {"pieces": ["[0] b"]}, "remarks": ["missing"]}],
                    "word": "",
                },
                {"first": [{"kind": "extra", "actual": {"pieces": ["[0] a()"]}, "remarks": ["extra"]}], "word": ""},
                {
                    "first": [
                        {
                            "kind": "near miss",
                            "expected": {"pieces": ["[1] c(x=", "2", ")"]},
                            "actual": {"pieces": ["[1] c(x=", "1", ")"]},
                            "remarks": ["x: expected 2, got 1"],
                        }
                    ],
                    "word": "",
                },
            ],
            "below": ['closest: overrides={"c": "ignore"} scores 0.500; no single change tried makes it pass'],
        }
    ]


def test_only_graded_scores_are_scores():
    assert "score" not in matches([PASSED])[0]


def test_long_stretches_are_folded():
    run = [call("step", n=n) for n in range(9)]
    (stretch,) = matches(match(run, run))[0]["stretches"]
    assert [len(stretch[part]) for part in ("first", "folded", "last")] == [1, 7, 1]
    assert stretch["word"] == "pairs"


STORED = FAILED.to_dict()
LINE = FAILED.to_json()
NAMES = {
    "one": (FAILED, ["result"]),
    "a list": ([FAILED, PASSED], ["result 1", "result 2"]),
    "an iterator": (iter([FAILED]), ["result 1"]),
    "names": ({"a": FAILED, "b": PASSED}, ["a", "b"]),
    "stored": (STORED, ["result"]),
    "stored with an id": ([STORED | {"id": 7}, STORED | {"name": "seven"}], ["7", "seven"]),
    "a name that is none": ([STORED | {"id": None, "name": ["x"]}], ["result 1"]),
    "lines": ([LINE, LINE], ["result 1", "result 2"]),
    "an id beside": ([{"id": "a", "result": STORED}, {"result": LINE}], ["a", "result 2"]),
    "files": ({"x.jsonl": [STORED, STORED | {"id": "a"}], "y.json": STORED}, ["x.jsonl 1", "a", "y.json"]),
    "names in files": ({"x.json": {"a": STORED, "b": {"result": STORED}}}, ["a", "b"]),
    "several checks": (
        {"x": [{"passed": True, "checks": [check_limits([], max_tool_calls=1).to_dict()] * 2}]},
        ["x 1 1", "x 1 2"],
    ),
    "the name that is given counts": ({"a": STORED | {"id": "b"}}, ["a"]),
    "names are printable": ({"a\u202eb": FAILED}, ["a\\u202eb"]),
    "nothing": ([], []),
}


@pytest.mark.parametrize(("results", "expected"), NAMES.values(), ids=NAMES)
def test_each_result_has_a_name(results, expected):
    assert names(results) == expected


@pytest.mark.parametrize(("actual", "expected", "options"), PICTURES.values(), ids=PICTURES)
def test_what_is_stored_is_shown_as_what_is_live(actual, expected, options):
    result = match(actual, expected, **options)
    assert matches([result.to_json()]) == matches([json.loads(result.to_json())]) == matches([result])


@pytest.mark.parametrize("form", [lambda check: check, lambda check: check.to_dict()], ids=["live", "stored"])
def test_a_check_is_shown_by_its_reason(form):
    check = check_limits([call("a")] * 3, max_tool_calls=2)
    (one,) = matches([form(check)])
    assert (one["passed"], one["above"], one.get("stretches")) == (
        False,
        [check.reason],
        None,
    )


PICTURE = STORED["picture"]
WRONG = {
    "a number": (7, "results: this is no result: 7; write results of match"),
    "a bare text": (LINE, "results: this is no result"),
    "bytes": (b"x", "results: this is no result"),
    "no JSON": ([LINE, "{"], "results[1]: this is no result, and no JSON of one"),
    "JSON that is no result": (["7"], "results[0]: this is no result: 7"),
    "a number under a name": ({"x.jsonl": [STORED, 7]}, "results['x.jsonl'][1]: this is no result: 7"),
    "a verdict that is none": ([STORED | {"passed": 1}], "results[0]: passed: Input should be a valid boolean"),
    "no reason": ([{"passed": True}], "results[0]: reason: Field required"),
    "a score too high": ([STORED | {"score": 2}], "results[0]: score: Input should be less than or equal to 1"),
    "a score that is none": ([STORED | {"score": float("nan")}], "results[0]: score: Input should be less"),
    "a picture that is none": ([STORED | {"picture": []}], "results[0]: picture: Input should be a valid dictionary"),
    "a picture without a headline": ([STORED | {"picture": PICTURE | {"above": []}}], "results[0]: picture.above: "),
    "an unknown kind": (
        [STORED | {"picture": PICTURE | {"rows": [{"kind": "odd"}]}}],
        "results[0]: picture.rows.0.kind: Input should be 'pair', 'moved'",
    ),
    "a remark that is no text": (
        [{"result": STORED | {"picture": PICTURE | {"rows": [{"kind": "pair", "remarks": [1]}]}}}],
        "results[0]['result']: picture.rows.0.remarks.0: Input should be an instance of str",
    ),
    "too deep": ([[[[[[STORED]]]]]], "results[0][0][0][0][0]: lists of results are nested too deep"),
    "JSON that is too deep": (["[" * 200_000], "results[0]: this is no result, and no JSON of one"),
}


@pytest.mark.parametrize(("results", "text"), WRONG.values(), ids=WRONG)
def test_what_is_no_result_is_refused_with_its_place(results, text):
    with pytest.raises(ConversionError, match=re.escape(text)):
        report_html(results)


def test_a_stored_value_that_holds_itself_is_refused():
    rows = []
    rows.append(rows)
    with pytest.raises(ConversionError, match=re.escape("results[0]: this is nested too deep")):
        report_html([STORED | {"picture": PICTURE | {"rows": rows}}])


def _changed(form, path, value):
    """A copy of a form with another value at one of its places."""
    if not path or not isinstance(form, (dict, list)) or not form:
        return value
    keys = [*form] if isinstance(form, dict) else range(len(form))
    key = keys[path[0] % len(keys)]
    pairs = form.items() if isinstance(form, dict) else enumerate(form)
    parts = {at: _changed(part, path[1:], value) if at == key else part for at, part in pairs}
    return parts if isinstance(form, dict) else [*parts.values()]


JSON = st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=2))


@given(st.lists(st.integers(0, 30), max_size=6), JSON)
def test_any_stored_value_ends_in_a_page_or_in_an_error_with_its_place(path, value):
    changed = _changed([json.loads(LINE) | {"id": "a"}], path, value)
    try:
        assert "</html>" in report_html(changed)
    except ConversionError as error:
        assert str(error).startswith("results")


def test_the_results_of_the_caller_are_left_alone():
    before = json.dumps(STORED)
    report_html([STORED])
    assert json.dumps(STORED) == before


@pytest.mark.parametrize("text", [*HOSTILE, "</script><script>alert(1)</script>", "<!--<script>", "$data", "]]>"])
def test_no_text_leaves_the_data_it_stands_in(text):
    result = match([call(text, x=text)], [call(text, x=1)])
    plain = report_html({"x": match([call("f", x=1)], [call("f", x=2)])}, title="t")
    page = report_html({text: result, "stored": result.to_dict()}, title=text)
    page.encode()
    assert re.findall("<[a-z/!]+", page) == re.findall("<[a-z/!]+", plain)
    assert matches({text: result})[0]["stretches"] == matches([result.to_dict()])[0]["stretches"]


@pytest.mark.parametrize("text", HOSTILE)
def test_foreign_texts_disturb_nobody(text):
    picture = {"passed": True, "above": [text], "rows": [], "below": [text]}
    (one,) = matches([{"passed": True, "reason": "", "picture": picture}])
    assert one["above"] == one["below"]
    assert one["above"][0].isprintable()


SCRIPT = 'script type="module"'


def test_the_policy_allows_the_styles_and_the_script_of_the_page_and_nothing_else():
    page = report_html([])

    def hashed(name):
        (text,) = re.findall(f"<{name}>(.*?)</", page, flags=re.DOTALL)
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    (policy,) = re.findall('Security-Policy" content="(.*?)"', page)
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src {hashed('style')}",
        "img-src data:",
        f"script-src {hashed(SCRIPT)}",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_the_title_is_that_which_is_given():
    page = report_html([], title="A & B")
    assert "<title>A &amp; B</title>" in page
    assert "<h1>A &amp; B</h1>" in page


def test_without_a_script_the_page_says_how_many_passed():
    assert "<noscript><p>1 of 2 passed." in report_html([FAILED, PASSED])


def test_a_report_is_written(tmp_path):
    write_report([FAILED], tmp_path / "report.html", title="Ünï")
    assert (tmp_path / "report.html").read_bytes() == report_html([FAILED], title="Ünï").encode()


@pytest.mark.parametrize("name", ["", "nowhere/report.html", "a\0b"], ids=["a folder", "no folder", "no name"])
def test_a_file_that_cannot_be_written_is_an_error(tmp_path, name):
    with pytest.raises(OptionError, match="path: the report cannot be written") as caught:
        write_report([], tmp_path / name)
    assert (caught.value.option, caught.value.value) == ("path", tmp_path / name)


def test_a_row_of_a_run_that_could_not_be_matched_has_not_passed():
    row = {"id": "a", "passed": None, "score": None, "signature": None, "error": "ConversionError", "reason": "no JSON"}
    [found] = reported([row])
    assert (found.name, found.passed, found.picture.above) == ("a", False, ("no JSON",))
