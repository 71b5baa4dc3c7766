"""A sandbox process for tests and its control interface; it must not use the till's own HTTP client."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib import error, parse, request

STARTUP_LIMIT_S = 20
REPOSITORY = Path(__file__).parents[2]
_opener = request.build_opener(request.ProxyHandler({}))


class ControlError(Exception):
    """The control interface refused; `status` is the HTTP status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text}")
        self.status = status


class Sandbox:
    """`with Sandbox() as sandbox:` starts one on a free port and ends it; or call `start` and `stop`."""

    base_url: str
    control_url: str
    control_token: str
    access_token: str
    merchant_secret_code: str
    merchant_password: str
    merchant_pg_identifier: str

    def __init__(
        self,
        *,
        data_dir: Path | None = None,
        seed: int | None = None,
        config_dir: Path | None = None,
        port: int = 0,
        switches: dict[str, Any] | None = None,
    ) -> None:
        self._arguments = ["--port", str(port), "--stop-with-parent"]
        for name, value in (("--data-dir", data_dir), ("--seed", seed), ("--write-config", config_dir)):
            if value is not None:
                self._arguments += [name, str(value)]
        for switch, wanted in (switches or {}).items():
            self._arguments += ["--switch", f"{switch}={wanted}"]
        self._process: subprocess.Popen[bytes] | None = None
        self.details: dict[str, str] = {}
        self.host = ""
        """How it knows itself, where its address here is another one."""

    @classmethod
    def elsewhere(cls, control_url: str, control_token: str, **details: str) -> Self:
        """One that somebody else has started, with its details as they were printed; it is theirs to end."""
        found = cls()
        found.details = {"control_url": control_url, "control_token": control_token, **details}
        for name, value in found.details.items():
            setattr(found, name, value)
        return found

    def start(self) -> Self:
        command = [sys.executable, "-m", "pos_app.sandbox", *self._arguments]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(
                f"the sandbox ended with {self._process.wait(STARTUP_LIMIT_S)} before it was ready"
            )
        self.details = json.loads(line)
        for name, value in self.details.items():
            setattr(self, name, value)
        return self

    def stop(self) -> int:
        """Asks it to end as SIGTERM does; its exit code."""
        process, self._process = self._process, None
        assert process is not None
        process.terminate()
        return self._reap(process)

    def kill(self) -> None:
        """Ends it as a power cut would."""
        process, self._process = self._process, None
        assert process is not None
        process.kill()
        self._reap(process)

    def _reap(self, process: subprocess.Popen[bytes]) -> int:
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            return process.wait(STARTUP_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.stop()

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """One call of the control interface; `body` is sent as JSON. Raises ControlError for a 4xx."""
        data = None if body is None else json.dumps(body, default=str).encode()
        headers = {"Authorization": f"Bearer {self.control_token}", "Content-Type": "application/json"}
        if self.host:
            headers["Host"] = self.host
        call = request.Request(self.control_url + path, data=data, headers=headers, method=method)
        try:
            with _opener.open(call, timeout=30) as reply:
                return json.loads(reply.read())
        except error.HTTPError as refused:
            with refused:
                raise ControlError(refused.code, refused.read().decode(errors="replace")) from None

    def transactions(self) -> list[dict[str, Any]]:
        """Newest first, each with both ids, status, steps and more."""
        listed: list[dict[str, Any]] = self.control("GET", "/transactions")
        return listed

    def transaction(self, some_id: str) -> dict[str, Any]:
        """By the wallet id or the external id."""
        found: dict[str, Any] = self.control("GET", f"/transactions/{parse.quote(some_id, safe='')}")
        return found

    def act(self, some_id: str, verb: str) -> dict[str, Any]:
        """`verb`: verify, misread, approve, pay, reject or fail; the transaction after it."""
        done: dict[str, Any] = self.control("POST", f"/transactions/{parse.quote(some_id, safe='')}/{verb}")
        return done

    def set_status(self, some_id: str, status: str) -> dict[str, Any]:
        """Any status from any, as no honest service does; the transaction after it."""
        done: dict[str, Any] = self.control(
            "POST", f"/transactions/{parse.quote(some_id, safe='')}/set", {"status": status}
        )
        return done

    def scan(self, text: str, then: str = "approve", number: str = "+94770000001") -> dict[str, Any]:
        """`then`: approve, reject, ignore (scanned, no decision) or misread."""
        body = {"text": text, "then": then, "number": number}
        done: dict[str, Any] = self.control("POST", "/scan", body)
        return done

    def pushes(self, number: str = "") -> list[dict[str, Any]]:
        """What a phone has rung with, newest first."""
        listed: list[dict[str, Any]] = self.control("GET", f"/pushes?number={parse.quote(number, safe='')}")
        return listed

    def sms(self, msisdn: str = "") -> list[dict[str, Any]]:
        """Newest first, each with text and code."""
        listed: list[dict[str, Any]] = self.control("GET", f"/sms?msisdn={parse.quote(msisdn, safe='')}")
        return listed

    def fault(self, kind: str, operation: str = "*", **fields: Any) -> int:
        """The fault's id; the fields are those of the sandbox's README."""
        added: int = self.control("POST", "/faults", {"kind": kind, "operation": operation, **fields})["id"]
        return added

    def held(self) -> list[str]:
        """The operations whose calls are held at this moment."""
        operations: list[str] = self.control("GET", "/faults")["held"]
        return operations

    def release(self) -> int:
        """Lets all held calls go on; how many there were."""
        released: int = self.control("POST", "/faults/release")["released"]
        return released

    def clear_faults(self) -> None:
        self.control("DELETE", "/faults")

    def clock(self, offset_s: float) -> None:
        """Moves the sandbox's clock to so many seconds from the real time."""
        self.control("POST", "/clock", {"offset_s": offset_s})

    def renew_token(self) -> str:
        """The new access token; the old one is dead."""
        self.access_token = self.control("POST", "/token")["access_token"]
        return self.access_token

    def users(self) -> dict[str, Any]:
        """The merchants' users with their secrets and roles, and the OAuth2 client."""
        known: dict[str, Any] = self.control("GET", "/users")
        return known

    def calls(self, operation: str = "") -> list[dict[str, Any]]:
        """The calls of the services it has seen, oldest first: operation, http_status, body."""
        query = f"?operation={operation}" if operation else ""
        seen: list[dict[str, Any]] = self.control("GET", f"/calls{query}")
        return seen

    def switch(self, name: str, value: Any) -> None:
        self.control("POST", "/switches", {name: value})

    def reset(self) -> None:
        self.control("POST", "/reset")
