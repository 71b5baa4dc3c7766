"""A printer at a USB cable, through the kernel's own driver (usblp). Written to without ever blocking."""

from __future__ import annotations

import array
import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

from pos_app.devices.printers.channel import ECHO_S, STATUS_S, ChannelGone, ChannelSession, opened
from pos_app.devices.printers.printer import Form, NotReady
from pos_app.domain.print_job import Why
from pos_app.system.waiting import can_read, can_write

USB_CHARACTER = 180
"""The kernel's number for character devices at USB, usblp's among them."""

_PORT_STATUS = 0x060B
"""LPGETSTATUS."""
_PAPER_OUT, _SELECTED, _NO_ERROR = 0x20, 0x10, 0x08
_PIECE = 4_096

_WHY = {
    errno.ENOENT: Why.NO_CONNECTION,
    errno.ENODEV: Why.NO_CONNECTION,
    errno.ENXIO: Why.NO_CONNECTION,
    errno.EIO: Why.NO_CONNECTION,
    errno.EBUSY: Why.BUSY,
}


def is_printer(mode: int, device: int, major: int = USB_CHARACTER) -> bool:
    """Whether a file's mode and device number are those of a character device at USB."""
    return stat.S_ISCHR(mode) and os.major(device) == major


class DevicePrinter:
    """`path`: /dev/usb/lp0 and the like. Anything but such a device is refused: a file would be overwritten."""

    form = Form.ESCPOS

    def __init__(
        self,
        path: Path,
        is_ours: Callable[[int, int], bool] = is_printer,
        status_s: float = STATUS_S,
        echo_s: float = ECHO_S,
    ) -> None:
        self._path = path
        self._is_ours = is_ours
        self._status_s = status_s
        self._echo_s = echo_s

    def open(self) -> ChannelSession:
        """As in Printer."""
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError as error:
            raise NotReady(_WHY.get(error.errno or 0, Why.NO_SUCH_PRINTER)) from error
        # What was opened is looked at, not what lay there a moment before.
        found = os.fstat(descriptor)
        if not self._is_ours(found.st_mode, found.st_rdev):
            os.close(descriptor)
            raise NotReady(Why.NO_SUCH_PRINTER)
        why = _port_status(descriptor)
        if why is not Why.NONE:
            os.close(descriptor)
            raise NotReady(why)
        return opened(DeviceChannel(descriptor), self._status_s, self._echo_s)


def _port_status(descriptor: int) -> Why:
    """What the wire itself says, where its driver asks the printer; NONE where it does not."""
    import fcntl

    status = array.array("i", [0])
    try:
        fcntl.ioctl(descriptor, _PORT_STATUS, status)
    except OSError:
        return Why.NONE
    if status[0] & _PAPER_OUT:
        return Why.PAPER_OUT
    return Why.NONE if status[0] & _SELECTED and status[0] & _NO_ERROR else Why.OFFLINE


class DeviceChannel:
    """An open device that does not block."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._is_open = True

    def write(self, data: bytes, until: float) -> None:
        """As in Channel."""
        left = memoryview(data)
        while left:
            if not can_write(self._descriptor, until - time.monotonic()):
                raise TimeoutError("the printer takes nothing more")
            with contextlib.suppress(BlockingIOError):
                left = left[os.write(self._descriptor, left[:_PIECE]) :]

    def read(self, until: float) -> bytes:
        """As in Channel. A device at its end has nothing to say: usblp gives no end of file."""
        if not can_read(self._descriptor, until - time.monotonic()):
            return b""
        try:
            heard = os.read(self._descriptor, 4096)
        except BlockingIOError:
            return b""
        if not heard:
            raise ChannelGone("the printer is gone")
        return heard

    def finish(self, until: float) -> None:
        """The driver keeps one piece of what was written without blocking, and breaks it off when it is closed: the
        receipt's end, and the cut.
        """
        if not can_write(self._descriptor, until - time.monotonic()):
            raise TimeoutError("the printer does not take the end")
        # Of a printer that was pulled out the driver takes nothing, and has nothing under way, either.
        os.write(self._descriptor, b"")

    def close(self) -> None:
        """As in Channel."""
        if self._is_open:
            self._is_open = False
            os.close(self._descriptor)
