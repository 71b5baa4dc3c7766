"""The journal as an outbox: every event in its order, nothing that may not leave, and the counter's own signature."""

from __future__ import annotations

import base64
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from pos_app.domain import whitelist
from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import SubmitOtp
from pos_app.domain.membership import JOINED, LEFT, SUBJECT, Membership
from pos_app.domain.people import TERMINAL
from pos_app.domain.receipt import sworn
from pos_app.domain.replies import Accepted, Refused, StatusReport
from pos_app.domain.shipping import (
    EVENTS_MOST,
    MAC_LENGTH,
    Shipped,
    Signed,
    events_of,
    header_of,
    posted,
    read_batch,
    read_header,
    text_of,
    unpacked,
)
from pos_app.journal import Journal, JournalTrouble
from pos_app.journal.device import Device
from pos_app.journal.outbox import Outbox
from tests.support.builders import KEYS, WALL, attempt, ended, intent
from tests.unit.engine.rig import NUMBER, Rig
from tests.unit.journal.tampering import tamper

CANARIES = ("canary-code", "canary-reply", "canary-invoice", "canary-refused", NUMBER[1:], "704918", "123456")


def all_of(outbox: Outbox) -> list[Shipped]:
    """Batch after batch."""
    found: list[Shipped] = []
    while batch := outbox.batch(found[-1].seq if found else 0):
        found += batch
    return found


def played(journal: Journal) -> Rig:
    """A manager with a passcode, a payment by push, one by QR, one refused: everything with a word that must stay."""
    rig = Rig(journal).start()
    rig.sign_in()
    push = rig.charge(Kind.PUSH, invoice_number="canary-invoice")
    rig.initiated(Accepted("W-1", push, ""))
    rig.wait(3)
    rig.asked(msgspec.structs.replace(rig.report(push, "Payment Success"), wallet_transaction_id="W-1"))
    code = rig.charge()
    rig.initiated(Accepted("W-2", code, "canary-code"))
    rig.wait(3)
    rig.asked(StatusReport("Merchant Initiated", code, "W-2"))
    refused = rig.charge(Kind.PUSH, another_customer=True)
    rig.initiated(Refused("5003", "canary-refused"))
    assert rig.state(refused) is State.REFUSED
    rig.tell(SubmitOtp("person-1", "123456"))
    return rig


def test_every_event_is_there_in_its_order_with_its_mac(journal: Journal) -> None:
    played(journal)
    outbox = Outbox(journal.path, journal.receipt_code)
    events = all_of(outbox)
    assert [each.seq for each in events] == [*range(1, journal.head()[0] + 1)]
    assert (events[-1].seq, events[-1].mac) == journal.head()
    assert all(outbox.mac_at(each.seq) == each.mac for each in events)
    place = outbox.place()
    assert (place.installation_id, place.seq, place.mac) == (journal.installation_id, *journal.head())
    assert place.membership is None


@pytest.mark.parametrize("references", [False, True])
def test_nothing_that_may_not_leave_leaves(journal: Journal, *, references: bool) -> None:
    """No sealed byte, no code, no number, no reply's text, no passcode, no digest of a number."""
    played(journal)
    events = all_of(Outbox(journal.path, journal.receipt_code, lambda: references))
    text = text_of(events).decode()
    found = [each for each in CANARIES if each in text]
    assert found == (["canary-invoice"] if references else [])
    with closing(sqlite3.connect(journal.path)) as connection:
        sealed = [row[0] for row in connection.execute("SELECT sealed FROM event WHERE sealed NOT NULL")]
        digests = {row[0] for row in connection.execute("SELECT subject FROM event WHERE kind = 'OTP_SEND'")}
    assert len(sealed) >= 3
    assert digests
    assert not [each for each in sealed if base64.b64encode(each).decode()[:24] in text]
    assert not [each for each in digests if each in text]
    held = journal.recent(9)
    assert any(each.qr_text for each in held)
    assert any(each.wallet_digest for each in held)
    assert not [each for each in held if each.wallet_digest and each.wallet_digest in text]


def test_a_kind_without_a_row_has_no_content(journal: Journal) -> None:
    journal.append([intent()])
    (bare,) = all_of(Outbox(journal.path, journal.receipt_code))
    assert bare == Shipped(seq=1, kind="ATTEMPT_TAPPED", mac=journal.head()[1])
    assert "ATTEMPT_TAPPED" not in whitelist.KINDS


def test_money_has_its_receipts_code(journal: Journal) -> None:
    rig = Rig(journal).start()
    paid = rig.attempt(rig.pay())
    told = [each for each in all_of(Outbox(journal.path, journal.receipt_code)) if "check" in each.content]
    assert len(told) == 1
    assert told[0].subject == paid.attempt_id
    assert told[0].content["check"] == journal.receipt_code(sworn(paid, told[0].wall))


