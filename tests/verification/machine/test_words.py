"""What keeps the till from coming up is said on that very screen: what is wrong, and what to do."""

from __future__ import annotations

import pytest

from tests.verification.machine.machine import Machine

NEWS = "THE TILL CANNOT COME UP ON THIS SCREEN"
BROKEN = {
    "no-seatd": ("systemctl mask --now seatd.service", "seatd is missing"),
    "no-compositor": ("chmod a-x /usr/bin/cage", "apt-get install cage"),
    "secrets-of-another-machine": (
        "head -c 300 /dev/urandom | base64 >/etc/credstore.encrypted/pos-app-secrets",
        "secrets cannot be unsealed",
    ),
    "no-graphics": ("rm -r /dev/dri", "No graphics card"),
    "program-damaged": (
        "mv /usr/lib/pos-app/_internal/PySide6 /usr/lib/pos-app/_internal/PySide0",
        "exit code",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_console_says_it(till: Machine, name: str) -> None:
    """In English, which is what the console has letters for."""
    breaks, says = BROKEN[name]
    till.do("systemctl stop pos-app-kiosk")
    till.do(breaks)
    till.do("systemctl start --no-block pos-app-kiosk")
    till.find(says)
    till.picture(f"words-{name}")
    till.find(NEWS)
    till.find("What to do")


def test_settings_that_are_wrong_are_named_on_the_safe_screen(till: Machine) -> None:
    """The compositor works: then the till itself says it, in the shop's language where that can still be read."""
    till.do("systemctl stop pos-app-kiosk; echo 'counter_id = [' >>/etc/xdg/pos-app/config.toml")
    till.do("systemctl start --no-block pos-app-kiosk")
    till.find("is not TOML")
    till.picture("words-settings")
