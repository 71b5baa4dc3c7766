"""A wrong `pos-app`, planted: whatever is asked about the day meets a fault of the program."""

import sys
from typing import Any

from pos_app.cli.main import main
from pos_app.engine.core.counter_day import CounterDay


def stumbles(*_: Any) -> None:
    raise LookupError("planted")


if __name__ == "__main__":
    CounterDay.do = stumbles  # type: ignore[assignment]
    sys.exit(main())