def test_a_batch_is_never_more_than_one_may_hold(journal: Journal) -> None:
    journal.append([intent(number) for number in range(1, EVENTS_MOST + 20)])
    outbox = Outbox(journal.path, journal.receipt_code)
    assert len(outbox.batch(0)) == EVENTS_MOST
    assert len(outbox.batch(EVENTS_MOST)) == 19
    assert outbox.batch(EVENTS_MOST + 19) == []
    assert outbox.mac_at(EVENTS_MOST + 20) == b""


def test_what_is_longer_than_a_batch_leaves_bare(journal: Journal) -> None:
    """Else it would keep everything behind it from leaving."""
    long = msgspec.structs.replace(
        ended(attempt(), State.PAID, 5_000), kind="JOURNAL_MENDED", content={"findings": ["x" * (1 << 20)]}
    )
    journal.append([intent(), long])
    assert [each.content for each in all_of(Outbox(journal.path, journal.receipt_code))] == [{}, {}]


def test_a_row_that_was_changed_leaves_bare(journal: Journal) -> None:
    """Its MAC tells the store as much as it tells us."""
    rig = Rig(journal).start()
    rig.charge()
    seq = next(each.seq for each in all_of(Outbox(journal.path, journal.receipt_code)) if each.content)
    tamper(journal.path, f"UPDATE event SET content = '{{]' WHERE seq = {seq}")
    event = all_of(Outbox(journal.path, journal.receipt_code))[seq - 1]
    assert (event.seq, event.content, len(event.mac)) == (seq, {}, MAC_LENGTH)


def test_a_row_whose_mac_is_cut_is_never_told(journal: Journal) -> None:
    """Without it there is no history to tell of, and the store would refuse the batch for ever."""
    journal.append([intent(1)])
    tamper(journal.path, "UPDATE event SET mac = x'00' WHERE seq = 1")
    with pytest.raises(JournalTrouble, match="event 1 has no MAC"):
        Outbox(journal.path, journal.receipt_code).batch(0)


def test_it_knows_the_payments_of_its_journal(journal: Journal) -> None:
    journal.append([intent(1)])
    outbox = Outbox(journal.path, journal.receipt_code)
    other = attempt(2).attempt_id
    assert outbox.unknown([attempt(1).attempt_id, other]) == [other]


def test_a_journal_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(JournalTrouble):
        Outbox(tmp_path / "none.sqlite", str).place()


def test_it_reads_beside_the_till_that_writes_and_keeps_nothing_open(journal: Journal) -> None:
    outbox = Outbox(journal.path, journal.receipt_code)
    journal.append([intent(1)])
    assert outbox.place().seq == 1
    journal.append([intent(2)])
    assert [each.seq for each in outbox.batch(1)] == [2]


def test_whose_counter_it_is_stands_in_the_journal(journal: Journal) -> None:
    about = {
        "address": "https://store.example",
        "store_id": "S1",
        "store_name": "Chain",
        "shop_name": "Galle Road",
        "counter": "3",
        "installation_id": journal.installation_id,
    }
    rig = Rig(journal)
    journal.append([rig.record(JOINED, SUBJECT, TERMINAL, content=about)])
    outbox = Outbox(journal.path, journal.receipt_code)
    assert outbox.place().membership == Membership(**about)
    (told,) = all_of(outbox)
    assert "address" not in told.content["event"]  # type: ignore[operator]
    journal.append([rig.record(LEFT, SUBJECT, TERMINAL, content={"store_id": "S1"})])
    assert outbox.place().membership is None


def test_what_was_signed_is_known_again_and_nothing_else(journal: Journal) -> None:
    """Only a counter's own signature, under its own installation id, says anything against it."""
    journal.append([intent(1), intent(2)])
    device, own = Device(KEYS.device), journal.installation_id
    batch = Outbox(journal.path, journal.receipt_code).batch(0)
    text = text_of(batch)
    signed = device.signed(header_of(own, b"", batch, text))
    header = device.own(signed, own)
    assert header is not None
    assert (header.first, header.last, header.mac) == (1, 2, journal.head()[1])
    assert device.own(None, own) is None
    assert device.own(signed, "OTHER234") is None
    assert device.own(Signed(header=signed.header, signature=b"\0" * 64), own) is None
    assert device.own(Signed(header=signed.header, signature=b"short"), own) is None
    other = Device(bytes(32))
    assert other.own(signed, own) is None
    forged = other.signed(signed.header)
    assert device.own(forged, own) is None
    rubbish = device.signed(b"no header")
    assert device.own(rubbish, own) is None
    for facts in ({"first": 0}, {"first": 3}, {"mac": header.mac[:-1]}):
        wrong = msgspec.structs.replace(header, **facts)
        assert device.own(device.signed(msgspec.msgpack.encode(wrong)), own) is None
    body = read_batch(posted(signed, text))
    assert events_of(read_header(body.signed.header), unpacked(body.packed)) == tuple(batch)
    assert device.public_key == Device(KEYS.device).public_key
    assert device.public_key == journal.device().public_key
    assert device.answer_to("S1", b"c") != device.answer_to("S2", b"c")
    assert WALL not in repr(device)
