"""What the cashier reads at one moment: the words of the window's own pure parts, put together as its panels do."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pos_app.domain.attempt import Attempt, Environment, State
from pos_app.domain.money import currency
from pos_app.domain.views import AttemptChanged, Block, ChargeDeclined, Connection, SignIn, Terminal
from pos_app.i18n.words.printing import words as printing_words
from pos_app.i18n.words.till import words
from pos_app.ui.dialogs.sign_in.steps import Picture, picture
from pos_app.ui.till.notices.notice_words import block_words
from pos_app.ui.till.payment.panel_model import Act, PanelModel, Tone, minutes, next_step, present, warning
from pos_app.ui.view_config import TillViewConfig

FACE = TillViewConfig(
    shop_name="Corner Shop",
    counter_id=1,
    currency=currency("LKR"),
    country="LK",
    environment=Environment.SANDBOX,
)
WORDS = words
PAYING = frozenset({Act.QR, Act.PUSH})


class Screen:
    """A moment. `passed_s`: how long ago the attempt's picture was published."""

    def __init__(
        self,
        *,
        change: AttemptChanged | None,
        passed_s: float,
        terminal: Terminal,
        declined: ChargeDeclined | None,
        sign_in: SignIn | None,
        at: int,
    ) -> None:
        self.change = change
        self.passed_s = passed_s
        self.terminal = terminal
        self.declined = declined
        self.sign_in = sign_in
        self.at = at

    @property
    def attempt(self) -> Attempt:
        """The payment on the panel."""
        assert self.change is not None
        return self.change.attempt

    @property
    def state(self) -> State | None:
        """Of that payment."""
        return self.change.attempt.state if self.change else None

    @cached_property
    def telling(self) -> PanelModel:
        """The panel's words and buttons."""
        assert self.change is not None
        return present(self.change, FACE, WORDS)

    @property
    def acts(self) -> frozenset[Act]:
        """The buttons."""
        return frozenset(self.telling.acts) if self.change else frozenset()

    @property
    def elapsed_s(self) -> float:
        """Since the tap."""
        return self.change.activity.elapsed_s + self.passed_s if self.change else 0.0

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Everything that can be read, top to bottom."""
        parts = [WORDS.connection[self.terminal.connection]]
        if self.change is None:
            parts.append(block_words(self.terminal, FACE, WORDS))
        if self.declined is not None:
            parts.append(WORDS.decline[self.declined.decline])
        if self.change is not None:
            parts += self._waiting() if self.telling.tone is Tone.WAITING else self._result()
        parts.append(printing_words.mark(self.terminal.printing))
        return tuple(part for part in parts if part)

    def _waiting(self) -> list[str]:
        change, telling = self.change, self.telling
        assert change is not None
        step = next_step(change.attempt, self.elapsed_s, WORDS)
        return [
            telling.lead or telling.headline,
            FACE.money(change.attempt.amount),
            minutes(self.elapsed_s),
            WORDS.result.sale.format(sale=change.attempt.sale_id),
            step.sentence,
            self._warning(change),
        ]

    def _warning(self, change: AttemptChanged) -> str:
        halted = self.terminal.block is Block.JOURNAL_HALTED
        return warning(change.attempt, change.activity, self.passed_s, WORDS, halted=halted)

    def _result(self) -> list[str]:
        change, telling, said = self.change, self.telling, WORDS.result
        assert change is not None
        attempt = change.attempt
        parts = [
            telling.headline,
            FACE.money(attempt.amount),
            said.sale.format(sale=attempt.sale_id),
            telling.lead,
            telling.more,
        ]
        if telling.tone is Tone.NOT_KNOWN and not attempt.is_final:
            parts.append(self._warning(change))
            parts.append(f"{said.checking} {minutes(self.elapsed_s)}")
        if self.terminal.block is Block.JOURNAL_HALTED and not attempt.is_open:
            figure = FACE.figure(attempt.amount)
            parts.append(
                said.write_down.format(
                    sale=attempt.sale_id, state=WORDS.state[attempt.state].upper(), figure=figure
                )
            )
        return parts

    @cached_property
    def text(self) -> str:
        """All of it."""
        return " | ".join(self.lines)

    @cached_property
    def dialog(self) -> Picture:
        """The sign-in."""
        return picture(Picture(), self.sign_in, "Nimali") if self.sign_in else Picture()

    @property
    def connection(self) -> Connection:
        """How the service is shown to answer."""
        return self.terminal.connection

    def says(self, *parts: str) -> list[str]:
        """What of this cannot be read, whatever its case."""
        text = self.text.casefold()
        return [
            f"the screen does not say {part!r}: {self.text}" for part in parts if part.casefold() not in text
        ]

    def __repr__(self) -> str:
        buttons: Any = sorted(act.value for act in self.acts)
        return f"{self.at / 1000:.1f} s {self.text} {buttons}"


class Shown:
    """What a till published last, of each kind and each attempt, with the time."""

    def __init__(self, life: int) -> None:
        self.life = life
        self.changes: dict[str, tuple[AttemptChanged, int]] = {}
        self.terminal = Terminal()
        self.declined: ChargeDeclined | None = None
        self.sign_in: SignIn | None = None

    def of(self, attempt_id: str) -> tuple[AttemptChanged | None, int]:
        """An attempt, or the one that changed last."""
        if attempt_id:
            return self.changes.get(attempt_id, (None, 0))
        return next(reversed(self.changes.values()), (None, 0))
