"""Changes a reply by its structure: a field gone, twice, of another type, in another envelope. Reproducible by seed."""

from __future__ import annotations

import json
import random
import re
from typing import Any

from tests.verification.fuzz.replies import HEAD
from tests.verification.fuzz.reply_seeds import NAMES, VALUES
from tests.verification.fuzz.targets import Blind

_MEMBER = re.compile(rb'"[A-Za-z]+"\s*:\s*(?:"[^"\\]*"|[-0-9.eE+]+|null|true|false)')
_VALUE = re.compile(rb'(?<=[:\[,])\s*(?:"(?:[^"\\]|\\.)*"|[-0-9.eE+]+|null|true|false)')
_NAME = re.compile(rb'"[A-Za-z]+"(?=\s*:)')


def mutated(data: bytes, most: int, seed: int, blind: Blind) -> bytes:
    """One to three changes, of bytes or of structure."""
    dice = random.Random(seed)
    for _ in range(dice.choice((1, 1, 2, 3))):
        data = _once(data, most, dice, blind)
    return data[:most]


def _once(data: bytes, most: int, dice: random.Random, blind: Blind) -> bytes:
    if len(data) <= HEAD or dice.random() < 0.3:
        return blind(data, most)
    head, body = bytearray(data[:HEAD]), data[HEAD:]
    if dice.random() < 0.15:
        head[dice.randrange(HEAD)] = dice.randrange(256)
        return bytes(head) + body
    return bytes(head) + dice.choice(_CHANGES)(body, dice)


def _other_value(body: bytes, dice: random.Random) -> bytes:
    """A value becomes another; now and then each one like it."""
    return _put(body, _VALUE, dice.choice(VALUES).encode(), dice)


def _other_name(body: bytes, dice: random.Random) -> bytes:
    return _put(body, _NAME, f'"{dice.choice(NAMES)}"'.encode(), dice)


def _put(body: bytes, what: re.Pattern[bytes], instead: bytes, dice: random.Random) -> bytes:
    places = list(what.finditer(body))
    if not places:
        return body + instead
    place = dice.choice(places)
    return body[: place.start()] + instead + body[place.end() :]


def _twice(body: bytes, dice: random.Random) -> bytes:
    """A member stands a second time, as it is or with another value."""
    places = list(_MEMBER.finditer(body))
    if not places:
        return body * 2
    place = dice.choice(places)
    again = place[0] if dice.random() < 0.5 else _other_value(place[0], dice)
    return body[: place.end()] + b"," + again + body[place.end() :]


def _gone(body: bytes, dice: random.Random) -> bytes:
    places = list(_MEMBER.finditer(body))
    if not places:
        return body
    place = dice.choice(places)
    return re.sub(
        rb",\s*,|,\s*}", lambda comma: comma[0][-1:], body[: place.start()] + body[place.end() :], count=1
    )


def _more(body: bytes, dice: random.Random) -> bytes:
    """One more member at the start of some object."""
    places = [place.end() for place in re.finditer(rb"\{", body)]
    if not places:
        return body
    at = dice.choice(places)
    return body[:at] + f'"{dice.choice(NAMES)}":{dice.choice(VALUES)},'.encode() + body[at:]


def _written_otherwise(body: bytes, dice: random.Random) -> bytes:
    """The same document in other bytes; in another alphabet, or with a mark, it is none."""
    how = dice.randrange(6)
    try:
        if how == 0:
            return json.dumps(_turned(json.loads(body), dice), ensure_ascii=False).encode(
                "utf-8", "surrogatepass"
            )
        text = body.decode()
    except (ValueError, RecursionError):
        return body[: dice.randrange(len(body) + 1)]
    if how == 1:
        return b"\xef\xbb\xbf" + body
    if how == 2:
        return text.encode("utf-16")
    if how == 3:
        return body + body
    if how == 4:
        return b" \r\n\t" + body + b"\n"
    return body[: dice.randrange(len(body) + 1)]


def _turned(document: Any, dice: random.Random) -> Any:
    """The envelope off, on once more, or in a list; members in another order."""
    how = dice.randrange(4)
    if isinstance(document, dict) and how == 0:
        pairs = list(document.items())
        dice.shuffle(pairs)
        return dict(pairs)
    if isinstance(document, dict) and how == 1 and document:
        return dice.choice(list(document.values()))
    return {dice.choice(NAMES): document} if how == 2 else [document]


_CHANGES = (_other_value, _other_value, _other_name, _twice, _gone, _more, _written_otherwise)
