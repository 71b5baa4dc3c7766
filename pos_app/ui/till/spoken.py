"""What is said aloud of the payment on the panel: what it means for the money first. Pure, like telling."""

from __future__ import annotations

from pos_app.domain.attempt import State
from pos_app.domain.views import AttemptChanged
from pos_app.ui.face import Face
from pos_app.ui.till.telling import Telling, Tone
from pos_app.ui.till.waiting_words import next_step
from pos_app.ui.words.till import Words


def spoken(change: AttemptChanged, telling: Telling, face: Face, words: Words) -> str:
    """The state, the amount and the next step. Without times: a sentence that changes is said again."""
    money = face.money(change.attempt.amount)
    if telling.tone is Tone.WAITING:
        now = next_step(change.attempt, change.activity.elapsed_s, words).sentence
        return _sentences(telling.lead or telling.headline, money, now)
    if telling.tone is Tone.AGED:
        return _sentences(words.state[State.PAID], money, telling.lead)
    return _sentences(telling.headline, money, telling.lead, telling.more)


def _sentences(*parts: str) -> str:
    """A pause after each."""
    return " ".join(part if part[-1] in ".!?…" else f"{part}." for part in parts if part)
