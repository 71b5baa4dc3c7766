"""The virtual printer on a socket of this machine, as a printer in the shop's network is reached: one at a time."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from dataclasses import asdict
from typing import Any

from pos_app.devices.printers.virtual import VirtualPrinter

LOOPBACK = "127.0.0.1"
STOP_S = 2.0
_TICK_S = 0.05
_PIECE = 2_048


class PrinterServer:
    """The printer's bytes at `port`, its switches at `control_port`: one JSON object a line. 0 takes a free one."""

    def __init__(self, printer: VirtualPrinter, port: int = 0, control_port: int = 0) -> None:
        self._printer = printer
        self._ending = threading.Event()
        self._raw = _listener(port)
        try:
            self._control = _listener(control_port)
        except OSError:
            self._raw.close()
            raise
        self.port: int = self._raw.getsockname()[1]
        self.control_port: int = self._control.getsockname()[1]
        self._threads = [
            threading.Thread(target=self._serve, args=(self._raw, self._print), name="virtual printer"),
            threading.Thread(target=self._serve, args=(self._control, self._obey), name="printer switches"),
        ]

    def start(self) -> None:
        """Begins; once."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ends it, bounded."""
        self._ending.set()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(STOP_S)
        self._raw.close()
        self._control.close()

    def _serve(self, listener: socket.socket, serve: Any) -> None:
        while not self._ending.is_set():
            with contextlib.suppress(TimeoutError):
                connection, _ = listener.accept()
                with connection, contextlib.suppress(OSError):
                    connection.settimeout(_TICK_S)
                    serve(connection)

    def _print(self, connection: socket.socket) -> None:
        printer = self._printer
        printer.connected()
        while not self._ending.is_set():
            if printer.switches.is_off:
                _reset(connection)
                return
            pace = printer.switches.bytes_per_s
            answers = printer.go_on()
            if answers:
                connection.sendall(answers)
            if printer.is_full:
                # It takes no more than it can hold: the sender notices by its own clock.
                self._ending.wait(_TICK_S)
                continue
            try:
                data = connection.recv(max(1, min(_PIECE, int(pace * _TICK_S))) if pace else _PIECE)
            except TimeoutError:
                continue
            if not data:
                return
            answers, is_alive = printer.take(data)
            if not is_alive:
                _reset(connection)
                return
            connection.sendall(answers)
            if pace:
                self._ending.wait(_TICK_S)

    def _obey(self, connection: socket.socket) -> None:
        """Each line changes switches by name and is answered by all of them, and how many sheets came out."""
        lines = b""
        while not self._ending.is_set():
            try:
                data = connection.recv(4096)
            except TimeoutError:
                continue
            if not data:
                return
            lines += data
            while b"\n" in lines:
                line, _, lines = lines.partition(b"\n")
                connection.sendall(json.dumps(self._changed(line)).encode() + b"\n")

    def _changed(self, line: bytes) -> dict[str, Any]:
        switches = self._printer.switches
        try:
            wanted = json.loads(line or b"{}")
        except (ValueError, RecursionError):
            return {"error": 'a line is one JSON object, for example {"rows_left": 0}'}
        known = asdict(switches)
        if not isinstance(wanted, dict) or any(name not in known for name in wanted):
            return {"error": f"known switches: {', '.join(known)}"}
        for name, value in wanted.items():
            is_switch = isinstance(known[name], bool)
            if isinstance(value, bool) != is_switch or not (
                is_switch or value is None or (isinstance(value, int) and value >= 0)
            ):
                number = "a whole number from 0 on, for example 500, or null"
                return {"error": f"{name} is {'true or false' if is_switch else number}"}
        for name, value in wanted.items():
            setattr(switches, name, value)
        return {
            **asdict(switches),
            "sheets": self._printer.whole,
            "hanging": sum(not each.is_cut for each in self._printer.sheets),
            "unknown": self._printer.broken,
        }


def _listener(port: int) -> socket.socket:
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # As little as the system allows: a printer's buffer is small, and a sender that is too fast has to feel it.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        listener.bind((LOOPBACK, port))
        listener.listen(4)
        listener.settimeout(_TICK_S)
    except OSError:
        listener.close()
        raise
    return listener


def _reset(connection: socket.socket) -> None:
    """As a printer whose plug is pulled: nothing in order."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
