"""Whatever happens to a history: it is read or refused with its place, and stays as it was."""

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.test_skim import HISTORIES as SKIMMED
from tests.mutated import is_read_or_refused, mutated
from trajmatch._recognise import _built_in

ADAPTERS = [*_built_in()]
OPTIONS = {
    "atif": st.fixed_dictionaries({"nested": st.booleans(), "copied": st.booleans()}),
    "claude_code": st.fixed_dictionaries({"nested": st.booleans()}),
    "langfuse": st.fixed_dictionaries({"nested": st.booleans()}),
    "langsmith_runs": st.fixed_dictionaries({"nested": st.booleans()}),
    "openai_responses": st.fixed_dictionaries({"messages": st.sampled_from(["new", "all"])}),
    "otel": st.fixed_dictionaries({"nested": st.booleans()}),
    "pydantic_ai": st.fixed_dictionaries({"nested": st.booleans()}),
    "tau2": st.fixed_dictionaries({"requestor": st.sampled_from(["all", "assistant", "user"])}),
}


def histories(adapter):
    """The small histories of an adapter's own tests."""
    return SKIMMED.get(adapter) or import_module(f"tests.adapters.test_{adapter}").HISTORIES


@pytest.fixture(scope="module", params=ADAPTERS)
def fuzz(request):
    """The name of an adapter, and its mutated histories."""
    return request.param, mutated(histories(request.param))


@given(data=st.data())
def test_a_mutated_history_is_read_or_refused(fuzz, data):
    _, changed = fuzz
    assert is_read_or_refused(data.draw(changed))


@given(data=st.data())
def test_a_mutated_history_of_a_named_format_is_read_or_refused(fuzz, data):
    format, changed = fuzz
    assert is_read_or_refused(data.draw(changed), format=format, **data.draw(OPTIONS.get(format, st.just({}))))
