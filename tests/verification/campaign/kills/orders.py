"""What a till's process of these campaigns is told, as one line of JSON on its standard input."""

from __future__ import annotations

import msgspec

from pos_app.domain.people import Role


class Colleague(msgspec.Struct, frozen=True):
    """Somebody on the list of cashiers: one for each life, because codes to one number are rationed."""

    person_id: str
    name: str
    msisdn: str
    role: Role


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """One life of a till. `die_at` is a point of `points`, passed for the `die_on`-th time; "" for none.

    `tidy`: no new sales; what is open is ended, as at the end of a day. `closes_after_s` since the window
    stood: the window is closed then; 0 for never. `wrong`: the bug of tests.verification.simulation.wrong_tills that is
    planted into this till, to see that it is caught. `sent_log` gets a line before anything leaves the
    till. `payments`, one in `pace_s`, are a soak's.
    """

    config_dir: str
    data_dir: str
    control_url: str
    control_token: str
    sent_log: str
    seed: int
    people: tuple[Colleague, ...]
    person: int = 0
    die_at: str = ""
    die_on: int = 1
    tidy: bool = False
    closes_after_s: float = 0.0
    wrong: str = ""
    payments: int = 0
    pace_s: float = 0.0


class Said(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the process says of itself, a line each. `at` is the monotonic clock of this machine (s).

    "shown": the window stands; "open": what was open has been asked about, and it sells, after the
    machine had kept it waiting for a core for `text` seconds; "qr": `text` can
    be scanned from the screen; "money": the screen says that `text`, an attempt, is paid; "size": what a
    soak measures inside; "sold": all of a soak's payments were begun; "sees": what stands on the screen in the last
    life.
    """

    what: str
    at: float
    text: str = ""
    wall_ms: int = 0


class Left(msgspec.Struct, frozen=True, kw_only=True):
    """A request whose first byte is about to leave. `seq`: the last durable number of the journal then."""

    at: int
    operation: str
    seq: int
    body: str


def staff(number: int) -> tuple[Colleague, ...]:
    """So many people; the first and each fourth is a manager."""
    return tuple(
        Colleague(
            f"person-{place + 1}",
            f"Cashier {place + 1:02}",
            f"94770000{100 + place}",
            Role.MANAGER if place % 4 == 0 else Role.CASHIER,
        )
        for place in range(number)
    )
