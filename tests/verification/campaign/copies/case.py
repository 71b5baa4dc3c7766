"""Plays one story with real processes: a folder sells, is copied, and its copy sells; then everything is read."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from pos_app.domain.ids import installation_of
from pos_app.journal import JournalTrouble
from tests.integration.cli.till import Running
from tests.support.sandbox import ControlError, Sandbox
from tests.verification.campaign.copies import judging
from tests.verification.campaign.copies.counter import ANOTHER, Counter, said
from tests.verification.campaign.copies.judging import ENDED, SUCCESS, Folder, Found, Word, folder_of
from tests.verification.campaign.copies.story import Fate, Moment, Story, Trouble, Way

AMOUNT = "12.50"
PATIENCE_S = 12
"""Of each payment: long enough for its customer, short enough for a campaign."""

OWN_PATIENCE_S = 5
"""Of the copy's own sale."""

RESOLVE_S = 30
LIMIT_S = 30.0
LATE_S = 7


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a story came to."""

    story: Story
    findings: tuple[str, ...]
    processes: int
    paid: int
    damaged: int
    """Copies that were torn and begun anew."""
    told: int
    """Folders that saw that another copy of them sold."""


class Case:
    """Works in a folder of its own on a sandbox of its own."""

    def __init__(
        self, story: Story, sandbox: Sandbox, config_dir: Path, folder: Path, *, bug: str = ""
    ) -> None:
        self._story = story
        self._sandbox = sandbox
        self._config_dir = config_dir
        self._folder = folder
        self._bug = bug
        self._chance = Random(story.seed)
        self._numbers = iter(range(100_001, 200_000))
        self._words: list[Word] = []
        self._buried: list[Folder] = []
        self._sent_by_then: dict[str, int] = {}
        self._scannable: set[str] = set()
        self._damaged = 0
        self._to_be_told: dict[str, str] = {}
        self._first = self._counter("the first", folder / "first")
        self._copy = folder / "copy"

    def _counter(self, name: str, folder: Path, *, is_copy: bool = False) -> Counter:
        elsewhere = None
        if is_copy and self._story.other_machine:
            elsewhere = self._folder / "another-machine-id"
            elsewhere.write_text(ANOTHER)
        zone = self._story.zone if is_copy else ""
        return Counter(name, self._config_dir, folder, elsewhere=elsewhere, zone=zone, bug=self._bug)

    def run(self) -> Outcome:
        """From the first sale to the verdict."""
        story = self._story
        if story.sold_before:
            self._sell(self._first)
        else:
            self._set_up()
        paying = self._until_copied()
        copy = self._put_back(paying) if story.fate is Fate.PUT_BACK else self._beside(paying)
        counters = [copy] if story.fate is Fate.PUT_BACK else [self._first, copy]
        return self._judged(counters)

    def _set_up(self) -> None:
        """A first start that sells nothing: the service does not let it in yet."""
        self._sandbox.fault("token_expired")
        self._ended(self._first, self._pays(self._first, "qr", PATIENCE_S))
        self._sandbox.clear_faults()

    def _until_copied(self) -> Running | None:
        """The payment during which the copy is made; None when its process has ended."""
        story, kind = self._story, self._story.kind
        if story.moment is Moment.BEFORE:
            self._copied(None)
            paying = self._pays(self._first, kind, PATIENCE_S)
            self._shown(paying, kind)
            return paying
        if story.moment is Moment.SENDING:
            self._sandbox.fault("hold", f"initiate_{kind}", at=self._chance.choice(("before", "after")))
        elif story.moment is Moment.DOUBT:
            self._sandbox.fault("drop_after", f"initiate_{kind}")
        paying = self._pays(self._first, kind, PATIENCE_S)
        if story.moment is Moment.SENDING:
            _until(lambda: bool(self._sandbox.held()))
        elif story.moment is Moment.DOUBT:
            said(paying, lambda each: each["state"] == "IN_DOUBT")
        elif (shown := self._shown(paying, kind)) and story.moment is Moment.PAID:
            self._sandbox.act(shown["attempt_id"], "pay")
            self._ended(self._first, paying)
            self._copied(None)
            return None
        alive = self._copied(paying)
        self._sandbox.clear_faults()
        if alive:
            self._shown(paying, kind)
            return paying
        return None

    def _copied(self, paying: Running | None) -> bool:
        """The copy is made in the story's way; whether the till lives on."""
        if paying is None or self._story.way is Way.UNDER_WAY:
            _copy(self._first.folder, self._copy)
            return paying is not None
        if self._story.way is Way.SLOWLY:
            _copy(self._first.folder, self._copy, lambda: self._comes_to_its_end(paying))
            return True
        if self._story.way is Way.AFTER_A_KILL:
            self._ended(self._first, paying, kill=True)
            _copy(self._first.folder, self._copy)
            return False
        os.kill(paying.pid, signal.SIGSTOP)
        try:
            os.waitid(os.P_PID, paying.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            _copy(self._first.folder, self._copy)
        finally:
            os.kill(paying.pid, signal.SIGCONT)
        return True

    def _comes_to_its_end(self, paying: Running) -> None:
        """The copy has the journal from before, and the rest from after."""
        self._sandbox.clear_faults()
        if shown := self._shown(paying, self._story.kind):
            self._act(shown["attempt_id"], "pay" if self._story.customer_pays else "reject")
        paying.end()

    def _put_back(self, paying: Running | None) -> Counter:
        """The first folder goes on, and then it is as it was."""
        story = self._story
        if not story.paid_late:
            self._decide()
        if paying is not None:
            self._ended(self._first, paying, kill=story.paid_late)
        for _ in range(story.sold_after):
            self._sell(self._first)
        self._bury(self._first, lives=False)
        shutil.rmtree(self._first.folder)
        _copy(self._copy, self._first.folder)
        self._settle()
        copy = self._counter("the folder put back", self._first.folder, is_copy=True)
        own = self._own_sale(copy)
        if story.paid_late:
            self._decide(but=own)
        self._ended(copy, own)
        return copy

    def _beside(self, paying: Running | None) -> Counter:
        """Both sell at the same time."""
        story = self._story
        if not story.paid_late:
            self._decide()
        if paying is None:
            self._settle()
        copy = self._counter("the clone", self._copy, is_copy=True)
        own = self._own_sale(copy, meanwhile=0 if paying else story.sold_after)
        if story.paid_late:
            self._decide(but=own)
        if paying is not None:
            self._ended(self._first, paying)
        self._ended(copy, own)
        return copy

    def _own_sale(self, copy: Counter, meanwhile: int = 0) -> Running:
        """A sale of the copy, for another customer, with the story's trouble; the first sells `meanwhile`."""
        story = self._story
        if story.trouble:
            late = {"delay_s": LATE_S, "at": "after"} if story.trouble is Trouble.LATE else {}
            self._sandbox.fault(story.trouble.value, f"initiate_{story.own_kind}", **late)
        self._look_ahead(copy)
        own = self._pays(copy, story.own_kind, OWN_PATIENCE_S)
        for _ in range(meanwhile):
            self._sell(self._first)
        shown = self._shown(own, story.own_kind)
        if shown and story.copy_paid:
            self._act(shown["attempt_id"], "pay")
        return own

    def _pays(self, counter: Counter, kind: str, patience_s: int) -> Running:
        line = ["--qr"] if kind == "qr" else ["--push", f"+94771{next(self._numbers):06}"]
        return counter.start(
            "pay", "--amount", AMOUNT, *line, "--another-customer", "--give-up-after", str(patience_s)
        )

    def _shown(self, running: Running, kind: str) -> dict[str, Any] | None:
        """The payment as its customer sees it."""
        return said(
            running, lambda each: each["state"] == "WAITING" and (kind == "push" or bool(each["qr_text"]))
        )

    def _sell(self, counter: Counter) -> None:
        kind = self._chance.choice(("push", "qr"))
        running = self._pays(counter, kind, PATIENCE_S)
        shown = self._shown(running, kind)
        if shown:
            self._act(shown["attempt_id"], "pay")
        self._ended(counter, running)

    def _ended(self, counter: Counter, running: Running, *, kill: bool = False) -> None:
        done = running.kill() if kill else running.end()
        objects = running.said()
        self._scannable |= {each["attempt_id"] for each in objects if each["qr_text"]}
        self._damaged += "the journal is damaged" in done.err
        elsewhere = counter.elsewhere is not None
        word = Word(
            who=counter.name, elsewhere=elsewhere, code=done.code, objects=objects, complaint=done.err
        )
        self._words.append(word)

    def _decide(self, but: Running | None = None) -> None:
        """Every customer who can does; not those of a sale that goes its own way."""
        own = {each["attempt_id"] for each in but.said()} if but else set()
        for row in self._sandbox.transactions():
            external_id = row["externalMerchantTransactionId"]
            if row["status"] in ENDED or external_id in own:
                continue
            # Nobody scans a code that was on no screen.
            if row["kind"] == "push" or external_id in self._scannable:
                self._act(external_id, "pay" if self._story.customer_pays else "reject")

    def _act(self, attempt_id: str, verb: str) -> None:
        try:
            self._sandbox.act(attempt_id, verb)
        except ControlError as refused:
            # It was cancelled an instant before.
            if refused.status != 409:
                raise

    def _settle(self) -> None:
        """From here on nothing that was sent so far is sent again by itself: no process lives that opened it."""
        sent: dict[str, int] = {}
        for attempt_id, _ in judging.initiates(self._sandbox.calls()):
            sent[attempt_id] = sent.get(attempt_id, 0) + 1
        self._sent_by_then = sent

    def _bury(self, counter: Counter, *, lives: bool) -> None:
        self._buried.append(folder_of(counter.name, counter.journal, lives=lives))

    def _judged(self, counters: list[Counter]) -> Outcome:
        """No more trouble; everybody decides; each folder ends what it holds, and sells once more."""
        self._sandbox.clear_faults()
        self._decide()
        findings = []
        for counter in counters:
            self._ended(counter, counter.start("open", "--resolve", str(RESOLVE_S)))
            self._look_ahead(counter)
            self._sell(counter)
            try:
                self._bury(counter, lives=True)
            except JournalTrouble as trouble:
                findings.append(f"I6 {counter.name}: {trouble}")
        ledger = self._sandbox.transactions()
        found = Found(
            folders=self._buried,
            words=self._words,
            ledger=ledger,
            calls=self._sandbox.calls(),
            sent_by_then=self._sent_by_then,
            to_be_told=self._to_be_told,
        )
        findings += judging.violations(found)
        return Outcome(
            story=self._story,
            findings=tuple(f"{self._story.seed}: {self._story}: {each}" for each in dict.fromkeys(findings)),
            processes=len(self._words),
            paid=sum(row["status"] == SUCCESS for row in ledger),
            damaged=self._damaged,
            told=sum(folder.told for folder in self._buried),
        )

    def _look_ahead(self, counter: Counter) -> None:
        """Before a life: whether the till will hear of a sale that only another copy of its folder knows.

        It does if the sale is newer than its newest. Another zone's clock orders nothing; a folder on another
        machine, or torn, sells as somebody else and looks for its own.
        """
        if self._story.zone or counter.elsewhere is not None:
            return
        try:
            folder = folder_of(counter.name, counter.journal, lives=True)
        except JournalTrouble:
            return
        newest = max((each.transaction_date_time for each in folder.attempts.values()), default="")
        for row in self._sandbox.transactions():
            external_id = row["externalMerchantTransactionId"]
            is_ours = installation_of(external_id) == folder.installation_id
            if is_ours and external_id not in folder.attempts and row["transactionDateTime"] >= newest:
                self._to_be_told.setdefault(counter.name, external_id)


def _until(condition: Callable[[], bool]) -> None:
    """Asks the sandbox again and again. Raises AssertionError when it does not come to that."""
    by = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > by:
            raise AssertionError("it did not come to that")


def _copy(source: Path, target: Path, in_the_middle: Callable[[], None] = lambda: None) -> None:
    """As a tool does it that asks nobody: file by file, whatever is written meanwhile."""
    for path in sorted(source.rglob("*")):
        beside = target / path.relative_to(source)
        try:
            if path.is_dir():
                beside.mkdir(parents=True, exist_ok=True)
            elif path.is_file():
                beside.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, beside)
                if path.name == "journal.sqlite":
                    in_the_middle()
        except FileNotFoundError:
            continue
    shutil.copystat(source, target)
