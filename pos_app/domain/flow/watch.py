"""What the flow remembers of an attempt between events and may forget at a restart. Times: till ms."""

from __future__ import annotations

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.effects import Effect


class Watch(msgspec.Struct, frozen=True):
    """Requests in flight, due times and counters of bad answers.

    `overtaken`: the ask under way left before an initiate came back, so that its 5009 means nothing.
    `adopted`: what the service holds under an id it called taken has proved to be ours (rule 18).
    `ask_code`: with which code the last ask was refused, where that says nothing of the payment.
    `taken_up_at`: when a till that has started found it; old payments are then asked about as often as new ones.
    `at_closing`: a closing waits for the answer.
    `has_place`: its next ask is its place among those that are asked about since the line returned.
    `start_until`: a till that has just started lets go of nothing before its first ask is answered.
    """

    initiating: bool = False
    asking: bool = False
    cancelling: bool = False

    connect_tries: int = 0
    connect_at: int | None = None
    silent_at: int | None = None
    doubt_at: int | None = None
    refused_resends: int = 0
    not_found_since_refused_resend: bool = False
    unauthorised: bool = False
    closing_wanted: bool = False
    closing_sent: bool = False
    last_close_at: int | None = None
    adopted: bool = False
    replace_wanted: bool = False
    from_before_restart: bool = False
    taken_up_at: int | None = None
    start_until: int | None = None

    ask_at: int | None = None
    has_place: bool = False
    asks: int = 0
    overtaken: bool = False
    ask_by_wallet: bool = False
    silences: int = 0
    throttled_for: int | None = None

    last_cancel_at: int | None = None
    cancel_at: int | None = None
    cancel_forbidden: bool = False
    cancel_too_late: bool = False
    extended: bool = False

    unreadable: int = 0
    strangers: int = 0
    misconfigured: int = 0
    ask_code: str = ""
    contradictions: int = 0
    contradiction_at: int | None = None
    at_closing: bool = False
    unknown_since: int | None = None
    verification_failed_at: int | None = None
    http_refusals: int = 0
    http_refusal_at: int | None = None
    refusal_checks: int = 0


def behind(attempt: Attempt, watch: Watch) -> bool:
    """Whether nobody stands before the till for it: it was let go, or is from before a restart."""
    return attempt.released_at is not None or watch.from_before_restart


class Live(msgspec.Struct, frozen=True):
    """An attempt with what the flow remembers of it."""

    attempt: Attempt
    watch: Watch = Watch()


class Outcome(msgspec.Struct, frozen=True):
    """What one event led to. `path` holds the states passed, first to last; empty when none changed.

    `durable` says whether the attempt's facts changed, or a person said Close or Continue, so that this must
    be journalled before any command.
    """

    live: Live
    effects: tuple[Effect, ...]
    path: tuple[str, ...]
    durable: bool
