"""Access lists of files: whether one lets nobody but us in."""

from __future__ import annotations

import os
import struct

_HEAD, _ENTRY = struct.Struct("<I"), struct.Struct("<HHI")
_VERSION = 2
_USER, _GROUP_OF_FILE, _GROUP, _OTHERS = 0x02, 0x04, 0x08, 0x20


def is_for_us_alone(descriptor: int) -> bool:
    """Whether the file's access list names this user and nobody else; False where there is none.

    With a list, the group's bits of the mode are its mask: a service manager that gives us a credential of
    root's by such a list makes a file that looks readable by its group, and is not.
    """
    if not hasattr(os, "getxattr"):
        return False
    try:
        listed = os.getxattr(descriptor, "system.posix_acl_access")
    except OSError:
        return False
    if len(listed) < _HEAD.size or (len(listed) - _HEAD.size) % _ENTRY.size:
        return False
    if _HEAD.unpack_from(listed)[0] != _VERSION:
        return False
    us = os.geteuid()
    for tag, permissions, number in _ENTRY.iter_unpack(listed[_HEAD.size :]):
        if permissions and (tag in (_GROUP_OF_FILE, _GROUP, _OTHERS) or (tag == _USER and number != us)):
            return False
    return True
