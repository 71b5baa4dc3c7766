"""One life of the real till, with a cashier at it; dies as it was ordered to.

python -m tests.verification.campaign.kills.till
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from pos_app.app import run
from pos_app.app.session import Session
from pos_app.bootstrap import journal as opening_journal
from pos_app.bootstrap import shop
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.sandbox_control import Control, ControlError
from pos_app.bootstrap.sandbox_process import Details
from pos_app.cli import main as cli
from pos_app.cli.parser import options_of
from pos_app.domain.attempt import Environment
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.phone import mask_number
from pos_app.domain.record import Record
from pos_app.domain.views import Block, Published, Terminal
from pos_app.journal import Journal, open_journal
from tests.support.driver import Driver
from tests.verification.campaign.kills.cashier import Cashier
from tests.verification.campaign.kills.hooks import Death, SentLog, hook
from tests.verification.campaign.kills.orders import Orders, Said
from tests.verification.simulation.planting import Planter

LOOK_MS = 40
TELLS_AFTER_LOOKS = 50
"""In the last life, what stands on the screen is told so often: whoever reads of a finding sees where it stood."""
MONEY = ("PAID",)


def say(what: str, text: str = "") -> None:
    """A line for whoever watches; a pipe takes it whole."""
    said = Said(what=what, at=time.monotonic(), text=text, wall_ms=int(time.time() * 1000))
    os.write(1, msgspec.json.encode(said) + b"\n")


def waited_s() -> float:
    """How long the machine kept this process's main thread waiting for a core, so far."""
    return int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9


class Shift(QObject):
    """Watches one session from its window's thread, and lets the cashier look at it."""

    cashier: type[Cashier] = Cashier
    look_ms = LOOK_MS

    def __init__(self, session: Session, orders: Orders, death: Death) -> None:
        super().__init__()
        self._session = session
        self._orders = orders
        self._death = death
        self._open = False
        self._shown_paid = ""
        self._looks = 0
        details = Details(orders.control_url, orders.control_url, orders.control_token, "", "", "", "")
        self._control = Control(details)
        self._hands = Driver(session.window)
        self._cashier = self.cashier(self._hands, orders, self._code_of, self._is_paid)
        self._closes_after_s = orders.closes_after_s
        session.painted.connect(self._painted)
        session.bridge.published.connect(self._published)
        session.window.qr_changed.connect(self._qr_changed)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)

    def _painted(self) -> None:
        self._death.passing("start:painted")
        say("shown")
        self._timer.start(self.look_ms)
        if self._closes_after_s:
            QTimer.singleShot(
                int(self._closes_after_s * 1000), self._session.window, self._session.window.close
            )

    def _published(self, published: Published) -> None:
        if not self._open and isinstance(published, Terminal) and published.block is not Block.STARTING:
            self._open = True
            self._death.passing("start:for sale")
            say("open", f"{waited_s():.3f}")

    def _qr_changed(self, text: str) -> None:
        if text:
            say("qr", text)

    def _look(self) -> None:
        if not self._session.window.isVisible():
            return  # It is closing: nobody can press anything on it.
        shown_id = self._session.window.shown_id
        if self._hands.text("result_headline").startswith(MONEY) and shown_id != self._shown_paid:
            self._shown_paid = shown_id
            say("money", shown_id)
        self._looks += 1
        if self._orders.tidy and self._looks % TELLS_AFTER_LOOKS == 0:
            say("sees", " · ".join(self._hands.words())[:1_000])
        self._cashier.look()

    def _code_of(self, msisdn: str) -> str:
        try:
            inbox: list[dict[str, Any]] = self._control.get(f"/sms?msisdn={msisdn}")
        except ControlError:
            return ""
        return str(inbox[0]["code"]) if inbox else ""

    def _is_paid(self, attempt_id: str) -> bool:
        try:
            status: str = self._control.get(f"/transactions/{attempt_id}")["status"]
        except ControlError:
            return False
        return status == "Payment Success"


