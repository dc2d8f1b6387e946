"""The scenario that is run in each framework, as Anthropic, Claude Code, Managed Agents and Bedrock keep it."""

from itertools import combinations

import pytest

from tests.test_frameworks import ENDS, FAILS, PENDING, SCENARIOS, in_openai
from trajmatch import match, to_trajectory


def numbered(steps):
    """The steps, each call with an id."""
    for number, step in enumerate(steps):
        yield step if isinstance(step, str) else [(f"{number}.{place}", *made) for place, made in enumerate(step)]


def in_anthropic(steps):
    messages = [{"role": "user", "content": "Please."}]
    for step in numbered(steps):
        if isinstance(step, str):
            messages.append({"role": "assistant", "content": step})
            continue
        calls = [{"type": "tool_use", "id": id, "name": name, "input": given} for id, name, given, _ in step]
        results = [
            {"type": "tool_result", "tool_use_id": id, "content": "x", "is_error": end == FAILS}
            for id, _, _, end in step
            if end != PENDING
        ]
        messages.append({"role": "assistant", "content": calls})
        messages += [{"role": "user", "content": results}] if results else []
    return messages


def in_claude_code(steps):
    """A record for each block."""
    records = []
    for number, message in enumerate(in_anthropic(steps)):
        blocks = message["content"] if isinstance(message["content"], list) else [message["content"]]
        contents = [block if isinstance(block, str) else [block] for block in blocks]
        records += [
            {"type": message["role"], "message": {**message, "id": f"m{number}", "content": c}} for c in contents
        ]
    return records


def in_bedrock(steps):
    messages = [{"role": "user", "content": [{"text": "Please."}]}]
    for step in numbered(steps):
        if isinstance(step, str):
            messages.append({"role": "assistant", "content": [{"text": step}]})
            continue
        calls = [{"toolUse": {"toolUseId": id, "name": name, "input": given}} for id, name, given, _ in step]
        results = [
            {
                "toolResult": {
                    "toolUseId": id,
                    "content": [{"text": "x"}],
                    "status": "error" if end == FAILS else "success",
                }
            }
            for id, _, _, end in step
            if end != PENDING
        ]
        messages.append({"role": "assistant", "content": calls})
        messages += [{"role": "user", "content": results}] if results else []
    return messages


def in_managed_agents(steps):
    """Custom tools, which the client runs."""
    events = [{"type": "user.message", "content": [{"type": "text", "text": "Please."}]}]
    for step in numbered(steps):
        if isinstance(step, str):
            events.append({"type": "agent.message", "content": [{"type": "text", "text": step}]})
            continue
        use, result = {"type": "agent.custom_tool_use"}, {"type": "user.custom_tool_result", "content": []}
        events += [{**use, "id": id, "name": name, "input": given} for id, name, given, _ in step]
        events += [
            {**result, "custom_tool_use_id": id, "is_error": end == FAILS} for id, _, _, end in step if end != PENDING
        ]
    return events


FORMATS = {
    "openai": in_openai,
    "anthropic": in_anthropic,
    "claude_code": in_claude_code,
    "bedrock": in_bedrock,
    "managed_agents": in_managed_agents,
}


@pytest.fixture(params=SCENARIOS.values(), ids=SCENARIOS)
def runs(request):
    return {name: run(request.param) for name, run in FORMATS.items()}, request.param


def test_the_same_calls_in_the_same_batches_come_to_the_same_end(runs):
    runs, steps = runs
    expected = [step for step in steps if isinstance(step, list)]
    for run in runs.values():
        batches = to_trajectory(run).batches
        assert [[(c.name, c.arguments, ENDS[c.status]) for c in batch] for batch in batches] == expected


def test_each_run_matches_each_other_strictly(runs):
    for one, other in combinations(runs[0].values(), 2):
        assert match(one, other, mode="strict")
        assert match(other, one, mode="strict")
