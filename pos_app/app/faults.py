"""What a fault comes to where somebody waits for a till that is being opened: a reason that a screen can say."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from pos_app.bootstrap.errors import CommandError, Exit


@contextlib.contextmanager
def faults_said() -> Iterator[None]:
    """Any error that is no CommandError becomes one, and is told as one that nobody caught: what it says may be a
    secret, so a screen has its type alone."""
    try:
        yield
    except CommandError:
        raise
    except Exception as error:
        sys.excepthook(type(error), error, error.__traceback__)
        kind = type(error).__qualname__
        raise CommandError(Exit.FAULT, f"the till met a fault: unexpected {kind}") from None
