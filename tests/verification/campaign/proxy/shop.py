"""What all tills of a run share: the sandbox, the certificates, the roads to nowhere, the host nobody may talk to."""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.sandbox import Sandbox
from tests.verification.campaign.proxy.identities import Identities
from tests.verification.campaign.proxy.road import Nowhere

LEFT = Path("build/proxy")
"""Where a run that is killed leaves its journals; one that ends takes them away."""


class EvilHost:
    """Counts who comes; a till that follows a redirect would bring the merchant's secrets."""

    def __init__(self) -> None:
        self.visits = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        host, port = self._listener.getsockname()
        self.address = f"{host}:{port}"
        self._thread = threading.Thread(target=self._accept, name="evil host")

    def start(self) -> None:
        """Listens."""
        self._thread.start()

    def stop(self) -> None:
        """No longer."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._listener.accept()[0].close()
                self.visits += 1


class Accidents(logging.Handler):
    """What no till may do: log an error, or let an exception out of a thread."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []
        self._before = threading.excepthook

    def emit(self, record: logging.LogRecord) -> None:
        """An error in a log."""
        problem = record.exc_info[1] if record.exc_info else ""
        self.told.append(f"{record.name}: {record.getMessage()} {problem!r}".strip())

    def start(self) -> None:
        """From now on."""
        logging.getLogger("pos_app").addHandler(self)
        threading.excepthook = self._escaped

    def stop(self) -> None:
        """As it was."""
        logging.getLogger("pos_app").removeHandler(self)
        threading.excepthook = self._before

    def _escaped(self, what: Any) -> None:
        self.told.append(f"out of {what.thread and what.thread.name}: {what.exc_value!r}")
        sys.__excepthook__(what.exc_type, what.exc_value, what.exc_traceback)

    def take(self) -> list[str]:
        """Those so far, once."""
        found, self.told = self.told, []
        return found


class Shop:
    """`with Shop() as shop:`; ends everything it started."""

    def __init__(self) -> None:
        self.sandbox = Sandbox()
        self.evil = EvilHost()
        self.accidents = Accidents()
        self.nowhere = Nowhere()
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            LEFT.mkdir(parents=True, exist_ok=True)
            self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=LEFT))).resolve()
            self.identities = Identities(self.folder)
            stack.enter_context(self.nowhere)
            stack.enter_context(self.sandbox)
            self.fresh_ledger()
            self.evil.start()
            stack.callback(self.evil.stop)
            self.accidents.start()
            stack.callback(self.accidents.stop)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        self._stack.close()

    def fresh_ledger(self) -> None:
        """No transaction and no code; customers are quick, and may ask for many codes."""
        self.sandbox.reset()
        self.sandbox.switch("approve_to_paid_s", 0.02)
        self.sandbox.switch("otp_sends", 100)

    @property
    def port(self) -> int:
        """Of the sandbox."""
        return int(self.sandbox.base_url.rpartition(":")[2])
