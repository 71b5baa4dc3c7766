"""Fails a test that logs a warning nobody expected; must see loggers that do not propagate too."""

import logging
import re
import traceback
from collections.abc import Iterator
from typing import Any

import pytest


class Watch:
    """Collects what is logged at WARNING or above between start and stop, from every thread."""

    def __init__(self) -> None:
        self._make = logging.getLogRecordFactory()
        self.records: list[logging.LogRecord] = []

    def start(self) -> None:
        logging.setLogRecordFactory(self._note)

    def stop(self) -> None:
        logging.setLogRecordFactory(self._make)

    def _note(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record = self._make(*args, **kwargs)
        # makeLogRecord builds an empty record first, with no level at all.
        if (record.levelno or 0) >= logging.WARNING:
            self.records.append(record)
        return record


def _text(record: logging.LogRecord) -> str:
    return f"{record.levelname} {record.name}: {record.getMessage()}"


def _traceback(record: logging.LogRecord) -> str:
    """Of the exception it was logged with, on lines of its own; nothing is left of it once the test has failed."""
    return "".join(["\n", *traceback.format_exception(*record.exc_info)]) if record.exc_info else ""


def verdict(records: list[logging.LogRecord], wanted: list[str]) -> list[str]:
    """What is wrong with these records: each one no pattern wants, each pattern nothing matched."""
    texts = [_text(record) for record in records]
    unexpected = [
        text + _traceback(record)
        for text, record in zip(texts, records, strict=True)
        if not any(re.search(pattern, text) for pattern in wanted)
    ]
    absent = [pattern for pattern in wanted if not any(re.search(pattern, text) for text in texts)]
    return [
        *(f"unexpected log record: {text}" for text in unexpected),
        *(f"no log record matched {pattern!r}" for pattern in absent),
    ]


@pytest.fixture(autouse=True)
def no_unexpected_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails on a record at WARNING or above, unless `@pytest.mark.expects_log("regex")` asks for it."""
    wanted = [str(mark.args[0]) for mark in request.node.iter_markers("expects_log")]
    watch = Watch()
    watch.start()
    yield
    watch.stop()
    if wrong := verdict(watch.records, wanted):
        pytest.fail("\n".join(wrong), pytrace=False)
