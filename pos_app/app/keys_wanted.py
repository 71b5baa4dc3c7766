"""Whether a field that is touched brings keys to the screen: by the setting, and by what this machine is."""

from __future__ import annotations

from pos_app.system.keyboards import is_keyless


def keys_wanted(setting: str, *, by_finger: bool, alone: bool) -> bool:
    """`setting`: "auto", "always" or "never"; `alone`: the till has the screen to itself.

    By itself they come to a finger, in a kiosk, and where no keyboard is attached. The finger decides where a scanner
    is, which calls itself a keyboard; whoever touches a field with a mouse has a keyboard beside it.
    """
    if setting != "auto":
        return setting == "always"
    return by_finger or alone or is_keyless()
