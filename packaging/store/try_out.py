"""`make store`: a sandbox, a store with its own PostgreSQL, three counters with pretend customers. Ctrl-C ends all.

`try_out.py till` is `make run STORE=1`: this display's till as the fourth counter of the store that runs.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("STORE_FOLDER") or ROOT / "build" / "store")
RUNNING = FOLDER / "running.json"
COUNTERS = 3
SHOP = "Corner Shop"
PAUSE_S = (4.0, 14.0)
"""Between two customers of a counter."""
THINKS_S = 1.5
"""How often the customers look at their phones."""
_END_S = 15.0


def main() -> int:
    """Of the process."""
    return till() if sys.argv[1:] == ["till"] else everything()


def say(text: str) -> None:
    """To whoever typed the command; a terminal that was closed hears nothing, and all is ended all the same."""
    with contextlib.suppress(OSError):
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


class Stopped(Exception):
    """Something that has to run has ended, or does not begin."""


class Part:
    """A process of ours that says one JSON line when it is ready; it ends with us, whatever becomes of us."""

    def __init__(self, name: str, *command: str) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pos_app", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            start_new_session=True,
        )
        line = self.process.stdout.readline() if self.process.stdout else b""
        try:
            self.said: dict[str, Any] = json.loads(line)
        except ValueError as error:
            self.end()
            raise Stopped(f"the {name} does not begin") from error

    def end(self) -> None:
        """In order: what it still has to write, it writes."""
        for how in (signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is None:
                self.process.send_signal(how)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_END_S)
                break
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def verb(*command: str, environment: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """What a verb says. Raises Stopped."""
    done = subprocess.run(
        [sys.executable, "-m", "pos_app", *command, "--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        start_new_session=True,
        check=False,
    )
    if done.returncode:
        raise Stopped(f"{' '.join(command[-3:])}: {done.stderr.strip() or done.stdout.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


class Customers:
    """Everybody who was asked to pay: most do, some do not want to, a few leave it."""

    def __init__(self, control_url: str, control_token: str) -> None:
        self._url, self._token = control_url, control_token
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self._left: set[str] = set()

    def look(self) -> None:
        """Answers what waits."""
        for each in self._call("GET", "/transactions?status=Merchant%20Initiated") or []:
            number = str(each.get("walletTransactionId") or "")
            if not number or number in self._left:
                continue
            draw = random.random()
            self._left.add(number)
            if draw < 0.06:
                continue
            self._call("POST", f"/transactions/{number}/verify")
            self._call("POST", f"/transactions/{number}/{'reject' if draw < 0.16 else 'approve'}")

    def _call(self, method: str, path: str) -> Any:
        request = urllib.request.Request(
            self._url + path,
            data=b"{}" if method == "POST" else None,
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"},
            method=method,
        )
        try:
            with self._opener.open(request, timeout=10) as reply:
                return json.loads(reply.read() or b"null")
        except (urllib.error.URLError, ValueError, OSError):
            return None  # too late, or it ends: the till finds out by asking


def everything() -> int:
    """Until Ctrl-C. 0, or 1 with why not."""
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: ending.set())
    FOLDER.parent.mkdir(parents=True, exist_ok=True)
    # The lock is let go of last: what it keeps apart ends by the stack.
    with FOLDER.with_name(f"{FOLDER.name}.lock").open("w") as lock, contextlib.ExitStack() as stack:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # Its folder is begun anew each time, under whatever runs there.
            say("make store: it runs already, in another terminal; Ctrl-C ends it there.")
            return 1
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True, exist_ok=True)
        FOLDER.chmod(0o711)
        try:
            run(stack, ending)
        except Stopped as stopped:
            say(f"make store: {stopped}")
            return 1
        finally:
            RUNNING.unlink(missing_ok=True)
    say("All of it has ended.")
    return 0


def run(stack: contextlib.ExitStack, ending: threading.Event) -> None:
    """Starts everything, sells until the end. Raises Stopped."""
    config = FOLDER / "config"
    sandbox = start(
        stack,
        "sandbox",
        "--data-dir",
        str(FOLDER / "sandbox"),
        "sandbox",
        "--write-config",
        str(config),
        "--reveal",
    )
    data = stack.enter_context(store_folder())
    made = verb("store", "init", "--data", str(data), "--name", SHOP)[0]
    store = start(stack, "store", "store", "run", "--json", "--data", str(data))
    url = str(store.said["url"])
    control = {name: str(sandbox.said[name]) for name in ("control_url", "control_token")}
    where = {"url": url, "data": str(data), "config": str(config), **control}
    for number in range(1, COUNTERS + 1):
        if ending.is_set():
            return
        join(where, number)
    RUNNING.touch(0o600)
    RUNNING.write_text(json.dumps(where), encoding="utf-8")
    say(f"Three counters sell at {SHOP}. The owner's page, once:\n\n    {link(made, data, url)}\n")
    say("`make run STORE=1` is your till as the fourth; Ctrl-C ends everything.")
    customers = Customers(**control)
    sellers = [
        threading.Thread(target=sell, args=(where, number, ending), name=f"counter {number}")
        for number in range(1, COUNTERS + 1)
    ]
    for seller in sellers:
        seller.start()
    try:
        while not ending.wait(THINKS_S):
            customers.look()
            for part in (sandbox, store):
                if part.process.poll() is not None:
                    raise Stopped(f"the {part.name} has ended")
    finally:
        ending.set()
        say("\nEnding: the counters finish what is under way.")
        for seller in sellers:
            seller.join()


def start(stack: contextlib.ExitStack, name: str, *command: str) -> Part:
    """One that is ended behind all that needs it."""
    part = Part(name, *command)
    stack.callback(part.end)
    return part


@contextlib.contextmanager
def store_folder() -> Iterator[Path]:
    """Where the store lies. Root's store is somebody else's, who may not come through every folder of root's."""
    if os.geteuid() or all(each.stat().st_mode & 0o001 for each in (FOLDER, *FOLDER.parents)):
        yield FOLDER / "store"
        return
    folder = Path(tempfile.mkdtemp(prefix="pos-app-store-", dir="/var/tmp"))
    folder.chmod(0o711)
    try:
        yield folder / "store"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def link(made: dict[str, Any], data: Path, url: str) -> str:
    """Where the owner of the shop signs in for the first time."""
    found = made.get("link")
    if not found:
        with contextlib.suppress(Stopped):
            found = verb("store", "link", "--data", str(data))[0].get("link")
    path = str(found or "/")
    return path if "://" in path else url + path


