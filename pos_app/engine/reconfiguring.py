"""New settings for an engine that is at work: each part gets them, the journal says so. It asks nobody."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.people import TERMINAL
from pos_app.engine.ledger import Ledger
from pos_app.engine.site import Reconfigured, SettingsNotWritten, SetUpNews, Site

IN_FORCE = "SETTINGS_IN_FORCE"
NOT_WRITTEN = "SETTINGS_NOT_WRITTEN"


class Reconfiguring:
    """`parts` take the new site, one after the other, between two events."""

    def __init__(self, site: Site, ledger: Ledger, *parts: Callable[[Site], None]) -> None:
        self._identity = identity_of(site)
        self._ledger = ledger
        self._parts = parts

    def heard(self, news: SetUpNews) -> None:
        """Takes the news, and notes it."""
        match news:
            case Reconfigured():
                if identity_of(news.site) != self._identity:
                    raise ValueError("another till's settings: its journal is another one")
                for take in self._parts:
                    take(news.site)
                self._note(IN_FORCE, news.who, changed=list(news.changed))
            case SettingsNotWritten():
                self._note(NOT_WRITTEN, news.who, request_id=news.request_id, why=news.why)

    def _note(self, kind: str, who: str, **content: object) -> None:
        self._ledger.write([self._ledger.record(kind, TERMINAL, who, content=content)])


def identity_of(site: Site) -> tuple[str, ...]:
    """What open payments belong to: it cannot change under them."""
    counter_id, currency = str(site.counter_id), site.currency.code
    return (site.environment.value, site.origin, site.merchant_id, counter_id, currency)
