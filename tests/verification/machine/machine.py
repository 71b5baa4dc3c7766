"""A machine that runs: its power, its keyboard, its touch panel, its displays, and what it says on its serial line."""

from __future__ import annotations

import base64
import contextlib
import difflib
import io
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from PIL import Image as Picture
from PIL import ImageOps

from tests.support.ports import free_port
from tests.support.sandbox import Sandbox
from tests.verification.machine.image import PORT, Image

BOOT_LIMIT_S = 600
LIMIT_S = 180
"""For what a machine does that is played, on cores that others use too: looked for until then, never slept for."""
LOOK_S = 0.4
"""Between two looks."""
TYPING_S = 0.25
"""Between two keys of a person, and between a finger's coming and going."""
_KEYS = {
    " ": "spc", "\n": "ret", ".": "dot", ",": "comma", "-": "minus", "+": "kp_add", "/": "slash",
}  # fmt: skip
_ABSOLUTE = 0x7FFF
_OF_ANOTHER_SIZE = -308
"""The extension of RFB that a window may ask for another size by."""
_SIZES = (2, 1)
"""Small letters are read when they are made larger; of those of an amount a 5 becomes 15 by that."""
_LONG, _ENOUGH = 5, 0.7
_PARTS, _LINE = 3, 10
"""Of a figure at most, and so many pixels from each other's height."""
Found = TypeVar("Found")


class Word(NamedTuple):
    """One that stands on a display: its text and the middle of it in pixels."""

    text: str
    x: int
    y: int


class LookedLongError(AssertionError):
    """What was looked for did not come; the message tells what was there instead."""


def until(look: Callable[[], Found | None], limit_s: float = LIMIT_S, what: str = "") -> Found:
    """What the look finds, once it finds anything. Raises LookedLongError."""
    ends = time.monotonic() + limit_s
    while not (found := look()):
        if time.monotonic() > ends:
            raise LookedLongError(f"not within {limit_s:.0f} s: {what or look}")
        time.sleep(LOOK_S)
    return found


