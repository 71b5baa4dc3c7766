"""The packages through a machine's life: installed, at work, updated, taken away; never from under an open payment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.sandbox import Sandbox
from tests.verification.proof.debian.conftest import LATER, Packages
from tests.verification.proof.debian.machine import Debian, line_with, needs_a_bare_debian

pytestmark = [pytest.mark.timeout(1800), needs_a_bare_debian()]
TILL = "/usr/lib/pos-app/pos-app"
FLAG = "/run/pos-app.updating"
PAY = ("pos-app", "pay", "--json", "--amount", "12.50", "--qr")


def test_installed_it_sells_and_what_was_sold_outlives_it(installed: Debian) -> None:
    """Nothing is there but what the package asks for: the till draws, sells, and is found as it was packed."""
    debian = installed
    assert debian.there(FLAG) == []
    sold = debian.good(*PAY, "--sandbox", "--customer", "approve", user="kassa")
    assert '"PAID"' in sold.splitlines()[-1]
    debian.good("pos-app", "tour", "--language", "si", "--screenshots", "/home/kassa/tour", user="kassa")
    pictures = debian.good("find", "/home/kassa/tour", "-name", "*.png", "-size", "+4k").split()
    assert len(pictures) > 30
    examined = debian.good("pos-app", "doctor", "--sandbox", "--json", user="kassa").splitlines()
    findings = {each["about"]: each for each in map(json.loads, examined)}
    assert findings["installation"]["text"].startswith("all files are as they were packed")
    assert debian.good("dpkg", "-V", "pos-app") == ""
    kept = debian.good("find", "/home/kassa/.local/share/pos-app", "-type", "f")
    assert "journal" in kept
    debian.good("dpkg", "-r", "pos-app")
    assert "kept: the journals" in debian.good("dpkg", "-P", "pos-app")
    assert debian.good("find", "/home/kassa/.local/share/pos-app", "-type", "f") == kept
    assert debian.there("/usr/lib/pos-app", "/usr/bin/pos-app", "/usr/share/doc/pos-app", FLAG) == []


def test_a_changed_file_is_found(installed: Debian) -> None:
    """By the till itself and by dpkg: one that is changed, one that is missing, one too many."""
    debian = installed
    inside = "/usr/lib/pos-app/_internal"
    debian.good(
        "sh",
        "-c",
        f"echo >>{inside}/certifi/cacert.pem; touch {inside}/extra.pth; rm {TILL[:-7]}THIRD-PARTY.txt",
    )
    examined = debian.run("pos-app", "doctor", "--sandbox", "--json", user="kassa")
    assert examined.returncode == 1
    findings = {each["about"]: each for each in map(json.loads, examined.stdout.splitlines())}
    assert findings["installation"]["verdict"] == "problem"
    for said in (
        "changed: _internal/certifi/cacert.pem",
        "missing: THIRD-PARTY.txt",
        "extra: _internal/extra.pth",
    ):
        assert said in findings["installation"]["text"]
    assert len(debian.run("dpkg", "-V", "pos-app").stdout.splitlines()) == 2


def test_an_update_leaves_an_open_payment_alone(
    installed: Debian, packages: Packages, tmp_path: Path
) -> None:
    """Neither updated nor removed while a customer has the code before them; once it is paid, updated."""
    debian = installed
    before = debian.version()
    with Sandbox(config_dir=tmp_path / "shop") as sandbox:
        for name in ("config.toml", "secrets.toml"):
            debian.give(name, (tmp_path / "shop" / name).read_text())
        shop = ("--config", "/home/kassa/config.toml", "--secrets-file", "/home/kassa/secrets.toml")
        with debian.begun(*PAY, *shop, user="kassa") as till:
            line_with(till.stdout, "WAITING")
            soon = {"POS_APP_DRAIN_S": "3"}
            for refused in (
                debian.run("dpkg", "-i", packages.later, **soon),
                debian.run("dpkg", "-r", "pos-app", **soon),
            ):
                assert refused.returncode == 1
                assert "stays as it is" in refused.stdout
                assert debian.version() == before
                assert debian.there(TILL, FLAG) == [TILL]
            sandbox.act(str(sandbox.transactions()[0]["externalMerchantTransactionId"]), "pay")
            assert '"PAID"' in line_with(till.stdout, '"PAID"')
            assert till.wait(60) == 0
    assert debian.good("dpkg", "-V", "pos-app") == ""
    debian.good("dpkg", "-i", packages.later)
    assert debian.version() == f"{LATER} installed"
    assert debian.there(FLAG) == []
    assert "usage: pos-app" in debian.good("pos-app", "--help")


def test_a_till_with_nothing_open_closes_for_an_update(installed: Debian, packages: Packages) -> None:
    """Whoever it belongs to: it ends by itself, in order, and the new version lies there."""
    debian = installed
    with debian.begun("pos-app", "--sandbox", "--data-dir", "/home/kassa/data", user="kassa") as till:
        # 69: it has not come in yet. Nothing is asked of it within no time.
        while debian.run("pos-app", "drain", "--all-users", "--wait", "0").returncode == 69:
            assert till.poll() is None
        debian.good("dpkg", "-i", packages.later)
        assert till.wait(60) == 0
    assert debian.version() == f"{LATER} installed"
    assert debian.there(FLAG) == []


def test_back_to_an_older_version_only_by_will(debian: Debian, packages: Packages) -> None:
    """It may not read the journal that the newer one has written."""
    debian.good("dpkg", "-i", packages.later)
    for prepared in ((), ("dpkg", "-r", "pos-app")):
        if prepared:
            debian.good(*prepared)
        refused = debian.run("dpkg", "-i", packages.till)
        assert refused.returncode == 1
        assert "POS_APP_OLDER=1" in refused.stdout
        assert debian.version().startswith(LATER)
    debian.good("dpkg", "-i", packages.till, POS_APP_OLDER="1")
    assert not debian.version().startswith(LATER)
    assert debian.there(FLAG) == []


def test_the_kiosk_s_user_outlives_it_and_an_administrator_s_change_an_update(
    installed: Debian, packages: Packages
) -> None:
    """What the journal belongs to stays when all else goes; the file of /etc is theirs to change."""
    debian = installed
    kiosk = ("dpkg", "--force-depends", "-i")  # its compositor and systemd are not on this machine
    debian.good(*kiosk, packages.kiosk)
    assert "/var/lib/pos-app:/usr/sbin/nologin" in debian.good("getent", "passwd", "pos-app")
    assert debian.good("stat", "-c", "%a %U", "/etc/credstore.encrypted") == "700 root\n"
    debian.good(
        "sh",
        "-c",
        "echo '# ours' >>/etc/needrestart/conf.d/pos-app-kiosk.conf; mkdir -m 700 /var/lib/pos-app",
    )
    debian.good("sh", "-c", "chown pos-app: /var/lib/pos-app; echo sold >/var/lib/pos-app/journal.sqlite")
    debian.good(*kiosk, packages.later, packages.later_kiosk)
    assert debian.version("pos-app-kiosk") == f"{LATER} installed"
    assert "# ours" in debian.good("cat", "/etc/needrestart/conf.d/pos-app-kiosk.conf")
    debian.good("dpkg", "-P", "pos-app-kiosk", "pos-app")
    left = ("/etc/needrestart/conf.d/pos-app-kiosk.conf", "/usr/lib/pos-app-kiosk", "/usr/lib/pos-app")
    assert debian.there(*left) == []
    assert debian.good("stat", "-c", "%U", "/var/lib/pos-app") == "pos-app\n"
    assert debian.good("cat", "/var/lib/pos-app/journal.sqlite") == "sold\n"
