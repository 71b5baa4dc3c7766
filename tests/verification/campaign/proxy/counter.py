"""One real till without a window, on a real journal, that reaches the service through its own proxy and resolver."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from pos_app.domain.attempt import Environment
from pos_app.domain.flow import Rules
from pos_app.domain.money import currency
from pos_app.domain.otp import OtpLimits
from pos_app.domain.secret import Secret
from pos_app.domain.views import AttemptChanged, Block, Connection, Published, SignIn, Terminal
from pos_app.engine import headless
from pos_app.engine.connection.worker_pool import ServiceRoute
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.mailbox import Message
from pos_app.engine.till import Till
from pos_app.journal import Journal, open_journal, read_only
from pos_app.services.client import ServiceClient
from pos_app.services.deadlines import Deadlines
from pos_app.services.open import Services
from pos_app.services.otp import OtpSms
from pos_app.services.payments import Merchant, Payments
from pos_app.services.token import StaticTokens
from tests.verification.campaign.proxy.diary import Diary, Entry, Overheard, Started
from tests.verification.campaign.proxy.identities import HOST
from tests.verification.campaign.proxy.proxy import FaultProxy
from tests.verification.campaign.proxy.road import Road
from tests.verification.campaign.proxy.shop import Shop
from tests.verification.campaign.proxy.wire import Request

KEY = bytes(range(32))
START_LIMIT_S = 20.0
MOST_CODES = 1_000

DEADLINES = Deadlines(ask_s=0.8, cancel_s=0.8, query_s=0.8, initiate_s=1.0, otp_s=1.0, connect_s=0.8)

RULES = Rules(
    silent_initiate=400,
    connect_retries=(50, 150),
    resend_delays=(150, 500, 1_500),
    give_up_ask_wait=200,
    unresolved_after_give_up=6_000,
    cancel_spacing=300,
    close_spacing=300,
    http_refusal_spacing=200,
    contradiction_spacing=500,
    rechecks=(300, 60_000),
    refusal_checks=(60, 150, 400),
    first_ask=150,
    polling=((60_000, 150), (180_000, 300)),
    progress_burst=(30_000, 100),
    released_polling=((900_000, 500), (3_600_000, 30_000)),
    back_off=(50, 100, 200, 400, 500),
)
"""The till's own settings: the same rules at ten to twenty times the pace."""

Found = TypeVar("Found")