def environment_of(number: int) -> dict[str, str]:
    """What makes a counter of its own of the sandbox's settings."""
    return {"POS_APP_GATEWAY_COUNTER_ID": str(number)}


def common(where: dict[str, str], number: int) -> list[str]:
    """The options of a counter."""
    config = Path(where["config"])
    return [
        *("--config", str(config / "config.toml"), "--secrets-file", str(config / "secrets.toml")),
        *("--data-dir", str(FOLDER / f"counter-{number}")),
    ]


def join(where: dict[str, str], number: int) -> None:
    """A counter joins the store's first shop. Raises Stopped."""
    code = verb("store", "code", "--data", where["data"], "1")[0]["code"]
    verb(*common(where, number), "join", where["url"], str(code), environment=environment_of(number))


def sell(where: dict[str, str], number: int, ending: threading.Event) -> None:
    """One customer after the other, by request and by code."""
    while not ending.wait(random.uniform(*PAUSE_S)):
        amount = (
            f"{random.choice((120, 250, 480, 975, 1_340, 2_600, 7_450))}.{random.choice(('00', '50', '75'))}"
        )
        how = ["--qr"] if random.random() < 0.5 else ["--push", f"07{random.randrange(10**7, 10**8)}"]
        with contextlib.suppress(Stopped):
            line = ["pay", "--amount", amount, *how, "--give-up-after", "20", "--another-customer"]
            verb(*common(where, number), *line, environment=environment_of(number))
        # What an end between two calls left behind is told here; a payment tells what it can by itself.
        with contextlib.suppress(Stopped):
            verb(*common(where, number), "sync", "--once", environment=environment_of(number))


def till() -> int:
    """This display's till at the store of `make store`; 1 where none runs."""
    try:
        where = json.loads(RUNNING.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        say("No store runs here: type `make store` in another terminal first.")
        return 1
    number = COUNTERS + 1
    joined = FOLDER / f"counter-{number}" / "joined"
    try:
        if not joined.exists():
            join(where, number)
            joined.touch()
    except Stopped as stopped:
        say(f"make run STORE=1: {stopped}")
        return 1
    command = [sys.executable, "-m", "pos_app", *common(where, number)]
    with phone_of(where):
        return subprocess.run(command, env={**os.environ, **environment_of(number)}, check=False).returncode


@contextlib.contextmanager
def phone_of(where: dict[str, str]) -> Iterator[None]:
    """Beside the till, as long as it runs: the code that signs in comes there."""
    command = [sys.executable, str(ROOT / "packaging" / "store" / "phone.py")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment, cwd=ROOT, text=True) as process:
        stdin = process.stdin
        assert stdin is not None
        print(
            json.dumps({name: where[name] for name in ("control_url", "control_token")}),
            file=stdin,
            flush=True,
        )
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                stdin.close()


if __name__ == "__main__":
    sys.exit(main())
