"""The verdict over every folder there ever was, its processes' words, and the sandbox's ledger."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from pos_app.domain.attempt import MONEY, Attempt, Kind, State
from pos_app.domain.ids import installation_of
from pos_app.domain.installation import USED_TWICE
from pos_app.domain.people import TERMINAL
from pos_app.domain.phone import mask_number
from pos_app.journal import read_only

SUCCESS = "Payment Success"
ENDED = frozenset({SUCCESS, "Payment Fail", "Customer Reject", "Merchant Cancel"})
_KNOWN_TO_BE_PAID = frozenset({State.PAID, State.PAID_LATE, State.DISPUTED})
_EXITS = frozenset({0, 1, 4, 5, 69, 73, -9})


class Folder(msgspec.Struct, frozen=True, kw_only=True):
    """A data folder as it was when it was last seen. `lives`: it still is somebody's till."""

    name: str
    installation_id: str
    attempts: Mapping[str, Attempt]
    told: bool
    """Whether it has seen that another copy of it sells."""
    lives: bool


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """One process: what it said on standard output, and how it ended. `elsewhere`: on another machine."""

    who: str
    elsewhere: bool
    code: int
    objects: Sequence[Mapping[str, Any]]
    complaint: str

    @property
    def opened(self) -> str:
        """The first attempt it opened; "" where it opened none."""
        return next((str(each["attempt_id"]) for each in self.objects if each["state"] == "INTENT"), "")


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What is judged. `sent_by_then`: of attempts whose process had ended, how often each had been initiated then.

    `to_be_told`: folders of which the service held a sale that they did not know, newer than their newest.
    """

    folders: Sequence[Folder]
    words: Sequence[Word]
    ledger: Sequence[Mapping[str, Any]]
    calls: Sequence[Mapping[str, Any]]
    sent_by_then: Mapping[str, int]
    to_be_told: Mapping[str, str]


def folder_of(name: str, journal: Path, *, lives: bool) -> Folder:
    """Reads what it holds. Raises JournalTrouble."""
    with closing(read_only(journal)) as opened:
        attempts = {each.attempt_id: each for each in opened.recent(1_000_000)}
        own = installation_id_in(journal)
        told = any(
            each.kind == USED_TWICE and each.content.get("installation_id", own) == own
            for each in opened.events_of(TERMINAL)
        )
    return Folder(name=name, installation_id=own, attempts=attempts, told=told, lives=lives)


def installation_id_in(journal: Path) -> str:
    """Whose the journal is now."""
    with closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        row = connection.execute("SELECT installation_id FROM meta").fetchone()
    return str(row[0]) if row else ""


def violations(found: Found) -> Iterator[str]:
    """One line each; none is wanted."""
    for rule in (_paid_once, _own_money, _one_intent, _cancels, _initiates, _sales, _final, _told, _machines):
        yield from rule(found)
    for word in found.words:
        if word.code not in _EXITS or "Traceback" in word.complaint:
            yield f"I12 {word.who} ended with {word.code}: {word.complaint[-300:]}"


def initiates(calls: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """(attempt id, body) of each initiate that reached the service."""
    for call in calls:
        if call["operation"] in ("initiate_push", "initiate_qr"):
            yield _id_in(call), str(call["body"])


def _id_in(call: Mapping[str, Any]) -> str:
    return str(json.loads(call["body"])["request"].get("externalMerchantTransactionId", ""))


def _paid_once(found: Found) -> Iterator[str]:
    for row in found.ledger:
        by = {
            attempt.attempt_id
            for folder in found.folders
            for attempt in folder.attempts.values()
            if attempt.state in MONEY and attempt.wallet_transaction_id == row["walletTransactionId"]
        }
        if by - {row["externalMerchantTransactionId"]} or (by and row["status"] != SUCCESS):
            yield f"I3b {row['externalMerchantTransactionId']} ({row['status']}) made {sorted(by)} paid"


def _own_money(found: Found) -> Iterator[str]:
    """Everything that says money, on a screen too, has a payment of its own number, amount and way behind it."""
    held = {row["externalMerchantTransactionId"]: row for row in found.ledger}
    for folder in found.folders:
        for attempt in folder.attempts.values():
            if attempt.state in MONEY and not _is_for(held.get(attempt.attempt_id), attempt):
                yield f"I3 {folder.name}: {attempt.attempt_id} is {attempt.state} for another's money"
    for word in found.words:
        for each in word.objects:
            row = held.get(each["attempt_id"])
            if each["state"] in MONEY and (row is None or row["status"] != SUCCESS):
                yield f"I3 {word.who} showed {each['attempt_id']} {each['state']}"


def _is_for(row: Mapping[str, Any] | None, attempt: Attempt) -> bool:
    if row is None or row["status"] != SUCCESS or Decimal(str(row["transactionAmount"])) != attempt.amount:
        return False
    if row["kind"] != attempt.kind.value:
        return False
    return attempt.kind is Kind.QR or mask_number(row["walletAccountNumber"]) == attempt.wallet_mask


def _one_intent(found: Found) -> Iterator[str]:
    """One id was asked by once: two taps under one id are two customers with one payment."""
    taps: dict[str, set[tuple[int, str, str]]] = defaultdict(set)
    for folder in found.folders:
        for attempt in folder.attempts.values():
            if not attempt.recovered:
                about = (attempt.tapped_at, attempt.transaction_date_time, attempt.wallet_mask)
                taps[attempt.attempt_id].add(about)
    for attempt_id, met in taps.items():
        if len(met) > 1:
            yield f"I3b {attempt_id} was drawn twice"


def _cancels(found: Found) -> Iterator[str]:
    """Whoever cancels holds the wish: nobody cancels what only the twin has open."""
    wished = {
        attempt.attempt_id
        for folder in found.folders
        for attempt in folder.attempts.values()
        if attempt.cancel_wish is not None
    }
    for call in found.calls:
        if call["operation"] == "cancel" and _id_in(call) not in wished:
            yield f"rule 6: {_id_in(call)} was cancelled without a wish in any folder"


def _initiates(found: Found) -> Iterator[str]:
    known = {attempt_id for folder in found.folders for attempt_id in folder.attempts}
    bodies: dict[str, set[str]] = defaultdict(set)
    times: dict[str, int] = defaultdict(int)
    for attempt_id, body in initiates(found.calls):
        bodies[attempt_id].add(body)
        times[attempt_id] += 1
        if attempt_id not in known:
            yield f"I4 {attempt_id} was sent and no folder wrote it down"
    for attempt_id, different in bodies.items():
        if len(different) > 1:
            yield f"rule 1: {attempt_id} was sent with {len(different)} bodies"
    for attempt_id, before in found.sent_by_then.items():
        if times[attempt_id] > before:
            yield f"rule 12: {attempt_id} was sent again by itself after a start"


def _sales(found: Found) -> Iterator[str]:
    paid = {row["externalMerchantTransactionId"] for row in found.ledger if row["status"] == SUCCESS}
    for folder in found.folders:
        of_sale: dict[str, set[str]] = defaultdict(set)
        for attempt in folder.attempts.values():
            of_sale[attempt.sale_id].add(attempt.attempt_id)
        for sale_id, ids in of_sale.items():
            if len(ids & paid) > 1:
                yield f"I1b {folder.name}: sale {sale_id} was paid by {sorted(ids & paid)}"


def _final(found: Found) -> Iterator[str]:
    """What a living till has written down ends there as it ended at the service."""
    for row in found.ledger:
        for folder in found.folders:
            attempt = folder.attempts.get(row["externalMerchantTransactionId"])
            if attempt is None or not folder.lives or row["status"] not in ENDED:
                continue
            if row["status"] == SUCCESS and attempt.state not in _KNOWN_TO_BE_PAID:
                yield f"I2 {folder.name}: {attempt.attempt_id} is paid and stands as {attempt.state}"
            if row["status"] != SUCCESS and not attempt.is_final:
                yield f"I7 {folder.name}: {attempt.attempt_id} is {row['status']} and stands as {attempt.state}"


def _told(found: Found) -> Iterator[str]:
    for folder in found.folders:
        lost = found.to_be_told.get(folder.name, "")
        # One that was torn, and begun anew, sells as somebody else by now.
        is_ours = installation_of(lost) == folder.installation_id
        if lost and is_ours and folder.lives and not folder.told:
            yield f"rule 20: {folder.name} was not told of {lost}, which another copy of it sold"


def _machines(found: Found) -> Iterator[str]:
    ids = {
        elsewhere: {
            installation_of(word.opened)
            for word in found.words
            if word.elsewhere is elsewhere and word.opened
        }
        for elsewhere in (False, True)
    }
    for shared in ids[False] & ids[True]:
        yield f"rule 20: installation {shared} sold on two machines"
