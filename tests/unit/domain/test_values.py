"""Values are frozen and begin empty, and the names that lie in journals are the ones they were written with."""

from __future__ import annotations

import re
from enum import Enum, StrEnum

import msgspec
import pytest

from pos_app.domain import attempt, effects, events, otp, replies, sale
from pos_app.domain import effects as commands
from pos_app.domain.attempt import ATTENTION, FINAL, MONEY, OPEN, Environment, Flag, Kind, Reason, State
from pos_app.domain.flow import watch
from pos_app.domain.otp import OtpProblem
from pos_app.domain.replies import OtpRefusal, Why

MODULES = (attempt, effects, events, otp, replies, sale, commands, watch)
VALUES = sorted(
    {
        each
        for module in MODULES
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, msgspec.Struct) and each.__module__ == module.__name__
    },
    key=lambda each: each.__qualname__,
)
NOT_EMPTY = {
    "Attempt": {"extendable", "state"},
    "Charge": {"extendable"},
    "Live": {"watch"},
    "OtpLimits": {
        "tries_per_reference",
        "sends_per_window",
        "window_ms",
        "sends_per_day",
        "terminal_sends_per_day",
        "spacing_ms",
        "valid_ms",
    },
}
"""Fields of a value that usually hold something."""


@pytest.mark.parametrize("value", VALUES, ids=lambda each: each.__name__)
def test_a_value_is_frozen_and_begins_empty(value: type[msgspec.Struct]) -> None:
    """What nobody said is "", None, nought, no or nothing."""
    assert value.__struct_config__.frozen
    usual = {
        field.name: field.default
        for field in msgspec.structs.fields(value)
        if field.default is not msgspec.NODEFAULT
    }
    assert {name for name, default in usual.items() if default} == NOT_EMPTY.get(value.__name__, set())
    for field in msgspec.structs.fields(value):
        if field.default is not msgspec.NODEFAULT:
            assert msgspec.convert(msgspec.to_builtins(field.default), field.type) == field.default


@pytest.mark.parametrize("value", VALUES, ids=lambda each: each.__name__)
def test_a_value_of_many_fields_is_made_by_name(value: type[msgspec.Struct]) -> None:
    """Two texts side by side are soon confused."""
    if value.__name__ in ("Attempt", "Sale", "Order", "Charge"):
        with pytest.raises(TypeError, match="positional"):
            value("A-1")


@pytest.mark.parametrize("names", [State, Flag, OtpRefusal])
def test_a_name_is_written_as_it_is_called(names: type[Enum]) -> None:
    """States and flags as in the rules, refusals as the service spells them."""
    assert {each.name: each.value for each in names} == {each.name: each.name for each in names}


def test_the_names_in_journals_are_the_ones_they_were_written_with() -> None:
    """A new name may be added; an old one is what an old journal says."""
    assert [*Environment] == ["live", "sandbox"]
    assert [*Kind] == ["push", "qr"]
    assert {
        "",
        "payment_failed",
        "customer_rejected",
        "verification_failed",
        "name_not_resolved",
        "no_connection",
        "service_identity_not_proven",
        "http_refused",
        "gave_up",
        "no_answer",
        "unreadable_replies",
        "unknown_status",
        "misconfigured",
        "refused_but_a_copy_may_be_on_its_way",
        "other_amount",
        "other_transaction",
        "contradicted_after_paid",
        "identity_used_twice",
        "opened_at_another_service",
    } <= set(Reason)
    assert {
        "name_not_resolved",
        "no_connection",
        "service_identity_not_proven",
        "time_out",
        "connection_broken",
        "sign_in_refused",
        "forbidden",
        "slow_down",
        "http_status",
        "redirect",
        "too_large",
        "unreadable",
    } <= set(Why)


@pytest.mark.parametrize("names", [Reason, Why, OtpProblem])
def test_a_name_without_a_table_is_plain_small_letters(names: type[StrEnum]) -> None:
    """Each once."""
    assert all(re.fullmatch("[a-z_]*", each) for each in names)
    assert len(set(names)) == len(names.__members__)


def test_the_tags_of_replies_are_the_ones_they_were_written_with() -> None:
    """Replies lie in journals."""
    tags = {
        each.__name__: each.__struct_config__.tag
        for each in VALUES
        if each.__module__ == replies.__name__ and each.__struct_config__.tag
    }
    assert tags == {
        "NoAnswer": "no_answer",
        "Refused": "refused",
        "Accepted": "accepted",
        "StatusReport": "status",
        "CancelAccepted": "cancel_accepted",
        "Listing": "listing",
        "OtpSent": "otp_sent",
        "OtpVerified": "otp_verified",
        "OtpRefused": "otp_refused",
    }


def test_every_state_is_open_with_people_or_an_end() -> None:
    """By their names in docs/payment-rules.md."""
    assert {"INTENT", "IN_DOUBT", "WAITING"} == OPEN
    assert {"UNRESOLVED", "DISPUTED"} == ATTENTION
    assert {"PAID", "PAID_LATE", "FAILED", "CANCELLED", "REFUSED", "NOT_SENT", "SIGNED_OFF"} == FINAL
    assert {"PAID", "PAID_LATE"} == MONEY
