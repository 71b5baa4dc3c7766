"""Which machine has no keyboard, by what the kernel lists. Texts as real machines write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.app.keys_wanted import keys_wanted
from pos_app.system.keyboards import is_keyless

POWER = """I: Bus=0019 Vendor=0000 Product=0001 Version=0000
N: Name="Power Button"
H: Handlers=kbd event0
B: EV=3
B: KEY=10000000000000 0
"""
KEYBOARD = """I: Bus=0003 Vendor=046d Product=c31c Version=0110
N: Name="Logitech USB Keyboard"
H: Handlers=sysrq kbd event3 leds
B: EV=120013
B: KEY=1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe
"""
MOUSE = """I: Bus=0003 Vendor=046d Product=c077 Version=0111
N: Name="Logitech USB Optical Mouse"
H: Handlers=mouse0 event4
B: EV=17
B: KEY=70000 0 0 0 0
"""
TOUCH = """I: Bus=0003 Vendor=222a Product=0001 Version=0110
N: Name="ILITEK ILITEK-TP"
H: Handlers=mouse1 event5
B: EV=b
B: KEY=400 0 0 0 0 0
"""


@pytest.mark.parametrize(
    ("devices", "keyless"),
    [
        ((POWER, TOUCH), True),
        ((POWER, MOUSE), True),
        ((POWER, TOUCH, KEYBOARD), False),
        ((KEYBOARD,), False),
        # Nobody stands before a server.
        ((POWER,), False),
        ((), False),
        (("B: KEY=nonsense",), False),
    ],
)
def test_a_machine_to_point_at_without_a_keyboard(
    tmp_path: Path, devices: tuple[str, ...], *, keyless: bool
) -> None:
    listed = tmp_path / "devices"
    listed.write_text("\n".join(devices))
    assert is_keyless(listed) is keyless


def test_a_system_that_does_not_say_has_one(tmp_path: Path) -> None:
    assert not is_keyless(tmp_path / "none")


@pytest.mark.parametrize("by_finger", [True, False])
@pytest.mark.parametrize("alone", [True, False])
def test_the_setting_decides_unless_it_is_left_to_the_till(*, by_finger: bool, alone: bool) -> None:
    assert keys_wanted("always", by_finger=by_finger, alone=alone)
    assert not keys_wanted("never", by_finger=by_finger, alone=alone)
    if by_finger or alone:
        assert keys_wanted("auto", by_finger=by_finger, alone=alone)
