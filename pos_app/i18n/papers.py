"""Receipts, notes, slips of refund notes, X and Z reports and the test page as pieces of paper, in the language of whoever reads them.

Words and places only: what stands there was decided in pos_app/domain/receipt.py and pos_app/domain/day.py. No Qt, so that
a paper can be read aloud, or printed on a terminal, where nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from pos_app.domain.attempt import Environment, State
from pos_app.domain.day import (
    Carried,
    Entry,
    Grand,
    Named,
    Report,
    X,
    Z,
    anchor_text,
    asks,
    currencies_of,
    is_taken,
    owners_of,
    shown_receipts,
    totals,
    units_in,
    units_of,
)
from pos_app.domain.figures import DayFigures
from pos_app.domain.money import format_amount
from pos_app.domain.paper import (
    Bars,
    Block,
    Code,
    Figure,
    Line,
    Marking,
    Pair,
    Paper,
    Rule,
    Signature,
    Weight,
)
from pos_app.domain.people import TERMINAL
from pos_app.domain.print_job import SLIPS, JobState, PaperKind, Why
from pos_app.domain.receipt import Copy, Letterhead, Receipt, code_text
from pos_app.domain.refund import Note, NoteState, NoteSums, shown_note
from pos_app.domain.takings import NOT_SUMMED, SIGNED_NOT_PAID, SIGNED_PAID, Tally
from pos_app.i18n.languages import is_right_to_left, words_in
from pos_app.i18n.pictures import Form, Pictures
from pos_app.i18n.words.band import Band
from pos_app.i18n.words.paper import PaperWords
from pos_app.i18n.words.printing import Printing
from pos_app.i18n.words.refund import Refund
from pos_app.i18n.words.till import Words

_FIRST, _LAST = "\u2066", "\u2069"
MOST_NAMED = 20
"""So many payments from before the journal a paper names; more are drawn together, and the Z itself names each."""

_UNBROKEN = "\u00a0"
"""A space inside a number: it is read in one piece."""


def shown_time(wall: str) -> str:
    """2026-03-01 23:07:00 +05:30, of an ISO text with its offset: nobody has to guess where that clock hung."""
    return f"{wall[:10]} {wall[11:19]} {wall[-6:]}" if len(wall) >= 25 else wall.replace("T", " ")


SCRIPTS = {"en": "ABC abc 0123456789", "si": "සිංහල අකුරු", "ta": "தமிழ் எழுத்து", "ar": "حروف عربية"}
"""A few letters of each script that a paper may be in, by its language."""


class Papers:
    """Makes papers in one language, with one shop's lines."""

    def __init__(self, language: str, letterhead: Letterhead) -> None:
        self.language = language
        self._words = words_in(PaperWords, language)
        self._refund = words_in(Refund, language)
        self._head = letterhead
        self._mirrored = is_right_to_left(language)

    # Receipts

    def receipt(self, receipt: Receipt, copy: Copy | None = None) -> Paper:
        """The receipt of a payment, or the note of a dispute. `copy`: None for the original, of which there is one."""
        words = self._words
        blocks = [*self._marking(receipt.environment), *self._copied(copy), *self._shop()]
        blocks += self._note() if receipt.is_note else self._proof(receipt)
        blocks += [*self._facts(receipt), Rule()]
        if receipt.check:
            caption = words.CHECK.format(code=self._apart(_spaced(receipt.check)))
            blocks += [*self._marking(receipt.environment), Code(code_text(receipt), caption)]
        if not receipt.is_note:
            blocks += [Line(each) for each in self._head.footer]
        blocks += [*self._copied(copy), *self._marking(receipt.environment)]
        return self._paper(words.NOTE_TITLE if receipt.is_note else words.RECEIPT, blocks)

    def _proof(self, receipt: Receipt) -> Iterator[Block]:
        words = self._words
        is_late = receipt.state is State.PAID_LATE
        yield Line(words.RECEIPT)
        yield Line(words.PAID_LATE if is_late else words.PAID, Weight.STATE)
        yield Figure(receipt.currency, format_amount(receipt.amount))
        if receipt.needs_settling:
            answers = {"complete": words.SETTLED_COMPLETE, "refund": words.SETTLED_REFUND}
            yield Line(answers.get(receipt.settled, words.NOT_SETTLED), Weight.STRONG)
        elif receipt.settled == "refund":
            yield Line(words.SETTLED_REFUND, Weight.STRONG)
        yield Rule()

    def _note(self) -> Iterator[Block]:
        words = self._words
        yield Line(words.NOTE, Weight.HEAD)
        yield Line(words.NOTE_MORE, Weight.STRONG)
        yield Rule()

    def _facts(self, receipt: Receipt) -> Iterator[Block]:
        words = self._words
        method = words.BY_METHOD[receipt.kind.value]
        cashier = {"name": receipt.cashier, "number": receipt.cashier_number}.get(self._head.cashier, "")
        amount = f"{receipt.currency} {format_amount(receipt.amount)}" if receipt.is_note else ""
        facts = (
            (words.AMOUNT, amount, True),
            (words.NUMBER, receipt.number, True),
            (words.PAID_AT, shown_time(receipt.paid_at) if receipt.paid_at else "", True),
            (words.METHOD, method, False),
            (words.WALLET, receipt.mask, True),
            (words.INVOICE, receipt.invoice, True),
            (words.REFERENCE, receipt.reference, True),
            (words.SALE, receipt.sale_id, True),
            (words.COUNTER, str(receipt.counter_id), True),
            (words.CASHIER, cashier, False),
            (words.PAYMENT_ID, receipt.attempt_id, True),
            (words.WALLET_ID, receipt.wallet_transaction_id, True),
        )
        yield from (Pair(label, value, is_code) for label, value, is_code in facts if value)

    # Refund notes

    def slip(
        self, note: Note, names: Mapping[str, str], *, for_shop: bool, copy: Copy | None = None
    ) -> Paper:
        """A refund note's slip: the customer's, or the shop's with a line to sign on. `names`: people by their ids."""
        said, environment = self._refund, Environment(note.environment)
        title = said.SLIP_TITLE.format(number=note.shown)
        ended = {NoteState.GIVEN: said.SLIP_GIVEN, NoteState.WITHDRAWN: said.SLIP_WITHDRAWN}.get(note.state)
        blocks: list[Block] = [*self._marking(environment), *self._copied(copy), *self._shop()]
        blocks += [Line(said.FOR_SHOP if for_shop else said.FOR_CUSTOMER), Line(said.SLIP, Weight.HEAD)]
        blocks += [Line(ended, Weight.STATE)] if ended else []
        blocks += [Figure(note.currency, format_amount(note.amount)), Line(said.SLIP_MORE, Weight.STRONG)]
        blocks += [Rule(), *self._slip_facts(note, names), *self._marking(environment)]
        if for_shop and note.stands:
            blocks.append(Signature(said.SIGN))
        blocks += [Line(each) for each in self._head.footer] if not for_shop else []
        return self._paper(title, [*blocks, *self._copied(copy), *self._marking(environment)])

    def _slip_facts(self, note: Note, names: Mapping[str, str]) -> Iterator[Block]:
        words, said = self._words, self._refund
        has_ended = not note.is_open
        facts = (
            (said.NUMBER, note.shown, True),
            (said.NOTED_AT, shown_time(note.noted), True),
            (said.WHY, said.REASON[note.reason], False),
            (said.IN_WORDS, note.text, False),
            (said.WAY, said.BY_WAY[note.way], False),
            (said.RECEIVER, note.receiver, False),
            (words.WALLET, _digits(note.payer), True),
            (words.NUMBER, note.receipt, True),
            (words.SALE, note.sale_id, True),
            (words.PAYMENT_ID, note.attempt_id, True),
            (said.NOTED_BY, self._signer(note.by, note.name, names), False),
            (said.ASKED_BY, self._name(note.beside, names) if note.beside else "", False),
            (said.ENDED_AT, shown_time(note.ended) if has_ended else "", True),
            (said.ENDED_BY, self._signer(note.ended_by, note.ended_name, names) if has_ended else "", False),
            (said.WHY, note.ended_why, False),
        )
        yield from (Pair(label, value, is_code) for label, value, is_code in facts if value)
        if note.own:
            yield Line(said.OWN, centred=False)

    # The counter's day

    def report(self, report: X | Z, names: Mapping[str, str], copy: Copy | None = None) -> Paper:
        """An X or a Z; `names`: people by their ids."""
        words, environment = self._words, Environment(report.environment)
        z = report if isinstance(report, Z) else None
        title = words.X if z is None else words.Z.format(number=z.number)
        blocks: list[Block] = [*self._marking(environment), *self._copied(copy), *self._shop()]
        blocks.append(Line(title, Weight.STATE))
        if z is None:
            blocks.append(Line(words.X_MORE))
        if isinstance(report, X) and report.whose:
            blocks.append(Line(words.OWN_MORE.format(name=self._name(report.whose, names))))
        blocks += [Rule(), *self._range(report, names), Rule(), *self._marking(environment)]
        for currency in currencies_of(report):
            blocks += [*self._sums(report, currency, names), Rule()]
        if noted := [*self._notes(report, names)]:
            blocks += [*noted, Rule()]
        if named := [*self._named(report)]:
            blocks += [*named, Rule()]
        if prints := [*self._prints(report, names)]:
            blocks += [*prints, Rule()]
        if z is not None:
            blocks.append(Code(anchor_text(z), words.ANCHOR))
        blocks += [*self._copied(copy), *self._marking(environment)]
        return self._paper(title, blocks)

    def _range(self, report: X | Z, names: Mapping[str, str]) -> Iterator[Block]:
        words = self._words
        if isinstance(report, Z):
            yield Pair(words.BUSINESS_DATE, report.business_date)
        yield Pair(words.BEGAN, shown_time(report.began))
        yield Pair(words.ENDED, shown_time(report.ended))
        if isinstance(report, Z):
            yield Pair(words.BY, self._name(report.by, names), is_code=False)
            if (older := report.older) is not None:
                # Its numbers begin with 1 again: whoever keeps the papers is told which one they follow.
                said = words.OLDER if older.proven else words.OLDER_UNPROVEN
                till = self._apart(f"T{older.installation_id}")
                yield Line(said.format(number=older.number, till=till), Weight.STRONG)
        for given in report.receipts:
            if given.last >= given.first:
                yield Pair(words.RECEIPTS, " – ".join(shown_receipts(report, given)))
        if report.clock_moved:
            yield Line(words.CLOCK_MOVED, Weight.STRONG)
        if report.unreached_since:
            time = self._apart(shown_time(report.unreached_since)[:16])
            yield Line(words.UNREACHED.format(time=time), Weight.STRONG)
        if report.not_asked:
            yield Line(words.NOT_ASKED.of(report.not_asked), Weight.STRONG)
        if isinstance(report, Z):
            for said in self._beside_the_list(report):
                yield Line(said, Weight.STRONG)
        for number in report.not_reconciled:
            yield Line(words.NOT_RECONCILED_Z.format(number=number), Weight.STRONG)

    def _beside_the_list(self, z: Z) -> Iterator[str]:
        words, found = self._words, z.reconciled
        if found is None:
            yield words.NOT_RECONCILED
            return
        if not found.complete:
            yield words.RECONCILED_PART
        if found.differences:
            yield words.RECONCILED_OTHER.of(found.differences)
        elif found.complete:
            yield words.RECONCILED

    def _sums(self, report: Report, currency: str, names: Mapping[str, str]) -> Iterator[Block]:
        words = self._words
        sums = totals(report.entries, currency)
        yield Line(words.TAKEN)
        yield Figure(currency, _figure(sums.taken.amount, currency))
        yield Line(words.PAYMENTS.of(sums.taken.count))
        if sums.paid_late.count:
            yield self._tally(words.OF_THESE_LATE, sums.paid_late, currency)
        for kind, tally in sorted(sums.by_kind.items()):
            yield self._tally(words.BY_METHOD.get(kind, kind), tally, currency)
        own = [each for each in report.entries if each.currency == currency]
        said = words_in(Words, self.language).state
        people = [(owner, totals(own, currency, owner)) for owner in owners_of(own)]
        if any(each.taken.count or each.cancelled for _, each in people):
            yield Line(words.BY_CASHIER, Weight.STRONG, centred=False)
            for owner, each in people:
                yield self._tally(self._name(owner, names), each.taken, currency)
                if each.cancelled:
                    # Who cancels after the code was shown can have been paid elsewhere: of how many it was, is told.
                    yield Pair(f"– {said[State.CANCELLED]}", f"{each.cancelled} / {each.count}")
        yield from self._signed_paid(own, currency)
        if ended := [each for each in sorted(sums.ended.items()) if not each[0].startswith(SIGNED_PAID)]:
            yield Line(words.NOT_TAKEN, Weight.STRONG, centred=False)
            for column, count in ended:
                yield Pair(self._ended(column.removesuffix(NOT_SUMMED)), str(count))
        grand = report.grand.get(currency)
        if grand is not None and grand != Grand():
            yield Pair(words.EVER, f"{currency} {_figure(grand.taken, currency)}", weight=Weight.STRONG)
            if grand.corrected:
                yield Pair(words.EVER_CORRECTED, f"{currency} {_figure(grand.corrected, currency)}")
            if grand.noted:
                yield Pair(self._refund.EVER, f"{currency} {_figure(grand.noted, currency)}")

    def _signed_paid(self, own: Sequence[Entry], currency: str) -> Iterator[Block]:
        """A manager's word that it was paid: no money that the till has seen, and not without money."""
        signed = [each for each in own if each.column.startswith(SIGNED_PAID)]
        if signed:
            count = sum(each.payments for each in signed)
            tally = Tally(count, sum(each.amount for each in signed))
            yield self._tally(self._words.SIGNED_PAID, tally, currency)

    def _ended(self, state: str) -> str:
        """How payments ended, as every screen says it."""
        said = words_in(Words, self.language)
        if state == SIGNED_NOT_PAID:
            return said.result.signed_off_not_paid
        return said.state[State(state)] if state in set(State) else state

    def _notes(self, report: X | Z, names: Mapping[str, str]) -> Iterator[Block]:
        """A block of its own: no sum of takings has a note in it."""
        said = self._refund
        if not report.notes and not report.noted:
            return
        yield Line(said.ON_REPORT, Weight.STRONG, centred=False)
        for currency in currencies_of(report):
            if (sums := report.noted.get(currency)) is not None:
                yield from self._noted(sums, totals(report.entries, currency).taken.amount, currency)
        for note in report.notes:
            amount = f"{note.currency} {format_amount(note.amount)}"
            yield Pair(f"{shown_note(note.number)} · {said.STATE[note.state]}", amount, weight=Weight.STRONG)
            by = said.BY.format(name=self._apart(self._signer(note.by, note.name, names)))
            told = [said.facts(note), by]
            if note.beside:
                told.append(said.BESIDE.format(name=self._apart(self._name(note.beside, names))))
            if note.receiver and note.payer:
                # Beside the receiver: money that goes to another than paid is seen without a search.
                told.append(f"{self._words.WALLET} {self._apart(_digits(note.payer))}")
            yield Line(" · ".join(told), Weight.NOTE, centred=False)
            if note.own:
                yield Line(said.OWN, Weight.NOTE, centred=False)
            yield Line(note.receipt or note.attempt_id, Weight.NOTE, centred=False, is_code=True)
        if report.notes_more:
            yield Line(said.MORE_NOTES.of(report.notes_more), centred=False)

    def _noted(self, sums: NoteSums, taken: int, currency: str) -> Iterator[Block]:
        said = self._refund
        tallies = (
            (said.MADE, sums.made),
            (said.GIVEN, sums.given),
            (said.WITHDRAWN, sums.withdrawn),
            (said.STILL, sums.open),
        )
        yield from (self._tally(label, tally, currency) for label, tally in tallies if tally.count)
        if sums.made.count or sums.withdrawn.count:
            yield Pair(said.AFTER, f"{currency} {_figure(sums.after(taken), currency)}")

    def _tally(self, label: str, tally: Tally, currency: str) -> Pair:
        return Pair(f"{label} ×{tally.count}", f"{currency} {_figure(tally.amount, currency)}")

    def _named(self, report: X | Z) -> Iterator[Block]:
        words = self._words
        earlier = [each for each in report.late_from if not each.z]
        if len(earlier) > MOST_NAMED:
            # A journal was lost, and all it held came back from the service's list: no paper names thousands.
            for currency in dict.fromkeys(each.currency for each in earlier):
                own = [each for each in earlier if each.currency == currency]
                yield self._tally(words.LATE_EARLIER, Tally(len(own), sum(map(units_of, own))), currency)
        for each in report.late_from:
            if each.z or len(earlier) <= MOST_NAMED:
                yield from self._one(words.LATE_FROM if each.z else words.LATE_EARLIER, each)
        for each in report.corrections:
            yield from self._one(words.CORRECTION_OF if each.z else words.CORRECTION_EARLIER, each)
        asked = asks(report)
        for title, is_money in ((words.CARRIED, False), (words.CARRIED_TAKEN, True)):
            named = [each for each in report.carried if is_taken(each) is is_money]
            yield from self._carried(title, named, asked=asked)
        if report.disputed:
            yield Line(words.DISPUTED, Weight.STRONG, centred=False)
            for attempt_id in report.disputed:
                yield Line(attempt_id, Weight.NOTE, centred=False, is_code=True)
        for sale_id in report.overpaid:
            yield Line(words.OVERPAID.format(sale=sale_id), Weight.STRONG, centred=False)

    def _carried(self, title: str, carried: Sequence[Carried], *, asked: bool) -> Iterator[Block]:
        words = self._words
        if carried:
            yield Line(title, Weight.STRONG, centred=False)
            said = words_in(Words, self.language).state
            for open_one in carried:
                state = said[State(open_one.state)]
                answered = "" if open_one.asked or not asked else f" ({words.NOT_ANSWERED})"
                yield Pair(f"{state}{answered}", f"{open_one.currency} {format_amount(open_one.amount)}")
                yield Line(open_one.attempt_id, Weight.NOTE, centred=False, is_code=True)

    def _prints(self, report: X | Z, names: Mapping[str, str]) -> Iterator[Block]:
        """Who had copies made, and what is not on paper, or may not be."""
        words = self._words
        if report.copies:
            yield Line(words.COPIES, Weight.STRONG, centred=False)
            yield from (Pair(self._name(each.who, names), str(each.count)) for each in report.copies)
        if report.unprinted:
            yield Line(words.UNPRINTED, Weight.STRONG, centred=False)
            said = words_in(Printing, self.language)
            for job in report.unprinted:
                number = job.receipt or job.about
                if job.paper == PaperKind.Z:
                    number = words.Z.format(number=job.about)
                elif job.paper in SLIPS:
                    number = self._refund.SLIP_TITLE.format(number=shown_note(int(job.about)))
                copy = f" · {words.COPY_NUMBER.format(number=job.copy)}" if job.copy else ""
                yield Line(f"{said.where(JobState(job.state), Why(job.why))}{copy}", centred=False)
                yield Line(
                    number,
                    Weight.NOTE,
                    centred=False,
                    is_code=job.paper in (PaperKind.RECEIPT, PaperKind.ELSEWHERE),
                )
        if report.unprinted_more:
            yield Line(words.UNPRINTED_MORE.of(report.unprinted_more), centred=False)

    def _one(self, said: str, named: Named) -> Iterator[Block]:
        amount = f"{named.currency} {format_amount(named.amount)}"
        yield Pair(said.format(number=named.z), amount, weight=Weight.STRONG)
        yield Line(named.receipt or named.attempt_id, Weight.NOTE, centred=False, is_code=True)

    # Pictures of a day

    def pictures(self, figures: DayFigures, copy: Copy | None = None) -> Paper:
        """The six pictures below one another, each number on its bar."""
        made = Pictures(self.language)
        environment = Environment(figures.environment)
        blocks: list[Block] = [*self._marking(environment), *self._copied(copy), *self._shop()]
        blocks += [Line(made.words.TITLE, Weight.HEAD), Line(made.named(figures))]
        blocks += [Pair(self._words.BEGAN, shown_time(figures.began))]
        blocks += [Pair(self._words.ENDED, shown_time(figures.ended)), Rule(), *self._marking(environment)]
        for picture in made.of(figures):
            blocks.append(Line(picture.title, Weight.STRONG, centred=False))
            if not picture.bars:
                blocks.append(Line(made.words.NOTHING, centred=False))
            elif picture.form is Form.LIST:
                blocks += [Pair(bar.label, bar.said) for bar in picture.bars]
            else:
                blocks.append(Bars(picture.bars, picture.legend))
            blocks += [*(Line(each, Weight.NOTE, centred=False) for each in picture.notes), Rule()]
        blocks += [*self._copied(copy), *self._marking(environment)]
        return self._paper(made.words.TITLE, blocks)

    # A test page

    def test_page(self, environment: Environment, dots: int) -> Paper:
        """What shows whether a printer prints it all: four scripts, both edges, a code."""
        words = self._words
        blocks: list[Block] = [*self._marking(environment), *self._shop(), Line(words.TEST, Weight.STATE)]
        blocks += [Line(words.TEST_MORE), Rule()]
        blocks += [Line(each, Weight.HEAD) for each in SCRIPTS.values()]
        blocks += [Rule(), Figure("LKR", format_amount(Decimal("1234567.89")))]
        blocks += [Pair(words.TEST_WIDTH, str(dots)), Rule(), Code(f"TEST PAGE {dots}", words.TEST_CODE)]
        blocks += self._marking(environment)
        return self._paper(words.TEST, blocks)

    # Shared

    def _paper(self, title: str, blocks: list[Block]) -> Paper:
        return Paper(title=title, blocks=tuple(blocks), right_to_left=self._mirrored, body=self._head.size)

    def _marking(self, environment: Environment) -> list[Block]:
        """What is no payment says so at the top, in the middle and at the bottom, by the payment's own environment."""
        is_live = environment is Environment.LIVE
        return [] if is_live else [Marking(words_in(Band, self.language).SANDBOX)]

    def _copied(self, copy: Copy | None) -> list[Block]:
        if copy is None:
            return []
        words, time = self._words, self._apart(f"{copy.wall[:10]} {copy.wall[11:16]}")
        at = [Line(words.COPY_AT.format(counter=copy.counter_id), Weight.STRONG)] if copy.counter_id else []
        if not copy.number:
            return [Line(words.COPY, Weight.HEAD), *at, Line(words.MADE.format(time=time))]
        said = words.COPY_NUMBER.format(number=copy.number)
        return [Line(said, Weight.HEAD), *at, Line(words.PRINTED.format(time=time))]

    def _shop(self) -> list[Block]:
        head = self._head
        found: list[Block] = [Line(head.shop, Weight.HEAD)] if head.shop else []
        found += [Line(each) for each in head.header]
        if head.tax_id:
            found.append(Line(f"{self._words.TAX_ID} {self._apart(head.tax_id.replace(' ', _UNBROKEN))}"))
        return [*found, Rule()] if found else []

    def _name(self, person_id: str, names: Mapping[str, str]) -> str:
        return names.get(person_id) or (self._words.TERMINAL if person_id == TERMINAL else person_id)

    def _signer(self, person_id: str, name: str, names: Mapping[str, str]) -> str:
        """Who signed, by the name that was written down; where nobody signs in, the till."""
        return name if name and name != TERMINAL else self._name(person_id, names)

    def _apart(self, text: str) -> str:
        """An id inside a sentence of another direction."""
        return f"{_FIRST}{text}{_LAST}" if self._mirrored else text


def _spaced(code: str) -> str:
    """In two halves, as it is read aloud."""
    return f"{code[:5]}-{code[5:]}"


def _digits(mask: str) -> str:
    """ "…567" of a mask, as on a receipt."""
    return f"…{mask[-3:]}" if mask[-3:].isdecimal() else ""


def _figure(units: int, currency: str) -> str:
    return format_amount(units_in(units, currency))
