"""Record a log of Inspect, whose installation is too large for the tests.

Run it where `inspect-ai` is installed: `python tests/recordings/record_inspect_ai.py`. The model is Inspect's own
`mockllm`, which says what it is told; nothing leaves the machine.
"""

import json
import tempfile
from pathlib import Path

import inspect_ai
from inspect_ai import Task, eval
from inspect_ai.approval import Approval, ApprovalPolicy, approver
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ContentText, ContentToolUse, ModelOutput, get_model
from inspect_ai.solver import generate, system_message, use_tools
from inspect_ai.tool import ToolCall, ToolError, tool

HERE = Path(__file__).parent / "inspect_ai"
KEPT = ("input", "messages", "id", "epoch", "target", "output")


@tool
def search():
    async def execute(q: str, limit: int = 5) -> str:
        """Search the shop.

        Args:
            q: What for.
            limit: How many.
        """
        if q == "nothing":
            raise ToolError("nothing found")
        return f"{q}, 40"

    return execute


@tool
def pay():
    async def execute(amount: int) -> str:
        """Pay.

        Args:
            amount: How much.
        """
        if amount > 100:
            raise TimeoutError
        return f"paid {amount}"

    return execute


@approver
def careful():
    async def approve(message, call, view, history):
        if call.arguments.get("amount") == 7:
            return Approval(decision="reject", explanation="not seven")
        return Approval(decision="approve")

    return approve


def said(*calls, content=""):
    return ModelOutput.from_message(ChatMessageAssistant(content=content, tool_calls=list(calls) or None))


def called(id, name, parse_error=None, **arguments):
    return ToolCall(id=id, function=name, arguments=arguments, parse_error=parse_error)


WEB = ContentToolUse(
    tool_type="web_search", id="w1", name="web_search", arguments='{"query": "lamps"}', result="[]", error=None
)
OUTPUTS = [
    said(called("1", "search", q="lamp"), called("2", "search", q="nothing"), content="Let me see."),
    said(called("3", "search", limit="x"), called("4", "pay", parse_error="no JSON: {"), called("5", "gone")),
    said(called("6", "pay", amount=7), called("7", "pay", amount=900)),
    said(called("8", "pay", amount=40), content=[WEB, ContentText(text="One more.")]),
    said(content="Done."),
]


async def one_token(text):
    return 1


def main() -> None:
    """Write the log of one run."""
    task = Task(
        dataset=[Sample(input="Find a lamp and buy it.", target="Done.")],
        solver=[system_message("Be brief."), use_tools(search(), pay()), generate()],
        approval=[ApprovalPolicy(careful(), "*")],
    )
    with tempfile.TemporaryDirectory() as folder:
        model = get_model("mockllm/model", custom_outputs=OUTPUTS)
        model.api.count_text_tokens = one_token  # the real count loads a table from the network
        (log,) = eval(task, model=model, log_dir=folder, log_format="json", display="none")
        if log.status != "success":
            raise RuntimeError(log.error)
        stored = json.loads(Path(log.location.removeprefix("file://")).read_text(encoding="utf-8"))
    sample = {key: stored["samples"][0][key] for key in KEPT}
    HERE.mkdir(exist_ok=True)
    kept = {"version": stored["version"], "status": stored["status"], "eval": {"task": "task"}, "samples": [sample]}
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    (HERE / f"{inspect_ai.__version__}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
