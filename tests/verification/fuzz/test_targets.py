"""Each target for a moment, without an engine; and each one objects when the reader it watches is spoilt."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.cli.parser import Parser
from pos_app.domain.flow.proof import Match
from pos_app.domain.money import AmountError, AmountProblem
from pos_app.services import answers, fields, otp_wire, strict_json, wire
from pos_app.settings import checks, sources
from pos_app.ui.till.payment.qr_matrix import matrix
from tests.verification.fuzz import entries, http_replies, qr_texts, replies
from tests.verification.fuzz.playing import Player, lay_seeds, replayed
from tests.verification.fuzz.sandbox_line import Heard, wrong
from tests.verification.fuzz.sandbox_requests import Sent
from tests.verification.fuzz.targets import TARGETS
from tests.verification.fuzz.unguided import play_some

Plant = Callable[[pytest.MonkeyPatch], None]


def played(name: str, folder: Path, runs: int, seed: int = 1) -> list[str]:
    """What was found within so many runs."""
    target = TARGETS[name]
    player = Player(name, target.play(), folder)
    starts = target.starts()
    for start in starts:
        player(start)
    play_some(target, player, starts, seed, runs)
    tally = player.tally()
    assert tally.runs == len(starts) + runs
    return tally.findings


@pytest.mark.parametrize(
    ("name", "runs"), [("parser", 4_000), ("settings", 1_500), ("cli", 150), ("entry", 8_000)]
)
def test_nothing_is_found_in_a_moment(
    name: str, runs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert played(name, tmp_path, runs, random.randrange(10**9)) == []


def test_bytes_on_a_socket_are_read_or_refused(tmp_path: Path) -> None:
    with http_replies.Speaker() as speaker:
        line = http_replies.Line(speaker)
        player = Player("http", line.play, tmp_path)
        for seed in http_replies.seeds():
            player(seed)
        play_some(TARGETS["http"], player, http_replies.seeds(), random.randrange(10**9), 300)
        line.client.close()
    assert player.tally().findings == []


def test_codes_are_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qr_texts, "READ_BACK", 1)
    outcomes = {qr_texts.play(seed) for seed in qr_texts.seeds() if len(seed) < 1_000 or len(seed) == 2_953}
    assert outcomes == {"read back", "empty"}


def lenient_json(patch: pytest.MonkeyPatch) -> None:
    """The last of two keys wins."""
    patch.setattr(strict_json, "_DECODER", json.JSONDecoder(parse_float=Decimal, parse_int=Decimal))


def code_overlooked(patch: pytest.MonkeyPatch) -> None:
    """A success with a code is a success."""
    patch.setattr(answers, "refusal", lambda _document, **_: None)


def name_tidied(patch: pytest.MonkeyPatch) -> None:
    """ "payment  success" is as good as the name."""
    plain = fields.needed
    patch.setattr(wire, "needed", lambda found, name: " ".join(plain(found, name).split()).title())


def amount_as_float(patch: pytest.MonkeyPatch) -> None:
    """12.500000001 is close enough."""
    plain = fields.amount

    def rounded(found: Any, name: str) -> Decimal | None:
        exact = plain(found, name)
        return None if exact is None else round(exact, 2)

    patch.setattr(wire, "amount", rounded)


def any_content_type(patch: pytest.MonkeyPatch) -> None:
    """HTML with the right words is a reply."""
    patch.setattr(answers, "json_of", lambda reply: strict_json.decode(reply.body))


def any_reference(patch: pytest.MonkeyPatch) -> None:
    """Another code's success signs in."""
    patch.setattr(otp_wire, "_server_ref", lambda data: str(data.get("serverRef")))


def id_not_compared(patch: pytest.MonkeyPatch) -> None:
    """Somebody else's payment is ours."""
    patch.setattr(replies, "match", lambda _attempt, _report: Match.OURS)


def secrets_kept(patch: pytest.MonkeyPatch) -> None:
    """What a reply echoes goes to the log."""
    patch.setattr(answers, "redacted", lambda text, _secrets: text)


