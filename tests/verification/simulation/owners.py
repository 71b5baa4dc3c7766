"""M9 and M11 to M13 judged: what stood on the owners' pages, against the journals of the tills by their chains alone.

M5 besides: a Z whose own events come to something else. Of a store that was put back, what was signed before is lost
with it, as it is with a real backup, and the owners' acts with it: both are judged from then on.
"""

from __future__ import annotations

from collections.abc import Iterator

from pos_app.store.acts import mac_of
from tests.verification.simulation.history import History, Stored, Written
from tests.verification.simulation.owner import SHOPS, Done, Look
from tests.verification.simulation.verdict import MONEY, Violation

GRACE = 150_000 + 12_000
"""An idle counter calls each minute; after two calls that did not come a sum names it, and with it what is gathered."""

Macs = dict[str, list[bytes]]


def m(history: History, stored: Stored, macs: Macs) -> Iterator[Violation]:
    """All four, of every look that an owner had."""
    yield from _foreign(history, stored)
    yield from _signed(stored)
    yield from _each_z_once(history, stored, macs)
    yield from _who_is_missing(history, stored, macs)
    yield from _acts(stored)


def _root(line: str) -> str:
    return line.split("/")[0]


def _shops(stored: Stored) -> dict[str, int]:
    return {root: SHOPS[at % len(SHOPS)] for at, root in enumerate(stored.roots)}


def _foreign(history: History, stored: Stored) -> Iterator[Violation]:
    """M9: whatever stands on a shop's page is of a till that stands there."""
    shops = _shops(stored)
    sold: dict[str, set[int]] = {}
    for line, written in history.journals.items():
        for each in written:
            sold.setdefault(each.record.subject, set()).add(shops[_root(line)])
            if each.record.kind == "Z_CLOSED":
                sold.setdefault(str(each.record.content["digest"]), set()).add(shops[_root(line)])
    for look in stored.owners.looks:
        digests = [z.digest for _, zs in look.days.values() for _, z in zs]
        foreign = [name for name in look.counters if shops[name] != look.shop]
        foreign += [name for name in (*look.payments, *digests) if look.shop not in sold.get(name, set())]
        if foreign:
            yield Violation("M9", foreign[0], f"shown to the owner of shop {look.shop}")


def _put_back(stored: Stored, since: int, until: int) -> bool:
    return any(since <= at <= until for at in stored.seen.restored)


def _signed(stored: Stored) -> Iterator[Violation]:
    """M11: what was signed of a day is what every later look at it shows, to the letter."""
    for done in (each for each in stored.owners.done if each.kind == "day_signed"):
        on = done.subject.split()[0]
        for look in stored.owners.looks:
            if look.shop != done.shop or look.at <= done.at or _put_back(stored, done.at, look.at):
                continue
            if look.days.get(on, ("", ()))[0] != done.said:
                yield Violation("M11", on, "the day was signed, and says something else now")


def _each_z_once(history: History, stored: Stored, macs: Macs) -> Iterator[Violation]:
    """M11, M5: in the end each Z that is held stands in one day: its own, or as late in one behind a signed one."""
    for look in stored.owners.looks[-len(SHOPS) :]:
        standing: dict[tuple[str, str], list[str]] = {}
        for on, (_, zs) in look.days.items():
            for counter, z in zs:
                standing.setdefault((counter, z.digest), []).append(on)
                if z.late != (z.business_date < on):
                    yield Violation("M11", z.digest, f"of {z.business_date}, in {on}: late {z.late}")
                if z.finding and not any(history.gaps.values()):
                    yield Violation("M5", z.digest, z.detail)
        for installation, head in look.heads.items():
            line = _line_of(stored, macs, installation)
            for each in history.journals[line][:head] if line else ():
                if each.record.kind != "Z_CLOSED":
                    continue
                counter, content = stored.disk.held[installation].counter, each.record.content
                found = standing.get((counter, str(content["digest"])), [])
                own = str(content["business_date"])
                is_late = len(found) == 1 and own < found[0]
                if len(found) != 1 or (is_late and not _was_signed(stored, look.shop, own)):
                    yield Violation("M11", str(content["digest"]), f"a Z of {own} stands in {found}")
                elif not is_late and own != found[0]:
                    yield Violation("M11", str(content["digest"]), f"a Z of {own} stands in {found[0]}")


def _was_signed(stored: Stored, shop: int, on: str) -> bool:
    return f"{shop} {on}" in stored.disk.signed


def _line_of(stored: Stored, macs: Macs, installation: str) -> str:
    own = [each.mac for each in stored.disk.held[installation].events]
    return next((name for name, of in macs.items() if of[: len(own)] == own), "")


def _who_is_missing(history: History, stored: Stored, macs: Macs) -> Iterator[Violation]:
    """M12: whoever took money that a sum has not, for longer than a counter is silent, is named beside it."""
    shops = _shops(stored)
    for look in stored.owners.looks:
        newest = {stored.disk.held[name].counter: name for name in look.heads if name in stored.disk.held}
        for counter, since in look.missing.items():
            told = look.contacts.get(newest.get(counter, ""))
            if since != told:
                yield Violation("M12", counter, f"named since {since}, and heard of last at {told}")
        if not look.honest:
            continue
        for line, written in history.journals.items():
            installation = newest.get(_root(line), "")
            if shops[_root(line)] != look.shop or not installation or _root(line) in look.missing:
                continue
            if installation in stored.seen.revoked or _is_left(history, line, look):
                continue
            if _line_of(stored, macs, installation) != line:
                continue
            untold = next(_untold(written, look.heads[installation], look.at - GRACE), None)
            if untold is not None:
                why = f"{untold.record.subject} is in no sum, and {_root(line)} is not named"
                yield Violation("M12", f"shop {look.shop}", why)


def _is_left(history: History, line: str, look: Look) -> bool:
    """The folder was not there yet, went on as another line by then, or a copy of it sells beside it."""
    if line in history.lines and (history.lines[line].how == "clone" or history.lines[line].at > look.at):
        return True
    after = [each for each in history.lines.values() if each.parent == line]
    return any(each.how == "clone" or each.at <= look.at for each in after)


def _untold(written: tuple[Written, ...], head: int, until: int) -> Iterator[Written]:
    for each in written[head:]:
        if each.at <= until and set(MONEY).intersection(each.record.path):
            yield each


def _acts(stored: Stored) -> Iterator[Violation]:
    """M13: each change has its line, and each line stands on the one before."""
    before = b""
    for number, line in enumerate(stored.disk.acts, 1):
        if (line.number, line.before) != (number, before) or line.mac != mac_of(
            number, line.at, line.act, before
        ):
            yield Violation("M13", f"act {number}", "the chain is broken here")
        before = line.mac
    written = {(each.act.kind, each.act.shop, each.act.subject) for each in stored.disk.acts}
    for done in stored.owners.done:
        if not _put_back(stored, done.at, 1 << 62) and _key(done) not in written:
            yield Violation(
                "M13", done.subject, f"{done.kind} by the owner of shop {done.shop}, and no act says so"
            )


def _key(done: Done) -> tuple[str, int, str]:
    return done.kind, done.shop, done.subject
