"""The till's whole window, as it stands in the states that are more than one panel. Nothing is posted anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import State
from pos_app.domain.views import Block, Connection, Published, Terminal
from pos_app.gallery.exhibit import Exhibit
from pos_app.gallery.payments import RESULTS
from pos_app.gallery.samples import attempt, change, config, recent, terminal
from pos_app.i18n.table import spoken
from pos_app.ui.till.window.main_window import MainWindow

WINDOW = (1366, 768)


def _window(*published: Published) -> QWidget:
    made = MainWindow(config(language=spoken()), lambda _command: None)
    for each in published:
        made.receive(each)
    return made


def windows() -> list[Exhibit]:
    """All of them."""
    late = change(attempt(state=State.PAID_LATE, ended_at=18_000))
    told: dict[str, Sequence[Published]] = {
        "first-day": (terminal(),),
        "ready": (terminal(recent=recent()),),
        "nobody-signed-in": (Terminal(block=Block.NONE, people=terminal().people),),
        "needs-attention": (terminal(recent=recent(), attention=recent()[:2]),),
        "starting": (terminal(block=Block.STARTING, open=recent()),),
        "record-halted": (terminal(block=Block.JOURNAL_HALTED, block_detail="disk full"),),
        "updating": (terminal(block=Block.UPDATING, recent=recent()),),
        "late": (terminal(recent=recent()), late),
        "paid-twice": (terminal(recent=recent(), overpaid=(RESULTS["paid-twice"].sale,)),),
        **{f"connection-{link.value}": (terminal(recent=recent(), connection=link),) for link in Connection},
    }
    return [Exhibit(name, partial(_window, *published), WINDOW) for name, published in told.items()]
