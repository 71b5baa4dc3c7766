"""What one QR payment passes from the key press to its code on the screen: product files and functions, by thread.

python -m tests.verification.bench.hops [--list]

A real till at a real sandbox, the first sale after the sign-in. Counted is what runs between F2 and the painted code on
the threads that carry the payment; modules that load meanwhile count once something of them is called. "On the way" is
that without what Qt asks of the window by itself (painting, sizes, the filters of each event): whoever follows the
payment does not read it. A return is a call that comes back, through somebody else's file, to an object that is itself
at work further up the stack: there a reader has to go back to where they came from.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FrameType

import msgspec
from PySide6.QtCore import Qt, QThread
from PySide6.QtWidgets import QApplication

from tests.guards.leaks import SHADOW
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill, arguments, enrol

ASIDE = {"journal inspection", "lock watch", "status_poller"}
"""Threads at work all day, whatever is sold."""

ROOT = Path(__file__).parents[3]
PRODUCT = str(ROOT / "pos_app") + os.sep


class Step(msgspec.Struct, frozen=True, order=True):
    """One function of the product."""

    file: str
    function: str


class Return(msgspec.Struct, frozen=True, order=True):
    """`caller` called `through`, which called `back` of the same object."""

    caller: Step
    through: Step
    back: Step


class Trace:
    """Everything of the product that ran between `start` and `stop`, on every thread it was installed on.

    A thread that Python starts is followed by itself if the trace was made before it.
    """

    def __init__(self) -> None:
        self.steps: dict[str, Counter[Step]] = {}
        self.on_the_way: dict[str, set[Step]] = {}
        self.returns: Counter[Return] = Counter()
        self._is_on = False
        threading.setprofile(self._saw)

    def start(self) -> None:
        """From here on."""
        self.install()
        self._is_on = True

    def stop(self) -> None:
        """No further."""
        self._is_on = False
        sys.setprofile(None)
        threading.setprofile(None)

    def install(self) -> None:
        """On the thread that calls it: Python does not know those of Qt."""
        sys.setprofile(self._saw)

    def install_on(self, thread: QThread) -> None:
        """On a thread of Qt that is still to run, each time it does."""
        run = thread.run

        def followed() -> None:
            self.install()
            run()

        thread.run = followed  # type: ignore[method-assign]

    def _saw(self, frame: FrameType, event: str, _more: object) -> None:
        if event != "call" or not self._is_on or not _is_product(frame.f_code):
            return
        step = _step(frame.f_code)
        thread = _thread()
        if thread in ASIDE:
            return
        self.steps.setdefault(thread, Counter())[step] += 1
        if not _by_qt(frame):
            self.on_the_way.setdefault(thread, set()).add(step)
        self._note_return(step, frame)

    def _note_return(self, step: Step, frame: FrameType) -> None:
        own = _self_of(frame)
        through = frame.f_back
        while through is not None and not _is_product(through.f_code):
            through = through.f_back
        if own is None or through is None or _is_qts(step.function) or _self_of(through) is own:
            return
        between, above = _step(through.f_code), through
        while above.f_back is not None:
            above = above.f_back
            if not _is_product(above.f_code):
                continue
            if _self_of(above) is own:
                caller = _step(above.f_code)
                if between.file != step.file:
                    self.returns[Return(caller, between, step)] += 1
                return
            between = _step(above.f_code)


def _is_product(code: CodeType) -> bool:
    """A function of ours; loading a module is no step of a payment."""
    return code.co_filename.startswith(PRODUCT) and bool(code.co_flags & 0x2)


def _step(code: CodeType) -> Step:
    name = code.co_qualname.replace(".<locals>", "")
    return Step(os.path.relpath(code.co_filename, ROOT), name)


def _is_qts(function: str) -> bool:
    """Qt's own virtual functions are spelt like this: paintEvent, sizeHint."""
    name = function.rpartition(".")[2]
    return name != name.lower() and not name.startswith("_")


def _by_qt(frame: FrameType) -> bool:
    """Whether Qt asked for it, and no key did."""
    at: FrameType | None = frame
    while at is not None:
        if _is_product(at.f_code) and at.f_code.co_name != "keyPressEvent" and _is_qts(at.f_code.co_name):
            return True
        at = at.f_back
    return False


def _self_of(frame: FrameType) -> object | None:
    if not frame.f_code.co_argcount or frame.f_code.co_varnames[0] != "self":
        return None
    found: object | None = frame.f_locals.get("self")
    return found


def _thread() -> str:
    current = threading.current_thread()
    if current is threading.main_thread():
        return "window"
    if isinstance(current, SHADOW):
        return QThread.currentThread().objectName() or "another of Qt's"
    return current.name.rstrip("-0123456789")


def traced() -> Trace:
    """One payment of a till that was just started."""
    with tempfile.TemporaryDirectory() as folder:
        config, data = Path(folder, "config"), Path(folder, "data")
        config.mkdir()
        with Sandbox(config_dir=config) as sandbox:
            asked = arguments(config, data, log_level="info")
            enrol(asked)
            trace = Trace()
            front = StartedTill(sandbox, asked)
            try:
                front.sign_in()
                follow(trace, front)
            finally:
                trace.stop()
                ended = front.stop()
            assert ended, "the till did not end its threads in time"
    return trace


def follow(trace: Trace, front: StartedTill) -> None:
    """One QR payment of somebody who is signed in; `trace` is older than the till."""
    front.session.pulse(trace.install)
    trace.install_on(front.session.window.encoder)
    front.type("1250")
    trace.start()
    front.press(Qt.Key.Key_F2)
    front.until(lambda: front.seen("qr") and front.part("qr").is_shown)
    trace.stop()


def report(trace: Trace, *, all_steps: bool) -> str:
    """The figures, and on demand each file and function; what is not on the way stands in brackets."""
    ways = trace.on_the_way
    lines = [
        f"one QR payment, key to code: {_count(ways.values())} on the way; with all Qt asks for: "
        f"{_count(trace.steps.values())}"
    ]
    for thread, steps in sorted(trace.steps.items()):
        way = ways.get(thread, set())
        lines.append(f"  {thread}: {_count([way])} on the way; in all {_count([steps])}")
        for file in sorted({step.file for step in steps}) if all_steps else ():
            lines.append(f"    {file}")
            for step in sorted(each for each in steps if each.file == file):
                said = step.function if step in way else f"({step.function})"
                lines.append(f"      {said} x{steps[step]}")
    lines.append(f"returns through a callback: {len(trace.returns)}")
    for each in sorted(trace.returns):
        lines.append(
            f"  {each.caller.file} {each.caller.function} -> {each.through.file} {each.through.function}"
            f" -> {each.back.function} x{trace.returns[each]}"
        )
    return "\n".join(lines)


def _count(many: Iterable[Iterable[Step]]) -> str:
    steps = {step for each in many for step in each}
    return f"{len({step.file for step in steps})} files, {len(steps)} functions"


def main() -> None:
    """Prints them."""
    asked = argparse.ArgumentParser(prog="python -m tests.verification.bench.hops", description=__doc__)
    asked.add_argument("--list", action="store_true", help="each file and function")
    wanted = asked.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    trace = traced()
    print(report(trace, all_steps=wanted.list))
    del application


if __name__ == "__main__":
    main()