PARSER_PLANTS = [
    *(lenient_json, code_overlooked, name_tidied, amount_as_float, any_content_type, any_reference),
    *(id_not_compared, secrets_kept),
]


@pytest.mark.parametrize("plant", PARSER_PLANTS, ids=lambda plant: plant.__name__)
def test_a_spoilt_reader_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plant(monkeypatch)
    for seed in range(8):
        if played("parser", tmp_path, 2_500, seed * 10_000):
            return
    pytest.fail("nobody noticed")


def no_line(patch: pytest.MonkeyPatch) -> None:
    """A problem is told of the wrong line."""
    patch.setattr(sources, "line_of", lambda _text, _name: 1)


def any_address(patch: pytest.MonkeyPatch) -> None:
    """Live over http is fine."""
    patch.setattr(checks, "origin", lambda _value, **_: "")


def another_exit_code(patch: pytest.MonkeyPatch) -> None:
    """A usage error looks like "not paid"."""
    patch.setattr(Parser, "error", lambda self, message: self.exit(1, message))


def digits_of_the_world(patch: pytest.MonkeyPatch) -> None:
    """Decimal takes them, and underscores."""

    def lenient(text: str, *_: object) -> Decimal:
        try:
            return Decimal(text)
        except ArithmeticError:
            raise AmountError(AmountProblem.NOT_A_NUMBER) from None

    patch.setattr(entries, "parse_amount", lenient)


def code_cut_short(patch: pytest.MonkeyPatch) -> None:
    """A long text loses its end."""
    plain = matrix
    patch.setattr(qr_texts, "READ_BACK", 1)
    patch.setattr(qr_texts, "matrix", lambda text: plain(text[:20]))


@pytest.mark.parametrize(
    ("name", "plant"),
    [
        ("settings", no_line),
        ("settings", any_address),
        ("cli", another_exit_code),
        ("entry", digits_of_the_world),
    ],
    ids=lambda each: getattr(each, "__name__", each),
)
def test_a_spoilt_check_is_found(
    name: str, plant: Plant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    plant(monkeypatch)
    assert played(name, tmp_path, 100)


def test_a_code_cut_short_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    code_cut_short(monkeypatch)
    with pytest.raises(AssertionError):
        qr_texts.play(b"a text that is longer than the code of it")


@pytest.mark.parametrize(
    ("heard", "problem"),
    [
        (Heard(500, b"", b'{"response":{"status":"failure","code":"500"}}'), "HTTP 500"),
        (Heard(200, b"", b'Traceback (most recent call last): File "x.py"'), "tells of its inside"),
        (Heard(200, b"", b"<html>"), "not JSON"),
        (Heard(404, b"", b'{"error":"NOT_FOUND"}'), "not the envelope of this service"),
        (Heard(0), "no reply"),
        (Heard(200, b"", b'{"response":{"status":"failure","code":"5009"}}'), ""),
    ],
)
def test_a_reply_of_the_sandbox_is_judged(heard: Heard, problem: str) -> None:
    path = "/apicall/walletpos/v1/pay/external/merchant/transaction/getstatus"
    assert wrong(Sent(path, "POST", b""), heard) == problem


def test_what_failed_is_kept_and_put_away_when_it_is_mended(tmp_path: Path) -> None:
    def fails(data: bytes) -> str:
        assert data != b"bad", "it is bad"
        return "fine"

    player = Player("some", fails, tmp_path)
    for data in (b"good", b"bad", b"bad"):
        player(data)
    assert player.tally().outcomes == {"fine": 1, "FAILED": 2}
    assert len(player.tally().findings) == 1
    assert len(replayed("some", fails, tmp_path)) == 1
    assert replayed("some", lambda _: "mended", tmp_path) == []
    assert replayed("some", fails, tmp_path) == []


def test_the_corpus_is_laid_once(tmp_path: Path) -> None:
    lay_seeds(TARGETS["cli"], tmp_path)
    count = len(list(tmp_path.iterdir()))
    lay_seeds(TARGETS["cli"], tmp_path)
    assert len(list(tmp_path.iterdir())) == count > 20
