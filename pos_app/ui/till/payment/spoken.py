"""What is said aloud of the payment on the panel: what it means for the money first. Pure, like telling."""

from __future__ import annotations

from pos_app.domain.attempt import State
from pos_app.domain.views import AttemptChanged
from pos_app.i18n.words.till import Words
from pos_app.ui.till.payment.panel_model import PanelModel, Tone
from pos_app.ui.till.payment.waiting_words import next_step
from pos_app.ui.view_config import TillViewConfig


def spoken(change: AttemptChanged, model: PanelModel, config: TillViewConfig, words: Words) -> str:
    """The state, the amount and the next step. Without times: a sentence that changes is said again."""
    money = config.money(change.attempt.amount)
    if model.tone is Tone.WAITING:
        now = next_step(change.attempt, change.activity.elapsed_s, words).sentence
        return _sentences(model.lead or model.headline, money, now)
    if model.tone is Tone.AGED:
        return _sentences(words.state[State.PAID], money, model.lead)
    return _sentences(model.headline, money, model.lead, model.more)


def _sentences(*parts: str) -> str:
    """A pause after each."""
    return " ".join(part if part[-1] in ".!?…" else f"{part}." for part in parts if part)
