import pytest

from trajmatch._nearest import choose, did_you_mean

WORDS = ("exact", "subset", "superset", "in_order")
MEANT = {
    "exat": "; did you mean 'exact'?",
    "Exact": "; did you mean 'exact'?",
    "supreset": "; did you mean 'superset'?",
    "inorder": "; did you mean 'in_order'?",
    "zzz": "",
    "": "",
    None: "",
}


@pytest.mark.parametrize(("word", "text"), MEANT.items(), ids=map(repr, MEANT))
def test_the_nearest_word_is_named(word, text):
    assert did_you_mean(word, WORDS) == text


def test_words_are_listed():
    assert choose(["a", "b"]) == "'a', 'b'"


def test_what_all_words_begin_with_does_not_count():
    words = ["$lte", "$gt"]
    assert did_you_mean("$eq", words, after="$") == ""
    assert did_you_mean("$gtt", words, after="$") == "; did you mean '$gt'?"
