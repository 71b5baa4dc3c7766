"""The panel at the right of the till in every state of a payment, and before one. No payment is behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.domain.attempt import Kind, State
from pos_app.domain.phone import NumberError, NumberProblem
from pos_app.domain.views import AttemptChanged, Block, Decline, Terminal
from pos_app.gallery.exhibit import Exhibit
from pos_app.gallery.payments import REASONS, RESULTS, WAITING
from pos_app.gallery.samples import attempt, change, config, recent, terminal
from pos_app.i18n.words.till import words
from pos_app.i18n.words.times import words as times
from pos_app.ui.theme.tokens import S3
from pos_app.ui.till.notices.notices import Notices
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.window.panels import Panels

PANEL = (892, 580)
"""What the panel has of a window of 1366×768, and the ground around it."""
_FIGURE = "1,250.00"
AGED = "paid-six-minutes-ago"


class Stand(QWidget):
    """A panel on the till's ground."""

    def __init__(self, encoder: QrEncoder, *, default: Kind = Kind.QR) -> None:
        super().__init__()
        self.config = config(default_method=default)
        self.panels = Panels(self.config, words, encoder)
        column = QVBoxLayout(self)
        column.setContentsMargins(S3, S3, S3, S3)
        column.addWidget(self.panels)

    def is_ready(self) -> bool:
        """Whether the code, if there is one, has come."""
        waiting = self.panels.waiting
        if waiting is None or self.panels.current is not waiting:
            return True
        return waiting.qr.isHidden() or waiting.qr.is_shown


def _exhibit(name: str, build: Callable[[], QWidget]) -> Exhibit:
    return Exhibit(name, build, PANEL, lambda made: isinstance(made, Stand) and made.is_ready())


def _shown(encoder: QrEncoder, seen: AttemptChanged) -> QWidget:
    made = Stand(encoder)
    made.panels.show_change(seen, halted=False)
    return made


def _of(encoder: QrEncoder, changes: Mapping[str, AttemptChanged]) -> list[Exhibit]:
    return [_exhibit(name, partial(_shown, encoder, seen)) for name, seen in changes.items()]


def _aged(encoder: QrEncoder) -> QWidget:
    made = Stand(encoder)
    made.panels.show_change(RESULTS["paid"], halted=False, age=times.age(6 * 60))
    return made


def _told(encoder: QrEncoder, seen: Terminal) -> QWidget:
    made = Stand(encoder)
    Notices(made.panels.methods, made.config, words).take_terminal(seen)
    return made


def _declined(encoder: QrEncoder, why: Decline) -> QWidget:
    made = Stand(encoder)
    made.panels.methods.declined.say(words.decline[why], "warn")
    return made


def _ended(encoder: QrEncoder, state: State) -> QWidget:
    made = Stand(encoder)
    notices = Notices(made.panels.methods, made.config, words)
    notices.take_ended(change(attempt(state=state, amount=Decimal("380.00"))))
    notices.show_ended(lambda _attempt: True)
    return made


def _starting(encoder: QrEncoder) -> QWidget:
    made = Stand(encoder)
    made.panels.methods.set_starting(True)
    return made


def _number(encoder: QrEncoder, problem: NumberError | None) -> QWidget:
    made = Stand(encoder)
    made.panels.show_push(_FIGURE, None)
    if problem is not None:
        made.panels.push_problem("077 12" if not problem.short else "071234567", problem)
    return made


def _one_missing() -> NumberError:
    return NumberError(NumberProblem.TOO_SHORT, short=1, written="071 234 567_")


def before(encoder: QrEncoder) -> list[Exhibit]:
    """How does the customer pay, and all that may stand in the way."""
    blocks = [each for each in Block if each is not Block.NONE]
    twice = terminal(overpaid=(RESULTS["paid-twice"].sale,))
    return [
        _exhibit("ready", partial(Stand, encoder)),
        _exhibit("ready-push-first", partial(Stand, encoder, default=Kind.PUSH)),
        _exhibit("charge-starting", partial(_starting, encoder)),
        _exhibit("number", partial(_number, encoder, None)),
        *(
            _exhibit(f"number-{why.value}", partial(_number, encoder, NumberError(why)))
            for why in NumberProblem
        ),
        _exhibit("number-one-missing", partial(_number, encoder, _one_missing())),
        *(_exhibit(f"blocked-{block.value}", partial(_told, encoder, _blocked(block))) for block in blocks),
        *(_exhibit(f"declined-{why.value}", partial(_declined, encoder, why)) for why in Decline),
        _exhibit("parked-paid", partial(_ended, encoder, State.PAID)),
        _exhibit("parked-not-paid", partial(_ended, encoder, State.FAILED)),
        _exhibit("someone-paid-twice", partial(_told, encoder, twice)),
    ]


def _blocked(block: Block) -> Terminal:
    return terminal(block=block, open=recent()[-1:] if block is Block.STARTING else ())


def waiting(encoder: QrEncoder) -> list[Exhibit]:
    """While the customer is waited for."""
    return _of(encoder, WAITING)


def results(encoder: QrEncoder) -> list[Exhibit]:
    """How it ended; and the same once it is no more the one of the customer who stands there."""
    return [*_of(encoder, RESULTS), _exhibit(AGED, partial(_aged, encoder))]


def reasons(encoder: QrEncoder) -> list[Exhibit]:
    """Why it is not paid, or not known."""
    return _of(encoder, REASONS)
