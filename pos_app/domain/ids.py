"""Attempt ids: unique for ever, over every copy of a data folder too; readable aloud, with no clock in them."""

from __future__ import annotations

import re

from pos_app.domain.attempt import Environment

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No 0/O, 1/I/L or U: an id is read aloud over a counter."""

INSTALLATION_LENGTH = 8
RANDOM_LENGTH = 6
"""29 bits of the operating system's: what tells apart two runs from one copy of a journal, whose numbers agree."""

ATTEMPTS_OF_A_SALE = 10_000
"""An id has room for four digits. An attempt's place in the journal is its sale's number times this, and its own."""

MAX_LENGTH = 32
RECOVERED_BELOW = 10_000_000
"""No payment of a sale with this number or a higher one is entered by another machine's word: the next sale is one more
than the highest, and behind the last number that an id has room for none could begin, ever."""
SANDBOX_PREFIX = "SBX-"

# Ids of the first version end with the attempt's number; they are read for ever and never made again.
_FORM = re.compile(
    rf"(?P<sandbox>SBX-)?T(?P<installation>[{ALPHABET}]{{8}})-(?P<sale>[0-9]{{4,10}})-(?P<attempt>[0-9]{{1,4}})"
    rf"(?P<random>-[{ALPHABET}]{{6}})?"
)


def attempt_id(
    environment: Environment, installation_id: str, sale_id: str, number: int, random_part: str
) -> str:
    """The external id of a sale's n-th attempt: "T7K3M9QRD-0123-1-K7Q2M9", in the sandbox "SBX-T7K3M9QRD-…".

    `random_part` is drawn anew for each attempt when its intent is written (rule "Attempt id"): a journal that
    was put back or cloned gives its numbers out again, and must not ask by an id that another run has used.
    """
    made = f"{till_of(environment, installation_id)}-{sale_id}-{number}-{random_part}"
    if len(made) > MAX_LENGTH or len(random_part) != RANDOM_LENGTH or not _FORM.fullmatch(made):
        raise ValueError(f"not an attempt id: {made!r}")
    return made


def till_of(environment: str, installation_id: str) -> str:
    """What every number of ours begins with: "T7K3M9QRD", in the sandbox "SBX-T7K3M9QRD"."""
    prefix = SANDBOX_PREFIX if environment == Environment.SANDBOX.value else ""
    return f"{prefix}T{installation_id}"


def receipt_number(environment: str, installation_id: str, number: int) -> str:
    """As it is printed: "T7K3M9QRD-R000123", in the sandbox "SBX-T7K3M9QRD-R000123"; "" for no receipt (0)."""
    return f"{till_of(environment, installation_id)}-R{number:06d}" if number else ""


def installation_of(external_id: str) -> str:
    """The installation an external id belongs to; empty when it is not of our form."""
    match = _FORM.fullmatch(external_id)
    return match["installation"] if match else ""


def is_installation(text: str) -> bool:
    """Whether this is an installation id: eight characters of the alphabet."""
    return len(text) == INSTALLATION_LENGTH and set(text) <= set(ALPHABET)


def sale_id(number: int) -> str:
    """Sale number 123 as people say it: "0123"."""
    return f"{number:04d}"


def parts_of(environment: Environment, external_id: str) -> tuple[str, str, int]:
    """Installation, sale and number of an attempt's id; ("", "", 0) when it is none of this environment."""
    match = _FORM.fullmatch(external_id)
    if match is None or bool(match["sandbox"]) != (environment is Environment.SANDBOX):
        return "", "", 0
    return match["installation"], match["sale"], int(match["attempt"])


def sale_and_number(external_id: str) -> tuple[str, int]:
    """The sale and the number an attempt's id of any environment holds; ("", 0) when it is not of our form."""
    match = _FORM.fullmatch(external_id)
    return (match["sale"], int(match["attempt"])) if match else ("", 0)
