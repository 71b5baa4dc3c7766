"""The line to the service: what each reply says about it (rule 19 and the back-off)."""

from contextlib import closing
from pathlib import Path

import pytest

from pos_app.domain.attempt import Kind
from pos_app.domain.events import CancelAnswered, InitiateAnswered, StatusAnswered
from pos_app.domain.replies import Listing, NoAnswer, Refused, Why
from pos_app.domain.views import Connection
from pos_app.engine.connection.calls import HELD_BACK, UNSENT, ProbeAnswered, TokenLooked
from pos_app.engine.connection.monitor import LOOK_MS, PROBE_MS, ConnectionMonitor, News
from pos_app.engine.core.live_payments import LivePayments
from pos_app.services.client import ServiceClient
from pos_app.services.payments import Payments
from pos_app.services.token import ClientCredentials, FetchedTokens, StaticTokens
from pos_app.services.token_sources import TokenServer
from tests.support.memory_journal import DiskTroubleError, MemoryJournal
from tests.unit.domain.flow.story import NOT_FOUND, TIME_OUT, UNAUTHORISED, busy
from tests.unit.engine.recorder import START, FakeClock, Recorder
from tests.unit.services.certificates import make, server_context
from tests.unit.services.conftest import MERCHANT, TOKEN
from tests.unit.services.live import PATIENT
from tests.unit.services.raw_server import RawServer, http_reply, says

FORBIDDEN = NoAnswer(Why.FORBIDDEN, sent=True, http_status=403)


@pytest.fixture
def clock() -> FakeClock:
    """Stands still."""
    return FakeClock()


@pytest.fixture
def calls(memory: MemoryJournal) -> Recorder:
    """What the monitor asks for."""
    return Recorder(memory)


@pytest.fixture
def monitor(memory: MemoryJournal, clock: FakeClock, calls: Recorder) -> ConnectionMonitor:
    """Of a till without payments."""
    return ConnectionMonitor(LivePayments(memory, clock, (DiskTroubleError,)), calls, clock)


def asked(reply: object) -> StatusAnswered:
    """What came of an ask."""
    return StatusAnswered("A1", reply)  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", [asked(NOT_FOUND), asked(Refused("5999")), ProbeAnswered(Listing())])
def test_any_envelope_is_a_connection(
    monitor: ConnectionMonitor, answer: StatusAnswered | ProbeAnswered
) -> None:
    """Also a refusal."""
    assert monitor.heard(answer) is News.CHANGED
    assert (monitor.connection, monitor.probe_at) == (Connection.CONNECTED, None)
    assert monitor.heard(answer) is News.NOTHING


def test_a_lost_line_that_answers_has_returned(monitor: ConnectionMonitor, clock: FakeClock) -> None:
    """Everybody is asked about."""
    assert monitor.heard(asked(TIME_OUT)) is News.CHANGED
    assert (monitor.connection, monitor.probe_at) == (Connection.LOST, START + PROBE_MS)
    clock.ms += 5
    assert monitor.heard(asked(TIME_OUT)) is News.NOTHING
    assert monitor.probe_at == START + PROBE_MS
    assert monitor.heard(asked(NOT_FOUND)) is News.RETURNED


@pytest.mark.parametrize("reply", [UNSENT, HELD_BACK])
def test_what_was_never_sent_says_nothing_of_the_line(monitor: ConnectionMonitor, reply: NoAnswer) -> None:
    """The till's own words, where its disk refused, or somebody wished otherwise in time."""
    assert monitor.heard(InitiateAnswered("A1", reply, resend=False)) is News.NOTHING
    assert (monitor.connection, monitor.probe_at) == (Connection.UNKNOWN, None)


@pytest.mark.parametrize(
    "status", ["407 Proxy Authentication Required", "511 Network Authentication Required"]
)
def test_a_network_that_wants_a_log_in_is_not_the_service(monitor: ConnectionMonitor, status: str) -> None:
    """Whoever reads "no connection" looks at the cable."""
    page = http_reply(b"<html>Log in</html>", status, b"Content-Type: text/html\r\n")
    with RawServer() as server:
        server.play = says(page)
        client = ServiceClient(server.url, allow_loopback_http=True)
        with closing(client):
            payments = Payments(client, MERCHANT, StaticTokens(TOKEN), deadlines=PATIENT)
            monitor.heard(asked(payments.get_status("A1")))
    assert monitor.connection is Connection.STRANGE


def test_a_network_that_shows_a_certificate_of_its_own_is_not_the_service(
    monitor: ConnectionMonitor, tmp_path: Path
) -> None:
    """A portal that comes up in the middle of a payment: the service's address leads to it."""
    portal = server_context(tmp_path, make("portal", hosts=("127.0.0.1",)))
    with RawServer(portal) as server, closing(ServiceClient(server.url)) as client:
        payments = Payments(client, MERCHANT, StaticTokens(TOKEN), deadlines=PATIENT)
        monitor.heard(asked(payments.get_status("A1")))
    assert monitor.connection is Connection.STRANGE
    assert server.heard == b""


