"""Writing LangChain messages: dicts as `messages_to_dict` gives them, and `messages_from_dict` takes them.

Arguments that are no object go into `invalid_tool_calls`, which stand behind the others; native calls and their results
into blocks of the content. What a reply of structured output says is in LangChain's own words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trajmatch.reading import Answered, Called, Said, Status, Told, result_content, said_content, with_part
from trajmatch_adapters.histories.langchain._texts import judged

__all__ = ["write"]

_TYPES = {"assistant": "ai", "system": "system", "user": "human"}
_KEPT = ("audio", "document", "file", "image", "image_url", "reasoning", "thinking", "video")
_PARTS: dict[str, str] = dict.fromkeys(_KEPT, "type")
"""The parts beside text that are kept."""
_WORDS = {
    "succeeded": "Returning structured response: {said}",
    "retried": "Error: Failed to parse structured output for tool '{name}': {said}.\n Please fix your mistakes.",
}
"""What the reply to a call of an output tool says, by what became of it."""


def write(events: Iterable[Told]) -> list[dict[str, Any]]:
    """Give the messages that `read` gives these events of."""
    messages: list[dict[str, Any]] = []
    speaking: dict[str, Any] = {}  # the data of the last message that may make calls
    outputs: set[str | None] = set()
    for event in events:
        if isinstance(event, Said):
            messages.append(_said(event))
            speaking = messages[-1]["data"]
        elif isinstance(event, Called):
            _call(speaking, event)
            if event.kind == "output":
                outputs.add(event.id)
        elif event.kind == "native":
            speaking["content"] = with_part(speaking["content"], _native(event))
        else:
            messages.append({"type": "tool", "data": _answered(event, event.id in outputs)})
    return messages


def _said(said: Said) -> dict[str, Any]:
    data: dict[str, Any] = {"content": said_content(said.content, _PARTS) or ""}
    if said.role not in _TYPES:
        return {"type": "chat", "data": {**data, "role": said.role}}
    if said.feedback:
        data["additional_kwargs"] = {"lc_source": "feedback"}
    return {"type": _TYPES[said.role], "data": data}


def _call(data: dict[str, Any], called: Called) -> None:
    call = {"name": called.name, "args": called.arguments, "id": called.id}
    if called.kind == "native":
        data["content"] = with_part(data["content"], {"type": "server_tool_call", **call})
    elif isinstance(called.arguments, str):
        data.setdefault("invalid_tool_calls", []).append({**call, "error": None, "type": "invalid_tool_call"})
    else:
        data.setdefault("tool_calls", []).append({**call, "type": "tool_call"})


def _native(answered: Answered) -> dict[str, Any]:
    status = "success" if answered.status == "succeeded" else "error"
    return {"type": "server_tool_result", "tool_call_id": answered.id, "status": status, "output": answered.result}


def _answered(answered: Answered, output: bool) -> dict[str, Any]:
    content = result_content(answered.result, _PARTS)
    flag: Status = "succeeded" if answered.status == "succeeded" else "failed"
    means = judged(Answered(content, status=flag))
    if output and (means.status, means.kind) != (answered.status, "output"):
        content = _WORDS.get(answered.status, "{said}").format(name=answered.name, said=content)
    status = "success" if flag == "succeeded" else "error"
    return {"content": content, "tool_call_id": answered.id, "name": answered.name, "status": status}
