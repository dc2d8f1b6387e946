"""Options: which are refused when a matcher is built, and with what advice."""

import re
from functools import partial

import pytest

from trajmatch import Matcher, OptionError, assert_match, match

WRONG = {
    "unknown keyword": ({"mdoe": "exact"}, "did you mean 'mode'"),
    "agentevals' word": ({"tool_args_match_mode": "exact"}, "did you mean 'args'?; there are 'mode', 'args'"),
    "another of its words": ({"trajectory_match_mode": "strict"}, "did you mean 'mode'"),
    "mode typo": ({"mode": "inorder"}, "did you mean 'in_order'"),
    "mode none": ({"mode": None}, "mode: None is no mode"),
    "mode list": ({"mode": ["exact"]}, "is no mode"),
    "args none": ({"args": None}, "got None"),
    "overrides list": ({"overrides": ["f"]}, "a mapping of tools to rules"),
    "overrides rule none": ({"overrides": {"f": None}}, "overrides['f']"),
    "overrides rule typo": ({"overrides": {"f": "exat"}}, "overrides['f']: 'exat'"),
    "overrides empty name": ({"overrides": {"": "exact"}}, "no name of a tool"),
    "overrides number": ({"overrides": {1: "exact"}}, "no name of a tool"),
    "calls typo": ({"calls": "succeded"}, "did you mean 'succeeded'"),
    "calls none": ({"calls": None}, "got None"),
    "calls class": ({"calls": str}, "got <class 'str'>"),
    "threshold bool": ({"mode": "in_order", "threshold": True}, "a number from 0 to 1, got True"),
    "threshold nan": ({"mode": "in_order", "threshold": float("nan")}, "got nan"),
    "threshold high": ({"mode": "in_order", "threshold": 1.1}, "got 1.1"),
    "threshold low": ({"mode": "in_order", "threshold": -0.1}, "got -0.1"),
    "threshold text": ({"mode": "in_order", "threshold": "0.5"}, "got '0.5'"),
    "threshold idle": ({"mode": "exact", "threshold": 0.5}, "belongs to 'in_order', 'any_order'"),
    "allow_extra idle": ({"mode": "superset", "allow_extra": True}, "no effect in the mode 'superset'"),
    "allow_missing idle": ({"mode": "strict", "allow_missing": True}, "no effect in the mode 'strict'"),
    "allow_extra number": ({"mode": "in_order", "allow_extra": 1}, "True or False, got 1"),
    "allow_missing text": ({"mode": "in_order", "allow_missing": "yes"}, "True or False, got 'yes'"),
    "allow both": ({"mode": "in_order", "allow_extra": True, "allow_missing": True}, "one of them"),
    "ignore_roles idle": ({"ignore_roles": ["user"]}, "belongs to 'strict'"),
    "ignore_roles none left": ({"ignore_roles": []}, "belongs to 'strict'"),
    "ignore_roles text": ({"mode": "strict", "ignore_roles": "user"}, "a list of roles, got 'user'"),
    "ignore_roles number": ({"mode": "strict", "ignore_roles": [1]}, "a list of roles"),
    "ignore_roles assistant": ({"mode": "strict", "ignore_roles": ["ai"]}, "nothing to match"),
}
ALWAYS = lambda actual, expected: True  # noqa: E731
DEFAULT = "mode:exact|args:exact|calls:all|semantics:1"
SIGNATURES = {
    "default": ({}, DEFAULT),
    "equal to the default": (
        {"overrides": {}, "threshold": 1, "allow_extra": False, "ignore_roles": ["developer"]},
        DEFAULT,
    ),
    "overrides none": ({"overrides": None}, DEFAULT),
    "mode": ({"mode": "in_order"}, "mode:in_order|args:exact|calls:all|semantics:1"),
    "threshold zero": ({"mode": "in_order", "threshold": 0}, "mode:in_order|args:exact|calls:all|semantics:1"),
    "rules": (
        {"args": "subset", "overrides": {"f": ["a.b", ("c",)]}},
        "mode:exact|args:subset,f=['a.b', ['c']]|calls:all|semantics:1",
    ),
    "function": ({"args": max}, "mode:exact|args:max()|calls:all|semantics:1"),
    "a function without a name": (
        {"args": ALWAYS},
        f"mode:exact|args:<lambda>:{ALWAYS.__code__.co_firstlineno}()|calls:all|semantics:1",
    ),
    "an object that is called": ({"args": partial(max)}, "mode:exact|args:partial()|calls:all|semantics:1"),
    "calls": ({"calls": "succeeded"}, "mode:exact|args:exact|calls:succeeded|semantics:1"),
    "a function of a call": ({"calls": len}, "mode:exact|args:exact|calls:len()|semantics:1"),
    "allow extra": (
        {"mode": "any_order", "allow_extra": True, "threshold": 0.5},
        "mode:any_order|args:exact|calls:all|allow:extra|semantics:1",
    ),
    "allow missing": (
        {"mode": "any_order", "allow_missing": True},
        "mode:any_order|args:exact|calls:all|allow:missing|semantics:1",
    ),
    "roles": (
        {"mode": "strict", "ignore_roles": ["human", "tool"]},
        "mode:strict|args:exact|calls:all|ignore_roles:tool,user|semantics:1",
    ),
}


@pytest.mark.parametrize(("options", "text"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("build", [Matcher, lambda **o: match([], [], **o), lambda **o: assert_match([], [], **o)])
def test_a_wrong_option_fails_when_the_matcher_is_built(build, options, text):
    with pytest.raises(OptionError, match=re.escape(text)):
        build(**options)


@pytest.mark.parametrize(("options", "signature"), SIGNATURES.values(), ids=SIGNATURES)
def test_a_signature_holds_what_a_score_depends_on(options, signature):
    assert Matcher(**options).signature == signature


def test_an_error_names_option_and_value():
    with pytest.raises(OptionError) as caught:
        Matcher(mode="inorder")
    assert (caught.value.option, caught.value.value) == ("mode", "inorder")
