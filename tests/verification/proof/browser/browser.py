"""Debian's chromium by its chromedriver, over the protocol that every browser's driver speaks (W3C WebDriver)."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

PATIENCE_S = 60.0
ASKED_S = 1.0
"""How long one question stands in a page. A page that goes takes it along, and nobody ever answers it."""
_ARGUMENTS = [
    "--headless=new",
    "--disable-gpu",
    "--force-device-scale-factor=1",
    # Nothing but this machine has a name: no page of a proof asks anybody else.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """One window. `run` gives what a function's body returns in the page."""

    def __init__(self, driver: str) -> None:
        self._http = httpx.Client(base_url=driver, timeout=PATIENCE_S, trust_env=False)
        arguments = [*_ARGUMENTS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}}
        made = self._http.post("/session", json={"capabilities": {"alwaysMatch": wanted}}).json()["value"]
        self._session = f"/session/{made['sessionId']}"
        self.command("POST", "/timeouts", {"script": int(ASKED_S * 1000)})

    def close(self) -> None:
        """Ends it."""
        self._http.request("DELETE", self._session)
        self._http.close()

    def command(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """A command of the protocol. Raises AssertionError with what the driver says."""
        said = self._http.request(method, self._session + path, json=body if method == "POST" else None)
        assert said.status_code == 200, said.text
        return said.json()["value"]

    def go(self, url: str) -> None:
        """Looks at a page, until it is loaded."""
        self.command("POST", "/url", {"url": url})

    def run(self, body: str, *given: Any) -> Any:
        """As `function (…arguments) { body }` in the page, whatever the page's own policy says."""
        return self.command("POST", "/execute/sync", {"script": body, "args": [*given]})

    def until(self, body: str, *given: Any) -> Any:
        """Waits until this returns something that is true in the page, or in the one that it leads to; gives it."""
        waiting = (
            "const [done, given] = [arguments[arguments.length - 1], [...arguments].slice(0, -1)];"
            f"const look = function () {{ {body} }};"
            "const again = () => { const found = look.apply(null, given);"
            " if (found) done(found); else setTimeout(again, 50); };"
            "again();"
        )
        asked = {"script": waiting, "args": [*given]}
        end = time.monotonic() + PATIENCE_S
        while True:
            said = self._http.post(f"{self._session}/execute/async", json=asked)
            value = said.json()["value"]
            if said.status_code == 200:
                return value
            assert value["error"] == "script timeout", said.text
            assert time.monotonic() < end, f"not within {PATIENCE_S:g} s: {body}"

    def type_into(self, name: str, text: str) -> None:
        """Keys into a field by its id."""
        found = self.command("POST", "/element", {"using": "css selector", "value": f"#{name}"})
        self.command("POST", f"/element/{found[_ELEMENT]}/value", {"text": text})

    def press(self, selector: str) -> None:
        """Clicks."""
        found = self.command("POST", "/element", {"using": "css selector", "value": selector})
        self.command("POST", f"/element/{found[_ELEMENT]}/click", {})

    def told(self, command: str, **parameters: Any) -> Any:
        """What the developer's tools can be told."""
        return self.command("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser of its own, and its driver."""
    command = ["/usr/bin/chromedriver", "--port=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            made = Browser(f"http://127.0.0.1:{_port(process.stdout.readline if process.stdout else str)}")
            try:
                yield made
            finally:
                made.close()
        finally:
            process.terminate()


def _port(line: Callable[[], str]) -> int:
    while text := line():
        if "started successfully on port" in text:
            return int(text.rstrip(".\n").rpartition(" ")[2])
    raise AssertionError("chromedriver did not start")
