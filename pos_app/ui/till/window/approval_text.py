"""What a manager is told that they would allow: by the command itself, so that no two of them read alike."""

from __future__ import annotations

from typing import Any, NamedTuple

from pos_app.domain.attempt import Attempt
from pos_app.domain.commands import (
    Answer,
    AnswerPrint,
    CloseDay,
    GiveNote,
    LeaveClosing,
    LeavePrint,
    LeaveReconciling,
    NoteRefund,
    PrintPaper,
    ReadX,
    SignRefund,
    WithdrawNote,
)
from pos_app.domain.ids import sale_and_number
from pos_app.domain.people import LONGEST_NAME, TERMINAL
from pos_app.domain.print_job import SLIPS, PaperKind, PrintJob
from pos_app.domain.refund import MOST_RECEIVER, MOST_TEXT, Note, NoteWay, shown_note
from pos_app.domain.rights import Act
from pos_app.domain.staff import Approvable, OfPaper, Permit
from pos_app.domain.text import typed_text
from pos_app.i18n.words.approval import words
from pos_app.i18n.words.day import words as day_words
from pos_app.i18n.words.printing import words as printing_words
from pos_app.i18n.words.refund import words as refund_words
from pos_app.ui.post import About
from pos_app.ui.till.window.state import TillState
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.clean import clean

_LINE = "{label}: {said}"
_BESIDE = " · "


class Asked(NamedTuple):
    """`what` would be done, and to what; `lines`: what else there is to it, each on its own."""

    what: str
    lines: tuple[str, ...] = ()


