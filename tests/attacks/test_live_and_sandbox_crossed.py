"""Live and sandbox crossed in every way: settings, data folder, address, journal; nothing is sent, nothing mixed."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.journal import open_journal
from pos_app.secrets import journal_key
from tests.integration.cli.till import Done, Till

CONFIG = """\
[gateway]
environment = "{environment}"
base_url = "{base_url}"
merchant_pg_identifier = "M-0001"
counter_id = 1

[shop]
name = "Corner Shop"
currency = "LKR"
country = "LK"
"""
SECRETS = 'access_token = "t"\nmerchant_secret_code = "c"\nmerchant_password = "p"\n'
ENVIRONMENTS = ("live", "sandbox")
PAY = ("pay", "--amount", "1.00", "--qr")


@pytest.fixture
def listener() -> Iterator[tuple[str, list[bytes]]]:
    """Somebody who takes whatever is sent; the address, and what came."""
    came: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take() -> None:
            try:
                while True:
                    connection, _ = server.accept()
                    with connection:
                        came.append(connection.recv(65_536))
            except OSError:
                return

        thread = threading.Thread(target=take)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", came
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def till(folder: Path, environment: str, base_url: str, data: Path) -> Till:
    config, secrets = folder / "config.toml", folder / "secrets.toml"
    config.write_text(CONFIG.format(environment=environment, base_url=base_url))
    secrets.write_text(SECRETS)
    secrets.chmod(0o600)
    return Till(["--config", str(config), "--secrets-file", str(secrets), "--data-dir", str(data)])


def journal(data: Path, environment: str) -> Path:
    """An empty one with its key, as a till of this environment leaves it."""
    folder = data / environment
    folder.mkdir(parents=True, mode=0o700)
    data.chmod(0o700)
    journal = open_journal(
        folder / "journal.sqlite",
        journal_key(folder, environment, use_keystore=False),
        Environment(environment),
    )
    journal.close()
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    kept = ("journal.sqlite", "journal.sqlite-wal", "journal.key")
    return {name: (folder / name).read_bytes() for name in kept if (folder / name).exists()}


def is_refused(done: Done, code: int, says: str) -> None:
    assert done.code == code, done
    assert says in done.err + done.out, done
    assert "Traceback" not in done.err


@pytest.mark.parametrize("verb", [PAY, ("otp", "send", "+94771234567")])
@pytest.mark.parametrize("whose", [None, *ENVIRONMENTS])
def test_live_settings_never_reach_this_machine(
    tmp_path: Path, listener: tuple[str, list[bytes]], verb: tuple[str, ...], whose: str | None
) -> None:
    """Live with a sandbox's address, whatever journal is there: refused before a byte is sent or written."""
    address, came = listener
    before = contents(journal(tmp_path / "data", whose)) if whose else {}
    for base_url in (address, address.replace("http:", "https:")):
        done = till(tmp_path, "live", base_url, tmp_path / "data").say(*verb)
        is_refused(done, 78, "base_url must")
    assert came == []
    if whose:
        assert contents(tmp_path / "data" / whose) == before
    else:
        assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "host", ["gateway.example", "10.0.0.1", "192.168.1.5", "169.254.1.1", "127.0.0.1.nip.io"]
)
def test_sandbox_settings_reach_nothing_but_this_machine(tmp_path: Path, host: str) -> None:
    """Not a gateway, not the shop's network, not a name that only looks like this machine."""
    done = till(tmp_path, "sandbox", f"https://{host}", tmp_path / "data").say(*PAY)
    is_refused(done, 78, "must be this machine (127.0.0.1) in sandbox")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "host", ["localhost", "[::1]", "10.1.2.3", "172.16.0.1", "192.168.0.9", "[fd00::1]", "till.local"]
)
def test_live_settings_reach_no_private_network(tmp_path: Path, host: str) -> None:
    """Somebody in the shop could play the gateway there."""
    done = till(tmp_path, "live", f"https://{host}", tmp_path / "data").say(*PAY)
    is_refused(done, 78, "must not be this machine or a private network in live use")


@pytest.mark.parametrize("mine", ENVIRONMENTS)
def test_a_folder_of_one_environment_is_no_data_folder(
    tmp_path: Path, listener: tuple[str, list[bytes]], mine: str
) -> None:
    """--data-dir inside the other's, or inside one's own, is refused by name."""
    address, came = listener
    base_url = address if mine == "sandbox" else "https://gateway.example"
    for whose in ENVIRONMENTS:
        folder = journal(tmp_path / whose, whose)
        before = contents(folder)
        done = till(tmp_path, mine, base_url, folder).say(*PAY)
        is_refused(done, 2, "is the folder of one environment")
        assert contents(folder) == before
    assert came == []


@pytest.mark.parametrize("with_key", [True, False])
@pytest.mark.parametrize("mine", ENVIRONMENTS)
def test_a_journal_carried_over_from_the_other_is_refused(
    tmp_path: Path, listener: tuple[str, list[bytes]], mine: str, with_key: bool
) -> None:
    """Copied into the right place under the right name, with or without its key: nothing is appended or sent."""
    address, came = listener
    other = "live" if mine == "sandbox" else "sandbox"
    data = tmp_path / "data"
    folder = journal(data, other).rename(data / mine)
    if not with_key:
        (folder / "journal.key").unlink()
    before = contents(folder)["journal.sqlite"]
    base_url = address if mine == "sandbox" else "https://gateway.example"
    done = till(tmp_path, mine, base_url, data).say(*PAY)
    assert done.code in (73, 78), done
    assert "Traceback" not in done.err
    assert came == []
    assert (folder / "journal.sqlite").read_bytes() == before


def test_the_tills_own_sandbox_and_another_never_share_a_journal(
    tmp_path: Path, listener: tuple[str, list[bytes]]
) -> None:
    """One --data-dir for both: two folders, two journals, and neither server hears of the other's payments."""
    address, came = listener
    data = tmp_path / "data"
    outside = journal(data, "sandbox")
    before = contents(outside)
    own = Till(["--sandbox", "--data-dir", str(data)])
    done = own.run("pay", "--amount", "2.00", "--qr", "--customer", "approve")
    assert done.code == 0, done
    assert came == []
    assert contents(outside) == before
    assert {path.parent.name for path in data.glob("*/journal.sqlite")} == {"sandbox", "sandbox-own"}
    till(tmp_path, "sandbox", address, data).say("transactions")
    assert came
    assert own.run("open").objects == []
