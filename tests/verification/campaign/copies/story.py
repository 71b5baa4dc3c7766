"""What happens to a folder, drawn from a seed: when it is copied, what becomes of the copy, and what hurts it."""

from __future__ import annotations

from enum import StrEnum
from random import Random

import msgspec


class Moment(StrEnum):
    """When the copy is made, seen from one payment."""

    BEFORE = "before it"
    SENDING = "while it is sent"
    DOUBT = "its reply was lost"
    WAITING = "its customer decides"
    PAID = "it was paid"


class Way(StrEnum):
    """How: a machine's snapshot, a tool that copies while the till writes, a disk after a power cut."""

    SNAPSHOT = "snapshot"
    UNDER_WAY = "under way"
    SLOWLY = "slowly, in the middle of it the payment ends"
    AFTER_A_KILL = "after a kill"


class Fate(StrEnum):
    """What becomes of the copy."""

    PUT_BACK = "put back"
    BESIDE = "beside its twin"


class Trouble(StrEnum):
    """What happens to the initiate of the copy's own sale: the fault's name at the sandbox."""

    NONE = ""
    LOST = "drop_after"
    LATE = "delay"
    NEVER = "drop_before"


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """One folder's. All its sales have one amount, so that nothing but the id tells them apart.

    `sold_before`: whether the folder has a sale when the story begins. `sold_after`: sales of the folder between
    the copying and the end of it, or beside its copy. `paid_late`: the customer of the payment under way decides
    when the copy sells already. `copy_paid`: whether the copy's own customer pays.
    """

    seed: int
    moment: Moment
    way: Way = Way.SNAPSHOT
    fate: Fate
    kind: str = "push"
    own_kind: str = "push"
    trouble: Trouble = Trouble.NONE
    sold_before: bool = True
    sold_after: int = 1
    paid_late: bool = False
    customer_pays: bool = True
    copy_paid: bool = True
    other_machine: bool = False
    zone: str = ""

    def __str__(self) -> str:
        machine = ", another machine" if self.other_machine else ""
        hurt = f", {self.trouble.name.lower()}" if self.trouble else ""
        return f"{self.kind} copied {self.moment} ({self.way}), {self.fate}{machine}{hurt}"


ZONES = ("", "", "", "Pacific/Kiritimati", "Pacific/Pago_Pago")
_CORNERS = tuple((moment, fate, trouble) for moment in Moment for fate in Fate for trouble in Trouble)


def story_of(seed: int, *, other_machines: bool = True) -> Story:
    """The seed's story; 40 in a row meet each moment with each fate and each trouble."""
    chance = Random(seed)
    moment, fate, trouble = _CORNERS[seed * 7 % len(_CORNERS)]
    return Story(
        seed=seed,
        moment=moment,
        way=chance.choice(list(Way)),
        fate=fate,
        kind=chance.choice(("push", "qr")),
        own_kind=chance.choice(("push", "push", "qr")),
        trouble=trouble,
        sold_before=chance.random() < 0.8,
        sold_after=chance.choice((0, 1, 1, 2)),
        paid_late=chance.random() < 0.5,
        customer_pays=chance.random() < 0.8,
        copy_paid=chance.random() < 0.4,
        other_machine=chance.random() < 0.4 and other_machines,
        zone=chance.choice(ZONES),
    )
