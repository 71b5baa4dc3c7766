"""A store with a real PostgreSQL for tests: one cluster for each worker, a fresh database for each test.

Fixtures: `database` (an empty store's), `shop` (its first shop's number), `api` is what `serving` runs. A
`PretendCounter` speaks the protocol as a counter does, with a journal made up of plain dicts.
"""

from __future__ import annotations

import atexit
import os
import shutil
import ssl
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import scrypt, sha256
from pathlib import Path
from typing import Any

import httpx
import msgspec
import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.routing import BaseRoute

from pos_app.domain import shipping
from pos_app.domain.shipping import Answer, Head, Joined, JoinRequest, Shipped, Signed
from pos_app.store import find, joining
from pos_app.store.cluster import Cluster
from pos_app.store.database import Database, files
from pos_app.store.joining import new_code
from pos_app.store.server import CounterApi, Side, StoreServer, application, listen
from tests.support.patience import PATIENCE_S
from tests.support.unprivileged import IS_ROOT, NOBODY

# Its own limit is that of a cashier who waits.
find.STATEMENT_MS = int(PATIENCE_S * 1000)
# A code is made and used in one process: what is slow on purpose is worked out once, not on both sides.
vars(shipping)["scrypt"] = cache(scrypt)
_NOBODY_TRUSTED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
STORE_ID = "st-test"
WALL = "2026-11-23T10:00:05+05:30"
_TEMPLATE = "template_store"
_cluster: Cluster | None = None
_made = 0
_codes: list[str] = []
_given: dict[str, int] = {}
"""How many of the joining codes each database has been given, by its address."""


