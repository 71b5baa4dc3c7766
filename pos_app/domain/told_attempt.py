"""A payment in another machine's words: read only where each of its facts is one that a till can have told. Pure.

Whatever a store answers is another machine's text. What is shown, printed or entered in the journal of it is plain,
exact and of a size that everything behind it can hold; what it says happened is nobody's proof here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, Environment
from pos_app.domain.ids import parts_of
from pos_app.domain.money import currency
from pos_app.domain.receipt import number_in, shown_number
from pos_app.domain.text import clean_text, typed_text
from pos_app.domain.whitelist import OF_ATTEMPT, REFERENCES

WHOLE_MOST = 2**53
"""Of a number: more is no time and no count, and SQLite holds no more than 2**63."""

_OF_A_MOMENT = frozenset("0123456789-:.+TZ")


def attempt_told(content: Mapping[str, object], environment: Environment) -> Attempt | None:
    """The payment; None for what a newer version wrote, and for what no till of this environment can have told."""
    try:
        attempt = msgspec.convert({each: content[each] for each in content if each in _LEAVES}, Attempt)
        units = currency(attempt.currency)
        prices = tuple(map(units.exact, attempt.prices))
        attempt = replace(attempt, amount=units.exact(attempt.amount), prices=prices)
    except (msgspec.ValidationError, ArithmeticError, ValueError, KeyError):
        return None
    fits = (
        attempt.environment is environment
        and attempt.amount > 0
        and _is_named(attempt)
        and moment_of(attempt.tapped_wall) is not None
        and all(abs(each) <= WHOLE_MOST for each in _numbers(attempt))
    )
    return _plain(attempt) if fits else None


_LEAVES = OF_ATTEMPT | REFERENCES


def moment_of(text: str) -> datetime | None:
    """ISO text with its offset as a moment; None for any other text, and for a moment that some zone has no day for."""
    if not set(text) <= _OF_A_MOMENT:
        return None
    try:
        read = datetime.fromisoformat(text)
        return read if read.tzinfo is not None and 2 <= read.astimezone(UTC).year <= 9998 else None
    except (ValueError, OverflowError):
        return None


def _is_named(attempt: Attempt) -> bool:
    """Whether its id, sale and receipt are such as a counter gives."""
    _, sale_id, number = parts_of(attempt.environment, attempt.attempt_id)
    is_receipt = not attempt.receipt or number_in(shown_number(attempt))[1] == attempt.receipt
    return bool(sale_id) and (attempt.sale_id, attempt.number) == (sale_id, number) and is_receipt


def _numbers(attempt: Attempt) -> Iterator[int]:
    yield from (each for each in msgspec.structs.astuple(attempt) if isinstance(each, int))
    yield from (each.at for each in (attempt.cancel_wish, attempt.resolution) if each is not None)


def _plain(attempt: Attempt) -> Attempt:
    texts = {
        name: clean_text(value)
        for name, value in zip(Attempt.__struct_fields__, msgspec.structs.astuple(attempt), strict=True)
        if type(value) is str
    }
    wish, answer = attempt.cancel_wish, attempt.resolution
    if answer is not None:
        answer = replace(answer, name=clean_text(answer.name), reason=typed_text(answer.reason))
    if wish is not None:
        wish = replace(wish, who=clean_text(wish.who))
    return replace(attempt, cancel_wish=wish, resolution=answer, **texts)
