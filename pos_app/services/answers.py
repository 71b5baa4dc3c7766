"""From a raw reply to a value of the domain: what counts as an answer, and why the rest is none."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pos_app.domain.replies import NoAnswer, Refused, Why
from pos_app.domain.secret import Secret
from pos_app.domain.text import LIMIT, clean_text, hide_numbers
from pos_app.services import strict_json
from pos_app.services.client import Reply
from pos_app.services.dates import time_in
from pos_app.services.errors import ServiceError
from pos_app.services.strict_json import Unreadable
from pos_app.services.wire import refusal

DETAIL_LIMIT = 4_096
RETRY_AFTER_S = (1.0, 60.0)

_ESCAPED = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/]))')
_LONGEST_NUMBER = 64
"""Signs: a written number with what joins its groups."""

Success = TypeVar("Success")


def no_answer(error: ServiceError) -> NoAnswer:
    """A failed exchange as a value."""
    return NoAnswer(error.why, error.sent, error.http_status, detail=error.detail)


def answer(
    reply: Reply,
    success: Callable[[Any], Success],
    secrets: Iterable[Secret],
    *,
    status_needed: bool = True,
) -> Success | Refused | NoAnswer:
    """The merchant service's reply.

    5xx, 401 and 429 prove nothing whatever their body says (rule 2). A failure in the service's envelope
    counts at 2xx and at any other 4xx, a success at 2xx alone.
    """
    if reply.status == 401:
        return _nothing(Why.SIGN_IN, reply, "", secrets)
    if reply.status == 429:
        return _nothing(Why.SLOW_DOWN, reply, "", secrets)
    if not (200 <= reply.status < 300 or 400 <= reply.status < 500):
        return _nothing(Why.HTTP, reply, "", secrets)
    try:
        document = json_of(reply)
        refused = refusal(document, status_needed=status_needed)
        if refused is not None:
            return Refused(hide_numbers(refused.code), told(refused.message, secrets))
        if reply.status < 300:
            return success(document)
        problem = "a success with a failing HTTP status"
    except Unreadable as error:
        problem = str(error)
    return _nothing(_why_unreadable(reply), reply, problem, secrets)


def unreadable(reply: Reply, problem: str, secrets: Iterable[Secret]) -> NoAnswer:
    """A reply that says nothing the till may believe."""
    return _nothing(_why_unreadable(reply), reply, problem, secrets)


def json_of(reply: Reply) -> Any:
    """The JSON document of a reply that says it is JSON; raises Unreadable."""
    media_type = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Unreadable(f"not JSON but {clean_text(media_type, 60) or 'of no stated type'}")
    return strict_json.decode(reply.body)


def retry_after_s(reply: Reply, now: Callable[[], float] = time.time) -> float | None:
    """The wait a reply asks for, seconds or a date, clamped to 1-60 s; None where nothing readable asks.

    A date is counted from the reply's own Date, so that a till with a wrong clock waits as long as others.
    """
    text = reply.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        seconds = float(text[:12])
    else:
        until, made = time_in(text), time_in(reply.headers.get("date", ""))
        if until is None:
            return None
        seconds = until / 1000 - (now() if made is None else made / 1000)
    return min(max(seconds, RETRY_AFTER_S[0]), RETRY_AFTER_S[1])


def excerpt(body: bytes, secrets: Iterable[Secret]) -> str:
    """A copy of a body for the log: plain text, secrets and all but the last digits of numbers gone."""
    known, part = tuple(secrets), body[: 2 * DETAIL_LIMIT]
    # Cleaned first: what cleaning takes out may stand between the signs of a secret.
    # Unescaped before that, if it is JSON at all, which may write any sign as \\u0669, and each slash as "\\/".
    plain = _ESCAPED.sub(_sign, redacted(part.decode("utf-8", "replace"), known))
    kept = hide_numbers(redacted(clean_text(plain, len(plain)), known))
    if len(part) < len(body):
        # Few signs of many bytes, and the end is what the cut may have gone through.
        longest = max((len(secret.reveal()) for secret in known), default=0)
        kept = kept[: -max(longest, _LONGEST_NUMBER)]
    return kept[:DETAIL_LIMIT]


def told(text: str, secrets: Iterable[Secret], limit: int = LIMIT) -> str:
    """A foreign text as it may be stored: secrets and numbers gone, and cut only then.

    A secret or a number that a cut went through would no longer be known as one.
    """
    return hide_numbers(redacted(text, secrets))[:limit]


def redacted(text: str, secrets: Iterable[Secret]) -> str:
    """A text of the service without the secrets it may echo."""
    for secret in secrets:
        if secret:
            text = text.replace(secret.reveal(), "[secret]")
    return text


def _sign(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else found[2]


def _nothing(why: Why, reply: Reply, problem: str, secrets: Iterable[Secret]) -> NoAnswer:
    parts = [f"HTTP {reply.status}", hide_numbers(problem), excerpt(reply.body, secrets)]
    return NoAnswer(
        why,
        sent=True,
        http_status=reply.status,
        retry_after_s=retry_after_s(reply) if why is Why.SLOW_DOWN else None,
        detail=": ".join(part for part in parts if part)[:DETAIL_LIMIT],
    )


def _why_unreadable(reply: Reply) -> Why:
    if reply.status == 403:
        return Why.FORBIDDEN
    return Why.UNREADABLE if reply.status < 300 else Why.HTTP
