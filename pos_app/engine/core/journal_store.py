"""What the engine needs of a journal. `journal.Journal` has it; a simulation brings its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Protocol

from pos_app.domain.attempt import Attempt
from pos_app.domain.day import Opened, Period, Z
from pos_app.domain.people import Person
from pos_app.domain.print_job import PaperKind, PrintJob
from pos_app.domain.reconcile import Decided, DifferenceKind, Fact, Ours, Run
from pos_app.domain.record import Record
from pos_app.domain.refund import Note
from pos_app.domain.sale import Sale
from pos_app.domain.search import Cursor
from pos_app.domain.takings import Takings


class JournalStore(Protocol):
    """The journal as the engine sees it."""

    @property
    def installation_id(self) -> str:
        """Eight characters, part of every attempt id from now on."""
        ...

    @property
    def machine(self) -> str:
        """A keyed hash of the machine it is opened on; "" where the system tells none."""
        ...

    def random_part(self, length: int) -> str:
        """So many characters of the ids' alphabet from the operating system; never the same twice but by chance."""
        ...

    def append(self, records: Sequence[Record]) -> int:
        """Writes the records in one transaction; returns after the commit. Raises JournalTrouble."""
        ...

    def unsealed(self, subject: str) -> bytes | None:
        """The newest sealed bytes of a subject, in clear."""
        ...

    def digest(self, text: str) -> str:
        """A keyed hash: equal numbers have equal digests, and nobody can go back."""
        ...

    def next_sale_number(self) -> int:
        """The next sale's number."""
        ...

    def open_attempts(self) -> Sequence[Attempt]:
        """Attempts that are neither final nor signed off."""
        ...

    def attempts_to_watch(self, since_ms: int) -> Sequence[Attempt]:
        """Ended attempts that ended after `since_ms`."""
        ...

    def attempts_of(self, sale_id: str) -> Sequence[Attempt]:
        """A sale's attempts, oldest first."""
        ...

    def attempt(self, attempt_id: str) -> Attempt | None:
        """One attempt."""
        ...

    def sale(self, sale_id: str) -> Sale | None:
        """One sale."""
        ...

    def needs_answer(self) -> Sequence[Attempt]:
        """Attempts a person has to settle."""
        ...

    def overpaid_sales(self) -> Sequence[Sale]:
        """Sales paid twice whose refund nobody has signed."""
        ...

    def recent(self, limit: int) -> Sequence[Attempt]:
        """The newest attempts first."""
        ...

    def newest_before(self, before: Cursor | None, limit: int) -> Sequence[Attempt]:
        """The newest attempts first, behind the cursor."""
        ...

    def people(self) -> Sequence[Person]:
        """The list of cashiers."""
        ...

    def otp_sends(self, newest: int) -> Sequence[Record]:
        """So many counted OTP sends, oldest first; the subject is the number's digest."""
        ...

    def newest_acts(
        self, newest: int, *, actor: str = "", subject: str = "", day: str = ""
    ) -> Sequence[Record]:
        """So many acts of people, the newest first; by this person or about that subject, of this day ("": all)."""
        ...

    def events_of(self, subject: str) -> Sequence[Record]:
        """The events of one subject, oldest first."""
        ...

    def newest_of(self, subject: str, newest: int) -> Sequence[Record]:
        """So many of the newest events of a subject that is no attempt, oldest first."""
        ...

    def stands_since(self, subject: str, kinds: Collection[str]) -> bool:
        """Whether every event since the subject's newest of these kinds is as it was written, and none is missing.

        Without kinds: every event there is.
        """
        ...

    def last_receipt(self, installation_id: str) -> int:
        """The highest receipt number of an installation; 0 while it has given none."""
        ...

    def last_print_job(self) -> int:
        """The number of the newest job for the printer; 0 while there was none."""
        ...

    def open_print_jobs(self, newest: int) -> Sequence[PrintJob]:
        """So many of the newest jobs that are not over, in their order."""
        ...

    def print_job(self, number: int) -> PrintJob | None:
        """One job."""
        ...

    def print_jobs_of(self, paper: PaperKind, about: str) -> Sequence[PrintJob]:
        """Every job of one paper, in their order."""
        ...

    def last_note(self) -> int:
        """The number of the newest refund note; 0 while there was none."""
        ...

    def note(self, number: int) -> Note | None:
        """One refund note."""
        ...

    def notes_of(self, attempt_id: str) -> Sequence[Note]:
        """Those of one payment, in their order."""
        ...

    def noted_of(self, attempt_ids: Sequence[str]) -> Mapping[str, Decimal]:
        """Of these payments those with refund notes, and what they come to; not with those that were withdrawn."""
        ...

    def noted_between(self, tapped_from: int, tapped_to: int, first: str = "", last: str = "~") -> int:
        """How many payments begun in a time (till ms) have refund notes that were not withdrawn.

        `first`, `last`: only those whose own time (as the service's list has it) lies between these.
        """
        ...

    def open_notes(self) -> Sequence[Note]:
        """Those that are promised, and neither given nor withdrawn, in their order."""
        ...

    def attempt_of_receipt(self, installation_id: str, number: int) -> Attempt | None:
        """The payment that has this receipt number."""
        ...

    def paid_wall(self, attempt_id: str) -> str:
        """The wall (ISO, with offset) of the event that made a payment money; "" for what never was."""
        ...

    def installations(self) -> Collection[str]:
        """All that this journal ever was: the receipts of these are its own."""
        ...

    def receipt_code(self, text: str) -> str:
        """The check code of a receipt, over what it swears to."""
        ...

    def opened(self) -> Opened:
        """The open period at a glance."""
        ...

    def period(self) -> Period:
        """All that is known of the open period."""
        ...

    def z(self, number: int) -> Z | None:
        """The Z of this number, as it was closed."""
        ...

    def last_z(self) -> Z | None:
        """The newest Z."""
        ...

    def z_of_request(self, request_id: str) -> Z | None:
        """The Z that a closing made."""
        ...

    def zs_of_date(self, business_date: str) -> Sequence[Z]:
        """The Zs of a business date (ISO), in their order."""
        ...

    def takings(self, period: int) -> Takings:
        """The roll-up of a period."""
        ...

    def waits(self, period: int, since_ms: int, until_ms: int) -> Sequence[tuple[str, int]]:
        """Of each payment that was paid in the period, between two till times: its hour, and ms from tap to proof."""
        ...

    def unpaid(self, period: int, since_ms: int, until_ms: int) -> Sequence[Attempt]:
        """Payments that ended in the period, between two till times, and took no money."""
        ...

    def z_digest(self, text: str) -> str:
        """A keyed hash of a Z's text."""
        ...

    def takings_agree(self) -> bool:
        """Whether the open period's roll-up is what its payments, counted one by one, come to."""
        ...

    def rebuild_projections(self) -> None:
        """Makes the tables anew from the events."""
        ...

    def recon_run(self, number: int) -> Run | None:
        """One run of a reconciliation; the newest for 0."""
        ...

    def recon_of_z(self, z: int) -> Run | None:
        """The newest complete run of a Z's day, else the newest."""
        ...

    def not_reconciled(self, newest: int) -> Sequence[int]:
        """So many of the newest Zs of whose day no run was complete, in their order."""
        ...

    def difference(self, key: str) -> tuple[Decided, int] | None:
        """A difference that is not gone, and the event of its decision (0: none)."""
        ...

    def differences(self, run: int, after: str = "", limit: int = 200) -> Sequence[Decided]:
        """The next of those that a run was the last to find, behind the one of this key."""
        ...

    def differences_between(self, first: str, last: str, before_run: int, limit: int) -> Sequence[str]:
        """Keys of what earlier runs found in this time, and that is not gone."""
        ...

    def open_differences(self, run: int, kind: DifferenceKind, limit: int) -> Sequence[str]:
        """Keys of those of a class that nobody has decided about."""
        ...

    def ours_at(self, attempt_ids: Sequence[str]) -> Mapping[str, Ours]:
        """Those of these payments that the journal knows, by their ids."""
        ...

    def facts_at(self, attempt_ids: Sequence[str]) -> Mapping[str, Fact]:
        """Of those of these payments that the journal knows, by their ids, and perhaps of some of their neighbours."""
        ...

    def places_after(self, after: tuple[int, int], last: int, limit: int) -> Sequence[tuple[int, int]]:
        """The next payments behind one, as (tapped at, place) in that order, up to a tap at `last` (till ms)."""
        ...

    def ours_in(self, places: Sequence[int]) -> Sequence[Ours]:
        """What stands at these places, in their order."""
        ...

    def receipt_gaps(self, installation_id: str, most: int, after: int = 0) -> tuple[int, Sequence[int]]:
        """How many of an installation's receipt numbers behind one no payment has, or two have; the first of them."""
        ...

    def ended_unpaid(self, since_ms: int, limit: int) -> Sequence[Attempt]:
        """Attempts that ended at or after a till time and took no money, the newest first."""
        ...