@cache
def accelerator(image: Image) -> str:
    """`kvm` where a kernel comes to its end under it, else `tcg`: some machines have /dev/kvm, and hang with it."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return "tcg"
    with tempfile.TemporaryFile() as said:
        tried = subprocess.Popen(
            [
                "qemu-system-x86_64", "-accel", "kvm", "-cpu", "host", "-m", "512", "-nodefaults", "-display", "none",
                "-no-reboot", "-kernel", str(image.kernel), "-append", "console=ttyS0 panic=-1 root=/dev/none",
                "-serial", "stdio",
            ],
            stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            ended = tried.wait(30) == 0
        except subprocess.TimeoutExpired:
            ended = False
        finally:
            tried.kill()
            tried.wait()
        said.seek(0)
        return "kvm" if ended and b"Kernel panic" in said.read() else "tcg"


class Machine:
    """`with Machine(image, folder) as machine:` its disk in the folder, its power off; `start` gives it."""

    def __init__(self, image: Image, folder: Path, *, options: Sequence[str] = (), line: str = "") -> None:
        """`options`: more hardware. `line`: more of the kernel's."""
        self.folder = folder
        self.pictures = folder / "pictures"
        self.pictures.mkdir(exist_ok=True)
        self.disk = folder / "disk.qcow2"
        self.options = list(options)
        self.line = line
        self._image = image
        self._process: subprocess.Popen[bytes] | None = None
        self._qmp: io.TextIOWrapper | None = None
        self._hand: socket.socket | None = None
        self._sockets = Path(tempfile.mkdtemp(prefix="machine-"))
        self._second = self._sockets / "second"
        if not self.disk.exists():
            subprocess.run(
                ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", image.disk, self.disk],
                check=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        if kind is not None and self._process is not None:
            with contextlib.suppress(Exception):
                self.picture("at-the-end")
        self.cut()
        shutil.rmtree(self._sockets)

    # Power

    def start(self, as_saved: str = "") -> Self:
        """Power on, or as it was when it was saved. It is up when something is looked for and found."""
        self.port = free_port()
        qmp, hand = self._sockets / "qmp", self._sockets / "hand"
        for path in (qmp, hand, self._second):
            path.unlink(missing_ok=True)
        kind = accelerator(self._image)
        accel = ["-accel", "kvm", "-cpu", "host"]
        if kind == "tcg":
            # Not `max`: with AES the played processor makes the kernel stumble.
            accel = [
                "-accel",
                "tcg,thread=multi",
                "-cpu",
                "qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt,+cx16,+lahf_lm",
            ]
        command = [
            "nice", "-n", "10", "qemu-system-x86_64", *accel, "-m", "2048", "-smp", "2", "-nodefaults",
            "-kernel", str(self._image.kernel), "-initrd", str(self._image.first_files),
            "-append", f"root=/dev/vda rw console=tty0 console=ttyS0 quiet {self.line}",
            "-drive", f"file={self.disk},format=qcow2,if=virtio",
            "-device", "virtio-vga,id=screen,max_outputs=2", "-display", "none",
            "-vnc", f"unix:{self._second},display=screen,head=1", "-rtc", "base=utc,clock=vm",
            "-device", "usb-ehci", "-device", "usb-kbd", "-device", "usb-tablet",
            "-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-10.0.2.15:{PORT}",
            "-device", "virtio-net-pci,netdev=net",
            "-chardev", f"file,id=said,path={self.folder / 'serial.log'},append=on", "-serial", "chardev:said",
            "-chardev", f"socket,id=hand,path={hand},server=on,wait=off", "-device", "virtio-serial",
            "-device", "virtserialport,chardev=hand,name=hand",
            "-qmp", f"unix:{qmp},server=on,wait=off", *self.options, *(["-loadvm", as_saved] if as_saved else []),
        ]  # fmt: skip
        with (self.folder / "qemu.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until(qmp.exists, 30, "the machine's own control")
        control = socket.socket(socket.AF_UNIX)
        until(lambda: control.connect_ex(str(qmp)) == 0, 30, "the machine's own control")
        self._qmp = control.makefile("rw", encoding="utf-8")
        control.close()
        self._qmp.readline()
        self.qmp("qmp_capabilities")
        self._hand = socket.socket(socket.AF_UNIX)
        self._hand.connect(str(hand))
        return self

    def cut(self) -> None:
        """The power goes: what was not on the disk is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        for each in (self._qmp, self._hand):
            if each is not None:
                with contextlib.suppress(OSError):
                    each.close()
        self._qmp = self._hand = None

    def save(self, name: str) -> None:
        """All of it, memory and disk, as it is now."""
        self._monitor(f"savevm {name}")

    def load(self, name: str) -> None:
        """Again as it was when it was saved; also one whose power was cut."""
        if self._process is None:
            self.start(name)
        else:
            self._monitor(f"loadvm {name}")

    def _monitor(self, line: str) -> None:
        said = self.qmp("human-monitor-command", **{"command-line": line})
        assert not said, said

    def reset(self) -> None:
        """The button on its front."""
        self.qmp("system_reset")

    # Its devices

    def qmp(self, execute: str, **arguments: Any) -> Any:
        """One command to the machine's hardware."""
        assert self._qmp is not None
        self._qmp.write(json.dumps({"execute": execute, "arguments": arguments}) + "\n")
        self._qmp.flush()
        while True:
            answer = json.loads(self._qmp.readline())
            if "error" in answer:
                raise AssertionError(f"{execute}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    def press(self, *keys: str) -> None:
        """Keys by their QEMU names, one after the other as a person presses them; `shift-a` holds one for the other.

        A quicker Enter behind digits is a barcode reader's, and the till takes it for that.
        """
        for key in keys:
            time.sleep(TYPING_S)
            held = [{"type": "qcode", "data": each} for each in key.split("-")]
            for down in (True, False):
                for each in held if down else held[::-1]:
                    self.qmp(
                        "input-send-event", events=[{"type": "key", "data": {"down": down, "key": each}}]
                    )

    def type(self, text: str) -> None:
        """As a person does, on a keyboard of letters without marks."""
        for sign in text:
            key = _KEYS.get(sign, sign.lower())
            self.press(f"shift-{key}" if sign.isupper() else key)

    def touch(self, x: int, y: int) -> None:
        """A finger at this pixel, and away."""
        width, height = self.size
        at = [
            {"type": "abs", "data": {"axis": "x", "value": x * _ABSOLUTE // width}},
            {"type": "abs", "data": {"axis": "y", "value": y * _ABSOLUTE // height}},
        ]
        self.qmp("input-send-event", events=at)
        for down in (True, False):
            time.sleep(TYPING_S)
            self.qmp("input-send-event", events=[{"type": "btn", "data": {"down": down, "button": "left"}}])

    @property
    def size(self) -> tuple[int, int]:
        """Of the first display, in pixels."""
        return self.look().size

    def look(self, head: int = 0) -> Picture.Image:
        """What stands on a display at this moment."""
        with tempfile.NamedTemporaryFile(dir=self._sockets, suffix=".png") as file:
            more = {"device": "screen", "head": head} if head else {}
            self.qmp("screendump", filename=file.name, format="png", **more)
            return Picture.open(io.BytesIO(Path(file.name).read_bytes())).convert("RGB")

    def picture(self, name: str, head: int = 0) -> Picture.Image:
        """Kept under this name for who wants to see it."""
        seen = self.look(head)
        seen.save(self.pictures / f"{name}.png")
        return seen

    def find(self, *texts: str, limit_s: float = LIMIT_S, head: int = 0) -> Word:
        """Where the words of one of these texts stand next to each other, once they do. Capitals do not matter."""
        last: list[Word] = []
        try:
            return until(
                lambda: self._place(texts, head, last), limit_s, f"{' or '.join(texts)!r} on the display"
            )
        except LookedLongError as error:
            self.picture("not-found", head)
            raise LookedLongError(f"{error}; there stood: {' '.join(word.text for word in last)}") from None

    def says(self, text: str) -> bool:
        """Whether these words stand on the first display at this moment."""
        return self._place((text,), 0, []) is not None

    def _place(self, texts: tuple[str, ...], head: int, last: list[Word]) -> Word | None:
        seen = self.look(head)
        last.clear()
        for times in _SIZES:
            last.extend(words := words_of(seen, times))
            for text in texts:
                if place := place_of(text, words):
                    return place
        return None

    def tap(self, text: str) -> None:
        """A finger on these words."""
        word = self.find(text)
        self.touch(word.x, word.y)

    def second_display(self, width: int, height: int) -> None:
        """Of so many pixels in the card's second socket; of none: it is taken out again.

        QEMU tells the machine inside what it would of a window that somebody looks at the second head by: the little
        of RFB that asks for a window of another size (RFC 6143, and the message SetDesktopSize of its extensions).
        """
        with socket.socket(socket.AF_UNIX) as looking:
            looking.settimeout(LIMIT_S)
            looking.connect(str(self._second))
            said = looking.makefile("rb")
            said.read(12)
            looking.sendall(b"RFB 003.008\n")
            said.read(said.read(1)[0])
            looking.sendall(b"\x01")  # nobody's password
            said.read(4)
            looking.sendall(b"\x01")  # others may look as well
            *_, name = struct.unpack(">HH16xI", said.read(24))
            said.read(name)
            looking.sendall(struct.pack(">BxHi", 2, 1, _OF_ANOTHER_SIZE))
            screen = struct.pack(">IHHHHI", 0, 0, 0, width, height, 0)
            looking.sendall(struct.pack(">BxHHBx", 251, width, height, 1) + screen)
            # What it answers, or that it draws: by then it has read what was asked before.
            looking.sendall(struct.pack(">BBHHHH", 3, 0, 0, 0, 1, 1))
            assert said.read(1)

    # Inside

    def do(self, command: str, limit_s: float = LIMIT_S) -> str:
        """What the command said, as root. Raises AssertionError when it did not end well."""
        code, said = self.tell(command, limit_s)
        assert code == 0, f"{command}: {code}: {said}"
        return said

    def tell(self, command: str, limit_s: float = LIMIT_S) -> tuple[int, str]:
        """Its exit code and what it said. Raises TimeoutError where nobody listens yet."""
        assert self._hand is not None
        self._hand.settimeout(limit_s)
        self._hand.sendall(base64.b64encode(command.encode()) + b"\n")
        line = b""
        while not line.endswith(b"\n"):
            got = self._hand.recv(65536)
            assert got, "the machine has lost its power"
            line += got
        said, _, code = base64.b64decode(line).decode(errors="replace").rpartition("=")
        return int(code), said.rstrip("\n")

    def booted(self, limit_s: float = BOOT_LIMIT_S) -> None:
        """Once its root does what it is told to."""
        self.tell("true", limit_s)

    def service(self, name: str) -> str:
        """A property of the kiosk's service."""
        return self.do(f"systemctl show --property={name} --value pos-app-kiosk.service")

    def stands(self, limit_s: float = BOOT_LIMIT_S) -> None:
        """Once the till says that it is open."""
        until(lambda: self.service("StatusText") == "The till is open", limit_s, "the till is open")

    def till(self) -> int:
        """The process of the till."""
        return int(self.do("cat /run/pos-app-kiosk/till"))

    def pos_app(self, words: str) -> str:
        """What the till's command says to the till's user, while or without a window."""
        found = self.tell(
            "runuser -u pos-app -- env POS_APP_DATA_DIR=/var/lib/pos-app XDG_CONFIG_HOME=/nonexistent pos-app "
            + words
        )
        return found[1]

    def services(self) -> Services:
        """The services inside, by their control interface."""
        said = self.do(
            "journalctl --boot=all --unit=services.service --output=cat | grep control_token | tail -n 1"
        )
        return Services(self.port, json.loads(said))


class Services(Sandbox):
    """Those inside a machine; they know themselves by their address inside."""

    def __init__(self, port: int, details: dict[str, str]) -> None:
        super().__init__()
        self.details = details
        for name, value in details.items():
            setattr(self, name, value)
        self.host = f"127.0.0.1:{PORT}"
        self.control_url = details["control_url"].replace(self.host, f"127.0.0.1:{port}")


def words_of(picture: Picture.Image, times: int) -> list[Word]:
    """What can be read on it when it is made so many times as large, light on dark or dark on light; in order."""
    size = (picture.width * times, picture.height * times)
    file = io.BytesIO()
    ImageOps.autocontrast(picture.convert("L").resize(size)).save(file, "png")
    done = subprocess.run(
        ["nice", "-n", "10", "tesseract", "-", "-", "--psm", "11", "tsv"],
        input=file.getvalue(),
        capture_output=True,
        check=True,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
    )
    rows = [line.split("\t") for line in done.stdout.decode().splitlines()[1:]]
    return [
        Word(row[11], (int(row[6]) + int(row[8]) // 2) // times, (int(row[7]) + int(row[9]) // 2) // times)
        for row in rows
        if len(row) > 11 and row[11].strip() and float(row[10]) > 30
    ]


def place_of(text: str, words: Sequence[Word]) -> Word | None:
    """The middle of these words where they follow each other, None where they do not."""
    wanted = [_plain(part) for part in text.split()]
    for at in range(len(words)):
        found: list[Word] = []
        for part in wanted:
            found += (more := _beginning(words[at + len(found) :], part))
            if not more:
                break
        else:
            return Word(text, sum(word.x for word in found) // len(found), found[0].y)
    return None


def _beginning(words: Sequence[Word], wanted: str) -> Sequence[Word]:
    """Those at the beginning that are the wanted one: a figure may have been read in parts, `1` and `,250`."""
    have = [_plain(word.text) for word in words[:_PARTS]]
    if have and _alike(have[0], wanted):
        return words[:1]
    counts = range(2, len(have) + 1) if wanted.isdecimal() else ()
    return next(
        (
            words[:count]
            for count in counts
            if "".join(have[:count]) == wanted and abs(words[0].y - words[count - 1].y) < _LINE
        ),
        (),
    )


def _alike(seen: str, wanted: str) -> bool:
    """A long word may be misread by a letter or two; a short one, or a figure, may not."""
    if len(wanted) < _LONG or not wanted.isalpha():
        return seen == wanted
    return difflib.SequenceMatcher(None, seen, wanted).ratio() > _ENOUGH


def _plain(word: str) -> str:
    return re.sub(r"[^\w.+-]", "", word).lower().strip(".")


@contextlib.contextmanager
def running(image: Image, folder: Path, **more: Any) -> Iterator[Machine]:
    """One with its power on."""
    with Machine(image, folder, **more) as machine:
        yield machine.start()
