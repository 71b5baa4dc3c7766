"""What went to the printer, held against the journal: each piece of paper is drawn anew and compared dot by dot."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import msgspec

from pos_app.devices.escpos import without_real_time
from pos_app.devices.escpos_reading import Cut, Inked, JobAsked, Read, Reader, StatusAsked, UnknownCommand
from pos_app.domain.attempt import Attempt, Environment
from pos_app.domain.day import z_in
from pos_app.domain.paper import WIDTHS, Bitmap
from pos_app.domain.print_job import KINDS, JobState, PaperKind, PrintJob, Why, job_in
from pos_app.domain.receipt import Letterhead
from pos_app.engine.core.receipts import made_of
from pos_app.engine.printing.content import PaperContent
from pos_app.ui.paper.drawing import paper_of
from pos_app.ui.paper.raster import bitmap_of
from tests.verification.campaign.printing.cable import Sent
from tests.verification.simulation.history import Written

Code = Callable[[str], str]
"""What the journal's key makes of a text, for a receipt's check."""


class Strip(msgspec.Struct):
    """What may have come out of the printer by one connection: rows of dots, from the `at`-th ms of the wall on."""

    at: int
    rows: list[bytes] = []
    is_cut: bool = False
    signs: str = ""
    """What the printer was asked to name it by, at its end; "" where it did not come so far."""
    strange: str = ""


def strips(sent: tuple[Sent, ...]) -> list[Strip]:
    """Each connection that got more than questions."""
    found = (_strip(each) for each in sent)
    return [each for each in found if each is not None]


def _strip(sent: Sent) -> Strip | None:
    reader, strip = Reader(), None
    for at, piece in sent.pieces:
        try:
            for read in reader.feed(piece):
                if not isinstance(read, StatusAsked):
                    strip = strip or Strip(at, [])
                    _take(strip, read)
        except UnknownCommand as unknown:
            strip = strip or Strip(at, [])
            strip.strange = str(unknown)
            break
    return strip


def _take(strip: Strip, read: Read) -> None:
    if isinstance(read, Inked):
        if strip.is_cut:
            strip.strange = "dots behind the cut"
        strip.rows.append(read.dots)
    strip.is_cut = strip.is_cut or isinstance(read, Cut)
    if isinstance(read, JobAsked):
        strip.signs = read.job


class Papers:
    """Draws what a job was to print, by the journal as it was then. Inside `drawing()`."""

    def __init__(self, journal: tuple[Written, ...], letterhead: Letterhead, code: Code) -> None:
        self._journal = journal
        self._letterhead = letterhead
        self._code = code
        people = [each.record.person for each in journal if each.record.person is not None]
        self._people = list({person.person_id: person for person in people}.values())

    def paid_wall(self, attempt_id: str) -> str:
        """As a Book: the wall of the event that made it money."""
        for each in self._journal:
            if each.record.subject == attempt_id and {"PAID", "PAID_LATE"} & {*each.record.path[1:]}:
                return each.record.wall
        return ""

    def attempt_of_receipt(self, installation_id: str, number: int) -> Attempt | None:
        """As a Book; nobody asks."""
        raise NotImplementedError((installation_id, number))

    def installations(self) -> tuple[str, ...]:
        """As a Book; nobody asks."""
        return ()

    def pictures(self, job: PrintJob, sending: Written) -> Iterator[Bitmap]:
        """As it was at any time since the job was asked for: what is drawn was read before its SENDING was written.

        A copy says the minute in which it was begun: that of its SENDING, or one before.
        """
        begun = datetime.fromisoformat(sending.record.wall)
        for content in self._contents(job, sending):
            for before in range(2 if job.copy else 1):
                printed = (begun - timedelta(minutes=before)).isoformat(timespec="milliseconds")
                paper = paper_of(job, msgspec.structs.replace(content, printed=printed), self._letterhead)
                yield bitmap_of(paper, WIDTHS[job.width])

    def _contents(self, job: PrintJob, sending: Written) -> Iterator[PaperContent]:
        content = PaperContent(
            environment=Environment.SANDBOX,
            printed="",
            names={person.person_id: person.name for person in self._people},
        )
        if job.paper is PaperKind.Z:
            zs = (z_in(each.record.content) for each in self._journal if each.record.kind == "Z_CLOSED")
            yield msgspec.structs.replace(content, report=next(z for z in zs if str(z.number) == job.about))
            return
        for attempt in self._since_asked(job, sending):
            made = made_of(self, self._code, attempt, self._people)
            if made is not None:
                yield msgspec.structs.replace(content, receipt=made)

    def _since_asked(self, job: PrintJob, sending: Written) -> list[Attempt]:
        """The payment when the job was asked for, and each time it changed until its SENDING."""
        asked = next(
            each.seq
            for each in self._journal
            if each.record.kind in KINDS and job_in(each.record.content).number == job.number
        )
        known = [
            (each.seq, each.record.attempt)
            for each in self._journal[: sending.seq]
            if each.record.attempt is not None and each.record.subject == job.about
        ]
        earlier = [attempt for seq, attempt in known if seq < asked][-1:]
        return [*earlier, *(attempt for seq, attempt in known if seq >= asked)]


BUSY = 3
"""So many jobs a till may have begun before the cable's thread has looked."""

_UNDRAWN = (PaperKind.X, PaperKind.TEST)
"""Of what nothing in the journal says how it looks."""


