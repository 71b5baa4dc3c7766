"""There is a word for every act, problem and event of people, and each sentence can be filled in."""

from __future__ import annotations

import string

import pytest

from pos_app.domain.people import TERMINAL
from pos_app.domain.rights import Act
from pos_app.domain.views import StaffLine, StaffProblem
from pos_app.i18n.table import Table
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.manager import words as manager_words
from pos_app.i18n.words.people import words as people_words
from pos_app.journal.acts import ACTS
from pos_app.ui.dialogs.people.acts import ACTS as PERSON_ACTS
from pos_app.ui.dialogs.people.staff_log import told
from tests.support.published import NIMALI, RUWAN

PEOPLE = (NIMALI, RUWAN)


def line(kind: str, **told_: object) -> StaffLine:
    return StaffLine(kind=kind, wall="2025-11-21T14:07:14+05:30", who="p2", **told_)  # type: ignore[arg-type]


def test_each_act_and_each_problem_has_words() -> None:
    assert set(approval_words.WANTED) == set(Act)
    assert set(people_words.PROBLEM) == set(StaffProblem)
    assert {act.key for act in PERSON_ACTS} | {"enrol"} == set(people_words.REASONS)
    assert set(ACTS) <= set(manager_words.KIND)
    assert all(approval_words.reasons(act) for act in Act)


def test_no_reason_to_sign_off_is_offered_that_is_no_proof() -> None:
    """A phone proves nothing: its screen may be of any payment, or a picture (docs/guides/manager.md)."""
    assert not [each for each in approval_words.reasons(Act.SIGN_OFF) if "phone" in each or "screen" in each]


@pytest.mark.parametrize("table", [people_words, approval_words, manager_words])
def test_every_sentence_names_only_what_can_be_filled_in(table: Table) -> None:
    known = {
        *("name", "mask", "number", "reason", "example", "seconds", "money", "sale", "owner", "wanted"),
        *("count", "what", "whom", "text", "why", "act", "value", "old", "part"),
    }
    said = [value for _name, value in table.english() if isinstance(value, str)]
    assert said
    for text in said:
        assert {field for _, field, _, _ in string.Formatter().parse(text) if field} <= known, text


@pytest.mark.parametrize(
    ("seen", "what", "why"),
    [
        (line("PERSON_ENROLLED", whom="p1", reason="New"), "Ruwan: Enrolled: Nimali", "Why: New"),
        (
            line(
                "APPROVED",
                whom="SBX-TK7M3Q9RD-0123-1-K7Q2M9",
                reason="Gone",
                content={"act": "cancel", "for": "p1"},
            ),
            "Ruwan: Allowed: Cancel a payment: sale 0123",
            "for Nimali · Why: Gone",
        ),
        (
            line("PERMITTED", whom=TERMINAL, reason="Help", content={"act": "diagnostics"}),
            "Ruwan: Save the diagnostics",
            "Why: Help",
        ),
        (
            line(
                "PERSON_CHANGED",
                whom="p1",
                content={"changes": {"role": {"from": "cashier", "to": "manager"}}},
            ),
            "Ruwan: Changed: Nimali",
            "role: Cashier → Manager",
        ),
        (
            line("SETTINGS_IN_FORCE", whom=TERMINAL, content={"changed": ["shop.name", "sign_in.lock"]}),
            "Ruwan: Changed the settings",
            "Shop name, sign_in.lock",
        ),
        (
            line(
                "SETTINGS_IN_FORCE",
                whom=TERMINAL,
                reason="Moved",
                content={
                    "changes": {
                        "shop.outlet_id": {"old": "", "new": "12"},
                        "window.theme": {"old": "light", "new": "dark"},
                        "gateway.token_command": {},
                    },
                    "stored": ["access_token"],
                    "revoked": ["otp_access_token"],
                    "changed": ["shop.outlet_id", "window.theme", "gateway.token_command", "access_token"],
                },
            ),
            "Ruwan: Changed the settings",
            "Outlet id: empty → 12, Colours: Light → Dark, Command that prints the token, Access token: a new one, "
            "Access token of the SMS service: revoked · Why: Moved",
        ),
        (
            line("ANSWER", whom="SBX-TK7M3Q9RD-0123-1-K7Q2M9", content={"action": "refund"}),
            "Ruwan: Noted money back, outside the till: sale 0123",
            "",
        ),
        (line("REFUND_NOTED", whom="note:7"), "Ruwan: Noted money back: N-0007", ""),
        (line("SOMETHING_NEW", whom=""), "Ruwan: Something new", ""),
    ],
)
def test_a_line_of_what_was_done(seen: StaffLine, what: str, why: str) -> None:
    assert told(seen, PEOPLE)[::2] == (what, why)
    assert told(seen, PEOPLE).when == "2025-11-21 14:07"


def test_a_reason_that_would_disguise_itself_is_shown_plain() -> None:
    seen = line("PERSON_CHANGED", whom="p1", reason="left\u202egnp\x1b[31m<b>" + "x" * 5000)
    why = told(seen, PEOPLE).why
    assert len(why) <= 200
    assert "\u202e" not in why
    assert "\x1b" not in why
