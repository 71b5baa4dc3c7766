"""Who may read and change a file on Windows: its owner and its access list, judged; and folders for one account alone.

The judging knows no Windows (`Standing`); what asks Windows is at the end. It runs under Wine, which makes lists of its
host's permissions, and passes none of a folder's on to what is made in it: what NTFS does was not tried.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

# Groups that anybody at the machine or on its network is in.
EVERYONE = "S-1-1-0"
OPEN_GROUPS = {
    EVERYONE: "Everyone",
    "S-1-5-11": "Authenticated Users",
    "S-1-5-32-545": "Users",
    "S-1-5-32-546": "Guests",
    "S-1-5-4": "INTERACTIVE",
    "S-1-5-2": "NETWORK",
    "S-1-5-7": "ANONYMOUS LOGON",
}
_OF_DOMAIN = "S-1-5-21-"
_OPEN_IN_DOMAIN = {"513": "Domain Users", "514": "Domain Guests"}
"""Each domain's own, by the last number: every account of the shop's, as of its office, is in the first."""
SYSTEM, ADMINISTRATORS = "S-1-5-18", "S-1-5-32-544"
INSTALLER = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"
"""TrustedInstaller, whom Windows' own folders belong to."""

# Of winnt.h. For a folder WRITE_DATA is to add a file, APPEND_DATA to add a folder.
READ_DATA, WRITE_DATA, APPEND_DATA, DELETE_CHILD = 0x1, 0x2, 0x4, 0x40
DELETE, WRITE_DAC, WRITE_OWNER = 0x10000, 0x40000, 0x80000
GENERIC_ALL, GENERIC_WRITE, GENERIC_READ = 0x10000000, 0x40000000, 0x80000000

_TAKES = WRITE_DAC | WRITE_OWNER | GENERIC_ALL
READS = READ_DATA | GENERIC_READ | GENERIC_ALL
CHANGES = WRITE_DATA | APPEND_DATA | DELETE | GENERIC_WRITE | _TAKES
"""What a file must not let others do; without it they cannot put another in its place either."""

REPLACES = DELETE_CHILD | _TAKES
"""What a folder must not let others do with what lies in it. They may add to it, as to C:\\."""

FILLS = REPLACES | WRITE_DATA | GENERIC_WRITE
"""And what the folder of a journal must not let them do: a file beside the journal is read with it."""


class Entry(NamedTuple):
    """One of an access list: whether it allows or denies, whom (a SID), and what."""

    allows: bool
    sid: str
    mask: int


class Standing(NamedTuple):
    """A file's owner (a SID) and access list in its order; no list at all (None) lets everybody do everything."""

    owner: str
    entries: tuple[Entry, ...] | None


def open_to(standing: Standing, rights: int) -> str:
    """The first group of everybody's that may do one of these things, by its English name; "" where none may."""
    if standing.entries is None:
        return OPEN_GROUPS[EVERYONE]
    denied: dict[str, int] = {}
    for entry in standing.entries:
        if not entry.allows:
            denied[entry.sid] = denied.get(entry.sid, 0) | entry.mask
        elif name := _open_group(entry.sid):
            left = entry.mask & ~denied.get(entry.sid, 0) & ~denied.get(EVERYONE, 0)
            if left & rights:
                return name
    return ""


def _open_group(sid: str) -> str:
    """Its English name; "" for a group that is chosen, or one account."""
    of_domain = sid.startswith(_OF_DOMAIN) and _OPEN_IN_DOMAIN.get(sid.rpartition("-")[2])
    return of_domain or OPEN_GROUPS.get(sid, "")


def is_anothers(standing: Standing, me: str) -> bool:
    """Whether it belongs to another account. The word of the system and of its administrators is taken."""
    return standing.owner not in (me, SYSTEM, ADMINISTRATORS, INSTALLER)


def problem_of_file(file: Standing, folders: Iterator[Standing], me: str, *, secret: bool) -> str:
    """What is wrong with a file's owner and access list and those of the folders it lies in, in words; else ""."""
    if is_anothers(file, me):
        return "belongs to another user, who can change it"
    group = open_to(file, CHANGES)
    if group:
        return f"can be changed by others ({group})"
    group = open_to(file, READS) if secret else ""
    if group:
        return f"can be read by others ({group})"
    for folder in folders:
        group = open_to(folder, REPLACES)
        if group:
            return f"can be replaced by others ({group})"
    return ""


