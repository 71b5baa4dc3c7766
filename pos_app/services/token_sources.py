"""Where tokens are fetched: a file, an external command, OAuth2 client credentials. Nothing is kept here."""

from __future__ import annotations

import base64
import os
import selectors
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import quote_plus, urlencode

from pos_app.domain.secret import Secret, SecretError
from pos_app.services import strict_json
from pos_app.services.answers import json_of
from pos_app.services.client import Reply, ServiceClient
from pos_app.services.errors import (
    ConnectFailed,
    Garbled,
    NoBelievableReply,
    NoToken,
    NoTokenServer,
    NotSent,
    Redirected,
)
from pos_app.services.strict_json import Unreadable
from pos_app.services.token import ClientCredentials, Grant
from pos_app.system import windows_acl
from pos_app.system.boot_clock import seconds_since_boot
from pos_app.system.plain_file import NotPlainError, open_plain

MAX_FILE = 16 * 1024
LATE_S = 0.5
"""A token file that has not answered by then is not waited for where there is another token."""

_Stamp = tuple[int, int, int]
"""When a file was changed, its size, and which it is."""

_OF_THE_NETWORK = frozenset({407, 511})
"""What no token server answers: a proxy that wants a password, and a network that wants a log-in (RFC 6585)."""


class FileTokens:
    """The token in a file that something else keeps fresh; read again when it changed and after a 401.

    A file on a network share may hold whoever looks at it for as long as it likes: so that is a thread of its own,
    one at a time. Whoever asks meanwhile goes on with the token that is known, else has no connection.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._under_way: _Look | None = None
        self._seen: _Stamp | None = None
        self._token: Secret | None = None

    def token(self, limit_s: float) -> Secret:
        look, known = self._begun()
        look.join(max(limit_s, 0) if known is None else min(LATE_S, max(limit_s, 0) / 2))
        if look.is_alive():
            if known is None:
                # As a token server that is slow: nobody has refused anything.
                raise ConnectFailed("the token file does not answer")
            return known
        if look.token is None:
            raise NoToken(look.trouble)
        with self._lock:
            # What was known is not taken in again: it may have been refused meanwhile.
            if look.is_read and look is self._under_way:
                self._token, self._seen = look.token, look.seen
        return look.token

    def refused(self, token: Secret) -> None:
        with self._lock:
            if self._token == token:
                self._token = None

    def has_changed(self) -> bool:
        try:
            look, _ = self._begun()
        except ConnectFailed:
            return False
        look.join(LATE_S)
        return look.seen not in (None, self._seen)

    def _begun(self) -> tuple[_Look, Secret | None]:
        """The look that is under way, or a new one; and the token that is known. Raises ConnectFailed."""
        with self._lock:
            if self._under_way is None or not self._under_way.is_alive():
                look = _Look(self._path, self._known)
                try:
                    look.start()
                except RuntimeError as error:
                    # Nobody has refused anything.
                    raise ConnectFailed("the system gives no thread to look at the token file") from error
                self._under_way = look
            return self._under_way, self._token

    def _known(self, seen: _Stamp) -> Secret | None:
        with self._lock:
            return self._token if seen == self._seen else None


class _Look(threading.Thread):
    """One look at the file. When it is over: `seen`, and the `token`, known or read, or its `trouble`."""

    def __init__(self, path: Path, known: Callable[[_Stamp], Secret | None]) -> None:
        """`known`: the token of a file that was seen so before, unless it was refused since."""
        super().__init__(name="token file", daemon=True)
        self._path = path
        self._known = known
        self.seen: _Stamp | None = None
        self.token: Secret | None = None
        self.is_read = False
        self.trouble = "the token file cannot be read"

    def run(self) -> None:
        try:
            found = self._path.stat()
            self.seen = found.st_mtime_ns, found.st_size, found.st_ino
            self.token = self._known(self.seen)
            if self.token is None:
                self.token, self.is_read = self._read(), True
        except OSError as error:
            self.trouble = f"the token file cannot be read: {error.strerror}"
        except NoToken as error:
            self.trouble = error.detail

    def _read(self) -> Secret:
        try:
            with open_plain(self._path) as file:
                if _is_open(self._path, file.fileno()):
                    raise NoToken("the token file is open to other users of this machine")
                content = file.read(MAX_FILE + 1)
        except NotPlainError as error:
            raise NoToken("the token file is not a plain file") from error
        if len(content) > MAX_FILE:
            raise NoToken("the token file holds more than a token")
        try:
            return _secret(content.decode("ascii").strip(), "the token file")
        except UnicodeDecodeError as error:
            raise NoToken("the token file holds no plain token") from error


def _is_open(path: Path, descriptor: int) -> bool:
    if sys.platform == "win32":
        return bool(windows_acl.problem_of_opened(path, descriptor, secret=True))
    return bool(os.fstat(descriptor).st_mode & stat.S_IRWXO)


class TokenCommand:
    """An external command that prints {"access_token": ..., "expires_in": ...}; run without a shell."""

    def __init__(self, arguments: tuple[str, ...], limit_s: float) -> None:
        if not arguments:
            raise ValueError("the token command is empty")
        self._arguments = arguments
        self._limit_s = limit_s

    def __call__(self, limit_s: float) -> Grant:
        try:
            process = subprocess.Popen(
                self._arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise NoToken(f"the token command cannot be run: {error.strerror}") from error
        said = _said(process, min(limit_s, self._limit_s))
        if len(said) > MAX_FILE:
            raise NoToken("the token command printed more than a token")
        if process.returncode != 0:
            raise NoToken(f"the token command failed ({process.returncode})")
        try:
            return _grant(strict_json.decode(said), "the token command")
        except Unreadable as error:
            raise NoToken(f"the token command printed no token: {error}") from error


def _said(process: subprocess.Popen[bytes], limit_s: float) -> bytes:
    """What it printed until its end. Of more than a token may be no more than that: a loop would fill the memory."""
    by, out = seconds_since_boot() + limit_s, cast(IO[bytes], process.stdout)
    # Not `run`: on Windows it waits, without a limit, for whatever the command has started and left behind, too.
    said = (_read_beside if sys.platform == "win32" else _read)(out, by)
    try:
        if said is not None and len(said) <= MAX_FILE:
            process.wait(max(by - seconds_since_boot(), 0))
    except subprocess.TimeoutExpired:
        said = None
    if said is None or len(said) > MAX_FILE:
        _end(process)
    if sys.platform != "win32":
        out.close()  # there a thread of its own reads it, and lets go of it when nobody writes any more
    if said is None:
        # As a token server that is slow: nobody has refused anything.
        raise ConnectFailed("the token command took too long")
    return said


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a command and, but on Windows, what it has started: a hung download would be left behind by each try."""
    try:
        if sys.platform == "win32":
            process.kill()
        else:
            # It may have ended; until it is waited for, its number is nobody else's.
            os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    except PermissionError:
        return  # somebody else's by now, as sudo's is: it ends when it likes
    process.wait()