def cluster() -> Cluster:
    """This worker's PostgreSQL, not durable: started once, ended with the worker."""
    global _cluster
    if _cluster is None:
        folder = Path(tempfile.mkdtemp(prefix="pos-store-"))
        if IS_ROOT:
            os.chown(folder, NOBODY, NOBODY)
        started = Cluster(folder, durable=False)
        started.make()
        started.start()
        atexit.register(_end, started)
        with psycopg.connect(started.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {_TEMPLATE}")
        Database(started.dsn(_TEMPLATE), private=True).migrate()
        with psycopg.connect(started.dsn(_TEMPLATE), autocommit=True) as connection:
            connection.execute("INSERT INTO store (store_id, name) VALUES (%s, 'Test store')", (STORE_ID,))
        _cluster = started
    return _cluster


def _end(started: Cluster) -> None:
    started.stop()
    shutil.rmtree(started.folder, ignore_errors=True)


@contextmanager
def fresh_database() -> Iterator[Database]:
    """A store's database of its own, migrated, with no shop; gone afterwards."""
    global _made
    _made += 1
    name = f"store_{_made}"
    own = cluster()
    with psycopg.connect(own.dsn("postgres"), autocommit=True) as connection:
        # Copied as files: through the log, which nobody here reads, it took eight times as long.
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE} STRATEGY FILE_COPY")
    try:
        yield Database(own.dsn(name), private=True)
    finally:
        with psycopg.connect(own.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database() -> Iterator[Database]:
    """A fresh store's."""
    with fresh_database() as made:
        yield made


@pytest.fixture
def shop(database: Database) -> int:
    """Its first shop."""
    return add_shop(database, "Main street")


def rows(database: Database, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """What the database's superuser sees, whom no row security binds."""
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        cursor = connection.execute(sql, values)
        return cursor.fetchall() if cursor.description else []


_UNDONE = {
    3: "DROP TABLE z_report, printed, store_day",
    4: "DROP TABLE origin; ALTER TABLE unfit DROP COLUMN about",
    5: "ALTER TABLE installation DROP COLUMN signer",
    6: "ALTER TABLE installation DROP COLUMN left_at",
    7: "DROP TABLE beside; DROP INDEX incident_of_two",
    8: "DROP INDEX attempt_again; DROP INDEX attempt_of_sale",
}
"""What takes back each of the store's SQL files, by number."""


def without_files_from(number: int) -> str:
    """What makes of a database one that knows the files below this number alone."""
    taken_back = [_UNDONE[each] for each, _ in reversed(files()) if each >= number]
    return "; ".join([*taken_back, f"DELETE FROM migration WHERE number >= {number}"])


def add_shop(database: Database, name: str) -> int:
    """One more shop; its number."""
    return int(rows(database, "INSERT INTO shop (name) VALUES (%s) RETURNING shop", name)[0][0])


def caller(url: str, **asked: Any) -> httpx.Client:
    """A client of a store on this machine. Called without TLS, it trusts nobody: reading all whom the system trusts
    took longer than most calls, and there are hundreds of clients.
    """
    return httpx.Client(base_url=url, trust_env=False, verify=_NOBODY_TRUSTED, **asked)


def code_for(database: Database, shop: int) -> str:
    """A joining code, new in this database: what is slow on purpose was worked out for another one's."""
    number = _given.get(database.dsn, 0)
    _given[database.dsn] = number + 1
    if number == len(_codes):
        _codes.append(new_code())
    vars(joining)["new_code"] = lambda: _codes[number]
    try:
        with psycopg.connect(database.dsn, autocommit=True) as connection:
            return joining.give_code(connection, shop)
    finally:
        vars(joining)["new_code"] = new_code


@contextmanager
def serving(
    database: Database,
    more: Sequence[BaseRoute] = (),
    api: CounterApi | None = None,
    sides: Sequence[Side] = (),
) -> Iterator[str]:
    """The address of a store that serves on this database, in a thread of its own."""
    api = api or CounterApi(database)
    started = threading.Event()
    server = StoreServer(application(api, more, sides), started.set)
    listener = listen("127.0.0.1", 0)
    with listener:
        thread = threading.Thread(target=server.run, args=([listener],), name="store")
        thread.start()
        try:
            while not started.wait(0.05):
                assert thread.is_alive(), "the store did not start"
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)


def attempt(attempt_id: str, state: str = "PAID", amount: str = "100.00", **more: Any) -> dict[str, Any]:
    """An attempt's snapshot as a counter ships it."""
    return {
        "attempt_id": attempt_id, "sale_id": "1", "number": 1, "kind": "push", "amount": amount,
        "currency": "LKR", "merchant_id": "M-1", "counter_id": 1, "environment": "sandbox", "owner": "p1",
        "tapped_at": 1, "tapped_wall": "2026-11-23T10:00:00+05:30", "state": state, **more,
    }  # fmt: skip


class PretendCounter:
    """A counter's journal and key, and its calls. `events` grows by `write`; MACs chain over everything written."""

    def __init__(
        self,
        installation: str = "K7Q2MX",
        counter_id: int = 1,
        key: Ed25519PrivateKey | None = None,
        *,
        name: str = "",
        environment: str = "sandbox",
    ) -> None:
        self.installation, self.counter_id = installation, counter_id
        self.name, self.environment = name, environment
        self.key = key or Ed25519PrivateKey.generate()
        self.events: list[Shipped] = []
        self._http: httpx.Client | None = None
        self.token = ""
        self.store_id = ""

    def twin(self) -> PretendCounter:
        """Its folder, copied."""
        copy = PretendCounter(self.installation, self.counter_id, self.key)
        copy.events = list(self.events)
        return copy

    def write(self, kind: str = "STATUS_ANSWERED", wall: str = WALL, **content: Any) -> Shipped:
        """One more event."""
        before = self.events[-1].mac if self.events else b"genesis"
        seq = len(self.events) + 1
        mac = sha256(before + repr((seq, kind, wall, content)).encode()).digest()
        event = Shipped(seq=seq, kind=kind, mac=mac, at=seq, wall=wall, content=content)
        self.events.append(event)
        return event

    def pay(self, attempt_id: str, amount: str = "100.00", wall: str = WALL, **more: Any) -> None:
        """A payment: begun, waiting, paid."""
        for state in ("INTENT", "WAITING", "PAID"):
            told = attempt(attempt_id, state, amount, counter_id=self.counter_id, **more)
            self.write("STATUS_ANSWERED", wall, attempt=told)

    def batch(self, first: int, last: int) -> bytes:
        """The body of these events."""
        events = self.events[first - 1 : last]
        before = self.events[first - 2].mac if first > 1 else b""
        text = shipping.text_of(events)
        header = shipping.header_of(self.installation, before, events, text)
        return shipping.posted(self.signed(header), text)

    def signed(self, header: bytes) -> Signed:
        """A header under its signature."""
        return Signed(header=header, signature=self.key.sign(shipping.BATCH_LABEL + header))

    def join_request(self, code: str) -> JoinRequest:
        """As it is posted."""
        request = JoinRequest(
            installation=self.installation,
            public_key=self.key.public_key().public_bytes_raw(),
            proof=b"",
            merchant_id="M-1",
            counter_id=self.counter_id,
            counter_name=self.name,
            environment=self.environment,
            currency="LKR",
        )
        key = shipping.code_key(shipping.read_code(code))
        return msgspec.structs.replace(request, proof=shipping.join_proof(key, request))

    @contextmanager
    def at(self, url: str, code: str = "") -> Iterator[PretendCounter]:
        """Joined (with a code) and with a session."""
        with caller(url, timeout=30) as client:
            self._http = client
            if code:
                self.join(code)
            self.sign_in()
            yield self

    def post(self, path: str, body: msgspec.Struct) -> httpx.Response:
        """A call in JSON."""
        assert self._http is not None
        return self._http.post(path, content=msgspec.json.encode(body), headers=self._headers())

    def get(self, path: str) -> httpx.Response:
        """A call that only asks."""
        assert self._http is not None
        return self._http.get(path, headers=self._headers())

    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    def join(self, code: str) -> Joined:
        """Joins."""
        said = self.post("/v1/join", self.join_request(code))
        assert said.status_code == 200, said.text
        return msgspec.json.decode(said.content, type=Joined)

    def challenge(self) -> shipping.Challenge:
        """What is to be signed."""
        said = self.post("/v1/challenge", shipping.ChallengeRequest(installation=self.installation))
        assert said.status_code == 200, said.text
        return msgspec.json.decode(said.content, type=shipping.Challenge)

    def session_request(self, challenge: shipping.Challenge, **more: Any) -> shipping.SessionRequest:
        """The signed challenge."""
        text = shipping.SESSION_LABEL + challenge.store_id.encode() + b"\0" + challenge.challenge
        return shipping.SessionRequest(
            installation=self.installation,
            challenge=challenge.challenge,
            signature=self.key.sign(text),
            **more,
        )

    def sign_in(self, **more: Any) -> Head:
        """A session; the head that came with it."""
        said = self.post("/v1/session", self.session_request(self.challenge(), **more))
        assert said.status_code == 200, said.text
        session = msgspec.json.decode(said.content, type=shipping.Session)
        self.token = session.token
        return session.head

    def send(self, body: bytes) -> httpx.Response:
        """A posted body, whatever it is."""
        assert self._http is not None
        return self._http.post("/v1/batches", content=body, headers=self._headers())

    def ship(self, first: int | None = None, last: int | None = None) -> Answer:
        """These events, by default all from 1; what the store says."""
        said = self.send(self.batch(first or 1, last or len(self.events)))
        assert said.status_code == 200, said.text
        return msgspec.json.decode(said.content, type=Answer)

    def head(self) -> Head:
        """What the store holds."""
        assert self._http is not None
        said = self._http.get("/v1/head", headers=self._headers())
        assert said.status_code == 200, said.text
        return msgspec.json.decode(said.content, type=Head)

    def told(self, after: int) -> shipping.ToldPage:
        """The hints."""
        assert self._http is not None
        said = self._http.get("/v1/told", params={"after": after}, headers=self._headers())
        assert said.status_code == 200, said.text
        return msgspec.json.decode(said.content, type=shipping.ToldPage)
