"""A log record as one line of JSON: named fields only, no locals, no source, nothing that ends a line early."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import PurePath
from types import TracebackType
from typing import Any

from pos_app.domain.secret import MAX_LENGTH as LONGEST_SECRET
from pos_app.log.redaction import Redactor

MOST_CHARACTERS = 4_096
_MOST_READ = 65_536
FIELDS = (
    "sale_id",
    "attempt_id",
    "installation_id",
    "kind",
    "state",
    "code",
    "http_status",
    "operation",
    "elapsed_ms",
    "seq",
)
"""What may be given as `extra`; any other extra is dropped."""


class LineFormatter(logging.Formatter):
    """Redacts where the record is made, so that no object and no secret crosses to the writing thread."""

    def __init__(self, redact: Redactor) -> None:
        super().__init__()
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """One line, without its end."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "thread": self._redact(record.threadName or ""),
            "where": f"{record.module}:{record.lineno}",
            "message": _told(_message(record), self._redact),
        }
        for name in FIELDS:
            value = getattr(record, name, None)
            if isinstance(value, int):
                line[name] = value
            elif value is not None:
                line[name] = _told(str(value), self._redact.secrets_only)
        if record.exc_info and record.exc_info[1] is not None:
            line["errors"] = errors(record.exc_info[1], self._redact)
        # ASCII alone: no line separator and no terminal escape gets through.
        return json.dumps(line, ensure_ascii=True)


def errors(error: BaseException, redact: Callable[[str], str]) -> list[dict[str, Any]]:
    """The exception and what led to it: type, redacted text, places; no values of variables."""
    told: list[dict[str, Any]] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen and len(told) < 10:
        seen.add(id(current))
        told.append(
            {
                "type": type(current).__qualname__,
                "text": _told(_text(current), redact),
                "places": _places(current.__traceback__),
            }
        )
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return told


def _places(trace: TracebackType | None) -> list[str]:
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{PurePath(code.co_filename).name}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return places[-30:]


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):
        # A wrong log call must not cost the line, and never the caller's payment.
        return str(record.msg)


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except (TypeError, ValueError, AttributeError):
        return "its text cannot be made"


def _told(text: str, redact: Callable[[str], str]) -> str:
    told = redact(text[:_MOST_READ])
    if len(text) > _MOST_READ:
        # The cut may have left the half of a secret, which nothing recognises.
        told = told[:-LONGEST_SECRET]
    return told if len(told) <= MOST_CHARACTERS else told[:MOST_CHARACTERS] + "…"
