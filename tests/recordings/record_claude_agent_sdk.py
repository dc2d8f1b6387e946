"""Records the objects of the installed Claude Agent SDK: `python record_claude_agent_sdk.py`.

Writes `claude_agent_sdk/<version>.json` beside this file: an object from the name of a scenario to the messages of a
stream, as the program writes them, and to the objects that the SDK makes of them, each with its class and its fields.
It needs an environment with `claude-agent-sdk`; the program itself does not run.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from claude_agent_sdk._internal.message_parser import parse_message

SESSION = "s1"


def record(kind: str, number: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "session_id": SESSION, "uuid": f"u{number}", "parent_tool_use_id": None, **more}


def said(number: int, block: dict[str, Any], response: str = "msg_1", **more: Any) -> dict[str, Any]:
    head = {"id": response, "type": "message", "role": "assistant", "model": "claude", "stop_reason": None, "usage": {}}
    return record("assistant", number, message={**head, "content": [block]}, **more)


def asked(number: int, content: Any, **more: Any) -> dict[str, Any]:
    return record("user", number, message={"role": "user", "content": content}, **more)


def answered(number: int, id: str, content: Any, **more: Any) -> dict[str, Any]:
    nested = {key: more.pop(key) for key in [*more] if key == "parent_tool_use_id"}
    return asked(number, [{"type": "tool_result", "tool_use_id": id, "content": content, **more}], **nested)


def tool(id: str, name: str, kind: str = "tool_use", **given: Any) -> dict[str, Any]:
    return {"type": kind, "id": id, "name": name, "input": given}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def ended(number: int, **more: Any) -> dict[str, Any]:
    head = {"subtype": "success", "duration_ms": 1, "duration_api_ms": 1, "is_error": False, "num_turns": 1}
    return {"type": "result", "session_id": SESSION, "uuid": f"u{number}", **head, "permission_denials": [], **more}


BEGUN = {"type": "system", "subtype": "init", "session_id": SESSION, "uuid": "u0", "tools": ["Read"], "model": "claude"}
INSIDE = {"parent_tool_use_id": "t1"}
STREAMS: dict[str, list[dict[str, Any]]] = {
    "one response in several records": [
        BEGUN,
        said(1, {"type": "thinking", "thinking": "Hm", "signature": "x"}),
        said(2, text("Two files.")),
        said(3, tool("t1", "Read", file_path="a")),
        answered(4, "t1", "A"),
        said(5, tool("t2", "Read", file_path="b")),
        answered(6, "t2", "no such file", is_error=True),
        said(7, text("Done."), "msg_2"),
        ended(8, result="Done."),
    ],
    "refused": [
        asked(1, "Delete it."),
        said(2, tool("t1", "Bash", command="rm a")),
        answered(3, "t1", "Not in this folder.", is_error=True),
        ended(4, permission_denials=[{"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "rm a"}}]),
    ],
    "a sub-agent": [
        asked(1, "Look around."),
        said(2, tool("t1", "Task", prompt="Look")),
        asked(3, "Look", **INSIDE),
        said(4, tool("t2", "Glob", pattern="*"), "msg_2", **INSIDE),
        answered(5, "t2", "a.py", **INSIDE),
        said(6, text("One file."), "msg_3", **INSIDE),
        answered(7, "t1", [text("One file.")]),
        said(8, text("There is one file."), "msg_4"),
        ended(9),
    ],
    "executed by the provider": [
        asked(1, "Ask the advisor."),
        said(2, tool("srvtoolu_1", "advisor", "server_tool_use")),
        said(3, {"type": "advisor_tool_result", "tool_use_id": "srvtoolu_1", "content": {"type": "advisor_result"}}),
        ended(4),
    ],
    "structured output": [
        asked(1, "How many?"),
        said(2, tool("t1", "StructuredOutput", count="two")),
        answered(3, "t1", "Output does not match required schema: /count: must be integer", is_error=True),
        said(4, tool("t2", "StructuredOutput", count=2), "msg_2"),
        answered(5, "t2", "Structured output provided successfully"),
        ended(6, structured_output={"count": 2}),
    ],
    "beside messages": [
        BEGUN,
        record("stream_event", 1, event={"type": "content_block_delta", "index": 0}),
        {"type": "rate_limit_event", "session_id": SESSION, "uuid": "u2", "rate_limit_info": {"status": "allowed"}},
        {**BEGUN, "subtype": "task_started", "task_id": "k", "description": "d", "uuid": "u3"},
        asked(4, "<task-notification>done", origin={"kind": "task-notification"}),
        said(5, text("Noted.")),
        ended(6),
    ],
}


def plain(value: Any) -> Any:
    """The JSON of a value, in which an object is its class and its fields."""
    if is_dataclass(value):
        return {"class": type(value).__name__, "fields": {f.name: plain(getattr(value, f.name)) for f in fields(value)}}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


if __name__ == "__main__":
    recorded = {
        name: {"stream": stream, "objects": [plain(parse_message(message)) for message in stream]}
        for name, stream in STREAMS.items()
    }
    file = Path(__file__).parent / "claude_agent_sdk" / f"{version('claude-agent-sdk')}.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")
