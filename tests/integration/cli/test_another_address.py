"""Threat 30: the service's address is changed under open payments. Two real sandboxes, of which the second lies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.integration.cli.till import Till, till_of
from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import ServiceClient

SEED = 30
LINES = {"push": ["--push", "+94771234567"], "qr": ["--qr"]}
WAYS = (
    ("file", "push"),
    ("file", "qr"),
    ("variable", "push"),
    ("named file", "qr"),
    ("file named by a variable", "push"),
)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Sandbox]:
    """Where the payment is opened. Both know the same merchant with the same secrets."""
    with Sandbox(config_dir=tmp_path / "home", seed=SEED, switches={"approve_to_paid_s": 0}) as sandbox:
        yield sandbox


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Sandbox]:
    """What the settings name later."""
    with Sandbox(config_dir=tmp_path / "other", seed=SEED, switches={"approve_to_paid_s": 0}) as sandbox:
        yield sandbox


class Shop:
    """One data folder, and the ways of having its till speak to one sandbox or the other."""

    def __init__(self, folder: Path, home: Sandbox, other: Sandbox) -> None:
        self._folder, self._home, self._other = folder, home, other
        self.config = folder / "config.toml"
        self.config.write_text((folder / "home" / "config.toml").read_text())
        self.till = self._named(self.config)

    def _named(self, config: Path) -> Till:
        return till_of(config, self._folder / "home" / "secrets.toml", self._folder / "data")

    def elsewhere(self, way: str) -> Till:
        """The same till, whose settings name the other sandbox."""
        changed = self.config.read_text().replace(self._home.base_url, self._other.base_url)
        assert self._other.base_url in changed
        match way:
            case "file":
                self.config.write_text(changed)
                return self.till
            case "variable":
                return Till(self.till.common, {"POS_APP_GATEWAY_BASE_URL": self._other.base_url})
        file = self._folder / "another.toml"
        file.write_text(changed)
        if way == "named file":
            return self._named(file)
        return Till(self._named(file).common[2:], {"POS_APP_CONFIG": str(file)})

    def at_home(self) -> Till:
        """And again the first."""
        self.config.write_text(self.config.read_text().replace(self._other.base_url, self._home.base_url))
        return self.till


@pytest.fixture
def shop(tmp_path: Path, home: Sandbox, other: Sandbox) -> Shop:
    return Shop(tmp_path, home, other)


def left_waiting(shop: Shop, method: str) -> str:
    """A payment that a customer has not answered yet; its till was killed."""
    paying = shop.till.start("pay", "--amount", "12.50", *LINES[method])
    attempt_id: str = paying.state("WAITING")["attempt_id"]
    paying.kill()
    return attempt_id


def claims(sandbox: Sandbox, attempt_id: str, method: str) -> None:
    """Here somebody has asked for the very same by the very same id, and it is paid."""
    with closing(ServiceClient(sandbox)) as client:
        initiate = client.initiate_push if method == "push" else client.initiate_qr
        assert initiate(attempt_id, chargeTotal=12.5).response["status"] == "success"
        sandbox.act(attempt_id, "pay")
        assert client.status_name(attempt_id) == "Payment Success"


@pytest.mark.parametrize(("way", "method"), WAYS)
def test_a_payment_is_never_paid_by_the_word_of_another_address(
    shop: Shop, home: Sandbox, other: Sandbox, way: str, method: str
) -> None:
    """The other is asked nothing, so it is sent no secret either; the first one's word counts, by itself."""
    attempt_id = left_waiting(shop, method)
    claims(other, attempt_id, method)
    seen = other.calls()
    till = shop.elsewhere(way)

    (listed,) = till.run("open").objects
    resolved = till.run("open", "--resolve", "20")
    for said in (listed, resolved.last):
        assert (said["state"], said["reason"]) == ("UNRESOLVED", "opened_at_another_service")
        assert (said["origin"], said["other_origin"]) == (home.base_url, other.base_url)
    assert resolved.code == 4
    assert till.run("open", "--resolve", "1").code == 4
    assert other.calls() == seen

    home.act(attempt_id, "pay")
    back = shop.at_home().run("open", "--resolve", "20")
    assert (back.code, back.last["state"]) == (0, "PAID")
    assert other.calls() == seen


