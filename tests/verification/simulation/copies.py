"""I3b, and rules 10, 12 and 20 over all data folders that ever existed: copies, clones, put back, lost, moved.

A roll-back loses events: what the line that was cut off knew, the line that goes on does not. What is asserted
across the cut is this. Nobody's customer pays for another's (I3b). A till that is shown an id of its own
installation that it does not know sells nothing more (rule 20); and where nothing kept the service from showing it,
it was shown. After a lost journal each payment of ours that the service lists is entered again, or the time it lies
in is named (I2).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from pos_app.domain.ids import installation_of
from tests.verification.simulation.history import Held, History, Moment, Written
from tests.verification.simulation.verdict import MONEY, Violation, before_it, born, intents, snapshots

OPENS_WITHIN = 5_500
"""Rule 12: five seconds, and what a reply may take to be looked at."""

SECOND_LOOK = 5 * 60_000
"""A rebuild reads the newest part of the list again so long after its beginning."""

NEWEST = timedelta(hours=1)
LIST_FIRST = 60_000
AT_LEAST_EACH = 60_000
READS_FOR = SECOND_LOOK + 2 * 60_000


def i3b(history: History) -> Iterator[Violation]:
    """Money is shown for exactly the attempt whose bytes the service took, however many folders have its id.

    The same attempt in two copies of a folder is one attempt: an intent that was copied is still that intent.
    """
    asked_by = {(held.external_id, held.origin): held.asked_by for held in history.held if held.asked_by[0]}
    shown: dict[tuple[str, str], set[tuple[str, int]]] = {}
    for line, journal in history.journals.items():
        for attempt_id, origin in _money(journal):
            here = born(history, line, attempt_id)
            if not here[0]:
                continue  # entered from the list: the transaction itself, and nobody's customer
            shown.setdefault((attempt_id, origin), set()).add(here)
            truth = asked_by.get((attempt_id, origin), here)
            if here != truth:
                yield Violation(
                    "I3b", attempt_id, f"paid by the customer of {_at(truth)}, shown as paid in {_at(here)}"
                )
    for (attempt_id, _), places in shown.items():
        if len(places) > 1:
            yield Violation("I3b", attempt_id, f"one payment, shown for {len(places)} sales")


def _at(place: tuple[str, int]) -> str:
    return f"{place[0]} number {place[1]}"


def _money(journal: tuple[Written, ...]) -> set[tuple[str, str]]:
    return {
        (attempt.attempt_id, attempt.origin)
        for _, attempt in snapshots(journal)
        if attempt.state.value in MONEY
    }


def code_seen(history: History) -> Iterator[Violation]:
    """Rule 10: a QR is money only where its text reached this line, or the line that it was copied from."""
    for journal in history.journals.values():
        shown: set[str] = set()
        for each, attempt in snapshots(journal):
            reply = each.record.content.get("reply", {})
            if each.record.kind == "RECOVERED" or reply.get("qr_text"):
                shown.add(attempt.attempt_id)
            money = set(MONEY).intersection(each.record.path[1:])
            if money and attempt.kind.value == "qr" and attempt.attempt_id not in shown:
                yield Violation("rule 10", attempt.attempt_id, "money for a code that never reached the till")


def own_address(history: History) -> Iterator[Violation]:
    """Rule 10: nothing about an attempt is said to another service than its intent names."""
    durable = intents(history)
    for line, attempt_id, origin in sorted(history.asked):
        written = durable.get(attempt_id)
        attempt = written.record.attempt if written is not None else None
        if attempt is not None and attempt.origin != origin and not _is_hint(history, line, attempt_id):
            yield Violation("rule 10", attempt_id, f"{line} spoke of it to {origin}, not to {attempt.origin}")


def _is_hint(history: History, line: str, attempt_id: str) -> bool:
    """Of what no event proves, the address proves nothing either: it is asked where the till is proven to work."""
    return any(
        each.record.kind == "RECOVERED"
        and each.record.subject == attempt_id
        and not each.record.content.get("proven")
        for name in (line, *(parent for parent, _ in before_it(history, line)))
        for each in history.journals[name]
    )


def opens_in_time(history: History) -> Iterator[Violation]:
    """Rule 12: whatever is open, the till sells soon after its start."""
    for at, line, took in history.opened:
        if took > OPENS_WITHIN:
            yield Violation("rule 12", line, f"started at {at} ms, open for sale {took} ms later")


def at_home(history: History) -> Iterator[Violation]:
    """Rule 20: on another machine a new installation id is durable before the first sale."""
    for line, journal in history.journals.items():
        copied = history.lines[line].copied if line in history.lines else 0
        starts = [(at, machine) for at, name, machine in history.machines if name == line]
        home = ""
        for each in journal:
            if each.record.kind in ("ON_MACHINE", "INSTALLATION_TAKEN"):
                home = str(each.record.content.get("machine", ""))
            if each.record.kind == "INTENT" and each.seq > copied:
                here = max((start for start in starts if start[0] <= each.at), default=(0, home))[1]
                if home and here != home:
                    yield Violation("rule 20", each.record.subject, f"begun on {here} under an id of {home}")


def stops_for_strangers(history: History) -> Iterator[Violation]:
    """Rule 20: whoever was shown an id of this installation that the journal does not know sells nothing more."""
    for stranger in history.strangers:
        starts = [at for at, line in history.starts if line == stranger.till and at > stranger.at]
        until = min(starts, default=history.closing_at)
        for each in history.journals[stranger.till]:
            same = installation_of(each.record.subject) == installation_of(stranger.attempt_id)
            if each.record.kind == "INTENT" and same and stranger.at < each.at < until:
                yield Violation(
                    "rule 20", each.record.subject, f"begun though {stranger.attempt_id} had been shown"
                )
    for journal in history.journals.values():
        stopped: set[str] = set()
        for each in journal:
            if each.record.kind == "IDENTITY_USED_TWICE":
                stopped.add(str(each.record.content.get("installation_id", "")))
            if each.record.kind == "INTENT" and installation_of(each.record.subject) in stopped:
                yield Violation("rule 20", each.record.subject, "begun under an id that is used twice")


def sees_what_it_lost(history: History) -> Iterator[Violation]:
    """Rule 20: what this installation has at the service since the line's newest payment stops the selling.

    Of what the service listed when the till last started; where its answers are whole, and none was made up.
    """
    if history.cut:
        return
    for moment in history.rested:
        starts = [at for at, line in history.starts if line == moment.till]
        if moment.till not in history.lines or not starts or moment.stopped:
            continue
        started = max(starts)
        if any(line == moment.till and at >= started for at, line in history.looks):
            continue
        journal = history.journals[moment.till]
        known = [each for each in journal if each.record.kind == "INTENT" and each.at <= started]
        if not known or _is_being_rebuilt(journal):
            continue
        attempt, installation = known[-1].record.attempt, _installation(journal, known[-1])
        assert attempt is not None
        for held in history.held:
            missed = (
                installation_of(held.external_id) == installation
                and (held.origin == moment.origin == attempt.origin)
                and held.timeline[0][0] + history.lag < started
                and held.dated > attempt.transaction_date_time
                and all(each.attempt_id != held.external_id for each in moment.attempts)
            )
            if missed:
                yield Violation(
                    "rule 20", held.external_id, f"sold by another copy; {moment.till} did not see it"
                )


def _is_being_rebuilt(journal: tuple[Written, ...]) -> bool:
    return any(each.record.kind == "JOURNAL_REBUILT" for each in journal)


def _installation(journal: tuple[Written, ...], newest: Written) -> str:
    taken = [each for each in journal if each.record.kind == "INSTALLATION_TAKEN"]
    if taken:
        return str(taken[-1].record.content["installation_id"])
    return installation_of(newest.record.subject)


def taken_over(history: History) -> Iterator[Violation]:
    """I2 after a lost journal: what was ours at the service is entered again, or its time is named; nothing else is.

    Of what the service listed when the reading began, or in the newest hour at its second reading.
    """
    for moment in history.closed:
        base = _base(history, moment.till)
        if base:
            yield from _taken_over(history, moment, base)


def _base(history: History, line: str) -> str:
    """The line that was begun beside a lost one and whose events these are."""
    for name in (line, *(parent for parent, _ in before_it(history, line))):
        began = history.lines.get(name)
        if began is not None and began.how == "lost":
            return name
    return ""


def _taken_over(history: History, moment: Moment, base: str) -> Iterator[Violation]:
    journal = history.journals[moment.till]
    began = [each for each in journal if each.record.kind == "JOURNAL_REBUILT"]
    if not began:
        if any(each.record.kind == "INTENT" for each in history.journals[history.lines[base].parent]):
            yield Violation("rule 12", moment.till, "a lost journal, and this one says nothing of it")
        return
    if str(began[-1].record.content.get("origin", "")) not in ("", moment.origin):
        return
    # What was sold under an earlier id is ours as far as what was left tells so: the id changes by a loss or a move.
    last = _own_since_a_change(history, history.lines[base].parent)
    told = {str(each) for each in began[-1].record.content.get("installations", ())}
    ours = {
        each.record.subject: installation_of(each.record.subject)
        for parent, _ in before_it(history, base)
        for each in history.journals[parent]
        if each.record.kind == "INTENT"
    }
    ours = {key: name for key, name in ours.items() if name in last | told}
    ours |= {f"of {base}": base.split("/")[0]}
    here = {attempt.attempt_id for attempt in moment.attempts}
    ended = [each for each in journal if each.record.kind == "JOURNAL_REBUILD_ENDED"]
    if not ended:
        # A service that gives a row at a time is read for long.
        if journal[-1].at < history.closing_at - AT_LEAST_EACH and moment.at > began[-1].at + READS_FOR:
            yield Violation("I2", moment.till, "the reading of the list has come to a stop")
        return
    for held in history.held:
        # Nobody else lists what was opened at another service, and what was left names that one or it does not.
        at_home = held.origin in ("", moment.origin)
        missing = at_home and held.external_id in ours and held.external_id not in here
        if missing and _listed(history, held, began[-1]) and not ended[-1].record.content.get("incomplete"):
            yield Violation("I2", held.external_id, "ours at the service, not taken over, and nobody is told")
    own = {*ours.values(), *_taken(history, base), *told}
    for each, attempt in snapshots(journal):
        listed = each.record.kind == "RECOVERED" and each.record.content.get("listed")
        if listed and installation_of(attempt.attempt_id) not in own:
            yield Violation("rule 12", attempt.attempt_id, "another till's, entered as ours")


def _own_since_a_change(history: History, line: str) -> set[str]:
    """The one installation under which a line sold last."""
    sold = [
        each.record for each in history.journals[line] if each.record.kind in ("INTENT", "INSTALLATION_TAKEN")
    ]
    if not sold:
        return set()
    last = sold[-1]
    return {str(last.content.get("installation_id", "")) or installation_of(last.subject)}


def _taken(history: History, base: str) -> set[str]:
    return {
        str(each.record.content[name])
        for parent, _ in before_it(history, base)
        for each in history.journals[parent]
        if each.record.kind == "INSTALLATION_TAKEN"
        for name in ("before", "installation_id")
    }


def _listed(history: History, held: Held, began: Written) -> bool:
    shown_from = held.timeline[0][0] + history.lag
    opened = datetime.fromisoformat(began.record.wall).replace(tzinfo=None)
    if held.dated >= f"{opened + timedelta(days=2):%Y-%m-%d}":
        return False  # of a clock that was set back by a day or more since
    if shown_from < began.at:
        return True
    return (
        shown_from < began.at + SECOND_LOOK and (opened - NEWEST).strftime("%Y-%m-%d %H:%M:%S") < held.dated
    )


def list_before_sales(history: History) -> Iterator[Violation]:
    """Rule 12: beside a lost journal nothing is sold before the list was looked at, or a minute is up."""
    for line, began in history.lines.items():
        if began.how != "lost":
            continue
        looked = False
        origin = ""
        for each in history.journals[line]:
            kind = each.record.kind
            if kind == "JOURNAL_REBUILT":
                origin = str(each.record.content.get("origin", ""))
            looked = looked or kind in ("LIST_READ", "JOURNAL_REBUILD_ENDED")
            attempt = each.record.attempt
            if kind != "INTENT" or looked or attempt is None or origin not in ("", attempt.origin):
                continue
            started = max((at for at, name in history.starts if name == line and at <= each.at), default=0)
            refused = any(name == line and started <= at <= each.at for at, name in history.looks)
            if each.at - started < LIST_FIRST and not refused:
                yield Violation(
                    "rule 12", each.record.subject, "begun before the service's list was looked at"
                )
