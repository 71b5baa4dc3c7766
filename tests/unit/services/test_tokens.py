"""Where tokens come from, when they are renewed, and what a refused one leads to."""

import base64
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pos_app.domain.attempt import Kind
from pos_app.domain.replies import NoAnswer, Refused, Why
from pos_app.domain.secret import Secret
from pos_app.services import token_sources
from pos_app.services.client import ServiceClient
from pos_app.services.errors import ConnectFailed, NoToken, NoTokenServer
from pos_app.services.otp import OtpSms
from pos_app.services.payments import Payments
from pos_app.services.token import LOOK_S, ClientCredentials, FetchedTokens, Grant, StaticTokens, Tokens
from pos_app.services.token_sources import FileTokens, TokenCommand, TokenServer
from tests.support.patience import PATIENCE_S
from tests.support.unprivileged import IS_ROOT, NOBODY, owned_folder
from tests.unit.services.conftest import MERCHANT
from tests.unit.services.live import PATIENT
from tests.unit.services.raw_server import Connection, RawServer, http_reply, says, told


class Giver:
    """Numbers its tokens; may be told to fail."""

    def __init__(self, lives_s: float | None = None) -> None:
        self.lives_s = lives_s
        self.given = 0
        self.limits: list[float] = []
        self.fails = False

    def __call__(self, limit_s: float) -> Grant:
        self.limits.append(limit_s)
        if self.fails:
            raise NoToken("none today")
        self.given += 1
        return Grant(Secret(f"token-{self.given}"), self.lives_s)


class Watch:
    """A monotonic clock that moves when told."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_fetched_token_is_kept_and_renewed_ahead_of_its_end() -> None:
    giver, watch = Giver(lives_s=3_600), Watch()
    tokens = FetchedTokens(giver, watch)
    assert tokens.token(5) == tokens.token(5) == Secret("token-1")
    watch.now += 3_539
    assert tokens.token(5) == Secret("token-1")
    watch.now += 2
    assert tokens.token(5) == Secret("token-2")


def test_a_short_life_is_renewed_in_its_last_fifth() -> None:
    giver, watch = Giver(lives_s=10), Watch()
    tokens = FetchedTokens(giver, watch)
    tokens.token(5)
    watch.now += 7.9
    assert tokens.token(5) == Secret("token-1")
    watch.now += 0.2
    assert tokens.token(5) == Secret("token-2")


def test_a_failed_early_renewal_is_no_harm_while_the_old_token_lives() -> None:
    giver, watch = Giver(lives_s=100), Watch()
    tokens = FetchedTokens(giver, watch)
    tokens.token(5)
    giver.fails = True
    watch.now += 85
    assert tokens.token(5) == Secret("token-1")
    assert tokens.token(5) == Secret("token-1")
    assert giver.limits == [5, 2.5], "it takes part of the time and is not tried at each call"
    watch.now += 16
    with pytest.raises(NoToken):
        tokens.token(5)


def test_a_refused_token_is_replaced_at_the_next_call_but_only_if_it_is_the_held_one() -> None:
    tokens = FetchedTokens(Giver())
    first = tokens.token(5)
    tokens.refused(Secret("an older one"))
    assert tokens.token(5) == first
    tokens.refused(first)
    assert tokens.token(5) == Secret("token-2")
    tokens.refused(first)
    assert tokens.token(5) == Secret("token-2")


def test_one_thread_fetches_and_the_others_wait_for_it() -> None:
    entered, go, giver = threading.Event(), threading.Event(), Giver()

    def slow(limit_s: float) -> Grant:
        entered.set()
        go.wait(PATIENCE_S)
        return giver(limit_s)

    tokens = FetchedTokens(slow)
    found: list[Secret] = []
    threads = [threading.Thread(target=lambda: found.append(tokens.token(5))) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert entered.wait(PATIENCE_S)
    with pytest.raises(ConnectFailed):
        tokens.token(0.05)
    go.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert found == [Secret("token-1")] * 8
    assert giver.given == 1


def test_whoever_waited_for_anothers_fetch_has_what_is_left_of_its_own_time() -> None:
    """A token server that hangs must not make a call last twice as long as it may."""
    entered, waits, go, limits = threading.Event(), threading.Event(), threading.Event(), list[float]()
    watch = Watch()

    def asked() -> float:
        if threading.current_thread().name == "waits":
            waits.set()
        return watch()

    def hangs(limit_s: float) -> Grant:
        limits.append(limit_s)
        entered.set()
        go.wait(PATIENCE_S)
        raise ConnectFailed("no reply")

    tokens = FetchedTokens(hangs, asked)

    def ask() -> None:
        with suppress(ConnectFailed):
            tokens.token(5)

    threads = [threading.Thread(target=ask, name=name) for name in ("fetches", "waits")]
    for thread, begun in zip(threads, (entered, waits), strict=True):
        thread.start()
        assert begun.wait(PATIENCE_S)
    watch.now += 4
    go.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert limits == [5, 1]


@pytest.fixture
def a_look_may_be_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A till goes on with what it knows after half a second: the thread that looks may stand still for longer."""
    monkeypatch.setattr(token_sources, "LATE_S", PATIENCE_S)


