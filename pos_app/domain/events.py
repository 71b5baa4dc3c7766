"""What happened to an attempt: past tense, frozen, posted to the engine; commands are in commands.py."""

from __future__ import annotations

import msgspec

from pos_app.domain.replies import CancelReply, InitiateReply, StatusReply


class InitiateAnswered(msgspec.Struct, frozen=True, tag="initiate_answered"):
    """Initiate came back, or did not. `resend`: these bytes may have arrived before."""

    attempt_id: str
    reply: InitiateReply
    resend: bool = False


class StatusAnswered(msgspec.Struct, frozen=True, tag="status_answered"):
    """An ask came back, or did not."""

    attempt_id: str
    reply: StatusReply


class CancelAnswered(msgspec.Struct, frozen=True, tag="cancel_answered"):
    """A cancel came back, or did not."""

    attempt_id: str
    reply: CancelReply


class TimeCame(msgspec.Struct, frozen=True, tag="time_came"):
    """A WakeAt of this attempt is due."""

    attempt_id: str


class TillStarted(msgspec.Struct, frozen=True, tag="till_started"):
    """The attempt was found in the journal by a till that has just started."""

    attempt_id: str


class SignInRenewed(msgspec.Struct, frozen=True, tag="sign_in_renewed"):
    """The service takes this terminal's sign-in again (rule 19); ask at `ask_at` (till time, ms), or at once."""

    attempt_id: str
    ask_at: int | None = None


class ConnectionReturned(msgspec.Struct, frozen=True, tag="connection_returned"):
    """Another attempt's ask was answered after a time without answers; ask at `ask_at` (till time, ms)."""

    attempt_id: str
    ask_at: int


class AnotherStarted(msgspec.Struct, frozen=True, tag="another_started"):
    """A later attempt of the same sale is being started: this one is released."""

    attempt_id: str


class Superseded(msgspec.Struct, frozen=True, tag="superseded"):
    """Another attempt of the same sale has taken the money after all, or may: this one is to be cancelled."""

    attempt_id: str
    by: str


AttemptEvent = (
    InitiateAnswered
    | StatusAnswered
    | CancelAnswered
    | TimeCame
    | TillStarted
    | SignInRenewed
    | ConnectionReturned
    | AnotherStarted
    | Superseded
)