def enrol(orders: Orders) -> None:
    """The people, in a journal that has none yet."""
    journal = open_journal_of(orders)
    wall = datetime.now().astimezone().isoformat(timespec="milliseconds")
    if not journal.people():
        journal.append([enrolment(journal, wall, place, orders) for place in range(len(orders.people))])
    journal.close()


def open_journal_of(orders: Orders) -> Journal:
    """The journal, as the till opens it."""
    folder = shop.data_folder(options_in(orders), Environment.SANDBOX.value)
    return opening_journal.open_journal_of(folder, Environment.SANDBOX)


def enrolment(journal: Journal, wall: str, place: int, orders: Orders) -> Record:
    """One of the people, as an earlier day left them."""
    one = orders.people[place]
    number = f"+{one.msisdn}"
    return Record(
        kind="PERSON_ENROLLED",
        subject=one.person_id,
        actor=TERMINAL,
        at=journal.last_at(),
        wall=wall,
        person=Person(
            person_id=one.person_id,
            name=one.name,
            role=one.role,
            number_mask=mask_number(number),
            number_digest=journal.digest(number),
        ),
        sealed=number.encode(),
    )


def options(orders: Orders) -> list[str]:
    """The till's command line."""
    return [
        f"--config={Path(orders.config_dir, 'config.toml')}",
        f"--secrets-file={Path(orders.config_dir, 'secrets.toml')}",
        f"--data-dir={orders.data_dir}",
    ]


def options_in(orders: Orders) -> Options:
    """The same, read."""
    return options_of(cli.parser().parse_args(options(orders)))


def _hook_start(orders: Orders, death: Death, log: SentLog, shift: type[Shift]) -> None:
    """The points of a start and of an end, and the shift that begins with the window."""
    planter = Planter()
    ended: list[bool] = []
    shifts: list[Shift] = []

    def opened(path: Path, key: bytes, environment: Environment, **known: Any) -> Journal:
        death.passing("start:journal")
        journal = open_journal(path, key, environment, **known)
        log.seq = journal.head()[0]
        death.passing("start:journal is open")
        return journal

    def shown(app: run.App, session: Session) -> None:
        death.passing("start:window")
        shifts.append(shift(session, orders, death))
        show(app, session)

    def stopped(app: run.App) -> bool:
        ended.append(True)
        death.passing("close:asked")
        return bool(stop(app))

    def closed(journal: Journal) -> None:
        if ended:
            death.passing("close:threads ended")
        close(journal)
        if ended:
            death.passing("close:journal is closed")

    planter.put(opening_journal, "open_journal", opened)
    show = planter.put(run.App, "_show", shown)
    stop = planter.put(run.App, "stop", stopped)
    close = planter.put(Journal, "close", closed)


def _end_with_parent() -> None:
    """Nobody is left who would kill this: standard input closes."""

    def wait() -> None:
        os.read(0, 1)
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def main(
    shift: type[Shift] = Shift,
    people: Callable[[Orders], None] = enrol,
    points: Callable[[Death], None] = lambda _death: None,
) -> int:
    """The till's exit code, if it comes to that. `points`: puts more of them into this process."""
    orders = msgspec.json.decode(sys.stdin.readline(), type=Orders)
    _end_with_parent()
    death, log = Death(orders.die_at, orders.die_on), SentLog(Path(orders.sent_log))
    hook(death, log)
    _hook_start(orders, death, log, shift)
    points(death)
    if orders.wrong:
        from tests.verification.simulation.wrong_tills import WRONG_TILLS

        WRONG_TILLS[orders.wrong](Planter())
    death.passing("start:process")
    if not (enrolled := Path(orders.sent_log).with_suffix(".enrolled")).exists():
        people(orders)
        enrolled.touch()
    return cli.main(options(orders))


if __name__ == "__main__":
    assert QApplication.instance() is None
    sys.exit(main())
