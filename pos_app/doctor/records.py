"""Looks at the journal: every byte of it with its key, and how much there is of what. Names no payment, nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, time
from pathlib import Path
from typing import Any

from pos_app.bootstrap.errors import Exit
from pos_app.bootstrap.journal import GONE, is_gone
from pos_app.bootstrap.unsettled import unsettled
from pos_app.doctor.finding import Finding
from pos_app.domain.attempt import Environment
from pos_app.domain.day import CLOSING_BEGAN, CLOSING_LEFT, DAY, Z_CLOSED, Opened, is_overdue
from pos_app.domain.membership import CONVICTED, SUBJECT, membership_in
from pos_app.domain.origins import SERVICE, named_origins, with_origin
from pos_app.domain.print_job import JobState
from pos_app.journal import JournalError, Queries, read_only
from pos_app.journal.chain import Keys
from pos_app.journal.inspection import Inspection
from pos_app.journal.reading import older_version
from pos_app.secrets import SecretsError, journal_key
from pos_app.system.file_permissions import is_there

LOOK_BACK = 500
"""So many of the day's newest events are looked at."""

EARLIEST_YEAR = 2026
CLOCK_TOLERANCE_S = 300


def journal_findings(report: dict[str, Any], cutoff: time) -> Iterator[Finding]:
    """The clock beside the journal's last entry, the check of all its events, what is open, closed and printed."""
    yield clock_finding(report.get("last_at", 0))
    if report.get("gone"):
        yield Finding("journal", "problem", GONE, Exit.CANNOT_CREATE)
        return
    if not report["there"]:
        yield Finding("journal", "ok", "none yet; the first start makes it")
        return
    if report.get("older"):
        text = f"written by an older till (journal {report['older']}); the next start keeps a copy and goes on in it"
        yield Finding("journal", "warning", text)
        return
    if report["cannot"]:
        yield Finding("journal", "problem", report["cannot"], Exit.CANNOT_CREATE)
    elif report["findings"]:
        text = f"{len(report['findings'])} things are not as they were written: {report['findings'][0]}"
        yield Finding("journal", "problem", f"{text}; the next start puts it right", Exit.CANNOT_CREATE)
    else:
        yield Finding("journal", "ok", f"all {report['events']} events are as they were written")
    if "unsettled" in report:
        yield unsettled_finding(report["unsettled"])
    if "day" in report:
        yield day_finding(report["day"], cutoff)
    if "papers" in report:
        yield papers_finding(report["papers"])
    if report.get("store"):
        yield store_finding(report["store"])


def journal_report(path: Path, environment: Environment) -> dict[str, Any]:
    """Verification and counts, ready for JSON; made beside a till that is at work. Without numbers and names."""
    report: dict[str, Any] = {"there": is_there(path), "cannot": "", "findings": [], "events": 0}
    if not report["there"]:
        report["gone"] = is_gone(path.parent)
        return report
    try:
        older = older_version(path)
        if older:
            return report | {"older": older}
        key = journal_key(path.parent, environment.value, use_keystore=environment is Environment.LIVE)
        for piece in Inspection(path, Keys(key, environment)).pieces():
            report["events"] += piece.rows
            report["findings"] += map(str, piece.findings)
        with closing(read_only(path)) as journal:
            report |= {"last_at": journal.last_at(), **_unsettled(journal), **journal.counts()}
            report["day"] = _day(journal)
            report["papers"] = _papers(journal)
            report["store"] = _store(journal, path)
    except (JournalError, SecretsError) as error:
        report["cannot"] = str(error)
    return report


def unsettled_finding(unsettled: int) -> Finding:
    """What is open; of a journal that could not be read nobody knows."""
    text = f"{unsettled} payments are open or need attention: `open` lists them"
    return Finding("open payments", "warning" if unsettled else "ok", text if unsettled else "none")


def day_finding(day: dict[str, Any], cutoff: time) -> Finding:
    """The last Z, and what it would be a pity to forget."""
    last = (
        f"the last is Z {day['last_z']} of {day['business_date']}"
        if day["last_z"]
        else "no day was closed yet"
    )
    if day["interrupted"]:
        return Finding("day", "warning", f"a closing was interrupted: `close` finishes it; {last}")
    opened = Opened(first=day["open_since"], last=day["sold_last"])
    if is_overdue(opened, datetime.now().astimezone(), cutoff):
        text = f"it is still open, with money since {day['open_since']}: close it; {last}"
        return Finding("day", "warning", text)
    if day["open_since"]:
        return Finding("day", "ok", f"{last}; money is open since {day['open_since']}")
    return Finding("day", "ok", last)


