"""What is said in English of a day beside the service's list: how far it is, what differs, what is at risk. No logic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation

from pos_app.domain.attempt import State
from pos_app.domain.money import at_least, format_amount
from pos_app.domain.reconcile import Decided, Difference, DifferenceKind, Run, Why
from pos_app.domain.views import DayProblem
from pos_app.i18n.table import Plural, Table
from pos_app.i18n.words.till import words as till_words


class Reconciling(Table):
    """The words; English until told otherwise."""

    KEY = "Reconcile"
    TITLE = "Beside the service’s list"
    OF_TIME = "{first} to {last}"
    STOP = "Stop"
    WITHOUT = "Close without"
    BACK = "Back"
    READING = "The service’s list is being read…"
    READ = Plural(
        one="The service’s list is being read, back to {time}: 1 payment so far.",
        other="The service’s list is being read, back to {time}: {count} payments so far.",
    )
    COMPARING = "Our payments are compared with it…"
    ASKING = "The service is asked about what differs: {asked} of {count}."
    ENDING = "What differs is written down…"

    EQUAL = Plural(
        one="Equal: the list’s 1 payment is as this till has it.",
        other="Equal: the list’s {count} payments are as this till has them.",
    )
    NOTHING = "Equal: no payment here, and none in the list."
    DIFFERENT = Plural(one="1 difference.", other="{count} differences.")
    INCOMPLETE = "The list was NOT whole: what is missing in it, nobody knows."
    WHY = {
        Why.LEFT: "It was stopped.",
        Why.TOO_LONG: "It took too long.",
        Why.NOT_ANSWERED: "The service did not answer.",
        Why.REFUSED: "The service does not give its list to this till.",
    }
    NOT_ASKED = Plural(
        one="1 payment could not be asked about.", other="{count} payments could not be asked about."
    )
    NOTED = Plural(
        one="1 payment has money back noted: outside, not verifiable in the list.",
        other="{count} payments have money back noted: outside, not verifiable in the list.",
    )
    MORE = Plural(
        one="1 more is not listed. Is this the right merchant?",
        other="{count} more are not listed. Is this the right merchant?",
    )
    AT_RISK = "At risk: {money}"
    AT_RISK_UNKNOWN = "At risk: nobody can say"
    NO_RISK = "No money of this till at risk"

    KIND = {
        DifferenceKind.HERE_PAID: "This till says paid, the service does not: goods may have left without money.",
        DifferenceKind.THERE_PAID: "The service took money that this till does not have as paid: it may be owed to a customer.",
        DifferenceKind.THERE_UNKNOWN: "A payment under this till’s id that its record does not know: the record is not whole, or copied.",
        DifferenceKind.AMOUNT: "Another amount here than at the service.",
        DifferenceKind.THERE_OPEN: "Ended here, open at the service: the customer may still be charged.",
        DifferenceKind.PAID_TWICE: "One sale was paid twice, and nobody signed that it was given back.",
        DifferenceKind.OTHER_ID: "Our payment stands in the list under another id.",
        DifferenceKind.OTHER_TILL: "Another till’s payments at this counter: not ours.",
        DifferenceKind.FOREIGN: "Money taken under this counter without a till.",
        DifferenceKind.UNKNOWN_STATUS: "The service gives a status that nobody knows.",
        DifferenceKind.UNREADABLE: "A row of the list that cannot be read.",
        DifferenceKind.INCOMPLETE: "The list could not be proven whole here.",
        DifferenceKind.RECEIPT_GAP: "Receipt numbers are missing: the record was changed.",
    }
    HERE = "Here: {said}"
    THERE = "At the service: {said}"
    NOT_THERE = "not found"
    NOT_ASKED_ABOUT = "It could not be asked about."
    SALE = "sale {sale}"
    LOOKS_LIKE = "Looks like sale {sale}."
    ROWS = Plural(one="1 payment", other="{count} payments")

    SIGN = "Sign for it"
    SIGN_ALL = "Sign for all of this kind"
    SIGN_ASK = "Who looks after it?"
    SIGN_MORE = "Your name and the reason are recorded. No payment is changed by it."
    SIGN_YES = "Sign"
    REASONS = ("Looked into", "Of the other till", "Money was given back")
    SIGNED = "Signed by {name}: {reason}"
    NOT_SIGNED = (
        "Nothing was signed: meanwhile this was compared again, or signed for. Go back and look at it again."
    )
    NEXT = "Show more"

    PROBLEM = {
        DayProblem.NO_LIST: "The service’s list cannot be read just now.",
        DayProblem.BEING_CLOSED: "It is being compared already.",
        DayProblem.NO_SUCH_RUN: "There was no comparison yet.",
        DayProblem.NO_REASON: "Say why.",
    }

    def risk(self, difference: Difference) -> str:
        """The money that hangs on it."""
        if difference.at_risk is None:
            return self.AT_RISK_UNKNOWN
        if not difference.at_risk:
            return self.NO_RISK
        return self.AT_RISK.format(money=_money(difference.currency, difference.at_risk))

    def sides(self, difference: Difference) -> Iterator[str]:
        """What each side says of it, as far as it says anything."""
        if difference.here_state:
            # A later version may write states that this one has no word for.
            known = difference.here_state in set(State)
            state = till_words.state[State(difference.here_state)] if known else difference.here_state
            yield self.HERE.format(said=_with(state, difference, difference.here_amount))
        if difference.there_status or difference.there_amount is not None:
            status = difference.there_status or self.ROWS.of(difference.count)
            yield self.THERE.format(said=_with(status, difference, difference.there_amount))
        elif difference.here_state:
            yield self.THERE.format(said=self.NOT_THERE)
        if difference.here_state and not difference.asked:
            yield self.NOT_ASKED_ABOUT
        if difference.looks_like:
            yield self.LOOKS_LIKE.format(sale=difference.looks_like)

    def line(self, each: Decided) -> str:
        """One difference in one line."""
        parts = [self.KIND[each.difference.kind], self.risk(each.difference), *self.sides(each.difference)]
        if not each.is_open:
            parts.append(self.SIGNED.format(name=each.name, reason=each.reason))
        return "  ".join(parts)

    def result(self, run: Run) -> Iterator[str]:
        """What a run came to, what matters most first."""
        if not run.complete:
            yield self.INCOMPLETE
            if run.why in self.WHY:
                yield self.WHY[run.why]
        if run.not_asked:
            yield self.NOT_ASKED.of(run.not_asked)
        if run.own_differences:
            yield self.DIFFERENT.of(run.own_differences)
        elif run.complete:
            yield self.EQUAL.of(run.equal) if run.equal else self.NOTHING
        yield from self.risks(run.currency, run.at_risk)
        if run.more:
            yield self.MORE.of(run.more)
        if run.noted:
            yield self.NOTED.of(run.noted)

    def risks(self, currency: str, sums: Mapping[str, str]) -> Iterator[str]:
        """What is at risk of each class, in one currency."""
        for kind, amount in sums.items():
            said = self.KIND[DifferenceKind(kind)] if kind in set(DifferenceKind) else kind
            yield f"{said} {self.AT_RISK.format(money=_money(currency, amount))}"


def _with(said: str, difference: Difference, amount: Decimal | None) -> str:
    return said if amount is None else f"{said}, {_money(difference.currency, amount)}"


def _money(currency: str, amount: Decimal | str) -> str:
    """With the currency's digits; a run's sums are texts, and one that is no amount stands as it is."""
    try:
        exact = Decimal(amount)
    except InvalidOperation:
        return f"{currency} {amount}"
    return f"{currency} {format_amount(at_least(exact, currency))}"


words = Reconciling()
