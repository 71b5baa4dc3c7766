"""A control request as a value and how its body is read; it must not act on it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.datastructures import QueryParams

from pos_app.sandbox.parts import Parts
from pos_app.sandbox.replies import problem

T = TypeVar("T")


class Asked(NamedTuple):
    """What the path, the query and the body of a control request say."""

    path: Mapping[str, str]
    query: QueryParams
    body: bytes


Handler = Callable[[Parts, Asked], Any]
"""Returns what is sent back as JSON, or raises HttpError."""


def read(decoder: msgspec.json.Decoder[T], body: bytes) -> T:
    try:
        return decoder.decode(body)
    except (ValueError, RecursionError) as error:
        detail = str(error) if isinstance(error, msgspec.MsgspecError) else "no JSON"
        raise problem("INVALID_ARGUMENT", detail) from error