@pytest.mark.usefixtures("a_look_may_be_late")
def test_a_token_file_is_read_again_when_it_changed_or_was_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("one\n")
    file.chmod(0o600)
    tokens = FileTokens(file)
    assert tokens.token(2 * PATIENCE_S) == Secret("one")
    file.write_text("two-longer\n")
    assert tokens.token(2 * PATIENCE_S) == Secret("two-longer")
    tokens.refused(Secret("two-longer"))
    assert tokens.token(2 * PATIENCE_S) == Secret("two-longer")


@pytest.mark.usefixtures("a_look_may_be_late")
def test_a_file_says_whether_another_token_stands_there(tmp_path: Path) -> None:
    """Also where there was none before; a file that is gone is no token."""
    file = tmp_path / "token"
    tokens = FileTokens(file)
    assert not tokens.has_changed()
    file.write_text("one\n")
    file.chmod(0o600)
    assert tokens.has_changed()
    tokens.refused(tokens.token(2 * PATIENCE_S))
    assert not tokens.has_changed()
    file.write_text("two-longer\n")
    assert tokens.has_changed()
    file.unlink()
    assert not tokens.has_changed()


class Share(type(Path())):  # type: ignore[misc]
    """A file on a network share. It answers while `answers` is set."""

    answers = threading.Event()

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        self.answers.wait()
        found: os.stat_result = super().stat(follow_symlinks=follow_symlinks)
        return found


@pytest.fixture
def share(tmp_path: Path) -> Iterator[Share]:
    """It answers, and has a token."""
    (tmp_path / "token").write_text("one\n")
    (tmp_path / "token").chmod(0o600)
    Share.answers.set()
    yield Share(tmp_path / "token")
    Share.answers.set()


def test_a_token_file_that_does_not_answer_holds_nobody(share: Share) -> None:
    """The known token is gone on with; of a refused one there is no connection, and nobody says that it was refused."""
    tokens = FileTokens(share)
    assert tokens.token(PATIENCE_S) == Secret("one")
    share.answers.clear()
    assert tokens.token(1) == Secret("one")
    assert not tokens.has_changed()
    tokens.refused(Secret("one"))
    with pytest.raises(ConnectFailed, match="does not answer"):
        tokens.token(0.1)
    looks = [each for each in threading.enumerate() if each.name == "token file"]
    assert len(looks) == 1, "one waits for it, however many ask"
    share.write_text("two-longer\n")
    share.answers.set()
    looks[0].join()
    assert tokens.token(5) == Secret("two-longer")


