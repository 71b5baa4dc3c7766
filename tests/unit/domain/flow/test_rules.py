"""The numbers and codes of docs/payment-rules.md, written here a second time; they are the till's usual ones."""

from __future__ import annotations

import msgspec

from pos_app.domain.flow import Rules, rules, statuses
from pos_app.domain.flow.watch import Watch


def seconds(value: object) -> object:
    """The same with seconds for milliseconds."""
    match value:
        case bool():
            return value
        case int():
            return value / 1000
        case tuple():
            return tuple(map(seconds, value))
        case _:
            return value


def test_the_usual_numbers_are_those_of_the_rules() -> None:
    """Rules 2 to 12 and "Asking: how often", in seconds."""
    usual = msgspec.structs.asdict(Rules())
    counts = {name: usual.pop(name) for name in ("tolerance", "automatic_qr_attempts")}
    assert counts == {"tolerance": 3, "automatic_qr_attempts": 3}
    assert usual.pop("origin") == ""
    assert {name: seconds(value) for name, value in usual.items()} == {
        "silent_initiate": 4,
        "connect_retries": (1, 3),
        "resend_delays": (3, 10, 30),
        "resend_until": 60,
        "doubt_limit": 300,
        "unknown_limit": 180,
        "extension": 120,
        "give_up_ask_wait": 2,
        "unresolved_after_give_up": 60,
        "start_ask_wait": 5,
        "cancel_spacing": 5,
        "close_spacing": 5,
        "http_refusal_spacing": 3,
        "contradiction_spacing": 10,
        "rechecks": (10, 60, 300, 900),
        "refusal_checks": (1, 3, 10),
        "first_ask": 3,
        "polling": ((60, 2), (180, 3)),
        "polling_last": 5,
        "progress_burst": (30, 1),
        "released_polling": ((900, 10), (3_600, 30), (86_400, 300), (604_800, 3_600)),
        "back_off": (1, 2, 4, 8, 10),
        "back_off_old": 30,
        "back_off_young": 900,
        "verification_fail_is_final": False,
    }


def test_the_codes_are_those_of_the_rules() -> None:
    """Rule 4 and the table of codes."""
    assert {
        "5001",
        "5002",
        "5003",
        "5004",
        "5005",
        "5008",
        "5010",
        "5011",
        "5012",
        "5013",
        "5015",
    } == rules.REFUSALS
    assert {"5001", "5002", "5008", "5011", "5012", "5015"} == rules.SET_UP_REFUSALS
    assert {"5001", "5015"} == rules.MISCONFIGURED
    assert {"5008", "5011", "5012"} == rules.NO_PERMISSION
    assert {"5006", "5007"} == rules.ALREADY_PROCESSED
    assert rules.TOO_LATE == "5006"
    assert {400, 404, 405, 406, 415} == rules.HTTP_REFUSALS
    assert (rules.NOT_UNIQUE, rules.NOT_FOUND, rules.MAX_QR_BYTES) == ("5000", "5009", 2_953)


def test_the_names_of_a_status_are_the_services() -> None:
    """To the letter: any other is unknown."""
    assert {
        "Merchant Initiated",
        "Verification Success",
        "Verification Fail",
        "Customer Approved",
        "Payment Success",
        "Payment Fail",
        "Customer Reject",
        "Merchant Cancel",
    } == statuses.KNOWN
    assert {"Verification Success", "Customer Approved"} == statuses.PROGRESS
    assert {"Payment Fail", "Customer Reject"} == statuses.FAILURES
    assert {"Payment Fail", "Customer Reject", "Merchant Cancel"} == statuses.UNPAID_ENDS


def test_nothing_is_remembered_of_an_attempt_that_has_just_begun() -> None:
    """No request under way, nothing due, nothing counted."""
    assert not any(msgspec.structs.astuple(Watch()))
