"""What stands on a paper that is to be printed: read on the engine's thread, where the journal is; drawn elsewhere."""

from __future__ import annotations

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.domain.day import X, Z
from pos_app.domain.figures import DayFigures
from pos_app.domain.receipt import Receipt
from pos_app.domain.refund import Note


class PaperContent(msgspec.Struct, frozen=True, kw_only=True):
    """One of `receipt`, `report`, `note` (of a slip) and `figures` (of a day's pictures), or none on a test page.

    `names`: people by their ids.

    `counter_id`: which counter copies another one's receipt; 0 for a paper of its own.

    `printed`: the wall time (ISO, with offset) at which this print was begun: for a copy alone, never the payment's.
    """

    environment: Environment
    printed: str
    receipt: Receipt | None = None
    report: X | Z | None = None
    figures: DayFigures | None = None
    note: Note | None = None
    names: dict[str, str] = {}
    counter_id: int = 0
