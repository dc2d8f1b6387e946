"""Run a LangChain agent and a Pydantic AI agent, offline, and match both against one expectation."""

from __future__ import annotations

import langchain_agent
import pydantic_ai_agent
from shop import BAD_RUN, GOOD_RUN

from trajmatch import MatchFailure, assert_match, call, check_arguments, check_forbidden, check_limits, match

EXPECTED = [
    call("look_up_order", order_id=7),
    "read_policy",
    call("refund", order_id=7, amount=40),
]
MODES = ["exact", "unordered", "superset", "in_order", "any_order"]


def show(title, run):
    print(f"== {title}")
    for mode in MODES:
        result = match(run, EXPECTED, mode=mode)
        print(f"{result.score:.3f}  {result!r}")
    print()
    print(match(run, EXPECTED, mode="in_order").render())
    print()


def main():
    runs = {
        "LangChain": langchain_agent.run(GOOD_RUN),
        "Pydantic AI": pydantic_ai_agent.run(GOOD_RUN),
        "LangChain, a run that differs": langchain_agent.run(BAD_RUN),
        "Pydantic AI, a run that differs": pydantic_ai_agent.run(BAD_RUN),
    }
    for title, run in runs.items():
        show(title, run)

    print("== The two frameworks against each other, message by message")
    print(match(runs["Pydantic AI"], runs["LangChain"], mode="strict"))
    print()

    print("== Checks that need no reference")
    run = runs["LangChain, a run that differs"]
    print(check_arguments(run, "refund", {"order_id": 7, "amount": 40}))
    print(check_limits(run, max_tool_calls=3, max_model_requests=5, max_identical_calls=1))
    print(check_forbidden(run, [call("look_up_order", order_id=8), "delete_order"]))
    print()

    print("== In a unit test")
    assert_match(runs["Pydantic AI"], EXPECTED)
    try:
        assert_match(run, EXPECTED, mode="in_order", allow_extra=True)
    except MatchFailure as failure:
        print(f"AssertionError: {failure}")


if __name__ == "__main__":
    main()
