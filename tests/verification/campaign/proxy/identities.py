"""Certificates of a run, good and bad, as contexts of a server; the till trusts them by its own setting alone."""

from __future__ import annotations

import ssl
import warnings
from pathlib import Path

from tests.unit.services.certificates import DAY, NOW, Pair, make, server_context

HOST = "localhost"
BAD = (
    "expired",
    "not yet valid",
    "for another host",
    "signed by itself",
    "from an unknown root",
    "too old a version",
)


class Identities:
    """`ca_file` is what the shop's settings name; `good` and `bad` are what servers show."""

    def __init__(self, folder: Path) -> None:
        root = make("shop root", is_ca=True)
        stranger = make("another root", is_ca=True)
        self.ca_file = folder / "ca.pem"
        self.ca_file.write_bytes(root.pem())
        good = make("gateway", root, hosts=(HOST,))
        self.good = server_context(folder, good)
        self.bad = {
            "expired": _of(folder, make("late", root, hosts=(HOST,), begins=NOW - 9 * DAY, ends=NOW - DAY)),
            "not yet valid": _of(
                folder, make("early", root, hosts=(HOST,), begins=NOW + DAY, ends=NOW + 9 * DAY)
            ),
            "for another host": _of(folder, make("other", root, hosts=("gateway.example",))),
            "signed by itself": _of(folder, make("self", hosts=(HOST,))),
            "from an unknown root": _of(folder, make("unknown", stranger, hosts=(HOST,)), stranger),
            "too old a version": _old(_of(folder, good)),
        }


def _of(folder: Path, *chain: Pair) -> ssl.SSLContext:
    return server_context(folder, *chain)


def _old(context: ssl.SSLContext) -> ssl.SSLContext:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")
    return context
