"""The verb `sandbox`: arguments, what it says, exit codes; it must import the server only when it runs."""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pos_app.sandbox.identity import SECRET_MARK

if TYPE_CHECKING:
    from pos_app.sandbox.parts import Parts
    from pos_app.sandbox.switches import Switches

CONTROL_PATH, TOKEN_PATH = "/control", "/oauth2/token"
OK, USAGE, CANNOT_CREATE = 0, 2, 73


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="0 takes a free port")
    parser.add_argument(
        "--data-dir",
        type=_directory,
        default=None,
        metavar="DIR",
        help="keeps state, tokens and keys; else they end with it",
    )
    parser.add_argument(
        "--seed", type=int, default=None, metavar="N", help="makes ids, codes and tokens repeatable"
    )
    parser.add_argument(
        "--write-config", type=_directory, default=None, metavar="DIR", help="writes the files for a till"
    )
    parser.add_argument(
        "--switch", action="append", default=[], metavar="NAME=VALUE", help="an open point of the services"
    )
    parser.add_argument(
        "--reveal", action="store_true", help="JSON lines, its tokens and secrets in the first one"
    )
    parser.add_argument(
        "--stop-with-parent",
        action="store_true",
        help="for a till that starts it: one line, as --reveal has it; ends when standard input closes",
    )


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no port; it is a number from 0 to 65535, for example 8443"
        )
    return int(text)


def _directory(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("a folder is needed, for example ./sandbox")
    return Path(text)


def run(arguments: argparse.Namespace) -> int:
    """Serves until a signal comes; the exit code."""
    # Until it listens: what a start loads stays for good.
    gc.disable()
    from pos_app.sandbox.switches import from_texts

    logging.basicConfig(level=logging.ERROR, format="sandbox: %(message)s")
    try:
        switches = from_texts(arguments.switch)
    except ValueError as error:
        return _say(str(error), USAGE)
    given: Path | None = arguments.data_dir
    try:
        folder = _folder(given)
    except OSError as error:
        return _say(f"the folder {given} cannot be made: {error.strerror}", CANNOT_CREATE)
    try:
        return _serve(arguments, folder, switches)
    finally:
        if given is None:
            shutil.rmtree(folder, ignore_errors=True)


def _folder(given: Path | None) -> Path:
    if given is None:
        return Path(tempfile.mkdtemp(prefix="pos-app-sandbox-"))
    given.mkdir(mode=0o700, parents=True, exist_ok=True)
    return given


def _serve(arguments: argparse.Namespace, folder: Path, switches: Switches) -> int:
    from pos_app.sandbox.configuration import LiveConfigError, write_configuration
    from pos_app.sandbox.front import FrontDoor
    from pos_app.sandbox.parts import put_together
    from pos_app.sandbox.routes import make_router
    from pos_app.sandbox.server import LOOPBACK, SandboxServer, listen
    from pos_app.sandbox.store import StoreError

    try:
        listener = listen(arguments.port)
    except OSError as error:
        return _say(
            f"port {arguments.port} is used by another program or not allowed: {error.strerror}", USAGE
        )
    with listener:
        port = listener.getsockname()[1]
        base_url = f"http://{LOOPBACK}:{port}"
        try:
            parts = put_together(folder, arguments.seed, switches)
        except StoreError as error:
            return _say(str(error), CANNOT_CREATE)
        except OSError as error:
            return _say(f"{error.filename or folder} cannot be used: {error.strerror}", CANNOT_CREATE)
        try:
            if arguments.write_config is not None:
                write_configuration(arguments.write_config, base_url, parts.accounts)
        except (LiveConfigError, OSError) as error:
            parts.store.close()
            why = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
            return _say(f"the config cannot be written: {why}", CANNOT_CREATE)

        says = _Saying(as_json=arguments.json or arguments.reveal, reveals=arguments.reveal)
        if arguments.stop_with_parent:
            says = _Saying(as_json=True, reveals=True)
        else:
            parts.otp.sent = says.sms

        def started() -> None:
            gc.freeze()
            gc.enable()
            parts.customer.resume()
            says.first(base_url, parts)

        door = FrontDoor(make_router(parts, CONTROL_PATH, TOKEN_PATH), parts.connections, parts.board, port)
        server = SandboxServer(door, parts.connections, started, parts.faults.stop)
        if arguments.stop_with_parent:
            server.stop_when_stdin_closes()
        try:
            server.run([listener])
        finally:
            parts.store.close()
    return OK


class _Saying:
    """What stands on standard output: where it listens, then each SMS that it sends nowhere."""

    def __init__(self, *, as_json: bool, reveals: bool) -> None:
        self._as_json = as_json
        self._reveals = reveals

    def first(self, base_url: str, parts: Parts) -> None:
        line = _first_line(base_url, parts)
        if not self._reveals:
            line = {name: value for name, value in line.items() if not value.startswith(SECRET_MARK)}
        if self._as_json:
            _print(json.dumps(line))
            return
        _print(f"sandbox: both services listen on {base_url}; Ctrl-C ends them")
        _print("sandbox: --write-config DIR makes a till's files; --reveal says tokens and secrets")

    def sms(self, msisdn: str, code: str) -> None:
        to = f"...{msisdn[-3:]}"
        _print(json.dumps({"sms_to": to, "code": code}) if self._as_json else f"SMS to {to}: {code}")


def _print(line: str) -> None:
    """A reader that has left, or a full disk, ends no service."""
    try:
        print(line, flush=True)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _first_line(base_url: str, parts: Parts) -> dict[str, str]:
    accounts = parts.accounts
    return {
        "base_url": base_url,
        "control_url": base_url + CONTROL_PATH,
        "control_token": accounts.control_token,
        "access_token": accounts.access_token,
        "merchant_secret_code": accounts.admin.secret_code,
        "merchant_password": accounts.admin.password,
        "merchant_pg_identifier": accounts.admin.merchant,
        "token_url": base_url + TOKEN_PATH,
        "oauth_client_id": accounts.oauth_client.client_id,
        "oauth_client_secret": accounts.oauth_client.client_secret,
    }


def _say(text: str, code: int) -> int:
    print(f"sandbox: {text}", file=sys.stderr)
    return code
