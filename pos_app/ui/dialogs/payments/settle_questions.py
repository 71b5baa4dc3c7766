"""The questions about one open payment, each as a ready panel. They post nothing."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.attempt import Attempt
from pos_app.domain.commands import Cancel, Close
from pos_app.domain.rights import Act
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.open_payments import words as list_words
from pos_app.i18n.words.till import Words
from pos_app.ui.dialogs.confirm import Confirm
from pos_app.ui.dialogs.payments.settle import Outcome, Settle
from pos_app.ui.view_config import TillViewConfig

ByManager = Callable[[Act, str], bool]
"""Whether an act on what this person owns needs a manager now."""


def answer_outcomes(owner: str, words: Words, by_manager: ByManager) -> tuple[Outcome, Outcome]:
    """Rule 8: the goods, or the money back; the note of a refund is a manager's."""
    return (
        Outcome("refund", words.ask.refund, by_manager=by_manager(Act.REFUND, owner)),
        Outcome("complete", words.ask.complete, "primary", by_manager(Act.COMPLETE, owner)),
    )


def answer_question(
    attempt: Attempt, config: TillViewConfig, words: Words, who: str, by_manager: ByManager
) -> Settle:
    """Rule 8: a late or crossed payment is completed, or refunded outside the till."""
    title = list_words.ANSWER_TITLE.format(
        money=config.money_of(attempt.amount, attempt.currency), sale=attempt.sale_id
    )
    outcomes = answer_outcomes(attempt.owner, words, by_manager)
    reasons = (words.ask.reason_complete, words.ask.reason_refund)
    return Settle(title, list_words.ANSWER_MORE, outcomes, words, who=who, reasons=reasons)


def confirm_question(
    attempt: Attempt, command: Cancel | Close, config: TillViewConfig, words: Words
) -> Confirm:
    """Asked once before a payment is cancelled (rule 6) or closed for good (rule 3a)."""
    said = words.ask
    title, more, yes, no = (
        (said.cancel, said.cancel_more, said.cancel_yes, said.cancel_no)
        if isinstance(command, Cancel)
        else (said.close, said.close_more, said.close_yes, said.go_back)
    )
    text = more.format(money=config.money_of(attempt.amount, attempt.currency), sale=attempt.sale_id)
    return Confirm(title, text, yes=yes, no=no, danger=True, name="confirm")


def sign_off_question(
    attempt: Attempt, config: TillViewConfig, words: Words, who: str, by_manager: ByManager
) -> Settle:
    """An unresolved or disputed payment is signed off by a manager, as paid or as not paid."""
    title = list_words.SIGN_OFF_TITLE.format(
        money=config.money_of(attempt.amount, attempt.currency), sale=attempt.sale_id
    )
    needs = by_manager(Act.SIGN_OFF, attempt.owner)
    outcomes = (
        Outcome("not_paid", list_words.SIGN_OFF_NOT_PAID, "danger", needs),
        Outcome("paid", list_words.SIGN_OFF_PAID, by_manager=needs),
    )
    reasons = approval_words.reasons(Act.SIGN_OFF)
    return Settle(title, list_words.SIGN_OFF_MORE, outcomes, words, who=who, reasons=reasons)


def refund_question(sale_id: str, owner: str, words: Words, who: str, by_manager: ByManager) -> Settle:
    """Rule 9: a manager signs that one of two payments was given back."""
    title = list_words.REFUND_TITLE.format(sale=sale_id)
    outcome = Outcome("sign_refund", words.ask.sign, "primary", by_manager(Act.SIGN_REFUND, owner))
    reasons = (list_words.REFUND_EXAMPLE, words.ask.reason_refund)
    return Settle(title, list_words.REFUND_MORE, (outcome,), words, who=who, reasons=reasons)