class Findings:
    """Judges one till's journal and its printer's paper."""

    def __init__(self, journal: tuple[Written, ...], strips: list[Strip], papers: Papers) -> None:
        self._journal = journal
        self._strips = strips
        self._papers = papers
        self._sendings = [each for each in journal if each.record.kind == "PRINT_SENDING"]
        self._sent_by = self._attributed()

    def all(self, starts: list[int]) -> Iterator[str]:
        """`starts`: the wall (ms) of each start of the till's process."""
        yield from self._of_strips()
        yield from self._of_originals()
        yield from self._of_ends()
        yield from self._of_starts(starts)

    def job_of(self, strip: Strip) -> Written | None:
        """The SENDING that it was sent by."""
        return self._sent_by.get(id(strip))

    def _attributed(self) -> dict[int, Written]:
        """By the signs it was to be named by; without them the last SENDING before its first byte that nobody has.

        When a byte came is when the cable's own thread had time to look: on a busy machine the next job's SENDING may
        be written by then. Then what lies on the paper tells which of the last ones it was.
        """
        found: dict[int, Written] = {}
        for strip in sorted(self._strips, key=lambda each: not each.signs):
            earlier = [each for each in self._sendings if each.at <= strip.at]
            own = [each for each in earlier if job_in(each.record.content).signs == strip.signs]
            taken = {each.seq for each in found.values()}
            free = [each for each in earlier if each.seq not in taken]
            fitting = [each for each in free[-BUSY:] if self._fits(strip, each)]
            one = (own or fitting or free or earlier)[-1:]
            if one:
                found[id(strip)] = one[0]
        return found

    def _fits(self, strip: Strip, sending: Written) -> bool:
        """Whether it is that job's picture as far as it goes."""
        job = job_in(sending.record.content)
        return job.paper not in _UNDRAWN and not any(self._compared(strip, job, sending, ""))

    def _of_strips(self) -> Iterator[str]:
        """Each belongs to a SENDING of its own, written before it, and is that job's picture as far as it goes."""
        used: set[int] = set()
        for strip in self._strips:
            sending = self.job_of(strip)
            if sending is None:
                yield f"I14 paper at {strip.at} before any SENDING"
                continue
            job = job_in(sending.record.content)
            about = f"job {job.number} ({job.paper.value} {job.about}, copy {job.copy})"
            if sending.seq in used:
                yield f"I14 {about} was sent twice"
            used.add(sending.seq)
            if strip.strange:
                yield f"I14 {about}: the printer was sent {strip.strange}"
            if job.paper not in _UNDRAWN:
                yield from self._compared(strip, job, sending, about)

    def _compared(self, strip: Strip, job: PrintJob, sending: Written, about: str) -> Iterator[str]:
        drawn = list(self._papers.pictures(job, sending))
        fitting = [each for each in drawn if hashlib.sha256(each.rows).hexdigest() == job.picture]
        if not fitting:
            yield f"I14 {about} is not the picture that the journal names, drawn anew"
            return
        rows, whole = b"".join(strip.rows), without_real_time(fitting[0].rows)
        if not whole.startswith(rows) or (strip.is_cut and rows != whole):
            yield f"I14 {about}: {len(strip.rows)} rows lie on paper that are not its own"

    def _of_originals(self) -> Iterator[str]:
        """Whole or part, at most one without COPY."""
        originals: dict[tuple[str, str], int] = {}
        for strip in self._strips:
            sending = self.job_of(strip)
            job = job_in(sending.record.content) if sending is not None else None
            if job is None or job.copy or job.paper in (PaperKind.X, PaperKind.TEST):
                continue
            key = job.paper.value, job.about
            if key in originals:
                yield f"I14 {' '.join(key)}: jobs {originals[key]} and {job.number} both print it without COPY"
            originals[key] = job.number

    def _of_ends(self) -> Iterator[str]:
        """What the till calls printed because the printer said so is there to its end.

        SENT says no more than that the bytes were taken: what is cut off behind that nobody can tell the till, and how
        far it came is compared above.
        """
        sent = {sending.seq: strip for strip in self._strips if (sending := self.job_of(strip)) is not None}
        for each in self._journal:
            if each.record.kind != "PRINT_DONE":
                continue
            job = job_in(each.record.content)
            own = next(s for s in self._sendings if job_in(s.record.content).number == job.number)
            strip = sent.get(own.seq)
            if strip is None or not (strip.is_cut and strip.signs):
                yield f"I14 job {job.number} is {job.state.value}, and it did not come out"

    def _of_starts(self, starts: list[int]) -> Iterator[str]:
        """A SENDING that a start finds is UNKNOWN before anything else happens to it, and stays so for a person."""
        for number, events in self._by_job().items():
            for before, after in zip(events, [*events[1:], None], strict=True):
                found = job_in(before.record.content)
                if found.state is not JobState.SENDING:
                    continue
                now = None if after is None else job_in(after.record.content)
                is_found = any(before.at < start and (after is None or start < after.at) for start in starts)
                if is_found and (now is None or (now.state, now.why) != (JobState.UNKNOWN, Why.TILL_STOPPED)):
                    yield f"I14 job {number} was SENDING at a start and then {now and now.state.value}"

    def _by_job(self) -> dict[int, list[Written]]:
        found: dict[int, list[Written]] = {}
        for each in self._journal:
            if each.record.kind in KINDS:
                found.setdefault(job_in(each.record.content).number, []).append(each)
        return found