class Counter:
    """`start` and `stop` as often as wanted, on one journal; `with` is for the proxy, and ends both."""

    def __init__(
        self, shop: Shop, folder: Path, *, tls: bool, meanwhile: Callable[[Request, str], None]
    ) -> None:
        folder.mkdir(parents=True)
        self._shop = shop
        self._tls = tls
        self.path = folder / "journal.db"
        self.diary = Diary()
        context: ssl.SSLContext | None = shop.identities.good if tls else None
        self.proxy = FaultProxy(shop.port, self._durable, meanwhile, context)
        self.road = Road(self.proxy.port, shop.nowhere)
        self._journal: Journal | None = None

    def __enter__(self) -> Self:
        self.proxy.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        self.road.mend()
        self.stop()
        self.proxy.__exit__(kind, what, where)

    def start(self) -> None:
        """A till that has just been switched on."""
        self.diary.add(Started())
        self._journal = open_journal(self.path, KEY, Environment.SANDBOX)
        self._till = Till(
            self._config(),
            self._journal,
            ServiceRoute(self._services, "chargeTotal"),
            self._said,
            Overheard(self.diary),
        )
        self._thread = threading.Thread(target=headless.run, args=(self._till,), name="till")
        self._thread.start()

    def stop(self) -> None:
        """Switched off; the journal is closed."""
        journal, self._journal = self._journal, None
        if journal is None:
            return
        self._till.stop()
        self._thread.join(START_LIMIT_S)
        journal.close()

    def _said(self, published: Published) -> None:
        self.diary.add(published)

    def _config(self) -> EngineConfig:
        return EngineConfig(
            environment=Environment.SANDBOX,
            merchant_id=self._shop.sandbox.merchant_pg_identifier,
            counter_id=1,
            currency=currency("LKR"),
            country="LK",
            max_amount=Decimal("999999.99"),
            give_up_after_ms=60_000,
            otp_message="Your code is {{code}}.",
            rules=RULES,
            otp_limits=OtpLimits(sends_per_window=10, spacing_ms=(0, 0)),
        )

    def _services(self) -> Services:
        sandbox = self._shop.sandbox
        scheme = "https" if self._tls else "http"
        client = ServiceClient(
            f"{scheme}://{HOST}:{self.proxy.port}",
            str(self._shop.identities.ca_file) if self._tls else "",
            allow_loopback_http=True,
            connect_s=DEADLINES.connect_s,
            lookup=self.road,
        )
        tokens = StaticTokens(Secret(sandbox.access_token))
        merchant = Merchant(
            sandbox.merchant_pg_identifier,
            Secret(sandbox.merchant_secret_code),
            Secret(sandbox.merchant_password),
        )
        payments = Payments(client, merchant, tokens, deadlines=DEADLINES)
        return Services(payments, OtpSms(client, tokens, DEADLINES), (client,))

    def _durable(self, request: Request) -> bool:
        """Whether the journal held what this request is the consequence of before it arrived."""
        if request.operation not in ("initiate", "cancel", "validate-code"):
            return True
        journal = read_only(self.path)
        try:
            if request.operation == "validate-code":
                heard = [each.request.operation for each in self.proxy.heard]
                return len(journal.otp_sends(MOST_CODES)) > heard.count("validate-code")
            attempt = journal.attempt(request.attempt_id)
            if attempt is None:
                return False
            return request.operation == "initiate" or attempt.cancel_wish is not None
        finally:
            journal.close()

    def post(self, event: Message) -> None:
        """A wish of the people at the till."""
        self._till.post(event)

    def wait(self, what: str, look: Callable[[Sequence[Entry]], Found | None], limit_s: float) -> Found:
        """What the diary shows as soon as it does. Raises StuckError."""
        return self.diary.wait_for(what, look, limit_s)

    def wait_until_open(self) -> None:
        """New payments may start, and the service has been heard."""
        self.wait("open till", is_open, START_LIMIT_S)


def pictures_of(entries: Sequence[Entry], attempt_id: str = "", sale_id: str = "") -> list[AttemptChanged]:
    """All pictures of an attempt, of a sale, or of anything, oldest first."""
    return [
        entry
        for entry in entries
        if isinstance(entry, AttemptChanged)
        and attempt_id in ("", entry.attempt.attempt_id)
        and sale_id in ("", entry.attempt.sale_id)
    ]


def newest(entries: Sequence[Entry], attempt_id: str = "", sale_id: str = "") -> AttemptChanged | None:
    """The last picture of the newest attempt among them."""
    best: AttemptChanged | None = None
    for picture in pictures_of(entries, attempt_id, sale_id):
        if best is None or picture.attempt.number >= best.attempt.number:
            best = picture
    return best


def terminal_in(entries: Sequence[Entry]) -> Terminal:
    """The terminal as it was last shown since it was switched on."""
    for each in reversed(entries):
        if isinstance(each, Terminal):
            return each
        if isinstance(each, Started):
            break
    return Terminal()


def sign_in_in(entries: Sequence[Entry]) -> SignIn | None:
    """The dialog as it was last shown."""
    return next((each for each in reversed(entries) if isinstance(each, SignIn)), None)


def is_open(entries: Sequence[Entry]) -> bool | None:
    """True once it is."""
    terminal = terminal_in(entries)
    heard = terminal.connection is not Connection.UNKNOWN
    return True if terminal.block is Block.NONE and heard else None
