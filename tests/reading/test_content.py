"""Content and results as a format has them."""

import pytest

from trajmatch import ConversionError
from trajmatch.reading import (
    Answered,
    Called,
    Said,
    feedback_beside_results,
    known_role,
    result_content,
    said_content,
    said_text,
    with_part,
)

TEXT, IMAGE = {"type": "text", "text": "a"}, {"type": "image", "source": {"type": "url"}}
ODD, PATH = {"type": "image", "url": "b"}, {"type": "image", "source": {"path": "b"}}
KEPT = {"image": "source.type"}
CONTENTS = {
    "nothing": (None, None, None),
    "text": ("a", "a", "a"),
    "empty text": ("", "", ""),
    "no parts": ([], None, None),
    "parts": ([TEXT, IMAGE], [TEXT, IMAGE], "a"),
    "texts": (["a", TEXT], [TEXT, TEXT], "a\n\na"),
    "empty texts": (["", {"type": "text", "text": ""}, "a"], [TEXT], "a"),
    "other words for text": (
        [
            {"type": "input_text", "text": "a"},
            {"text": "a"},
            {"type": "output_text", "text": "a", "annotations": []},
            {"kind": "text-content", "content": "a"},
        ],
        [TEXT] * 4,
        "a\n\na\n\na\n\na",
    ),
    "parts of others": ([ODD, PATH, {"type": "x", "text": "a"}, {"x": "a"}, {"type": ["image"]}, 1, TEXT], [TEXT], "a"),
    "no parts that are kept": ([ODD], None, None),
    "an object": ({"a": 1}, '{"a": 1}', '{"a": 1}'),
    "a number": (1, "1", "1"),
}
RESULTS = {
    "nothing": (None, ""),
    "text": ("a", "a"),
    "parts": ([TEXT, IMAGE], [TEXT, IMAGE]),
    "parts of others": (
        [TEXT, {"type": "image", "url": "b"}],
        '[{"type": "text", "text": "a"}, {"type": "image", "url": "b"}]',
    ),
    "a list of texts": (["a", "b"], '["a", "b"]'),
    "an empty list": ([], "[]"),
    "an object": ({"a": None}, '{"a": null}'),
    "a bool": (False, "false"),
}


@pytest.mark.parametrize(("content", "written", "text"), CONTENTS.values(), ids=CONTENTS)
def test_of_a_content_text_stays_and_the_parts_that_a_format_has(content, written, text):
    assert said_content(content, KEPT) == written
    assert said_text(content) == text


@pytest.mark.parametrize(("result", "written"), RESULTS.values(), ids=RESULTS)
def test_a_result_is_text_or_parts_or_json(result, written):
    assert result_content(result, KEPT) == written


def test_a_role_that_a_format_does_not_have_is_an_error():
    assert known_role(Said("user"), ["system", "user"]) == "user"
    with pytest.raises(ConversionError, match=r"role 'critic': the format has 'system', 'user'; message\.replace"):
        known_role(Said("critic"), ["system", "user"])


@pytest.mark.parametrize(("content", "written"), [("", [IMAGE]), ("a", [TEXT, IMAGE]), ([ODD], [ODD, IMAGE])])
def test_a_part_is_added_to_what_is_there(content, written):
    assert with_part(content, IMAGE) == written


SAID, ADDED, RESULT = Said("assistant"), Said("user", "Again.", feedback=True), Answered("no", "1")
ALONE, NATIVE = Said("user", "Again."), RESULT._replace(kind="native")
FEEDBACK = {
    "after a result": ([RESULT, ADDED, ADDED], [RESULT, ADDED, ADDED]),
    "before a result": ([SAID, ADDED, RESULT], [SAID, ADDED, RESULT]),
    "alone": ([SAID, ADDED], [SAID, ALONE]),
    "first": ([ADDED, SAID], [ALONE, SAID]),
    "nothing else": ([ADDED], [ALONE]),
    "after a native result": (
        [SAID, RESULT._replace(kind="native"), ADDED],
        [SAID, RESULT._replace(kind="native"), ALONE],
    ),
    "both": ([RESULT, ADDED, SAID, ADDED, SAID], [RESULT, ADDED, SAID, ALONE, SAID]),
    "none": ([SAID, Called("a"), RESULT], [SAID, Called("a"), RESULT]),
    "no event": ([], []),
}


@pytest.mark.parametrize(("events", "given"), FEEDBACK.values(), ids=FEEDBACK)
def test_feedback_beside_no_result_is_a_user_s(events, given):
    assert [*feedback_beside_results(events)] == given