def _day(journal: Queries) -> dict[str, Any]:
    """How the counter's day stands; no amount."""
    z, opened, interrupted = journal.last_z(), journal.opened(), False
    for each in journal.newest_of(DAY, LOOK_BACK):
        interrupted = each.kind == CLOSING_BEGAN or (
            interrupted and each.kind not in (CLOSING_LEFT, Z_CLOSED)
        )
    return {
        "last_z": z.number if z is not None else 0,
        "business_date": z.business_date if z is not None else "",
        "open_since": opened.first,
        "sold_last": opened.last,
        "interrupted": interrupted,
    }


def papers_finding(papers: dict[str, int]) -> Finding:
    """What did not print, or may not have: somebody looks at the list at the window, or prints it by hand."""
    asked, unprinted = papers["not_known"], papers["not_printed"]
    said = [f"{asked} may be on paper, or may not: somebody has to look"] if asked else []
    said += [f"{unprinted} did not print"] if unprinted else []
    return Finding("papers", "warning" if said else "ok", "; ".join(said) or "nothing waits for paper")


def store_finding(store: dict[str, Any]) -> Finding:
    """Whose counter this is and what waits. Nobody is called: `sync` asks the store; no payment hangs on it."""
    whose = f"{store['store']}, {store['shop']}, as {store['counter']}"
    if not store["joined"]:
        text = f"{whose}: this till has another identity than the one that joined; `leave`, then `join` anew"
        return Finding("store", "warning", text)
    if store["stopped"]:
        text = f"{whose}: a copy of this folder, or an older one; a manager begins anew at the till"
        return Finding("store", "warning", text)
    waits = f"; {store['waiting']} events are not known to be there (`sync` asks)" if store["waiting"] else ""
    return Finding("store", "ok", f"{whose}{waits}")


def _store(journal: Queries, path: Path) -> dict[str, Any]:
    """How it stands with the store, by what lies here; nothing for a counter that is no store's."""
    from pos_app.bootstrap.shipping import ACKNOWLEDGED
    from pos_app.engine.shipping import Acknowledged
    from pos_app.journal.outbox import Outbox

    events = journal.events_of(SUBJECT)
    here = membership_in(events)
    if here is None:
        return {}
    place = Outbox(path, lambda _: "").place()
    own = place.installation_id
    return {
        "store": here.store_name,
        "shop": here.shop_name,
        "counter": here.counter,
        "joined": here.installation_id == own,
        "stopped": any(
            each.kind == CONVICTED and each.content.get("installation_id") == own for each in events
        ),
        "waiting": max(0, place.seq - Acknowledged(path.parent / ACKNOWLEDGED).of(here.journal_there)),
    }


def _papers(journal: Queries) -> dict[str, int]:
    """How many jobs are not over: those that somebody has to look for, and those of which no byte was sent."""
    jobs = journal.open_print_jobs(LOOK_BACK)
    not_known = sum(job.state in (JobState.UNKNOWN, JobState.SENDING) for job in jobs)
    return {"not_known": not_known, "not_printed": len(jobs) - not_known}


def _unsettled(journal: Queries) -> dict[str, Any]:
    """How many, and at which services those were opened that are still to be asked about."""
    attempts = unsettled(journal)
    unnamed = next(iter(named_origins(journal.events_of(SERVICE))), "")
    open_ = [with_origin(each, unnamed).origin for each in attempts if not each.is_final]
    return {"unsettled": len(attempts), "opened_at": dict(Counter(open_))}


def origin_findings(report: dict[str, Any], origin: str) -> Iterator[Finding]:
    """Open payments of another service than the settings name: nobody is asked about them."""
    for opened_at, count in report.get("opened_at", {}).items():
        if opened_at not in ("", origin):
            text = f"{count} open payments were opened at {opened_at}, and the settings name {origin}: nobody is "
            todo = (
                f"asked about them until gateway.base_url is {opened_at} again, or a manager signs them off"
            )
            yield Finding("payment service", "problem", text + todo, Exit.CONFIGURATION)


def clock_finding(last_at: int) -> Finding:
    """Time does not run backwards."""
    now = datetime.now().astimezone()
    text = now.isoformat(timespec="seconds")
    if now.year < EARLIEST_YEAR or now.timestamp() + CLOCK_TOLERANCE_S < last_at / 1000:
        than = "the last entry of the journal" if last_at else "this program"
        return Finding("clock", "problem", f"{text} is earlier than {than}: set the terminal's clock")
    return Finding("clock", "ok", text)