def test_a_token_that_is_refused_during_a_look_is_read_again_by_it(share: Share) -> None:
    """The look that was under way brought the refused one back, unread, and it was held for the known one."""
    tokens, found = FileTokens(share), list[Secret]()
    assert tokens.token(PATIENCE_S) == Secret("one")
    written = share.stat()
    share.answers.clear()
    assert not tokens.has_changed()
    tokens.refused(Secret("one"))
    asks = threading.Thread(target=lambda: found.append(tokens.token(5)))
    asks.start()
    share.write_text("two\n")
    os.utime(share, ns=(written.st_atime_ns, written.st_mtime_ns))
    share.answers.set()
    asks.join()
    assert [*found, tokens.token(5)] == [Secret("two")] * 2


def test_a_fixed_token_is_looked_up_to_say_whether_it_is_another() -> None:
    """Where it can be; whoever fetches his tokens is asked at the next call."""
    watch, there = Watch(), [Secret("one")]
    tokens = StaticTokens(Secret("one"), lambda: there[0], watch)
    assert not tokens.has_changed()
    there[0] = Secret("two")
    watch.now += LOOK_S
    assert tokens.has_changed()
    assert tokens.token(1) == Secret("two")
    assert not StaticTokens(Secret("one")).has_changed()
    assert not FetchedTokens(Giver()).has_changed()


def test_a_token_file_that_no_thread_can_look_at_has_refused_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system without room for one more: the call that asked was told of a fault, behind which it may have left."""
    file = tmp_path / "token"
    file.write_text("one")
    file.chmod(0o600)
    tokens = FileTokens(file)

    def none(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", none)
        with pytest.raises(ConnectFailed, match="no thread"):
            tokens.token(1)
        assert not tokens.has_changed()
    assert tokens.token(PATIENCE_S) == Secret("one")


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"two words", b"a\nb", b"\xef\xbb\xbftoken", b"x" * 20_000, b"\xff"]
)
def test_a_file_that_holds_no_token_gives_none(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(NoToken):
        FileTokens(file).token(PATIENCE_S)


def test_a_token_file_open_to_others_or_missing_gives_none(tmp_path: Path) -> None:
    file = tmp_path / "token"
    with pytest.raises(NoToken):
        FileTokens(file).token(PATIENCE_S)
    file.write_text("one")
    file.chmod(0o604)
    with pytest.raises(NoToken):
        FileTokens(file).token(PATIENCE_S)


def command(code: str) -> TokenCommand:
    return TokenCommand((sys.executable, "-I", "-c", code), PATIENCE_S)


def test_a_command_prints_the_token() -> None:
    grant = command("""print('{"access_token": "a-b.c", "expires_in": 3600}')""")(PATIENCE_S)
    assert (grant.token, grant.expires_in_s) == (Secret("a-b.c"), 3_600)
    assert command("""print('{"access_token": "t", "expires_in": "60"}')""")(PATIENCE_S).expires_in_s == 60
    assert command("""print('{"access_token": "t"}')""")(PATIENCE_S).expires_in_s is None


@pytest.mark.parametrize(
    "code",
    [
        "",
        "print('token')",
        """print('{"access_token": ""}')""",
        """print('{"access_token": 5}')""",
        """print('{"access_token": "a b"}')""",
        r"""print('{"access_token": "a\\r\\nX: 1"}')""",
        """print('{"access_token": "t", "expires_in": 0}')""",
        """print('{"access_token": "t", "expires_in": "soon"}')""",
        """print('{"access_token": "t", "token_type": "mac"}')""",
        """print('{"access_token": "t"}'); raise SystemExit(3)""",
        "print('x' * 100_000)",
    ],
)
def test_a_command_that_prints_no_token_gives_none(code: str) -> None:
    with pytest.raises(NoToken):
        command(code)(PATIENCE_S)


def test_a_command_has_a_time_limit_and_no_shell() -> None:
    with pytest.raises(ConnectFailed, match="too long"):
        command("import threading; threading.Event().wait(20)")(0.3)
    with pytest.raises(NoToken, match="cannot be run"):
        TokenCommand(("echo {} | cat",), 5)(5)
    with pytest.raises(ValueError, match="empty"):
        TokenCommand((), 5)


@pytest.mark.skipif(sys.platform == "win32", reason="what a process may have is told by Linux")
def test_a_command_that_prints_without_end_is_ended_and_fills_no_memory() -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(NoToken, match="more than a token"):
        command("while True: print('x' * 1_000_000)")(PATIENCE_S)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024


def test_what_a_command_has_started_does_not_hold_its_end_up() -> None:
    """It keeps the output open behind the command that is ended."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        holds = f"import socket; socket.create_connection({listener.getsockname()!r}).recv(1)"
        starts = f"import subprocess, sys; subprocess.run([sys.executable, '-I', '-c', {holds!r}])"
        with pytest.raises(ConnectFailed, match="too long"):
            command(starts)(2)
        listener.settimeout(2)
        with suppress(TimeoutError):  # where the machine was so slow that it was never begun
            listener.accept()[0].close()