class ApprovalText:
    """`of` any command that a manager may approve."""

    def __init__(self, config: TillViewConfig, state: TillState) -> None:
        self._config = config
        self._state = state

    def of(self, command: Approvable, act: Act, about: About, more: str = "") -> Asked:
        """`about`: what the desk knows of what it is done to; `more`: what whoever asked would have been told."""
        match command:
            case Answer():
                return self._of_answer(command, act, about)
            case SignRefund():
                money = self._of_payment(words.WANTED[act], about, command.sale_id)
                return Asked(money, (words.OVERPAID_MORE, *_way(command.way, command.receiver)))
            case NoteRefund():
                return self._of_refund(command, act, about)
            case GiveNote(number=number) | WithdrawNote(number=number):
                return self._of_note(words.WANTED[act], about, number)
            case PrintPaper() | AnswerPrint() | LeavePrint():
                return self._of_paper(command, about)
            case ReadX(whose=whose):
                return Asked(_about(words.WANTED[act], self._whose(whose)))
            case CloseDay():
                return Asked(_about(words.WANTED[act], self._day()))
            case LeaveClosing():
                return Asked(_about(words.LEAVE_CLOSING, self._day()))
            case LeaveReconciling():
                return Asked(_about(words.LEAVE_RECONCILING, self._day()))
            case Permit():
                return self._of_permit(command, about, more)
        return Asked(self._of_payment(words.WANTED[act], about, command.attempt_id))

    def _of_answer(self, command: Answer, act: Act, about: About) -> Asked:
        if command.action == "refund":
            way = _way(command.way, command.receiver)
            said = self._of_payment(words.WANTED[act], about, command.attempt_id, money=words.LEFT_OF)
            return Asked(said, (*way, *_payer(about)))
        wanted = words.SIGN_OFF.get(command.action, words.WANTED[act])
        more = words.SIGN_OFF_MORE.get(command.action, "")
        return Asked(self._of_payment(wanted, about, command.attempt_id), (more,) if more else ())

    def _of_refund(self, command: NoteRefund, act: Act, about: About) -> Asked:
        of = about if about is not None else self._state.listed(command.attempt_id)
        code = of.currency if of is not None else self._config.currency.code
        part = self._config.money_of(command.amount, code)
        money = words.PART_OF.replace("{part}", part)
        said = self._of_payment(words.WANTED[act], of, command.attempt_id, money=money, least=part)
        text = typed_text(command.text, MOST_TEXT)
        reason = refund_words.REASON[command.why]
        why = _LINE.format(label=refund_words.WHY, said=f"{reason} ({text})" if text else reason)
        return Asked(said, (why, *_way(command.way, command.receiver), *_payer(of)))

    def _of_note(self, wanted: str, about: About, number: int) -> Asked:
        note = about if isinstance(about, Note) else self._note(number)
        if note is None:
            return Asked(_about(wanted, shown_note(number)))
        why = (
            f"{refund_words.REASON[note.reason]} ({note.text})"
            if note.text
            else refund_words.REASON[note.reason]
        )
        lines = (_LINE.format(label=refund_words.WHY, said=why), *_way(note.way, note.receiver))
        money = f"{note.shown}{_BESIDE}{{money}}"
        return Asked(self._of_payment(wanted, note, note.attempt_id, money=money), lines)

    def _of_paper(self, command: OfPaper, about: About) -> Asked:
        match command:
            case PrintPaper(again=again):
                wanted = words.PRINT_AGAIN if again else words.PRINT
                job = PrintJob(number=0, paper=command.paper, about=command.about)
                if command.receipt is not None:
                    job = PrintJob(number=0, paper=command.paper, receipt=command.receipt)
                return Asked(_about(wanted, self._paper(job, about)))
            case AnswerPrint(seen=seen):
                wanted = words.SEEN if seen else words.PRINT_AGAIN
            case LeavePrint():
                wanted = words.LEAVE_PRINT
        listed = self._state.terminal.printing.unprinted
        known = next((each for each in listed if each.number == command.number), None)
        if known is None:
            return Asked(_about(wanted, words.JOB.format(number=command.number)))
        return Asked(_about(wanted, self._paper(known, about)))

    def _paper(self, job: PrintJob, about: About) -> str:
        """What a job prints, with what makes it this one and no other."""
        said = [printing_words.paper(job)]
        if job.paper is PaperKind.RECEIPT:
            of = about if isinstance(about, Attempt) else self._state.listed(job.about)
            amount = (
                (of.amount, of.currency)
                if of is not None
                else self._state.terminal.printing.amounts.get(job.number)
            )
            said += [self._config.money_of(*amount)] if amount is not None else []
            said += [self._owner(of.owner)] if of is not None else []
        elif job.paper is PaperKind.X:
            said.append(self._whose(job.about))
        elif job.paper is PaperKind.PICTURES:
            said.append(self._day() if job.about in ("", "0") else day_words.CLOSED.format(number=job.about))
        elif job.paper in SLIPS:
            note = about if isinstance(about, Note) else self._note(int(job.about))
            said += [self._config.money_of(note.amount, note.currency)] if note is not None else []
        elif job.receipt:
            said += [job.receipt.number, self._config.money_of(job.receipt.amount, job.receipt.currency)]
        return _BESIDE.join(filter(None, said))

    def _of_permit(self, command: Permit, about: About, more: str) -> Asked:
        lines = (more,) if more else ()
        if command.about:
            return Asked(self._of_payment(words.WANTED[command.act], about, command.about), lines)
        key, said = next(iter(command.content.items()), ("", ""))
        return Asked(_about(words.PERMIT.get(key, words.WANTED[command.act]), clean(str(said))), lines)

    def _of_payment(
        self, wanted: str, about: About, of: str, *, money: str = "{money}", least: str = ""
    ) -> str:
        """By amount, sale and owner. `of`: an attempt's id, or a sale's number; `least`: what is known in any case."""
        found = about if about is not None else self._state.listed(of)
        if found is None:
            sale = sale_and_number(of)[0] or of
            if least:
                return words.ABOUT_PAYMENT.format(wanted=wanted, money=least, sale=sale)
            return words.ABOUT_SALE.format(wanted=wanted, sale=sale)
        amount = money.replace("{money}", self._config.money_of(found.amount, found.currency))
        filled = {"wanted": wanted, "money": amount, "sale": found.sale_id}
        owner = self._owner(found.owner)
        return (
            words.ABOUT_OTHERS.format(**filled, owner=owner)
            if owner
            else words.ABOUT_PAYMENT.format(**filled)
        )

    def _owner(self, owner: str) -> str:
        """Whose it is, by name; "" where it is of whoever is at the till."""
        return "" if owner in (TERMINAL, self._state.who) else self._name(owner)

    def _whose(self, whose: str) -> str:
        return self._name(whose) if whose else words.WHOLE

    def _name(self, person_id: str) -> str:
        return clean(self._state.name_of(person_id) or person_id, LONGEST_NAME)

    def _note(self, number: int) -> Note | None:
        return next((each for each in self._state.terminal.notes if each.number == number), None)

    def _day(self) -> str:
        day = self._state.terminal.day
        return _BESIDE.join(filter(None, (day_words.CLOSED.format(number=day.number), day.business_date)))


def reason_of(command: Approvable) -> str:
    """What whoever is at the till has given as reason already, which is recorded; "" where none was asked for."""
    reason: Any = getattr(command, "reason", "")
    return str(reason)


def _about(wanted: str, what: str) -> str:
    return words.ABOUT.format(wanted=wanted, what=what) if what else f"{wanted}."


def _way(way: NoteWay, receiver: str) -> tuple[str, ...]:
    """How money goes back, and to whom: as it will be kept, so without anybody's number."""
    how = _LINE.format(label=refund_words.WAY, said=refund_words.BY_WAY[way])
    gets = typed_text(receiver, MOST_RECEIVER)
    to = _LINE.format(label=refund_words.RECEIVER, said=gets)
    return (f"{how}{_BESIDE}{to}" if gets else how,)


def _payer(about: About) -> tuple[str, ...]:
    """From which wallet it came: beside it an own wallet as receiver is seen."""
    mask = about.wallet_mask if isinstance(about, Attempt) else ""
    return (_LINE.format(label=words.PAYER, said=mask),) if mask else ()
