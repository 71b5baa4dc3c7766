"""Standard error: for a person beside the output, which no program reads for data.

Loaded by the isolation too: it imports nothing that Python has not loaded by then.
"""

import io
import os
import sys


class _Nowhere(io.StringIO):
    name = os.devnull


def tell(text: str) -> None:
    """Whole lines. Where nobody takes them, nothing else goes wrong for it: a full disk, a terminal that was closed.

    What is left in the buffer would fail once more at the end of the process, which Python then ends with 120: of
    `pay` the code is the word about money.
    """
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        sys.stderr = _Nowhere()


_MOST_PLACES = 30


def tell_where(error: BaseException) -> None:
    """Where it was, and nothing of what it says: that may hold a secret or a number."""
    places, at = [], error.__traceback__
    while at is not None:
        places.append(f"  {at.tb_frame.f_code.co_filename}:{at.tb_lineno}\n")
        at = at.tb_next
    tell("".join(places[-_MOST_PLACES:]))
