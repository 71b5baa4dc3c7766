"""The bad-input list of the failure model: each item is refused, with neighbours, or its test is named and there."""

from __future__ import annotations

import ast
import json
import time
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.flow.proof import Match, match
from pos_app.domain.money import AmountError, currency, parse_amount
from pos_app.domain.phone import NumberError, parse_number
from pos_app.domain.replies import NoAnswer, StatusReport
from pos_app.domain.text import is_reference
from tests.verification.fuzz import entries, replies
from tests.verification.fuzz.http_replies import BODY, Line, Speaker
from tests.verification.fuzz.reply_seeds import QUERY, SEND, STATUS, head

ROOT = Path(__file__).parents[3]
LIST: dict[str, Any] = tomllib.loads(Path(__file__).with_name("bad_input.toml").read_text("utf-8"))
PAID = {
    "status": "success",
    "merchantTxnStatusName": "Payment Success",
    "externalMerchantTransactionId": "SBX-T1-0001-1",
    "transactionAmount": "@12.50@",
    "walletTransactionId": "W-1",
    "merchantPgIdentifier": "M-0001",
}
AMOUNT, KEYS, NUMBER, REFERENCE, TEXT = range(5)


def neighbours(text: str) -> list[str]:
    """The same with a sign more, less, or twice."""
    return [
        text + " ",
        " " + text,
        text + "0",
        "0" + text,
        text + text,
        text[1:],
        text[:-1],
        text + "\0",
        text.upper(),
    ]


def played_everywhere(entry: int, text: str) -> None:
    """At this entry, in each currency, format and country; the judge of the fuzz target objects."""
    for how in range(0, 51, 5) if entry == TEXT else range(12):
        for one in (text, *neighbours(text)):
            entries.play(bytes((entry + 5 * how,)) + one.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("text", LIST["A"]["played"])
def test_no_amount(text: str) -> None:
    with pytest.raises(AmountError):
        parse_amount(text, currency("LKR"))
    played_everywhere(AMOUNT, text)
    played_everywhere(KEYS, text)


@pytest.mark.parametrize("text", LIST["B"]["played"])
def test_no_number(text: str) -> None:
    with pytest.raises(NumberError):
        parse_number(text, "LK")
    played_everywhere(NUMBER, text)


@pytest.mark.parametrize("text", LIST["C"]["played"])
def test_no_reference(text: str) -> None:
    assert not is_reference(text)
    played_everywhere(REFERENCE, text)
    played_everywhere(TEXT, text)


def _changed(change: str) -> bytes:
    """The reply that says paid with the given members in place of its own, numbers as they are written."""
    names = json.loads(change, parse_constant=str)
    kept = {name: value for name, value in PAID.items() if name not in names}
    return f'{{"response": {json.dumps(kept)[:-1]}, {change.strip()[1:]}}}'.replace(
        '"@12.50@"', "12.50"
    ).encode()


@pytest.mark.parametrize("change", LIST["H"]["changed"])
def test_never_paid(change: str) -> None:
    found = replies.read(head(STATUS, 200) + _changed(change))
    assert not isinstance(found, StatusReport) or not _is_money(found)
    replies.play(head(STATUS, 200) + _changed(change))


@pytest.mark.parametrize("change", LIST["H"]["as_good"])
def test_paid_in_another_form(change: str) -> None:
    found = replies.read(head(STATUS, 200) + _changed(change))
    assert isinstance(found, StatusReport)
    assert _is_money(found)
    assert replies.play(head(STATUS, 200) + _changed(change)) == "StatusReport"


def _is_money(found: StatusReport) -> bool:
    return found.name == "Payment Success" and match(replies.OURS, found) is Match.OURS


@pytest.mark.parametrize(("operation", "body"), LIST["H"]["others"])
def test_nothing_is_believed(operation: int, body: str) -> None:
    said = replies.play(head(operation, 200) + body.encode())
    assert said.startswith("no answer") or (operation == QUERY and said == "Listing")


def test_the_largest_reply_takes_no_time() -> None:
    """Bounded by the cap on bytes: a list of null, of empty objects, of one page again and again, a long reference."""
    items = (b"null,", b"{},", b'{"walletTransactionId":"W-1","transactionAmount":12.50},')
    bodies = [
        b'{"response":{"transactionList":[' + (item * (1_000_000 // len(item)))[:-1] + b"]}}"
        for item in items
    ]
    began = time.process_time()
    for body in bodies:
        replies.play(head(QUERY, 200) + body)
    data = {"status": "PENDING_AUTH", "serverRef": "a" * 10_000, "msisdn": "tel:+94771223347"}
    assert replies.play(
        head(SEND, 200) + json.dumps({"statusCode": "SUCCESS", "data": data}).encode()
    ).startswith("no")
    assert time.process_time() - began < 10


def test_three_hundred_header_lines() -> None:
    lines = b"".join(b"X-%d: y\r\n" % number for number in range(300))
    length = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(BODY)
    with Speaker() as speaker:
        line = Line(speaker)
        assert line.play(b"HTTP/1.1 200 OK\r\n" + lines + length + BODY) == "Payment Success"
        line.client.close()


def test_no_body_at_all_is_no_answer() -> None:
    assert isinstance(replies.read(b""), NoAnswer)


@cache
def _tests_of(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


ELSEWHERE = [(group, each) for group, listed in LIST.items() for each in listed.get("elsewhere", [])]


@pytest.mark.parametrize(
    ("group", "entry"), ELSEWHERE, ids=[f"{group} {each['item'][:40]}" for group, each in ELSEWHERE]
)
def test_the_test_of_an_item_is_there(group: str, entry: dict[str, str]) -> None:
    file, _, name = entry["test"].partition("::")
    assert (ROOT / file).is_file(), group
    assert name in _tests_of(file)
    assert entry.get("case", "") in (ROOT / file).read_text("utf-8")


def test_no_group_of_the_list_is_left_out() -> None:
    assert list(LIST) == list("ABCDEFGHI")
    assert all(each.get("elsewhere") or each.get("played") for each in LIST.values())
