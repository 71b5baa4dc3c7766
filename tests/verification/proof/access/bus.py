"""A desktop's session bus and its accessibility bus, for one test; it knows nothing of the till."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jeepney import DBusAddress, MatchRule, Message, Properties, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, Proxy, open_dbus_connection

_A11Y = DBusAddress("/org/a11y/bus", bus_name="org.a11y.Bus", interface="org.a11y.Bus")
_STATUS = DBusAddress("/org/a11y/bus", bus_name="org.a11y.Bus", interface="org.a11y.Status")
_REGISTRY = DBusAddress(
    "/org/a11y/atspi/registry", bus_name="org.a11y.atspi.Registry", interface="org.a11y.atspi.Registry"
)
_EVENTS = "org.a11y.atspi.Event.Object"
LIMIT_S = 20


class AccessBus:
    """Both buses; `with AccessBus(folder) as bus`. The folder holds the sockets and is short."""

    def __init__(self, folder: Path, screen: str) -> None:
        self._folder = folder
        self._screen = screen
        self._heard: deque[Message] = deque()

    def __enter__(self) -> Self:
        self.environment = os.environ | {
            "DISPLAY": self._screen,
            "QT_QPA_PLATFORM": "xcb",
            "XDG_RUNTIME_DIR": str(self._folder),
            "XDG_CACHE_HOME": str(self._folder),
        }
        self._daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self.environment,
        )
        assert self._daemon.stdout is not None
        address = self._daemon.stdout.readline().strip()
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        self._session = open_dbus_connection(bus=address)
        # What a desktop does when its screen reader is switched on.
        self._answer(self._session, Properties(_STATUS).set("IsEnabled", "b", True))
        where = self._answer(self._session, new_method_call(_A11Y, "GetAddress"))[0]
        self._bus = open_dbus_connection(bus=where)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bus.close()
        self._session.close()
        self._daemon.terminate()
        self._daemon.communicate(timeout=LIMIT_S)

    def call(self, owner: str, path: str, interface: str, member: str, *said: Any, kind: str = "") -> Any:
        """One method of one object; its only answer, or all of them."""
        address = DBusAddress(path, bus_name=owner, interface=f"org.a11y.atspi.{interface}")
        answer = self._answer(self._bus, new_method_call(address, member, kind or None, said))
        return answer[0] if len(answer) == 1 else answer

    def property(self, owner: str, path: str, interface: str, name: str) -> Any:
        """One property of one object."""
        address = DBusAddress(path, bus_name=owner, interface=f"org.a11y.atspi.{interface}")
        return self._answer(self._bus, Properties(address).get(name))[0][1]

    def listen(self, event: str) -> None:
        """From now on these events ("Announcement") are kept; the registry is told that somebody listens."""
        for name in (f"object:{event.lower()}", f"object:{event}"):
            self._answer(self._bus, new_method_call(_REGISTRY, "RegisterEvent", "sass", (name, [], "")))
        rule = MatchRule(type="signal", interface=_EVENTS, member=event)
        Proxy(message_bus, self._bus).AddMatch(rule)
        self._bus.filter(rule, queue=self._heard)

    def heard(self) -> list[str]:
        """What has been announced since the last question, oldest first."""
        self.call("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root", "Accessible", "GetRoleName")
        said = [str(message.body[3][1]) for message in self._heard]
        self._heard.clear()
        return said

    def wait(self, seconds: float) -> None:
        """Until something is announced, or the time has passed."""
        with contextlib.suppress(TimeoutError):
            self._bus.recv_messages(timeout=seconds)

    @staticmethod
    def _answer(connection: DBusConnection, message: Message) -> Any:
        reply = connection.send_and_get_reply(message, timeout=LIMIT_S)
        if reply.header.message_type.name == "error":
            raise LookupError(f"{reply.header.fields}: {reply.body}")
        return reply.body
