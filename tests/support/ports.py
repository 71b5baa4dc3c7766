"""Ports for programs that are told theirs: they are free, and nobody is given them before the program begins."""

from __future__ import annotations

import socket
from random import SystemRandom

HOST = "127.0.0.1"
_FROM, _TO = 20_000, 30_000
"""Below those that the system gives to whoever asks for any, and to each connection at its own end."""


def free_port(neighbours: int = 0) -> int:
    """One; as many behind it are free as well."""
    chance = SystemRandom()
    while True:
        first = chance.randrange(_FROM, _TO)
        if all(map(_is_free, range(first, first + 1 + neighbours))):
            return first


def _is_free(port: int) -> bool:
    with socket.socket() as one:
        try:
            one.bind((HOST, port))
        except OSError:
            return False
    return True