@pytest.mark.parametrize("method", LINES)
def test_no_verb_asks_another_address_about_it(
    shop: Shop, home: Sandbox, other: Sandbox, method: str
) -> None:
    """Each says both addresses and what to do; a wish to cancel waits for the right one."""
    attempt_id = left_waiting(shop, method)
    wallet_id = home.transaction(attempt_id)["walletTransactionId"]
    claims(other, attempt_id, method)
    seen = other.calls()
    till = shop.elsewhere("file")
    verbs = (
        ("status", attempt_id),
        ("transactions", "--id", attempt_id),
        ("transactions", "--wallet-id", wallet_id),
        ("open", "--continue", attempt_id),
    )
    for verb in verbs:
        refused = till.say(*verb)
        assert refused.code == 78, refused
        assert home.base_url in refused.err
        assert other.base_url in refused.err
        assert f"set gateway.base_url back to {home.base_url}" in refused.err
    assert till.run("cancel", attempt_id).code == 4
    for listing in (("open",), ("transactions", "--local")):
        told = till.say(*listing).out
        assert re.search(f"{re.escape(home.base_url)}.*{re.escape(other.base_url)}", told), told
    assert other.calls() == seen

    assert shop.at_home().run("open", "--resolve", "20").last["state"] == "CANCELLED"
    assert home.transaction(attempt_id)["status"] == "Merchant Cancel"


def test_the_doctor_names_it_and_other_customers_are_served(
    shop: Shop, home: Sandbox, other: Sandbox
) -> None:
    """Its own sale waits; a new one is opened, asked about and paid at the new address."""
    attempt_id = left_waiting(shop, "qr")
    till = shop.elsewhere("file")
    done = till.run("doctor")
    (found,) = [each for each in done.objects if each["about"] == "payment service"]
    assert found["verdict"] == "problem"
    assert home.base_url in found["text"]
    assert other.base_url in found["text"]
    assert done.code == 78

    paying = till.start("pay", "--amount", "3.50", "--qr")
    second = paying.state("WAITING")
    assert second["origin"] == other.base_url
    other.act(second["attempt_id"], "pay")
    assert paying.end().code == 0
    assert attempt_id not in str(other.calls())
    assert [each["attempt_id"] for each in till.run("open").objects] == [attempt_id]


def test_the_till_s_own_sandbox_is_one_service_on_whatever_port(tmp_path: Path) -> None:
    """Its ledger lies beside its journal: a payment from before is asked about at the next start."""
    till = Till(["--sandbox", "--data-dir", str(tmp_path)])
    paying = till.start("pay", "--amount", "12.50", "--qr")
    attempt_id = paying.state("WAITING")["attempt_id"]
    paying.kill()
    assert till.run("open").last["state"] == "WAITING"
    assert till.run("cancel", attempt_id).last["state"] == "CANCELLED"


def test_a_live_till_takes_no_address_and_no_root_from_a_variable(tmp_path: Path) -> None:
    """It says which variable, and what to do; nothing is opened."""
    (tmp_path / "config.toml").write_text(
        '[gateway]\nbase_url = "https://gateway.invalid"\nmerchant_pg_identifier = "M-1"\ncounter_id = 1\n'
        '[shop]\nname = "Café"\ncurrency = "LKR"\ncountry = "LK"\n'
    )
    given = {
        "POS_APP_GATEWAY_BASE_URL": "https://another.invalid",
        "POS_APP_GATEWAY_CA_FILE": str(tmp_path / "root.pem"),
    }
    for variable, value in given.items():
        common = till_of(tmp_path / "config.toml", tmp_path / "secrets.toml", tmp_path / "data").common
        done = Till(common, {variable: value}).say("pay", "--amount", "1", "--qr")
        assert done.code == 78, done
        assert f"{variable}: gateway." in done.err
        assert "cannot come from a variable in live use: unset it" in done.err
        assert not (tmp_path / "data" / "live").exists()
