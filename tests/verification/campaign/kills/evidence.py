"""Reads what a till left behind and what its sandbox holds, as a History that can be judged. Judges nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import msgspec

from pos_app.domain.attempt import Attempt, Environment
from pos_app.journal import open_journal
from pos_app.journal.chain import Keys
from pos_app.journal.rows import record_of
from pos_app.journal.seal import unseal
from pos_app.journal.texts import plain
from pos_app.secrets import journal_key
from tests.support.sandbox import Sandbox
from tests.verification.campaign.kills.orders import Colleague, Left, Said
from tests.verification.simulation.history import Held, History, Moment, Seen, Sent, Written

_left = msgspec.json.Decoder(Left)
_INITIATES = ("initiate_push", "initiate_qr")


class _Ids(msgspec.Struct, frozen=True, rename="camel"):
    external_merchant_transaction_id: str = ""


class _Body(msgspec.Struct, frozen=True):
    request: _Ids = _Ids()


_body = msgspec.json.Decoder(_Body)


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """The history, and what only real files can show: the chain's first broken number, 0 for none."""

    history: History
    broken_at: int
    rows: int


def folder_of(data_dir: Path) -> Path:
    """Where the till keeps what belongs to the sandbox's environment."""
    return data_dir / Environment.SANDBOX.value


def gather(
    data_dir: Path,
    sandbox: Sandbox,
    people: Iterable[Colleague],
    said: Iterable[Said],
    starts: Iterable[int],
    closing_at: int,
    sent_log: Path,
) -> Evidence:
    """Everything. The till has ended. Raises JournalError when its journal cannot be opened."""
    folder = folder_of(data_dir)
    key = journal_key(folder, Environment.SANDBOX.value, use_keystore=False)
    with closing(open_journal(folder / "journal.sqlite", key, Environment.SANDBOX)) as journal:
        report = journal.verify()
        till = journal.installation_id
        listed = frozenset(attempt.attempt_id for attempt in journal.needs_answer())
        attempts = tuple(journal.recent(1_000_000))
    written = _written(folder / "journal.sqlite", Keys(key, Environment.SANDBOX))
    moment = Moment(at=closing_at, till=till, attempts=attempts, listed=listed)
    history = History(
        journals={till: written},
        held=_held(sandbox),
        sent=_sent(sent_log, till, written),
        seen=tuple(Seen(each.wall_ms, till, each.text) for each in said if each.what == "money"),
        messages=_messages(sandbox, till, people),
        starts=tuple((at, till) for at in starts),
        closed=(moment,),
        closing_at=closing_at,
    )
    return Evidence(history=history, broken_at=report.broken_at, rows=report.checked)


def _written(path: Path, keys: Keys) -> tuple[Written, ...]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT * FROM event ORDER BY seq").fetchall()
    return tuple(_row(row, keys) for row in rows)


def _row(row: tuple[object, ...], keys: Keys) -> Written:
    record = record_of(row)
    sealed = row[8]
    if isinstance(sealed, bytes):
        record = msgspec.structs.replace(record, sealed=unseal(keys.seal, plain(record.subject), sealed))
    seq = row[0]
    assert isinstance(seq, int)
    return Written(seq, milliseconds(record.wall), record)


def milliseconds(moment: str) -> int:
    """A time as it is written, since 1970."""
    return round(datetime.fromisoformat(moment).timestamp() * 1000)


def _held(sandbox: Sandbox) -> tuple[Held, ...]:
    return tuple(
        Held(
            each["externalMerchantTransactionId"],
            Decimal(str(each["transactionAmount"])),
            each["kind"],
            each["walletAccountNumber"],
            each["merchantPgIdentifier"],
            tuple((milliseconds(step["at"]), step["status"]) for step in each["steps"]),
        )
        for each in sandbox.transactions()
    )


def lefts(sent_log: Path) -> list[Left]:
    """What left the till, as it said itself; a last half line is a kill's."""
    if not sent_log.exists():
        return []
    return [_left.decode(line) for line in sent_log.read_bytes().split(b"\n")[:-1]]


def _sent(sent_log: Path, till: str, written: tuple[Written, ...]) -> tuple[Sent, ...]:
    shown_since: dict[str, int] = {}
    for each in written:
        attempt: Attempt | None = each.record.attempt
        if attempt is not None and attempt.shown:
            shown_since.setdefault(attempt.attempt_id, each.seq)
    found = []
    for left in lefts(sent_log):
        if left.operation not in (*_INITIATES, "cancel"):
            continue
        attempt_id = _body.decode(left.body).request.external_merchant_transaction_id
        shown = shown_since.get(attempt_id, left.seq + 1) <= left.seq
        operation = "initiate" if left.operation in _INITIATES else "cancel"
        found.append(Sent(left.at, till, operation, attempt_id, left.seq, left.body.encode(), shown))
    return tuple(found)


def _messages(sandbox: Sandbox, till: str, people: Iterable[Colleague]) -> tuple[tuple[int, str, str], ...]:
    return tuple(
        sorted(
            (milliseconds(each["sentAt"]), till, one.msisdn)
            for one in people
            for each in sandbox.sms(one.msisdn)
        )
    )
