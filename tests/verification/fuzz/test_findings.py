"""What the fuzzers found, each as the smallest input that showed it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.cli.main import main
from pos_app.domain.phone import NumberError, NumberProblem, parse_number
from pos_app.domain.replies import NoAnswer, OtpRefused, Refused, Why
from tests.support.sandbox import Sandbox
from tests.unit.settings.files import refused, with_line
from tests.verification.fuzz import replies
from tests.verification.fuzz.http_replies import Line, Speaker
from tests.verification.fuzz.reply_seeds import CANCEL, STATUS, SUBMIT, head
from tests.verification.fuzz.sandbox_line import Line as SandboxLine
from tests.verification.fuzz.sandbox_requests import Sent


@pytest.mark.parametrize(
    "location",
    [
        b"http://evo\xfc\xba|ample/",
        b"http:x",
        b"//[",
        b"\xff",
        b"http://\xe2\x80\xae/",
        b"http://h:99999999/",
    ],
)
def test_a_redirect_to_nowhere_is_a_redirect(location: bytes) -> None:
    """The library reads a Location it is not to follow, and its error for a bad one reached nobody's door."""
    with Speaker() as speaker:
        line = Line(speaker)
        said = line.play(b"HTTP/1.1 302 Found\r\nLocation: " + location + b"\r\n\r\n")
        line.client.close()
    assert said == f"no answer: {Why.REDIRECT.value}"


def test_a_secret_between_nuls_is_not_logged() -> None:
    """Cleaning a text of another alphabet joined what the search for secrets had not seen."""
    found = replies.read(head(STATUS, 200) + f'{{"{replies.TOKEN}"'.encode("utf-16"))
    assert isinstance(found, NoAnswer)
    assert replies.TOKEN not in found.detail
    assert "[secret]" in found.detail


def test_a_number_between_nuls_is_not_logged() -> None:
    found = replies.read(head(STATUS, 200) + "+94771223347".encode("utf-16"))
    assert isinstance(found, NoAnswer)
    assert "4771223" not in found.detail
    assert "…347" in found.detail


def test_a_message_that_echoes_a_secret_does_not_carry_it() -> None:
    """What a refusal says goes to the journal and the details box."""
    body = f'{{"response":{{"status":"failure","code":"5012","message":"no right: {replies.CODE}"}}}}'
    found = replies.read(head(CANCEL, 200) + body.encode())
    assert found == Refused("5012", "no right: [secret]")
    body = f'{{"statusCode":"ERROR","message":"token {replies.TOKEN} is old","data":null}}'
    found = replies.read(head(SUBMIT, 200) + body.encode())
    assert isinstance(found, OtpRefused)
    assert found.message == "token [secret] is old"


@pytest.mark.parametrize("text", ["1.005", "12.00", "1111", "123456", "0.00.50"])
@pytest.mark.parametrize("country", ["DE", "LK", "GB", "AT"])
def test_an_amount_in_the_number_field_is_no_number(text: str, country: str) -> None:
    """Some countries' plans allow a number of four digits: an amount passed as a wallet."""
    with pytest.raises(NumberError) as error:
        parse_number(text, country)
    assert error.value.problem is NumberProblem.TOO_SHORT


def test_a_number_that_a_second_reading_changes_is_none() -> None:
    with pytest.raises(NumberError):
        parse_number("0.0012.50", "DE")


def test_a_line_separator_in_a_comment_is_no_line_of_the_file(tmp_path: Path) -> None:
    said = refused(tmp_path, with_line("shop", "# a\u2028b\x85c\nmax_amount = 0"))
    assert "config.toml line 10: shop.max_amount" in said


def test_a_terminal_is_sent_nothing_it_would_obey(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--data-dir\x1b[2J\x9b31m\u202e"])
    said = capsys.readouterr().err
    assert "\\x1b[2J\\x9b31m\\u202e" in said
    assert said.replace("\n", "").isprintable()


def test_a_body_nobody_read_is_not_counted_to_the_next_request() -> None:
    """Two refused requests with 60 kB each were one too large, and the second had no reply."""
    with Sandbox() as sandbox:
        line = SandboxLine(sandbox.base_url)
        head = f"POST /nothing-here HTTP/1.1\r\nHost: {sandbox.base_url.removeprefix('http://')}\r\n"
        sent = Sent("/nothing-here", "POST", f"{head}Content-Length: 60000\r\n\r\n{'y' * 60_000}".encode())
        heard = [line.ask(sent).status for _ in range(4)]
        line.close()
    assert heard == [404] * 4
