"""The sandbox's control interface for whoever plays the customer: plain calls over the wire, no proxy."""

from __future__ import annotations

import json
from typing import Any

from pos_app.bootstrap.sandbox_process import Details

LIMIT_S = 10.0


class ControlError(Exception):
    """The sandbox refused, or was not there."""


class Control:
    """Safe for several threads."""

    def __init__(self, details: Details) -> None:
        # Only where there is a sandbox: a verb that asks nobody starts without mail, TLS and sockets.
        import urllib.request

        self._url = details.control_url
        self._token = details.control_token
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def get(self, path: str) -> Any:
        """What the interface says. Raises ControlError."""
        return self._call("GET", path, None)

    def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Does something. Raises ControlError."""
        return self._call("POST", path, body or {})

    def delete(self, path: str) -> Any:
        """Takes something away. Raises ControlError."""
        return self._call("DELETE", path, None)

    def _call(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        import urllib.error
        import urllib.request

        request = urllib.request.Request(
            self._url + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"},
            method=method,
        )
        try:
            with self._opener.open(request, timeout=LIMIT_S) as reply:
                return json.loads(reply.read() or b"null")
        except (urllib.error.URLError, ValueError, OSError) as error:
            raise ControlError(f"{method} {path}: {error}") from error
