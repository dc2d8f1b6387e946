"""The tools of a small support agent, and what two runs of it do."""

from __future__ import annotations

ORDERS = {7: {"item": "lamp", "price": 40}, 8: {"item": "desk", "price": 120}}


def look_up_order(order_id: int) -> dict[str, object]:
    """Look up an order."""
    return ORDERS[order_id]


def read_policy(topic: str) -> str:
    """Read the policy of the shop."""
    return f"{topic}: full price within 30 days"


def refund(order_id: int, amount: int) -> str:
    """Refund an order."""
    return f"refunded {amount} for order {order_id}"


TOOLS = [look_up_order, read_policy, refund]

QUESTION = "I want my money back for order 7."

# Each step is one response of the model: calls that it makes in parallel, or the final text.
GOOD_RUN = [
    [("look_up_order", {"order_id": 7}), ("read_policy", {"topic": "refunds"})],
    [("refund", {"order_id": 7, "amount": 40})],
    "Your 40 are on their way.",
]
BAD_RUN = [
    [("read_policy", {"topic": "refunds"})],
    [("look_up_order", {"order_id": 8})],
    [("look_up_order", {"order_id": 7})],
    [("refund", {"order_id": 7, "amount": 120})],
    "Your 120 are on their way.",
]
