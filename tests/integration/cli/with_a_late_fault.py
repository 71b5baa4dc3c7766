"""A wrong `pos-app`, planted: behind each answer about the day or a refund the till meets a fault of the program."""

import sys
from collections.abc import Callable
from typing import Any

from pos_app.cli.main import main
from pos_app.engine.core.counter_day import CounterDay
from pos_app.engine.core.refund_notes import RefundNotes


def stumbles_behind(work: Callable[..., Any]) -> Any:
    def done(*given: Any) -> None:
        work(*given)
        raise LookupError("planted")

    return done


if __name__ == "__main__":
    CounterDay.counted = stumbles_behind(CounterDay.counted)  # type: ignore[method-assign]
    RefundNotes.do = stumbles_behind(RefundNotes.do)  # type: ignore[method-assign]
    sys.exit(main())
