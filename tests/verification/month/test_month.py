"""A short month adds up, and a judge who is shown wrong books says so."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from pos_app.domain.day import Entry
from pos_app.domain.export import Format
from tests.support.in_memory import in_memory
from tests.verification.month.books import judge, lines_of, money, taken
from tests.verification.month.plan import plan
from tests.verification.month.shop import Shop
from tests.verification.simulation.gateway import SUCCESS, Transaction

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    """Three days: one is lost, one finds it, one is calm. No test leaves it other than it was."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        played = Shop(plan(3, 150), Path(folder))
        try:
            played.play()
            yield played
        finally:
            played.close()


def test_every_rupee_of_a_short_month_is_found(shop: Shop) -> None:
    """Two journals, three Zs, a cheat and what a lost journal makes people count twice, by its name."""
    verdict = judge(shop)
    assert verdict.findings == ()
    assert [len(book.zs) for book in shop.books] == [1, 2]
    assert set(verdict.named) == {"counted again", "foreign"}
    assert shop.till.restarts > 3
    assert len(shop.till.network.hits) > 20


def test_money_that_no_z_counts_and_nothing_names(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    paid = next(each for each in shop.gateway.ledger.values() if each.status == SUCCESS)
    request = replace(paid.request, external_merchant_transaction_id="SBX-TAAAAAAAA-9999-1-AAAAAA")
    beside = Transaction(shop.gateway, request, "qr", "W99999", 0)
    beside.timeline.append((1, SUCCESS))
    monkeypatch.setitem(shop.gateway.ledger, request.external_merchant_transaction_id, beside)
    said = judge(shop).findings
    assert any("no Z counts it and nothing names it" in each for each in said)
    assert any("is named beside them: not" in each for each in said)


def test_a_z_that_says_more_than_was_taken(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    book = shop.books[-1]
    more = Entry("PAID", "qr", "person-1", "LKR", 1, 100)
    monkeypatch.setattr(
        book, "zs", [*book.zs[:-1], replace(book.zs[-1], entries=(*book.zs[-1].entries, more))]
    )
    said = " ".join(judge(shop).findings)
    for expected in ("is not what it was closed as", "were ever taken", "as csv", "as xlsx", "as ledger"):
        assert expected in said


@pytest.mark.parametrize("kind", [Format.CSV, Format.JSONL, Format.LEDGER])
def test_a_file_that_lacks_a_row(shop: Shop, kind: Format) -> None:
    file = Path(shop.books[-1].files[1][kind].file)
    whole = file.read_bytes()
    file.write_bytes(b"".join(whole.splitlines(keepends=True)[:-9]))
    try:
        said = judge(shop).findings
    finally:
        file.write_bytes(whole)
    assert any(f"Z 1 of journal 2 as {kind.value}" in each for each in said)


def test_a_payment_counted_again_without_a_word(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    book = shop.books[-1]
    monkeypatch.setattr(book, "zs", [replace(book.zs[0], late_from=()), *book.zs[1:]])
    assert any("the second does not name it" in each for each in judge(shop).findings)


def test_a_day_that_was_never_compared(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    book = shop.books[-1]
    monkeypatch.setattr(book, "zs", [replace(book.zs[0], reconciled=None), *book.zs[1:]])
    monkeypatch.setattr(shop, "runs", {"month": shop.runs["month"]})
    assert any("was never compared" in each for each in judge(shop).findings)


def test_the_formats_are_read_as_others_read_them(shop: Shop) -> None:
    """What is added up is what stands in the files, and not what the till told of them."""
    z, files = shop.books[0].zs[0], shop.books[0].files[1]
    assert {money(lines_of(kind, Path(file.file))) for kind, file in files.items()} == {taken(z)}
    assert taken(z) > Decimal(1000)