def _read(out: IO[bytes], by: float) -> bytes | None:
    """All of it, or a byte too many; None where it came to no end in time."""
    said = b""
    with selectors.DefaultSelector() as selector:
        selector.register(out, selectors.EVENT_READ)
        while len(said) <= MAX_FILE:
            if not selector.select(max(by - seconds_since_boot(), 0)):
                return None
            part = os.read(out.fileno(), MAX_FILE + 1 - len(said))
            if not part:
                break
            said += part
    return said


def _read_beside(out: IO[bytes], by: float) -> bytes | None:
    """The same where nobody can wait for a pipe."""
    said: list[bytes] = []

    def read() -> None:
        with out:
            said.append(out.read(MAX_FILE + 1))

    reader = threading.Thread(target=read, name="token command", daemon=True)
    reader.start()
    reader.join(max(by - seconds_since_boot(), 0))
    return said[0] if said else None


class TokenServer:
    """OAuth2 client credentials at an origin of its own; id and secret go in the Basic header."""

    def __init__(self, client: ServiceClient, credentials: ClientCredentials, limit_s: float) -> None:
        self._client = client
        self._credentials = credentials
        self._limit_s = limit_s

    def __call__(self, limit_s: float) -> Grant:
        mine = self._credentials
        form = {"grant_type": "client_credentials"} | ({"scope": mine.scope} if mine.scope else {})
        pair = f"{quote_plus(mine.client_id)}:{quote_plus(mine.client_secret.reveal())}"
        headers = {
            "Authorization": "Basic " + base64.b64encode(pair.encode("ascii")).decode("ascii"),
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }
        limit_s = min(limit_s, self._limit_s)
        try:
            reply = self._client.post(mine.path, urlencode(form).encode("ascii"), headers, limit_s)
        except (Redirected, Garbled) as error:
            raise NoTokenServer(f"the token server: {error.detail}", error.http_status) from error
        except NoBelievableReply as error:
            # For the payment nothing was sent: this is a connection that could not be made.
            raise ConnectFailed(f"the token server: {error.detail}") from error
        except NotSent as error:
            raise type(error)(f"the token server: {error.detail}") from error
        if reply.status in _OF_THE_NETWORK or (reply.status == 200 and _is_page(reply)):
            raise NoTokenServer(
                f"the token server: somebody else's page answers ({reply.status})", reply.status
            )
        if reply.status >= 500 or reply.status == 429:
            raise ConnectFailed(f"the token server answered {reply.status}", reply.status)
        if reply.status != 200:
            raise NoToken(f"the token server refused: {reply.status}", reply.status)
        try:
            return _grant(json_of(reply), "the token server")
        except Unreadable as error:
            raise NoToken(f"the token server gave no token: {error}") from error


def _is_page(reply: Reply) -> bool:
    return reply.headers.get("content-type", "").partition(";")[0].strip().lower() == "text/html"


def _grant(document: Any, giver: str) -> Grant:
    if not isinstance(document, dict) or not isinstance(document.get("access_token"), str):
        raise Unreadable("no access_token")
    kind = document.get("token_type")
    if kind is not None and not (isinstance(kind, str) and kind.lower() == "bearer"):
        raise Unreadable("not a bearer token")
    lives = document.get("expires_in")
    if isinstance(lives, str):
        lives = strict_json.number(lives) if lives.isascii() and lives.isdigit() else "?"
    if lives is not None and not (isinstance(lives, Decimal) and lives > 0):
        raise Unreadable("expires_in is not a number of seconds")
    return Grant(_secret(document["access_token"], giver), None if lives is None else float(lives))


def _secret(text: str, giver: str) -> Secret:
    try:
        token = Secret(text)
    except SecretError as error:
        raise NoToken(f"the token of {giver} {error}") from error
    if not token or " " in text:
        raise NoToken(f"{giver} holds no token")
    return token
