"""Which service a payment belongs to, and how the journal says which one this till has worked with. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, Reason, State
from pos_app.domain.record import Record

SERVICE = "service"
"""The subject of events about the service that the settings name."""

NAMED = "SERVICE_NAMED"
"""From here on the settings name this address; written at a start that finds another one, or none yet."""


def named_origins(said: Sequence[Record]) -> list[str]:
    """The addresses of a journal's NAMED events, in their order."""
    named = [str(record.content.get("origin", "")) for record in said if record.kind == NAMED]
    return [origin for origin in named if origin]


def with_origin(attempt: Attempt, unnamed: str) -> Attempt:
    """The attempt, with `unnamed` as its origin where none was written down.

    An older version wrote none. Its attempts belong to the first address that their journal names, which is the
    one of the first start that could write it: never to one that is set later.
    """
    return attempt if attempt.origin or not unnamed else replace(attempt, origin=unnamed)


def is_elsewhere(attempt: Attempt, named: str) -> bool:
    """Whether it was opened at another service than the settings name (`named`)."""
    return attempt.origin != named


def set_aside(attempt: Attempt, named: str) -> Attempt:
    """What is known of an attempt of another service: an end stays one, all else waits for its own address.

    A dispute keeps its own reason: which transaction the service spoke of decides what may be sent later.
    """
    if attempt.is_final or attempt.state is State.DISPUTED:
        return attempt
    return replace(attempt, state=State.UNRESOLVED, reason=Reason.OTHER_ORIGIN, other_origin=named)