def problem_of_folder(folder: Standing, me: str, *, shared: bool) -> str:
    """The same for the folder of a journal; `shared`: one that only holds the till's own folder."""
    if is_anothers(folder, me):
        return "belongs to another user"
    group = open_to(folder, REPLACES if shared else FILLS)
    return f"can be changed by others ({group})" if group else ""


if sys.platform == "win32":  # pragma: no cover - Windows
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _FILE_OBJECT = 1
    _OWNER, _DACL = 1, 4
    _INHERIT_ONLY = 0x8
    # Allowed and denied, plain and with a condition: one with a condition is taken as met.
    _ALLOWS, _DENIES = (0, 9), (1, 10)
    _TOKEN_QUERY, _TOKEN_USER = 0x8, 1
    _ALREADY_EXISTS = 183

    _advapi = ctypes.WinDLL("advapi32", use_last_error=True)
    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _VOID = ctypes.c_void_p
    _OUT = ctypes.POINTER(_VOID)
    _advapi.GetSecurityInfo.argtypes = [wintypes.HANDLE, *[wintypes.DWORD] * 2, *[_OUT] * 5]
    _advapi.GetSecurityInfo.restype = wintypes.DWORD
    _advapi.GetNamedSecurityInfoW.argtypes = [wintypes.LPCWSTR, *[wintypes.DWORD] * 2, *[_OUT] * 5]
    _advapi.GetNamedSecurityInfoW.restype = wintypes.DWORD
    _advapi.ConvertSidToStringSidW.argtypes = [_VOID, ctypes.POINTER(wintypes.LPWSTR)]
    _advapi.GetAce.argtypes = [_VOID, wintypes.DWORD, _OUT]
    _advapi.OpenProcessToken.argtypes = [wintypes.HANDLE, wintypes.DWORD, ctypes.POINTER(wintypes.HANDLE)]
    _advapi.GetTokenInformation.argtypes = [
        wintypes.HANDLE, ctypes.c_int, _VOID, wintypes.DWORD, ctypes.POINTER(wintypes.DWORD)
    ]  # fmt: skip
    _advapi.ConvertStringSecurityDescriptorToSecurityDescriptorW.argtypes = [
        wintypes.LPCWSTR, wintypes.DWORD, _OUT, _VOID
    ]  # fmt: skip
    _advapi.SetFileSecurityW.argtypes = [wintypes.LPCWSTR, wintypes.DWORD, _VOID]
    _kernel.GetCurrentProcess.restype = wintypes.HANDLE
    _kernel.LocalFree.argtypes = [_VOID]
    _kernel.CloseHandle.argtypes = [wintypes.HANDLE]
    _kernel.CreateDirectoryW.argtypes = [wintypes.LPCWSTR, _VOID]

    class _Acl(ctypes.Structure):
        _fields_ = (
            ("revision", ctypes.c_ubyte), ("zero", ctypes.c_ubyte), ("size", wintypes.WORD),
            ("count", wintypes.WORD), ("zeros", wintypes.WORD),
        )  # fmt: skip

    class _Ace(ctypes.Structure):
        _fields_ = (
            ("kind", ctypes.c_ubyte), ("flags", ctypes.c_ubyte), ("size", wintypes.WORD),
            ("mask", wintypes.DWORD), ("sid", wintypes.DWORD),
        )  # fmt: skip

    class _Attributes(ctypes.Structure):
        _fields_ = (("length", wintypes.DWORD), ("descriptor", _VOID), ("inherited", wintypes.BOOL))

    def problem_of_opened(path: Path, descriptor: int, *, secret: bool) -> str:
        """As `problem_of_file`, of an opened file and the folders that its name and its link lead through."""
        file = _asked(_advapi.GetSecurityInfo, wintypes.HANDLE(msvcrt.get_osfhandle(descriptor)))
        places = {path.parent, path.resolve().parent}
        return problem_of_file(file, (_standing_of(each) for each in places), _own_sid(), secret=secret)

    def problem_of_place(folder: Path, *, shared: bool) -> str:
        """As `problem_of_folder`. Raises OSError."""
        return problem_of_folder(_standing_of(folder), _own_sid(), shared=shared)

    def is_open(path: Path, *, secret: bool) -> bool:
        """Whether anybody may change a file or folder, or (`secret`) read it. Raises OSError."""
        return bool(open_to(_standing_of(path), CHANGES | (READS if secret else 0)))

    def make_private(folder: Path) -> None:
        """For this account, the system and administrators alone, whatever its parent passes on; one there stays.

        Raises OSError.
        """
        with _for_us_alone("OICI") as descriptor:
            attributes = _Attributes(ctypes.sizeof(_Attributes), descriptor, False)
            if not _kernel.CreateDirectoryW(str(folder), ctypes.byref(attributes)):
                number = ctypes.get_last_error()
                if number != _ALREADY_EXISTS or not folder.is_dir():
                    raise ctypes.WinError(number)

    def keep_private(file: Path) -> None:
        """The same for a file that was just made and is empty. A stick, which knows no such lists, stays as it is."""
        with suppress(OSError), _for_us_alone("") as descriptor:
            _advapi.SetFileSecurityW(str(file), _DACL, descriptor)

    @contextmanager
    def _for_us_alone(inherited: str) -> Iterator[ctypes.c_void_p]:
        """A list that takes nothing from its folder's."""
        who = (_own_sid(), SYSTEM, ADMINISTRATORS)
        words = "D:P" + "".join(f"(A;{inherited};FA;;;{sid})" for sid in who)
        descriptor = _VOID()
        if not _advapi.ConvertStringSecurityDescriptorToSecurityDescriptorW(
            words, 1, ctypes.byref(descriptor), None
        ):
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            yield descriptor
        finally:
            _kernel.LocalFree(descriptor)

    def _standing_of(path: Path) -> Standing:
        return _asked(_advapi.GetNamedSecurityInfoW, str(path))

    def _asked(ask: ctypes._NamedFuncPointer, of: object) -> Standing:
        owner, dacl, whole = _VOID(), _VOID(), _VOID()
        failed = ask(
            of,
            _FILE_OBJECT,
            _OWNER | _DACL,
            ctypes.byref(owner),
            None,
            ctypes.byref(dacl),
            None,
            ctypes.byref(whole),
        )
        if failed:
            raise ctypes.WinError(failed)
        try:
            return Standing(_text_of(owner), tuple(_entries(dacl)) if dacl else None)
        finally:
            _kernel.LocalFree(whole)

    def _entries(dacl: ctypes.c_void_p) -> Iterator[Entry]:
        for index in range(_Acl.from_address(dacl.value or 0).count):
            place = _VOID()
            if not _advapi.GetAce(dacl, index, ctypes.byref(place)):
                raise ctypes.WinError(ctypes.get_last_error())
            ace = _Ace.from_address(place.value or 0)
            if ace.kind in (*_ALLOWS, *_DENIES) and not ace.flags & _INHERIT_ONLY:
                sid = _VOID((place.value or 0) + _Ace.sid.offset)
                yield Entry(ace.kind in _ALLOWS, _text_of(sid), ace.mask)

    def _text_of(sid: ctypes.c_void_p) -> str:
        text = wintypes.LPWSTR()
        if not _advapi.ConvertSidToStringSidW(sid, ctypes.byref(text)):
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            return text.value or ""
        finally:
            _kernel.LocalFree(ctypes.cast(text, _VOID))

    def _own_sid() -> str:
        token = wintypes.HANDLE()
        if not _advapi.OpenProcessToken(_kernel.GetCurrentProcess(), _TOKEN_QUERY, ctypes.byref(token)):
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            room = ctypes.create_string_buffer(256)
            size = wintypes.DWORD()
            if not _advapi.GetTokenInformation(token, _TOKEN_USER, room, len(room), ctypes.byref(size)):
                raise ctypes.WinError(ctypes.get_last_error())
            # TOKEN_USER begins with where the SID lies.
            return _text_of(_VOID.from_buffer(room))
        finally:
            _kernel.CloseHandle(token)
