"""Structures for three tasks of tau-bench (https://github.com/sierra-research/tau-bench), on four real runs of each.

`python docs/examples/tau_bench.py runs.jsonl.gz` prints what each run of these tasks gives; a line of the file holds
the messages of a run under `actual`, its task under `group`, and under `success` what tau-bench itself found by
comparing the data bases at the end.
"""

import gzip
import json
import sys

from trajmatch import Edit, Matcher, any_order, call, forbidden, optional, seq

WRITES = ["book_reservation", "cancel_reservation", "send_certificate", "update_reservation_flights"]
NO_OTHER_WRITES = [forbidden(tool) for tool in WRITES]
"""Reading may be done in any way; writing only as the task asks."""

FLIGHTS_26 = [{"flight_number": "HAT268", "date": "2024-05-22"}, {"flight_number": "HAT010", "date": "2024-05-22"}]
FLIGHTS_5 = [{"flight_number": "HAT056", "date": "2024-05-25"}, {"flight_number": "HAT138", "date": "2024-05-25"}]

TASKS = {
    "tau-bench/airline/5": any_order(
        call(
            "update_reservation_flights",
            reservation_id="FQ8APE",
            cabin="economy",
            flights=FLIGHTS_5,
            payment_id="gift_card_8190333",
        ).under({"mode": "superset", "deep": True}),
        call("update_reservation_passengers", reservation_id="FQ8APE").under("superset"),
        call("update_reservation_baggages", reservation_id="FQ8APE", total_baggages=3).under("superset"),
        *NO_OTHER_WRITES,
    ),
    "tau-bench/airline/16": seq(
        any_order("get_user_details", "get_reservation_details"),
        call("send_certificate", user_id="ethan_martin_2396", amount=150),
        *NO_OTHER_WRITES,
    ),
    "tau-bench/airline/26": seq(
        call("cancel_reservation", reservation_id="NQNU5R"),
        optional(call("update_reservation_flights", payment_id="credit_card_7334").under("superset")),
        call(
            "update_reservation_flights",
            reservation_id="M20IZO",
            cabin="business",
            flights=FLIGHTS_26,
            payment_id="credit_card_9074831",
        ),
        *NO_OTHER_WRITES,
    ),
}


def told(edit: Edit) -> str:
    """Say which call an edit is about."""
    made = edit.expected or edit.actual
    value = next(iter(made.arguments.values()), "") if made.arguments else ""
    return f"{made.name}({value})" if value else made.name


def main(path: str) -> None:
    """Match every run of the tasks."""
    matcher = Matcher(allow_extra=True)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        runs = [run for run in map(json.loads, lines) if run.get("group") in TASKS]
    for task, structure in TASKS.items():
        print(task)
        for run in (run for run in runs if run["group"] == task):
            result = matcher(run["actual"], structure)
            found = "accepted" if result.passed else "rejected"
            why = "; ".join(f"{edit.kind} {told(edit)}" for edit in result.edits if edit.kind != "extra")
            print(f"  {'good' if run['success'] else 'bad'} run {found}" + (f": {why}" if why else ""))


if __name__ == "__main__":
    main(sys.argv[1])
