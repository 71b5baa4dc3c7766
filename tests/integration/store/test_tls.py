"""A store that ends TLS itself, and counters that believe its certificate alone: both as processes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat

from tests.integration.cli.till import Till
from tests.integration.store.shop import Shop
from tests.support.unprivileged import IS_ROOT, NOBODY
from tests.unit.services.certificates import Pair, make

HERE = ("127.0.0.1", "localhost")
OWN = make("store", hosts=HERE)
"""Signed by itself, as a shop makes one."""
ANOTHER = make("store", hosts=HERE)


def pin(pair: Pair) -> dict[str, str]:
    """The fingerprint as a counter's settings have it."""
    return {"POS_APP_STORE_PIN": sha256(pair.certificate.public_bytes(Encoding.DER)).hexdigest()}


@pytest.fixture
def written(folder: Path) -> Callable[[str, bytes], str]:
    """Writes a file that whoever runs the store can read; its name."""

    def write(name: str, text: bytes) -> str:
        path = folder.parent / name
        path.write_bytes(text)
        path.chmod(0o600)
        if IS_ROOT:
            shutil.chown(path, NOBODY, NOBODY)
        return str(path)

    return write


def test_a_counter_tells_a_store_whose_certificate_it_was_given(
    store: Shop, till: Till, make_till: Callable[[str], Till], written: Callable[[str, bytes], str]
) -> None:
    given = written("store.pem", OWN.pem())
    with store.served("--tls-cert", given, "--tls-key", written("store.key", OWN.key_pem())) as url:
        assert url.startswith("https://127.0.0.1:")
        strangers = make_till("stranger")
        for seen in ({}, {"POS_APP_STORE_CA_FILE": written("another.pem", ANOTHER.pem())}):
            strangers.environment |= seen
            refused = strangers.run("join", url, store.code())
            assert refused.code == 69, refused.err
            assert "certificate" in refused.err
        strangers.environment |= {"POS_APP_STORE_CA_FILE": given} | pin(ANOTHER)
        assert strangers.run("join", url, store.code()).code != 0

        till.environment |= {"POS_APP_STORE_CA_FILE": given} | pin(OWN)
        joined = till.run("join", url, store.code())
        assert (joined.code, joined.err) == (0, "")
        till.run("open")
        synced = till.run("sync", "--once")
        assert (synced.code, synced.last["state"], synced.last["waiting"]) == (0, "well", 0), synced.err
    (counter,) = store.verb("counters").objects
    assert counter["events"] > 0


def test_a_certificate_that_cannot_be_served_is_said(
    store: Shop, written: Callable[[str, bytes], str]
) -> None:
    given, key = written("store.pem", OWN.pem()), written("store.key", OWN.key_pem())
    another = written("another.key", ANOTHER.key_pem())
    sealed = OWN.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"closed"))
    closed = written("closed.key", sealed)
    none = str(store.folder.parent / "none.pem")
    for certificate, private in ((given, another), (given, closed), (none, key), (key, key), (given, none)):
        said = store.verb("run", "--tls-cert", certificate, "--tls-key", private)
        assert said.code == 2, said.err
        assert f"--tls-cert {certificate} with --tls-key {private}: " in said.err
        assert "for example" in said.err