@pytest.mark.skipif(sys.platform == "win32", reason="it has no groups of processes")
def test_what_a_command_has_started_ends_with_it() -> None:
    """A script whose download hangs is run again and again: its downloads would fill the machine."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE_S)
        script = f"exec 3<>/dev/tcp/127.0.0.1/{listener.getsockname()[1]}; cat <&3; echo '{{}}'"
        with pytest.raises(ConnectFailed, match="too long"):
            TokenCommand(("bash", "-c", script), 2)(2)
        hanging = listener.accept()[0]
        with hanging:
            hanging.settimeout(PATIENCE_S)
            assert hanging.recv(1) == b"", "cat goes on"


_AS_AN_ORDINARY_USER = f"""
import os, sys
from pos_app.services.errors import ConnectFailed
from pos_app.services.token_sources import TokenCommand
os.setresgid({NOBODY}, {NOBODY}, {NOBODY})
os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
try:
    TokenCommand(tuple(sys.argv[1:]), 1)(1)
except ConnectFailed as error:
    print(error)
"""


@pytest.mark.skipif(not IS_ROOT or shutil.which("setpriv") is None, reason="only root makes a program root's")
def test_a_command_that_nobody_here_may_end_is_left_behind() -> None:
    """sudo's is root's. That nothing was sent stays true."""
    with owned_folder() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        if os.statvfs(folder).f_flag & os.ST_NOSUID:
            pytest.skip("no program becomes root's here")
        sudo = folder / "sudo"
        shutil.copy(shutil.which("setpriv") or "", sudo)
        os.chown(sudo, 0, 0)
        sudo.chmod(0o4755)
        waits = f"exec 3<>/dev/tcp/127.0.0.1/{listener.getsockname()[1]}; read -u 3"
        line = (str(sudo), "--reuid=0", "--regid=0", "--clear-groups", "bash", "-c", waits)
        asked = subprocess.run(
            [sys.executable, "-c", _AS_AN_ORDINARY_USER, *line], capture_output=True, text=True, check=False
        )
    assert (asked.stdout, asked.stderr) == ("the token command took too long\n", "")


CREDENTIALS = ClientCredentials("till 1", Secret("p:ä"), "/oauth2/token", "payments codes")


def test_client_credentials_go_to_their_own_server(server: RawServer, client: ServiceClient) -> None:
    told(server, {"access_token": "t-1", "token_type": "Bearer", "expires_in": 60})
    grant = TokenServer(client, CREDENTIALS, PATIENCE_S)(PATIENCE_S)
    assert (grant.token, grant.expires_in_s) == (Secret("t-1"), 60)
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert body == b"grant_type=client_credentials&scope=payments+codes"
    assert b"POST /oauth2/token HTTP/1.1" in head
    assert b"Authorization: Basic " + base64.b64encode(b"till+1:p%3A%C3%A4") in head
    assert b"Content-Type: application/x-www-form-urlencoded" in head


def _hang_up(_: Connection) -> None:
    raise OSError("the server hangs up")


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        (_hang_up, ConnectFailed),
        (says(http_reply(b"", "503 X")), ConnectFailed),
        (says(http_reply(b"", "429 X")), ConnectFailed),
        (says(http_reply(b'{"error":"invalid_client"}', "401 X")), NoToken),
        (says(http_reply(b"{}")), NoToken),
        (says(http_reply(b"<html>", headers=b"Content-Type: text/html; charset=utf-8\r\n")), NoTokenServer),
        (says(http_reply(b"<html>", "407 X", b"Content-Type: text/html\r\n")), NoTokenServer),
        (says(http_reply(b"", "511 X")), NoTokenServer),
        (says(http_reply(b"", "302 X", b"Location: http://127.0.0.1:1/\r\n")), NoTokenServer),
    ],
)
def test_without_a_token_nothing_of_the_payment_is_sent(
    play: Callable[[Connection], None],
    expected: type[NoToken | ConnectFailed | NoTokenServer],
    server: RawServer,
    client: ServiceClient,
) -> None:
    server.play = play
    tokens = FetchedTokens(TokenServer(client, CREDENTIALS, 5))
    found = Payments(client, MERCHANT, tokens, deadlines=PATIENT).initiate(Kind.PUSH, b"{}")
    assert isinstance(found, NoAnswer)
    assert (found.why, found.sent) == (expected.why, False)
    assert len(server.requests) == 1
    assert b"/oauth2/token" in server.requests[0]


REFUSAL = http_reply(b'{"response":{"status":"failure","code":"5009"}}')
UNAUTHORIZED = http_reply(b"<html>", "401 X", b"Content-Type: text/html\r\n")


def calls(server: RawServer, client: ServiceClient, tokens: Tokens) -> Payments:
    server.play = says(UNAUTHORIZED, REFUSAL)
    return Payments(client, MERCHANT, tokens, deadlines=PATIENT)


def test_a_question_is_put_again_at_once_with_a_new_token(server: RawServer, client: ServiceClient) -> None:
    found = calls(server, client, FetchedTokens(Giver())).get_status("A-1")
    assert found == Refused("5009")
    assert [b"Bearer token-1" in server.requests[0], b"Bearer token-2" in server.requests[1]] == [True, True]
    assert calls(server, client, FetchedTokens(Giver())).query() == Refused("5009")


def test_a_question_is_put_again_only_once_and_only_with_another_token(
    server: RawServer, client: ServiceClient
) -> None:
    payments = calls(server, client, FetchedTokens(Giver()))
    server.play = says(UNAUTHORIZED)
    found = payments.get_status("A-1")
    assert isinstance(found, NoAnswer)
    assert (found.why, len(server.requests)) == (Why.SIGN_IN, 2)
    found = calls(server, client, StaticTokens(Secret("t"))).get_status("A-1")
    assert isinstance(found, NoAnswer)
    assert (found.why, len(server.requests)) == (Why.SIGN_IN, 3)


def test_what_moves_money_or_sends_codes_is_never_put_again(server: RawServer, client: ServiceClient) -> None:
    moves: list[Callable[[Payments], object]] = [
        lambda payments: payments.initiate(Kind.PUSH, b"{}"),
        lambda payments: payments.cancel("A-1"),
    ]
    for count, call in enumerate(moves, start=1):
        giver = Giver()
        payments = calls(server, client, FetchedTokens(giver))
        found = call(payments)
        assert isinstance(found, NoAnswer)
        assert (found.why, found.sent, len(server.requests)) == (Why.SIGN_IN, True, count)
        server.play = says(REFUSAL)
        payments.get_status("A-1")
        assert b"Bearer token-2" in server.requests.pop(), "the next call has a fresh token"
    tokens = FetchedTokens(Giver())
    server.play = says(UNAUTHORIZED)
    OtpSms(client, tokens, PATIENT).validate_code("94771234567", "{{code}}")
    assert len(server.requests) == 3
    assert tokens.token(1) == Secret("token-2")