@pytest.mark.parametrize("status", ["200 OK", "407 Proxy Authentication Required"])
def test_a_log_in_page_in_the_token_server_s_place_has_refused_nobody(
    monitor: ConnectionMonitor, status: str
) -> None:
    """All selling stopped for a sign-in that was never asked about, and the manager looked for another token."""
    page = http_reply(b"<html>Log in</html>", status, b"Content-Type: text/html\r\n")
    credentials = ClientCredentials("till", TOKEN, "/token")
    with RawServer() as server:
        server.play = says(page)
        client = ServiceClient(server.url, allow_loopback_http=True)
        with closing(client):
            tokens = FetchedTokens(TokenServer(client, credentials, 5))
            payments = Payments(client, MERCHANT, tokens, deadlines=PATIENT)
            monitor.heard(InitiateAnswered("A1", payments.initiate(Kind.PUSH, b"{}"), resend=False))
    assert monitor.connection is Connection.STRANGE
    assert not monitor.sign_in_refused


def test_the_next_probe_is_due_later(monitor: ConnectionMonitor) -> None:
    """The first is asked once; after it a line that says nothing is asked again."""
    monitor.probe()
    assert monitor.probe_at is None
    monitor.heard(ProbeAnswered(TIME_OUT))
    monitor.probe()
    assert monitor.probe_at == START + PROBE_MS


def test_a_slow_line_that_answers_has_not_returned(monitor: ConnectionMonitor) -> None:
    """Asking about everybody at once would be the next 429."""
    monitor.heard(asked(busy()))
    assert monitor.connection is Connection.SLOW
    assert monitor.heard(asked(NOT_FOUND)) is News.CHANGED


def test_401_refuses_the_sign_in_until_an_envelope_comes(monitor: ConnectionMonitor) -> None:
    """Rule 19: a time-out does not lift it."""
    monitor.heard(InitiateAnswered("A1", UNAUTHORISED, resend=False))
    assert monitor.sign_in_refused
    monitor.heard(asked(TIME_OUT))
    assert monitor.sign_in_refused
    assert monitor.heard(asked(NOT_FOUND)) is News.SIGN_IN_RENEWED
    assert not monitor.sign_in_refused


@pytest.mark.parametrize(
    ("second", "refused"), [(asked(FORBIDDEN), False), (CancelAnswered("A1", FORBIDDEN), True)]
)
def test_403_refuses_it_on_two_different_operations(
    monitor: ConnectionMonitor, second: StatusAnswered | CancelAnswered, refused: bool
) -> None:
    """Twice the same is one operation that is not allowed."""
    monitor.heard(asked(FORBIDDEN))
    monitor.heard(second)
    assert monitor.sign_in_refused is refused


def test_a_probe_is_the_operation_that_it_asks_by(monitor: ConnectionMonitor) -> None:
    """Of a till without payments: today's list."""
    monitor.probe()
    monitor.heard(asked(FORBIDDEN))
    monitor.heard(ProbeAnswered(FORBIDDEN))
    assert monitor.sign_in_refused


def test_an_envelope_between_two_403_begins_anew(monitor: ConnectionMonitor) -> None:
    """The sign-in was good then."""
    monitor.probe()
    monitor.heard(asked(FORBIDDEN))
    monitor.heard(ProbeAnswered(NOT_FOUND))
    monitor.heard(CancelAnswered("A1", FORBIDDEN))
    assert not monitor.sign_in_refused


@pytest.mark.parametrize("why", [Why.REDIRECT, Why.UNREADABLE])
def test_what_answers_in_the_services_place_is_told_from_silence(
    monitor: ConnectionMonitor, why: Why
) -> None:
    """A network that wants a log-in answers everything with its own page; nobody finds that behind "no connection"."""
    monitor.heard(asked(NoAnswer(why, sent=True, http_status=200)))
    assert (monitor.connection, monitor.probe_at) == (Connection.STRANGE, START + PROBE_MS)
    assert monitor.heard(asked(NOT_FOUND)) is News.RETURNED


def test_another_token_is_looked_for_while_the_sign_in_is_refused_and_tried_at_once(
    monitor: ConnectionMonitor, calls: Recorder, clock: FakeClock
) -> None:
    """One look after the other, whatever the place of the tokens takes; the probes go on beside them."""
    monitor.heard(asked(UNAUTHORISED))
    monitor.heard(asked(UNAUTHORISED))
    assert monitor.look_at == START + LOOK_MS
    monitor.tick(clock.now())
    assert names(calls) == []
    clock.ms += LOOK_MS
    monitor.tick(clock.now())
    monitor.heard(asked(UNAUTHORISED))
    assert names(calls) == ["look for token"]
    monitor.looked(TokenLooked(has_changed=False))
    assert (names(calls), monitor.look_at) == (["look for token"], clock.now() + LOOK_MS)
    monitor.looked(TokenLooked(has_changed=True))
    assert names(calls) == ["look for token", "probe"]
    clock.ms += PROBE_MS
    monitor.tick(clock.now())
    assert names(calls) == ["look for token", "probe", "look for token", "probe"]


def test_nothing_is_looked_for_once_the_sign_in_is_good(monitor: ConnectionMonitor, calls: Recorder) -> None:
    """A look that was under way then says nothing more."""
    monitor.heard(asked(UNAUTHORISED))
    monitor.heard(asked(NOT_FOUND))
    assert monitor.look_at is None
    monitor.looked(TokenLooked(has_changed=True))
    assert (names(calls), monitor.look_at) == ([], None)


def names(calls: Recorder) -> list[str]:
    """What was asked for, in order."""
    return [str(each[0]) for each in calls.made]
