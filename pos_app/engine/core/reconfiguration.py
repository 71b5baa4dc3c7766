"""New settings for an engine that is at work: each part gets them, the journal says so. It asks nobody."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.people import TERMINAL
from pos_app.engine.core.config import EngineConfig, Reconfigured, SettingsNotWritten, SetUpNews
from pos_app.engine.core.live_payments import LivePayments

IN_FORCE = "SETTINGS_IN_FORCE"
NOT_WRITTEN = "SETTINGS_NOT_WRITTEN"


class Reconfiguration:
    """`parts` take the new config, one after the other, between two events."""

    def __init__(
        self, config: EngineConfig, live_payments: LivePayments, *parts: Callable[[EngineConfig], None]
    ) -> None:
        self._identity = identity_of(config)
        self._live_payments = live_payments
        self._parts = parts

    def heard(self, news: SetUpNews) -> None:
        """Takes the news, and notes it."""
        match news:
            case Reconfigured():
                if identity_of(news.config) != self._identity:
                    raise ValueError("another till's settings: its journal is another one")
                for take in self._parts:
                    take(news.config)
                self._note(IN_FORCE, news.who, changed=list(news.changed))
            case SettingsNotWritten():
                self._note(NOT_WRITTEN, news.who, request_id=news.request_id, why=news.why)

    def _note(self, kind: str, who: str, **content: object) -> None:
        self._live_payments.write([self._live_payments.record(kind, TERMINAL, who, content=content)])


def identity_of(config: EngineConfig) -> tuple[str, ...]:
    """What open payments belong to: it cannot change under them."""
    counter_id, currency = str(config.counter_id), config.currency.code
    return (config.environment.value, config.origin, config.merchant_id, counter_id, currency)
